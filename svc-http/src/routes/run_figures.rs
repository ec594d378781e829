//! Metrics of runs.

use std::time::Duration;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::ConstGauge;
use prometheus_client::registry::Registry;
use svc_core::Hub;
use svc_core::runs::RunCounts;
use tokio::time::timeout;

/// Timeout of the query; a slower figure is left out.
const PATIENCE: Duration = Duration::from_secs(2);

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct StatusLabel {
    status: &'static str,
}

/// Figures of runs.
#[derive(Default)]
pub(super) struct RunFigures {
    counts: RunCounts,
    under_way: usize,
    /// The age of the oldest run that waits for a node, in seconds; `None` when the store does not respond in time.
    queue_age: Option<f64>,
}

impl RunFigures {
    pub(super) async fn gather(hub: &Hub) -> Self {
        let runs = hub.runs();
        let oldest = timeout(PATIENCE, runs.oldest_queued()).await.ok().and_then(Result::ok);
        let age = |oldest| hub.clock().now().since(oldest).as_secs_f64();
        let queue_age = oldest.map(|oldest| oldest.map_or(0.0, age));
        Self { counts: runs.counts(), under_way: runs.under_way(), queue_age }
    }

    pub(super) fn register(self, registry: &mut Registry) {
        let statuses = Family::<StatusLabel, Counter>::default();
        let RunCounts { succeeded, failed, cancelled } = self.counts;
        for (status, count) in [("succeeded", succeeded), ("failed", failed), ("cancelled", cancelled)] {
            statuses.get_or_create(&StatusLabel { status }).inc_by(count);
        }
        registry.register("runs", "Runs of agents that ended in this process, by status", statuses);
        let under_way = ConstGauge::new(i64::try_from(self.under_way).unwrap_or(i64::MAX));
        registry.register("runs_under_way", "Runs of agents that are under way in this process", under_way);
        if let Some(age) = self.queue_age {
            let about = "Age of the oldest run that waits for a node with room";
            registry.register("run_queue_age_seconds", about, ConstGauge::new(age));
        }
    }
}
