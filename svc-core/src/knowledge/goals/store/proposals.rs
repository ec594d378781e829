//! The SQL of proposed agents.

use svc_model::goals::{Autonomy, NewProposal, Proposal, ProposalStatus, SpawnedAgent};
use svc_model::governance::{micros_of, usd_of};

use super::goals::GoalRow;
use crate::column::Json;
use crate::error::Result;
use crate::ids::{AgentId, GoalId, ParticipantId};
use crate::store::db::Tx;
use crate::timestamp::Timestamp;

crate::row! {
    /// A proposed agent.
    #[derive(Debug, Clone)]
    pub(crate) struct ProposalRow {
        pub(crate) number: i64,
        pub(crate) name: String,
        pub(crate) purpose: String,
        pub(crate) instructions: String,
        pub(crate) tools: Option<Json<Vec<String>>>,
        pub(crate) budget_usd: Option<i64>,
        pub(crate) autonomy: Autonomy,
        pub(crate) proposer_id: AgentId,
        pub(crate) proposer: String,
        pub(crate) depth: u32,
        pub(crate) status: ProposalStatus,
        pub(crate) reason: Option<String>,
        pub(crate) decided_by: Option<String>,
        pub(crate) agent_id: Option<AgentId>,
        pub(crate) is_deleted: bool,
        pub(crate) created_at: Timestamp,
        pub(crate) decided_at: Option<Timestamp>,
    }
}

impl ProposalRow {
    /// The proposal as it is shown.
    pub(crate) fn shown(self) -> Proposal {
        Proposal {
            number: self.number,
            name: self.name,
            purpose: self.purpose,
            instructions: self.instructions,
            tools: self.tools.map(|Json(tools)| tools),
            budget_usd: self.budget_usd.map(usd_of),
            autonomy: self.autonomy,
            proposer: self.proposer,
            depth: self.depth,
            status: self.status,
            reason: self.reason,
            decided_by: self.decided_by,
            created_at: self.created_at,
            decided_at: self.decided_at,
        }
    }

    /// The agent that was made of the proposal.
    pub(crate) fn spawned(&self) -> Option<SpawnedAgent> {
        Some(SpawnedAgent {
            id: self.agent_id?,
            name: self.name.clone(),
            purpose: self.purpose.clone(),
            proposal: self.number,
            proposer: self.proposer.clone(),
            depth: self.depth,
            autonomy: self.autonomy,
            deleted: self.is_deleted,
            created_at: self.decided_at?,
        })
    }
}

macro_rules! select_proposals {
    ($rest:literal) => {
        concat!(
            "SELECT q.number, q.name, q.purpose, q.instructions, q.tools, q.budget_usd, q.autonomy, q.proposer_id,
                    p.handle AS proposer, q.depth, q.status, q.reason, d.handle AS decided_by, q.agent_id,
                    coalesce(a.deleted_at IS NOT NULL, FALSE) AS is_deleted, q.created_at, q.decided_at
               FROM goal_proposals q
               JOIN participants p ON p.id = q.proposer_id
               LEFT JOIN participants d ON d.id = q.decided_by
               LEFT JOIN participants a ON a.id = q.agent_id ",
            $rest
        )
    };
}

pub(super) const LIST: &str = select_proposals!("WHERE q.goal_id = $1 ORDER BY q.number DESC");

/// The proposals of a goal, newest first.
pub(crate) async fn proposals(tx: &mut Tx, goal: GoalId) -> Result<Vec<ProposalRow>> {
    tx.query(LIST).bind(goal).fetch_all().await
}

/// Stores a proposal. Returns its number.
pub(crate) async fn insert_proposal(
    tx: &mut Tx,
    goal: &GoalRow,
    number: i64,
    proposer: AgentId,
    depth: u32,
    new: &NewProposal,
) -> Result<()> {
    let now = tx.now();
    tx.query(
        "INSERT INTO goal_proposals
            (goal_id, number, owner_id, name, purpose, instructions, tools, budget_usd, autonomy, proposer_id, depth,
             status, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 'proposed', $12)",
    )
    .bind(goal.id)
    .bind(number)
    .bind(goal.owner_id)
    .bind(new.name.as_str())
    .bind(new.purpose.as_str())
    .bind(new.instructions.as_deref().unwrap_or_default())
    .bind(new.tools.clone().map(Json))
    .bind(new.budget_usd.map(micros_of))
    .bind(new.autonomy.unwrap_or_default())
    .bind(proposer)
    .bind(depth)
    .bind(now)
    .execute()
    .await?;
    Ok(())
}

/// Records the decision on a proposal.
pub(crate) async fn decide(
    tx: &mut Tx,
    goal: GoalId,
    number: i64,
    by: Option<ParticipantId>,
    decision: Result<AgentId, Option<&str>>,
) -> Result<()> {
    let now = tx.now();
    let (status, agent, reason) = match decision {
        Ok(agent) => (ProposalStatus::Approved, Some(agent), None),
        Err(reason) => (ProposalStatus::Rejected, None, reason),
    };
    tx.query(
        "UPDATE goal_proposals SET status = $3, agent_id = $4, reason = $5, decided_by = $6, decided_at = $7
          WHERE goal_id = $1 AND number = $2",
    )
    .bind(goal)
    .bind(number)
    .bind(status)
    .bind(agent)
    .bind(reason)
    .bind(by)
    .bind(now)
    .execute()
    .await?;
    Ok(())
}

/// The depth and the autonomy of an agent that was proposed; `None` for another one.
pub(crate) async fn spawned(tx: &mut Tx, agent: AgentId) -> Result<Option<(u32, Autonomy)>> {
    tx.query("SELECT depth, autonomy FROM goal_proposals WHERE agent_id = $1").bind(agent).fetch_optional().await
}

/// The tools that an agent may call; `None` for all.
pub(crate) async fn tools_of(tx: &mut Tx, agent: AgentId) -> Result<Option<Vec<String>>> {
    let found: (Option<Json<Vec<String>>>,) =
        tx.query("SELECT tools FROM agents WHERE id = $1").bind(agent).fetch_one().await?;
    Ok(found.0.map(|Json(tools)| tools))
}

/// Limits the tools that an agent may call.
pub(crate) async fn set_tools(tx: &mut Tx, agent: AgentId, tools: Option<Vec<String>>) -> Result<()> {
    tx.query("UPDATE agents SET tools = $2 WHERE id = $1").bind(agent).bind(tools.map(Json)).execute().await?;
    Ok(())
}
