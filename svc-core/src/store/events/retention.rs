//! Removal of events that are older than the retention time.

use std::time::Duration;

use async_trait::async_trait;

use super::store;
use crate::error::Result;
use crate::ids::EventSeq;
use crate::limits;
use crate::store::db::{Db, Tx};
use crate::store::workers::{Cadence, Progress, Worker};

/// Number of events that one transaction checks.
const BATCH: u32 = 1000;

/// The worker that removes old events.
pub(crate) struct EventRetention {
    pub(crate) db: Db,
    pub(crate) keep: Duration,
}

#[async_trait]
impl Worker for EventRetention {
    fn name(&self) -> &'static str {
        "event_retention"
    }

    fn cadence(&self) -> Cadence {
        Cadence::every(Duration::from_mins(10))
    }

    async fn run_once(&self) -> Result<Progress> {
        let swept = self.db.write(self.keep, |tx, keep| Box::pin(sweep(tx, *keep))).await?;
        Ok(if swept == u64::from(BATCH) { Progress::More } else { Progress::Done })
    }
}

/// Removes old events from the front only, and never before all named readers have passed them; a reader that
/// has not advanced for a month no longer counts.
async fn sweep(tx: &mut Tx, keep: Duration) -> Result<u64> {
    let cutoff = tx.now().minus(keep);
    let abandoned = tx.now().minus(keep.max(limits::READER_ABANDONED));
    let needed_after = store::slowest_cursor(tx, abandoned).await?.unwrap_or(EventSeq(i64::MAX));
    let last = store::oldest(tx, BATCH)
        .await?
        .into_iter()
        .take_while(|(seq, created_at)| *created_at < cutoff && *seq <= needed_after)
        .last();
    match last {
        Some((seq, _)) => store::sweep(tx, seq).await,
        None => Ok(0),
    }
}
