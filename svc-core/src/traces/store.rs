//! The SQL of traces.

use serde_json::value::RawValue;

use super::model::Stamped;
use crate::db::{Tx, Value};
use crate::error::Result;
use crate::timestamp::Timestamp;

const OLD: &str = "
    DELETE FROM traces
     WHERE id IN (SELECT id FROM traces WHERE created_at < $1 ORDER BY created_at LIMIT $2)";

const ACTIVE_AGENTS: &str = "
    SELECT count(DISTINCT agent)
      FROM traces
     WHERE created_at >= $1";

/// The statements over tables that grow, for the test that looks at their plans.
pub(crate) const LISTED: &[(&str, &str)] = &[("traces.sweep", OLD), ("traces.active_agents", ACTIVE_AGENTS)];

pub(super) async fn insert_all(tx: &mut Tx, traces: &[Stamped]) -> Result<()> {
    for Stamped { trace, at } in traces {
        tx.query(
            "INSERT INTO traces
                (owner_id, agent, action, surface, request_id, duration_ms, details, error, created_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
        )
        .bind(trace.owner)
        .bind(trace.agent.as_deref())
        .bind(trace.action.as_ref())
        .bind(trace.surface)
        .bind(trace.request_id.as_deref())
        .bind(i64::try_from(trace.duration.as_millis()).unwrap_or(i64::MAX))
        .bind(Value::Json(trace.details.as_deref().map_or("{}", RawValue::get).to_owned()))
        .bind(trace.error.as_deref())
        .bind(*at)
        .execute()
        .await?;
    }
    Ok(())
}

pub(super) async fn sweep(tx: &mut Tx, before: Timestamp, limit: u32) -> Result<u64> {
    tx.query(OLD).bind(before).bind(limit).execute().await
}

/// Agents that did something since then.
pub(super) async fn active_agents(tx: &mut Tx, since: Timestamp) -> Result<i64> {
    tx.query(ACTIVE_AGENTS).bind(since).fetch_value().await
}
