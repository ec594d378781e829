//! The SQL that records which messages were handed out.

use crate::error::Result;
use crate::ids::{ConversationId, MessageId, ParticipantId};
use crate::store::db::{Tx, placeholders};

/// Records that these direct messages were handed to their recipient.
pub(in crate::messaging::messages) async fn direct(tx: &mut Tx, to: ParticipantId, ids: &[MessageId]) -> Result<()> {
    let now = tx.now();
    let text = format!(
        "UPDATE messages SET offered_at = $1 WHERE id IN ({}) AND recipient_id = $2 AND offered_at IS NULL",
        placeholders(3, ids.len())
    );
    let query = tx.query(text).bind(now).bind(to);
    ids.iter().fold(query, |query, id| query.bind(*id)).execute().await?;
    Ok(())
}

/// Records that the messages of a channel up to `newest` were handed to a member.
pub(in crate::messaging::messages) async fn channel(
    tx: &mut Tx,
    member: ParticipantId,
    conversation: ConversationId,
    newest: MessageId,
) -> Result<()> {
    tx.query(
        "UPDATE read_cursors SET offered_id = $3
          WHERE participant_id = $1 AND conversation_id = $2 AND offered_id < $3",
    )
    .bind(member)
    .bind(conversation)
    .bind(newest)
    .execute()
    .await?;
    Ok(())
}
