//! The one reader per process that follows the log and hands events to everybody else here.

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

/// Events read at once.
const PAGE: u32 = 1000;
/// Events kept for subscribers that are a little behind; those further behind read the store.
const LIVE_BUFFER: usize = 4096;
// A page that is handed out at once must fit, or a subscriber could lose its place in it.
const _: () = assert!((PAGE as usize) < LIVE_BUFFER);
/// How long to wait before looking again at a place that is not settled, or after a failure.
const UNSETTLED_PAUSE: Duration = Duration::from_millis(3);
const UNSETTLED_PAUSE_MAX: Duration = Duration::from_millis(50);
const FAILURE_PAUSE: Duration = Duration::from_millis(250);

/// Follows the log and remembers how far it is settled.
pub(super) struct Follower {
    db: Db,
    order: Mutex<Order>,
    head: watch::Sender<EventSeq>,
    live: broadcast::Sender<Arc<Event>>,
}

/// What a look at the log found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Found {
    /// Nothing more at present.
    Everything,
    /// There may be more at once.
    More,
    /// Events that wait for a transaction before them to end.
    Unsettled,
}

impl Follower {
    /// Starts at the newest place that is settled.
    pub(super) async fn open(db: Db) -> Result<Self> {
        let head = settled_head(&db).await?;
        Ok(Self {
            db,
            order: Mutex::new(Order::starting_after(head)),
            head: watch::Sender::new(head),
            live: broadcast::Sender::new(LIVE_BUFFER),
        })
    }

    /// Everything up to here is settled and has been handed out.
    pub(super) fn head(&self) -> EventSeq {
        *self.head.borrow()
    }

    /// Tells when the head moves, however many events it passes at once.
    pub(super) fn watch_head(&self) -> watch::Receiver<EventSeq> {
        self.head.subscribe()
    }

    /// A receiver of all events from now on.
    pub(super) fn live(&self) -> broadcast::Receiver<Arc<Event>> {
        self.live.subscribe()
    }

    /// Looks at the log until it has shown everything that is settled, and returns the new head.
    pub(super) async fn catch_up(&self) -> Result<EventSeq> {
        while self.step().await? == Found::More {}
        Ok(self.head())
    }

    /// Looks at the log until it has shown everything that is committed at the moment of the call, and
    /// returns the new head. An event that waits for a transaction before it is waited for, at most for
    /// [`limits::EVENTS_SETTLE_MAX`].
    pub(super) async fn reach_newest(&self) -> Result<EventSeq> {
        if let Ok(settled) = tokio::time::timeout(limits::EVENTS_SETTLE_MAX, self.settle_newest()).await {
            settled?;
        } else {
            tracing::debug!("a transaction that writes to the event log is not waited for any longer");
        }
        Ok(self.head())
    }

    async fn settle_newest(&self) -> Result<()> {
        let mut newest = None;
        loop {
            match self.step().await? {
                Found::Everything => return Ok(()),
                Found::More => {}
                Found::Unsettled => {
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

    /// Follows the log until told to stop.
    pub(super) async fn run(&self, stop: CancellationToken) {
        stop.run_until_cancelled(async {
            loop {
                // Another process may have died before it could ring, so look now and then anyway.
                let rung = self.db.committed().notified();
                drop(tokio::time::timeout(limits::EVENT_FALLBACK_POLL, rung).await);
                self.follow().await;
            }
        })
        .await;
    }

    /// Looks at the log until it has shown everything that was committed.
    async fn follow(&self) {
        let mut pause = UNSETTLED_PAUSE;
        loop {
            match self.step().await {
                Ok(Found::Everything) => return,
                Ok(Found::More) => pause = UNSETTLED_PAUSE,
                Ok(Found::Unsettled) => {
                    tokio::time::sleep(pause).await;
                    pause = (pause * 2).min(UNSETTLED_PAUSE_MAX);
                }
                Err(error) => {
                    tracing::warn!(error = error.log_line(), "the event log cannot be read; trying again");
                    tokio::time::sleep(FAILURE_PAUSE).await;
                }
            }
        }
    }

    /// One look at the log.
    async fn step(&self) -> Result<Found> {
        // Held across the read, so that events are handed out in order. Whoever subscribes takes
        // it as well, so nobody can miss what is passed over while nobody listens.
        let mut order = self.order.lock().await;
        let look = Look { after: order.head(), listeners: self.live.receiver_count() > 0 };
        let seen = self.db.read(look, |tx, look| Box::pin(see(tx, look))).await?;
        let accepted = order.accept(&seen.places, seen.writers.as_ref());
        let found = match seen.places.len() {
            count if accepted < count => Found::Unsettled,
            count if count == PAGE as usize => Found::More,
            _ => Found::Everything,
        };
        for event in seen.events.into_iter().take(accepted) {
            // Fails only when nobody listens any more.
            drop(self.live.send(Arc::new(event)));
        }
        let head = order.head();
        self.head.send_if_modified(|known| std::mem::replace(known, head) != head);
        Ok(found)
    }
}

/// What to look at.
struct Look {
    after: EventSeq,
    listeners: bool,
}

/// What one snapshot shows after a position.
struct Seen {
    places: Vec<EventSeq>,
    /// The events at these places; empty when nobody listens.
    events: Vec<Event>,
    writers: Option<Writers>,
}

async fn see(tx: &mut Tx, look: &Look) -> Result<Seen> {
    let (places, events) = if look.listeners {
        let events = store::read_after(tx, look.after, EventSeq(i64::MAX), PAGE).await?;
        (events.iter().map(|event| event.seq).collect(), events)
    } else {
        (store::places_after(tx, look.after, PAGE).await?, Vec::new())
    };
    // Contiguous places are settled as they are; only a gap makes it matter who is writing.
    let gap = places.last().is_some_and(|newest| usize::try_from(newest.0 - look.after.0) != Ok(places.len()));
    let writers = if gap { dialect::writers(tx).await? } else { None };
    Ok(Seen { places, events, writers })
}

/// Waits until everybody who was writing at the first look has ended.
async fn settled_head(db: &Db) -> Result<EventSeq> {
    let newest = db.read((), |tx, ()| Box::pin(store::newest(tx))).await?;
    let mut waiting: Option<Writers> = None;
    let mut looks = 0_u32;
    loop {
        let Some(writers) = db.read((), |tx, ()| Box::pin(dialect::writers(tx))).await? else {
            return Ok(newest);
        };
        let waiting = waiting.get_or_insert_with(|| writers.clone());
        waiting.retain(|writer| writers.contains(writer));
        if waiting.is_empty() {
            return Ok(newest);
        }
        looks += 1;
        if looks == 300 {
            tracing::warn!(count = waiting.len(), "opening waits for long transactions that write to the event log");
        }
        tokio::time::sleep(UNSETTLED_PAUSE).await;
    }
}
