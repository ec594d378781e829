//! The worker that keeps the word index close to the newest message.

use std::time::Duration;

use async_trait::async_trait;

use super::index;
use crate::error::Result;
use crate::store::db::{Db, Engine};
use crate::store::workers::{Cadence, Progress, Worker};

/// Indexes new messages on SQLite; does nothing on PostgreSQL.
pub(crate) struct SearchIndexer {
    pub(crate) db: Db,
}

#[async_trait]
impl Worker for SearchIndexer {
    fn name(&self) -> &'static str {
        index::NAME
    }

    fn cadence(&self) -> Cadence {
        let rarely = Duration::from_mins(1);
        match self.db.engine() {
            Engine::Sqlite => Cadence::on_events_and_every(rarely),
            Engine::Postgres => Cadence::every(Duration::from_hours(24)),
        }
    }

    async fn run_once(&self) -> Result<Progress> {
        index::follow(&self.db).await
    }
}
