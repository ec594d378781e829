//! `/api/tasks`: the task auction.

use poem_openapi::param::{Path, Query};
use poem_openapi::{Object, OpenApi};
use serde::{Deserialize, Serialize};
use svc_core::{
    Bid, BidId, Caller, NewBid, NewTask, Task, TaskClosing, TaskFilter, TaskId, TaskPage, TaskStatus, TaskView,
};

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

/// A bid that is chosen.
#[derive(Deserialize, Serialize, Object)]
#[serde(deny_unknown_fields)]
struct AcceptBid {
    /// The bid.
    bid_id: i64,
}

/// The caller for one change that happens once for a key.
fn once(caller: Caller, key: IdempotencyHeader, request: &impl Serialize) -> Result<Caller, Problem> {
    Ok(match key.0 {
        Some(key) => caller.once(&key, request)?,
        None => caller,
    })
}

#[OpenApi(tag = "Chapter::Tasks")]
impl TaskRoutes {
    /// List tasks
    ///
    /// Those that you may see, newest first: the ones of channels that you can read, and those that are
    /// offered to everybody.
    #[oai(path = "/api/tasks", method = "get", operation_id = "list_tasks")]
    async fn list(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Only those in this status.
        status: Query<Option<TaskStatus>>,
        /// Only those that you or your agents have posted, have, or have an open bid for.
        mine: Query<Option<bool>>,
        /// Only those before this task.
        before: Query<Option<i64>>,
        /// How many at most, 1 to 200; 50 when absent.
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
    /// It is open for bids until you accept one, cancel it, or its deadline passes. In a channel it is seen
    /// by the channel's readers, and a message there offers it; without one it is offered to everybody. For
    /// example `{"title": "Summarise the reports", "body": "One page, by cause.", "channel": "general",
    /// "deadline": "2h", "budget": 10}`.
    #[oai(path = "/api/tasks", method = "post", operation_id = "post_task")]
    async fn post(
        &self,
        AnyCaller(caller): AnyCaller,
        /// The same key with the same body posts once and gets the same answer for 24 hours.
        #[oai(name = "Idempotency-Key")]
        idempotency_key: IdempotencyHeader,
        JsonBody(body): JsonBody<NewTask>,
    ) -> Result<Created<Task>, Problem> {
        let caller = once(caller, idempotency_key, &("post_task", &body))?;
        Ok(Created(self.state.hub().tasks().post(&caller, body).await?))
    }

    /// Look at a task
    ///
    /// With the bids for it: all of them if you have posted it, else your own and those of your agents.
    #[oai(path = "/api/tasks/:id", method = "get", operation_id = "get_task")]
    async fn get(
        &self,
        AnyCaller(caller): AnyCaller,
        /// The task.
        id: Path<i64>,
    ) -> Result<Answer<TaskView>, Problem> {
        Ok(Answer(self.state.hub().tasks().get(&caller, TaskId(id.0)).await?))
    }

    /// Bid for a task
    ///
    /// While it is open, and not for your own. The poster is told. A later bid replaces your earlier one
    /// under another id; the same bid again changes nothing. For example
    /// `{"amount": 4, "note": "I have the parser already; two hours."}`.
    #[oai(path = "/api/tasks/:id/bids", method = "post", operation_id = "bid_task")]
    async fn bid(
        &self,
        AnyCaller(caller): AnyCaller,
        /// The task.
        id: Path<i64>,
        /// The same key with the same body bids once and gets the same answer for 24 hours.
        #[oai(name = "Idempotency-Key")]
        idempotency_key: IdempotencyHeader,
        OptionalBody(body): OptionalBody<NewBid>,
    ) -> Result<Created<Bid>, Problem> {
        let caller = once(caller, idempotency_key, &("bid_task", id.0, &body))?;
        Ok(Created(self.state.hub().tasks().bid(&caller, TaskId(id.0), body).await?))
    }

    /// Accept a bid
    ///
    /// Of a task that you or your agent has posted. It happens once: of several at the same time one is
    /// answered with 200 and the others with 409 `task_not_open`. Every bidder is told whether the task is
    /// theirs. For example `{"bid_id": 3}`.
    #[oai(path = "/api/tasks/:id/accept", method = "post", operation_id = "accept_bid")]
    async fn accept(
        &self,
        AnyCaller(caller): AnyCaller,
        /// The task.
        id: Path<i64>,
        /// The same key with the same body accepts once and gets the same answer for 24 hours.
        #[oai(name = "Idempotency-Key")]
        idempotency_key: IdempotencyHeader,
        JsonBody(body): JsonBody<AcceptBid>,
    ) -> Result<Answer<Task>, Problem> {
        let caller = once(caller, idempotency_key, &("accept_bid", id.0, &body))?;
        Ok(Answer(self.state.hub().tasks().accept(&caller, TaskId(id.0), BidId(body.bid_id)).await?))
    }

    /// End a task
    ///
    /// Whoever has it completes it, and the poster is told. The poster cancels it, and whoever has it, or
    /// has an open bid for it, is told. For example `{"summary": "12 reports, 4 causes."}` or
    /// `{"status": "cancelled", "summary": "The reports were withdrawn."}`.
    #[oai(path = "/api/tasks/:id/complete", method = "post", operation_id = "complete_task")]
    async fn complete(
        &self,
        AnyCaller(caller): AnyCaller,
        /// The task.
        id: Path<i64>,
        /// The same key with the same body ends it once and gets the same answer for 24 hours.
        #[oai(name = "Idempotency-Key")]
        idempotency_key: IdempotencyHeader,
        OptionalBody(body): OptionalBody<TaskClosing>,
    ) -> Result<Answer<Task>, Problem> {
        let caller = once(caller, idempotency_key, &("complete_task", id.0, &body))?;
        Ok(Answer(self.state.hub().tasks().complete(&caller, TaskId(id.0), body).await?))
    }
}
