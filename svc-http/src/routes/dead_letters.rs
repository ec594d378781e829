//! `/api/dead-letters`: what could not be delivered to the caller or their agents.

use poem_openapi::OpenApi;
use poem_openapi::param::{Path, Query};
use svc_core::{DeadLetter, DeadLetterFilter, DeadLetterId, DeadLetterKind, DeadLetterPage, Page};

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
    /// List my dead letters
    ///
    /// What could not be delivered to you or to one of your agents, newest first: messages that a
    /// worker called failed, that were claimed five times without an end, or whose agent was deleted.
    /// They are kept for 30 days.
    #[oai(path = "/api/dead-letters", method = "get", operation_id = "list_dead_letters")]
    async fn list(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Only of this kind.
        kind: Query<Option<DeadLetterKind>>,
        /// Only those that were, or were not, acknowledged.
        acknowledged: Query<Option<bool>>,
        /// How many at most, 1 to 200; 50 when absent.
        limit: Query<Option<i64>>,
        /// How many to pass over first.
        offset: Query<Option<i64>>,
    ) -> Result<Answer<DeadLetterPage>, Problem> {
        let filter =
            DeadLetterFilter { kind: kind.0, acknowledged: acknowledged.0, page: Page::new(limit.0, offset.0)? };
        Ok(Answer(self.state.hub().dead_letters().list(&caller, filter).await?))
    }

    /// Try a dead letter again
    ///
    /// The message is put back to be claimed, as if it had never been tried. 409 when whom it was for
    /// has been deleted, or when it has been tried again already.
    #[oai(path = "/api/dead-letters/:id/retry", method = "post", operation_id = "retry_dead_letter")]
    async fn retry(
        &self,
        AnyCaller(caller): AnyCaller,
        /// The dead letter.
        id: Path<i64>,
    ) -> Result<Answer<DeadLetter>, Problem> {
        Ok(Answer(self.state.hub().dead_letters().retry(&caller, DeadLetterId(id.0)).await?))
    }

    /// Acknowledge a dead letter
    ///
    /// It stays in the list, as acknowledged. Doing it again changes nothing.
    #[oai(path = "/api/dead-letters/:id/acknowledge", method = "post", operation_id = "acknowledge_dead_letter")]
    async fn acknowledge(
        &self,
        AnyCaller(caller): AnyCaller,
        /// The dead letter.
        id: Path<i64>,
    ) -> Result<Answer<DeadLetter>, Problem> {
        Ok(Answer(self.state.hub().dead_letters().acknowledge(&caller, DeadLetterId(id.0)).await?))
    }
}
