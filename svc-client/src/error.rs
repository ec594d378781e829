//! Errors of the client.

use std::time::Duration;

use serde::Deserialize;
use serde_json::{Map, Value};
use svc_model::FieldError;

/// The error of a request.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClientError {
    /// The address of the hub is not valid.
    #[error("the address of the hub is not valid: {0}")]
    Address(String),
    /// The hub could not be reached, or the connection broke.
    #[error("the hub cannot be reached: {0}")]
    Transport(#[source] reqwest::Error),
    /// The hub did not answer in time, or a stream was silent for too long.
    #[error("the hub does not answer")]
    Timeout,
    /// The hub rejected the request.
    #[error("{0}")]
    Refused(Box<Problem>),
    /// The response does not match the API, or is too large.
    #[error("the response of the hub cannot be read: {0}")]
    Answer(String),
}

impl ClientError {
    /// The error code of a rejected request, such as `not_found`.
    pub fn code(&self) -> Option<&str> {
        match self {
            Self::Refused(problem) => Some(&problem.code),
            _ => None,
        }
    }

    /// The time after which the hub asks to retry.
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Refused(problem) => problem.retry_after,
            _ => None,
        }
    }
}

/// The error response of the hub (RFC 9457).
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct Problem {
    /// The HTTP status.
    #[serde(default)]
    pub status: u16,
    /// The stable error code for programs.
    #[serde(default)]
    pub code: String,
    /// The error message for people.
    #[serde(default)]
    pub detail: String,
    /// The invalid fields of the request.
    #[serde(default)]
    pub errors: Vec<FieldError>,
    /// Further details, by name.
    #[serde(flatten)]
    pub details: Map<String, Value>,
    /// The time after which the hub asks to retry.
    #[serde(skip)]
    pub retry_after: Option<Duration>,
}

impl Problem {
    /// Takes the code and the message of an error of the OAuth endpoints (RFC 6749).
    pub(crate) fn take_oauth_words(&mut self) {
        if !self.code.is_empty() {
            return;
        }
        for (name, field) in [("error", &mut self.code), ("error_description", &mut self.detail)] {
            if let Some(Value::String(text)) = self.details.remove(name) {
                *field = text;
            }
        }
    }
}

impl std::fmt::Display for Problem {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.code.as_str(), self.detail.as_str()) {
            ("", "") => write!(formatter, "the hub answered {}", self.status),
            (code, detail) => write!(formatter, "{detail} ({code}, {})", self.status),
        }
    }
}
