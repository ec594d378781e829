//! The queue between those who record and the store.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout, timeout_at};

use super::model::{NewTrace, Stamped};
use super::store;
use crate::clock::Clock;
use crate::db::Db;
use crate::error::{Error, Result};
use crate::limits;
use crate::timestamp::Timestamp;

/// How long recording waits for room before it gives up, loudly.
const PATIENCE: Duration = Duration::from_secs(5);
/// The pause before a batch that could not be written is tried again.
const RETRY_PAUSE: Duration = Duration::from_millis(200);
/// How long a closing hub tries to write what is left.
const CLOSING_PATIENCE: Duration = Duration::from_secs(5);

/// Records traces. Clones share one queue.
#[derive(Clone)]
pub struct Traces {
    db: Db,
    queue: mpsc::Sender<Message>,
    clock: Arc<dyn Clock>,
    counts: Arc<Mutex<TraceCounts>>,
    task: Arc<Mutex<Option<JoinHandle<()>>>>,
}

/// What has been recorded since the hub was opened.
#[derive(Debug, Clone, Default)]
pub struct TraceCounts {
    /// All traces that were written.
    pub written: u64,
    /// The same, by action.
    pub by_action: BTreeMap<String, u64>,
    /// Those that tell of a failure.
    pub errors: u64,
    /// Those that could not be written; each was reported in the log.
    pub lost: u64,
}

enum Message {
    Trace(Box<Stamped>),
    Flush(oneshot::Sender<()>),
    Close(oneshot::Sender<()>),
}

impl Traces {
    pub(crate) fn open(db: Db, clock: Arc<dyn Clock>) -> Self {
        let (queue, incoming) = mpsc::channel(limits::TRACE_QUEUE);
        let counts = Arc::<Mutex<TraceCounts>>::default();
        let writer = Writer { db: db.clone(), counts: counts.clone(), batch: Vec::new() };
        let task = tokio::spawn(writer.run(incoming));
        Self { db, queue, clock, counts, task: Arc::new(Mutex::new(Some(task))) }
    }

    /// Queues a trace; waits while the queue is full.
    pub async fn record(&self, trace: NewTrace) -> Result<()> {
        let stamped = Message::Trace(Box::new(Stamped { trace, at: self.clock.now() }));
        if let Ok(Ok(())) = timeout(PATIENCE, self.queue.send(stamped)).await {
            return Ok(());
        }
        tracing::error!("a trace could not be queued and is lost");
        lock(&self.counts).lost += 1;
        Err(Error::unavailable("storage_unavailable", "The action could not be recorded."))
    }

    /// Returns when everything recorded before this call is in the store.
    pub async fn flush(&self) -> Result<()> {
        let (done, flushed) = oneshot::channel();
        let gone = || Error::unavailable("storage_unavailable", "The hub has been closed.");
        self.queue.send(Message::Flush(done)).await.map_err(|_| gone())?;
        flushed.await.map_err(|_| gone())
    }

    /// What has been recorded so far.
    pub fn counts(&self) -> TraceCounts {
        lock(&self.counts).clone()
    }

    /// How many agents left a trace since then.
    pub async fn active_agents(&self, since: Timestamp) -> Result<u64> {
        let count = self.db.read(since, |tx, since| Box::pin(store::active_agents(tx, *since))).await?;
        Ok(u64::try_from(count).unwrap_or(0))
    }

    /// Writes what is queued and stops.
    pub(crate) async fn close(&self) {
        let (done, closed) = oneshot::channel();
        if self.queue.send(Message::Close(done)).await.is_ok() {
            // The writer answers in any case, unless it panicked.
            drop(closed.await);
        }
        let task = lock(&self.task).take();
        if let Some(task) = task {
            drop(task.await);
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

struct Writer {
    db: Db,
    counts: Arc<Mutex<TraceCounts>>,
    batch: Vec<Stamped>,
}

impl Writer {
    async fn run(mut self, mut incoming: mpsc::Receiver<Message>) {
        while let Some(message) = incoming.recv().await {
            let mut waiting = self.take(message);
            let deadline = Instant::now() + limits::TRACE_BATCH_DELAY;
            while waiting.is_none() && self.batch.len() < limits::TRACE_BATCH_MAX {
                match timeout_at(deadline, incoming.recv()).await {
                    Ok(Some(message)) => waiting = self.take(message),
                    Ok(None) | Err(_) => break,
                }
            }
            match waiting {
                Some(Waiting::Close(done)) => {
                    incoming.close();
                    while let Ok(message) = incoming.try_recv() {
                        // A second flush or close is answered when its sender is dropped.
                        drop(self.take(message));
                    }
                    self.write_last().await;
                    done.send(()).ok();
                    return;
                }
                Some(Waiting::Flush(done)) => {
                    self.write().await;
                    done.send(()).ok();
                }
                None => self.write().await,
            }
        }
        self.write_last().await;
    }

    fn take(&mut self, message: Message) -> Option<Waiting> {
        match message {
            Message::Trace(trace) => {
                self.batch.push(*trace);
                None
            }
            Message::Flush(done) => Some(Waiting::Flush(done)),
            Message::Close(done) => Some(Waiting::Close(done)),
        }
    }

    /// Tries until it succeeds; meanwhile the queue fills up and makes others wait.
    async fn write(&mut self) {
        if self.batch.is_empty() {
            return;
        }
        let batch = Arc::new(std::mem::take(&mut self.batch));
        while let Err(error) = self.db.write(batch.clone(), |tx, batch| Box::pin(store::insert_all(tx, batch))).await {
            tracing::warn!(error = error.log_line(), "traces cannot be written at present; trying again");
            tokio::time::sleep(RETRY_PAUSE).await;
        }
        let mut counts = lock(&self.counts);
        for Stamped { trace, .. } in batch.iter() {
            counts.written += 1;
            *counts.by_action.entry(trace.action.clone().into_owned()).or_default() += 1;
            counts.errors += u64::from(trace.error.is_some());
        }
    }

    async fn write_last(&mut self) {
        let count = self.batch.len() as u64;
        if timeout(CLOSING_PATIENCE, self.write()).await.is_err() {
            tracing::error!(count, "traces could not be written before closing and are lost");
            lock(&self.counts).lost += count;
        }
    }
}

/// Somebody who waits for what came before.
enum Waiting {
    Flush(oneshot::Sender<()>),
    Close(oneshot::Sender<()>),
}
