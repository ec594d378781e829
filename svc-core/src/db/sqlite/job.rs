//! A unit of work on its way through one of the SQLite threads.
//!
//! The same async code runs on both engines. Here every statement is ready at once, so a unit of
//! work runs to its end in a single poll; one that is not finished then has awaited something
//! else than its transaction, which the core forbids, and is refused.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use tokio::sync::oneshot;

use crate::db::error::DbError;
use crate::db::tx::Tx;
use crate::db::{Unit, Work};
use crate::error::{Error, Result};

/// A unit of work whose types are hidden from the thread that runs it.
pub(super) trait Job: Send {
    /// Runs it once inside the open transaction and keeps the outcome. It may be run again in
    /// another transaction when this one had to be given up. Tells whether it succeeded.
    fn attempt(&mut self, tx: &mut Tx) -> bool;

    /// Hands the kept outcome to the caller, or the failure of the transaction around it.
    fn answer(self: Box<Self>, transaction: Result<(), DbError>);

    /// Whether nobody waits for the outcome any more.
    fn is_abandoned(&self) -> bool;
}

/// A unit of work with its input and the way back to its caller.
pub(super) struct TypedJob<I, T, F> {
    input: I,
    work: F,
    outcome: Option<Result<T>>,
    reply: oneshot::Sender<Result<T>>,
}

impl<I, T, F> TypedJob<I, T, F> {
    pub(super) fn new(input: I, work: F) -> (Self, oneshot::Receiver<Result<T>>) {
        let (reply, answer) = oneshot::channel();
        (Self { input, work, outcome: None, reply }, answer)
    }
}

impl<I, T, F> Job for TypedJob<I, T, F>
where
    I: Send + Sync + 'static,
    T: Send + 'static,
    F: Unit<I, T>,
{
    fn attempt(&mut self, tx: &mut Tx) -> bool {
        tx.now = tx.clock.now();
        (tx.failed, tx.executed) = (false, false);
        let newest_event = tx.newest_event;
        let outcome = catch_unwind(AssertUnwindSafe(|| finish((self.work)(tx, &self.input))))
            .unwrap_or_else(|_| Err(Error::internal("a unit of work panicked")))
            .and_then(|value| tx.check_all_succeeded().map(|()| value));
        let succeeded = outcome.is_ok();
        if !succeeded {
            tx.newest_event = newest_event;
        }
        self.outcome = Some(outcome);
        succeeded
    }

    fn answer(self: Box<Self>, transaction: Result<(), DbError>) {
        let outcome = match (self.outcome, transaction) {
            // A refusal may rest on what a neighbour wrote, which is gone with the transaction.
            (_, Err(failure)) => Err(failure.into()),
            (Some(outcome), Ok(())) => outcome,
            (None, Ok(())) => Err(Error::internal("a unit of work was committed without being run")),
        };
        // The caller may have gone away; what was committed stays committed.
        drop(self.reply.send(outcome));
    }

    fn is_abandoned(&self) -> bool {
        self.reply.is_closed()
    }
}

fn finish<T>(mut work: Work<'_, T>) -> Result<T> {
    let mut context = Context::from_waker(Waker::noop());
    match Pin::as_mut(&mut work).poll(&mut context) {
        Poll::Ready(outcome) => outcome,
        Poll::Pending => Err(Error::internal("a unit of work awaited something other than its transaction")),
    }
}
