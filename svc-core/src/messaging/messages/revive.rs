//! Giving a failed message another try.

use svc_model::messages::MessageStatus;

use super::changed;
use super::lifecycle::{Happening, next};
use crate::error::{Error, Result};
use crate::ids::MessageId;
use crate::store::db::Tx;

/// Puts a failed message back as if it had never been tried.
pub(crate) async fn revive(tx: &mut Tx, id: MessageId) -> Result<()> {
    retriable(tx, id).await?;
    tx.query("UPDATE messages SET attempts = attempts WHERE id = $1").bind(id).execute().await?;
    retriable(tx, id).await?;
    let now = tx.now();
    tx.query(
        "UPDATE messages
            SET status = 'pending', attempts = 0, last_claim = NULL, claimed_at = NULL, finished_at = NULL, failure = NULL, updated_at = $2
          WHERE id = $1",
    )
    .bind(id)
    .bind(now)
    .execute()
    .await?;
    changed::tell(tx, &[id]).await?;
    Ok(())
}

/// Refuses what has not failed.
async fn retriable(tx: &mut Tx, id: MessageId) -> Result<()> {
    let found = tx.query("SELECT status FROM messages WHERE id = $1").bind(id).fetch_optional();
    let (status,): (MessageStatus,) = found.await?.ok_or_else(|| Error::not_found("message"))?;
    next(status, Happening::Retried).map(drop)
}
