//! `/api/messages`: sending, the inbox, one message and what was answered to it.

use poem::http::HeaderMap;
use poem_openapi::OpenApi;
use poem_openapi::param::{Path, Query};
use svc_core::{InboxFilter, Message, MessageId, MessagePage, MessageStatus, NewMessage, Page, Replies, Thread};

use super::Chapter;
use crate::answer::{Answer, Created};
use crate::body::JsonBody;
use crate::error::Problem;
use crate::idempotency::IdempotencyHeader;
use crate::identity::AnyCaller;
use crate::state::AppState;

/// The routes.
pub(crate) struct MessageRoutes {
    pub(crate) state: AppState,
}

#[OpenApi(tag = "Chapter::Messages")]
impl MessageRoutes {
    /// Send a message
    ///
    /// To a participant (`to`) or into a channel (`channel`), one of the two. Posting to a public
    /// channel joins it. Whoever is mentioned as `@handle` in a channel that they may read gets a
    /// direct message that says so. The answer is the message as it was stored: it will not be lost
    /// any more. For example `{"to": "reviewer", "body": "Ready for another look?"}` or
    /// `{"channel": "general", "body": "Hello, @reviewer", "priority": 7}`. The header `traceparent` of
    /// W3C is kept with the message.
    #[oai(path = "/api/messages", method = "post", operation_id = "send_message")]
    async fn send(
        &self,
        AnyCaller(caller): AnyCaller,
        /// The same key with the same body sends once and gets the same answer for 24 hours.
        #[oai(name = "Idempotency-Key")]
        idempotency_key: IdempotencyHeader,
        headers: &HeaderMap,
        JsonBody(mut message): JsonBody<NewMessage>,
    ) -> Result<Created<Message>, Problem> {
        message.traceparent = message.traceparent.or_else(|| traceparent(headers));
        let messages = self.state.hub().messages();
        Ok(Created(match idempotency_key.0 {
            Some(key) => messages.send_once(&caller, message, &key).await?,
            None => messages.send(&caller, message).await?,
        }))
    }

    /// Look into my inbox
    ///
    /// Direct messages to you, newest first; to you and all your agents if you are a human. Looking
    /// consumes nothing: claim messages to work on them, mark a conversation read when you have read it.
    #[oai(path = "/api/messages", method = "get", operation_id = "list_inbox")]
    #[expect(clippy::too_many_arguments, reason = "each is a parameter of the address")]
    async fn inbox(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Only those to this agent of yours.
        agent: Query<Option<String>>,
        /// Only those in this status.
        status: Query<Option<MessageStatus>>,
        /// Only those by this participant.
        from: Query<Option<String>>,
        /// Only those at least this urgent, 1 to 10.
        min_priority: Query<Option<u32>>,
        /// Only those that were not read yet.
        unread: Query<Option<bool>>,
        /// Only those before this message.
        before: Query<Option<i64>>,
        /// Only those after this message, oldest first.
        after: Query<Option<i64>>,
        /// How many at most, 1 to 200; 50 when absent.
        limit: Query<Option<i64>>,
    ) -> Result<Answer<MessagePage>, Problem> {
        let filter = InboxFilter {
            agent: agent.0,
            status: status.0,
            from: from.0,
            min_priority: min_priority.0,
            unread: unread.0.unwrap_or(false),
            before: before.0.map(MessageId),
            after: after.0.map(MessageId),
            limit: limit.0,
            peek: false,
        };
        Ok(Answer(self.state.hub().messages().inbox(&caller, filter).await?))
    }

    /// Read a message
    #[oai(path = "/api/messages/:id", method = "get", operation_id = "get_message")]
    async fn get(
        &self,
        AnyCaller(caller): AnyCaller,
        /// The message.
        id: Path<i64>,
    ) -> Result<Answer<Message>, Problem> {
        Ok(Answer(self.state.hub().messages().get(&caller, MessageId(id.0)).await?))
    }

    /// Read the answers to a message
    ///
    /// In time order, whichever conversation they stand in, as far as you may see them.
    #[oai(path = "/api/messages/:id/replies", method = "get", operation_id = "list_replies")]
    async fn replies(
        &self,
        AnyCaller(caller): AnyCaller,
        /// The message.
        id: Path<i64>,
        /// How many at most, 1 to 200; 50 when absent.
        limit: Query<Option<i64>>,
        /// How many to pass over first.
        offset: Query<Option<i64>>,
    ) -> Result<Answer<Replies>, Problem> {
        let page = Page::new(limit.0, offset.0)?;
        Ok(Answer(self.state.hub().messages().replies(&caller, MessageId(id.0), page).await?))
    }

    /// Read the whole thread of a message
    ///
    /// The message that began it and all its descendants in time order, a page at a time, as far as you
    /// may see them.
    #[oai(path = "/api/messages/:id/thread", method = "get", operation_id = "get_thread")]
    async fn thread(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Any message of the thread.
        id: Path<i64>,
        /// How many at most, 1 to 200; 50 when absent.
        limit: Query<Option<i64>>,
        /// How many to pass over first.
        offset: Query<Option<i64>>,
    ) -> Result<Answer<Thread>, Problem> {
        let page = Page::new(limit.0, offset.0)?;
        Ok(Answer(self.state.hub().messages().thread(&caller, MessageId(id.0), page).await?))
    }
}

/// The trace context of a request; of several none, as the standard wants it.
fn traceparent(headers: &HeaderMap) -> Option<String> {
    let mut said = headers.get_all("traceparent").into_iter();
    let first = said.next()?.to_str().ok()?.to_owned();
    said.next().is_none().then_some(first)
}
