//! Retrying a failed message.

use super::changed;
use super::lifecycle::{Transition, next};
use super::store::claims;
use super::store::leases::TABLE;
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
    let status = claims::status(tx, id).await?.ok_or_else(|| Error::not_found("message"))?;
    next(status, Transition::Retried).map(drop)
}
