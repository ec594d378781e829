//! The agent service, and helpers of its parts.

use std::sync::Arc;

use svc_macros::boxed_futures;
use svc_model::agents::{Agent, AgentFilter, AgentPage};
use svc_model::auth::Permission;

use super::model::Reach;
use super::store;
use crate::clock::Entropy;
use crate::error::{Error, Result};
use crate::identity::auth::{Actor, Caller};
use crate::identity::users;
use crate::ids::AgentId;
use crate::store::db::{Db, Tx};
use crate::store::vault::Vault;

/// The agents of a hub; see [`Hub::agents`](crate::Hub::agents).
#[derive(Clone)]
pub struct Agents {
    pub(crate) db: Db,
    pub(super) entropy: Arc<dyn Entropy>,
    pub(super) vault: Vault,
}

#[boxed_futures]
impl Agents {
    pub(crate) fn new(db: Db, entropy: Arc<dyn Entropy>, vault: Vault) -> Self {
        Self { db, entropy, vault }
    }

    /// Lists the caller's agents by name; an agent sees itself. A key that is limited to channels sees at
    /// most the agent that it acts as.
    pub async fn list(&self, caller: &Caller, filter: AgentFilter) -> Result<AgentPage> {
        caller.require(Permission::Read)?;
        self.listed(reach(caller), filter).await
    }

    async fn listed(&self, reach: Reach, filter: AgentFilter) -> Result<AgentPage> {
        self.db
            .read((reach, filter), |tx, (reach, filter)| {
                Box::pin(async move {
                    let reach = match (&filter.owner, *reach) {
                        (Some(owner), Reach::All) => Reach::Of(
                            users::store::find(tx, owner.as_str()).await?.ok_or_else(|| Error::not_found("user"))?.id,
                        ),
                        (_, reach) => reach,
                    };
                    let agents = store::list(tx, reach, filter.page).await?;
                    Ok(AgentPage { agents, total: store::count(tx, reach).await? })
                })
            })
            .await
    }

    /// Lists the agents of all users, or of one, by name. For admins.
    pub async fn list_all(&self, caller: &Caller, filter: AgentFilter) -> Result<AgentPage> {
        caller.require_admin()?;
        self.listed(Reach::All, filter).await
    }

    /// Returns one of the caller's agents.
    pub async fn get(&self, caller: &Caller, name: &str) -> Result<Agent> {
        caller.require(Permission::Read)?;
        self.db.read((reach(caller), name.to_owned()), |tx, (reach, name)| Box::pin(existing(tx, *reach, name))).await
    }
}

/// An id that no agent has.
const NO_AGENT: AgentId = AgentId(0);

/// The agents that a caller can access. A key that is limited to channels can access at most its own agent.
pub(crate) fn reach(caller: &Caller) -> Reach {
    match caller.actor() {
        Actor::Root => Reach::All,
        Actor::User(_) if caller.is_limited_to_channels() => Reach::Only(NO_AGENT),
        Actor::User(user) => Reach::Of(user.id),
        Actor::Agent(agent) => Reach::Only(agent.id),
    }
}

pub(crate) async fn existing(tx: &mut Tx, reach: Reach, name: &str) -> Result<Agent> {
    store::find(tx, reach, name).await?.ok_or_else(|| Error::not_found("agent"))
}

/// The agent that a caller names, or the caller itself. Agents that the caller may not access are not found.
pub(crate) async fn named_or_own(tx: &mut Tx, caller: &Caller, name: Option<&str>) -> Result<Agent> {
    let found = match (caller.actor(), name) {
        (Actor::Agent(agent), None) => store::find_any(tx, &agent.name).await?,
        (Actor::Agent(agent), Some(name)) => store::find_any(tx, name).await?.filter(|found| found.id == agent.id),
        (_, None) => return Err(Error::invalid("agent", "must name the agent whose events are sent")),
        (Actor::User(user), Some(name)) => store::find_of(tx, user.id, name).await?,
        (Actor::Root, Some(name)) => store::find_any(tx, name).await?,
    };
    found.ok_or_else(|| Error::not_found("agent"))
}
