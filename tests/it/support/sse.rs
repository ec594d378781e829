//! A reader of server-sent events, as strict as the format.

use std::pin::Pin;

use futures_util::{Stream, StreamExt};
use reqwest::{Method, RequestBuilder};
use serde_json::Value;

use super::people::Person;
use super::server::TestServer;
use super::wait::soon;

/// One event.
#[derive(Debug, Clone)]
pub(crate) struct SseEvent {
    pub(crate) id: Option<i64>,
    pub(crate) name: String,
    pub(crate) data: Value,
}

/// An open stream.
pub(crate) struct Sse {
    bytes: Pin<Box<dyn Stream<Item = reqwest::Result<Vec<u8>>> + Send>>,
    buffer: Vec<u8>,
    /// The last id that it was told.
    pub(crate) last_id: i64,
    comments: usize,
}

impl Sse {
    /// Opens it and reads the greeting.
    pub(crate) async fn open(request: RequestBuilder) -> Self {
        let (sse, hello) = Self::open_at(request, None).await;
        assert_eq!(hello.data["seq"].as_i64(), hello.id, "{hello:?}");
        sse
    }

    /// Opens it after an event that was seen.
    pub(crate) async fn resume(request: RequestBuilder, after: i64) -> Self {
        let (sse, hello) = Self::open_at(request, Some(after)).await;
        assert_eq!(hello.id, Some(after));
        sse
    }

    /// Opens it; returns the greeting too.
    pub(crate) async fn open_at(request: RequestBuilder, after: Option<i64>) -> (Self, SseEvent) {
        let request = match after {
            Some(after) => request.header("Last-Event-ID", after),
            None => request,
        };
        let answer = soon("an open stream", request.send()).await.unwrap();
        assert_eq!(answer.status(), 200, "{:?}", answer.text().await);
        assert_eq!(answer.headers()["content-type"], "text/event-stream");
        assert_eq!(answer.headers()["cache-control"], "no-store");
        assert_eq!(answer.headers()["x-accel-buffering"], "no");
        assert!(!answer.headers().contains_key("content-encoding"));
        let bytes = Box::pin(answer.bytes_stream().map(|chunk| chunk.map(|chunk| chunk.to_vec())));
        let mut sse = Self { bytes, buffer: Vec::new(), last_id: 0, comments: 0 };
        let hello = sse.next().await;
        assert_eq!(hello.name, "hello");
        assert!(hello.data["server_time"].is_string());
        (sse, hello)
    }

    /// The next event; `None` at a clean end.
    pub(crate) async fn try_next(&mut self) -> Option<SseEvent> {
        soon("the next event", async {
            loop {
                let block = self.block().await?;
                if let Some(event) = self.parse(&block) {
                    return Some(event);
                }
            }
        })
        .await
    }

    /// The next event.
    pub(crate) async fn next(&mut self) -> SseEvent {
        self.try_next().await.expect("the stream goes on")
    }

    /// Waits for a comment, before which nothing else comes.
    pub(crate) async fn sign_of_life(&mut self) {
        let before = self.comments;
        soon("a sign of life", async {
            while self.comments == before {
                let block = self.block().await.expect("the stream goes on");
                assert!(self.parse(&block).is_none(), "{block}");
            }
        })
        .await;
    }

    /// The next event of this name; others are passed over.
    pub(crate) async fn next_of(&mut self, name: &str) -> SseEvent {
        loop {
            let event = self.next().await;
            if event.name == name {
                return event;
            }
        }
    }

    /// Everything up to and with this message.
    pub(crate) async fn through(&mut self, last: &Value) -> Vec<SseEvent> {
        let mut seen = Vec::new();
        loop {
            let event = self.next().await;
            let is_last = event.name == "new_message" && event.data["message_id"] == last["id"];
            seen.push(event);
            if is_last {
                return seen;
            }
        }
    }

    /// The ids of all messages that it is told of, up to and with this one.
    pub(crate) async fn messages_through(&mut self, last: &Value) -> Vec<i64> {
        let mut seen = Vec::new();
        loop {
            let id = self.next_of("new_message").await.data["message_id"].as_i64().unwrap();
            seen.push(id);
            if Some(id) == last["id"].as_i64() {
                return seen;
            }
        }
    }

    /// Reads to a clean end; returns what came before.
    pub(crate) async fn rest(mut self) -> Vec<SseEvent> {
        let mut rest = Vec::new();
        while let Some(event) = self.try_next().await {
            rest.push(event);
        }
        rest
    }

    /// The lines up to the next empty one.
    async fn block(&mut self) -> Option<String> {
        loop {
            if let Some(end) = self.buffer.windows(2).position(|two| two == b"\n\n") {
                let rest = self.buffer.split_off(end + 2);
                let block = std::mem::replace(&mut self.buffer, rest);
                return Some(String::from_utf8(block).unwrap());
            }
            let Some(chunk) = self.bytes.next().await else {
                assert!(self.buffer.is_empty(), "half an event came");
                return None;
            };
            self.buffer.extend(chunk.expect("the stream does not break"));
        }
    }

    fn parse(&mut self, block: &str) -> Option<SseEvent> {
        let (mut id, mut name, mut data) = (None, None, None);
        for line in block.lines().filter(|line| !line.is_empty()) {
            match line.split_once(": ") {
                Some(("id", text)) => id = Some(text.parse::<i64>().unwrap()),
                Some(("event", text)) => name = Some(text.to_owned()),
                Some(("data", text)) => data = Some(serde_json::from_str(text).unwrap()),
                Some(("retry", _)) => {}
                _ => {
                    assert!(line.starts_with(':'), "{line}");
                    self.comments += 1;
                }
            }
        }
        if let Some(id) = id {
            assert!(id > self.last_id || matches!(name.as_deref(), Some("hello" | "reset")), "{block}");
            self.last_id = id;
        }
        let event = SseEvent { id, name: name?, data: data? };
        assert_eq!(event.id.is_none(), event.name == "unread_update", "{block}");
        Some(event)
    }
}

impl TestServer {
    /// Opens a stream as a person's browser does.
    pub(crate) async fn stream(&self, person: &Person) -> Sse {
        Sse::open(self.request_as(person, Method::GET, "/api/events")).await
    }

    /// The same with a key.
    pub(crate) async fn stream_with(&self, key: &str) -> Sse {
        Sse::open(self.request_with(key, Method::GET, "/api/events")).await
    }
}
