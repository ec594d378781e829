//! The processes on one PostgreSQL database, and where each keeps the bytes of files.
//!
//! What always holds: those that are alive at one time keep files in one place, a bucket or a directory
//! of one machine, because each would miss the files of the other. Whoever has another place is refused
//! at its start. A process that dies is forgotten after a while. On SQLite the store is a file beside the
//! directory, so there is nothing to look after.

mod place;
mod store;

use tokio::task::AbortHandle;

pub(crate) use place::BlobPlace;

use crate::error::Result;
use crate::limits;
use crate::store::db::{Db, Engine};

/// The membership of this process; it ends when it is dropped, and at once with [`Node::leave`].
pub(crate) struct Node {
    db: Db,
    id: String,
    beating: AbortHandle,
}

impl Node {
    /// Joins the others on the store, or is refused because files are kept elsewhere. `None` where there is
    /// nothing to join.
    pub(crate) async fn join(db: &Db, id: &str, place: Option<BlobPlace>) -> Result<Option<Self>> {
        let Some(place) = place.filter(|_| db.engine() == Engine::Postgres) else {
            return Ok(None);
        };
        let member = (id.to_owned(), place);
        db.write(member.clone(), |tx, (id, place)| Box::pin(store::join(tx, id, place))).await?;
        let beating = tokio::spawn(beat(db.clone(), member)).abort_handle();
        Ok(Some(Self { db: db.clone(), id: id.to_owned(), beating }))
    }

    /// Makes room for others before the process ends.
    pub(crate) async fn leave(&self) {
        self.beating.abort();
        let left = self.db.write(self.id.clone(), |tx, id| Box::pin(store::leave(tx, id)));
        if !matches!(tokio::time::timeout(limits::NODE_BEAT, left).await, Ok(Ok(()))) {
            tracing::debug!("this node could not be signed off and is forgotten by itself");
        }
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        self.beating.abort();
    }
}

/// Shows that this process is alive. A store that is out of reach is tried again with the next beat.
async fn beat(db: Db, member: (String, BlobPlace)) {
    let mut timer = tokio::time::interval(limits::NODE_BEAT);
    timer.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    timer.tick().await;
    loop {
        timer.tick().await;
        let seen = db.write(member.clone(), |tx, (id, place)| Box::pin(store::note(tx, id, place)));
        if let Err(error) = seen.await {
            tracing::debug!(error = error.log_line(), "this node could not be noted as alive");
        }
    }
}
