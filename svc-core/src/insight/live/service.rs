//! The handle of the live events, and what the feeds share.

use std::sync::Arc;

use svc_macros::boxed_futures;
use svc_model::auth::Permission;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::credential::Proof;
use super::decode::Decoder;
use super::feed::{Feed, Shows};
use super::offers::Offers;
use super::places::Places;
use super::unread::Counter;
use crate::clock::Clock;
use crate::error::Result;
use crate::identity::auth::Caller;
use crate::store::db::Db;
use crate::store::events::{After, EventLog};

/// The live events of a hub; see [`Hub::live`](crate::Hub::live).
#[derive(Clone)]
pub struct Live {
    pub(super) shared: Arc<Shared>,
}

/// What all feeds of a hub share.
pub(super) struct Shared {
    pub(super) db: Db,
    pub(super) events: EventLog,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) decoder: Decoder,
    pub(super) counter: Counter,
    pub(super) offers: Offers,
    pub(super) places: Places,
    tasks: TaskTracker,
    closing: CancellationToken,
}

#[boxed_futures]
impl Live {
    pub(crate) fn new(db: Db, events: EventLog, clock: Arc<dyn Clock>) -> Self {
        let (tasks, closing) = (TaskTracker::new(), CancellationToken::new());
        Self {
            shared: Arc::new(Shared {
                counter: Counter::new(db.clone(), events.clone(), tasks.clone(), closing.clone()),
                offers: Offers::new(db.clone(), tasks.clone()),
                places: Places::default(),
                decoder: Decoder::default(),
                db,
                events,
                clock,
                tasks,
                closing,
            }),
        }
    }

    /// What happens after a place of the log, as far as the caller may see it.
    pub async fn follow(&self, caller: &Caller, after: After) -> Result<Feed> {
        caller.require(Permission::Read)?;
        Feed::open(self.shared.clone(), caller, after, Shows::Messages).await
    }

    /// The same for whoever only says that something happened: receipts say nothing of it.
    pub async fn watch(&self, caller: &Caller, after: After) -> Result<Feed> {
        caller.require(Permission::Read)?;
        Feed::open(self.shared.clone(), caller, after, Shows::Nothing).await
    }

    /// Whether the caller's credential is still good.
    pub async fn holds(&self, caller: &Caller) -> Result<bool> {
        self.shared.db.read(Proof::of(caller), |tx, proof| Box::pin(proof.holds(tx))).await
    }

    /// Finishes what was begun in the background. The log has been closed, so that the feeds have ended.
    pub(crate) async fn close(&self) {
        self.shared.closing.cancel();
        self.shared.tasks.close();
        self.shared.tasks.wait().await;
    }
}
