//! Deleting agents and accounts with everything that ends together with them.

use svc_macros::boxed_futures;
use svc_model::audit::AuditEvent;
use svc_model::events::{AgentChanged, EventBody};

use crate::automation::{cluster, governance, runs, webhooks};
use crate::error::Result;
use crate::identity::agents::{self, Agents};
use crate::identity::audit::{self, NewEntry};
use crate::identity::auth::Caller;
use crate::identity::users::{self, Users};
use crate::identity::{api_keys, oauth, participants, secrets, sessions};
use crate::ids::{AgentId, ParticipantId};
use crate::insight::push;
use crate::knowledge::{goals, secret_requests};
use crate::messaging::{channels, dead_letters, notifications, profiles, saved, scheduled, templates};
use crate::store::db::Tx;

#[boxed_futures]
impl Agents {
    /// Deletes an agent and revokes every credential that acts as it. Its messages stay.
    pub async fn delete(&self, caller: &Caller, name: &str) -> Result<()> {
        caller.require_manager()?;
        self.db
            .write((caller.clone(), name.to_owned()), |tx, (caller, name)| {
                Box::pin(async move {
                    let agent = agents::store::held(tx, agents::reach(caller), name).await?;
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

/// Deletes an agent within a transaction. Returns the number of revoked credentials.
async fn deactivate(tx: &mut Tx, agent: AgentId) -> Result<u64> {
    // The rows of goals are locked before that of an agent.
    goals::release_all_of(tx, agent).await?;
    // A key that is being created for it is either seen here or fails.
    agents::store::hold(tx, agent).await?;
    // A task that it claimed in between.
    goals::release_all_of(tx, agent).await?;
    let participant = ParticipantId(agent.0);
    let keys = api_keys::store::revoke_all_of_agent(tx, agent).await?;
    let grants = oauth::ending::end_grants_of_agent(tx, agent).await?;
    secrets::store::remove_all_of(tx, participant).await?;
    secret_requests::remove_all_of(tx, agent).await?;
    scheduled::remove_all_of(tx, participant).await?;
    webhooks::remove_all_of(tx, agent).await?;
    cluster::remove_all_of(tx, agent).await?;
    runs::end_all_of(tx, agent).await?;
    governance::lift_all_of(tx, agent).await?;
    participants::mark_deleted(tx, participant).await?;
    profiles::remove_all_of(tx, participant).await?;
    let owner = agents::store::owner_of(tx, agent).await?;
    dead_letters::abandon(tx, participant, owner).await?;
    channels::release(tx, participant, ParticipantId(owner.0)).await?;
    let changed = AgentChanged { agent: None, agent_id: Some(agent), owner_id: Some(owner) };
    tx.record(EventBody::AgentDeleted(changed)).await?;
    Ok(keys + grants)
}

#[boxed_futures]
impl Users {
    /// Deletes an account with its logins, keys, tokens, agents and secrets. Its messages stay.
    pub async fn delete(&self, caller: &Caller, username: &str) -> Result<()> {
        caller.require_root()?;
        self.db
            .write((username.to_owned(), caller.clone()), |tx, (username, caller)| {
                Box::pin(end_account(tx, username, caller))
            })
            .await
    }
}

async fn end_account(tx: &mut Tx, username: &str, caller: &Caller) -> Result<()> {
    let user = users::held(tx, username).await?;
    users::keep_an_admin(tx, &user).await?;
    sessions::end_all(tx, user.id, &user.username, caller.visit()).await?;
    goals::end_all_of(tx, user.id).await?;
    for agent in agents::store::ids_of(tx, user.id).await? {
        deactivate(tx, agent).await?;
    }
    let keys = api_keys::store::revoke_all_of_owner(tx, user.id).await?;
    let grants = oauth::ending::end_grants_of_user(tx, user.id).await?;
    let ended = NewEntry::new(AuditEvent::TokenRevoked, caller.visit()).about(user.id, &user.username);
    audit::record(tx, &ended.detail("kind", "user").detail("ended", keys + grants)).await?;
    secrets::store::remove_all_of(tx, ParticipantId(user.id.0)).await?;
    push::store::remove_all_of(tx, user.id).await?;
    saved::remove_all_of(tx, user.id).await?;
    templates::remove_all_of(tx, user.id).await?;
    scheduled::remove_all_of(tx, ParticipantId(user.id.0)).await?;
    users::store::forget_password(tx, user.id).await?;
    participants::mark_deleted(tx, ParticipantId(user.id.0)).await?;
    profiles::remove_all_of(tx, ParticipantId(user.id.0)).await?;
    channels::release_to_an_admin(tx, ParticipantId(user.id.0)).await?;
    // Leaving channels writes some of it.
    notifications::store::remove_all_of(tx, user.id).await?;
    let entry = NewEntry::new(AuditEvent::UserChanged, caller.visit()).about(user.id, &user.username);
    audit::record(tx, &entry.detail("deleted", true)).await
}
