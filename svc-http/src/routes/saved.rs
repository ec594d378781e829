//! `/api/messages/{id}/saved` and `/api/saved`: messages that a human saves for later.

use poem_openapi::OpenApi;
use poem_openapi::param::{Path, Query};
use svc_core::ids::{MessageId, SavedMessageId};
use svc_core::saved::{SaveMessage, SavedFilter, SavedMessage, SavedPage};

use super::Chapter;
use crate::answer::{Answer, NoContent};
use crate::error::Problem;
use crate::identity::AnyCaller;
use crate::loose_body::OptionalBody;
use crate::state::AppState;

/// The routes.
pub(crate) struct SavedRoutes {
    pub(crate) state: AppState,
}

#[OpenApi(tag = "Chapter::Messages")]
impl SavedRoutes {
    /// Save a message for later
    ///
    /// For yourself; nobody else sees it. A message that is saved keeps its place, and gets the note if there is one:
    /// an empty note removes it. You can save 1,000 messages; beyond that the response is 409 `too_many_saved`. Only
    /// for humans. For example `{"note": "Read on Monday"}`.
    #[oai(path = "/api/messages/:id/saved", method = "put", operation_id = "save_message")]
    async fn save(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Id of the message.
        id: Path<i64>,
        OptionalBody(body): OptionalBody<SaveMessage>,
    ) -> Result<Answer<SavedMessage>, Problem> {
        Ok(Answer(self.state.hub().saved().save(&caller, MessageId(id.0), body).await?))
    }

    /// Remove a message from the saved ones
    ///
    /// One that you have not saved stays as it is. Only for humans.
    #[oai(path = "/api/messages/:id/saved", method = "delete", operation_id = "unsave_message")]
    async fn remove(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Id of the message.
        id: Path<i64>,
    ) -> Result<NoContent, Problem> {
        self.state.hub().saved().remove(&caller, MessageId(id.0)).await?;
        Ok(NoContent)
    }

    /// List my saved messages
    ///
    /// Those that you still see, the one that was saved last first. Only for humans.
    #[oai(path = "/api/saved", method = "get", operation_id = "list_saved")]
    async fn list(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Only messages that were saved before this one, by the id of the saved message.
        before: Query<Option<i64>>,
        /// Page size, 1 to 200; default 50.
        limit: Query<Option<i64>>,
    ) -> Result<Answer<SavedPage>, Problem> {
        let filter = SavedFilter { before: before.0.map(SavedMessageId), limit: limit.0 };
        Ok(Answer(self.state.hub().saved().list(&caller, filter).await?))
    }
}
