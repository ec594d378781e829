//! Removes traces past their retention period.

use std::time::Duration;

use async_trait::async_trait;

use super::store;
use crate::error::Result;
use crate::store::db::Db;
use crate::store::workers::{Cadence, Progress, Worker};

/// Traces removed in one transaction.
const BATCH: u32 = 1000;

/// The worker that removes old traces.
pub(crate) struct TraceRetention {
    pub(crate) db: Db,
    pub(crate) keep: Duration,
}

#[async_trait]
impl Worker for TraceRetention {
    fn name(&self) -> &'static str {
        "trace_retention"
    }

    fn cadence(&self) -> Cadence {
        Cadence::every(Duration::from_mins(10))
    }

    async fn run_once(&self) -> Result<Progress> {
        let removed = self
            .db
            .write(self.keep, |tx, keep| {
                let before = tx.now().minus(*keep);
                Box::pin(store::sweep(tx, before, BATCH))
            })
            .await?;
        Ok(if removed == u64::from(BATCH) { Progress::More } else { Progress::Done })
    }
}
