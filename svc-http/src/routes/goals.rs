//! `/api/goals` and `/api/approvals`: goals, their task trees, and what waits for a human.

use poem_openapi::param::{Path, Query};
use poem_openapi::{Object, OpenApi};
use serde::{Deserialize, Serialize};
use svc_core::goals::{
    ApprovalList, Goal, GoalChanges, GoalCompletion, GoalDetail, GoalFilter, GoalPage, GoalStatus, NewGoal, TaskNode,
};
use svc_core::ids::GoalId;

use super::Chapter;
use crate::answer::{Answer, Created};
use crate::body::JsonBody;
use crate::error::Problem;
use crate::idempotency::IdempotencyHeader;
use crate::identity::AnyCaller;
use crate::state::AppState;

/// The routes.
pub(crate) struct GoalRoutes {
    pub(crate) state: AppState,
}

/// A task tree.
#[derive(Deserialize, Serialize, Object)]
#[serde(deny_unknown_fields)]
struct TaskTree {
    /// The roots of the tree: at most 200 tasks and 6 levels in all.
    tree: Vec<TaskNode>,
}

#[OpenApi(tag = "Chapter::Goals")]
impl GoalRoutes {
    /// List goals
    ///
    /// Yours, stuck ones first, then the newest; an agent sees those of its owner. For example
    /// `/api/goals?status=active`.
    #[oai(path = "/api/goals", method = "get", operation_id = "list_goals")]
    async fn list(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Only goals with this status.
        status: Query<Option<GoalStatus>>,
        /// The `next_cursor` of the previous page.
        cursor: Query<Option<String>>,
        /// Page size, 1 to 200; default 50.
        limit: Query<Option<i64>>,
    ) -> Result<Answer<GoalPage>, Problem> {
        let filter = GoalFilter { status: status.0, owner: None, cursor: cursor.0, limit: limit.0 };
        Ok(Answer(self.state.hub().goals().list(&caller, filter).await?))
    }

    /// Create a goal
    ///
    /// With a private channel `goal-SLUG` of its owner, its coordinator and its assignees. It is a `draft` until it has
    /// tasks. For example `{"title": "Ship version 2", "description": "Tested and announced.", "coordinator": "planner",
    /// "budget": {"usd": 20, "tokens": 5000000}}`.
    #[oai(path = "/api/goals", method = "post", operation_id = "create_goal")]
    async fn create(
        &self,
        AnyCaller(caller): AnyCaller,
        /// A repeated request with the same key and body gets the first response again, for 24 hours.
        #[oai(name = "Idempotency-Key")]
        idempotency_key: IdempotencyHeader,
        JsonBody(new): JsonBody<NewGoal>,
    ) -> Result<Created<Goal>, Problem> {
        Ok(Created(self.state.hub().goals().create(&idempotency_key.of(caller)?, new).await?))
    }

    /// Get a goal
    ///
    /// With its task tree, the cost of each task including the tasks below it (`rollup`), the cost by billing code, the
    /// agents that were proposed for it, and what happened of late (`timeline`).
    #[oai(path = "/api/goals/:id", method = "get", operation_id = "get_goal")]
    async fn get(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Id of the goal.
        id: Path<i64>,
    ) -> Result<Answer<GoalDetail>, Problem> {
        Ok(Answer(self.state.hub().goals().get(&caller, GoalId(id.0)).await?))
    }

    /// Update a goal
    ///
    /// Only for its owner. Absent fields stay as they are. For example `{"budget": {"usd": 40}}`, or `{"status":
    /// "active"}` for a goal that was stuck. 409 `illegal_transition` for a status that cannot follow the current one.
    #[oai(path = "/api/goals/:id", method = "patch", operation_id = "update_goal")]
    async fn update(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Id of the goal.
        id: Path<i64>,
        JsonBody(changes): JsonBody<GoalChanges>,
    ) -> Result<Answer<Goal>, Problem> {
        Ok(Answer(self.state.hub().goals().update(&caller, GoalId(id.0), changes).await?))
    }

    /// Complete a goal
    ///
    /// Or cancel it, or report that it is stuck. For example `{"status": "completed", "summary": "Version 2 is out.",
    /// "completion_message_id": 4711}`, or `{"status": "stuck", "summary": "The registry refuses the upload."}`. The
    /// current status again changes nothing. 409 `illegal_transition` for a goal that has ended otherwise.
    #[oai(path = "/api/goals/:id/complete", method = "post", operation_id = "complete_goal")]
    async fn complete(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Id of the goal.
        id: Path<i64>,
        JsonBody(completion): JsonBody<GoalCompletion>,
    ) -> Result<Answer<Goal>, Problem> {
        Ok(Answer(self.state.hub().goals().complete(&caller, GoalId(id.0), completion).await?))
    }

    /// Propose a task tree
    ///
    /// All of it is stored, or nothing: an error names the path of the task, such as `tree[0].children[2].title`. A
    /// later tree replaces the tasks that nobody has begun and keeps the others. For example `{"tree": [{"title":
    /// "Release", "budget_usd": 10, "children": [{"title": "Build", "assignee": "builder", "verifier": {"kind":
    /// "peer"}}, {"title": "Announce", "depends_on": ["Build"]}]}]}`.
    #[oai(path = "/api/goals/:id/tasks", method = "post", operation_id = "propose_task_tree")]
    async fn propose(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Id of the goal.
        id: Path<i64>,
        JsonBody(body): JsonBody<TaskTree>,
    ) -> Result<Answer<GoalDetail>, Problem> {
        Ok(Answer(self.state.hub().goals().propose_tree(&caller, GoalId(id.0), body.tree).await?))
    }

    /// Approve all tasks of a goal
    ///
    /// Those that wait for an approval can be claimed from then on. Only for the owner of the goal. When none waits,
    /// the answer is `409 nothing_to_approve`: somebody was faster.
    #[oai(path = "/api/goals/:id/approve", method = "post", operation_id = "approve_goal_tasks")]
    async fn approve(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Id of the goal.
        id: Path<i64>,
        /// A repeated request with the same key gets the first response again, for 24 hours.
        #[oai(name = "Idempotency-Key")]
        idempotency_key: IdempotencyHeader,
    ) -> Result<Answer<Goal>, Problem> {
        Ok(Answer(self.state.hub().goals().approve_all(&idempotency_key.of(caller)?, GoalId(id.0)).await?))
    }

    /// List approvals
    ///
    /// Everything that waits for your decision, oldest first: tasks to approve, results to verify, agents that were
    /// proposed, and secrets that agents ask for. `id` is the id of the task, the number of the proposal, or the id of
    /// the request for a secret.
    #[oai(path = "/api/approvals", method = "get", operation_id = "list_approvals")]
    async fn approvals(&self, AnyCaller(caller): AnyCaller) -> Result<Answer<ApprovalList>, Problem> {
        Ok(Answer(self.state.hub().goals().approvals(&caller).await?))
    }
}
