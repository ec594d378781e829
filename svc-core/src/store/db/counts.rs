//! How many writes there were and how many commits they shared.

use std::sync::atomic::{AtomicU64, Ordering};

/// Counted since the store was opened, by this process.
#[derive(Debug, Default)]
pub(super) struct WriteCounts {
    units: AtomicU64,
    commits: AtomicU64,
}

/// What [`Db::write_stats`](super::Db::write_stats) tells.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct WriteStats {
    /// Units of work that wanted to write.
    pub units: u64,
    /// Transactions that they shared; the mean batch is `units / commits`.
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
