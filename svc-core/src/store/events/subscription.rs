//! A subscription: yields missed events from the store first, then live events.

use std::collections::VecDeque;
use std::sync::Arc;

use svc_macros::boxed_futures;
use tokio::sync::broadcast::{self, error::RecvError};

use super::log::EventLog;
use super::model::Event;
use crate::error::{Error, Result};
use crate::ids::EventSeq;

/// Number of events read from the store at once while catching up.
const PAGE: u32 = 500;

/// Yields every event after a position, in order, none twice. See [`EventLog::subscribe`].
pub struct Subscription {
    log: EventLog,
    live: broadcast::Receiver<Arc<Event>>,
    position: EventSeq,
    backlog: VecDeque<Arc<Event>>,
    catching_up: bool,
    reset: bool,
}

#[boxed_futures]
impl Subscription {
    pub(super) fn new(log: EventLog, live: broadcast::Receiver<Arc<Event>>, position: EventSeq, reset: bool) -> Self {
        Self { log, live, position, backlog: VecDeque::new(), catching_up: true, reset }
    }

    /// Whether the requested position is no longer (or not yet) in the log, so that the subscription starts
    /// from now instead and the reader must fetch the current state.
    pub fn was_reset(&self) -> bool {
        self.reset
    }

    /// The position of the last yielded event.
    pub fn position(&self) -> EventSeq {
        self.position
    }

    /// Records that events were swept before they were read; continues with the remaining ones.
    fn swept(&mut self) -> Error {
        match self.log.head() {
            Ok(head) => self.position = head,
            Err(closed) => return closed,
        }
        Error::conflict(
            "events_swept",
            "Some events were removed before they were read: fetch the current state, then continue from here.",
        )
    }

    /// The next event; `None` when the hub has been closed. A reader so slow that events were swept before it
    /// read them gets the error `events_swept` once, and continues with current events.
    pub async fn next(&mut self) -> Result<Option<Arc<Event>>> {
        loop {
            if let Some(event) = self.backlog.pop_front() {
                self.position = event.seq;
                return Ok(Some(event));
            }
            if self.catching_up {
                // Events that were broadcast before this position was reached arrive again live and are
                // skipped there by their position.
                if self.log.is_closed() {
                    return Ok(None);
                }
                // Boxed, so that the many subscriptions that wait for live events do not reserve space for
                // it.
                let (missed, swept) = Box::pin(self.log.read_handed_out(self.position, PAGE)).await?;
                if self.position < swept {
                    return Err(self.swept());
                }
                self.catching_up = !missed.is_empty();
                self.backlog.extend(missed.into_iter().map(Arc::new));
                continue;
            }
            match self.live.recv().await {
                Ok(event) if event.seq <= self.position => {}
                Ok(event) => {
                    self.position = event.seq;
                    return Ok(Some(event));
                }
                Err(RecvError::Lagged(_)) => self.catching_up = true,
                Err(RecvError::Closed) => return Ok(None),
            }
        }
    }
}
