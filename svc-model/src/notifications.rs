//! What is told about unread messages.

use serde::{Deserialize, Serialize};

use crate::conversations::ConversationKind;
use crate::ids::MessageId;
use crate::participants::ParticipantKind;
use crate::timestamp::Timestamp;

/// What is unread in a channel, or with somebody.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct Unread {
    /// Whether it is a channel or direct messages.
    pub kind: ConversationKind,
    /// The channel's name, or the other's handle.
    pub name: String,
    /// How many messages of others have not been read.
    pub unread: i64,
    /// How many unread messages of a channel mention the caller; 0 for direct messages.
    pub mentions: i64,
    /// How many of the unread direct messages only tell of a mention in a channel that the caller is a member of:
    /// the channel counts those too. 0 for a channel.
    pub mention_copies: i64,
    /// The newest message.
    pub last_message_id: Option<MessageId>,
    /// The message up to which the caller has read.
    pub last_read_message_id: Option<MessageId>,
}

/// Somebody with whom the caller exchanged direct messages.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct Partner {
    /// Its handle.
    pub name: String,
    /// Its name for people to read.
    pub display_name: String,
    /// What it is.
    pub kind: ParticipantKind,
    /// The beginning of the newest message, at most 120 characters on one line.
    pub preview: String,
    /// The newest message.
    pub last_message_id: MessageId,
    /// When that was sent.
    pub last_message_at: Timestamp,
    /// How many messages of theirs have not been read.
    pub unread: i64,
    /// How many of these only tell of a mention in a channel that the caller is a member of: the channel counts
    /// those too.
    pub mention_copies: i64,
}

/// What has been read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
#[serde(deny_unknown_fields)]
pub struct Mark {
    /// Whether it is a channel or direct messages.
    pub kind: ConversationKind,
    /// The channel's name, or the other's handle.
    pub name: String,
    /// The message up to which it has been read; everything up to now when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_message_id: Option<MessageId>,
}
