//! The one error type of the core: few kinds, a stable code, a message that is safe to show.
//!
//! What always holds:
//! - `message` may be shown to whoever asked; anything that may not goes into `source`, which is
//!   only ever logged.
//! - `code` is part of the interface: a `snake_case` word that never changes its meaning. So are the
//!   names of the details, which say again for programs what the message says for people.
//! - Things that belong to somebody else are [`ErrorKind::NotFound`], so that names do not leak.

use std::error::Error as StdError;
use std::fmt;
use std::time::Duration;

use serde::Serialize;
use serde_json::{Map, Value};

use crate::limits;

/// What every fallible call of the core returns.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What went wrong, coarse enough that each surface can map it in one place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// It does not exist, or it is not the caller's to know about.
    NotFound,
    /// The request cannot be understood or breaks a rule that the caller can read up.
    Invalid,
    /// Nobody, or nobody known, is asking.
    Unauthenticated,
    /// The caller is known and may not do this.
    Forbidden,
    /// The request is fine by itself but not in the present state.
    Conflict,
    /// Too much, too fast.
    TooMany,
    /// It cannot be done right now; the same request may work later.
    Unavailable,
    /// A fault of ours.
    Internal,
}

/// Names that the surfaces use themselves beside the details.
const RESERVED: [&str; 8] = ["type", "title", "status", "detail", "instance", "code", "message", "errors"];

/// One field of a refused request and what is wrong with it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FieldError {
    /// The field as the caller wrote it, `members[2].name` for nested ones.
    pub field: String,
    /// What the field should have been.
    pub message: String,
}

impl FieldError {
    /// The field that serde complains about, given the path that it had reached. A missing, unknown
    /// or repeated field is named in the message and not in the path, which ends at the object around
    /// it; `whole` is what to call that object when it is the outermost.
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

    /// `what` is the noun that the caller asked for: "channel", "message".
    pub fn not_found(what: &str) -> Self {
        Self::new(ErrorKind::NotFound, "not_found", format!("There is no such {what}."))
    }

    /// A single field that breaks a rule.
    pub fn invalid(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self::invalid_fields(vec![FieldError { field: field.into(), message: message.into() }])
    }

    /// Several fields that break rules, reported at once; of very many the first, and how many more.
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

    /// The present state does not allow it.
    pub fn conflict(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Conflict, code, message)
    }

    /// It may work later.
    pub fn unavailable(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Unavailable, code, message)
    }

    /// A fault of ours. The text goes to the log; the caller only learns that it happened.
    pub fn internal(detail: impl Into<String>) -> Self {
        Self::new(
            ErrorKind::Internal,
            "internal",
            "Something went wrong on our side; the log has the details under this request's id.",
        )
        .with_source(Detail(detail.into()))
    }

    /// Attaches what is only to be logged.
    #[must_use]
    pub fn with_source(mut self, source: impl StdError + Send + Sync + 'static) -> Self {
        self.0.source = Some(Box::new(source));
        self
    }

    /// Says one thing of the message again as a value for programs, such as who holds what is held. The
    /// name is none that a surface uses itself: `type`, `title`, `status`, `detail`, `instance`, `code`,
    /// `message`, `errors`.
    #[must_use]
    pub fn with_detail(mut self, name: &'static str, value: impl Into<Value>) -> Self {
        debug_assert!(!RESERVED.contains(&name), "{name} belongs to the surfaces");
        self.0.details.insert(name.to_owned(), value.into());
        self
    }

    /// Tells the caller when to come back.
    #[must_use]
    pub fn with_retry_after(mut self, after: Duration) -> Self {
        self.0.retry_after = Some(after);
        self
    }

    /// The coarse kind, for mapping to a surface's own status.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// The stable word for programs.
    pub fn code(&self) -> &'static str {
        self.0.code
    }

    /// The sentence for people, safe to show.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// The faulty fields of an [`ErrorKind::Invalid`].
    pub fn fields(&self) -> &[FieldError] {
        &self.0.fields
    }

    /// What programs may want to know, by its name; as safe to show as the message.
    pub fn details(&self) -> &Map<String, Value> {
        &self.0.details
    }

    /// When the same request is worth another try.
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
    fn every_faulty_field_is_named() {
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
