//! Background workers: idempotent, without input, supervised. The list of them is in `hub/workers.rs`.
//!
//! What always holds: among all processes on one store a worker runs in one at a time, under a
//! lease of its own name; a worker that fails is tried again after a growing pause and shown as
//! failing meanwhile; `run_once` does one round of any of them, from a test or by hand.

mod health;
pub(crate) mod position;
mod supervisor;

use std::time::Duration;

use async_trait::async_trait;

pub(crate) use health::HealthBoard;
pub use health::{WorkerHealth, WorkerState};
pub(crate) use supervisor::Supervision;
pub use supervisor::Workers;

use crate::error::Result;

/// A background loop. Its state is in the store; the value holds only what it works with.
#[async_trait]
pub trait Worker: Send + Sync {
    /// The name of its lease, and under which it is shown.
    fn name(&self) -> &'static str;

    /// When it runs.
    fn cadence(&self) -> Cadence;

    /// One round of work. Doing it twice does no harm.
    async fn run_once(&self) -> Result<Progress>;
}

/// When a worker runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cadence {
    pub(crate) every: Duration,
    pub(crate) on_events: bool,
}

impl Cadence {
    /// On a timer.
    pub fn every(every: Duration) -> Self {
        Self { every, on_events: false }
    }

    /// When something was written to the event log, and on a timer besides.
    pub fn on_events_and_every(every: Duration) -> Self {
        Self { every, on_events: true }
    }
}

/// Whether a round left something to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// Nothing is left for now.
    Done,
    /// There is more; run again at once.
    More,
}
