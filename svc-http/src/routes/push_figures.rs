//! Metrics of push messages.

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::registry::Registry;
use svc_core::Hub;
use svc_core::push::PushCounts;

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OutcomeLabel {
    outcome: &'static str,
}

/// Figures of push messages.
#[derive(Default)]
pub(super) struct PushFigures(PushCounts);

impl PushFigures {
    pub(super) fn gather(hub: &Hub) -> Self {
        Self(hub.push().counts())
    }

    pub(super) fn register(self, registry: &mut Registry) {
        let outcomes = Family::<OutcomeLabel, Counter>::default();
        let PushCounts { sent, dropped, gone, refused, failed } = self.0;
        for (outcome, count) in
            [("sent", sent), ("dropped", dropped), ("gone", gone), ("refused", refused), ("failed", failed)]
        {
            outcomes.get_or_create(&OutcomeLabel { outcome }).inc_by(count);
        }
        registry.register("push_deliveries", "Attempts at push messages by this process, by outcome", outcomes);
    }
}
