//! Runs: an agent that the hub started because of a message, on request or again, and what came of it.

use serde::{Deserialize, Serialize};

use crate::agents::TriggerMode;
use crate::error::{Error, Result};
use crate::ids::{MessageId, RunId};
use crate::limits;
use crate::messages::Message;
use crate::timestamp::Timestamp;

/// The status of a run. A trigger that started none has the check that refused it as its status.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", oai(rename_all = "snake_case"))]
pub enum RunStatus {
    /// It waits for a node that has room.
    Queued,
    /// A node runs it.
    Running,
    /// It ended well.
    Succeeded,
    /// It failed.
    Failed,
    /// It was cancelled.
    Cancelled,
    /// Refused: the agent is in quarantine. The message waits until that is lifted.
    Quarantined,
    /// Refused: the agent is paused. The message waits until it is resumed.
    Paused,
    /// Refused: the message is too deep in a chain. It does not start a run later.
    DepthExceeded,
    /// Refused: the budget is spent. The message waits until the period turns.
    BudgetExhausted,
    /// Refused: the last run ended too recently. The message waits.
    CooldownSkipped,
    /// Refused: another run of the agent is queued or running. The message waits until it ends.
    Coalesced,
}

crate::text_enum! {
    RunStatus {
        Queued => "queued",
        Running => "running",
        Succeeded => "succeeded",
        Failed => "failed",
        Cancelled => "cancelled",
        Quarantined => "quarantined",
        Paused => "paused",
        DepthExceeded => "depth_exceeded",
        BudgetExhausted => "budget_exhausted",
        CooldownSkipped => "cooldown_skipped",
        Coalesced => "coalesced",
    }
}

impl RunStatus {
    /// Every status.
    pub const ALL: [Self; 11] = [
        Self::Queued,
        Self::Running,
        Self::Succeeded,
        Self::Failed,
        Self::Cancelled,
        Self::Quarantined,
        Self::Paused,
        Self::DepthExceeded,
        Self::BudgetExhausted,
        Self::CooldownSkipped,
        Self::Coalesced,
    ];

    /// Whether nothing changes it any more.
    pub fn is_final(self) -> bool {
        !matches!(self, Self::Queued | Self::Running)
    }

    /// Whether it is the end of a run, and not a trigger that started none.
    pub fn is_outcome(self) -> bool {
        matches!(self, Self::Succeeded | Self::Failed | Self::Cancelled)
    }
}

/// The cause of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", oai(rename_all = "snake_case"))]
pub enum RunCause {
    /// A message that has just arrived.
    Message,
    /// Messages that had to wait.
    Waiting,
    /// Its owner asked for it.
    Request,
    /// Its owner asked for another run.
    Retry,
    /// An event that a handler turns into a Job of a cluster.
    Event,
}

crate::text_enum! {
    RunCause { Message => "message", Waiting => "waiting", Request => "request", Retry => "retry", Event => "event" }
}

crate::row! {
    /// A run of an agent, or a trigger that started none.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    #[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
    pub struct Run {
        /// Its id.
        pub id: RunId,
        /// The handle of the agent.
        pub agent: String,
        /// Its status.
        pub status: RunStatus,
        /// Its cause.
        pub cause: RunCause,
        /// The message that started it; `null` when there was none, or when it was removed.
        pub trigger_message_id: Option<MessageId>,
        /// The depth of the trigger in a chain of messages.
        pub depth: u32,
        /// The number of messages that it claimed, with its trigger.
        pub messages: u32,
        /// The run that it repeats.
        pub retry_of: Option<RunId>,
        /// Why it failed or was cancelled: a word such as `timeout`, `exit_code` or `interrupted`.
        pub error: Option<String>,
        /// When it was asked to end early.
        pub cancel_requested_at: Option<Timestamp>,
        /// When its trigger was evaluated.
        pub created_at: Timestamp,
        /// When a node began it; `null` when none did.
        pub started_at: Option<Timestamp>,
        /// When it ended; for a refused trigger when that was decided.
        pub ended_at: Option<Timestamp>,
    }
}

crate::row! {
    /// What went into a run and what came out.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    #[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
    pub struct HarnessRun {
        /// The run.
        pub reactive_run_id: RunId,
        /// The backend that ran it.
        pub backend: String,
        /// The rendered prompt, up to 32 KiB.
        pub prompt: String,
        /// Whether the prompt was cut.
        pub prompt_truncated: bool,
        /// The answer, up to 32 KiB.
        pub response: Option<String>,
        /// Whether the answer was cut.
        pub response_truncated: bool,
        /// The session that the next run of the same conversation can resume.
        pub session_id: Option<String>,
        /// Tokens that were read.
        pub tokens_in: Option<i64>,
        /// Tokens that were written.
        pub tokens_out: Option<i64>,
        /// Tokens that were read from a cache.
        pub tokens_cached: Option<i64>,
        /// The cost in US dollars.
        pub cost_usd: Option<f64>,
        /// Whether the cost was computed from tokens and prices, because the tool reported none.
        pub cost_imputed: bool,
        /// The exit code of the process.
        pub exit_code: Option<i64>,
        /// The trace of the run at its provider.
        pub trace_id: Option<String>,
        /// The beginning and the end of the log, up to 16 KiB.
        pub logs_excerpt: Option<String>,
        /// Why it failed, up to 16 KiB.
        pub error_log: Option<String>,
    }
}

crate::row! {
    /// The agent of a run, with the settings that decide about runs.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    #[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
    pub struct RunAgent {
        /// Its handle.
        pub name: String,
        /// Its display name.
        pub display_name: String,
        /// The handle of its owner.
        pub owner: String,
        /// The condition under which the hub runs it.
        pub trigger_mode: TriggerMode,
        /// The pause between two of its runs, in seconds.
        pub cooldown_seconds: u32,
        /// The maximum number of runs per day.
        pub daily_run_budget: u32,
        /// The maximum depth of a chain of triggers in which it is run.
        pub max_trigger_depth: u32,
        /// Whether work is pending for its next run.
        pub pending_work: bool,
        /// When it was quarantined; `null` when it is not.
        pub quarantined_at: Option<Timestamp>,
        /// When it was paused; `null` when it is not.
        pub paused_at: Option<Timestamp>,
    }
}

/// A run with everything that belongs to its story.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct RunDetails {
    /// The run.
    pub run: Run,
    /// What went in and what came out; `null` until a node begins it.
    pub harness_run: Option<HarnessRun>,
    /// The agent as it is now.
    pub agent: RunAgent,
    /// The message that started it, if you may see it.
    pub trigger_message: Option<Message>,
    /// The first message that the agent sent after the run had started, if you may see it.
    pub outgoing_message: Option<Message>,
}

/// A page of runs, newest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct RunPage {
    /// The runs.
    pub runs: Vec<Run>,
    /// The `cursor` of the next page; `null` on the last one.
    pub next_cursor: Option<RunId>,
}

/// The filter of a list of runs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RunFilter {
    /// Only runs of this agent.
    pub agent: Option<String>,
    /// Only runs with this status.
    pub status: Option<RunStatus>,
    /// Only runs before this one.
    pub before: Option<RunId>,
    /// Page size.
    pub limit: Option<i64>,
}

/// The request to run an agent now.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
#[serde(deny_unknown_fields)]
pub struct NewRun {
    /// What the agent is asked to do, besides the messages that wait for it: up to 16 KiB.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
}

/// The prompt that a run of an agent would get now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct RunPreview {
    /// The prompt.
    pub prompt: String,
    /// The number of messages that the run would claim.
    pub message_count: u32,
}

impl NewRun {
    /// Checks and trims the prompt. An empty one is none.
    pub fn checked(self) -> Result<Self> {
        let prompt = self.prompt.map(|prompt| prompt.trim().to_owned()).filter(|prompt| !prompt.is_empty());
        if prompt.as_ref().is_some_and(|prompt| prompt.len() > limits::RUN_REQUEST_MAX || prompt.contains('\0')) {
            let most = limits::RUN_REQUEST_MAX;
            return Err(Error::invalid("prompt", format!("must be at most {most} bytes, without NUL")));
        }
        Ok(Self { prompt })
    }
}

/// What a reactive agent does at the moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", oai(rename_all = "snake_case"))]
pub enum ReactiveState {
    /// It waits for messages.
    Idle,
    /// Its run waits for a node that has room.
    Queued,
    /// It runs.
    Running,
    /// It rests after its last run.
    Cooldown,
    /// Its budget is spent.
    BudgetExhausted,
    /// It is paused.
    Paused,
    /// It is in quarantine.
    Quarantined,
}

/// A reactive agent, and when it can run next.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct ReactiveAgent {
    /// The agent and its settings.
    pub agent: RunAgent,
    /// What it does at the moment.
    pub state: ReactiveState,
    /// The number of runs that were begun today, in UTC.
    pub runs_today: u32,
    /// When its cooldown ends; `null` when it has none.
    pub cooldown_until: Option<Timestamp>,
    /// Whether messages wait for its next run.
    pub pending_work: bool,
    /// The run that is queued or running.
    pub active_run_id: Option<RunId>,
}

/// The reactive agents of a caller.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct ReactiveAgents {
    /// The agents, by name.
    pub agents: Vec<ReactiveAgent>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_queued_and_running_runs_can_change() {
        let open: Vec<_> = RunStatus::ALL.into_iter().filter(|status| !status.is_final()).collect();
        assert_eq!(open, [RunStatus::Queued, RunStatus::Running]);
        for status in RunStatus::ALL {
            assert!(!status.is_outcome() || status.is_final(), "{status}");
        }
    }

    #[test]
    fn a_request_is_trimmed_and_bounded() {
        let prompt = |text: &str| NewRun { prompt: Some(text.into()) }.checked();
        assert_eq!(prompt("  ").unwrap().prompt, None);
        assert_eq!(prompt(" look ").unwrap().prompt.as_deref(), Some("look"));
        assert_eq!(prompt(&"x".repeat(limits::RUN_REQUEST_MAX + 1)).unwrap_err().fields()[0].field, "prompt");
    }
}
