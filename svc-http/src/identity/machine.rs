//! Authentication of machines: signed requests below `/api/machine/`.
//!
//! Invariants: there only the signature counts, and keys, tokens and login sessions are ignored; the signature is
//! verified and the key looked up before the body is read, and the whole body is read and verified before a route
//! sees any of it; a rejected request is charged to the authentication budget of its address before the audit log is
//! written, so that a flood of invalid signatures does not fill it.

use std::marker::PhantomData;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use poem::http::uri::Authority;
use poem::http::{HeaderName, HeaderValue, StatusCode, header};
use poem::{Endpoint, IntoResponse, Request, RequestBody, Response, Result};
use poem_openapi::registry::{MetaSecurityScheme, Registry};
use poem_openapi::{ApiExtractor, ApiExtractorType, ExtractParamOptions};
use svc_core::auth::Visit;
use svc_core::principals::{ACCEPT_SIGNATURE, Machine, Rejection, Scope, SignedHead, SignedRequest, normal_authority};
use tokio::time::timeout;

use super::{Known, visit};
use crate::error::Problem;
use crate::middleware::body_limit::discard_body;
use crate::middleware::client_address::{ClientAddress, PublicScheme};
use crate::middleware::head::SentAsHead;
use crate::middleware::rate_limit::Meter;
use crate::state::AppState;

/// The name of the security scheme in the OpenAPI document.
const SIGNATURE: &str = "signature";

/// The machine that signed the request, with a key that has the scope of the route. It reads the whole body and puts
/// it back, so it must be the first parameter of a route: an unauthorized caller learns nothing else.
pub(crate) struct MachineCaller<N>(pub(crate) Machine, PhantomData<N>);

/// The scope that a route requires.
pub(crate) trait Needs: Send + 'static {
    const SCOPE: Scope;
}

/// Write the configuration of a source.
pub(crate) struct SourceConfigWrite;
/// Report the runtime status.
pub(crate) struct RuntimeStatusWrite;
/// Ingest events.
pub(crate) struct EventsIngest;
/// Read evidence.
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

/// The verified signer of a request; stored in the request's data for the middleware.
#[derive(Debug, Clone, Default)]
pub(crate) struct Signatory(Arc<OnceLock<Signed>>);

/// A principal and the key it signed with.
#[derive(Debug)]
pub(crate) struct Signed {
    pub(crate) principal_id: String,
    pub(crate) kid: String,
    pub(crate) signature_id: String,
}

impl Signatory {
    /// `None` until a signature is verified and its request charged.
    pub(crate) fn get(&self) -> Option<&Signed> {
        self.0.get()
    }

    fn note(&self, machine: &Machine) {
        let signed = Signed {
            principal_id: machine.principal_id().to_owned(),
            kid: machine.kid().to_owned(),
            signature_id: machine.signature_id(),
        };
        // A request is verified once.
        drop(self.0.set(signed));
    }
}

/// Provides the [`Signatory`], and tells clients without a signature what to sign (RFC 9421, section 5).
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
        let head = match verify_head(request, N::SCOPE, &visit).await {
            Ok(head) => head,
            Err(problem) => {
                // Lets a client that is still sending receive the response; one that sent `Expect` has not begun to
                // send.
                if let (Ok(body), None) = (body.take(), request.header(header::EXPECT)) {
                    discard_body(body).await;
                }
                return Err(problem.into());
            }
        };
        let bytes = read_body(request, body).await?;
        let machine = known(request, head, &bytes, &visit).await?;
        *body = RequestBody::new(bytes.into());
        Ok(Self(machine, PhantomData))
    }
}

/// Verifies the request up to its body, and the scope of its key.
async fn verify_head(request: &Request, scope: Scope, visit: &Visit) -> Result<SignedHead, Problem> {
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
        // A body without an announced length is checked when it has arrived.
        has_body: announced.is_some_and(|length| length > 0),
    };
    match AppState::of(request).hub().principals().verify(&signed, scope, visit).await {
        Ok(head) => Ok(head),
        Err(rejection) => Err(refused(request, rejection, visit).await),
    }
}

/// Reads the whole body within its time limit.
async fn read_body(request: &Request, body: &mut RequestBody) -> Result<Bytes> {
    let within = AppState::of(request).patience().machine_body;
    match timeout(within, body.take()?.into_bytes()).await {
        Ok(bytes) => Ok(bytes?),
        Err(_) => Err(Problem::body_too_slow(within).into()),
    }
}

/// Verifies the body too, and charges the request to the machine.
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

/// The error response for a rejected request, which is charged to its address.
async fn refused(request: &Request, rejection: Rejection, visit: &Visit) -> Problem {
    let charged = request.extensions().get::<Meter>().map_or(Ok(()), Meter::charge_attempt);
    match charged {
        Ok(()) => AppState::of(request).hub().principals().reject(rejection, visit).await.into(),
        Err(limited) => limited,
    }
}

/// Accepted values of `@authority`. A hub with a configured base URL accepts that one, whatever a proxy has made of
/// the header, and its local names for requests from this machine. It accepts no others: a request that was signed
/// for another hub could be replayed here under that hub's name, and every hub has the local names. A hub without a
/// base URL accepts the host that the request was sent to.
fn authorities(request: &Request) -> Vec<String> {
    let sent_to = request.header(header::HOST).map(ToOwned::to_owned);
    let sent_to = sent_to.or_else(|| request.original_uri().authority().map(ToString::to_string)).unwrap_or_default();
    let over_tls = matches!(request.extensions().get(), Some(PublicScheme::Https));
    let sent_to = normal_authority(&sent_to, over_tls);
    let Some(base) = AppState::of(request).base_url() else { return vec![sent_to] };
    let own = base.as_str().split_once("://").map_or(base.as_str(), |(_, authority)| authority).to_owned();
    let is_local = is_own_machine(&sent_to) && is_sent_locally(request);
    if sent_to != own && is_local { vec![own, sent_to] } else { vec![own] }
}

/// Whether the request was sent on this machine, and not forwarded by a trusted proxy.
fn is_sent_locally(request: &Request) -> bool {
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
