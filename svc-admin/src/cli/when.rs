//! Times in tables: recent ones relative to now, others by date.

use svc_core::Timestamp;
use svc_core::clock::{Clock, SystemClock};

const MINUTE: u64 = 60;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;
/// More distant times are shown as dates.
const FAR: u64 = 30 * DAY;

/// The current time. The server is on this machine, so both clocks agree.
pub(super) fn now() -> Timestamp {
    SystemClock.now()
}

/// `3m ago`, `in 6d`, `2026-11-15`.
pub(super) fn relative(moment: Timestamp, now: Timestamp) -> String {
    let (past, future) = (now.since(moment).as_secs(), moment.since(now).as_secs());
    match (past, future) {
        (0, 0) => "now".to_owned(),
        (past, 0) if past < FAR => format!("{} ago", largest_unit(past)),
        (0, future) if future < FAR => format!("in {}", largest_unit(future)),
        _ => moment.to_string().chars().take("2026-11-15".len()).collect(),
    }
}

/// Like [`relative`], with a text for a missing time.
pub(super) fn relative_or(moment: Option<Timestamp>, now: Timestamp, never: &str) -> String {
    moment.map_or_else(|| never.to_owned(), |moment| relative(moment, now))
}

/// `2026-11-15 02:00:00`, in UTC.
pub(super) fn short(moment: Timestamp) -> String {
    moment.to_string().chars().take("2026-11-15T02:00:00".len()).collect::<String>().replace('T', " ")
}

/// `2026-11-15 02:00`, in UTC.
pub(super) fn minute(moment: Timestamp) -> String {
    short(moment).chars().take("2026-11-15 02:00".len()).collect()
}

fn largest_unit(seconds: u64) -> String {
    match seconds {
        0..MINUTE => format!("{seconds}s"),
        MINUTE..HOUR => format!("{}m", seconds / MINUTE),
        HOUR..DAY => format!("{}h", seconds / HOUR),
        _ => format!("{}d", seconds / DAY),
    }
}

/// The two largest units, `3d 4h`; the smaller one only when it is not zero.
pub(super) fn duration(seconds: u64) -> String {
    let units = [(DAY, "d"), (HOUR, "h"), (MINUTE, "m"), (1, "s")];
    let Some(first) = units.iter().position(|(unit, _)| seconds >= *unit) else {
        return "0s".to_owned();
    };
    let mut left = seconds;
    let mut shown = Vec::new();
    for (unit, letter) in units.iter().skip(first).take(2) {
        if left >= *unit {
            shown.push(format!("{}{letter}", left / unit));
        }
        left %= unit;
    }
    shown.join(" ")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn near_moments_are_relative_and_far_ones_are_dates() {
        let now: Timestamp = "2026-11-15T02:00:00Z".parse().unwrap();
        let ago = |seconds| relative(now.minus(Duration::from_secs(seconds)), now);
        let hence = |seconds| relative(now.plus(Duration::from_secs(seconds)), now);
        assert_eq!(
            [ago(0), ago(59), ago(60), ago(7_200), ago(90_000)],
            ["now", "59s ago", "1m ago", "2h ago", "1d ago"]
        );
        assert_eq!([hence(61), hence(6 * DAY)], ["in 1m", "in 6d"]);
        assert_eq!([ago(FAR), hence(FAR)], ["2026-10-16", "2026-12-15"]);
        assert_eq!(relative_or(None, now, "never"), "never");
        assert_eq!(short(now), "2026-11-15 02:00:00");
    }

    #[test]
    fn durations_show_their_two_largest_units() {
        let shown: Vec<_> = [0, 59, 61, 600, 3_661, 90_061, 86_460].into_iter().map(duration).collect();
        assert_eq!(shown, ["0s", "59s", "1m 1s", "10m", "1h 1m", "1d 1h", "1d"]);
    }
}
