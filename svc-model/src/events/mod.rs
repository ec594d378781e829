//! Events of the log, with one variant and one payload per kind.
//!
//! Invariants:
//! - Every event of the hub is written by [`EventBody::payload`] and read by [`EventBody::read`]; no other
//!   code knows the words of a kind.
//! - A payload describes the change and, with the ids of participants and owners, who may see it.
//! - A kind that is not listed here comes from a newer node or from a program that embeds the hub. It is
//!   carried as [`EventBody::Other`], so that it is never lost and never misread.
//! - Stored events stay readable: a field that is added later has a default.

mod kept;
mod payloads;
mod people;

use serde_json::value::RawValue;

pub use kept::*;
pub use payloads::*;
pub use people::{EmojiChanged, ProfileChanged};

use crate::error::{Error, Result};

macro_rules! events {
    ($($(#[$meta:meta])* $variant:ident($payload:ty) => $kind:literal,)+) => {
        /// The content of an event, by kind.
        #[derive(Debug, Clone)]
        #[non_exhaustive]
        pub enum EventBody {
            $($(#[$meta])* $variant($payload),)+
            /// A kind that this version does not know.
            Other {
                /// The kind in dotted words.
                kind: String,
                /// The payload as it was written.
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

            /// The payload as the log stores it.
            pub fn payload(&self) -> Result<Box<RawValue>> {
                match self {
                    $(Self::$variant(payload) => serde_json::value::to_raw_value(payload),)+
                    Self::Other { payload, .. } => Ok(payload.clone()),
                }
                .map_err(|error| Error::internal("the payload of an event cannot be written").with_source(error))
            }

            /// Reads an event of the log. Returns an error when the payload does not match the kind.
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
    /// The status of a direct message changed, or a stalled message was escalated to the owner of its
    /// channel.
    MessageUpdated(MessageUpdated) => "message.updated",
    /// The text of a message was edited.
    MessageEdited(MessageEdited) => "message.edited",
    /// A message was deleted.
    MessageDeleted(MessageDeleted) => "message.deleted",
    /// A message was pinned.
    MessagePinned(PinChanged) => "message.pinned",
    /// The pin of a message was removed.
    MessageUnpinned(PinChanged) => "message.unpinned",
    /// A scheduled message changed.
    ScheduledChanged(ScheduledChanged) => "scheduled.changed",
    /// A reaction was added or removed.
    ReactionChanged(ReactionChanged) => "reaction.changed",
    /// A participant chose an emoji for a message.
    EmojiAdded(EmojiChanged) => "emoji.added",
    /// A participant took an emoji back.
    EmojiRemoved(EmojiChanged) => "emoji.removed",
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
    /// An agent was quarantined.
    AgentQuarantined(AgentChanged) => "agent.quarantined",
    /// The quarantine of an agent was lifted.
    AgentReleased(AgentChanged) => "agent.released",
    /// An agent was paused.
    AgentPaused(AgentChanged) => "agent.paused",
    /// A paused agent was resumed.
    AgentResumed(AgentChanged) => "agent.resumed",
    /// An agent has used most of its budget.
    AgentBudgetWarned(AgentChanged) => "agent.budget_warned",
    /// A loop between agents was found and is held.
    LoopHeld(LoopChanged) => "loop.held",
    /// A loop between agents was lifted.
    LoopLifted(LoopChanged) => "loop.lifted",
    /// The trust in an agent changed.
    TrustChanged(TrustChanged) => "trust.changed",
    /// A participant moved their read cursor in a conversation.
    CursorMoved(CursorMoved) => "cursor.moved",
    /// Credentials of a user ended.
    CredentialsEnded(CredentialsEnded) => "credentials.ended",
    /// A machine principal configured one of its sources.
    MachineConfigured(MachineConfigured) => "machine.configured",
    /// The state of a machine principal changed.
    MachineStatusChanged(MachineStatusChanged) => "machine.status_changed",
    /// A machine principal reported events.
    MachineReported(MachineReported) => "machine.reported",
    /// A new registry of machine principals was loaded.
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
    /// The status of a run changed.
    RunChanged(RunChanged) => "run.changed",
    /// A goal or one of its tasks changed.
    GoalChanged(GoalChanged) => "goal.changed",
    /// An article of the wiki changed.
    WikiChanged(WikiChanged) => "wiki.changed",
    /// The profile of a participant changed: display name, status, avatar or presence.
    ProfileChanged(ProfileChanged) => "profile.changed",
    /// The notification settings of a user changed.
    AttentionChanged(AttentionChanged) => "attention.changed",
}

impl EventBody {
    /// The part of the kind after the point: `created` of `channel.created`.
    pub fn action(&self) -> &str {
        self.kind().split_once('.').map_or(self.kind(), |(_, action)| action)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::ids::{ChannelId, ParticipantId, UserId};

    fn raw(value: &serde_json::Value) -> Box<RawValue> {
        serde_json::value::to_raw_value(value).unwrap()
    }

    #[test]
    fn events_survive_a_round_trip() {
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
        let other = EventBody::read("weather.changed", &payload).unwrap();
        assert_eq!((other.kind(), other.payload().unwrap().get()), ("weather.changed", payload.get()));
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
