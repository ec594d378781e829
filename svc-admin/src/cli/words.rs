//! Value parsers of arguments: words of a fixed set, seconds.

use std::time::Duration;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde::Serialize;
use serde::de::DeserializeOwned;
use svc_core::Error;
use svc_core::agents::TriggerMode;
use svc_core::api_keys::{KeyStatus, McpProfile};
use svc_core::dead_letters::DeadLetterKind;
use svc_core::goals::GoalStatus;
use svc_core::governance::Period;
use svc_core::messages::MessageStatus;
use svc_core::oauth::ClientAuthMethod;
use svc_core::onboarding::{Archetype, ClientKind, Transport};
use svc_core::principals::Scope;
use svc_core::runs::RunStatus;
use svc_core::secrets::{SecretName, SecretScope};
use svc_core::tasks::TaskStatus;
use svc_core::users::Role;
use svc_core::webhooks::DeliveryStatus;

use crate::duration;

/// The roles of an account.
pub(super) fn role() -> impl TypedValueParser<Value = Role> {
    one_of(&["admin", "user"])
}

/// The trigger modes of an agent.
pub(super) fn trigger_mode() -> impl TypedValueParser<Value = TriggerMode> {
    one_of(&["passive", "reactive", "disabled"])
}

/// The periods of a budget.
pub(super) fn period() -> impl TypedValueParser<Value = Period> {
    one_of(&["day", "month", "total"])
}

/// The archetypes of an agent.
pub(super) fn archetype() -> impl TypedValueParser<Value = Archetype> {
    one_of(&["researcher", "writer", "commenter", "monitor", "operator", "custom"])
}

/// The transports of a client.
pub(super) fn transport() -> impl TypedValueParser<Value = Transport> {
    one_of(&["http", "stdio"])
}

/// The clients with a configuration format of their own.
pub(super) fn client_kind() -> impl TypedValueParser<Value = ClientKind> {
    one_of(&["claude", "codex", "gemini", "cursor", "vscode"])
}

/// The states of a key.
pub(super) fn key_status() -> impl TypedValueParser<Value = KeyStatus> {
    one_of(&["active", "revoked"])
}

/// The tool profiles.
pub(super) fn mcp_profile() -> impl TypedValueParser<Value = McpProfile> {
    one_of(&["full", "compact", "typed"])
}

/// The states of a direct message.
pub(super) fn message_status() -> impl TypedValueParser<Value = MessageStatus> {
    one_of(&["pending", "processing", "done", "failed"])
}

/// The states of a delivery to a webhook.
pub(super) fn delivery_status() -> impl TypedValueParser<Value = DeliveryStatus> {
    one_of(&["pending", "delivering", "delivered", "retrying", "dead", "stopped"])
}

/// The states of a run.
pub(super) fn run_status() -> impl TypedValueParser<Value = RunStatus> {
    one_of(&[
        "queued",
        "running",
        "succeeded",
        "failed",
        "cancelled",
        "quarantined",
        "paused",
        "depth_exceeded",
        "budget_exhausted",
        "cooldown_skipped",
        "coalesced",
    ])
}

/// The kinds of dead letters.
pub(super) fn dead_letter_kind() -> impl TypedValueParser<Value = DeadLetterKind> {
    one_of(&["message", "webhook"])
}

/// The states of a task of the auction.
pub(super) fn task_status() -> impl TypedValueParser<Value = TaskStatus> {
    one_of(&["open", "assigned", "completed", "cancelled"])
}

/// The states of a goal.
pub(super) fn goal_status() -> impl TypedValueParser<Value = GoalStatus> {
    one_of(&["draft", "active", "completed", "stuck", "cancelled"])
}

/// The authentication methods of an OAuth client.
pub(super) fn auth_method() -> impl TypedValueParser<Value = ClientAuthMethod> {
    one_of(&["none", "client_secret_basic", "client_secret_post"])
}

/// The scopes of a machine principal's key.
pub(super) fn machine_scope() -> impl TypedValueParser<Value = Scope> {
    one_of(&["source-config:write", "runtime-status:write", "events:ingest", "evidence:read"])
}

/// Parses one of these words like every other surface.
fn one_of<T>(words: &'static [&'static str]) -> impl TypedValueParser<Value = T>
where
    T: DeserializeOwned + Clone + Send + Sync + 'static,
{
    PossibleValuesParser::new(words).try_map(|word| serde_json::from_value(word.into()))
}

/// The scope of a secret.
pub(super) fn scope(text: &str) -> Result<SecretScope, String> {
    text.parse().map_err(|error| rule(&error))
}

/// The name of a secret.
pub(super) fn secret_name(text: &str) -> Result<SecretName, String> {
    text.parse().map_err(|error| rule(&error))
}

/// The violated rule of an error; clap adds the name of the argument.
fn rule(error: &Error) -> String {
    error.fields().first().map_or_else(|| error.message().to_owned(), |fault| format!("it {}", fault.message))
}

/// The word of a value on every surface.
pub(super) fn word(value: &impl Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(word)) => word,
        _ => String::new(),
    }
}

/// A number of seconds, or a duration with a unit.
pub(super) fn seconds(text: &str) -> Result<u32, String> {
    let whole = match text.parse::<u64>() {
        Ok(seconds) => Duration::from_secs(seconds),
        Err(_) => duration::parse(text)?,
    };
    u32::try_from(whole.as_secs()).map_err(|_| "is too long".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_may_have_a_unit() {
        assert_eq!((seconds("0"), seconds("90"), seconds("10m")), (Ok(0), Ok(90), Ok(600)));
        assert!(seconds("-1").is_err() && seconds("99999999999").is_err());
    }

    #[test]
    fn words_are_those_of_every_surface() {
        assert_eq!((word(&Role::Admin), word(&TriggerMode::Reactive)), ("admin".into(), "reactive".into()));
    }
}
