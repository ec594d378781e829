//! The group-commit writer: all waiting writes share one transaction and one fsync.
//!
//! Invariants:
//! - A unit of work gets its result only after its commit is on the disk, in the files that the next start
//!   will open, and without detected damage.
//! - A unit of work that fails leaves no trace, and does not affect the others of the batch.
//! - A caller that stops waiting neither undoes its work nor holds up the batch.
//!
//! Most units that fail do so before they write (a wrong owner, a name already taken), and then there is
//! nothing to undo. When one fails after it wrote, the whole batch is rolled back and run again with a
//! savepoint around each unit. That keeps savepoints off the common path.

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use tokio::sync::{mpsc, oneshot};

use super::connection::Session;
use super::job::Queued;
use crate::clock::Clock;
use crate::limits;
use crate::store::db::condition::Condition;
use crate::store::db::counts::WriteCounts;
use crate::store::db::error::DbError;
use crate::store::db::notifier::{CommitNotifier, CommitSignal};
use crate::store::db::tx::{Connection, Tx};

/// Maximum wait of the writer for more writes after a large batch. The total is less than the cost of a
/// commit, and it saves half of the commits when many callers write at once.
const LINGER: Duration = Duration::from_micros(25);

/// The messages in the writer's queue.
pub(super) enum Message {
    /// A unit of work.
    Work(Queued),
    /// A function that runs outside of a transaction, between two batches.
    Alone(Box<dyn FnOnce(&Session) + Send>),
    /// Finish queued work, optimize and close the file, and report when it is done.
    Close(oneshot::Sender<()>),
}

/// Starts the writer thread, which ends on [`Message::Close`] or when all senders are gone.
pub(super) fn start(
    session: Session,
    clock: Arc<dyn Clock>,
    notifier: Arc<CommitNotifier>,
    counts: Arc<WriteCounts>,
    condition: Arc<Condition>,
) -> std::io::Result<mpsc::Sender<Message>> {
    let (sender, queue) = mpsc::channel(limits::WRITE_QUEUE);
    let writer = Writer { tx: Tx::new(Connection::Sqlite(session), clock, condition), notifier, counts };
    thread::Builder::new().name("svc-writer".into()).spawn(move || writer.run(queue))?;
    Ok(sender)
}

struct Writer {
    tx: Tx,
    notifier: Arc<CommitNotifier>,
    counts: Arc<WriteCounts>,
}

/// Waits for more writes before a batch. Callers that got their results together tend to write again
/// together. Without this pause the first one would get a commit of its own, and all others the next one. The
/// pause ends when all are back, or when none came for a while.
fn wait_for_company(queue: &mpsc::Receiver<Message>, last_batch: usize) {
    if last_batch < 2 {
        return;
    }
    let (mut arrived, mut last_arrival) = (queue.len(), Instant::now());
    while arrived < last_batch && last_arrival.elapsed() < LINGER {
        thread::yield_now();
        if queue.len() > arrived {
            (arrived, last_arrival) = (queue.len(), Instant::now());
        }
    }
}

impl Writer {
    fn run(mut self, mut queue: mpsc::Receiver<Message>) {
        let mut messages = Vec::with_capacity(limits::WRITE_BATCH_MAX);
        let mut batch = Vec::with_capacity(limits::WRITE_BATCH_MAX);
        let mut alone = Vec::new();
        let mut closing = None;
        let mut company = 1;
        loop {
            wait_for_company(&queue, company);
            if queue.blocking_recv_many(&mut messages, limits::WRITE_BATCH_MAX) == 0 {
                break;
            }
            company = messages.len();
            for message in messages.drain(..) {
                match message {
                    Message::Work(job) => batch.push(job),
                    Message::Alone(work) => alone.push(work),
                    Message::Close(done) => {
                        queue.close();
                        closing = Some(done);
                    }
                }
            }
            if !batch.is_empty() {
                self.commit(&mut batch);
            }
            for work in alone.drain(..) {
                work(self.tx.sqlite());
            }
        }
        self.tidy();
        drop(self.tx);
        if let Some(done) = closing {
            // The caller may have stopped waiting.
            done.send(()).ok();
        }
    }

    /// Runs a batch in one transaction and replies to every unit in it.
    fn commit(&mut self, batch: &mut Vec<Queued>) {
        self.tx.signal = CommitSignal::default();
        self.tx.store_error = None;
        let outcome = match self.tx.condition.check_write() {
            Ok(()) => self.run_batch(batch).and_then(|()| self.statement("COMMIT")),
            refusal => refusal,
        };
        self.tx.learn(&outcome);
        // Checked again: a commit to a removed file is not durable.
        let outcome = outcome.and_then(|()| self.tx.condition.check_write());
        if outcome.is_err() {
            self.roll_back();
        } else {
            self.notifier.notify(self.tx.signal);
        }
        self.counts.note(batch.len() as u64);
        for job in batch.drain(..) {
            job.answer(outcome.clone());
        }
    }

    fn run_batch(&mut self, batch: &mut [Queued]) -> Result<(), DbError> {
        self.statement("BEGIN IMMEDIATE")?;
        for job in &mut *batch {
            let before = self.tx.sqlite().raw.total_changes();
            let succeeded = job.attempt(&mut self.tx);
            let wrote = self.tx.executed || self.tx.sqlite().raw.total_changes() != before;
            // A full or failing disk makes SQLite roll back the whole transaction.
            if !self.is_open() || !succeeded && wrote {
                self.roll_back();
                return self.run_isolated(batch);
            }
        }
        Ok(())
    }

    /// Runs every unit inside its own savepoint.
    fn run_isolated(&mut self, batch: &mut [Queued]) -> Result<(), DbError> {
        self.tx.signal = CommitSignal::default();
        self.statement("BEGIN IMMEDIATE")?;
        for job in batch {
            self.statement("SAVEPOINT unit")?;
            let succeeded = job.attempt(&mut self.tx);
            if !self.is_open() {
                // A full or failing disk makes SQLite roll back the whole transaction.
                let given_up = || DbError::Unavailable("the transaction was given up by the store".into());
                return Err(self.tx.store_error.take().unwrap_or_else(given_up));
            }
            if !succeeded {
                self.statement("ROLLBACK TO unit")?;
            }
            self.statement("RELEASE unit")?;
        }
        Ok(())
    }

    fn statement(&mut self, text: &str) -> Result<(), DbError> {
        self.tx.sqlite().run(text)
    }

    fn is_open(&mut self) -> bool {
        !self.tx.sqlite().raw.is_autocommit()
    }

    fn roll_back(&mut self) {
        if self.is_open()
            && let Err(error) = self.statement("ROLLBACK")
        {
            tracing::error!(%error, "a transaction could not be rolled back");
        }
    }

    /// Compacts the file. A failure is made up for at the next start.
    fn tidy(&mut self) {
        let connection = &self.tx.sqlite().raw;
        let tidied = connection
            .execute_batch("PRAGMA optimize")
            .and_then(|()| connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())));
        if let Err(error) = tidied {
            tracing::debug!(%error, "the store was closed without optimizing it");
        }
    }
}
