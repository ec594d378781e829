//! The buttons of a notification, and the page that it opens.

use serde_json::{Value, json};
use svc_model::conversations::ConversationKind;
use svc_model::notifications::NotificationKind;
use svc_model::push::{ActionRequest, PushAction};

use super::store::MessageRow;
use crate::ids::MessageId;

/// The page that a notification opens.
pub(super) fn url(kind: NotificationKind, message: &MessageRow) -> String {
    let metadata = &message.metadata.0;
    let number = |path: &str| metadata.pointer(path).and_then(Value::as_i64);
    let agent = |path: &str| metadata.pointer(path).and_then(Value::as_str).map(|name| format!("/agents/{name}"));
    let page = match kind {
        NotificationKind::Approval | NotificationKind::Budget => number("/goal/id").map(|id| format!("/goals/{id}")),
        NotificationKind::FailedRun => number("/run/id").map(|id| format!("/runs/{id}")),
        _ => None,
    };
    let page = page.or_else(|| agent("/governance/agent")).or_else(|| agent("/webhook/agent"));
    // Requests for secrets are on the first page.
    let page = page.or_else(|| number("/secret_request/id").map(|_| "/".to_owned()));
    page.unwrap_or_else(|| {
        let (kind, name, id) = message.conversation();
        // Handles and names of channels need no escapes in a path.
        match kind {
            ConversationKind::Channel => format!("/c/{name}?m={id}"),
            ConversationKind::Dm => format!("/dm/{name}?m={id}"),
        }
    })
}

/// The buttons of a notification, at most two.
pub(super) fn actions(kind: NotificationKind, message: &MessageRow) -> Vec<PushAction> {
    if kind == NotificationKind::Approval {
        return decisions(message);
    }
    let (kind, name, id) = message.conversation();
    vec![mark_read(kind, name, id)]
}

fn mark_read(kind: ConversationKind, name: &str, id: MessageId) -> PushAction {
    let body = json!({ "kind": kind, "name": name, "last_message_id": id });
    button("mark_read", "Mark read", "/api/notifications/mark-read".to_owned(), Some(body))
}

/// The decisions about what waits.
fn decisions(message: &MessageRow) -> Vec<PushAction> {
    if message.channel_id.is_some() {
        let path = format!("/api/messages/{}/reactions", message.id);
        let reaction = |name: &str| Some(json!({ "reaction": name }));
        return vec![approve(path.clone(), reaction("approve")), reject(path, reaction("reject"))];
    }
    let metadata = &message.metadata.0;
    let number = |path: &str| metadata.pointer(path).and_then(Value::as_i64);
    if let Some(request) = number("/secret_request/id") {
        // A value cannot be entered in a notification.
        return vec![reject(format!("/api/secret-requests/{request}/reject"), None)];
    }
    let Some(goal) = number("/goal/id") else { return Vec::new() };
    let waits = metadata.pointer("/goal/waits");
    let of = |field: &str| waits.and_then(|waits| waits.get(field));
    if let Some(task) = of("verification").and_then(Value::as_i64) {
        let path = format!("/api/goals/{goal}/tasks/{task}/verify");
        return vec![
            approve(path.clone(), Some(json!({ "passed": true }))),
            reject(path, Some(json!({ "passed": false }))),
        ];
    }
    if let Some(proposal) = of("proposal").and_then(Value::as_i64) {
        let path = |decision: &str| format!("/api/goals/{goal}/proposals/{proposal}/{decision}");
        return vec![approve(path("approve"), None), reject(path("reject"), None)];
    }
    let tasks: Vec<i64> =
        of("tasks").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_i64).collect();
    match tasks.as_slice() {
        [] => Vec::new(),
        [task] => {
            let path = |decision: &str| format!("/api/goals/{goal}/tasks/{task}/{decision}");
            vec![approve(path("approve"), None), reject(path("cancel"), None)]
        }
        _ => vec![approve(format!("/api/goals/{goal}/approve"), None)],
    }
}

fn approve(path: String, body: Option<Value>) -> PushAction {
    button("approve", "Approve", path, body)
}

fn reject(path: String, body: Option<Value>) -> PushAction {
    button("reject", "Reject", path, body)
}

fn button(action: &str, title: &str, path: String, body: Option<Value>) -> PushAction {
    let request = ActionRequest { method: "POST".to_owned(), path, body };
    PushAction { action: action.to_owned(), title: title.to_owned(), request }
}
