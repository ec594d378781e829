//! Counters of writes and commits.

use std::sync::atomic::{AtomicU64, Ordering};

/// Counted by this process since the store was opened.
#[derive(Debug, Default)]
pub(super) struct WriteCounts {
    units: AtomicU64,
    commits: AtomicU64,
}

/// The result of [`Db::write_stats`](super::Db::write_stats).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct WriteStats {
    /// The number of write transactions that were requested.
    pub units: u64,
    /// The number of commits that they shared; the mean batch is `units / commits`.
    pub commits: u64,
}

impl WriteCounts {
    pub(super) fn note(&self, units: u64) {
        self.units.fetch_add(units, Ordering::Relaxed);
        self.commits.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn stats(&self) -> WriteStats {
        WriteStats { units: self.units.load(Ordering::Relaxed), commits: self.commits.load(Ordering::Relaxed) }
    }
}
