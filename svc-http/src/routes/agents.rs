//! `/api/agents`: the caller's agents.

use poem_openapi::param::{Path, Query};
use poem_openapi::{Object, OpenApi};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use svc_core::Page;
use svc_core::agents::{Agent, AgentFilter, AgentName, AgentPage, AgentSettings, NewAgent, TriggerMode};
use svc_core::api_keys::McpProfile;
use svc_core::governance::Budget;

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

/// An agent to create.
#[derive(Deserialize, Object)]
#[serde(deny_unknown_fields)]
struct CreateAgent {
    /// 2 to 63 lower-case letters, digits, `-` and `_`. A name is never reused.
    name: String,
    /// Display name; the name when absent.
    #[serde(default)]
    display_name: Option<String>,
    /// Trigger mode; default `passive`.
    #[serde(default)]
    trigger_mode: Option<TriggerMode>,
    /// Minimum pause between two runs; default 600.
    #[serde(default)]
    cooldown_seconds: Option<u32>,
    /// Maximum number of runs per day; default 8.
    #[serde(default)]
    daily_run_budget: Option<u32>,
    /// Limits of what its runs may cost.
    #[serde(default)]
    budget: Option<Budget>,
    /// Maximum depth of a chain of triggers; default 4.
    #[serde(default)]
    max_trigger_depth: Option<u32>,
    /// Container image of its cluster jobs.
    #[serde(default)]
    k8s_image: Option<String>,
    /// Run configuration: a JSON object.
    #[serde(default)]
    harness: Option<Value>,
    /// Its instruction file.
    #[serde(default)]
    agent_md: Option<String>,
    /// Tools that MCP clients with its key see by default; `full` when absent.
    #[serde(default)]
    mcp_profile: Option<McpProfile>,
}

/// A created agent.
#[derive(Serialize, Object)]
struct CreatedAgent {
    /// The agent.
    agent: Agent,
    /// Its key. It is shown only once.
    key: String,
}

/// A created key.
#[derive(Serialize, Object)]
struct NewKey {
    /// The key. It is shown only once.
    key: String,
}

#[OpenApi(tag = "Chapter::Agents")]
impl AgentRoutes {
    /// List my agents
    ///
    /// Sorted by name. An agent sees itself; a key that is restricted to channels sees at most the agent that it acts
    /// as.
    #[oai(path = "/api/agents", method = "get", operation_id = "list_agents")]
    async fn list(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Page size, 1 to 200; default 50.
        limit: Query<Option<i64>>,
        /// Number of entries to skip.
        offset: Query<Option<i64>>,
    ) -> Result<Answer<AgentPage>, Problem> {
        let filter = AgentFilter { owner: None, page: Page::new(limit.0, offset.0)? };
        Ok(Answer(self.state.hub().agents().list(&caller, filter).await?))
    }

    /// Create an agent
    ///
    /// The response contains its key, which is shown only once. For example `{"name": "reviewer", "display_name":
    /// "Reviewer"}`.
    #[oai(path = "/api/agents", method = "post", operation_id = "create_agent")]
    async fn create(
        &self,
        AnyCaller(caller): AnyCaller,
        /// A repeated request with the same key and body gets the first response again, for 24 hours.
        #[oai(name = "Idempotency-Key")]
        idempotency_key: IdempotencyHeader,
        JsonBody(body): JsonBody<CreateAgent>,
    ) -> Result<Created<CreatedAgent>, Problem> {
        let settings = AgentSettings {
            display_name: body.display_name,
            trigger_mode: body.trigger_mode,
            cooldown_seconds: body.cooldown_seconds,
            daily_run_budget: body.daily_run_budget,
            budget: body.budget,
            max_trigger_depth: body.max_trigger_depth,
            k8s_image: body.k8s_image,
            harness: body.harness,
            agent_md: body.agent_md,
            paused: None,
            quarantined: None,
            mcp_profile: body.mcp_profile,
        };
        let new = NewAgent { name: AgentName::parse("name", &body.name)?, owner: None, settings };
        let created = self.state.hub().agents().create(&idempotency_key.of(caller)?, new).await?;
        Ok(Created(CreatedAgent { agent: created.agent, key: created.key }))
    }

    /// Get an agent
    #[oai(path = "/api/agents/:name", method = "get", operation_id = "get_agent")]
    async fn get(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Name of the agent.
        name: Path<String>,
    ) -> Result<Answer<Agent>, Problem> {
        Ok(Answer(self.state.hub().agents().get(&caller, &name.0).await?))
    }

    /// Update an agent
    ///
    /// For example `{"display_name": "Chief reviewer", "trigger_mode": "reactive"}`, `{"budget": {"usd": 20, "period":
    /// "month"}}` or `{"quarantined": false}`. Resuming an agent whose budget is used up (`{"paused": false}`) adds the
    /// limits once more for this period.
    #[oai(path = "/api/agents/:name", method = "patch", operation_id = "update_agent")]
    async fn update(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Name of the agent.
        name: Path<String>,
        JsonBody(settings): JsonBody<AgentSettings>,
    ) -> Result<Answer<Agent>, Problem> {
        Ok(Answer(self.state.hub().agents().update(&caller, &name.0, settings).await?))
    }

    /// Delete an agent
    ///
    /// Revokes every key and token that acts as it. Its name is never reused.
    #[oai(path = "/api/agents/:name", method = "delete", operation_id = "delete_agent")]
    async fn delete(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Name of the agent.
        name: Path<String>,
    ) -> Result<NoContent, Problem> {
        self.state.hub().agents().delete(&caller, &name.0).await?;
        Ok(NoContent)
    }

    /// Rotate the key of an agent
    ///
    /// The old key is revoked at once. The new one is shown only once. A login session without a password check
    /// within ten minutes gets 403 `password_required`: see `POST /auth/confirm`.
    #[oai(path = "/api/agents/:name/rotate-key", method = "post", operation_id = "rotate_agent_key")]
    async fn rotate_key(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Name of the agent.
        name: Path<String>,
    ) -> Result<Answer<NewKey>, Problem> {
        let token = self.state.hub().agents().rotate_key(&caller, &name.0).await?;
        Ok(Answer(NewKey { key: token.reveal().to_owned() }))
    }
}
