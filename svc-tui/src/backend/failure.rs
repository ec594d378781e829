//! Failures of requests, with texts for people.

use serde_json::{Map, Value};
use svc_client::ClientError;
use svc_core::{Error, ErrorKind};

/// What kind of failure it is, as far as the UI reacts to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cause {
    /// The hub cannot be reached, or cannot answer now: the request may be repeated.
    Unreachable,
    /// The login has ended.
    LoggedOut,
    /// Too many requests: it may be repeated later.
    Busy,
    /// The hub refused the request, and will refuse it again.
    Refused,
}

/// A request that failed.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Failure {
    /// The kind.
    pub(crate) cause: Cause,
    /// The stable code of the hub, such as `not_found`; empty when the hub was not reached.
    pub(crate) code: String,
    /// What happened and what to do, in one line.
    pub(crate) message: String,
    /// Further details, by name.
    pub(crate) details: Map<String, Value>,
}

impl Failure {
    /// A failure without an answer of the hub.
    pub(crate) fn unreachable(message: impl Into<String>) -> Self {
        Self { cause: Cause::Unreachable, code: String::new(), message: message.into(), details: Map::new() }
    }

    /// Whether the same request may succeed later.
    pub(crate) fn may_pass(&self) -> bool {
        matches!(self.cause, Cause::Unreachable | Cause::Busy)
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let cause = match error.kind() {
            ErrorKind::Unauthenticated => Cause::LoggedOut,
            ErrorKind::TooMany => Cause::Busy,
            ErrorKind::Unavailable | ErrorKind::Internal => Cause::Unreachable,
            _ => Cause::Refused,
        };
        let message = match error.fields() {
            [] => error.message().to_owned(),
            fields => listed(fields.iter().map(|fault| (fault.field.as_str(), fault.message.as_str()))),
        };
        Self { cause, code: error.code().to_owned(), message, details: error.details().clone() }
    }
}

impl From<ClientError> for Failure {
    fn from(error: ClientError) -> Self {
        let ClientError::Refused(problem) = error else { return Self::unreachable(error.to_string()) };
        let cause = match problem.status {
            401 => Cause::LoggedOut,
            429 => Cause::Busy,
            500.. => Cause::Unreachable,
            _ => Cause::Refused,
        };
        let message = match (problem.errors.as_slice(), problem.detail.as_str()) {
            ([], "") => format!("The hub answered {}.", problem.status),
            ([], detail) => detail.to_owned(),
            (fields, _) => listed(fields.iter().map(|fault| (fault.field.as_str(), fault.message.as_str()))),
        };
        Self { cause, code: problem.code.clone(), message, details: problem.details.clone() }
    }
}

fn listed<'f>(fields: impl Iterator<Item = (&'f str, &'f str)>) -> String {
    fields.map(|(field, message)| format!("{field} {message}")).collect::<Vec<_>>().join("; ")
}
