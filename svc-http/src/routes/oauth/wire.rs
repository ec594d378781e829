//! Common behaviour of the endpoints for programs: web pages of any origin may use them, and every error, of a route
//! or of a middleware, has the form of RFC 6749.
//!
//! Invariants: no response here allows credentials across origins; the pages on which a human decides are not among
//! these paths.

use std::sync::Arc;

use poem::http::{HeaderName, HeaderValue, Method, StatusCode, header};
use poem::{Endpoint, IntoResponse, Request, Response, Result};
use serde_json::Value;

use super::PATHS;
use super::refusal::{body, json_response};
use crate::area::Area;

const ALLOWED: [(HeaderName, &str); 3] = [
    (header::ACCESS_CONTROL_ALLOW_METHODS, "GET, POST, OPTIONS"),
    // The wildcard does not cover Authorization, and older browsers do not support it.
    (
        header::ACCESS_CONTROL_ALLOW_HEADERS,
        "Authorization, Content-Type, Accept, MCP-Protocol-Version, X-Request-Id, *",
    ),
    (header::ACCESS_CONTROL_MAX_AGE, "7200"),
];

/// Opens the endpoints for programs to every origin, and converts errors to the form of RFC 6749.
pub(crate) async fn speak<E: Endpoint>(next: Arc<E>, request: Request) -> Result<Response> {
    let path = request.uri().path();
    let area = Area::of(path);
    let for_programs = area.is_for_any_origin() && PATHS.iter().any(|(known, _)| *known == path);
    if !for_programs {
        return next.call(request).await.map(IntoResponse::into_response);
    }
    let mut response = if request.method() == Method::OPTIONS {
        preflight()
    } else {
        let response = next.call(request).await?.into_response();
        if area.refuses_as_oauth() { translated(response).await } else { response }
    };
    let headers = response.headers_mut();
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    let exposed = HeaderValue::from_static("WWW-Authenticate, Retry-After, X-Request-Id");
    headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, exposed);
    Ok(response)
}

fn preflight() -> Response {
    let mut response = StatusCode::NO_CONTENT.into_response();
    for (name, value) in ALLOWED {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

/// Converts a problem, of the body size or the rate limit for example, to the form of RFC 6749.
async fn translated(mut response: Response) -> Response {
    if response.content_type() != Some("application/problem+json") {
        return response;
    }
    let status = response.status();
    let problem = response.take_body().into_vec().await.unwrap_or_default();
    let problem: Value = serde_json::from_slice(&problem).unwrap_or_default();
    let word = match status {
        StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE => "temporarily_unavailable",
        status if status.is_server_error() => "server_error",
        _ => "invalid_request",
    };
    let mut answer = json_response(status, &body(word, problem["detail"].as_str().unwrap_or_default()));
    for (name, value) in response.headers() {
        if *name != header::CONTENT_TYPE && *name != header::CONTENT_LENGTH {
            answer.headers_mut().insert(name, value.clone());
        }
    }
    answer
}
