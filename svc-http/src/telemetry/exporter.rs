//! The tasks that export: spans in batches, metrics at an interval.

use std::sync::Arc;
use std::time::Duration;

use svc_core::limits;
use svc_core::telemetry::Span;
use tokio::sync::mpsc;
use tokio::time::{Instant, MissedTickBehavior, interval_at, sleep, timeout_at};
use tokio_util::sync::CancellationToken;

use super::collector::Collector;
use super::figures::{self, Figure, Period, Temporality};
use super::meter::Meter;
use super::resource::Resource;
use super::settings::{MetricSettings, TraceSettings};
use super::spans::{self, nanoseconds};
use crate::routes::metrics;
use crate::state::AppState;

/// The export of spans.
pub(super) struct SpanExporter {
    pub(super) collector: Collector,
    pub(super) settings: TraceSettings,
    pub(super) resource: Arc<Resource>,
    pub(super) meter: Arc<Meter>,
    pub(super) stop: CancellationToken,
}

impl SpanExporter {
    /// Exports spans until the server stops, and then those that are left.
    pub(super) async fn run(self, mut queue: mpsc::Receiver<Span>) {
        while let Some(Some(first)) = self.stop.run_until_cancelled(queue.recv()).await {
            let mut batch = vec![first];
            let deadline = Instant::now() + self.settings.delay;
            while batch.len() < self.settings.batch {
                let next = self.stop.run_until_cancelled(timeout_at(deadline, queue.recv())).await;
                let Some(Ok(Some(span))) = next else { break };
                batch.push(span);
            }
            self.export(batch).await;
        }
        queue.close();
        let mut batch = Vec::new();
        while queue.recv_many(&mut batch, self.settings.batch).await > 0 {
            self.export(std::mem::take(&mut batch)).await;
        }
    }

    /// Exports a batch. It is repeated while the collector may take it later; meanwhile the queue fills up, and then
    /// new spans are dropped.
    async fn export(&self, batch: Vec<Span>) {
        let count = batch.len() as u64;
        let body = spans::encode(self.collector.target().encoding, &self.resource, &batch);
        drop(batch);
        let mut pause = limits::SPAN_RETRY_PAUSE;
        for attempt in 1..=limits::SPAN_ATTEMPTS {
            let refusal = match self.collector.send(body.clone()).await {
                Ok(rejected) => {
                    let rejected = rejected.min(count);
                    self.meter.exported.inc_by(count - rejected);
                    self.meter.dropped.inc_by(rejected);
                    return;
                }
                Err(refusal) => refusal,
            };
            if !refusal.is_temporary || attempt == limits::SPAN_ATTEMPTS || self.stop.is_cancelled() {
                break;
            }
            let wait = refusal.wait.unwrap_or(Duration::ZERO).max(pause).min(limits::SPAN_RETRY_PAUSE_MAX);
            self.stop.run_until_cancelled(sleep(wait)).await;
            pause *= 2;
        }
        self.meter.dropped.inc_by(count);
    }
}

/// Exports the metrics at an interval, and once more when the server stops. An export that fails is not repeated,
/// because the next one has the same counters, or what they counted since the last one that was accepted.
pub(super) async fn export_metrics(
    state: AppState,
    settings: MetricSettings,
    collector: Collector,
    resource: Arc<Resource>,
    stop: CancellationToken,
) {
    let now = || nanoseconds(state.hub().clock().now().as_micros());
    let mut start = now();
    // Some counters are those of the store, so differences begin with the values of now.
    let mut before = match settings.temporality {
        Temporality::Cumulative => None,
        Temporality::Delta => Some(figures_of(&state).await.unwrap_or_default()),
    };
    let mut ticks = interval_at(Instant::now() + settings.interval, settings.interval);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        let is_last = stop.run_until_cancelled(ticks.tick()).await.is_none();
        if let Some(figures) = figures_of(&state).await {
            let period = Period { start, now: now(), temporality: settings.temporality };
            let body = match &before {
                Some(before) => {
                    let counted = figures::since(&figures, before);
                    figures::encode(settings.target.encoding, &resource, &counted, period)
                }
                None => figures::encode(settings.target.encoding, &resource, &figures, period),
            };
            // The collector has logged and counted a failure.
            if collector.send(body).await.is_ok() && before.is_some() {
                (before, start) = (Some(figures), period.now);
            }
        }
        if is_last {
            return;
        }
    }
}

/// The metrics as they are.
async fn figures_of(state: &AppState) -> Option<Vec<Figure>> {
    match metrics::text(state).await {
        Ok(text) => Some(figures::read(&text)),
        Err(error) => {
            tracing::warn!(target: "svc::telemetry", error = error.log_line(), "metrics cannot be exported");
            None
        }
    }
}
