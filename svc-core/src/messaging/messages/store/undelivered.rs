//! The SQL of messages that were not delivered.

use svc_model::messages::MessageStatus;
use svc_model::participants::ParticipantKind;

use crate::error::Result;
use crate::ids::{MessageId, ParticipantId};
use crate::store::db::{Tx, placeholders};
use crate::timestamp::Timestamp;

/// Failed messages whose authors have not been notified, which happens when very many fail at once.
const UNNOTIFIED: &str = "
    SELECT id FROM messages WHERE status = 'failed' AND undelivered_at IS NULL ORDER BY id LIMIT $1";

/// The messages after an id, in the order of their ids.
const AFTER: &str = "
    SELECT id, created_at, recipient_id, status, offered_at, undelivered_at
      FROM messages
     WHERE id > $1
     ORDER BY id
     LIMIT $2";

pub(super) const LISTED: &[(&str, &str)] = &[("non_delivery.untold", UNNOTIFIED), ("non_delivery.after", AFTER)];

/// The first failed messages whose authors have not been notified.
pub(in crate::messaging::messages) async fn unnotified(tx: &mut Tx, limit: u32) -> Result<Vec<MessageId>> {
    let ids: Vec<(MessageId,)> = tx.query(UNNOTIFIED).bind(limit).fetch_all().await?;
    Ok(ids.into_iter().map(|(id,)| id).collect())
}

crate::row! {
    pub(in crate::messaging::messages) struct ScannedMessage {
        pub(in crate::messaging::messages) id: MessageId,
        pub(in crate::messaging::messages) created_at: Timestamp,
        pub(in crate::messaging::messages) recipient_id: Option<ParticipantId>,
        pub(in crate::messaging::messages) status: MessageStatus,
        pub(in crate::messaging::messages) offered_at: Option<Timestamp>,
        pub(in crate::messaging::messages) undelivered_at: Option<Timestamp>,
    }
}

pub(in crate::messaging::messages) async fn after(tx: &mut Tx, id: i64, limit: u32) -> Result<Vec<ScannedMessage>> {
    tx.query(AFTER).bind(id).bind(limit).fetch_all().await
}

crate::row! {
    pub(in crate::messaging::messages) struct Undelivered {
        pub(in crate::messaging::messages) id: MessageId,
        pub(in crate::messaging::messages) sender_id: ParticipantId,
        pub(in crate::messaging::messages) sender_kind: ParticipantKind,
        pub(in crate::messaging::messages) sender_gone_at: Option<Timestamp>,
        pub(in crate::messaging::messages) recipient: String,
        pub(in crate::messaging::messages) failure: Option<String>,
    }
}

/// The direct messages among these whose authors have not been notified, ordered by id. A person who was handed the
/// message with a mention needs no other notification of it.
pub(in crate::messaging::messages) async fn unnotified_among(
    tx: &mut Tx,
    ids: &[MessageId],
) -> Result<Vec<Undelivered>> {
    let text = format!(
        "SELECT m.id, m.sender_id, s.kind AS sender_kind, s.deleted_at AS sender_gone_at, r.handle AS recipient,
                m.failure
           FROM messages m
           JOIN participants s ON s.id = m.sender_id
           JOIN participants r ON r.id = m.recipient_id
          WHERE m.id IN ({}) AND m.undelivered_at IS NULL
            AND NOT (m.status = 'pending'
                     AND EXISTS (SELECT 1
                                   FROM messages o
                                   JOIN users person ON person.id = m.recipient_id
                                   JOIN read_cursors rc ON rc.participant_id = person.id
                                                       AND rc.conversation_id = o.conversation_id
                                  WHERE o.id = m.mention_of AND rc.offered_id >= o.id))
          ORDER BY m.id",
        placeholders(1, ids.len())
    );
    ids.iter().fold(tx.query(text), |query, id| query.bind(*id)).fetch_all().await
}

/// Marks a message as undelivered. Returns whether it was not marked before.
pub(in crate::messaging::messages) async fn mark(tx: &mut Tx, id: MessageId) -> Result<bool> {
    let now = tx.now();
    let changed = tx
        .query("UPDATE messages SET undelivered_at = $2 WHERE id = $1 AND undelivered_at IS NULL")
        .bind(id)
        .bind(now)
        .execute()
        .await?;
    Ok(changed == 1)
}
