//! The internal fields of an event that decide who may see it.

use svc_model::events::{Audience, EventBody};

use crate::ids::{AgentId, ChannelId, ConversationId, MessageId, ParticipantId, UserId};

/// The routing fields of an event, as far as it has them.
#[derive(Debug, Default)]
pub(super) struct Routing {
    pub(super) message_id: Option<MessageId>,
    pub(super) conversation_id: Option<ConversationId>,
    pub(super) channel_id: Option<ChannelId>,
    /// The name of its channel.
    pub(super) channel: Option<String>,
    /// Whether the channel was public at the time of the event.
    pub(super) public: bool,
    /// The sender of a message, or the poster of a task.
    pub(super) sender_id: Option<ParticipantId>,
    pub(super) sender_owner_id: Option<UserId>,
    /// The recipient of a message, or the assignee of a task.
    pub(super) recipient_id: Option<ParticipantId>,
    pub(super) recipient_owner_id: Option<UserId>,
    /// The participant who joined, left or read.
    pub(super) participant_id: Option<ParticipantId>,
    /// The user concerned.
    pub(super) owner_id: Option<UserId>,
    pub(super) agent: Option<String>,
    pub(super) agent_id: Option<AgentId>,
    pub(super) mentioned: Vec<ParticipantId>,
    pub(super) mention_of: Option<MessageId>,
}

impl Routing {
    pub(super) fn of(body: &EventBody) -> Self {
        match body {
            EventBody::MessageCreated(created) => Self {
                mentioned: created.mentioned.clone(),
                mention_of: created.mention_of,
                ..Self::of_message(created.message_id, created.conversation_id, &created.audience)
            },
            EventBody::MessageUpdated(updated) => {
                Self::of_message(updated.message_id, updated.conversation_id, &updated.audience)
            }
            EventBody::MessageEdited(edited) => {
                Self::of_message(edited.message_id, edited.conversation_id, &edited.audience)
            }
            EventBody::MessageDeleted(deleted) => {
                Self::of_message(deleted.message_id, deleted.conversation_id, &deleted.audience)
            }
            EventBody::MessagePinned(_)
            | EventBody::MessageUnpinned(_)
            | EventBody::ReactionChanged(_)
            | EventBody::EmojiAdded(_)
            | EventBody::EmojiRemoved(_)
            | EventBody::WorkflowStateChanged(_) => Self::of_mark(body),
            EventBody::ChannelCreated(changed)
            | EventBody::ChannelUpdated(changed)
            | EventBody::ChannelArchived(changed) => Self {
                channel_id: Some(changed.channel_id),
                channel: Some(changed.name.clone()),
                public: changed.public,
                ..Self::default()
            },
            EventBody::MemberJoined(changed) | EventBody::MemberLeft(changed) => Self {
                channel_id: Some(changed.channel_id),
                channel: Some(changed.name.clone()),
                public: changed.public,
                participant_id: Some(changed.participant_id),
                owner_id: changed.owner_id,
                ..Self::default()
            },
            EventBody::AgentCreated(changed)
            | EventBody::AgentUpdated(changed)
            | EventBody::AgentDeleted(changed)
            | EventBody::AgentQuarantined(changed)
            | EventBody::AgentReleased(changed)
            | EventBody::AgentPaused(changed)
            | EventBody::AgentResumed(changed)
            | EventBody::AgentBudgetWarned(changed) => Self {
                agent: changed.agent.clone(),
                agent_id: changed.agent_id,
                owner_id: changed.owner_id,
                ..Self::default()
            },
            // As those of a message: whoever is one of the two, or owns one of them.
            EventBody::LoopHeld(changed) | EventBody::LoopLifted(changed) => Self {
                sender_id: Some(ParticipantId(changed.agent_id.0)),
                sender_owner_id: Some(changed.owner_id),
                recipient_id: changed.other_id.map(|other| ParticipantId(other.0)),
                recipient_owner_id: changed.other_owner_id,
                ..Self::default()
            },
            EventBody::TrustChanged(changed) => Self {
                agent: Some(changed.agent.clone()),
                agent_id: Some(changed.agent_id),
                owner_id: changed.owner_id,
                ..Self::default()
            },
            EventBody::CursorMoved(moved) => Self {
                message_id: Some(moved.message_id),
                conversation_id: Some(moved.conversation_id),
                participant_id: Some(moved.participant_id),
                ..Self::default()
            },
            EventBody::CredentialsEnded(ended) => Self { owner_id: ended.owner_id, ..Self::default() },
            EventBody::DeadLettersAdded(added) => {
                Self { owner_id: Some(added.owner_id), participant_id: Some(added.participant_id), ..Self::default() }
            }
            EventBody::RunChanged(changed) => Self {
                agent: Some(changed.agent.clone()),
                agent_id: Some(changed.agent_id),
                owner_id: Some(changed.owner_id),
                ..Self::default()
            },
            EventBody::GoalChanged(changed) => Self { owner_id: Some(changed.owner_id), ..Self::default() },
            EventBody::ScheduledChanged(changed) => {
                Self { participant_id: Some(changed.author_id), owner_id: Some(changed.owner_id), ..Self::default() }
            }
            EventBody::AttentionChanged(changed) => Self { owner_id: Some(changed.owner_id), ..Self::default() },
            EventBody::TaskPosted(task)
            | EventBody::TaskBid(task)
            | EventBody::TaskAssigned(task)
            | EventBody::TaskCompleted(task)
            | EventBody::TaskCancelled(task) => Self {
                message_id: task.message_id,
                channel_id: task.channel_id,
                channel: task.channel.clone(),
                public: task.public,
                sender_id: Some(task.poster_id),
                sender_owner_id: Some(task.poster_owner_id),
                recipient_id: task.assignee_id,
                recipient_owner_id: task.assignee_owner_id,
                ..Self::default()
            },
            _ => Self::default(),
        }
    }

    /// Of a change of what participants put at a message.
    fn of_mark(body: &EventBody) -> Self {
        match body {
            EventBody::MessagePinned(changed) | EventBody::MessageUnpinned(changed) => {
                Self::of_message(changed.message_id, changed.conversation_id, &changed.audience)
            }
            EventBody::ReactionChanged(changed) => {
                Self::of_message(changed.message_id, changed.conversation_id, &changed.audience)
            }
            EventBody::EmojiAdded(changed) | EventBody::EmojiRemoved(changed) => {
                Self::of_message(changed.message_id, changed.conversation_id, &changed.audience)
            }
            EventBody::WorkflowStateChanged(changed) => {
                Self::of_message(changed.message_id, changed.conversation_id, &changed.audience)
            }
            _ => Self::default(),
        }
    }

    fn of_message(message: MessageId, conversation: ConversationId, audience: &Audience) -> Self {
        let audience = audience.clone();
        Self {
            message_id: Some(message),
            conversation_id: Some(conversation),
            channel_id: audience.channel_id,
            channel: audience.channel,
            public: audience.public,
            sender_id: audience.sender_id,
            sender_owner_id: audience.sender_owner_id,
            recipient_id: audience.recipient_id,
            recipient_owner_id: audience.recipient_owner_id,
            ..Self::default()
        }
    }
}
