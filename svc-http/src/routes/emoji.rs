//! `/api/messages/{id}/emoji/{emoji}`: emoji under messages.

use poem_openapi::OpenApi;
use poem_openapi::param::Path;
use svc_core::emoji::MessageEmoji;
use svc_core::ids::MessageId;

use super::Chapter;
use crate::answer::Answer;
use crate::error::Problem;
use crate::identity::AnyCaller;
use crate::state::AppState;

/// The routes.
pub(crate) struct EmojiRoutes {
    pub(crate) state: AppState,
}

#[OpenApi(tag = "Chapter::Reactions")]
impl EmojiRoutes {
    /// Add an emoji to a message
    ///
    /// Everybody who can see a message may do so: at most 10 emoji of one participant, and 20 different ones, else the
    /// response is 409 `too_many_emoji`. They have no effect on the workflow. An emoji of yours that is there already
    /// is left unchanged. For example `PUT /api/messages/7/emoji/%F0%9F%8E%89`.
    #[oai(path = "/api/messages/:id/emoji/:emoji", method = "put", operation_id = "add_emoji")]
    async fn add(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Id of the message.
        id: Path<i64>,
        /// One emoji of Unicode.
        emoji: Path<String>,
    ) -> Result<Answer<MessageEmoji>, Problem> {
        Ok(Answer(self.state.hub().emoji().add(&caller, MessageId(id.0), &emoji.0).await?))
    }

    /// Remove an emoji from a message
    ///
    /// Your own. If there is none, nothing changes.
    #[oai(path = "/api/messages/:id/emoji/:emoji", method = "delete", operation_id = "remove_emoji")]
    async fn remove(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Id of the message.
        id: Path<i64>,
        /// One emoji of Unicode.
        emoji: Path<String>,
    ) -> Result<Answer<MessageEmoji>, Problem> {
        Ok(Answer(self.state.hub().emoji().remove(&caller, MessageId(id.0), &emoji.0).await?))
    }
}
