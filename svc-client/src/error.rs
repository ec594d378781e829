//! What can go wrong between a program and a hub.

use std::time::Duration;

use serde::Deserialize;
use serde_json::{Map, Value};

/// Why a request has no answer that can be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClientError {
    /// The address of the hub cannot be used.
    #[error("the address of the hub is not valid: {0}")]
    Address(String),
    /// The hub was not reached, or the connection broke.
    #[error("the hub cannot be reached: {0}")]
    Transport(#[source] reqwest::Error),
    /// The hub refused the request.
    #[error("{0}")]
    Refused(Box<Problem>),
    /// The answer is not what the API describes, or is larger than any that is read.
    #[error("the answer of the hub cannot be read: {0}")]
    Answer(String),
}

impl ClientError {
    /// The stable word of a refusal, such as `not_found`.
    pub fn code(&self) -> Option<&str> {
        match self {
            Self::Refused(problem) => Some(&problem.code),
            _ => None,
        }
    }

    /// When the hub asks to try again.
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Refused(problem) => problem.retry_after,
            _ => None,
        }
    }
}

/// A refusal, as the hub describes it (RFC 9457).
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct Problem {
    /// The HTTP status.
    #[serde(default)]
    pub status: u16,
    /// The stable word for programs.
    #[serde(default)]
    pub code: String,
    /// The sentence for people.
    #[serde(default)]
    pub detail: String,
    /// The faulty fields of an invalid request.
    #[serde(default)]
    pub errors: Vec<FieldProblem>,
    /// What else the hub says, by name.
    #[serde(flatten)]
    pub details: Map<String, Value>,
    /// When the hub asks to try again.
    #[serde(skip)]
    pub retry_after: Option<Duration>,
}

/// One field of a refused request.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct FieldProblem {
    /// The field.
    #[serde(default)]
    pub field: String,
    /// What it should have been.
    #[serde(default)]
    pub message: String,
}

impl std::fmt::Display for Problem {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.code.as_str(), self.detail.as_str()) {
            ("", "") => write!(formatter, "the hub answered {}", self.status),
            (code, detail) => write!(formatter, "{detail} ({code}, {})", self.status),
        }
    }
}
