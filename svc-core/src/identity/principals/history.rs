//! The history of each principal: one row that its writers lock, and that stays when the principal leaves the
//! registry.

use std::collections::{BTreeMap, HashSet};

use svc_model::principals::{RuntimeStatus, SourceVersion};

use super::status;
use super::store::history::{self as store, ConfigRow, Counted};
use super::store::registry::PrincipalRow;
use crate::error::Result;
use crate::limits;
use crate::store::db::Tx;
use crate::timestamp::Timestamp;

pub(crate) use super::store::history::{count, hold};

/// A summary of the reports of a principal.
#[derive(Debug, Clone, Default)]
pub(crate) struct MachineHistory {
    pub(crate) status: Option<RuntimeStatus>,
    pub(crate) events: i64,
    pub(crate) last_event_at: Option<Timestamp>,
    /// The sources, by name.
    pub(crate) sources: Vec<SourceVersion>,
}

/// The histories of these principals, by name; principals without reports are missing.
pub(crate) async fn of(tx: &mut Tx, principals: &[String]) -> Result<BTreeMap<String, MachineHistory>> {
    if principals.is_empty() {
        return Ok(BTreeMap::new());
    }
    let mut all: BTreeMap<_, _> = store::counts(tx, principals)
        .await?
        .into_iter()
        .map(|Counted { principal_id, events, last_event_at }| {
            (principal_id, MachineHistory { status: None, events, last_event_at, sources: Vec::new() })
        })
        .collect();
    for (principal_id, status) in status::of(tx, principals).await? {
        all.entry(principal_id).and_modify(|history| history.status = Some(status));
    }
    for ConfigRow { principal_id, source, version, created_at } in store::sources(tx, principals).await? {
        all.entry(principal_id)
            .and_modify(|history| history.sources.push(SourceVersion { source, version, created_at }));
    }
    Ok(all)
}

/// Up to `most` principals with a history that are not registered, by name.
pub(super) async fn departed(tx: &mut Tx, registered: &[PrincipalRow], most: usize) -> Result<Vec<String>> {
    let registered: HashSet<_> = registered.iter().map(|row| row.principal_id.as_str()).collect();
    let (mut gone, mut last) = (Vec::new(), String::new());
    while gone.len() < most {
        let names = store::names_after(tx, &last, limits::MACHINES_LISTED_MAX).await?;
        let Some(name) = names.last() else { break };
        last.clone_from(name);
        gone.extend(names.into_iter().filter(|name| !registered.contains(name.as_str())));
    }
    gone.truncate(most);
    Ok(gone)
}
