//! Recording status changes of direct messages in the event log.

use svc_model::events::{Audience, EventBody, MessageUpdated};

use super::store::claims::{self, StatusChange};
use crate::error::Result;
use crate::ids::MessageId;
use crate::store::db::Tx;

/// Records the current status of each of these direct messages. Returns them ordered by id.
pub(crate) async fn record(tx: &mut Tx, ids: &[MessageId]) -> Result<Vec<StatusChange>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let rows = claims::status_changes(tx, ids).await?;
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
