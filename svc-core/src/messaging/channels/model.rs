//! What a channel is.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::ids::{ChannelId, MessageId};
use crate::page::Page;
use crate::spans;
use crate::timestamp::Timestamp;

/// What the store counts where people write 0 to 1.
pub(super) const MILLION: f64 = 1_000_000.0;

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

crate::row! {
    /// A channel as it is stored.
    pub(super) struct ChannelRow {
        id: ChannelId,
        name: String,
        description: String,
        topic: String,
        public: bool,
        owner: String,
        member_count: i64,
        workflow_enabled: bool,
        auto_approve: bool,
        stalemate_remind_after: i64,
        stalemate_escalate_after: i64,
        publish_threshold: i64,
        approve_threshold: i64,
        archived_at: Option<Timestamp>,
        created_at: Timestamp,
        updated_at: Timestamp,
        is_member: bool,
        unread: i64,
        mentions: i64,
        last_message_id: Option<MessageId>,
        last_read_message_id: Option<MessageId>,
    }
}

impl From<ChannelRow> for Channel {
    fn from(row: ChannelRow) -> Self {
        Self {
            id: row.id,
            name: row.name,
            description: row.description,
            topic: row.topic,
            public: row.public,
            owner: row.owner,
            member_count: row.member_count,
            workflow_enabled: row.workflow_enabled,
            auto_approve: row.auto_approve,
            stalemate_remind_after: span(row.stalemate_remind_after),
            stalemate_escalate_after: span(row.stalemate_escalate_after),
            publish_threshold: share(row.publish_threshold),
            approve_threshold: share(row.approve_threshold),
            archived_at: row.archived_at,
            created_at: row.created_at,
            updated_at: row.updated_at,
            is_member: row.is_member,
            unread: row.unread,
            mentions: row.mentions,
            last_message_id: row.last_message_id,
            last_read_message_id: row.last_read_message_id,
        }
    }
}

fn span(seconds: i64) -> String {
    spans::print(Duration::from_secs(u64::try_from(seconds).unwrap_or(0)))
}

#[expect(clippy::cast_precision_loss, reason = "a million is far below what a double counts exactly")]
fn share(millionths: i64) -> f64 {
    millionths as f64 / MILLION
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
