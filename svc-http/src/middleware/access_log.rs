//! Access log: one line per request, without query strings and headers, since both may contain secrets.

use std::sync::Arc;
use std::time::{Duration, Instant};

use poem::{Endpoint, IntoResponse, Request, Response, Result};

/// Writes the line. The duration ends when the response begins.
pub(crate) async fn write<E: Endpoint>(next: Arc<E>, request: Request) -> Result<Response> {
    let started = Instant::now();
    let (method, uri) = (request.method().clone(), request.uri().clone());
    let response = next.call(request).await?.into_response();
    tracing::info!(
        target: "svc::http",
        method = method.as_str(),
        path = uri.path(),
        status = response.status().as_u16(),
        duration_ms = milliseconds(started.elapsed()),
        "answered"
    );
    Ok(response)
}

/// Rounded to microseconds.
fn milliseconds(duration: Duration) -> f64 {
    f64::from(u32::try_from(duration.as_micros()).unwrap_or(u32::MAX)) / 1000.0
}
