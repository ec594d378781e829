//! Durations in text form: a whole number and a unit, such as `90s` or `30d`.
//!
//! Invariants: there is exactly one number and one unit; negative and fractional values are rejected. Every
//! error names the problem and shows valid examples. [`parse_or_off`] reads the output of [`print()`] as the
//! same duration.

use std::time::Duration;

use crate::error::{Error, Result};

/// Longer than any retention time, and short enough that time arithmetic cannot overflow.
const LONGEST_DAYS: u64 = 36_500;

/// Seconds of each unit, the largest first.
const UNITS: [(u64, &str); 4] = [(24 * 60 * 60, "d"), (60 * 60, "h"), (60, "m"), (1, "s")];

/// Parses a duration such as `90s`, `15m`, `24h` or `30d`.
pub fn parse(text: &str) -> Result<Duration, String> {
    let refuse = |reason: &str| Err(format!("{text:?} {reason}; write a whole number and a unit: 90s, 15m, 24h, 30d"));
    if text.is_empty() {
        return refuse("is empty");
    }
    if text.starts_with('-') {
        return refuse("is negative");
    }
    let digits = text.len() - text.trim_start_matches(|letter: char| letter.is_ascii_digit()).len();
    let (number, unit) = text.split_at(digits);
    if number.is_empty() {
        return refuse("has no number");
    }
    let Some((seconds_of_one, _)) = UNITS.iter().find(|(_, letter)| *letter == unit) else {
        return match unit {
            "" => refuse("has no unit"),
            unit if unit.starts_with(['.', ',']) => refuse("is not a whole number"),
            _ => refuse("has a unit other than s, m, h or d"),
        };
    };
    match number.parse::<u64>().ok().and_then(|number| number.checked_mul(*seconds_of_one)) {
        Some(0) => refuse("is zero"),
        Some(seconds) if seconds <= LONGEST_DAYS * 24 * 60 * 60 => Ok(Duration::from_secs(seconds)),
        _ => refuse("is longer than a hundred years"),
    }
}

/// Parses a duration, where `0` (with or without a unit) means off and yields a zero duration.
pub fn parse_or_off(text: &str) -> Result<Duration, String> {
    match text {
        "0" | "0s" | "0m" | "0h" | "0d" => Ok(Duration::ZERO),
        text => parse(text),
    }
}

/// Parses the duration in a field of a request.
pub fn field(field: &str, text: &str) -> Result<Duration> {
    parse(text).map_err(|reason| Error::invalid(field, reason))
}

/// Parses the duration in a field of a request, where `0` means off. See [`parse_or_off`].
pub fn field_or_off(field: &str, text: &str) -> Result<Duration> {
    parse_or_off(text).map_err(|reason| Error::invalid(field, format!("{reason}, or 0 for never")))
}

/// Formats a duration with the largest unit that divides it: `90s`, `15m`; `24h` becomes `1d`; a zero
/// duration is `0`. Fractions of a second are dropped.
pub fn print(duration: Duration) -> String {
    let seconds = duration.as_secs();
    let divides = |&&(unit, _): &&(u64, &str)| seconds.is_multiple_of(unit);
    match UNITS.iter().find(divides) {
        Some((unit, letter)) if seconds > 0 => format!("{}{letter}", seconds / unit),
        _ => "0".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn all_units_are_parsed() {
        for (text, seconds) in
            [("90s", 90), ("15m", 900), ("24h", 86_400), ("30d", 2_592_000), ("36500d", 3_153_600_000)]
        {
            assert_eq!(parse(text), Ok(Duration::from_secs(seconds)), "{text}");
        }
    }

    #[test]
    fn errors_name_the_problem() {
        for (text, reason) in [
            ("", "is empty"),
            ("-3d", "is negative"),
            ("10y", "a unit other than"),
            ("1.5h", "is not a whole number"),
            ("1,5h", "is not a whole number"),
            ("10", "has no unit"),
            ("d", "has no number"),
            (" 3d", "has no number"),
            ("3 d", "a unit other than"),
            ("0s", "is zero"),
            ("36501d", "longer than a hundred years"),
            ("99999999999999999999d", "longer than a hundred years"),
            ("18446744073709551615d", "longer than a hundred years"),
        ] {
            let refusal = parse(text).unwrap_err();
            assert!(refusal.contains(reason) && refusal.contains("30d"), "{text:?}: {refusal}");
        }
    }

    #[test]
    fn zero_means_off() {
        for off in ["0", "0s", "0d"] {
            assert_eq!(parse_or_off(off), Ok(Duration::ZERO), "{off}");
            assert!(parse(off).is_err(), "{off}");
        }
        assert_eq!(parse_or_off("3d"), Ok(Duration::from_hours(72)));
        assert!(parse_or_off("").is_err() && parse_or_off("00x").is_err());
    }

    #[test]
    fn fields_are_named() {
        assert_eq!(field("ttl", "15m").unwrap(), Duration::from_mins(15));
        let refusal = field("ttl", "0").unwrap_err();
        assert_eq!(refusal.fields()[0].field, "ttl");
        let refusal = field_or_off("remind_after", "soon").unwrap_err();
        assert!(refusal.fields()[0].message.ends_with("or 0 for never"), "{refusal}");
        assert_eq!(field_or_off("remind_after", "0").unwrap(), Duration::ZERO);
    }

    #[test]
    fn the_largest_unit_that_divides_is_printed() {
        for (seconds, printed) in
            [(0, "0"), (1, "1s"), (90, "90s"), (900, "15m"), (7_200, "2h"), (86_400, "1d"), (90_000, "25h")]
        {
            assert_eq!(print(Duration::from_secs(seconds)), printed);
        }
        assert_eq!(print(Duration::from_millis(1_999)), "1s");
    }

    proptest! {
        #[test]
        fn printed_durations_are_parsed_back(seconds in 0..=3_153_600_000_u64) {
            let duration = Duration::from_secs(seconds);
            prop_assert_eq!(parse_or_off(&print(duration)), Ok(duration));
        }

        #[test]
        fn arbitrary_text_does_not_panic(text in ".{0,24}") {
            drop(parse(&text));
        }

        #[test]
        fn seconds_are_parsed_exactly(seconds in 1..=3_153_600_000_u64) {
            prop_assert_eq!(parse(&format!("{seconds}s")), Ok(Duration::from_secs(seconds)));
        }
    }
}
