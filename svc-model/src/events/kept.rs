//! The payloads of events about messages that are kept: pinned and scheduled ones.

use serde::{Deserialize, Serialize};

use super::Audience;
use crate::ids::{ConversationId, MessageId, ParticipantId, ScheduledMessageId, UserId};
use crate::scheduled::ScheduledStatus;

/// A message was pinned, or its pin was removed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PinChanged {
    /// The message.
    pub message_id: MessageId,
    /// Its conversation.
    pub conversation_id: ConversationId,
    /// Its location, and the participants who may see it.
    #[serde(flatten)]
    pub audience: Audience,
    /// The handle of the participant who did it.
    pub by: String,
}

/// A scheduled message was made, changed, sent, refused or deleted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScheduledChanged {
    /// The scheduled message.
    pub scheduled_id: ScheduledMessageId,
    /// The participant who sends it.
    pub author_id: ParticipantId,
    /// The user who is the author, or who owns it.
    pub owner_id: UserId,
    /// Its status now; none when it is gone.
    #[serde(default)]
    pub status: Option<ScheduledStatus>,
}
