//! Changing a goal and its status.

use svc_macros::boxed_futures;
use svc_model::auth::Permission;
use svc_model::goals::{Autonomy, Goal, GoalBudget, GoalChanges, GoalCompletion, GoalStatus};

use super::create::{own_agent, require_open};
use super::machine::{self, Move};
use super::record::{self, About, Words};
use super::service::{Goals, Scope, held};
use super::store::{self, GoalRow};
use super::{budget, channel, notice};
use crate::error::{Error, Result};
use crate::identity::auth::Caller;
use crate::ids::{GoalId, MessageId};
use crate::messaging::messages::{self, viewer::Viewer};
use crate::store::db::Tx;

/// Why the tasks and proposals of a goal end with it.
const ENDED: &str = "the goal ended";

#[boxed_futures]
impl Goals {
    /// Changes a goal. Requires its owner.
    pub async fn update(&self, caller: &Caller, id: GoalId, changes: GoalChanges) -> Result<Goal> {
        let scope = Scope::of_manager(caller)?;
        let changes = changes.checked()?;
        self.db.write((scope, id, changes), |tx, (scope, id, changes)| Box::pin(update(tx, scope, *id, changes))).await
    }

    /// Ends a goal, or reports that it is stuck, with a summary and the message that reports it. The current status
    /// again changes nothing.
    pub async fn complete(&self, caller: &Caller, id: GoalId, completion: GoalCompletion) -> Result<Goal> {
        let scope = Scope::of(caller, Permission::Write)?;
        let completion = completion.checked()?;
        let once = caller.idempotency("goals.complete", &(id, &completion))?;
        let input = (scope, Viewer::of(caller), id, completion);
        let completed = self.db.write_once(once, input, |tx, (scope, viewer, id, completion)| {
            Box::pin(complete(tx, scope, viewer, *id, completion))
        });
        Ok(completed.await?.value)
    }
}

async fn update(tx: &mut Tx, scope: &Scope, id: GoalId, changes: &GoalChanges) -> Result<Goal> {
    let goal = held(tx, scope, id).await?;
    let moves_to = changes.status.filter(|status| *status != goal.status);
    if let Some(to) = moves_to {
        machine::require_legal(goal.status, to)?;
    } else {
        require_open(&goal)?;
    }
    let mut new = goal.clone();
    if let Some(title) = &changes.title {
        new.title.clone_from(title);
    }
    if let Some(description) = &changes.description {
        new.description.clone_from(description);
    }
    if let Some(autonomy) = changes.autonomy {
        new.autonomy = autonomy;
    }
    if let Some(GoalBudget { tokens, .. }) = changes.budget {
        new.budget_usd = changes.budget.and_then(|budget| budget.micros());
        new.budget_tokens = tokens;
        // A larger budget is warned of again.
        if budget::used_percent(&new).is_none_or(|percent| percent < crate::limits::BUDGET_WARNING_PERCENT) {
            new.warned_at = None;
        }
    }
    match changes.coordinator.as_deref() {
        None => {}
        Some("") => new.coordinator_id = None,
        Some(name) => new.coordinator_id = Some(own_agent(tx, goal.owner_id, "coordinator", name).await?),
    }
    store::update(tx, &new).await?;
    let mut goal = record::reread(tx, id).await?;
    if changes.coordinator.is_some() {
        channel::follow(tx, &goal).await?;
    }
    goal = match moves_to {
        Some(to) => move_to(tx, scope, &goal, to, changes.stuck_reason.as_deref()).await?,
        None => resume(tx, scope, goal).await?,
    };
    if moves_to.is_none() {
        record::changed(tx, scope, &goal, About::default()).await?;
    }
    budget::evaluate(tx, &goal).await?;
    Ok(record::reread(tx, id).await?.shown())
}

/// A goal that is stuck for its budget goes on when the budget has room again.
async fn resume(tx: &mut Tx, scope: &Scope, goal: GoalRow) -> Result<GoalRow> {
    let is_stuck = goal.status == GoalStatus::Stuck && goal.stuck_reason.as_deref() == Some(budget::STUCK);
    if is_stuck && budget::used_percent(&goal).is_none_or(|percent| percent < 100) {
        return record::move_goal(tx, scope, &goal, GoalStatus::Active, Some("the budget has room again")).await;
    }
    Ok(goal)
}

/// Moves a goal; a goal that ends takes its tasks and proposals with it.
pub(super) async fn move_to(
    tx: &mut Tx,
    scope: &Scope,
    goal: &GoalRow,
    to: GoalStatus,
    reason: Option<&str>,
) -> Result<GoalRow> {
    if to.is_final() {
        close(tx, scope, goal).await?;
    }
    record::move_goal(tx, scope, goal, to, reason).await
}

/// Cancels the open tasks of a goal, and rejects its open proposals.
async fn close(tx: &mut Tx, scope: &Scope, goal: &GoalRow) -> Result<()> {
    for task in store::tasks(tx, goal.id).await?.iter().filter(|task| !task.status.is_final()) {
        store::end_claim(tx, task.id).await?;
        let words = Words { note: Some(ENDED), ..Words::default() };
        record::move_task(tx, scope, goal, task, Move::Cancel, words).await?;
    }
    for proposal in store::proposals(tx, goal.id).await? {
        if proposal.decided_at.is_none() {
            store::decide(tx, goal.id, proposal.number, scope.by, Err(Some(ENDED))).await?;
        }
    }
    Ok(())
}

async fn complete(
    tx: &mut Tx,
    scope: &Scope,
    viewer: &Viewer,
    id: GoalId,
    completion: &GoalCompletion,
) -> Result<Goal> {
    let goal = held(tx, scope, id).await?;
    if goal.status == completion.status {
        return Ok(goal.shown());
    }
    machine::require_legal(goal.status, completion.status)?;
    let message = completion.completion_message_id;
    if let Some(message) = message {
        require_visible(tx, viewer, message).await?;
    }
    let summary = completion.summary.as_deref();
    store::set_completion(tx, id, summary, message).await?;
    let goal = move_to(tx, scope, &goal, completion.status, summary).await?;
    tell_owner(tx, scope, &goal, summary).await?;
    Ok(record::reread(tx, id).await?.shown())
}

async fn require_visible(tx: &mut Tx, viewer: &Viewer, message: MessageId) -> Result<()> {
    if messages::store::is_visible(tx, viewer, message).await? {
        return Ok(());
    }
    Err(Error::invalid("completion_message_id", "is not a message that you can see"))
}

/// Tells the owner that an agent ended the goal or is stuck.
async fn tell_owner(tx: &mut Tx, scope: &Scope, goal: &GoalRow, summary: Option<&str>) -> Result<()> {
    let Some(by) = scope.name.as_deref().filter(|name| *name != goal.owner) else { return Ok(()) };
    let statement = notice::about(goal, &format!("@{by} reports that it is {}.", goal.status));
    notice::owner(tx, goal, &statement.quote_block(by, summary.unwrap_or_default())).await
}

/// Whether tasks that this participant proposes start approved.
pub(super) async fn is_autonomous(tx: &mut Tx, caller: &Caller, goal: &GoalRow) -> Result<bool> {
    Ok(goal.autonomy == Autonomy::Autonomous && super::create::require_autonomous(tx, caller).await.is_ok())
}
