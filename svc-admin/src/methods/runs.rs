//! `runs.*`: agents that the hub runs.

use serde::{Deserialize, Serialize};
use svc_core::Result;
use svc_core::ids::RunId;
use svc_core::runs::{NewRun, Run, RunDetails, RunFilter, RunPage, RunPreview, RunStatus};

use super::{Method, Server, missing, root};

/// Lists runs.
pub struct List;

/// Parameters of [`List`].
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ListParams {
    /// Only runs of this agent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// Only runs with this status.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<RunStatus>,
    /// Only runs before this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<RunId>,
    /// Page size; default 50.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<i64>,
}

impl Method for List {
    const NAME: &'static str = "runs.list";
    const ABOUT: &'static str = "List runs and triggers that started none, newest first, of one agent or of all.";
    type Params = ListParams;
    type Answer = RunPage;

    async fn run(server: &Server, params: ListParams) -> Result<RunPage> {
        let ListParams { agent, status, before, limit } = params;
        server.hub.runs().list(&root(), RunFilter { agent, status, before, limit }).await
    }
}

/// A run as the only parameter.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunParams {
    /// Its id.
    pub id: RunId,
}

/// Shows a run.
pub struct Show;

impl Method for Show {
    const NAME: &'static str = "runs.show";
    const ABOUT: &'static str = "Show a run with its prompt, its response, its cost and its messages.";
    type Params = RunParams;
    type Answer = RunDetails;

    async fn run(server: &Server, params: RunParams) -> Result<RunDetails> {
        server.hub.runs().get(&root(), params.id).await
    }
}

/// Reads the log of a run.
pub struct Logs;

/// The log of a run.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct LogText {
    /// The run.
    pub id: RunId,
    /// The output of the run.
    pub text: String,
}

impl Method for Logs {
    const NAME: &'static str = "runs.logs";
    const ABOUT: &'static str = "Return the log of a run as far as it is known.";
    type Params = RunParams;
    type Answer = LogText;

    async fn run(server: &Server, params: RunParams) -> Result<LogText> {
        Ok(LogText { id: params.id, text: server.hub.runs().log(&root(), params.id).await? })
    }
}

/// Repeats a run.
pub struct Retry;

impl Method for Retry {
    const NAME: &'static str = "runs.retry";
    const ABOUT: &'static str = "Start another run with the message of a run that has ended.";
    type Params = RunParams;
    type Answer = Run;

    async fn run(server: &Server, params: RunParams) -> Result<Run> {
        server.hub.runs().retry(&root(), params.id).await
    }
}

/// Cancels a run.
pub struct Cancel;

impl Method for Cancel {
    const NAME: &'static str = "runs.cancel";
    const ABOUT: &'static str = "Cancel a run that is queued or running.";
    type Params = RunParams;
    type Answer = Run;

    async fn run(server: &Server, params: RunParams) -> Result<Run> {
        server.hub.runs().cancel(&root(), params.id).await
    }
}

/// Starts a run.
pub struct Start;

/// Parameters of [`Start`] and [`Preview`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StartParams {
    /// The agent.
    pub agent: String,
    /// Prompt of the run, besides the messages that wait.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
}

impl Method for Start {
    const NAME: &'static str = "runs.start";
    const ABOUT: &'static str = "Run an agent now, with the messages that wait for it and an optional prompt.";
    type Params = StartParams;
    type Answer = Run;

    async fn run(server: &Server, params: StartParams) -> Result<Run> {
        match server.hub.runs().start(&root(), &params.agent, NewRun { prompt: params.prompt }).await {
            Ok(run) => Ok(run),
            Err(error) => Err(missing::agent(server, &params.agent, error).await),
        }
    }
}

/// Shows the prompt of a run that is not started.
pub struct Preview;

impl Method for Preview {
    const NAME: &'static str = "runs.preview";
    const ABOUT: &'static str = "Return the prompt that an agent would get if it were run now. Nothing is started.";
    type Params = StartParams;
    type Answer = RunPreview;

    async fn run(server: &Server, params: StartParams) -> Result<RunPreview> {
        match server.hub.runs().preview(&root(), &params.agent, NewRun { prompt: params.prompt }).await {
            Ok(preview) => Ok(preview),
            Err(error) => Err(missing::agent(server, &params.agent, error).await),
        }
    }
}
