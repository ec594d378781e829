//! The rules of a queue: leases, attempts, backoff, and the rate and the concurrency of a key.

use std::time::Duration;

use crate::clock::Entropy;
use crate::error::{Error, FieldError, Result};
use crate::limits;
use crate::timestamp::Timestamp;

/// The rules of a queue. The program sets them when it opens the queue. They are not stored: processes that
/// share a queue must use the same rules.
///
/// ```
/// use std::time::Duration;
/// use svc_core::queue::{Backoff, QueueRules, Rate};
///
/// let deliveries = QueueRules::new("deliveries")
///     .lease(Duration::from_secs(30))
///     .backoff(Backoff::schedule([1, 5, 30].map(Duration::from_secs)).jitter(20))
///     .rate(Rate::per_minute(60).burst(10))
///     .concurrency(2);
/// # drop(deliveries);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use = "rules do nothing until a queue is opened with them"]
pub struct QueueRules {
    pub(super) name: String,
    pub(super) lease: Duration,
    pub(super) attempts: u32,
    pub(super) backoff: Backoff,
    pub(super) rate: Option<Rate>,
    pub(super) concurrency: Option<u32>,
}

impl QueueRules {
    /// A queue with this name: leases of a minute, five attempts with growing delays, no rate limit,
    /// unlimited concurrency.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            lease: limits::QUEUE_LEASE,
            attempts: limits::QUEUE_ATTEMPTS,
            backoff: Backoff::default(),
            rate: None,
            concurrency: None,
        }
    }

    /// The duration of a lease without renewal.
    pub fn lease(self, lease: Duration) -> Self {
        Self { lease, ..self }
    }

    /// The number of attempts before an item is dead. A lease that expires counts as an attempt.
    pub fn attempts(self, attempts: u32) -> Self {
        Self { attempts, ..self }
    }

    /// The delays between attempts. A schedule also sets the number of attempts: one more than delays.
    pub fn backoff(self, backoff: Backoff) -> Self {
        let attempts = match &backoff.delays {
            Delays::Schedule(delays) => u32::try_from(delays.len()).unwrap_or(u32::MAX).saturating_add(1),
            Delays::Growing { .. } => self.attempts,
        };
        Self { attempts, backoff, ..self }
    }

    /// The rate limit of each key.
    pub fn rate(self, rate: Rate) -> Self {
        Self { rate: Some(rate), ..self }
    }

    /// The maximum number of items of one key that are leased at once, among all processes.
    pub fn concurrency(self, concurrency: u32) -> Self {
        Self { concurrency: Some(concurrency), ..self }
    }

    /// Checks the limits and reports all invalid fields at once.
    pub(super) fn check(&self) -> Result<()> {
        let name_fits = (1..=limits::QUEUE_NAME_MAX).contains(&self.name.len())
            && self
                .name
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_-.".contains(&byte));
        let delays_fit = match &self.backoff.delays {
            Delays::Schedule(delays) => delays.iter().all(|delay| *delay <= limits::QUEUE_DELAY_MAX),
            Delays::Growing { first, most, factor } => {
                *factor >= 1 && first <= most && *most <= limits::QUEUE_DELAY_MAX
            }
        };
        let rate_fits = self.rate.is_none_or(|rate| {
            (1..=limits::QUEUE_BURST_MAX).contains(&rate.burst)
                && rate.count > 0
                && rate.interval_micros() > 0
                && rate.per <= limits::QUEUE_DELAY_MAX
        });
        let attempts = 1..=limits::QUEUE_ATTEMPTS_MAX;
        let concurrency = 1..=limits::QUEUE_CONCURRENCY_MAX;
        let (least, most) = (limits::QUEUE_LEASES.start(), limits::QUEUE_LEASES.end());
        let longest = limits::QUEUE_DELAY_MAX.as_secs();
        let faults: Vec<_> = [
            (!name_fits, "name", format!("must be 1 to {} of a-z, 0-9, `_`, `-`, `.`", limits::QUEUE_NAME_MAX)),
            (
                !limits::QUEUE_LEASES.contains(&self.lease),
                "lease",
                format!("must be {} to {} seconds", least.as_secs(), most.as_secs()),
            ),
            (!attempts.contains(&self.attempts), "attempts", format!("must be 1 to {}", attempts.end())),
            (
                !delays_fit || self.backoff.jitter > 100,
                "backoff",
                format!("must grow, with delays of at most {longest} seconds and a jitter of at most 100 percent"),
            ),
            (
                !rate_fits,
                "rate",
                format!(
                    "must allow at least 1 item, at most one each microsecond, in at most {longest} seconds, with a \
                     burst of 1 to {}",
                    limits::QUEUE_BURST_MAX
                ),
            ),
            (
                self.concurrency.is_some_and(|count| !concurrency.contains(&count)),
                "concurrency",
                format!("must be 1 to {}", concurrency.end()),
            ),
        ]
        .into_iter()
        .filter(|(is_fault, ..)| *is_fault)
        .map(|(_, field, message)| FieldError { field: field.into(), message })
        .collect();
        if faults.is_empty() { Ok(()) } else { Err(Error::invalid_fields(faults)) }
    }
}

/// The delays between the attempts at an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Backoff {
    delays: Delays,
    jitter: u32,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Delays {
    Growing { first: Duration, factor: u32, most: Duration },
    Schedule(Vec<Duration>),
}

impl Backoff {
    /// Exponential delays: the first delay, then each `factor` times the previous one, at most `most`.
    pub fn growing(first: Duration, factor: u32, most: Duration) -> Self {
        Self { delays: Delays::Growing { first, factor, most }, jitter: 0 }
    }

    /// A fixed schedule of delays.
    pub fn schedule(delays: impl IntoIterator<Item = Duration>) -> Self {
        Self { delays: Delays::Schedule(delays.into_iter().collect()), jitter: 0 }
    }

    /// Lengthens each delay randomly by up to this percentage, so that items that failed together are not
    /// retried together.
    #[must_use]
    pub fn jitter(self, percent: u32) -> Self {
        Self { jitter: percent, ..self }
    }

    /// The delay after this number of attempts, from 1 on.
    pub(super) fn delay(&self, attempts: u32, entropy: &dyn Entropy) -> Duration {
        let delay = match &self.delays {
            Delays::Schedule(delays) => {
                let at = usize::try_from(attempts.max(1) - 1).unwrap_or(usize::MAX);
                delays.get(at).or(delays.last()).copied().unwrap_or_default()
            }
            Delays::Growing { first, factor, most } => {
                let grown = factor.checked_pow(attempts.max(1) - 1).and_then(|times| first.checked_mul(times));
                grown.unwrap_or(*most).min(*most)
            }
        };
        if self.jitter == 0 {
            return delay;
        }
        let mut bytes = [0; 4];
        entropy.fill(&mut bytes);
        let share = u128::from(u32::from_le_bytes(bytes)) * u128::from(self.jitter);
        let extra = delay.as_micros() * share / (100 * u128::from(u32::MAX));
        delay + Duration::from_micros(u64::try_from(extra).unwrap_or(u64::MAX))
    }
}

impl Default for Backoff {
    /// One second, then four times as long each time, up to an hour, with 20 percent of jitter.
    fn default() -> Self {
        Self::growing(Duration::from_secs(1), 4, Duration::from_hours(1)).jitter(20)
    }
}

/// A rate limit: the number of items of one key that may be claimed per period, evenly spread, with an
/// initial burst. Within any time span at most the burst plus the rate times the span is claimed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rate {
    count: u32,
    per: Duration,
    burst: u32,
}

impl Rate {
    /// This number of items per period, evenly spread.
    pub fn new(count: u32, per: Duration) -> Self {
        Self { count, per, burst: 1 }
    }

    /// This number of items per minute.
    pub fn per_minute(count: u32) -> Self {
        Self::new(count, Duration::from_mins(1))
    }

    /// The number of items that may be claimed at once after a pause; 1 by default.
    #[must_use]
    pub fn burst(self, burst: u32) -> Self {
        Self { burst, ..self }
    }

    /// The time between two items; rounded up, so that the rate is never exceeded.
    fn interval_micros(self) -> i64 {
        let interval = self.per.as_micros().div_ceil(u128::from(self.count.max(1)));
        i64::try_from(interval).unwrap_or(i64::MAX)
    }

    /// The theoretical arrival time of the next item, clamped to the burst: a clock that was set back leaves
    /// a time that is too far in the future.
    fn arrival(self, now: Timestamp, rate_at: Timestamp) -> i64 {
        let now = now.as_micros();
        let latest = now.saturating_add(self.interval_micros().saturating_mul(i64::from(self.burst)));
        rate_at.as_micros().clamp(now, latest)
    }

    /// The number of items that may be claimed now.
    pub(super) fn allowed(self, now: Timestamp, rate_at: Timestamp) -> u32 {
        let interval = self.interval_micros();
        let credit = now
            .as_micros()
            .saturating_add(interval.saturating_mul(i64::from(self.burst)))
            .saturating_sub(self.arrival(now, rate_at));
        u32::try_from(credit / interval.max(1)).unwrap_or(0)
    }

    /// The rate state after this number of items was claimed.
    pub(super) fn after(self, now: Timestamp, rate_at: Timestamp, taken: u32) -> Timestamp {
        let spent = self.interval_micros().saturating_mul(i64::from(taken));
        Timestamp::from_micros(self.arrival(now, rate_at).saturating_add(spent))
    }

    /// When the next item may be claimed.
    pub(super) fn opens_at(self, rate_at: Timestamp) -> Timestamp {
        let ahead = self.interval_micros().saturating_mul(i64::from(self.burst) - 1);
        Timestamp::from_micros(rate_at.as_micros().saturating_sub(ahead))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Always the same bytes.
    #[derive(Debug)]
    struct Fixed(u8);

    impl Entropy for Fixed {
        fn fill(&self, bytes: &mut [u8]) {
            bytes.fill(self.0);
        }
    }

    #[test]
    fn delays_grow_up_to_the_maximum() {
        let backoff = Backoff::growing(Duration::from_secs(1), 4, Duration::from_mins(1));
        let delays = [1, 2, 3, 4, 5, 100].map(|attempts| backoff.delay(attempts, &Fixed(0)).as_secs());
        assert_eq!(delays, [1, 4, 16, 60, 60, 60]);
    }

    #[test]
    fn a_schedule_sets_the_number_of_attempts() {
        let rules = QueueRules::new("deliveries").backoff(Backoff::schedule([1, 5, 30].map(Duration::from_secs)));
        assert_eq!(rules.attempts, 4);
        let delays = [1, 2, 3, 4].map(|attempts| rules.backoff.delay(attempts, &Fixed(0)).as_secs());
        assert_eq!(delays, [1, 5, 30, 30]);
    }

    #[test]
    fn jitter_lengthens_within_its_percentage() {
        let backoff = Backoff::schedule([Duration::from_secs(10)]).jitter(20);
        assert_eq!(backoff.delay(1, &Fixed(0)), Duration::from_secs(10));
        assert_eq!(backoff.delay(1, &Fixed(u8::MAX)), Duration::from_secs(12));
        let middle = backoff.delay(1, &Fixed(128));
        assert!(middle > Duration::from_secs(10) && middle < Duration::from_secs(12), "{middle:?}");
    }

    #[test]
    fn invalid_rules_are_rejected_by_field() {
        let good = QueueRules::new("a");
        good.check().unwrap();
        for (rules, field) in [
            (QueueRules::new(""), "name"),
            (QueueRules::new("Deliveries"), "name"),
            (QueueRules::new("x".repeat(limits::QUEUE_NAME_MAX + 1)), "name"),
            (good.clone().lease(Duration::ZERO), "lease"),
            (good.clone().attempts(0), "attempts"),
            (good.clone().attempts(limits::QUEUE_ATTEMPTS_MAX + 1), "attempts"),
            (good.clone().backoff(Backoff::growing(Duration::from_secs(2), 2, Duration::from_secs(1))), "backoff"),
            (good.clone().backoff(Backoff::default().jitter(101)), "backoff"),
            (good.clone().rate(Rate::per_minute(0)), "rate"),
            (good.clone().rate(Rate::per_minute(1).burst(0)), "rate"),
            (good.clone().rate(Rate::new(1, Duration::ZERO)), "rate"),
            (good.clone().concurrency(0), "concurrency"),
        ] {
            assert_eq!(rules.check().unwrap_err().fields()[0].field, field, "{rules:?}");
        }
    }

    proptest! {
        #[test]
        fn no_time_span_exceeds_the_rate_and_the_burst(
            (count, seconds, burst) in (1..20_u32, 1..100_u64, 1..10_u32),
            steps in prop::collection::vec((0..20_000_000_i64, 1..8_u32), 1..60),
        ) {
            let rate = Rate::new(count, Duration::from_secs(seconds)).burst(burst);
            let (mut now, mut rate_at) = (1_000_000_i64, Timestamp::from_micros(0));
            let mut taken = Vec::new();
            for (step, wanted) in steps {
                now += step;
                let moment = Timestamp::from_micros(now);
                let got = rate.allowed(moment, rate_at).min(wanted);
                rate_at = rate.after(moment, rate_at, got);
                taken.extend(std::iter::repeat_n(now, got as usize));
                if rate.allowed(moment, rate_at) == 0 {
                    let opens = rate.opens_at(rate_at);
                    prop_assert!(opens > moment);
                    prop_assert_eq!(rate.allowed(opens, rate_at), 1);
                }
            }
            for (first, start) in taken.iter().enumerate() {
                for (last, end) in taken.iter().enumerate().skip(first) {
                    let most = i64::from(burst) + (end - start) / rate.interval_micros();
                    prop_assert!(i64::try_from(last - first + 1).unwrap() <= most);
                }
            }
        }
    }
}
