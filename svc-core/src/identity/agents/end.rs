//! Deleting an agent.

use serde_json::json;
use svc_macros::boxed_futures;

use super::service::{Agents, reach};
use super::store;
use crate::error::Result;
use crate::identity::api_keys;
use crate::identity::audit::{self, AuditEvent, NewEntry};
use crate::identity::auth::Caller;
use crate::identity::{oauth, participants, secrets, users};
use crate::ids::{AgentId, ParticipantId};
use crate::messaging::{channels, dead_letters};
use crate::store::db::Tx;
use crate::store::events::NewEvent;

#[boxed_futures]
impl Agents {
    /// Deactivates an agent and ends every credential that acts as it. What it wrote stays.
    pub async fn delete(&self, caller: &Caller, name: &str) -> Result<()> {
        caller.require_manager()?;
        self.db
            .write((caller.clone(), name.to_owned()), |tx, (caller, name)| {
                Box::pin(async move {
                    let agent = store::held(tx, reach(caller), name).await?;
                    let owner = users::store::find(tx, &agent.owner).await?;
                    let ended = deactivate(tx, agent.id).await?;
                    let mut entry = NewEntry::by(AuditEvent::TokenRevoked, caller);
                    if let Some(owner) = owner {
                        entry = entry.about(owner.id, &owner.username);
                    }
                    let entry =
                        entry.detail("kind", "agent").detail("agent", agent.name.as_str()).detail("ended", ended);
                    audit::record(tx, &entry).await
                })
            })
            .await
    }
}

/// Ends an agent as part of a unit of work; tells how many credentials ended with it.
pub(crate) async fn deactivate(tx: &mut Tx, agent: AgentId) -> Result<u64> {
    // A key that is being made for it is either seen here or not made any more.
    store::hold(tx, agent).await?;
    let participant = ParticipantId(agent.0);
    let keys = api_keys::store::revoke_all_of_agent(tx, agent).await?;
    let grants = oauth::ending::end_grants_of_agent(tx, agent).await?;
    secrets::store::remove_all_of(tx, participant).await?;
    participants::mark_deleted(tx, participant).await?;
    let owner = store::owner_of(tx, agent).await?;
    dead_letters::abandon(tx, participant, owner).await?;
    channels::release(tx, participant, ParticipantId(owner.0)).await?;
    tx.emit(&NewEvent::new("agent.deleted", &json!({ "agent_id": agent, "owner_id": owner }))?).await?;
    Ok(keys + grants)
}
