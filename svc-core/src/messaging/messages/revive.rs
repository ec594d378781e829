//! Giving a failed message another try.

use svc_model::messages::MessageStatus;

use super::changed;
use super::leases::TABLE;
use super::lifecycle::{Happening, next};
use crate::error::{Error, Result};
use crate::ids::MessageId;
use crate::store::db::Tx;

/// Puts a failed message back as if it had never been tried.
pub(crate) async fn revive(tx: &mut Tx, id: MessageId) -> Result<()> {
    retriable(tx, id).await?;
    TABLE.hold(tx, id).await?;
    retriable(tx, id).await?;
    TABLE.revive(tx, id).await?;
    changed::tell(tx, &[id]).await?;
    Ok(())
}

/// Refuses what has not failed.
async fn retriable(tx: &mut Tx, id: MessageId) -> Result<()> {
    let found = tx.query("SELECT status FROM messages WHERE id = $1").bind(id).fetch_optional();
    let (status,): (MessageStatus,) = found.await?.ok_or_else(|| Error::not_found("message"))?;
    next(status, Happening::Retried).map(drop)
}
