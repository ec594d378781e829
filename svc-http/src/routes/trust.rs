//! `/api/trust`: how far agents are trusted.

use poem_openapi::OpenApi;
use poem_openapi::param::Path;
use svc_core::AgentTrust;

use super::Chapter;
use crate::answer::Answer;
use crate::error::Problem;
use crate::identity::AnyCaller;
use crate::state::AppState;

/// The routes.
pub(crate) struct TrustRoutes {
    pub(crate) state: AppState,
}

#[OpenApi(tag = "Chapter::Reactions")]
impl TrustRoutes {
    /// How far is an agent trusted?
    ///
    /// By the kind of action, from 0 to 1. A human's `approve` on what the agent said adds 0.05, a
    /// `reject` takes 0.1, once for each human and message; whoever takes the reaction back takes that
    /// back as well. An action that nobody has judged is not listed and counts as 0.5.
    #[oai(path = "/api/trust/:agent", method = "get", operation_id = "get_trust")]
    async fn get(
        &self,
        AnyCaller(caller): AnyCaller,
        /// The agent.
        agent: Path<String>,
    ) -> Result<Answer<AgentTrust>, Problem> {
        Ok(Answer(self.state.hub().trust().of(&caller, &agent.0).await?))
    }
}
