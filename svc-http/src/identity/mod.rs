//! Authentication over HTTP: resolves a header or a cookie to the core's caller, once per request.
//!
//! Invariants: a bearer header has precedence, so that an invalid key is never compensated by a valid cookie; a token
//! is accepted only at the resource that it was issued for; a change with a cookie must come from a page of this
//! server; the requirement of a route is part of its signature, as one of the extractors; an agent that was approved with
//! a list of tools uses MCP, and reports the results of its runs, but has no other route; machines sign their requests,
//! and have an extractor of their own.

mod cookie;
mod extract;
mod machine;
mod origin;

use std::sync::Arc;
use std::time::Duration;

use poem::http::{HeaderValue, StatusCode, header};
use poem::{Endpoint, IntoResponse, Request, Response, Result};
use svc_core::auth::Visit;
use svc_core::ids::ParticipantId;
use svc_core::{Caller, Error, ErrorKind};

pub(crate) use cookie::{clear_cookie, device_cookie, has_session, known_browser, session_cookie};
pub(crate) use extract::{AdminCaller, AnyCaller, BearerCaller, ReportingCaller, SessionCaller};
pub(crate) use machine::{EventsIngest, EvidenceRead, MachineCaller, RuntimeStatusWrite, Signatory, SourceConfigWrite};
pub(crate) use origin::{issuer, refuse_foreign_origin, require_same_origin};

use self::origin::SentTo;
use crate::area::{Area, Identity};
use crate::middleware::client_address::ClientAddress;
use crate::middleware::request_id::RequestId;
use crate::state::AppState;

/// The result of authentication; stored in the request's data.
#[derive(Clone)]
enum Known {
    Nobody,
    Caller(Arc<Caller>),
    Refused(Arc<Refusal>),
}

/// The reason why a credential was rejected.
struct Refusal {
    kind: ErrorKind,
    code: &'static str,
    message: String,
    retry_after: Option<Duration>,
}

/// Resolves the caller, and adds `WWW-Authenticate` to responses that require a credential.
pub(crate) async fn note<E: Endpoint>(state: AppState, next: Arc<E>, mut request: Request) -> Result<Response> {
    let resource = match area(&request).identity() {
        Identity::Nobody => return next.call(request).await.map(IntoResponse::into_response),
        Identity::Signature => return machine::note(next, request).await,
        // There the credential is the OAuth client's, and the route reports the error.
        Identity::Session => None,
        Identity::Caller { resource } => Some(resource),
    };
    let sent_to = SentTo::of(&request);
    let known = authenticate_request(&state, &request, &sent_to).await;
    let was_refused = matches!(known, Known::Refused(_)) && bearer(&request).is_some();
    request.extensions_mut().insert(known);
    let mut response = next.call(request).await?.into_response();
    let is_told = response.headers().contains_key(header::WWW_AUTHENTICATE);
    if let Some(resource) = resource
        && response.status() == StatusCode::UNAUTHORIZED
        && !is_told
    {
        let issuer = sent_to.address(state.base_url());
        let mut challenge =
            format!("Bearer resource_metadata=\"{issuer}/.well-known/oauth-protected-resource{resource}\"");
        if was_refused {
            challenge.push_str(", error=\"invalid_token\"");
        }
        // A URL with characters that a header cannot contain names no resource.
        let challenge = HeaderValue::from_str(&challenge).unwrap_or(HeaderValue::from_static("Bearer"));
        response.headers_mut().insert(header::WWW_AUTHENTICATE, challenge);
    }
    Ok(response)
}

async fn authenticate_request(state: &AppState, request: &Request, sent_to: &SentTo) -> Known {
    let auth = state.hub().auth();
    let checked = match bearer(request) {
        Some(token) => auth.bearer_at(token, request.uri().path()).await,
        None => match cookie::session(request, &sent_to.address(state.base_url())) {
            Some(token) => auth.session(&token).await,
            None => return Known::Nobody,
        },
    };
    match checked {
        Ok(caller) => Known::Caller(Arc::new(caller.visiting(visit(request)).at_depth(depth(request)))),
        Err(error) => {
            if matches!(error.kind(), ErrorKind::Unavailable | ErrorKind::Internal) {
                tracing::error!(target: "svc::http", error = error.log_line(), "a credential could not be checked");
            }
            Known::Refused(Arc::new(Refusal {
                kind: error.kind(),
                code: error.code(),
                message: error.message().to_owned(),
                retry_after: error.retry_after(),
            }))
        }
    }
}

/// The depth in a chain of messages, by which a receiver of webhooks echoes what it was given. A value that is no
/// number counts as absent.
fn depth(request: &Request) -> u32 {
    request.header("svc-depth").and_then(|text| text.trim().parse().ok()).unwrap_or(0)
}

fn area(request: &Request) -> Area {
    Area::of(request.uri().path())
}

/// The token after `Bearer`, empty if there is none; other schemes are ignored.
fn bearer(request: &Request) -> Option<&str> {
    // Elsewhere OAuth clients authenticate in ways of their own.
    if !matches!(area(request).identity(), Identity::Caller { .. }) {
        return None;
    }
    // A header that cannot be decoded counts as an unknown credential.
    let text = request.headers().get(header::AUTHORIZATION)?.to_str().unwrap_or("bearer");
    let (scheme, token) = text.split_once(' ').unwrap_or((text, ""));
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

/// The authenticated caller, if there is one.
pub(crate) fn caller(request: &Request) -> Option<Caller> {
    match request.extensions().get::<Known>()? {
        Known::Caller(caller) => Some(Caller::clone(caller)),
        Known::Nobody | Known::Refused(_) => None,
    }
}

/// Like [`caller`], without a copy.
pub(crate) fn known(request: &Request) -> Option<Arc<Caller>> {
    match request.extensions().get::<Known>()? {
        Known::Caller(caller) => Some(caller.clone()),
        Known::Nobody | Known::Refused(_) => None,
    }
}

/// The authenticated caller, or the reason why there is none.
pub(crate) fn known_caller(request: &Request) -> Result<Caller, Error> {
    match request.extensions().get::<Known>() {
        Some(Known::Caller(caller)) => Ok(Caller::clone(caller)),
        Some(Known::Refused(refusal)) => {
            let error = Error::new(refusal.kind, refusal.code, refusal.message.clone());
            Err(match refusal.retry_after {
                Some(after) => error.with_retry_after(after),
                None => error,
            })
        }
        Some(Known::Nobody) | None => Err(Error::new(
            ErrorKind::Unauthenticated,
            "unauthenticated",
            "Log in, or send a key in the header Authorization: Bearer.",
        )),
    }
}

/// The participant whose rate limit budget is charged: each authenticated caller has its own.
pub(crate) fn participant(request: &Request) -> Option<ParticipantId> {
    match request.extensions().get::<Known>()? {
        Known::Caller(caller) => caller.participant(),
        Known::Nobody | Known::Refused(_) => None,
    }
}

/// Client address and surface of the request.
pub(crate) fn visit(request: &Request) -> Visit {
    let extensions = request.extensions();
    Visit {
        surface: area(request).surface(),
        remote_ip: extensions.get::<ClientAddress>().map(|ClientAddress(address)| *address),
        request_id: extensions.get::<RequestId>().map(|id| id.as_str().to_owned()),
        user_agent: request.header(header::USER_AGENT).map(ToOwned::to_owned),
    }
}
