//! Parsing of a day or a time in a request.

use jiff::civil::Date;
use jiff::tz::TimeZone;

use crate::error::{Error, Result};
use crate::timestamp::Timestamp;

/// Parses a day, `2026-11-15` (its start, in UTC), or an RFC 3339 time, `2026-11-15T02:00:00Z`. `field` is
/// the name of the request field.
pub fn parse(field: &str, text: &str) -> Result<Timestamp> {
    let refusal = || Error::invalid(field, "must be a day, 2026-11-15, or a moment, 2026-11-15T02:00:00Z");
    if looks_like_a_day(text) {
        let day: Date = text.parse().map_err(|_| refusal())?;
        let start = day.to_zoned(TimeZone::UTC).map_err(|_| refusal())?;
        return Ok(start.timestamp().into());
    }
    text.parse().map_err(|_| refusal())
}

/// Whether the text has the form of a day, even of one that does not exist.
fn looks_like_a_day(text: &str) -> bool {
    text.len() == "2026-11-15".len()
        && text.bytes().enumerate().all(|(place, byte)| match place {
            4 | 7 => byte == b'-',
            _ => byte.is_ascii_digit(),
        })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_day_means_its_start_in_utc() {
        assert_eq!(parse("after", "2026-11-15").unwrap().to_string(), "2026-11-15T00:00:00.000Z");
        assert_eq!(parse("after", "2024-02-29").unwrap().to_string(), "2024-02-29T00:00:00.000Z");
        assert_eq!(parse("after", "0001-01-01").unwrap().to_string(), "0001-01-01T00:00:00.000Z");
    }

    #[test]
    fn times_may_have_an_offset() {
        assert_eq!(parse("after", "2026-11-15T02:00:00Z").unwrap().to_string(), "2026-11-15T02:00:00.000Z");
        assert_eq!(parse("after", "2026-11-15T02:00:00.5+02:00").unwrap().to_string(), "2026-11-15T00:00:00.500Z");
    }

    #[test]
    fn invalid_times_are_rejected_by_field() {
        for text in [
            "",
            "2026-02-30",
            "2025-02-29",
            "2026-13-01",
            "2026-00-10",
            "2026-11-15T25:00:00Z",
            "2026-02-30T00:00:00Z",
            "2026-11-15T02:00:00",
            "2026-11-15T02:00:00 02:00",
            "2026-1-5",
            "20261115",
            "yesterday",
            "7",
            "2026-11-1\u{0665}",
        ] {
            let refusal = parse("before", text).expect_err(text);
            assert_eq!(refusal.fields()[0].field, "before", "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn arbitrary_text_does_not_panic(text in "\\PC{0,30}|[0-9TZ:+. -]{0,30}") {
            drop(parse("after", &text));
        }

        #[test]
        fn printed_times_are_parsed_back(millis in -60_000_000_000_000_i64..250_000_000_000_000) {
            let moment = Timestamp::from_micros(millis * 1000);
            prop_assert_eq!(parse("after", &moment.to_string()).unwrap(), moment);
            let day: String = moment.to_string().chars().take(10).collect();
            let start = parse("after", &day).unwrap();
            prop_assert!(start <= moment && moment.since(start).as_secs() < 86_400);
        }
    }
}
