//! Unread messages and read cursors.

use serde::{Deserialize, Serialize};

use crate::conversations::ConversationKind;
use crate::ids::MessageId;
use crate::participants::ParticipantKind;
use crate::timestamp::Timestamp;

/// The number of unread messages in a channel or with a partner.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct Unread {
    /// The kind of conversation: channel or direct messages.
    pub kind: ConversationKind,
    /// The name of the channel, or the handle of the partner.
    pub name: String,
    /// The number of unread messages of others.
    pub unread: i64,
    /// The number of unread messages in a channel that mention the caller; 0 for direct messages.
    pub mentions: i64,
    /// The number of unread direct messages that only notify of a mention in a channel of which the caller is
    /// a member: the channel counts those too. 0 for a channel.
    pub mention_copies: i64,
    /// The newest message.
    pub last_message_id: Option<MessageId>,
    /// The last message that the caller has read.
    pub last_read_message_id: Option<MessageId>,
}

/// A participant with whom the caller exchanged direct messages.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct Partner {
    /// Its handle.
    pub name: String,
    /// Its display name.
    pub display_name: String,
    /// Its kind.
    pub kind: ParticipantKind,
    /// The beginning of the newest message, at most 120 characters on one line.
    pub preview: String,
    /// The newest message.
    pub last_message_id: MessageId,
    /// When the newest message was sent.
    pub last_message_at: Timestamp,
    /// The number of unread messages of this partner.
    pub unread: i64,
    /// The number of unread messages that only notify of a mention in a channel of which the caller is a
    /// member: the channel counts those too.
    pub mention_copies: i64,
}

/// The request to mark a conversation as read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
#[serde(deny_unknown_fields)]
pub struct Mark {
    /// The kind of conversation: channel or direct messages.
    pub kind: ConversationKind,
    /// The name of the channel, or the handle of the partner.
    pub name: String,
    /// The last message that was read; everything up to now when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_message_id: Option<MessageId>,
}
