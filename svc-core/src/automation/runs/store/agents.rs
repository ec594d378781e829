//! The SQL of the agents that are run, and of the work that waits for them.

use svc_model::agents::TriggerMode;
use svc_model::runs::RunAgent;

use crate::error::Result;
use crate::ids::{AgentId, EventSeq, UserId};
use crate::store::db::Tx;
use crate::timestamp::Timestamp;

crate::row! {
    /// An agent with what decides about its runs.
    #[derive(Debug, Clone)]
    pub(in crate::automation::runs) struct AgentRow {
        pub(in crate::automation::runs) id: AgentId,
        pub(in crate::automation::runs) name: String,
        pub(in crate::automation::runs) owner_id: UserId,
        pub(in crate::automation::runs) owner: String,
        pub(in crate::automation::runs) trigger_mode: TriggerMode,
        pub(in crate::automation::runs) cooldown_seconds: u32,
        pub(in crate::automation::runs) daily_run_budget: u32,
        pub(in crate::automation::runs) max_trigger_depth: u32,
        pub(in crate::automation::runs) pending_work: bool,
        /// It was deleted, or its owner was deleted or disabled.
        pub(in crate::automation::runs) is_gone: bool,
    }
}

const AGENT: &str = "
    SELECT a.id, p.handle AS name, a.owner_id, o.handle AS owner, a.trigger_mode, a.cooldown_seconds,
           a.daily_run_budget, a.max_trigger_depth, a.pending_work,
           (p.deleted_at IS NOT NULL OR o.deleted_at IS NOT NULL OR u.disabled_at IS NOT NULL) AS is_gone
      FROM agents a
      JOIN participants p ON p.id = a.id
      JOIN participants o ON o.id = a.owner_id
      JOIN users u ON u.id = a.owner_id
     WHERE a.id = $1";

/// Agents whose waiting work is to be looked at.
pub(super) const DUE: &str =
    "SELECT id FROM agents WHERE wake_at IS NOT NULL AND wake_at <= $1 ORDER BY wake_at LIMIT $2";

pub(in crate::automation::runs) async fn agent(tx: &mut Tx, id: AgentId) -> Result<Option<AgentRow>> {
    tx.query(AGENT).bind(id).fetch_optional().await
}

/// Whether the hub runs any agent.
pub(in crate::automation::runs) async fn is_any_reactive(tx: &mut Tx) -> Result<bool> {
    let query = tx.query("SELECT id FROM agents WHERE trigger_mode = 'reactive' LIMIT 1");
    let found: Option<(AgentId,)> = query.fetch_optional().await?;
    Ok(found.is_some())
}

/// Whether a participant is an agent that the hub ran at the time of an event, and runs now.
pub(in crate::automation::runs) async fn is_reactive(tx: &mut Tx, id: AgentId, at: EventSeq) -> Result<bool> {
    let query = tx
        .query("SELECT id FROM agents WHERE id = $1 AND trigger_mode = 'reactive' AND reactive_after < $2")
        .bind(id)
        .bind(at);
    let found: Option<(AgentId,)> = query.fetch_optional().await?;
    Ok(found.is_some())
}

/// Agents whose waiting work is to be looked at now, the longest overdue first.
pub(in crate::automation::runs) async fn due(tx: &mut Tx, limit: u32) -> Result<Vec<AgentId>> {
    let now = tx.now();
    let found: Vec<(AgentId,)> = tx.query(DUE).bind(now).bind(limit).fetch_all().await?;
    Ok(found.into_iter().map(|(id,)| id).collect())
}

/// Records whether work waits for an agent, and when it is looked at.
pub(in crate::automation::runs) async fn set_pending(
    tx: &mut Tx,
    agent: AgentId,
    pending: bool,
    wake_at: Option<Timestamp>,
) -> Result<()> {
    tx.query("UPDATE agents SET pending_work = $2, wake_at = $3 WHERE id = $1")
        .bind(agent)
        .bind(pending)
        .bind(wake_at)
        .execute()
        .await?;
    Ok(())
}

/// Whether an agent of this name was deleted.
pub(in crate::automation::runs) async fn is_deleted(tx: &mut Tx, name: &str) -> Result<bool> {
    let query = tx.query(
        "SELECT a.id
           FROM participants p
           JOIN agents a ON a.id = p.id
          WHERE p.handle_key = $1 AND p.deleted_at IS NOT NULL",
    );
    let found: Option<(AgentId,)> = query.bind(name.to_ascii_lowercase()).fetch_optional().await?;
    Ok(found.is_some())
}

/// Lets the work that waits for an agent be looked at now, if there is any.
pub(in crate::automation::runs) async fn wake(tx: &mut Tx, name: &str) -> Result<()> {
    let now = tx.now();
    tx.query(
        "UPDATE agents SET wake_at = $2
          WHERE id = (SELECT p.id FROM participants p WHERE p.handle_key = $1) AND pending_work",
    )
    .bind(name.to_ascii_lowercase())
    .bind(now)
    .execute()
    .await?;
    Ok(())
}

/// Lets the work that waits be looked at now, of all agents.
pub(in crate::automation::runs) async fn wake_all(tx: &mut Tx) -> Result<()> {
    let now = tx.now();
    tx.query("UPDATE agents SET wake_at = $1 WHERE pending_work AND wake_at > $1").bind(now).execute().await?;
    Ok(())
}

/// The columns of [`RunAgent`] and the conditions that follow.
macro_rules! select_run_agents {
    ($rest:literal) => {
        concat!(
            "SELECT p.handle AS name, p.display_name, o.handle AS owner, a.trigger_mode, a.cooldown_seconds,
                    a.daily_run_budget, a.max_trigger_depth, a.pending_work, a.quarantined_at, a.paused_at
               FROM agents a
               JOIN participants p ON p.id = a.id
               JOIN participants o ON o.id = a.owner_id ",
            $rest
        )
    };
}

pub(in crate::automation::runs) async fn run_agent(tx: &mut Tx, id: AgentId) -> Result<RunAgent> {
    tx.query(select_run_agents!("WHERE a.id = $1")).bind(id).fetch_one().await
}

/// The ids of the reactive agents of an owner, or of one agent, or all, by name.
pub(in crate::automation::runs) async fn reactive(
    tx: &mut Tx,
    owner: Option<UserId>,
    agent: Option<AgentId>,
    limit: u32,
) -> Result<Vec<AgentId>> {
    let found: Vec<(AgentId,)> = tx
        .query(
            "SELECT a.id
               FROM agents a
               JOIN participants p ON p.id = a.id
              WHERE a.trigger_mode = 'reactive' AND p.deleted_at IS NULL
                AND ($1 IS NULL OR a.owner_id = $1) AND ($2 IS NULL OR a.id = $2)
              ORDER BY p.handle_key
              LIMIT $3",
        )
        .bind(owner)
        .bind(agent)
        .bind(limit)
        .fetch_all()
        .await?;
    Ok(found.into_iter().map(|(id,)| id).collect())
}
