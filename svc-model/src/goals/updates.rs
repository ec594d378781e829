//! Requests about a goal and its tasks.

use serde::{Deserialize, Serialize};

use super::{GoalStatus, GoalTask, note};
use crate::error::{Error, FieldError, Result};
use crate::governance::micros_of;
use crate::ids::{GoalTaskId, MessageId};
use crate::limits;
use crate::timestamp::Timestamp;

/// The request to end a goal, or to report that it is stuck.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
#[serde(deny_unknown_fields)]
pub struct GoalCompletion {
    /// `completed`, `stuck` or `cancelled`.
    pub status: GoalStatus,
    /// The outcome, or the reason why it is stuck or given up: at most 2000 characters.
    #[serde(default)]
    pub summary: Option<String>,
    /// The message that reports it.
    #[serde(default)]
    pub completion_message_id: Option<MessageId>,
}

impl GoalCompletion {
    /// Reports all invalid fields at once, and trims the summary.
    pub fn checked(mut self) -> Result<Self> {
        let mut faults = Vec::new();
        if !matches!(self.status, GoalStatus::Completed | GoalStatus::Stuck | GoalStatus::Cancelled) {
            let message = "must be completed, stuck or cancelled".to_owned();
            faults.push(FieldError { field: "status".into(), message });
        }
        faults.extend(note("summary", &mut self.summary));
        if self.completion_message_id.is_some_and(|id| id.0 < 1) {
            let message = "must be the id of a message".to_owned();
            faults.push(FieldError { field: "completion_message_id".into(), message });
        }
        if faults.is_empty() { Ok(self) } else { Err(Error::invalid_fields(faults)) }
    }
}

/// The request to claim a task.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TaskClaim {
    /// The task; the first that the caller can claim when absent.
    #[serde(default)]
    pub task_id: Option<GoalTaskId>,
    /// The duration of the lease in seconds: 30 to 86400, 900 when absent.
    #[serde(default)]
    pub lease_seconds: Option<u32>,
}

impl TaskClaim {
    /// Checks the duration of the lease.
    pub fn checked(self) -> Result<Self> {
        let range = limits::LEASE_SECONDS;
        if self.lease_seconds.is_some_and(|seconds| !range.contains(&seconds)) {
            let message = format!("must be {} to {}", range.start(), range.end());
            return Err(Error::invalid("lease_seconds", message));
        }
        Ok(self)
    }
}

/// A task that the caller has claimed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ClaimedTask {
    /// The task, without its children.
    pub task: GoalTask,
    /// Identifies the claim in updates of the task.
    pub claim_token: String,
    /// When the claim ends, unless an update renews it.
    pub lease_until: Timestamp,
}

/// The kind of an update of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TaskAction {
    /// The claimant begins.
    Start,
    /// The claimant submits the result to the verifier.
    Submit,
    /// The verifier decides.
    Verify,
    /// The claimant gives up.
    Fail,
    /// The claimant records a cost.
    Spend,
    /// The task is given up.
    Cancel,
}

crate::text_enum! {
    TaskAction {
        Start => "start",
        Submit => "submit",
        Verify => "verify",
        Fail => "fail",
        Spend => "spend",
        Cancel => "cancel",
    }
}

/// The request to update a task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TaskUpdate {
    /// The action.
    pub action: TaskAction,
    /// The token of the claim; with it, an update of a claim that was lost is rejected.
    #[serde(default)]
    pub claim_token: Option<String>,
    /// The result, the verdict's reason, or the reason of a failure: at most 2000 characters.
    #[serde(default)]
    pub note: Option<String>,
    /// The verdict of `verify`; `true` when absent.
    #[serde(default)]
    pub passed: Option<bool>,
    /// The cost in dollars, with `spend`.
    #[serde(default)]
    pub usd: Option<f64>,
    /// The tokens, with `spend`.
    #[serde(default)]
    pub tokens: Option<i64>,
}

impl TaskUpdate {
    /// An update without further fields.
    pub fn new(action: TaskAction) -> Self {
        Self { action, claim_token: None, note: None, passed: None, usd: None, tokens: None }
    }

    /// Reports all invalid fields at once, and trims the note.
    pub fn checked(mut self) -> Result<Self> {
        let mut faults = Vec::new();
        let mut fault = |field: &str, message: String| faults.push(FieldError { field: field.into(), message });
        let is_spend = self.action == TaskAction::Spend;
        if self.passed.is_some() && self.action != TaskAction::Verify {
            fault("passed", "goes with the action verify only".into());
        }
        for (field, is_set) in [("usd", self.usd.is_some()), ("tokens", self.tokens.is_some())] {
            if is_set && !is_spend {
                fault(field, "goes with the action spend only".into());
            }
        }
        if self.usd.is_some_and(|usd| !(0.0..=limits::BUDGET_USD_MAX).contains(&usd)) {
            fault("usd", format!("must be 0 to {}", limits::BUDGET_USD_MAX));
        }
        if self.tokens.is_some_and(|tokens| !(0..=limits::BUDGET_TOKENS_MAX).contains(&tokens)) {
            fault("tokens", format!("must be 0 to {}", limits::BUDGET_TOKENS_MAX));
        }
        if is_spend && self.usd.map_or(0, micros_of) == 0 && self.tokens.unwrap_or(0) == 0 {
            fault("usd", "is missing: name the dollars, the tokens, or both".into());
        }
        if self.claim_token.as_ref().is_some_and(|token| token.len() > limits::CLAIM_TOKEN_MAX || token.contains('\0'))
        {
            fault("claim_token", "is not the token of a claim".into());
        }
        faults.extend(note("note", &mut self.note));
        if faults.is_empty() { Ok(self) } else { Err(Error::invalid_fields(faults)) }
    }
}

/// The decision of a human on a task that waits for it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
#[serde(deny_unknown_fields)]
pub struct TaskVerdict {
    /// Whether the result is accepted; `true` when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passed: Option<bool>,
    /// The reason: at most 2000 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// The reason of a decision.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
#[serde(deny_unknown_fields)]
pub struct DecisionNote {
    /// The reason: at most 2000 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl DecisionNote {
    /// Trims the reason and checks its length.
    pub fn checked(mut self) -> Result<Self> {
        match note("reason", &mut self.reason) {
            None => Ok(self),
            Some(fault) => Err(Error::invalid_fields(vec![fault])),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_field_goes_with_its_action() {
        let refused = |update: TaskUpdate| -> Vec<String> {
            update.checked().unwrap_err().fields().iter().map(|fault| fault.field.clone()).collect()
        };
        let spend = TaskUpdate::new(TaskAction::Spend);
        assert_eq!(refused(spend.clone()), ["usd"]);
        assert_eq!(refused(TaskUpdate { usd: Some(f64::NAN), tokens: Some(-1), ..spend.clone() }), ["usd", "tokens"]);
        assert!(TaskUpdate { tokens: Some(5), ..spend }.checked().is_ok());
        let start = TaskUpdate::new(TaskAction::Start);
        assert_eq!(refused(TaskUpdate { passed: Some(true), usd: Some(1.0), ..start.clone() }), ["passed", "usd"]);
        let long = Some("x".repeat(limits::GOAL_NOTE_MAX + 1));
        assert_eq!(refused(TaskUpdate { note: long, ..start }), ["note"]);
    }

    #[test]
    fn a_goal_is_not_completed_with_draft_or_active() {
        for status in [GoalStatus::Draft, GoalStatus::Active] {
            let completion = GoalCompletion { status, summary: None, completion_message_id: Some(MessageId(0)) };
            let error = completion.checked().unwrap_err();
            let fields: Vec<_> = error.fields().iter().map(|fault| fault.field.as_str()).collect();
            assert_eq!(fields, ["status", "completion_message_id"]);
        }
    }
}
