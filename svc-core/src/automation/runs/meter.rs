//! Figures of the runs of this process.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use svc_macros::boxed_futures;
use svc_model::runs::RunStatus;

use super::service::Runs;
use super::store;
use crate::error::Result;
use crate::timestamp::Timestamp;

/// The number of runs that ended in this process, by outcome.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RunCounts {
    /// Ended well.
    pub succeeded: u64,
    /// Failed, or interrupted.
    pub failed: u64,
    /// Cancelled.
    pub cancelled: u64,
}

/// The counters; clones share them.
#[derive(Debug, Clone, Default)]
pub(super) struct Meter(Arc<[AtomicU64; 3]>);

impl Meter {
    pub(super) fn count(&self, status: RunStatus) {
        let [succeeded, failed, cancelled] = &*self.0;
        let counter = match status {
            RunStatus::Succeeded => succeeded,
            RunStatus::Failed => failed,
            RunStatus::Cancelled => cancelled,
            _ => return,
        };
        counter.fetch_add(1, Ordering::Relaxed);
    }

    fn counts(&self) -> RunCounts {
        let [succeeded, failed, cancelled] = &*self.0;
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        RunCounts { succeeded: read(succeeded), failed: read(failed), cancelled: read(cancelled) }
    }
}

#[boxed_futures]
impl Runs {
    /// The number of runs that ended in this process, by outcome.
    pub fn counts(&self) -> RunCounts {
        self.meter.counts()
    }

    /// The number of runs that are under way in this process.
    pub fn under_way(&self) -> usize {
        self.live_count()
    }

    /// When the oldest run was started that waits for a node with room.
    pub async fn oldest_queued(&self) -> Result<Option<Timestamp>> {
        self.db.read((), |tx, ()| Box::pin(store::oldest_queued(tx))).await
    }
}
