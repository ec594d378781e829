//! Reading runs, and the agents that are run.

use svc_macros::boxed_futures;
use svc_model::auth::Permission;
use svc_model::messages::Message;
use svc_model::runs::{ReactiveAgent, ReactiveAgents, ReactiveState, Run, RunDetails, RunFilter, RunPage, RunStatus};

use super::service::{Runs, scope};
use super::store::{self, AgentRow, Scope};
use super::{gate, outcome};
use crate::error::{Error, Result};
use crate::identity::agents;
use crate::identity::auth::Caller;
use crate::ids::{MessageId, RunId};
use crate::limits;
use crate::messaging::messages;
use crate::messaging::messages::viewer::Viewer;
use crate::page::checked_limit;
use crate::store::db::Tx;

#[boxed_futures]
impl Runs {
    /// Lists the runs of the caller's agents, newest first; an agent sees its own.
    pub async fn list(&self, caller: &Caller, filter: RunFilter) -> Result<RunPage> {
        let scope = scope(caller, Permission::Read)?;
        let limit = checked_limit(filter.limit)?;
        let input = (caller.clone(), scope, filter, limit);
        self.db
            .read(input, |tx, (caller, scope, filter, limit)| Box::pin(list(tx, caller, *scope, filter, *limit)))
            .await
    }

    /// Returns a run with everything that belongs to its story.
    pub async fn get(&self, caller: &Caller, id: RunId) -> Result<RunDetails> {
        let scope = scope(caller, Permission::Read)?;
        let input = (Viewer::of(caller), scope, id);
        self.db.read(input, |tx, (viewer, scope, id)| Box::pin(details(tx, viewer, scope, *id))).await
    }

    /// Lists the caller's agents that the hub runs, with what they do and when they can run next.
    pub async fn reactive(&self, caller: &Caller) -> Result<ReactiveAgents> {
        let scope = scope(caller, Permission::Read)?;
        self.db
            .read(scope, |tx, scope| {
                Box::pin(async move {
                    let mut found = Vec::new();
                    for id in store::reactive(tx, scope.owner, scope.agent, limits::REACTIVE_SHOWN).await? {
                        if let Some(agent) = store::agent(tx, id).await? {
                            found.push(reactive(tx, &agent).await?);
                        }
                    }
                    Ok(ReactiveAgents { agents: found })
                })
            })
            .await
    }
}

pub(super) async fn existing(tx: &mut Tx, scope: &Scope, id: RunId) -> Result<Run> {
    store::find(tx, scope, id).await?.ok_or_else(|| Error::not_found("run"))
}

async fn list(tx: &mut Tx, caller: &Caller, scope: Scope, filter: &RunFilter, limit: u32) -> Result<RunPage> {
    let scope = match &filter.agent {
        None => scope,
        Some(name) => match agents::store::find(tx, agents::reach(caller), name).await? {
            Some(agent) => Scope { agent: Some(agent.id), ..scope },
            None => return Ok(RunPage { runs: Vec::new(), next_cursor: None }),
        },
    };
    let before = filter.before.unwrap_or(RunId(i64::MAX));
    let mut runs = store::list(tx, &scope, filter.status, before, limit + 1).await?;
    let has_more = runs.len() > limit as usize;
    runs.truncate(limit as usize);
    let next_cursor = runs.last().map(|run| run.id).filter(|_| has_more);
    Ok(RunPage { runs, next_cursor })
}

async fn details(tx: &mut Tx, viewer: &Viewer, scope: &Scope, id: RunId) -> Result<RunDetails> {
    let run = existing(tx, scope, id).await?;
    let state = store::state(tx, id).await?.ok_or_else(|| Error::not_found("run"))?;
    let outgoing =
        if run.status.is_final() { state.outgoing_message_id } else { outcome::first_sent(tx, &state).await? };
    Ok(RunDetails {
        harness_run: store::harness_run(tx, id).await?,
        agent: store::run_agent(tx, state.agent_id).await?,
        trigger_message: message(tx, viewer, run.trigger_message_id).await?,
        outgoing_message: message(tx, viewer, outgoing).await?,
        run,
    })
}

async fn message(tx: &mut Tx, viewer: &Viewer, id: Option<MessageId>) -> Result<Option<Message>> {
    let Some(id) = id else { return Ok(None) };
    match messages::store::find(tx, viewer, id).await? {
        Some(row) => messages::store::complete_one(tx, viewer, row).await.map(Some),
        None => Ok(None),
    }
}

async fn reactive(tx: &mut Tx, agent: &AgentRow) -> Result<ReactiveAgent> {
    let active = store::active(tx, agent.id).await?;
    let status = match active {
        Some(id) => store::state(tx, id).await?.map(|run| run.status),
        None => None,
    };
    let now = tx.now();
    let runs_today = gate::runs_today(tx, agent).await?;
    let snapshot = gate::snapshot(tx, agent).await?;
    let cooldown_until = snapshot.cooldown_until.filter(|until| *until > now);
    let state = if snapshot.is_quarantined {
        ReactiveState::Quarantined
    } else if snapshot.paused.is_some() {
        ReactiveState::Paused
    } else if let Some(status) = status {
        if status == RunStatus::Running { ReactiveState::Running } else { ReactiveState::Queued }
    } else if snapshot.exhausted.is_some() {
        ReactiveState::BudgetExhausted
    } else if cooldown_until.is_some() {
        ReactiveState::Cooldown
    } else {
        ReactiveState::Idle
    };
    Ok(ReactiveAgent {
        agent: store::run_agent(tx, agent.id).await?,
        state,
        runs_today,
        cooldown_until,
        pending_work: agent.pending_work,
        active_run_id: active,
    })
}
