//! The SQL of claims, and of the runs that are charged to tasks.

use crate::error::Result;
use crate::ids::{AgentId, GoalId, GoalTaskId, RunId};
use crate::store::db::Tx;
use crate::timestamp::Timestamp;

crate::row! {
    /// The claim of a task that has not ended.
    #[derive(Debug, Clone)]
    pub(crate) struct ClaimRow {
        pub(crate) id: i64,
        pub(crate) task_id: GoalTaskId,
        pub(crate) agent_id: AgentId,
        pub(crate) token: String,
        pub(crate) lease_seconds: u32,
        pub(crate) lease_until: Timestamp,
    }
}

pub(super) const ACTIVE: &str = "
    SELECT c.id, c.task_id, c.agent_id, c.token, c.lease_seconds, c.lease_until
      FROM goal_claims c
     WHERE c.task_id = $1 AND c.ended_at IS NULL";
/// Claims whose lease has ended, or that were renewed in the future because the clock was set back.
pub(super) const OVERDUE: &str = "
    SELECT c.task_id, t.goal_id
      FROM goal_claims c
      JOIN goal_tasks t ON t.id = c.task_id
     WHERE c.ended_at IS NULL AND c.lease_until <= $1
     ORDER BY c.lease_until
     LIMIT $2";
/// The last task that an agent had between two times.
pub(super) const DURING: &str = "
    SELECT c.task_id
      FROM goal_claims c
     WHERE c.agent_id = $1 AND c.claimed_at <= $3 AND (c.ended_at IS NULL OR c.ended_at >= $2)
     ORDER BY c.claimed_at DESC
     LIMIT 1";

/// The claim of a task that has not ended.
pub(crate) async fn active_claim(tx: &mut Tx, task: GoalTaskId) -> Result<Option<ClaimRow>> {
    tx.query(ACTIVE).bind(task).fetch_optional().await
}

/// Stores a claim. Returns `None` when the task has one already.
pub(crate) async fn insert_claim(
    tx: &mut Tx,
    task: GoalTaskId,
    agent: AgentId,
    token: &str,
    lease_seconds: u32,
) -> Result<Option<Timestamp>> {
    let now = tx.now();
    let until = now.plus(std::time::Duration::from_secs(lease_seconds.into()));
    let inserted = tx
        .query(
            "INSERT INTO goal_claims (task_id, agent_id, token, lease_seconds, leased_at, lease_until, claimed_at)
             VALUES ($1, $2, $3, $4, $5, $6, $5)
             ON CONFLICT DO NOTHING",
        )
        .bind(task)
        .bind(agent)
        .bind(token)
        .bind(lease_seconds)
        .bind(now)
        .bind(until)
        .execute()
        .await?;
    Ok((inserted == 1).then_some(until))
}

/// Renews the lease of a claim.
pub(crate) async fn renew(tx: &mut Tx, claim: &ClaimRow) -> Result<()> {
    let now = tx.now();
    tx.query("UPDATE goal_claims SET leased_at = $2, lease_until = $3 WHERE id = $1")
        .bind(claim.id)
        .bind(now)
        .bind(now.plus(std::time::Duration::from_secs(claim.lease_seconds.into())))
        .execute()
        .await?;
    Ok(())
}

/// Ends the claim of a task, if it has one.
pub(crate) async fn end_claim(tx: &mut Tx, task: GoalTaskId) -> Result<()> {
    let now = tx.now();
    tx.query("UPDATE goal_claims SET ended_at = $2 WHERE task_id = $1 AND ended_at IS NULL")
        .bind(task)
        .bind(now)
        .execute()
        .await?;
    Ok(())
}

/// Tasks whose lease has ended, with their goals.
pub(crate) async fn overdue(tx: &mut Tx, limit: u32) -> Result<Vec<(GoalTaskId, GoalId)>> {
    let now = tx.now();
    tx.query(OVERDUE).bind(now).bind(limit).fetch_all().await
}

/// Shortens leases that were renewed in the future, because the clock was set back. Returns whether there were any.
pub(crate) async fn shorten(tx: &mut Tx) -> Result<bool> {
    let now = tx.now();
    let changed = tx
        .query(
            "UPDATE goal_claims SET leased_at = $1, lease_until = $1 + lease_seconds * 1000000
              WHERE ended_at IS NULL AND lease_until > $1 + lease_seconds * 1000000",
        )
        .bind(now)
        .execute()
        .await?;
    Ok(changed > 0)
}

/// Whether a lease was renewed in the future, because the clock was set back.
pub(crate) async fn is_any_ahead(tx: &mut Tx) -> Result<bool> {
    let now = tx.now();
    let found: i64 = tx
        .query(
            "SELECT count(*) FROM goal_claims
              WHERE ended_at IS NULL AND lease_until > $1 + lease_seconds * 1000000",
        )
        .bind(now)
        .fetch_value()
        .await?;
    Ok(found > 0)
}

/// Records the task that a run works on; the last one counts.
pub(crate) async fn link_run(tx: &mut Tx, run: RunId, task: GoalTaskId) -> Result<()> {
    tx.query(
        "INSERT INTO goal_task_runs (run_id, task_id) VALUES ($1, $2)
         ON CONFLICT (run_id) DO UPDATE SET task_id = excluded.task_id",
    )
    .bind(run)
    .bind(task)
    .execute()
    .await?;
    Ok(())
}

/// The task that a run works on, if it was recorded.
pub(crate) async fn linked(tx: &mut Tx, run: RunId) -> Result<Option<GoalTaskId>> {
    let found: Option<(GoalTaskId,)> =
        tx.query("SELECT task_id FROM goal_task_runs WHERE run_id = $1").bind(run).fetch_optional().await?;
    Ok(found.map(|(id,)| id))
}

/// The last task that an agent had between two times.
pub(crate) async fn claimed_during(
    tx: &mut Tx,
    agent: AgentId,
    from: Timestamp,
    to: Timestamp,
) -> Result<Option<GoalTaskId>> {
    let found: Option<(GoalTaskId,)> = tx.query(DURING).bind(agent).bind(from).bind(to).fetch_optional().await?;
    Ok(found.map(|(id,)| id))
}
