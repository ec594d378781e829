//! Tasks, bids and closings before they are stored. All fields are checked and all errors are
//! reported at once.

use std::time::Duration;

use svc_model::tasks::{NewBid, NewTask, TaskClosing, TaskEnding};

use crate::error::{Error, FieldError, Result};
use crate::names::label;
use crate::timestamp::Timestamp;
use crate::{limits, spans, when};

/// The deadline of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Deadline {
    /// A duration after the task is posted.
    After(Duration),
    /// A point in time.
    At(Timestamp),
}

impl Deadline {
    fn parse(text: &str) -> Result<Self> {
        let text = text.trim();
        if let Ok(span) = spans::parse(text) {
            return Ok(Self::After(span));
        }
        when::parse("deadline", text).map(Self::At).map_err(|_| {
            Error::invalid("deadline", "must be a duration like 90m, 2h or 3d, or a time like 2030-01-31T12:00:00Z")
        })
    }

    /// The deadline as a time, which must be in the future and not too far away.
    pub(super) fn moment(self, now: Timestamp) -> Result<Timestamp> {
        let moment = match self {
            Self::After(span) => now.plus(span),
            Self::At(moment) => moment,
        };
        if moment <= now {
            return Err(Error::invalid("deadline", "must be in the future"));
        }
        if moment > now.plus(limits::TASK_DEADLINE_MAX) {
            let days = limits::TASK_DEADLINE_MAX.as_secs() / (24 * 60 * 60);
            return Err(Error::invalid("deadline", format!("must be at most {days} days away")));
        }
        Ok(moment)
    }
}

/// A task whose fields pass every check that needs no store access.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct TaskDraft {
    pub(super) title: String,
    pub(super) body: String,
    pub(super) channel: Option<String>,
    pub(super) deadline: Option<Deadline>,
    pub(super) budget: Option<f64>,
}

impl TaskDraft {
    pub(super) fn checked(new: NewTask) -> Result<Self> {
        let mut faults = Vec::new();
        let title = take(&mut faults, label("title", &new.title, limits::TASK_TITLE_MAX));
        let body = take(&mut faults, body(new.body));
        let deadline = take(&mut faults, new.deadline.as_deref().map(Deadline::parse).transpose());
        let budget = take(&mut faults, amount("budget", new.budget));
        let channel = new.channel.map(|name| name.strip_prefix('#').unwrap_or(&name).to_ascii_lowercase());
        match (title, body, deadline, budget) {
            (Some(title), Some(body), Some(deadline), Some(budget)) => {
                Ok(Self { title, body, channel, deadline, budget })
            }
            _ => Err(Error::invalid_fields(faults)),
        }
    }
}

/// A bid whose fields pass every check that needs no store access.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct BidDraft {
    pub(super) amount: Option<f64>,
    pub(super) note: String,
}

impl BidDraft {
    pub(super) fn checked(new: NewBid) -> Result<Self> {
        let mut faults = Vec::new();
        let amount = take(&mut faults, amount("amount", new.amount));
        let note = take(&mut faults, trimmed_text("note", new.note, limits::TASK_NOTE_MAX));
        match (amount, note) {
            (Some(amount), Some(note)) => Ok(Self { amount, note }),
            _ => Err(Error::invalid_fields(faults)),
        }
    }
}

/// A closing whose fields pass every check that needs no store access.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ClosingDraft {
    pub(super) ending: TaskEnding,
    pub(super) summary: Option<String>,
}

impl ClosingDraft {
    pub(super) fn checked(closing: TaskClosing) -> Result<Self> {
        let summary = trimmed_text("summary", closing.summary, limits::TASK_SUMMARY_MAX)?;
        Ok(Self { ending: closing.status.unwrap_or_default(), summary: Some(summary).filter(|text| !text.is_empty()) })
    }
}

/// The value, or `None` after its errors were added to `faults`.
fn take<T>(faults: &mut Vec<FieldError>, checked: Result<T>) -> Option<T> {
    checked.map_err(|refused| faults.extend_from_slice(refused.fields())).ok()
}

fn body(body: String) -> Result<String> {
    if body.trim().is_empty() {
        return Err(Error::invalid("body", "must not be empty: describe the work"));
    }
    if body.len() > limits::TASK_BODY_MAX || body.contains('\0') {
        return Err(Error::invalid("body", format!("must be at most {} bytes, without NUL", limits::TASK_BODY_MAX)));
    }
    Ok(body)
}

fn trimmed_text(field: &str, text: Option<String>, longest: usize) -> Result<String> {
    let text = text.unwrap_or_default().trim().to_owned();
    if text.chars().count() > longest || text.contains('\0') {
        return Err(Error::invalid(field, format!("must have at most {longest} characters, without NUL")));
    }
    Ok(text)
}

fn amount(field: &str, amount: Option<f64>) -> Result<Option<f64>> {
    let sane = amount.is_none_or(|amount| (0.0..=limits::TASK_AMOUNT_MAX).contains(&amount));
    // Normalizes `-0`.
    let amount = amount.map(f64::abs);
    if sane { Ok(amount) } else { Err(Error::invalid(field, format!("must be 0 to {}", limits::TASK_AMOUNT_MAX))) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn faults(new: NewTask) -> Vec<String> {
        TaskDraft::checked(new).unwrap_err().fields().iter().map(|fault| fault.field.clone()).collect()
    }

    #[test]
    fn all_faults_are_reported_at_once() {
        let new = NewTask {
            title: "two\nlines".into(),
            body: " ".into(),
            channel: None,
            deadline: Some("soon".into()),
            budget: Some(-1.0),
        };
        assert_eq!(faults(new), ["title", "body", "deadline", "budget"]);
        for amount in [-0.5, f64::NAN, f64::INFINITY, 2e9] {
            assert!(BidDraft::checked(NewBid { amount: Some(amount), note: None }).is_err(), "{amount}");
        }
        let long = Some("x".repeat(limits::TASK_NOTE_MAX + 1));
        assert!(BidDraft::checked(NewBid { amount: None, note: long }).is_err());
        let new = NewTask { title: "t".into(), body: "b".into(), channel: Some("#Ops".into()), ..NewTask::default() };
        assert_eq!(TaskDraft::checked(new).unwrap().channel.as_deref(), Some("ops"));
    }

    #[test]
    fn a_deadline_is_a_duration_or_a_time_in_the_future() {
        let now: Timestamp = "2026-01-01T00:00:00Z".parse().unwrap();
        for (text, moment) in [
            ("2h", "2026-01-01T02:00:00Z"),
            ("3d", "2026-01-04T00:00:00Z"),
            ("2026-01-02", "2026-01-02T00:00:00Z"),
            ("2026-01-01T01:00:00+01:00", ""),
            ("2026-01-01T00:00:00Z", ""),
            ("366d", ""),
            ("2027-01-02", ""),
        ] {
            let found = Deadline::parse(text).unwrap().moment(now);
            assert_eq!(found.ok(), moment.parse().ok(), "{text}");
        }
        for text in ["", "0h", "-2h", "2", "2 hours", "tomorrow", "2026-02-30"] {
            assert_eq!(Deadline::parse(text).unwrap_err().fields()[0].field, "deadline", "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "\\PC{0,20}|[0-9]{0,25}[smhdTZ:-]{0,3}") {
            if let Ok(deadline) = Deadline::parse(&text) {
                drop(deadline.moment(Timestamp::from_micros(0)));
            }
        }
    }
}
