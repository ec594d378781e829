//! A long read on a connection and a thread of its own, so that neither readers nor the writer wait for it.
//!
//! The log cannot be copied into the file beyond the state that is read, so it grows meanwhile. The writer would copy
//! all of it after the first commit that follows, and everybody would wait for that. So the writer copies nothing while
//! a snapshot is read, and then this thread does it, beside the writer. A store that is only inspected is not changed,
//! so nothing is copied there. A snapshot has no deadline; its statements end when nobody waits for them any more.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Weak};
use std::thread;

use tokio::sync::mpsc;

use super::connection::{self, LOG_PAGES, Role, Session};
use super::failure::{UniqueIndexes, failure};
use super::job::Queued;
use super::writer::Message;
use super::{Purpose, Sqlite, closed, no_thread};
use crate::clock::Clock;
use crate::error::Result;
use crate::store::db::condition::Condition;
use crate::store::db::error::DbError;
use crate::store::db::tx::{Connection, Tx};

/// Attempts to copy the log, which grows meanwhile.
const ROUNDS: usize = 8;
/// Instructions of the engine between two looks whether somebody waits: about a millisecond.
const LOOK_EVERY: i32 = 20_000;

impl Sqlite {
    /// Starts a thread for the job, which answers when it has ended, or ends when `waiting` is dropped. Returns `true`.
    pub(super) fn snapshot(&self, mut job: Queued, waiting: Weak<()>) -> Result<bool> {
        let in_use = self.in_use.upgrade().ok_or_else(closed)?;
        let (path, clock, condition) = (self.path.clone(), self.clock.clone(), self.condition.clone());
        let (snapshots, writer) = (self.snapshots.clone(), self.writer.downgrade());
        let purpose = self.purpose;
        let run = move || {
            let growing = GrowingLog::begin(snapshots, writer);
            let outcome = read(&path, clock, condition, &mut job, waiting);
            job.answer(outcome);
            if purpose == Purpose::Use {
                growing.end(&path);
            } else {
                drop(growing);
            }
            drop(in_use);
        };
        thread::Builder::new().name("svc-snapshot".into()).spawn(run).map_err(no_thread)?;
        Ok(true)
    }
}

fn read(
    path: &Path,
    clock: Arc<dyn Clock>,
    condition: Arc<Condition>,
    job: &mut Queued,
    waiting: Weak<()>,
) -> Result<(), DbError> {
    condition.check_read()?;
    let raw = connection::open(path, Role::Reader)?;
    let is_abandoned = move || waiting.strong_count() == 0;
    raw.progress_handler(LOOK_EVERY, Some(is_abandoned)).map_err(|error| failure(&error))?;
    let unique_indexes = Arc::new(UniqueIndexes::read(&raw).map_err(|error| failure(&error))?);
    let mut tx = Tx::new(Connection::Sqlite(Session { raw, unique_indexes }), clock, condition);
    tx.sqlite().run("BEGIN")?;
    job.attempt(&mut tx);
    tx.sqlite().run("ROLLBACK")
}

/// While it exists, the writer does not copy the log.
struct GrowingLog {
    snapshots: Arc<AtomicUsize>,
    writer: mpsc::WeakSender<Message>,
}

impl GrowingLog {
    fn begin(snapshots: Arc<AtomicUsize>, writer: mpsc::WeakSender<Message>) -> Self {
        let is_first = snapshots.fetch_add(1, Ordering::SeqCst) == 0;
        let this = Self { snapshots, writer };
        if is_first {
            this.copy_from(0);
        }
        this
    }

    /// Copies the log, unless another snapshot is still read.
    fn end(self, path: &Path) {
        if self.snapshots.load(Ordering::SeqCst) == 1
            && let Err(error) = copy_log(path)
        {
            tracing::debug!(%error, "the writer copies the log");
        }
    }

    fn copy_from(&self, pages: u32) {
        let set = move |session: &Session| {
            if let Err(error) = connection::copy_log_from(&session.raw, pages) {
                tracing::warn!(%error, "the write-ahead log is copied at another size than it should be");
            }
        };
        // A writer that has ended copies all of it.
        if let Some(writer) = self.writer.upgrade() {
            drop(writer.blocking_send(Message::Alone(Box::new(set))));
        }
    }
}

impl Drop for GrowingLog {
    fn drop(&mut self) {
        if self.snapshots.fetch_sub(1, Ordering::SeqCst) == 1 {
            self.copy_from(LOG_PAGES);
        }
    }
}

/// Copies the log into the file until the rest is as short as usual. The writer goes on meanwhile.
fn copy_log(path: &Path) -> Result<(), DbError> {
    let raw = connection::open(path, Role::Copier)?;
    for _ in 0..ROUNDS {
        // Whether it was refused, the pages in the log, and those of them that were copied.
        let left: i64 = raw
            .query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |row| Ok(row.get::<_, i64>(1)? - row.get::<_, i64>(2)?))
            .map_err(|error| failure(&error))?;
        if left <= i64::from(LOG_PAGES) {
            break;
        }
    }
    Ok(())
}
