//! Retrying a failed message.

use svc_model::messages::MessageStatus;

use super::changed;
use super::leases::TABLE;
use super::lifecycle::{Transition, next};
use crate::error::{Error, Result};
use crate::ids::MessageId;
use crate::store::db::Tx;

/// Makes a failed message pending again, with its attempts reset.
pub(crate) async fn revive(tx: &mut Tx, id: MessageId) -> Result<()> {
    require_failed(tx, id).await?;
    TABLE.hold(tx, id).await?;
    require_failed(tx, id).await?;
    TABLE.revive(tx, id).await?;
    changed::record(tx, &[id]).await?;
    Ok(())
}

/// Fails unless the message has failed.
async fn require_failed(tx: &mut Tx, id: MessageId) -> Result<()> {
    let found = tx.query("SELECT status FROM messages WHERE id = $1").bind(id).fetch_optional();
    let (status,): (MessageStatus,) = found.await?.ok_or_else(|| Error::not_found("message"))?;
    next(status, Transition::Retried).map(drop)
}
