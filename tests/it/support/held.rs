//! Somebody who is in the middle of something, on PostgreSQL, where many write at once.

use std::sync::Arc;

use tokio::sync::Notify;
use tokio::task::JoinHandle;

use crate::support::server::TestServer;
use crate::support::wait::until;

/// Rows that somebody keeps until they are told to let go.
pub(crate) struct Held {
    release: Arc<Notify>,
    holder: JoinHandle<()>,
}

impl Held {
    /// What these statements take.
    pub(crate) async fn by(server: &TestServer, texts: &'static [&'static str]) -> Self {
        let (held, release) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
        let (hub, signals) = (server.hub.clone(), (Arc::clone(&held), Arc::clone(&release)));
        let holder = tokio::spawn(async move {
            let work = hub.db().write(signals, move |tx, (held, release)| {
                Box::pin(async move {
                    for text in texts {
                        tx.query(*text).execute().await?;
                    }
                    held.notify_one();
                    release.notified().await;
                    Ok(())
                })
            });
            work.await.unwrap();
        });
        held.notified().await;
        Self { release, holder }
    }

    pub(crate) async fn let_go(self) {
        self.release.notify_one();
        self.holder.await.unwrap();
    }
}

/// Until so many wait for somebody else.
pub(crate) async fn waiting(server: &TestServer, count: i64) {
    let text = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    until("they wait", async || (server.number(text).await >= count).then_some(())).await;
}
