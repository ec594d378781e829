//! The SQL of goals themselves.

use svc_model::goals::{Autonomy, Goal, GoalBudget, GoalStatus, NewGoal, Spent, TaskCounts};

use crate::error::Result;
use crate::ids::{AgentId, ChannelId, GoalId, MessageId, UserId};
use crate::limits;
use crate::store::db::Tx;
use crate::timestamp::Timestamp;

/// Added to the key of a stuck goal in lists.
const STUCK_FIRST: i64 = 1 << 50;

crate::row! {
    /// A goal with the names of its participants and the numbers of its tasks.
    #[derive(Debug, Clone)]
    pub(crate) struct GoalRow {
        pub(crate) id: GoalId,
        pub(crate) slug: String,
        pub(crate) title: String,
        pub(crate) description: String,
        pub(crate) status: GoalStatus,
        pub(crate) stuck_reason: Option<String>,
        pub(crate) owner_id: UserId,
        pub(crate) owner: String,
        pub(crate) coordinator_id: Option<AgentId>,
        pub(crate) coordinator: Option<String>,
        pub(crate) channel_id: Option<ChannelId>,
        pub(crate) channel: Option<String>,
        pub(crate) is_archived: bool,
        pub(crate) autonomy: Autonomy,
        pub(crate) budget_usd: Option<i64>,
        pub(crate) budget_tokens: Option<i64>,
        pub(crate) spent_usd: i64,
        pub(crate) spent_tokens: i64,
        pub(crate) warned_at: Option<Timestamp>,
        pub(crate) max_spawn_depth: u32,
        pub(crate) completion_summary: Option<String>,
        pub(crate) completion_message_id: Option<MessageId>,
        pub(crate) list_key: i64,
        pub(crate) created_at: Timestamp,
        pub(crate) updated_at: Timestamp,
        pub(crate) completed_at: Option<Timestamp>,
        pub(crate) total: i64,
        pub(crate) proposed: i64,
        pub(crate) active: i64,
        pub(crate) verifying: i64,
        pub(crate) done: i64,
        pub(crate) failed: i64,
    }
}

impl GoalRow {
    /// The goal as it is shown.
    pub(crate) fn shown(self) -> Goal {
        Goal {
            id: self.id,
            slug: self.slug,
            title: self.title,
            description: self.description,
            status: self.status,
            stuck_reason: self.stuck_reason,
            owner: self.owner,
            coordinator: self.coordinator,
            channel: self.channel,
            autonomy: self.autonomy,
            budget: GoalBudget::stored(self.budget_usd, self.budget_tokens),
            spent: Spent::stored(self.spent_usd, self.spent_tokens),
            task_counts: TaskCounts {
                total: self.total,
                proposed: self.proposed,
                active: self.active,
                verifying: self.verifying,
                done: self.done,
                failed: self.failed,
            },
            max_spawn_depth: self.max_spawn_depth,
            completion_summary: self.completion_summary,
            completion_message_id: self.completion_message_id,
            created_at: self.created_at,
            updated_at: self.updated_at,
            completed_at: self.completed_at,
        }
    }
}

macro_rules! counted {
    ($condition:literal) => {
        concat!("(SELECT count(*) FROM goal_tasks t WHERE t.goal_id = g.id AND ", $condition, ")")
    };
}

macro_rules! select_goals {
    ($rest:literal) => {
        concat!(
            "SELECT g.id, g.slug, g.title, g.description, g.status, g.stuck_reason, g.owner_id, o.handle AS owner,
                    g.coordinator_id, p.handle AS coordinator, g.channel_id, c.name AS channel,
                    c.archived_at IS NOT NULL AS is_archived, g.autonomy, g.budget_usd, g.budget_tokens, g.spent_usd,
                    g.spent_tokens, g.warned_at, g.max_spawn_depth, g.completion_summary, g.completion_message_id,
                    g.list_key, g.created_at, g.updated_at, g.completed_at, ",
            counted!("t.status <> 'cancelled'"),
            " AS total, ",
            counted!("t.status = 'proposed'"),
            " AS proposed, ",
            counted!("t.status IN ('claimed', 'in_progress')"),
            " AS active, ",
            counted!("t.status = 'awaiting_verification'"),
            " AS verifying, ",
            counted!("t.status = 'done'"),
            " AS done, ",
            counted!("t.status = 'failed'"),
            " AS failed
               FROM goals g
               JOIN participants o ON o.id = g.owner_id
               LEFT JOIN participants p ON p.id = g.coordinator_id
               LEFT JOIN channels c ON c.id = g.channel_id ",
            $rest
        )
    };
}

pub(super) const FIND: &str = select_goals!("WHERE g.id = $1 AND ($2 IS NULL OR g.owner_id = $2)");
pub(super) const LIST: &str = select_goals!("WHERE g.list_key < $1 ORDER BY g.list_key DESC LIMIT $2");
pub(super) const LIST_IN: &str =
    select_goals!("WHERE g.status = $3 AND g.list_key < $1 ORDER BY g.list_key DESC LIMIT $2");
pub(super) const LIST_OF_OWNER: &str =
    select_goals!("WHERE g.owner_id = $3 AND g.list_key < $1 ORDER BY g.list_key DESC LIMIT $2");
pub(super) const LIST_OF_OWNER_IN: &str =
    select_goals!("WHERE g.owner_id = $3 AND g.status = $4 AND g.list_key < $1 ORDER BY g.list_key DESC LIMIT $2");

/// A goal of this owner, or of any.
pub(crate) async fn find(tx: &mut Tx, owner: Option<UserId>, id: GoalId) -> Result<Option<GoalRow>> {
    tx.query(FIND).bind(id).bind(owner).fetch_optional().await
}

/// Goals before a key, the largest first.
pub(crate) async fn list(
    tx: &mut Tx,
    owner: Option<UserId>,
    status: Option<GoalStatus>,
    before: i64,
    limit: u32,
) -> Result<Vec<GoalRow>> {
    let text = match (owner, status) {
        (None, None) => LIST,
        (None, Some(_)) => LIST_IN,
        (Some(_), None) => LIST_OF_OWNER,
        (Some(_), Some(_)) => LIST_OF_OWNER_IN,
    };
    let mut query = tx.query(text).bind(before).bind(limit);
    if let Some(owner) = owner {
        query = query.bind(owner);
    }
    if let Some(status) = status {
        query = query.bind(status);
    }
    query.fetch_all().await
}

/// Locks a goal for this transaction.
pub(crate) async fn hold(tx: &mut Tx, id: GoalId) -> Result<()> {
    tx.query("UPDATE goals SET updated_at = updated_at WHERE id = $1").bind(id).execute().await?;
    Ok(())
}

/// The number of goals of an owner that have not ended.
pub(crate) async fn count_open(tx: &mut Tx, owner: UserId) -> Result<i64> {
    tx.query("SELECT count(*) FROM goals WHERE owner_id = $1 AND status IN ('draft', 'active', 'stuck')")
        .bind(owner)
        .fetch_value()
        .await
}

/// The ids of the goals of an owner that have not ended.
pub(crate) async fn open_of(tx: &mut Tx, owner: UserId) -> Result<Vec<GoalId>> {
    let found: Vec<(GoalId,)> = tx
        .query("SELECT id FROM goals WHERE owner_id = $1 AND status IN ('draft', 'active', 'stuck') ORDER BY id")
        .bind(owner)
        .fetch_all()
        .await?;
    Ok(found.into_iter().map(|(id,)| id).collect())
}

/// Stores a goal; `None` if its slug is taken.
pub(crate) async fn insert(
    tx: &mut Tx,
    owner: UserId,
    slug: &str,
    coordinator: Option<AgentId>,
    new: &NewGoal,
) -> Result<Option<GoalId>> {
    let (now, budget) = (tx.now(), new.budget.unwrap_or_default());
    let inserted: Option<(GoalId,)> = tx
        .query(
            "INSERT INTO goals
                (slug, title, description, status, owner_id, coordinator_id, autonomy, budget_usd, budget_tokens,
                 spent_usd, spent_tokens, max_spawn_depth, list_key, created_at, updated_at)
             VALUES ($1, $2, $3, 'draft', $4, $5, $6, $7, $8, 0, 0, $9, 0, $10, $10)
             ON CONFLICT DO NOTHING
             RETURNING id",
        )
        .bind(slug)
        .bind(new.title.as_str())
        .bind(new.description.as_deref().unwrap_or_default())
        .bind(owner)
        .bind(coordinator)
        .bind(new.autonomy.unwrap_or_default())
        .bind(budget.micros())
        .bind(budget.tokens)
        .bind(new.max_spawn_depth.unwrap_or(limits::SPAWN_DEPTH))
        .bind(now)
        .fetch_optional()
        .await?;
    let Some((id,)) = inserted else { return Ok(None) };
    tx.query("UPDATE goals SET list_key = id WHERE id = $1").bind(id).execute().await?;
    Ok(Some(id))
}

pub(crate) async fn set_channel(tx: &mut Tx, id: GoalId, channel: ChannelId) -> Result<()> {
    tx.query("UPDATE goals SET channel_id = $2 WHERE id = $1").bind(id).bind(channel).execute().await?;
    Ok(())
}

/// Writes the fields that an owner can change.
pub(crate) async fn update(tx: &mut Tx, goal: &GoalRow) -> Result<()> {
    let now = tx.now();
    tx.query(
        "UPDATE goals
            SET title = $2, description = $3, budget_usd = $4, budget_tokens = $5, autonomy = $6, coordinator_id = $7,
                warned_at = $8, updated_at = $9
          WHERE id = $1",
    )
    .bind(goal.id)
    .bind(goal.title.as_str())
    .bind(goal.description.as_str())
    .bind(goal.budget_usd)
    .bind(goal.budget_tokens)
    .bind(goal.autonomy)
    .bind(goal.coordinator_id)
    .bind(goal.warned_at)
    .bind(now)
    .execute()
    .await?;
    Ok(())
}

/// Moves a goal to another status. Stuck goals come first in lists.
pub(crate) async fn set_status(tx: &mut Tx, id: GoalId, status: GoalStatus, stuck_reason: Option<&str>) -> Result<()> {
    let now = tx.now();
    tx.query(
        "UPDATE goals
            SET status = $2, stuck_reason = $3, list_key = id + $4, completed_at = $5, updated_at = $6
          WHERE id = $1",
    )
    .bind(id)
    .bind(status)
    .bind(stuck_reason)
    .bind(if status == GoalStatus::Stuck { STUCK_FIRST } else { 0 })
    .bind(status.is_final().then_some(now))
    .bind(now)
    .execute()
    .await?;
    Ok(())
}

/// Records how a goal ended.
pub(crate) async fn set_completion(
    tx: &mut Tx,
    id: GoalId,
    summary: Option<&str>,
    message: Option<MessageId>,
) -> Result<()> {
    tx.query("UPDATE goals SET completion_summary = $2, completion_message_id = $3 WHERE id = $1")
        .bind(id)
        .bind(summary)
        .bind(message)
        .execute()
        .await?;
    Ok(())
}

/// Records that something below a goal changed.
pub(crate) async fn touch(tx: &mut Tx, id: GoalId) -> Result<()> {
    let now = tx.now();
    tx.query("UPDATE goals SET updated_at = $2 WHERE id = $1").bind(id).bind(now).execute().await?;
    Ok(())
}

/// Records that the owner was warned of the budget. Returns whether that is new.
pub(crate) async fn note_warning(tx: &mut Tx, id: GoalId) -> Result<bool> {
    let now = tx.now();
    let changed = tx
        .query("UPDATE goals SET warned_at = $2 WHERE id = $1 AND warned_at IS NULL")
        .bind(id)
        .bind(now)
        .execute()
        .await?;
    Ok(changed == 1)
}

/// The goals that an agent coordinates, has an open task of, or verifies an open task of.
pub(crate) async fn of_agent(tx: &mut Tx, agent: AgentId) -> Result<Vec<GoalId>> {
    let found: Vec<(GoalId,)> = tx
        .query(
            "SELECT id FROM goals WHERE coordinator_id = $1
             UNION SELECT goal_id FROM goal_tasks
                    WHERE assignee_id = $1 AND status NOT IN ('done', 'failed', 'cancelled')
             UNION SELECT goal_id FROM goal_tasks
                    WHERE verifier_id = $1 AND status NOT IN ('done', 'failed', 'cancelled')
             UNION SELECT t.goal_id FROM goal_claims c JOIN goal_tasks t ON t.id = c.task_id
                    WHERE c.agent_id = $1 AND c.ended_at IS NULL
             ORDER BY 1",
        )
        .bind(agent)
        .fetch_all()
        .await?;
    Ok(found.into_iter().map(|(id,)| id).collect())
}

/// Removes an agent from a goal that it coordinates, or whose tasks it was to do or to verify.
pub(crate) async fn forget_agent(tx: &mut Tx, goal: GoalId, agent: AgentId) -> Result<()> {
    for text in [
        "UPDATE goals SET coordinator_id = NULL WHERE id = $1 AND coordinator_id = $2",
        "UPDATE goal_tasks SET assignee_id = NULL
          WHERE goal_id = $1 AND assignee_id = $2 AND status NOT IN ('done', 'failed', 'cancelled')",
        "UPDATE goal_tasks SET verifier_id = NULL,
                verifier = CASE WHEN verifier = 'command' THEN 'human' ELSE verifier END
          WHERE goal_id = $1 AND verifier_id = $2 AND status NOT IN ('done', 'failed', 'cancelled')",
    ] {
        tx.query(text).bind(goal).bind(agent).execute().await?;
    }
    Ok(())
}
