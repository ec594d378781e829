//! The SQL of the audit log.

use serde_json::Value as Json;
use svc_model::audit::{AuditEntry, AuditFilter, AuditStats};

use super::model::NewEntry;
use crate::error::Result;
use crate::ids::AuditId;
use crate::store::db::{Tx, Value};
use crate::timestamp::Timestamp;

const LIST: &str = "
    SELECT id, event, user_id, username, client_id, remote_ip, surface, request_id, details, created_at, actor
      FROM audit_log
     WHERE id < $1
       AND created_at >= $2
       AND created_at < $3
       AND ($4 IS NULL OR event = $4)
       AND ($5 IS NULL OR lower(username) = $5)
       AND ($6 IS NULL OR lower(actor) = $6)
     ORDER BY id DESC
     LIMIT $7";

const STATS: &str = "
    SELECT event, count(*) AS count, max(created_at) AS last_at
      FROM audit_log
     WHERE created_at >= $1
     GROUP BY event
     ORDER BY event";

/// The statements over growing tables, for the test of query plans.
pub(crate) const LISTED: &[(&str, &str)] = &[("audit.stats", STATS)];

pub(super) async fn insert(tx: &mut Tx, entry: &NewEntry) -> Result<()> {
    let now = tx.now();
    tx.query(
        "INSERT INTO audit_log
            (event, user_id, username, client_id, remote_ip, surface, request_id, details, created_at, actor)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
    )
    .bind(entry.event)
    .bind(entry.user_id)
    .bind(entry.username.as_deref())
    .bind(entry.client_id.as_deref())
    .bind(entry.visit.remote_ip.map(|address| address.to_string()))
    .bind(entry.visit.surface)
    .bind(entry.visit.request_id.as_deref())
    .bind(Value::Json(Json::Object(entry.details.clone()).to_string()))
    .bind(now)
    .bind(entry.actor.as_deref())
    .execute()
    .await?;
    Ok(())
}

pub(super) async fn list(tx: &mut Tx, filter: &AuditFilter, limit: u32) -> Result<Vec<AuditEntry>> {
    tx.query(LIST)
        .bind(filter.before.unwrap_or(AuditId(i64::MAX)))
        .bind(filter.since.unwrap_or(Timestamp::from_micros(i64::MIN)))
        .bind(filter.until.unwrap_or(Timestamp::from_micros(i64::MAX)))
        .bind(filter.event.as_deref())
        .bind(filter.username_key().as_deref())
        .bind(filter.actor_key().as_deref())
        .bind(limit)
        .fetch_all()
        .await
}

crate::row! {
    struct StatsRow {
        event: String,
        count: i64,
        last_at: Timestamp,
    }
}

pub(super) async fn stats(tx: &mut Tx, since: Timestamp) -> Result<Vec<AuditStats>> {
    let rows: Vec<StatsRow> = tx.query(STATS).bind(since).fetch_all().await?;
    Ok(rows.into_iter().map(|StatsRow { event, count, last_at }| AuditStats { event, count, last_at }).collect())
}
