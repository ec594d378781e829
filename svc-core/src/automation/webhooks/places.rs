//! The places for the attempts of a process, and the items that it holds.
//!
//! An attempt has a place until its answer is there. A place is not idle while the store works: an item is claimed and
//! read before there is a place for it, because an attempt that has just begun is likely to end soon; and an outcome
//! is recorded when its place is free again. The quicker the last attempts were, the more items are claimed at once,
//! because a claim of many costs the store little more than a claim of one.
//!
//! Invariants:
//! - The agents of one owner have no more than a share of the places, so slow receivers of one owner leave room for
//!   those of others.
//! - The number of items that a process holds is bounded.
//! - Items get their places in the order in which they ask, except that the share of an owner lets others go first.
//! - An item that gets no place soon is given back, because another process may have one.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{Notify, oneshot};
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
}

#[derive(Default)]
struct Holding {
    items: HashMap<QueueItemId, Held>,
    /// The items that ask for a place, the first one first, and the tasks that wait for it.
    asking: VecDeque<(QueueItemId, oneshot::Sender<()>)>,
    /// The mean duration of the last attempts; none before the first one has ended.
    pace: Option<Duration>,
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
        self.places.lock().end(self.id);
        self.places.changed.notify_one();
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
        let ahead = if slow < limits::WEBHOOK_WORKERS { self.ahead() } else { 0 };
        let items = ahead.saturating_sub(waiting).min(limits::WEBHOOK_HELD.saturating_sub(self.items.len()));
        // While some still wait, the next claim takes several: it costs the store little more than a claim of one.
        let is_worth_it = waiting == 0 || items >= ahead / 2;
        Room { items: if is_worth_it { items } else { 0 }, without: full.unwrap_or_default().to_owned() }
    }

    /// The number of items that are claimed before there is a place for them: as many as the places of one owner are
    /// likely to take within the time of a quick attempt.
    fn ahead(&self) -> usize {
        let Some(pace) = self.pace else { return limits::WEBHOOK_AHEAD };
        let of_a_place = limits::WEBHOOK_QUICK.as_micros() / pace.as_micros().max(1);
        let soon = usize::try_from(of_a_place).unwrap_or(usize::MAX).saturating_mul(limits::WEBHOOK_OWNER_SHARE);
        soon.clamp(limits::WEBHOOK_AHEAD, limits::WEBHOOK_AHEAD_MAX)
    }

    /// Whether an attempt is likely to end in a moment.
    fn is_busy(&self, now: Instant) -> bool {
        self.items.values().any(|held| match held.stage {
            Stage::Waiting => true,
            Stage::Attempting(_) => !held.is_slow(now),
            Stage::Recording => false,
        })
    }

    fn is_attempting(&self, id: QueueItemId) -> bool {
        self.items.get(&id).is_some_and(Held::is_attempting)
    }

    /// Gives free places to items that ask for one and whose owners have fewer than their share.
    fn give(&mut self) {
        let attempting = self.items.values().filter(|held| held.is_attempting());
        let mut owners: Vec<_> = attempting.map(|held| held.owner().to_owned()).collect();
        let mut next = 0;
        while owners.len() < limits::WEBHOOK_WORKERS
            && let Some(id) = self.asking.get(next).map(|(id, _)| *id)
        {
            let Some(held) = self.items.get_mut(&id) else {
                drop(self.asking.remove(next));
                continue;
            };
            let own = owners.iter().filter(|owner| owner.as_str() == held.owner()).count();
            if own >= limits::WEBHOOK_OWNER_SHARE {
                next += 1;
                continue;
            }
            owners.push(held.owner().to_owned());
            held.stage = Stage::Attempting(Instant::now());
            if let Some((_, given)) = self.asking.remove(next) {
                // The task looks at the stage, should it have stopped waiting just now.
                given.send(()).ok();
            }
        }
    }

    /// Takes the place of an item back, and gives it to another one.
    fn end(&mut self, id: QueueItemId) {
        if let Some(held) = self.items.get_mut(&id) {
            if let Stage::Attempting(since) = held.stage {
                // A longer one is slow, and counts as such while it lasts.
                let took = since.elapsed().min(limits::WEBHOOK_QUICK);
                self.pace = Some(self.pace.map_or(took, |pace| (pace * 7 + took) / 8));
            }
            held.stage = Stage::Recording;
        }
        self.give();
    }
}

impl Places {
    pub(super) fn new() -> Self {
        Self { held: Mutex::default(), changed: Notify::new() }
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

    /// Whether other outcomes are likely to come in a moment.
    pub(super) fn is_busy(&self) -> bool {
        self.lock().is_busy(Instant::now())
    }

    /// Adds an item that was claimed.
    pub(super) fn hold(&self, claimed: ClaimedItem) {
        self.lock().items.insert(claimed.item.id, Held { claimed, stage: Stage::Waiting });
    }

    /// Removes an item.
    pub(super) fn forget(&self, id: QueueItemId) {
        let mut held = self.lock();
        held.items.remove(&id);
        held.give();
        drop(held);
        self.changed.notify_one();
    }

    /// Takes a place for an item. Returns `None` when it has waited for too long, or the process stops.
    pub(super) async fn take(self: &Arc<Self>, id: QueueItemId) -> Option<Place> {
        let (given, is_given) = oneshot::channel();
        {
            let mut held = self.lock();
            if held.is_closed {
                return None;
            }
            held.asking.push_back((id, given));
            held.give();
        }
        drop(timeout(limits::WEBHOOK_PATIENCE, is_given).await);
        let mut held = self.lock();
        if !held.is_attempting(id) {
            held.asking.retain(|(asking, _)| *asking != id);
            return None;
        }
        drop(held);
        // One fewer waits, so there may be room.
        self.changed.notify_one();
        Some(Place { places: self.clone(), id })
    }

    /// Gives out no more places.
    pub(super) fn close(&self) {
        let mut held = self.lock();
        held.is_closed = true;
        // Their tasks hear of it, because nobody can tell them of a place any more.
        held.asking.clear();
        drop(held);
        self.changed.notify_one();
    }

    /// Removes all items that are still held.
    pub(super) fn drain(&self) -> Vec<ClaimedItem> {
        self.lock().items.drain().map(|(_, held)| held.claimed).collect()
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
        for id in [own, other] {
            held.asking.push_back((id, oneshot::channel().0));
        }
        held.give();
        assert!(!held.is_attempting(own));
        assert!(held.is_attempting(other), "another owner, although the number begins with the same digit");
        assert_eq!(held.asking.len(), 1);
    }

    #[test]
    fn the_quicker_attempts_are_the_more_items_are_claimed() {
        let now = Instant::now();
        let ahead = |pace| Holding { pace: Some(pace), ..Holding::default() }.ahead();
        assert_eq!(ahead(Duration::from_millis(1)), limits::WEBHOOK_AHEAD_MAX);
        assert_eq!(ahead(Duration::from_millis(20)), 5 * limits::WEBHOOK_OWNER_SHARE);
        assert_eq!(ahead(limits::WEBHOOK_QUICK), limits::WEBHOOK_AHEAD);
        let mut held = holding(&[("7/1", Stage::Attempting(now)), ("7/1", Stage::Recording)]);
        assert!(held.is_busy(now));
        assert!(!held.is_busy(now + limits::WEBHOOK_QUICK), "nobody waits for a slow one");
        held.end(QueueItemId(1));
        assert!(held.pace.is_some() && !held.is_busy(now));
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
