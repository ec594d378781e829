//! A unit of work on its way through one of the SQLite threads.
//!
//! The same async code runs on both engines. Here every statement is ready at once, so a unit of
//! work runs to its end in a single poll; one that is not finished then has awaited something
//! else than its transaction, which the core forbids, and is refused.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::task::{Context, Poll, Waker};

use tokio::sync::oneshot;

use crate::error::{Error, Result};
use crate::store::db::Work;
use crate::store::db::error::DbError;
use crate::store::db::job::{Job, Output};
use crate::store::db::tx::Tx;

/// A job with the way back to its caller.
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

    /// Runs it once inside the open transaction and keeps the outcome. It may be run again in
    /// another transaction when this one had to be given up. Tells whether it succeeded.
    pub(super) fn attempt(&mut self, tx: &mut Tx) -> bool {
        tx.now = tx.clock.now();
        (tx.failed, tx.executed) = (false, false);
        let news = tx.news;
        let outcome = catch_unwind(AssertUnwindSafe(|| finish(self.job.run(tx))))
            .unwrap_or_else(|_| Err(Error::internal("a unit of work panicked")))
            .and_then(|value| tx.check_all_succeeded().map(|()| value));
        let succeeded = outcome.is_ok();
        if !succeeded {
            tx.news = news;
        }
        self.outcome = Some(outcome);
        succeeded
    }

    /// Hands the kept outcome to the caller, or the failure of the transaction around it.
    pub(super) fn answer(self, transaction: Result<(), DbError>) {
        let outcome = match (self.outcome, transaction) {
            // A refusal may rest on what a neighbour wrote, which is gone with the transaction.
            (_, Err(failure)) => Err(failure.into()),
            (Some(outcome), Ok(())) => outcome,
            (None, Ok(())) => Err(Error::internal("a unit of work was committed without being run")),
        };
        // The caller may have gone away; what was committed stays committed.
        drop(self.reply.send(outcome));
    }

    /// Whether nobody waits for the outcome any more.
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
