//! The SQL that moves read cursors past messages that were claimed or finished.

use crate::error::Result;
use crate::ids::{ConversationId, MessageId, ParticipantId};
use crate::store::db::Tx;

const CURSOR: &str = "
    SELECT message_id FROM read_cursors WHERE participant_id = $1 AND conversation_id = $2";

/// The first message past the cursor that is neither the reader's own nor claimed.
const FIRST_PENDING: &str = "
    SELECT id
      FROM messages
     WHERE conversation_id = $1 AND id > $2 AND sender_id <> $3 AND status = 'pending'
     ORDER BY id
     LIMIT 1";

/// The last message before [`FIRST_PENDING`].
const LAST_CLAIMED: &str = "
    SELECT id, position
      FROM messages
     WHERE conversation_id = $1 AND id > $2 AND id < $3
     ORDER BY id DESC
     LIMIT 1";

pub(super) const LISTED: &[(&str, &str)] = &[("claims.first_left", FIRST_PENDING), ("claims.last_taken", LAST_CLAIMED)];

/// The recipient of a message, if it is direct, and its conversation.
pub(in crate::messaging::messages) async fn recipient_of(
    tx: &mut Tx,
    id: MessageId,
) -> Result<(Option<ParticipantId>, ConversationId)> {
    tx.query("SELECT recipient_id, conversation_id FROM messages WHERE id = $1").bind(id).fetch_one().await
}

/// The last message that a participant has read in a conversation; none without a cursor.
pub(in crate::messaging::messages) async fn find(
    tx: &mut Tx,
    participant: ParticipantId,
    conversation: ConversationId,
) -> Result<Option<MessageId>> {
    let found: Option<(MessageId,)> = tx.query(CURSOR).bind(participant).bind(conversation).fetch_optional().await?;
    Ok(found.map(|(id,)| id))
}

/// The first message after another that is pending and not by this participant.
pub(in crate::messaging::messages) async fn first_pending(
    tx: &mut Tx,
    participant: ParticipantId,
    conversation: ConversationId,
    after: MessageId,
) -> Result<Option<MessageId>> {
    let query = tx.query(FIRST_PENDING).bind(conversation).bind(after).bind(participant);
    Ok(query.fetch_optional::<(MessageId,)>().await?.map(|(id,)| id))
}

crate::row! {
    /// A message and its place in its conversation.
    #[derive(Debug, Clone, Copy)]
    pub(in crate::messaging::messages) struct Place {
        pub(in crate::messaging::messages) id: MessageId,
        position: i64,
    }
}

/// The last message between two others.
pub(in crate::messaging::messages) async fn last_between(
    tx: &mut Tx,
    conversation: ConversationId,
    after: MessageId,
    before: MessageId,
) -> Result<Option<Place>> {
    tx.query(LAST_CLAIMED).bind(conversation).bind(after).bind(before).fetch_optional().await
}

/// Moves a cursor from a message to a later one. Returns whether it was there. It is computed relative
/// to the old cursor, so that messages its owner sends meanwhile are counted too. If the cursor has
/// moved meanwhile, it is already further.
pub(in crate::messaging::messages) async fn advance(
    tx: &mut Tx,
    participant: ParticipantId,
    conversation: ConversationId,
    from: MessageId,
    to: Place,
) -> Result<bool> {
    let now = tx.now();
    let moved = tx
        .query(
            "UPDATE read_cursors
            SET message_id = $4, position = $5, updated_at = $6,
                own_after = own_after - (SELECT count(*) FROM messages
                                          WHERE conversation_id = $2 AND id > $3 AND id <= $4 AND sender_id = $1),
                offered_id = CASE WHEN offered_id < $4 THEN $4 ELSE offered_id END
          WHERE participant_id = $1 AND conversation_id = $2 AND message_id = $3",
        )
        .bind(participant)
        .bind(conversation)
        .bind(from)
        .bind(to.id)
        .bind(to.position)
        .bind(now)
        .execute()
        .await?;
    Ok(moved == 1)
}

/// The handle of the other participant of a direct conversation.
pub(in crate::messaging::messages) async fn partner_of(
    tx: &mut Tx,
    participant: ParticipantId,
    conversation: ConversationId,
) -> Result<String> {
    tx.query(
        "SELECT p.handle
               FROM conversations v
               JOIN participants p ON p.id = CASE WHEN v.low_id = $2 THEN v.high_id ELSE v.low_id END
              WHERE v.id = $1",
    )
    .bind(conversation)
    .bind(participant)
    .fetch_value()
    .await
}
