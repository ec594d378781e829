//! The SQL of mentions: the messages that notify a participant of them, and how far a person has read those in channels
//! of which they are no member.

use svc_model::participants::ParticipantKind;

use super::ChannelRow;
use crate::error::Result;
use crate::ids::{ChannelId, ConversationId, MessageId, ParticipantId, UserId};
use crate::limits;
use crate::messaging::messages::store::unread_mentions;
use crate::messaging::messages::viewer::{Viewer, visible_channel};
use crate::store::db::Tx;
use crate::timestamp::Timestamp;

/// The channels of which a person is no member and in which they were mentioned.
pub(super) const ELSEWHERE: &str = concat!(
    "SELECT c.name, CAST(0 AS BIGINT) AS unread, ",
    unread_mentions!("$2"),
    " AS mentions,
            (SELECT max(m.id) FROM messages m WHERE m.conversation_id = v.id) AS last_message_id,
            nullif(k.read_id, 0) AS last_read_message_id, v.last_message_at
       FROM mention_cursors k
       JOIN channels c ON c.id = k.channel_id
       JOIN conversations v ON v.channel_id = c.id
       LEFT JOIN read_cursors r ON r.participant_id = k.participant_id AND r.conversation_id = v.id
      WHERE k.participant_id = $2 AND r.participant_id IS NULL AND c.archived_at IS NULL AND ",
    visible_channel!(),
    " ORDER BY v.last_message_at DESC, c.id
      LIMIT $5"
);

/// The columns of [`MentionRow`] for the viewer's own mentions, followed by the joins of the statement and its conditions.
/// The text is that of the message itself, `o`: the copy `m` does not follow edits while its reader cannot see the channel.
macro_rules! select_mentions {
    ($($rest:expr),+ $(,)?) => {
        concat!(
            "SELECT m.id AS copy_id, m.offered_at, m.mention_of, c.name AS channel, s.handle AS sender, s.kind,
                    substr(coalesce(o.body, m.body), 1, CAST($7 AS INTEGER)) AS beginning, m.created_at,
                    (c.archived_at IS NULL
                     AND m.mention_of > coalesce(r.message_id, k.read_id, m.mention_of)) AS is_unread ",
            $($rest),+
        )
    };
}

/// SQL joins: how far the viewer has read a channel `c`, with its conversation `v`.
macro_rules! with_cursors {
    () => {
        " LEFT JOIN read_cursors r ON r.participant_id = $2 AND r.conversation_id = v.id
          LEFT JOIN mention_cursors k ON k.participant_id = $2 AND k.channel_id = c.id "
    };
}

pub(super) const BEFORE: &str = select_mentions!(
    "FROM messages m
     JOIN participants s ON s.id = m.sender_id
     JOIN channels c ON c.id = m.mention_channel_id
     JOIN conversations v ON v.channel_id = c.id
     LEFT JOIN messages o ON o.id = m.mention_of",
    with_cursors!(),
    "WHERE m.recipient_id = $2 AND m.mention_of IS NOT NULL AND m.mention_of < $5 AND m.deleted_at IS NULL
       AND (r.participant_id IS NOT NULL OR m.mention_of > coalesce(k.left_id, 0))
       AND ",
    visible_channel!(),
    " ORDER BY m.mention_of DESC
      LIMIT $6"
);

/// The unread ones, found by channel: their cost depends on their own number, not on that of all mentions.
pub(super) const UNREAD: &str = select_mentions!(
    "FROM (SELECT rc.conversation_id AS id FROM read_cursors rc WHERE rc.participant_id = $2
            UNION
           SELECT w.id
             FROM mention_cursors mk
             JOIN conversations w ON w.channel_id = mk.channel_id
            WHERE mk.participant_id = $2) known
     JOIN conversations v ON v.id = known.id
     JOIN channels c ON c.id = v.channel_id",
    with_cursors!(),
    "JOIN messages m ON m.recipient_id = $2 AND m.mention_channel_id = c.id AND m.mention_of IS NOT NULL
                    AND m.mention_of > coalesce(r.message_id, k.read_id)
     JOIN participants s ON s.id = m.sender_id
     LEFT JOIN messages o ON o.id = m.mention_of
    WHERE m.mention_of < $5 AND m.deleted_at IS NULL AND c.archived_at IS NULL AND ",
    visible_channel!(),
    " ORDER BY m.mention_of DESC
      LIMIT $6"
);

crate::row! {
    /// A mention of the viewer.
    pub(in crate::messaging::notifications) struct MentionRow {
        /// The direct message that notifies of it.
        pub(in crate::messaging::notifications) copy_id: MessageId,
        pub(in crate::messaging::notifications) offered_at: Option<Timestamp>,
        pub(in crate::messaging::notifications) mention_of: MessageId,
        pub(in crate::messaging::notifications) channel: String,
        pub(in crate::messaging::notifications) sender: String,
        pub(in crate::messaging::notifications) kind: ParticipantKind,
        /// One character more than is shown, if there is one.
        pub(in crate::messaging::notifications) beginning: String,
        pub(in crate::messaging::notifications) created_at: Timestamp,
        pub(in crate::messaging::notifications) is_unread: bool,
    }
}

/// The newest mentions of the viewer before a message, in channels that it can see.
pub(in crate::messaging::notifications) async fn before(
    tx: &mut Tx,
    viewer: &Viewer,
    before: MessageId,
    unread: bool,
    limit: u32,
) -> Result<Vec<MentionRow>> {
    let text = if unread { UNREAD } else { BEFORE };
    let beginning = i64::try_from(limits::MENTION_TEXT_MAX + 1).unwrap_or(i64::MAX);
    viewer.bind(tx.query(text)).bind(before).bind(limit).bind(beginning).fetch_all().await
}

/// The channels with unread mentions of the viewer of which it is no member, latest first.
pub(in crate::messaging::notifications) async fn elsewhere(
    tx: &mut Tx,
    viewer: &Viewer,
    limit: u32,
) -> Result<Vec<ChannelRow>> {
    let mut rows: Vec<ChannelRow> = viewer.bind(tx.query(ELSEWHERE)).bind(limit).fetch_all().await?;
    rows.retain(|row| row.mentions > 0);
    Ok(rows)
}

/// Begins to follow the mentions of a person in a channel, unless they are a member. Earlier ones are read.
pub(crate) async fn start(tx: &mut Tx, person: ParticipantId, channel: ChannelId, message: MessageId) -> Result<()> {
    let now = tx.now();
    tx.query(
        "INSERT INTO mention_cursors (participant_id, channel_id, read_id, left_id, updated_at)
         SELECT u.id, $2, $3 - 1, 0, $4
           FROM users u
          WHERE u.id = $1
            AND NOT EXISTS (SELECT 1 FROM channel_members cm WHERE cm.channel_id = $2 AND cm.participant_id = $1)
         ON CONFLICT DO NOTHING",
    )
    .bind(person)
    .bind(channel)
    .bind(message)
    .bind(now)
    .execute()
    .await?;
    Ok(())
}

/// Takes the mentions in a channel away from a person who leaves it. An agent that leaves keeps them in its inbox.
pub(crate) async fn leave(
    tx: &mut Tx,
    leaver: ParticipantId,
    channel: ChannelId,
    conversation: ConversationId,
) -> Result<()> {
    let now = tx.now();
    tx.query(
        "INSERT INTO mention_cursors (participant_id, channel_id, read_id, left_id, updated_at)
         SELECT u.id, $2, newest.id, newest.id, $4
           FROM users u, (SELECT coalesce(max(m.id), 0) AS id FROM messages m WHERE m.conversation_id = $3) newest
          WHERE u.id = $1
         ON CONFLICT (participant_id, channel_id)
         DO UPDATE SET read_id = excluded.read_id, left_id = excluded.left_id, updated_at = excluded.updated_at",
    )
    .bind(leaver)
    .bind(channel)
    .bind(conversation)
    .bind(now)
    .execute()
    .await?;
    Ok(())
}

/// Whether mentions of a person in a channel are followed although they are no member.
pub(in crate::messaging::notifications) async fn are_followed(
    tx: &mut Tx,
    person: ParticipantId,
    channel: ChannelId,
) -> Result<bool> {
    let found: i64 = tx
        .query("SELECT count(*) FROM mention_cursors WHERE participant_id = $1 AND channel_id = $2")
        .bind(person)
        .bind(channel)
        .fetch_value()
        .await?;
    Ok(found > 0)
}

/// Marks the mentions up to a message as read. Returns whether the cursor has moved.
pub(in crate::messaging::notifications) async fn read(
    tx: &mut Tx,
    person: ParticipantId,
    channel: ChannelId,
    through: MessageId,
) -> Result<bool> {
    let now = tx.now();
    let moved = tx
        .query(
            "UPDATE mention_cursors SET read_id = $3, updated_at = $4
              WHERE participant_id = $1 AND channel_id = $2 AND read_id < $3",
        )
        .bind(person)
        .bind(channel)
        .bind(through)
        .bind(now)
        .execute()
        .await?;
    Ok(moved == 1)
}

/// Removes what is kept for a user.
pub(super) async fn remove_all_of(tx: &mut Tx, user: UserId) -> Result<()> {
    tx.query("DELETE FROM mention_cursors WHERE participant_id = $1").bind(user).execute().await?;
    Ok(())
}
