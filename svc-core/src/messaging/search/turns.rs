//! Whose turn it is to search. A search may be the most costly thing that a caller can ask for, so each
//! human with all their agents has one at a time, and few run at once.
//!
//! What always holds: a turn lasts as long as the store works on the search, also when whoever asked has
//! gone away; and whoever waits for one is told to come back when it takes too long.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use crate::error::{Error, ErrorKind, Result};
use crate::identity::auth::Caller;
use crate::ids::UserId;
use crate::limits;

/// The turns of one process.
#[derive(Clone)]
pub(super) struct Turns {
    /// One place for each owner; none for whoever holds the process.
    owners: Arc<Mutex<HashMap<Option<UserId>, Weak<Semaphore>>>>,
    all: Arc<Semaphore>,
    patience: Duration,
}

/// The right to search, given back when dropped.
pub(super) struct Turn {
    _own: OwnedSemaphorePermit,
    _shared: OwnedSemaphorePermit,
}

impl Turns {
    pub(super) fn new(patience: Duration) -> Self {
        Self { owners: Arc::default(), all: Arc::new(Semaphore::new(limits::SEARCHES_AT_ONCE)), patience }
    }

    /// Waits for the caller's turn. Of those who wait, each owner has one in the line of all.
    pub(super) async fn take(&self, caller: &Caller) -> Result<Turn> {
        let own = self.place_of(caller.owner());
        let turn = async {
            let own = own.acquire_owned().await.ok()?;
            Some(Turn { _own: own, _shared: self.all.clone().acquire_owned().await.ok()? })
        };
        timeout(self.patience, turn).await.ok().flatten().ok_or_else(|| self.busy())
    }

    fn place_of(&self, owner: Option<UserId>) -> Arc<Semaphore> {
        let mut owners = self.owners.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(place) = owners.get(&owner).and_then(Weak::upgrade) {
            return place;
        }
        owners.retain(|_, place| place.strong_count() > 0);
        let place = Arc::new(Semaphore::new(1));
        owners.insert(owner, Arc::downgrade(&place));
        place
    }

    fn busy(&self) -> Error {
        Error::new(
            ErrorKind::TooMany,
            "search_busy",
            "Searches of yours or of others are still under way: wait for them, then search again.",
        )
        .with_retry_after(self.patience)
    }
}
