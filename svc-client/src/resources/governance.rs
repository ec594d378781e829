//! Agents, their budgets, and loops between them.

use http::Method;
use serde_json::json;
use svc_model::agents::{Agent, AgentPage, AgentSettings};
use svc_model::governance::{BudgetUse, Loop, LoopList};
use svc_model::ids::LoopId;

use super::{Query, Result};
use crate::client::Client;

impl Client {
    /// Lists the caller's agents.
    pub async fn agents(&self, query: Query<'_>) -> Result<AgentPage> {
        self.get(&["api", "agents"], query).await
    }

    /// Changes an agent. Absent fields stay as they are.
    pub async fn update_agent(&self, name: &str, settings: &AgentSettings) -> Result<Agent> {
        self.change(Method::PATCH, &["api", "agents", name], settings, None).await
    }

    /// Returns the budget of an agent with what is spent.
    pub async fn budget(&self, agent: &str) -> Result<BudgetUse> {
        self.get(&["api", "agents", agent, "budget"], &[]).await
    }

    /// Lists loops between agents; the filter is `held`.
    pub async fn loops(&self, query: Query<'_>) -> Result<LoopList> {
        self.get(&["api", "loops"], query).await
    }

    /// Lifts the hold of a loop.
    pub async fn lift_loop(&self, id: LoopId) -> Result<Loop> {
        self.change(Method::POST, &["api", "loops", &id.to_string(), "lift"], &json!({}), None).await
    }
}
