//! Runtime status of machines: a state, and a heartbeat that keeps it fresh.

use std::time::Duration;

use serde_json::{Value, json};
use svc_macros::boxed_futures;
use svc_model::events::{EventBody, MachineStatusChanged};
use svc_model::principals::{NewRuntimeStatus, RuntimeStatus, Scope};

use super::history;
use super::machine::{Machine, admit};
use super::rules::{Faults, object_fault};
use super::service::Principals;
use super::store::statuses::{self, ListedStatus, StatusRow};
use crate::error::Result;
use crate::limits;
use crate::store::db::Tx;
use crate::timestamp::Timestamp;

impl StatusRow {
    fn into_status(self, now: Timestamp) -> RuntimeStatus {
        let stale_at = stale_at(self.seen_at, self.heartbeat_seconds);
        RuntimeStatus {
            state: self.state,
            message: self.message,
            details: Some(self.details),
            heartbeat_seconds: self.heartbeat_seconds,
            since: self.since,
            seen_at: self.seen_at,
            stale_at,
            stale: now > stale_at,
            beats: self.beats,
        }
    }
}

/// The time at which a status becomes stale.
fn stale_at(seen_at: Timestamp, heartbeat_seconds: i64) -> Timestamp {
    let seconds = u64::try_from(heartbeat_seconds.saturating_mul(limits::MACHINE_BEATS_MISSED)).unwrap_or(0);
    seen_at.plus(Duration::from_secs(seconds))
}

/// The time of a heartbeat received now. The clock of the node that got the last one may be a little ahead; a
/// time far ahead is ignored, because it would keep a dead machine fresh.
fn seen_at(before: Option<Timestamp>, now: Timestamp) -> Timestamp {
    before.filter(|before| *before <= now.plus(limits::CLOCKS_APART)).map_or(now, |before| before.max(now))
}

/// A validated status.
#[derive(Debug, Clone)]
struct Draft {
    state: String,
    heartbeat_seconds: i64,
    message: Option<String>,
    details: Value,
}

impl Draft {
    fn checked(new: NewRuntimeStatus) -> Result<Self> {
        let mut faults = Faults::default();
        if !is_state(&new.state) {
            faults.add("state", "must be 1 to 32 characters: lower-case letters, digits, _ and -, the first a letter");
        }
        let heartbeat_seconds = new.heartbeat_seconds.unwrap_or(limits::MACHINE_HEARTBEAT_DEFAULT);
        if !limits::MACHINE_HEARTBEATS.contains(&heartbeat_seconds) {
            faults.add("heartbeat_seconds", "must be 1 to 86400");
        }
        let message = new.message.map(|message| message.trim().to_owned()).filter(|message| !message.is_empty());
        faults.check("message", message.as_deref().and_then(message_fault));
        let details = new.details.unwrap_or_else(|| json!({}));
        faults.check("details", object_fault(&details, limits::MACHINE_DETAILS_MAX));
        faults.or(Self { state: new.state, heartbeat_seconds, message, details })
    }
}

fn is_state(text: &str) -> bool {
    (1..=limits::MACHINE_STATE_MAX).contains(&text.len())
        && text.starts_with(|first: char| first.is_ascii_lowercase())
        && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_-".contains(&byte))
}

fn message_fault(message: &str) -> Option<String> {
    let sane = message.chars().count() <= limits::MACHINE_MESSAGE_MAX
        && !message.chars().any(|character| character.is_control() && character != '\n');
    (!sane).then(|| format!("must have at most {} characters that can be printed", limits::MACHINE_MESSAGE_MAX))
}

#[boxed_futures]
impl Principals {
    /// Stores the status of a machine.
    pub async fn put_status(&self, machine: &Machine, new: NewRuntimeStatus) -> Result<RuntimeStatus> {
        let draft = match Draft::checked(new) {
            Ok(draft) => draft,
            Err(fault) => return self.faulty(machine, Scope::RuntimeStatusWrite, fault).await,
        };
        let work = self.db.write((machine.clone(), draft), |tx, (machine, draft)| Box::pin(put(tx, machine, draft)));
        self.answer(machine, work.await).await
    }
}

async fn put(tx: &mut Tx, machine: &Machine, draft: &Draft) -> Result<RuntimeStatus> {
    admit(tx, machine, Scope::RuntimeStatusWrite).await?;
    let (owner, now) = (machine.principal_id(), tx.now());
    history::hold(tx, owner).await?;
    let before = statuses::find(tx, owner).await?.map(|row| row.into_status(now));
    let seen_at = seen_at(before.as_ref().map(|before| before.seen_at), now);
    let row = StatusRow {
        principal_id: owner.to_owned(),
        state: draft.state.clone(),
        message: draft.message.clone(),
        details: draft.details.clone(),
        heartbeat_seconds: draft.heartbeat_seconds,
        since: before
            .as_ref()
            .filter(|before| before.state == draft.state)
            .map_or(now, |before| before.since.min(seen_at)),
        seen_at,
        beats: before.as_ref().map_or(1, |before| before.beats + 1),
    };
    statuses::put(tx, &row).await?;
    let status = row.into_status(now);
    // An unchanged heartbeat is not worth an event.
    if before.is_none_or(|before| before.stale || before.state != status.state || before.message != status.message) {
        let changed = MachineStatusChanged { principal_id: owner.to_owned(), state: status.state.clone() };
        tx.record(EventBody::MachineStatusChanged(changed)).await?;
    }
    Ok(status)
}

/// The last status of these machines, at least one, without details.
pub(super) async fn of(tx: &mut Tx, principals: &[String]) -> Result<Vec<(String, RuntimeStatus)>> {
    let now = tx.now();
    let shown = |row: ListedStatus| {
        let stale_at = stale_at(row.seen_at, row.heartbeat_seconds);
        let status = RuntimeStatus {
            state: row.state,
            message: row.message,
            details: None,
            heartbeat_seconds: row.heartbeat_seconds,
            since: row.since,
            seen_at: row.seen_at,
            stale_at,
            stale: now > stale_at,
            beats: row.beats,
        };
        (row.principal_id, status)
    };
    Ok(statuses::list(tx, principals).await?.into_iter().map(shown).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_invalid_fields_are_reported() {
        let new = NewRuntimeStatus {
            state: "Up".into(),
            heartbeat_seconds: Some(0),
            message: Some("a\u{7}".into()),
            details: Some(json!("much")),
        };
        let fault = Draft::checked(new).unwrap_err();
        let fields: Vec<_> = fault.fields().iter().map(|fault| fault.field.as_str()).collect();
        assert_eq!(fields, ["state", "heartbeat_seconds", "message", "details"]);
    }

    #[test]
    fn the_form_of_a_state_is_checked() {
        for good in ["up", "in_doubt-2", &"a".repeat(32)] {
            assert!(is_state(good), "{good}");
        }
        for bad in ["", "2", "_a", "Up", "up\n", "in doubt", &"a".repeat(33)] {
            assert!(!is_state(bad), "{bad:?}");
        }
    }

    #[test]
    fn a_time_far_ahead_is_ignored() {
        let now: Timestamp = "2026-01-01T00:00:00Z".parse().unwrap();
        let ahead = |seconds| now.plus(Duration::from_secs(seconds));
        assert_eq!(seen_at(None, now), now);
        assert_eq!(seen_at(Some(now), ahead(5)), ahead(5));
        for (before, seen) in [(1, 1), (60, 60), (61, 0), (86_400, 0)] {
            assert_eq!(seen_at(Some(ahead(before)), now), ahead(seen), "{before}");
        }
    }

    #[test]
    fn a_status_is_stale_after_three_heartbeats() {
        let seen_at: Timestamp = "2026-01-01T00:00:00Z".parse().unwrap();
        let row = StatusRow {
            principal_id: String::new(),
            state: "up".into(),
            message: None,
            details: json!({}),
            heartbeat_seconds: 10,
            since: seen_at,
            seen_at,
            beats: 1,
        };
        for (seconds, stale) in [(0, false), (30, false), (31, true)] {
            assert_eq!(row.clone().into_status(seen_at.plus(Duration::from_secs(seconds))).stale, stale, "{seconds}");
        }
        assert!(stale_at(seen_at, i64::MAX) > seen_at);
    }
}
