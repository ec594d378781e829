//! The output of a hook. The three clients use the same format: context at the start of a session or a turn, and a
//! reason to continue at its end.

use std::io::IsTerminal;
use std::time::Duration;

use serde::Deserialize;
use serde_json::json;
use tokio::io::AsyncReadExt;

use crate::wait::Summary;

/// Largest event that is read.
const EVENT_MAX: u64 = 4 * 1024 * 1024;
/// Time limit for reading the event.
const PATIENCE: Duration = Duration::from_secs(2);

/// The event of a hook call.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct HookEvent {
    hook_event_name: String,
    stop_hook_active: bool,
}

/// Reads the event on standard input.
pub(crate) async fn hook_event() -> HookEvent {
    if std::io::stdin().is_terminal() {
        return HookEvent::default();
    }
    let mut text = Vec::new();
    let mut input = tokio::io::stdin().take(EVENT_MAX);
    tokio::time::timeout(PATIENCE, input.read_to_end(&mut text)).await.ok();
    serde_json::from_slice(&text).unwrap_or_default()
}

impl HookEvent {
    /// Whether the turn continues only because of a hook: repeating the output would never end.
    pub(crate) fn is_repeated(&self) -> bool {
        self.stop_hook_active
    }

    /// The output of the hook when there are messages.
    pub(crate) fn line(&self, summary: &Summary) -> String {
        let sentence = summary.sentence();
        match self.hook_event_name.as_str() {
            "Stop" | "AfterAgent" => json!({
                "decision": "block",
                "reason": format!("{sentence} If they have to wait, say so and end your turn."),
            })
            .to_string(),
            "" => sentence,
            event => {
                json!({ "hookSpecificOutput": { "hookEventName": event, "additionalContext": sentence } }).to_string()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    fn said(event: &str) -> Value {
        let hook_event: HookEvent = serde_json::from_value(json!({ "hook_event_name": event, "cwd": "/" })).unwrap();
        let summary = Summary::of([(7, "ann".into(), 8)]).unwrap();
        serde_json::from_str(&hook_event.line(&summary)).unwrap()
    }

    #[test]
    fn a_turn_begins_with_context_and_ends_with_a_reason_to_go_on() {
        for event in ["SessionStart", "UserPromptSubmit", "BeforeAgent"] {
            let said = said(event);
            assert_eq!(said["hookSpecificOutput"]["hookEventName"], event);
            let context = said["hookSpecificOutput"]["additionalContext"].as_str().unwrap();
            assert!(context.starts_with("svc: 1 message waits for you, from ann"), "{context}");
        }
        for event in ["Stop", "AfterAgent"] {
            assert_eq!(said(event)["decision"], "block");
        }
    }

    #[test]
    fn a_turn_that_a_hook_prolonged_may_end() {
        let hook_event: HookEvent =
            serde_json::from_value(json!({"hook_event_name":"Stop","stop_hook_active":true})).unwrap();
        assert!(hook_event.is_repeated());
    }
}
