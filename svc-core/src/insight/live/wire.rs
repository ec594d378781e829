//! What the log says about an event that only the hub may know: whom it concerns.

use serde::Deserialize;

use crate::ids::{AgentId, ChannelId, ConversationId, MessageId, ParticipantId, UserId};

/// The marks of an event, as far as it has them.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Marks {
    pub(super) message_id: Option<MessageId>,
    pub(super) conversation_id: Option<ConversationId>,
    pub(super) channel_id: Option<ChannelId>,
    /// The channel of a message.
    pub(super) channel: Option<String>,
    /// The channel of an event about a channel; what a cursor stands in.
    pub(super) name: Option<String>,
    pub(super) kind: Option<String>,
    /// Whether everybody could read the channel when it happened.
    pub(super) public: bool,
    pub(super) sender_id: Option<ParticipantId>,
    pub(super) sender_owner_id: Option<UserId>,
    pub(super) recipient_id: Option<ParticipantId>,
    pub(super) recipient_owner_id: Option<UserId>,
    /// Who came, went or read.
    pub(super) participant_id: Option<ParticipantId>,
    pub(super) handle: Option<String>,
    pub(super) by: Option<String>,
    /// The human whom it concerns.
    pub(super) owner_id: Option<UserId>,
    pub(super) agent: Option<String>,
    pub(super) agent_id: Option<AgentId>,
    /// The machine that it is about.
    pub(super) principal_id: Option<String>,
    pub(super) mentioned: Vec<ParticipantId>,
    pub(super) mention_of: Option<MessageId>,
}

impl Marks {
    /// The name of the channel that it happened in.
    pub(super) fn channel_name(&self) -> Option<&str> {
        self.channel.as_deref().or(self.name.as_deref())
    }
}
