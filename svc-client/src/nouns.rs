//! The main verbs of the API, by noun. What is not here can be asked with [`Client::get`] and [`Client::change`].

use http::Method;
use serde_json::{Value, json};
use svc_model::agents::AgentPage;
use svc_model::auth::Identity;
use svc_model::channels::{Channel, ChannelPage, MemberPage};
use svc_model::conversations::Timeline;
use svc_model::ids::{MessageId, TaskId};
use svc_model::messages::{ClaimRequest, ClaimedMessages, Message, MessagePage, NewMessage, Receipts, Thread};
use svc_model::notifications::{Mark, Unread};
use svc_model::reactions::{ReactionChange, ReactionKind};
use svc_model::search::SearchPage;
use svc_model::tasks::{Bid, NewBid, NewTask, Task, TaskClosing, TaskPage, TaskView};

use crate::client::Client;
use crate::error::ClientError;

type Result<T> = std::result::Result<T, ClientError>;
/// The parameters of a list, by name; those without a value are left out.
type Query<'q> = &'q [(&'q str, &'q str)];

impl Client {
    /// Who asks, as the hub knows it.
    pub async fn whoami(&self) -> Result<Identity> {
        self.get(&["api", "whoami"], &[]).await
    }

    /// The caller's agents.
    pub async fn agents(&self, query: Query<'_>) -> Result<AgentPage> {
        self.get(&["api", "agents"], query).await
    }
}

/// Channels.
impl Client {
    /// The channels that the caller sees; `q`, `archived`, `limit` and `offset` narrow them.
    pub async fn channels(&self, query: Query<'_>) -> Result<ChannelPage> {
        self.get(&["api", "channels"], query).await
    }

    /// One channel.
    pub async fn channel(&self, name: &str) -> Result<Channel> {
        self.get(&["api", "channels", name], &[]).await
    }

    /// Creates a channel. `more` holds optional fields: `description`, `topic`, `public`, `members`.
    pub async fn create_channel(&self, name: &str, more: Value, idempotency_key: Option<&str>) -> Result<Channel> {
        let mut body = json!({ "name": name });
        if let (Some(body), Value::Object(more)) = (body.as_object_mut(), more) {
            body.extend(more);
        }
        self.change(Method::POST, &["api", "channels"], &body, idempotency_key).await
    }

    /// Joins a channel.
    pub async fn join(&self, channel: &str) -> Result<Channel> {
        self.change(Method::POST, &["api", "channels", channel, "join"], &json!({}), None).await
    }

    /// Leaves a channel.
    pub async fn leave(&self, channel: &str) -> Result<()> {
        self.command(Method::POST, &["api", "channels", channel, "leave"], &json!({}), None).await
    }

    /// The members of a channel.
    pub async fn members(&self, channel: &str, query: Query<'_>) -> Result<MemberPage> {
        self.get(&["api", "channels", channel, "members"], query).await
    }

    /// The messages of a channel; `before`, `after`, `around` and `limit` choose which.
    pub async fn channel_messages(&self, channel: &str, query: Query<'_>) -> Result<Timeline> {
        self.get(&["api", "channels", channel, "messages"], query).await
    }
}

/// Messages.
impl Client {
    /// Sends a message. With a key it is sent once, however often this is called.
    pub async fn send(&self, message: &NewMessage, idempotency_key: Option<&str>) -> Result<Message> {
        self.change(Method::POST, &["api", "messages"], message, idempotency_key).await
    }

    /// One message.
    pub async fn message(&self, id: MessageId) -> Result<Message> {
        self.get(&["api", "messages", &id.to_string()], &[]).await
    }

    /// The messages that are addressed to the caller; `status`, `from`, `min_priority`, `unread`, `before`, `after` and
    /// `limit` choose which.
    pub async fn inbox(&self, query: Query<'_>) -> Result<MessagePage> {
        self.get(&["api", "messages"], query).await
    }

    /// The direct messages with a participant.
    pub async fn direct_messages(&self, partner: &str, query: Query<'_>) -> Result<Timeline> {
        self.get(&["api", "dm", partner, "messages"], query).await
    }

    /// The thread that a message belongs to.
    pub async fn thread(&self, id: MessageId, query: Query<'_>) -> Result<Thread> {
        self.get(&["api", "messages", &id.to_string(), "thread"], query).await
    }

    /// What has become of a message at each recipient.
    pub async fn receipts(&self, id: MessageId, query: Query<'_>) -> Result<Receipts> {
        self.get(&["api", "messages", &id.to_string(), "receipts"], query).await
    }

    /// Searches messages.
    pub async fn search(&self, words: &str, query: Query<'_>) -> Result<SearchPage> {
        let query: Vec<_> = std::iter::once(("q", words)).chain(query.iter().copied()).collect();
        self.get(&["api", "messages", "search"], &query).await
    }

    /// Adds or removes a reaction.
    pub async fn react(&self, id: MessageId, reaction: ReactionKind) -> Result<ReactionChange> {
        let body = json!({ "reaction": reaction });
        self.change(Method::POST, &["api", "messages", &id.to_string(), "reactions"], &body, None).await
    }
}

/// Work on messages.
impl Client {
    /// Claims messages that are addressed to the caller.
    pub async fn claim(&self, request: ClaimRequest, idempotency_key: Option<&str>) -> Result<ClaimedMessages> {
        self.change(Method::POST, &["api", "messages", "claim"], &request, idempotency_key).await
    }

    /// Ends the work on a message as done.
    pub async fn done(&self, id: MessageId, claim_token: Option<&str>) -> Result<Message> {
        self.work(id, "done", &json!({ "claim_token": claim_token })).await
    }

    /// Ends the work on a message as failed.
    pub async fn fail(&self, id: MessageId, claim_token: Option<&str>, reason: &str) -> Result<Message> {
        self.work(id, "fail", &json!({ "claim_token": claim_token, "reason": reason })).await
    }

    /// Extends a claim.
    pub async fn renew(&self, id: MessageId, claim_token: &str, lease_seconds: Option<u32>) -> Result<Message> {
        let mut body = json!({ "claim_token": claim_token });
        if let Some(seconds) = lease_seconds {
            body["lease_seconds"] = seconds.into();
        }
        self.work(id, "renew", &body).await
    }

    /// Gives a claim back.
    pub async fn release(&self, id: MessageId, claim_token: &str) -> Result<Message> {
        self.work(id, "release", &json!({ "claim_token": claim_token })).await
    }

    async fn work(&self, id: MessageId, verb: &str, body: &Value) -> Result<Message> {
        self.change(Method::POST, &["api", "messages", &id.to_string(), verb], body, None).await
    }
}

/// Notifications.
impl Client {
    /// What the caller has not read, by conversation.
    pub async fn unread(&self) -> Result<Vec<Unread>> {
        self.get(&["api", "notifications", "unread"], &[]).await
    }

    /// Marks conversations as read.
    pub async fn mark_read(&self, marks: &[Mark]) -> Result<()> {
        self.command(Method::POST, &["api", "notifications", "mark-read"], &marks, None).await
    }
}

/// Tasks.
impl Client {
    /// The tasks that the caller sees; `status`, `mine`, `before` and `limit` narrow them.
    pub async fn tasks(&self, query: Query<'_>) -> Result<TaskPage> {
        self.get(&["api", "tasks"], query).await
    }

    /// One task with its bids.
    pub async fn task(&self, id: TaskId) -> Result<TaskView> {
        self.get(&["api", "tasks", &id.to_string()], &[]).await
    }

    /// Posts a task.
    pub async fn post_task(&self, task: &NewTask, idempotency_key: Option<&str>) -> Result<Task> {
        self.change(Method::POST, &["api", "tasks"], task, idempotency_key).await
    }

    /// Bids for a task.
    pub async fn bid(&self, task: TaskId, bid: &NewBid, idempotency_key: Option<&str>) -> Result<Bid> {
        self.change(Method::POST, &["api", "tasks", &task.to_string(), "bids"], bid, idempotency_key).await
    }

    /// Completes a task, or cancels it.
    pub async fn close_task(&self, task: TaskId, closing: &TaskClosing) -> Result<Task> {
        self.change(Method::POST, &["api", "tasks", &task.to_string(), "complete"], closing, None).await
    }
}
