//! The worker of each process that makes the attempts.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use svc_model::webhooks::DeliveryError;
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinSet;

use super::attempt::{Request, wire_id};
use super::meter::Ended;
use super::outcome;
use super::route::owner_of_key;
use super::service::Webhooks;
use super::store::{self, Job};
use crate::error::Result;
use crate::ids::QueueItemId;
use crate::limits;
use crate::messaging::messages;
use crate::messaging::messages::viewer::Viewer;
use crate::store::db::Tx;
use crate::store::queue::{ClaimedItem, Failure};
use crate::store::workers::{Cadence, Placement, Progress, Worker};

/// The worker that delivers. It has a fixed number of places, and a slow receiver takes no more than its own.
pub(crate) struct WebhookDelivery {
    webhooks: Webhooks,
    places: Arc<Semaphore>,
    under_way: Mutex<JoinSet<()>>,
    /// The items that are held, to be given back when the server stops.
    held: Arc<Mutex<Vec<ClaimedItem>>>,
    /// Notified when one of them is no longer held.
    ended: Arc<Notify>,
}

/// The limits of the next claim, so that no owner gets more than their share of the places.
#[derive(Debug, PartialEq, Eq)]
struct Room {
    items: usize,
    /// The keys of an owner who has their share already; empty for none.
    without: String,
}

impl Room {
    fn beside<'a>(held: impl Iterator<Item = &'a str>) -> Self {
        let mut counts = BTreeMap::<&str, usize>::new();
        for key in held {
            *counts.entry(owner_of_key(key)).or_default() += 1;
        }
        let (owner, most) = counts.into_iter().max_by_key(|(_, count)| *count).unwrap_or_default();
        let items = limits::WEBHOOK_OWNER_SHARE.saturating_sub(most);
        if items == 0 {
            // No other owner can have as many: the share is more than half of the places.
            return Self { items: limits::WEBHOOK_WORKERS, without: owner.to_owned() };
        }
        Self { items, without: String::new() }
    }
}

impl WebhookDelivery {
    pub(crate) fn new(webhooks: Webhooks) -> Self {
        let places = Arc::new(Semaphore::new(limits::WEBHOOK_WORKERS));
        Self { webhooks, places, under_way: Mutex::default(), held: Arc::default(), ended: Arc::default() }
    }

    fn room(&self) -> Room {
        Room::beside(lock(&self.held).iter().map(|claimed| claimed.item.key.as_str()))
    }

    fn begin(&self, claimed: ClaimedItem, place: OwnedSemaphorePermit) {
        let (webhooks, held, ended) = (self.webhooks.clone(), self.held.clone(), self.ended.clone());
        lock(&held).push(claimed.clone());
        let mut under_way = lock(&self.under_way);
        while under_way.try_join_next().is_some() {}
        under_way.spawn(async move {
            let _guard = PanicGuard { webhooks: webhooks.clone(), claimed: claimed.clone(), held: held.clone() };
            if let Err(error) = webhooks.deliver(&claimed).await {
                // The lease expires, and the delivery is attempted again.
                tracing::warn!(error = error.log_line(), "the outcome of a delivery could not be recorded");
            }
            lock(&held).retain(|other| other.item.id != claimed.item.id);
            drop(place);
            ended.notify_one();
        });
    }
}

#[async_trait]
impl Worker for WebhookDelivery {
    fn name(&self) -> &'static str {
        "webhook_delivery"
    }

    fn cadence(&self) -> Cadence {
        Cadence::every(Duration::from_secs(5))
    }

    fn placement(&self) -> Placement {
        Placement::EveryProcess
    }

    async fn run_once(&self) -> Result<Progress> {
        let mut places = Vec::new();
        while let Ok(place) = self.places.clone().try_acquire_owned() {
            places.push(place);
        }
        if places.is_empty() {
            return Ok(Progress::Done);
        }
        let room = self.room();
        let wanted = room.items.min(places.len());
        let limit = u32::try_from(wanted).unwrap_or(u32::MAX);
        let claimed = self.webhooks.queue.claim_without(limit, &room.without).await?;
        let is_all = claimed.len() == wanted;
        for (claimed, place) in claimed.into_iter().zip(places) {
            self.begin(claimed, place);
        }
        Ok(if is_all { Progress::More } else { Progress::Done })
    }

    async fn work_arrives(&self) {
        let Ok(place) = self.places.acquire().await else { return };
        drop(place);
        let room = self.room();
        tokio::select! {
            waited = self.webhooks.queue.wait_without(&room.without) => if waited.is_err() {
                // The store is in trouble; the next round reports it.
                std::future::pending::<()>().await;
            },
            // The owner has room again, and work of theirs may be there.
            () = self.ended.notified(), if !room.without.is_empty() => {}
        }
    }

    async fn wind_down(&self) {
        let mut under_way = std::mem::take(&mut *lock(&self.under_way));
        let finished = async { while under_way.join_next().await.is_some() {} };
        if tokio::time::timeout(limits::WEBHOOK_STOPPING, finished).await.is_ok() {
            return;
        }
        under_way.shutdown().await;
        let held = std::mem::take(&mut *lock(&self.held));
        for claimed in held {
            // Another process may take it at once; a lease that is lost has been given back already.
            drop(self.webhooks.queue.release(&claimed).await);
        }
    }
}

/// Reports the item of a task that panics, so that it need not wait for the end of its lease.
struct PanicGuard {
    webhooks: Webhooks,
    claimed: ClaimedItem,
    held: Arc<Mutex<Vec<ClaimedItem>>>,
}

impl Drop for PanicGuard {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            return;
        }
        lock(&self.held).retain(|other| other.item.id != self.claimed.item.id);
        let (queue, claimed) = (self.webhooks.queue.clone(), self.claimed.clone());
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            // It counts as an attempt: a delivery that always panics must end.
            runtime.spawn(async move { drop(queue.fail(&claimed, Failure::new("the delivery panicked")).await) });
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Webhooks {
    /// Attempts the delivery of an item, and records the outcome.
    async fn deliver(&self, claimed: &ClaimedItem) -> Result<()> {
        let found = self.db.read(claimed.item.id, |tx, item| Box::pin(prepare(tx, *item))).await?;
        let Some((job, old, is_visible)) = found else {
            // It has ended, or its webhook was deleted.
            return self.queue.finish(claimed).await;
        };
        if !job.enabled {
            return self.stop(claimed, job, DeliveryError::Disabled).await;
        }
        // The text goes with the message, and with the right to see it.
        let Some(body) = job.body.clone().filter(|_| is_visible) else {
            return self.stop(claimed, job, DeliveryError::Hidden).await;
        };
        let request = Request {
            url: &job.url,
            id: wire_id(job.id.0, job.created_at),
            event: &job.event,
            depth: job.depth,
            traceparent: job.traceparent.as_deref(),
            body: &body,
            secrets: self.open_secrets(job.agent_id, job.webhook_id, &job.secret, &old),
        };
        let attempt = self.attempt(&request, job.attempts.saturating_add(1)).await;
        self.meter.took(Duration::from_millis(attempt.attempt.duration_ms.into()));
        let input = (self.queue.clone(), claimed.clone(), job, attempt);
        let recorded = self.db.write(input, |tx, (queue, claimed, job, attempt)| {
            Box::pin(outcome::record(tx, queue, claimed, job, attempt))
        });
        self.meter.count(recorded.await?);
        Ok(())
    }

    async fn stop(&self, claimed: &ClaimedItem, job: Job, error: DeliveryError) -> Result<()> {
        let input = (self.queue.clone(), claimed.clone(), job, error);
        let stopped = self
            .db
            .write(input, |tx, (queue, claimed, job, error)| Box::pin(outcome::stop(tx, queue, claimed, job, *error)));
        stopped.await?;
        self.meter.count(Ended::Stopped);
        Ok(())
    }
}

/// The delivery of an item, the previous secrets, and whether its agent can still see what it tells of.
async fn prepare(tx: &mut Tx, item: QueueItemId) -> Result<Option<(Job, Vec<Vec<u8>>, bool)>> {
    let Some(job) = store::job(tx, item).await? else { return Ok(None) };
    let is_visible = match job.message_id {
        Some(message) => messages::store::is_visible(tx, &Viewer::agent(job.agent_id), message).await?,
        None => true,
    };
    let old = store::old_secrets(tx, job.webhook_id).await?;
    Ok(Some((job, old, is_visible)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_owner_gets_no_more_than_their_share() {
        let room = |held: &[&str]| Room::beside(held.iter().copied());
        let share = limits::WEBHOOK_OWNER_SHARE;
        assert_eq!(room(&[]), Room { items: share, without: String::new() });
        assert_eq!(room(&["7/1", "7/2", "12/1"]), Room { items: share - 2, without: String::new() });
        let full: Vec<_> = std::iter::repeat_n("7/1", share).chain(["70/1"]).collect();
        assert_eq!(room(&full), Room { items: limits::WEBHOOK_WORKERS, without: "7/".to_owned() });
    }
}
