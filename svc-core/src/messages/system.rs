//! What the hub itself says: reminders, notices. It never triggers an agent.

use serde_json::Value;

use super::conversations;
use super::post::{Party, Place, Post, post};
use super::store;
use crate::channels::Room;
use crate::db::Tx;
use crate::error::{Error, Result};
use crate::ids::{MessageId, ParticipantId};
use crate::limits;
use crate::participants::SYSTEM_HANDLE;
use crate::reactions::workflow;

/// The system, as the sender of what the hub says.
pub(crate) async fn system(tx: &mut Tx) -> Result<Party> {
    store::party(tx, SYSTEM_HANDLE).await?.ok_or_else(|| Error::internal("the store has no system"))
}

/// Sends a direct message by the system.
pub(crate) async fn tell(tx: &mut Tx, to: ParticipantId, body: &str, metadata: &Value) -> Result<MessageId> {
    let from = system(tx).await?;
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

/// Says something in a channel as the system. Whatever it quotes, it mentions nobody.
pub(crate) async fn announce(
    tx: &mut Tx,
    from: &Party,
    room: &Room,
    body: &str,
    metadata: &Value,
) -> Result<MessageId> {
    let notice = Post {
        from,
        conversation: room.conversation_id,
        place: Place::Channel {
            id: room.id,
            name: room.name.clone(),
            public: room.public,
            state: room.workflow_enabled.then(|| workflow::beginning(room.auto_approve)),
            mentioned: Vec::new(),
        },
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
