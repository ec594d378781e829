//! Metrics of the export itself, for `/metrics`.

use std::fmt;
use std::sync::{Mutex, PoisonError};

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode_registry;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::registry::Registry;

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct SignalLabel {
    signal: &'static str,
}

/// Metrics since the server started.
#[derive(Debug)]
pub(crate) struct Meter {
    registry: Mutex<Registry>,
    /// Spans that a collector accepted.
    pub(super) exported: Counter,
    /// Spans that were lost.
    pub(super) dropped: Counter,
    failures: Family<SignalLabel, Counter>,
    rejections: Family<SignalLabel, Counter>,
}

impl Meter {
    pub(super) fn new() -> Self {
        let (exported, dropped) = (Counter::default(), Counter::default());
        let failures = Family::<SignalLabel, Counter>::default();
        let rejections = Family::<SignalLabel, Counter>::default();
        let mut registry = Registry::default();
        registry.register("otlp_spans_exported", "Spans that a collector accepted from this process", exported.clone());
        let about = "Spans of this process that were lost, because the queue was full or no collector accepted them";
        registry.register("otlp_spans_dropped", about, dropped.clone());
        let about = "Exports of this process that failed, by signal";
        registry.register("otlp_export_failures", about, failures.clone());
        let about = "Spans and data points that a collector rejected in exports that it accepted, by signal";
        registry.register("otlp_rejected", about, rejections.clone());
        Self { registry: Mutex::new(registry), exported, dropped, failures, rejections }
    }

    pub(super) fn rejected(&self, signal: &'static str, count: u64) {
        if count > 0 {
            self.rejections.get_or_create(&SignalLabel { signal }).inc_by(count);
        }
    }

    pub(super) fn failed(&self, signal: &'static str) {
        self.failures.get_or_create(&SignalLabel { signal }).inc();
    }

    /// Writes the metrics as text, without the closing line.
    pub(crate) fn encode(&self, text: &mut String) -> fmt::Result {
        encode_registry(text, &self.registry.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
