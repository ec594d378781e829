//! Concurrency limits for searches. A search can be the most expensive request, so each human with
//! all their agents has one at a time, and few run concurrently.
//!
//! Invariant: a slot is held as long as the store works on the search, even if the client has
//! disconnected. A caller that waits too long gets an error with a retry time.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use crate::error::{Error, ErrorKind, Result};
use crate::identity::auth::Caller;
use crate::ids::UserId;
use crate::limits;

/// The search slots of one process.
#[derive(Clone)]
pub(crate) struct SearchSlots {
    /// One slot for each owner; the key `None` is the admin socket.
    owners: Arc<Mutex<HashMap<Option<UserId>, Weak<Semaphore>>>>,
    all: Arc<Semaphore>,
    patience: Duration,
}

/// The permission to search, released when dropped.
pub(crate) struct SearchSlot {
    _own: OwnedSemaphorePermit,
    _shared: OwnedSemaphorePermit,
}

impl SearchSlots {
    pub(super) fn new(patience: Duration) -> Self {
        Self { owners: Arc::default(), all: Arc::new(Semaphore::new(limits::SEARCHES_AT_ONCE)), patience }
    }

    /// Waits for a slot. At most one search of each owner waits in the shared queue.
    pub(crate) async fn take(&self, caller: &Caller) -> Result<SearchSlot> {
        let own = self.slot_of(caller.owner());
        let slot = async {
            let own = own.acquire_owned().await.ok()?;
            Some(SearchSlot { _own: own, _shared: self.all.clone().acquire_owned().await.ok()? })
        };
        timeout(self.patience, slot).await.ok().flatten().ok_or_else(|| self.busy())
    }

    fn slot_of(&self, owner: Option<UserId>) -> Arc<Semaphore> {
        let mut owners = self.owners.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(slot) = owners.get(&owner).and_then(Weak::upgrade) {
            return slot;
        }
        owners.retain(|_, slot| slot.strong_count() > 0);
        let slot = Arc::new(Semaphore::new(1));
        owners.insert(owner, Arc::downgrade(&slot));
        slot
    }

    fn busy(&self) -> Error {
        Error::new(
            ErrorKind::TooMany,
            "search_busy",
            "Other searches are still running. Wait for them, then search again.",
        )
        .with_retry_after(self.patience)
    }
}
