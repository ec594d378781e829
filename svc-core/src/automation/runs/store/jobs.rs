//! The SQL of runs that are Jobs of a cluster.

use std::collections::BTreeMap;

use svc_model::webhooks::WebhookEvent;

use crate::column::Json;
use crate::error::Result;
use crate::ids::{AgentId, EventSeq, HandlerId, RunId, UserId};
use crate::store::db::Tx;
use crate::timestamp::Timestamp;

crate::row! {
    /// A run that is a Job.
    #[derive(Debug, Clone)]
    pub(in crate::automation::runs) struct JobRow {
        pub(in crate::automation::runs) handler_id: Option<HandlerId>,
        pub(in crate::automation::runs) event: Option<WebhookEvent>,
        pub(in crate::automation::runs) event_seq: Option<EventSeq>,
        pub(in crate::automation::runs) body: Option<String>,
        pub(in crate::automation::runs) image: String,
        pub(in crate::automation::runs) created_at: Option<Timestamp>,
    }
}

crate::row! {
    /// How the Job of a handler is made.
    #[derive(Debug, Clone)]
    pub(in crate::automation::runs) struct JobSettings {
        pub(in crate::automation::runs) id: HandlerId,
        pub(in crate::automation::runs) image: String,
        pub(in crate::automation::runs) namespace: Option<String>,
        pub(in crate::automation::runs) env: Json<BTreeMap<String, String>>,
        pub(in crate::automation::runs) memory: Option<String>,
        pub(in crate::automation::runs) cpu: Option<String>,
        pub(in crate::automation::runs) timeout_seconds: u32,
        pub(in crate::automation::runs) service_account: Option<String>,
    }
}

/// A Job to be stored, of an event.
#[derive(Debug, Clone)]
pub(in crate::automation::runs) struct NewJob<'a> {
    pub(in crate::automation::runs) run: RunId,
    pub(in crate::automation::runs) agent: AgentId,
    pub(in crate::automation::runs) owner: UserId,
    pub(in crate::automation::runs) handler: HandlerId,
    pub(in crate::automation::runs) event: WebhookEvent,
    pub(in crate::automation::runs) seq: EventSeq,
    pub(in crate::automation::runs) body: &'a str,
    pub(in crate::automation::runs) is_retry: bool,
    pub(in crate::automation::runs) image: &'a str,
}

pub(super) const OF_EVENT: &str = "
    SELECT run_id FROM cluster_jobs WHERE handler_id = $1 AND event_seq = $2 AND NOT is_retry";

/// Whether an event has made a run of a handler.
pub(in crate::automation::runs) async fn is_handled(tx: &mut Tx, handler: HandlerId, seq: EventSeq) -> Result<bool> {
    let found: Option<(RunId,)> = tx.query(OF_EVENT).bind(handler).bind(seq).fetch_optional().await?;
    Ok(found.is_some())
}

pub(in crate::automation::runs) async fn insert_job(tx: &mut Tx, new: &NewJob<'_>) -> Result<()> {
    tx.query(
        "INSERT INTO cluster_jobs (run_id, agent_id, owner_id, handler_id, event, event_seq, body, is_retry, image)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
    )
    .bind(new.run)
    .bind(new.agent)
    .bind(new.owner)
    .bind(new.handler)
    .bind(new.event)
    .bind(new.seq)
    .bind(new.body)
    .bind(new.is_retry)
    .bind(new.image)
    .execute()
    .await?;
    Ok(())
}

/// The Job of a run; none until there is one.
pub(in crate::automation::runs) async fn job(tx: &mut Tx, run: RunId) -> Result<Option<JobRow>> {
    tx.query("SELECT handler_id, event, event_seq, body, image, created_at FROM cluster_jobs WHERE run_id = $1")
        .bind(run)
        .fetch_optional()
        .await
}

/// How the Job of a handler is made; none when the handler was deleted.
pub(in crate::automation::runs) async fn job_settings(tx: &mut Tx, handler: HandlerId) -> Result<Option<JobSettings>> {
    tx.query(
        "SELECT id, image, namespace, env, memory, cpu, timeout_seconds, service_account
           FROM cluster_handlers WHERE id = $1",
    )
    .bind(handler)
    .fetch_optional()
    .await
}

/// Stores that a run of a harness is a Job. A run of an event is known as one.
pub(in crate::automation::runs) async fn note_job(tx: &mut Tx, run: RunId, image: &str) -> Result<()> {
    tx.query(
        "INSERT INTO cluster_jobs (run_id, agent_id, owner_id, is_retry, image)
         SELECT r.id, r.agent_id, r.owner_id, FALSE, $2 FROM reactive_runs r WHERE r.id = $1
         ON CONFLICT (run_id) DO NOTHING",
    )
    .bind(run)
    .bind(image)
    .execute()
    .await?;
    Ok(())
}

/// Stores where the Job of a run will be.
pub(in crate::automation::runs) async fn place_job(tx: &mut Tx, run: RunId, namespace: &str, name: &str) -> Result<()> {
    tx.query("UPDATE cluster_jobs SET namespace = $2, name = $3 WHERE run_id = $1")
        .bind(run)
        .bind(namespace)
        .bind(name)
        .execute()
        .await?;
    Ok(())
}

/// Records that the cluster has created the Job of a run.
pub(in crate::automation::runs) async fn note_created(tx: &mut Tx, run: RunId) -> Result<()> {
    let now = tx.now();
    tx.query("UPDATE cluster_jobs SET created_at = coalesce(created_at, $2) WHERE run_id = $1")
        .bind(run)
        .bind(now)
        .execute()
        .await?;
    Ok(())
}

/// Those of the runs that are queued or running.
pub(in crate::automation::runs) async fn open_among(tx: &mut Tx, runs: &[RunId]) -> Result<Vec<RunId>> {
    let mut open = Vec::new();
    for run in runs {
        let state = super::runs::state(tx, *run).await?;
        open.extend(state.filter(|run| !run.status.is_final()).map(|run| run.id));
    }
    Ok(open)
}

/// Whether the harness of an agent is one of the cluster.
pub(in crate::automation::runs) async fn is_remote(tx: &mut Tx, agent: AgentId) -> Result<bool> {
    let harness: Json<serde_json::Value> =
        tx.query("SELECT harness FROM agents WHERE id = $1").bind(agent).fetch_value().await?;
    Ok(harness.0.get("backend").and_then(serde_json::Value::as_str) == Some("k8s"))
}
