//! The users who are told of a message, and the message as they are told of it.

use serde_json::Value;
use svc_model::conversations::ConversationKind;
use svc_model::participants::ParticipantKind;
use svc_model::reactions::WorkflowState;

use super::subscriptions::{bind_times, in_force};
use crate::column::Json;
use crate::error::Result;
use crate::ids::{ChannelId, EventSeq, MessageId, ParticipantId, PushSubscriptionId, UserId};
use crate::messaging::messages::viewer::{Viewer, visible_message};
use crate::store::db::Tx;
use crate::timestamp::Timestamp;

pub(super) const MEMBERS: &str = "
    SELECT me.participant_id
      FROM channel_members me
     WHERE me.channel_id = $1 AND me.participant_id > $2
       AND EXISTS (SELECT 1 FROM push_subscriptions s WHERE s.user_id = me.participant_id AND s.after_event < $3)
     ORDER BY me.participant_id
     LIMIT $4";

/// The members of a channel who have a browser that is told of this event, after a user.
pub(in crate::insight::push) async fn members(
    tx: &mut Tx,
    channel: ChannelId,
    after: UserId,
    event: EventSeq,
    limit: u32,
) -> Result<Vec<UserId>> {
    let rows: Vec<(UserId,)> = tx.query(MEMBERS).bind(channel).bind(after).bind(event).bind(limit).fetch_all().await?;
    Ok(rows.into_iter().map(|(user,)| user).collect())
}

pub(super) const LISTENERS: &str = "
    SELECT l.user_id
      FROM attention_levels l
     WHERE l.channel_id = $1 AND l.channel_id IS NOT NULL AND l.level = 'all' AND l.user_id > $2
       AND EXISTS (SELECT 1 FROM channel_members me
                    WHERE me.channel_id = l.channel_id AND me.participant_id = l.user_id)
       AND EXISTS (SELECT 1 FROM push_subscriptions s WHERE s.user_id = l.user_id AND s.after_event < $3)
     ORDER BY l.user_id
     LIMIT $4";

/// The members of a channel who want to be told of each of its messages.
pub(in crate::insight::push) async fn listeners(
    tx: &mut Tx,
    channel: ChannelId,
    after: UserId,
    event: EventSeq,
    limit: u32,
) -> Result<Vec<UserId>> {
    let rows: Vec<(UserId,)> =
        tx.query(LISTENERS).bind(channel).bind(after).bind(event).bind(limit).fetch_all().await?;
    Ok(rows.into_iter().map(|(user,)| user).collect())
}

pub(super) const TOLD: &str = concat!(
    "SELECT s.id, s.endpoint
       FROM push_subscriptions s
       JOIN users u ON u.id = s.user_id
      WHERE s.user_id = $1 AND s.after_event < $4 AND u.disabled_at IS NULL AND ",
    in_force!(),
    " ORDER BY s.id"
);

/// The browsers of a user that are told of an event, with the URLs of their push services.
pub(in crate::insight::push) async fn told(
    tx: &mut Tx,
    user: UserId,
    event: EventSeq,
) -> Result<Vec<(PushSubscriptionId, String)>> {
    let now = tx.now();
    bind_times(tx.query(TOLD).bind(user), now).bind(event).fetch_all().await
}

/// The last user who was told of an event that has more users than one transaction tells.
#[derive(Debug, Clone, Copy)]
pub(in crate::insight::push) struct Place {
    pub(in crate::insight::push) event_seq: EventSeq,
    pub(in crate::insight::push) user_id: UserId,
}

pub(in crate::insight::push) async fn place(tx: &mut Tx) -> Result<Place> {
    let (event_seq, user_id) = tx.query("SELECT event_seq, user_id FROM push_place WHERE id = 1").fetch_one().await?;
    Ok(Place { event_seq, user_id })
}

pub(in crate::insight::push) async fn set_place(tx: &mut Tx, place: Place) -> Result<()> {
    tx.query("UPDATE push_place SET event_seq = $1, user_id = $2 WHERE id = 1")
        .bind(place.event_seq)
        .bind(place.user_id)
        .execute()
        .await?;
    Ok(())
}

crate::row! {
    /// A message as a notification shows it.
    #[derive(Debug, Clone)]
    pub(in crate::insight::push) struct MessageRow {
        pub(in crate::insight::push) id: MessageId,
        pub(in crate::insight::push) body: String,
        pub(in crate::insight::push) metadata: Json<Value>,
        pub(in crate::insight::push) sender_id: ParticipantId,
        pub(in crate::insight::push) sender: String,
        pub(in crate::insight::push) sender_name: String,
        pub(in crate::insight::push) sender_kind: ParticipantKind,
        pub(in crate::insight::push) channel_id: Option<ChannelId>,
        pub(in crate::insight::push) channel: Option<String>,
        pub(in crate::insight::push) mention_of: Option<MessageId>,
        pub(in crate::insight::push) mention_channel_id: Option<ChannelId>,
        pub(in crate::insight::push) mention_channel: Option<String>,
        pub(in crate::insight::push) workflow_state: Option<WorkflowState>,
        pub(in crate::insight::push) created_at: Timestamp,
        /// Whether the user has read it; a notification of a mention is read with the message that has it.
        pub(in crate::insight::push) is_read: bool,
    }
}

impl MessageRow {
    /// The conversation in which the user reads the message: that of a mention is its channel.
    pub(in crate::insight::push) fn conversation(&self) -> (ConversationKind, &str, MessageId) {
        match (&self.channel, &self.mention_channel, self.mention_of) {
            (Some(channel), _, _) => (ConversationKind::Channel, channel, self.id),
            (None, Some(channel), Some(message)) => (ConversationKind::Channel, channel, message),
            _ => (ConversationKind::Dm, &self.sender, self.id),
        }
    }
}

/// A message, if the user can see it and it is not deleted.
pub(in crate::insight::push) async fn message(tx: &mut Tx, user: UserId, id: MessageId) -> Result<Option<MessageRow>> {
    let text = concat!(
        "SELECT m.id, substr(m.body, 1, 2000) AS body, m.metadata, m.sender_id, p.handle AS sender,
                p.display_name AS sender_name, p.kind AS sender_kind, m.channel_id, c.name AS channel, m.mention_of,
                m.mention_channel_id, mc.name AS mention_channel,
                CASE WHEN c.workflow_enabled THEN m.workflow_state END AS workflow_state, m.created_at,
                EXISTS (SELECT 1 FROM read_cursors r
                         WHERE r.participant_id = $2 AND r.conversation_id = m.conversation_id
                           AND r.message_id >= m.id AND m.mention_of IS NULL)
                OR EXISTS (SELECT 1 FROM mention_cursors k
                            WHERE k.participant_id = $2 AND k.channel_id = m.mention_channel_id
                              AND k.read_id >= m.mention_of)
                OR EXISTS (SELECT 1 FROM messages o
                             JOIN read_cursors r ON r.participant_id = $2 AND r.conversation_id = o.conversation_id
                            WHERE o.id = m.mention_of AND r.message_id >= o.id) AS is_read
           FROM messages m
           JOIN participants p ON p.id = m.sender_id
           LEFT JOIN channels c ON c.id = m.channel_id
           LEFT JOIN channels mc ON mc.id = m.mention_channel_id
          WHERE m.id = $5 AND m.deleted_at IS NULL AND ",
        visible_message!()
    );
    Viewer::user(user).bind(tx.query(text)).bind(id).fetch_optional().await
}

/// Whether a message waits for an approval in a channel with a workflow.
pub(in crate::insight::push) async fn is_proposed(tx: &mut Tx, id: MessageId) -> Result<bool> {
    let found: Option<(i64,)> = tx
        .query(
            "SELECT 1 FROM messages m JOIN channels c ON c.id = m.channel_id
              WHERE m.id = $1 AND c.workflow_enabled AND m.workflow_state = 'proposed'",
        )
        .bind(id)
        .fetch_optional()
        .await?;
    Ok(found.is_some())
}
