//! The SQL that removes messages past their retention period.

use svc_model::messages::MessageStatus;

use super::in_conversation;
use crate::error::Result;
use crate::ids::{MessageId, ParticipantId};
use crate::store::db::{Tx, placeholders};
use crate::timestamp::Timestamp;

/// The messages after an id, in the order of their ids.
const AFTER: &str = concat!(
    "SELECT m.id, m.created_at, m.recipient_id, m.status, coalesce(NOT ",
    in_conversation!("m"),
    ", FALSE) AS notifies_person
       FROM messages m
      WHERE m.id > $1
      ORDER BY m.id
      LIMIT $2"
);

pub(super) const LISTED: &[(&str, &str)] = &[("message_retention.after", AFTER)];

crate::row! {
    pub(in crate::messaging::messages) struct ScannedMessage {
        pub(in crate::messaging::messages) id: MessageId,
        pub(in crate::messaging::messages) created_at: Timestamp,
        pub(in crate::messaging::messages) recipient_id: Option<ParticipantId>,
        pub(in crate::messaging::messages) status: MessageStatus,
        /// Whether it only notifies a person of a mention.
        pub(in crate::messaging::messages) notifies_person: bool,
    }
}

pub(in crate::messaging::messages) async fn after(
    tx: &mut Tx,
    id: MessageId,
    limit: u32,
) -> Result<Vec<ScannedMessage>> {
    tx.query(AFTER).bind(id).bind(limit).fetch_all().await
}

/// Removes these messages, except direct ones that are pending or claimed. Returns the removed ones. What notifies a
/// person of a mention is removed while it is pending too.
pub(in crate::messaging::messages) async fn remove(tx: &mut Tx, ids: &[MessageId]) -> Result<Vec<MessageId>> {
    let text = format!(
        "DELETE FROM messages
          WHERE id IN ({})
            AND (recipient_id IS NULL OR status IN ('done', 'failed')
                 OR (mention_of IS NOT NULL AND recipient_id = recipient_owner_id AND status = 'pending'))
         RETURNING id",
        placeholders(1, ids.len())
    );
    let gone: Vec<(MessageId,)> = ids.iter().fold(tx.query(text), |query, id| query.bind(*id)).fetch_all().await?;
    Ok(gone.into_iter().map(|(id,)| id).collect())
}

/// Moves the position of every earlier cursor past these messages, as if they had been read.
pub(in crate::messaging::messages) async fn pass_cursors(tx: &mut Tx, ids: &[MessageId]) -> Result<()> {
    let list = placeholders(1, ids.len());
    let text = format!(
        "UPDATE read_cursors
            SET position = position + (SELECT count(*) FROM messages m
                                        WHERE m.conversation_id = read_cursors.conversation_id
                                          AND m.id > read_cursors.message_id AND m.id IN ({list})),
                own_after = own_after - (SELECT count(*) FROM messages m
                                          WHERE m.conversation_id = read_cursors.conversation_id
                                            AND m.sender_id = read_cursors.participant_id
                                            AND m.id > read_cursors.message_id AND m.id IN ({list}))
          WHERE conversation_id IN (SELECT m.conversation_id FROM messages m WHERE m.id IN ({list}))
            AND message_id < (SELECT max(m.id) FROM messages m WHERE m.id IN ({list}))"
    );
    ids.iter().fold(tx.query(text), |query, id| query.bind(*id)).execute().await?;
    Ok(())
}

/// Lowers the reply count of the parents of these messages. Deleted ones are not counted any more.
pub(in crate::messaging::messages) async fn uncount_replies(tx: &mut Tx, ids: &[MessageId]) -> Result<()> {
    let list = placeholders(1, ids.len());
    let text = format!(
        "UPDATE messages
            SET reply_count = reply_count - (SELECT count(*) FROM messages answer
                                              WHERE answer.reply_to = messages.id AND answer.id IN ({list})
                                                AND answer.deleted_at IS NULL
                                                AND answer.conversation_id = messages.conversation_id)
          WHERE id IN (SELECT answer.reply_to FROM messages answer
                        WHERE answer.id IN ({list}) AND answer.reply_to IS NOT NULL)"
    );
    ids.iter().fold(tx.query(text), |query, id| query.bind(*id)).execute().await?;
    Ok(())
}
