//! `/api/trust`: trust scores of agents.

use poem_openapi::OpenApi;
use poem_openapi::param::Path;
use svc_core::trust::AgentTrust;

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
    /// Get the trust scores of an agent
    ///
    /// By kind of action, from 0 to 1. An `approve` by a human on a message of the agent adds 0.05, a `reject`
    /// subtracts 0.1, once for each human and message; removing the reaction reverts the change. An action without
    /// feedback is not listed and counts as 0.5.
    #[oai(path = "/api/trust/:agent", method = "get", operation_id = "get_trust")]
    async fn get(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Name of the agent.
        agent: Path<String>,
    ) -> Result<Answer<AgentTrust>, Problem> {
        Ok(Answer(self.state.hub().trust().of(&caller, &agent.0).await?))
    }
}
