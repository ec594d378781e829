//! `/api/goals/{id}/tasks/{task}` and `/api/goals/{id}/proposals/{number}`: decisions of the owner of a goal.

use poem_openapi::OpenApi;
use poem_openapi::param::Path;
use svc_core::goals::{DecisionNote, GoalTask, Proposal, TaskVerdict};
use svc_core::ids::{GoalId, GoalTaskId};

use super::Chapter;
use crate::answer::Answer;
use crate::error::Problem;
use crate::identity::AnyCaller;
use crate::loose_body::OptionalBody;
use crate::state::AppState;

/// The routes.
pub(crate) struct GoalDecisionRoutes {
    pub(crate) state: AppState,
}

#[OpenApi(tag = "Chapter::Goals")]
impl GoalDecisionRoutes {
    /// Approve a task
    ///
    /// It can be claimed from then on. Only for the owner of the goal. 409 when it does not wait for an approval.
    #[oai(path = "/api/goals/:id/tasks/:task/approve", method = "post", operation_id = "approve_goal_task")]
    async fn approve(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Id of the goal.
        id: Path<i64>,
        /// Id of the task.
        task: Path<i64>,
    ) -> Result<Answer<GoalTask>, Problem> {
        let (id, task) = (GoalId(id.0), GoalTaskId(task.0));
        Ok(Answer(self.state.hub().goals().approve_task(&caller, id, task).await?))
    }

    /// Verify a task
    ///
    /// Accepts or rejects the result that was submitted. Only for the owner of the goal. For example `{}`, or
    /// `{"passed": false, "note": "The tests are missing."}`. 409 when the task does not wait for a verification.
    #[oai(path = "/api/goals/:id/tasks/:task/verify", method = "post", operation_id = "verify_goal_task")]
    async fn verify(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Id of the goal.
        id: Path<i64>,
        /// Id of the task.
        task: Path<i64>,
        OptionalBody(verdict): OptionalBody<TaskVerdict>,
    ) -> Result<Answer<GoalTask>, Problem> {
        let (id, task) = (GoalId(id.0), GoalTaskId(task.0));
        Ok(Answer(self.state.hub().goals().verify_task(&caller, id, task, verdict).await?))
    }

    /// Reopen a task
    ///
    /// A failed task can be claimed again. Only for the owner of the goal. For example `{"reason": "The registry is
    /// back."}`. 409 when the task has not failed.
    #[oai(path = "/api/goals/:id/tasks/:task/reopen", method = "post", operation_id = "reopen_goal_task")]
    async fn reopen(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Id of the goal.
        id: Path<i64>,
        /// Id of the task.
        task: Path<i64>,
        OptionalBody(note): OptionalBody<DecisionNote>,
    ) -> Result<Answer<GoalTask>, Problem> {
        let (id, task) = (GoalId(id.0), GoalTaskId(task.0));
        Ok(Answer(self.state.hub().goals().reopen_task(&caller, id, task, note).await?))
    }

    /// Cancel a task
    ///
    /// Only for the owner of the goal. For example `{"reason": "No longer needed."}`. 409 when the task has ended.
    #[oai(path = "/api/goals/:id/tasks/:task/cancel", method = "post", operation_id = "cancel_goal_task")]
    async fn cancel(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Id of the goal.
        id: Path<i64>,
        /// Id of the task.
        task: Path<i64>,
        OptionalBody(note): OptionalBody<DecisionNote>,
    ) -> Result<Answer<GoalTask>, Problem> {
        let (id, task) = (GoalId(id.0), GoalTaskId(task.0));
        Ok(Answer(self.state.hub().goals().cancel_task(&caller, id, task, note).await?))
    }

    /// Approve a proposed agent
    ///
    /// The agent exists from then on, with the tools, the budget and the autonomy of the proposal. Its key is handed to
    /// its runs and shown to nobody. Only for the owner of the goal. 409 when the proposal is decided.
    #[oai(path = "/api/goals/:id/proposals/:number/approve", method = "post", operation_id = "approve_proposed_agent")]
    async fn approve_agent(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Id of the goal.
        id: Path<i64>,
        /// Number of the proposal in the goal.
        number: Path<i64>,
    ) -> Result<Answer<Proposal>, Problem> {
        Ok(Answer(self.state.hub().goals().approve_agent(&caller, GoalId(id.0), number.0).await?))
    }

    /// Reject a proposed agent
    ///
    /// Only for the owner of the goal. For example `{"reason": "One reviewer is enough."}`. 409 when the proposal is
    /// decided.
    #[oai(path = "/api/goals/:id/proposals/:number/reject", method = "post", operation_id = "reject_proposed_agent")]
    async fn reject_agent(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Id of the goal.
        id: Path<i64>,
        /// Number of the proposal in the goal.
        number: Path<i64>,
        OptionalBody(note): OptionalBody<DecisionNote>,
    ) -> Result<Answer<Proposal>, Problem> {
        Ok(Answer(self.state.hub().goals().reject_agent(&caller, GoalId(id.0), number.0, note).await?))
    }
}
