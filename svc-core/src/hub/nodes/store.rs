//! The SQL of nodes.

use super::location::BlobLocation;
use crate::error::{Error, Result};
use crate::limits;
use crate::store::db::{Db, Tx};
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
        "INSERT INTO nodes (id, blobs, place, seen_at, version, schema, started_at)
         VALUES ($1, $2, $3, $4, $5, $6, $4)
         ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at",
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
