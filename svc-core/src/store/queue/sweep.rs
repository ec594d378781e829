//! Removal of old finished items and unused keys.

use std::time::Duration;

use async_trait::async_trait;

use super::{items, keys};
use crate::error::Result;
use crate::limits;
use crate::store::db::{Db, Tx};
use crate::store::workers::{Cadence, Progress, Worker};

/// Number of rows of each kind that one transaction removes.
const BATCH: u32 = 500;

/// The worker that removes old items and keys.
pub(crate) struct QueueSweep {
    pub(crate) db: Db,
}

#[async_trait]
impl Worker for QueueSweep {
    fn name(&self) -> &'static str {
        "queue_sweep"
    }

    fn cadence(&self) -> Cadence {
        Cadence::every(Duration::from_mins(10))
    }

    async fn run_once(&self) -> Result<Progress> {
        let most = self.db.write((), |tx, ()| Box::pin(sweep(tx))).await?;
        Ok(if most == u64::from(BATCH) { Progress::More } else { Progress::Done })
    }
}

/// Returns the largest number of removed rows of one kind.
async fn sweep(tx: &mut Tx) -> Result<u64> {
    let now = tx.now();
    let done = items::sweep(tx, "done", now.minus(limits::QUEUE_DONE_RETENTION), BATCH).await?;
    let dead = items::sweep(tx, "dead", now.minus(limits::QUEUE_DEAD_RETENTION), BATCH).await?;
    let keys = keys::sweep(tx, now.minus(limits::QUEUE_KEY_RETENTION), BATCH).await?;
    Ok(done.max(dead).max(keys))
}
