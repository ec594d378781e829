//! Notifications after a commit: for the follower of the event log, and for waiting workers.

use tokio::sync::{Notify, watch};

/// The parts of a transaction that other tasks wait for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct CommitSignal {
    /// It wrote events to the log.
    pub(super) events: bool,
    /// It made work claimable, or changed the time at which work becomes claimable.
    pub(super) queues: bool,
}

/// Notifies the tasks of this process.
#[derive(Debug, Default)]
pub(super) struct CommitNotifier {
    events: Notify,
    queues: watch::Sender<()>,
}

impl CommitNotifier {
    /// Notifies of a commit.
    pub(super) fn notify(&self, signal: CommitSignal) {
        if signal.events {
            self.events.notify_one();
        }
        if signal.queues {
            self.queues.send_replace(());
        }
    }

    /// The notification for the follower of the log.
    pub(super) fn events(&self) -> &Notify {
        &self.events
    }

    /// The notification for workers; it changes with every commit that affects queues.
    pub(super) fn queues(&self) -> watch::Receiver<()> {
        self.queues.subscribe()
    }
}
