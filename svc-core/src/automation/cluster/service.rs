//! Handlers and Jobs of a hub: the handle, and reading.

use std::sync::Arc;

use svc_macros::boxed_futures;
use svc_model::auth::Permission;
use svc_model::cluster::{
    ClusterHandlerList, ClusterRun, ClusterRunFilter, ClusterRunPage, ClusterStatus, HandlerFilter,
};

use super::store::{self, HandlerRow, Scope};
use crate::automation::harness::Harness;
use crate::automation::runs::{RunLog, Runs};
use crate::error::{Error, Result};
use crate::identity::agents;
use crate::identity::auth::{Actor, Caller};
use crate::ids::{HandlerId, RunId};
use crate::page::checked_limit;
use crate::store::db::{Db, Tx};
use crate::store::events::EventLog;

/// The name of the reader of the log.
pub(super) const READER: &str = "cluster";

/// Cluster jobs of a hub; see [`Hub::cluster`](crate::Hub::cluster).
#[derive(Clone)]
pub struct Cluster {
    pub(super) db: Db,
    pub(super) events: EventLog,
    pub(super) runs: Runs,
    pub(super) harness: Arc<dyn Harness>,
}

#[boxed_futures]
impl Cluster {
    pub(crate) fn new(db: Db, events: EventLog, runs: Runs, harness: Arc<dyn Harness>) -> Self {
        Self { db, events, runs, harness }
    }

    /// Lists the handlers of the caller's agents, oldest first; an agent sees its own.
    pub async fn handlers(&self, caller: &Caller, filter: HandlerFilter) -> Result<ClusterHandlerList> {
        let scope = scope(caller, Permission::Read)?;
        let rows = self.db.read((scope, filter), |tx, (scope, filter)| {
            Box::pin(async move { store::list(tx, scope, filter.agent.as_deref()).await })
        });
        let handlers: Vec<_> = rows.await?.into_iter().map(HandlerRow::shown).collect();
        let total = i64::try_from(handlers.len()).unwrap_or(i64::MAX);
        Ok(ClusterHandlerList { handlers, total, cluster: self.status().await })
    }

    /// Whether this hub has a cluster.
    pub async fn status(&self) -> ClusterStatus {
        self.harness.cluster().await
    }

    /// Lists runs that are Jobs, newest first.
    pub async fn runs(&self, caller: &Caller, filter: ClusterRunFilter) -> Result<ClusterRunPage> {
        let scope = scope(caller, Permission::Read)?;
        let limit = checked_limit(filter.limit)?;
        if filter.handler.is_some_and(|handler| handler.0 < 1) {
            return Err(Error::invalid("handler", "must be the id of a handler"));
        }
        let input = (caller.clone(), scope, filter, limit);
        self.db
            .read(input, |tx, (caller, scope, filter, limit)| Box::pin(list(tx, caller, *scope, filter, *limit)))
            .await
    }

    /// Returns a run that is a Job.
    pub async fn run(&self, caller: &Caller, id: RunId) -> Result<ClusterRun> {
        let scope = scope(caller, Permission::Read)?;
        self.db.read((scope, id), |tx, (scope, id)| Box::pin(existing_job(tx, scope, *id))).await
    }

    /// The log of a Job as far as it is known.
    pub async fn log(&self, caller: &Caller, id: RunId) -> Result<String> {
        self.run(caller, id).await?;
        self.runs.log(caller, id).await
    }

    /// The log of a Job, with what follows until it has ended.
    pub async fn follow_log(&self, caller: &Caller, id: RunId) -> Result<RunLog> {
        self.run(caller, id).await?;
        self.runs.follow_log(caller, id).await
    }
}

async fn list(
    tx: &mut Tx,
    caller: &Caller,
    scope: Scope,
    filter: &ClusterRunFilter,
    limit: u32,
) -> Result<ClusterRunPage> {
    let nothing = ClusterRunPage { runs: Vec::new(), next_cursor: None };
    let scope = match &filter.agent {
        None => scope,
        Some(name) => match agents::store::find(tx, agents::reach(caller), name).await? {
            Some(agent) => Scope { agent: Some(agent.id), ..scope },
            None => return Ok(nothing),
        },
    };
    if let Some(handler) = filter.handler
        && store::find(tx, &scope, handler).await?.is_none()
    {
        return Ok(nothing);
    }
    let before = filter.before.unwrap_or(RunId(i64::MAX));
    let mut runs = store::list_jobs(tx, &scope, filter.handler, before, limit + 1).await?;
    let has_more = runs.len() > limit as usize;
    runs.truncate(limit as usize);
    let next_cursor = runs.last().map(|run| run.id).filter(|_| has_more);
    Ok(ClusterRunPage { runs, next_cursor })
}

/// The handlers and Jobs that a caller can access: an agent its own, a human those of their agents, the admin socket
/// all. Jobs carry direct messages, so a key that is limited to channels has none.
pub(super) fn scope(caller: &Caller, permission: Permission) -> Result<Scope> {
    caller.require(permission)?;
    caller.require_direct()?;
    Ok(match caller.actor() {
        Actor::Root => Scope { owner: None, agent: None },
        Actor::User(user) => Scope { owner: Some(user.id), agent: None },
        Actor::Agent(agent) => Scope { owner: None, agent: Some(agent.id) },
    })
}

pub(super) async fn existing(tx: &mut Tx, scope: &Scope, id: HandlerId) -> Result<HandlerRow> {
    store::find(tx, scope, id).await?.ok_or_else(|| Error::not_found("handler"))
}

async fn existing_job(tx: &mut Tx, scope: &Scope, id: RunId) -> Result<ClusterRun> {
    store::find_job(tx, scope, id).await?.ok_or_else(|| Error::not_found("run"))
}
