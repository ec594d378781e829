//! The JSON text of an event that receivers get.

use serde_json::{Map, Value, json};
use svc_model::events::{GoalChanged, RunChanged, WorkflowStateChanged};
use svc_model::messages::Message;
use svc_model::webhooks::WebhookEvent;

use crate::error::{Error, Result};
use crate::ids::{EventSeq, MessageId};
use crate::timestamp::Timestamp;

/// The event that a test of a webhook sends.
pub(in crate::automation) const TEST: &str = "webhook.test";

/// A message as REST shows it to the agent, and the agent.
pub(super) fn message(message: &Message, agent: &str, mention_of: Option<MessageId>) -> Result<Value> {
    let data = serde_json::to_value(message)
        .map_err(|error| Error::internal("a message cannot be written as JSON").with_source(error))?;
    let Value::Object(mut data) = data else { return Err(Error::internal("a message is no JSON object")) };
    data.insert("agent".into(), agent.into());
    if let Some(mention_of) = mention_of {
        data.insert("mention_of".into(), mention_of.0.into());
    }
    Ok(Value::Object(data))
}

/// A change of a workflow state, and the agent.
pub(super) fn state_changed(changed: &WorkflowStateChanged, agent: &str) -> Value {
    json!({
        "message_id": changed.message_id,
        "channel": changed.audience.channel,
        "old_state": changed.old_state,
        "new_state": changed.new_state,
        "reaction": changed.reaction,
        "by": changed.by,
        "agent": agent,
    })
}

/// The end of a run, and the agent.
pub(super) fn run_finished(changed: &RunChanged, agent: &str) -> Value {
    json!({
        "run_id": changed.run_id,
        "status": changed.status,
        "error": changed.error,
        "cause": changed.cause,
        "trigger_message_id": changed.trigger_message_id,
        "agent": agent,
    })
}

/// A move of a goal or of one of its tasks, and the agent.
pub(super) fn goal_changed(changed: &GoalChanged, agent: &str) -> Value {
    json!({
        "goal_id": changed.goal_id,
        "slug": changed.slug,
        "title": changed.title,
        "status": changed.status,
        "task_id": changed.task_id,
        "task": changed.task,
        "task_status": changed.task_status,
        "by": changed.by,
        "agent": agent,
    })
}

/// The text that a receiver gets.
pub(super) fn text(event: WebhookEvent, seq: EventSeq, at: Timestamp, data: Value) -> String {
    envelope(event.as_str(), Some(seq), at, data)
}

/// The text of a test of a webhook.
pub(in crate::automation) fn test(agent: &str, at: Timestamp) -> String {
    envelope(TEST, None, at, json!({ "agent": agent }))
}

fn envelope(event: &str, seq: Option<EventSeq>, at: Timestamp, data: Value) -> String {
    let mut body = Map::new();
    body.insert("type".into(), event.into());
    body.insert("timestamp".into(), json!(at));
    body.insert("sequence".into(), json!(seq));
    body.insert("data".into(), data);
    Value::Object(body).to_string()
}
