//! Recording what attempts did. Those that end at the same time share a transaction.

use std::sync::{Mutex, PoisonError};

use super::deliver::Outcome;
use super::service::Push;
use super::store::{self, Job};
use crate::error::Result;
use crate::limits;
use crate::store::db::Tx;
use crate::store::queue::{ClaimedItem, Failure, Queue};
use crate::timestamp::Timestamp;

/// An attempt that has ended.
#[derive(Debug, Clone)]
pub(super) struct Ended {
    pub(super) claimed: ClaimedItem,
    pub(super) outcome: Outcome,
    /// The subscription; `None` if there was nothing to send.
    pub(super) job: Option<Job>,
    /// The time after which the message is of no use.
    pub(super) until: Timestamp,
}

/// Records attempts. While one transaction is written, the next ones gather.
pub(super) struct Recorder {
    push: Push,
    gathered: Mutex<Vec<Ended>>,
    turn: tokio::sync::Mutex<()>,
}

impl Recorder {
    pub(super) fn new(push: Push) -> Self {
        Self { push, gathered: Mutex::default(), turn: tokio::sync::Mutex::default() }
    }

    /// Records an attempt. An outcome that cannot be recorded is lost: the lease ends, and the message is sent again.
    pub(super) async fn record(&self, ended: Ended) {
        self.gathered.lock().unwrap_or_else(PoisonError::into_inner).push(ended);
        let _turn = self.turn.lock().await;
        let all = std::mem::take(&mut *self.gathered.lock().unwrap_or_else(PoisonError::into_inner));
        for some in all.chunks(limits::CLAIM_MAX as usize) {
            if self.write(some.to_vec()).await.is_ok() || some.len() == 1 {
                continue;
            }
            // One of them has lost its lease, and must not keep the others.
            for one in some {
                drop(self.write(vec![one.clone()]).await);
            }
        }
    }

    async fn write(&self, some: Vec<Ended>) -> Result<()> {
        let written = self.push.db.write((self.push.queue.clone(), some), |tx, (queue, some)| {
            Box::pin(async move {
                for one in some {
                    record(tx, queue, one).await?;
                }
                Ok(())
            })
        });
        written.await.inspect_err(|error| {
            tracing::warn!(error = error.log_line(), "the outcome of a push message could not be recorded");
        })
    }
}

/// Records an outcome, in one transaction with the item in the queue.
async fn record(tx: &mut Tx, queue: &Queue, ended: &Ended) -> Result<()> {
    let Ended { claimed, outcome, job, until } = ended;
    let Some(job) = job else { return queue.finish_in(tx, claimed).await };
    match outcome {
        Outcome::Sent => {
            queue.finish_in(tx, claimed).await?;
            store::note_success(tx, job.id).await
        }
        Outcome::Dropped => queue.finish_in(tx, claimed).await,
        Outcome::Gone => {
            queue.finish_in(tx, claimed).await?;
            store::remove_gone(tx, job).await
        }
        Outcome::Refused(error) => {
            queue.fail_in(tx, claimed, &Failure::last(error.as_str())).await?;
            store::note_failure(tx, job.id, error).await
        }
        Outcome::Failed(error, wait) => {
            let is_over = tx.now().plus(*wait) >= *until;
            let failure = if is_over { Failure::last(error.as_str()) } else { Failure::new(error.as_str()) };
            queue.fail_in(tx, claimed, &failure.not_before(*wait)).await?;
            store::note_failure(tx, job.id, error).await
        }
    }
}
