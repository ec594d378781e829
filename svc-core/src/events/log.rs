//! Writing to the log and reading from it.

use std::sync::{Arc, Mutex, PoisonError};

use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::follower::Follower;
use super::model::{After, Event, NewEvent};
use super::store;
use super::subscription::Subscription;
use crate::db::{Db, Tx};
use crate::error::Result;
use crate::ids::EventSeq;

impl Tx {
    /// Writes an event as part of this unit of work.
    pub async fn emit(&mut self, event: &NewEvent) -> Result<EventSeq> {
        let seq = store::insert(self, event).await?;
        self.note_event(seq);
        Ok(seq)
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

    /// Writes one event on its own. Changes of the hub write theirs with [`Tx::emit`]; this is for
    /// programs that embed the hub and have something of their own to tell.
    pub async fn append(&self, event: NewEvent) -> Result<EventSeq> {
        self.inner.db.write(event, |tx, event| Box::pin(async move { tx.emit(event).await })).await
    }

    /// Up to `limit` events after a position, oldest first, as far as the log is settled.
    pub async fn read(&self, after: EventSeq, limit: u32) -> Result<Vec<Event>> {
        self.follower()?.catch_up().await?;
        self.read_handed_out(after, limit).await
    }

    /// The same, but only what the follower has handed out already.
    pub(super) async fn read_handed_out(&self, after: EventSeq, limit: u32) -> Result<Vec<Event>> {
        let through = self.follower()?.head();
        self.inner
            .db
            .read((after, through, limit), |tx, (after, through, limit)| {
                Box::pin(store::read_after(tx, *after, *through, *limit))
            })
            .await
    }

    /// Everything after a position, as it happens.
    pub async fn subscribe(&self, after: After) -> Result<Subscription> {
        let follower = self.follower()?;
        let live = follower.live();
        let head = follower.catch_up().await?;
        let (position, reset) = match after {
            After::Now => (head, false),
            After::Seq(seq) => {
                let swept = self.inner.db.read((), |tx, ()| Box::pin(store::swept_through(tx))).await?;
                if seq < swept || seq > head { (head, true) } else { (seq, false) }
            }
        };
        Ok(Subscription::new(self.clone(), live, position, reset))
    }

    /// The newest place that every reader here can see.
    pub fn head(&self) -> Result<EventSeq> {
        Ok(self.follower()?.head())
    }

    /// Stops following; subscriptions end.
    pub(crate) async fn close(&self) {
        self.inner.stop.cancel();
        let task = self.inner.task.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(task) = task {
            // It only ends early by a panic, which has been reported by then.
            drop(task.await);
        }
        self.inner.follower.lock().unwrap_or_else(PoisonError::into_inner).take();
    }

    pub(super) fn db(&self) -> &Db {
        &self.inner.db
    }

    pub(super) fn follower(&self) -> Result<Arc<Follower>> {
        let follower = self.inner.follower.lock().unwrap_or_else(PoisonError::into_inner);
        follower.clone().ok_or_else(|| crate::db::DbError::Unavailable("the hub has been closed".into()).into())
    }
}
