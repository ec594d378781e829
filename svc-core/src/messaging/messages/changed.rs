//! Recording status changes of direct messages in the event log.

use svc_model::events::{Audience, EventBody, MessageUpdated};
use svc_model::messages::MessageStatus;

use crate::error::Result;
use crate::ids::{ConversationId, MessageId, ParticipantId, UserId};
use crate::store::db::{Tx, placeholders};

crate::row! {
    /// A direct message as it is recorded in the event log.
    #[derive(Debug, Clone)]
    pub(crate) struct StatusChange {
        pub(crate) id: MessageId,
        pub(crate) conversation_id: ConversationId,
        pub(crate) sender_id: ParticipantId,
        pub(crate) sender_owner_id: Option<UserId>,
        pub(crate) recipient_id: ParticipantId,
        pub(crate) recipient_owner_id: Option<UserId>,
        pub(crate) status: MessageStatus,
        pub(crate) claimed_by: Option<String>,
        pub(crate) failure: Option<String>,
        pub(crate) attempts: i64,
    }
}

/// Records the current status of each of these direct messages. Returns them ordered by id.
pub(crate) async fn record(tx: &mut Tx, ids: &[MessageId]) -> Result<Vec<StatusChange>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let text = format!(
        "SELECT m.id, m.conversation_id, m.sender_id, m.sender_owner_id, m.recipient_id, m.recipient_owner_id,
                m.status, h.handle AS claimed_by, m.failure, m.attempts
           FROM messages m
           LEFT JOIN participants h ON h.id = m.claimed_by
          WHERE m.id IN ({}) AND m.recipient_id IS NOT NULL
          ORDER BY m.id",
        placeholders(1, ids.len())
    );
    let rows: Vec<StatusChange> = ids.iter().fold(tx.query(text), |query, id| query.bind(*id)).fetch_all().await?;
    for row in &rows {
        let updated = MessageUpdated {
            message_id: row.id,
            conversation_id: row.conversation_id,
            audience: Audience {
                sender_id: Some(row.sender_id),
                sender_owner_id: row.sender_owner_id,
                recipient_id: Some(row.recipient_id),
                recipient_owner_id: row.recipient_owner_id,
                ..Audience::default()
            },
            status: Some(row.status),
            claimed_by: row.claimed_by.clone(),
            reason: row.failure.clone(),
            workflow_state: None,
            escalated_at: None,
        };
        tx.record(EventBody::MessageUpdated(updated)).await?;
    }
    Ok(rows)
}
