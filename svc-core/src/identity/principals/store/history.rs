//! The SQL of the histories of principals.

use std::sync::LazyLock;

use crate::error::Result;
use crate::store::db::{Tx, placeholders};
use crate::timestamp::Timestamp;

/// Locks the history of a principal for this transaction: other writers wait.
pub(crate) async fn hold(tx: &mut Tx, principal_id: &str) -> Result<()> {
    tx.query(
        "INSERT INTO machine_histories (principal_id, events) VALUES ($1, 0)
         ON CONFLICT (principal_id) DO UPDATE SET events = machine_histories.events",
    )
    .bind(principal_id)
    .execute()
    .await?;
    Ok(())
}

/// Adds to the number of events that a principal has reported.
pub(crate) async fn count(tx: &mut Tx, principal_id: &str, events: i64) -> Result<()> {
    let now = tx.now();
    tx.query("UPDATE machine_histories SET events = events + $2, last_event_at = $3 WHERE principal_id = $1")
        .bind(principal_id)
        .bind(events)
        .bind(now)
        .execute()
        .await?;
    Ok(())
}

crate::row! {
    pub(in crate::identity::principals) struct Counted {
        pub(in crate::identity::principals) principal_id: String,
        pub(in crate::identity::principals) events: i64,
        pub(in crate::identity::principals) last_event_at: Option<Timestamp>,
    }
}

/// The number of events of these principals, at least one; principals without reports are missing.
pub(in crate::identity::principals) async fn counts(tx: &mut Tx, principals: &[String]) -> Result<Vec<Counted>> {
    let query = tx.query(counted(principals.len()));
    principals.iter().fold(query, |query, id| query.bind(id.as_str())).fetch_all().await
}

crate::row! {
    pub(in crate::identity::principals) struct ConfigRow {
        pub(in crate::identity::principals) principal_id: String,
        pub(in crate::identity::principals) source: String,
        pub(in crate::identity::principals) version: i64,
        pub(in crate::identity::principals) created_at: Timestamp,
    }
}

/// The current configurations of these principals, at least one, by principal and source.
pub(in crate::identity::principals) async fn sources(tx: &mut Tx, principals: &[String]) -> Result<Vec<ConfigRow>> {
    let query = tx.query(newest_configs(principals.len()));
    principals.iter().fold(query, |query, id| query.bind(id.as_str())).fetch_all().await
}

fn counted(principals: usize) -> String {
    format!(
        "SELECT principal_id, events, last_event_at FROM machine_histories WHERE principal_id IN ({})",
        placeholders(1, principals)
    )
}

fn newest_configs(principals: usize) -> String {
    format!(
        "SELECT c.principal_id, c.source, c.version, c.created_at
           FROM machine_source_configs c
          WHERE c.principal_id IN ({})
            AND c.version = (SELECT max(v.version) FROM machine_source_configs v
                              WHERE v.principal_id = c.principal_id AND v.source = c.source)
          ORDER BY c.principal_id, c.source",
        placeholders(1, principals)
    )
}

const NAMES: &str = "
    SELECT principal_id
      FROM machine_histories
     WHERE principal_id > $1
     ORDER BY principal_id
     LIMIT $2";

/// The first principals with a history after a name.
pub(in crate::identity::principals) async fn names_after(tx: &mut Tx, name: &str, limit: u32) -> Result<Vec<String>> {
    let names: Vec<(String,)> = tx.query(NAMES).bind(name).bind(limit).fetch_all().await?;
    Ok(names.into_iter().map(|(name,)| name).collect())
}

pub(super) fn listed() -> Vec<(&'static str, &'static str)> {
    static COUNTED: LazyLock<String> = LazyLock::new(|| counted(3));
    static SOURCES: LazyLock<String> = LazyLock::new(|| newest_configs(3));
    vec![
        ("machine_histories.of", COUNTED.as_str()),
        ("machine_histories.names", NAMES),
        ("machine_histories.sources", SOURCES.as_str()),
    ]
}
