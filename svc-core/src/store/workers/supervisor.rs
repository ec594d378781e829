//! The supervisor: runs each worker in its own task and keeps it running.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use svc_macros::boxed_futures;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::health::{HealthBoard, WorkerState};
use super::{Placement, Progress, Worker};
use crate::clock::Clock;
use crate::error::{Error, Result};
use crate::ids::EventSeq;
use crate::limits;
use crate::store::events::EventLog;
use crate::store::leases::{Lease, Leases};

/// Maximum wait of a stopping hub for running rounds.
const STOPPING_PATIENCE: Duration = Duration::from_secs(10);

/// The running workers. Dropping it stops them at once; prefer [`Workers::stop`].
pub struct Workers {
    stop: CancellationToken,
    tasks: JoinSet<()>,
}

#[boxed_futures]
impl Workers {
    pub(crate) fn start(supervision: &Supervision, workers: Vec<Arc<dyn Worker>>) -> Self {
        let stop = CancellationToken::new();
        let mut tasks = JoinSet::new();
        for worker in workers {
            supervision.health.note(worker.name(), |_| {});
            let supervised = Supervised { with: supervision.clone(), worker, stop: stop.clone() };
            tasks.spawn(supervised.run());
        }
        Self { stop, tasks }
    }

    /// Starts no new rounds, waits for running ones, and releases the leases.
    pub async fn stop(mut self) {
        self.stop.cancel();
        let finished = async { while self.tasks.join_next().await.is_some() {} };
        if tokio::time::timeout(STOPPING_PATIENCE, finished).await.is_err() {
            tracing::warn!("some workers did not finish in time; their leases will expire");
        }
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

/// A callback with the name of a failing worker and the reason.
pub(crate) type FirstFailure = dyn Fn(&'static str, &str) + Send + Sync;

/// The dependencies of the supervisor.
#[derive(Clone)]
pub(crate) struct Supervision {
    pub(crate) events: EventLog,
    pub(crate) leases: Leases,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) health: HealthBoard,
    pub(crate) lease_length: Duration,
    /// Called with the name of a worker and the reason when it fails for the first time in a row.
    pub(crate) first_failure: Arc<FirstFailure>,
}

struct Supervised {
    with: Supervision,
    worker: Arc<dyn Worker>,
    stop: CancellationToken,
}

/// The result of a turn.
enum Turn {
    Done,
    Elsewhere,
}

impl Supervised {
    async fn run(self) {
        let mut failures: u32 = 0;
        // Taken before the first turn, so that no event between two turns is missed.
        let mut head = self.with.events.watch_head().ok().filter(|_| self.worker.cadence().on_events);
        while !self.stop.is_cancelled() {
            head.as_mut().map(watch::Receiver::mark_unchanged);
            let (pause, woken_by_events) = match self.turn().await {
                Ok(Turn::Done) => {
                    failures = 0;
                    (self.worker.cadence().every, true)
                }
                // The process that has the lease follows the events too, but may crash; check again
                // regularly.
                Ok(Turn::Elsewhere) => (self.lease_length() / 3, false),
                Err(error) => {
                    failures = failures.saturating_add(1);
                    self.report(&error, failures);
                    (back_off(failures), false)
                }
            };
            self.wait(pause, woken_by_events, head.as_mut()).await;
        }
        self.worker.wind_down().await;
    }

    /// Takes the lease and runs rounds until no work is left.
    async fn turn(&self) -> Result<Turn> {
        if self.worker.placement() == Placement::EveryProcess {
            self.note(|health| health.state = WorkerState::Running);
            self.rounds().await?;
            self.note_success();
            return Ok(Turn::Done);
        }
        let leases = &self.with.leases;
        let Some(lease) = leases.acquire(self.worker.name(), self.lease_length()).await? else {
            self.note(|health| health.state = WorkerState::Elsewhere);
            return Ok(Turn::Elsewhere);
        };
        self.note(|health| health.state = WorkerState::Running);
        let outcome = tokio::select! {
            outcome = self.rounds() => outcome,
            lost = self.keep(&lease) => Err(lost),
        };
        let released = leases.release(lease).await;
        outcome.and(released)?;
        self.note_success();
        Ok(Turn::Done)
    }

    fn note_success(&self) {
        let now = self.with.clock.now();
        self.note(|health| {
            health.state = WorkerState::Idle;
            health.last_run_at = Some(now);
            health.last_error = None;
            health.failures = 0;
        });
    }

    async fn rounds(&self) -> Result<()> {
        loop {
            let round = AssertUnwindSafe(self.worker.run_once()).catch_unwind().await;
            let progress = round.unwrap_or_else(|_| Err(Error::internal("the worker panicked")))?;
            if progress == Progress::Done || self.stop.is_cancelled() {
                return Ok(());
            }
        }
    }

    /// Renews the lease while the rounds run; returns only when it was lost.
    async fn keep(&self, lease: &Lease) -> Error {
        let mut renewed = Instant::now();
        loop {
            tokio::time::sleep(self.lease_length() / 3).await;
            let asked = Instant::now();
            match self.with.leases.renew(lease, self.lease_length()).await {
                Ok(true) => renewed = asked,
                Ok(false) => return Error::conflict("lease_lost", "Another process has taken over this worker."),
                // The store may be available again before the lease expires.
                Err(error) if renewed.elapsed() >= self.lease_length() => return error,
                Err(_) => {}
            }
        }
    }

    /// Waits for the interval, for an event or work if the last turn succeeded here, or for the stop.
    async fn wait(&self, pause: Duration, is_woken: bool, head: Option<&mut watch::Receiver<EventSeq>>) {
        let woken = async {
            if let Some(head) = head.filter(|_| is_woken)
                && head.changed().await.is_ok()
            {
                return;
            }
            // There is nothing to follow, or the hub has been closed and is about to stop.
            std::future::pending::<()>().await;
        };
        tokio::select! {
            () = self.stop.cancelled() => {}
            () = tokio::time::sleep(pause) => {}
            () = woken => {}
            () = self.worker.work_arrives(), if is_woken => {}
        }
    }

    fn report(&self, error: &Error, failures: u32) {
        let worker = self.worker.name();
        let line = error.log_line();
        tracing::error!(worker, failures, error = line, "a worker failed; it will be retried");
        self.note(|health| {
            health.state = WorkerState::Failing;
            health.last_error = Some(error.message().to_owned());
            health.failures = failures;
        });
        if failures == 1 {
            (self.with.first_failure)(worker, &line);
        }
    }

    fn note(&self, change: impl FnOnce(&mut super::WorkerHealth)) {
        self.with.health.note(self.worker.name(), change);
    }

    fn lease_length(&self) -> Duration {
        self.with.lease_length
    }
}

fn back_off(failures: u32) -> Duration {
    let (first, longest) = limits::WORKER_BACKOFF;
    first.saturating_mul(1 << (failures - 1).min(16)).min(longest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_up_to_a_minute() {
        let pauses: Vec<_> = [1, 2, 3, 7, 100].map(|failures| back_off(failures).as_secs()).into();
        assert_eq!(pauses, [1, 2, 4, 60, 60]);
    }
}
