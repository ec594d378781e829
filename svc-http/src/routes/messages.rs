//! `/api/messages`: send messages, the inbox, one message and its replies, its edits and its end.

use poem::http::HeaderMap;
use poem_openapi::OpenApi;
use poem_openapi::param::{Header, Path, Query};
use svc_core::ids::MessageId;
use svc_core::messages::{
    InboxFilter, Message, MessageEdit, MessagePage, MessageStatus, MessageVersions, NewMessage, Replies, Thread,
};
use svc_core::{Error, Page};

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
    /// To a participant (`to`) or to a channel (`channel`), exactly one of the two. Posting to a public channel joins
    /// it. A participant that is mentioned as `@handle` in a channel that they may read gets a direct message about
    /// it. The response is the stored message: it is durable from then on. For example `{"to": "reviewer", "body":
    /// "Ready for another look?"}` or `{"channel": "general", "body": "Hello, @reviewer", "priority": 7}`. The W3C
    /// header `traceparent` is stored with the message.
    #[oai(path = "/api/messages", method = "post", operation_id = "send_message")]
    async fn send(
        &self,
        AnyCaller(caller): AnyCaller,
        /// A repeated request with the same key and body gets the first response again, for 24 hours.
        #[oai(name = "Idempotency-Key")]
        idempotency_key: IdempotencyHeader,
        headers: &HeaderMap,
        JsonBody(mut message): JsonBody<NewMessage>,
    ) -> Result<Created<Message>, Problem> {
        message.traceparent = message.traceparent.or_else(|| traceparent(headers));
        Ok(Created(self.state.hub().messages().send(&idempotency_key.of(caller)?, message).await?))
    }

    /// List my inbox
    ///
    /// Direct messages to you, newest first; to you and all your agents if you are a human. Listing consumes nothing:
    /// claim messages to work on them, mark a conversation as read when you have read it.
    #[oai(path = "/api/messages", method = "get", operation_id = "list_inbox")]
    #[expect(clippy::too_many_arguments, reason = "each is a parameter of the address")]
    async fn inbox(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Only messages to this agent of yours.
        agent: Query<Option<String>>,
        /// Only messages with this status.
        status: Query<Option<MessageStatus>>,
        /// Only messages from this participant.
        from: Query<Option<String>>,
        /// Only messages with at least this priority, 1 to 10.
        min_priority: Query<Option<u32>>,
        /// Only unread messages, without mentions of yourself.
        unread: Query<Option<bool>>,
        /// Only messages before this id.
        before: Query<Option<i64>>,
        /// Only messages after this id, oldest first.
        after: Query<Option<i64>>,
        /// Page size, 1 to 200; default 50.
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

    /// Get a message
    #[oai(path = "/api/messages/:id", method = "get", operation_id = "get_message")]
    async fn get(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Id of the message.
        id: Path<i64>,
    ) -> Result<Answer<Message>, Problem> {
        Ok(Answer(self.state.hub().messages().get(&caller, MessageId(id.0)).await?))
    }

    /// Edit a message
    ///
    /// Replaces the text of your own message, within 24 hours or what the hub is set to; the earlier texts are kept. An
    /// edit mentions nobody again and starts no run. With `version`, or with the header `If-Match`, an edit of another
    /// version than the current one results in 412 `version_conflict`. 403 `edit_window_over` when it is too late, 409
    /// `message_deleted` after it was deleted. For example `{"body": "Ready for another look, @reviewer?", "version":
    /// 1}`.
    #[oai(path = "/api/messages/:id", method = "patch", operation_id = "edit_message")]
    async fn edit(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Id of the message.
        id: Path<i64>,
        /// The version that the edit is based on, in quotes, such as `"1"`.
        #[oai(name = "If-Match")]
        if_match: Header<Option<String>>,
        /// A repeated request with the same key and body gets the first response again, for 24 hours.
        #[oai(name = "Idempotency-Key")]
        idempotency_key: IdempotencyHeader,
        JsonBody(edit): JsonBody<MessageEdit>,
    ) -> Result<Answer<Message>, Problem> {
        let version = version(if_match.0.as_deref(), edit.version)?;
        let (caller, edit) = (idempotency_key.of(caller)?, MessageEdit { version, ..edit });
        Ok(Answer(self.state.hub().messages().edit(&caller, MessageId(id.0), edit).await?))
    }

    /// Delete a message
    ///
    /// For its author, the owner of its channel, the humans of these, and admins. A tombstone remains: the message
    /// without its text, metadata, files and reactions, with `deleted_by` and `deleted_at`. Its replies stay, the copies
    /// for mentioned participants go. A worker that has claimed it gets 409 `message_deleted`. Repeating the call changes
    /// nothing.
    #[oai(path = "/api/messages/:id", method = "delete", operation_id = "delete_message")]
    async fn delete(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Id of the message.
        id: Path<i64>,
        /// A repeated request with the same key gets the first response again, for 24 hours.
        #[oai(name = "Idempotency-Key")]
        idempotency_key: IdempotencyHeader,
    ) -> Result<Answer<Message>, Problem> {
        let caller = idempotency_key.of(caller)?;
        Ok(Answer(self.state.hub().messages().delete(&caller, MessageId(id.0)).await?))
    }

    /// List the versions of a message
    ///
    /// All its texts, the oldest first; the last one is the current one. A deleted message has none.
    #[oai(path = "/api/messages/:id/versions", method = "get", operation_id = "list_message_versions")]
    async fn versions(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Id of the message.
        id: Path<i64>,
    ) -> Result<Answer<MessageVersions>, Problem> {
        Ok(Answer(self.state.hub().messages().versions(&caller, MessageId(id.0)).await?))
    }

    /// List the replies to a message
    ///
    /// In order of time, from any conversation, as far as you may see them. Deleted replies are left out.
    #[oai(path = "/api/messages/:id/replies", method = "get", operation_id = "list_replies")]
    async fn replies(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Id of the message.
        id: Path<i64>,
        /// Page size, 1 to 200; default 50.
        limit: Query<Option<i64>>,
        /// Number of entries to skip.
        offset: Query<Option<i64>>,
    ) -> Result<Answer<Replies>, Problem> {
        let page = Page::new(limit.0, offset.0)?;
        Ok(Answer(self.state.hub().messages().replies(&caller, MessageId(id.0), page).await?))
    }

    /// Get the thread of a message
    ///
    /// The first message and all its descendants in order of time, page by page, as far as you may see them. Of deleted
    /// ones the tombstones are listed, because others may reply to them.
    #[oai(path = "/api/messages/:id/thread", method = "get", operation_id = "get_thread")]
    async fn thread(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Id of any message of the thread.
        id: Path<i64>,
        /// Page size, 1 to 200; default 50.
        limit: Query<Option<i64>>,
        /// Number of entries to skip.
        offset: Query<Option<i64>>,
    ) -> Result<Answer<Thread>, Problem> {
        let page = Page::new(limit.0, offset.0)?;
        Ok(Answer(self.state.hub().messages().thread(&caller, MessageId(id.0), page).await?))
    }
}

/// The trace context of a request; none if there are several, as the standard demands.
fn traceparent(headers: &HeaderMap) -> Option<String> {
    let mut said = headers.get_all("traceparent").into_iter();
    let first = said.next()?.to_str().ok()?.to_owned();
    said.next().is_none().then_some(first)
}

/// The version that an edit is based on, from the header and from the body.
fn version(if_match: Option<&str>, in_body: Option<u32>) -> Result<Option<u32>, Error> {
    let Some(tag) = if_match else { return Ok(in_body) };
    let digits = tag.trim().strip_prefix('"').and_then(|tag| tag.strip_suffix('"'));
    let number = digits.and_then(|digits| digits.parse::<u32>().ok()).filter(|number| *number > 0);
    let number = number.ok_or_else(|| Error::invalid("If-Match", "must be a version in quotes, such as \"1\""))?;
    match in_body {
        Some(other) if other != number => {
            Err(Error::invalid("If-Match", format!("must be the version in the body, which is {other}")))
        }
        _ => Ok(Some(number)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_comes_from_the_header_or_the_body() {
        assert_eq!(version(None, None).unwrap(), None);
        assert_eq!(version(None, Some(3)).unwrap(), Some(3));
        assert_eq!(version(Some("\"3\""), None).unwrap(), Some(3));
        assert_eq!(version(Some(" \"3\" "), Some(3)).unwrap(), Some(3));
        for (tag, in_body) in [("3", None), ("\"0\"", None), ("\"three\"", None), ("*", None), ("\"3\"", Some(4))] {
            assert_eq!(version(Some(tag), in_body).unwrap_err().fields()[0].field, "If-Match", "{tag}");
        }
    }
}
