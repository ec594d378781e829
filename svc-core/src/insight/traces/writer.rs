//! The queue between recorders and the store.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use svc_macros::boxed_futures;
use svc_model::traces::{NewTrace, TraceCounts};
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout, timeout_at};
use tokio_util::sync::CancellationToken;

use super::model::TimedTrace;
use super::store;
use crate::clock::Clock;
use crate::error::{Error, ErrorKind, Result};
use crate::limits;
use crate::store::db::{Db, DbError, StoreFailure as _};
use crate::timestamp::Timestamp;

/// The longest wait for a place in the queue; then the trace is lost and logged.
const PATIENCE: Duration = Duration::from_secs(5);

/// The pause before a failed batch is retried.
const RETRY_PAUSE: Duration = Duration::from_millis(200);

/// The time in which a closing hub tries to write the queued traces.
const CLOSING_PATIENCE: Duration = Duration::from_secs(5);

/// Records and reads traces. Clones share one queue.
#[derive(Clone)]
pub struct Traces {
    pub(super) db: Db,
    queue: mpsc::Sender<Message>,
    pub(super) clock: Arc<dyn Clock>,
    counts: Arc<Mutex<TraceCounts>>,
    closing: CancellationToken,
    task: Arc<Mutex<Option<JoinHandle<()>>>>,
    /// Whether the store accepts no writes at present, because it is full or damaged.
    is_stuck: Arc<AtomicBool>,
}

enum Message {
    Trace(Box<TimedTrace>),
    Flush(oneshot::Sender<()>),
}

#[boxed_futures]
impl Traces {
    pub(crate) fn open(db: Db, clock: Arc<dyn Clock>) -> Self {
        let (queue, incoming) = mpsc::channel(limits::TRACE_QUEUE);
        let counts = Arc::<Mutex<TraceCounts>>::default();
        let closing = CancellationToken::new();
        let is_stuck = Arc::<AtomicBool>::default();
        let writer = Writer {
            db: db.clone(),
            counts: counts.clone(),
            batch: Vec::new(),
            closing: closing.clone(),
            give_up_at: None,
            is_stuck: is_stuck.clone(),
        };
        let task = tokio::spawn(writer.run(incoming));
        Self { db, queue, clock, counts, closing, task: Arc::new(Mutex::new(Some(task))), is_stuck }
    }

    /// Queues a trace. Waits while the queue is full, but not for a store that is full or damaged,
    /// because then every reader would wait too.
    pub async fn record(&self, trace: NewTrace) -> Result<()> {
        let timed = Message::Trace(Box::new(TimedTrace { trace, at: self.clock.now() }));
        let patience = if self.is_stuck.load(Ordering::Relaxed) { Duration::ZERO } else { PATIENCE };
        if let Ok(Ok(())) = timeout(patience, self.queue.send(timed)).await {
            return Ok(());
        }
        tracing::error!("a trace could not be queued and is lost");
        lock(&self.counts).lost += 1;
        Err(Error::unavailable("storage_unavailable", "The action could not be recorded."))
    }

    /// Queues a trace if there is space; otherwise returns it.
    pub fn offer(&self, trace: NewTrace) -> Result<(), Box<NewTrace>> {
        match self.queue.try_reserve() {
            Ok(permit) => {
                permit.send(Message::Trace(Box::new(TimedTrace { trace, at: self.clock.now() })));
                Ok(())
            }
            Err(_) => Err(Box::new(trace)),
        }
    }

    /// Returns when everything recorded before this call is in the store.
    pub async fn flush(&self) -> Result<()> {
        let (done, flushed) = oneshot::channel();
        let gone = || Error::unavailable("storage_unavailable", "The hub has been closed.");
        self.queue.send(Message::Flush(done)).await.map_err(|_| gone())?;
        flushed.await.map_err(|_| gone())
    }

    /// Returns when everything recorded in this process is readable, or after a timeout: a store
    /// that accepts no writes may still answer reads.
    pub(crate) async fn settle(&self) {
        if self.is_stuck.load(Ordering::Relaxed) {
            return;
        }
        if !matches!(timeout(PATIENCE, self.flush()).await, Ok(Ok(()))) {
            tracing::warn!("an answer does not include traces that are still queued");
        }
    }

    /// The number of traces waiting to be written.
    pub fn queued(&self) -> usize {
        limits::TRACE_QUEUE - self.queue.capacity()
    }

    /// The numbers of recorded traces so far.
    pub fn counts(&self) -> TraceCounts {
        lock(&self.counts).clone()
    }

    /// The number of agents that left a trace since this time.
    pub async fn active_agents(&self, since: Timestamp) -> Result<u64> {
        let count = self.db.read(since, |tx, since| Box::pin(store::active_agents(tx, *since))).await?;
        Ok(u64::try_from(count).unwrap_or(0))
    }

    /// Writes the queued traces and stops, within a few seconds even if the store is unreachable.
    pub(crate) async fn close(&self) {
        self.closing.cancel();
        let task = lock(&self.task).take();
        if let Some(task) = task {
            // It only fails by a panic, which has already been reported.
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
    batch: Vec<TimedTrace>,
    closing: CancellationToken,
    give_up_at: Option<Instant>,
    is_stuck: Arc<AtomicBool>,
}

impl Writer {
    async fn run(mut self, mut incoming: mpsc::Receiver<Message>) {
        let closing = self.closing.clone();
        while let Some(Some(message)) = closing.run_until_cancelled(incoming.recv()).await {
            let mut waiting = self.take(message);
            let deadline = Instant::now() + limits::TRACE_BATCH_DELAY;
            while waiting.is_none() && self.batch.len() < limits::TRACE_BATCH_MAX {
                match timeout_at(deadline, incoming.recv()).await {
                    Ok(Some(message)) => waiting = self.take(message),
                    Ok(None) | Err(_) => break,
                }
            }
            self.write().await;
            if let Some(flushed) = waiting {
                flushed.send(()).ok();
            }
        }
        // The queue accepts no more traces; the queued ones are still written in batches.
        incoming.close();
        while let Some(message) = incoming.recv().await {
            if let Some(flushed) = self.take(message) {
                self.write().await;
                flushed.send(()).ok();
            } else if self.batch.len() >= limits::TRACE_BATCH_MAX {
                self.write().await;
            }
        }
        self.write().await;
    }

    fn take(&mut self, message: Message) -> Option<oneshot::Sender<()>> {
        match message {
            Message::Trace(trace) => {
                self.batch.push(*trace);
                None
            }
            Message::Flush(flushed) => Some(flushed),
        }
    }

    /// Writes the batch. If the store is unreachable it is retried, and meanwhile the queue fills
    /// up and recorders wait. A closing hub retries for a few more seconds.
    async fn write(&mut self) {
        if self.batch.is_empty() {
            return;
        }
        let batch = Arc::new(std::mem::take(&mut self.batch));
        loop {
            match self.insert(batch.clone()).await {
                Ok(()) => {
                    self.is_stuck.store(false, Ordering::Relaxed);
                    return self.count_written(&batch);
                }
                Err(error) if error.kind() != ErrorKind::Unavailable => return self.write_one_by_one(&batch).await,
                Err(error) if self.patience_is_over() => return self.count_lost(batch.len() as u64, &error),
                Err(error) => {
                    let stuck = matches!(error.db(), Some(DbError::Full(_) | DbError::Corrupt(_) | DbError::Lost));
                    self.is_stuck.store(stuck, Ordering::Relaxed);
                    tracing::warn!(error = error.log_line(), "traces cannot be written at present; retrying");
                    tokio::time::sleep(RETRY_PAUSE).await;
                }
            }
        }
    }

    /// Writes each trace by itself, because one of them cannot be written at all.
    async fn write_one_by_one(&self, batch: &[TimedTrace]) {
        for trace in batch {
            let alone = Arc::new(vec![trace.clone()]);
            match self.insert(alone.clone()).await {
                Ok(()) => self.count_written(&alone),
                Err(error) => self.count_lost(1, &error),
            }
        }
    }

    async fn insert(&self, batch: Arc<Vec<TimedTrace>>) -> Result<()> {
        self.db.write(batch, |tx, batch| Box::pin(store::insert_all(tx, batch))).await
    }

    /// Whether the few seconds after closing are over.
    fn patience_is_over(&mut self) -> bool {
        if !self.closing.is_cancelled() {
            return false;
        }
        self.give_up_at.get_or_insert_with(|| Instant::now() + CLOSING_PATIENCE).elapsed() > Duration::ZERO
    }

    fn count_written(&self, batch: &[TimedTrace]) {
        let mut counts = lock(&self.counts);
        for TimedTrace { trace, .. } in batch {
            counts.written += 1;
            match counts.by_action.get_mut(trace.action.as_ref()) {
                Some(count) => *count += 1,
                None => drop(counts.by_action.insert(trace.action.to_string(), 1)),
            }
            counts.errors += u64::from(trace.error.is_some());
        }
    }

    fn count_lost(&self, count: u64, error: &Error) {
        tracing::error!(count, error = error.log_line(), "traces could not be written and are lost");
        lock(&self.counts).lost += count;
    }
}
