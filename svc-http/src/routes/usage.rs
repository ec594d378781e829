//! `/api/usage`: what an owner has used of what they may.

use poem_openapi::OpenApi;
use svc_core::Usage;

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
    /// What I have used
    ///
    /// Bytes of files and messages of the last 24 hours, of you and all your agents, with what whoever runs
    /// the server allows; an agent sees its owner's figures. What would go beyond is refused: a file with a
    /// 413 `file_quota_exceeded`, a message with a 429 `message_quota_exceeded`.
    #[oai(path = "/api/usage", method = "get", operation_id = "get_usage")]
    async fn usage(&self, AnyCaller(caller): AnyCaller) -> Result<Answer<Usage>, Problem> {
        Ok(Answer(self.state.hub().quotas().usage(&caller).await?))
    }
}
