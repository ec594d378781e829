//! Removes idempotency keys that have had their day.

use std::time::Duration;

use async_trait::async_trait;

use super::store;
use crate::db::Db;
use crate::error::Result;
use crate::workers::{Cadence, Progress, Worker};

/// The worker that forgets old keys.
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
        self.db.write((), |tx, ()| Box::pin(store::sweep(tx))).await?;
        Ok(Progress::Done)
    }
}
