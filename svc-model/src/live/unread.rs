//! The live event about what is unread.

use serde::{Deserialize, Serialize};

/// The number of unread messages in one conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnreadNews {
    /// `channel` or `dm`.
    pub kind: String,
    /// The name of the channel, or the handle of the partner.
    pub name: String,
    /// The number of unread messages.
    pub unread: i64,
    /// The number of unread messages that mention the caller; 0 for direct messages.
    pub mentions: i64,
    /// The number of unread direct messages that only notify of a mention in a channel of which the caller is
    /// a member.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub mention_copies: i64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(count: &i64) -> bool {
    *count == 0
}
