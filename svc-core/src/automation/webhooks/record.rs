//! The recorder of a process: outcomes of attempts that end at the same time share a transaction.
//!
//! Invariants:
//! - An outcome that is alone is written at once, unless a transaction is being written. Those that end meanwhile are
//!   the next one.
//! - On a server, where a transaction costs many round trips, an outcome waits a few milliseconds for others, and only
//!   while others are about to come.
//! - An outcome that cannot be recorded does not keep the others: those of a transaction that failed are recorded one
//!   by one.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{Notify, oneshot};
use tokio::time::{Instant, timeout_at};

use super::outcome::{self, Outcome};
use super::places::Places;
use super::service::Webhooks;
use crate::error::Result;
use crate::limits;
use crate::store::db::Engine;

/// Records outcomes.
pub(super) struct Recorder {
    webhooks: Webhooks,
    places: Arc<Places>,
    gathered: Mutex<Vec<Gathered>>,
    /// An outcome was added.
    came: Notify,
    turn: tokio::sync::Mutex<()>,
}

/// An outcome that is not recorded yet, and the task that waits for it.
struct Gathered {
    outcome: Outcome,
    recorded: oneshot::Sender<()>,
}

impl Recorder {
    pub(super) fn new(webhooks: Webhooks, places: Arc<Places>) -> Self {
        let (gathered, came, turn) = (Mutex::default(), Notify::new(), tokio::sync::Mutex::default());
        Self { webhooks, places, gathered, came, turn }
    }

    /// Records an outcome, with all others that there are. One that cannot be recorded is lost: the lease expires, and
    /// the delivery is attempted again.
    pub(super) async fn record(&self, outcome: Outcome) {
        let (recorded, mut is_recorded) = oneshot::channel();
        self.gathered().push(Gathered { outcome, recorded });
        self.came.notify_one();
        tokio::select! {
            biased;
            // Another task had the turn, and is done with it.
            _ = &mut is_recorded => {}
            _turn = self.turn.lock() => {
                self.gather().await;
                let all = std::mem::take(&mut *self.gathered());
                self.record_all(all).await;
            }
        }
    }

    /// Waits for outcomes that are about to come, if there are any.
    async fn gather(&self) {
        if self.webhooks.db.engine() == Engine::Sqlite {
            return;
        }
        let end = Instant::now() + limits::WEBHOOK_GATHERING;
        while self.gathered().len() < limits::WEBHOOK_RECORDED / 2 && self.places.is_busy() {
            if timeout_at(end, self.came.notified()).await.is_err() {
                return;
            }
        }
    }

    fn gathered(&self) -> MutexGuard<'_, Vec<Gathered>> {
        self.gathered.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn record_all(&self, all: Vec<Gathered>) {
        let (outcomes, waiting): (Vec<_>, Vec<_>) = all.into_iter().map(|one| (one.outcome, one.recorded)).unzip();
        for some in outcomes.chunks(limits::WEBHOOK_RECORDED) {
            let Err(error) = self.write(some.to_vec()).await else { continue };
            if some.len() == 1 {
                tracing::warn!(error = error.log_line(), "the outcome of a delivery could not be recorded");
                continue;
            }
            for one in some {
                if let Err(error) = self.write(vec![one.clone()]).await {
                    tracing::warn!(error = error.log_line(), "the outcome of a delivery could not be recorded");
                }
            }
        }
        for waiting in waiting {
            // The task may have been stopped.
            waiting.send(()).ok();
        }
    }

    /// Writes outcomes in one transaction.
    async fn write(&self, outcomes: Vec<Outcome>) -> Result<()> {
        let Webhooks { db, queue, meter, .. } = &self.webhooks;
        let recorded = db.write((queue.clone(), outcomes), |tx, (queue, outcomes)| {
            Box::pin(outcome::record_all(tx, queue, outcomes))
        });
        for ended in recorded.await? {
            if let Some(ended) = ended {
                meter.count(ended);
            } else {
                tracing::warn!("the lease of a delivery expired before its outcome was recorded");
            }
        }
        Ok(())
    }
}
