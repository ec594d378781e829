//! `/api/runs`, `/api/agents/reactive` and `/api/agents/{name}/run`: agents that the hub runs, and what came of it.

use poem_openapi::param::{Path, Query};
use poem_openapi::{Object, OpenApi};
use serde::Deserialize;
use svc_core::harness::{ReportedUsage, RunReport};
use svc_core::ids::RunId;
use svc_core::runs::{NewRun, ReactiveAgents, Run, RunDetails, RunFilter, RunPage, RunPreview, RunStatus};

use super::Chapter;
use super::run_logs::LogText;
use crate::answer::{Answer, Created};
use crate::body::JsonBody;
use crate::error::Problem;
use crate::idempotency::IdempotencyHeader;
use crate::identity::{AnyCaller, ReportingCaller};
use crate::state::AppState;

/// The routes.
pub(crate) struct RunRoutes {
    pub(crate) state: AppState,
}

/// The result of a run.
#[derive(Deserialize, Object)]
#[serde(deny_unknown_fields)]
struct DeliveredResult {
    /// The answer. 32 KiB of it are kept.
    #[serde(default)]
    response: Option<String>,
    /// Why it failed; absent when it did not.
    #[serde(default)]
    error: Option<String>,
    /// The session that the next run of the same conversation can resume.
    #[serde(default)]
    session_id: Option<String>,
    /// What it used.
    #[serde(default)]
    usage: Option<DeliveredUsage>,
    /// The trace of the run at its provider.
    #[serde(default)]
    trace_id: Option<String>,
}

/// Tokens and money that a run used.
#[derive(Deserialize, Object)]
#[serde(deny_unknown_fields)]
struct DeliveredUsage {
    /// Input tokens, with those from a cache.
    #[serde(default)]
    tokens_in: Option<i64>,
    /// Output tokens.
    #[serde(default)]
    tokens_out: Option<i64>,
    /// Input tokens from a cache.
    #[serde(default)]
    tokens_cached: Option<i64>,
    /// Dollars.
    #[serde(default)]
    cost_usd: Option<f64>,
}

impl From<DeliveredResult> for RunReport {
    fn from(result: DeliveredResult) -> Self {
        let DeliveredResult { response, error, session_id, usage, trace_id } = result;
        let usage = usage.map(|DeliveredUsage { tokens_in, tokens_out, tokens_cached, cost_usd }| ReportedUsage {
            tokens_in,
            tokens_out,
            tokens_cached,
            cost_usd,
        });
        Self { response, session_id, usage, trace_id, error }
    }
}

#[OpenApi(tag = "Chapter::Runs")]
impl RunRoutes {
    /// List runs
    ///
    /// Those of your agents, newest first; an agent sees its own. A trigger that started no run is listed too, with the
    /// check that refused it as its status: `quarantined`, `paused`, `depth_exceeded`, `budget_exhausted`,
    /// `cooldown_skipped` or `coalesced`. For example `/api/runs?agent=reviewer&status=failed`. They are kept for 90 days.
    #[oai(path = "/api/runs", method = "get", operation_id = "list_runs")]
    async fn list(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Only runs of this agent.
        agent: Query<Option<String>>,
        /// Only runs with this status.
        status: Query<Option<RunStatus>>,
        /// The `next_cursor` of the previous page.
        cursor: Query<Option<i64>>,
        /// Page size, 1 to 200; default 50.
        limit: Query<Option<i64>>,
    ) -> Result<Answer<RunPage>, Problem> {
        let filter = RunFilter { agent: agent.0, status: status.0, before: cursor.0.map(RunId), limit: limit.0 };
        Ok(Answer(self.state.hub().runs().list(&caller, filter).await?))
    }

    /// Get a run
    ///
    /// With its prompt, its response and what it cost, its agent, the message that started it, and the first message
    /// that the agent sent after that.
    #[oai(path = "/api/runs/:id", method = "get", operation_id = "get_run")]
    async fn get(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Id of the run.
        id: Path<i64>,
    ) -> Result<Answer<RunDetails>, Problem> {
        Ok(Answer(self.state.hub().runs().get(&caller, RunId(id.0)).await?))
    }

    /// Repeat a run
    ///
    /// Starts another run with the same message, and responds with it. The cooldown does not count. 409 while the run
    /// has not ended (`run_open`), while another run of the agent is queued or running (`run_active`), and when the
    /// agent is not reactive, paused, in quarantine or out of budget.
    #[oai(path = "/api/runs/:id/retry", method = "post", operation_id = "retry_run")]
    async fn retry(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Id of the run.
        id: Path<i64>,
        /// A repeated request with the same key gets the first response again, for 24 hours.
        #[oai(name = "Idempotency-Key")]
        idempotency_key: IdempotencyHeader,
    ) -> Result<Created<Run>, Problem> {
        Ok(Created(self.state.hub().runs().retry(&idempotency_key.of(caller)?, RunId(id.0)).await?))
    }

    /// Cancel a run
    ///
    /// A queued run ends at once. A run that is under way is asked to end, and is ended soon; until then its status is
    /// `running`, with `cancel_requested_at`. Its message fails; other messages that it had claimed wait again. 409 when
    /// it has ended (`run_ended`).
    #[oai(path = "/api/runs/:id/cancel", method = "post", operation_id = "cancel_run")]
    async fn cancel(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Id of the run.
        id: Path<i64>,
    ) -> Result<Answer<Run>, Problem> {
        Ok(Answer(self.state.hub().runs().cancel(&caller, RunId(id.0)).await?))
    }

    /// Get the log of a run
    ///
    /// As text: what the run has printed so far, at most 1 MiB. With `follow=true` the response goes on until the run
    /// has ended. Logs are kept for 7 days, after that an excerpt of 16 KiB.
    #[oai(path = "/api/runs/:id/logs", method = "get", operation_id = "get_run_logs")]
    async fn logs(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Id of the run.
        id: Path<i64>,
        /// Whether to wait for what follows.
        follow: Query<Option<bool>>,
    ) -> Result<LogText, Problem> {
        let runs = self.state.hub().runs();
        if follow.0 == Some(true) {
            let log = runs.follow_log(&caller, RunId(id.0)).await?;
            return Ok(LogText::followed(log, &self.state));
        }
        Ok(LogText::known(runs.log(&caller, RunId(id.0)).await?))
    }

    /// Deliver the result of a run
    ///
    /// For a backend that accepted a run with 202: the result, with the credential of the run as the bearer. For example
    /// `{"response": "Done.", "usage": {"tokens_in": 1200, "tokens_out": 80}}`, or `{"error": "no access"}`. 409 when
    /// there is a result already.
    #[oai(path = "/api/runs/:id/result", method = "post", operation_id = "report_run_result")]
    async fn report(
        &self,
        ReportingCaller(caller): ReportingCaller,
        /// Id of the run.
        id: Path<i64>,
        JsonBody(result): JsonBody<DeliveredResult>,
    ) -> Result<Answer<Run>, Problem> {
        Ok(Answer(self.state.hub().runs().report(&caller, RunId(id.0), result.into()).await?))
    }

    /// Run an agent now
    ///
    /// With the messages that wait for it, and with a prompt of your own if you like, for example `{"prompt": "Review
    /// the open pull requests."}`, or `{}`. The cooldown does not count. 409 while a run of the agent is queued or
    /// running (`run_active`), and when it is not reactive, paused, in quarantine or out of budget.
    #[oai(path = "/api/agents/:name/run", method = "post", operation_id = "run_agent")]
    async fn start(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Name of the agent.
        name: Path<String>,
        /// A repeated request with the same key and body gets the first response again, for 24 hours.
        #[oai(name = "Idempotency-Key")]
        idempotency_key: IdempotencyHeader,
        JsonBody(new): JsonBody<NewRun>,
    ) -> Result<Created<Run>, Problem> {
        Ok(Created(self.state.hub().runs().start(&idempotency_key.of(caller)?, &name.0, new).await?))
    }

    /// Preview the prompt of a run
    ///
    /// The prompt that the agent would get if you ran it now, with the messages that wait for it. Nothing is started and
    /// no message is claimed. 409 when the agent has no harness (`harness_missing`). For example `{"prompt": "Review the
    /// open pull requests."}`.
    #[oai(path = "/api/agents/:name/run/preview", method = "post", operation_id = "preview_run")]
    async fn preview(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Name of the agent.
        name: Path<String>,
        JsonBody(new): JsonBody<NewRun>,
    ) -> Result<Answer<RunPreview>, Problem> {
        Ok(Answer(self.state.hub().runs().preview(&caller, &name.0, new).await?))
    }

    /// List reactive agents
    ///
    /// Your agents that the hub runs, by name: their settings, what they do at the moment, the number of runs today, the
    /// end of the cooldown, and whether messages wait. An agent sees itself.
    #[oai(path = "/api/agents/reactive", method = "get", operation_id = "list_reactive_agents")]
    async fn reactive(&self, AnyCaller(caller): AnyCaller) -> Result<Answer<ReactiveAgents>, Problem> {
        Ok(Answer(self.state.hub().runs().reactive(&caller).await?))
    }
}
