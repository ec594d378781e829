//! What a channel is.

use serde::{Deserialize, Serialize};

use crate::ids::{ChannelId, MessageId};
use crate::page::Page;
use crate::participants::ParticipantKind;
use crate::timestamp::Timestamp;

/// A channel, and how the caller stands to it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[expect(clippy::struct_excessive_bools, reason = "they are the settings of a channel, each by its name")]
pub struct Channel {
    /// Its id.
    pub id: ChannelId,
    /// Its name.
    pub name: String,
    /// What it is for.
    pub description: String,
    /// What it is about at the moment.
    pub topic: String,
    /// Whether everybody can read and join it.
    pub public: bool,
    /// The handle of its owner.
    pub owner: String,
    /// How many members it has.
    pub member_count: i64,
    /// Whether reactions on its messages come to states.
    pub workflow_enabled: bool,
    /// Whether messages begin as approved.
    pub auto_approve: bool,
    /// After how long an unfinished message is reminded of, such as `1d`; `0` is never.
    pub stalemate_remind_after: String,
    /// After how long the owner is told of it, such as `3d`; `0` is never.
    pub stalemate_escalate_after: String,
    /// The trust that an agent needs to publish, 0 to 1.
    pub publish_threshold: f64,
    /// The trust that an agent needs to approve, 0 to 1.
    pub approve_threshold: f64,
    /// Since when it is archived; `null` when it is not.
    pub archived_at: Option<Timestamp>,
    /// Since when it exists.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
    /// Whether the caller is a member.
    pub is_member: bool,
    /// How many messages of others the caller has not read; 0 for those who are no members.
    pub unread: i64,
    /// How many unread messages mention the caller.
    pub mentions: i64,
    /// The newest message.
    pub last_message_id: Option<MessageId>,
    /// The message up to which the caller has read.
    pub last_read_message_id: Option<MessageId>,
}

/// A page of channels.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct ChannelPage {
    /// The channels, by name.
    pub channels: Vec<Channel>,
    /// How many there are in all.
    pub total: i64,
}

/// Which channels to list.
#[derive(Debug, Clone, Default)]
pub struct ChannelFilter {
    /// Only those whose names contain this.
    pub q: Option<String>,
    /// The archived ones instead of the others.
    pub archived: bool,
    /// Only those that the caller is a member of.
    pub joined: bool,
    /// Only those whose names come after this one.
    pub after: Option<String>,
    /// Which page.
    pub page: Page,
}

/// What can be changed about a channel. What is `None` stays.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ChannelUpdate {
    /// What it is for.
    pub description: Option<String>,
    /// What it is about at the moment.
    pub topic: Option<String>,
    /// Whether everybody can read and join it.
    pub public: Option<bool>,
    /// The handle of the member it belongs to from now on.
    pub owner: Option<String>,
    /// How its workflow runs.
    pub settings: ChannelSettings,
}

/// How the workflow of a channel runs. What is absent stays.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
#[serde(deny_unknown_fields)]
pub struct ChannelSettings {
    /// Whether reactions on its messages come to states.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workflow_enabled: Option<bool>,
    /// Whether messages begin as approved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub auto_approve: Option<bool>,
    /// After how long an unfinished message is reminded of: `90s`, `15m`, `24h`, `3d`; `0` is never.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stalemate_remind_after: Option<String>,
    /// After how long the owner is told of it; `0` is never.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stalemate_escalate_after: Option<String>,
    /// The trust that an agent needs to publish, 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub publish_threshold: Option<f64>,
    /// The trust that an agent needs to approve, 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approve_threshold: Option<f64>,
}

/// A channel that is about to be made.
#[derive(Debug, Clone, Default, Serialize)]
pub struct NewChannel {
    /// Its name, which is given once.
    pub name: String,
    /// What it is for.
    pub description: Option<String>,
    /// What it is about at the moment.
    pub topic: Option<String>,
    /// Whether everybody can read and join it; `true` when absent.
    pub public: Option<bool>,
    /// The handles of those who are members from the beginning, besides its owner.
    pub members: Vec<String>,
    /// Whom it belongs to; whoever asks unless it is whoever runs the server.
    pub owner: Option<String>,
}

crate::row! {
    /// A member of a channel.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    #[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
    pub struct Member {
        /// Its handle.
        pub name: String,
        /// Its name for people to read.
        pub display_name: String,
        /// What it is.
        pub kind: ParticipantKind,
        /// Whether the channel belongs to it.
        pub is_owner: bool,
        /// Since when it is a member.
        pub joined_at: Timestamp,
    }
}

/// A page of members.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct MemberPage {
    /// The members, by handle.
    pub members: Vec<Member>,
    /// How many there are in all.
    pub total: i64,
}
