//! Figures of the push messages of this process.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::deliver::Outcome;

/// The number of attempts at push messages of this process, by outcome.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PushCounts {
    /// Accepted by their push service.
    pub sent: u64,
    /// Not sent, because there was nothing to tell any more.
    pub dropped: u64,
    /// Not accepted, because the push service no longer knows the browser, which is forgotten.
    pub gone: u64,
    /// Refused for good.
    pub refused: u64,
    /// Failed; tried again unless it is too late.
    pub failed: u64,
}

/// The counters; clones share them.
#[derive(Debug, Clone, Default)]
pub(super) struct Meter(Arc<[AtomicU64; 5]>);

impl Meter {
    pub(super) fn count(&self, outcome: &Outcome) {
        let at = match outcome {
            Outcome::Sent => 0,
            Outcome::Dropped => 1,
            Outcome::Gone => 2,
            Outcome::Refused(_) => 3,
            Outcome::Failed(..) => 4,
        };
        self.0[at].fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn counts(&self) -> PushCounts {
        let [sent, dropped, gone, refused, failed] = self.0.each_ref().map(|count| count.load(Ordering::Relaxed));
        PushCounts { sent, dropped, gone, refused, failed }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn attempts_are_counted_by_outcome() {
        let meter = Meter::default();
        for outcome in [Outcome::Sent, Outcome::Gone, Outcome::Failed("HTTP 503".to_owned(), Duration::ZERO)] {
            meter.clone().count(&outcome);
        }
        assert_eq!(meter.counts(), PushCounts { sent: 1, gone: 1, failed: 1, ..PushCounts::default() });
    }
}
