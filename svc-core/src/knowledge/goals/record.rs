//! Moves with their entries in the timeline and their events.

use svc_model::events::{EventBody, GoalChanged};
use svc_model::goals::{GoalStatus, GoalTaskStatus, TimelineKind};

use super::machine::{self, Move};
use super::service::Scope;
use super::store::{self, GoalRow, NewEntry, TaskChange, TaskRow};
use crate::error::Result;
use crate::ids::GoalId;
use crate::store::db::Tx;

/// The scope of the hub itself, which is nobody in timelines.
pub(super) const HUB: Scope = Scope { owner: None, by: None, name: None };

/// The part of a goal that an event is about.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct About<'a> {
    pub(super) task: Option<&'a TaskRow>,
    pub(super) task_status: Option<GoalTaskStatus>,
    pub(super) proposal: Option<i64>,
    pub(super) is_move: bool,
}

/// Records in the log that a goal changed.
pub(super) async fn changed(tx: &mut Tx, scope: &Scope, goal: &GoalRow, about: About<'_>) -> Result<()> {
    let agent_ids = store::agents(tx, goal.id).await?;
    let body = GoalChanged {
        goal_id: goal.id,
        slug: goal.slug.clone(),
        title: goal.title.clone(),
        status: goal.status,
        owner_id: goal.owner_id,
        task_id: about.task.map(|task| task.id),
        task: about.task.map(|task| task.title.clone()),
        task_status: about.task_status.or(about.task.map(|task| task.status)),
        proposal: about.proposal,
        is_move: about.is_move,
        by: scope.name.clone(),
        agent_ids,
    };
    tx.record(EventBody::GoalChanged(body)).await?;
    Ok(())
}

/// Moves a goal to another status. The move was checked. Returns the goal as it is then.
pub(super) async fn move_goal(
    tx: &mut Tx,
    scope: &Scope,
    goal: &GoalRow,
    to: GoalStatus,
    reason: Option<&str>,
) -> Result<GoalRow> {
    let stuck_reason = reason.filter(|_| to == GoalStatus::Stuck);
    store::set_status(tx, goal.id, to, stuck_reason).await?;
    let entry = NewEntry {
        by: scope.by,
        from: Some(goal.status.as_str()),
        to: Some(to.as_str()),
        text: reason,
        ..NewEntry::default()
    };
    store::insert_entry(tx, goal.id, TimelineKind::Goal, &entry).await?;
    let moved = reread(tx, goal.id).await?;
    changed(tx, scope, &moved, About { is_move: true, ..About::default() }).await?;
    Ok(moved)
}

/// A text that goes with a move of a task.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Words<'a> {
    /// The result that the claimant submits.
    pub(super) result: Option<&'a str>,
    /// The reason of the move.
    pub(super) note: Option<&'a str>,
}

/// Makes a move of a task, if it is legal. Returns the status after it.
pub(super) async fn move_task(
    tx: &mut Tx,
    scope: &Scope,
    goal: &GoalRow,
    task: &TaskRow,
    step: Move,
    words: Words<'_>,
) -> Result<GoalTaskStatus> {
    let to = machine::next(task.status, step)?;
    store::change_task(tx, task.id, &TaskChange { status: Some(to), result: words.result, note: words.note }).await?;
    let entry = NewEntry {
        by: scope.by,
        task: Some(task.id),
        subject: Some(&task.title),
        from: Some(task.status.as_str()),
        to: Some(to.as_str()),
        text: words.note.or(words.result),
        ..NewEntry::default()
    };
    store::insert_entry(tx, goal.id, TimelineKind::Task, &entry).await?;
    store::touch(tx, goal.id).await?;
    let about = About { task: Some(task), task_status: Some(to), proposal: None, is_move: true };
    changed(tx, scope, goal, about).await?;
    Ok(to)
}

/// The goal as it is stored now.
pub(super) async fn reread(tx: &mut Tx, id: GoalId) -> Result<GoalRow> {
    super::service::existing(tx, &HUB, id).await
}
