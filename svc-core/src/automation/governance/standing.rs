//! The score of an agent as a pure function of its entries.

use crate::limits;
use crate::timestamp::Timestamp;

/// The sums of the entries of an agent, each weighted by its age.
///
/// All weights shrink by the same factor as time passes, so the sums are enough: no entry is read again.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Standing {
    /// The sum of the weights.
    pub(super) weight: f64,
    /// The sum of the weighted values.
    pub(super) total: f64,
    /// The time of the weights.
    pub(super) at: Timestamp,
}

impl Standing {
    /// A standing without entries.
    pub(super) fn new(at: Timestamp) -> Self {
        Self { weight: 0.0, total: 0.0, at }
    }

    /// The standing of these entries at another time. A clock that was set back does not make them younger.
    #[must_use]
    pub(super) fn aged(self, now: Timestamp) -> Self {
        let factor = decay(self.at, now);
        Self { weight: self.weight * factor, total: self.total * factor, at: self.at.max(now) }
    }

    /// The standing with another entry, a success (1) or a failure (0).
    #[must_use]
    pub(super) fn with(self, value: u32, now: Timestamp) -> Self {
        let aged = self.aged(now);
        Self { weight: aged.weight + 1.0, total: aged.total + f64::from(value), at: aged.at }
    }

    /// The standing without an entry that was made at a time and is taken back now.
    #[must_use]
    pub(super) fn without(self, value: u32, made_at: Timestamp, now: Timestamp) -> Self {
        let (aged, weight) = (self.aged(now), decay(made_at, now));
        Self {
            weight: (aged.weight - weight).max(0.0),
            total: (aged.total - weight * f64::from(value)).max(0.0),
            at: aged.at,
        }
    }

    /// The score at a time, 0 to 1.
    pub(super) fn score(self, now: Timestamp) -> f64 {
        let aged = self.aged(now);
        let (prior, weight) = (limits::REPUTATION_PRIOR, aged.weight);
        ((limits::REPUTATION_BEGINNING * prior + aged.total) / (prior + weight)).clamp(0.0, 1.0)
    }
}

/// The weight at a time of an entry that was made at another.
fn decay(made_at: Timestamp, now: Timestamp) -> f64 {
    0.5_f64.powf(now.since(made_at).as_secs_f64() / limits::REPUTATION_HALF_LIFE.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use proptest::prelude::*;

    use super::*;

    fn day(number: u64) -> Timestamp {
        Timestamp::from_micros(0).plus(Duration::from_hours(24 * number))
    }

    fn assert_near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-9, "{found} is not {expected}");
    }

    #[test]
    fn an_agent_without_entries_has_the_neutral_score() {
        assert_near(Standing::new(day(0)).score(day(400)), 0.5);
    }

    #[test]
    fn three_failures_quarantine_and_two_do_not() {
        let two = Standing::new(day(0)).with(0, day(0)).with(0, day(0));
        assert_near(two.score(day(0)), 2.0 / 6.0);
        assert!(two.score(day(0)) >= limits::REPUTATION_QUARANTINE);
        let three = two.with(0, day(0));
        assert_near(three.score(day(0)), 2.0 / 7.0);
        assert!(three.score(day(0)) < limits::REPUTATION_QUARANTINE);
    }

    #[test]
    fn an_entry_counts_half_after_thirty_days() {
        let failed = Standing::new(day(0)).with(0, day(0));
        assert_near(failed.score(day(30)), 2.0 / 4.5);
        let mended = failed.with(1, day(30));
        assert_near(mended.score(day(30)), 3.0 / 5.5);
        assert_near(mended.score(day(60)), 2.5 / 4.75);
    }

    #[test]
    fn an_entry_that_is_taken_back_leaves_nothing() {
        let before = Standing::new(day(0)).with(1, day(0)).with(0, day(3));
        let after = before.with(0, day(10)).without(0, day(10), day(20));
        assert_near(after.score(day(20)), before.score(day(20)));
    }

    #[test]
    fn a_clock_that_was_set_back_changes_nothing() {
        let standing = Standing::new(day(10)).with(0, day(10));
        assert_near(standing.score(day(5)), standing.score(day(10)));
        assert_eq!(standing.with(1, day(5)).at, day(10));
    }

    proptest! {
        /// The sums are the formula: the weighted mean with the prior.
        #[test]
        fn the_sums_are_the_mean_of_the_entries(
            entries in prop::collection::vec((0..400_u64, 0..=1_u32), 0..60),
            later in 0..100_u64,
        ) {
            let mut entries = entries;
            entries.sort_unstable();
            let standing = entries.iter().fold(Standing::new(day(0)), |sum, (at, value)| sum.with(*value, day(*at)));
            let now = day(400 + later);
            let weight = |at: u64| 0.5_f64.powf(now.since(day(at)).as_secs_f64() / (30.0 * 86_400.0));
            let total: f64 = entries.iter().map(|(at, value)| weight(*at) * f64::from(*value)).sum();
            let weights: f64 = entries.iter().map(|(at, _)| weight(*at)).sum();
            let expected = (0.5 * 4.0 + total) / (4.0 + weights);
            let score = standing.score(now);
            prop_assert!((score - expected).abs() < 1e-9, "{} is not {}", score, expected);
            prop_assert!((0.0..=1.0).contains(&score));
        }
    }
}
