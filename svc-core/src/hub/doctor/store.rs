//! The SQL of the examination.

use super::QueueBacklog;
use crate::error::Result;
use crate::store::db::{Engine, Tx};
use crate::timestamp::Timestamp;

/// The number of pending items that are read to find the age of the oldest.
const ITEMS_READ: u32 = 10_000;

/// The figures of the store, of one snapshot.
pub(super) struct StoredFacts {
    /// The time of the newest event.
    pub(super) newest_event: Option<Timestamp>,
    /// The time by the clock of the database server; absent on SQLite.
    pub(super) server_time: Option<Timestamp>,
    /// The queues with items that could be taken.
    pub(super) queues: Vec<QueueBacklog>,
    /// Dead letters that nobody has acknowledged.
    pub(super) dead_letters: i64,
    /// Webhooks that were disabled because their deliveries failed.
    pub(super) failed_webhooks: i64,
    /// The first start of the hub.
    pub(super) created_at: Option<Timestamp>,
}

/// Reads all figures.
pub(super) async fn read(tx: &mut Tx) -> Result<StoredFacts> {
    let newest: Option<(Timestamp,)> =
        tx.query("SELECT created_at FROM events ORDER BY seq DESC LIMIT 1").fetch_optional().await?;
    Ok(StoredFacts {
        newest_event: newest.map(|(at,)| at),
        server_time: server_time(tx).await?,
        queues: queues(tx).await?,
        dead_letters: tx
            .query("SELECT count(*) FROM dead_letters WHERE acknowledged_at IS NULL AND retried_at IS NULL")
            .fetch_value()
            .await?,
        failed_webhooks: tx
            .query("SELECT count(*) FROM webhooks WHERE disabled_reason IN ('gone', 'failures') AND deleted_at IS NULL")
            .fetch_value()
            .await?,
        created_at: tx.query("SELECT min(created_at) FROM participants WHERE kind = 'system'").fetch_value().await?,
    })
}

async fn server_time(tx: &mut Tx) -> Result<Option<Timestamp>> {
    if tx.engine() == Engine::Sqlite {
        return Ok(None);
    }
    let time = tx.query("SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS BIGINT)").fetch_value().await?;
    Ok(Some(time))
}

async fn queues(tx: &mut Tx) -> Result<Vec<QueueBacklog>> {
    let now = tx.now();
    let rows: Vec<(String, i64, Timestamp)> = tx
        .query(
            "SELECT queue, count(*), min(due_at)
               FROM (SELECT queue, due_at FROM queue_items WHERE status = 'pending' LIMIT $1) pending
              GROUP BY queue
              ORDER BY queue",
        )
        .bind(ITEMS_READ)
        .fetch_all()
        .await?;
    let backlog = |(queue, pending, oldest): (String, i64, Timestamp)| QueueBacklog {
        queue,
        pending,
        oldest_seconds: if oldest > now { 0 } else { now.since(oldest).as_secs() },
    };
    Ok(rows.into_iter().map(backlog).collect())
}
