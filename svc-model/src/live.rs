//! What a feed yields: the events of the contract, each with the fields that go out and no others.

use serde::{Deserialize, Serialize};

use crate::auth::Identity;
use crate::ids::{ConversationId, EventSeq, MessageId, TaskId};
use crate::participants::ParticipantKind;
use crate::tasks::TaskStatus;
use crate::timestamp::Timestamp;

/// What happened.
#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum LiveBody {
    /// `hello`: the feed begins.
    Hello(Hello),
    /// `reset`: events are missing, so the present state has to be fetched.
    Reset(Reset),
    /// Nothing has to be told; the feed is alive.
    Alive,
    /// `new_message`.
    NewMessage(MessageNews),
    /// `message_updated`: its status changed.
    MessageUpdated(UpdateNews),
    /// `reaction_changed`.
    ReactionChanged(ReactionNews),
    /// `unread_update`: how much the caller has not read in one place.
    UnreadUpdate(UnreadNews),
    /// `workflow_state_changed`.
    WorkflowStateChanged(WorkflowNews),
    /// `channel_changed`: the channel or its members.
    ChannelChanged(ChannelNews),
    /// `agent_changed`.
    AgentChanged(AgentNews),
    /// `machine_changed`: a machine principal, or the registry of all.
    MachineChanged(MachineNews),
    /// `task_changed`.
    TaskChanged(TaskNews),
    /// `dead_letters_added`.
    DeadLettersAdded(DeadLetterNews),
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
            Self::ReactionChanged(_) => "reaction_changed",
            Self::UnreadUpdate(_) => "unread_update",
            Self::WorkflowStateChanged(_) => "workflow_state_changed",
            Self::ChannelChanged(_) => "channel_changed",
            Self::AgentChanged(_) => "agent_changed",
            Self::MachineChanged(_) => "machine_changed",
            Self::TaskChanged(_) => "task_changed",
            Self::DeadLettersAdded(_) => "dead_letters_added",
        }
    }
}

/// The first event of a feed.
#[derive(Debug, Clone, Serialize)]
pub struct Hello {
    /// Everything after this place follows.
    pub seq: EventSeq,
    /// What time it is on the hub.
    pub server_time: Timestamp,
    /// Who is listening; none for the holder of the process.
    pub you: Option<Identity>,
}

/// Why events are missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ResetReason {
    /// The place to resume after is older than the log.
    Expired,
    /// The place to resume after is not in the log yet.
    Future,
    /// The reader was too slow.
    Slow,
}

/// Events are missing: fetch the present state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Reset {
    /// Why.
    pub reason: ResetReason,
}

/// Somebody said something.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MessageNews {
    /// The message.
    pub message_id: MessageId,
    /// Its conversation.
    pub conversation_id: ConversationId,
    /// The channel it was said in.
    pub channel: Option<String>,
    /// Who said it.
    pub from: String,
    /// What they are.
    pub from_kind: ParticipantKind,
    /// To whom, for a direct message.
    pub to: Option<String>,
    /// About what.
    #[serde(default)]
    pub subject: String,
    /// How it begins.
    pub preview: String,
    /// How urgent it is.
    pub priority: u32,
    /// How deep in a chain of triggers it is.
    #[serde(default)]
    pub depth: u32,
    /// For the direct message that tells of a mention: where that was.
    #[serde(default)]
    pub mention_of: Option<MessageId>,
    /// Whether it mentions the caller.
    #[serde(default)]
    pub mentions_me: bool,
    /// When it was said.
    pub created_at: Timestamp,
}

/// A message's status changed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct UpdateNews {
    /// The message.
    pub message_id: MessageId,
    /// Its conversation.
    pub conversation_id: ConversationId,
    /// Its channel.
    #[serde(default)]
    pub channel: Option<String>,
    /// Its status now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    /// Who works on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claimed_by: Option<String>,
    /// How often it was handed to a worker.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attempts: Option<i64>,
    /// Why it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What its reactions come to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workflow_state: Option<String>,
    /// When the owner of its channel was told that it stands still.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub escalated_at: Option<Timestamp>,
}

/// Somebody set a reaction or took it back.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReactionNews {
    /// The message.
    pub message_id: MessageId,
    /// Its conversation.
    pub conversation_id: ConversationId,
    /// Its channel.
    #[serde(default)]
    pub channel: Option<String>,
    /// Who.
    pub by: String,
    /// Which.
    pub reaction: String,
    /// `added` or `removed`.
    pub action: String,
    /// What the reactions come to, in a workflow channel.
    #[serde(default)]
    pub workflow_state: Option<String>,
}

/// A message in a workflow channel has another state.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WorkflowNews {
    /// The message.
    pub message_id: MessageId,
    /// Its conversation.
    pub conversation_id: ConversationId,
    /// Its channel.
    #[serde(default)]
    pub channel: Option<String>,
    /// What it was.
    #[serde(default)]
    pub old_state: Option<String>,
    /// What it is.
    #[serde(default)]
    pub new_state: Option<String>,
    /// Who did it.
    #[serde(default)]
    pub by: Option<String>,
    /// By which reaction.
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
    /// Who did it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// The member who came or went.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub member: Option<String>,
}

/// One of the caller's agents changed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AgentNews {
    /// Its name; none where only its id is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// Its id, where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent_id: Option<i64>,
    /// `created`, `updated`, `deleted` or `trust_changed`.
    pub action: String,
}

/// A machine principal sent something, or the registry of all changed.
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
    /// Its status now.
    pub status: TaskStatus,
    /// The channel that it is offered in; none when it is offered to everybody.
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

/// How much the caller has not read in one place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnreadNews {
    /// `channel` or `dm`.
    pub kind: String,
    /// The channel, or the partner.
    pub name: String,
    /// Messages that were not read.
    pub unread: i64,
    /// Those among them that mention the caller; 0 for direct messages.
    pub mentions: i64,
    /// Those among direct messages that only tell of a mention in a channel that the caller is a member of.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub mention_copies: i64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(count: &i64) -> bool {
    *count == 0
}
