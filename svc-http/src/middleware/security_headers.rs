//! Headers that keep a browser from being turned against the people who use the hub.
//!
//! A route that needs another policy sets the header itself; what is already there stays.

use std::sync::Arc;

use poem::http::header::{self, HeaderName, HeaderValue};
use poem::{Endpoint, IntoResponse, Request, Response, Result};

use crate::area::Area;

/// What a page may load, run and send to.
pub(crate) const CONTENT_POLICY: &str = "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; \
     connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'";

const OPENER_POLICY: HeaderName = HeaderName::from_static("cross-origin-opener-policy");

const HEADERS: [(HeaderName, &str); 8] = [
    (header::CONTENT_SECURITY_POLICY, CONTENT_POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "no-referrer"),
    (OPENER_POLICY, "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (HeaderName::from_static("permissions-policy"), "camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
    // What is not said to be cacheable may be private.
    (header::CACHE_CONTROL, "no-store"),
];

const ONE_YEAR: &str = "max-age=31536000";

/// Whether people reach the server over TLS, so that browsers may be told to insist on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Transport {
    Plain,
    Tls,
}

/// Adds the headers that are not there yet.
pub(crate) async fn add<E: Endpoint>(transport: Transport, next: Arc<E>, request: Request) -> Result<Response> {
    let opened_by_clients = Area::of(request.uri().path()).is_opened_by_clients();
    let mut response = next.call(request).await?.into_response();
    let headers = response.headers_mut();
    if opened_by_clients {
        headers.entry(OPENER_POLICY).or_insert(HeaderValue::from_static("unsafe-none"));
    }
    for (name, value) in HEADERS {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    if transport == Transport::Tls {
        headers.entry(header::STRICT_TRANSPORT_SECURITY).or_insert(HeaderValue::from_static(ONE_YEAR));
    }
    Ok(response)
}
