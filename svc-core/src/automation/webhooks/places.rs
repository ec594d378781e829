//! The places for the attempts of a process, and the items that it holds.
//!
//! An attempt takes a place until its answer is there. So that a place is not idle while the store works, an item is
//! claimed before there is a place for it, if an attempt that has just begun is likely to end soon; and an outcome is
//! recorded when the place is free again.
//!
//! Invariant: an item that gets no place soon is given back, because another process may have one.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout};

use crate::ids::QueueItemId;
use crate::limits;
use crate::store::queue::ClaimedItem;

/// The places of a process.
pub(super) struct Places {
    free: Arc<Semaphore>,
    held: Mutex<HashMap<QueueItemId, Held>>,
    /// There may be more room.
    changed: Notify,
}

/// An item that this process has claimed.
struct Held {
    claimed: ClaimedItem,
    stage: Stage,
}

#[derive(Clone, Copy)]
enum Stage {
    /// It waits for a place.
    Waiting,
    /// It has had a place since then.
    Attempting(Instant),
    /// Its outcome is being recorded.
    Ended,
}

/// A place that is taken. Dropping it gives it back.
pub(super) struct Place {
    places: Arc<Places>,
    id: QueueItemId,
    _permit: OwnedSemaphorePermit,
}

impl Drop for Place {
    fn drop(&mut self) {
        self.places.set(self.id, Stage::Ended);
    }
}

impl Places {
    pub(super) fn new() -> Self {
        let free = Arc::new(Semaphore::new(limits::WEBHOOK_WORKERS));
        Self { free, held: Mutex::default(), changed: Notify::new() }
    }

    /// The number of items to claim now. As many may wait as there are places that are free or will soon be.
    pub(super) fn room(&self) -> usize {
        let held = self.lock();
        let waiting = held.values().filter(|item| matches!(item.stage, Stage::Waiting)).count();
        let is_slow = |stage| matches!(stage, Stage::Attempting(since) if since.elapsed() >= limits::WEBHOOK_QUICK);
        let slow = held.values().filter(|item| is_slow(item.stage)).count();
        let room =
            limits::WEBHOOK_WORKERS.saturating_sub(waiting + slow).min(limits::WEBHOOK_HELD.saturating_sub(held.len()));
        // While some still wait, the next claim takes several.
        if waiting > 0 && room < limits::WEBHOOK_WORKERS / 2 { 0 } else { room }
    }

    /// Waits until there is room.
    pub(super) async fn has_room(&self) {
        while self.room() == 0 {
            self.changed.notified().await;
        }
    }

    /// Adds an item that was claimed.
    pub(super) fn hold(&self, claimed: ClaimedItem) {
        self.lock().insert(claimed.item.id, Held { claimed, stage: Stage::Waiting });
    }

    /// Removes an item.
    pub(super) fn forget(&self, id: QueueItemId) {
        self.lock().remove(&id);
        self.changed.notify_one();
    }

    /// Takes a place for an item. Returns `None` when it has waited for too long, or the process stops.
    pub(super) async fn take(self: &Arc<Self>, id: QueueItemId) -> Option<Place> {
        let permit = timeout(limits::WEBHOOK_AHEAD, self.free.clone().acquire_owned()).await.ok()?.ok()?;
        self.set(id, Stage::Attempting(Instant::now()));
        Some(Place { places: self.clone(), id, _permit: permit })
    }

    /// Gives out no more places.
    pub(super) fn close(&self) {
        self.free.close();
    }

    /// Removes all items that are still held.
    pub(super) fn drain(&self) -> Vec<ClaimedItem> {
        self.lock().drain().map(|(_, held)| held.claimed).collect()
    }

    fn set(&self, id: QueueItemId, stage: Stage) {
        if let Some(held) = self.lock().get_mut(&id) {
            held.stage = stage;
        }
        self.changed.notify_one();
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<QueueItemId, Held>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
