//! Metrics of connections and slow bodies, for `/metrics`.

use std::fmt;
use std::sync::{Mutex, PoisonError};

use prometheus_client::encoding::text::encode_registry;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;

/// Metrics since the server started.
pub(crate) struct Traffic {
    registry: Mutex<Registry>,
    /// Open connections.
    pub(crate) open: Gauge,
    /// Connections beyond the limits.
    pub(crate) shed: Counter,
    /// Aborted request bodies.
    pub(crate) slow_bodies: Counter,
}

impl Default for Traffic {
    fn default() -> Self {
        let (open, shed, slow_bodies) = (Gauge::default(), Counter::default(), Counter::default());
        let mut registry = Registry::default();
        registry.register("open_connections", "Connections that are open", open.clone());
        let about = "Connections beyond the limits, on which only health checks are answered";
        registry.register("connections_shed", about, shed.clone());
        registry.register("slow_bodies", "Request bodies aborted because they took too long", slow_bodies.clone());
        Self { registry: Mutex::new(registry), open, shed, slow_bodies }
    }
}

impl Traffic {
    /// Writes the metrics as text, without the closing line.
    pub(crate) fn encode(&self, text: &mut String) -> fmt::Result {
        encode_registry(text, &self.registry.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_promised_names_are_exact() {
        let traffic = Traffic::default();
        traffic.open.inc();
        let mut text = String::new();
        traffic.encode(&mut text).unwrap();
        for line in ["open_connections 1", "connections_shed_total 0", "slow_bodies_total 0"] {
            assert!(text.lines().any(|found| found == line), "{line} is not in\n{text}");
        }
    }
}
