//! The error type of the hub: an [`ErrorKind`], a stable code, and a message that is safe to show.
//!
//! Invariants:
//! - `message` may be shown to the caller. Anything confidential goes into `source`, which is only ever
//!   logged.
//! - `code` is part of the API: a `snake_case` word that never changes its meaning. So are the names of the
//!   details, which repeat for programs what the message says for people.
//! - Resources that the caller may not see are [`ErrorKind::NotFound`], so that names do not leak.

use std::error::Error as StdError;
use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::limits;

/// The result of every fallible call of the hub.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The category of an error. Each surface maps it to its own status in one place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// The resource does not exist, or the caller may not know that it does.
    NotFound,
    /// The request is malformed or breaks a documented rule.
    Invalid,
    /// The caller has no valid credential.
    Unauthenticated,
    /// The caller is known and lacks the permission.
    Forbidden,
    /// The request is valid but conflicts with the current state.
    Conflict,
    /// A rate limit or a quota is exhausted.
    TooMany,
    /// A temporary failure; the same request may work later.
    Unavailable,
    /// A defect or an unexpected failure of the hub.
    Internal,
}

/// Names that the surfaces use for their own members, so no detail may have them.
const RESERVED: [&str; 8] = ["type", "title", "status", "detail", "instance", "code", "message", "errors"];

/// One invalid field of a request, with the rule that it breaks.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct FieldError {
    /// The path of the field in the request, such as `members[2].name`.
    pub field: String,
    /// The rule that the field breaks.
    pub message: String,
}

impl FieldError {
    /// The field of a serde error, given the path at which serde stopped. A missing, unknown or repeated
    /// field is named in the message and not in the path, which ends at the enclosing object; `whole` is the
    /// name of that object when it is the outermost one.
    pub fn of_serde(whole: &str, path: &str, message: &str) -> Self {
        let outer = if path == "." { "" } else { path };
        let named = ["missing field `", "unknown field `", "duplicate field `"]
            .iter()
            .find_map(|start| message.strip_prefix(start))
            .and_then(|rest| rest.split('`').next());
        let field = match (outer, named) {
            ("", None) => whole.to_owned(),
            ("", Some(name)) => name.to_owned(),
            (outer, Some(name)) if outer.rsplit('.').next() != Some(name) => format!("{outer}.{name}"),
            (outer, _) => outer.to_owned(),
        };
        Self { field, message: message.to_owned() }
    }
}

/// An error with a kind, a stable code and a message for the caller.
pub struct Error(Box<Parts>);

struct Parts {
    kind: ErrorKind,
    code: &'static str,
    message: String,
    fields: Vec<FieldError>,
    details: Map<String, Value>,
    retry_after: Option<Duration>,
    source: Option<Box<dyn StdError + Send + Sync>>,
}

impl Error {
    /// An error of the given kind. Prefer the constructors named after the kinds.
    pub fn new(kind: ErrorKind, code: &'static str, message: impl Into<String>) -> Self {
        Self(Box::new(Parts {
            kind,
            code,
            message: message.into(),
            fields: Vec::new(),
            details: Map::new(),
            retry_after: None,
            source: None,
        }))
    }

    /// A missing resource. `what` is the noun that the caller asked for, such as "channel" or "message".
    pub fn not_found(what: &str) -> Self {
        Self::new(ErrorKind::NotFound, "not_found", format!("There is no such {what}."))
    }

    /// A single invalid field.
    pub fn invalid(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self::invalid_fields(vec![FieldError { field: field.into(), message: message.into() }])
    }

    /// Several invalid fields in one error. Beyond a limit only their number is reported.
    pub fn invalid_fields(mut fields: Vec<FieldError>) -> Self {
        let untold = fields.len().saturating_sub(limits::FAULTS_TOLD_MAX);
        fields.truncate(limits::FAULTS_TOLD_MAX);
        let mut message = String::from("The request is not valid: ");
        for (index, fault) in fields.iter().enumerate() {
            if index > 0 {
                message.push_str("; ");
            }
            message.push_str(&fault.field);
            message.push_str(": ");
            message.push_str(&fault.message);
        }
        if untold > 0 {
            message = format!("{message}; and {untold} more faults");
        }
        let mut error = Self::new(ErrorKind::Invalid, "validation_failed", message);
        error.0.fields = fields;
        error
    }

    /// A conflict with the current state.
    pub fn conflict(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Conflict, code, message)
    }

    /// A temporary failure.
    pub fn unavailable(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Unavailable, code, message)
    }

    /// An internal failure. The text goes to the log; the caller gets a generic message.
    pub fn internal(detail: impl Into<String>) -> Self {
        Self::new(
            ErrorKind::Internal,
            "internal",
            "Internal error. The server log has the details under this request's id.",
        )
        .with_source(Detail(detail.into()))
    }

    /// Attaches the cause, which is only logged.
    #[must_use]
    pub fn with_source(mut self, source: impl StdError + Send + Sync + 'static) -> Self {
        self.0.source = Some(Box::new(source));
        self
    }

    /// Adds a value for programs that the message already states for people, such as the holder of a lease.
    /// The name must not be one that the surfaces use: `type`, `title`, `status`, `detail`, `instance`,
    /// `code`, `message`, `errors`.
    #[must_use]
    pub fn with_detail(mut self, name: &'static str, value: impl Into<Value>) -> Self {
        debug_assert!(!RESERVED.contains(&name), "{name} belongs to the surfaces");
        self.0.details.insert(name.to_owned(), value.into());
        self
    }

    /// Sets the time after which the caller may retry.
    #[must_use]
    pub fn with_retry_after(mut self, after: Duration) -> Self {
        self.0.retry_after = Some(after);
        self
    }

    /// The category, for mapping to the status of a surface.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// The stable code for programs.
    pub fn code(&self) -> &'static str {
        self.0.code
    }

    /// The message for people, safe to show.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// The invalid fields of an [`ErrorKind::Invalid`].
    pub fn fields(&self) -> &[FieldError] {
        &self.0.fields
    }

    /// The details for programs, by name; as safe to show as the message.
    pub fn details(&self) -> &Map<String, Value> {
        &self.0.details
    }

    /// The time after which a retry makes sense.
    pub fn retry_after(&self) -> Option<Duration> {
        self.0.retry_after
    }

    /// The chain of causes as one line, for the log.
    pub fn log_line(&self) -> String {
        let mut line = format!("{}: {}", self.0.code, self.0.message);
        let mut cause = self.source();
        while let Some(error) = cause {
            line.push_str(": ");
            line.push_str(&error.to_string());
            cause = error.source();
        }
        line
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0.message)
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Error")
            .field("kind", &self.0.kind)
            .field("code", &self.0.code)
            .field("message", &self.0.message)
            .field("source", &self.0.source)
            .finish_non_exhaustive()
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.0.source.as_deref().map(|source| source as &(dyn StdError + 'static))
    }
}

/// A plain text as the source of an error.
#[derive(Debug)]
struct Detail(String);

impl fmt::Display for Detail {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl StdError for Detail {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn internal_details_stay_out_of_the_message() {
        let error = Error::internal("password table missing");
        assert!(!error.message().contains("password"));
        assert!(error.log_line().contains("password table missing"));
    }

    #[test]
    fn details_are_values_by_name_and_stay_out_of_the_log() {
        let error = Error::conflict("already_claimed", "No.").with_detail("holder", "ann").with_detail("since", 7);
        assert_eq!(Value::Object(error.details().clone()), serde_json::json!({ "holder": "ann", "since": 7 }));
        assert!(!format!("{error:?}").contains("ann") && !error.log_line().contains("ann"));
        assert!(Error::internal("x").details().is_empty());
    }

    #[test]
    fn all_invalid_fields_are_listed() {
        let error = Error::invalid_fields(vec![
            FieldError { field: "name".into(), message: "is empty".into() },
            FieldError { field: "limit".into(), message: "must be 1 to 200".into() },
        ]);
        assert_eq!(error.fields().len(), 2);
        assert!(error.message().contains("name: is empty; limit: must be 1 to 200"));
        let many = Error::invalid_fields(vec![FieldError { field: "x".into(), message: "is odd".into() }; 700]);
        assert_eq!(many.fields().len(), limits::FAULTS_TOLD_MAX);
        assert!(many.message().ends_with("; and 690 more faults") && many.message().len() < 300);
    }
}
