//! Background workers: idempotent, without input, supervised. They are listed in `hub/workers.rs`.
//!
//! Invariants: among all processes on one store a worker runs in one at a time, under a lease of its own
//! name, unless its placement is every process; a worker that fails is retried with exponential backoff and
//! reported as failing meanwhile; `run_once` does one round of any worker, from a test or by hand.

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

/// A background loop. Its state is in the store; the value only holds its dependencies.
#[async_trait]
pub trait Worker: Send + Sync {
    /// Its name, which is also that of its lease.
    fn name(&self) -> &'static str;

    /// The schedule of its runs.
    fn cadence(&self) -> Cadence;

    /// Does one round of work. It must be idempotent.
    async fn run_once(&self) -> Result<Progress>;

    /// Where it runs.
    fn placement(&self) -> Placement {
        Placement::OneProcess
    }

    /// Returns when there is work before the next run is due; by default never.
    async fn work_arrives(&self) {
        std::future::pending::<()>().await;
    }

    /// Ends what rounds have left running, when the hub stops.
    async fn wind_down(&self) {}
}

/// Where a worker runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Placement {
    /// In one process at a time, under a lease of its name.
    OneProcess,
    /// In every process. Its work is divided by other means, such as a queue.
    EveryProcess,
}

/// The schedule of a worker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cadence {
    pub(crate) every: Duration,
    pub(crate) on_events: bool,
}

impl Cadence {
    /// Runs at an interval.
    pub fn every(every: Duration) -> Self {
        Self { every, on_events: false }
    }

    /// Runs after new events in the log, and at an interval.
    pub fn on_events_and_every(every: Duration) -> Self {
        Self { every, on_events: true }
    }
}

/// Whether a round left work to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// No work is left for now.
    Done,
    /// There is more work; run again at once.
    More,
}
