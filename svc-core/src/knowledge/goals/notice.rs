//! Messages of the hub to the owner of a goal and to its agents. Text of others is quoted.

use serde_json::{Value, json};

use super::store::{GoalRow, TaskRow};
use crate::error::Result;
use crate::ids::{AgentId, GoalTaskId, ParticipantId};
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

/// A decision that waits for the owner of a goal. Push messages offer it.
#[derive(Debug, Clone, Copy)]
pub(super) enum Waits<'a> {
    /// Tasks to approve.
    Tasks(&'a [GoalTaskId]),
    /// The result of a task to verify.
    Verification(GoalTaskId),
    /// An agent to approve, by its number.
    Proposal(i64),
}

impl Waits<'_> {
    fn facts(self) -> Value {
        match self {
            // A list that is long is approved as a whole.
            Self::Tasks(tasks) => json!({ "tasks": tasks.iter().take(2).collect::<Vec<_>>() }),
            Self::Verification(task) => json!({ "verification": task }),
            Self::Proposal(number) => json!({ "proposal": number }),
        }
    }
}

/// Sends a direct message to the owner of a goal.
pub(super) async fn owner(tx: &mut Tx, goal: &GoalRow, statement: &Statement) -> Result<()> {
    send(tx, facts(goal), ParticipantId(goal.owner_id.0), statement).await
}

/// Tells the owner of a goal that a decision waits for them.
pub(super) async fn owner_decides(tx: &mut Tx, goal: &GoalRow, waits: Waits<'_>, statement: &Statement) -> Result<()> {
    let mut facts = facts(goal);
    facts["waits"] = waits.facts();
    send(tx, facts, ParticipantId(goal.owner_id.0), statement).await
}

/// Tells the owner of a goal about its budget.
pub(super) async fn budget(tx: &mut Tx, goal: &GoalRow, statement: &Statement) -> Result<()> {
    let mut facts = facts(goal);
    facts["alert"] = json!("budget");
    send(tx, facts, ParticipantId(goal.owner_id.0), statement).await
}

/// Sends a direct message to an agent of a goal.
pub(super) async fn agent(
    tx: &mut Tx,
    goal: &GoalRow,
    task: Option<&TaskRow>,
    to: AgentId,
    statement: &Statement,
) -> Result<()> {
    let mut facts = facts(goal);
    if let Some(task) = task {
        facts["task_id"] = json!(task.id);
    }
    send(tx, facts, ParticipantId(to.0), statement).await
}

fn facts(goal: &GoalRow) -> Value {
    json!({ "id": goal.id, "slug": goal.slug })
}

async fn send(tx: &mut Tx, facts: Value, to: ParticipantId, statement: &Statement) -> Result<()> {
    messages::notify(tx, to, statement, json!({ "goal": facts })).await?;
    Ok(())
}
