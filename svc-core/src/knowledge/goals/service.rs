//! The goals of a hub: the handle, and who may do what.

use std::sync::Arc;

use svc_macros::boxed_futures;
use svc_model::auth::Permission;
use svc_model::goals::{GoalDetail, GoalFilter, GoalPage};

use super::store::{self, GoalRow, TaskRow};
use super::view;
use crate::automation::runs::Runs;
use crate::clock::Entropy;
use crate::error::{Error, ErrorKind, Result};
use crate::identity::auth::{Actor, AgentActor, Caller};
use crate::ids::{GoalId, GoalTaskId, ParticipantId, UserId};
use crate::page::checked_limit;
use crate::store::db::{Db, Tx};
use crate::store::events::EventLog;

/// The goals of a hub; see [`Hub::goals`](crate::Hub::goals).
#[derive(Clone)]
pub struct Goals {
    pub(crate) db: Db,
    pub(super) events: EventLog,
    pub(super) runs: Runs,
    pub(super) entropy: Arc<dyn Entropy>,
}

#[boxed_futures]
impl Goals {
    pub(crate) fn new(db: Db, events: EventLog, runs: Runs, entropy: Arc<dyn Entropy>) -> Self {
        Self { db, events, runs, entropy }
    }

    /// Lists the goals of the caller's owner: stuck ones first, then the newest.
    pub async fn list(&self, caller: &Caller, filter: GoalFilter) -> Result<GoalPage> {
        let scope = Scope::of(caller, Permission::Read)?;
        let limit = checked_limit(filter.limit)?;
        let before = match filter.cursor.as_deref() {
            None => i64::MAX,
            Some(cursor) => cursor
                .parse()
                .ok()
                .filter(|key: &i64| *key > 0)
                .ok_or_else(|| Error::invalid("cursor", "must be the next_cursor of an earlier page"))?,
        };
        // Nobody but an operator sees goals of others, whatever the filter says.
        let owner = scope.owner.or(filter.owner);
        let input = (owner, filter.status, before, limit);
        let mut rows = self
            .db
            .read(input, |tx, (owner, status, before, limit)| {
                Box::pin(async move { store::list(tx, *owner, *status, *before, *limit + 1).await })
            })
            .await?;
        let has_more = rows.len() > limit as usize;
        rows.truncate(limit as usize);
        let next_cursor = rows.last().filter(|_| has_more).map(|last| last.list_key.to_string());
        Ok(GoalPage { goals: rows.into_iter().map(GoalRow::shown).collect(), next_cursor })
    }

    /// Returns a goal with its tasks, its cost, its agents and its timeline.
    pub async fn get(&self, caller: &Caller, id: GoalId) -> Result<GoalDetail> {
        let scope = Scope::of(caller, Permission::Read)?;
        self.db
            .read((scope, id), |tx, (scope, id)| {
                Box::pin(async move {
                    let goal = existing(tx, scope, *id).await?;
                    view::detail(tx, goal).await
                })
            })
            .await
    }
}

/// The goals that a caller can access, and as whom it acts.
#[derive(Debug, Clone)]
pub(super) struct Scope {
    /// The owner of the goals; `None` for an operator, who can access all.
    pub(super) owner: Option<UserId>,
    /// The participant; `None` for an operator.
    pub(super) by: Option<ParticipantId>,
    /// The handle of the participant.
    pub(super) name: Option<String>,
}

impl Scope {
    /// Goals have a private channel, so a key that is limited to channels has none.
    pub(super) fn of(caller: &Caller, permission: Permission) -> Result<Self> {
        caller.require(permission)?;
        caller.require_direct()?;
        let name = match caller.actor() {
            Actor::Root => None,
            Actor::User(user) => Some(user.username.to_string()),
            Actor::Agent(agent) => Some(agent.name.to_string()),
        };
        Ok(Self { owner: caller.owner(), by: caller.participant(), name })
    }

    /// The scope of a human who decides.
    pub(super) fn of_manager(caller: &Caller) -> Result<Self> {
        caller.require_manager()?;
        Self::of(caller, Permission::Write)
    }
}

/// The agent that calls; fails for anybody else.
pub(super) fn agent(caller: &Caller) -> Result<&AgentActor> {
    match caller.actor() {
        Actor::Agent(agent) => Ok(agent),
        Actor::User(_) | Actor::Root => Err(Error::new(
            ErrorKind::Forbidden,
            "agent_required",
            "Only an agent can do this: use the key of an agent.",
        )),
    }
}

/// Whether a goal belongs to this owner.
pub(crate) async fn is_of(tx: &mut Tx, owner: UserId, id: GoalId) -> Result<bool> {
    Ok(store::find(tx, Some(owner), id).await?.is_some())
}

/// A goal that the caller can access.
pub(super) async fn existing(tx: &mut Tx, scope: &Scope, id: GoalId) -> Result<GoalRow> {
    store::find(tx, scope.owner, id).await?.ok_or_else(|| Error::not_found("goal"))
}

/// A goal that the caller can access, locked for this transaction.
pub(super) async fn held(tx: &mut Tx, scope: &Scope, id: GoalId) -> Result<GoalRow> {
    existing(tx, scope, id).await?;
    store::hold(tx, id).await?;
    existing(tx, scope, id).await
}

/// A task with its goal, which is locked for this transaction.
pub(super) async fn held_task(
    tx: &mut Tx,
    scope: &Scope,
    goal: Option<GoalId>,
    id: GoalTaskId,
) -> Result<(GoalRow, TaskRow)> {
    let missing = || Error::not_found("task");
    let found = store::task(tx, scope.owner, id).await?.filter(|task| goal.is_none_or(|goal| goal == task.goal_id));
    let goal = held(tx, scope, found.ok_or_else(missing)?.goal_id).await?;
    let task = store::task(tx, scope.owner, id).await?.ok_or_else(missing)?;
    Ok((goal, task))
}
