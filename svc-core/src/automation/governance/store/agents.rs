//! The SQL of what agents may do.

use serde_json::Value;
use svc_model::governance::{Budget, PausedReason};

use crate::error::Result;
use crate::ids::{AgentId, ParticipantId, UserId};
use crate::store::db::{Tx, placeholders};
use crate::timestamp::Timestamp;

crate::row! {
    /// The facts that decide whether an agent may run.
    #[derive(Debug, Clone)]
    pub(crate) struct Governed {
        pub(crate) id: AgentId,
        pub(crate) name: String,
        pub(crate) owner_id: UserId,
        pub(crate) owner: String,
        pub(crate) daily_run_budget: u32,
        pub(crate) budget: Option<Budget>,
        pub(crate) harness: Value,
        pub(crate) quarantined_at: Option<Timestamp>,
        pub(crate) paused_at: Option<Timestamp>,
        pub(crate) paused_reason: Option<PausedReason>,
        pub(crate) created_at: Timestamp,
    }
}

impl Governed {
    /// Why it is paused. A pause from before there were reasons is one of its owner.
    pub(crate) fn pause(&self) -> Option<(Timestamp, PausedReason)> {
        self.paused_at.map(|at| (at, self.paused_reason.unwrap_or(PausedReason::Manual)))
    }

    /// Whether only its budget keeps it from running.
    pub(crate) fn is_out_of_budget(&self) -> bool {
        self.pause().is_some_and(|(_, reason)| reason == PausedReason::Budget)
    }
}

pub(super) const GOVERNED: &str = "
    SELECT a.id, p.handle AS name, a.owner_id, o.handle AS owner, a.daily_run_budget, a.budget, a.harness,
           a.quarantined_at, a.paused_at, a.paused_reason, p.created_at
      FROM agents a
      JOIN participants p ON p.id = a.id
      JOIN participants o ON o.id = a.owner_id
     WHERE a.id = $1 AND p.deleted_at IS NULL";

/// An agent that is not deleted.
pub(crate) async fn governed(tx: &mut Tx, agent: AgentId) -> Result<Option<Governed>> {
    tx.query(GOVERNED).bind(agent).fetch_optional().await
}

/// Quarantines an agent. Returns whether it was not quarantined before.
pub(crate) async fn quarantine(tx: &mut Tx, agent: AgentId) -> Result<bool> {
    let now = tx.now();
    let changed = tx
        .query("UPDATE agents SET quarantined_at = $2, updated_at = $2 WHERE id = $1 AND quarantined_at IS NULL")
        .bind(agent)
        .bind(now);
    Ok(changed.execute().await? == 1)
}

/// Pauses an agent because of its budget. Returns whether it was not paused before.
pub(crate) async fn pause(tx: &mut Tx, agent: AgentId) -> Result<bool> {
    let now = tx.now();
    let changed = tx
        .query(
            "UPDATE agents SET paused_at = $2, paused_reason = 'budget', updated_at = $2
              WHERE id = $1 AND paused_at IS NULL",
        )
        .bind(agent)
        .bind(now);
    Ok(changed.execute().await? == 1)
}

/// Resumes an agent that was paused because of its budget. Returns whether it was.
pub(crate) async fn resume(tx: &mut Tx, agent: AgentId) -> Result<bool> {
    let now = tx.now();
    let changed = tx
        .query(
            "UPDATE agents SET paused_at = NULL, paused_reason = NULL, updated_at = $2
              WHERE id = $1 AND paused_reason = 'budget'",
        )
        .bind(agent)
        .bind(now);
    Ok(changed.execute().await? == 1)
}

pub(super) const OUT_OF_BUDGET: &str =
    "SELECT id FROM agents WHERE paused_reason = 'budget' AND id > $1 ORDER BY id LIMIT $2";

/// The next agents that are paused because of their budgets, after one of them.
pub(crate) async fn out_of_budget(tx: &mut Tx, after: AgentId, limit: u32) -> Result<Vec<AgentId>> {
    let found: Vec<(AgentId,)> = tx.query(OUT_OF_BUDGET).bind(after).bind(limit).fetch_all().await?;
    Ok(found.into_iter().map(|(id,)| id).collect())
}

/// The number of agents that are quarantined, and of those that are paused because of their budgets.
pub(crate) async fn figures(tx: &mut Tx) -> Result<(i64, i64)> {
    let quarantined = tx.query(
        "SELECT count(*) FROM agents a JOIN participants p ON p.id = a.id
          WHERE a.quarantined_at IS NOT NULL AND p.deleted_at IS NULL",
    );
    let quarantined = quarantined.fetch_value().await?;
    let paused = tx.query(
        "SELECT count(*) FROM agents a JOIN participants p ON p.id = a.id
          WHERE a.paused_reason = 'budget' AND p.deleted_at IS NULL",
    );
    Ok((quarantined, paused.fetch_value().await?))
}

/// Whether messages can start anything at all: a run or a delivery.
pub(crate) async fn is_any_listening(tx: &mut Tx) -> Result<bool> {
    let reactive = tx.query("SELECT id FROM agents WHERE trigger_mode = 'reactive' LIMIT 1");
    if reactive.fetch_optional::<(AgentId,)>().await?.is_some() {
        return Ok(true);
    }
    let webhook = tx.query("SELECT agent_id FROM webhooks WHERE enabled LIMIT 1");
    Ok(webhook.fetch_optional::<(AgentId,)>().await?.is_some())
}

/// Those of these participants that are agents.
pub(crate) async fn agents_among(tx: &mut Tx, participants: &[ParticipantId]) -> Result<Vec<AgentId>> {
    if participants.is_empty() {
        return Ok(Vec::new());
    }
    let text = format!("SELECT id FROM agents WHERE id IN ({}) ORDER BY id", placeholders(1, participants.len()));
    let query = participants.iter().fold(tx.query(text), |query, id| query.bind(*id));
    let found: Vec<(AgentId,)> = query.fetch_all().await?;
    Ok(found.into_iter().map(|(id,)| id).collect())
}

/// Whether there is an entry, a charge or a loop from before these times.
pub(crate) async fn is_any_older(
    tx: &mut Tx,
    entries: Timestamp,
    charges: Timestamp,
    loops: Timestamp,
) -> Result<bool> {
    tx.query(
        "SELECT EXISTS (SELECT 1 FROM reputation_entries WHERE created_at < $1)
             OR EXISTS (SELECT 1 FROM run_charges WHERE ended_at IS NOT NULL AND ended_at < $2)
             OR EXISTS (SELECT 1 FROM loops WHERE lifted_at IS NOT NULL AND lifted_at < $3)",
    )
    .bind(entries)
    .bind(charges)
    .bind(loops)
    .fetch_value()
    .await
}
