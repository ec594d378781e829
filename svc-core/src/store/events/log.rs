//! Writing and reading of the event log.

use std::sync::{Arc, Mutex, PoisonError};

use svc_macros::boxed_futures;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::follower::Follower;
use super::model::{After, Event, NewEvent};
use super::store;
use super::subscription::Subscription;
use svc_model::events::EventBody;

use crate::error::Result;
use crate::ids::EventSeq;
use crate::store::db::{Db, Tx};
use crate::timestamp::Timestamp;

#[boxed_futures]
impl Tx {
    /// Writes an event in this transaction.
    pub async fn emit(&mut self, event: &NewEvent) -> Result<EventSeq> {
        let seq = store::insert(self, event).await?;
        self.note_event();
        Ok(seq)
    }

    /// Writes an event of the hub, in the transaction of the change that it describes.
    pub(crate) async fn record(&mut self, body: EventBody) -> Result<EventSeq> {
        self.emit(&NewEvent::of(&body)?).await
    }

    /// The event at a position, if the log still has it.
    pub(crate) async fn event_at(&mut self, seq: EventSeq) -> Result<Option<Event>> {
        Ok(store::read_after(self, EventSeq(seq.0 - 1), seq, 1).await?.pop())
    }

    /// The events of a kind that were written at exactly this time.
    pub(crate) async fn events_at(&mut self, kind: &str, time: Timestamp) -> Result<Vec<Event>> {
        store::at(self, kind, time).await
    }

    /// Replaces the payload of an event, to remove a text that must not be read any more. Its position, kind and time
    /// stay.
    pub(crate) async fn rewrite_event(&mut self, seq: EventSeq, body: &EventBody) -> Result<()> {
        store::rewrite(self, seq, &NewEvent::of(body)?).await
    }

    /// The newest position in the log that this transaction can see. Every event that is written after it has a
    /// higher one.
    pub(crate) async fn newest_event(&mut self) -> Result<EventSeq> {
        store::newest(self).await
    }
}

/// The last swept and the newest position of the log.
async fn ends(tx: &mut Tx) -> Result<(EventSeq, EventSeq)> {
    Ok((store::swept_through(tx).await?, store::newest(tx).await?))
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

/// The event log of a hub.
#[derive(Clone)]
pub struct EventLog {
    inner: Arc<Inner>,
}

struct Inner {
    db: Db,
    follower: Mutex<Option<Arc<Follower>>>,
    stop: CancellationToken,
    task: Mutex<Option<JoinHandle<()>>>,
}

#[boxed_futures]
impl EventLog {
    pub(crate) async fn open(db: Db) -> Result<Self> {
        let follower = Arc::new(Follower::open(db.clone()).await?);
        let stop = CancellationToken::new();
        let task = tokio::spawn({
            let (follower, stop) = (follower.clone(), stop.clone());
            async move { follower.run(stop).await }
        });
        Ok(Self {
            inner: Arc::new(Inner { db, follower: Mutex::new(Some(follower)), stop, task: Mutex::new(Some(task)) }),
        })
    }

    /// Writes a single event in its own transaction. Changes of the hub write their events with [`Tx::emit`];
    /// this is for programs that embed the hub and have events of their own.
    pub async fn append(&self, event: NewEvent) -> Result<EventSeq> {
        self.inner.db.write(event, |tx, event| Box::pin(async move { tx.emit(event).await })).await
    }

    /// Reads up to `limit` settled events after a position, oldest first.
    pub async fn read(&self, after: EventSeq, limit: u32) -> Result<Vec<Event>> {
        self.follower()?.catch_up().await?;
        Ok(self.read_handed_out(after, limit).await?.0)
    }

    /// The position before the first event that happened at or after a time, by a binary search.
    pub(crate) async fn before(&self, time: Timestamp) -> Result<EventSeq> {
        self.inner.db.read(time, |tx, time| Box::pin(store::before(tx, *time))).await
    }

    /// Reads only events that the follower has broadcast already. Also returns the last swept position at
    /// that time.
    pub(super) async fn read_handed_out(&self, after: EventSeq, limit: u32) -> Result<(Vec<Event>, EventSeq)> {
        let through = self.follower()?.head();
        self.inner
            .db
            .read((after, through, limit), |tx, (after, through, limit)| {
                Box::pin(async move {
                    let events = store::read_after(tx, *after, *through, *limit).await?;
                    Ok((events, store::swept_through(tx).await?))
                })
            })
            .await
    }

    /// Deletes a named reader's position, so that old events are no longer kept for it.
    pub async fn forget_reader(&self, name: &'static str) -> Result<()> {
        self.inner.db.write(name, |tx, name| Box::pin(store::remove_cursor(tx, name))).await
    }

    /// Subscribes to all events after a position.
    ///
    /// ```
    /// # async fn example(hub: svc_core::Hub, seen: svc_core::ids::EventSeq) -> svc_core::Result<()> {
    /// use svc_core::prelude::*;
    ///
    /// let mut events = hub.events().subscribe(After::Seq(seen)).await?;
    /// if events.was_reset() {
    ///     println!("Events before this position have been removed.");
    /// }
    /// while let Some(event) = events.next().await? {
    ///     println!("{} {} {}", event.seq, event.kind, event.payload);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub async fn subscribe(&self, after: After) -> Result<Subscription> {
        let follower = self.follower()?;
        let live = follower.live();
        let head = follower.catch_up().await?;
        let (position, reset) = match after {
            After::Now => (head, false),
            After::Seq(seq) => {
                // Another node may have broadcast more than this one has settled, so the store decides.
                let (swept, newest) = self.inner.db.read((), |tx, ()| Box::pin(ends(tx))).await?;
                if seq < swept || seq > newest.max(head) { (head, true) } else { (seq, false) }
            }
        };
        Ok(Subscription::new(self.clone(), live, position, reset))
    }

    /// Waits until readers of this process can see every event that is committed at the time of the call, and
    /// returns the newest position. A subscription that begins there gets no earlier event. The call waits at
    /// most two seconds for a transaction that holds up the log.
    pub async fn catch_up(&self) -> Result<EventSeq> {
        self.follower()?.reach_newest().await
    }

    /// The newest position that all readers of this process can see.
    pub fn head(&self) -> Result<EventSeq> {
        Ok(self.follower()?.head())
    }

    /// Whether the hub has been closed.
    pub(super) fn is_closed(&self) -> bool {
        self.follower().is_err()
    }

    /// Stops the follower and ends all subscriptions.
    pub(crate) async fn close(&self) {
        self.inner.stop.cancel();
        let task = self.inner.task.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(task) = task {
            // It only ends early by a panic, which has been reported by then.
            drop(task.await);
        }
        self.inner.follower.lock().unwrap_or_else(PoisonError::into_inner).take();
    }

    /// Notifies of new events, however many at once.
    pub(crate) fn watch_head(&self) -> Result<watch::Receiver<EventSeq>> {
        Ok(self.follower()?.watch_head())
    }

    pub(super) fn db(&self) -> &Db {
        &self.inner.db
    }

    pub(super) fn follower(&self) -> Result<Arc<Follower>> {
        let follower = self.inner.follower.lock().unwrap_or_else(PoisonError::into_inner);
        follower.clone().ok_or_else(|| crate::store::db::DbError::Unavailable("the hub has been closed".into()).into())
    }
}
