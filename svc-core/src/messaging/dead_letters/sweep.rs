//! Removes dead letters after their retention period.

use std::time::Duration;

use async_trait::async_trait;

use super::store;
use crate::error::Result;
use crate::limits;
use crate::store::db::Db;
use crate::store::workers::{Cadence, Progress, Worker};

/// Dead letters removed in one transaction.
const BATCH: u32 = 1000;

/// The worker that removes old dead letters.
pub(crate) struct DeadLetterSweep {
    pub(crate) db: Db,
}

#[async_trait]
impl Worker for DeadLetterSweep {
    fn name(&self) -> &'static str {
        "dead_letter_sweep"
    }

    fn cadence(&self) -> Cadence {
        Cadence::every(Duration::from_mins(10))
    }

    async fn run_once(&self) -> Result<Progress> {
        let removed = self
            .db
            .write((), |tx, ()| {
                let before = tx.now().minus(limits::DEAD_LETTER_RETENTION);
                Box::pin(store::sweep(tx, before, BATCH))
            })
            .await?;
        Ok(if removed == u64::from(BATCH) { Progress::More } else { Progress::Done })
    }
}
