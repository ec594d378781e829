//! Maps the names of constraints to errors for the caller.
//!
//! Only constraints that a caller can violate are listed. A violation of any other one is a defect and
//! becomes an internal error.

use crate::error::{Error, ErrorKind};

/// `(constraint, kind, code, message)`.
const REFUSALS: &[(&str, ErrorKind, &str, &str)] = &[
    ("events_kind_check", ErrorKind::Invalid, "validation_failed", "An event's kind has 1 to 64 characters."),
    (
        "queue_items_dedupe_key",
        ErrorKind::Conflict,
        "already_queued",
        "Another unfinished item has the same `dedupe` value.",
    ),
    (
        "webhooks_agent_url_key",
        ErrorKind::Conflict,
        "webhook_exists",
        "The agent has a webhook with this URL already: change that one.",
    ),
    (
        "message_templates_name_key",
        ErrorKind::Conflict,
        "template_exists",
        "You have a template with this name already: change that one.",
    ),
    ("messages_reply_to_fkey", ErrorKind::Conflict, "message_gone", "The message that you reply to was just removed."),
];

/// The error for a violated constraint, if callers can cause it.
pub(super) fn refusal(constraint: &str) -> Option<Error> {
    REFUSALS
        .iter()
        .find(|(name, ..)| *name == constraint)
        .map(|(_, kind, code, message)| Error::new(*kind, code, *message))
}

/// The names of all constraints that have an error, for the test that compares them with the schema.
#[doc(hidden)]
pub fn known_constraints() -> impl Iterator<Item = &'static str> {
    REFUSALS.iter().map(|(name, ..)| *name)
}
