//! The kind of a notification, from the message that causes it.

use serde_json::Value;
use svc_model::notifications::NotificationKind;
use svc_model::participants::ParticipantKind;
use svc_model::reactions::WorkflowState;

use super::store::MessageRow;

/// The kind of notification that a message is for its reader.
pub(super) fn kind(message: &MessageRow) -> NotificationKind {
    if message.channel_id.is_some() {
        return match message.workflow_state {
            Some(WorkflowState::Proposed) => NotificationKind::Approval,
            _ => NotificationKind::ChannelMessage,
        };
    }
    if message.mention_of.is_some() {
        return NotificationKind::Mention;
    }
    match message.sender_kind {
        ParticipantKind::System => of_notice(&message.metadata.0),
        ParticipantKind::Human | ParticipantKind::Agent => NotificationKind::DirectMessage,
    }
}

/// The kind of a message of the hub, whose metadata nobody else can write.
fn of_notice(metadata: &Value) -> NotificationKind {
    let has = |path: &str| metadata.pointer(path).is_some_and(|value| !value.is_null());
    let governance = metadata.pointer("/governance/kind").and_then(Value::as_str).unwrap_or_default();
    let asks_for_secret = has("/secret_request/id") && !has("/secret_request/status");
    if has("/goal/waits") || asks_for_secret {
        NotificationKind::Approval
    } else if has("/goal/alert") || governance.starts_with("budget_") {
        NotificationKind::Budget
    } else if governance == "quarantined" {
        NotificationKind::Quarantine
    } else if has("/run/error") {
        NotificationKind::FailedRun
    } else if has("/webhook/disabled_reason") {
        NotificationKind::WebhookDisabled
    } else {
        NotificationKind::DirectMessage
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_notice_of_the_hub_has_the_kind_of_its_subject() {
        for (metadata, kind) in [
            (json!({ "goal": { "id": 1, "waits": { "tasks": [2] } } }), NotificationKind::Approval),
            (json!({ "goal": { "id": 1 } }), NotificationKind::DirectMessage),
            (json!({ "goal": { "id": 1, "alert": "budget" } }), NotificationKind::Budget),
            (json!({ "secret_request": { "id": 1 } }), NotificationKind::Approval),
            (json!({ "secret_request": { "id": 1, "status": "rejected" } }), NotificationKind::DirectMessage),
            (json!({ "governance": { "kind": "budget_warned" } }), NotificationKind::Budget),
            (json!({ "governance": { "kind": "quarantined" } }), NotificationKind::Quarantine),
            (json!({ "governance": { "kind": "loop" } }), NotificationKind::DirectMessage),
            (json!({ "run": { "id": 1, "error": "exit_code" } }), NotificationKind::FailedRun),
            (json!({ "webhook": { "disabled_reason": "gone" } }), NotificationKind::WebhookDisabled),
            (json!({}), NotificationKind::DirectMessage),
        ] {
            assert_eq!(of_notice(&metadata), kind, "{metadata}");
        }
    }
}
