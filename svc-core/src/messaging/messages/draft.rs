//! A message before it is sent. All fields are checked and all errors are reported at once.

use serde::Serialize;
use serde_json::{Value, json};
use svc_model::messages::NewMessage;

use super::traceparent;
use crate::error::{Error, FieldError, Result};
use crate::ids::MessageId;
use crate::limits;
use crate::names::label;
use crate::text::holds_nul;

/// Metadata keys that only the hub writes.
const RESERVED: [&str; 5] = ["auction", "machine_event", "mention", "non_delivery", "stalemate"];
/// Prefix of further metadata keys that are reserved for the hub.
const RESERVED_PREFIX: &str = "svc.";

/// The target of a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) enum Target {
    /// A participant.
    Direct(String),
    /// A channel.
    Channel(String),
}

/// A message whose fields pass every check that needs no store access.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Draft {
    pub(super) target: Target,
    pub(super) subject: String,
    pub(super) body: String,
    pub(super) priority: u32,
    pub(super) reply_to: Option<MessageId>,
    pub(super) metadata: Value,
    pub(super) attachments: Vec<String>,
    /// Not part of the idempotency fingerprint: a retry runs in another span.
    #[serde(skip)]
    pub(super) traceparent: Option<String>,
}

impl Draft {
    pub(super) fn checked(new: NewMessage) -> Result<Self> {
        let mut faults = Faults::default();
        let target = match (&new.to, &new.channel) {
            (Some(to), None) => Some(Target::Direct(to.strip_prefix('@').unwrap_or(to).to_ascii_lowercase())),
            (None, Some(channel)) => {
                Some(Target::Channel(channel.strip_prefix('#').unwrap_or(channel).to_ascii_lowercase()))
            }
            (Some(_), Some(_)) => {
                faults.add("to", "cannot be combined with channel: set one of them");
                None
            }
            (None, None) => {
                faults.add("to", "is missing: name a participant, or a channel in the field channel");
                None
            }
        };
        faults.check("body", body_fault(&new.body));
        faults.check("subject", subject_fault(&new));
        let priority = new.priority.unwrap_or(limits::PRIORITY_DEFAULT);
        if !limits::PRIORITIES.contains(&priority) {
            faults.add("priority", "must be 1 to 10");
        }
        let metadata = new.metadata.unwrap_or_else(|| json!({}));
        faults.check("metadata", metadata_fault(&metadata));
        let attachments = new.attachments.unwrap_or_default();
        if attachments.len() > limits::ATTACHMENTS_PER_MESSAGE {
            faults.add("attachments", format!("must be at most {}", limits::ATTACHMENTS_PER_MESSAGE));
        }
        let subject = new.subject.as_deref().unwrap_or_default().trim().to_owned();
        let reply_to = new.reply_to;
        let traceparent = new.traceparent.as_deref().and_then(traceparent::kept);
        match (faults.0.is_empty(), target) {
            (true, Some(target)) => {
                Ok(Self { target, subject, body: new.body, priority, reply_to, metadata, attachments, traceparent })
            }
            _ => Err(Error::invalid_fields(faults.0)),
        }
    }
}

#[derive(Default)]
struct Faults(Vec<FieldError>);

impl Faults {
    fn add(&mut self, field: &str, message: impl Into<String>) {
        self.0.push(FieldError { field: field.into(), message: message.into() });
    }

    fn check(&mut self, field: &str, fault: Option<String>) {
        if let Some(message) = fault {
            self.add(field, message);
        }
    }
}

/// Whether the hub wrote a message itself, or wrote a part of its metadata.
pub(super) fn is_written_by_hub(metadata: &Value) -> bool {
    let is_reserved = |name: &String| RESERVED.contains(&name.as_str()) || name.starts_with(RESERVED_PREFIX);
    metadata.as_object().is_some_and(|fields| fields.keys().any(is_reserved))
}

pub(super) fn body_fault(body: &str) -> Option<String> {
    if body.trim().is_empty() {
        return Some("must not be empty".into());
    }
    if body.len() > limits::BODY_MAX {
        return Some(format!("must be at most {} bytes; attach longer text as a file", limits::BODY_MAX));
    }
    body.contains('\0').then(|| "must not contain the NUL character".into())
}

/// Fails unless a text could be that of a message.
pub(crate) fn check_body(body: &str) -> Result<()> {
    body_fault(body).map_or(Ok(()), |fault| Err(Error::invalid("body", fault)))
}

fn subject_fault(new: &NewMessage) -> Option<String> {
    let subject = new.subject.as_deref().map(str::trim).filter(|subject| !subject.is_empty())?;
    if new.channel.is_some() {
        return Some("is for direct messages only: a channel is one conversation".into());
    }
    let refused = label("subject", subject, limits::SUBJECT_MAX).err()?;
    refused.fields().first().map(|fault| fault.message.clone())
}

fn metadata_fault(metadata: &Value) -> Option<String> {
    let Some(fields) = metadata.as_object() else {
        return Some("must be a JSON object".into());
    };
    if let Some(word) = RESERVED.iter().find(|word| fields.contains_key(**word)) {
        return Some(format!("must not contain {word}, which the hub writes itself"));
    }
    if let Some(name) = fields.keys().find(|name| name.starts_with(RESERVED_PREFIX)) {
        let name: String = name.chars().take(limits::PREVIEW_MAX).collect();
        return Some(format!("must not contain {name:?}: the prefix {RESERVED_PREFIX} is reserved for the hub"));
    }
    (metadata.to_string().len() > limits::METADATA_MAX || holds_nul(metadata))
        .then(|| format!("must be at most {} bytes, without NUL", limits::METADATA_MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(new: NewMessage) -> Vec<String> {
        Draft::checked(new).unwrap_err().fields().iter().map(|fault| fault.field.clone()).collect()
    }

    #[test]
    fn a_message_has_exactly_one_target() {
        let both = NewMessage { channel: Some("general".into()), ..NewMessage::to("ann", "hello") };
        assert_eq!(faults(both), ["to"]);
        assert_eq!(faults(NewMessage { body: "hello".into(), ..NewMessage::default() }), ["to"]);
        let draft = Draft::checked(NewMessage::in_channel("#General", "hello")).unwrap();
        assert_eq!(draft.target, Target::Channel("general".into()));
        assert_eq!(Draft::checked(NewMessage::to("@Ann", "hello")).unwrap().target, Target::Direct("ann".into()));
    }

    #[test]
    fn bodies_are_neither_empty_nor_too_long() {
        for body in ["", " \n\t ", "a\0b", &"x".repeat(limits::BODY_MAX + 1)] {
            assert_eq!(faults(NewMessage::to("ann", body)), ["body"], "{:?}", &body[..body.len().min(9)]);
        }
        assert!(Draft::checked(NewMessage::to("ann", "x".repeat(limits::BODY_MAX))).is_ok());
    }

    #[test]
    fn all_faults_are_reported_at_once() {
        let new = NewMessage {
            body: String::new(),
            priority: Some(11),
            metadata: Some(json!([1])),
            subject: Some("s".repeat(limits::SUBJECT_MAX + 1)),
            attachments: Some(vec![String::new(); limits::ATTACHMENTS_PER_MESSAGE + 1]),
            ..NewMessage::default()
        };
        assert_eq!(faults(new), ["to", "body", "subject", "priority", "metadata", "attachments"]);
    }

    #[test]
    fn reserved_metadata_keys_are_rejected() {
        for word in ["mention", "svc.quotes", "svc."] {
            let new = NewMessage { metadata: Some(json!({ word: {} })), ..NewMessage::to("ann", "hello") };
            assert_eq!(faults(new), ["metadata"], "{word}");
        }
    }
}
