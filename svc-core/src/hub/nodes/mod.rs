//! The processes on one PostgreSQL database, and the locations of their files.
//!
//! Invariant: all live processes keep files in the same location, a bucket or a directory of one
//! machine, because otherwise each would miss the files of the others. A process with another
//! location fails at startup. A dead process is forgotten after a while. On SQLite the store is a
//! file beside the directory, so nothing has to be checked.
//!
//! A process of another version may share the store while it is upgraded. Each looks regularly whether a newer one has
//! migrated the store, and stops writing if it cannot go on with the new schema.

mod list;
mod location;
mod schema;
mod store;

use tokio::task::AbortHandle;

pub use list::NodeInfo;
pub(crate) use location::BlobLocation;
pub(crate) use schema::SchemaWatch;

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

/// Renews the registration. If the store is unreachable, the next beat tries again.
async fn beat(db: Db, member: (String, BlobLocation)) {
    let mut timer = tokio::time::interval(limits::NODE_BEAT);
    timer.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    timer.tick().await;
    loop {
        timer.tick().await;
        let seen = db.write(member.clone(), |tx, (id, location)| Box::pin(store::note(tx, id, location)));
        if let Err(error) = seen.await {
            tracing::debug!(error = error.log_line(), "the registration of this node could not be renewed");
        }
    }
}
