//! The SQL of notifications. All statements start from the memberships and cursors of one
//! participant.

pub(crate) mod mentions;
mod settings;

use svc_model::participants::ParticipantKind;

pub(crate) use settings::{Place, SettingsRow, hold_settings, level, levels, remove_all_of, settings};
pub(super) use settings::{count_levels, save, set_level};

use crate::error::Result;
use crate::ids::{ChannelId, ConversationId, MessageId, ParticipantId};
use crate::messaging::messages::store::{in_conversation, newest_letter, unread_count, unread_mentions};
use crate::messaging::messages::viewer::{Viewer, visible_channel};
use crate::store::db::{Tx, placeholders};
use crate::timestamp::Timestamp;

/// Characters of a body that are read for its preview.
const PREVIEW_SOURCE: u32 = 2000;

const CHANNELS: &str = concat!(
    "SELECT c.name, ",
    unread_count!("v"),
    " AS unread, ",
    unread_mentions!("$2"),
    " AS mentions,
            (SELECT max(m.id) FROM messages m WHERE m.conversation_id = v.id) AS last_message_id,
            nullif(r.message_id, 0) AS last_read_message_id, v.last_message_at
       FROM channel_members me
       JOIN channels c ON c.id = me.channel_id
       JOIN conversations v ON v.channel_id = c.id
       JOIN read_cursors r ON r.participant_id = me.participant_id AND r.conversation_id = v.id
       LEFT JOIN mention_cursors k ON k.participant_id = me.participant_id AND k.channel_id = c.id
      WHERE me.participant_id = $2 AND c.archived_at IS NULL AND ",
    visible_channel!(),
    " ORDER BY v.last_message_at DESC, c.id
      LIMIT $5"
);

/// The number of unread copies of messages in open channels of which the reader, an agent, is a member: for a person they
/// are no direct messages. All copies between two participants are in their conversation without a subject.
macro_rules! mention_copies {
    ($reader:literal, $low:literal, $high:literal) => {
        concat!(
            "(SELECT count(*)
                FROM agents reader
                JOIN conversations cv ON cv.low_id = ",
            $low,
            " AND cv.high_id = ",
            $high,
            " AND cv.subject = '' AND cv.low_id IS NOT NULL
                JOIN read_cursors cr ON cr.participant_id = reader.id AND cr.conversation_id = cv.id
                JOIN messages m ON m.recipient_id = reader.id AND m.conversation_id = cv.id AND m.id > cr.message_id
                    AND m.mention_of IS NOT NULL AND m.deleted_at IS NULL
                JOIN channel_members cm ON cm.channel_id = m.mention_channel_id AND cm.participant_id = reader.id
                JOIN channels mc ON mc.id = cm.channel_id AND mc.archived_at IS NULL
               WHERE reader.id = ",
            $reader,
            ")"
        )
    };
}
pub(crate) use mention_copies;

/// All subjects of two participants form one row. The newest message and the copies are only looked
/// up for the returned rows. Conversations that hold nothing but notifications of mentions are left out.
const PAIRS: &str = concat!(
    "
    SELECT p.handle AS name, p.display_name, p.kind, t.unread, nullif(t.read_id, 0) AS last_read_message_id,
           t.last_message_at,
           CASE WHEN t.unread = 0 THEN 0 ELSE ",
    mention_copies!("$1", "t.low_id", "t.high_id"),
    " END AS mention_copies,
           (SELECT max(",
    newest_letter!("w"),
    ")
              FROM conversations w
             WHERE w.low_id = t.low_id AND w.high_id = t.high_id) AS last_message_id,
           CASE WHEN t.unread > 0 THEN
             (SELECT max((SELECT letter.id
                            FROM messages letter
                           WHERE letter.conversation_id = w.id AND letter.recipient_id IS NOT NULL
                             AND letter.id > lr.message_id AND letter.sender_id <> $1 AND letter.deleted_at IS NULL
                             AND ",
    in_conversation!("letter"),
    "                      ORDER BY letter.id DESC
                           LIMIT 1))
                FROM conversations w
                JOIN read_cursors lr ON lr.conversation_id = w.id AND lr.participant_id = $1
               WHERE w.low_id = t.low_id AND w.high_id = t.high_id) END AS last_unread_id
      FROM (SELECT v.low_id, v.high_id, CAST(sum(",
    unread_count!("v"),
    ") AS BIGINT) AS unread,
                   max(r.message_id) AS read_id, max(v.last_message_at) AS last_message_at
              FROM read_cursors r
              JOIN conversations v ON v.id = r.conversation_id
             WHERE r.participant_id = $1 AND v.low_id IS NOT NULL AND ",
    newest_letter!("v"),
    " IS NOT NULL
             GROUP BY v.low_id, v.high_id
             ORDER BY max(v.last_message_at) DESC, max(v.id) DESC
             LIMIT $2) t
      JOIN participants p ON p.id = CASE WHEN t.low_id = $1 THEN t.high_id ELSE t.low_id END
     ORDER BY t.last_message_at DESC, last_message_id DESC"
);

/// The conversations of two participants with unread messages for the reader.
const PAIR: &str = "
    SELECT v.id
      FROM conversations v
      JOIN read_cursors r ON r.conversation_id = v.id AND r.participant_id = $3
     WHERE v.low_id = $1 AND v.high_id = $2 AND v.message_count > r.position
     ORDER BY v.id";

const UP_TO: &str = "
    SELECT m.id, m.position
      FROM messages m
     WHERE m.conversation_id = $1 AND m.id <= $2
     ORDER BY m.id DESC
     LIMIT 1";

const OWN_BETWEEN: &str = "
    SELECT count(*)
      FROM messages m
     WHERE m.conversation_id = $1 AND m.id > $2 AND m.id <= $3 AND m.sender_id = $4";

const CURSOR: &str = "
    SELECT r.message_id, r.position, r.own_after, v.message_count
      FROM read_cursors r
      JOIN conversations v ON v.id = r.conversation_id
     WHERE r.participant_id = $1 AND r.conversation_id = $2";

/// SQL statements over growing tables, by name, for the query-plan test.
pub(crate) const LISTED: &[(&str, &str)] = &[
    ("notifications.channels", CHANNELS),
    ("notifications.elsewhere", mentions::ELSEWHERE),
    ("mentions.before", mentions::BEFORE),
    ("mentions.unread", mentions::UNREAD),
    ("notifications.pairs", PAIRS),
    ("notifications.pair", PAIR),
    ("notifications.up_to", UP_TO),
    ("notifications.own_between", OWN_BETWEEN),
    ("notifications.cursor", CURSOR),
    ("notifications.levels", settings::LEVELS),
];

crate::row! {
    pub(super) struct ChannelRow {
        pub(super) name: String,
        pub(super) unread: i64,
        pub(super) mentions: i64,
        pub(super) last_message_id: Option<MessageId>,
        pub(super) last_read_message_id: Option<MessageId>,
        pub(super) last_message_at: Timestamp,
    }
}

/// The channels of which the viewer is a member, latest first.
pub(super) async fn channels(tx: &mut Tx, viewer: &Viewer, limit: u32) -> Result<Vec<ChannelRow>> {
    viewer.bind(tx.query(CHANNELS)).bind(limit).fetch_all().await
}

crate::row! {
    pub(super) struct PairRow {
        pub(super) name: String,
        pub(super) display_name: String,
        pub(super) kind: ParticipantKind,
        pub(super) unread: i64,
        pub(super) last_read_message_id: Option<MessageId>,
        pub(super) last_message_at: Timestamp,
        pub(super) mention_copies: i64,
        pub(super) last_message_id: Option<MessageId>,
        pub(super) last_unread_id: Option<MessageId>,
    }
}

/// The direct conversation partners of a participant, latest first.
pub(super) async fn pairs(tx: &mut Tx, participant: ParticipantId, limit: u32) -> Result<Vec<PairRow>> {
    tx.query(PAIRS).bind(participant).bind(limit).fetch_all().await
}

/// The beginnings of message bodies, with the times of the messages.
pub(super) async fn beginnings(tx: &mut Tx, ids: &[MessageId]) -> Result<Vec<(MessageId, String, Timestamp)>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let text = format!(
        "SELECT id, substr(body, 1, {PREVIEW_SOURCE}), created_at FROM messages WHERE id IN ({})",
        placeholders(1, ids.len())
    );
    ids.iter().fold(tx.query(text), |query, id| query.bind(*id)).fetch_all().await
}

crate::row! {
    /// A visible channel, and whether the viewer is a member.
    pub(super) struct VisibleChannel {
        pub(super) id: ChannelId,
        pub(super) name: String,
        pub(super) conversation_id: ConversationId,
        pub(super) is_member: bool,
    }
}

pub(super) async fn channel(tx: &mut Tx, viewer: &Viewer, name: &str) -> Result<Option<VisibleChannel>> {
    let text = concat!(
        "SELECT c.id, c.name, v.id AS conversation_id,
                EXISTS (SELECT 1 FROM channel_members me
                         WHERE me.channel_id = c.id AND me.participant_id = $2) AS is_member
           FROM channels c
           JOIN conversations v ON v.channel_id = c.id
          WHERE c.name = $5 AND ",
        visible_channel!()
    );
    viewer.bind(tx.query(text)).bind(name).fetch_optional().await
}

/// The id of a visible channel.
pub(super) async fn channel_id(tx: &mut Tx, viewer: &Viewer, name: &str) -> Result<Option<ChannelId>> {
    let text = concat!("SELECT c.id FROM channels c WHERE c.name = $5 AND ", visible_channel!());
    let found: Option<(ChannelId,)> = viewer.bind(tx.query(text)).bind(name).fetch_optional().await?;
    Ok(found.map(|(id,)| id))
}

/// The conversations of two participants about all subjects.
pub(super) async fn conversations_of(
    tx: &mut Tx,
    reader: ParticipantId,
    other: ParticipantId,
) -> Result<Vec<ConversationId>> {
    let pair = tx.query(PAIR).bind(reader.min(other)).bind(reader.max(other)).bind(reader);
    let rows: Vec<(ConversationId,)> = pair.fetch_all().await?;
    Ok(rows.into_iter().map(|(id,)| id).collect())
}

crate::row! {
    /// The read cursor of a participant in a conversation.
    pub(super) struct Cursor {
        pub(super) message_id: MessageId,
        pub(super) position: i64,
        pub(super) own_after: i64,
        pub(super) message_count: i64,
    }
}

/// Locks the cursor for this transaction. A message that its participant sends meanwhile waits,
/// because it is counted there.
pub(super) async fn locked_cursor(
    tx: &mut Tx,
    participant: ParticipantId,
    conversation: ConversationId,
) -> Result<Option<Cursor>> {
    tx.query("UPDATE read_cursors SET updated_at = updated_at WHERE participant_id = $1 AND conversation_id = $2")
        .bind(participant)
        .bind(conversation)
        .execute()
        .await?;
    tx.query(CURSOR).bind(participant).bind(conversation).fetch_optional().await
}

/// The newest message of a conversation up to this one, and its position.
pub(super) async fn up_to(
    tx: &mut Tx,
    conversation: ConversationId,
    message: MessageId,
) -> Result<Option<(MessageId, i64)>> {
    tx.query(UP_TO).bind(conversation).bind(message).fetch_optional().await
}

/// The number of messages by a sender in the range after `after` up to `through`.
pub(super) async fn own_between(
    tx: &mut Tx,
    conversation: ConversationId,
    (after, through): (MessageId, MessageId),
    sender: ParticipantId,
) -> Result<i64> {
    tx.query(OWN_BETWEEN).bind(conversation).bind(after).bind(through).bind(sender).fetch_value().await
}

/// Moves the cursor forward. Returns whether it moved.
pub(super) async fn advance(
    tx: &mut Tx,
    participant: ParticipantId,
    conversation: ConversationId,
    (message, position, own_after): (MessageId, i64, i64),
) -> Result<bool> {
    let now = tx.now();
    let moved = tx
        .query(
            "UPDATE read_cursors
                SET message_id = $3, position = $4, own_after = $5, updated_at = $6,
                    offered_id = CASE WHEN offered_id < $3 THEN $3 ELSE offered_id END
              WHERE participant_id = $1 AND conversation_id = $2 AND message_id < $3",
        )
        .bind(participant)
        .bind(conversation)
        .bind(message)
        .bind(position)
        .bind(own_after)
        .bind(now)
        .execute()
        .await?;
    Ok(moved == 1)
}
