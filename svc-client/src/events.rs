//! Live events: a stream that resumes after a broken connection.

use std::collections::VecDeque;
use std::time::Duration;

use http::Method;
use reqwest::Response;
use serde_json::Value;
use svc_model::ids::EventSeq;

use crate::client::Client;
use crate::error::ClientError;

/// The hub sends something every 15 seconds; a stream that is silent for longer counts as broken.
const SILENCE_MAX: Duration = Duration::from_secs(45);
/// Maximum length of a line of a stream, in bytes.
const LINE_MAX: usize = 1 << 20;
/// The first and the longest pause before a broken stream is opened again.
const PAUSE: (Duration, Duration) = (Duration::from_millis(500), Duration::from_secs(20));

/// The start position of a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventsFrom {
    /// Begin with the next event.
    Now,
    /// Begin after this event.
    After(EventSeq),
}

/// An event of the hub.
#[derive(Debug, Clone, PartialEq)]
pub struct ServerEvent {
    /// Its position in the log, from which to resume; `None` for an event that is not in the log.
    pub seq: Option<EventSeq>,
    /// Its name, such as `new_message`.
    pub name: String,
    /// Its payload.
    pub data: Value,
}

/// A stream of the live events that the credential may see.
#[derive(Debug)]
pub struct ServerEvents {
    client: Client,
    after: Option<EventSeq>,
    open: Option<EventConnection>,
    /// The pause before the next connection.
    pause: Duration,
}

/// One connection of live events, which ends when it breaks. Opened by [`Client::events_once`].
#[derive(Debug)]
pub struct EventConnection {
    response: Response,
    lines: Lines,
}

/// A parser of the lines of a stream, with the event that it is building.
#[derive(Debug, Default)]
struct Lines {
    rest: Vec<u8>,
    seq: Option<EventSeq>,
    name: String,
    data: String,
    ready: VecDeque<ServerEvent>,
}

impl Client {
    /// Subscribes to live events. A broken stream resumes after its last event, without gap or repetition, for
    /// up to seven days. Each connection begins with a `hello` event; a `reset` event says that events are
    /// missing.
    pub async fn events(&self, from: EventsFrom) -> Result<ServerEvents, ClientError> {
        let open = Some(self.events_once(from).await?);
        let after = match from {
            EventsFrom::Now => None,
            EventsFrom::After(seq) => Some(seq),
        };
        Ok(ServerEvents { client: self.clone(), after, open, pause: PAUSE.0 })
    }

    /// Subscribes to live events with one connection, for a program that shows the state of its connection and
    /// connects again by itself. See [`Client::events`].
    pub async fn events_once(&self, from: EventsFrom) -> Result<EventConnection, ClientError> {
        let after = match from {
            EventsFrom::Now => None,
            EventsFrom::After(seq) => Some(seq.to_string()),
        };
        let query: Vec<_> = after.iter().map(|after| ("after", after.as_str())).collect();
        let request = self.request(Method::GET, &["api", "events"], &query)?;
        Ok(EventConnection { response: self.open(request).await?, lines: Lines::default() })
    }
}

impl EventConnection {
    /// The next event; `None` when the hub has closed the stream, because it stops, or because the credential has
    /// expired or was revoked. Cancelling a call loses no event.
    pub async fn next(&mut self) -> Result<Option<ServerEvent>, ClientError> {
        loop {
            if let Some(event) = self.lines.ready.pop_front() {
                return Ok(Some(event));
            }
            let chunk = tokio::time::timeout(SILENCE_MAX, self.response.chunk()).await;
            match chunk.map_err(|_| ClientError::Timeout)?.map_err(ClientError::Transport)? {
                Some(chunk) => self.lines.take(&chunk)?,
                None => return Ok(None),
            }
        }
    }
}

impl ServerEvents {
    /// The next event; `None` when the hub has closed the stream because the credential has expired or was
    /// revoked.
    pub async fn next(&mut self) -> Result<Option<ServerEvent>, ClientError> {
        loop {
            let Some(open) = &mut self.open else {
                match self.connect().await {
                    Ok(()) => {}
                    Err(ClientError::Refused(problem)) if problem.status == 401 => return Ok(None),
                    Err(ClientError::Refused(problem)) if problem.status < 500 && problem.status != 429 => {
                        return Err(ClientError::Refused(problem));
                    }
                    Err(error) => self.wait(error.retry_after()).await,
                }
                continue;
            };
            match open.next().await {
                Ok(Some(event)) => {
                    self.after = event.seq.or(self.after);
                    if event.name != "hello" {
                        self.pause = PAUSE.0;
                    }
                    return Ok(Some(event));
                }
                Err(ClientError::Answer(reason)) => return Err(ClientError::Answer(reason)),
                // Ended, broken or silent: the next connection resumes here.
                Ok(None) | Err(_) => {
                    self.open = None;
                    self.wait(None).await;
                }
            }
        }
    }

    /// Pauses before the next connection, longer each time until an event arrives.
    async fn wait(&mut self, requested: Option<Duration>) {
        tokio::time::sleep(requested.unwrap_or(self.pause).min(PAUSE.1)).await;
        self.pause = (self.pause * 2).min(PAUSE.1);
    }

    async fn connect(&mut self) -> Result<(), ClientError> {
        let from = self.after.map_or(EventsFrom::Now, EventsFrom::After);
        self.open = Some(self.client.events_once(from).await?);
        Ok(())
    }
}

impl Lines {
    fn take(&mut self, chunk: &[u8]) -> Result<(), ClientError> {
        self.rest.extend_from_slice(chunk);
        let mut begin = 0;
        while let Some(length) = self.rest[begin..].iter().position(|byte| *byte == b'\n') {
            let line = String::from_utf8_lossy(&self.rest[begin..begin + length]).into_owned();
            self.line(line.trim_end_matches('\r'))?;
            begin += length + 1;
        }
        self.rest.drain(..begin);
        if self.rest.len() > LINE_MAX || self.data.len() > LINE_MAX {
            return Err(ClientError::Answer(format!("an event has more than {LINE_MAX} bytes")));
        }
        Ok(())
    }

    fn line(&mut self, line: &str) -> Result<(), ClientError> {
        if line.is_empty() {
            return self.end();
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "id" => self.seq = value.parse().ok().map(EventSeq),
            "event" => value.clone_into(&mut self.name),
            "data" if self.data.is_empty() => value.clone_into(&mut self.data),
            "data" => {
                self.data.push('\n');
                self.data.push_str(value);
            }
            // Comments keep the connection alive; `retry` is for browsers.
            _ => {}
        }
        Ok(())
    }

    fn end(&mut self) -> Result<(), ClientError> {
        let (seq, name, data) = (self.seq.take(), std::mem::take(&mut self.name), std::mem::take(&mut self.data));
        if data.is_empty() {
            return Ok(());
        }
        let data = serde_json::from_str(&data).map_err(|error| ClientError::Answer(error.to_string()))?;
        self.ready.push_back(ServerEvent { seq, name, data });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn events_are_parsed_across_chunk_boundaries() {
        let text =
            b"retry: 2000\nid: 7\nevent: hello\ndata: {\"seq\":7}\n\n:\n\nevent: unread_update\r\ndata: {}\r\n\r\n";
        for size in [1, 3, 16, text.len()] {
            let mut lines = Lines::default();
            for chunk in text.chunks(size) {
                lines.take(chunk).unwrap();
            }
            let events: Vec<_> = lines.ready.into_iter().collect();
            let hello = ServerEvent { seq: Some(EventSeq(7)), name: "hello".into(), data: json!({ "seq": 7 }) };
            let unread = ServerEvent { seq: None, name: "unread_update".into(), data: json!({}) };
            assert_eq!(events, [hello, unread], "{size}");
        }
    }

    #[test]
    fn an_endless_line_is_rejected() {
        let mut lines = Lines::default();
        assert!((0..=LINE_MAX / 1024 + 1).any(|_| lines.take(&[b'x'; 1024]).is_err()));
    }
}
