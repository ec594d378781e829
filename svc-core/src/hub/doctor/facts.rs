//! The figures that an examination is made of.

use std::time::Duration;

use super::QueueBacklog;
use crate::error::Result;
use crate::hub::Hub;
use crate::hub::nodes::NodeInfo;
use crate::hub::readiness::Readiness;
use crate::store::db::{Engine, Tx};
use crate::timestamp::Timestamp;

/// The time limit of each query.
const PATIENCE: Duration = Duration::from_secs(5);
/// The number of pending items that are read to find the age of the oldest.
const ITEMS_READ: u32 = 10_000;

/// All figures. Those that the store did not answer in time are absent.
pub(super) struct Facts {
    pub(super) now: Timestamp,
    pub(super) readiness: Readiness,
    pub(super) store_bytes: u64,
    pub(super) free_disk: Option<u64>,
    pub(super) nodes: Option<Vec<NodeInfo>>,
    pub(super) stored: Option<StoredFacts>,
}

/// The figures of the store, of one snapshot.
pub(super) struct StoredFacts {
    /// The time of the newest event.
    pub(super) newest_event: Option<Timestamp>,
    /// The time by the clock of the database server; absent on SQLite.
    pub(super) server_time: Option<Timestamp>,
    /// The readers of the event log that have events before them, with the time of the first of these.
    pub(super) readers_behind: Vec<(String, Timestamp)>,
    /// The queues with items that could be taken.
    pub(super) queues: Vec<QueueBacklog>,
    /// Dead letters that nobody has acknowledged.
    pub(super) dead_letters: i64,
    /// Webhooks that were disabled because their deliveries failed.
    pub(super) failed_webhooks: i64,
}

pub(super) async fn gather(hub: &Hub) -> Facts {
    let readiness = hub.readiness().await;
    // A store that does not answer the probe would only cost the time of every other query.
    let answers = readiness.store.ok;
    let nodes = if answers { in_time(hub.nodes()).await } else { None };
    let stored = if answers { in_time(hub.db().search((), |tx, ()| Box::pin(stored(tx)))).await } else { None };
    Facts {
        now: hub.clock().now(),
        store_bytes: tokio::time::timeout(PATIENCE, hub.db().size()).await.unwrap_or_default(),
        free_disk: hub.free_disk().await,
        readiness,
        nodes,
        stored,
    }
}

async fn in_time<T>(query: impl Future<Output = Result<T>>) -> Option<T> {
    match tokio::time::timeout(PATIENCE, query).await {
        Ok(Ok(value)) => Some(value),
        Ok(Err(error)) => {
            tracing::warn!(error = error.log_line(), "a figure of the examination could not be read");
            None
        }
        Err(_) => None,
    }
}

async fn stored(tx: &mut Tx) -> Result<StoredFacts> {
    let newest: Option<(Timestamp,)> =
        tx.query("SELECT created_at FROM events ORDER BY seq DESC LIMIT 1").fetch_optional().await?;
    Ok(StoredFacts {
        newest_event: newest.map(|(at,)| at),
        server_time: server_time(tx).await?,
        readers_behind: readers_behind(tx).await?,
        queues: queues(tx).await?,
        dead_letters: tx
            .query("SELECT count(*) FROM dead_letters WHERE acknowledged_at IS NULL AND retried_at IS NULL")
            .fetch_value()
            .await?,
        failed_webhooks: tx
            .query("SELECT count(*) FROM webhooks WHERE disabled_reason IN ('gone', 'failures') AND deleted_at IS NULL")
            .fetch_value()
            .await?,
    })
}

async fn server_time(tx: &mut Tx) -> Result<Option<Timestamp>> {
    if tx.engine() == Engine::Sqlite {
        return Ok(None);
    }
    let time = tx.query("SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS BIGINT)").fetch_value().await?;
    Ok(Some(time))
}

async fn readers_behind(tx: &mut Tx) -> Result<Vec<(String, Timestamp)>> {
    tx.query(
        "SELECT name, next_at
           FROM (SELECT name,
                        (SELECT created_at FROM events WHERE events.seq > event_cursors.seq ORDER BY events.seq LIMIT 1)
                        AS next_at
                   FROM event_cursors) readers
          WHERE next_at IS NOT NULL
          ORDER BY next_at, name",
    )
    .fetch_all()
    .await
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
