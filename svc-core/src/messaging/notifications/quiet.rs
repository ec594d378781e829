//! Quiet hours: times of a day in a time zone.

use jiff::tz::TimeZone;
use svc_model::notifications::{QuietHours, QuietHoursChange};

use super::store::SettingsRow;
use crate::error::{Error, FieldError, Result};
use crate::timestamp::Timestamp;

/// Minutes of a day.
const DAY: u32 = 24 * 60;

/// Applies a change to the stored settings.
pub(super) fn apply(change: &QuietHoursChange, row: &mut SettingsRow) -> Result<()> {
    let QuietHoursChange { start, end, time_zone } = change;
    if start.is_none() && end.is_none() && time_zone.is_none() {
        (row.quiet_start, row.quiet_end, row.time_zone) = (None, None, None);
        return Ok(());
    }
    let mut faults = Vec::new();
    let quiet_start = checked_time("quiet_hours.start", start.as_deref(), &mut faults);
    let quiet_end = checked_time("quiet_hours.end", end.as_deref(), &mut faults);
    if quiet_start.is_some() && quiet_start == quiet_end {
        faults.push(fault("quiet_hours.end", "must differ from the beginning"));
    }
    let zone = time_zone
        .as_deref()
        .and_then(|name| TimeZone::get(name).ok())
        .and_then(|zone| zone.iana_name().map(str::to_owned));
    if zone.is_none() {
        faults.push(fault("quiet_hours.time_zone", "must be the name of a time zone, such as Europe/Berlin"));
    }
    if !faults.is_empty() {
        return Err(Error::invalid_fields(faults));
    }
    (row.quiet_start, row.quiet_end, row.time_zone) = (quiet_start, quiet_end, zone);
    Ok(())
}

fn checked_time(field: &'static str, text: Option<&str>, faults: &mut Vec<FieldError>) -> Option<u32> {
    let minutes = text.and_then(parse);
    if minutes.is_none() {
        faults.push(fault(field, "must be a time of the day, such as 22:00"));
    }
    minutes
}

fn fault(field: &str, message: &str) -> FieldError {
    FieldError { field: field.to_owned(), message: message.to_owned() }
}

/// The minutes after midnight of a time such as `07:30`.
fn parse(text: &str) -> Option<u32> {
    let (hours, minutes) = text.split_once(':')?;
    let two_digits = |part: &str| part.len() == 2 && part.bytes().all(|byte| byte.is_ascii_digit());
    if !two_digits(hours) || !two_digits(minutes) {
        return None;
    }
    let (hours, minutes): (u32, u32) = (hours.parse().ok()?, minutes.parse().ok()?);
    (hours < 24 && minutes < 60).then_some(hours * 60 + minutes)
}

/// The quiet hours as they are shown.
pub(super) fn shown(row: &SettingsRow) -> Option<QuietHours> {
    let time = |minutes: u32| format!("{:02}:{:02}", minutes / 60, minutes % 60);
    let (start, end) = (time(row.quiet_start?), time(row.quiet_end?));
    Some(QuietHours { start, end, time_zone: row.time_zone.clone()? })
}

/// Whether the quiet hours of a user include this time. A time zone that is no longer known has none.
pub(crate) fn is_quiet(row: &SettingsRow, now: Timestamp) -> bool {
    let (Some(start), Some(end), Some(zone)) = (row.quiet_start, row.quiet_end, &row.time_zone) else { return false };
    let Ok(zone) = TimeZone::get(zone) else { return false };
    let Ok(now) = jiff::Timestamp::from_microsecond(now.as_micros()) else { return false };
    let local = now.to_zoned(zone);
    let minute = u32::try_from(i32::from(local.hour()) * 60 + i32::from(local.minute())).unwrap_or_default() % DAY;
    if start < end { (start..end).contains(&minute) } else { minute >= start || minute < end }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(start: &str, end: &str, zone: &str) -> SettingsRow {
        let mut row = SettingsRow::default();
        let text = |text: &str| Some(text.to_owned());
        apply(&QuietHoursChange { start: text(start), end: text(end), time_zone: text(zone) }, &mut row).unwrap();
        row
    }

    fn at(text: &str) -> Timestamp {
        Timestamp::from_micros(text.parse::<jiff::Timestamp>().unwrap().as_microsecond())
    }

    #[test]
    fn quiet_hours_pass_midnight_in_their_time_zone() {
        let berlin = row("22:00", "07:00", "Europe/Berlin");
        for (time, quiet) in [
            ("2026-01-10T20:59:59Z", false),
            ("2026-01-10T21:00:00Z", true),
            ("2026-01-11T05:59:59Z", true),
            ("2026-01-11T06:00:00Z", false),
            // Summer time.
            ("2026-07-10T20:00:00Z", true),
            ("2026-07-11T05:00:00Z", false),
        ] {
            assert_eq!(is_quiet(&berlin, at(time)), quiet, "{time}");
        }
        let noon = row("12:00", "13:30", "utc");
        assert_eq!(noon.time_zone.as_deref(), Some("UTC"));
        assert!(is_quiet(&noon, at("2026-01-10T13:29:00Z")));
        assert!(!is_quiet(&noon, at("2026-01-10T13:30:00Z")));
        assert!(!is_quiet(&SettingsRow::default(), at("2026-01-10T13:30:00Z")));
    }

    #[test]
    fn every_wrong_field_is_named() {
        let mut row = SettingsRow::default();
        let text = |text: &str| Some(text.to_owned());
        let wrong = QuietHoursChange { start: text("24:00"), end: text("7:00"), time_zone: text("Europe/Atlantis") };
        let error = apply(&wrong, &mut row).unwrap_err();
        let fields: Vec<_> = error.fields().iter().map(|fault| fault.field.as_str()).collect();
        assert_eq!(fields, ["quiet_hours.start", "quiet_hours.end", "quiet_hours.time_zone"]);
        let partial = QuietHoursChange { start: text("08:00"), ..QuietHoursChange::default() };
        assert_eq!(apply(&partial, &mut row).unwrap_err().fields().len(), 2);
        let equal = QuietHoursChange { start: text("08:00"), end: text("08:00"), time_zone: text("UTC") };
        assert_eq!(apply(&equal, &mut row).unwrap_err().fields()[0].field, "quiet_hours.end");
        assert_eq!(shown(&row), None);
    }
}
