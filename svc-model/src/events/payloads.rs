//! The payloads of events, a struct per kind.

use serde::{Deserialize, Serialize};

use crate::conversations::ConversationKind;
use crate::goals::{GoalStatus, GoalTaskStatus};
use crate::governance::LoopKind;
use crate::ids::{
    AgentId, ArticleId, BidId, ChannelId, ConversationId, GoalId, GoalTaskId, LoopId, MachineEventId, MessageId,
    ParticipantId, RunId, TaskId, UserId,
};
use crate::messages::MessageStatus;
use crate::participants::ParticipantKind;
use crate::reactions::{ReactionAction, ReactionKind, WorkflowState};
use crate::runs::{RunCause, RunStatus};
use crate::tasks::TaskStatus;
use crate::timestamp::Timestamp;
use crate::wiki::WikiAction;

/// The location of a message, and the participants who may see it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Audience {
    /// The channel; none for a direct message.
    pub channel_id: Option<ChannelId>,
    /// The name of the channel.
    pub channel: Option<String>,
    /// Whether all participants could read the channel when the event happened.
    pub public: bool,
    /// The sender of the message.
    pub sender_id: Option<ParticipantId>,
    /// The user who is the sender, or who owns it.
    pub sender_owner_id: Option<UserId>,
    /// The recipient of a direct message.
    pub recipient_id: Option<ParticipantId>,
    /// The user who is the recipient, or who owns it.
    pub recipient_owner_id: Option<UserId>,
}

/// A message was sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MessageCreated {
    /// The message.
    pub message_id: MessageId,
    /// Its conversation.
    pub conversation_id: ConversationId,
    /// The message that it replies to.
    #[serde(default)]
    pub reply_to: Option<MessageId>,
    /// Its location, and the participants who may see it.
    #[serde(flatten)]
    pub audience: Audience,
    /// The handle of the sender.
    pub from: String,
    /// The kind of the sender.
    pub from_kind: ParticipantKind,
    /// The handle of the recipient of a direct message.
    #[serde(default)]
    pub to: Option<String>,
    /// The subject of a direct message.
    #[serde(default)]
    pub subject: String,
    /// The beginning of the text.
    pub preview: String,
    /// The priority, 1 to 10.
    pub priority: u32,
    /// The depth in a chain of triggers.
    #[serde(default)]
    pub depth: u32,
    /// The participants whom it mentions.
    #[serde(default)]
    pub mentioned: Vec<ParticipantId>,
    /// The message with the mention, when this is the direct message that notifies of it.
    #[serde(default)]
    pub mention_of: Option<MessageId>,
    /// When it was sent.
    pub created_at: Timestamp,
}

/// The status of a message changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MessageUpdated {
    /// The message.
    pub message_id: MessageId,
    /// Its conversation.
    pub conversation_id: ConversationId,
    /// Its location, and the participants who may see it.
    #[serde(flatten)]
    pub audience: Audience,
    /// The status of a direct message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<MessageStatus>,
    /// The handle of the worker that holds the claim.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claimed_by: Option<String>,
    /// The reason of a failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The workflow state of a message in a channel.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workflow_state: Option<WorkflowState>,
    /// When the stalled message was escalated to the owner of the channel.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub escalated_at: Option<Timestamp>,
}

/// The text of a message was edited. The texts are not part of the event, so that none outlives its message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MessageEdited {
    /// The message.
    pub message_id: MessageId,
    /// Its conversation.
    pub conversation_id: ConversationId,
    /// Its location, and the participants who may see it.
    #[serde(flatten)]
    pub audience: Audience,
    /// The number of the new text.
    pub version: u32,
    /// The handle of the worker that holds the claim.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claimed_by: Option<String>,
    /// When it was edited.
    pub edited_at: Timestamp,
}

/// A message was deleted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MessageDeleted {
    /// The message.
    pub message_id: MessageId,
    /// Its conversation.
    pub conversation_id: ConversationId,
    /// Its location, and the participants who may see it.
    #[serde(flatten)]
    pub audience: Audience,
    /// The handle of the participant who deleted it.
    pub by: String,
    /// When it was deleted.
    pub deleted_at: Timestamp,
}

/// A reaction was added or removed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReactionChanged {
    /// The message.
    pub message_id: MessageId,
    /// Its conversation.
    pub conversation_id: ConversationId,
    /// Its location, and the participants who may see it.
    #[serde(flatten)]
    pub audience: Audience,
    /// The handle of the actor.
    pub by: String,
    /// The actor.
    #[serde(default)]
    pub by_id: Option<ParticipantId>,
    /// The handle of the reaction's author; it differs from the actor who removes another participant's claim.
    #[serde(default)]
    pub of: Option<String>,
    /// The reaction.
    pub reaction: ReactionKind,
    /// Whether it was added or removed.
    pub action: ReactionAction,
    /// The workflow state that follows, in a workflow channel.
    #[serde(default)]
    pub workflow_state: Option<WorkflowState>,
}

/// A message in a workflow channel reached another state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkflowStateChanged {
    /// The message.
    pub message_id: MessageId,
    /// Its conversation.
    pub conversation_id: ConversationId,
    /// Its location, and the participants who may see it.
    #[serde(flatten)]
    pub audience: Audience,
    /// The state before.
    #[serde(default)]
    pub old_state: Option<WorkflowState>,
    /// The state now.
    pub new_state: WorkflowState,
    /// The handle of the actor.
    pub by: String,
    /// The actor.
    #[serde(default)]
    pub by_id: Option<ParticipantId>,
    /// The reaction that led to it.
    pub reaction: ReactionKind,
    /// The depth that a message of the actor would have had: 0 for a human.
    #[serde(default)]
    pub depth: u32,
}

/// A channel changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChannelChanged {
    /// The channel.
    pub channel_id: ChannelId,
    /// Its name.
    pub name: String,
    /// Whether all participants can read it.
    #[serde(default)]
    pub public: bool,
    /// The handle of the actor.
    pub by: String,
}

/// A participant joined or left a channel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MembershipChanged {
    /// The channel.
    pub channel_id: ChannelId,
    /// Its name.
    pub name: String,
    /// Whether all participants can read it.
    #[serde(default)]
    pub public: bool,
    /// The participant.
    pub participant_id: ParticipantId,
    /// The handle of the participant.
    pub handle: String,
    /// The user who is the participant, or who owns it.
    #[serde(default)]
    pub owner_id: Option<UserId>,
}

/// An agent was created, changed or deleted.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct AgentChanged {
    /// The name of the agent; none once it is deleted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// The id of the agent, when its name is no longer known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent_id: Option<AgentId>,
    /// The owner of the agent.
    pub owner_id: Option<UserId>,
}

/// The trust in an agent changed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TrustChanged {
    /// The agent.
    pub agent_id: AgentId,
    /// Its name.
    pub agent: String,
    /// Its owner.
    #[serde(default)]
    pub owner_id: Option<UserId>,
    /// The type of action that the trust is for.
    pub action_type: String,
    /// The score now, 0 to 1.
    pub score: f64,
}

/// A loop between agents was held or lifted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoopChanged {
    /// The loop.
    pub loop_id: LoopId,
    /// What gave it away.
    pub kind: LoopKind,
    /// An agent.
    pub agent_id: AgentId,
    /// The name of the agent.
    pub agent: String,
    /// The owner of the agent.
    pub owner_id: UserId,
    /// The other agent.
    #[serde(default)]
    pub other_id: Option<AgentId>,
    /// The name of the other agent.
    #[serde(default)]
    pub other: Option<String>,
    /// The owner of the other agent.
    #[serde(default)]
    pub other_owner_id: Option<UserId>,
}

/// A participant moved their read cursor in a conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CursorMoved {
    /// The reader.
    pub participant_id: ParticipantId,
    /// The kind of the conversation.
    pub kind: ConversationKind,
    /// The channel, or the handle of the partner.
    pub name: String,
    /// The conversation.
    pub conversation_id: ConversationId,
    /// The last message that was read.
    pub message_id: MessageId,
}

/// Credentials of a user ended.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct CredentialsEnded {
    /// The user; none when any user may be affected.
    pub owner_id: Option<UserId>,
}

/// A machine principal configured one of its sources.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MachineConfigured {
    /// The machine principal.
    pub principal_id: String,
    /// The source.
    pub source: String,
    /// The version of the configuration.
    pub version: i64,
}

/// The state of a machine principal changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MachineStatusChanged {
    /// The machine principal.
    pub principal_id: String,
    /// Its state.
    pub state: String,
}

/// A machine principal reported events.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MachineReported {
    /// The machine principal.
    pub principal_id: String,
    /// The number of events.
    pub events: i64,
    /// The last one of them.
    pub last_id: MachineEventId,
}

/// A new registry of machine principals was loaded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RegistryLoaded {
    /// The SHA-256 of the document.
    pub sha256: String,
    /// When it was loaded.
    pub loaded_at: Timestamp,
    /// The number of principals.
    pub principals: i64,
    /// The number of keys.
    pub keys: i64,
}

/// Messages became dead letters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeadLettersAdded {
    /// The user whose agent did not process the messages.
    pub owner_id: UserId,
    /// The recipient of the messages.
    pub participant_id: ParticipantId,
    /// The number of messages.
    pub count: u64,
}

/// A task was posted, bid for, assigned, completed or cancelled.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskChanged {
    /// The task.
    pub task_id: TaskId,
    /// Its title.
    pub title: String,
    /// Its status now.
    pub status: TaskStatus,
    /// The channel in which it is offered; none when it is offered to all participants.
    #[serde(default)]
    pub channel_id: Option<ChannelId>,
    /// The name of the channel.
    #[serde(default)]
    pub channel: Option<String>,
    /// Whether all participants can see it.
    #[serde(default)]
    pub public: bool,
    /// The message that announced it.
    #[serde(default)]
    pub message_id: Option<MessageId>,
    /// The participant who posted it.
    pub poster_id: ParticipantId,
    /// The user who is the poster, or who owns it.
    pub poster_owner_id: UserId,
    /// The participant whose bid was accepted.
    #[serde(default)]
    pub assignee_id: Option<ParticipantId>,
    /// The user who is the assignee, or who owns it.
    #[serde(default)]
    pub assignee_owner_id: Option<UserId>,
    /// The handle of the actor; none when the hub acted.
    #[serde(default)]
    pub by: Option<String>,
    /// The actor.
    #[serde(default)]
    pub by_id: Option<ParticipantId>,
    /// The bid.
    #[serde(default)]
    pub bid_id: Option<BidId>,
}

/// The status of a run changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunChanged {
    /// The run.
    pub run_id: RunId,
    /// The agent.
    pub agent_id: AgentId,
    /// Its name.
    pub agent: String,
    /// Its owner.
    pub owner_id: UserId,
    /// The status now.
    pub status: RunStatus,
    /// The cause of the run.
    pub cause: RunCause,
    /// The message that started it.
    #[serde(default)]
    pub trigger_message_id: Option<MessageId>,
    /// The depth of that message.
    #[serde(default)]
    pub depth: u32,
    /// Why it failed or was cancelled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// A goal, one of its tasks or one of its proposals changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GoalChanged {
    /// The goal.
    pub goal_id: GoalId,
    /// Its slug.
    pub slug: String,
    /// Its title.
    pub title: String,
    /// Its status now.
    pub status: GoalStatus,
    /// Its owner.
    pub owner_id: UserId,
    /// The task that changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task_id: Option<GoalTaskId>,
    /// The title of the task.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task: Option<String>,
    /// The status of the task now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task_status: Option<GoalTaskStatus>,
    /// The proposal that changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proposal: Option<i64>,
    /// Whether the status of the goal or of the task changed. Otherwise something else did, such as the cost.
    #[serde(default)]
    pub is_move: bool,
    /// The handle of the participant who changed it; absent for the hub.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// The coordinator and the assignees.
    #[serde(default)]
    pub agent_ids: Vec<AgentId>,
}

/// An article of the wiki changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WikiChanged {
    /// The article.
    pub article_id: ArticleId,
    /// Its slug now.
    pub slug: String,
    /// Its slug before it was renamed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub renamed_from: Option<String>,
    /// Its title now.
    pub title: String,
    /// Its newest revision.
    pub revision: i64,
    /// The change.
    pub action: WikiAction,
    /// The participant that changed it; absent for an operator.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
}

/// The notification settings of a user changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct AttentionChanged {
    /// The user.
    pub owner_id: UserId,
}
