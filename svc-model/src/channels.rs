//! Channels and their members.

use serde::{Deserialize, Serialize};

use crate::ids::{ChannelId, MessageId};
use crate::page::Page;
use crate::participants::ParticipantKind;
use crate::timestamp::Timestamp;

/// A channel, with the membership and the unread counts of the caller.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[expect(clippy::struct_excessive_bools, reason = "they are the settings of a channel, each by its name")]
pub struct Channel {
    /// Its id.
    pub id: ChannelId,
    /// Its name.
    pub name: String,
    /// Its purpose.
    pub description: String,
    /// Its current topic.
    pub topic: String,
    /// Whether all participants can read and join it.
    pub public: bool,
    /// The handle of its owner.
    pub owner: String,
    /// The number of members.
    pub member_count: i64,
    /// Whether reactions on its messages result in workflow states.
    pub workflow_enabled: bool,
    /// Whether messages begin as approved.
    pub auto_approve: bool,
    /// The time after which a reminder of an unfinished message is sent, such as `1d`; `0` is never.
    pub stalemate_remind_after: String,
    /// The time after which an unfinished message is escalated to the owner, such as `3d`; `0` is never.
    pub stalemate_escalate_after: String,
    /// The trust that an agent needs to publish, 0 to 1.
    pub publish_threshold: f64,
    /// The trust that an agent needs to approve, 0 to 1.
    pub approve_threshold: f64,
    /// When it was archived; `null` when it is not.
    pub archived_at: Option<Timestamp>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
    /// Whether the caller is a member.
    pub is_member: bool,
    /// The number of messages of others that the caller has not read; 0 for non-members.
    pub unread: i64,
    /// The number of unread messages that mention the caller.
    pub mentions: i64,
    /// The newest message.
    pub last_message_id: Option<MessageId>,
    /// The last message that the caller has read.
    pub last_read_message_id: Option<MessageId>,
}

/// A page of channels.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct ChannelPage {
    /// The channels, by name.
    pub channels: Vec<Channel>,
    /// The total number of channels.
    pub total: i64,
}

/// The filter of a list of channels.
#[derive(Debug, Clone, Default)]
pub struct ChannelFilter {
    /// Only channels whose names contain this.
    pub q: Option<String>,
    /// Archived channels instead of active ones.
    pub archived: bool,
    /// Only channels of which the caller is a member.
    pub joined: bool,
    /// Only channels whose names sort after this one.
    pub after: Option<String>,
    /// The page.
    pub page: Page,
}

/// Changes of a channel. A field that is `None` stays unchanged.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct ChannelUpdate {
    /// Its purpose.
    pub description: Option<String>,
    /// Its current topic.
    pub topic: Option<String>,
    /// Whether all participants can read and join it.
    pub public: Option<bool>,
    /// The handle of the new owner, who must be a member.
    pub owner: Option<String>,
    /// The workflow settings.
    pub settings: ChannelSettings,
}

/// The workflow settings of a channel. Absent fields stay unchanged.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
#[serde(deny_unknown_fields)]
pub struct ChannelSettings {
    /// Whether reactions on its messages result in workflow states.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workflow_enabled: Option<bool>,
    /// Whether messages begin as approved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub auto_approve: Option<bool>,
    /// The time after which a reminder of an unfinished message is sent: `90s`, `15m`, `24h`, `3d`; `0` is
    /// never.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stalemate_remind_after: Option<String>,
    /// The time after which an unfinished message is escalated to the owner; `0` is never.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stalemate_escalate_after: Option<String>,
    /// The trust that an agent needs to publish, 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub publish_threshold: Option<f64>,
    /// The trust that an agent needs to approve, 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approve_threshold: Option<f64>,
}

/// The request to create a channel.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[cfg_attr(feature = "openapi", oai(rename = "CreateChannel"))]
#[serde(deny_unknown_fields)]
pub struct NewChannel {
    /// 1 to 80 lower-case letters, digits, `-` and `_`. A name is never reused.
    pub name: String,
    /// Purpose, at most 2,000 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Current topic, at most 250 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub topic: Option<String>,
    /// Whether everybody can read and join it; default `true`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub public: Option<bool>,
    /// Handles of the initial members, at most 100.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub members: Option<Vec<String>>,
}

impl NewChannel {
    /// A public channel with this name.
    pub fn named(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }
}

crate::row! {
    /// A member of a channel.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    #[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
    pub struct Member {
        /// Its handle.
        pub name: String,
        /// Its display name.
        pub display_name: String,
        /// Its kind.
        pub kind: ParticipantKind,
        /// Whether it owns the channel.
        pub is_owner: bool,
        /// When it joined.
        pub joined_at: Timestamp,
    }
}

/// A page of members.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct MemberPage {
    /// The members, by handle.
    pub members: Vec<Member>,
    /// The total number of members.
    pub total: i64,
}
