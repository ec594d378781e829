//! Security headers for browsers.
//!
//! A route that needs another policy sets the header itself; existing headers are kept.

use std::sync::Arc;

use poem::http::header::{self, HeaderName, HeaderValue};
use poem::{Endpoint, IntoResponse, Request, Response, Result};

use crate::area::Area;

/// Content security policy of pages.
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
    // Responses are private unless a route declares them cacheable.
    (header::CACHE_CONTROL, "no-store"),
];

const ONE_YEAR: &str = "max-age=31536000";

/// Whether clients reach the server over TLS, so that `Strict-Transport-Security` may be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Transport {
    Plain,
    Tls,
}

/// Adds the headers that are not set yet.
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
