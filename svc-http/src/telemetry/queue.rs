//! The queue between requests and the exporter. It is bounded, and a span that finds it full is dropped and counted.

use std::sync::Arc;

use svc_core::telemetry::{Span, SpanSink, TraceContext};
use tokio::sync::mpsc;

use super::meter::Meter;
use super::sampler::Sampler;

/// The sink of the hub's spans.
#[derive(Debug)]
pub(super) struct SpanQueue {
    spans: mpsc::Sender<Span>,
    sampler: Sampler,
    meter: Arc<Meter>,
}

impl SpanQueue {
    pub(super) fn new(sampler: Sampler, length: usize, meter: Arc<Meter>) -> (Self, mpsc::Receiver<Span>) {
        let (spans, taken) = mpsc::channel(length);
        (Self { spans, sampler, meter }, taken)
    }
}

impl SpanSink for SpanQueue {
    fn samples(&self, trace_id: u128, parent: Option<&TraceContext>) -> bool {
        self.sampler.samples(trace_id, parent)
    }

    fn take(&self, span: Span) {
        if self.spans.try_send(span).is_err() {
            self.meter.dropped.inc();
        }
    }
}
