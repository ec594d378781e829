//! `/api/events`: live events as server-sent events.
//!
//! Invariants: a stream holds its log position and the event that is being written, so a client that does not read
//! costs no memory and blocks nobody; the core disconnects it after a while. Streams end first when the server stops.

use bytes::Bytes;
use futures_util::{Stream, stream};
use poem::http::header;
use poem::{Body, IntoResponse, Response};
use poem_openapi::param::{Header, Query};
use poem_openapi::registry::{MetaMediaType, MetaResponse, MetaResponses, MetaSchemaRef, Registry};
use poem_openapi::types::Type;
use poem_openapi::{ApiResponse, OpenApi};
use svc_core::Error;
use svc_core::events::After;
use svc_core::ids::EventSeq;
use svc_core::live::{Feed, LiveBody, LiveEvent};

use super::Chapter;
use crate::error::Problem;
use crate::identity::AnyCaller;
use crate::live::until_shutdown;
use crate::state::AppState;

const EVENT_STREAM: &str = "text/event-stream";
/// Reconnection delay for clients, in milliseconds.
const RETRY: u32 = 2000;

/// The routes.
pub(crate) struct EventRoutes {
    pub(crate) state: AppState,
}

/// A long-lived response.
struct EventStream(Body);

impl IntoResponse for EventStream {
    fn into_response(self) -> Response {
        Response::builder()
            .content_type(EVENT_STREAM)
            .header(header::CACHE_CONTROL, "no-store")
            // Proxies that buffer a response would hold the events back.
            .header("x-accel-buffering", "no")
            .body(self.0)
    }
}

impl ApiResponse for EventStream {
    fn meta() -> MetaResponses {
        MetaResponses {
            responses: vec![MetaResponse {
                description: "The events, until either side ends the stream.",
                status: Some(200),
                status_range: None,
                content: vec![MetaMediaType { content_type: EVENT_STREAM, schema: text_schema() }],
                headers: Vec::new(),
            }],
        }
    }

    fn register(_: &mut Registry) {}
}

fn text_schema() -> MetaSchemaRef {
    String::schema_ref()
}

#[OpenApi(tag = "Chapter::Events")]
impl EventRoutes {
    /// Stream live events
    ///
    /// Server-sent events, each with its log position as `id`, its name as `event` and one line of JSON as `data`:
    ///
    /// ```text
    /// id: 42
    /// event: new_message
    /// data: {"message_id":7,"conversation_id":3,"channel":"general","from":"ann","from_kind":"human","to":null,…}
    /// ```
    ///
    /// - `hello` comes first: `{seq, server_time, you}`.
    /// - `new_message`, with `mentions_me`; `message_updated`; `message_edited`; `message_deleted`;
    ///   `message_pinned`; `message_unpinned`; `scheduled_message_changed`; `reaction_changed`; `emoji_added`;
    ///   `emoji_removed`; `workflow_state_changed`; `channel_changed`; `agent_changed`;
    ///   `loop_changed`; `machine_changed`, for people; `task_changed`; `dead_letters_added`, for people; `run_changed`;
    ///   `goal_changed`; `wiki_changed`; `profile_changed`.
    /// - `unread_update`: `{kind, name, unread, mentions}`, after your unread count has changed. It has no `id`. For
    ///   direct messages of an agent `mention_copies`, unless it is 0, says how many of `unread` are counted in a
    ///   channel of its own as well.
    /// - `reset`: `{reason}`. Events are missing, because they are no longer in the log (`expired`), not yet
    ///   (`future`), or because you read too slowly (`slow`): fetch the current state.
    ///
    /// The stream contains only events that you may see. A comment is sent every 15 seconds. A client that reconnects
    /// with the last `id` it saw misses nothing and sees nothing twice, for 7 days.
    #[oai(path = "/api/events", method = "get", operation_id = "follow_events")]
    async fn follow(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Id of the last event that the client has seen; the stream continues after it.
        #[oai(name = "Last-Event-ID")]
        last_event_id: Header<Option<String>>,
        /// Like `Last-Event-ID`, for clients that cannot set the header; the header has precedence.
        after: Query<Option<String>>,
    ) -> Result<EventStream, Problem> {
        let after = match (last_event_id.0, after.0) {
            (Some(text), _) => place("Last-Event-ID", &text)?,
            (None, Some(text)) => place("after", &text)?,
            (None, None) => After::Now,
        };
        let feed = self.state.hub().live().follow(&caller, after).await?;
        Ok(EventStream(Body::from_bytes_stream(until_shutdown(frames(feed), self.state.streams()))))
    }
}

fn place(field: &str, text: &str) -> Result<After, Error> {
    let seq = text.trim().parse::<i64>().ok().filter(|seq| *seq >= 0);
    seq.map(|seq| After::Seq(EventSeq(seq))).ok_or_else(|| Error::invalid(field, "must be the id of an event"))
}

/// The encoded feed. An error ends it, and the client reconnects at its last position.
fn frames(feed: Feed) -> impl Stream<Item = std::io::Result<Bytes>> {
    stream::unfold(feed, |mut feed| async move {
        match feed.next().await {
            Ok(Some(event)) => Some((Ok(Bytes::from(frame(&event))), feed)),
            Ok(None) => None,
            Err(error) => {
                tracing::warn!(target: "svc::http", error = error.log_line(), "a live stream has ended");
                None
            }
        }
    })
}

fn frame(event: &LiveEvent) -> String {
    let id = event.seq().map(|seq| format!("id: {seq}\n")).unwrap_or_default();
    match event.body() {
        // An id without data is remembered by the client and not dispatched.
        LiveBody::Alive => format!(":\n{id}\n"),
        LiveBody::Hello(_) => format!("retry: {RETRY}\n{id}event: hello\ndata: {}\n\n", event.data()),
        _ => format!("{id}event: {}\ndata: {}\n\n", event.name(), event.data()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_position_is_a_non_negative_number() {
        assert_eq!(place("after", " 42 ").unwrap(), After::Seq(EventSeq(42)));
        for text in ["", "-1", "4.2", "last", "99999999999999999999"] {
            let error = place("after", text).unwrap_err();
            assert_eq!((error.code(), error.fields()[0].field.as_str()), ("validation_failed", "after"), "{text}");
        }
    }
}
