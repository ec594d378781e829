//! Notifications between nodes: one `NOTIFY` for all commits since the last one.
//!
//! It is sent after the commit and not inside it, because PostgreSQL serializes the commits of transactions
//! that notify. If a node crashes in between, the others notice a second later: they poll that often.

use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use sqlx::PgPool;
use sqlx::postgres::PgListener;
use tokio::sync::Notify;

use crate::store::db::notifier::{CommitNotifier, CommitSignal};

/// The channel for events in the log.
const EVENTS: &str = "svc_events";
/// The channel for work in queues.
const QUEUES: &str = "svc_queues";
/// Without waiting for the disk: a notification that is lost with its server has no listeners left.
const NOTIFY: &str = "SELECT pg_notify($1, $2), set_config('synchronous_commit', 'off', true)";
const RECONNECT_PAUSE: Duration = Duration::from_millis(250);

/// The notifications that are still to be sent to other nodes.
#[derive(Debug)]
pub(super) struct Announcer {
    noted: Notify,
    events: AtomicBool,
    queues: AtomicBool,
    /// Names this process in its notifications. Its own tasks know of its commits already.
    name: String,
}

impl Default for Announcer {
    fn default() -> Self {
        let name = format!("{:016x}", RandomState::new().hash_one(std::process::id()));
        Self { noted: Notify::new(), events: AtomicBool::new(false), queues: AtomicBool::new(false), name }
    }
}

impl Announcer {
    /// Records what was committed here.
    pub(super) fn note(&self, signal: CommitSignal) {
        self.events.fetch_or(signal.events, Ordering::SeqCst);
        self.queues.fetch_or(signal.queues, Ordering::SeqCst);
        if signal != CommitSignal::default() {
            self.noted.notify_one();
        }
    }
}

/// Sends pending notifications to other nodes.
pub(super) async fn announce(pool: PgPool, announcer: Arc<Announcer>) {
    loop {
        announcer.noted.notified().await;
        for (noted, channel) in [(&announcer.events, EVENTS), (&announcer.queues, QUEUES)] {
            if !noted.swap(false, Ordering::SeqCst) {
                continue;
            }
            let sent = sqlx::query(NOTIFY).bind(channel).bind(announcer.name.as_str()).execute(&pool).await;
            if let Err(error) = sent {
                tracing::debug!(%error, channel, "other nodes could not be notified");
            }
        }
    }
}

/// Forwards notifications of other nodes to the tasks of this process.
pub(super) async fn listen(pool: PgPool, notifier: Arc<CommitNotifier>, announcer: Arc<Announcer>) {
    loop {
        if let Err(error) = listen_once(&pool, &notifier, &announcer.name).await {
            tracing::debug!(%error, "the connection for notifications of other nodes broke; reconnecting");
        }
        tokio::time::sleep(RECONNECT_PAUSE).await;
    }
}

async fn listen_once(pool: &PgPool, notifier: &CommitNotifier, own: &str) -> Result<(), sqlx::Error> {
    let mut listener = PgListener::connect_with(pool).await?;
    listener.listen_all([EVENTS, QUEUES]).await?;
    // A notification may have been missed while there was no connection, so notify once at the start.
    let mut signal = CommitSignal { events: true, queues: true };
    loop {
        notifier.notify(signal);
        // `None` means that the connection was lost and re-established.
        signal = match listener.try_recv().await? {
            Some(notification) if notification.payload() == own => CommitSignal::default(),
            Some(notification) => {
                CommitSignal { events: notification.channel() == EVENTS, queues: notification.channel() == QUEUES }
            }
            None => CommitSignal { events: true, queues: true },
        };
    }
}
