//! The payloads of events about what participants show of themselves: emoji and profiles.

use serde::{Deserialize, Serialize};

use super::Audience;
use crate::ids::{ConversationId, MessageId, ParticipantId};

/// An emoji under a message was added or removed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EmojiChanged {
    /// The message.
    pub message_id: MessageId,
    /// Its conversation.
    pub conversation_id: ConversationId,
    /// Its location, and the participants who may see it.
    #[serde(flatten)]
    pub audience: Audience,
    /// The handle of the participant.
    pub by: String,
    /// The participant.
    pub by_id: ParticipantId,
    /// The emoji.
    pub emoji: String,
    /// The number of participants who have chosen it now.
    pub count: u32,
}

/// The profile of a participant changed. What it says is not part of the event, so that nothing outlives it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProfileChanged {
    /// The participant.
    pub participant_id: ParticipantId,
    /// Its handle.
    pub handle: String,
}
