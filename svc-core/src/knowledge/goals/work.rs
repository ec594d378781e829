//! Updates of a task by the agents that do, verify and coordinate it.

use svc_macros::boxed_futures;
use svc_model::auth::Permission;
use svc_model::goals::{GoalTask, GoalTaskStatus, TaskAction, TaskUpdate, VerifierKind};
use svc_model::governance::micros_of;

use super::claim::own_claim;
use super::decide::{self, Ready, Verdict};
use super::machine::{self, Move};
use super::notice::Waits;
use super::record::{self, Words};
use super::service::{Goals, Scope, held_task};
use super::store::{self, GoalRow, TaskRow};
use super::{channel, charges, notice, view};
use crate::automation::governance::{self, Cause};
use crate::error::{Error, ErrorKind, Result};
use crate::identity::auth::{Actor, AgentActor, Caller};
use crate::ids::{GoalTaskId, RunId};
use crate::store::db::Tx;

struct Request {
    scope: Scope,
    actor: Actor,
    run: Option<RunId>,
    task: GoalTaskId,
    update: TaskUpdate,
}

#[boxed_futures]
impl Goals {
    /// Updates a task: its claimant starts, submits, fails it and records its cost; its verifier verifies it; the
    /// coordinator and the owner of the goal cancel it.
    pub async fn update_task(&self, caller: &Caller, task: GoalTaskId, update: TaskUpdate) -> Result<GoalTask> {
        let scope = Scope::of(caller, Permission::Write)?;
        let update = update.checked()?;
        let once = caller.idempotency("goals.update_task", &(task, &update))?;
        let (actor, run) = (caller.actor().clone(), caller.run().map(|run| run.id));
        let request = Request { scope, actor, run, task, update };
        Ok(self.db.write_once(once, request, |tx, request| Box::pin(apply(tx, request))).await?.value)
    }
}

async fn apply(tx: &mut Tx, request: &Request) -> Result<GoalTask> {
    let Request { scope, actor, update, .. } = request;
    let (goal, task) = held_task(tx, scope, None, request.task).await?;
    match (update.action, actor) {
        (TaskAction::Verify, Actor::Agent(agent)) => {
            require_verifier(&task, agent)?;
            decide::verify(tx, scope, &goal, &task, &verdict(update)).await?;
        }
        (TaskAction::Verify, Actor::User(_) | Actor::Root) => {
            decide::verify(tx, scope, &goal, &task, &verdict(update)).await?;
        }
        (TaskAction::Cancel, actor) => {
            require_coordinator(&goal, actor)?;
            decide::cancel(tx, scope, &goal, &task, update.note.as_deref()).await?;
        }
        (_, Actor::Agent(agent)) => work(tx, request, agent, &goal, &task).await?,
        (_, Actor::User(_) | Actor::Root) => {
            let message = "Only the agent that has claimed a task can do this.";
            return Err(Error::new(ErrorKind::Forbidden, "agent_required", message));
        }
    }
    view::task(tx, scope.owner, task.id).await
}

fn verdict(update: &TaskUpdate) -> Verdict<'_> {
    Verdict { passed: update.passed.unwrap_or(true), note: update.note.as_deref() }
}

/// An update by the claimant.
async fn work(tx: &mut Tx, request: &Request, agent: &AgentActor, goal: &GoalRow, task: &TaskRow) -> Result<()> {
    let Request { scope, update, .. } = request;
    if update.action == TaskAction::Spend {
        return spend(tx, request, agent, goal, task).await;
    }
    let step = match update.action {
        TaskAction::Start => Move::Start,
        TaskAction::Submit => Move::Submit(task.verifier != VerifierKind::None),
        _ => Move::Fail,
    };
    // A worker that names its claim learns that it lost it, whatever the task has become since.
    if update.claim_token.is_some() {
        own_claim(tx, task, agent, update.claim_token.as_deref()).await?;
    }
    machine::next(task.status, step)?;
    let claim = own_claim(tx, task, agent, update.claim_token.as_deref()).await?;
    if let Some(run) = request.run {
        store::link_run(tx, run, task.id).await?;
    }
    let note = update.note.as_deref();
    match step {
        Move::Start => {
            store::renew(tx, &claim).await?;
            record::move_task(tx, scope, goal, task, step, Words { note, result: None }).await?;
            Ok(())
        }
        Move::Submit(_) => {
            store::end_claim(tx, task.id).await?;
            let to = record::move_task(tx, scope, goal, task, step, Words { result: note, note: None }).await?;
            submitted(tx, goal, task, agent, to, note).await
        }
        _ => {
            store::end_claim(tx, task.id).await?;
            record::move_task(tx, scope, goal, task, step, Words { note, result: None }).await?;
            governance::record(tx, agent.id, Cause::Task, false).await?;
            let statement = notice::about(goal, &format!("@{} could not do ", agent.name));
            let statement = notice::named(statement, goal, task).say(".");
            notice::owner(tx, goal, &statement.quote_block(&agent.name, note.unwrap_or_default())).await
        }
    }
}

/// Tells those who wait for a result: the verifier, or the assignees of the tasks that can be claimed now.
async fn submitted(
    tx: &mut Tx,
    goal: &GoalRow,
    task: &TaskRow,
    agent: &AgentActor,
    to: GoalTaskStatus,
    result: Option<&str>,
) -> Result<()> {
    if to == GoalTaskStatus::Done {
        return decide::tell_ready(tx, goal, Ready::FreedBy(task.id)).await;
    }
    let statement = notice::named(notice::about(goal, &format!("@{} submitted ", agent.name)), goal, task);
    let result = result.unwrap_or_default();
    match (task.verifier, task.verifier_id) {
        (VerifierKind::Human, _) => {
            let statement = statement.say(". Accept or reject the result on the page of the goal.");
            let statement = statement.quote_block(&agent.name, result);
            notice::owner_decides(tx, goal, Waits::Verification(task.id), &statement).await
        }
        (VerifierKind::Peer, Some(verifier)) => {
            let statement = statement.say(". Decide with update_goal_task and the action verify.");
            notice::agent(tx, goal, Some(task), verifier, &statement.quote_block(&agent.name, result)).await
        }
        (VerifierKind::Peer, None) => {
            let statement = statement.say(". Another agent has to verify it, with update_goal_task.");
            channel::announce(tx, goal, &statement.quote_block(&agent.name, result)).await
        }
        // The worker starts the run that decides.
        (VerifierKind::Command | VerifierKind::None, _) => Ok(()),
    }
}

/// Records a cost. The claimant renews its lease with it; the coordinator can record a cost of any task.
async fn spend(tx: &mut Tx, request: &Request, agent: &AgentActor, goal: &GoalRow, task: &TaskRow) -> Result<()> {
    let Request { update, scope, .. } = request;
    if task.status == GoalTaskStatus::Proposed {
        let message = "This task is proposed: it can have a cost after it was approved.";
        return Err(Error::conflict("illegal_transition", message));
    }
    let is_worked_on = matches!(task.status, GoalTaskStatus::Claimed | GoalTaskStatus::InProgress);
    if goal.coordinator_id != Some(agent.id) || task.claimant_id == Some(agent.id) {
        if is_worked_on {
            let claim = own_claim(tx, task, agent, update.claim_token.as_deref()).await?;
            store::renew(tx, &claim).await?;
        } else if task.claimant_id != Some(agent.id) {
            let message = "Only the agent that did a task, or the coordinator of the goal, can record its cost.";
            return Err(Error::new(ErrorKind::Forbidden, "not_claimant", message));
        }
    }
    let usd = update.usd.map_or(0, micros_of);
    let cost = charges::Charge { agent: Some(agent.id), run: None, usd, tokens: update.tokens.unwrap_or(0) };
    charges::book(tx, scope, goal, task, &cost, update.note.as_deref()).await
}

/// Fails unless an agent may decide on the result of a task.
fn require_verifier(task: &TaskRow, agent: &AgentActor) -> Result<()> {
    machine::next(task.status, Move::Verify(true))?;
    let refused = |code, message: String| Err(Error::new(ErrorKind::Forbidden, code, message));
    if task.claimant_id == Some(agent.id) {
        return refused("own_work", "You did this task: somebody else has to verify it.".into());
    }
    match (task.verifier, task.verifier_id, &task.verifier_name) {
        (VerifierKind::Peer, None, _) => Ok(()),
        (VerifierKind::Peer, Some(id), _) if id == agent.id => Ok(()),
        (VerifierKind::Peer, Some(_), name) => {
            refused("not_verifier", format!("@{} verifies this task.", name.as_deref().unwrap_or("another agent")))
        }
        (VerifierKind::Command, ..) => refused("not_verifier", "A run decides on this task.".into()),
        (VerifierKind::Human | VerifierKind::None, ..) => {
            refused("not_verifier", "The owner of the goal decides on this task.".into())
        }
    }
}

/// Fails for an agent that does not coordinate the goal.
fn require_coordinator(goal: &GoalRow, actor: &Actor) -> Result<()> {
    match actor {
        Actor::Agent(agent) if goal.coordinator_id != Some(agent.id) => {
            let message = "Only the coordinator and the owner of the goal can cancel a task. Use fail to give it up.";
            Err(Error::new(ErrorKind::Forbidden, "not_coordinator", message))
        }
        Actor::Agent(_) | Actor::User(_) | Actor::Root => Ok(()),
    }
}
