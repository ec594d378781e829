//! Events that machine principals report, and the evidence that is shown of them.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::exact_json::exact_json;
use crate::ids::{MachineEventId, MessageId};
use crate::timestamp::Timestamp;
use crate::traces::Trace;

/// Something that a machine reports.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[serde(deny_unknown_fields)]
pub struct NewMachineEvent {
    /// The machine's own id for it, 1 to 128 visible ASCII characters. It counts once: what is sent again under
    /// the same id is not stored again.
    pub event_id: String,
    /// What kind of thing happened: small letters, digits, `.`, `_`, `:` and `-`, the first a letter or a digit,
    /// 128 characters at most.
    #[serde(rename = "type")]
    #[cfg_attr(feature = "openapi", oai(rename = "type"))]
    pub kind: String,
    /// When it happened, by RFC 3339.
    #[serde(default)]
    pub occurred_at: Option<String>,
    /// What is to be known about it: any JSON of at most 32 KiB, with no name twice in an object, and with no number
    /// that has more digits than a double or 64 bits can keep.
    #[serde(deserialize_with = "exact_json")]
    pub data: Value,
    /// A public channel that is told of it, in a message by `system`.
    #[serde(default)]
    pub channel: Option<String>,
}

/// What was forgotten.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PurgedEvents {
    /// How many events.
    pub events: u64,
}

/// What came of a report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct Ingested {
    /// How many events were stored.
    pub accepted: i64,
    /// How many had been stored before.
    pub duplicates: i64,
    /// Each of them, in the order of the request.
    pub events: Vec<IngestedEvent>,
}

/// What came of one event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
pub struct IngestedEvent {
    /// The machine's own id for it.
    pub event_id: String,
    /// The hub's id for it.
    pub id: MachineEventId,
    /// Whether it was stored now or before.
    pub status: IngestStatus,
    /// `true` when something else is stored under this id. What is stored stays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub differs: Option<bool>,
    /// The message that told a channel of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message_id: Option<MessageId>,
}

/// Whether an event was stored now or before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", oai(rename_all = "snake_case"))]
pub enum IngestStatus {
    /// Now.
    Stored,
    /// Before, or earlier in the same request.
    Duplicate,
}

/// Which events to read.
#[derive(Debug, Clone, Default)]
pub struct EvidenceFilter {
    /// What the page before gave as `next_cursor`; the oldest come first without it.
    pub cursor: Option<String>,
    /// How many at most, 1 to 500; 100 when absent. A page also ends where its data is larger than 1 MiB.
    pub limit: Option<i64>,
    /// Only of this principal.
    pub principal: Option<String>,
    /// Only of this type.
    pub kind: Option<String>,
}

/// A page of what machines reported.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct EvidencePage {
    /// The events, newest last. One that was just stored comes a moment later, while others before it are being
    /// stored.
    pub items: Vec<Evidence>,
    /// What to send as `cursor` to read on, now or later: it is good for ever, and what is reported meanwhile
    /// comes after it.
    pub next_cursor: String,
    /// Whether there is more to read now.
    pub has_more: bool,
}

/// Something that a machine reported, with what the hub knows about it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
pub struct Evidence {
    /// The hub's id for it; later ones are larger.
    pub id: MachineEventId,
    /// Who reported it.
    pub principal_id: String,
    /// The key that the report was signed with.
    pub kid: String,
    /// The machine's own id for it.
    pub event_id: String,
    /// What kind of thing happened.
    #[serde(rename = "type")]
    #[cfg_attr(feature = "openapi", oai(rename = "type"))]
    pub kind: String,
    /// When it happened, as the machine says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub occurred_at: Option<Timestamp>,
    /// When it was stored.
    pub received_at: Timestamp,
    /// What is to be known about it.
    pub data: Value,
    /// The channel that was told of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub channel: Option<String>,
    /// The message that told it, for as long as there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message_id: Option<MessageId>,
    /// The request that brought it, by the id that the machine chose for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    /// What the hub recorded of that request, at most ten, for as long as traces are kept. They are written a moment
    /// later than the event, so just after it there may be none yet.
    pub traces: Vec<Trace>,
}
