//! Options that take a moment: `--since` and `--until`, with one notation and one text.

use clap::Args;
use svc_core::Timestamp;
use svc_core::formats::when::parse as day_or_time;

use super::outcome::Failure;
use super::when;
use crate::duration;

/// The help of `--since`.
pub(super) const SINCE: &str = "Only from this time on: how long ago (2h, 7d), 2026-11-15 or 2026-11-15T02:00:00Z";
/// The help of `--until`.
pub(super) const UNTIL: &str = "Only before this time: how long ago (2h, 7d), 2026-11-15 or 2026-11-15T02:00:00Z";

/// Parses a moment: how long ago it was, a date, or a time of RFC 3339. clap names the option in the error.
pub(super) fn moment(text: &str) -> Result<Timestamp, String> {
    if let Ok(ago) = duration::parse(text) {
        return Ok(when::now().minus(ago));
    }
    day_or_time("moment", text).map_err(|_| {
        "write how long ago (90s, 2h, 7d), a date (2026-11-15) or a time of RFC 3339 (2026-11-15T02:00:00Z)".into()
    })
}

/// A range of time.
#[derive(Debug, Clone, Copy, Default, Args)]
pub(super) struct RangeArguments {
    #[arg(long, value_name = "TIME", value_parser = moment, help = SINCE)]
    since: Option<Timestamp>,
    #[arg(long, value_name = "TIME", value_parser = moment, help = UNTIL)]
    until: Option<Timestamp>,
}

/// A range of time of a command whose options once were `--after` and `--before`.
#[derive(Debug, Clone, Copy, Default, Args)]
pub(super) struct RenamedRangeArguments {
    #[arg(long, alias = "after", value_name = "TIME", value_parser = moment, help = SINCE)]
    since: Option<Timestamp>,
    #[arg(long, alias = "before", value_name = "TIME", value_parser = moment, help = UNTIL)]
    until: Option<Timestamp>,
}

/// A range that is not empty.
#[derive(Debug, Clone, Copy)]
pub(super) struct Range {
    pub(super) since: Option<Timestamp>,
    pub(super) until: Option<Timestamp>,
}

impl RangeArguments {
    /// The range, or a failure that names both options.
    pub(super) fn checked(self) -> Result<Range, Failure> {
        let Self { since, until } = self;
        match (since, until) {
            (Some(first), Some(end)) if first >= end => {
                Err(Failure::Usage("--until must be later than --since.".to_owned()))
            }
            _ => Ok(Range { since, until }),
        }
    }
}

impl RenamedRangeArguments {
    /// The range, or a failure that names both options.
    pub(super) fn checked(self) -> Result<Range, Failure> {
        RangeArguments { since: self.since, until: self.until }.checked()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_have_three_notations() {
        assert_eq!(moment("2026-11-15").unwrap().to_string(), "2026-11-15T00:00:00.000Z");
        assert_eq!(moment("2026-11-15T02:00:00Z").unwrap().to_string(), "2026-11-15T02:00:00.000Z");
        assert_eq!(moment("2026-11-15T02:00:00+02:00").unwrap().to_string(), "2026-11-15T00:00:00.000Z");
        let yesterday = moment("24h").unwrap();
        let day = when::now().since(yesterday).as_secs();
        assert!((86_400..86_460).contains(&day), "{day}");
        for bad in ["", "yesterday", "2026-13-01", "7", "-7d", "0s"] {
            assert!(moment(bad).unwrap_err().contains("RFC 3339"), "{bad}");
        }
    }

    #[test]
    fn a_range_has_a_beginning_before_its_end() {
        let (early, late) = (moment("2026-11-15").ok(), moment("2026-11-16").ok());
        let checked = |since, until| RangeArguments { since, until }.checked().is_ok();
        assert!(checked(early, late) && checked(None, early) && checked(late, None) && checked(None, None));
        assert!(!checked(late, early) && !checked(early, early));
    }
}
