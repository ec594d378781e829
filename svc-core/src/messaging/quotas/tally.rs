//! What one process knows of how many messages owners have sent.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::ids::UserId;
use crate::limits;
use crate::timestamp::Timestamp;

/// The counts of all owners for whom this process has sent something.
#[derive(Clone, Default)]
pub(super) struct Tally(Arc<Mutex<HashMap<UserId, Count>>>);

/// What is known of one owner.
#[derive(Debug, Clone, Copy)]
struct Count {
    /// As the store had it.
    stored: u64,
    counted_at: Timestamp,
    /// When the first of them leaves the window.
    room_at: Timestamp,
    /// Sent by this process since then.
    sent: u64,
    /// On their way to the store.
    on_their_way: u64,
    /// Somebody is counting again.
    is_counting: bool,
}

impl Count {
    fn used(&self) -> u64 {
        self.stored + self.sent + self.on_their_way
    }
}

/// What is to be done about a message.
#[derive(Debug)]
pub(super) enum Verdict {
    /// It is sent.
    Send(Admitted),
    /// It is sent, and the messages are to be counted again.
    SendAndCount(Admitted),
    /// The messages are to be counted first.
    Count,
    /// It is refused: this many were sent, and the first of them leaves the window then.
    Refuse { used: u64, room_at: Timestamp },
}

impl Tally {
    fn counts(&self) -> MutexGuard<'_, HashMap<UserId, Count>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Judges one more message.
    pub(super) fn judge(&self, owner: UserId, limit: u64, now: Timestamp) -> Verdict {
        let mut counts = self.counts();
        let Some(count) = counts.get_mut(&owner) else { return Verdict::Count };
        let is_older = |than| now > count.counted_at.plus(than);
        if count.used() >= limit {
            // What was taken for sent may have failed, and other processes have sent or time has passed.
            return if is_older(limits::QUOTA_RECHECK) {
                Verdict::Count
            } else {
                Verdict::Refuse { used: count.used(), room_at: count.room_at }
            };
        }
        let is_due = is_older(limits::QUOTA_RECOUNT) && !count.is_counting;
        count.on_their_way += 1;
        count.is_counting |= is_due;
        let admitted = Admitted { of: Some((self.clone(), owner)) };
        if is_due { Verdict::SendAndCount(admitted) } else { Verdict::Send(admitted) }
    }

    /// How many of those that the store is about to count were sent by this process.
    pub(super) fn sent(&self, owner: UserId) -> u64 {
        self.counts().get(&owner).map_or(0, |count| count.sent)
    }

    /// Takes what was counted; `sent` is what [`Tally::sent`] told before.
    pub(super) fn counted(&self, owner: UserId, stored: u64, sent: u64, now: Timestamp, room_at: Timestamp) {
        let mut counts = self.counts();
        let count = counts.entry(owner).or_insert(Count {
            stored,
            counted_at: now,
            room_at,
            sent: 0,
            on_their_way: 0,
            is_counting: false,
        });
        count.sent = count.sent.saturating_sub(sent);
        (count.stored, count.counted_at, count.room_at, count.is_counting) = (stored, now, room_at, false);
    }

    /// Lets another one try to count.
    pub(super) fn not_counted(&self, owner: UserId) {
        if let Some(count) = self.counts().get_mut(&owner) {
            count.is_counting = false;
        }
    }

    fn arrived(&self, owner: UserId, was_sent: bool) {
        if let Some(count) = self.counts().get_mut(&owner) {
            count.on_their_way = count.on_their_way.saturating_sub(1);
            count.sent += u64::from(was_sent);
        }
    }
}

/// A message that may be sent. Dropped without a word it counts as sent, because the store finishes what
/// nobody waits for.
#[must_use = "whether the message was sent has to be told"]
pub(crate) struct Admitted {
    of: Option<(Tally, UserId)>,
}

impl std::fmt::Debug for Admitted {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_tuple("Admitted").field(&self.of.as_ref().map(|(_, owner)| owner)).finish()
    }
}

impl Admitted {
    /// One that no quota counts.
    pub(super) fn unlimited() -> Self {
        Self { of: None }
    }

    /// Tells what became of it.
    pub(crate) fn ended(mut self, was_sent: bool) {
        if let Some((tally, owner)) = self.of.take() {
            tally.arrived(owner, was_sent);
        }
    }
}

impl Drop for Admitted {
    fn drop(&mut self) {
        if let Some((tally, owner)) = self.of.take() {
            tally.arrived(owner, true);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    const OWNER: UserId = UserId(7);

    fn at(seconds: u64) -> Timestamp {
        Timestamp::from_micros(0).plus(Duration::from_secs(seconds))
    }

    fn send(tally: &Tally, limit: u64, now: Timestamp) -> bool {
        match tally.judge(OWNER, limit, now) {
            Verdict::Send(admitted) | Verdict::SendAndCount(admitted) => {
                admitted.ended(true);
                true
            }
            Verdict::Count | Verdict::Refuse { .. } => false,
        }
    }

    #[test]
    fn what_is_sent_here_counts_at_once_and_once() {
        let tally = Tally::default();
        assert!(matches!(tally.judge(OWNER, 5, at(0)), Verdict::Count));
        tally.counted(OWNER, 3, 0, at(0), at(3600));
        assert!(send(&tally, 5, at(0)) && send(&tally, 5, at(0)) && !send(&tally, 5, at(0)));
        assert!(matches!(tally.judge(OWNER, 5, at(0)), Verdict::Refuse { used: 5, .. }));
        // The store has both of them by now.
        let sent = tally.sent(OWNER);
        tally.counted(OWNER, 5, sent, at(1), at(3600));
        assert!(send(&tally, 6, at(1)) && !send(&tally, 6, at(1)));
    }

    #[test]
    fn what_is_on_its_way_counts_until_it_failed() {
        let tally = Tally::default();
        tally.counted(OWNER, 0, 0, at(0), at(3600));
        let Verdict::Send(first) = tally.judge(OWNER, 1, at(0)) else { panic!("there is room") };
        // Counted while it is on its way.
        tally.counted(OWNER, 0, tally.sent(OWNER), at(0), at(3600));
        assert!(!send(&tally, 1, at(0)));
        first.ended(false);
        assert!(send(&tally, 1, at(0)));
        let tally = Tally::default();
        tally.counted(OWNER, 0, 0, at(0), at(3600));
        drop(tally.judge(OWNER, 1, at(0)));
        assert!(!send(&tally, 1, at(0)), "what nobody waited for was sent");
    }

    #[test]
    fn an_old_count_is_renewed_by_one() {
        let tally = Tally::default();
        tally.counted(OWNER, 0, 0, at(0), at(3600));
        let late = at(3600);
        assert!(matches!(tally.judge(OWNER, 9, late), Verdict::SendAndCount(_)));
        assert!(matches!(tally.judge(OWNER, 9, late), Verdict::Send(_)));
        tally.not_counted(OWNER);
        assert!(matches!(tally.judge(OWNER, 9, late), Verdict::SendAndCount(_)));
        // Before anything is refused it is counted, however many do so.
        assert!(matches!(tally.judge(OWNER, 1, late), Verdict::Count));
    }
}
