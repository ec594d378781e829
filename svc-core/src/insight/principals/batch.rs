//! Machine events before they are stored. All fields are checked and all errors are reported at
//! once.

use serde_json::{Value, json};
use svc_model::principals::NewMachineEvent;

use crate::error::{Error, Result};
use crate::identity::principals::rules::{Faults, fingerprint, is_word, json_fault};
use crate::limits;
use crate::names::ChannelName;
use crate::timestamp::Timestamp;

/// An event whose fields pass every check that needs no store access.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Draft {
    pub(super) event_id: String,
    pub(super) kind: String,
    pub(super) occurred_at: Option<Timestamp>,
    pub(super) data: Value,
    /// The lookup key of the channel.
    pub(super) channel: Option<String>,
    /// The hash of all other fields except the id.
    pub(super) sha256: String,
}

/// Checks the events of one request.
pub(super) fn checked(events: Vec<NewMachineEvent>) -> Result<Vec<Draft>> {
    if events.is_empty() || events.len() > limits::MACHINE_EVENTS_MAX {
        return Err(Error::invalid("events", format!("must be 1 to {}", limits::MACHINE_EVENTS_MAX)));
    }
    let mut faults = Faults::default();
    let drafts = events.into_iter().enumerate().map(|(number, event)| draft(number, event, &mut faults)).collect();
    faults.or(drafts)
}

/// The name of an event field in an error.
pub(super) fn field(number: usize, name: &str) -> String {
    format!("events[{number}].{name}")
}

fn draft(number: usize, event: NewMachineEvent, faults: &mut Faults) -> Draft {
    let NewMachineEvent { event_id, kind, occurred_at, data, channel } = event;
    let visible = event_id.bytes().all(|byte| byte.is_ascii_graphic());
    if !visible || !(1..=limits::MACHINE_EVENT_ID_MAX).contains(&event_id.len()) {
        faults.add(field(number, "event_id"), "must have 1 to 128 visible ASCII characters");
    }
    if !is_word(&kind, limits::MACHINE_EVENT_TYPE_MAX, b"._:-") {
        faults.add(
            field(number, "type"),
            "must have 1 to 128 characters: lowercase letters, digits, ., _, : and -, starting with a letter or digit",
        );
    }
    let moment = occurred_at.map(|text| text.parse::<Timestamp>());
    if let Some(Err(_)) = moment {
        faults.add(field(number, "occurred_at"), "must look like 2026-11-15T02:00:00.000Z");
    }
    faults.check(field(number, "data"), json_fault(&data, limits::MACHINE_EVENT_DATA_MAX));
    let channel = channel.map(|name| name.strip_prefix('#').unwrap_or(&name).to_ascii_lowercase());
    if channel.as_ref().is_some_and(|name| name.parse::<ChannelName>().is_err()) {
        faults.add(field(number, "channel"), NO_CHANNEL);
    }
    let occurred_at = moment.and_then(Result::ok);
    let sha256 = fingerprint(&json!([kind, occurred_at.map(Timestamp::as_micros), data, channel]));
    Draft { event_id, kind, occurred_at, data, channel, sha256 }
}

/// The error for a channel that does not exist, is private or is archived.
pub(super) const NO_CHANNEL: &str = "must be a public channel that is not archived";

#[cfg(test)]
mod tests {
    use super::*;

    fn event(event_id: &str, kind: &str) -> NewMachineEvent {
        NewMachineEvent {
            event_id: event_id.into(),
            kind: kind.into(),
            occurred_at: None,
            data: json!(null),
            channel: None,
        }
    }

    #[test]
    fn all_faults_of_all_events_are_reported_at_once() {
        let wrong = NewMachineEvent {
            event_id: "with space".into(),
            kind: "Door".into(),
            occurred_at: Some("yesterday".into()),
            data: json!("x".repeat(limits::MACHINE_EVENT_DATA_MAX)),
            channel: Some("no channel".into()),
        };
        let fault = checked(vec![event("a", "b"), wrong, event("", "b")]).unwrap_err();
        let fields: Vec<_> = fault.fields().iter().map(|fault| fault.field.as_str()).collect();
        assert_eq!(
            fields,
            [
                "events[1].event_id",
                "events[1].type",
                "events[1].occurred_at",
                "events[1].data",
                "events[1].channel",
                "events[2].event_id"
            ]
        );
    }

    #[test]
    fn the_size_of_a_batch_is_limited() {
        for count in [0, limits::MACHINE_EVENTS_MAX + 1] {
            assert_eq!(checked(vec![event("a", "b"); count]).unwrap_err().fields()[0].field, "events");
        }
        assert!(checked(vec![event("a", "b"); limits::MACHINE_EVENTS_MAX]).is_ok());
    }

    #[test]
    fn the_hash_covers_everything_but_the_id() {
        let hash = |event: NewMachineEvent| checked(vec![event]).unwrap().remove(0).sha256;
        let plain = event("a", "b");
        assert_eq!(hash(plain.clone()), hash(event("other", "b")));
        for other in [
            event("a", "c"),
            NewMachineEvent { occurred_at: Some("2026-01-01T00:00:00Z".into()), ..plain.clone() },
            NewMachineEvent { data: json!({}), ..plain.clone() },
            NewMachineEvent { channel: Some("ops".into()), ..plain.clone() },
        ] {
            assert_ne!(hash(plain.clone()), hash(other));
        }
        let named = |name: &str| NewMachineEvent { channel: Some(name.into()), ..plain.clone() };
        assert_eq!(hash(named("#Ops")), hash(named("ops")));
    }

    #[test]
    fn ids_and_types_keep_their_patterns() {
        for good in ["a", "!", "~@#/:", &"a".repeat(128)] {
            assert!(checked(vec![event(good, "b")]).is_ok(), "{good}");
        }
        for bad in ["", " ", "a\n", "ä", "a\0", &"a".repeat(129)] {
            assert!(checked(vec![event(bad, "b")]).is_err(), "{bad:?}");
        }
        for good in ["a", "0", "door:opened.by-key_2", &"a".repeat(128)] {
            assert!(checked(vec![event("a", good)]).is_ok(), "{good}");
        }
        for bad in ["", "-a", ":", "A", "a b", "a@b", "a\n", &"a".repeat(129)] {
            assert!(checked(vec![event("a", bad)]).is_err(), "{bad:?}");
        }
    }
}
