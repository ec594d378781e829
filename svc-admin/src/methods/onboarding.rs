//! `agents.config` and `agents.instructions`: onboarding of agents.

use serde::{Deserialize, Serialize};
use svc_core::Result;
use svc_core::onboarding::{Archetype, ClientConfig, ClientKind, ConfigRequest, Transport};

use super::{Method, Server, missing, root};

/// Generates the client configuration of an agent.
pub struct Config;

/// Parameters of [`Config`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConfigParams {
    /// Name of the agent.
    pub name: String,
    /// Transport between client and hub.
    #[serde(default)]
    pub transport: Transport,
    /// The client; by default the format that most clients share.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client: Option<ClientKind>,
    /// URL of the hub; by default the server's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_url: Option<String>,
    /// Whether the key of the agent is rotated and inserted; the old one is revoked at once.
    #[serde(default)]
    pub rotate: bool,
}

impl Method for Config {
    const NAME: &'static str = "agents.config";
    const ABOUT: &'static str = "Generate the client configuration of an agent, optionally with a new key.";
    type Params = ConfigParams;
    type Answer = ClientConfig;

    async fn run(server: &Server, params: ConfigParams) -> Result<ClientConfig> {
        let ConfigParams { name, transport, client, base_url, rotate } = params;
        let request = ConfigRequest { transport, client, base_url, api_key: None };
        let onboarding = server.hub.onboarding();
        // Validated before the old key is revoked.
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

/// Generates the instruction file of an agent.
pub struct Instructions;

/// Parameters of [`Instructions`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InstructionsParams {
    /// Name of the agent.
    pub name: String,
    /// Archetype of the agent.
    #[serde(default)]
    pub archetype: Archetype,
    /// URL of the hub; by default the server's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_url: Option<String>,
}

/// An instruction file.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct InstructionFile {
    /// Name of the agent.
    pub agent: String,
    /// Archetype of the agent.
    pub archetype: Archetype,
    /// The text, in Markdown.
    pub text: String,
}

impl Method for Instructions {
    const NAME: &'static str = "agents.instructions";
    const ABOUT: &'static str = "Generate the instruction file of an agent.";
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
