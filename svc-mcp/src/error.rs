//! Errors of tools: `isError` with the code that all surfaces share, a message, and a hint.

use std::ops::{Deref, DerefMut};

use rmcp::model::{CallToolResult, ContentBlock, ErrorCode, ErrorData};
use serde::Serialize;
use serde_json::{Value, json};
use svc_core::{Error, ErrorKind, FieldError};

use crate::arguments::{nearest, shortened};

/// The JSON-RPC message for an unknown method.
pub(crate) const METHOD_NOT_FOUND: &str = "Method not found";

/// Error result of a tool.
#[derive(Debug, Clone, Serialize)]
#[serde(transparent)]
pub(crate) struct Refusal(Box<RefusalBody>);

/// Fields of the error result.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct RefusalBody {
    pub(crate) code: String,
    pub(crate) message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) hint: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) errors: Vec<FieldError>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) retry_after_seconds: Option<u64>,
    /// Values of the message in machine-readable form.
    #[serde(flatten)]
    pub(crate) details: serde_json::Map<String, Value>,
}

impl Deref for Refusal {
    type Target = RefusalBody;

    fn deref(&self) -> &RefusalBody {
        &self.0
    }
}

impl DerefMut for Refusal {
    fn deref_mut(&mut self) -> &mut RefusalBody {
        &mut self.0
    }
}

impl Refusal {
    pub(crate) fn new(code: &str, message: impl Into<String>) -> Self {
        Self(Box::new(RefusalBody {
            code: code.into(),
            message: message.into(),
            hint: None,
            errors: Vec::new(),
            retry_after_seconds: None,
            details: serde_json::Map::new(),
        }))
    }

    /// Error for arguments that do not match the input schema.
    pub(crate) fn arguments(errors: Vec<FieldError>) -> Self {
        Self::from(Error::invalid_fields(errors))
    }

    #[must_use]
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Sets the hint where there is none yet.
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

/// Default hint for an error whose message does not say how to resolve it.
fn hint(error: &Error) -> Option<&'static str> {
    Some(match (error.code(), error.kind()) {
        ("lease_lost", _) => "Another worker may hold it now: discard your result and claim again.",
        ("already_claimed", _) => "Leave it to its holder, or take other work with claim_messages.",
        ("trust_too_low", _) => "Ask a human to approve it; get_trust shows your scores.",
        ("claim_lost", _) => "Discard your result, and take another task with claim_goal_task.",
        ("not_assignee" | "not_claimant", _) => "Take a task with claim_goal_task.",
        ("own_work" | "not_verifier", _) => "Leave the decision to its verifier.",
        ("not_coordinator", _) => "Ask the coordinator of the goal.",
        ("humans_only", _) => "Only humans change this article: ask one, with the text that you propose.",
        ("article_deleted", _) => "Ask a human to restore it, or create one with another slug.",
        ("tool_not_allowed", _) => "Use one of the tools in tools/list, or ask the coordinator of your goal.",
        ("idempotency_conflict", _) => "Use a new idempotency_key for a new request.",
        ("not_found", _) => "Use a name or an id from a list. Objects that you may not see are reported as not found.",
        ("owner_cannot_leave", _) => "Transfer the channel to another member first: update_channel with owner.",
        ("channel_message", _) => "Use react on messages of channels.",
        (_, ErrorKind::Unauthenticated) => "Ask your owner for a new key.",
        (_, ErrorKind::Forbidden) => "Your key lacks the permission. Ask your owner for it.",
        (_, ErrorKind::TooMany) => "Wait retry_after_seconds, then repeat the call.",
        (_, ErrorKind::Unavailable) => "Repeat the call with the same idempotency_key.",
        (_, ErrorKind::Internal) => "Repeat the call; if the error persists, report it to your owner.",
        _ => return None,
    })
}

/// Methods that clients may call.
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

/// Error for a method that does not exist, or not in this revision; the hint names the most similar one.
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

/// Converts an error outside of a tool call to a JSON-RPC error.
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
