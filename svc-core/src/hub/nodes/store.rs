//! The SQL of nodes.

use super::location::BlobLocation;
use crate::error::{Error, Result};
use crate::limits;
use crate::store::db::Tx;

/// Registers a process, unless another live process keeps files elsewhere.
pub(super) async fn join(tx: &mut Tx, id: &str, location: &BlobLocation) -> Result<()> {
    let now = tx.now();
    // Serializes processes that start at once.
    tx.query("UPDATE nodes SET seen_at = seen_at WHERE id = ''").execute().await?;
    // The second condition handles a clock that was set back.
    tx.query("DELETE FROM nodes WHERE id <> '' AND (seen_at <= $1 OR seen_at > $2)")
        .bind(now.minus(limits::NODE_LEASE))
        .bind(now.plus(limits::NODE_LEASE))
        .execute()
        .await?;
    let other: Option<(String,)> = tx
        .query("SELECT place FROM nodes WHERE id <> '' AND blobs <> $1 ORDER BY seen_at DESC LIMIT 1")
        .bind(location.id.as_str())
        .fetch_optional()
        .await?;
    if let Some((other,)) = other {
        return Err(not_shared(&location.shown, &other));
    }
    note(tx, id, location).await
}

/// Records that a process is alive.
pub(super) async fn note(tx: &mut Tx, id: &str, location: &BlobLocation) -> Result<()> {
    let now = tx.now();
    tx.query(
        "INSERT INTO nodes (id, blobs, place, seen_at)
         VALUES ($1, $2, $3, $4)
         ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at",
    )
    .bind(id)
    .bind(location.id.as_str())
    .bind(location.shown.as_str())
    .bind(now)
    .execute()
    .await?;
    Ok(())
}

/// Removes the registration of a process.
pub(super) async fn leave(tx: &mut Tx, id: &str) -> Result<()> {
    tx.query("DELETE FROM nodes WHERE id = $1").bind(id).execute().await?;
    Ok(())
}

fn not_shared(own: &str, other: &str) -> Error {
    Error::conflict(
        "blobs_not_shared",
        format!(
            "Another process on this database keeps files in {other}, but this one would use {own}, so neither \
             finds the files of the other. Use one --blob-url for all, or one --data on one machine (a process \
             that has died is forgotten after {} s).",
            limits::NODE_LEASE.as_secs()
        ),
    )
}
