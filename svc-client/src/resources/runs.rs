//! Runs of agents, and their logs.

use http::Method;
use reqwest::Response;
use serde_json::json;
use svc_model::ids::RunId;
use svc_model::runs::{NewRun, ReactiveAgents, Run, RunDetails, RunPage};

use super::{Query, Result};
use crate::client::Client;
use crate::error::ClientError;

/// The log of a run, followed until the run ends. Opened by [`Client::follow_run_log`].
#[derive(Debug)]
pub struct RunLogStream(Response);

impl RunLogStream {
    /// The next part; `None` at the end of the run, or when the hub stops. A character may be divided between two
    /// parts. Cancelling a call loses nothing.
    pub async fn next(&mut self) -> Result<Option<Vec<u8>>> {
        Ok(self.0.chunk().await.map_err(ClientError::Transport)?.map(Vec::from))
    }
}

impl Client {
    /// Lists runs, newest first; filters are `agent`, `status`, `cursor` and `limit`.
    pub async fn runs(&self, query: Query<'_>) -> Result<RunPage> {
        self.get(&["api", "runs"], query).await
    }

    /// Returns a run.
    pub async fn run(&self, id: RunId) -> Result<RunDetails> {
        self.get(&["api", "runs", &id.to_string()], &[]).await
    }

    /// Follows the log of a run from its beginning.
    pub async fn follow_run_log(&self, id: RunId) -> Result<RunLogStream> {
        let request = self.request(Method::GET, &["api", "runs", &id.to_string(), "logs"], &[("follow", "true")])?;
        self.open(request).await.map(RunLogStream)
    }

    /// Runs an agent now.
    pub async fn start_run(&self, agent: &str, new: &NewRun, idempotency_key: Option<&str>) -> Result<Run> {
        self.change(Method::POST, &["api", "agents", agent, "run"], new, idempotency_key).await
    }

    /// Repeats a run.
    pub async fn retry_run(&self, id: RunId, idempotency_key: Option<&str>) -> Result<Run> {
        self.change(Method::POST, &["api", "runs", &id.to_string(), "retry"], &json!({}), idempotency_key).await
    }

    /// Cancels a run.
    pub async fn cancel_run(&self, id: RunId) -> Result<Run> {
        self.change(Method::POST, &["api", "runs", &id.to_string(), "cancel"], &json!({}), None).await
    }

    /// Lists the caller's agents that the hub runs, and what they do at the moment.
    pub async fn reactive_agents(&self) -> Result<ReactiveAgents> {
        self.get(&["api", "agents", "reactive"], &[]).await
    }
}
