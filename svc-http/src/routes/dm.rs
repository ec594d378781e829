//! `/api/dm` and `/api/conversations`: direct messages and conversations.

use poem_openapi::OpenApi;
use poem_openapi::param::{Path, Query};
use svc_core::Page;
use svc_core::conversations::{ConversationPage, ConversationView, DirectFilter, Timeline};
use svc_core::ids::{ConversationId, MessageId};
use svc_core::notifications::Partner;
use svc_core::page::checked_limit;

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
    /// List my direct message partners
    ///
    /// Latest first, each with the beginning of the newest message and your unread count. Mentions of a person belong to
    /// no direct conversation. For an agent, `mention_copies` of these are mentions in a channel of its own, and count
    /// there as well.
    #[oai(path = "/api/dm/partners", method = "get", operation_id = "list_partners")]
    async fn partners(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Page size, 1 to 200; default 50.
        limit: Query<Option<i64>>,
    ) -> Result<Answer<Vec<Partner>>, Problem> {
        let limit = checked_limit(limit.0)?;
        Ok(Answer(self.state.hub().notifications().partners(&caller, limit).await?))
    }

    /// List the direct messages with a participant
    ///
    /// The newest page, about all subjects, unless one of `before`, `after`, `around` names a message; oldest first
    /// within the page. With `with=reviewer` you see the messages between that agent of yours and the other
    /// participant.
    #[oai(path = "/api/dm/:name/messages", method = "get", operation_id = "list_direct_messages")]
    #[expect(clippy::too_many_arguments, reason = "each is a parameter of the address")]
    async fn messages(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Handle of the other participant.
        name: Path<String>,
        /// Only messages before this id.
        before: Query<Option<i64>>,
        /// Only messages after this id.
        after: Query<Option<i64>>,
        /// Messages around this id, including itself.
        around: Query<Option<i64>>,
        /// Page size, 1 to 200; default 100.
        limit: Query<Option<i64>>,
        /// One of your agents, to see its direct messages.
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

    /// List conversations
    ///
    /// Channels that you are a member of, and for direct messages one conversation per pair and subject, including
    /// those of your agents; the latest activity first. Mentions of a person belong to no direct conversation, although
    /// `message_count` counts them.
    #[oai(path = "/api/conversations", method = "get", operation_id = "list_conversations")]
    async fn conversations(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Page size, 1 to 200; default 50.
        limit: Query<Option<i64>>,
        /// Number of entries to skip.
        offset: Query<Option<i64>>,
    ) -> Result<Answer<ConversationPage>, Problem> {
        let page = Page::new(limit.0, offset.0)?;
        Ok(Answer(self.state.hub().messages().conversations(&caller, page).await?))
    }

    /// Get a conversation
    ///
    /// With its newest messages, or those before `before`, oldest first.
    #[oai(path = "/api/conversations/:id", method = "get", operation_id = "get_conversation")]
    async fn conversation(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Id of the conversation.
        id: Path<i64>,
        /// Only messages before this id.
        before: Query<Option<i64>>,
        /// Page size, 1 to 200; default 50.
        limit: Query<Option<i64>>,
    ) -> Result<Answer<ConversationView>, Problem> {
        let (id, before) = (ConversationId(id.0), before.0.map(MessageId));
        Ok(Answer(self.state.hub().messages().conversation(&caller, id, before, limit.0).await?))
    }
}
