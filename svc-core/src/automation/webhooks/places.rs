//! The places for the attempts of a process, and the items that it holds.
//!
//! An attempt has a place until its answer is there. A place is not idle while the store works: an item is claimed and
//! read before there is a place for it, because an attempt that has just begun is likely to end soon; and an outcome
//! is recorded when its place is free again.
//!
//! Invariants:
//! - The agents of one owner have no more than a share of the places, so slow receivers of one owner leave room for
//!   those of others.
//! - The number of items that a process holds is bounded.
//! - An item that gets no place soon is given back, because another process may have one.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;
use tokio::time::{Instant, timeout};

use super::route::owner_of_key;
use crate::ids::QueueItemId;
use crate::limits;
use crate::store::queue::ClaimedItem;

/// The places of a process.
pub(super) struct Places {
    held: Mutex<Holding>,
    /// There may be more room; the worker waits for this.
    changed: Notify,
    /// A place was given back; items wait for this.
    freed: Notify,
}

#[derive(Default)]
struct Holding {
    items: HashMap<QueueItemId, Held>,
    is_closed: bool,
}

/// An item that this process has claimed.
struct Held {
    claimed: ClaimedItem,
    stage: Stage,
}

#[derive(Clone, Copy)]
enum Stage {
    /// It is being read, or waits for a place.
    Waiting,
    /// It has had a place since then.
    Attempting(Instant),
    /// Its outcome is being recorded.
    Recording,
}

impl Held {
    fn owner(&self) -> &str {
        owner_of_key(&self.claimed.item.key)
    }

    fn is_attempting(&self) -> bool {
        matches!(self.stage, Stage::Attempting(_))
    }

    fn is_slow(&self, now: Instant) -> bool {
        matches!(self.stage, Stage::Attempting(since) if now.duration_since(since) >= limits::WEBHOOK_QUICK)
    }
}

/// The limits of the next claim.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Room {
    pub(super) items: usize,
    /// The beginning of the keys of an owner whose slow attempts take their whole share; empty for none.
    pub(super) without: String,
}

/// A place that is taken. Dropping it gives it back.
pub(super) struct Place {
    places: Arc<Places>,
    id: QueueItemId,
}

impl Drop for Place {
    fn drop(&mut self) {
        if let Some(held) = self.places.lock().items.get_mut(&self.id) {
            held.stage = Stage::Recording;
        }
        self.places.notify();
    }
}

impl Holding {
    fn room(&self, now: Instant) -> Room {
        let mut slow_of = BTreeMap::<&str, usize>::new();
        for held in self.items.values().filter(|held| held.is_slow(now)) {
            *slow_of.entry(held.owner()).or_default() += 1;
        }
        let slow: usize = slow_of.values().sum();
        // Two owners cannot both have as many: the share is more than half of the places.
        let full = slow_of.iter().find(|(_, slow)| **slow >= limits::WEBHOOK_OWNER_SHARE).map(|(owner, _)| *owner);
        let is_waiting = |held: &&Held| matches!(held.stage, Stage::Waiting) && Some(held.owner()) != full;
        let waiting = self.items.values().filter(is_waiting).count();
        // Quick attempts are over so soon that a single place is enough for all of these.
        let ahead = if slow < limits::WEBHOOK_WORKERS { limits::WEBHOOK_AHEAD } else { 0 };
        let items = ahead.saturating_sub(waiting).min(limits::WEBHOOK_HELD.saturating_sub(self.items.len()));
        // While some still wait, the next claim takes several: it costs the store little more than a claim of one.
        let is_worth_it = waiting == 0 || items >= limits::WEBHOOK_WORKERS;
        Room { items: if is_worth_it { items } else { 0 }, without: full.unwrap_or_default().to_owned() }
    }

    /// Gives an item a place, if one is free and its owner has fewer than their share. Returns whether it did.
    fn begin(&mut self, id: QueueItemId) -> bool {
        let Some(owner) = self.items.get(&id).map(|held| held.owner().to_owned()) else { return false };
        let attempting = self.items.values().filter(|held| held.is_attempting());
        let (all, own) =
            attempting.fold((0, 0), |(all, own), held| (all + 1, own + usize::from(held.owner() == owner.as_str())));
        if all >= limits::WEBHOOK_WORKERS || own >= limits::WEBHOOK_OWNER_SHARE {
            return false;
        }
        if let Some(held) = self.items.get_mut(&id) {
            held.stage = Stage::Attempting(Instant::now());
        }
        true
    }
}

impl Places {
    pub(super) fn new() -> Self {
        Self { held: Mutex::default(), changed: Notify::new(), freed: Notify::new() }
    }

    /// The limits of a claim that is made now.
    pub(super) fn room(&self) -> Room {
        self.lock().room(Instant::now())
    }

    /// Waits until there is room.
    pub(super) async fn has_room(&self) -> Room {
        loop {
            let room = self.room();
            if room.items > 0 {
                return room;
            }
            // An attempt that becomes slow changes the room without a notification.
            drop(timeout(limits::WEBHOOK_QUICK, self.changed.notified()).await);
        }
    }

    /// Waits until the room may be another.
    pub(super) async fn changed(&self) {
        self.changed.notified().await;
    }

    /// Adds an item that was claimed.
    pub(super) fn hold(&self, claimed: ClaimedItem) {
        self.lock().items.insert(claimed.item.id, Held { claimed, stage: Stage::Waiting });
    }

    /// Removes an item.
    pub(super) fn forget(&self, id: QueueItemId) {
        self.lock().items.remove(&id);
        self.notify();
    }

    /// Takes a place for an item. Returns `None` when it has waited for too long, or the process stops.
    pub(super) async fn take(self: &Arc<Self>, id: QueueItemId) -> Option<Place> {
        let place = async {
            loop {
                let freed = self.freed.notified();
                let mut freed = std::pin::pin!(freed);
                freed.as_mut().enable();
                {
                    let mut held = self.lock();
                    if held.is_closed {
                        return None;
                    }
                    if held.begin(id) {
                        // One fewer waits, so there may be room.
                        self.changed.notify_one();
                        return Some(Place { places: self.clone(), id });
                    }
                }
                freed.await;
            }
        };
        timeout(limits::WEBHOOK_PATIENCE, place).await.ok().flatten()
    }

    /// Gives out no more places.
    pub(super) fn close(&self) {
        self.lock().is_closed = true;
        self.notify();
    }

    /// Removes all items that are still held.
    pub(super) fn drain(&self) -> Vec<ClaimedItem> {
        self.lock().items.drain().map(|(_, held)| held.claimed).collect()
    }

    fn notify(&self) {
        self.changed.notify_one();
        self.freed.notify_waiters();
    }

    fn lock(&self) -> MutexGuard<'_, Holding> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Items by the keys of their agents, in these stages.
    fn holding(stages: &[(&str, Stage)]) -> Holding {
        let mut holding = Holding::default();
        for (id, (key, stage)) in (1..).zip(stages) {
            holding.items.insert(QueueItemId(id), Held { claimed: ClaimedItem::sample(id, key), stage: *stage });
        }
        holding
    }

    fn room(items: usize, without: &str) -> Room {
        Room { items, without: without.into() }
    }

    #[test]
    fn items_are_claimed_ahead_of_quick_attempts_alone() {
        let now = Instant::now() + limits::WEBHOOK_QUICK;
        let (quick, slow) = (Stage::Attempting(now), Stage::Attempting(now - limits::WEBHOOK_QUICK));
        let all = limits::WEBHOOK_AHEAD;
        assert_eq!(holding(&[]).room(now), room(all, ""));
        assert_eq!(holding(&[("7/1", quick); 6]).room(now), room(all, ""));
        assert_eq!(holding(&[("7/1", quick), ("12/1", slow), ("70/1", slow)]).room(now), room(all, ""));
        let stuck = [[("7/1", slow)].repeat(4), [("12/1", slow)].repeat(4)].concat();
        assert_eq!(holding(&stuck).room(now), room(0, ""), "no place will be free soon");
        let waiting = [("7/1", Stage::Waiting)].repeat(all - 1);
        assert_eq!(holding(&waiting).room(now), room(0, ""), "the next claim takes several");
        let many = [("7/1", Stage::Recording)].repeat(limits::WEBHOOK_HELD - 1);
        assert_eq!(holding(&many).room(now), room(1, ""), "the number of items is bounded");
    }

    #[test]
    fn an_owner_whose_attempts_are_slow_leaves_room() {
        let now = Instant::now() + limits::WEBHOOK_QUICK;
        let slow = Stage::Attempting(now - limits::WEBHOOK_QUICK);
        let share = limits::WEBHOOK_OWNER_SHARE;
        let mut held = holding(&[[("7/1", slow)].repeat(share), vec![("7/2", Stage::Waiting); 3]].concat());
        assert_eq!(held.room(now), room(limits::WEBHOOK_AHEAD, "7/"), "items that get no place take no room");
        let (own, other) = (QueueItemId(100), QueueItemId(101));
        held.items.insert(own, Held { claimed: ClaimedItem::sample(100, "7/3"), stage: Stage::Waiting });
        held.items.insert(other, Held { claimed: ClaimedItem::sample(101, "70/1"), stage: Stage::Waiting });
        assert!(!held.begin(own));
        assert!(held.begin(other), "another owner, although the number begins with the same digit");
    }

    #[tokio::test]
    async fn a_place_that_is_left_is_taken_by_an_item_that_waits() {
        let places = Arc::new(Places::new());
        let mut taken = Vec::new();
        for id in 0..8 {
            places.hold(ClaimedItem::sample(id, &format!("{id}/1")));
            taken.push(places.take(QueueItemId(id)).await.expect("a place is free"));
        }
        places.hold(ClaimedItem::sample(8, "8/1"));
        let mut waiting = std::pin::pin!(places.take(QueueItemId(8)));
        tokio::select! {
            biased;
            _ = &mut waiting => panic!("all places are taken"),
            () = std::future::ready(()) => {}
        }
        taken.pop();
        assert!(waiting.await.is_some());
        places.hold(ClaimedItem::sample(9, "9/1"));
        places.close();
        taken.clear();
        assert!(places.take(QueueItemId(9)).await.is_none(), "the process stops");
        assert_eq!(places.drain().len(), 10);
    }
}
