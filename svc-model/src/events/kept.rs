//! The payloads of events about messages that are kept: pinned ones.

use serde::{Deserialize, Serialize};

use super::Audience;
use crate::ids::{ConversationId, MessageId};

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
