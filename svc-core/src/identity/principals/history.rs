//! The history of each principal: one row that its writers lock, and that stays when the principal leaves the
//! registry.

use std::collections::{BTreeMap, HashSet};
use std::sync::LazyLock;

use svc_model::principals::{RuntimeStatus, SourceVersion};

use super::registry_store::PrincipalRow;
use super::status;
use crate::error::Result;
use crate::limits;
use crate::store::db::{Tx, placeholders};
use crate::timestamp::Timestamp;

/// A summary of the reports of a principal.
#[derive(Debug, Clone, Default)]
pub(crate) struct MachineHistory {
    pub(crate) status: Option<RuntimeStatus>,
    pub(crate) events: i64,
    pub(crate) last_event_at: Option<Timestamp>,
    /// The sources, by name.
    pub(crate) sources: Vec<SourceVersion>,
}

crate::row! {
    struct Counted {
        principal_id: String,
        events: i64,
        last_event_at: Option<Timestamp>,
    }
}

crate::row! {
    struct ConfigRow {
        principal_id: String,
        source: String,
        version: i64,
        created_at: Timestamp,
    }
}

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

/// The histories of these principals, by name; principals without reports are missing.
pub(crate) async fn of(tx: &mut Tx, principals: &[String]) -> Result<BTreeMap<String, MachineHistory>> {
    if principals.is_empty() {
        return Ok(BTreeMap::new());
    }
    let query = tx.query(counted(principals.len()));
    let counted: Vec<Counted> = principals.iter().fold(query, |query, id| query.bind(id.as_str())).fetch_all().await?;
    let mut all: BTreeMap<_, _> = counted
        .into_iter()
        .map(|Counted { principal_id, events, last_event_at }| {
            (principal_id, MachineHistory { status: None, events, last_event_at, sources: Vec::new() })
        })
        .collect();
    for (principal_id, status) in status::of(tx, principals).await? {
        all.entry(principal_id).and_modify(|history| history.status = Some(status));
    }
    let query = tx.query(sources(principals.len()));
    let sources: Vec<ConfigRow> =
        principals.iter().fold(query, |query, id| query.bind(id.as_str())).fetch_all().await?;
    for ConfigRow { principal_id, source, version, created_at } in sources {
        all.entry(principal_id)
            .and_modify(|history| history.sources.push(SourceVersion { source, version, created_at }));
    }
    Ok(all)
}

fn counted(principals: usize) -> String {
    format!(
        "SELECT principal_id, events, last_event_at FROM machine_histories WHERE principal_id IN ({})",
        placeholders(1, principals)
    )
}

fn sources(principals: usize) -> String {
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

/// Up to `most` principals with a history that are not registered, by name.
pub(super) async fn departed(tx: &mut Tx, registered: &[PrincipalRow], most: usize) -> Result<Vec<String>> {
    let registered: HashSet<_> = registered.iter().map(|row| row.principal_id.as_str()).collect();
    let (mut gone, mut last) = (Vec::new(), String::new());
    while gone.len() < most {
        let query = tx.query(NAMES).bind(last.as_str()).bind(limits::MACHINES_LISTED_MAX);
        let names: Vec<(String,)> = query.fetch_all().await?;
        let Some((name,)) = names.last() else { break };
        last.clone_from(name);
        gone.extend(names.into_iter().map(|(name,)| name).filter(|name| !registered.contains(name.as_str())));
    }
    gone.truncate(most);
    Ok(gone)
}

/// The statements over growing tables, for the test of query plans.
pub(crate) fn listed() -> Vec<(&'static str, &'static str)> {
    static COUNTED: LazyLock<String> = LazyLock::new(|| counted(3));
    static SOURCES: LazyLock<String> = LazyLock::new(|| sources(3));
    static STATUSES: LazyLock<String> = LazyLock::new(|| status::listing(3));
    vec![
        ("machine_histories.of", COUNTED.as_str()),
        ("machine_histories.names", NAMES),
        ("machine_histories.sources", SOURCES.as_str()),
        ("machine_histories.statuses", STATUSES.as_str()),
    ]
}
