//! `/api/agents/{name}/reputation`, `/api/agents/{name}/budget` and `/api/loops`: what keeps agents within bounds.

use poem_openapi::OpenApi;
use poem_openapi::param::{Path, Query};
use svc_core::governance::{BudgetUse, Loop, LoopFilter, LoopList, Reputation, ReputationFilter};
use svc_core::ids::{LoopId, ReputationEntryId};

use super::Chapter;
use crate::answer::Answer;
use crate::error::Problem;
use crate::identity::AnyCaller;
use crate::state::AppState;

/// The routes.
pub(crate) struct GovernanceRoutes {
    pub(crate) state: AppState,
}

#[OpenApi(tag = "Chapter::Governance")]
impl GovernanceRoutes {
    /// Get the reputation of an agent
    ///
    /// The score is the mean of its entries, 0 to 1: runs that succeeded or failed, and messages that humans approved
    /// or rejected. An entry counts half as much after 30 days, and the beginning counts as four entries of 0.5. An
    /// agent whose score falls below 0.3 is quarantined and gets no new runs, until its owner lifts that with
    /// `PATCH /api/agents/{name}` and `{"quarantined": false}`. Then earlier entries no longer count. The response
    /// has the score by day for 30 days, and a page of the entries, newest first.
    #[oai(path = "/api/agents/:name/reputation", method = "get", operation_id = "get_reputation")]
    async fn reputation(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Name of the agent.
        name: Path<String>,
        /// The `next_cursor` of the previous page.
        cursor: Query<Option<i64>>,
        /// Page size, 1 to 200; default 50.
        limit: Query<Option<i64>>,
    ) -> Result<Answer<Reputation>, Problem> {
        let filter = ReputationFilter { before: cursor.0.map(ReputationEntryId), limit: limit.0 };
        Ok(Answer(self.state.hub().governance().reputation(&caller, &name.0, filter).await?))
    }

    /// Get the budget of an agent
    ///
    /// The limits of the present period, what is spent, what runs that have not ended reserve, and what will be spent
    /// by the end of the period if it goes on like this. The owner is warned once at 80 %. At 100 % the agent is
    /// paused until the period turns, the limit is raised or the owner resumes it. Limits are set with
    /// `PATCH /api/agents/{name}`, for example `{"budget": {"usd": 20, "period": "month"}}`.
    #[oai(path = "/api/agents/:name/budget", method = "get", operation_id = "get_budget")]
    async fn budget(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Name of the agent.
        name: Path<String>,
    ) -> Result<Answer<BudgetUse>, Problem> {
        Ok(Answer(self.state.hub().governance().budget(&caller, &name.0).await?))
    }

    /// List loops
    ///
    /// Those of your agents, newest first: two agents that answered each other more than 12 times within 30 minutes
    /// without a human, that repeated the same words, or an agent that sent more than 60 messages in a minute in one
    /// conversation. While a loop is held, messages between the two start no runs and are not sent to webhooks. It is
    /// lifted after an hour. Lifted ones are kept for 30 days; the list has 200 at most.
    #[oai(path = "/api/loops", method = "get", operation_id = "list_loops")]
    async fn loops(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Only loops that are held (`true`), or only those that are lifted (`false`).
        held: Query<Option<bool>>,
    ) -> Result<Answer<LoopList>, Problem> {
        Ok(Answer(self.state.hub().governance().loops(&caller, LoopFilter { held: held.0 }).await?))
    }

    /// Lift a loop
    ///
    /// Messages between its agents start runs and are sent to webhooks again. Earlier messages no longer count.
    /// Repeating it changes nothing.
    #[oai(path = "/api/loops/:id/lift", method = "post", operation_id = "lift_loop")]
    async fn lift(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Id of the loop.
        id: Path<i64>,
    ) -> Result<Answer<Loop>, Problem> {
        Ok(Answer(self.state.hub().governance().lift_loop(&caller, LoopId(id.0)).await?))
    }
}
