//! `svc-admin status`.

use svc_core::Timestamp;
use svc_core::attachments::FileStoreHealth;
use svc_core::health::{NodeInfo, ReadyState};
use svc_core::workers::{WorkerHealth, WorkerState};

use super::context::Context;
use super::outcome::{Failure, Outcome, Verdict};
use super::output::{Output, Tone};
use super::size::bytes;
use super::table::{self, Cell};
use super::when;
use super::words::word;
use crate::VERSION;
use crate::methods::NoParams;
use crate::methods::status::{Show, Status};

pub(super) async fn show(context: &mut Context) -> Result<Outcome, Failure> {
    let status = context.call::<Show>(&NoParams {}).await?;
    let verdict = if status.readiness.store.ok { Verdict::Fine } else { Verdict::Wrong };
    Ok(Outcome::new(context.output.render(&status, draw)).verdict(verdict))
}

fn draw(output: &Output, status: &Status) -> String {
    let mut drawn = table::pairs(output, &summary(status));
    if !status.readiness.workers.is_empty() {
        let now = when::now();
        let rows: Vec<_> = status.readiness.workers.iter().map(|health| worker(health, now)).collect();
        drawn.push('\n');
        drawn.push_str(&table::draw(output, &["WORKER", "STATE", "LAST RUN", "ERROR"], &rows));
    }
    // A single node says nothing that the summary does not.
    if status.nodes.len() > 1 {
        let now = when::now();
        let rows: Vec<_> = status.nodes.iter().map(|info| node(info, status, now)).collect();
        drawn.push('\n');
        drawn.push_str(&table::draw(output, &["NODE", "VERSION", "SCHEMA", "STARTED", "SEEN", "LEASES"], &rows));
    }
    drawn
}

fn node(node: &NodeInfo, status: &Status, now: Timestamp) -> Vec<Cell> {
    let id = if node.is_this { format!("{} (this one)", node.id) } else { node.id.clone() };
    let tone = if node.version == status.version { Tone::Good } else { Tone::Warning };
    vec![
        Cell::new(id),
        Cell::toned(&node.version, tone),
        Cell::new(node.schema.to_string()),
        Cell::new(when::relative_or(node.started_at, now, "unknown")),
        Cell::new(when::relative_or(node.seen_at, now, "unknown")),
        Cell::new(node.leases.len().to_string()),
    ]
}

fn summary(status: &Status) -> Vec<(&'static str, Cell)> {
    let version = if status.version == VERSION {
        Cell::new(&status.version)
    } else {
        Cell::toned(format!("{} (this command is {VERSION})", status.version), Tone::Warning)
    };
    let readiness = &status.readiness;
    let tone = match readiness.status {
        ReadyState::Ready => Tone::Good,
        ReadyState::Degraded => Tone::Warning,
        ReadyState::Unavailable => Tone::Bad,
    };
    let uptime = format!("{} (since {} UTC)", when::duration(status.uptime_seconds), when::short(status.started_at));
    let mut pairs = vec![
        ("status", Cell::toned(word(&readiness.status), tone)),
        ("version", version),
        ("uptime", Cell::new(uptime)),
        ("store", Cell::new(format!("{}, {}", status.engine, bytes(status.store_bytes)))),
        ("newest event", Cell::new(status.event_head.map_or_else(|| "none".to_owned(), |seq| seq.to_string()))),
    ];
    if let Some(error) = &readiness.store.error {
        pairs.push(("store error", Cell::toned(error, Tone::Bad)));
    }
    if let Some(files) = readiness.files.as_ref().filter(|files| !files.is_well()) {
        pairs.push(("files", Cell::toned(trouble(files), Tone::Bad)));
    }
    if let Some(error) = &readiness.machine_registry_error {
        pairs.push(("machine registry", Cell::toned(error, Tone::Bad)));
    }
    pairs
}

/// Problems of the attachment store.
fn trouble(files: &FileStoreHealth) -> String {
    let mut parts = Vec::new();
    parts.extend(files.error.clone());
    if files.damaged > 0 {
        parts.push(format!("Lost or damaged: {}; `svc-admin db check` names them.", files.damaged));
    }
    if files.unknown > 0 {
        parts.push(format!("Not known to the database, so none is removed: {}.", files.unknown));
    }
    parts.join(" ")
}

fn worker(worker: &WorkerHealth, now: Timestamp) -> Vec<Cell> {
    let tone = match worker.state {
        WorkerState::Idle | WorkerState::Running | WorkerState::Elsewhere => Tone::Good,
        WorkerState::Failing => Tone::Bad,
    };
    vec![
        Cell::new(&worker.name),
        Cell::toned(word(&worker.state), tone),
        Cell::new(when::relative_or(worker.last_run_at, now, "never")),
        Cell::new(worker.last_error.as_deref().unwrap_or_default()),
    ]
}
