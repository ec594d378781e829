//! `agents.*`: programs that act for humans.

use serde::{Deserialize, Serialize};
use svc_core::{
    Agent, AgentFilter, AgentName, AgentPage, AgentSettings, CreatedAgent, McpProfile, NewAgent, Result, Username,
};

use super::{Confidential, Deleted, Method, Named, OwnerPaged, Server, missing, root};

/// Makes an agent.
pub struct Create;

/// What [`Create`] takes.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CreateParams {
    /// Its handle.
    pub name: String,
    /// The user it belongs to.
    pub owner: String,
    /// Its name for people to read; the handle when there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub display_name: Option<String>,
    /// Which tools a client of MCP that comes with its key is shown; all of them when there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mcp_profile: Option<McpProfile>,
}

impl Method for Create {
    const NAME: &'static str = "agents.create";
    const ABOUT: &'static str = "Makes an agent and returns its key, which is shown once.";
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
        server.hub.agents().create(&root(), new, None).await
    }
}

/// Lists agents.
pub struct List;

impl Method for List {
    const NAME: &'static str = "agents.list";
    const ABOUT: &'static str = "Lists agents by name, of one user or of all.";
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
    const ABOUT: &'static str = "Shows an agent with all its settings.";
    type Params = Named;
    type Answer = Agent;

    async fn run(server: &Server, params: Named) -> Result<Agent> {
        match server.hub.agents().get(&root(), &params.name).await {
            Ok(agent) => Ok(agent),
            Err(error) => Err(missing::agent(server, &params.name, error).await),
        }
    }
}

/// Changes an agent.
pub struct Update;

/// What [`Update`] takes.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UpdateParams {
    /// The agent.
    pub name: String,
    /// What is to change; the rest stays.
    pub settings: AgentSettings,
}

impl Method for Update {
    const NAME: &'static str = "agents.update";
    const ABOUT: &'static str = "Changes the settings that are given and leaves the rest.";
    type Params = UpdateParams;
    type Answer = Agent;

    async fn run(server: &Server, params: UpdateParams) -> Result<Agent> {
        update(server, &params.name, params.settings).await
    }
}

/// Gives an agent another key.
pub struct RotateKey;

/// An agent's new key, which is shown once.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct RotatedKey {
    /// The agent.
    pub agent: String,
    /// Its key.
    pub key: Confidential,
}

impl Method for RotateKey {
    const NAME: &'static str = "agents.rotate_key";
    const ABOUT: &'static str = "Gives an agent another key and returns it; the old one ends at once.";
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
    const ABOUT: &'static str = "Pauses an agent: the hub does not run it until it is resumed.";
    type Params = Named;
    type Answer = Agent;

    async fn run(server: &Server, params: Named) -> Result<Agent> {
        update(server, &params.name, AgentSettings { paused: Some(true), ..AgentSettings::default() }).await
    }
}

/// Lets a paused agent go on.
pub struct Resume;

impl Method for Resume {
    const NAME: &'static str = "agents.resume";
    const ABOUT: &'static str = "Lets a paused agent go on.";
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
    const ABOUT: &'static str = "Lifts an agent's quarantine.";
    type Params = Named;
    type Answer = Agent;

    async fn run(server: &Server, params: Named) -> Result<Agent> {
        update(server, &params.name, AgentSettings { quarantined: Some(false), ..AgentSettings::default() }).await
    }
}

/// Ends an agent for good.
pub struct Delete;

impl Method for Delete {
    const NAME: &'static str = "agents.delete";
    const ABOUT: &'static str = "Ends an agent for good, with its keys and secrets; what it wrote stays.";
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

/// The owner's name as it is kept; whoever mistyped it is told the nearest.
async fn existing_owner(server: &Server, name: &str) -> Result<Username> {
    match server.hub.users().get(&root(), name).await {
        Ok(user) => user.username.parse(),
        Err(error) => Err(missing::user(server, name, error).await),
    }
}
