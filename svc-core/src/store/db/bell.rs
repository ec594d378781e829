//! The bell that rings after a commit: for the follower of the event log, and for whoever waits for work.

use tokio::sync::{Notify, watch};

/// What a transaction wrote that others wait for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct News {
    /// Events of the log.
    pub(super) events: bool,
    /// Work that may be claimable, now or at another time than before.
    pub(super) queues: bool,
}

/// Rings in this process.
#[derive(Debug, Default)]
pub(super) struct Bell {
    events: Notify,
    queues: watch::Sender<()>,
}

impl Bell {
    /// Rings for what was written.
    pub(super) fn ring(&self, news: News) {
        if news.events {
            self.events.notify_one();
        }
        if news.queues {
            self.queues.send_replace(());
        }
    }

    /// The one follower of the log waits for this.
    pub(super) fn events(&self) -> &Notify {
        &self.events
    }

    /// Anybody may wait for this; it changes with every ring.
    pub(super) fn queues(&self) -> watch::Receiver<()> {
        self.queues.subscribe()
    }
}
