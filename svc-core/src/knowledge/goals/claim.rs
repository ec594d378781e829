//! Claiming a task, and the end of claims.

use std::sync::Arc;

use async_trait::async_trait;
use svc_macros::boxed_futures;
use svc_model::auth::Permission;
use svc_model::goals::{ClaimedTask, GoalStatus, TaskClaim};

use super::machine::{self, Move};
use super::record::{self, HUB, Words};
use super::service::{Goals, Scope, agent, held};
use super::store::{self, ClaimRow, GoalRow, TaskRow};
use super::{channel, view};
use crate::clock::{Entropy, random_hex};
use crate::error::{Error, ErrorKind, Result};
use crate::identity::agents;
use crate::identity::auth::{AgentActor, Caller};
use crate::ids::{GoalId, GoalTaskId, RunId};
use crate::limits;
use crate::store::db::{Db, Tx};
use crate::store::queue::expiry::{BATCH, Leased};
use crate::store::workers::Progress;

/// Why a task can be claimed again.
const LEASE_ENDED: &str = "the lease of the claim ended";

struct Request {
    scope: Scope,
    agent: AgentActor,
    run: Option<RunId>,
    goal: GoalId,
    claim: TaskClaim,
    entropy: Arc<dyn Entropy>,
}

#[boxed_futures]
impl Goals {
    /// Claims a task for the calling agent: the named one, or the first that it can claim. Of several concurrent claims
    /// of a task one succeeds.
    pub async fn claim(&self, caller: &Caller, id: GoalId, claim: TaskClaim) -> Result<ClaimedTask> {
        let scope = Scope::of(caller, Permission::Write)?;
        let claim = claim.checked()?;
        let once = caller.idempotency("goals.claim", &(id, &claim))?;
        let request = Request {
            scope,
            agent: agent(caller)?.clone(),
            run: caller.run().map(|run| run.id),
            goal: id,
            claim,
            entropy: self.entropy.clone(),
        };
        Ok(self.db.write_once(once, request, |tx, request| Box::pin(take(tx, request))).await?.value)
    }
}

async fn take(tx: &mut Tx, request: &Request) -> Result<ClaimedTask> {
    let Request { scope, agent, claim, .. } = request;
    let goal = held(tx, scope, request.goal).await?;
    require_active(&goal)?;
    // An agent that is being deleted either claims before that, or not at all.
    agents::store::hold(tx, agent.id).await?;
    if agents::store::find_any(tx, &agent.name).await?.is_none() {
        return Err(Error::not_found("agent"));
    }
    let id = match claim.task_id {
        Some(id) => id,
        None => store::claimable(tx, goal.id, agent.id).await?.ok_or_else(nothing_to_claim)?,
    };
    let missing = || Error::not_found("task");
    let task = store::task(tx, scope.owner, id).await?.filter(|task| task.goal_id == goal.id).ok_or_else(missing)?;
    if task.assignee_id.is_some_and(|assignee| assignee != agent.id) {
        let name = task.assignee.as_deref().unwrap_or("another agent");
        let message = format!("This task is assigned to @{name}.");
        return Err(Error::new(ErrorKind::Forbidden, "not_assignee", message));
    }
    machine::next(task.status, Move::Claim)?;
    require_free(tx, &task).await?;
    let token = random_hex(request.entropy.as_ref(), 16);
    let seconds = claim.lease_seconds.unwrap_or(limits::LEASE_SECONDS_DEFAULT);
    let claimed = store::insert_claim(tx, id, agent.id, &token, seconds).await?;
    let lease_until = claimed.ok_or_else(|| Error::conflict("already_claimed", "Another agent has this task."))?;
    store::set_claimant(tx, id, Some(agent.id)).await?;
    record::move_task(tx, scope, &goal, &task, Move::Claim, Words::default()).await?;
    if let Some(run) = request.run {
        store::link_run(tx, run, id).await?;
    }
    channel::follow(tx, &goal).await?;
    Ok(ClaimedTask { task: view::task(tx, scope.owner, id).await?, claim_token: token, lease_until })
}

fn require_active(goal: &GoalRow) -> Result<()> {
    if goal.status == GoalStatus::Active {
        return Ok(());
    }
    let reason = goal.stuck_reason.as_ref().map(|reason| format!(" ({reason})")).unwrap_or_default();
    let message = format!("This goal is {}{reason}: tasks can be claimed while it is active.", goal.status);
    Err(Error::conflict("goal_not_active", message))
}

/// Fails while a task waits for others.
async fn require_free(tx: &mut Tx, task: &TaskRow) -> Result<()> {
    let all = store::dependencies(tx, task.goal_id).await?;
    let open: Vec<_> = all.get(&task.id).into_iter().flatten().filter(|other| other.is_open()).collect();
    if open.is_empty() {
        return Ok(());
    }
    let names: Vec<_> = open.iter().map(|other| format!("{} ({})", other.on_id, other.status)).collect();
    let message = format!("This task waits for others: {}.", names.join(", "));
    Err(Error::conflict("dependencies_open", message))
}

fn nothing_to_claim() -> Error {
    let message =
        "No task of this goal can be claimed now: they wait for approval, for other tasks, or have a claimant.";
    Error::conflict("nothing_to_claim", message)
}

/// The claim with which an agent updates a task. Fails when the lease has ended, or another worker has the task.
pub(super) async fn own_claim(
    tx: &mut Tx,
    task: &TaskRow,
    agent: &AgentActor,
    token: Option<&str>,
) -> Result<ClaimRow> {
    let lost = || {
        let message = "The lease of this claim has ended, or another worker has the task: claim it again.";
        Error::conflict("claim_lost", message)
    };
    let claim = store::active_claim(tx, task.id).await?;
    let now = tx.now();
    let claim = claim.filter(|claim| claim.agent_id == agent.id && claim.lease_until > now);
    if let Some(claim) = claim.filter(|claim| token.is_none_or(|token| token == claim.token)) {
        return Ok(claim);
    }
    match task.claimant_id.filter(|claimant| *claimant != agent.id && token.is_none()) {
        Some(_) => {
            let name = task.claimant.as_deref().unwrap_or("another agent");
            Err(Error::new(ErrorKind::Forbidden, "not_claimant", format!("@{name} has this task.")))
        }
        None => Err(lost()),
    }
}

/// The claims of tasks, for the worker that ends leases.
pub(crate) struct TaskLeases;

#[async_trait]
impl Leased for TaskLeases {
    async fn end_leases(&self, db: &Db) -> Result<Progress> {
        if db.read((), |tx, ()| Box::pin(store::is_any_ahead(tx))).await? {
            db.write((), |tx, ()| Box::pin(store::shorten(tx))).await?;
        }
        let overdue = db.read((), |tx, ()| Box::pin(store::overdue(tx, BATCH))).await?;
        let progress = if overdue.len() == BATCH as usize { Progress::More } else { Progress::Done };
        for (task, goal) in overdue {
            db.write((task, goal), |tx, (task, goal)| Box::pin(expire(tx, *task, *goal))).await?;
        }
        Ok(progress)
    }
}

async fn expire(tx: &mut Tx, task: GoalTaskId, goal: GoalId) -> Result<()> {
    let goal = held(tx, &HUB, goal).await?;
    let Some(task) = store::task(tx, None, task).await? else { return Ok(()) };
    let claim = store::active_claim(tx, task.id).await?;
    if claim.is_none_or(|claim| claim.lease_until > tx.now()) {
        return Ok(());
    }
    release(tx, &goal, &task, LEASE_ENDED).await
}

/// Takes a task from its claimant, so that it can be claimed again.
pub(super) async fn release(tx: &mut Tx, goal: &GoalRow, task: &TaskRow, reason: &str) -> Result<()> {
    store::end_claim(tx, task.id).await?;
    record::move_task(tx, &HUB, goal, task, Move::Release, Words { note: Some(reason), result: None }).await?;
    store::set_claimant(tx, task.id, None).await?;
    channel::follow(tx, goal).await
}
