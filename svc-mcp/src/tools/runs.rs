//! Runs of the agent itself: what started them, and what came of them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use svc_core::Timestamp;
use svc_core::ids::{MessageId, RunId};
use svc_core::runs::{HarnessRun, Run, RunFilter, RunStatus};

use crate::answers;
use crate::budget::beginning;
use crate::catalogue::{Answer, Call, Effect, Entry, Outcome};
use svc_core::model::text::neutral;

const ALSO_ID: &[(&str, &str)] = &[("run_id", "id")];
/// Default number of runs in a list.
const SHOWN: i64 = 10;
/// Maximum size of a text of a run, in tokens.
const TEXT: usize = 800;

pub(super) fn tools() -> Vec<Entry> {
    vec![
        Entry::new("list_runs", Effect::Reads, "List your runs, newest first.", list_runs)
            .for_agents()
            .answers::<RunEntries>(),
        Entry::new("get_run", Effect::Reads, "Read your run: cause, answer, cost, error.", get_run)
            .for_agents()
            .also(ALSO_ID)
            .answers::<RunStory>(),
    ]
}

#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Status {
    Queued,
    Running,
    Succeeded,
    Failed,
    Cancelled,
}

impl From<Status> for RunStatus {
    fn from(status: Status) -> Self {
        match status {
            Status::Queued => Self::Queued,
            Status::Running => Self::Running,
            Status::Succeeded => Self::Succeeded,
            Status::Failed => Self::Failed,
            Status::Cancelled => Self::Cancelled,
        }
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ListRuns {
    #[serde(default)]
    status: Option<Status>,
    /// run id
    #[serde(default)]
    #[schemars(range(min = 1))]
    before: Option<i64>,
    /// 1-50; default 10
    #[serde(default)]
    #[schemars(range(min = 1, max = 50))]
    limit: Option<i64>,
}

/// A run as its agent reads it.
#[derive(Serialize, JsonSchema)]
struct RunEntry {
    #[schemars(with = "answers::Id")]
    id: RunId,
    #[schemars(with = "answers::RunStatus")]
    status: RunStatus,
    cause: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<answers::Id>")]
    trigger: Option<MessageId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[schemars(with = "answers::Moment")]
    at: Timestamp,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<answers::Moment>")]
    ended_at: Option<Timestamp>,
}

impl From<Run> for RunEntry {
    fn from(run: Run) -> Self {
        Self {
            id: run.id,
            status: run.status,
            cause: run.cause.as_str(),
            trigger: run.trigger_message_id,
            error: run.error,
            at: run.started_at.unwrap_or(run.created_at),
            ended_at: run.ended_at,
        }
    }
}

#[derive(Serialize, JsonSchema)]
struct RunEntries {
    runs: Vec<RunEntry>,
    /// For the argument `before`, when there are more.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<answers::Id>")]
    next: Option<RunId>,
}

async fn list_runs(call: Call, args: ListRuns) -> Outcome {
    let filter = RunFilter {
        agent: None,
        status: args.status.map(Into::into),
        before: args.before.map(RunId),
        limit: Some(args.limit.unwrap_or(SHOWN)),
    };
    let page = call.hub.runs().list(&call.caller, filter).await?;
    Answer::of(&RunEntries { runs: page.runs.into_iter().map(Into::into).collect(), next: page.next_cursor })
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct GetRun {
    /// run
    #[schemars(range(min = 1))]
    id: i64,
}

/// A run with what came of it.
#[derive(Serialize, JsonSchema)]
struct RunStory {
    #[serde(flatten)]
    run: RunEntry,
    messages: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    response: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error_log: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tokens: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cost_usd: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<answers::Id>")]
    outgoing_message: Option<MessageId>,
}

async fn get_run(call: Call, args: GetRun) -> Outcome {
    let found = call.hub.runs().get(&call.caller, RunId(args.id)).await?;
    let text = |text: String| beginning(&neutral(&text), TEXT).to_owned();
    let (messages, output) = (found.run.messages, found.harness_run);
    let tokens = output.as_ref().and_then(|run: &HarnessRun| Some(run.tokens_in? + run.tokens_out.unwrap_or(0)));
    let cost_usd = output.as_ref().and_then(|run| run.cost_usd);
    let (response, error_log) = output.map_or((None, None), |run| (run.response, run.error_log));
    Answer::of(&RunStory {
        run: found.run.into(),
        messages,
        response: response.map(text),
        error_log: error_log.map(text),
        tokens,
        cost_usd,
        outgoing_message: found.outgoing_message.map(|message| message.id),
    })
}
