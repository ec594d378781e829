//! Time spans and their buckets.

use std::time::Duration;

use crate::span::Span;
use crate::timestamp::Timestamp;

const MINUTE: u64 = 60;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;

/// Divides a time span into buckets.
pub(super) trait Buckets {
    /// The length of its buckets.
    fn grain(self) -> Grain;
    /// The number of its buckets.
    fn bucket_count(self) -> u64;
    /// The starts of its buckets, oldest first; the last bucket contains `now` and is incomplete.
    fn starts(self, now: Timestamp) -> impl Iterator<Item = Timestamp>;
    /// The start of its first bucket.
    fn start(self, now: Timestamp) -> Timestamp;
}

impl Buckets for Span {
    fn grain(self) -> Grain {
        match self {
            Self::Hour | Self::FourHours => Grain::Minutes,
            Self::Day => Grain::Hour,
            Self::Week | Self::Month => Grain::Day,
        }
    }

    fn bucket_count(self) -> u64 {
        match self {
            Self::Hour => 12,
            Self::FourHours => 48,
            Self::Day => 24,
            Self::Week => 7,
            Self::Month => 30,
        }
    }

    fn starts(self, now: Timestamp) -> impl Iterator<Item = Timestamp> {
        let (grain, count) = (self.grain(), self.bucket_count());
        let last = grain.start(now);
        (0..count).rev().map(move |back| last.minus(grain.length().saturating_mul(u32::try_from(back).unwrap_or(0))))
    }

    fn start(self, now: Timestamp) -> Timestamp {
        self.starts(now).next().unwrap_or(now)
    }
}

/// The length of a bucket.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Grain {
    Minutes,
    Hour,
    Day,
}

impl Grain {
    pub(super) const ALL: [Self; 3] = [Self::Minutes, Self::Hour, Self::Day];

    /// The value in the store.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Minutes => "minutes",
            Self::Hour => "hour",
            Self::Day => "day",
        }
    }

    pub(super) fn length(self) -> Duration {
        Duration::from_secs(match self {
            Self::Minutes => 5 * MINUTE,
            Self::Hour => HOUR,
            Self::Day => DAY,
        })
    }

    /// The start of the bucket that contains this time.
    pub(super) fn start(self, moment: Timestamp) -> Timestamp {
        let length = i64::try_from(self.length().as_micros()).unwrap_or(i64::MAX);
        Timestamp::from_micros(moment.as_micros().div_euclid(length).saturating_mul(length))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn moment(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn buckets_begin_at_full_units_of_utc() {
        let now = moment("2026-03-01T00:03:20Z");
        for (span, first, last, count) in [
            (Span::Hour, "2026-02-28T23:05:00.000Z", "2026-03-01T00:00:00.000Z", 12),
            (Span::FourHours, "2026-02-28T20:05:00.000Z", "2026-03-01T00:00:00.000Z", 48),
            (Span::Day, "2026-02-28T01:00:00.000Z", "2026-03-01T00:00:00.000Z", 24),
            (Span::Week, "2026-02-23T00:00:00.000Z", "2026-03-01T00:00:00.000Z", 7),
            (Span::Month, "2026-01-31T00:00:00.000Z", "2026-03-01T00:00:00.000Z", 30),
        ] {
            let starts: Vec<_> = span.starts(now).map(|start| start.to_string()).collect();
            assert_eq!((starts[0].as_str(), starts[starts.len() - 1].as_str(), starts.len()), (first, last, count));
            assert_eq!(span.start(now).to_string(), first);
        }
    }

    #[test]
    fn spans_are_parsed_and_printed_alike() {
        for text in ["1h", "4h", "24h", "7d", "30d"] {
            assert_eq!(Span::parse(text).unwrap().as_str(), text);
            assert_eq!(serde_json::to_value(Span::parse(text).unwrap()).unwrap(), text);
        }
        for text in ["", "1H", "2h", "1w", "24", "1h "] {
            assert_eq!(Span::parse(text).unwrap_err().fields()[0].field, "span");
        }
    }

    proptest! {
        #[test]
        fn a_moment_lies_in_its_bucket(micros in -1_000_000_000_000_000i64..4_000_000_000_000_000) {
            let moment = Timestamp::from_micros(micros);
            for grain in Grain::ALL {
                let start = grain.start(moment);
                prop_assert!(start <= moment && moment < start.plus(grain.length()));
                prop_assert_eq!(grain.start(start), start);
            }
        }

        #[test]
        fn the_buckets_of_a_span_have_no_gaps(micros in 0i64..4_000_000_000_000_000) {
            let now = Timestamp::from_micros(micros);
            for span in [Span::Hour, Span::FourHours, Span::Day, Span::Week, Span::Month] {
                let starts: Vec<_> = span.starts(now).collect();
                prop_assert!(starts.windows(2).all(|pair| pair[0].plus(span.grain().length()) == pair[1]));
            }
        }
    }
}
