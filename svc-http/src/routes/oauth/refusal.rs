//! Conversion of errors to responses of RFC 6749: `error` and `error_description`.

use poem::http::{HeaderValue, StatusCode, header};
use poem::{IntoResponse, Response};
use serde_json::{Value, json};
use svc_core::{Error, ErrorKind};

use crate::error::{Problem, whole_seconds};

/// The error codes of the standards that the core may use.
const WORDS: [&str; 16] = [
    "access_denied",
    "authorization_pending",
    "expired_token",
    "invalid_client",
    "invalid_client_metadata",
    "invalid_grant",
    "invalid_redirect_uri",
    "invalid_request",
    "invalid_scope",
    "invalid_target",
    "server_error",
    "slow_down",
    "temporarily_unavailable",
    "unauthorized_client",
    "unsupported_grant_type",
    "unsupported_response_type",
];

/// Error for a malformed request.
pub(super) fn invalid_request(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Invalid, "invalid_request", message)
}

/// The error response for a program.
pub(super) fn respond(error: Error) -> Response {
    let (status, word) = match error.kind() {
        ErrorKind::Unauthenticated => (StatusCode::UNAUTHORIZED, known(&error)),
        ErrorKind::TooMany => (StatusCode::TOO_MANY_REQUESTS, "temporarily_unavailable"),
        ErrorKind::Unavailable => (StatusCode::SERVICE_UNAVAILABLE, "temporarily_unavailable"),
        ErrorKind::Internal => (StatusCode::INTERNAL_SERVER_ERROR, "server_error"),
        ErrorKind::Invalid | ErrorKind::Forbidden | ErrorKind::NotFound | ErrorKind::Conflict => {
            (StatusCode::BAD_REQUEST, known(&error))
        }
    };
    let mut response = json_response(status, &body(word, error.message()));
    if let Some(after) = error.retry_after() {
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(whole_seconds(after)));
    }
    // Internal details are logged like those of every other route.
    Problem::from(error).log();
    response
}

fn known(error: &Error) -> &'static str {
    WORDS.iter().find(|word| **word == error.code()).copied().unwrap_or("invalid_request")
}

/// The body of an error. The standard allows only some ASCII characters in the description.
pub(super) fn body(word: &str, description: &str) -> Value {
    let allowed = |letter: &char| matches!(letter, ' '..='~') && !matches!(letter, '"' | '\\');
    json!({ "error": word, "error_description": description.chars().filter(allowed).collect::<String>() })
}

/// A JSON response that must not be cached.
pub(super) fn json_response(status: StatusCode, value: &Value) -> Response {
    Response::builder()
        .status(status)
        .content_type("application/json")
        .header(header::CACHE_CONTROL, "no-store")
        .header(header::PRAGMA, "no-cache")
        .body(value.to_string())
        .into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn answer(error: Error) -> (u16, Value) {
        let response = respond(error);
        let status = response.status().as_u16();
        assert_eq!(response.headers()["cache-control"], "no-store");
        (status, serde_json::from_str(&response.into_body().into_string().await.unwrap()).unwrap())
    }

    #[tokio::test]
    async fn every_kind_has_its_status_and_a_standard_code() {
        for (kind, code, status, word) in [
            (ErrorKind::Invalid, "invalid_grant", 400, "invalid_grant"),
            (ErrorKind::Invalid, "validation_failed", 400, "invalid_request"),
            (ErrorKind::Unauthenticated, "invalid_client", 401, "invalid_client"),
            (ErrorKind::Forbidden, "access_denied", 400, "access_denied"),
            (ErrorKind::Unavailable, "storage_unavailable", 503, "temporarily_unavailable"),
            (ErrorKind::TooMany, "too_many", 429, "temporarily_unavailable"),
            (ErrorKind::Internal, "internal", 500, "server_error"),
        ] {
            let (answered, body) = answer(Error::new(kind, code, "Why \"this\" \\ \u{e4}.")).await;
            assert_eq!((answered, &body["error"]), (status, &json!(word)));
            assert_eq!(body["error_description"], "Why this  .");
        }
    }
}
