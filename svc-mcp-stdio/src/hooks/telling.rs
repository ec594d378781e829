//! What a hook says to its client. The three clients read the same words: context when a session or a
//! turn begins, and a reason to go on when a turn ends.

use std::io::IsTerminal;
use std::time::Duration;

use serde::Deserialize;
use serde_json::json;
use tokio::io::AsyncReadExt;

use crate::wait::Summary;

/// More than any client says to a hook that matters here.
const EVENT_MAX: u64 = 4 * 1024 * 1024;
/// A client that says nothing is one that has nothing to say.
const PATIENCE: Duration = Duration::from_secs(2);

/// When the hook was called.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Occasion {
    hook_event_name: String,
    stop_hook_active: bool,
}

/// Reads what the client says on standard input.
pub(crate) async fn occasion() -> Occasion {
    if std::io::stdin().is_terminal() {
        return Occasion::default();
    }
    let mut text = Vec::new();
    let mut input = tokio::io::stdin().take(EVENT_MAX);
    tokio::time::timeout(PATIENCE, input.read_to_end(&mut text)).await.ok();
    serde_json::from_slice(&text).unwrap_or_default()
}

impl Occasion {
    /// Whether the turn goes on only because of a hook: saying it again would never end.
    pub(crate) fn is_repeated(&self) -> bool {
        self.stop_hook_active
    }

    /// What the client is answered when something is there.
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
        let occasion: Occasion = serde_json::from_value(json!({ "hook_event_name": event, "cwd": "/" })).unwrap();
        let summary = Summary::of([(7, "ann".into(), 8)]).unwrap();
        serde_json::from_str(&occasion.line(&summary)).unwrap()
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
    fn a_turn_that_a_hook_has_prolonged_may_end() {
        let occasion: Occasion =
            serde_json::from_value(json!({"hook_event_name":"Stop","stop_hook_active":true})).unwrap();
        assert!(occasion.is_repeated());
    }
}
