//! The messages of a response: one in a JSON body, any number in an event stream, none.

use std::time::Duration;

use bytes::Bytes;
use futures_util::stream::BoxStream;
use futures_util::{StreamExt, TryStreamExt};
use reqwest::Response;
use reqwest::header::CONTENT_TYPE;
use sse_stream::{Sse, SseStream};

use super::envelope::Reply;
use super::refusal::Refusal;

/// Largest JSON body.
const BODY_MAX: usize = 32 * 1024 * 1024;

/// The messages of a response, one after the other.
pub(crate) struct Answers {
    source: Source,
    /// The last event with an id, after which the stream can be resumed.
    pub(crate) last_event: Option<String>,
    /// Reconnection delay that the hub requested.
    pub(crate) pause: Option<Duration>,
    /// Whether any message arrived; keep-alive comments do not count.
    pub(crate) is_fruitful: bool,
}

enum Source {
    Stream(BoxStream<'static, Result<Sse, sse_stream::Error>>),
    Body(Option<Response>),
}

impl Answers {
    pub(super) fn of(response: Response) -> Result<Self, Refusal> {
        let kind = response.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        let source = if kind.starts_with("text/event-stream") {
            let bytes: BoxStream<'static, Result<Bytes, reqwest::Error>> = response.bytes_stream().boxed();
            Source::Stream(SseStream::from_bytes_stream(bytes.map_err(std::io::Error::other)).boxed())
        } else if kind.starts_with("text/html") {
            return Err(Refusal::strange());
        } else {
            Source::Body(Some(response))
        };
        Ok(Self { source, last_event: None, pause: None, is_fruitful: false })
    }

    /// The next message; `None` when there are no more, an error when the connection broke.
    pub(crate) async fn next(&mut self) -> Result<Option<Reply>, Refusal> {
        match &mut self.source {
            Source::Body(response) => match response.take() {
                Some(response) => whole(response).await,
                None => Ok(None),
            },
            Source::Stream(stream) => {
                while let Some(event) = stream.next().await {
                    let event = event.map_err(|error| {
                        tracing::debug!(target: "svc::mcp", %error, "a stream broke");
                        Refusal::broken_off()
                    })?;
                    self.is_fruitful = true;
                    self.last_event = event.id.filter(|id| !id.is_empty()).or(self.last_event.take());
                    self.pause = event.retry.map(Duration::from_millis).or(self.pause);
                    let data = event.data.unwrap_or_default();
                    match Reply::read(&data) {
                        Some(reply) => return Ok(Some(reply)),
                        None if data.trim().is_empty() => {}
                        None => tracing::warn!(target: "svc::mcp", "the hub sent an event that is no message"),
                    }
                }
                Ok(None)
            }
        }
    }
}

async fn whole(mut response: Response) -> Result<Option<Reply>, Refusal> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|_| Refusal::broken_off())? {
        body.extend_from_slice(&chunk);
        if body.len() > BODY_MAX {
            return Err(Refusal::strange());
        }
    }
    let text = String::from_utf8(body).map_err(|_| Refusal::strange())?;
    if text.trim().is_empty() {
        return Ok(None);
    }
    Reply::read(&text).map(Some).ok_or_else(Refusal::strange)
}
