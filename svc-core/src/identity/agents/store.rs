//! The SQL of agents.

use svc_model::agents::{Agent, AgentSettings, TriggerMode};
use svc_model::governance::PausedReason;

use super::model::Reach;
use crate::error::{Error, Result};
use crate::ids::{AgentId, ParticipantId, UserId};
use crate::limits;
use crate::names::AgentName;
use crate::page::Page;
use crate::store::db::{Tx, Value};

const FIND: &str = "
    SELECT a.id, p.handle AS name, p.display_name, o.handle AS owner, a.trigger_mode, a.cooldown_seconds,
           a.daily_run_budget, a.budget, a.max_trigger_depth, a.k8s_image, a.harness, a.agent_md, a.pending_work,
           a.quarantined_at, a.paused_at, a.paused_reason,
           (SELECT k.mcp_profile FROM api_keys k WHERE k.agent_id = a.id AND k.kind = 'agent'
             ORDER BY k.id DESC LIMIT 1) AS mcp_profile,
           p.created_at, a.updated_at
      FROM participants p
      JOIN agents a ON a.id = p.id
      JOIN participants o ON o.id = a.owner_id
     WHERE p.handle_key = $1 AND p.deleted_at IS NULL
       AND ($2 IS NULL OR a.owner_id = $2)
       AND ($3 IS NULL OR a.id = $3)";

const LIST: &str = "
    SELECT a.id, p.handle AS name, p.display_name, o.handle AS owner, a.trigger_mode, a.cooldown_seconds,
           a.daily_run_budget, a.budget, a.max_trigger_depth, a.k8s_image, a.harness, a.agent_md, a.pending_work,
           a.quarantined_at, a.paused_at, a.paused_reason,
           (SELECT k.mcp_profile FROM api_keys k WHERE k.agent_id = a.id AND k.kind = 'agent'
             ORDER BY k.id DESC LIMIT 1) AS mcp_profile,
           p.created_at, a.updated_at
      FROM agents a
      JOIN participants p ON p.id = a.id
      JOIN participants o ON o.id = a.owner_id
     WHERE p.deleted_at IS NULL
       AND ($1 IS NULL OR a.owner_id = $1)
       AND ($2 IS NULL OR a.id = $2)
     ORDER BY p.handle_key
     LIMIT $3 OFFSET $4";

const COUNT: &str = "
    SELECT count(*)
      FROM agents a
      JOIN participants p ON p.id = a.id
     WHERE p.deleted_at IS NULL
       AND ($1 IS NULL OR a.owner_id = $1)
       AND ($2 IS NULL OR a.id = $2)";

impl Reach {
    fn owner(self) -> Option<UserId> {
        match self {
            Self::Of(owner) => Some(owner),
            Self::All | Self::Only(_) => None,
        }
    }

    fn agent(self) -> Option<AgentId> {
        match self {
            Self::Only(agent) => Some(agent),
            Self::All | Self::Of(_) => None,
        }
    }
}

pub(crate) async fn find(tx: &mut Tx, reach: Reach, name: &str) -> Result<Option<Agent>> {
    // A text that is not a valid name matches no agent.
    if name.parse::<AgentName>().is_err() {
        return Ok(None);
    }
    tx.query(FIND).bind(name.to_ascii_lowercase()).bind(reach.owner()).bind(reach.agent()).fetch_optional().await
}

/// Finds an active agent of this user by its name.
pub(crate) async fn find_of(tx: &mut Tx, owner: UserId, name: &str) -> Result<Option<Agent>> {
    find(tx, Reach::Of(owner), name).await
}

/// Finds an active agent by its name, whoever owns it.
pub(crate) async fn find_any(tx: &mut Tx, name: &str) -> Result<Option<Agent>> {
    find(tx, Reach::All, name).await
}

pub(super) async fn list(tx: &mut Tx, reach: Reach, page: Page) -> Result<Vec<Agent>> {
    tx.query(LIST).bind(reach.owner()).bind(reach.agent()).bind(page.limit()).bind(page.offset()).fetch_all().await
}

pub(super) async fn count(tx: &mut Tx, reach: Reach) -> Result<i64> {
    tx.query(COUNT).bind(reach.owner()).bind(reach.agent()).fetch_value().await
}

/// The ids of a user's active agents.
pub(crate) async fn ids_of(tx: &mut Tx, owner: UserId) -> Result<Vec<AgentId>> {
    let ids: Vec<(AgentId,)> = tx
        .query(
            "SELECT a.id
               FROM agents a
               JOIN participants p ON p.id = a.id
              WHERE a.owner_id = $1 AND p.deleted_at IS NULL",
        )
        .bind(owner)
        .fetch_all()
        .await?;
    Ok(ids.into_iter().map(|(id,)| id).collect())
}

/// The owner of an agent.
pub(crate) async fn owner_of(tx: &mut Tx, agent: AgentId) -> Result<UserId> {
    tx.query("SELECT owner_id FROM agents WHERE id = $1").bind(agent).fetch_value().await
}

pub(super) async fn insert(tx: &mut Tx, id: ParticipantId, owner: UserId, settings: &AgentSettings) -> Result<()> {
    let now = tx.now();
    tx.query(
        "INSERT INTO agents
            (id, owner_id, trigger_mode, cooldown_seconds, daily_run_budget, max_trigger_depth, k8s_image,
             harness, agent_md, pending_work, paused_at, updated_at, paused_reason, budget)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)",
    )
    .bind(id)
    .bind(owner)
    .bind(settings.trigger_mode.unwrap_or(TriggerMode::Passive))
    .bind(settings.cooldown_seconds.unwrap_or(limits::AGENT_COOLDOWN_SECONDS))
    .bind(settings.daily_run_budget.unwrap_or(limits::AGENT_DAILY_RUNS))
    .bind(settings.max_trigger_depth.unwrap_or(limits::AGENT_TRIGGER_DEPTH))
    .bind(settings.k8s_image.as_deref().filter(|image| !image.is_empty()))
    .bind(harness(settings.harness.as_ref()))
    .bind(settings.agent_md.as_deref().unwrap_or_default())
    .bind(false)
    .bind(settings.paused.unwrap_or(false).then_some(now))
    .bind(now)
    .bind(settings.paused.unwrap_or(false).then_some(PausedReason::Manual))
    .bind(settings.budget.filter(|budget| !budget.is_empty()))
    .execute()
    .await?;
    Ok(())
}

/// Writes all settings of an agent.
pub(super) async fn update(tx: &mut Tx, agent: &Agent) -> Result<()> {
    let now = tx.now();
    tx.query(
        "UPDATE agents
            SET trigger_mode = $2, cooldown_seconds = $3, daily_run_budget = $4, max_trigger_depth = $5,
                k8s_image = $6, harness = $7, agent_md = $8, quarantined_at = $9, paused_at = $10, updated_at = $11,
                paused_reason = $12, budget = $13
          WHERE id = $1",
    )
    .bind(agent.id)
    .bind(agent.trigger_mode)
    .bind(agent.cooldown_seconds)
    .bind(agent.daily_run_budget)
    .bind(agent.max_trigger_depth)
    .bind(agent.k8s_image.as_deref())
    .bind(harness(Some(&agent.harness)))
    .bind(agent.agent_md.as_str())
    .bind(agent.quarantined_at)
    .bind(agent.paused_at)
    .bind(now)
    .bind(agent.paused_reason)
    .bind(agent.budget)
    .execute()
    .await?;
    Ok(())
}

/// Records that the hub runs an agent from now on: messages of the time before start nothing.
pub(super) async fn note_reactive(tx: &mut Tx, agent: AgentId) -> Result<()> {
    tx.query("UPDATE agents SET reactive_after = (SELECT coalesce(max(seq), 0) FROM events) WHERE id = $1")
        .bind(agent)
        .execute()
        .await?;
    Ok(())
}

fn harness(value: Option<&serde_json::Value>) -> Value {
    Value::Json(value.map_or_else(|| "{}".to_owned(), ToString::to_string))
}

/// The agent, locked for this transaction so that concurrent changes are serialized.
pub(crate) async fn held(tx: &mut Tx, reach: Reach, name: &str) -> Result<Agent> {
    let missing = || Error::not_found("agent");
    let agent = find(tx, reach, name).await?.ok_or_else(missing)?;
    hold(tx, agent.id).await?;
    find(tx, reach, name).await?.ok_or_else(missing)
}

/// Locks the row.
pub(crate) async fn hold(tx: &mut Tx, agent: AgentId) -> Result<()> {
    tx.query("UPDATE agents SET updated_at = updated_at WHERE id = $1").bind(agent).execute().await?;
    Ok(())
}
