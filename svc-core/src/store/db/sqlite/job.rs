//! A unit of work in the queue of a SQLite thread.
//!
//! The same async code runs on both engines. On SQLite every statement completes immediately, so a unit of
//! work finishes in a single poll. A unit that is still pending has awaited something other than its
//! transaction, which is forbidden, and fails.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::task::{Context, Poll, Waker};

use tokio::sync::oneshot;

use crate::error::{Error, Result};
use crate::store::db::Work;
use crate::store::db::error::DbError;
use crate::store::db::job::{Job, Output};
use crate::store::db::tx::Tx;

/// A job with the reply channel of its caller.
pub(super) struct Queued {
    job: Box<dyn Job>,
    outcome: Option<Result<Output>>,
    reply: oneshot::Sender<Result<Output>>,
}

impl Queued {
    pub(super) fn new(job: Box<dyn Job>) -> (Self, oneshot::Receiver<Result<Output>>) {
        let (reply, answer) = oneshot::channel();
        (Self { job, outcome: None, reply }, answer)
    }

    /// Runs it once inside the open transaction and stores the outcome. It may be run again in another
    /// transaction when this one was rolled back. Returns whether it succeeded.
    pub(super) fn attempt(&mut self, tx: &mut Tx) -> bool {
        tx.now = tx.clock.now();
        (tx.failed, tx.executed) = (false, false);
        let signal = tx.signal;
        let outcome = catch_unwind(AssertUnwindSafe(|| finish(self.job.run(tx))))
            .unwrap_or_else(|_| Err(Error::internal("a unit of work panicked")))
            .and_then(|value| tx.check_all_succeeded().map(|()| value));
        let succeeded = outcome.is_ok();
        if !succeeded {
            tx.signal = signal;
        }
        self.outcome = Some(outcome);
        succeeded
    }

    /// Sends the stored outcome to the caller, or the error of the surrounding transaction.
    pub(super) fn answer(self, transaction: Result<(), DbError>) {
        let outcome = match (self.outcome, transaction) {
            // An error may depend on the writes of another unit, which were rolled back too.
            (_, Err(failure)) => Err(failure.into()),
            (Some(outcome), Ok(())) => outcome,
            (None, Ok(())) => Err(Error::internal("a unit of work was committed without being run")),
        };
        // The caller may be gone; a commit is not undone.
        drop(self.reply.send(outcome));
    }

    /// Whether the caller has stopped waiting.
    pub(super) fn is_abandoned(&self) -> bool {
        self.reply.is_closed()
    }
}

fn finish(mut work: Work<'_, Output>) -> Result<Output> {
    let mut context = Context::from_waker(Waker::noop());
    match work.as_mut().poll(&mut context) {
        Poll::Ready(outcome) => outcome,
        Poll::Pending => Err(Error::internal("a unit of work awaited something other than its transaction")),
    }
}
