//! The group-commit writer: all writes that wait share one transaction and one fsync.
//!
//! What always holds:
//! - Nobody is answered before the commit that holds their work is on the disk, in the files that the
//!   next start will open, and without any damage having been found.
//! - A unit of work that fails leaves no trace, and its neighbours in the batch do not notice.
//! - A caller that goes away neither undoes its work nor holds up the batch.
//!
//! Most units that fail do so before they write (a wrong owner, a name already taken), and then
//! there is nothing to undo. When one fails after it wrote, the whole batch is rolled back and
//! run again with a savepoint around each unit. That keeps savepoints off the path that matters.

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use tokio::sync::{mpsc, oneshot};

use super::connection::Session;
use super::job::Queued;
use crate::clock::Clock;
use crate::limits;
use crate::store::db::bell::{Bell, News};
use crate::store::db::condition::Condition;
use crate::store::db::counts::WriteCounts;
use crate::store::db::error::DbError;
use crate::store::db::tx::{Connection, Tx};

/// How long a writer that has just answered many waits for the next of them to come back. Together
/// it is less than a commit costs, and it spares half of the commits when many write at once.
const LINGER: Duration = Duration::from_micros(25);

/// What the writer's queue carries.
pub(super) enum Message {
    /// A unit of work.
    Work(Queued),
    /// Something that is done outside a transaction, between two batches.
    Alone(Box<dyn FnOnce(&Session) + Send>),
    /// Finish what is queued, tidy up, close the file, and say when it is done.
    Close(oneshot::Sender<()>),
}

/// Starts the writer's thread, which ends when told to close or when nobody can write any more.
pub(super) fn start(
    session: Session,
    clock: Arc<dyn Clock>,
    bell: Arc<Bell>,
    counts: Arc<WriteCounts>,
    condition: Arc<Condition>,
) -> std::io::Result<mpsc::Sender<Message>> {
    let (sender, queue) = mpsc::channel(limits::WRITE_QUEUE);
    let writer = Writer { tx: Tx::new(Connection::Sqlite(session), clock, condition), bell, counts };
    thread::Builder::new().name("svc-writer".into()).spawn(move || writer.run(queue))?;
    Ok(sender)
}

struct Writer {
    tx: Tx,
    bell: Arc<Bell>,
    counts: Arc<WriteCounts>,
}

/// Those who were answered together tend to write again together. Without a moment's patience the
/// first to come back would get a commit of its own, and all others the next one. The moment ends
/// when all are back, or when nobody came for a while.
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
            // The one who asked may have stopped waiting.
            done.send(()).ok();
        }
    }

    /// Runs a batch in one transaction and answers every unit in it.
    fn commit(&mut self, batch: &mut Vec<Queued>) {
        self.tx.news = News::default();
        self.tx.gave_up = None;
        let outcome = match self.tx.condition.check_write() {
            Ok(()) => self.run_batch(batch).and_then(|()| self.statement("COMMIT")),
            refusal => refusal,
        };
        self.tx.learn(&outcome);
        // Once more: what was committed to a file that is no longer there is not saved.
        let outcome = outcome.and_then(|()| self.tx.condition.check_write());
        if outcome.is_err() {
            self.roll_back();
        } else {
            self.bell.ring(self.tx.news);
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
            // A full or failing disk makes SQLite give up the transaction, with all that came before.
            if !self.is_open() || !succeeded && wrote {
                self.roll_back();
                return self.run_isolated(batch);
            }
        }
        Ok(())
    }

    /// The careful way: every unit inside its own savepoint.
    fn run_isolated(&mut self, batch: &mut [Queued]) -> Result<(), DbError> {
        self.tx.news = News::default();
        self.statement("BEGIN IMMEDIATE")?;
        for job in batch {
            self.statement("SAVEPOINT unit")?;
            let succeeded = job.attempt(&mut self.tx);
            if !self.is_open() {
                // A full or failing disk makes SQLite give up the whole transaction.
                let given_up = || DbError::Unavailable("the transaction was given up by the store".into());
                return Err(self.tx.gave_up.take().unwrap_or_else(given_up));
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

    /// Leaves a compact file behind. What fails here is caught up at the next start.
    fn tidy(&mut self) {
        let connection = &self.tx.sqlite().raw;
        let tidied = connection
            .execute_batch("PRAGMA optimize")
            .and_then(|()| connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())));
        if let Err(error) = tidied {
            tracing::debug!(%error, "the store was closed without tidying");
        }
    }
}
