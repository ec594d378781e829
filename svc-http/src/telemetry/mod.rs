//! The export of traces and metrics to a collector, by OTLP over HTTP.
//!
//! The hub's spans and those of requests go into a bounded queue; a task sends them in batches. Another task sends the
//! metrics of `/metrics` at an interval.
//!
//! Invariants: without settings none of this exists; no request ever waits for a collector; what is lost is counted;
//! a server that stops exports what it has, within two seconds.

mod answer;
mod collector;
mod encoding;
mod exporter;
mod figures;
mod meter;
mod queue;
mod resource;
mod sampler;
mod settings;
mod spans;
mod tls;

use std::sync::Arc;

use svc_core::telemetry::{Span, SpanSink};
use svc_core::{Result, limits};
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use self::collector::Collector;
use self::exporter::{SpanExporter, export_metrics};
pub(crate) use self::meter::Meter;
use self::queue::SpanQueue;
pub use self::settings::TelemetrySettings;
use crate::state::AppState;

/// The export before the hub is open.
pub(crate) struct Telemetry {
    settings: TelemetrySettings,
    meter: Arc<Meter>,
    queue: Option<(Arc<SpanQueue>, mpsc::Receiver<Span>)>,
    /// Of traces, and of metrics.
    clients: [reqwest::Client; 2],
}

impl Telemetry {
    /// Reads the certificates of the settings.
    pub(crate) async fn new(settings: TelemetrySettings) -> Result<Self> {
        let meter = Arc::new(Meter::new());
        let queue = settings.traces.as_ref().map(|traces| {
            let (queue, spans) = SpanQueue::new(traces.sampler, traces.queue, meter.clone());
            (Arc::new(queue), spans)
        });
        let traces = settings.traces.as_ref().map(|traces| traces.target.tls.clone()).unwrap_or_default();
        let metrics = settings.metrics.as_ref().map(|metrics| metrics.target.tls.clone()).unwrap_or_default();
        let of_traces = traces.client().await?;
        let of_metrics = if metrics == traces { of_traces.clone() } else { metrics.client().await? };
        Ok(Self { settings, meter, queue, clients: [of_traces, of_metrics] })
    }

    /// The receiver of the spans of the hub; none if only metrics are exported.
    pub(crate) fn sink(&self) -> Option<Arc<dyn SpanSink>> {
        self.queue.as_ref().map(|(queue, _)| queue.clone() as Arc<dyn SpanSink>)
    }

    pub(crate) fn meter(&self) -> Arc<Meter> {
        self.meter.clone()
    }

    /// Starts the tasks.
    pub(crate) fn start(self, state: &AppState) -> Exports {
        let Self { settings, meter, queue, clients: [of_traces, of_metrics] } = self;
        let TelemetrySettings { resource, traces, metrics } = settings;
        let resource = Arc::new(resource.with_default("service.instance.id", state.hub().node()));
        let (mut tasks, stop) = (JoinSet::new(), CancellationToken::new());
        if let (Some(settings), Some((_, spans))) = (traces, queue) {
            let collector = Collector::new(of_traces, settings.target.clone(), "traces", meter.clone());
            let (resource, meter, stop) = (resource.clone(), meter.clone(), stop.clone());
            let exporter = SpanExporter { collector, settings, resource, meter, stop };
            tasks.spawn(exporter.run(spans));
        }
        if let Some(settings) = metrics {
            let collector = Collector::new(of_metrics, settings.target.clone(), "metrics", meter);
            tasks.spawn(export_metrics(state.clone(), settings, collector, resource, stop.clone()));
        }
        Exports { tasks, stop }
    }
}

/// The exports of a running server.
pub(crate) struct Exports {
    tasks: JoinSet<()>,
    stop: CancellationToken,
}

impl Exports {
    /// Exports what there is, as far as that is possible in two seconds.
    pub(crate) async fn stop(mut self) {
        self.stop.cancel();
        let finished = async { while self.tasks.join_next().await.is_some() {} };
        if timeout(limits::TELEMETRY_CLOSING, finished).await.is_err() {
            tracing::warn!(target: "svc::telemetry", "the last telemetry could not be exported in time");
        }
    }
}
