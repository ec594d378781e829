//! What the hub itself says: reminders, notices. It never triggers an agent.

use serde_json::Value;

use super::conversations;
use super::post::{Place, Post, post};
use super::store;
use crate::db::Tx;
use crate::error::{Error, Result};
use crate::ids::{MessageId, ParticipantId};
use crate::limits;
use crate::participants::SYSTEM_HANDLE;

/// Sends a direct message by the system.
pub(crate) async fn tell(tx: &mut Tx, to: ParticipantId, body: &str, metadata: &Value) -> Result<MessageId> {
    let from = store::party(tx, SYSTEM_HANDLE).await?.ok_or_else(|| Error::internal("the store has no system"))?;
    let to = store::party_by_id(tx, to).await?;
    let conversation = conversations::direct(tx, from.id, to.id, "").await?;
    let notice = Post {
        from: &from,
        conversation,
        place: Place::Direct { to, subject: String::new(), mention_of: None },
        body,
        priority: limits::PRIORITY_DEFAULT,
        metadata,
        reply: None,
        attachments: &[],
        sight: None,
        depth: 0,
        traceparent: None,
    };
    Ok(post(tx, &notice).await?.0)
}
