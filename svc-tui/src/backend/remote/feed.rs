//! Live events and logs of a remote hub.

use std::sync::Arc;

use async_trait::async_trait;
use svc_client::{EventConnection, RunLogStream, ServerEvent};
use svc_core::live::LiveBody;

use super::credential::RemoteCredential;
use super::log_text::LogText;
use crate::backend::{Cause, Failure, Feed, LogFeed, News, Result};

/// One connection of live events.
pub(super) struct RemoteFeed {
    pub(super) connection: EventConnection,
    pub(super) credential: Arc<RemoteCredential>,
}

#[async_trait]
impl Feed for RemoteFeed {
    async fn next(&mut self) -> Result<Option<News>> {
        while let Some(event) = self.connection.next().await? {
            if let Some(news) = read(event) {
                return Ok(Some(news));
            }
        }
        // The hub ends a stream when it stops, and when the login has ended.
        match self.credential.ask(|client| async move { client.whoami().await }).await {
            Ok(_) => Err(Failure::unreachable("The hub has ended the connection.")),
            Err(failure) if failure.cause == Cause::LoggedOut => Ok(None),
            Err(failure) => Err(failure),
        }
    }
}

/// The event; `None` for one that this version cannot read. Failing would not help: it would come again.
fn read(event: ServerEvent) -> Option<News> {
    let ServerEvent { seq, name, data } = event;
    match LiveBody::read(&name, data)? {
        Ok(body) => Some(News { seq, body }),
        Err(error) => {
            tracing::warn!(target: "svc::tui", name, %error, "an event cannot be read");
            None
        }
    }
}

/// The log of a run.
pub(super) struct RemoteLog {
    pub(super) stream: RunLogStream,
    pub(super) text: LogText,
}

#[async_trait]
impl LogFeed for RemoteLog {
    async fn next(&mut self) -> Result<Option<String>> {
        Ok(self.stream.next().await?.map(|part| self.text.take(&part)))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use svc_core::ids::EventSeq;

    use super::*;

    #[test]
    fn unknown_events_are_left_out() {
        let event = |name: &str, data| ServerEvent { seq: Some(EventSeq(7)), name: name.into(), data };
        let news = read(event("dead_letters_added", json!({ "count": 2 }))).unwrap();
        assert!(
            matches!(news, News { seq: Some(EventSeq(7)), body: LiveBody::DeadLettersAdded(news) } if news.count == 2)
        );
        assert!(read(event("moon_risen", json!({}))).is_none());
        assert!(read(event("dead_letters_added", json!({ "count": "many" }))).is_none());
    }
}
