//! The worker that counts messages and removes old fine-grained counts.

use std::time::Duration;

use async_trait::async_trait;

use super::buckets::Grain;
use super::service::Analytics;
use super::{rollup, store};
use crate::error::Result;
use crate::limits;
use crate::store::workers::{Cadence, Progress, Worker};

/// Counts messages. It need not follow each event, because every query lets it catch up.
pub(crate) struct AnalyticsRollup {
    pub(crate) analytics: Analytics,
}

#[async_trait]
impl Worker for AnalyticsRollup {
    fn name(&self) -> &'static str {
        "analytics_rollup"
    }

    fn cadence(&self) -> Cadence {
        Cadence::every(Duration::from_secs(15))
    }

    async fn run_once(&self) -> Result<Progress> {
        if !rollup::count_next(&self.analytics.events).await? {
            return Ok(Progress::More);
        }
        let now = self.analytics.clock.now();
        for (grain, kept) in [(Grain::Minutes, limits::ROLLUP_MINUTES_KEPT), (Grain::Hour, limits::ROLLUP_HOURS_KEPT)] {
            let before = grain.start(now.minus(kept));
            let db = &self.analytics.db;
            // Most runs find nothing old, and a read costs less than a write.
            let oldest = db.read(grain, |tx, grain| Box::pin(store::oldest(tx, *grain))).await?;
            if oldest.is_some_and(|oldest| oldest < before) {
                db.write((grain, before), |tx, (grain, before)| Box::pin(store::sweep(tx, *grain, *before))).await?;
                return Ok(Progress::More);
            }
        }
        Ok(Progress::Done)
    }
}
