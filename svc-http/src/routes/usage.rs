//! `/api/usage`: quota usage of an owner.

use poem_openapi::OpenApi;
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
    /// `file_quota_exceeded`, a message with 429 `message_quota_exceeded`.
    #[oai(path = "/api/usage", method = "get", operation_id = "get_usage")]
    async fn usage(&self, AnyCaller(caller): AnyCaller) -> Result<Answer<Usage>, Problem> {
        Ok(Answer(self.state.hub().quotas().usage(&caller).await?))
    }
}
