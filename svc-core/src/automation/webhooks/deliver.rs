//! The worker of each process that makes the attempts.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use svc_model::webhooks::DeliveryError;
use tokio::task::JoinSet;

use super::attempt::{Request, wire_id};
use super::meter::Ended;
use super::outcome;
use super::places::Places;
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
    places: Arc<Places>,
    under_way: Mutex<JoinSet<()>>,
    /// The last claim got as many items as it asked for, so there may be more.
    is_more: AtomicBool,
}

impl WebhookDelivery {
    pub(crate) fn new(webhooks: Webhooks) -> Self {
        Self { webhooks, places: Arc::new(Places::new()), under_way: Mutex::default(), is_more: AtomicBool::new(false) }
    }

    fn begin(&self, claimed: ClaimedItem) {
        let (webhooks, places) = (self.webhooks.clone(), self.places.clone());
        places.hold(claimed.clone());
        let mut under_way = lock(&self.under_way);
        while under_way.try_join_next().is_some() {}
        under_way.spawn(async move {
            let _guard = PanicGuard { webhooks: webhooks.clone(), claimed: claimed.clone(), places: places.clone() };
            if let Err(error) = webhooks.deliver(&claimed, &places).await {
                // The lease expires, and the delivery is attempted again.
                tracing::warn!(error = error.log_line(), "the outcome of a delivery could not be recorded");
            }
            places.forget(claimed.item.id);
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
        let room = self.places.room();
        if room.items == 0 {
            return Ok(Progress::Done);
        }
        let limit = u32::try_from(room.items).unwrap_or(u32::MAX);
        let claimed = self.webhooks.queue.claim_without(limit, &room.without).await?;
        let is_more = claimed.len() == room.items;
        self.is_more.store(is_more, Ordering::Relaxed);
        for claimed in claimed {
            self.begin(claimed);
        }
        Ok(if is_more { Progress::More } else { Progress::Done })
    }

    async fn work_arrives(&self) {
        let room = self.places.has_room().await;
        if self.is_more.load(Ordering::Relaxed) {
            return;
        }
        tokio::select! {
            waited = self.webhooks.queue.wait_without(&room.without) => if waited.is_err() {
                // The store is in trouble; the next round reports it.
                std::future::pending::<()>().await;
            },
            // The owner has room again, and work of theirs may be there.
            () = self.places.changed(), if !room.without.is_empty() => {}
        }
    }

    async fn wind_down(&self) {
        self.places.close();
        let mut under_way = std::mem::take(&mut *lock(&self.under_way));
        let finished = async { while under_way.join_next().await.is_some() {} };
        if tokio::time::timeout(limits::WEBHOOK_STOPPING, finished).await.is_ok() {
            return;
        }
        under_way.shutdown().await;
        for claimed in self.places.drain() {
            // Another process may take it at once; a lease that is lost has been given back already.
            drop(self.webhooks.queue.release(&claimed).await);
        }
    }
}

/// Reports the item of a task that panics, so that it need not wait for the end of its lease.
struct PanicGuard {
    webhooks: Webhooks,
    claimed: ClaimedItem,
    places: Arc<Places>,
}

impl Drop for PanicGuard {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            return;
        }
        self.places.forget(self.claimed.item.id);
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
    async fn deliver(&self, claimed: &ClaimedItem, places: &Arc<Places>) -> Result<()> {
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
        let Some(place) = places.take(claimed.item.id).await else {
            return self.queue.release(claimed).await;
        };
        let attempt = self.attempt(&request, job.attempts.saturating_add(1)).await;
        // The next one need not wait until this one is recorded.
        drop(place);
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
