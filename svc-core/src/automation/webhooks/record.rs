//! The recorder of a process: outcomes of attempts that end at the same time share a transaction.
//!
//! Invariants:
//! - An outcome waits for no other: it is written at once, unless a transaction is being written. Those that end
//!   meanwhile are the next one.
//! - An outcome that cannot be recorded does not keep the others: those of a transaction that failed are recorded one
//!   by one.

use std::sync::{Mutex, PoisonError};

use tokio::sync::oneshot;

use super::outcome::{self, Outcome};
use super::service::Webhooks;
use crate::error::Result;
use crate::limits;

/// Records outcomes.
pub(super) struct Recorder {
    webhooks: Webhooks,
    gathered: Mutex<Vec<Gathered>>,
    turn: tokio::sync::Mutex<()>,
}

/// An outcome that is not recorded yet, and the task that waits for it.
struct Gathered {
    outcome: Outcome,
    recorded: oneshot::Sender<()>,
}

impl Recorder {
    pub(super) fn new(webhooks: Webhooks) -> Self {
        Self { webhooks, gathered: Mutex::default(), turn: tokio::sync::Mutex::default() }
    }

    /// Records an outcome, with all others that there are. One that cannot be recorded is lost: the lease expires, and
    /// the delivery is attempted again.
    pub(super) async fn record(&self, outcome: Outcome) {
        let (recorded, mut is_recorded) = oneshot::channel();
        self.gathered.lock().unwrap_or_else(PoisonError::into_inner).push(Gathered { outcome, recorded });
        tokio::select! {
            biased;
            // Another task had the turn, and is done with it.
            _ = &mut is_recorded => {}
            _turn = self.turn.lock() => {
                let all = std::mem::take(&mut *self.gathered.lock().unwrap_or_else(PoisonError::into_inner));
                self.record_all(all).await;
            }
        }
    }

    async fn record_all(&self, all: Vec<Gathered>) {
        let (outcomes, waiting): (Vec<_>, Vec<_>) = all.into_iter().map(|one| (one.outcome, one.recorded)).unzip();
        for some in outcomes.chunks(limits::WEBHOOK_HELD) {
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
