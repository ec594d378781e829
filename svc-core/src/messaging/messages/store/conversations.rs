//! The SQL of conversations: the groups that messages belong to, and the order of the messages in them.

use crate::error::Result;
use crate::ids::{ChannelId, ConversationId, MessageId, ParticipantId};
use crate::store::db::Tx;

const FIND_DIRECT: &str = "
    SELECT id
      FROM conversations
     WHERE low_id = $1 AND high_id = $2 AND subject = $3 AND low_id IS NOT NULL";

/// The conversation of two participants about a subject; created if it does not exist.
pub(crate) async fn direct(
    tx: &mut Tx,
    one: ParticipantId,
    other: ParticipantId,
    subject: &str,
) -> Result<ConversationId> {
    let (low, high) = if one <= other { (one, other) } else { (other, one) };
    let find = tx.query(FIND_DIRECT).bind(low).bind(high).bind(subject).fetch_optional::<(ConversationId,)>();
    if let Some((id,)) = find.await? {
        return Ok(id);
    }
    let now = tx.now();
    // If another transaction has just created it, this waits for that transaction and finds its
    // row.
    tx.query(
        "INSERT INTO conversations (low_id, high_id, subject, message_count, last_message_at, created_at)
         VALUES ($1, $2, $3, 0, $4, $4)
         ON CONFLICT DO NOTHING",
    )
    .bind(low)
    .bind(high)
    .bind(subject)
    .bind(now)
    .execute()
    .await?;
    let id = tx.query(FIND_DIRECT).bind(low).bind(high).bind(subject).fetch_value().await?;
    for participant in [low, high] {
        start_cursor(tx, participant, id).await?;
    }
    Ok(id)
}

/// Creates the conversation of a new channel.
pub(crate) async fn of_channel(tx: &mut Tx, channel: ChannelId) -> Result<ConversationId> {
    let now = tx.now();
    tx.query(
        "INSERT INTO conversations (channel_id, subject, message_count, last_message_at, created_at)
         VALUES ($1, '', 0, $2, $2)",
    )
    .bind(channel)
    .bind(now)
    .insert("id")
    .await
}

/// Locks the conversation for this transaction and counts one more message in it.
pub(in crate::messaging::messages) async fn advance(tx: &mut Tx, id: ConversationId) -> Result<()> {
    let now = tx.now();
    tx.query(
        "UPDATE conversations
            SET message_count = message_count + 1,
                last_message_at = CASE WHEN last_message_at < $2 THEN $2 ELSE last_message_at END
          WHERE id = $1",
    )
    .bind(id)
    .bind(now)
    .execute()
    .await?;
    Ok(())
}

/// Like [`advance`], for a message that the conversation does not show: it is no later activity.
pub(in crate::messaging::messages) async fn advance_unseen(tx: &mut Tx, id: ConversationId) -> Result<()> {
    tx.query("UPDATE conversations SET message_count = message_count + 1 WHERE id = $1").bind(id).execute().await?;
    Ok(())
}

/// Moves a read cursor past the newest message, which its conversation does not show, if nothing else is unread between
/// the two, about any subject. So such messages do not pile up after cursors, where they would have to be counted.
pub(in crate::messaging::messages) async fn pass_unseen(
    tx: &mut Tx,
    participant: ParticipantId,
    id: ConversationId,
    newest: MessageId,
) -> Result<()> {
    tx.query(
        "UPDATE read_cursors
            SET message_id = $3, position = position + own_after + 1, own_after = 0,
                offered_id = CASE WHEN offered_id < $3 THEN $3 ELSE offered_id END
          WHERE participant_id = $1 AND conversation_id = $2
            AND position + own_after + 1 = (SELECT v.message_count FROM conversations v WHERE v.id = $2)
            AND NOT EXISTS (SELECT 1
                              FROM conversations v
                              JOIN conversations w ON w.low_id = v.low_id AND w.high_id = v.high_id AND w.id <> v.id
                              JOIN read_cursors o ON o.conversation_id = w.id AND o.participant_id = $1
                             WHERE v.id = $2 AND w.message_count > o.position + o.own_after)",
    )
    .bind(participant)
    .bind(id)
    .bind(newest)
    .execute()
    .await?;
    Ok(())
}

/// Starts the read cursor of a participant at the end of a conversation: earlier messages are not
/// unread.
pub(crate) async fn start_cursor(tx: &mut Tx, participant: ParticipantId, id: ConversationId) -> Result<()> {
    let now = tx.now();
    tx.query(
        "INSERT INTO read_cursors
            (participant_id, conversation_id, message_id, position, own_after, offered_id, updated_at)
         SELECT $1, v.id, newest.id, v.message_count, 0, newest.id, $3
           FROM conversations v,
                (SELECT coalesce(max(m.id), 0) AS id FROM messages m WHERE m.conversation_id = $2) newest
          WHERE v.id = $2
         ON CONFLICT DO NOTHING",
    )
    .bind(participant)
    .bind(id)
    .bind(now)
    .execute()
    .await?;
    Ok(())
}

/// Counts one more own message, which is not unread for its sender.
pub(in crate::messaging::messages) async fn count_own(
    tx: &mut Tx,
    participant: ParticipantId,
    id: ConversationId,
) -> Result<()> {
    tx.query("UPDATE read_cursors SET own_after = own_after + 1 WHERE participant_id = $1 AND conversation_id = $2")
        .bind(participant)
        .bind(id)
        .execute()
        .await?;
    Ok(())
}

/// SQL statements over growing tables, by name, for the query-plan test.
pub(super) const LISTED: &[(&str, &str)] = &[("conversations.find_direct", FIND_DIRECT)];
