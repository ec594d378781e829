//! Metrics of what the hub watches about itself: the forecast of its disk, certificates, nodes.

use std::time::Duration;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::{ConstGauge, Gauge};
use prometheus_client::registry::Registry;
use svc_core::health::{DiskOutlook, NodeInfo};
use svc_core::{Hub, Timestamp};
use tokio::time::timeout;

/// Timeout of each query; a slower figure is left out.
const PATIENCE: Duration = Duration::from_secs(2);

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct VersionLabel {
    version: String,
}

/// Figures that the hub watches; `None` when the store does not respond in time.
#[derive(Default)]
pub(super) struct WatchFigures {
    disk: Option<DiskOutlook>,
    /// In seconds since 1970; 0 if no certificate was seen.
    certificate_end: Option<i64>,
    nodes: Option<Vec<NodeInfo>>,
}

impl WatchFigures {
    pub(super) async fn gather(hub: &Hub) -> Self {
        let certificate_end = timeout(PATIENCE, hub.first_certificate_end()).await;
        Self {
            disk: timeout(PATIENCE, hub.disk_outlook()).await.ok().and_then(Result::ok),
            certificate_end: certificate_end.ok().and_then(Result::ok).map(seconds),
            nodes: timeout(PATIENCE, hub.nodes()).await.ok().and_then(Result::ok),
        }
    }

    pub(super) fn register(self, registry: &mut Registry) {
        if let Some(disk) = self.disk {
            if let Some(size) = disk.total_bytes {
                let size = ConstGauge::new(i64::try_from(size).unwrap_or(i64::MAX));
                registry.register("disk_size_bytes", "Bytes of the disk of the data directory", size);
            }
            let about = "Bytes by which the use of the disk of the data directory grows in a day; 0 if that is unknown";
            let growth = ConstGauge::new(disk.growth_per_day.unwrap_or(0));
            registry.register("disk_growth_bytes_per_day", about, growth);
            let about = "Time when this disk will be full, in seconds since 1970; 0 if that is not in sight";
            registry.register("disk_full_timestamp_seconds", about, ConstGauge::new(seconds(disk.full_at)));
        }
        if let Some(end) = self.certificate_end {
            let about = "First end of a certificate of an endpoint, in seconds since 1970; 0 if none is known";
            registry.register("certificate_first_end_timestamp_seconds", about, ConstGauge::new(end));
        }
        if let Some(nodes) = self.nodes {
            let versions = Family::<VersionLabel, Gauge>::default();
            for NodeInfo { version, .. } in nodes {
                versions.get_or_create(&VersionLabel { version }).inc();
            }
            registry.register("hub_nodes", "Processes that serve the hub, by version", versions);
        }
    }
}

fn seconds(at: Option<Timestamp>) -> i64 {
    at.map_or(0, |at| at.as_micros().div_euclid(1_000_000))
}

#[cfg(test)]
mod tests {
    use prometheus_client::encoding::text::encode_registry;

    use super::*;

    #[test]
    fn what_is_not_in_sight_is_zero() {
        let end = seconds(Some(Timestamp::from_micros(1_767_225_600_000_000)));
        let figures = WatchFigures { disk: Some(DiskOutlook::default()), certificate_end: Some(end), nodes: None };
        let mut registry = Registry::default();
        figures.register(&mut registry);
        let mut text = String::new();
        encode_registry(&mut text, &registry).unwrap();
        for line in [
            "disk_growth_bytes_per_day 0",
            "disk_full_timestamp_seconds 0",
            "certificate_first_end_timestamp_seconds 1767225600",
        ] {
            assert!(text.lines().any(|found| found == line), "{line} is not in\n{text}");
        }
        assert!(!text.contains("disk_size_bytes") && !text.contains("hub_nodes"), "{text}");
    }
}
