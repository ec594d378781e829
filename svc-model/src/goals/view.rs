//! A goal with everything that is known of it.

use serde::{Deserialize, Serialize};

use super::{Autonomy, Goal, GoalBudget, GoalTaskStatus, Proposal, Spent, Verifier};
use crate::ids::{AgentId, GoalTaskId, MessageId, RunId};
use crate::timestamp::Timestamp;

/// A task of a goal, with the tasks below it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct GoalTask {
    /// Its id.
    pub id: GoalTaskId,
    /// The task above it; `null` for a root.
    pub parent_id: Option<GoalTaskId>,
    /// Its title.
    pub title: String,
    /// The work, as Markdown.
    pub description: String,
    /// How to tell that it is done.
    pub acceptance_criteria: String,
    /// Its status.
    pub status: GoalTaskStatus,
    /// The handle of the agent that does it; `null` when any agent of the owner may.
    pub assignee: Option<String>,
    /// The handle of the agent that has claimed it or has submitted it.
    pub claimant: Option<String>,
    /// When the claim ends, while the task is claimed or in progress.
    pub lease_until: Option<Timestamp>,
    /// The titles of the tasks that must be done before it can be claimed.
    pub depends_on: Vec<String>,
    /// Those of them that are not done.
    pub blocked_by: Vec<GoalTaskId>,
    /// The code that its cost is billed to; that of its parent when `null`.
    pub billing_code: Option<String>,
    /// The limits of its cost, with the tasks below it.
    pub budget: GoalBudget,
    /// Its own cost; `rollup` has the sums with the tasks below it.
    pub spent: Spent,
    /// Its verifier.
    pub verifier: Verifier,
    /// The run that verifies it.
    pub verifier_run_id: Option<RunId>,
    /// The result that its claimant submitted.
    pub result: Option<String>,
    /// The reason of the last verdict, failure or cancellation.
    pub note: Option<String>,
    /// When it was proposed.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// The tasks below it.
    pub children: Vec<Self>,
}

/// The cost of a task with all tasks below it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct TaskRollup {
    /// The task.
    pub task_id: GoalTaskId,
    /// Dollars.
    pub usd: f64,
    /// Tokens.
    pub tokens: i64,
    /// The number of tasks, without cancelled ones.
    pub tasks: i64,
    /// The number of these that are done.
    pub done: i64,
}

/// The cost that is billed to one code.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct BillingLine {
    /// The code; `null` for the cost without one.
    pub code: Option<String>,
    /// Dollars.
    pub usd: f64,
    /// Tokens.
    pub tokens: i64,
}

/// An agent that exists because a goal needed it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct SpawnedAgent {
    /// The agent.
    pub id: AgentId,
    /// Its handle.
    pub name: String,
    /// Its purpose.
    pub purpose: String,
    /// The number of the proposal.
    pub proposal: i64,
    /// The handle of the agent that proposed it.
    pub proposer: String,
    /// Its depth: 1 for an agent that was proposed by one that was not.
    pub depth: u32,
    /// How much it may do without a human.
    pub autonomy: Autonomy,
    /// Whether it was deleted.
    pub deleted: bool,
    /// When it was approved.
    pub created_at: Timestamp,
}

/// The kind of an entry of a timeline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", oai(rename_all = "snake_case"))]
pub enum TimelineKind {
    /// The status of the goal changed.
    Goal,
    /// A tree was proposed.
    Tree,
    /// The status of a task changed.
    Task,
    /// Money or tokens were spent.
    Spend,
    /// An agent was proposed, approved or rejected.
    Proposal,
    /// Much of the budget is used, or all of it.
    Alert,
    /// A message was sent in the channel of the goal.
    Message,
}

crate::text_enum! {
    TimelineKind {
        Goal => "goal",
        Tree => "tree",
        Task => "task",
        Spend => "spend",
        Proposal => "proposal",
        Alert => "alert",
        Message => "message",
    }
}

/// An entry of the timeline of a goal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
pub struct TimelineEntry {
    /// Its kind.
    pub kind: TimelineKind,
    /// When it happened.
    pub at: Timestamp,
    /// The handle of the participant who caused it; absent for the hub.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// The task.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task_id: Option<GoalTaskId>,
    /// The title of the task, or the name of the proposed agent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// The status before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// The status after.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// Dollars that were spent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usd: Option<f64>,
    /// Tokens that were spent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<i64>,
    /// The run that spent them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run_id: Option<RunId>,
    /// The message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message_id: Option<MessageId>,
    /// The reason, the note, or the beginning of the message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// A goal with its tasks, its cost, its agents and what happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct GoalDetail {
    /// The goal.
    #[serde(flatten)]
    #[cfg_attr(feature = "openapi", oai(flatten))]
    pub goal: Goal,
    /// The roots of the task tree.
    pub tasks: Vec<GoalTask>,
    /// The cost of each task with all tasks below it.
    pub rollup: Vec<TaskRollup>,
    /// The cost by billing code, largest first.
    pub billing: Vec<BillingLine>,
    /// Agents that were proposed for this goal and approved.
    pub spawned_agents: Vec<SpawnedAgent>,
    /// Agents that were proposed for this goal, newest first.
    pub proposals: Vec<Proposal>,
    /// The last entries of its timeline, oldest first.
    pub timeline: Vec<TimelineEntry>,
    /// Whether there are older entries of the timeline.
    pub timeline_truncated: bool,
}

/// Something that waits for the decision of a human.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", oai(rename_all = "snake_case"))]
pub enum ApprovalKind {
    /// A task to approve.
    Task,
    /// The result of a task to verify.
    Verification,
    /// An agent to approve.
    Agent,
    /// A secret to provide.
    Secret,
}

crate::text_enum! {
    ApprovalKind { Task => "task", Verification => "verification", Agent => "agent", Secret => "secret" }
}

/// One thing that waits for the decision of a human.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
pub struct Approval {
    /// Its kind.
    pub kind: ApprovalKind,
    /// The goal; absent for a secret that was requested without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub goal_id: Option<crate::ids::GoalId>,
    /// The title of the goal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub goal: Option<String>,
    /// The id of the task, the number of the proposal, or the id of the request for a secret.
    pub id: i64,
    /// The title of the task, or the name of the agent or secret.
    pub title: String,
    /// The handle of the agent that waits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// The work, the result, the purpose or the reason.
    pub text: String,
    /// Since when it waits.
    pub since: Timestamp,
}

/// Items that wait for the decision of a human, oldest first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct ApprovalList {
    /// The first 200 of them.
    pub approvals: Vec<Approval>,
    /// The number of them; of each kind, at most 200 count.
    pub total: i64,
}
