//! Metrics of webhooks.

use std::time::Duration;

use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeLabelSet, EncodeMetric, NoLabelSet};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::ConstGauge;
use prometheus_client::registry::Registry;
use svc_core::Hub;
use svc_core::webhooks::{DeliveryCounts, LatencyBuckets};
use tokio::time::timeout;

/// Timeout of the query; a slower figure is left out.
const PATIENCE: Duration = Duration::from_secs(2);

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OutcomeLabel {
    outcome: &'static str,
}

/// Figures of webhooks.
#[derive(Default)]
pub(super) struct WebhookFigures {
    counts: DeliveryCounts,
    latencies: LatencyBuckets,
    /// The age of the oldest delivery that has not ended, in seconds; `None` when the store does not respond in time.
    queue_age: Option<f64>,
}

impl WebhookFigures {
    pub(super) async fn gather(hub: &Hub) -> Self {
        let webhooks = hub.webhooks();
        let oldest = timeout(PATIENCE, webhooks.oldest_open()).await.ok().and_then(Result::ok);
        let age = |oldest| hub.clock().now().since(oldest).as_secs_f64();
        Self {
            counts: webhooks.counts(),
            latencies: webhooks.latencies(),
            queue_age: oldest.map(|oldest| oldest.map_or(0.0, age)),
        }
    }

    pub(super) fn register(self, registry: &mut Registry) {
        let outcomes = Family::<OutcomeLabel, Counter>::default();
        let DeliveryCounts { delivered, retried, dead, stopped } = self.counts;
        for (outcome, count) in [("delivered", delivered), ("retried", retried), ("dead", dead), ("stopped", stopped)] {
            outcomes.get_or_create(&OutcomeLabel { outcome }).inc_by(count);
        }
        registry.register("webhook_deliveries", "Attempts at deliveries by this process, by outcome", outcomes);
        if let Some(age) = self.queue_age {
            let about = "Age of the oldest delivery to a webhook that has not ended";
            registry.register("webhook_queue_age_seconds", about, ConstGauge::new(age));
        }
        registry.register_collector(Box::new(Latencies(self.latencies)));
    }
}

/// The histogram of latencies, which the core has counted.
#[derive(Debug)]
struct Latencies(LatencyBuckets);

impl Collector for Latencies {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> Result<(), std::fmt::Error> {
        let Self(LatencyBuckets { buckets, sum }) = self;
        let count = buckets.iter().map(|(_, count)| count).sum();
        let histogram = ConstHistogram { sum: *sum, count, buckets };
        let about = "Duration of attempts at deliveries by this process";
        let metric =
            encoder.encode_descriptor("webhook_attempt_duration_seconds", about, None, histogram.metric_type())?;
        histogram.encode(metric)
    }
}

struct ConstHistogram<'a> {
    sum: f64,
    count: u64,
    buckets: &'a [(f64, u64)],
}

impl EncodeMetric for ConstHistogram<'_> {
    fn encode(&self, mut encoder: prometheus_client::encoding::MetricEncoder<'_>) -> Result<(), std::fmt::Error> {
        encoder.encode_histogram::<NoLabelSet>(self.sum, self.count, self.buckets, None)
    }

    fn metric_type(&self) -> prometheus_client::metrics::MetricType {
        prometheus_client::metrics::MetricType::Histogram
    }
}
