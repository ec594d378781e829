//! `/api/dead-letters`: undeliverable messages and webhook deliveries of the caller and their agents.

use poem_openapi::OpenApi;
use poem_openapi::param::{Path, Query};
use svc_core::Page;
use svc_core::dead_letters::{DeadLetter, DeadLetterFilter, DeadLetterKind, DeadLetterPage};
use svc_core::ids::DeadLetterId;

use super::Chapter;
use crate::answer::Answer;
use crate::error::Problem;
use crate::identity::AnyCaller;
use crate::state::AppState;

/// The routes.
pub(crate) struct DeadLetterRoutes {
    pub(crate) state: AppState,
}

#[OpenApi(tag = "Chapter::Messages")]
impl DeadLetterRoutes {
    /// List dead letters
    ///
    /// Undeliverable messages to you or to one of your agents, newest first: those that a worker marked as failed,
    /// that were claimed five times without completion, or whose agent was deleted. With the kind `webhook`: events
    /// whose delivery to a webhook failed four times. They are kept for 30 days.
    #[oai(path = "/api/dead-letters", method = "get", operation_id = "list_dead_letters")]
    async fn list(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Only this kind.
        kind: Query<Option<DeadLetterKind>>,
        /// Only acknowledged, or only unacknowledged ones.
        acknowledged: Query<Option<bool>>,
        /// Page size, 1 to 200; default 50.
        limit: Query<Option<i64>>,
        /// Number of entries to skip.
        offset: Query<Option<i64>>,
    ) -> Result<Answer<DeadLetterPage>, Problem> {
        let page = Page::new(limit.0, offset.0)?;
        let filter =
            DeadLetterFilter { kind: kind.0, acknowledged: acknowledged.0, page, ..DeadLetterFilter::default() };
        Ok(Answer(self.state.hub().dead_letters().list(&caller, filter).await?))
    }

    /// Retry a dead letter
    ///
    /// The message can be claimed again, or the delivery is attempted again, with its number of attempts reset. 409 when
    /// its recipient was deleted, when its webhook is disabled, or when it was already retried.
    #[oai(path = "/api/dead-letters/:id/retry", method = "post", operation_id = "retry_dead_letter")]
    async fn retry(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Id of the dead letter.
        id: Path<i64>,
    ) -> Result<Answer<DeadLetter>, Problem> {
        Ok(Answer(self.state.hub().dead_letters().retry(&caller, DeadLetterId(id.0)).await?))
    }

    /// Acknowledge a dead letter
    ///
    /// It stays in the list, as acknowledged. Repeating the call changes nothing.
    #[oai(path = "/api/dead-letters/:id/acknowledge", method = "post", operation_id = "acknowledge_dead_letter")]
    async fn acknowledge(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Id of the dead letter.
        id: Path<i64>,
    ) -> Result<Answer<DeadLetter>, Problem> {
        Ok(Answer(self.state.hub().dead_letters().acknowledge(&caller, DeadLetterId(id.0)).await?))
    }
}
