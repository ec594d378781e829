//! The reader of the event log that makes deliveries.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use tokio::time::Instant;

use super::meter::Ended;
use super::route::{Round, route};
use super::service::{QUEUE, Webhooks};
use super::store::{self, Place};
use crate::error::Result;
use crate::ids::{UserId, WebhookId};
use crate::limits;
use crate::store::db::Tx;
use crate::store::events::Event;
use crate::store::queue::Queue;
use crate::store::workers::{Cadence, Progress, Worker};

/// Maximum number of events that are read in one transaction.
const BATCH: u32 = 100;
/// While there is no webhook, the position is moved this often, so that sending costs nothing more.
const IDLE_PACE: Duration = Duration::from_secs(10);

/// The worker that turns events into deliveries, each once.
pub(crate) struct WebhookReader {
    webhooks: Webhooks,
    /// When the position was last moved while there was no webhook.
    skipped: Mutex<Option<Instant>>,
    /// The number of webhooks that the next transaction tells. It shrinks after a failure, because the transaction may
    /// have taken too long.
    room: AtomicU32,
    counts: Mutex<Counts>,
}

/// The open deliveries of each owner. Counting takes a while when there are many, and other writes wait meanwhile.
#[derive(Default)]
struct Counts {
    since: Option<Instant>,
    open: Arc<HashMap<UserId, u32>>,
}

/// The result of a transaction of the reader.
struct Told {
    /// The number of deliveries that were stopped.
    stopped: u64,
    open: HashMap<UserId, u32>,
}

impl WebhookReader {
    pub(crate) fn new(webhooks: Webhooks) -> Self {
        let room = AtomicU32::new(limits::WEBHOOK_READER_ROOM);
        Self { webhooks, skipped: Mutex::default(), room, counts: Mutex::default() }
    }

    /// Makes the next deliveries. Returns whether there may be more.
    async fn read(&self, room: u32) -> Result<bool> {
        let queue = self.webhooks.queue.clone();
        let batch = BATCH.min(room);
        let open = self.recent_counts();
        let read = self.webhooks.events.consume_some(QUEUE, batch, move |tx, events| {
            let (queue, open) = (queue.clone(), open.clone());
            Box::pin(async move { tell(tx, &queue, events, room, &open).await })
        });
        let read = read.await?;
        if let Some(told) = read.result {
            for _ in 0..told.stopped {
                self.webhooks.meter.count(Ended::Stopped);
            }
            lock(&self.counts).open = Arc::new(told.open);
        }
        Ok(read.passed < read.offered || read.offered == batch as usize)
    }

    /// The counts, unless they are too old.
    fn recent_counts(&self) -> Arc<HashMap<UserId, u32>> {
        let mut counts = lock(&self.counts);
        if counts.since.is_none_or(|since| since.elapsed() >= limits::WEBHOOK_OPEN_AGE) {
            *counts = Counts { since: Some(Instant::now()), open: Arc::default() };
        }
        counts.open.clone()
    }

    /// Passes over events that concern nobody.
    async fn skip(&self) -> Result<()> {
        let last = *lock(&self.skipped);
        if last.is_some_and(|last| last.elapsed() < IDLE_PACE) {
            return Ok(());
        }
        self.webhooks.events.skip(QUEUE, |tx| Box::pin(async move { Ok(!store::is_any_enabled(tx).await?) })).await?;
        *lock(&self.skipped) = Some(Instant::now());
        Ok(())
    }
}

#[async_trait]
impl Worker for WebhookReader {
    fn name(&self) -> &'static str {
        "webhook_reader"
    }

    fn cadence(&self) -> Cadence {
        Cadence::on_events_and_every(Duration::from_secs(5))
    }

    async fn run_once(&self) -> Result<Progress> {
        if !self.webhooks.db.read((), |tx, ()| Box::pin(store::is_any_enabled(tx))).await? {
            self.skip().await?;
            return Ok(Progress::Done);
        }
        let room = self.room.load(Ordering::Relaxed);
        let read = self.read(room).await;
        let next =
            if read.is_ok() { room.saturating_mul(2).min(limits::WEBHOOK_READER_ROOM) } else { (room / 2).max(1) };
        self.room.store(next, Ordering::Relaxed);
        Ok(if read? { Progress::More } else { Progress::Done })
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Tells up to `room` webhooks of events. Returns the number of events that all their webhooks have been told of.
async fn tell(
    tx: &mut Tx,
    queue: &Queue,
    events: &[Event],
    room: u32,
    open: &HashMap<UserId, u32>,
) -> Result<(usize, Told)> {
    let mut round = Round::with_counts(open);
    let passed = tell_in(tx, queue, &mut round, events, room).await?;
    Ok((passed, Told { stopped: round.stopped, open: round.into_counts() }))
}

async fn tell_in(tx: &mut Tx, queue: &Queue, round: &mut Round, events: &[Event], mut room: u32) -> Result<usize> {
    let (first, place) = (store::first_enabled(tx).await?, store::place(tx).await?);
    for (passed, event) in events.iter().enumerate() {
        // Most events of a long log are from before there were webhooks.
        if first.is_none_or(|first| event.seq <= first) {
            continue;
        }
        if room == 0 {
            return Ok(passed);
        }
        let after = if place.event_seq == event.seq { place.webhook_id } else { WebhookId(0) };
        let (last, told) = route(tx, queue, round, event, after, room).await?;
        if let Some(webhook_id) = last {
            store::set_place(tx, Place { event_seq: event.seq, webhook_id }).await?;
            return Ok(passed);
        }
        room = room.saturating_sub(told);
    }
    Ok(events.len())
}
