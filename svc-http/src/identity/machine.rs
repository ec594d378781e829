//! Machines: who has signed a request, for the routes below `/api/machine/`.
//!
//! What always holds: there a signature decides alone, and a key, a token or a login counts for nothing; the
//! signature is proved and the key looked up before anything of the body is read, and the whole body is read and
//! proved before a route sees any of it; whoever is refused pays from the budget of their address for an attempt
//! to get in before the audit log is written, so that a flood of bad signatures does not fill it.

use std::marker::PhantomData;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use poem::http::uri::Authority;
use poem::http::{HeaderName, HeaderValue, StatusCode, header};
use poem::{Endpoint, IntoResponse, Request, RequestBody, Response, Result};
use poem_openapi::registry::{MetaSecurityScheme, Registry};
use poem_openapi::{ApiExtractor, ApiExtractorType, ExtractParamOptions};
use svc_core::{ACCEPT_SIGNATURE, Machine, Rejection, Scope, SignedHead, SignedRequest, Visit, normal_authority};
use tokio::time::timeout;

use super::{Known, visit};
use crate::error::Problem;
use crate::middleware::body_limit::throw_body_away;
use crate::middleware::client_address::{ClientAddress, PublicScheme};
use crate::middleware::head::SentAsHead;
use crate::middleware::rate_limit::Meter;
use crate::state::AppState;

/// The name of the scheme in the API's document.
const SIGNATURE: &str = "signature";

/// The machine that has signed the request, with a key that may be used for what the route needs. It reads the whole
/// body and puts it back, so it stands first in a route's signature: who may not ask is told nothing else.
pub(crate) struct MachineCaller<N>(pub(crate) Machine, PhantomData<N>);

/// What a route needs.
pub(crate) trait Needs: Send + 'static {
    const SCOPE: Scope;
}

/// To set the configuration of a source.
pub(crate) struct SourceConfigWrite;
/// To say how one is.
pub(crate) struct RuntimeStatusWrite;
/// To report.
pub(crate) struct EventsIngest;
/// To read what was reported.
pub(crate) struct EvidenceRead;

impl Needs for SourceConfigWrite {
    const SCOPE: Scope = Scope::SourceConfigWrite;
}

impl Needs for RuntimeStatusWrite {
    const SCOPE: Scope = Scope::RuntimeStatusWrite;
}

impl Needs for EventsIngest {
    const SCOPE: Scope = Scope::EventsIngest;
}

impl Needs for EvidenceRead {
    const SCOPE: Scope = Scope::EvidenceRead;
}

/// Who turned out to have signed a request; in the request's data, for the layers around the routes.
#[derive(Debug, Clone, Default)]
pub(crate) struct Signatory(Arc<OnceLock<Signed>>);

/// A principal and the key that it signed with.
#[derive(Debug)]
pub(crate) struct Signed {
    pub(crate) principal_id: String,
    pub(crate) kid: String,
    pub(crate) signature_id: String,
}

impl Signatory {
    /// `None` until a signature is proved and paid for.
    pub(crate) fn get(&self) -> Option<&Signed> {
        self.0.get()
    }

    fn note(&self, machine: &Machine) {
        let signed = Signed {
            principal_id: machine.principal_id().to_owned(),
            kid: machine.kid().to_owned(),
            signature_id: machine.signature_id(),
        };
        // A request is proved once.
        drop(self.0.set(signed));
    }
}

/// Makes room for who has signed, and tells those who have not what to sign (RFC 9421, section 5).
pub(super) async fn note<E: Endpoint>(next: Arc<E>, mut request: Request) -> Result<Response> {
    request.extensions_mut().insert(Known::Nobody);
    request.extensions_mut().insert(Signatory::default());
    let mut response = next.call(request).await?.into_response();
    if response.status() == StatusCode::UNAUTHORIZED {
        let name = HeaderName::from_static("accept-signature");
        response.headers_mut().insert(name, HeaderValue::from_static(ACCEPT_SIGNATURE));
    }
    Ok(response)
}

impl<'a, N: Needs> ApiExtractor<'a> for MachineCaller<N> {
    const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::SecurityScheme];
    type ParamType = ();
    type ParamRawType = ();

    fn register(registry: &mut Registry) {
        registry.create_security_scheme(
            SIGNATURE,
            MetaSecurityScheme {
                ty: "apiKey",
                description: Some(
                    "The signature of a machine principal (RFC 9421, Ed25519) with its `Signature-Input`. It covers \
                     `@method`, `@authority`, `@path`, `@query`, with a body `content-digest` (RFC 9530), and \
                     `if-match` and `if-none-match` where they are sent, and has `created`, `nonce`, \
                     `keyid=\"<principal_id>/<kid>\"`, `alg=\"ed25519\"` and `tag=\"svc.machine/v1\"`.",
                ),
                name: Some("Signature"),
                key_in: Some("header"),
                scheme: None,
                bearer_format: None,
                flows: None,
                openid_connect_url: None,
            },
        );
    }

    fn security_schemes() -> Vec<&'static str> {
        vec![SIGNATURE]
    }

    async fn from_request(
        request: &'a Request,
        body: &mut RequestBody,
        _: ExtractParamOptions<Self::ParamType>,
    ) -> Result<Self> {
        let visit = visit(request);
        let head = match proved(request, N::SCOPE, &visit).await {
            Ok(head) => head,
            Err(problem) => {
                // So that a client that is still sending hears it; one that asks first has not begun to send.
                if let (Ok(body), None) = (body.take(), request.header(header::EXPECT)) {
                    throw_body_away(body).await;
                }
                return Err(problem.into());
            }
        };
        let bytes = whole(request, body).await?;
        let machine = known(request, head, &bytes, &visit).await?;
        *body = RequestBody::new(bytes.into());
        Ok(Self(machine, PhantomData))
    }
}

/// The request up to its body, by somebody who may ask for something of this scope.
async fn proved(request: &Request, scope: Scope, visit: &Visit) -> Result<SignedHead, Problem> {
    let authorities = authorities(request);
    let uri = request.original_uri();
    let is_head = request.extensions().get::<SentAsHead>().is_some();
    let announced = request.header(header::CONTENT_LENGTH).and_then(|length| length.parse::<u64>().ok());
    let signed = SignedRequest {
        method: if is_head { "HEAD" } else { request.method().as_str() },
        authorities: &authorities,
        path: uri.path(),
        query: uri.query(),
        headers: request.headers(),
        // What comes unannounced is looked at when it is there.
        has_body: announced.is_some_and(|length| length > 0),
    };
    match AppState::of(request).hub().principals().verify(&signed, scope, visit).await {
        Ok(head) => Ok(head),
        Err(rejection) => Err(refused(request, rejection, visit).await),
    }
}

/// All of the body, if it comes in time.
async fn whole(request: &Request, body: &mut RequestBody) -> Result<Bytes> {
    let within = AppState::of(request).patience().machine_body;
    match timeout(within, body.take()?.into_bytes()).await {
        Ok(bytes) => Ok(bytes?),
        Err(_) => Err(Problem::body_too_slow(within).into()),
    }
}

/// Who has signed, and this body too. They pay for the request then.
async fn known(request: &Request, head: SignedHead, body: &[u8], visit: &Visit) -> Result<Machine, Problem> {
    let machine = match head.with_body(body) {
        Ok(machine) => machine,
        Err(rejection) => return Err(refused(request, rejection, visit).await),
    };
    if let Some(meter) = request.extensions().get::<Meter>() {
        meter.charge_machine(machine.principal_id())?;
    }
    if let Some(signatory) = request.extensions().get::<Signatory>() {
        signatory.note(&machine);
    }
    Ok(machine)
}

/// What somebody is told who is not let in, and whose address pays for it.
async fn refused(request: &Request, rejection: Rejection, visit: &Visit) -> Problem {
    let charged = request.extensions().get::<Meter>().map_or(Ok(()), Meter::charge_attempt);
    match charged {
        Ok(()) => AppState::of(request).hub().principals().reject(rejection, visit).await.into(),
        Err(limited) => limited,
    }
}

/// What a signature may name as the place that the request was sent to. A hub that knows its public address
/// takes that, whatever a proxy has made of the header, and from this machine its own names besides. No other: what
/// was signed for another hub could be sent here with that hub's name, and every hub has these. A hub that does not
/// know its address takes the one that the request was sent to.
fn authorities(request: &Request) -> Vec<String> {
    let sent_to = request.header(header::HOST).map(ToOwned::to_owned);
    let sent_to = sent_to.or_else(|| request.original_uri().authority().map(ToString::to_string)).unwrap_or_default();
    let over_tls = matches!(request.extensions().get(), Some(PublicScheme::Https));
    let sent_to = normal_authority(&sent_to, over_tls);
    let Some(base) = AppState::of(request).base_url() else { return vec![sent_to] };
    let own = base.as_str().split_once("://").map_or(base.as_str(), |(_, authority)| authority).to_owned();
    let is_local = is_own_machine(&sent_to) && comes_from_here(request);
    if sent_to != own && is_local { vec![own, sent_to] } else { vec![own] }
}

/// Whether it was sent on this machine, and not for somebody elsewhere by a proxy that is trusted.
fn comes_from_here(request: &Request) -> bool {
    let peer = request.remote_addr().as_socket_addr().map(SocketAddr::ip);
    let client = request.extensions().get::<ClientAddress>().map(|ClientAddress(address)| *address);
    [peer, client].iter().all(|address| address.is_some_and(|address| address.to_canonical().is_loopback()))
}

fn is_own_machine(authority: &str) -> bool {
    let Ok(authority) = authority.parse::<Authority>() else { return false };
    let host = authority.host().trim_start_matches('[').trim_end_matches(']');
    host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_this_machine_are_its_own() {
        for authority in ["localhost", "localhost:8080", "127.0.0.1:8080", "127.9.9.9", "[::1]:8080", "[::1]"] {
            assert!(is_own_machine(authority), "{authority}");
        }
        for authority in ["", "hub.example", "10.0.0.1:8080", "localhost.example", "127.0.0.1.example", "user@x", ":"] {
            assert!(!is_own_machine(authority), "{authority}");
        }
    }
}
