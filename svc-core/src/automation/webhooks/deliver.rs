//! The worker of each process that makes the attempts.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use svc_model::webhooks::DeliveryError;
use tokio::sync::OnceCell;
use tokio::task::JoinSet;

use super::attempt::{Request, wire_id};
use super::meter::Ended;
use super::outcome::{self, Outcome};
use super::places::Places;
use super::record::Recorder;
use super::service::Webhooks;
use super::store::{self, Job};
use crate::error::Result;
use crate::ids::QueueItemId;
use crate::limits;
use crate::messaging::messages;
use crate::store::db::Tx;
use crate::store::queue::{ClaimedItem, Failure};
use crate::store::workers::{Cadence, Placement, Progress, Worker};

/// The worker that delivers. It has a fixed number of places, and a slow receiver takes no more than its own.
pub(crate) struct WebhookDelivery {
    webhooks: Webhooks,
    places: Arc<Places>,
    recorder: Arc<Recorder>,
    under_way: Mutex<JoinSet<()>>,
    /// The last claim got as many items as it asked for, so there may be more.
    is_more: AtomicBool,
}

impl WebhookDelivery {
    pub(crate) fn new(webhooks: Webhooks) -> Self {
        let (places, is_more) = (Arc::new(Places::new()), AtomicBool::new(false));
        let recorder = Arc::new(Recorder::new(webhooks.clone(), places.clone()));
        Self { webhooks, places, recorder, under_way: Mutex::default(), is_more }
    }

    fn begin(&self, claimed: ClaimedItem, claim: Arc<Claim>) {
        let (webhooks, places, recorder) = (self.webhooks.clone(), self.places.clone(), self.recorder.clone());
        places.hold(claimed.clone());
        let mut under_way = lock(&self.under_way);
        while under_way.try_join_next().is_some() {}
        under_way.spawn(async move {
            let _guard = PanicGuard { webhooks: webhooks.clone(), claimed: claimed.clone(), places: places.clone() };
            if let Err(error) = webhooks.deliver(&claimed, &claim, &places, &recorder).await {
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
        let claim = Arc::new(Claim::of(&claimed));
        for claimed in claimed {
            self.begin(claimed, claim.clone());
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

/// The items of one claim, which are read together by the first that comes to it.
struct Claim {
    items: Vec<QueueItemId>,
    /// `None` after a failure: each item is read alone then, so that one does not keep the others.
    read: OnceCell<Option<HashMap<QueueItemId, Prepared>>>,
}

/// All that an attempt needs.
#[derive(Clone)]
struct Prepared {
    job: Job,
    old_secrets: Vec<Vec<u8>>,
    /// Whether its agent can still see what it tells of.
    is_visible: bool,
}

impl Claim {
    fn of(claimed: &[ClaimedItem]) -> Self {
        Self { items: claimed.iter().map(|claimed| claimed.item.id).collect(), read: OnceCell::new() }
    }
}

impl Webhooks {
    /// Reads what the attempt at an item needs; `None` if the delivery has ended, or its webhook was deleted.
    async fn prepared(&self, item: QueueItemId, claim: &Claim) -> Result<Option<Prepared>> {
        let read = |items| self.db.read(items, |tx, items: &Vec<_>| Box::pin(prepare(tx, items)));
        let all = claim.read.get_or_init(async || read(claim.items.clone()).await.ok()).await;
        match all {
            Some(all) => Ok(all.get(&item).cloned()),
            None => Ok(read(vec![item]).await?.remove(&item)),
        }
    }

    /// Attempts the delivery of an item, and records the outcome.
    async fn deliver(
        &self,
        claimed: &ClaimedItem,
        claim: &Claim,
        places: &Arc<Places>,
        recorder: &Recorder,
    ) -> Result<()> {
        let Some(Prepared { job, old_secrets, is_visible }) = self.prepared(claimed.item.id, claim).await? else {
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
            secrets: self.open_secrets(job.agent_id, job.webhook_id, &job.secret, &old_secrets),
        };
        let Some(place) = places.take(claimed.item.id).await else {
            return self.queue.release(claimed).await;
        };
        let attempt = self.attempt(&request, job.attempts.saturating_add(1)).await;
        // The next one need not wait until this one is recorded.
        drop(place);
        self.meter.took(Duration::from_millis(attempt.attempt.duration_ms.into()));
        recorder.record(Outcome { claimed: claimed.clone(), job, attempt }).await;
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

/// Reads the deliveries of items, the previous secrets of their webhooks, and whether their agents can still see what
/// they tell of.
async fn prepare(tx: &mut Tx, items: &[QueueItemId]) -> Result<HashMap<QueueItemId, Prepared>> {
    let jobs = store::jobs(tx, items).await?;
    if jobs.is_empty() {
        return Ok(HashMap::new());
    }
    let told: Vec<_> = jobs.iter().filter_map(|job| Some((job.agent_id, job.message_id?))).collect();
    let visible = messages::store::visible_to_agents(tx, &told).await?;
    let secrets = store::old_secrets_of(tx, jobs.iter().map(|job| job.webhook_id)).await?;
    let prepared = |job: Job| {
        let is_visible = job.message_id.is_none_or(|message| visible.contains(&(job.agent_id, message)));
        let old_secrets = secrets.get(&job.webhook_id).cloned().unwrap_or_default();
        (job.item_id, Prepared { job, old_secrets, is_visible })
    };
    Ok(jobs.into_iter().map(prepared).collect())
}
