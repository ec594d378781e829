//! Durations as people write them on a command line: a whole number and a unit, `90s` or `30d`.
//!
//! What always holds: there is one number and one unit, nothing negative, nothing fractional, and
//! whatever is refused is refused by name, so that the sentence tells what to write instead.

use std::time::Duration;

/// Longer than anybody keeps anything, and short enough that time arithmetic cannot overflow.
const LONGEST_DAYS: u64 = 36_500;

/// Reads a duration such as `90s`, `15m`, `24h` or `30d`.
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
    let seconds_of_one = match unit {
        "s" => 1,
        "m" => 60,
        "h" => 60 * 60,
        "d" => 24 * 60 * 60,
        "" => return refuse("has no unit"),
        unit if unit.starts_with(['.', ',']) => return refuse("is not a whole number"),
        _ => return refuse("has a unit other than s, m, h or d"),
    };
    match number.parse::<u64>().ok().and_then(|number| number.checked_mul(seconds_of_one)) {
        Some(0) => refuse("is no time at all"),
        Some(seconds) if seconds <= LONGEST_DAYS * 24 * 60 * 60 => Ok(Duration::from_secs(seconds)),
        _ => refuse("is longer than a hundred years"),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn each_unit_is_understood() {
        for (text, seconds) in
            [("90s", 90), ("15m", 900), ("24h", 86_400), ("30d", 2_592_000), ("36500d", 3_153_600_000)]
        {
            assert_eq!(parse(text), Ok(Duration::from_secs(seconds)), "{text}");
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
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
            ("0s", "is no time at all"),
            ("36501d", "longer than a hundred years"),
            ("99999999999999999999d", "longer than a hundred years"),
            ("18446744073709551615d", "longer than a hundred years"),
        ] {
            let refusal = parse(text).unwrap_err();
            assert!(refusal.contains(reason) && refusal.contains("30d"), "{text:?}: {refusal}");
        }
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in ".{0,24}") {
            drop(parse(&text));
        }

        #[test]
        fn every_number_of_seconds_means_itself(seconds in 1..=3_153_600_000_u64) {
            prop_assert_eq!(parse(&format!("{seconds}s")), Ok(Duration::from_secs(seconds)));
        }
    }
}
