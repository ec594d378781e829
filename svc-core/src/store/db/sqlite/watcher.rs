//! Detects commits of other processes to the same file, and removal of the file itself.

use std::sync::Arc;

use tokio::time::Instant;

use super::InUse;
use crate::limits;
use crate::store::db::condition::Condition;
use crate::store::db::notifier::{CommitNotifier, CommitSignal};

/// Notifies when the file has changed. `data_version` is a counter in shared memory that SQLite increments
/// with every commit of another connection; reading it takes microseconds.
pub(super) async fn watch(
    connection: rusqlite::Connection,
    notifier: Arc<CommitNotifier>,
    in_use: InUse,
    condition: Arc<Condition>,
) {
    // In this order, so that the connection is closed before `in_use` is dropped.
    let _in_use = in_use;
    let connection = connection;
    let mut seen = None;
    let mut looked = Instant::now();
    let mut timer = tokio::time::interval(limits::FOREIGN_WRITE_POLL);
    timer.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        let moment = timer.tick().await;
        if moment.duration_since(looked) >= limits::STORE_LOOK {
            looked = moment;
            condition.check_files();
        }
        let version = connection
            .prepare_cached("PRAGMA data_version")
            .and_then(|mut statement| statement.query_row([], |row| row.get::<_, i64>(0)));
        match version {
            Ok(version) if seen == Some(version) => {}
            Ok(version) => {
                seen = Some(version);
                notifier.notify(CommitSignal { events: true, queues: true });
            }
            // Followers poll the log once a second in any case.
            Err(error) => tracing::debug!(%error, "the store's version could not be read"),
        }
    }
}
