//! Metrics of governance.

use std::time::Duration;

use prometheus_client::metrics::gauge::ConstGauge;
use prometheus_client::registry::Registry;
use svc_core::Hub;
use svc_core::governance::GovernanceFigures as Figures;
use tokio::time::timeout;

/// Timeout of the query; slower figures are left out.
const PATIENCE: Duration = Duration::from_secs(2);

/// Figures of governance; `None` when the store does not respond in time.
#[derive(Default)]
pub(super) struct GovernanceFigures(Option<Figures>);

impl GovernanceFigures {
    pub(super) async fn gather(hub: &Hub) -> Self {
        Self(timeout(PATIENCE, hub.governance().figures()).await.ok().and_then(Result::ok))
    }

    pub(super) fn register(self, registry: &mut Registry) {
        let Some(Figures { quarantined, out_of_budget, loops }) = self.0 else { return };
        registry.register("agents_quarantined", "Agents that are quarantined", ConstGauge::new(quarantined));
        let about = "Agents that are paused because their budgets are used up";
        registry.register("agents_out_of_budget", about, ConstGauge::new(out_of_budget));
        registry.register("loops_held", "Loops between agents that are held", ConstGauge::new(loops));
    }
}
