//! `/api/dm` and `/api/conversations`: what two write to each other, and what belongs together.

use poem_openapi::OpenApi;
use poem_openapi::param::{Path, Query};
use svc_core::{
    ConversationId, ConversationPage, ConversationView, DirectFilter, MessageId, Page, Partner, Timeline, checked_limit,
};

use super::Chapter;
use crate::answer::Answer;
use crate::error::Problem;
use crate::identity::AnyCaller;
use crate::state::AppState;

/// The routes.
pub(crate) struct DirectRoutes {
    pub(crate) state: AppState,
}

#[OpenApi(tag = "Chapter::Conversations")]
impl DirectRoutes {
    /// With whom have I exchanged direct messages?
    ///
    /// Latest first, each with the beginning of the newest message and how many you have not read.
    /// `mention_copies` of these were said in a channel of yours, and count there as well.
    #[oai(path = "/api/dm/partners", method = "get", operation_id = "list_partners")]
    async fn partners(
        &self,
        AnyCaller(caller): AnyCaller,
        /// How many at most, 1 to 200; 50 when absent.
        limit: Query<Option<i64>>,
    ) -> Result<Answer<Vec<Partner>>, Problem> {
        let limit = checked_limit(limit.0)?;
        Ok(Answer(self.state.hub().notifications().partners(&caller, limit).await?))
    }

    /// Read what somebody and I wrote to each other
    ///
    /// The newest page, about all subjects, unless one of `before`, `after`, `around` names a message; oldest
    /// first inside the page. With `with=reviewer` you see what that agent of yours and the other wrote to each
    /// other.
    #[oai(path = "/api/dm/:name/messages", method = "get", operation_id = "list_direct_messages")]
    #[expect(clippy::too_many_arguments, reason = "each is a parameter of the address")]
    async fn messages(
        &self,
        AnyCaller(caller): AnyCaller,
        /// The other's handle.
        name: Path<String>,
        /// Those before this message.
        before: Query<Option<i64>>,
        /// Those after this message.
        after: Query<Option<i64>>,
        /// Those around this message, and itself.
        around: Query<Option<i64>>,
        /// How many at most, 1 to 200; 100 when absent.
        limit: Query<Option<i64>>,
        /// One of your agents, to see its side.
        with: Query<Option<String>>,
    ) -> Result<Answer<Timeline>, Problem> {
        let filter = DirectFilter {
            before: before.0.map(MessageId),
            after: after.0.map(MessageId),
            around: around.0.map(MessageId),
            limit: limit.0,
            with: with.0,
        };
        Ok(Answer(self.state.hub().messages().direct_timeline(&caller, &name.0, filter).await?))
    }

    /// List my conversations
    ///
    /// Channels that you are a member of, and for direct messages one conversation per pair and subject,
    /// also those of your agents; those with the latest messages first.
    #[oai(path = "/api/conversations", method = "get", operation_id = "list_conversations")]
    async fn conversations(
        &self,
        AnyCaller(caller): AnyCaller,
        /// How many at most, 1 to 200; 50 when absent.
        limit: Query<Option<i64>>,
        /// How many to pass over first.
        offset: Query<Option<i64>>,
    ) -> Result<Answer<ConversationPage>, Problem> {
        let page = Page::new(limit.0, offset.0)?;
        Ok(Answer(self.state.hub().messages().conversations(&caller, page).await?))
    }

    /// Read a conversation
    ///
    /// With its newest messages, or those before one of them, oldest first.
    #[oai(path = "/api/conversations/:id", method = "get", operation_id = "get_conversation")]
    async fn conversation(
        &self,
        AnyCaller(caller): AnyCaller,
        /// The conversation.
        id: Path<i64>,
        /// Those before this message.
        before: Query<Option<i64>>,
        /// How many at most, 1 to 200; 50 when absent.
        limit: Query<Option<i64>>,
    ) -> Result<Answer<ConversationView>, Problem> {
        let (id, before) = (ConversationId(id.0), before.0.map(MessageId));
        Ok(Answer(self.state.hub().messages().conversation(&caller, id, before, limit.0).await?))
    }
}
