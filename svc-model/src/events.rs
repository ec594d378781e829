//! Events: what the log records, one variant and one payload per kind.
//!
//! What always holds:
//! - Every event of the hub is written by [`EventBody::payload`] and read by [`EventBody::read`]; no other code knows
//!   the words of a kind.
//! - A payload says what happened and, with the ids of participants and owners, who may be told.
//! - A kind that is not listed here comes from a newer node or from a program that embeds the hub. It is carried as
//!   [`EventBody::Other`], so that it is never lost and never misread.
//! - Stored events stay readable: a field that is added later has a default.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::conversations::ConversationKind;
use crate::error::{Error, Result};
use crate::ids::{AgentId, BidId, ChannelId, ConversationId, MachineEventId, MessageId, ParticipantId, TaskId, UserId};
use crate::messages::MessageStatus;
use crate::participants::ParticipantKind;
use crate::reactions::{ReactionAction, ReactionKind, WorkflowState};
use crate::tasks::TaskStatus;
use crate::timestamp::Timestamp;

macro_rules! events {
    ($($(#[$meta:meta])* $variant:ident($payload:ty) => $kind:literal,)+) => {
        /// What happened, by kind.
        #[derive(Debug, Clone)]
        #[non_exhaustive]
        pub enum EventBody {
            $($(#[$meta])* $variant($payload),)+
            /// A kind that this version does not know.
            Other {
                /// Its dotted words.
                kind: String,
                /// Its payload as it was written.
                payload: Box<RawValue>,
            },
        }

        impl EventBody {
            /// The kinds that the hub writes itself.
            pub const KINDS: &'static [&'static str] = &[$($kind),+];

            /// The kind in dotted words, such as `message.created`.
            pub fn kind(&self) -> &str {
                match self {
                    $(Self::$variant(_) => $kind,)+
                    Self::Other { kind, .. } => kind,
                }
            }

            /// The payload as the log keeps it.
            pub fn payload(&self) -> Result<Box<RawValue>> {
                match self {
                    $(Self::$variant(payload) => serde_json::value::to_raw_value(payload),)+
                    Self::Other { payload, .. } => Ok(payload.clone()),
                }
                .map_err(|error| Error::internal("the payload of an event cannot be written").with_source(error))
            }

            /// Reads an event of the log; an error when the payload is not that of its kind.
            pub fn read(kind: &str, payload: &RawValue) -> Result<Self> {
                match kind {
                    $($kind => serde_json::from_str(payload.get()).map(Self::$variant),)+
                    other => Ok(Self::Other { kind: other.to_owned(), payload: payload.to_owned() }),
                }
                .map_err(|error| Error::internal(format!("the payload of a {kind} cannot be read")).with_source(error))
            }
        }
    };
}

events! {
    /// A message was sent.
    MessageCreated(MessageCreated) => "message.created",
    /// The status of a direct message changed, or the owner of a channel was told that a message stands still.
    MessageUpdated(MessageUpdated) => "message.updated",
    /// A reaction was added or removed.
    ReactionChanged(ReactionChanged) => "reaction.changed",
    /// A message in a workflow channel reached another state.
    WorkflowStateChanged(WorkflowStateChanged) => "workflow.state_changed",
    /// A channel was created.
    ChannelCreated(ChannelChanged) => "channel.created",
    /// The settings of a channel changed.
    ChannelUpdated(ChannelChanged) => "channel.updated",
    /// A channel was archived.
    ChannelArchived(ChannelChanged) => "channel.archived",
    /// A participant joined a channel.
    MemberJoined(MembershipChanged) => "channel.member_joined",
    /// A participant left a channel.
    MemberLeft(MembershipChanged) => "channel.member_left",
    /// An agent was created.
    AgentCreated(AgentChanged) => "agent.created",
    /// The settings of an agent changed.
    AgentUpdated(AgentChanged) => "agent.updated",
    /// An agent was deleted.
    AgentDeleted(AgentChanged) => "agent.deleted",
    /// The trust in an agent changed.
    TrustChanged(TrustChanged) => "trust.changed",
    /// A participant read on in a conversation.
    CursorMoved(CursorMoved) => "cursor.moved",
    /// Credentials of a user ended.
    CredentialsEnded(CredentialsEnded) => "credentials.ended",
    /// A machine principal configured one of its sources.
    MachineConfigured(MachineConfigured) => "machine.configured",
    /// The state of a machine principal changed.
    MachineStatusChanged(MachineStatusChanged) => "machine.status_changed",
    /// A machine principal reported events.
    MachineReported(MachineReported) => "machine.reported",
    /// Another registry of machine principals came into force.
    RegistryLoaded(RegistryLoaded) => "machine_registry.loaded",
    /// Messages became dead letters.
    DeadLettersAdded(DeadLettersAdded) => "dead_letters.added",
    /// A task was posted.
    TaskPosted(TaskChanged) => "task.posted",
    /// A bid for a task arrived.
    TaskBid(TaskChanged) => "task.bid",
    /// A task was assigned.
    TaskAssigned(TaskChanged) => "task.assigned",
    /// A task was completed.
    TaskCompleted(TaskChanged) => "task.completed",
    /// A task was cancelled.
    TaskCancelled(TaskChanged) => "task.cancelled",
}

impl EventBody {
    /// The part of the kind after the point: `created` of `channel.created`.
    pub fn action(&self) -> &str {
        self.kind().split_once('.').map_or(self.kind(), |(_, action)| action)
    }
}

/// The place of a message, and those who may know of it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Audience {
    /// The channel; none for a direct message.
    pub channel_id: Option<ChannelId>,
    /// The name of the channel.
    pub channel: Option<String>,
    /// Whether everybody could read the channel when it happened.
    pub public: bool,
    /// The sender of the message.
    pub sender_id: Option<ParticipantId>,
    /// The user whom the sender is or belongs to.
    pub sender_owner_id: Option<UserId>,
    /// The recipient of a direct message.
    pub recipient_id: Option<ParticipantId>,
    /// The user whom the recipient is or belongs to.
    pub recipient_owner_id: Option<UserId>,
}

/// A message was sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MessageCreated {
    /// The message.
    pub message_id: MessageId,
    /// Its conversation.
    pub conversation_id: ConversationId,
    /// The message that it answers.
    #[serde(default)]
    pub reply_to: Option<MessageId>,
    /// Its place, and those who may know of it.
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
    /// For the direct message that tells of a mention: the message with the mention.
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
    /// Its place, and those who may know of it.
    #[serde(flatten)]
    pub audience: Audience,
    /// The status of a direct message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<MessageStatus>,
    /// The handle of the participant who works on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claimed_by: Option<String>,
    /// Why it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The workflow state of a message in a channel.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workflow_state: Option<WorkflowState>,
    /// When the owner of the channel was told that it stands still.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub escalated_at: Option<Timestamp>,
}

/// A reaction was added or removed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReactionChanged {
    /// The message.
    pub message_id: MessageId,
    /// Its conversation.
    pub conversation_id: ConversationId,
    /// Its place, and those who may know of it.
    #[serde(flatten)]
    pub audience: Audience,
    /// The handle of the actor.
    pub by: String,
    /// The actor.
    #[serde(default)]
    pub by_id: Option<ParticipantId>,
    /// The handle of the reaction's owner; another one where an actor removes a claim.
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
    /// Its place, and those who may know of it.
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
}

/// A channel changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChannelChanged {
    /// The channel.
    pub channel_id: ChannelId,
    /// Its name.
    pub name: String,
    /// Whether everybody can read it.
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
    /// Whether everybody can read it.
    #[serde(default)]
    pub public: bool,
    /// The participant.
    pub participant_id: ParticipantId,
    /// The handle of the participant.
    pub handle: String,
    /// The user whom the participant is or belongs to.
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
    /// The agent, where the name is gone.
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

/// A participant read on in a conversation.
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
    /// The user; none when it may concern anybody.
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

/// Another registry of machine principals came into force.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RegistryLoaded {
    /// The SHA-256 of the document.
    pub sha256: String,
    /// When it came into force.
    pub loaded_at: Timestamp,
    /// The number of principals.
    pub principals: i64,
    /// The number of keys.
    pub keys: i64,
}

/// Messages became dead letters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeadLettersAdded {
    /// The user whose agent did not deal with the messages.
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
    /// The channel that it is offered in; none when it is offered to everybody.
    #[serde(default)]
    pub channel_id: Option<ChannelId>,
    /// The name of the channel.
    #[serde(default)]
    pub channel: Option<String>,
    /// Whether everybody can see it.
    #[serde(default)]
    pub public: bool,
    /// The message that announced it.
    #[serde(default)]
    pub message_id: Option<MessageId>,
    /// The participant who posted it.
    pub poster_id: ParticipantId,
    /// The user whom the poster is or belongs to.
    pub poster_owner_id: UserId,
    /// The participant whose bid was accepted.
    #[serde(default)]
    pub assignee_id: Option<ParticipantId>,
    /// The user whom the assignee is or belongs to.
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn raw(value: &serde_json::Value) -> Box<RawValue> {
        serde_json::value::to_raw_value(value).unwrap()
    }

    #[test]
    fn an_event_is_read_as_it_was_written() {
        let body = EventBody::MemberJoined(MembershipChanged {
            channel_id: ChannelId(4),
            name: "ops".into(),
            public: true,
            participant_id: ParticipantId(7),
            handle: "scout".into(),
            owner_id: Some(UserId(2)),
        });
        assert_eq!((body.kind(), body.action()), ("channel.member_joined", "member_joined"));
        let again = EventBody::read(body.kind(), &body.payload().unwrap()).unwrap();
        let EventBody::MemberJoined(again) = again else { panic!("another kind: {again:?}") };
        assert_eq!(again.handle, "scout");
    }

    #[test]
    fn an_unknown_kind_is_carried_and_a_wrong_payload_is_an_error() {
        let payload = raw(&json!({ "new": [1, 2] }));
        let other = EventBody::read("goal.changed", &payload).unwrap();
        assert_eq!((other.kind(), other.payload().unwrap().get()), ("goal.changed", payload.get()));
        for kind in EventBody::KINDS {
            assert!(EventBody::read(kind, &raw(&json!("text"))).is_err(), "{kind}");
        }
    }

    #[test]
    fn events_of_earlier_versions_stay_readable() {
        let stored = json!({
            "message_id": 7, "conversation_id": 3, "channel_id": 2, "channel": "ops", "public": true, "sender_id": 11,
            "sender_owner_id": 12, "from": "ann", "from_kind": "human", "recipient_id": null, "to": null,
            "recipient_owner_id": null, "preview": "hi", "priority": 5, "created_at": "2026-01-01T00:00:00Z",
        });
        let EventBody::MessageCreated(created) = EventBody::read("message.created", &raw(&stored)).unwrap() else {
            panic!("another kind")
        };
        assert_eq!(
            (created.audience.channel.as_deref(), created.audience.sender_id),
            (Some("ops"), Some(ParticipantId(11)))
        );
    }
}
