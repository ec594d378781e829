//! Messages of the hub to the owner of a goal and to its agents. Text of others is quoted.

use serde_json::json;

use super::store::{GoalRow, TaskRow};
use crate::error::Result;
use crate::ids::{AgentId, ParticipantId};
use crate::messaging::messages::{self, Statement};
use crate::store::db::Tx;

/// Begins a statement about a goal, with its quoted title.
pub(super) fn about(goal: &GoalRow, words: &str) -> Statement {
    Statement::default().say(format!("Goal {} (", goal.id)).quote(&goal.owner, &goal.title).say(format!("): {words}"))
}

/// Adds the number and the quoted title of a task to a statement.
pub(super) fn named(statement: Statement, goal: &GoalRow, task: &TaskRow) -> Statement {
    let author = goal.coordinator.as_deref().unwrap_or(&goal.owner);
    statement.say(format!("task {} (", task.id)).quote(author, &task.title).say(")")
}

/// Sends a direct message to the owner of a goal.
pub(super) async fn owner(tx: &mut Tx, goal: &GoalRow, statement: &Statement) -> Result<()> {
    send(tx, goal, None, ParticipantId(goal.owner_id.0), statement).await
}

/// Sends a direct message to an agent of a goal.
pub(super) async fn agent(
    tx: &mut Tx,
    goal: &GoalRow,
    task: Option<&TaskRow>,
    to: AgentId,
    statement: &Statement,
) -> Result<()> {
    send(tx, goal, task, ParticipantId(to.0), statement).await
}

async fn send(
    tx: &mut Tx,
    goal: &GoalRow,
    task: Option<&TaskRow>,
    to: ParticipantId,
    statement: &Statement,
) -> Result<()> {
    let mut facts = json!({ "id": goal.id, "slug": goal.slug });
    if let Some(task) = task {
        facts["task_id"] = json!(task.id);
    }
    messages::notify(tx, to, statement, json!({ "goal": facts })).await?;
    Ok(())
}
