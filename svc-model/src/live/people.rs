//! Live events about what participants show of themselves: emoji and profiles.

use serde::{Deserialize, Serialize};

use crate::ids::{ConversationId, MessageId};

/// A participant chose an emoji for a message, or took it back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EmojiNews {
    /// The message.
    pub message_id: MessageId,
    /// Its conversation.
    pub conversation_id: ConversationId,
    /// The channel's name.
    #[serde(default)]
    pub channel: Option<String>,
    /// The handle of the participant.
    pub by: String,
    /// The emoji.
    pub emoji: String,
    /// The number of participants who have chosen it now.
    pub count: u32,
}

/// The profile of a participant changed; a client fetches it again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProfileNews {
    /// The handle of the participant.
    pub handle: String,
}
