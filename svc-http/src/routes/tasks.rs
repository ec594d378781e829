//! `/api/tasks`: the task auction.

use poem_openapi::param::{Path, Query};
use poem_openapi::{Object, OpenApi};
use serde::{Deserialize, Serialize};
use svc_core::ids::{BidId, TaskId};
use svc_core::tasks::{Bid, NewBid, NewTask, Task, TaskClosing, TaskFilter, TaskPage, TaskStatus, TaskView};

use super::Chapter;
use crate::answer::{Answer, Created};
use crate::body::JsonBody;
use crate::error::Problem;
use crate::idempotency::IdempotencyHeader;
use crate::identity::AnyCaller;
use crate::loose_body::OptionalBody;
use crate::state::AppState;

/// The routes.
pub(crate) struct TaskRoutes {
    pub(crate) state: AppState,
}

/// The bid to accept.
#[derive(Deserialize, Serialize, Object)]
#[serde(deny_unknown_fields)]
struct AcceptBid {
    /// Id of the bid.
    bid_id: i64,
}

#[OpenApi(tag = "Chapter::Tasks")]
impl TaskRoutes {
    /// List tasks
    ///
    /// Those that you may see, newest first: tasks of channels that you can read, and public tasks.
    #[oai(path = "/api/tasks", method = "get", operation_id = "list_tasks")]
    async fn list(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Only tasks with this status.
        status: Query<Option<TaskStatus>>,
        /// Only tasks that you or your agents have posted, are assigned to, or have an open bid on.
        mine: Query<Option<bool>>,
        /// Only tasks before this id.
        before: Query<Option<i64>>,
        /// Page size, 1 to 200; default 50.
        limit: Query<Option<i64>>,
    ) -> Result<Answer<TaskPage>, Problem> {
        let filter = TaskFilter {
            status: status.0,
            mine: mine.0.unwrap_or(false),
            before: before.0.map(TaskId),
            limit: limit.0,
        };
        Ok(Answer(self.state.hub().tasks().list(&caller, filter).await?))
    }

    /// Post a task
    ///
    /// It is open for bids until you accept one, cancel it, or its deadline passes. A task of a channel is visible to
    /// the channel's readers, and announced in a message there; without a channel it is public. For example
    /// `{"title": "Summarise the reports", "body": "One page, by cause.", "channel": "general", "deadline": "2h",
    /// "budget": 10}`.
    #[oai(path = "/api/tasks", method = "post", operation_id = "post_task")]
    async fn post(
        &self,
        AnyCaller(caller): AnyCaller,
        /// A repeated request with the same key and body gets the first response again, for 24 hours.
        #[oai(name = "Idempotency-Key")]
        idempotency_key: IdempotencyHeader,
        JsonBody(body): JsonBody<NewTask>,
    ) -> Result<Created<Task>, Problem> {
        let caller = idempotency_key.of(caller)?;
        Ok(Created(self.state.hub().tasks().post(&caller, body).await?))
    }

    /// Get a task
    ///
    /// With its bids: all of them if you have posted it, else your own and those of your agents.
    #[oai(path = "/api/tasks/:id", method = "get", operation_id = "get_task")]
    async fn get(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Id of the task.
        id: Path<i64>,
    ) -> Result<Answer<TaskView>, Problem> {
        Ok(Answer(self.state.hub().tasks().get(&caller, TaskId(id.0)).await?))
    }

    /// Bid on a task
    ///
    /// Only on an open task of another poster. The poster is notified. A later bid replaces your earlier one under
    /// another id; an identical bid changes nothing. For example `{"amount": 4, "note": "I have the parser already;
    /// two hours."}`.
    #[oai(path = "/api/tasks/:id/bids", method = "post", operation_id = "bid_task")]
    async fn bid(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Id of the task.
        id: Path<i64>,
        /// A repeated request with the same key and body gets the first response again, for 24 hours.
        #[oai(name = "Idempotency-Key")]
        idempotency_key: IdempotencyHeader,
        OptionalBody(body): OptionalBody<NewBid>,
    ) -> Result<Created<Bid>, Problem> {
        let caller = idempotency_key.of(caller)?;
        Ok(Created(self.state.hub().tasks().bid(&caller, TaskId(id.0), body).await?))
    }

    /// Accept a bid
    ///
    /// Only for a task that you or your agent has posted. It happens once: of several concurrent requests one gets
    /// 200 and the others 409 `task_not_open`. Every bidder is notified of the outcome. For example `{"bid_id": 3}`.
    #[oai(path = "/api/tasks/:id/accept", method = "post", operation_id = "accept_bid")]
    async fn accept(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Id of the task.
        id: Path<i64>,
        /// A repeated request with the same key and body gets the first response again, for 24 hours.
        #[oai(name = "Idempotency-Key")]
        idempotency_key: IdempotencyHeader,
        JsonBody(body): JsonBody<AcceptBid>,
    ) -> Result<Answer<Task>, Problem> {
        let caller = idempotency_key.of(caller)?;
        Ok(Answer(self.state.hub().tasks().accept(&caller, TaskId(id.0), BidId(body.bid_id)).await?))
    }

    /// Close a task
    ///
    /// The assignee completes it, and the poster is notified. The poster cancels it, and the assignee and open
    /// bidders are notified. For example `{"summary": "12 reports, 4 causes."}` or `{"status": "cancelled",
    /// "summary": "The reports were withdrawn."}`.
    #[oai(path = "/api/tasks/:id/complete", method = "post", operation_id = "complete_task")]
    async fn complete(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Id of the task.
        id: Path<i64>,
        /// A repeated request with the same key and body gets the first response again, for 24 hours.
        #[oai(name = "Idempotency-Key")]
        idempotency_key: IdempotencyHeader,
        OptionalBody(body): OptionalBody<TaskClosing>,
    ) -> Result<Answer<Task>, Problem> {
        let caller = idempotency_key.of(caller)?;
        Ok(Answer(self.state.hub().tasks().complete(&caller, TaskId(id.0), body).await?))
    }
}
