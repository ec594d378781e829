//! SQLite: one writer, several readers, and a watcher of other processes' writes.
//!
//! The driver is used from dedicated threads instead of through an async wrapper: a unit of work then crosses
//! threads once, not once per statement.

pub(super) mod connection;
mod deadline;
mod failure;
mod files;
pub(super) mod fill;
mod job;
mod maintenance;
mod readers;
mod snapshot;
pub(super) mod statement;
mod watcher;
mod writer;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::time::Duration;

use tokio::sync::{Mutex, mpsc, oneshot};
use tokio::task::AbortHandle;

use connection::Role;
pub(super) use connection::Session;
use deadline::Pace;
use failure::{UniqueIndexes, failure};
pub(super) use files::StoreFiles;
use job::Queued;
use writer::Message;

use super::condition::Condition;
use super::counts::WriteCounts;
use super::error::DbError;
use super::job::{Job, Output};
use super::notifier::CommitNotifier;
use super::{Lane, Purpose};
use crate::clock::Clock;
use crate::error::{Error, Result};
use crate::limits;

/// Number of reader threads. More would not help: they share the machine's cores.
const READERS: usize = 4;

/// Held by every connection other than the writer's; dropped after the connection.
type InUse = mpsc::Sender<()>;

/// An open file.
pub(super) struct Sqlite {
    path: PathBuf,
    clock: Arc<dyn Clock>,
    writer: mpsc::Sender<Message>,
    readers: async_channel::Sender<Queued>,
    searchers: async_channel::Sender<Queued>,
    probe: async_channel::Sender<Queued>,
    watcher: AbortHandle,
    in_use: mpsc::WeakSender<()>,
    /// Ends when the last of those connections is closed.
    others: Mutex<mpsc::Receiver<()>>,
    condition: Arc<Condition>,
    /// The number of snapshots that are read.
    snapshots: Arc<AtomicUsize>,
    purpose: Purpose,
}

impl Sqlite {
    /// Opens the file, applies missing migrations and starts the threads.
    pub(super) async fn open(
        path: PathBuf,
        clock: Arc<dyn Clock>,
        search_deadline: Duration,
        notifier: Arc<CommitNotifier>,
        counts: Arc<WriteCounts>,
        purpose: Purpose,
    ) -> Result<Self> {
        let prepared = {
            let path = path.clone();
            let clock = clock.clone();
            tokio::task::spawn_blocking(move || prepare(&path, clock.as_ref(), purpose))
                .await
                .map_err(|error| Error::internal(error.to_string()))??
        };
        // By now all files exist and are ours.
        let condition = Arc::new(Condition::of_files(StoreFiles::of(&path)));
        let writer = writer::start(prepared.writer, clock.clone(), notifier.clone(), counts, condition.clone())
            .map_err(no_thread)?;
        let (in_use, others) = mpsc::channel(1);
        let start = |name: &str, sessions: Vec<Session>, time, queue: async_channel::Receiver<_>| {
            sessions.into_iter().enumerate().try_for_each(|(number, session)| {
                let name = format!("svc-{name}-{number}");
                let (queue, in_use, condition) = (queue.clone(), in_use.clone(), condition.clone());
                readers::start(name, session, time, clock.clone(), queue, in_use, condition).map_err(no_thread)
            })
        };
        let (readers, queue) = async_channel::bounded(limits::WRITE_QUEUE);
        start("reader", prepared.readers, (limits::READ_DEADLINE, Pace::Ordinary), queue)?;
        let (searchers, queue) = async_channel::bounded(limits::WRITE_QUEUE);
        start("searcher", prepared.searchers, (search_deadline, Pace::Close), queue)?;
        let (probe, queue) = async_channel::bounded(16);
        start("probe", vec![prepared.probe], (limits::READ_DEADLINE, Pace::Ordinary), queue)?;
        let weak = in_use.downgrade();
        let watching = watcher::watch(prepared.watcher, notifier, in_use, condition.clone());
        let watcher = tokio::spawn(watching).abort_handle();
        Ok(Self {
            path,
            clock,
            writer,
            readers,
            searchers,
            probe,
            watcher,
            in_use: weak,
            others: Mutex::new(others),
            condition,
            snapshots: Arc::default(),
            purpose,
        })
    }

    /// Runs a job. Its writes are durable when this returns.
    pub(super) async fn run(&self, lane: Lane, job: Box<dyn Job>) -> Result<Output> {
        let (queued, answer) = Queued::new(job);
        // Of a snapshot: dropped when the caller stops waiting.
        let mut waiting = None;
        match lane {
            Lane::Read => self.readers.send(queued).await.is_ok(),
            Lane::Search => self.searchers.send(queued).await.is_ok(),
            Lane::Snapshot => self.snapshot(queued, Arc::downgrade(waiting.insert(Arc::new(()))))?,
            Lane::Probe => self.probe.send(queued).await.is_ok(),
            // There is one writer, so readiness probes write through it.
            Lane::Write | Lane::ProbeWrite => self.writer.send(Message::Work(queued)).await.is_ok(),
        }
        .then_some(())
        .ok_or_else(closed)?;
        let outcome = answer.await.unwrap_or_else(|_| Err(closed()));
        drop(waiting);
        outcome
    }

    /// Finishes queued work and closes the file.
    pub(super) async fn close(&self) {
        self.watcher.abort();
        self.readers.close();
        self.searchers.close();
        self.probe.close();
        let (done, closed) = oneshot::channel();
        if self.writer.send(Message::Close(done)).await.is_ok() {
            // An error means that the writer has ended already.
            drop(closed.await);
        }
        // Nothing is ever sent; it ends with the last connection.
        self.others.lock().await.recv().await;
    }

    /// The size of the file with its write-ahead log.
    pub(super) async fn size(&self) -> u64 {
        self.size_of("").await + self.size_of("-wal").await
    }

    /// The size of the write-ahead log.
    pub(super) async fn log_size(&self) -> Option<u64> {
        Some(self.size_of("-wal").await)
    }

    async fn size_of(&self, suffix: &str) -> u64 {
        let mut name = self.path.clone().into_os_string();
        name.push(suffix);
        tokio::fs::metadata(name).await.map_or(0, |metadata| metadata.len())
    }

    /// The condition of the file.
    pub(super) fn condition(&self) -> &Condition {
        &self.condition
    }
}

impl Drop for Sqlite {
    fn drop(&mut self) {
        self.watcher.abort();
    }
}

/// The connections of an opened store.
struct Prepared {
    writer: Session,
    readers: Vec<Session>,
    searchers: Vec<Session>,
    probe: Session,
    watcher: rusqlite::Connection,
}

/// All blocking steps: opening, migrating, reading the schema.
fn prepare(path: &Path, clock: &dyn Clock, purpose: Purpose) -> Result<Prepared> {
    let writer = match purpose {
        Purpose::Use => {
            let writer = connection::open(path, Role::Writer)?;
            maintenance::migrate_file(&writer, clock)?;
            writer
        }
        Purpose::Inspect => connection::open(path, Role::Reader)?,
    };
    let unique_indexes = Arc::new(UniqueIndexes::read(&writer).map_err(|error| failure(&error))?);
    let session = |raw| Session { raw, unique_indexes: unique_indexes.clone() };
    let reader = || connection::open(path, Role::Reader);
    let sessions = |count: usize| (0..count).map(|_| reader().map(session)).collect::<Result<_, _>>();
    Ok(Prepared {
        readers: sessions(READERS)?,
        searchers: sessions(limits::SEARCHES_AT_ONCE)?,
        probe: session(reader()?),
        watcher: reader()?,
        writer: session(writer),
    })
}

fn closed() -> Error {
    DbError::Unavailable("the store has been closed".into()).into()
}

fn no_thread(error: std::io::Error) -> Error {
    Error::unavailable("storage_unavailable", "The store's threads could not be started.").with_source(error)
}
