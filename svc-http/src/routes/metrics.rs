//! The server in numbers, as text for Prometheus.
//!
//! What always holds: the text is valid both as `OpenMetrics` and as the older Prometheus text, and
//! is labelled as whichever the reader asked for. Counters begin at 0 when the process starts.

use std::fmt;
use std::time::Duration;

use poem::http::{HeaderMap, header};
use poem_openapi::payload::PlainText;
use poem_openapi::{ApiResponse, OpenApi, ResponseContent};
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::{encode_eof, encode_registry};
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::{ConstGauge, Gauge};
use prometheus_client::registry::Registry;
use svc_core::db::WriteStats;
use svc_core::{Error, FileStoreHealth, Hub, TraceCounts, WorkerHealth, limits};
use tokio::time::timeout;

use super::Chapter;
use crate::error::Problem;
use crate::state::AppState;

/// A store that takes longer is left out: figures are needed most when it is in trouble.
const PATIENCE: Duration = Duration::from_secs(2);

/// The routes.
pub(crate) struct MetricsRoutes {
    pub(crate) state: AppState,
}

#[derive(ResponseContent)]
enum MetricsText {
    #[oai(content_type = "text/plain; version=0.0.4; charset=utf-8")]
    Prometheus(PlainText<String>),
    #[oai(content_type = "application/openmetrics-text; version=1.0.0; charset=utf-8")]
    OpenMetrics(PlainText<String>),
}

#[derive(ApiResponse)]
enum MetricsResponse {
    /// The figures.
    #[oai(status = 200)]
    Text(MetricsText),
}

#[OpenApi(tag = "Chapter::Operations")]
impl MetricsRoutes {
    /// The server in numbers.
    ///
    /// Text for Prometheus, for example `traces_total 42` and
    /// `traces_by_action{action="server.started"} 1`: traces and errors, agents that did something in
    /// the last 15 minutes, requests and their duration, the size of the store, writes and the commits
    /// that they shared, traces that wait, the head of the event log, open streams, sessions of MCP, workers
    /// that fail, whether the store of the files answers, files that are damaged or that the database does not
    /// know, and whether the registry of machine principals could be loaded from its file. A reader
    /// that accepts `application/openmetrics-text` gets the text
    /// under that name.
    #[oai(path = "/metrics", method = "get", operation_id = "get_metrics")]
    async fn metrics(&self, headers: &HeaderMap) -> Result<MetricsResponse, Problem> {
        let figures = StoreFigures::gather(self.state.hub()).await;
        let mut text = String::new();
        let lasting = Lasting { streams: self.state.streams().open(), sessions: self.state.mcp().sessions().await };
        let written = figures.encode(&mut text, lasting);
        written
            .and_then(|()| self.state.requests().encode(&mut text))
            .and_then(|()| encode_eof(&mut text))
            .map_err(|_| Error::internal("the metrics could not be written as text"))?;
        let text = PlainText(text);
        Ok(MetricsResponse::Text(if accepts_openmetrics(headers) {
            MetricsText::OpenMetrics(text)
        } else {
            MetricsText::Prometheus(text)
        }))
    }
}

fn accepts_openmetrics(headers: &HeaderMap) -> bool {
    let mut accepted = headers.get_all(header::ACCEPT).iter();
    accepted.any(|line| line.to_str().is_ok_and(|line| line.contains("application/openmetrics-text")))
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ActionLabel {
    action: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct WorkerLabel {
    worker: String,
}

/// What this process keeps open for clients.
#[derive(Clone, Copy)]
struct Lasting {
    streams: u64,
    sessions: usize,
}

/// What the hub tells about itself; what a store in trouble does not tell is left out.
#[derive(Default)]
struct StoreFigures {
    traces: TraceCounts,
    queued_traces: usize,
    writes: WriteStats,
    active_agents: Option<u64>,
    size: Option<u64>,
    head: Option<i64>,
    workers: Vec<WorkerHealth>,
    files: Option<FileStoreHealth>,
    /// Whether the registry's file could be loaded the last time; none without a file.
    registry_file_ok: Option<bool>,
    /// Whether what is in the file is in force; none without a file, or when the store does not say.
    registry_file_in_force: Option<bool>,
}

impl StoreFigures {
    async fn gather(hub: &Hub) -> Self {
        Self {
            traces: hub.traces().counts(),
            queued_traces: hub.traces().queued(),
            writes: hub.db().write_stats(),
            active_agents: active_agents(hub).await,
            size: timeout(PATIENCE, hub.db().size()).await.ok(),
            head: hub.events().head().ok().map(|head| head.0),
            workers: hub.worker_health(),
            files: timeout(PATIENCE, hub.attachments().health()).await.ok().and_then(Result::ok),
            registry_file_ok: hub.principals().file_state().map(|state| state.ok),
            registry_file_in_force: registry_file_in_force(hub).await,
        }
    }

    fn encode(self, text: &mut String, lasting: Lasting) -> fmt::Result {
        let Self {
            traces,
            queued_traces,
            writes,
            active_agents,
            size,
            head,
            workers,
            files,
            registry_file_ok,
            registry_file_in_force,
        } = self;
        let mut registry = Registry::default();
        let by_action = Family::<ActionLabel, Gauge>::default();
        for (action, count) in traces.by_action {
            by_action.get_or_create(&ActionLabel { action }).set(signed(count));
        }
        let failures = Family::<WorkerLabel, Gauge>::default();
        for worker in workers {
            failures.get_or_create(&WorkerLabel { worker: worker.name }).set(worker.failures.into());
        }
        // The library adds `_total` to the names of counters. `traces_by_action` must not have it,
        // so that one is a gauge, although it only grows.
        registry.register("traces", "Traces written", ConstCounter::new(traces.written));
        registry.register("traces_by_action", "Traces written, by what was done", by_action);
        registry.register("errors", "Traces written that tell of a failure", ConstCounter::new(traces.errors));
        registry.register("traces_lost", "Traces that could not be written", ConstCounter::new(traces.lost));
        let queued = u64::try_from(queued_traces).unwrap_or(u64::MAX);
        registry.register("trace_queue_depth", "Traces that wait to be written", gauge(queued));
        registry.register("store_writes", "Units of work that wanted to write", ConstCounter::new(writes.units));
        registry.register("store_commits", "Transactions that they shared", ConstCounter::new(writes.commits));
        if let Some(count) = active_agents {
            registry.register("active_agents", "Agents that did something in the last 15 minutes", gauge(count));
        }
        if let Some(size) = size {
            registry.register("store_size_bytes", "Bytes that the store takes", gauge(size));
        }
        if let Some(head) = head {
            registry.register("event_log_head", "Place of the newest event", ConstGauge::new(head));
        }
        if let Some(files) = files {
            let about = "1 if the store of the files answers and belongs to this hub";
            registry.register("attachment_store_ok", about, gauge(files.ok.into()));
            registry.register("attachments_damaged", "Files that are lost or damaged", gauge(files.damaged));
            let about = "Files that the database does not know, when they are so many that none is removed";
            registry.register("attachments_unknown", about, gauge(files.unknown));
        }
        if let Some(ok) = registry_file_ok {
            let about = "1 if the file of the registry of machine principals could be loaded the last time";
            registry.register("machine_registry_file_ok", about, gauge(ok.into()));
        }
        if let Some(in_force) = registry_file_in_force {
            let about = "1 if what is in the file of the registry of machine principals is in force";
            registry.register("machine_registry_file_in_force", about, gauge(in_force.into()));
        }
        registry.register("open_streams", "Live streams that are open", gauge(lasting.streams));
        let sessions = u64::try_from(lasting.sessions).unwrap_or(u64::MAX);
        registry.register("mcp_sessions", "Sessions of older revisions of MCP that are open", gauge(sessions));
        registry.register("worker_failures", "Rounds of a worker that failed one after another", failures);
        encode_registry(text, &registry)
    }
}

/// `None` without a file, and when the store does not tell in time.
async fn registry_file_in_force(hub: &Hub) -> Option<bool> {
    let state = hub.principals().file_state()?;
    let differs = timeout(PATIENCE, hub.principals().differs_from_file()).await.ok()?.ok()?;
    Some(state.ok && !differs)
}

/// `None` when the store does not tell in time, which the log says.
async fn active_agents(hub: &Hub) -> Option<u64> {
    let since = hub.clock().now().minus(limits::AGENT_ACTIVE);
    match timeout(PATIENCE, hub.traces().active_agents(since)).await {
        Ok(Ok(count)) => Some(count),
        Ok(Err(error)) => {
            tracing::warn!(target: "svc::http", error = error.log_line(), "active agents cannot be counted");
            None
        }
        Err(_) => {
            tracing::warn!(target: "svc::http", "active agents could not be counted in time");
            None
        }
    }
}

fn gauge(value: u64) -> ConstGauge {
    ConstGauge::new(signed(value))
}

fn signed(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text() -> String {
        let traces = TraceCounts { written: 3, by_action: [("message.sent".to_owned(), 2)].into(), errors: 1, lost: 0 };
        let mut text = String::new();
        let writes = WriteStats { units: 8, commits: 7 };
        let figures =
            StoreFigures { traces, queued_traces: 6, writes, active_agents: Some(4), ..StoreFigures::default() };
        figures.encode(&mut text, Lasting { streams: 5, sessions: 9 }).unwrap();
        text
    }

    #[test]
    fn the_promised_names_are_exact() {
        let text = text();
        for line in [
            "traces_total 3",
            "traces_by_action{action=\"message.sent\"} 2",
            "errors_total 1",
            "active_agents 4",
            "open_streams 5",
            "mcp_sessions 9",
            "trace_queue_depth 6",
            "store_writes_total 8",
            "store_commits_total 7",
        ] {
            assert!(text.lines().any(|found| found == line), "{line} is not in\n{text}");
        }
        assert!(!text.contains("_total_total"), "{text}");
    }

    #[test]
    fn every_type_is_known_to_both_formats() {
        for line in text().lines().filter(|line| line.starts_with("# TYPE")) {
            assert!(line.ends_with(" counter") || line.ends_with(" gauge"), "{line}");
        }
    }
}
