//! The follower: one reader per process that follows the log and broadcasts its events.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Mutex, broadcast, watch};
use tokio_util::sync::CancellationToken;

use super::model::Event;
use super::order::{Order, Writers};
use super::{dialect, store};
use crate::error::Result;
use crate::ids::EventSeq;
use crate::limits;
use crate::store::db::{Db, Tx};

/// Number of events read at once.
const PAGE: u32 = 1000;
/// Number of events kept for slow subscribers; those further behind read the store.
const LIVE_BUFFER: usize = 4096;
// A whole page must fit, or a subscriber could lose its position within it.
const _: () = assert!((PAGE as usize) < LIVE_BUFFER);
/// Pause before the next attempt at an unsettled position, or after a failure.
const UNSETTLED_PAUSE: Duration = Duration::from_millis(3);
const UNSETTLED_PAUSE_MAX: Duration = Duration::from_millis(50);
const FAILURE_PAUSE: Duration = Duration::from_millis(250);

/// Follows the log and tracks up to which position it is settled.
pub(super) struct Follower {
    db: Db,
    order: Mutex<Order>,
    head: watch::Sender<EventSeq>,
    live: broadcast::Sender<Arc<Event>>,
}

/// The result of one read of the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ReadOutcome {
    /// All committed events were read.
    CaughtUp,
    /// There may be more events.
    More,
    /// Events wait for an earlier transaction to end.
    Unsettled,
}

impl Follower {
    /// Starts at the newest settled position.
    pub(super) async fn open(db: Db) -> Result<Self> {
        let head = settled_head(&db).await?;
        Ok(Self {
            db,
            order: Mutex::new(Order::starting_after(head)),
            head: watch::Sender::new(head),
            live: broadcast::Sender::new(LIVE_BUFFER),
        })
    }

    /// The last settled position; all events up to it have been broadcast.
    pub(super) fn head(&self) -> EventSeq {
        *self.head.borrow()
    }

    /// Notifies when the head moves, however many events it passes at once.
    pub(super) fn watch_head(&self) -> watch::Receiver<EventSeq> {
        self.head.subscribe()
    }

    /// A receiver of all events from now on.
    pub(super) fn live(&self) -> broadcast::Receiver<Arc<Event>> {
        self.live.subscribe()
    }

    /// Reads the log until all settled events are broadcast, and returns the new head.
    pub(super) async fn catch_up(&self) -> Result<EventSeq> {
        while self.step().await? == ReadOutcome::More {}
        Ok(self.head())
    }

    /// Reads the log until all events are broadcast that are committed at the time of the call, and returns
    /// the new head. It waits for earlier transactions that hold up an event, at most for
    /// [`limits::EVENTS_SETTLE_MAX`].
    pub(super) async fn reach_newest(&self) -> Result<EventSeq> {
        if let Ok(settled) = tokio::time::timeout(limits::EVENTS_SETTLE_MAX, self.settle_newest()).await {
            settled?;
        } else {
            tracing::debug!("timed out waiting for a transaction that writes to the event log");
        }
        Ok(self.head())
    }

    async fn settle_newest(&self) -> Result<()> {
        let mut newest = None;
        loop {
            match self.step().await? {
                ReadOutcome::CaughtUp => return Ok(()),
                ReadOutcome::More => {}
                ReadOutcome::Unsettled => {
                    if newest.is_none() {
                        newest = Some(self.db.read((), |tx, ()| Box::pin(store::newest(tx))).await?);
                    }
                    tokio::time::sleep(UNSETTLED_PAUSE).await;
                }
            }
            if newest.is_some_and(|newest| self.head() >= newest) {
                return Ok(());
            }
        }
    }

    /// Follows the log until it is cancelled.
    pub(super) async fn run(&self, stop: CancellationToken) {
        stop.run_until_cancelled(async {
            loop {
                // Another process may have crashed before its notification, so poll as well.
                let notification = self.db.committed().notified();
                drop(tokio::time::timeout(limits::EVENT_FALLBACK_POLL, notification).await);
                self.follow().await;
            }
        })
        .await;
    }

    /// Reads the log until all committed events are broadcast.
    async fn follow(&self) {
        let mut pause = UNSETTLED_PAUSE;
        loop {
            match self.step().await {
                Ok(ReadOutcome::CaughtUp) => return,
                Ok(ReadOutcome::More) => pause = UNSETTLED_PAUSE,
                Ok(ReadOutcome::Unsettled) => {
                    tokio::time::sleep(pause).await;
                    pause = (pause * 2).min(UNSETTLED_PAUSE_MAX);
                }
                Err(error) => {
                    tracing::warn!(error = error.log_line(), "the event log cannot be read; retrying");
                    tokio::time::sleep(FAILURE_PAUSE).await;
                }
            }
        }
    }

    /// Reads the log once.
    async fn step(&self) -> Result<ReadOutcome> {
        // Held across the read, so that events are broadcast in order. A new subscription takes this lock as
        // well, so it cannot miss events that are skipped while nobody listens.
        let mut order = self.order.lock().await;
        let request = ReadRequest { after: order.head(), listeners: self.live.receiver_count() > 0 };
        let snapshot = self.db.read(request, |tx, request| Box::pin(read_snapshot(tx, request))).await?;
        let accepted = order.accept(&snapshot.positions, snapshot.writers.as_ref());
        let outcome = match snapshot.positions.len() {
            count if accepted < count => ReadOutcome::Unsettled,
            count if count == PAGE as usize => ReadOutcome::More,
            _ => ReadOutcome::CaughtUp,
        };
        for event in snapshot.events.into_iter().take(accepted) {
            // Fails only when there is no receiver any more.
            drop(self.live.send(Arc::new(event)));
        }
        let head = order.head();
        self.head.send_if_modified(|known| std::mem::replace(known, head) != head);
        Ok(outcome)
    }
}

/// The parameters of one read.
struct ReadRequest {
    after: EventSeq,
    listeners: bool,
}

/// The events and positions of one snapshot after a position.
struct LogSnapshot {
    positions: Vec<EventSeq>,
    /// The events at these positions; empty when there is no receiver.
    events: Vec<Event>,
    writers: Option<Writers>,
}

async fn read_snapshot(tx: &mut Tx, request: &ReadRequest) -> Result<LogSnapshot> {
    let (positions, events) = if request.listeners {
        let events = store::read_after(tx, request.after, EventSeq(i64::MAX), PAGE).await?;
        (events.iter().map(|event| event.seq).collect(), events)
    } else {
        (store::positions_after(tx, request.after, PAGE).await?, Vec::new())
    };
    // Contiguous positions are settled; the list of writers matters only if there is a gap.
    let gap = positions.last().is_some_and(|newest| usize::try_from(newest.0 - request.after.0) != Ok(positions.len()));
    let writers = if gap { dialect::writers(tx).await? } else { None };
    Ok(LogSnapshot { positions, events, writers })
}

/// Waits until all transactions have ended that were writing at the first read.
async fn settled_head(db: &Db) -> Result<EventSeq> {
    let newest = db.read((), |tx, ()| Box::pin(store::newest(tx))).await?;
    let mut waiting: Option<Writers> = None;
    let mut polls = 0_u32;
    loop {
        let Some(writers) = db.read((), |tx, ()| Box::pin(dialect::writers(tx))).await? else {
            return Ok(newest);
        };
        let waiting = waiting.get_or_insert_with(|| writers.clone());
        waiting.retain(|writer| writers.contains(writer));
        if waiting.is_empty() {
            return Ok(newest);
        }
        polls += 1;
        if polls == 300 {
            tracing::warn!(count = waiting.len(), "opening waits for long transactions that write to the event log");
        }
        tokio::time::sleep(UNSETTLED_PAUSE).await;
    }
}
