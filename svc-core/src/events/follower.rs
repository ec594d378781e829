//! The one reader per process that follows the log and hands events to everybody else here.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Mutex, broadcast, watch};
use tokio_util::sync::CancellationToken;

use super::model::Event;
use super::order::{Horizon, Order};
use super::{dialect, store};
use crate::db::{Db, Tx};
use crate::error::Result;
use crate::ids::EventSeq;
use crate::limits;

/// Events read at once.
const PAGE: u32 = 1000;
/// Events kept for subscribers that are a little behind; those further behind read the store.
const LIVE_BUFFER: usize = 4096;
/// How long to wait before looking again at a place that is not settled, or after a failure.
const UNSETTLED_PAUSE: Duration = Duration::from_millis(3);
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

    /// A receiver of all events from now on.
    pub(super) fn live(&self) -> broadcast::Receiver<Arc<Event>> {
        self.live.subscribe()
    }

    /// Looks at the log until it has shown everything that is settled, and tells the new head.
    pub(super) async fn catch_up(&self) -> Result<EventSeq> {
        while self.step().await? == Found::More {}
        Ok(self.head())
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
        loop {
            match self.step().await {
                Ok(Found::Everything) => return,
                Ok(Found::More) => {}
                Ok(Found::Unsettled) => tokio::time::sleep(UNSETTLED_PAUSE).await,
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
        let accepted = order.accept(&seen.places, seen.horizon);
        let found = match seen.places.len() {
            count if accepted < count => Found::Unsettled,
            count if count == PAGE as usize => Found::More,
            _ => Found::Everything,
        };
        for event in seen.events.into_iter().take(accepted) {
            // Fails only when nobody listens any more.
            drop(self.live.send(Arc::new(event)));
        }
        self.head.send_replace(order.head());
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
    horizon: Option<Horizon>,
}

async fn see(tx: &mut Tx, look: &Look) -> Result<Seen> {
    let (places, events) = if look.listeners {
        let events = store::read_after(tx, look.after, EventSeq(i64::MAX), PAGE).await?;
        (events.iter().map(|event| event.seq).collect(), events)
    } else {
        (store::places_after(tx, look.after, PAGE).await?, Vec::new())
    };
    let horizon = if places.is_empty() { None } else { dialect::horizon(tx).await? };
    Ok(Seen { places, events, horizon })
}

/// Waits until every transaction that was open at the first look has ended.
async fn settled_head(db: &Db) -> Result<EventSeq> {
    let look =
        || db.read((), |tx, ()| Box::pin(async move { Ok((store::newest(tx).await?, dialect::horizon(tx).await?)) }));
    let (newest, first) = look().await?;
    let Some(first) = first else {
        return Ok(newest);
    };
    loop {
        let (_, now) = look().await?;
        if now.is_none_or(|now| now.all_ended_below >= first.none_begun_from) {
            return Ok(newest);
        }
        tokio::time::sleep(UNSETTLED_PAUSE).await;
    }
}
