//! The kinds of caller that a route can require in its signature.
//!
//! [`SessionCaller`]: a human with a login session. [`BearerCaller`]: a caller with a key or a token. [`AnyCaller`]:
//! either. [`AdminCaller`]: either, with the role `admin`. None of them is an agent that may only call some tools over
//! MCP; a [`ReportingCaller`] may be one.

use poem::http::Method;
use poem::{Request, RequestBody, Result};
use poem_openapi::registry::{MetaSecurityScheme, Registry};
use poem_openapi::{ApiExtractor, ApiExtractorType, ExtractParamOptions};
use svc_core::auth::Credential;
use svc_core::{Caller, Error, ErrorKind};

use super::{known_caller, require_same_origin};
use crate::error::Problem;

const SESSION: &str = "session";
const BEARER: &str = "bearer";

/// A human with a login session.
pub(crate) struct SessionCaller(pub(crate) Caller);
/// A caller with an agent key, a managed key or an OAuth token.
pub(crate) struct BearerCaller(pub(crate) Caller);
/// A caller with a login session, a key or a token.
pub(crate) struct AnyCaller(pub(crate) Caller);
/// A caller with any credential and the role `admin`.
pub(crate) struct AdminCaller(pub(crate) Caller);

/// A caller with any credential, also an agent that may only call some tools over MCP.
pub(crate) struct ReportingCaller(pub(crate) Caller);

/// The caller, unless it is an agent that may only call some tools over MCP.
fn checked(request: &Request) -> Result<Caller, Error> {
    let caller = reporting(request)?;
    require_all_tools(caller.tools())?;
    Ok(caller)
}

/// Fails for an agent that was approved with a list of tools: through REST it could do what they do not include.
fn require_all_tools(tools: Option<&[String]>) -> Result<(), Error> {
    if tools.is_none() {
        return Ok(());
    }
    let message = "This agent was approved with a list of tools, and can use MCP only: connect to /mcp.";
    Err(Error::new(ErrorKind::Forbidden, "tools_limited", message))
}

/// The caller. A change with a login session must come from a page of this server.
fn reporting(request: &Request) -> Result<Caller, Error> {
    let caller = known_caller(request)?;
    let reads = matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    if is_session(&caller) && !reads {
        require_same_origin(request)?;
    }
    Ok(caller)
}

fn is_session(caller: &Caller) -> bool {
    matches!(caller.credential(), Credential::Session(_))
}

fn session_only(request: &Request) -> Result<Caller, Error> {
    let caller = checked(request)?;
    if is_session(&caller) {
        return Ok(caller);
    }
    Err(Error::new(ErrorKind::Forbidden, "session_required", "Log in to do this: a key cannot."))
}

fn bearer_only(request: &Request) -> Result<Caller, Error> {
    let caller = checked(request)?;
    if is_session(&caller) {
        return Err(Error::new(
            ErrorKind::Unauthenticated,
            "bearer_required",
            "Send a key or a token in the header Authorization: Bearer.",
        ));
    }
    Ok(caller)
}

fn admin_only(request: &Request) -> Result<Caller, Error> {
    let caller = checked(request)?;
    caller.require_admin()?;
    Ok(caller)
}

fn register(registry: &mut Registry) {
    let scheme = |ty, description| MetaSecurityScheme {
        ty,
        description: Some(description),
        name: None,
        key_in: None,
        scheme: None,
        bearer_format: None,
        flows: None,
        openid_connect_url: None,
    };
    registry.create_security_scheme(
        SESSION,
        MetaSecurityScheme {
            name: Some("svc_session"),
            key_in: Some("cookie"),
            ..scheme("apiKey", "The cookie that a login sets; `__Host-svc_session` where the server is reached over https. Changes also need \
             the header Origin of this server.")
        },
    );
    registry.create_security_scheme(
        BEARER,
        MetaSecurityScheme {
            scheme: Some("bearer"),
            bearer_format: Some("svca_…, svck_…, svcx_… or svct_…"),
            ..scheme("http", "An agent key, a managed key or an OAuth access token.")
        },
    );
}

macro_rules! extractors {
    ($($caller:ident, $check:ident, [$($scheme:ident),+];)*) => {$(
        impl<'a> ApiExtractor<'a> for $caller {
            const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::SecurityScheme];
            type ParamType = ();
            type ParamRawType = ();

            fn register(registry: &mut Registry) {
                register(registry);
            }

            fn security_schemes() -> Vec<&'static str> {
                vec![$($scheme),+]
            }

            async fn from_request(
                request: &'a Request,
                _: &mut RequestBody,
                _: ExtractParamOptions<Self::ParamType>,
            ) -> Result<Self> {
                Ok(Self($check(request).map_err(Problem::from)?))
            }
        }
    )*};
}

extractors! {
    SessionCaller, session_only, [SESSION];
    BearerCaller, bearer_only, [BEARER];
    AnyCaller, checked, [SESSION, BEARER];
    AdminCaller, admin_only, [SESSION, BEARER];
    ReportingCaller, reporting, [SESSION, BEARER];
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_agent_with_a_list_of_tools_is_refused() {
        assert!(require_all_tools(None).is_ok());
        for tools in [vec![], vec!["send_message".to_owned()]] {
            let error = require_all_tools(Some(&tools)).unwrap_err();
            assert_eq!((error.kind(), error.code()), (ErrorKind::Forbidden, "tools_limited"));
            assert!(error.message().contains("MCP"), "{error}");
        }
    }
}
