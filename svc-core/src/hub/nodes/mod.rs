//! The processes on one PostgreSQL database, and the locations of their files.
//!
//! Invariant: all live processes keep files in the same location, a bucket or a directory of one
//! machine, because otherwise each would miss the files of the others. A process with another
//! location fails at startup. On SQLite the store is a file beside the directory, so nothing has to
//! be checked.
//!
//! A process that dies is noticed by the others, because its heartbeat stands still ([`watch`]). Its leases end then, so
//! that its workers, runs and deliveries go on elsewhere at once.
//!
//! A process of another version may share the store while it is upgraded. Each looks regularly whether a newer one has
//! migrated the store, and stops writing if it cannot go on with the new schema.

mod list;
mod location;
mod schema;
mod store;
mod watch;

use tokio::task::AbortHandle;

pub use list::NodeInfo;
pub(crate) use location::BlobLocation;
pub(crate) use schema::SchemaWatch;

use self::watch::Watch;
use crate::error::Result;
use crate::limits;
use crate::store::db::{Db, Engine};

/// The registration of this process; it expires after it is dropped, and ends at once with
/// [`Node::leave`].
pub(crate) struct Node {
    db: Db,
    id: String,
    heartbeat: AbortHandle,
}

impl Node {
    /// Registers this process, or fails because other processes keep files elsewhere. `None` if
    /// there is nothing to register.
    pub(crate) async fn join(db: &Db, id: &str, location: Option<BlobLocation>) -> Result<Option<Self>> {
        let Some(location) = location.filter(|_| db.engine() == Engine::Postgres) else {
            return Ok(None);
        };
        let member = (id.to_owned(), location);
        db.write(member.clone(), |tx, (id, location)| Box::pin(store::join(tx, id, location))).await?;
        let heartbeat = tokio::spawn(beat(db.clone(), member)).abort_handle();
        Ok(Some(Self { db: db.clone(), id: id.to_owned(), heartbeat }))
    }

    /// Ends the registration before the process ends.
    pub(crate) async fn leave(&self) {
        self.heartbeat.abort();
        let left = self.db.write(self.id.clone(), |tx, id| Box::pin(store::leave(tx, id)));
        if !matches!(tokio::time::timeout(limits::NODE_BEAT, left).await, Ok(Ok(()))) {
            tracing::debug!("this node could not be unregistered; its registration expires");
        }
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        self.heartbeat.abort();
    }
}

/// Renews the registration, and looks for processes that have died. If the store is unreachable, the next beat tries
/// again.
async fn beat(db: Db, member: (String, BlobLocation)) {
    let mut timer = tokio::time::interval(limits::NODE_BEAT);
    timer.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    timer.tick().await;
    let mut watch = Watch::default();
    loop {
        timer.tick().await;
        if let Err(error) = beat_once(&db, &member, &mut watch).await {
            tracing::debug!(error = error.log_line(), "the registration of this node could not be renewed");
            // The other processes may have been unable to send theirs.
            watch = Watch::default();
        }
    }
}

async fn beat_once(db: &Db, member: &(String, BlobLocation), watch: &mut Watch) -> Result<()> {
    let seen = db.write(member.clone(), |tx, (id, location)| {
        Box::pin(async move {
            store::note(tx, id, location).await?;
            store::others(tx, id).await
        })
    });
    for (id, seen_at) in watch.silent(seen.await?) {
        let is_removed = db.write((id.clone(), seen_at), |tx, (id, seen_at)| Box::pin(store::bury(tx, id, *seen_at)));
        if is_removed.await? {
            tracing::warn!(node = id, "a node has sent no heartbeat for a while; others take over its work");
        }
    }
    Ok(())
}
