//! Webhooks: https endpoints that receive the events of an agent, and the deliveries to them.

use serde::{Deserialize, Serialize};

use crate::error::{Error, FieldError, Result};
use crate::ids::{DeliveryId, EventSeq, WebhookId};
use crate::limits;
use crate::timestamp::Timestamp;

/// An event that a webhook can subscribe to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
pub enum WebhookEvent {
    /// All events, also those that are added later.
    #[serde(rename = "*")]
    #[cfg_attr(feature = "openapi", oai(rename = "*"))]
    All,
    /// The agent received a direct message.
    #[serde(rename = "message.received")]
    #[cfg_attr(feature = "openapi", oai(rename = "message.received"))]
    MessageReceived,
    /// The agent was mentioned in a channel.
    #[serde(rename = "message.mentioned")]
    #[cfg_attr(feature = "openapi", oai(rename = "message.mentioned"))]
    MessageMentioned,
    /// A message was posted in a channel of the agent.
    #[serde(rename = "channel.message")]
    #[cfg_attr(feature = "openapi", oai(rename = "channel.message"))]
    ChannelMessage,
    /// A reaction changed the workflow state of a message.
    #[serde(rename = "workflow.state_changed")]
    #[cfg_attr(feature = "openapi", oai(rename = "workflow.state_changed"))]
    WorkflowStateChanged,
    /// A run of the agent reached its final state.
    #[serde(rename = "run.finished")]
    #[cfg_attr(feature = "openapi", oai(rename = "run.finished"))]
    RunFinished,
    /// A goal, or one of its tasks, changed its state.
    #[serde(rename = "goal.changed")]
    #[cfg_attr(feature = "openapi", oai(rename = "goal.changed"))]
    GoalChanged,
}

crate::text_enum! {
    WebhookEvent {
        All => "*",
        MessageReceived => "message.received",
        MessageMentioned => "message.mentioned",
        ChannelMessage => "channel.message",
        WorkflowStateChanged => "workflow.state_changed",
        RunFinished => "run.finished",
        GoalChanged => "goal.changed",
    }
}

impl WebhookEvent {
    /// Every name that a webhook can subscribe to.
    pub const ALL: [Self; 7] = [
        Self::All,
        Self::MessageReceived,
        Self::MessageMentioned,
        Self::ChannelMessage,
        Self::WorkflowStateChanged,
        Self::RunFinished,
        Self::GoalChanged,
    ];

    /// Reads the name of an event; an unknown name is refused, and the error lists the known ones.
    pub fn parse(field: &str, name: &str) -> Result<Self> {
        Self::ALL.into_iter().find(|event| event.as_str() == name).ok_or_else(|| {
            let known = Self::ALL.map(Self::as_str).join(", ");
            Error::invalid(field, format!("must be one of {known}"))
        })
    }
}

/// The reason why a webhook is disabled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", oai(rename_all = "snake_case"))]
pub enum DisabledReason {
    /// The agent, its owner or an admin disabled it.
    Request,
    /// The endpoint answered 410 Gone.
    Gone,
    /// Too many attempts in a row failed.
    Failures,
}

crate::text_enum! { DisabledReason { Request => "request", Gone => "gone", Failures => "failures" } }

/// A webhook. Its secret is shown once, when it is created or rotated.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct Webhook {
    /// Its id.
    pub id: WebhookId,
    /// The handle of the agent whose events it receives.
    pub agent: String,
    /// The URL that events are posted to.
    pub url: String,
    /// The events that it receives; `*` for all.
    pub events: Vec<WebhookEvent>,
    /// Whether events are delivered.
    pub enabled: bool,
    /// The reason why it is disabled.
    pub disabled_reason: Option<DisabledReason>,
    /// The number of failed attempts since the last success.
    pub consecutive_failures: u32,
    /// When an attempt last succeeded.
    pub last_success_at: Option<Timestamp>,
    /// When an attempt last failed.
    pub last_failure_at: Option<Timestamp>,
    /// When it was created.
    pub created_at: Timestamp,
}

/// The outcome of one of the last attempts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct RecentAttempt {
    /// The delivery.
    pub delivery_id: DeliveryId,
    /// Whether the endpoint accepted it.
    pub ok: bool,
    /// The HTTP status of the answer; none when there was no answer.
    pub status: Option<u32>,
    /// How long it took, in milliseconds.
    pub duration_ms: u32,
    /// When it began.
    pub at: Timestamp,
}

/// A webhook with its last attempts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct WebhookDetails {
    /// The webhook.
    pub webhook: Webhook,
    /// The last 50 attempts, oldest first.
    pub attempts: Vec<RecentAttempt>,
}

/// The webhooks of the caller, oldest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct WebhookList {
    /// The webhooks.
    pub webhooks: Vec<Webhook>,
    /// The total number of webhooks.
    pub total: i64,
}

/// A webhook with its secret, which is shown once.
#[derive(Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct WebhookWithSecret {
    /// The webhook.
    pub webhook: Webhook,
    /// The secret that signs its deliveries, `whsec_…`. It is shown only once.
    pub secret: String,
}

impl std::fmt::Debug for WebhookWithSecret {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("WebhookWithSecret").field("webhook", &self.webhook).finish_non_exhaustive()
    }
}

/// The request to create a webhook.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[cfg_attr(feature = "openapi", oai(rename = "CreateWebhook"))]
#[serde(deny_unknown_fields)]
pub struct NewWebhook {
    /// The agent whose events it receives; an agent can leave it out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// The URL that events are posted to, https.
    pub url: String,
    /// The events that it receives; `*` for all.
    pub events: Vec<WebhookEvent>,
    /// The secret that signs deliveries: `whsec_` and the base64 of 24 to 64 bytes; made when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret: Option<String>,
}

impl std::fmt::Debug for NewWebhook {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("NewWebhook")
            .field("agent", &self.agent)
            .field("url", &self.url)
            .field("events", &self.events)
            .finish_non_exhaustive()
    }
}

/// A change of a webhook; absent fields stay as they are.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[serde(default, deny_unknown_fields)]
pub struct WebhookUpdate {
    /// The URL that events are posted to, https.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The events that it receives; `*` for all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub events: Option<Vec<WebhookEvent>>,
    /// Whether events are delivered. Enabling resets the count of failures.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub enabled: Option<bool>,
}

/// The request to deliver past events again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[serde(deny_unknown_fields)]
pub struct RecoverWebhook {
    /// Events from this time on are delivered again, as far as the event log has them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<Timestamp>,
    /// Events after this position are delivered again, instead of `since`: the `next` of a previous response.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<EventSeq>,
}

/// The result of delivering past events again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct Recovered {
    /// The number of deliveries that were queued.
    pub queued: u32,
    /// The position to go on after, when there were more events than one request recovers.
    pub next: Option<EventSeq>,
}

/// The normal form of a list of events: sorted, each once, and `*` alone.
pub fn checked_events(events: &[WebhookEvent]) -> Result<Vec<WebhookEvent>> {
    if events.is_empty() {
        let known = WebhookEvent::ALL.map(WebhookEvent::as_str).join(", ");
        return Err(Error::invalid("events", format!("must name at least one of {known}")));
    }
    if events.contains(&WebhookEvent::All) {
        return Ok(vec![WebhookEvent::All]);
    }
    let mut events = events.to_vec();
    events.sort_unstable();
    events.dedup();
    Ok(events)
}

impl NewWebhook {
    /// Reports all invalid fields at once, except for the address that the URL leads to.
    pub fn checked(mut self) -> Result<Self> {
        let mut faults: Vec<FieldError> = Vec::new();
        match checked_events(&self.events) {
            Ok(events) => self.events = events,
            Err(error) => faults.extend_from_slice(error.fields()),
        }
        if self.url.len() > limits::WEBHOOK_URL_MAX {
            let message = format!("must be at most {} bytes", limits::WEBHOOK_URL_MAX);
            faults.push(FieldError { field: "url".into(), message });
        }
        if faults.is_empty() { Ok(self) } else { Err(Error::invalid_fields(faults)) }
    }
}

/// The status of a delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", oai(rename_all = "snake_case"))]
pub enum DeliveryStatus {
    /// Waiting for its first attempt.
    Pending,
    /// An attempt is under way.
    Delivering,
    /// The endpoint accepted it.
    Delivered,
    /// An attempt failed; the next one is scheduled.
    Retrying,
    /// All attempts failed; it is a dead letter.
    Dead,
    /// It is not sent, for the reason in `error`.
    Stopped,
}

crate::text_enum! {
    DeliveryStatus {
        Pending => "pending",
        Delivering => "delivering",
        Delivered => "delivered",
        Retrying => "retrying",
        Dead => "dead",
        Stopped => "stopped",
    }
}

/// The kind of a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", oai(rename_all = "snake_case"))]
pub enum DeliveryError {
    /// The URL or its address is not allowed.
    AddressRefused,
    /// The name was not found, or no connection could be made.
    Connect,
    /// There was no answer in time.
    Timeout,
    /// The answer was not valid HTTP, or the connection broke.
    Protocol,
    /// The endpoint answered with a redirect, which is not followed.
    Redirect,
    /// The endpoint answered with another status than 2xx.
    Status,
    /// The secret cannot be opened with the key of this server.
    Secret,
    /// The worker stopped before it reported the outcome.
    Interrupted,
    /// The chain of messages is too deep.
    Depth,
    /// The webhook was disabled.
    Disabled,
    /// The agent can no longer see the message.
    Hidden,
    /// Its owner had too many deliveries that had not ended.
    Backlog,
    /// The agent and the sender were in a loop that is held.
    Loop,
}

crate::text_enum! {
    DeliveryError {
        AddressRefused => "address_refused",
        Connect => "connect",
        Timeout => "timeout",
        Protocol => "protocol",
        Redirect => "redirect",
        Status => "status",
        Secret => "secret",
        Interrupted => "interrupted",
        Depth => "depth",
        Disabled => "disabled",
        Hidden => "hidden",
        Backlog => "backlog",
        Loop => "loop",
    }
}

crate::row! {
    /// A delivery of an event to a webhook.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    #[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
    pub struct Delivery {
        /// Its id.
        pub id: DeliveryId,
        /// The webhook.
        pub webhook_id: WebhookId,
        /// The handle of the agent.
        pub agent: String,
        /// The name of the event.
        pub event: String,
        /// The position of the event in the log; none for a test.
        pub sequence: Option<EventSeq>,
        /// Its status.
        pub status: DeliveryStatus,
        /// The number of attempts so far.
        pub attempts: u32,
        /// The kind of the last failure, or the reason why it was stopped.
        pub error: Option<DeliveryError>,
        /// The HTTP status of the last answer.
        pub response_status: Option<u32>,
        /// How long the last attempt took, in milliseconds.
        pub duration_ms: Option<u32>,
        /// The depth of the message in its chain.
        pub depth: u32,
        /// When it was created.
        pub created_at: Timestamp,
        /// When it last changed.
        pub updated_at: Timestamp,
    }
}

crate::row! {
    /// An attempt at a delivery.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    #[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
    pub struct DeliveryAttempt {
        /// Its number, from 1 on.
        pub number: u32,
        /// When it began.
        pub started_at: Timestamp,
        /// How long it took, in milliseconds.
        pub duration_ms: u32,
        /// The HTTP status of the answer; none when there was no answer.
        pub status: Option<u32>,
        /// The kind of the failure; none when it succeeded.
        pub error: Option<DeliveryError>,
        /// The beginning of the answer.
        pub excerpt: Option<String>,
    }
}

/// A header of a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct RequestHeader {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: String,
}

/// The request of a delivery. The signature and its timestamp are made anew for each attempt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct DeliveryRequest {
    /// The URL that it is posted to.
    pub url: String,
    /// The headers that are the same in every attempt.
    pub headers: Vec<RequestHeader>,
    /// The body as it is sent.
    pub body: String,
}

/// A delivery with its request and all attempts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct DeliveryDetails {
    /// The delivery.
    pub delivery: Delivery,
    /// The request.
    pub request: DeliveryRequest,
    /// The attempts, oldest first.
    pub attempts: Vec<DeliveryAttempt>,
}

/// A page of deliveries, newest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct DeliveryPage {
    /// The deliveries.
    pub deliveries: Vec<Delivery>,
    /// The cursor of the next page; none on the last one.
    pub next_cursor: Option<DeliveryId>,
}

/// The filter of a list of deliveries.
#[derive(Debug, Clone, Copy, Default)]
pub struct DeliveryFilter {
    /// Only deliveries with this status.
    pub status: Option<DeliveryStatus>,
    /// Only deliveries before this one, for the next page.
    pub before: Option<DeliveryId>,
    /// The maximum number of deliveries; `None` is the default page size.
    pub limit: Option<i64>,
}

/// The filter of a list of webhooks.
#[derive(Debug, Clone, Default)]
pub struct WebhookFilter {
    /// Only webhooks of this agent.
    pub agent: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_events_are_refused_and_known_ones_listed() {
        for event in WebhookEvent::ALL {
            assert_eq!(WebhookEvent::parse("events", event.as_str()).unwrap(), event);
            assert_eq!(serde_json::to_value(event).unwrap(), event.as_str());
        }
        let refusal = WebhookEvent::parse("events[0]", "message.sent").unwrap_err();
        assert!(refusal.message().contains("channel.message, workflow.state_changed"), "{refusal}");
    }

    #[test]
    fn a_star_stands_for_all_events() {
        let both = [WebhookEvent::MessageReceived, WebhookEvent::All];
        assert_eq!(checked_events(&both).unwrap(), [WebhookEvent::All]);
        let twice = [WebhookEvent::ChannelMessage, WebhookEvent::MessageReceived, WebhookEvent::ChannelMessage];
        assert_eq!(checked_events(&twice).unwrap(), [WebhookEvent::MessageReceived, WebhookEvent::ChannelMessage]);
        assert_eq!(checked_events(&[]).unwrap_err().fields()[0].field, "events");
    }

    #[test]
    fn a_secret_is_not_printed() {
        let new =
            NewWebhook { agent: None, url: "https://a.example".into(), events: vec![], secret: Some("whsec_x".into()) };
        assert!(!format!("{new:?}").contains("whsec_x"));
    }
}
