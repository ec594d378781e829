//! The events of a live feed, with the fields that clients receive.

mod changes;
mod people;
mod unread;

use serde::{Deserialize, Serialize};
use serde_json::{Value, from_value};

pub use changes::{DeletionNews, EditNews, PinNews, ScheduledNews, UpdateNews};
pub use people::{EmojiNews, ProfileNews};
pub use unread::UnreadNews;

use crate::auth::Identity;
use crate::goals::{GoalStatus, GoalTaskStatus};
use crate::governance::LoopKind;
use crate::ids::{ConversationId, EventSeq, GoalId, GoalTaskId, LoopId, MessageId, RunId, TaskId};
use crate::participants::ParticipantKind;
use crate::runs::RunStatus;
use crate::tasks::TaskStatus;
use crate::timestamp::Timestamp;
use crate::wiki::WikiAction;

/// An event of a live feed.
#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum LiveBody {
    /// `hello`: the feed has begun.
    Hello(Hello),
    /// `reset`: events are missing, so the client must fetch the current state.
    Reset(Reset),
    /// A heartbeat: nothing happened and the feed is alive.
    Alive,
    /// `new_message`.
    NewMessage(MessageNews),
    /// `message_updated`: its status changed.
    MessageUpdated(UpdateNews),
    /// `message_edited`: its text changed.
    MessageEdited(EditNews),
    /// `message_deleted`: its text is gone.
    MessageDeleted(DeletionNews),
    /// `message_pinned`.
    MessagePinned(PinNews),
    /// `message_unpinned`.
    MessageUnpinned(PinNews),
    /// `scheduled_message_changed`: a message of the caller that is sent later changed.
    ScheduledMessageChanged(ScheduledNews),
    /// `reaction_changed`.
    ReactionChanged(ReactionNews),
    /// `emoji_added`: a participant chose an emoji for a message.
    EmojiAdded(EmojiNews),
    /// `emoji_removed`: a participant took an emoji back.
    EmojiRemoved(EmojiNews),
    /// `unread_update`: the number of unread messages in one conversation.
    UnreadUpdate(UnreadNews),
    /// `workflow_state_changed`.
    WorkflowStateChanged(WorkflowNews),
    /// `channel_changed`: a channel or its members changed.
    ChannelChanged(ChannelNews),
    /// `agent_changed`.
    AgentChanged(AgentNews),
    /// `loop_changed`: a loop between agents was held or lifted.
    LoopChanged(LoopNews),
    /// `machine_changed`: a machine principal or the registry changed.
    MachineChanged(MachineNews),
    /// `task_changed`.
    TaskChanged(TaskNews),
    /// `dead_letters_added`.
    DeadLettersAdded(DeadLetterNews),
    /// `run_changed`: the status of a run of an agent changed.
    RunChanged(RunNews),
    /// `goal_changed`: a goal, one of its tasks or one of its proposals changed.
    GoalChanged(GoalNews),
    /// `wiki_changed`: an article of the wiki changed.
    WikiChanged(WikiNews),
    /// `profile_changed`: the profile of a participant changed.
    ProfileChanged(ProfileNews),
    /// `notification_settings_changed`: the notification settings of the human changed.
    NotificationSettingsChanged(SettingsNews),
}

impl LiveBody {
    /// The name of the event.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Hello(_) => "hello",
            Self::Reset(_) => "reset",
            Self::Alive => "alive",
            Self::NewMessage(_) => "new_message",
            Self::MessageUpdated(_) => "message_updated",
            Self::MessageEdited(_) => "message_edited",
            Self::MessageDeleted(_) => "message_deleted",
            Self::MessagePinned(_) => "message_pinned",
            Self::MessageUnpinned(_) => "message_unpinned",
            Self::ScheduledMessageChanged(_) => "scheduled_message_changed",
            Self::ReactionChanged(_) => "reaction_changed",
            Self::EmojiAdded(_) => "emoji_added",
            Self::EmojiRemoved(_) => "emoji_removed",
            Self::UnreadUpdate(_) => "unread_update",
            Self::WorkflowStateChanged(_) => "workflow_state_changed",
            Self::ChannelChanged(_) => "channel_changed",
            Self::AgentChanged(_) => "agent_changed",
            Self::LoopChanged(_) => "loop_changed",
            Self::MachineChanged(_) => "machine_changed",
            Self::TaskChanged(_) => "task_changed",
            Self::DeadLettersAdded(_) => "dead_letters_added",
            Self::RunChanged(_) => "run_changed",
            Self::GoalChanged(_) => "goal_changed",
            Self::WikiChanged(_) => "wiki_changed",
            Self::ProfileChanged(_) => "profile_changed",
            Self::NotificationSettingsChanged(_) => "notification_settings_changed",
        }
    }

    /// Reads an event from its name and its fields. `None` for a name that this version does not know.
    pub fn read(name: &str, data: Value) -> Option<Result<Self, serde_json::Error>> {
        Some(match name {
            "hello" => from_value(data).map(Self::Hello),
            "reset" => from_value(data).map(Self::Reset),
            "alive" => Ok(Self::Alive),
            "new_message" => from_value(data).map(Self::NewMessage),
            "message_updated" => from_value(data).map(Self::MessageUpdated),
            "message_edited" => from_value(data).map(Self::MessageEdited),
            "message_deleted" => from_value(data).map(Self::MessageDeleted),
            "message_pinned" => from_value(data).map(Self::MessagePinned),
            "message_unpinned" => from_value(data).map(Self::MessageUnpinned),
            "scheduled_message_changed" => from_value(data).map(Self::ScheduledMessageChanged),
            "reaction_changed" => from_value(data).map(Self::ReactionChanged),
            "emoji_added" => from_value(data).map(Self::EmojiAdded),
            "emoji_removed" => from_value(data).map(Self::EmojiRemoved),
            "unread_update" => from_value(data).map(Self::UnreadUpdate),
            "workflow_state_changed" => from_value(data).map(Self::WorkflowStateChanged),
            "channel_changed" => from_value(data).map(Self::ChannelChanged),
            "agent_changed" => from_value(data).map(Self::AgentChanged),
            "loop_changed" => from_value(data).map(Self::LoopChanged),
            "machine_changed" => from_value(data).map(Self::MachineChanged),
            "task_changed" => from_value(data).map(Self::TaskChanged),
            "dead_letters_added" => from_value(data).map(Self::DeadLettersAdded),
            "run_changed" => from_value(data).map(Self::RunChanged),
            "goal_changed" => from_value(data).map(Self::GoalChanged),
            "wiki_changed" => from_value(data).map(Self::WikiChanged),
            "profile_changed" => from_value(data).map(Self::ProfileChanged),
            "notification_settings_changed" => from_value(data).map(Self::NotificationSettingsChanged),
            _ => return None,
        })
    }
}

/// The first event of a feed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hello {
    /// The position in the event log after which the feed continues.
    pub seq: EventSeq,
    /// The time of the hub.
    pub server_time: Timestamp,
    /// The identity of the caller; none for a program that embeds the hub.
    pub you: Option<Identity>,
}

/// The reason why events are missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ResetReason {
    /// The position to resume from is older than the log.
    Expired,
    /// The position to resume from is not in the log yet.
    Future,
    /// The reader was too slow.
    Slow,
}

/// The `reset` event: events are missing, so the client must fetch the current state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reset {
    /// The reason.
    pub reason: ResetReason,
}

/// A message was sent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MessageNews {
    /// The message.
    pub message_id: MessageId,
    /// Its conversation.
    pub conversation_id: ConversationId,
    /// The channel's name; none for a direct message.
    pub channel: Option<String>,
    /// The handle of the sender.
    pub from: String,
    /// The kind of the sender.
    pub from_kind: ParticipantKind,
    /// The handle of the recipient of a direct message.
    pub to: Option<String>,
    /// The subject.
    #[serde(default)]
    pub subject: String,
    /// The beginning of the text.
    pub preview: String,
    /// The priority.
    pub priority: u32,
    /// The depth in a chain of triggers.
    #[serde(default)]
    pub depth: u32,
    /// The message with the mention, when this is the direct message that notifies of it.
    #[serde(default)]
    pub mention_of: Option<MessageId>,
    /// Whether it mentions the caller.
    #[serde(default)]
    pub mentions_me: bool,
    /// When it was sent.
    pub created_at: Timestamp,
}

/// A reaction was added or removed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReactionNews {
    /// The message.
    pub message_id: MessageId,
    /// Its conversation.
    pub conversation_id: ConversationId,
    /// The channel's name.
    #[serde(default)]
    pub channel: Option<String>,
    /// The handle of the actor.
    pub by: String,
    /// The kind of the reaction.
    pub reaction: String,
    /// `added` or `removed`.
    pub action: String,
    /// The workflow state that results from the reactions, in a workflow channel.
    #[serde(default)]
    pub workflow_state: Option<String>,
}

/// The workflow state of a message changed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WorkflowNews {
    /// The message.
    pub message_id: MessageId,
    /// Its conversation.
    pub conversation_id: ConversationId,
    /// The channel's name.
    #[serde(default)]
    pub channel: Option<String>,
    /// The previous state.
    #[serde(default)]
    pub old_state: Option<String>,
    /// The new state.
    #[serde(default)]
    pub new_state: Option<String>,
    /// The handle of the actor.
    #[serde(default)]
    pub by: Option<String>,
    /// The reaction that caused the change.
    #[serde(default)]
    pub reaction: Option<String>,
}

/// A channel or its members changed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChannelNews {
    /// The channel.
    pub channel: String,
    /// `created`, `updated`, `archived`, `member_joined` or `member_left`.
    pub action: String,
    /// The handle of the actor.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// The handle of the member who joined or left.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub member: Option<String>,
}

/// One of the caller's agents changed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AgentNews {
    /// Its name; none when only its id is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// Its id, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent_id: Option<i64>,
    /// `created`, `updated`, `deleted`, `trust_changed`, `quarantined`, `released`, `paused`, `resumed` or
    /// `budget_warned`.
    pub action: String,
}

/// A loop between agents, one of them the caller's, was held or lifted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoopNews {
    /// The loop.
    pub loop_id: LoopId,
    /// What gave it away.
    pub kind: LoopKind,
    /// The handle of an agent.
    pub agent: String,
    /// The handle of the other agent.
    #[serde(default)]
    pub other: Option<String>,
    /// `held` or `lifted`.
    pub action: String,
}

/// A machine principal sent something, or the registry changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MachineNews {
    /// The principal; none for the registry.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub principal_id: Option<String>,
    /// `configured`, `status_changed`, `reported` or `registry_loaded`.
    pub action: String,
}

/// A task was posted, bid for, assigned, completed or cancelled.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskNews {
    /// The task.
    pub task_id: TaskId,
    /// Its title.
    pub title: String,
    /// Its current status.
    pub status: TaskStatus,
    /// The channel in which it is offered; none when it is offered to all participants.
    pub channel: Option<String>,
    /// The message that announced it.
    pub message_id: Option<MessageId>,
    /// `posted`, `bid`, `assigned`, `completed` or `cancelled`.
    pub action: String,
    /// The handle of the actor; none when the hub acted.
    pub by: Option<String>,
}

/// Messages to the caller's agents became dead letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeadLetterNews {
    /// The number of messages.
    pub count: u64,
}

/// The status of a run of one of the caller's agents changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunNews {
    /// The run.
    pub run_id: RunId,
    /// The handle of the agent.
    pub agent: String,
    /// Its current status.
    pub status: RunStatus,
    /// The message that started it.
    pub trigger_message_id: Option<MessageId>,
    /// Why it failed or was cancelled.
    pub error: Option<String>,
}

/// A goal of the caller's owner, one of its tasks or one of its proposals changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GoalNews {
    /// The goal.
    pub goal_id: GoalId,
    /// Its slug.
    pub slug: String,
    /// Its title.
    pub title: String,
    /// Its current status.
    pub status: GoalStatus,
    /// The task that changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task_id: Option<GoalTaskId>,
    /// The current status of the task.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task_status: Option<GoalTaskStatus>,
    /// The number of the proposal that changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proposal: Option<i64>,
    /// The handle of the actor; absent when the hub acted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
}

/// An article of the wiki changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WikiNews {
    /// Its current slug.
    pub slug: String,
    /// Its slug before it was renamed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub renamed_from: Option<String>,
    /// Its title.
    pub title: String,
    /// Its newest revision.
    pub revision: i64,
    /// The change.
    pub action: WikiAction,
    /// The handle of the actor; absent when an operator acted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
}

/// The notification settings changed; a client fetches them again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SettingsNews {}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_event_is_read_as_it_was_written() {
        let at = "2026-01-02T03:04:05.000Z";
        let you = json!({
            "handle": "ann", "kind": "human", "owner": "ann", "permissions": ["read"], "allowed_channels": [],
            "mcp_profile": "full",
        });
        for (name, data) in [
            ("hello", json!({ "seq": 7, "server_time": at, "you": you })),
            ("reset", json!({ "reason": "slow" })),
            ("alive", Value::Null),
            (
                "new_message",
                json!({
                    "message_id": 1, "conversation_id": 2, "channel": "ops", "from": "ann", "from_kind": "human",
                    "to": null, "subject": "", "preview": "Hi", "priority": 5, "depth": 0, "mention_of": null,
                    "mentions_me": true, "created_at": at,
                }),
            ),
            ("message_updated", json!({ "message_id": 1, "conversation_id": 2, "channel": null, "status": "done" })),
            ("scheduled_message_changed", json!({ "scheduled_id": 1, "status": "failed" })),
            ("message_pinned", json!({ "message_id": 1, "conversation_id": 2, "channel": "ops", "by": "ann" })),
            ("message_unpinned", json!({ "message_id": 1, "conversation_id": 2, "channel": null, "by": "ann" })),
            (
                "reaction_changed",
                json!({
                    "message_id": 1, "conversation_id": 2, "channel": null, "by": "ann", "reaction": "approve",
                    "action": "added", "workflow_state": null,
                }),
            ),
            (
                "emoji_added",
                json!({
                    "message_id": 1, "conversation_id": 2, "channel": null, "by": "ann", "emoji": "🎉", "count": 1,
                }),
            ),
            ("unread_update", json!({ "kind": "dm", "name": "bob", "unread": 2, "mentions": 0, "mention_copies": 1 })),
            (
                "workflow_state_changed",
                json!({
                    "message_id": 1, "conversation_id": 2, "channel": "ops", "old_state": null,
                    "new_state": "proposed", "by": null, "reaction": null,
                }),
            ),
            ("channel_changed", json!({ "channel": "ops", "action": "created" })),
            ("agent_changed", json!({ "agent": "scout", "action": "paused" })),
            ("loop_changed", json!({ "loop_id": 3, "kind": "exchange", "agent": "a", "other": "b", "action": "held" })),
            ("machine_changed", json!({ "action": "registry_loaded" })),
            (
                "task_changed",
                json!({
                    "task_id": 4, "title": "Sweep", "status": "open", "channel": null, "message_id": null,
                    "action": "posted", "by": "ann",
                }),
            ),
            ("dead_letters_added", json!({ "count": 2 })),
            (
                "run_changed",
                json!({
                    "run_id": 5, "agent": "scout", "status": "running", "trigger_message_id": null, "error": null,
                }),
            ),
            ("goal_changed", json!({ "goal_id": 6, "slug": "ship", "title": "Ship", "status": "active" })),
            ("wiki_changed", json!({ "slug": "deploy", "title": "Deploy", "revision": 2, "action": "edited" })),
            ("profile_changed", json!({ "handle": "ann" })),
            ("notification_settings_changed", json!({})),
        ] {
            let body = LiveBody::read(name, data.clone()).unwrap_or_else(|| panic!("{name} is unknown"));
            let body = body.unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!((body.name(), serde_json::to_value(&body).unwrap()), (name, data));
        }
    }

    #[test]
    fn an_unknown_name_is_none_and_a_wrong_field_an_error() {
        assert!(LiveBody::read("moon_risen", json!({})).is_none());
        assert!(LiveBody::read("run_changed", json!({ "run_id": "five" })).is_some_and(|read| read.is_err()));
    }
}
