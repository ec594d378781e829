//! The trust handle and its read operations.

use svc_macros::boxed_futures;
use svc_model::auth::Permission;
use svc_model::trust::{AgentTrust, TrustScore};

use super::{rule, store};
use crate::error::{Error, Result};
use crate::identity::agents;
use crate::identity::auth::Caller;
use crate::ids::ParticipantId;
use crate::store::db::Db;

/// The action types for which channels require trust.
const PUBLIC: [&str; 2] = ["publish", "approve"];

/// Trust in the agents of a hub; see [`Hub::trust`](crate::Hub::trust).
#[derive(Clone)]
pub struct Trust {
    pub(super) db: Db,
}

#[boxed_futures]
impl Trust {
    pub(crate) fn new(db: Db) -> Self {
        Self { db }
    }

    /// The trust scores of an agent. The two action types that channels require are visible to
    /// everybody, because they are shown with each message of the agent. Other action types come
    /// from messages that not everybody can see, and are visible to the agent and its owner only. A
    /// key that is limited to channels can read only the scores of its own agent.
    pub async fn of(&self, caller: &Caller, agent: &str) -> Result<AgentTrust> {
        caller.require(Permission::Read)?;
        let name = agent.strip_prefix('@').unwrap_or(agent).to_ascii_lowercase();
        self.db
            .read((caller.clone(), name), |tx, (caller, name)| {
                Box::pin(async move {
                    let missing = || Error::not_found("agent");
                    let agent = agents::store::find_any(tx, name).await?.ok_or_else(missing)?;
                    if caller.is_limited_to_channels() && caller.participant() != Some(ParticipantId(agent.id.0)) {
                        return Err(missing());
                    }
                    let rows = store::scores(tx, agent.id).await?;
                    let insider =
                        caller.is_root() || caller.owner() == Some(agents::store::owner_of(tx, agent.id).await?);
                    let shown = |row: &store::ScoreRow| insider || PUBLIC.contains(&row.action_type.as_str());
                    let scores = rows.into_iter().filter(shown).map(score).collect();
                    Ok(AgentTrust { agent: agent.name, scores })
                })
            })
            .await
    }
}

fn score(row: store::ScoreRow) -> TrustScore {
    let store::ScoreRow { action_type, score, adjustments, updated_at } = row;
    TrustScore { action_type, score: rule::number(score), adjustments, updated_at }
}
