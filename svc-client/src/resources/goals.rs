//! Goals, and the decisions of their owners.

use http::Method;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::json;
use svc_model::goals::TaskVerdict;
use svc_model::goals::{ApprovalList, DecisionNote, Goal, GoalDetail, GoalPage, GoalTask, NewGoal, Proposal, TaskNode};
use svc_model::ids::{GoalId, GoalTaskId};

use super::{Query, Result};
use crate::client::Client;

impl Client {
    /// Lists goals; filters are `status`, `cursor` and `limit`.
    pub async fn goals(&self, query: Query<'_>) -> Result<GoalPage> {
        self.get(&["api", "goals"], query).await
    }

    /// Returns a goal with its tasks.
    pub async fn goal(&self, id: GoalId) -> Result<GoalDetail> {
        self.get(&["api", "goals", &id.to_string()], &[]).await
    }

    /// Creates a goal.
    pub async fn create_goal(&self, goal: &NewGoal, idempotency_key: Option<&str>) -> Result<Goal> {
        self.change(Method::POST, &["api", "goals"], goal, idempotency_key).await
    }

    /// Proposes the task tree of a goal.
    pub async fn propose_tasks(&self, id: GoalId, tree: &[TaskNode]) -> Result<GoalDetail> {
        self.change(Method::POST, &["api", "goals", &id.to_string(), "tasks"], &json!({ "tree": tree }), None).await
    }

    /// Lists what waits for a decision of the caller.
    pub async fn approvals(&self) -> Result<ApprovalList> {
        self.get(&["api", "approvals"], &[]).await
    }

    /// Approves all proposed tasks of a goal.
    pub async fn approve_goal(&self, id: GoalId) -> Result<Goal> {
        self.change(Method::POST, &["api", "goals", &id.to_string(), "approve"], &json!({}), None).await
    }

    /// Approves a proposed task.
    pub async fn approve_task(&self, goal: GoalId, task: GoalTaskId) -> Result<GoalTask> {
        self.decide(goal, ["tasks", &task.to_string(), "approve"], &json!({})).await
    }

    /// Accepts or rejects the result of a task.
    pub async fn verify_task(&self, goal: GoalId, task: GoalTaskId, verdict: &TaskVerdict) -> Result<GoalTask> {
        self.decide(goal, ["tasks", &task.to_string(), "verify"], verdict).await
    }

    /// Opens a failed task again.
    pub async fn reopen_task(&self, goal: GoalId, task: GoalTaskId, note: &DecisionNote) -> Result<GoalTask> {
        self.decide(goal, ["tasks", &task.to_string(), "reopen"], note).await
    }

    /// Cancels a task of a goal.
    pub async fn cancel_task(&self, goal: GoalId, task: GoalTaskId, note: &DecisionNote) -> Result<GoalTask> {
        self.decide(goal, ["tasks", &task.to_string(), "cancel"], note).await
    }

    /// Approves a proposed agent, by the number of its proposal.
    pub async fn approve_agent(&self, goal: GoalId, number: i64) -> Result<Proposal> {
        self.decide(goal, ["proposals", &number.to_string(), "approve"], &json!({})).await
    }

    /// Rejects a proposed agent, by the number of its proposal.
    pub async fn reject_agent(&self, goal: GoalId, number: i64, note: &DecisionNote) -> Result<Proposal> {
        self.decide(goal, ["proposals", &number.to_string(), "reject"], note).await
    }

    async fn decide<T: DeserializeOwned>(&self, goal: GoalId, path: [&str; 3], body: &impl Serialize) -> Result<T> {
        let [kind, number, verb] = path;
        self.change(Method::POST, &["api", "goals", &goal.to_string(), kind, number, verb], body, None).await
    }
}
