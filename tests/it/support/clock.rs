//! A clock that stands still until it is moved, and chance that repeats.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

use svc_core::Timestamp;
use svc_core::clock::{Clock, Entropy};

/// Starts at 2026-01-01T00:00:00Z.
#[derive(Debug)]
pub(crate) struct TestClock(AtomicI64);

impl TestClock {
    pub(crate) fn new() -> Self {
        Self(AtomicI64::new(1_767_225_600_000_000))
    }

    pub(crate) fn advance(&self, by: Duration) {
        self.0.fetch_add(i64::try_from(by.as_micros()).unwrap(), Ordering::SeqCst);
    }
}

impl TestClock {
    /// As when the machine's clock is corrected.
    pub(crate) fn set_back(&self, by: Duration) {
        self.0.fetch_sub(i64::try_from(by.as_micros()).unwrap(), Ordering::SeqCst);
    }
}

impl Clock for TestClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_micros(self.0.load(Ordering::SeqCst))
    }
}

/// The same bytes for the same seed.
#[derive(Debug)]
pub(crate) struct SeededEntropy(AtomicU64);

impl SeededEntropy {
    pub(crate) fn new(seed: u64) -> Self {
        Self(AtomicU64::new(seed))
    }
}

impl Entropy for SeededEntropy {
    fn fill(&self, bytes: &mut [u8]) {
        for chunk in bytes.chunks_mut(8) {
            // The mixing steps make neighbouring states look unrelated.
            let mut state = self.0.fetch_add(0x9e37_79b9_7f4a_7c15, Ordering::SeqCst);
            state = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            state = (state ^ (state >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            chunk.copy_from_slice(&(state ^ (state >> 31)).to_le_bytes()[..chunk.len()]);
        }
    }
}
