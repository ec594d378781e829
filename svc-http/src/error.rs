//! Conversion of errors to HTTP: RFC 9457 problems, for errors of the hub and of the framework.
//!
//! Invariants: a mistake of the caller is a 4xx with a stable `code`; an internal error reveals nothing and is logged
//! once, here, on a line with the request id.

use std::fmt;
use std::time::Duration;

use poem::error::{MethodNotAllowedError, ResponseError};
use poem::http::{HeaderValue, StatusCode, header};
use poem::{Body, IntoResponse, Response};
use poem_openapi::error::{ParseParamError, ParsePathError};
use poem_openapi::registry::{MetaMediaType, MetaResponse, MetaResponses, Registry};
use poem_openapi::types::Type;
use poem_openapi::{ApiResponse, Object};
use serde::Serialize;
use serde_json::{Map, Value};
use svc_core::{Error, ErrorKind, limits};

/// The media type of a problem.
const CONTENT_TYPE: &str = "application/problem+json";

/// An error response. Handlers return it; `?` converts a [`svc_core::Error`] to it.
#[derive(Debug)]
pub struct Problem(Box<Parts>);

#[derive(Debug)]
struct Parts {
    status: StatusCode,
    code: &'static str,
    detail: String,
    errors: Vec<FieldFault>,
    details: Map<String, Value>,
    retry_after: Option<Duration>,
    allow: Option<String>,
    /// Details for the log only.
    log_line: Option<String>,
}

/// The code of a problem as an extension of the response, for middleware.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ProblemCode(pub(crate) &'static str);

/// The body of an error (RFC 9457). Some codes have additional members with the values of `detail` for programs:
/// `already_claimed` has `holder`, `trust_too_low` has `action`, `score` and `required`, `owner_cannot_leave` has
/// `owner`, `already_finished` has `ended_as`, `version_conflict` has `version`, `file_quota_exceeded` has
/// `used_bytes` and `limit_bytes`, `message_quota_exceeded` has `used` and `limit`, `picture_too_large` has `width`,
/// `height` and `limit_pixels`, `attachment_damaged` has `hash`, `edit_conflict` has `conflict`: the `revision`, `title`,
/// `body`, `updated_by` and `updated_at` of the current text, `merge_is_clean`, and the `merged` text if it is.
#[derive(Debug, Serialize, Object)]
#[oai(rename = "Problem")]
pub struct ProblemBody {
    /// Always `about:blank`: problems are distinguished by their `code`.
    #[oai(rename = "type")]
    #[serde(rename = "type")]
    pub kind: String,
    /// The reason phrase of the status.
    pub title: String,
    /// The HTTP status.
    pub status: u16,
    /// Explanation for people: the cause and the remedy.
    pub detail: String,
    /// A stable identifier for programs, such as `not_found` or `validation_failed`.
    pub code: String,
    /// The invalid fields, for `validation_failed`.
    #[oai(skip_serializing_if_is_none)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub errors: Option<Vec<FieldFault>>,
    /// Additional members that only some codes have.
    #[oai(skip)]
    #[serde(flatten)]
    pub details: Map<String, Value>,
}

/// One invalid field of a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Object)]
#[oai(rename = "FieldError")]
pub struct FieldFault {
    /// The name of the field in the request.
    pub field: String,
    /// The rule that it violates.
    pub message: String,
}

impl Problem {
    /// A problem with a status, a stable code and a sentence for the caller.
    pub fn new(status: StatusCode, code: &'static str, detail: impl Into<String>) -> Self {
        Self(Box::new(Parts {
            status,
            code,
            detail: detail.into(),
            errors: Vec::new(),
            details: Map::new(),
            retry_after: None,
            allow: None,
            log_line: None,
        }))
    }

    /// 404: no route at this path.
    pub(crate) fn no_such_path() -> Self {
        Self::new(StatusCode::NOT_FOUND, "not_found", "No such path; /docs lists all paths.")
    }

    /// 405: the path does not support the method. `allow` lists the supported methods, where they are known.
    pub(crate) fn method_not_allowed(allow: Option<String>) -> Self {
        let detail = match &allow {
            Some(allow) => format!("Method not allowed for this path; use {allow}."),
            None => "Method not allowed for this path; /docs lists its methods.".to_owned(),
        };
        let mut problem = Self::new(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", detail);
        problem.0.allow = allow;
        problem
    }

    /// 413: the body exceeds the limit of the route.
    pub(crate) fn body_too_large(max: usize) -> Self {
        Self::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            "body_too_large",
            format!("The body is too large; the limit of this path is {max} bytes."),
        )
    }

    /// 408: the body takes too long to arrive.
    pub(crate) fn body_too_slow(within: Duration) -> Self {
        Self::new(
            StatusCode::REQUEST_TIMEOUT,
            "body_too_slow",
            format!("The body must arrive within {} s: send less, or send it faster.", whole_seconds(within)),
        )
    }

    /// 408: the body takes too long to arrive, or is below the minimum average rate.
    pub(crate) fn body_below_rate(within: Duration, rate: u64) -> Self {
        let within = whole_seconds(within);
        Self::new(
            StatusCode::REQUEST_TIMEOUT,
            "body_too_slow",
            format!("The body must arrive within {within} s and at {rate} bytes per second: send it faster."),
        )
    }

    /// 503: the connection limit is exceeded.
    pub(crate) fn too_many_connections() -> Self {
        let after = limits::CONNECTIONS_RETRY;
        let detail = format!("Too many connections; try again in {} s.", whole_seconds(after));
        let mut problem = Self::new(StatusCode::SERVICE_UNAVAILABLE, "too_many_connections", detail);
        problem.0.retry_after = Some(after);
        problem
    }

    /// 400: the host of the request is ambiguous.
    pub(crate) fn invalid_host(detail: &'static str) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "invalid_host", detail)
    }

    /// 429: the caller exceeds its rate limit.
    pub(crate) fn rate_limited(retry_after: Duration) -> Self {
        let detail = format!("Too many requests; try again in {} s.", whole_seconds(retry_after));
        let mut problem = Self::new(StatusCode::TOO_MANY_REQUESTS, "rate_limited", detail);
        problem.0.retry_after = Some(retry_after);
        problem
    }

    /// An error of the framework. `allow` is called only when it concerns the method.
    pub(crate) fn from_framework(error: &poem::Error, allow: impl FnOnce() -> Option<String>) -> Self {
        if error.is::<MethodNotAllowedError>() {
            return Self::method_not_allowed(allow());
        }
        if let Some(fault) = error.downcast_ref::<ParseParamError>() {
            return Error::invalid(fault.name, fault.reason.clone()).into();
        }
        if let Some(fault) = error.downcast_ref::<ParsePathError>() {
            return Error::invalid(fault.name, fault.reason.clone()).into();
        }
        let status = error.status();
        if status == StatusCode::NOT_FOUND {
            return Self::no_such_path();
        }
        if status.is_server_error() {
            return Error::internal(error.to_string()).into();
        }
        Self::new(status, code_of(status), as_sentence(&error.to_string()))
    }

    /// The HTTP status.
    pub fn status(&self) -> StatusCode {
        self.0.status
    }

    /// The stable identifier for programs.
    pub fn code(&self) -> &'static str {
        self.0.code
    }

    /// Logs details that the caller may not see. Called once, where the response is built.
    pub(crate) fn log(&self) {
        if let Some(line) = &self.0.log_line {
            tracing::error!(target: "svc::http", status = self.0.status.as_u16(), error = line, "a request failed");
        }
    }

    fn body(&self) -> ProblemBody {
        ProblemBody {
            kind: "about:blank".to_owned(),
            title: self.0.status.canonical_reason().unwrap_or("Error").to_owned(),
            status: self.0.status.as_u16(),
            detail: self.0.detail.clone(),
            code: self.0.code.to_owned(),
            errors: (!self.0.errors.is_empty()).then(|| self.0.errors.clone()),
            details: self.0.details.clone(),
        }
    }
}

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        let status = match error.kind() {
            ErrorKind::NotFound => StatusCode::NOT_FOUND,
            ErrorKind::Invalid => match error.code() {
                "too_large" | "file_quota_exceeded" => StatusCode::PAYLOAD_TOO_LARGE,
                "type_not_allowed" => StatusCode::UNSUPPORTED_MEDIA_TYPE,
                _ => StatusCode::BAD_REQUEST,
            },
            ErrorKind::Unauthenticated => StatusCode::UNAUTHORIZED,
            ErrorKind::Forbidden => StatusCode::FORBIDDEN,
            // Only requests that named an expected version can fail like this.
            ErrorKind::Conflict if error.code() == "version_conflict" => StatusCode::PRECONDITION_FAILED,
            ErrorKind::Conflict => StatusCode::CONFLICT,
            ErrorKind::TooMany => StatusCode::TOO_MANY_REQUESTS,
            ErrorKind::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
            ErrorKind::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        };
        let mut problem = Self::new(status, error.code(), error.message());
        problem.0.errors = error
            .fields()
            .iter()
            .map(|fault| FieldFault { field: fault.field.clone(), message: fault.message.clone() })
            .collect();
        problem.0.details.clone_from(error.details());
        problem.0.retry_after = error.retry_after();
        problem.0.log_line = status.is_server_error().then(|| error.log_line());
        problem
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0.detail)
    }
}

impl std::error::Error for Problem {}

impl ResponseError for Problem {
    fn status(&self) -> StatusCode {
        self.0.status
    }

    fn as_response(&self) -> Response {
        let body = Body::from_json(self.body()).unwrap_or_default();
        let mut response = Response::builder().status(self.0.status).content_type(CONTENT_TYPE).body(body);
        response.extensions_mut().insert(ProblemCode(self.0.code));
        let headers = response.headers_mut();
        if let Some(after) = self.0.retry_after {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(whole_seconds(after)));
        }
        if let Some(allow) = self.0.allow.as_deref().and_then(|allow| HeaderValue::from_str(allow).ok()) {
            headers.insert(header::ALLOW, allow);
        }
        response
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        self.as_response()
    }
}

/// In the OpenAPI document, a problem is the error response of every operation.
impl ApiResponse for Problem {
    fn meta() -> MetaResponses {
        MetaResponses {
            responses: vec![MetaResponse {
                description: "The error, as an RFC 9457 problem.",
                status: None,
                status_range: None,
                content: vec![MetaMediaType { content_type: CONTENT_TYPE, schema: ProblemBody::schema_ref() }],
                headers: Vec::new(),
            }],
        }
    }

    fn register(registry: &mut Registry) {
        ProblemBody::register(registry);
    }
}

/// Seconds for a header: rounded up, never 0.
pub(crate) fn whole_seconds(duration: Duration) -> u64 {
    (duration.as_secs() + u64::from(duration.subsec_nanos() > 0)).max(1)
}

/// The code of a response of which only the status is known.
pub(crate) fn code_of(status: StatusCode) -> &'static str {
    match status {
        StatusCode::BAD_REQUEST | StatusCode::UNPROCESSABLE_ENTITY => "validation_failed",
        StatusCode::UNAUTHORIZED => "unauthenticated",
        StatusCode::FORBIDDEN => "forbidden",
        StatusCode::PAYLOAD_TOO_LARGE => "body_too_large",
        StatusCode::UNSUPPORTED_MEDIA_TYPE => "unsupported_media_type",
        _ => "request_refused",
    }
}

/// Converts an error fragment of the framework to a sentence.
fn as_sentence(fragment: &str) -> String {
    let mut letters = fragment.trim_end_matches('.').chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", letters.as_str())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    async fn rendered(problem: Problem) -> (Response, Value) {
        let mut response = problem.into_response();
        let body = response.take_body().into_json().await.unwrap();
        (response, body)
    }

    #[tokio::test]
    async fn every_kind_has_its_status() {
        for (kind, status) in [
            (ErrorKind::NotFound, 404),
            (ErrorKind::Invalid, 400),
            (ErrorKind::Unauthenticated, 401),
            (ErrorKind::Forbidden, 403),
            (ErrorKind::Conflict, 409),
            (ErrorKind::TooMany, 429),
            (ErrorKind::Unavailable, 503),
            (ErrorKind::Internal, 500),
        ] {
            let (response, body) = rendered(Error::new(kind, "a_code", "A sentence.").into()).await;
            assert_eq!(response.status(), status, "{kind:?}");
            assert_eq!(response.content_type(), Some(CONTENT_TYPE));
            assert_eq!(body["status"], status);
            assert_eq!((&body["code"], &body["detail"]), (&json!("a_code"), &json!("A sentence.")));
            assert_eq!(body.get("errors"), None);
        }
    }

    #[tokio::test]
    async fn invalid_fields_are_listed() {
        let (_, body) = rendered(Error::invalid("limit", "must be 1 to 200").into()).await;
        assert_eq!(body["code"], "validation_failed");
        assert_eq!(body["errors"], json!([{"field": "limit", "message": "must be 1 to 200"}]));
    }

    #[tokio::test]
    async fn details_are_members_beside_the_others() {
        let error = Error::conflict("already_claimed", "No.").with_detail("holder", "ann");
        let (_, body) = rendered(error.into()).await;
        assert_eq!(
            (&body["holder"], &body["code"], &body["status"]),
            (&json!("ann"), &json!("already_claimed"), &json!(409))
        );
        assert_eq!(body.get("details"), None);
    }

    #[tokio::test]
    async fn details_of_an_internal_error_are_only_logged() {
        let problem = Problem::from(Error::internal("password table missing"));
        assert!(problem.0.log_line.as_ref().unwrap().contains("password table missing"));
        let (_, body) = rendered(problem).await;
        assert!(!body.to_string().contains("password"));
        let framework = poem::Error::from_string("secret inside", StatusCode::INTERNAL_SERVER_ERROR);
        let (_, body) = rendered(Problem::from_framework(&framework, || None)).await;
        assert!(!body.to_string().contains("secret"));
    }

    #[tokio::test]
    async fn retry_after_is_sent() {
        let error = Error::unavailable("storage_full", "Full.").with_retry_after(Duration::from_millis(1200));
        assert_eq!(rendered(error.into()).await.0.headers()["retry-after"], "2");
        assert_eq!(rendered(Problem::rate_limited(Duration::ZERO)).await.0.headers()["retry-after"], "1");
    }

    #[tokio::test]
    async fn framework_errors_are_problems_with_codes() {
        let problem = |error: poem::Error| Problem::from_framework(&error, || Some("GET, HEAD".to_owned()));
        let (response, body) = rendered(problem(MethodNotAllowedError.into())).await;
        assert_eq!((response.status().as_u16(), &response.headers()["allow"]), (405, &"GET, HEAD".parse().unwrap()));
        assert_eq!(body["code"], "method_not_allowed");
        let parameter = ParseParamError { name: "limit", reason: "not a number".into() };
        let (_, body) = rendered(problem(parameter.into())).await;
        assert_eq!((&body["code"], &body["errors"][0]["field"]), (&json!("validation_failed"), &json!("limit")));
        let (_, body) = rendered(problem(poem::error::NotFoundError.into())).await;
        assert_eq!(body["code"], "not_found");
        let (_, body) = rendered(problem(poem::error::ParseJsonError::ContentTypeRequired.into())).await;
        assert_eq!(body["code"], "unsupported_media_type");
        assert_eq!(body["detail"], "Expect content type `application/json`.");
    }
}
