//! `/api/agents`: the caller's agents.

use poem_openapi::param::{Path, Query};
use poem_openapi::{Object, OpenApi};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use svc_core::{Agent, AgentFilter, AgentName, AgentPage, AgentSettings, McpProfile, NewAgent, Page, TriggerMode};

use super::Chapter;
use crate::answer::{Answer, Created, NoContent};
use crate::body::JsonBody;
use crate::error::Problem;
use crate::idempotency::IdempotencyHeader;
use crate::identity::AnyCaller;
use crate::state::AppState;

/// The routes.
pub(crate) struct AgentRoutes {
    pub(crate) state: AppState,
}

/// An agent to be made.
#[derive(Deserialize, Object)]
#[serde(deny_unknown_fields)]
struct CreateAgent {
    /// 2 to 63 small letters, digits, `-` and `_`. It is given once and never again.
    name: String,
    /// A name for people to read; the name when absent.
    #[serde(default)]
    display_name: Option<String>,
    /// When the hub runs it; `passive` when absent.
    #[serde(default)]
    trigger_mode: Option<TriggerMode>,
    /// The pause between two of its runs; 600 when absent.
    #[serde(default)]
    cooldown_seconds: Option<u32>,
    /// How many runs it may have per day; 8 when absent.
    #[serde(default)]
    daily_run_budget: Option<u32>,
    /// How deep a chain of triggers may get; 4 when absent.
    #[serde(default)]
    max_trigger_depth: Option<u32>,
    /// The container image that its cluster jobs run.
    #[serde(default)]
    k8s_image: Option<String>,
    /// How it is run: a JSON object.
    #[serde(default)]
    harness: Option<Value>,
    /// Its instruction file.
    #[serde(default)]
    agent_md: Option<String>,
    /// Which tools a client of MCP that comes with its key is shown, unless it asks for others; `full` when absent.
    #[serde(default)]
    mcp_profile: Option<McpProfile>,
}

/// An agent that was made.
#[derive(Serialize, Object)]
struct CreatedAgent {
    /// The agent.
    agent: Agent,
    /// Its key. It is shown this once.
    key: String,
}

/// A key that was made.
#[derive(Serialize, Object)]
struct NewKey {
    /// The key. It is shown this once.
    key: String,
}

#[OpenApi(tag = "Chapter::Agents")]
impl AgentRoutes {
    /// List my agents
    ///
    /// By name. An agent that asks sees itself; a key that is limited to channels at most the agent that it
    /// acts as.
    #[oai(path = "/api/agents", method = "get", operation_id = "list_agents")]
    async fn list(
        &self,
        AnyCaller(caller): AnyCaller,
        /// How many at most, 1 to 200; 50 when absent.
        limit: Query<Option<i64>>,
        /// How many to pass over first.
        offset: Query<Option<i64>>,
    ) -> Result<Answer<AgentPage>, Problem> {
        let filter = AgentFilter { owner: None, page: Page::new(limit.0, offset.0)? };
        Ok(Answer(self.state.hub().agents().list(&caller, filter).await?))
    }

    /// Make an agent
    ///
    /// The answer holds its key, which is shown this once. For example
    /// `{"name": "reviewer", "display_name": "Reviewer"}`.
    #[oai(path = "/api/agents", method = "post", operation_id = "create_agent")]
    async fn create(
        &self,
        AnyCaller(caller): AnyCaller,
        /// The same key with the same body gets the same answer for 24 hours.
        #[oai(name = "Idempotency-Key")]
        idempotency_key: IdempotencyHeader,
        JsonBody(body): JsonBody<CreateAgent>,
    ) -> Result<Created<CreatedAgent>, Problem> {
        let settings = AgentSettings {
            display_name: body.display_name,
            trigger_mode: body.trigger_mode,
            cooldown_seconds: body.cooldown_seconds,
            daily_run_budget: body.daily_run_budget,
            max_trigger_depth: body.max_trigger_depth,
            k8s_image: body.k8s_image,
            harness: body.harness,
            agent_md: body.agent_md,
            paused: None,
            quarantined: None,
            mcp_profile: body.mcp_profile,
        };
        let new = NewAgent { name: AgentName::parse("name", &body.name)?, owner: None, settings };
        let created = self.state.hub().agents().create(&caller, new, idempotency_key.0.as_deref()).await?;
        Ok(Created(CreatedAgent { agent: created.agent, key: created.key }))
    }

    /// Look at one of my agents
    #[oai(path = "/api/agents/:name", method = "get", operation_id = "get_agent")]
    async fn get(
        &self,
        AnyCaller(caller): AnyCaller,
        /// The agent.
        name: Path<String>,
    ) -> Result<Answer<Agent>, Problem> {
        Ok(Answer(self.state.hub().agents().get(&caller, &name.0).await?))
    }

    /// Change one of my agents
    ///
    /// For example `{"display_name": "Chief reviewer", "trigger_mode": "reactive"}`.
    #[oai(path = "/api/agents/:name", method = "patch", operation_id = "update_agent")]
    async fn update(
        &self,
        AnyCaller(caller): AnyCaller,
        /// The agent.
        name: Path<String>,
        JsonBody(settings): JsonBody<AgentSettings>,
    ) -> Result<Answer<Agent>, Problem> {
        Ok(Answer(self.state.hub().agents().update(&caller, &name.0, settings).await?))
    }

    /// Delete one of my agents
    ///
    /// Ends every key and token that acts as it. Its name is never given again.
    #[oai(path = "/api/agents/:name", method = "delete", operation_id = "delete_agent")]
    async fn delete(
        &self,
        AnyCaller(caller): AnyCaller,
        /// The agent.
        name: Path<String>,
    ) -> Result<NoContent, Problem> {
        self.state.hub().agents().delete(&caller, &name.0).await?;
        Ok(NoContent)
    }

    /// Give one of my agents another key
    ///
    /// The old key ends at once. The new one is shown this once. A login that has not given its password
    /// within ten minutes gets 403 `password_required`: see `POST /auth/confirm`.
    #[oai(path = "/api/agents/:name/rotate-key", method = "post", operation_id = "rotate_agent_key")]
    async fn rotate_key(
        &self,
        AnyCaller(caller): AnyCaller,
        /// The agent.
        name: Path<String>,
    ) -> Result<Answer<NewKey>, Problem> {
        let token = self.state.hub().agents().rotate_key(&caller, &name.0).await?;
        Ok(Answer(NewKey { key: token.reveal().to_owned() }))
    }
}
