//! What happens at the edge of the server, in numbers, for `/metrics`: connections, and bodies that took too long.

use std::fmt;
use std::sync::{Mutex, PoisonError};

use prometheus_client::encoding::text::encode_registry;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;

/// The figures since the server started.
pub(crate) struct Traffic {
    registry: Mutex<Registry>,
    /// Connections that are open.
    pub(crate) open: Gauge,
    /// Connections that came when there were too many.
    pub(crate) shed: Counter,
    /// Request bodies that were not waited for any longer.
    pub(crate) slow_bodies: Counter,
}

impl Default for Traffic {
    fn default() -> Self {
        let (open, shed, slow_bodies) = (Gauge::default(), Counter::default(), Counter::default());
        let mut registry = Registry::default();
        registry.register("open_connections", "Connections that are open", open.clone());
        let about = "Connections beyond the limits, on which health checks are answered and nothing else";
        registry.register("connections_shed", about, shed.clone());
        registry.register("slow_bodies", "Request bodies that took too long and were given up", slow_bodies.clone());
        Self { registry: Mutex::new(registry), open, shed, slow_bodies }
    }
}

impl Traffic {
    /// Writes the figures as text, without the closing line.
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
