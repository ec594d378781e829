//! Decisions on tasks: approval, verification, reopening and cancelling.

use std::collections::BTreeMap;

use svc_macros::boxed_futures;
use svc_model::goals::{DecisionNote, Goal, GoalTask, GoalTaskStatus, TaskVerdict};

use super::create::require_open;
use super::machine::Move;
use super::record::{self, Words};
use super::service::{Goals, Scope, held, held_task};
use super::store::{self, GoalRow, TaskRow};
use super::{channel, notice, view};
use crate::automation::governance::{self, Cause};
use crate::error::{Error, Result};
use crate::identity::auth::Caller;
use crate::ids::{GoalId, GoalTaskId};
use crate::store::db::Tx;

/// A verdict on the result of a task.
#[derive(Debug, Clone, Copy)]
pub(super) struct Verdict<'a> {
    pub(super) passed: bool,
    pub(super) note: Option<&'a str>,
}

/// A decision of a human on a task.
#[derive(Debug, Clone)]
enum Decision {
    Approve,
    Verify(TaskVerdict),
    Reopen(DecisionNote),
    Cancel(DecisionNote),
}

#[boxed_futures]
impl Goals {
    /// Approves a proposed task. Requires the owner of the goal.
    pub async fn approve_task(&self, caller: &Caller, id: GoalId, task: GoalTaskId) -> Result<GoalTask> {
        self.decide(caller, id, task, Decision::Approve).await
    }

    /// Approves all proposed tasks of a goal. Requires its owner. Returns the goal. When none waits, somebody has
    /// decided before.
    pub async fn approve_all(&self, caller: &Caller, id: GoalId) -> Result<Goal> {
        let scope = Scope::of_manager(caller)?;
        let once = caller.idempotency("goals.approve_all", &id)?;
        let approved = self.db.write_once(once, (scope, id), |tx, (scope, id)| Box::pin(approve_all(tx, scope, *id)));
        Ok(approved.await?.value)
    }

    /// Decides on the result of a task. Requires the owner of the goal.
    pub async fn verify_task(
        &self,
        caller: &Caller,
        id: GoalId,
        task: GoalTaskId,
        verdict: TaskVerdict,
    ) -> Result<GoalTask> {
        let DecisionNote { reason: note } = DecisionNote { reason: verdict.note }.checked()?;
        self.decide(caller, id, task, Decision::Verify(TaskVerdict { note, ..verdict })).await
    }

    /// Reopens a failed task. Requires the owner of the goal.
    pub async fn reopen_task(
        &self,
        caller: &Caller,
        id: GoalId,
        task: GoalTaskId,
        note: DecisionNote,
    ) -> Result<GoalTask> {
        self.decide(caller, id, task, Decision::Reopen(note.checked()?)).await
    }

    /// Cancels a task. Requires the owner of the goal.
    pub async fn cancel_task(
        &self,
        caller: &Caller,
        id: GoalId,
        task: GoalTaskId,
        note: DecisionNote,
    ) -> Result<GoalTask> {
        self.decide(caller, id, task, Decision::Cancel(note.checked()?)).await
    }

    async fn decide(&self, caller: &Caller, id: GoalId, task: GoalTaskId, decision: Decision) -> Result<GoalTask> {
        let scope = Scope::of_manager(caller)?;
        self.db
            .write((scope, id, task, decision), |tx, (scope, id, task, decision)| {
                Box::pin(async move {
                    let (goal, task) = held_task(tx, scope, Some(*id), *task).await?;
                    match decision {
                        Decision::Approve => approve(tx, scope, &goal, &task).await?,
                        Decision::Verify(TaskVerdict { passed, note }) => {
                            let verdict = Verdict { passed: passed.unwrap_or(true), note: note.as_deref() };
                            verify(tx, scope, &goal, &task, &verdict).await?;
                        }
                        Decision::Reopen(note) => reopen(tx, scope, &goal, &task, note.reason.as_deref()).await?,
                        Decision::Cancel(note) => cancel(tx, scope, &goal, &task, note.reason.as_deref()).await?,
                    }
                    view::task(tx, scope.owner, task.id).await
                })
            })
            .await
    }
}

async fn approve(tx: &mut Tx, scope: &Scope, goal: &GoalRow, task: &TaskRow) -> Result<()> {
    record::move_task(tx, scope, goal, task, Move::Approve, Words::default()).await?;
    tell_ready(tx, goal, Ready::Among(&[task.id])).await
}

async fn approve_all(tx: &mut Tx, scope: &Scope, id: GoalId) -> Result<Goal> {
    let goal = held(tx, scope, id).await?;
    require_open(&goal)?;
    let tasks = store::tasks(tx, id).await?;
    let proposed: Vec<_> = tasks.iter().filter(|task| task.status == GoalTaskStatus::Proposed).collect();
    if proposed.is_empty() {
        let message = "No task of this goal waits for an approval: all were decided, or none was proposed.";
        return Err(Error::conflict("nothing_to_approve", message));
    }
    for task in &proposed {
        record::move_task(tx, scope, &goal, task, Move::Approve, Words::default()).await?;
    }
    let approved: Vec<_> = proposed.iter().map(|task| task.id).collect();
    tell_ready(tx, &goal, Ready::Among(&approved)).await?;
    Ok(record::reread(tx, id).await?.shown())
}

/// Records a verdict, which counts for the reputation of the agent that did the task.
pub(super) async fn verify(
    tx: &mut Tx,
    scope: &Scope,
    goal: &GoalRow,
    task: &TaskRow,
    verdict: &Verdict<'_>,
) -> Result<()> {
    let words = Words { note: verdict.note, result: None };
    record::move_task(tx, scope, goal, task, Move::Verify(verdict.passed), words).await?;
    if let Some(claimant) = task.claimant_id {
        governance::record(tx, claimant, Cause::Task, verdict.passed).await?;
        let word = if verdict.passed { "accepted" } else { "rejected" };
        let statement = notice::named(notice::about(goal, "the result of "), goal, task).say(format!(" was {word}."));
        let author = scope.name.as_deref().unwrap_or(&goal.owner);
        let statement = statement.quote_block(author, verdict.note.unwrap_or_default());
        notice::agent(tx, goal, Some(task), claimant, &statement).await?;
    }
    if verdict.passed { tell_ready(tx, goal, Ready::FreedBy(task.id)).await } else { Ok(()) }
}

async fn reopen(tx: &mut Tx, scope: &Scope, goal: &GoalRow, task: &TaskRow, note: Option<&str>) -> Result<()> {
    require_open(goal)?;
    record::move_task(tx, scope, goal, task, Move::Reopen, Words { note, result: None }).await?;
    store::set_claimant(tx, task.id, None).await?;
    channel::follow(tx, goal).await?;
    tell_ready(tx, goal, Ready::Among(&[task.id])).await
}

/// Gives up a task. Its claimant loses it.
pub(super) async fn cancel(
    tx: &mut Tx,
    scope: &Scope,
    goal: &GoalRow,
    task: &TaskRow,
    note: Option<&str>,
) -> Result<()> {
    record::move_task(tx, scope, goal, task, Move::Cancel, Words { note, result: None }).await?;
    store::end_claim(tx, task.id).await?;
    channel::follow(tx, goal).await?;
    tell_ready(tx, goal, Ready::FreedBy(task.id)).await
}

/// Tasks that may be ready to be claimed.
#[derive(Debug, Clone, Copy)]
pub(super) enum Ready<'a> {
    /// Those that waited for a task that has ended.
    FreedBy(GoalTaskId),
    /// Those that were just approved or reopened.
    Among(&'a [GoalTaskId]),
}

/// Tells assignees which of these tasks they can claim now.
pub(super) async fn tell_ready(tx: &mut Tx, goal: &GoalRow, which: Ready<'_>) -> Result<()> {
    let tasks = store::tasks(tx, goal.id).await?;
    let all = store::dependencies(tx, goal.id).await?;
    let mut ready: BTreeMap<_, Vec<&TaskRow>> = BTreeMap::new();
    for task in &tasks {
        let others = all.get(&task.id).map(Vec::as_slice).unwrap_or_default();
        let is_meant = match which {
            Ready::FreedBy(ended) => others.iter().any(|other| other.on_id == ended),
            Ready::Among(ids) => ids.contains(&task.id),
        };
        let is_ready = task.status == GoalTaskStatus::Approved && !others.iter().any(store::Dependency::is_open);
        if let Some(assignee) = task.assignee_id.filter(|_| is_ready && is_meant) {
            ready.entry(assignee).or_default().push(task);
        }
    }
    for (assignee, tasks) in ready {
        let mut statement = notice::about(goal, "you can claim ");
        for (index, task) in tasks.iter().take(MOST_NAMED).enumerate() {
            statement = notice::named(if index == 0 { statement } else { statement.say(", ") }, goal, task);
        }
        let more = tasks.len().saturating_sub(MOST_NAMED);
        let end = if more == 0 { ".".to_owned() } else { format!(" and {more} more.") };
        notice::agent(tx, goal, tasks.first().copied(), assignee, &statement.say(end)).await?;
    }
    Ok(())
}

/// Number of tasks that one notice names.
const MOST_NAMED: usize = 5;
