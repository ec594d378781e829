//! `agents.*`: programs that act for humans.

use serde::{Deserialize, Serialize};
use svc_core::Result;
use svc_core::agents::{Agent, AgentFilter, AgentName, AgentPage, AgentSettings, CreatedAgent, NewAgent};
use svc_core::api_keys::McpProfile;
use svc_core::governance::{BudgetUse, Reputation, ReputationFilter};
use svc_core::users::Username;

use super::{Confidential, Deleted, Method, Named, OwnerPaged, Server, missing, root};

/// Creates an agent.
pub struct Create;

/// Parameters of [`Create`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CreateParams {
    /// Its handle.
    pub name: String,
    /// The user who owns it.
    pub owner: String,
    /// Display name; the handle by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub display_name: Option<String>,
    /// Tools that MCP clients with its key see by default; all by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mcp_profile: Option<McpProfile>,
}

impl Method for Create {
    const NAME: &'static str = "agents.create";
    const ABOUT: &'static str = "Create an agent and return its key, which is shown once.";
    type Params = CreateParams;
    type Answer = CreatedAgent;

    async fn run(server: &Server, params: CreateParams) -> Result<CreatedAgent> {
        let name = AgentName::parse("name", &params.name)?;
        let owner = existing_owner(server, &params.owner).await?;
        let settings = AgentSettings {
            display_name: params.display_name,
            mcp_profile: params.mcp_profile,
            ..AgentSettings::default()
        };
        let new = NewAgent { name, owner: Some(owner), settings };
        server.hub.agents().create(&root(), new).await
    }
}

/// Lists agents.
pub struct List;

impl Method for List {
    const NAME: &'static str = "agents.list";
    const ABOUT: &'static str = "List agents by name, of one user or of all.";
    type Params = OwnerPaged;
    type Answer = AgentPage;

    async fn run(server: &Server, params: OwnerPaged) -> Result<AgentPage> {
        let owner = match &params.owner {
            None => None,
            Some(owner) => Some(existing_owner(server, owner).await?),
        };
        server.hub.agents().list(&root(), AgentFilter { owner, page: params.page()? }).await
    }
}

/// Shows one agent.
pub struct Show;

impl Method for Show {
    const NAME: &'static str = "agents.show";
    const ABOUT: &'static str = "Show an agent with all its settings.";
    type Params = Named;
    type Answer = Agent;

    async fn run(server: &Server, params: Named) -> Result<Agent> {
        match server.hub.agents().get(&root(), &params.name).await {
            Ok(agent) => Ok(agent),
            Err(error) => Err(missing::agent(server, &params.name, error).await),
        }
    }
}

/// Updates an agent.
pub struct Update;

/// Parameters of [`Update`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UpdateParams {
    /// Name of the agent.
    pub name: String,
    /// The settings to change; the others are kept.
    pub settings: AgentSettings,
}

impl Method for Update {
    const NAME: &'static str = "agents.update";
    const ABOUT: &'static str = "Update the given settings of an agent.";
    type Params = UpdateParams;
    type Answer = Agent;

    async fn run(server: &Server, params: UpdateParams) -> Result<Agent> {
        update(server, &params.name, params.settings).await
    }
}

/// Rotates the key of an agent.
pub struct RotateKey;

/// An agent's new key, which is shown once.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct RotatedKey {
    /// Name of the agent.
    pub agent: String,
    /// Its key.
    pub key: Confidential,
}

impl Method for RotateKey {
    const NAME: &'static str = "agents.rotate_key";
    const ABOUT: &'static str = "Rotate the key of an agent and return the new one; the old one is revoked at once.";
    type Params = Named;
    type Answer = RotatedKey;

    async fn run(server: &Server, params: Named) -> Result<RotatedKey> {
        match server.hub.agents().rotate_key(&root(), &params.name).await {
            Ok(key) => Ok(RotatedKey { agent: params.name, key: Confidential::new(key.reveal()) }),
            Err(error) => Err(missing::agent(server, &params.name, error).await),
        }
    }
}

/// Pauses an agent.
pub struct Pause;

impl Method for Pause {
    const NAME: &'static str = "agents.pause";
    const ABOUT: &'static str = "Pause an agent: the hub does not run it until it is resumed.";
    type Params = Named;
    type Answer = Agent;

    async fn run(server: &Server, params: Named) -> Result<Agent> {
        update(server, &params.name, AgentSettings { paused: Some(true), ..AgentSettings::default() }).await
    }
}

/// Resumes a paused agent.
pub struct Resume;

impl Method for Resume {
    const NAME: &'static str = "agents.resume";
    const ABOUT: &'static str = "Resume a paused agent.";
    type Params = Named;
    type Answer = Agent;

    async fn run(server: &Server, params: Named) -> Result<Agent> {
        update(server, &params.name, AgentSettings { paused: Some(false), ..AgentSettings::default() }).await
    }
}

/// Lifts an agent's quarantine.
pub struct Unquarantine;

impl Method for Unquarantine {
    const NAME: &'static str = "agents.unquarantine";
    const ABOUT: &'static str = "Lift the quarantine of an agent.";
    type Params = Named;
    type Answer = Agent;

    async fn run(server: &Server, params: Named) -> Result<Agent> {
        update(server, &params.name, AgentSettings { quarantined: Some(false), ..AgentSettings::default() }).await
    }
}

/// Shows the budget of an agent.
pub struct Budget;

impl Method for Budget {
    const NAME: &'static str = "agents.budget";
    const ABOUT: &'static str = "Show the budget of an agent: limits, spent, reserved and forecast.";
    type Params = Named;
    type Answer = BudgetUse;

    async fn run(server: &Server, params: Named) -> Result<BudgetUse> {
        match server.hub.governance().budget(&root(), &params.name).await {
            Ok(budget) => Ok(budget),
            Err(error) => Err(missing::agent(server, &params.name, error).await),
        }
    }
}

/// Shows the reputation of an agent.
pub struct ShowReputation;

impl Method for ShowReputation {
    const NAME: &'static str = "agents.reputation";
    const ABOUT: &'static str = "Show the reputation of an agent with its last entries.";
    type Params = Named;
    type Answer = Reputation;

    async fn run(server: &Server, params: Named) -> Result<Reputation> {
        match server.hub.governance().reputation(&root(), &params.name, ReputationFilter::default()).await {
            Ok(reputation) => Ok(reputation),
            Err(error) => Err(missing::agent(server, &params.name, error).await),
        }
    }
}

/// Deletes an agent permanently.
pub struct Delete;

impl Method for Delete {
    const NAME: &'static str = "agents.delete";
    const ABOUT: &'static str = "Delete an agent permanently, with its keys and secrets; its messages are kept.";
    type Params = Named;
    type Answer = Deleted;

    async fn run(server: &Server, params: Named) -> Result<Deleted> {
        match server.hub.agents().delete(&root(), &params.name).await {
            Ok(()) => Ok(Deleted { deleted: params.name }),
            Err(error) => Err(missing::agent(server, &params.name, error).await),
        }
    }
}

async fn update(server: &Server, name: &str, settings: AgentSettings) -> Result<Agent> {
    match server.hub.agents().update(&root(), name, settings).await {
        Ok(agent) => Ok(agent),
        Err(error) => Err(missing::agent(server, name, error).await),
    }
}

/// The stored name of the owner; an unknown name results in an error with the most similar one.
async fn existing_owner(server: &Server, name: &str) -> Result<Username> {
    match server.hub.users().get(&root(), name).await {
        Ok(user) => user.username.parse(),
        Err(error) => Err(missing::user(server, name, error).await),
    }
}
