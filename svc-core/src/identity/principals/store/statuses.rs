//! The SQL of the runtime status of machines.

use std::sync::LazyLock;

use serde_json::Value;

use crate::error::Result;
use crate::store::db::{Tx, placeholders};
use crate::timestamp::Timestamp;

crate::row! {
    #[derive(Debug, Clone)]
    pub(in crate::identity::principals) struct StatusRow {
        pub(in crate::identity::principals) principal_id: String,
        pub(in crate::identity::principals) state: String,
        pub(in crate::identity::principals) message: Option<String>,
        pub(in crate::identity::principals) details: Value,
        pub(in crate::identity::principals) heartbeat_seconds: i64,
        pub(in crate::identity::principals) since: Timestamp,
        pub(in crate::identity::principals) seen_at: Timestamp,
        pub(in crate::identity::principals) beats: i64,
    }
}

pub(in crate::identity::principals) async fn find(tx: &mut Tx, principal_id: &str) -> Result<Option<StatusRow>> {
    tx.query(
        "SELECT principal_id, state, message, details, heartbeat_seconds, since, seen_at, beats
           FROM machine_statuses
          WHERE principal_id = $1",
    )
    .bind(principal_id)
    .fetch_optional()
    .await
}

/// Stores the status of a machine in place of the last one.
pub(in crate::identity::principals) async fn put(tx: &mut Tx, row: &StatusRow) -> Result<()> {
    tx.query(
        "INSERT INTO machine_statuses
            (principal_id, state, message, details, heartbeat_seconds, since, seen_at, beats)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
         ON CONFLICT (principal_id) DO UPDATE SET state = excluded.state, message = excluded.message,
             details = excluded.details, heartbeat_seconds = excluded.heartbeat_seconds, since = excluded.since,
             seen_at = excluded.seen_at, beats = excluded.beats",
    )
    .bind(row.principal_id.as_str())
    .bind(row.state.as_str())
    .bind(row.message.as_deref())
    .bind(row.details.clone())
    .bind(row.heartbeat_seconds)
    .bind(row.since)
    .bind(row.seen_at)
    .bind(row.beats)
    .execute()
    .await?;
    Ok(())
}

crate::row! {
    /// The listed part of a status.
    pub(in crate::identity::principals) struct ListedStatus {
        pub(in crate::identity::principals) principal_id: String,
        pub(in crate::identity::principals) state: String,
        pub(in crate::identity::principals) message: Option<String>,
        pub(in crate::identity::principals) heartbeat_seconds: i64,
        pub(in crate::identity::principals) since: Timestamp,
        pub(in crate::identity::principals) seen_at: Timestamp,
        pub(in crate::identity::principals) beats: i64,
    }
}

/// The statement for the last status of these machines, without details.
fn listing(principals: usize) -> String {
    format!(
        "SELECT principal_id, state, message, heartbeat_seconds, since, seen_at, beats
           FROM machine_statuses
          WHERE principal_id IN ({})",
        placeholders(1, principals)
    )
}

/// The status of these machines, at least one. See [`listing`].
pub(in crate::identity::principals) async fn list(tx: &mut Tx, principals: &[String]) -> Result<Vec<ListedStatus>> {
    let query = tx.query(listing(principals.len()));
    principals.iter().fold(query, |query, id| query.bind(id.as_str())).fetch_all().await
}

pub(super) fn listed() -> Vec<(&'static str, &'static str)> {
    static STATUSES: LazyLock<String> = LazyLock::new(|| listing(3));
    vec![("machine_histories.statuses", STATUSES.as_str())]
}
