//! The onboarding handle.

use svc_macros::boxed_futures;
use svc_model::agents::Agent;
use svc_model::auth::Permission;

use super::address::Address;
use super::archetypes::{Archetype, ArchetypeList};
use super::client_config::{self, ClientConfig, ConfigRequest};
use super::connection::{Connection, Contact, connection_state};
use super::skills::{Skill, SkillList};
use super::{agent_md, store};
use crate::automation::runs::Guide;
use crate::error::{Error, ErrorKind, Result};
use crate::identity::agents::{self, Agents};
use crate::identity::auth::{Actor, Auth, Caller};
use crate::insight::traces::Traces;
use crate::store::db::Db;

/// Onboarding material for agents; see [`Hub::onboarding`](crate::Hub::onboarding).
#[derive(Clone)]
pub struct Onboarding {
    db: Db,
    agents: Agents,
    auth: Auth,
    traces: Traces,
    base_url: Option<String>,
}

#[boxed_futures]
impl Onboarding {
    pub(crate) fn new(db: Db, agents: Agents, auth: Auth, traces: Traces, base_url: Option<String>) -> Self {
        Self { db, agents, auth, traces, base_url }
    }

    /// The archetypes of agents.
    pub fn archetypes(&self, caller: &Caller) -> Result<ArchetypeList> {
        caller.require(Permission::Read)?;
        Ok(ArchetypeList::all())
    }

    /// All skills.
    pub fn skills(&self, caller: &Caller) -> Result<SkillList> {
        caller.require(Permission::Read)?;
        Ok(SkillList::all())
    }

    /// A skill by its name.
    pub fn skill(&self, caller: &Caller, name: &str) -> Result<Skill> {
        caller.require(Permission::Read)?;
        Skill::named(name)
    }

    /// The instruction file of one of the caller's agents. `base_url` is the hub's address, if it
    /// differs from the configured one.
    pub async fn agent_md(
        &self,
        caller: &Caller,
        name: &str,
        archetype: Archetype,
        base_url: Option<&str>,
    ) -> Result<String> {
        let agent = self.own_agent(caller, name).await?;
        Ok(agent_md::instructions(&agent, archetype, &self.address(base_url)?))
    }

    /// The configuration of a client that acts as one of the caller's agents.
    pub async fn mcp_config(&self, caller: &Caller, name: &str, request: ConfigRequest) -> Result<ClientConfig> {
        let agent = self.own_agent(caller, name).await?;
        let address = self.address(request.base_url.as_deref())?;
        if let Some(key) = &request.api_key {
            self.check_key(&agent, key).await?;
        }
        client_config::write(request.transport, request.client, &address, request.api_key.as_deref())
    }

    /// The connection state of one of the caller's agents.
    pub async fn connection_test(&self, caller: &Caller, name: &str) -> Result<Connection> {
        let agent = self.own_agent(caller, name).await?;
        self.traces.settle().await;
        let (id, handle) = (agent.id, agent.name.clone());
        let (seen, credential, now) = self
            .db
            .read((id, handle), |tx, (id, handle)| {
                Box::pin(async move {
                    let owner = agents::store::owner_of(tx, *id).await?;
                    let seen = store::last_trace(tx, owner, handle).await?;
                    Ok((seen, store::last_key(tx, *id).await?, tx.now()))
                })
            })
            .await?;
        // An agent that asks about itself is connected, whether it left a trace before or not.
        let here =
            || Contact { surface: Some(caller.visit().surface), at: now, client: caller.visit().kept_user_agent() };
        let seen = if is(caller, &agent) { Some(here()) } else { seen };
        Ok(connection_state(&agent.name, seen, credential, now))
    }

    /// One of the caller's agents. A key that is limited to channels has no access to its owner's
    /// agents, but a key that acts as an agent has access to that one.
    async fn own_agent(&self, caller: &Caller, name: &str) -> Result<Agent> {
        if !matches!(caller.actor(), Actor::Agent(_)) {
            caller.require_direct()?;
        }
        self.agents.get(caller, name).await
    }

    fn address(&self, given: Option<&str>) -> Result<Address> {
        match given.or(self.base_url.as_deref()) {
            Some(address) => Address::parse(address),
            None => Err(Error::invalid("base_url", "is missing: this hub has no configured address, so name it here")),
        }
    }

    /// Checks that a key acts as the agent. Otherwise an unusable key would be noticed only later,
    /// by the user of the configuration.
    async fn check_key(&self, agent: &Agent, key: &str) -> Result<()> {
        let holder = match self.auth.holder(key).await {
            Ok(holder) => holder,
            Err(error) if error.kind() == ErrorKind::Unauthenticated => {
                return Err(Error::invalid("api_key", "must be a valid key: create another one"));
            }
            Err(error) => return Err(error),
        };
        if is(&holder, agent) {
            return Ok(());
        }
        Err(Error::invalid("api_key", format!("must be a key that acts as {}", agent.name)))
    }
}

fn is(caller: &Caller, agent: &Agent) -> bool {
    matches!(caller.actor(), Actor::Agent(actor) if actor.id == agent.id)
}

impl Guide for Onboarding {
    fn instructions(&self, agent: &Agent) -> String {
        match self.address(None) {
            Ok(address) => agent_md::instructions(agent, Archetype::Custom, &address),
            // A hub that does not know its own address cannot tell agents how to reach it.
            Err(_) => agent.agent_md.clone(),
        }
    }

    fn skills(&self) -> Vec<(String, String)> {
        Skill::all().map(|skill| (skill.name.to_owned(), skill.text.to_owned())).to_vec()
    }
}
