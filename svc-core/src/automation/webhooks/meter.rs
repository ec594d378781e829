//! Figures of the deliveries of this process.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The upper bounds of the latency buckets, in milliseconds; the last bucket has none.
const BOUNDS: [u64; 8] = [10, 50, 100, 500, 1000, 2500, 5000, 10_000];

/// The number of deliveries of this process, by outcome.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DeliveryCounts {
    /// Accepted by their endpoint.
    pub delivered: u64,
    /// Failed attempts that are retried.
    pub retried: u64,
    /// Given up after the last attempt.
    pub dead: u64,
    /// Not sent: too deep, hidden or disabled.
    pub stopped: u64,
}

/// The latencies of the attempts of this process.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LatencyBuckets {
    /// The upper bound of each bucket in seconds, with the number of attempts in it alone.
    pub buckets: Vec<(f64, u64)>,
    /// The sum of all latencies, in seconds.
    pub sum: f64,
}

/// The counters; clones share them.
#[derive(Debug, Clone, Default)]
pub(super) struct Meter(Arc<Counters>);

#[derive(Debug, Default)]
struct Counters {
    outcomes: [AtomicU64; 4],
    latencies: [AtomicU64; BOUNDS.len() + 1],
    micros: AtomicU64,
}

/// The outcome of an attempt for its delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ended {
    Delivered,
    Retried,
    Dead,
    Stopped,
}

impl Meter {
    pub(super) fn count(&self, ended: Ended) {
        self.0.outcomes[ended as usize].fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn took(&self, duration: Duration) {
        let millis = u64::try_from(duration.as_millis()).unwrap_or(u64::MAX);
        let bucket = BOUNDS.iter().position(|bound| millis <= *bound).unwrap_or(BOUNDS.len());
        self.0.latencies[bucket].fetch_add(1, Ordering::Relaxed);
        self.0.micros.fetch_add(u64::try_from(duration.as_micros()).unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    pub(super) fn counts(&self) -> DeliveryCounts {
        let [delivered, retried, dead, stopped] = self.0.outcomes.each_ref().map(|count| count.load(Ordering::Relaxed));
        DeliveryCounts { delivered, retried, dead, stopped }
    }

    pub(super) fn latencies(&self) -> LatencyBuckets {
        let bounds = BOUNDS.iter().map(|millis| Duration::from_millis(*millis).as_secs_f64()).chain([f64::MAX]);
        let counts = self.0.latencies.iter().map(|count| count.load(Ordering::Relaxed));
        let sum = Duration::from_micros(self.0.micros.load(Ordering::Relaxed)).as_secs_f64();
        LatencyBuckets { buckets: bounds.zip(counts).collect(), sum }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attempts_are_counted_by_outcome_and_latency() {
        let meter = Meter::default();
        meter.count(Ended::Delivered);
        meter.count(Ended::Stopped);
        assert_eq!(meter.counts(), DeliveryCounts { delivered: 1, stopped: 1, ..DeliveryCounts::default() });
        meter.took(Duration::from_millis(50));
        meter.took(Duration::from_mins(1));
        let latencies = meter.latencies();
        assert_eq!((latencies.buckets[1], latencies.buckets[8].1), ((0.05, 1), 1));
        assert!((latencies.sum - 60.05).abs() < 0.001);
    }
}
