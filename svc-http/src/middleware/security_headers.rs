//! Headers that keep a browser from being turned against the people who use the hub.
//!
//! A route that needs another policy sets the header itself; what is already there stays.

use std::sync::Arc;

use poem::http::header::{self, HeaderName, HeaderValue};
use poem::{Endpoint, IntoResponse, Request, Response, Result};

const HEADERS: [(HeaderName, &str); 8] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; \
         connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
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
    let mut response = next.call(request).await?.into_response();
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    if transport == Transport::Tls {
        headers.entry(header::STRICT_TRANSPORT_SECURITY).or_insert(HeaderValue::from_static(ONE_YEAR));
    }
    Ok(response)
}
