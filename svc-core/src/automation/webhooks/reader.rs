//! The reader of the event log that makes deliveries.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use tokio::time::Instant;

use super::route::{Mode, route};
use super::service::{QUEUE, Webhooks};
use super::store;
use crate::error::Result;
use crate::store::workers::{Cadence, Progress, Worker};

/// Events that are read in one transaction.
const BATCH: u32 = 100;
/// While there is no webhook, the position is moved this often, so that sending costs nothing more.
const IDLE_PACE: Duration = Duration::from_secs(10);

/// The worker that turns events into deliveries, each once.
pub(crate) struct WebhookReader {
    webhooks: Webhooks,
    /// When the position was last moved while there was no webhook.
    skipped: Mutex<Option<Instant>>,
}

impl WebhookReader {
    pub(crate) fn new(webhooks: Webhooks) -> Self {
        Self { webhooks, skipped: Mutex::default() }
    }

    /// Passes over events that concern nobody.
    async fn skip(&self) -> Result<()> {
        let last = *self.skipped.lock().unwrap_or_else(PoisonError::into_inner);
        if last.is_some_and(|last| last.elapsed() < IDLE_PACE) {
            return Ok(());
        }
        self.webhooks.events.skip(QUEUE, |tx| Box::pin(async move { Ok(!store::is_any_enabled(tx).await?) })).await?;
        *self.skipped.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
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
        let queue = self.webhooks.queue.clone();
        let read = self.webhooks.events.consume(QUEUE, BATCH, move |tx, events| {
            let queue = queue.clone();
            Box::pin(async move {
                let oldest = store::oldest_enabled(tx).await?;
                for event in events {
                    // Most events of a long log are from before there were webhooks.
                    if oldest.is_some_and(|oldest| oldest <= event.created_at) {
                        route(tx, &queue, event, Mode::New).await?;
                    }
                }
                Ok(())
            })
        });
        Ok(if read.await? == BATCH as usize { Progress::More } else { Progress::Done })
    }
}
