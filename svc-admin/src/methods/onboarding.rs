//! `agents.config` and `agents.instructions`: what an agent needs to begin.

use serde::{Deserialize, Serialize};
use svc_core::{Archetype, ClientConfig, ClientKind, ConfigRequest, Result, Transport};

use super::{Method, Server, missing, root};

/// Writes the configuration of an agent's client.
pub struct Config;

/// What [`Config`] takes.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConfigParams {
    /// The agent.
    pub name: String,
    /// How the client reaches the hub.
    #[serde(default)]
    pub transport: Transport,
    /// The client; the form that most of them share when there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client: Option<ClientKind>,
    /// The hub's address; the server's own when there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_url: Option<String>,
    /// Whether the agent gets another key, which is put in; the old one ends at once.
    #[serde(default)]
    pub rotate: bool,
}

impl Method for Config {
    const NAME: &'static str = "agents.config";
    const ABOUT: &'static str = "Writes the configuration of an agent's client, with a new key if asked to.";
    type Params = ConfigParams;
    type Answer = ClientConfig;

    async fn run(server: &Server, params: ConfigParams) -> Result<ClientConfig> {
        let ConfigParams { name, transport, client, base_url, rotate } = params;
        let request = ConfigRequest { transport, client, base_url, api_key: None };
        let onboarding = server.hub.onboarding();
        // What can be refused is refused before the old key has ended.
        let config = match onboarding.mcp_config(&root(), &name, request.clone()).await {
            Ok(config) => config,
            Err(error) => return Err(missing::agent(server, &name, error).await),
        };
        if !rotate {
            return Ok(config);
        }
        let key = server.hub.agents().rotate_key(&root(), &name).await?;
        let request = ConfigRequest { api_key: Some(key.reveal().to_owned()), ..request };
        onboarding.mcp_config(&root(), &name, request).await
    }
}

/// Writes an agent's instruction file.
pub struct Instructions;

/// What [`Instructions`] takes.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InstructionsParams {
    /// The agent.
    pub name: String,
    /// The part that it plays.
    #[serde(default)]
    pub archetype: Archetype,
    /// The hub's address; the server's own when there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_url: Option<String>,
}

/// An instruction file.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct InstructionFile {
    /// The agent.
    pub agent: String,
    /// The part that it plays.
    pub archetype: Archetype,
    /// The text, in Markdown.
    pub text: String,
}

impl Method for Instructions {
    const NAME: &'static str = "agents.instructions";
    const ABOUT: &'static str = "Writes an agent's instruction file.";
    type Params = InstructionsParams;
    type Answer = InstructionFile;

    async fn run(server: &Server, params: InstructionsParams) -> Result<InstructionFile> {
        let InstructionsParams { name, archetype, base_url } = params;
        match server.hub.onboarding().agent_md(&root(), &name, archetype, base_url.as_deref()).await {
            Ok(text) => Ok(InstructionFile { agent: name, archetype, text }),
            Err(error) => Err(missing::agent(server, &name, error).await),
        }
    }
}
