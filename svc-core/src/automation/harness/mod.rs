//! Harnesses: how a run takes place. A harness has no store; a job has everything that it needs.

mod log;
pub(crate) mod prompt;
mod redact;

use std::collections::BTreeMap;

use async_trait::async_trait;
use svc_model::harness::{HarnessSettings, RunFailure, Usage};
use tokio_util::sync::CancellationToken;

use crate::ids::RunId;

pub use log::{LogFollower, LogSink};
pub use prompt::{Heard, PromptInput, messages as prompt_messages, render as render_prompt};

/// What a run is given.
#[derive(Clone)]
pub struct RunJob {
    /// The run.
    pub run: RunId,
    /// The handle of the agent.
    pub agent: String,
    /// How it is run.
    pub settings: HarnessSettings,
    /// The rendered prompt.
    pub prompt: String,
    /// The messages, with their envelopes and claim tokens.
    pub messages: serde_json::Value,
    /// The instruction file.
    pub instructions: String,
    /// Skills: their names and their texts.
    pub skills: Vec<(String, String)>,
    /// The configuration of an MCP client.
    pub mcp_config: serde_json::Value,
    /// Secrets, which become variables of the environment.
    pub secrets: BTreeMap<String, String>,
    /// The credential with which the run acts as its agent.
    pub credential: String,
    /// The address of the hub.
    pub hub_url: Option<String>,
    /// The session of the last run of the same conversation.
    pub session_id: Option<String>,
    /// The depth of its trigger.
    pub depth: u32,
    /// The trace context of its trigger.
    pub traceparent: Option<String>,
}

/// What came of a run.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RunResult {
    /// The answer.
    pub response: Option<String>,
    /// The session that the next run can resume.
    pub session_id: Option<String>,
    /// What it used.
    pub usage: Usage,
    /// The id of its trace.
    pub trace_id: Option<String>,
    /// The exit code of its process.
    pub exit_code: Option<i32>,
}

/// The end of a run.
#[derive(Debug, Clone, PartialEq)]
pub enum RunEnd {
    /// It ended well.
    Succeeded(RunResult),
    /// It failed.
    Failed {
        /// The reason.
        reason: RunFailure,
        /// The end of its error.
        detail: String,
        /// What it reported all the same.
        result: RunResult,
    },
    /// It was cancelled.
    Cancelled,
    /// The result comes later.
    Accepted,
}

impl RunEnd {
    /// A failure before the run could report anything.
    pub fn failed(reason: RunFailure, detail: impl Into<String>) -> Self {
        Self::Failed { reason, detail: detail.into(), result: RunResult::default() }
    }
}

/// Runs agents.
#[async_trait]
pub trait Harness: Send + Sync {
    /// Runs a job to its end.
    async fn run(&self, job: &RunJob, log: &LogSink, cancel: CancellationToken) -> RunEnd;
}

/// A harness that has no backend: every run fails at once.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoBackend;

#[async_trait]
impl Harness for NoBackend {
    async fn run(&self, job: &RunJob, _: &LogSink, _: CancellationToken) -> RunEnd {
        RunEnd::failed(RunFailure::NotStarted, format!("this hub has no backend {}", job.settings.backend))
    }
}
