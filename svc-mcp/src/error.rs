//! How a tool refuses: `isError`, with the code that every surface uses, what happened, and what to do.

use std::ops::{Deref, DerefMut};

use rmcp::model::{CallToolResult, ContentBlock, ErrorCode, ErrorData};
use serde::Serialize;
use serde_json::{Value, json};
use svc_core::{Error, ErrorKind, FieldError};

use crate::arguments::{nearest, shortened};

/// The text of JSON-RPC for a method that there is not.
pub(crate) const METHOD_NOT_FOUND: &str = "Method not found";

/// What a tool answers instead of a result.
#[derive(Debug, Clone, Serialize)]
#[serde(transparent)]
pub(crate) struct Refusal(Box<Told>);

/// What is told about it.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Told {
    pub(crate) code: String,
    pub(crate) message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) hint: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) errors: Vec<FieldError>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) retry_after_seconds: Option<u64>,
    /// What the message says, for programs.
    #[serde(flatten)]
    pub(crate) details: serde_json::Map<String, Value>,
}

impl Deref for Refusal {
    type Target = Told;

    fn deref(&self) -> &Told {
        &self.0
    }
}

impl DerefMut for Refusal {
    fn deref_mut(&mut self) -> &mut Told {
        &mut self.0
    }
}

impl Refusal {
    pub(crate) fn new(code: &str, message: impl Into<String>) -> Self {
        Self(Box::new(Told {
            code: code.into(),
            message: message.into(),
            hint: None,
            errors: Vec::new(),
            retry_after_seconds: None,
            details: serde_json::Map::new(),
        }))
    }

    /// Arguments that are not what the tool takes.
    pub(crate) fn arguments(errors: Vec<FieldError>) -> Self {
        Self::from(Error::invalid_fields(errors))
    }

    #[must_use]
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The same hint where there is none yet.
    #[must_use]
    pub(crate) fn or_hint(mut self, hint: impl FnOnce() -> String) -> Self {
        self.hint.get_or_insert_with(hint);
        self
    }

    pub(crate) fn into_result(self) -> CallToolResult {
        let text = serde_json::to_string(&self).unwrap_or_default();
        let mut result = CallToolResult::error(vec![ContentBlock::text(text)]);
        result.structured_content = Some(serde_json::to_value(&self).unwrap_or(Value::Null));
        result
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        if error.kind() == ErrorKind::Internal {
            tracing::error!(target: "svc::mcp", error = error.log_line(), "a tool failed");
        }
        let message = error.message().replace("Idempotency-Key", "idempotency_key");
        let mut refusal = Self::new(error.code(), message);
        refusal.hint = hint(&error).map(Into::into);
        refusal.errors = error.fields().to_vec();
        refusal.details.clone_from(error.details());
        refusal.retry_after_seconds = error.retry_after().map(|after| after.as_secs().max(1));
        refusal
    }
}

/// What to do about it, where the message does not say so itself.
fn hint(error: &Error) -> Option<&'static str> {
    Some(match (error.code(), error.kind()) {
        ("lease_lost", _) => "Somebody else may have it now: call claim_messages again and drop this result.",
        ("already_claimed", _) => "Leave it to its holder, or take other work with claim_messages.",
        ("trust_too_low", _) => "Ask a human to approve it; get_trust shows your scores.",
        ("idempotency_conflict", _) => "Use a new idempotency_key for a new request.",
        ("not_found", _) => "Use a name or an id as a list shows it; what you may not see is not found either.",
        ("owner_cannot_leave", _) => "Give the channel to another member first: update_channel with owner.",
        ("channel_message", _) => "Use react on messages of channels.",
        (_, ErrorKind::Unauthenticated) => "Ask your owner for a new key.",
        (_, ErrorKind::Forbidden) => "Ask your owner: this is beyond what your key may do.",
        (_, ErrorKind::TooMany) => "Wait as long as retry_after_seconds says, then send the same again.",
        (_, ErrorKind::Unavailable) => "Try the same again, with the same idempotency_key.",
        (_, ErrorKind::Internal) => "Try again; if it stays, tell your owner.",
        _ => return None,
    })
}

/// What clients ask for.
const METHODS: [&str; 15] = [
    "initialize",
    "ping",
    "server/discover",
    "tools/list",
    "tools/call",
    "prompts/list",
    "prompts/get",
    "resources/list",
    "resources/templates/list",
    "resources/read",
    "resources/subscribe",
    "resources/unsubscribe",
    "subscriptions/listen",
    "completion/complete",
    "notifications/initialized",
];

/// A method that there is not, or not in this revision; the hint names the nearest.
pub(crate) fn no_method(method: &str) -> ErrorData {
    let method = shortened(method.to_owned());
    let near = nearest(&method, METHODS.into_iter().filter(|known| *known != method));
    let hint = match near {
        Some(near) => format!("Did you mean {near}?"),
        None => "tools/list lists what can be called, with tools/call.".to_owned(),
    };
    let told = json!({ "code": "method_not_found", "method": method, "hint": hint });
    ErrorData::new(ErrorCode::METHOD_NOT_FOUND, METHOD_NOT_FOUND, Some(told))
}

/// The same for what is no tool: an error of the protocol.
pub(crate) fn protocol(error: Error) -> ErrorData {
    let code = match error.kind() {
        ErrorKind::NotFound => ErrorCode::RESOURCE_NOT_FOUND,
        ErrorKind::Invalid => ErrorCode::INVALID_PARAMS,
        ErrorKind::Internal | ErrorKind::Unavailable => ErrorCode::INTERNAL_ERROR,
        _ => ErrorCode::INVALID_REQUEST,
    };
    let refusal = Refusal::from(error);
    let message = refusal.message.clone();
    ErrorData::new(code, message, serde_json::to_value(refusal).ok())
}
