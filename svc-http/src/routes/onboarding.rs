//! Onboarding of agents: instruction files, skills, client configurations, a connection test.

use poem::http::{HeaderValue, header};
use poem::{Body, IntoResponse, Request, Response};
use poem_openapi::param::{Path, Query};
use poem_openapi::registry::{MetaMediaType, MetaResponse, MetaResponses, Registry};
use poem_openapi::types::Type;
use poem_openapi::{ApiResponse, OpenApi};
use serde_json::Value;
use svc_core::onboarding::{
    Archetype, ArchetypeList, ClientConfig, ClientKind, ConfigFormat, ConfigRequest, Connection, SkillList, Transport,
};

use super::Chapter;
use crate::answer::Answer;
use crate::error::Problem;
use crate::identity::{self, AnyCaller};
use crate::state::AppState;

/// The routes.
pub(crate) struct OnboardingRoutes {
    pub(crate) state: AppState,
}

#[OpenApi(tag = "Chapter::Onboarding")]
impl OnboardingRoutes {
    /// Download an agent's instruction file
    ///
    /// Markdown for the agent to read first, usually stored as `AGENTS.md`: its identity, its connection, its daily
    /// work and tools, the handling of text by others, the instructions of its archetype, and at the end its own
    /// `agent_md`. For example `GET /api/agents/reviewer/agent-md?archetype=commenter`.
    #[oai(path = "/api/agents/:name/agent-md", method = "get", operation_id = "get_agent_instructions")]
    async fn agent_md(
        &self,
        AnyCaller(caller): AnyCaller,
        request: &Request,
        /// Name of the agent.
        name: Path<String>,
        /// Its archetype; default `custom`.
        archetype: Query<Option<Archetype>>,
    ) -> Result<Markdown, Problem> {
        let (archetype, base_url) = (archetype.0.unwrap_or_default(), identity::issuer(request));
        let text = self.state.hub().onboarding().agent_md(&caller, &name.0, archetype, Some(&base_url)).await?;
        Ok(Markdown { text, filename: "AGENTS.md" })
    }

    /// Get the client configuration of an agent
    ///
    /// Ready to be pasted, with this server's URL. Without `api_key` it names the environment variable
    /// `SVC_AGENT_KEY`, in the client's own notation, and contains no secret. For example `GET
    /// /api/agents/reviewer/mcp-config?transport=stdio` returns `{"mcpServers": {"svc": {"command": "svc-mcp-stdio",
    /// "args": ["--url", "https://hub.example.org"], "env": {"SVC_AGENT_KEY": "${SVC_AGENT_KEY}"}}}}`.
    #[oai(path = "/api/agents/:name/mcp-config", method = "get", operation_id = "get_agent_config")]
    async fn mcp_config(
        &self,
        AnyCaller(caller): AnyCaller,
        request: &Request,
        /// Name of the agent.
        name: Path<String>,
        /// Transport between client and server; default `http`.
        transport: Query<Option<Transport>>,
        /// The client, for its own format; by default the format that most clients share. `codex` is TOML, the others
        /// are JSON.
        client: Query<Option<ClientKind>>,
        /// A key of the agent to insert. URLs are stored in many places: prefer to insert the key yourself.
        api_key: Query<Option<String>>,
    ) -> Result<PastedConfig, Problem> {
        let wanted = ConfigRequest {
            transport: transport.0.unwrap_or_default(),
            client: client.0,
            base_url: Some(identity::issuer(request)),
            api_key: api_key.0,
        };
        Ok(PastedConfig(self.state.hub().onboarding().mcp_config(&caller, &name.0, wanted).await?))
    }

    /// Test the connection of an agent
    ///
    /// Returns when the agent was last seen, on which surface and with which key, and what to do if that was not
    /// within the last five minutes. For example `{"agent": "reviewer", "connected": true, "surface": "mcp", "at":
    /// "2026-11-15T02:00:00.000Z"}`.
    #[oai(path = "/api/agents/:name/connection-test", method = "post", operation_id = "test_agent_connection")]
    async fn connection_test(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Name of the agent.
        name: Path<String>,
    ) -> Result<Answer<Connection>, Problem> {
        Ok(Answer(self.state.hub().onboarding().connection_test(&caller, &name.0).await?))
    }

    /// List archetypes
    ///
    /// Roles of an agent, for its instruction file. For example `{"archetypes": [{"name": "researcher", "title":
    /// "Researcher", "description": "Finds out …"}]}`.
    #[oai(path = "/api/archetypes", method = "get", operation_id = "list_archetypes")]
    #[expect(clippy::unused_async, reason = "the framework takes asynchronous handlers only")]
    async fn archetypes(&self, AnyCaller(caller): AnyCaller) -> Result<Answer<ArchetypeList>, Problem> {
        Ok(Answer(self.state.hub().onboarding().archetypes(&caller)?))
    }

    /// List skills
    ///
    /// Longer instructions that an agent loads on demand. For example `{"skills": [{"name": "task-auction",
    /// "description": "Offer a task …"}]}`.
    #[oai(path = "/api/skills", method = "get", operation_id = "list_skills")]
    #[expect(clippy::unused_async, reason = "the framework takes asynchronous handlers only")]
    async fn skills(&self, AnyCaller(caller): AnyCaller) -> Result<Answer<SkillList>, Problem> {
        Ok(Answer(self.state.hub().onboarding().skills(&caller)?))
    }

    /// Download a skill
    ///
    /// Markdown with its name and description at the top, usually stored as `SKILL.md` in a folder of its name. For
    /// example `GET /api/skills/task-auction`.
    #[oai(path = "/api/skills/:name", method = "get", operation_id = "get_skill")]
    #[expect(clippy::unused_async, reason = "the framework takes asynchronous handlers only")]
    async fn skill(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Name of the skill.
        name: Path<String>,
    ) -> Result<Markdown, Problem> {
        let skill = self.state.hub().onboarding().skill(&caller, &name.0)?;
        Ok(Markdown { text: skill.text.to_owned(), filename: "SKILL.md" })
    }
}

const MARKDOWN: &str = "text/markdown; charset=utf-8";
const JSON: &str = "application/json; charset=utf-8";
const TOML: &str = "application/toml";

/// A downloadable file.
struct Markdown {
    text: String,
    filename: &'static str,
}

impl IntoResponse for Markdown {
    fn into_response(self) -> Response {
        let mut response = Response::builder().content_type(MARKDOWN).body(Body::from(self.text));
        let name = format!("attachment; filename=\"{}\"", self.filename);
        if let Ok(name) = HeaderValue::from_str(&name) {
            response.headers_mut().insert(header::CONTENT_DISPOSITION, name);
        }
        response
    }
}

impl ApiResponse for Markdown {
    fn meta() -> MetaResponses {
        described("The text, as a downloadable file.", vec![(MARKDOWN, String::schema_ref())])
    }

    fn register(_: &mut Registry) {}
}

/// A configuration in the format of its client.
struct PastedConfig(ClientConfig);

impl IntoResponse for PastedConfig {
    fn into_response(self) -> Response {
        let kind = match self.0.format {
            ConfigFormat::Json => JSON,
            ConfigFormat::Toml => TOML,
        };
        Response::builder().content_type(kind).body(Body::from(self.0.text))
    }
}

impl ApiResponse for PastedConfig {
    fn meta() -> MetaResponses {
        described("The configuration.", vec![(JSON, Value::schema_ref()), (TOML, String::schema_ref())])
    }

    fn register(registry: &mut Registry) {
        Value::register(registry);
    }
}

fn described(
    description: &'static str,
    content: Vec<(&'static str, poem_openapi::registry::MetaSchemaRef)>,
) -> MetaResponses {
    let content = content.into_iter().map(|(content_type, schema)| MetaMediaType { content_type, schema }).collect();
    let headers = Vec::new();
    MetaResponses {
        responses: vec![MetaResponse { description, status: Some(200), status_range: None, content, headers }],
    }
}
