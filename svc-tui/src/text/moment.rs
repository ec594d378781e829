//! Moments as people say them.
//!
//! The offset of the local time zone is given: nothing here asks the system.

use svc_core::Timestamp;

const MINUTE: u64 = 60;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;
/// Moments before are shown as dates.
const RECENT: u64 = 7 * DAY;

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
/// The days of the week from the first day of 1970.
const WEEKDAYS: [&str; 7] = ["Thursday", "Friday", "Saturday", "Sunday", "Monday", "Tuesday", "Wednesday"];

/// The time since a moment: `now`, `5 min`, `3 h`, `2 d`, then a date, `12 Mar` or `12 Mar 2025`. A moment that is not
/// past is `now`, because the clocks of two machines differ a little.
pub(crate) fn ago(then: Timestamp, now: Timestamp) -> String {
    match now.since(then).as_secs() {
        0..MINUTE => "now".to_owned(),
        seconds @ MINUTE..HOUR => format!("{} min", seconds / MINUTE),
        seconds @ HOUR..DAY => format!("{} h", seconds / HOUR),
        seconds @ DAY..RECENT => format!("{} d", seconds / DAY),
        _ => {
            let (then, now) = (Calendar::of(then, 0), Calendar::of(now, 0));
            let month = then.month().get(..3).unwrap_or_default();
            let date = format!("{} {month}", then.day);
            if then.year == now.year { date } else { format!("{date} {}", then.year) }
        }
    }
}

/// The time of day, `14:05`.
pub(crate) fn clock(then: Timestamp, zone_offset_minutes: i32) -> String {
    Calendar::of(then, zone_offset_minutes).clock
}

/// The day, `Tuesday, 17 November 2026`.
pub(crate) fn day(then: Timestamp, zone_offset_minutes: i32) -> String {
    let date = Calendar::of(then, zone_offset_minutes);
    format!("{}, {} {} {}", date.weekday, date.day, date.month(), date.year)
}

/// A moment in the calendar of a time zone.
struct Calendar {
    year: u16,
    month: usize,
    day: u8,
    weekday: &'static str,
    clock: String,
}

impl Calendar {
    fn of(moment: Timestamp, zone_offset_minutes: i32) -> Self {
        let local = Timestamp::from_micros(moment.as_micros() + i64::from(zone_offset_minutes) * 60_000_000);
        // `2026-11-15T02:00:00.000Z`
        let printed = local.to_string();
        let part = |from: usize, to: usize| printed.get(from..to).unwrap_or_default();
        let days = local.as_micros().div_euclid(86_400_000_000).rem_euclid(7);
        Self {
            year: part(0, 4).parse().unwrap_or_default(),
            month: part(5, 7).parse().unwrap_or_default(),
            day: part(8, 10).parse().unwrap_or_default(),
            weekday: usize::try_from(days).ok().and_then(|day| WEEKDAYS.get(day)).copied().unwrap_or_default(),
            clock: part(11, 16).to_owned(),
        }
    }

    fn month(&self) -> &'static str {
        self.month.checked_sub(1).and_then(|month| MONTHS.get(month)).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn moment(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn recent_moments_are_durations_and_others_are_dates() {
        let now = moment("2026-11-17T12:00:00Z");
        let before = |seconds| ago(now.minus(Duration::from_secs(seconds)), now);
        assert_eq!(before(59), "now");
        assert_eq!(before(5 * MINUTE), "5 min");
        assert_eq!(before(3 * HOUR + 1), "3 h");
        assert_eq!(before(2 * DAY), "2 d");
        assert_eq!(before(RECENT), "10 Nov");
        assert_eq!(ago(moment("2025-03-12T00:00:00Z"), now), "12 Mar 2025");
        assert_eq!(ago(now.plus(Duration::from_secs(90)), now), "now");
    }

    #[test]
    fn days_and_clocks_are_local() {
        let late = moment("2026-11-16T23:30:00Z");
        assert_eq!(clock(late, 0), "23:30");
        assert_eq!(clock(late, 60), "00:30");
        assert_eq!(clock(late, -150), "21:00");
        assert_eq!(day(late, 0), "Monday, 16 November 2026");
        assert_eq!(day(late, 60), "Tuesday, 17 November 2026");
        assert_eq!(day(moment("1969-12-31T12:00:00Z"), 0), "Wednesday, 31 December 1969");
    }

    #[test]
    fn the_ends_of_time_print() {
        for end in [i64::MIN, i64::MAX] {
            let end = Timestamp::from_micros(end);
            for offset in [-840, 840] {
                assert_eq!(clock(end, offset).len(), 5);
                assert!(!day(end, offset).is_empty());
            }
        }
    }
}
