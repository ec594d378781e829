//! `/api/usage`: quota usage of an owner.

use poem_openapi::OpenApi;
use poem_openapi::param::Query;
use svc_core::governance::{UsageGrouping, checked_days};
use svc_core::quotas::Usage;

use super::Chapter;
use crate::answer::Answer;
use crate::error::Problem;
use crate::identity::AnyCaller;
use crate::state::AppState;

/// The route.
pub(crate) struct UsageRoutes {
    pub(crate) state: AppState,
}

#[OpenApi(tag = "Chapter::Analytics")]
impl UsageRoutes {
    /// Get my quota usage
    ///
    /// Bytes of attachments and messages of the last 24 hours, of you and all your agents, with the limits of the
    /// server; an agent sees its owner's figures. Requests beyond a limit are rejected: a file with 413
    /// `file_quota_exceeded`, a message with 429 `message_quota_exceeded`. With `by`, the response also says what the
    /// runs of your agents cost, by agent or by day of UTC (an agent sees its own), or what your goals cost.
    #[oai(path = "/api/usage", method = "get", operation_id = "get_usage")]
    async fn usage(
        &self,
        AnyCaller(caller): AnyCaller,
        /// How the cost of runs is grouped; without it that is left out.
        by: Query<Option<UsageGrouping>>,
        /// Number of days, today included, 1 to 366; default 30.
        days: Query<Option<i64>>,
    ) -> Result<Answer<Usage>, Problem> {
        let hub = self.state.hub();
        // Also without `by`, where it has no effect.
        checked_days(days.0)?;
        let runs = match by.0 {
            Some(UsageGrouping::Goal) => Some(hub.goals().usage(&caller, days.0).await?),
            Some(by) => Some(hub.governance().usage(&caller, by, days.0).await?),
            None => None,
        };
        Ok(Answer(Usage { runs, ..hub.quotas().usage(&caller).await? }))
    }
}
