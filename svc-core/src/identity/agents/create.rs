//! Creation of agents, and rotation of their keys.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use svc_macros::boxed_futures;
use svc_model::agents::{Agent, NewAgent};
use svc_model::audit::AuditEvent;
use svc_model::events::{AgentChanged, EventBody};
use svc_model::participants::ParticipantKind;
use svc_model::users::User;

use super::model::Reach;
use super::service::{Agents, existing, reach};
use super::store;
use crate::error::{Error, Result};
use crate::identity::audit::{self, NewEntry};
use crate::identity::auth::{Actor, Caller, Token, TokenKind};
use crate::identity::participants::{self, NewParticipant};
use crate::identity::{api_keys, users};
use crate::ids::AgentId;
use crate::limits;
use crate::store::db::Tx;
use crate::store::vault::Vault;

/// A created agent with its key, which is shown once.
#[derive(Clone, Serialize, Deserialize)]
pub struct CreatedAgent {
    /// The agent.
    pub agent: Agent,
    /// Its key.
    pub key: String,
}

impl std::fmt::Debug for CreatedAgent {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("CreatedAgent").field("agent", &self.agent.name).finish_non_exhaustive()
    }
}

#[boxed_futures]
impl Agents {
    /// Creates an agent. Its key is in the answer and can never be read again.
    ///
    /// ```
    /// # async fn example(hub: svc_core::Hub, ann: svc_core::Caller) -> svc_core::Result<()> {
    /// use svc_core::prelude::*;
    ///
    /// let created = hub.agents().create(&ann, NewAgent::named("scout")?).await?;
    /// let scout = hub.auth().bearer(&created.key).await?;
    /// assert_eq!(scout.owner_name(), Some("ann"));
    /// # Ok(())
    /// # }
    /// ```
    pub async fn create(&self, caller: &Caller, new: NewAgent) -> Result<CreatedAgent> {
        caller.require_manager()?;
        caller.require_lasting()?;
        let new = NewAgent { settings: new.settings.checked()?, ..new };
        let once = caller.idempotency("agents.create", &new)?;
        let token = Token::mint(TokenKind::AgentKey, self.entropy.as_ref());
        let context = Vault::response_context(once.as_ref());
        let work = Arc::new((caller.clone(), self.vault.clone(), token, context.clone()));
        let sealed = self
            .db
            .write_once(once, new, move |tx, new| {
                let work = work.clone();
                Box::pin(async move {
                    let (caller, vault, token, context) = work.as_ref();
                    let created = create(tx, caller, new, token).await?;
                    // The response is stored for repeated requests, and it contains a key.
                    vault.seal_response(context, &created)
                })
            })
            .await?;
        self.vault.open_response(&context, &sealed.value)
    }

    /// Replaces the key of an agent and returns the new one. The old key is revoked at once.
    pub async fn rotate_key(&self, caller: &Caller, name: &str) -> Result<Token> {
        caller.require_manager()?;
        caller.require_lasting()?;
        let token = Token::mint(TokenKind::AgentKey, self.entropy.as_ref());
        let input = (caller.clone(), name.to_owned(), token.clone());
        self.db
            .write(input, |tx, (caller, name, token)| {
                Box::pin(async move {
                    caller.require_confirmed(tx.now())?;
                    let agent = store::held(tx, reach(caller), name).await?;
                    let owner = users::store::find(tx, &agent.owner).await?;
                    let owner = owner.ok_or_else(|| Error::not_found("agent"))?;
                    if api_keys::store::revoke_agent_key(tx, agent.id).await? > 0 {
                        let ended = NewEntry::new(AuditEvent::TokenRevoked, caller.visit());
                        let ended = ended.about(owner.id, &owner.username).detail("kind", "agent_key");
                        audit::record(tx, &ended.detail("agent", agent.name.as_str())).await?;
                    }
                    // The new key keeps the MCP profile of the old one.
                    let profile = api_keys::store::agent_profile(tx, agent.id).await?.unwrap_or_default();
                    api_keys::store::insert_agent_key(tx, owner.id, agent.id, &agent.name, profile, token).await?;
                    issued(tx, caller, &owner, &agent.name).await
                })
            })
            .await?;
        Ok(token)
    }
}

/// Creates an agent whose settings were checked, within a transaction.
pub(crate) async fn create(tx: &mut Tx, caller: &Caller, new: &NewAgent, token: &Token) -> Result<CreatedAgent> {
    let owner = owner(tx, caller, new).await?;
    if store::count(tx, Reach::Of(owner.id)).await? >= limits::AGENTS_PER_USER {
        return Err(Error::conflict(
            "too_many_agents",
            format!("A user can have {} agents: delete one first.", limits::AGENTS_PER_USER),
        ));
    }
    let name = new.name.as_str();
    let participant = NewParticipant {
        kind: ParticipantKind::Agent,
        handle: name,
        display_name: new.settings.display_name.as_deref().unwrap_or(name),
    };
    let id = participants::insert(tx, participant).await?.ok_or_else(participants::handle_taken)?;
    store::insert(tx, id, owner.id, &new.settings).await?;
    store::note_reactive(tx, AgentId(id.0)).await?;
    let profile = new.settings.mcp_profile.unwrap_or_default();
    api_keys::store::insert_agent_key(tx, owner.id, AgentId(id.0), name, profile, token).await?;
    issued(tx, caller, &owner, name).await?;
    let agent = existing(tx, Reach::All, name).await?;
    let changed = AgentChanged { agent: Some(agent.name.clone()), agent_id: None, owner_id: Some(owner.id) };
    tx.record(EventBody::AgentCreated(changed)).await?;
    Ok(CreatedAgent { agent, key: token.reveal().to_owned() })
}

/// The owner of a new agent: the caller, or the user that an operator names.
async fn owner(tx: &mut Tx, caller: &Caller, new: &NewAgent) -> Result<User> {
    match (caller.actor(), &new.owner) {
        (Actor::User(user), None) => users::store::get(tx, user.id).await?.ok_or_else(|| Error::not_found("user")),
        (Actor::User(_) | Actor::Agent(_), _) => Err(Error::invalid("owner", "cannot be set by a user")),
        (Actor::Root, None) => Err(Error::invalid("owner", "must name the user that the agent belongs to")),
        (Actor::Root, Some(owner)) => users::store::find(tx, owner.as_str())
            .await?
            .ok_or_else(|| Error::invalid("owner", "is not the name of a user")),
    }
}

/// Records in the audit log that a key was issued to an agent.
async fn issued(tx: &mut Tx, caller: &Caller, owner: &User, name: &str) -> Result<()> {
    let entry = NewEntry::new(AuditEvent::TokenIssued, caller.visit()).about(owner.id, &owner.username);
    audit::record(tx, &entry.detail("kind", "agent_key").detail("agent", name)).await
}
