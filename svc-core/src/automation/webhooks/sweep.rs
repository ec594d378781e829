//! Removes deliveries after their retention period, and ends those whose worker never reported or whose webhook was
//! disabled or deleted.

use std::time::Duration;

use async_trait::async_trait;
use svc_model::webhooks::DeliveryError;

use super::meter::Ended;
use super::outcome;
use super::service::Webhooks;
use super::store::{self, Stored};
use crate::error::Result;
use crate::limits;
use crate::messaging::dead_letters;
use crate::store::db::Tx;
use crate::store::queue::Queue;
use crate::store::workers::{Cadence, Progress, Worker};

/// Deliveries that are ended or removed in one transaction.
const BATCH: u32 = 500;

/// The worker that clears deliveries.
pub(crate) struct WebhookSweep {
    pub(crate) webhooks: Webhooks,
}

#[async_trait]
impl Worker for WebhookSweep {
    fn name(&self) -> &'static str {
        "webhook_sweep"
    }

    fn cadence(&self) -> Cadence {
        Cadence::every(Duration::from_secs(15))
    }

    async fn run_once(&self) -> Result<Progress> {
        let db = &self.webhooks.db;
        // Most rounds find nothing, and a read costs less than a write.
        if !db.read((), |tx, ()| Box::pin(has_work(tx))).await? {
            return Ok(Progress::Done);
        }
        let ended = db.write((), |tx, ()| Box::pin(end_interrupted(tx))).await?;
        for _ in 0..ended {
            self.webhooks.meter.count(Ended::Dead);
        }
        let input = self.webhooks.queue.clone();
        let (stopped, is_left) = db.write(input, |tx, queue| Box::pin(end_leaving(tx, queue))).await?;
        for _ in 0..stopped {
            self.webhooks.meter.count(Ended::Stopped);
        }
        let removed = db.write((), |tx, ()| Box::pin(remove_old(tx))).await?;
        Ok(if ended == BATCH as usize || removed || is_left { Progress::More } else { Progress::Done })
    }
}

/// How long deliveries are kept that ended in each way.
const KEPT: [(Stored, Duration); 3] = [
    (Stored::Delivered, limits::DELIVERY_RETENTION),
    (Stored::Stopped, limits::DELIVERY_RETENTION),
    (Stored::Dead, limits::DEAD_LETTER_RETENTION),
];

async fn has_work(tx: &mut Tx) -> Result<bool> {
    for (status, kept) in KEPT {
        let before = tx.now().minus(kept);
        if store::is_any_older(tx, status, before).await? {
            return Ok(true);
        }
    }
    Ok(store::ending(tx).await?.is_some() || store::is_any_interrupted(tx).await?)
}

/// Stops some deliveries of a webhook that was disabled or deleted, so that they take no turns and no rate of its
/// agent, and removes some of a deleted one. Returns how many were stopped, and whether there may be more to do.
async fn end_leaving(tx: &mut Tx, queue: &Queue) -> Result<(usize, bool)> {
    let Some(webhook) = store::ending(tx).await? else { return Ok((0, false)) };
    let waiting = store::waiting_items(tx, webhook.id, BATCH).await?;
    // A delivery that a worker holds is stopped or finished by that worker.
    let ended = queue.cancel_in(tx, &waiting).await?;
    store::stop_all(tx, &ended, DeliveryError::Disabled).await?;
    if waiting.len() == BATCH as usize {
        return Ok((ended.len(), true));
    }
    if webhook.deleted_at.is_none() {
        store::note_ended(tx, webhook.id).await?;
    } else if store::remove_some(tx, webhook.id, BATCH).await? < u64::from(BATCH) {
        store::remove(tx, webhook.id).await?;
    }
    Ok((ended.len(), true))
}

/// Makes dead letters of deliveries whose workers stopped at the last attempt.
async fn end_interrupted(tx: &mut Tx) -> Result<usize> {
    let ended = store::end_interrupted(tx, BATCH).await?;
    for delivery in &ended {
        let reason = outcome::reason(DeliveryError::Interrupted, None);
        let attempts = i64::from(delivery.attempts).max(1);
        let (owner, agent) = (delivery.owner_id, delivery.agent_id);
        dead_letters::create_for_delivery(tx, owner, agent, delivery.id, &reason, attempts).await?;
    }
    Ok(ended.len())
}

/// Removes old deliveries. Returns whether there may be more.
async fn remove_old(tx: &mut Tx) -> Result<bool> {
    let mut more = false;
    for (status, kept) in KEPT {
        let before = tx.now().minus(kept);
        more |= store::sweep(tx, status, before, BATCH).await? == u64::from(BATCH);
    }
    Ok(more)
}
