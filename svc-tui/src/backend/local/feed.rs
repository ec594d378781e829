//! Live events and logs of the hub in this process.

use async_trait::async_trait;
use svc_core::ErrorKind;
use svc_core::live;
use svc_core::runs::RunLog;
use tokio::sync::mpsc;
use tokio_util::task::AbortOnDropHandle;

use super::credential::LocalCredential;
use crate::backend::remote::LogText;
use crate::backend::{Failure, Feed, LogFeed, News, Result};

/// Events that may wait until they are shown.
const WAITING_MAX: usize = 256;

/// The live events of a login. A task reads them, because reading the hub's feed must not be cancelled.
pub(super) struct LocalFeed {
    events: mpsc::Receiver<Result<News>>,
    credential: LocalCredential,
    _reader: AbortOnDropHandle<()>,
}

impl LocalFeed {
    pub(super) fn new(feed: live::Feed, credential: LocalCredential) -> Self {
        let (sender, events) = mpsc::channel(WAITING_MAX);
        let reader = tokio::spawn(read(feed, sender));
        Self { events, credential, _reader: AbortOnDropHandle::new(reader) }
    }
}

async fn read(mut feed: live::Feed, events: mpsc::Sender<Result<News>>) {
    loop {
        let event = match feed.next().await {
            Ok(Some(event)) => Ok(News { seq: event.seq(), body: event.body().clone() }),
            Ok(None) => return,
            Err(error) => Err(Failure::from(error)),
        };
        let is_last = event.is_err();
        if events.send(event).await.is_err() || is_last {
            return;
        }
    }
}

#[async_trait]
impl Feed for LocalFeed {
    async fn next(&mut self) -> Result<Option<News>> {
        if let Some(event) = self.events.recv().await {
            return event.map(Some);
        }
        // The hub ends a feed when its reader is too slow, and when the login has ended.
        match self.credential.caller().await {
            Ok(_) => Err(Failure::unreachable("The events have been interrupted.")),
            Err(error) if error.kind() == ErrorKind::Unauthenticated => Ok(None),
            Err(error) => Err(error.into()),
        }
    }
}

/// The log of a run.
pub(super) struct LocalLog {
    pub(super) log: RunLog,
    pub(super) text: LogText,
}

#[async_trait]
impl LogFeed for LocalLog {
    async fn next(&mut self) -> Result<Option<String>> {
        Ok(self.log.next().await?.map(|part| self.text.take(&part)))
    }
}
