//! Notices what other processes commit to the same file.

use std::sync::Arc;

use tokio::sync::Notify;

use super::InUse;
use crate::limits;

/// Rings `committed` when the file has changed. `data_version` is a counter in shared memory that
/// SQLite moves with every commit of another connection; asking for it takes microseconds.
pub(super) async fn watch(connection: rusqlite::Connection, committed: Arc<Notify>, in_use: InUse) {
    // In this order, so that the connection is closed before the mark is given back.
    let _in_use = in_use;
    let connection = connection;
    let mut seen = None;
    let mut timer = tokio::time::interval(limits::FOREIGN_WRITE_POLL);
    timer.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        timer.tick().await;
        let version = connection
            .prepare_cached("PRAGMA data_version")
            .and_then(|mut statement| statement.query_row([], |row| row.get::<_, i64>(0)));
        match version {
            Ok(version) if seen == Some(version) => {}
            Ok(version) => {
                seen = Some(version);
                committed.notify_one();
            }
            // Followers look at the log once a second in any case.
            Err(error) => tracing::debug!(%error, "the store's version could not be read"),
        }
    }
}
