//! Requests of agents for secrets, which their owners provide or reject.

use serde::{Deserialize, Serialize};

use crate::error::{Error, FieldError, Result};
use crate::ids::{GoalId, SecretRequestId};
use crate::limits;
use crate::names::SecretName;
use crate::timestamp::Timestamp;

/// The status of a request for a secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", oai(rename_all = "snake_case"))]
pub enum SecretRequestStatus {
    /// It waits for the owner.
    Requested,
    /// The secret is stored.
    Provided,
    /// The owner rejected it.
    Rejected,
}

crate::text_enum! {
    SecretRequestStatus { Requested => "requested", Provided => "provided", Rejected => "rejected" }
}

/// A request of an agent for a secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct SecretRequest {
    /// Its id.
    pub id: SecretRequestId,
    /// The handle of the agent.
    pub agent: String,
    /// The name of the secret.
    pub name: String,
    /// The purpose of the secret.
    pub reason: String,
    /// The goal that it is for.
    pub goal_id: Option<GoalId>,
    /// Its status.
    pub status: SecretRequestStatus,
    /// Why it was rejected.
    pub rejection: Option<String>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was decided.
    pub decided_at: Option<Timestamp>,
}

/// A page of requests, newest first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct SecretRequestPage {
    /// The requests.
    pub requests: Vec<SecretRequest>,
    /// The cursor of the next page; `null` on the last one.
    pub next_cursor: Option<SecretRequestId>,
}

/// The filter of a list of requests.
#[derive(Debug, Clone, Default)]
pub struct SecretRequestFilter {
    /// Only requests in this status.
    pub status: Option<SecretRequestStatus>,
    /// Only requests before this one.
    pub before: Option<SecretRequestId>,
    /// The maximum number of requests.
    pub limit: Option<i64>,
}

/// The request of an agent for a secret.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewSecretRequest {
    /// The name of the secret, which becomes an environment variable: capitals, digits, underscores.
    pub name: String,
    /// The purpose of the secret: 1 to 2000 characters.
    pub reason: String,
    /// The goal that it is for.
    #[serde(default)]
    pub goal_id: Option<GoalId>,
}

impl NewSecretRequest {
    /// Reports all invalid fields at once, and trims the reason.
    pub fn checked(mut self) -> Result<Self> {
        let mut faults = Vec::new();
        if let Err(error) = SecretName::parse("name", &self.name) {
            faults.extend_from_slice(error.fields());
        }
        let reason = self.reason.trim().to_owned();
        self.reason = reason;
        let most = limits::GOAL_NOTE_MAX;
        if self.reason.is_empty() || self.reason.chars().count() > most || self.reason.contains('\0') {
            let message = format!("must have 1 to {most} characters, without NUL");
            faults.push(FieldError { field: "reason".into(), message });
        }
        if faults.is_empty() { Ok(self) } else { Err(Error::invalid_fields(faults)) }
    }
}
