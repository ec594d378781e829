//! Watching the schema for an upgrade by a newer process.

use tokio::task::AbortHandle;

use crate::limits;
use crate::store::db::Db;

/// Looks regularly whether a newer process has migrated the store; ends when it is dropped.
pub(crate) struct SchemaWatch(AbortHandle);

impl SchemaWatch {
    /// Begins to look.
    pub(crate) fn start(db: Db) -> Self {
        Self(tokio::spawn(watch(db)).abort_handle())
    }

    /// Ends it before the store is closed.
    pub(crate) fn stop(&self) {
        self.0.abort();
    }
}

impl Drop for SchemaWatch {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// If the store is unreachable, the next turn looks again.
async fn watch(db: Db) {
    let mut timer = tokio::time::interval(limits::SCHEMA_CHECK);
    timer.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        timer.tick().await;
        if let Err(error) = db.check_schema().await {
            tracing::debug!(error = error.log_line(), "the schema of the store could not be read");
        }
    }
}
