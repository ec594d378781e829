//! The message counts that one process keeps in memory.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::ids::UserId;
use crate::limits;
use crate::timestamp::Timestamp;

/// The counts of all owners for whom this process has sent messages.
#[derive(Clone, Default)]
pub(super) struct Tally(Arc<Mutex<HashMap<UserId, Count>>>);

/// The count of one owner.
#[derive(Debug, Clone, Copy)]
struct Count {
    /// The number of messages in the store at the last count.
    stored: u64,
    counted_at: Timestamp,
    /// The time when the oldest of them leaves the window.
    available_at: Timestamp,
    /// Sent by this process since the last count.
    sent: u64,
    /// Admitted and not yet stored.
    in_flight: u64,
    /// Whether a task is counting again.
    is_counting: bool,
}

impl Count {
    fn used(&self) -> u64 {
        self.stored + self.sent + self.in_flight
    }
}

/// The decision about a message.
#[derive(Debug)]
pub(super) enum Decision {
    /// The message is sent.
    Send(Admission),
    /// The message is sent, and the messages are counted again.
    SendAndCount(Admission),
    /// The messages are counted first.
    Count,
    /// The message is rejected: `used` messages were sent, and the oldest leaves the window at that
    /// time.
    Refuse { used: u64, available_at: Timestamp },
}

impl Tally {
    fn counts(&self) -> MutexGuard<'_, HashMap<UserId, Count>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Decides about one more message.
    pub(super) fn decide(&self, owner: UserId, limit: u64, now: Timestamp) -> Decision {
        let mut counts = self.counts();
        let Some(count) = counts.get_mut(&owner) else { return Decision::Count };
        let is_older = |than| now > count.counted_at.plus(than);
        if count.used() >= limit {
            // Admitted messages may have failed, other processes may have sent some, or time may
            // have passed.
            return if is_older(limits::QUOTA_RECHECK) {
                Decision::Count
            } else {
                Decision::Refuse { used: count.used(), available_at: count.available_at }
            };
        }
        let is_due = is_older(limits::QUOTA_RECOUNT) && !count.is_counting;
        count.in_flight += 1;
        count.is_counting |= is_due;
        let admitted = Admission { of: Some((self.clone(), owner)) };
        if is_due { Decision::SendAndCount(admitted) } else { Decision::Send(admitted) }
    }

    /// The messages that this process has sent since the last count.
    pub(super) fn sent(&self, owner: UserId) -> u64 {
        self.counts().get(&owner).map_or(0, |count| count.sent)
    }

    /// Stores a new count; `sent` is the value of [`Tally::sent`] before counting.
    pub(super) fn counted(&self, owner: UserId, stored: u64, sent: u64, now: Timestamp, available_at: Timestamp) {
        let mut counts = self.counts();
        let count = counts.entry(owner).or_insert(Count {
            stored,
            counted_at: now,
            available_at,
            sent: 0,
            in_flight: 0,
            is_counting: false,
        });
        count.sent = count.sent.saturating_sub(sent);
        (count.stored, count.counted_at, count.available_at, count.is_counting) = (stored, now, available_at, false);
    }

    /// Lets another task count after a failure.
    pub(super) fn not_counted(&self, owner: UserId) {
        if let Some(count) = self.counts().get_mut(&owner) {
            count.is_counting = false;
        }
    }

    fn finished(&self, owner: UserId, was_sent: bool) {
        if let Some(count) = self.counts().get_mut(&owner) {
            count.in_flight = count.in_flight.saturating_sub(1);
            count.sent += u64::from(was_sent);
        }
    }
}

/// An admitted message. Dropped without a result it counts as sent, because the store completes a
/// write that nobody waits for.
#[must_use = "report whether the message was sent"]
pub(crate) struct Admission {
    of: Option<(Tally, UserId)>,
}

impl std::fmt::Debug for Admission {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_tuple("Admission").field(&self.of.as_ref().map(|(_, owner)| owner)).finish()
    }
}

impl Admission {
    /// An admission that counts against no quota.
    pub(super) fn unlimited() -> Self {
        Self { of: None }
    }

    /// Reports whether the message was sent.
    pub(crate) fn ended(mut self, was_sent: bool) {
        if let Some((tally, owner)) = self.of.take() {
            tally.finished(owner, was_sent);
        }
    }
}

impl Drop for Admission {
    fn drop(&mut self) {
        if let Some((tally, owner)) = self.of.take() {
            tally.finished(owner, true);
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
        match tally.decide(OWNER, limit, now) {
            Decision::Send(admitted) | Decision::SendAndCount(admitted) => {
                admitted.ended(true);
                true
            }
            Decision::Count | Decision::Refuse { .. } => false,
        }
    }

    #[test]
    fn a_sent_message_counts_immediately_and_once() {
        let tally = Tally::default();
        assert!(matches!(tally.decide(OWNER, 5, at(0)), Decision::Count));
        tally.counted(OWNER, 3, 0, at(0), at(3600));
        assert!(send(&tally, 5, at(0)) && send(&tally, 5, at(0)) && !send(&tally, 5, at(0)));
        assert!(matches!(tally.decide(OWNER, 5, at(0)), Decision::Refuse { used: 5, .. }));
        // The store contains both of them by now.
        let sent = tally.sent(OWNER);
        tally.counted(OWNER, 5, sent, at(1), at(3600));
        assert!(send(&tally, 6, at(1)) && !send(&tally, 6, at(1)));
    }

    #[test]
    fn a_message_in_flight_counts_until_it_fails() {
        let tally = Tally::default();
        tally.counted(OWNER, 0, 0, at(0), at(3600));
        let Decision::Send(first) = tally.decide(OWNER, 1, at(0)) else { panic!("there is room") };
        // Counted while it is in flight.
        tally.counted(OWNER, 0, tally.sent(OWNER), at(0), at(3600));
        assert!(!send(&tally, 1, at(0)));
        first.ended(false);
        assert!(send(&tally, 1, at(0)));
        let tally = Tally::default();
        tally.counted(OWNER, 0, 0, at(0), at(3600));
        drop(tally.decide(OWNER, 1, at(0)));
        assert!(!send(&tally, 1, at(0)), "a dropped admission counts as sent");
    }

    #[test]
    fn an_old_count_is_renewed_by_one() {
        let tally = Tally::default();
        tally.counted(OWNER, 0, 0, at(0), at(3600));
        let late = at(3600);
        assert!(matches!(tally.decide(OWNER, 9, late), Decision::SendAndCount(_)));
        assert!(matches!(tally.decide(OWNER, 9, late), Decision::Send(_)));
        tally.not_counted(OWNER);
        assert!(matches!(tally.decide(OWNER, 9, late), Decision::SendAndCount(_)));
        // Before anything is refused it is counted, however many do so.
        assert!(matches!(tally.decide(OWNER, 1, late), Decision::Count));
    }
}
