//! The main operations of the API, by resource. [`Client::get`] and [`Client::change`] reach all others.

mod attachments;
mod goals;
mod governance;
mod pins;
mod runs;
mod saved;
mod scheduled;
mod templates;
mod webhooks;

use http::Method;
use serde_json::{Value, json};
use svc_model::auth::Identity;
use svc_model::channels::{Channel, ChannelPage, MemberPage, NewChannel};
use svc_model::conversations::Timeline;
use svc_model::emoji::MessageEmoji;
use svc_model::ids::{MessageId, TaskId};
use svc_model::messages::{
    ClaimRequest, ClaimedMessage, ClaimedMessages, Message, MessageEdit, MessagePage, MessageVersions, NewMessage,
    Receipts, Thread,
};
use svc_model::notifications::{
    Mark, MentionPage, NotificationSettings, Partner, SettingsChange, Unread, UnreadTotals,
};
use svc_model::principals::RegistryView;
use svc_model::profiles::{DirectoryPage, Profile, ProfileChange};
use svc_model::reactions::{ReactionChange, ReactionKind, StatePage, WorkflowState};
use svc_model::search::SearchPage;
use svc_model::tasks::{Bid, NewBid, NewTask, Task, TaskClosing, TaskPage, TaskView};
use svc_model::wiki::{Article, ArticlePage, ArticleSave, NewArticle};

pub use self::runs::RunLogStream;
use crate::client::Client;
use crate::error::ClientError;

type Result<T> = std::result::Result<T, ClientError>;
/// The query parameters of a list; empty values are left out.
type Query<'q> = &'q [(&'q str, &'q str)];

impl Client {
    /// Returns the identity of the caller.
    pub async fn whoami(&self) -> Result<Identity> {
        if self.has_session() {
            return self.me().await.map(crate::session::identity);
        }
        self.get(&["api", "whoami"], &[]).await
    }

    /// Lists the registered machines.
    pub async fn machines(&self) -> Result<RegistryView> {
        self.get(&["api", "machines"], &[]).await
    }
}

/// Channels.
impl Client {
    /// Lists the channels that the caller can see; filters are `q`, `archived`, `limit` and `offset`.
    pub async fn channels(&self, query: Query<'_>) -> Result<ChannelPage> {
        self.get(&["api", "channels"], query).await
    }

    /// Returns a channel.
    pub async fn channel(&self, name: &str) -> Result<Channel> {
        self.get(&["api", "channels", name], &[]).await
    }

    /// Creates a channel.
    pub async fn create_channel(&self, channel: &NewChannel, idempotency_key: Option<&str>) -> Result<Channel> {
        self.change(Method::POST, &["api", "channels"], channel, idempotency_key).await
    }

    /// Joins a channel.
    pub async fn join(&self, channel: &str) -> Result<Channel> {
        self.change(Method::POST, &["api", "channels", channel, "join"], &json!({}), None).await
    }

    /// Leaves a channel.
    pub async fn leave(&self, channel: &str) -> Result<()> {
        self.command(Method::POST, &["api", "channels", channel, "leave"], &json!({}), None).await
    }

    /// Lists the members of a channel.
    pub async fn members(&self, channel: &str, query: Query<'_>) -> Result<MemberPage> {
        self.get(&["api", "channels", channel, "members"], query).await
    }

    /// Lists the messages of a channel; parameters are `before`, `after`, `around` and `limit`.
    pub async fn channel_messages(&self, channel: &str, query: Query<'_>) -> Result<Timeline> {
        self.get(&["api", "channels", channel, "messages"], query).await
    }
}

/// Profiles.
impl Client {
    /// Lists people and agents; parameters are `query`, `kind`, `cursor` and `limit`.
    pub async fn directory(&self, query: Query<'_>) -> Result<DirectoryPage> {
        self.get(&["api", "directory"], query).await
    }

    /// Returns the profile of a person or an agent.
    pub async fn profile(&self, handle: &str) -> Result<Profile> {
        self.get(&["api", "profiles", handle], &[]).await
    }

    /// Changes the profile of the caller.
    pub async fn update_profile(&self, change: &ProfileChange) -> Result<Profile> {
        self.change(Method::PATCH, &["api", "profile"], change, None).await
    }
}

/// Messages.
impl Client {
    /// Sends a message. With an idempotency key it is sent once, however often this is called.
    pub async fn send(&self, message: &NewMessage, idempotency_key: Option<&str>) -> Result<Message> {
        self.change(Method::POST, &["api", "messages"], message, idempotency_key).await
    }

    /// Returns a message.
    pub async fn message(&self, id: MessageId) -> Result<Message> {
        self.get(&["api", "messages", &id.to_string()], &[]).await
    }

    /// Replaces the text of a message of the caller.
    pub async fn edit_message(
        &self,
        id: MessageId,
        edit: &MessageEdit,
        idempotency_key: Option<&str>,
    ) -> Result<Message> {
        self.change(Method::PATCH, &["api", "messages", &id.to_string()], edit, idempotency_key).await
    }

    /// Deletes a message. Returns what remains of it.
    pub async fn delete_message(&self, id: MessageId) -> Result<Message> {
        self.change(Method::DELETE, &["api", "messages", &id.to_string()], &json!({}), None).await
    }

    /// Lists the texts of a message, the oldest first.
    pub async fn message_versions(&self, id: MessageId) -> Result<MessageVersions> {
        self.get(&["api", "messages", &id.to_string(), "versions"], &[]).await
    }

    /// Lists the messages to the caller; filters are `status`, `from`, `min_priority`, `unread`, `before`,
    /// `after` and `limit`.
    pub async fn inbox(&self, query: Query<'_>) -> Result<MessagePage> {
        self.get(&["api", "messages"], query).await
    }

    /// Lists the direct messages with a participant.
    pub async fn direct_messages(&self, partner: &str, query: Query<'_>) -> Result<Timeline> {
        self.get(&["api", "dm", partner, "messages"], query).await
    }

    /// Returns the thread to which a message belongs.
    pub async fn thread(&self, id: MessageId, query: Query<'_>) -> Result<Thread> {
        self.get(&["api", "messages", &id.to_string(), "thread"], query).await
    }

    /// Lists the receipts of a message, one per recipient.
    pub async fn receipts(&self, id: MessageId, query: Query<'_>) -> Result<Receipts> {
        self.get(&["api", "messages", &id.to_string(), "receipts"], query).await
    }

    /// Searches messages.
    pub async fn search(&self, words: &str, query: Query<'_>) -> Result<SearchPage> {
        let query: Vec<_> = std::iter::once(("q", words)).chain(query.iter().copied()).collect();
        self.get(&["api", "messages", "search"], &query).await
    }

    /// Lists the messages in a state of the workflow; filters are `channel`, `limit` and `offset`.
    pub async fn messages_by_state(&self, state: WorkflowState, query: Query<'_>) -> Result<StatePage> {
        let query: Vec<_> = std::iter::once(("state", state.as_str())).chain(query.iter().copied()).collect();
        self.get(&["api", "messages", "by-state"], &query).await
    }

    /// Adds or removes a reaction.
    pub async fn react(&self, id: MessageId, reaction: ReactionKind) -> Result<ReactionChange> {
        self.toggle_reaction(id, reaction, None).await
    }

    /// Adds an emoji of the caller to a message.
    pub async fn add_emoji(&self, id: MessageId, emoji: &str) -> Result<MessageEmoji> {
        self.change(Method::PUT, &["api", "messages", &id.to_string(), "emoji", emoji], &json!({}), None).await
    }

    /// Removes an emoji of the caller from a message.
    pub async fn remove_emoji(&self, id: MessageId, emoji: &str) -> Result<MessageEmoji> {
        self.change(Method::DELETE, &["api", "messages", &id.to_string(), "emoji", emoji], &json!({}), None).await
    }

    /// Adds or removes a reaction. With an idempotency key this happens once, however often it is called.
    pub async fn toggle_reaction(
        &self,
        id: MessageId,
        reaction: ReactionKind,
        idempotency_key: Option<&str>,
    ) -> Result<ReactionChange> {
        let body = json!({ "reaction": reaction });
        self.change(Method::POST, &["api", "messages", &id.to_string(), "reactions"], &body, idempotency_key).await
    }
}

/// Processing of messages.
impl Client {
    /// Claims messages to the caller.
    pub async fn claim(&self, request: ClaimRequest, idempotency_key: Option<&str>) -> Result<ClaimedMessages> {
        self.change(Method::POST, &["api", "messages", "claim"], &request, idempotency_key).await
    }

    /// Claims one message to the caller, also when others are more urgent.
    pub async fn claim_one(
        &self,
        id: MessageId,
        lease_seconds: Option<u32>,
        idempotency_key: Option<&str>,
    ) -> Result<ClaimedMessage> {
        let body = lease_seconds.map_or_else(|| json!({}), |seconds| json!({ "lease_seconds": seconds }));
        self.change(Method::POST, &["api", "messages", &id.to_string(), "claim"], &body, idempotency_key).await
    }

    /// Reports that the processing of a message succeeded.
    pub async fn done(&self, id: MessageId, claim_token: Option<&str>) -> Result<Message> {
        self.work(id, "done", &json!({ "claim_token": claim_token })).await
    }

    /// Reports that the processing of a message failed.
    pub async fn fail(&self, id: MessageId, claim_token: Option<&str>, reason: &str) -> Result<Message> {
        self.work(id, "fail", &json!({ "claim_token": claim_token, "reason": reason })).await
    }

    /// Extends the lease of a claim.
    pub async fn renew(&self, id: MessageId, claim_token: &str, lease_seconds: Option<u32>) -> Result<Message> {
        let mut body = json!({ "claim_token": claim_token });
        if let Some(seconds) = lease_seconds {
            body["lease_seconds"] = seconds.into();
        }
        self.work(id, "renew", &body).await
    }

    /// Releases a claim.
    pub async fn release(&self, id: MessageId, claim_token: &str) -> Result<Message> {
        self.work(id, "release", &json!({ "claim_token": claim_token })).await
    }

    async fn work(&self, id: MessageId, verb: &str, body: &Value) -> Result<Message> {
        self.change(Method::POST, &["api", "messages", &id.to_string(), verb], body, None).await
    }
}

/// Notifications.
impl Client {
    /// Lists the unread counts of the caller, by conversation.
    pub async fn unread(&self) -> Result<Vec<Unread>> {
        self.get(&["api", "notifications", "unread"], &[]).await
    }

    /// Returns the number of unread direct messages and mentions, without muted conversations.
    pub async fn unread_totals(&self) -> Result<UnreadTotals> {
        self.get(&["api", "notifications", "totals"], &[]).await
    }

    /// Lists the messages in channels that mention the caller, newest first: `unread`, `before`, `limit`.
    pub async fn mentions(&self, query: Query<'_>) -> Result<MentionPage> {
        self.get(&["api", "mentions"], query).await
    }

    /// Marks conversations as read.
    pub async fn mark_read(&self, marks: &[Mark]) -> Result<()> {
        self.command(Method::POST, &["api", "notifications", "mark-read"], &marks, None).await
    }

    /// Lists the participants with whom the caller exchanged direct messages, the latest first.
    pub async fn partners(&self, query: Query<'_>) -> Result<Vec<Partner>> {
        self.get(&["api", "dm", "partners"], query).await
    }

    /// Returns the notification settings of the caller.
    pub async fn notification_settings(&self) -> Result<NotificationSettings> {
        self.get(&["api", "notifications", "settings"], &[]).await
    }

    /// Changes the notification settings of the caller. Absent parts stay as they are.
    pub async fn change_notification_settings(&self, change: &SettingsChange) -> Result<NotificationSettings> {
        self.change(Method::PUT, &["api", "notifications", "settings"], change, None).await
    }
}

/// Tasks.
impl Client {
    /// Lists the tasks that the caller can see; filters are `status`, `mine`, `before` and `limit`.
    pub async fn tasks(&self, query: Query<'_>) -> Result<TaskPage> {
        self.get(&["api", "tasks"], query).await
    }

    /// Returns a task with its bids.
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

    /// Completes or cancels a task.
    pub async fn close_task(&self, task: TaskId, closing: &TaskClosing) -> Result<Task> {
        self.change(Method::POST, &["api", "tasks", &task.to_string(), "complete"], closing, None).await
    }
}

/// The wiki.
impl Client {
    /// Lists articles; filters are `q`, `sort`, `state`, `cursor` and `limit`.
    pub async fn articles(&self, query: Query<'_>) -> Result<ArticlePage> {
        self.get(&["api", "wiki", "articles"], query).await
    }

    /// Returns an article. A former slug leads to it, too.
    pub async fn article(&self, slug: &str) -> Result<Article> {
        self.get(&["api", "wiki", "articles", slug], &[]).await
    }

    /// Creates an article.
    pub async fn create_article(&self, article: &NewArticle, idempotency_key: Option<&str>) -> Result<Article> {
        self.change(Method::POST, &["api", "wiki", "articles"], article, idempotency_key).await
    }

    /// Saves a change of an article. It is refused if others have saved a change after its `base_revision`.
    pub async fn save_article(&self, slug: &str, save: &ArticleSave) -> Result<Article> {
        self.change(Method::PUT, &["api", "wiki", "articles", slug], save, None).await
    }
}
