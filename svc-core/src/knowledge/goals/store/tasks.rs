//! The SQL of tasks.

use std::collections::BTreeMap;

use svc_model::goals::{GoalBudget, GoalTask, GoalTaskStatus, PlannedTask, Spent, Verifier, VerifierKind, title_key};

use super::goals::GoalRow;
use crate::error::Result;
use crate::ids::{AgentId, GoalId, GoalTaskId, RunId, UserId};
use crate::store::db::Tx;
use crate::timestamp::Timestamp;

crate::row! {
    /// A task with the names of its participants and the lease of its claim.
    #[derive(Debug, Clone)]
    pub(crate) struct TaskRow {
        pub(crate) id: GoalTaskId,
        pub(crate) goal_id: GoalId,
        pub(crate) owner_id: UserId,
        pub(crate) parent_id: Option<GoalTaskId>,
        pub(crate) title: String,
        pub(crate) title_key: String,
        pub(crate) description: String,
        pub(crate) acceptance_criteria: String,
        pub(crate) assignee_id: Option<AgentId>,
        pub(crate) assignee: Option<String>,
        pub(crate) claimant_id: Option<AgentId>,
        pub(crate) claimant: Option<String>,
        pub(crate) lease_until: Option<Timestamp>,
        pub(crate) billing_code: Option<String>,
        pub(crate) budget_usd: Option<i64>,
        pub(crate) budget_tokens: Option<i64>,
        pub(crate) spent_usd: i64,
        pub(crate) spent_tokens: i64,
        pub(crate) verifier: VerifierKind,
        pub(crate) verifier_id: Option<AgentId>,
        pub(crate) verifier_name: Option<String>,
        pub(crate) verifier_run_id: Option<RunId>,
        pub(crate) status: GoalTaskStatus,
        pub(crate) result: Option<String>,
        pub(crate) note: Option<String>,
        pub(crate) created_at: Timestamp,
        pub(crate) updated_at: Timestamp,
    }
}

impl TaskRow {
    /// The task as it is shown, without its children.
    pub(crate) fn shown(self, depends_on: &[Dependency]) -> GoalTask {
        GoalTask {
            id: self.id,
            parent_id: self.parent_id,
            title: self.title,
            description: self.description,
            acceptance_criteria: self.acceptance_criteria,
            status: self.status,
            assignee: self.assignee,
            claimant: self.claimant,
            lease_until: self.lease_until,
            depends_on: depends_on.iter().map(|other| other.title.clone()).collect(),
            blocked_by: depends_on.iter().filter(|other| other.is_open()).map(|other| other.on_id).collect(),
            billing_code: self.billing_code,
            budget: GoalBudget::stored(self.budget_usd, self.budget_tokens),
            spent: Spent::stored(self.spent_usd, self.spent_tokens),
            verifier: Verifier { kind: self.verifier, by: self.verifier_name },
            verifier_run_id: self.verifier_run_id,
            result: self.result,
            note: self.note,
            created_at: self.created_at,
            updated_at: self.updated_at,
            children: Vec::new(),
        }
    }
}

crate::row! {
    /// A task that another one depends on.
    #[derive(Debug, Clone)]
    pub(crate) struct Dependency {
        pub(crate) task_id: GoalTaskId,
        pub(crate) on_id: GoalTaskId,
        pub(crate) title: String,
        pub(crate) status: GoalTaskStatus,
    }
}

impl Dependency {
    /// Whether it keeps the other task from being claimed.
    pub(crate) fn is_open(&self) -> bool {
        !matches!(self.status, GoalTaskStatus::Done | GoalTaskStatus::Cancelled)
    }
}

macro_rules! select_tasks {
    ($rest:literal) => {
        concat!(
            "SELECT t.id, t.goal_id, t.owner_id, t.parent_id, t.title, t.title_key, t.description,
                    t.acceptance_criteria, t.assignee_id, a.handle AS assignee, t.claimant_id, w.handle AS claimant,
                    c.lease_until, t.billing_code, t.budget_usd, t.budget_tokens, t.spent_usd, t.spent_tokens,
                    t.verifier, t.verifier_id, v.handle AS verifier_name, t.verifier_run_id, t.status, t.result, t.note,
                    t.created_at, t.updated_at
               FROM goal_tasks t
               LEFT JOIN participants a ON a.id = t.assignee_id
               LEFT JOIN participants w ON w.id = t.claimant_id
               LEFT JOIN participants v ON v.id = t.verifier_id
               LEFT JOIN goal_claims c ON c.task_id = t.id AND c.ended_at IS NULL ",
            $rest
        )
    };
}

pub(super) const OF_GOAL: &str = select_tasks!("WHERE t.goal_id = $1 ORDER BY t.position, t.id");
pub(super) const FIND: &str = select_tasks!("WHERE t.id = $1 AND ($2 IS NULL OR t.owner_id = $2)");
pub(super) const DEPENDENCIES: &str = "
    SELECT d.task_id, d.on_id, o.title, o.status
      FROM goal_tasks t
      JOIN goal_task_dependencies d ON d.task_id = t.id
      JOIN goal_tasks o ON o.id = d.on_id
     WHERE t.goal_id = $1
     ORDER BY d.task_id, o.position";
/// The first task that an agent can claim: its own before those of anybody.
pub(super) const CLAIMABLE: &str = "
    SELECT t.id
      FROM goal_tasks t
     WHERE t.goal_id = $1 AND t.status = 'approved' AND (t.assignee_id IS NULL OR t.assignee_id = $2)
       AND NOT EXISTS (SELECT 1
                         FROM goal_task_dependencies d
                         JOIN goal_tasks o ON o.id = d.on_id
                        WHERE d.task_id = t.id AND o.status NOT IN ('done', 'cancelled'))
     ORDER BY (t.assignee_id IS NULL), t.position
     LIMIT 1";
pub(super) const UNVERIFIED: &str = "
    SELECT t.id
      FROM goal_tasks t
     WHERE t.status = 'awaiting_verification' AND t.verifier = 'command' AND t.verifier_run_id IS NULL
     ORDER BY t.id
     LIMIT $1";

/// The tasks of a goal in the order of the tree.
pub(crate) async fn tasks(tx: &mut Tx, goal: GoalId) -> Result<Vec<TaskRow>> {
    tx.query(OF_GOAL).bind(goal).fetch_all().await
}

/// The dependencies of all tasks of a goal, by task.
pub(crate) async fn dependencies(tx: &mut Tx, goal: GoalId) -> Result<BTreeMap<GoalTaskId, Vec<Dependency>>> {
    let mut found: BTreeMap<_, Vec<_>> = BTreeMap::new();
    let rows: Vec<Dependency> = tx.query(DEPENDENCIES).bind(goal).fetch_all().await?;
    for row in rows {
        found.entry(row.task_id).or_default().push(row);
    }
    Ok(found)
}

/// A task of this owner, or of any.
pub(crate) async fn task(tx: &mut Tx, owner: Option<UserId>, id: GoalTaskId) -> Result<Option<TaskRow>> {
    tx.query(FIND).bind(id).bind(owner).fetch_optional().await
}

/// The first task of a goal that an agent can claim.
pub(crate) async fn claimable(tx: &mut Tx, goal: GoalId, agent: AgentId) -> Result<Option<GoalTaskId>> {
    let found: Option<(GoalTaskId,)> = tx.query(CLAIMABLE).bind(goal).bind(agent).fetch_optional().await?;
    Ok(found.map(|(id,)| id))
}

/// Submitted tasks whose verification by a run has not started.
pub(crate) async fn unverified(tx: &mut Tx, limit: u32) -> Result<Vec<GoalTaskId>> {
    let found: Vec<(GoalTaskId,)> = tx.query(UNVERIFIED).bind(limit).fetch_all().await?;
    Ok(found.into_iter().map(|(id,)| id).collect())
}

/// The task that a run verifies.
pub(crate) async fn verified_by(tx: &mut Tx, run: RunId) -> Result<Option<(GoalTaskId, GoalId)>> {
    tx.query("SELECT id, goal_id FROM goal_tasks WHERE verifier_run_id = $1").bind(run).fetch_optional().await
}

/// Resolved participants of a planned task.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Placed {
    pub(crate) parent: Option<GoalTaskId>,
    pub(crate) position: i64,
    pub(crate) assignee: Option<AgentId>,
    pub(crate) verifier: Option<AgentId>,
    pub(crate) status: GoalTaskStatus,
}

pub(crate) async fn insert_task(tx: &mut Tx, goal: &GoalRow, planned: &PlannedTask, at: &Placed) -> Result<GoalTaskId> {
    let (now, node) = (tx.now(), &planned.node);
    tx.query(
        "INSERT INTO goal_tasks
            (goal_id, owner_id, parent_id, position, title, title_key, description, acceptance_criteria, assignee_id,
             billing_code, budget_usd, budget_tokens, spent_usd, spent_tokens, verifier, verifier_id, status, created_at,
             updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, 0, 0, $13, $14, $15, $16, $16)",
    )
    .bind(goal.id)
    .bind(goal.owner_id)
    .bind(at.parent)
    .bind(at.position)
    .bind(node.title.as_str())
    .bind(title_key(&node.title))
    .bind(node.description.as_deref().unwrap_or_default())
    .bind(node.acceptance_criteria.as_deref().unwrap_or_default())
    .bind(at.assignee)
    .bind(node.billing_code.as_deref())
    .bind(planned.budget().micros())
    .bind(node.budget_tokens)
    .bind(node.verifier.as_ref().map_or(VerifierKind::None, |verifier| verifier.kind))
    .bind(at.verifier)
    .bind(at.status)
    .bind(now)
    .insert("id")
    .await
}

pub(crate) async fn insert_dependency(tx: &mut Tx, task: GoalTaskId, on: GoalTaskId) -> Result<()> {
    tx.query("INSERT INTO goal_task_dependencies (task_id, on_id) VALUES ($1, $2) ON CONFLICT DO NOTHING")
        .bind(task)
        .bind(on)
        .execute()
        .await?;
    Ok(())
}

pub(crate) async fn delete_task(tx: &mut Tx, task: GoalTaskId) -> Result<()> {
    tx.query("DELETE FROM goal_tasks WHERE id = $1").bind(task).execute().await?;
    Ok(())
}

/// The number of tasks that a goal has, with cancelled ones, and the largest position.
pub(crate) async fn extent(tx: &mut Tx, goal: GoalId) -> Result<(i64, i64)> {
    tx.query("SELECT count(*), coalesce(max(position), 0) FROM goal_tasks WHERE goal_id = $1")
        .bind(goal)
        .fetch_one()
        .await
}

/// A change of a task; fields that are `None` stay as they are.
#[derive(Debug, Clone, Default)]
pub(crate) struct TaskChange<'a> {
    pub(crate) status: Option<GoalTaskStatus>,
    pub(crate) result: Option<&'a str>,
    pub(crate) note: Option<&'a str>,
}

pub(crate) async fn change_task(tx: &mut Tx, task: GoalTaskId, change: &TaskChange<'_>) -> Result<()> {
    let now = tx.now();
    tx.query(
        "UPDATE goal_tasks
            SET status = coalesce($2, status), result = coalesce($3, result), note = coalesce($4, note), updated_at = $5
          WHERE id = $1",
    )
    .bind(task)
    .bind(change.status)
    .bind(change.result)
    .bind(change.note)
    .bind(now)
    .execute()
    .await?;
    Ok(())
}

/// Gives a task to the agent that claims it, or takes it back.
pub(crate) async fn set_claimant(tx: &mut Tx, task: GoalTaskId, agent: Option<AgentId>) -> Result<()> {
    tx.query("UPDATE goal_tasks SET claimant_id = $2, verifier_run_id = NULL WHERE id = $1")
        .bind(task)
        .bind(agent)
        .execute()
        .await?;
    Ok(())
}

/// Records the run that verifies a task.
pub(crate) async fn set_verifier_run(tx: &mut Tx, task: GoalTaskId, run: Option<RunId>) -> Result<()> {
    tx.query("UPDATE goal_tasks SET verifier_run_id = $2 WHERE id = $1").bind(task).bind(run).execute().await?;
    Ok(())
}

/// The coordinator, the assignees and the claimants of a goal, without those of cancelled tasks and without deleted
/// agents.
pub(crate) async fn agents(tx: &mut Tx, goal: GoalId) -> Result<Vec<AgentId>> {
    let found: Vec<(AgentId,)> = tx
        .query(
            "SELECT p.id
               FROM participants p
              WHERE p.deleted_at IS NULL
                AND p.id IN (SELECT g.coordinator_id FROM goals g WHERE g.id = $1
                              UNION SELECT t.assignee_id FROM goal_tasks t
                                     WHERE t.goal_id = $1 AND t.status <> 'cancelled'
                              UNION SELECT t.claimant_id FROM goal_tasks t
                                     WHERE t.goal_id = $1 AND t.status <> 'cancelled')
              ORDER BY p.id",
        )
        .bind(goal)
        .fetch_all()
        .await?;
    Ok(found.into_iter().map(|(id,)| id).collect())
}

/// Makes the owner the verifier of a task.
pub(crate) async fn set_human_verifier(tx: &mut Tx, task: GoalTaskId) -> Result<()> {
    tx.query("UPDATE goal_tasks SET verifier = 'human', verifier_id = NULL WHERE id = $1").bind(task).execute().await?;
    Ok(())
}
