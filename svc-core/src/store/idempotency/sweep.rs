//! Removal of expired idempotency keys.

use std::time::Duration;

use async_trait::async_trait;

use super::store;
use crate::error::Result;
use crate::store::db::Db;
use crate::store::workers::{Cadence, Progress, Worker};

/// Number of keys that one transaction removes.
const BATCH: u32 = 1000;

/// The worker that removes expired keys.
pub(crate) struct IdempotencySweep {
    pub(crate) db: Db,
}

#[async_trait]
impl Worker for IdempotencySweep {
    fn name(&self) -> &'static str {
        "idempotency_sweep"
    }

    fn cadence(&self) -> Cadence {
        Cadence::every(Duration::from_mins(10))
    }

    async fn run_once(&self) -> Result<Progress> {
        let removed = self.db.write((), |tx, ()| Box::pin(store::sweep(tx, BATCH))).await?;
        Ok(if removed == u64::from(BATCH) { Progress::More } else { Progress::Done })
    }
}
