//! The SQL of what goals cost.

use svc_model::goals::{BillingLine, TaskRollup};
use svc_model::governance::usd_of;

use crate::error::Result;
use crate::ids::{AgentId, GoalId, GoalTaskId, RunId, UserId};
use crate::store::db::Tx;
use crate::timestamp::Timestamp;

/// The cost of each task with all tasks below it: each task counts for itself and for all tasks above it.
pub(super) const ROLLUP: &str = "
    WITH RECURSIVE above (id, parent_id, usd, tokens, counts, is_done) AS (
        SELECT t.id, t.parent_id, t.spent_usd, t.spent_tokens,
               CASE WHEN t.status <> 'cancelled' THEN 1 ELSE 0 END, CASE WHEN t.status = 'done' THEN 1 ELSE 0 END
          FROM goal_tasks t
         WHERE t.goal_id = $1
        UNION ALL
        SELECT p.id, p.parent_id, above.usd, above.tokens, above.counts, above.is_done
          FROM above
          JOIN goal_tasks p ON p.id = above.parent_id
    )
    SELECT id, CAST(sum(usd) AS BIGINT) AS usd, CAST(sum(tokens) AS BIGINT) AS tokens,
           CAST(sum(counts) AS BIGINT) AS tasks, CAST(sum(is_done) AS BIGINT) AS done
      FROM above
     GROUP BY id
     ORDER BY id";
/// The cost by billing code; a task without one has that of its parent. What belongs to no task has none.
pub(super) const BILLING: &str = "
    WITH RECURSIVE coded (id, code, usd, tokens) AS (
        SELECT t.id, t.billing_code, t.spent_usd, t.spent_tokens
          FROM goal_tasks t
         WHERE t.goal_id = $1 AND t.parent_id IS NULL
        UNION ALL
        SELECT t.id, coalesce(t.billing_code, coded.code), t.spent_usd, t.spent_tokens
          FROM coded
          JOIN goal_tasks t ON t.parent_id = coded.id
    )
    SELECT code, CAST(sum(usd) AS BIGINT) AS usd, CAST(sum(tokens) AS BIGINT) AS tokens
      FROM (SELECT code, usd, tokens FROM coded
            UNION ALL
            SELECT NULL, s.usd, s.tokens FROM goal_spend s WHERE s.goal_id = $1 AND s.task_id IS NULL) lines
     GROUP BY code
    HAVING sum(usd) > 0 OR sum(tokens) > 0
     ORDER BY 2 DESC, 3 DESC, 1";
/// The cost of the goals of an owner since a time.
pub(super) const USAGE: &str = "
    SELECT g.slug, CAST(count(s.run_id) AS BIGINT) AS runs, CAST(sum(s.usd) AS BIGINT) AS usd,
           CAST(sum(s.tokens) AS BIGINT) AS tokens
      FROM goals g
      JOIN goal_spend s ON s.goal_id = g.id
     WHERE g.owner_id = $1 AND s.created_at >= $2
     GROUP BY g.id, g.slug
     ORDER BY 3 DESC, 1";

/// A cost to be recorded.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NewSpend {
    pub(crate) goal: GoalId,
    pub(crate) task: GoalTaskId,
    pub(crate) agent: Option<AgentId>,
    pub(crate) run: Option<RunId>,
    pub(crate) usd: i64,
    pub(crate) tokens: i64,
}

/// Records a cost at its task and its goal. Returns false, and changes nothing, for a run that was recorded before.
pub(crate) async fn insert_spend(tx: &mut Tx, new: &NewSpend) -> Result<bool> {
    let now = tx.now();
    let inserted = tx
        .query(
            "INSERT INTO goal_spend (goal_id, task_id, agent_id, run_id, usd, tokens, created_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7)
             ON CONFLICT DO NOTHING",
        )
        .bind(new.goal)
        .bind(new.task)
        .bind(new.agent)
        .bind(new.run)
        .bind(new.usd)
        .bind(new.tokens)
        .bind(now)
        .execute()
        .await?;
    if inserted == 0 {
        return Ok(false);
    }
    tx.query("UPDATE goal_tasks SET spent_usd = spent_usd + $2, spent_tokens = spent_tokens + $3 WHERE id = $1")
        .bind(new.task)
        .bind(new.usd)
        .bind(new.tokens)
        .execute()
        .await?;
    tx.query(
        "UPDATE goals SET spent_usd = spent_usd + $2, spent_tokens = spent_tokens + $3, updated_at = $4 WHERE id = $1",
    )
    .bind(new.goal)
    .bind(new.usd)
    .bind(new.tokens)
    .bind(now)
    .execute()
    .await?;
    Ok(true)
}

crate::row! {
    struct RollupRow {
        id: GoalTaskId,
        usd: i64,
        tokens: i64,
        tasks: i64,
        done: i64,
    }
}

/// The cost of each task of a goal with all tasks below it.
pub(crate) async fn rollup(tx: &mut Tx, goal: GoalId) -> Result<Vec<TaskRollup>> {
    let rows: Vec<RollupRow> = tx.query(ROLLUP).bind(goal).fetch_all().await?;
    let shown = |row: RollupRow| {
        let RollupRow { id, usd, tokens, tasks, done } = row;
        TaskRollup { task_id: id, usd: usd_of(usd), tokens, tasks, done }
    };
    Ok(rows.into_iter().map(shown).collect())
}

/// The cost of a goal by billing code, largest first.
pub(crate) async fn billing(tx: &mut Tx, goal: GoalId) -> Result<Vec<BillingLine>> {
    let rows: Vec<(Option<String>, i64, i64)> = tx.query(BILLING).bind(goal).fetch_all().await?;
    Ok(rows.into_iter().map(|(code, usd, tokens)| BillingLine { code, usd: usd_of(usd), tokens }).collect())
}

crate::row! {
    /// The cost of a goal.
    pub(crate) struct UsageRow {
        pub(crate) slug: String,
        pub(crate) runs: i64,
        pub(crate) usd: i64,
        pub(crate) tokens: i64,
    }
}

/// The cost of the goals of an owner since a time, largest first.
pub(crate) async fn usage(tx: &mut Tx, owner: UserId, since: Timestamp) -> Result<Vec<UsageRow>> {
    tx.query(USAGE).bind(owner).bind(since).fetch_all().await
}

crate::row! {
    /// A run that has ended, with its cost.
    pub(crate) struct RunCost {
        pub(crate) agent_id: AgentId,
        pub(crate) started_at: Timestamp,
        pub(crate) ended_at: Timestamp,
        pub(crate) usd: i64,
        pub(crate) tokens: i64,
    }
}

/// A run that has ended, with its cost in microdollars and tokens.
pub(crate) async fn run_cost(tx: &mut Tx, run: RunId) -> Result<Option<RunCost>> {
    tx.query(
        "SELECT r.agent_id, r.started_at, r.ended_at, c.usd, c.tokens
           FROM reactive_runs r
           JOIN run_charges c ON c.run_id = r.id
          WHERE r.id = $1 AND r.started_at IS NOT NULL AND r.ended_at IS NOT NULL AND c.status = 'settled'",
    )
    .bind(run)
    .fetch_optional()
    .await
}
