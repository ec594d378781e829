//! Cached claim backlog for the metrics: a scrape every few seconds must not count a large backlog every time.

use std::time::Duration;

use svc_core::Hub;
use svc_core::messages::Backlog;
use tokio::sync::Mutex;
use tokio::time::{Instant, timeout};

/// Lifetime of a cached count.
const LASTS: Duration = Duration::from_secs(10);
/// Timeout of the query; the metric is left out when the store takes longer.
const PATIENCE: Duration = Duration::from_secs(2);

/// The last count.
#[derive(Debug, Default)]
pub(crate) struct CountedBacklog(Mutex<Option<(Instant, Backlog)>>);

impl CountedBacklog {
    /// The backlog, a few seconds old at most; `None` when the store does not respond in time.
    pub(crate) async fn get(&self, hub: &Hub) -> Option<Backlog> {
        let mut last = self.0.lock().await;
        if let Some((at, backlog)) = *last
            && at.elapsed() < LASTS
        {
            return Some(backlog);
        }
        let counted = timeout(PATIENCE, hub.messages().backlog()).await.ok()?.ok()?;
        *last = Some((Instant::now(), counted));
        Some(counted)
    }
}
