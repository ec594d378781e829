//! `/mcp`: MCP over Streamable HTTP, for callers with a key or a token.
//!
//! Invariants: a login session is not accepted here, so that no page of another site can act with it; a request that
//! a browser sends from a page of another machine, or to a name that is not this server's, is rejected before
//! anything is done; a 401 response names the source of tokens (RFC 9728).

use std::net::IpAddr;

use futures_util::TryStreamExt;
use http_body_util::BodyExt;
use poem::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header};
use poem::{Body, Endpoint, Request, Response, Result};
use svc_core::auth::Credential;
use svc_core::{Error, ErrorKind};
use svc_mcp::http::{AnswerBody, McpService, refusal};

use crate::error::Problem;
use crate::identity;
use crate::live::until_shutdown;
use crate::state::AppState;

const ALLOWED_METHODS: HeaderValue = HeaderValue::from_static("GET, POST, DELETE, OPTIONS");
const ALLOWED_HEADERS: HeaderValue = HeaderValue::from_static(
    "authorization, content-type, accept, last-event-id, mcp-session-id, mcp-protocol-version, mcp-method, mcp-name, traceparent, svc-depth",
);
const EXPOSED_HEADERS: HeaderValue =
    HeaderValue::from_static("mcp-session-id, mcp-protocol-version, www-authenticate, retry-after");
const MAX_AGE: HeaderValue = HeaderValue::from_static("7200");

/// The body type of poem.
type PoemBody = http_body_util::combinators::BoxBody<bytes::Bytes, std::io::Error>;

/// Serves `/mcp`.
pub(crate) struct McpEndpoint {
    service: McpService,
}

impl McpEndpoint {
    pub(crate) fn new(state: &AppState) -> Self {
        Self { service: state.mcp().clone() }
    }

    async fn answer(&self, request: Request) -> Result<Response> {
        let state = AppState::of(&request).clone();
        let caller = identity::known_caller(&request).map_err(Problem::from)?;
        if matches!(caller.credential(), Credential::Session(_)) {
            return Err(Problem::from(bearer_required()).into());
        }
        let request: poem::http::Request<PoemBody> = request.into();
        Ok(shown(self.service.answer(caller, request).await, &state))
    }
}

impl Endpoint for McpEndpoint {
    type Output = Response;

    async fn call(&self, request: Request) -> Result<Response> {
        let origin = request.headers().get(header::ORIGIN).cloned();
        if !is_own_host(&request) {
            let message = "Unknown host name: set --base-url to the URL that the clients of this server use.";
            return Ok(shown(refusal(StatusCode::FORBIDDEN, -32600, message), AppState::of(&request)));
        }
        if !is_own_origin(&request) {
            let message = "Pages of other origins may not access this server.";
            return Ok(shown(refusal(StatusCode::FORBIDDEN, -32600, message), AppState::of(&request)));
        }
        if *request.method() == Method::OPTIONS {
            return Ok(preflight(origin));
        }
        let mut response = match self.answer(request).await {
            Ok(response) => response,
            Err(error) => error.into_response(),
        };
        allow(response.headers_mut(), origin);
        Ok(response)
    }
}

fn bearer_required() -> Error {
    let sentence = "Send a key or a token in the header Authorization: Bearer; a login session is not accepted here.";
    Error::new(ErrorKind::Unauthenticated, "bearer_required", sentence)
}

/// Converts a response. Its streams are counted, and end when the server begins to stop.
fn shown(response: poem::http::Response<AnswerBody>, state: &AppState) -> Response {
    let (parts, body) = response.into_parts();
    let lasts =
        parts.headers.get(header::CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(b"text/event-stream"));
    let body = if lasts {
        let pieces = body.into_data_stream().map_err(|never| match never {});
        Body::from_bytes_stream::<_, bytes::Bytes, std::io::Error>(until_shutdown(pieces, state.streams()))
    } else {
        Body::from(PoemBody::new(body.map_err(|never| match never {})))
    };
    let mut response = Response::builder().status(parts.status).body(body);
    *response.headers_mut() = parts.headers;
    response
}

/// Whether the request was sent to a name of this server: its configured URL, this machine's own names, or an IP
/// address, which DNS rebinding cannot imitate.
fn is_own_host(request: &Request) -> bool {
    let sent_to = request.header(header::HOST).map(ToOwned::to_owned);
    let Some(host) = sent_to.or_else(|| request.uri().authority().map(ToString::to_string)) else { return true };
    let name = host_name(&host);
    let configured = AppState::of(request).base_url().and_then(|base| base.as_str().parse::<Uri>().ok());
    is_own_machine(&name)
        || name.parse::<IpAddr>().is_ok()
        || configured.and_then(|base| base.host().map(host_name)) == Some(name)
}

/// Whether the page that sent the request, if any, belongs to this server or this machine.
fn is_own_origin(request: &Request) -> bool {
    let Some(origin) = request.headers().get(header::ORIGIN) else { return true };
    let Some(authority) = origin.to_str().ok().and_then(|origin| origin.parse::<Uri>().ok()?.authority().cloned())
    else {
        return false;
    };
    let own = request.header(header::HOST).is_some_and(|host| host.eq_ignore_ascii_case(authority.as_str()));
    let configured = AppState::of(request)
        .base_url()
        .is_some_and(|base| origin.as_bytes().eq_ignore_ascii_case(base.as_str().as_bytes()));
    own || configured || is_own_machine(&host_name(authority.as_str()))
}

fn is_own_machine(name: &str) -> bool {
    name == "localhost" || name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// `[::1]:8080` becomes `::1`, `Hub.example:8080` becomes `hub.example`.
fn host_name(authority: &str) -> String {
    let host = match authority.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => authority.rsplit_once(':').map_or(authority, |(host, _)| host),
    };
    host.to_ascii_lowercase()
}

fn preflight(origin: Option<HeaderValue>) -> Response {
    let mut response = Response::builder().status(StatusCode::NO_CONTENT).finish();
    let headers = response.headers_mut();
    headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, ALLOWED_METHODS);
    headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, ALLOWED_HEADERS);
    headers.insert(header::ACCESS_CONTROL_MAX_AGE, MAX_AGE);
    allow(headers, origin);
    response
}

/// Allows the requesting page to read the response.
fn allow(headers: &mut HeaderMap, origin: Option<HeaderValue>) {
    let Some(origin) = origin else { return };
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED_HEADERS);
    headers.append(header::VARY, HeaderValue::from(HeaderName::from_static("origin")));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_read_without_their_ports() {
        for (authority, name) in
            [("Hub.example:80", "hub.example"), ("[::1]:80", "::1"), ("[::1]", "::1"), ("localhost", "localhost")]
        {
            assert_eq!(host_name(authority), name);
        }
        assert!(is_own_machine("127.0.0.1") && is_own_machine("::1") && is_own_machine("localhost"));
        assert!(!is_own_machine("localhost.evil.example") && !is_own_machine("10.0.0.1"));
    }
}
