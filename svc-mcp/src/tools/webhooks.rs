//! Webhooks of the agent itself.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use svc_core::ids::WebhookId;
use svc_core::webhooks::{NewWebhook, Webhook, WebhookEvent, WebhookFilter};

use crate::answers;
use crate::catalogue::{Answer, Call, Effect, Entry, Outcome};

const ALSO_ID: &[(&str, &str)] = &[("webhook_id", "id")];

pub(super) fn tools() -> Vec<Entry> {
    vec![
        Entry::new(
            "register_webhook",
            Effect::Adds,
            "Get your events as signed requests to a URL. Shows the secret once.",
            register_webhook,
        )
        .answers::<Registered>(),
        Entry::new("list_webhooks", Effect::Reads, "List your webhooks and their failures.", list_webhooks)
            .for_agents()
            .answers::<WebhookEntries>(),
        Entry::new("delete_webhook", Effect::Removes, "Delete a webhook.", delete_webhook)
            .also(ALSO_ID)
            .answers::<Removed>(),
    ]
}

#[derive(Clone, Copy, Deserialize, JsonSchema)]
pub(super) enum Event {
    #[serde(rename = "*")]
    All,
    #[serde(rename = "message.received")]
    MessageReceived,
    #[serde(rename = "message.mentioned")]
    MessageMentioned,
    #[serde(rename = "channel.message")]
    ChannelMessage,
    #[serde(rename = "workflow.state_changed")]
    WorkflowStateChanged,
    #[serde(rename = "run.finished")]
    RunFinished,
    #[serde(rename = "goal.changed")]
    GoalChanged,
}

impl From<Event> for WebhookEvent {
    fn from(event: Event) -> Self {
        match event {
            Event::All => Self::All,
            Event::MessageReceived => Self::MessageReceived,
            Event::MessageMentioned => Self::MessageMentioned,
            Event::ChannelMessage => Self::ChannelMessage,
            Event::WorkflowStateChanged => Self::WorkflowStateChanged,
            Event::RunFinished => Self::RunFinished,
            Event::GoalChanged => Self::GoalChanged,
        }
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RegisterWebhook {
    /// https
    #[schemars(length(min = 1, max = 2048))]
    url: String,
    /// * for all
    #[schemars(length(min = 1, max = 16))]
    events: Vec<Event>,
    /// whsec_…; default new
    #[serde(default)]
    #[schemars(length(max = 128))]
    secret: Option<String>,
}

/// A webhook as its agent reads it.
#[derive(Serialize, JsonSchema)]
struct WebhookEntry {
    #[schemars(with = "answers::Id")]
    id: WebhookId,
    url: String,
    events: Vec<&'static str>,
    enabled: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    disabled_reason: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    failures: Option<u32>,
}

impl From<Webhook> for WebhookEntry {
    fn from(webhook: Webhook) -> Self {
        Self {
            id: webhook.id,
            url: webhook.url,
            events: webhook.events.into_iter().map(WebhookEvent::as_str).collect(),
            enabled: webhook.enabled,
            disabled_reason: webhook.disabled_reason.map(svc_core::webhooks::DisabledReason::as_str),
            failures: Some(webhook.consecutive_failures).filter(|failures| *failures > 0),
        }
    }
}

#[derive(Serialize, JsonSchema)]
struct Registered {
    #[serde(flatten)]
    webhook: WebhookEntry,
    secret: String,
}

async fn register_webhook(call: Call, args: RegisterWebhook) -> Outcome {
    let events = args.events.into_iter().map(Into::into).collect();
    let new = NewWebhook { agent: None, url: args.url, events, secret: args.secret };
    let created = call.hub.webhooks().create(&call.caller, new).await?;
    Answer::of(&Registered { webhook: created.webhook.into(), secret: created.secret })
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Nothing {}

#[derive(Serialize, JsonSchema)]
struct WebhookEntries {
    webhooks: Vec<WebhookEntry>,
}

async fn list_webhooks(call: Call, _: Nothing) -> Outcome {
    let found = call.hub.webhooks().list(&call.caller, WebhookFilter::default()).await?;
    Answer::of(&WebhookEntries { webhooks: found.webhooks.into_iter().map(Into::into).collect() })
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct DeleteWebhook {
    /// webhook
    #[schemars(range(min = 1))]
    id: i64,
}

#[derive(Serialize, JsonSchema)]
struct Removed {
    #[schemars(with = "answers::Id")]
    deleted: WebhookId,
}

async fn delete_webhook(call: Call, args: DeleteWebhook) -> Outcome {
    call.hub.webhooks().delete(&call.caller, WebhookId(args.id)).await?;
    Answer::of(&Removed { deleted: WebhookId(args.id) })
}
