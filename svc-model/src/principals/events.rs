//! Events that machine principals report, and the evidence that readers get.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::exact_json::exact_json;
use crate::ids::{MachineEventId, MessageId};
use crate::timestamp::Timestamp;
use crate::traces::Trace;

/// An event that a machine reports.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[serde(deny_unknown_fields)]
pub struct NewMachineEvent {
    /// The machine's own id of the event, 1 to 128 visible ASCII characters. It is unique: an event that is
    /// sent again under the same id is not stored again.
    pub event_id: String,
    /// The type of the event: lower case letters, digits, `.`, `_`, `:` and `-`, the first a letter or a
    /// digit, 128 characters at most.
    #[serde(rename = "type")]
    #[cfg_attr(feature = "openapi", oai(rename = "type"))]
    pub kind: String,
    /// When it happened, by RFC 3339.
    #[serde(default)]
    pub occurred_at: Option<String>,
    /// The data of the event: any JSON of at most 32 KiB, with no repeated name in an object, and with no
    /// number that has more digits than a double or 64 bits can keep.
    #[serde(deserialize_with = "exact_json")]
    pub data: Value,
    /// A public channel that is notified of it, in a message by `system`.
    #[serde(default)]
    pub channel: Option<String>,
}

/// The result of a purge.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PurgedEvents {
    /// The number of removed events.
    pub events: u64,
}

/// The result of a report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct Ingested {
    /// The number of events that were stored.
    pub accepted: i64,
    /// The number of events that had been stored before.
    pub duplicates: i64,
    /// The result for each event, in the order of the request.
    pub events: Vec<IngestedEvent>,
}

/// The result for one event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
pub struct IngestedEvent {
    /// The machine's own id of the event.
    pub event_id: String,
    /// The hub's id of the event.
    pub id: MachineEventId,
    /// Whether it was stored now or before.
    pub status: IngestStatus,
    /// `true` when a different event is stored under this id. The stored event stays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub differs: Option<bool>,
    /// The message that notified a channel of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message_id: Option<MessageId>,
}

/// Whether an event was stored now or before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", oai(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum IngestStatus {
    /// It was stored by this request.
    Stored,
    /// It was stored before, or earlier in the same request.
    Duplicate,
}

/// The filter of a list of evidence.
#[derive(Debug, Clone, Default)]
pub struct EvidenceFilter {
    /// The `next_cursor` of the previous page; without it, the list begins with the oldest.
    pub cursor: Option<String>,
    /// The maximum number of events, 1 to 500; 100 when absent. A page also ends where its data exceeds 1
    /// MiB.
    pub limit: Option<i64>,
    /// Only events of this principal.
    pub principal: Option<String>,
    /// Only events of this type.
    pub kind: Option<String>,
}

/// A page of evidence.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct EvidencePage {
    /// The events, newest last. An event that was just stored appears a moment later, while earlier ones are
    /// still being stored.
    pub items: Vec<Evidence>,
    /// The `cursor` to read on, now or later. It never expires, and events that are reported meanwhile come
    /// after it.
    pub next_cursor: String,
    /// Whether more events are available now.
    pub has_more: bool,
}

/// An event that a machine reported, with the hub's own data about it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
pub struct Evidence {
    /// The hub's id of the event; later events have larger ones.
    pub id: MachineEventId,
    /// The principal that reported it.
    pub principal_id: String,
    /// The key that the report was signed with.
    pub kid: String,
    /// The machine's own id of the event.
    pub event_id: String,
    /// The type of the event.
    #[serde(rename = "type")]
    #[cfg_attr(feature = "openapi", oai(rename = "type"))]
    pub kind: String,
    /// When it happened, according to the machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub occurred_at: Option<Timestamp>,
    /// When it was stored.
    pub received_at: Timestamp,
    /// The data of the event.
    pub data: Value,
    /// The channel that was notified of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub channel: Option<String>,
    /// The message that notified the channel, as long as it exists.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message_id: Option<MessageId>,
    /// The id of the request that reported it, as the machine chose it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    /// The traces of that request, at most ten, as long as traces are kept. They are written a moment later
    /// than the event, so just after it there may be none yet.
    pub traces: Vec<Trace>,
}
