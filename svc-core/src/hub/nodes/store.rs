//! The SQL of nodes.

use super::location::BlobLocation;
use crate::error::{Error, Result};
use crate::limits;
use crate::store::db::{Db, Tx};
use crate::store::{leases, queue};
use crate::timestamp::Timestamp;

/// The version of this program.
pub(super) const VERSION: &str = env!("CARGO_PKG_VERSION");

crate::row! {
    /// A live process.
    pub(super) struct NodeRow {
        pub(super) id: String,
        pub(super) version: String,
        pub(super) schema: i64,
        /// The location of its files.
        pub(super) place: String,
        pub(super) started_at: Timestamp,
        pub(super) seen_at: Timestamp,
    }
}

/// Registers a process, unless another live process keeps files elsewhere.
pub(super) async fn join(tx: &mut Tx, id: &str, location: &BlobLocation) -> Result<()> {
    let now = tx.now();
    // Serializes processes that start at once.
    tx.query("UPDATE nodes SET seen_at = seen_at WHERE id = ''").execute().await?;
    // The second condition handles a clock that was set back.
    let expired: Vec<(String,)> = tx
        .query("DELETE FROM nodes WHERE id <> '' AND (seen_at <= $1 OR seen_at > $2) RETURNING id")
        .bind(now.minus(limits::NODE_LEASE))
        .bind(now.plus(limits::NODE_LEASE))
        .fetch_all()
        .await?;
    for (id,) in expired {
        end_work(tx, &id).await?;
    }
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

/// Records that a process is alive. Each heartbeat has another time, even on a clock that stands still, so that others
/// notice it; a clock that was set back by more than a second is followed.
pub(super) async fn note(tx: &mut Tx, id: &str, location: &BlobLocation) -> Result<()> {
    let now = tx.now();
    tx.query(
        "INSERT INTO nodes (id, blobs, place, seen_at, version, schema, started_at)
         VALUES ($1, $2, $3, $4, $5, $6, $4)
         ON CONFLICT (id) DO UPDATE
            SET seen_at = CASE WHEN excluded.seen_at BETWEEN nodes.seen_at - 1000000 AND nodes.seen_at
                               THEN nodes.seen_at + 1 ELSE excluded.seen_at END",
    )
    .bind(id)
    .bind(location.id.as_str())
    .bind(location.shown.as_str())
    .bind(now)
    .bind(VERSION)
    .bind(Db::known_schema())
    .execute()
    .await?;
    Ok(())
}

/// The last heartbeats of all other processes.
pub(super) async fn others(tx: &mut Tx, id: &str) -> Result<Vec<(String, Timestamp)>> {
    tx.query("SELECT id, seen_at FROM nodes WHERE id <> '' AND id <> $1 ORDER BY id LIMIT $2")
        .bind(id)
        .bind(limits::NODES_LISTED)
        .fetch_all()
        .await
}

/// Removes a process that has died, unless it has sent a heartbeat since, and makes its work available. Returns whether
/// it was removed.
pub(super) async fn bury(tx: &mut Tx, id: &str, seen_at: Timestamp) -> Result<bool> {
    let removed = tx.query("DELETE FROM nodes WHERE id = $1 AND seen_at = $2").bind(id).bind(seen_at).execute().await?;
    if removed == 0 {
        return Ok(false);
    }
    end_work(tx, id).await?;
    Ok(true)
}

/// Ends the leases of a process: those of workers, and those of items in queues.
async fn end_work(tx: &mut Tx, id: &str) -> Result<()> {
    queue::end_of_holder(tx, id).await?;
    leases::end_of_holder(tx, id).await
}

/// The live processes, the oldest first.
pub(super) async fn list(tx: &mut Tx) -> Result<Vec<NodeRow>> {
    let now = tx.now();
    tx.query(
        "SELECT id, version, schema, place, started_at, seen_at
           FROM nodes
          WHERE id <> '' AND seen_at > $1
          ORDER BY started_at, id
          LIMIT $2",
    )
    .bind(now.minus(limits::NODE_LEASE))
    .bind(limits::NODES_LISTED)
    .fetch_all()
    .await
}

/// The names of the leases that are held, each with its holder.
pub(super) async fn leases(tx: &mut Tx) -> Result<Vec<(String, String)>> {
    let now = tx.now();
    tx.query("SELECT holder, name FROM leases WHERE expires_at > $1 ORDER BY holder, name").bind(now).fetch_all().await
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
