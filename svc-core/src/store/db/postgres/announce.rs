//! Word between nodes: one notification for all commits since the last one.
//!
//! It is sent after the commit and not inside it, because PostgreSQL makes transactions that
//! notify commit one after another. A node that dies in between costs the others a second: they
//! look at the log by themselves that often.

use std::sync::Arc;
use std::time::Duration;

use sqlx::PgPool;
use sqlx::postgres::PgListener;
use tokio::sync::Notify;

const CHANNEL: &str = "svc_events";
const RECONNECT_PAUSE: Duration = Duration::from_millis(250);

/// Tells other nodes that there is something new in the log.
pub(super) async fn announce(pool: PgPool, announcer: Arc<Notify>) {
    loop {
        announcer.notified().await;
        let sent = sqlx::query("SELECT pg_notify($1, '')").bind(CHANNEL).execute(&pool).await;
        if let Err(error) = sent {
            tracing::debug!(%error, "other nodes could not be told of new events");
        }
    }
}

/// Rings `committed` when another node tells of something new.
pub(super) async fn listen(pool: PgPool, committed: Arc<Notify>) {
    loop {
        if let Err(error) = listen_once(&pool, &committed).await {
            tracing::debug!(%error, "the line to other nodes broke; connecting again");
        }
        tokio::time::sleep(RECONNECT_PAUSE).await;
    }
}

async fn listen_once(pool: &PgPool, committed: &Notify) -> Result<(), sqlx::Error> {
    let mut listener = PgListener::connect_with(pool).await?;
    listener.listen(CHANNEL).await?;
    loop {
        // Something may have been missed while there was no connection, so ring once at the start.
        committed.notify_one();
        // `None` says that the connection was lost and made again.
        listener.try_recv().await?;
    }
}
