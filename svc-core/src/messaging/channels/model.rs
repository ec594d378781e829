//! Channels as they are stored.

use std::time::Duration;

use svc_model::channels::Channel;

use crate::ids::{ChannelId, MessageId};
use crate::spans;
use crate::timestamp::Timestamp;

/// The store keeps shares from 0 to 1 in millionths.
pub(super) const MILLION: f64 = 1_000_000.0;

crate::row! {
    /// A channel row.
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

#[expect(clippy::cast_precision_loss, reason = "a million fits exactly into a double")]
fn share(millionths: i64) -> f64 {
    millionths as f64 / MILLION
}
