//! Metrics of the server, as text for Prometheus.
//!
//! Invariants: the text is valid both as `OpenMetrics` and as the older Prometheus format, and has the content type
//! that the client accepts. Counters begin at 0 when the process starts and count this process alone; figures of the
//! store cover all processes. The descriptions say which.

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
use svc_core::attachments::FileStoreHealth;
use svc_core::backups::BackupState;
use svc_core::db::WriteStats;
use svc_core::messages::Backlog;
use svc_core::quotas::QuotaRefusals;
use svc_core::traces::TraceCounts;
use svc_core::workers::WorkerHealth;
use svc_core::{Error, Hub, limits};
use tokio::time::timeout;

use super::Chapter;
use super::governance_figures::GovernanceFigures;
use super::push_figures::PushFigures;
use super::run_figures::RunFigures;
use super::watch_figures::WatchFigures;
use super::webhook_figures::WebhookFigures;
use crate::error::Problem;
use crate::state::AppState;

/// Timeout of queries; a slower figure is left out: metrics are needed most when the store is in trouble.
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
    /// The metrics.
    #[oai(status = 200)]
    Text(MetricsText),
}

#[OpenApi(tag = "Chapter::Operations")]
impl MetricsRoutes {
    /// Get metrics
    ///
    /// Text for Prometheus, for example `traces_total 42` and `traces_by_action{action="server.started"} 1`: traces
    /// and errors, agents that were active in the last 15 minutes, requests and their duration, the size of the
    /// store, bytes of attachments, quota rejections, writes and the commits that they shared, the write-ahead log of
    /// the store, whether the store is damaged, the free disk space, the size of the disk, its growth and when it will
    /// be full, the first end of a certificate of an endpoint, nodes, direct messages that are pending or claimed,
    /// queued traces, the head of the event log, open and rejected connections, aborted request bodies, open streams,
    /// webhook deliveries by outcome, the age of the oldest one that has not ended, the duration of attempts, push
    /// messages by outcome,
    /// runs of agents by status, those under way and the age of the oldest queued one, agents that are quarantined or
    /// out of budget, loops that are held, MCP sessions, failing workers, OAuth clients that were removed because they
    /// were unused, whether the attachment store responds, attachments that are damaged or unknown to the database, the
    /// time and size of the last backup and the failures since, and whether the registry of machine principals could be
    /// loaded from its file. Each description says whether a figure covers this process alone. A client that accepts `application/openmetrics-text` gets the text with that content type.
    #[oai(path = "/metrics", method = "get", operation_id = "get_metrics")]
    async fn metrics(&self, headers: &HeaderMap) -> Result<MetricsResponse, Problem> {
        let text = PlainText(text(&self.state).await?);
        Ok(MetricsResponse::Text(if accepts_openmetrics(headers) {
            MetricsText::OpenMetrics(text)
        } else {
            MetricsText::Prometheus(text)
        }))
    }
}

/// The metrics as text. Everything that shows or exports metrics reads this.
pub(crate) async fn text(state: &AppState) -> Result<String, Error> {
    let mut figures = StoreFigures::gather(state.hub()).await;
    figures.room.backlog = state.backlog().get(state.hub()).await;
    let mut text = String::new();
    let open = OpenResources { streams: state.streams().open(), sessions: state.mcp().sessions().await };
    let written = figures.encode(&mut text, open);
    written
        .and_then(|()| state.requests().encode(&mut text))
        .and_then(|()| state.traffic().encode(&mut text))
        .and_then(|()| state.telemetry().map_or(Ok(()), |meter| meter.encode(&mut text)))
        .and_then(|()| encode_eof(&mut text))
        .map_err(|_| Error::internal("the metrics could not be written as text"))?;
    Ok(text)
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
struct StatusLabel {
    status: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct WorkerLabel {
    worker: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct QuotaLabel {
    quota: &'static str,
}

/// Long-lived resources of this process.
#[derive(Clone, Copy)]
struct OpenResources {
    streams: u64,
    sessions: usize,
}

/// Figures of the hub; those that the store does not return in time are left out.
#[derive(Default)]
struct StoreFigures {
    traces: TraceCounts,
    queued_traces: usize,
    writes: WriteStats,
    active_agents: Option<u64>,
    head: Option<i64>,
    workers: Vec<WorkerHealth>,
    clients_removed: u64,
    room: RoomFigures,
    watched: WatchedFigures,
    webhooks: WebhookFigures,
    push: PushFigures,
    runs: RunFigures,
    governance: GovernanceFigures,
    watch: WatchFigures,
}

impl StoreFigures {
    async fn gather(hub: &Hub) -> Self {
        Self {
            traces: hub.traces().counts(),
            queued_traces: hub.traces().queued(),
            writes: hub.db().write_stats(),
            active_agents: active_agents(hub).await,
            head: hub.events().head().ok().map(|head| head.0),
            workers: hub.worker_health(),
            clients_removed: hub.oauth().clients().removed(),
            room: RoomFigures::gather(hub).await,
            watched: WatchedFigures::gather(hub).await,
            webhooks: WebhookFigures::gather(hub).await,
            push: PushFigures::gather(hub),
            runs: RunFigures::gather(hub).await,
            governance: GovernanceFigures::gather(hub).await,
            watch: WatchFigures::gather(hub).await,
        }
    }

    fn encode(self, text: &mut String, open: OpenResources) -> fmt::Result {
        let Self { traces, queued_traces, writes, active_agents, head, workers, clients_removed, .. } = self;
        let (room, watched) = (self.room, self.watched);
        let mut registry = Registry::default();
        room.register(&mut registry);
        watched.register(&mut registry);
        self.webhooks.register(&mut registry);
        self.push.register(&mut registry);
        self.runs.register(&mut registry);
        self.governance.register(&mut registry);
        self.watch.register(&mut registry);
        let by_action = Family::<ActionLabel, Gauge>::default();
        for (action, count) in traces.by_action {
            by_action.get_or_create(&ActionLabel { action }).set(signed(count));
        }
        let failures = Family::<WorkerLabel, Gauge>::default();
        for worker in workers {
            failures.get_or_create(&WorkerLabel { worker: worker.name }).set(worker.failures.into());
        }
        // The library adds `_total` to the names of counters. `traces_by_action` must not have it, so it is a gauge,
        // although it only grows.
        registry.register("traces", "Traces written by this process", ConstCounter::new(traces.written));
        registry.register("traces_by_action", "Traces written by this process, by action", by_action);
        registry.register(
            "errors",
            "Traces of failed actions written by this process",
            ConstCounter::new(traces.errors),
        );
        registry.register("traces_lost", "Traces that this process could not write", ConstCounter::new(traces.lost));
        let queued = u64::try_from(queued_traces).unwrap_or(u64::MAX);
        registry.register("trace_queue_depth", "Traces that wait to be written by this process", gauge(queued));
        registry.register("store_writes", "Write operations of this process", ConstCounter::new(writes.units));
        registry.register(
            "store_commits",
            "Transactions of this process, shared by its writes",
            ConstCounter::new(writes.commits),
        );
        if let Some(count) = active_agents {
            registry.register(
                "active_agents",
                "Agents active in the last 15 minutes, through any process",
                gauge(count),
            );
        }
        if let Some(head) = head {
            registry.register("event_log_head", "Sequence number of the newest event", ConstGauge::new(head));
        }
        registry.register("open_streams", "Live streams that are open to this process", gauge(open.streams));
        let sessions = u64::try_from(open.sessions).unwrap_or(u64::MAX);
        registry.register(
            "mcp_sessions",
            "Sessions of older revisions of MCP that are open in this process",
            gauge(sessions),
        );
        let about = "Unused OAuth clients that this process removed";
        registry.register("oauth_clients_removed", about, ConstCounter::new(clients_removed));
        registry.register("worker_failures", "Consecutive failed rounds of a worker in this process", failures);
        encode_registry(text, &registry)
    }
}

/// Storage, free space and backlog.
#[derive(Default)]
struct RoomFigures {
    size: Option<u64>,
    log_size: Option<u64>,
    damaged: bool,
    free_disk: Option<u64>,
    backlog: Option<Backlog>,
    file_bytes: Option<u64>,
    refusals: QuotaRefusals,
}

impl RoomFigures {
    async fn gather(hub: &Hub) -> Self {
        Self {
            size: timeout(PATIENCE, hub.db().size()).await.ok(),
            log_size: timeout(PATIENCE, hub.db().log_size()).await.ok().flatten(),
            damaged: hub.db().is_damaged(),
            free_disk: timeout(PATIENCE, hub.free_disk()).await.ok().flatten(),
            backlog: None,
            file_bytes: timeout(PATIENCE, hub.quotas().all_file_bytes()).await.ok().and_then(Result::ok),
            refusals: hub.quotas().refusals(),
        }
    }

    fn register(self, registry: &mut Registry) {
        if let Some(size) = self.size {
            registry.register("store_size_bytes", "Bytes that the store takes", gauge(size));
        }
        if let Some(size) = self.log_size {
            registry.register("store_wal_bytes", "Bytes of the write-ahead log of a SQLite store", gauge(size));
        }
        let about = "1 if this process found damage in the store, after which it writes nothing";
        registry.register("store_damaged", about, gauge(self.damaged.into()));
        if let Some(free) = self.free_disk {
            registry.register("disk_free_bytes", "Bytes left on the disk of the data directory", gauge(free));
        }
        if let Some(Backlog { pending, processing }) = self.backlog {
            let waiting = Family::<StatusLabel, Gauge>::default();
            for (status, count) in [("pending", pending), ("processing", processing)] {
                waiting.get_or_create(&StatusLabel { status }).set(signed(count));
            }
            registry.register("claim_backlog", "Unfinished direct messages in the store", waiting);
        }
        if let Some(bytes) = self.file_bytes {
            let about = "Bytes of files that are stored; a content counts once for each owner who uploaded it";
            registry.register("file_usage_bytes", about, gauge(bytes));
        }
        let refused = Family::<QuotaLabel, Gauge>::default();
        for (quota, count) in [("files", self.refusals.files), ("messages", self.refusals.messages)] {
            refused.get_or_create(&QuotaLabel { quota }).set(signed(count));
        }
        registry.register("quota_refusals", "Uploads and messages that a quota refused in this process", refused);
    }
}

/// Figures of periodic checks: the attachment store, the registry file.
#[derive(Default)]
struct WatchedFigures {
    files: Option<FileStoreHealth>,
    backups: Option<BackupState>,
    /// Whether the last load of the registry file succeeded; `None` without a file.
    registry_file_ok: Option<bool>,
    /// Whether the content of the file is in force; `None` without a file, or when the store does not respond.
    registry_file_in_force: Option<bool>,
}

impl WatchedFigures {
    async fn gather(hub: &Hub) -> Self {
        Self {
            files: timeout(PATIENCE, hub.attachments().health()).await.ok().and_then(Result::ok),
            backups: timeout(PATIENCE, hub.backups().state()).await.ok().and_then(Result::ok),
            registry_file_ok: hub.principals().file_state().map(|state| state.ok),
            registry_file_in_force: registry_file_in_force(hub).await,
        }
    }

    fn register(self, registry: &mut Registry) {
        if let Some(files) = self.files {
            let about = "1 if the store of the files answers and belongs to this hub";
            registry.register("attachment_store_ok", about, gauge(files.ok.into()));
            registry.register("attachments_damaged", "Files that are lost or damaged", gauge(files.damaged));
            let about = "Files that the database does not know, when they are so many that none is removed";
            registry.register("attachments_unknown", about, gauge(files.unknown));
        }
        if let Some(backups) = self.backups {
            let about = "Time of the last backup that succeeded, in seconds since 1970; 0 if there was none";
            let seconds = backups.last_success_at.map_or(0, |at| at.as_micros() / 1_000_000);
            registry.register("backup_last_success_timestamp_seconds", about, ConstGauge::new(seconds));
            if let Some(size) = backups.last_size {
                registry.register("backup_last_size_bytes", "Bytes of the last scheduled backup", gauge(size));
            }
            let about = "Scheduled backups that have failed since the last one that succeeded";
            registry.register("backup_failures", about, gauge(backups.failures));
        }
        if let Some(ok) = self.registry_file_ok {
            let about = "1 if the file of the registry of machine principals could be loaded the last time";
            registry.register("machine_registry_file_ok", about, gauge(ok.into()));
        }
        if let Some(in_force) = self.registry_file_in_force {
            let about = "1 if what is in the file of the registry of machine principals is in force";
            registry.register("machine_registry_file_in_force", about, gauge(in_force.into()));
        }
    }
}

/// `None` without a file, and when the store does not respond in time.
async fn registry_file_in_force(hub: &Hub) -> Option<bool> {
    let state = hub.principals().file_state()?;
    let differs = timeout(PATIENCE, hub.principals().differs_from_file()).await.ok()?.ok()?;
    Some(state.ok && !differs)
}

/// `None` when the store does not respond in time, which is logged.
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
        let figures = StoreFigures {
            traces,
            queued_traces: 6,
            writes,
            active_agents: Some(4),
            room: RoomFigures {
                log_size: Some(11),
                damaged: true,
                free_disk: Some(12),
                backlog: Some(Backlog { pending: 13, processing: 14 }),
                ..RoomFigures::default()
            },
            ..StoreFigures::default()
        };
        figures.encode(&mut text, OpenResources { streams: 5, sessions: 9 }).unwrap();
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
            "store_wal_bytes 11",
            "store_damaged 1",
            "disk_free_bytes 12",
            "claim_backlog{status=\"pending\"} 13",
            "claim_backlog{status=\"processing\"} 14",
        ] {
            assert!(text.lines().any(|found| found == line), "{line} is not in\n{text}");
        }
        assert!(!text.contains("_total_total"), "{text}");
    }

    #[test]
    fn every_type_is_known_to_both_formats() {
        for line in text().lines().filter(|line| line.starts_with("# TYPE")) {
            let known = [" counter", " gauge", " histogram"].iter().any(|kind| line.ends_with(kind));
            assert!(known, "{line}");
        }
    }
}
