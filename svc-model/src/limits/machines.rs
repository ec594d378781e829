//! Limits of machine principals: their registry and their requests.

use std::time::Duration;

/// Maximum size of a registry of machine principals, in bytes.
pub const REGISTRY_MAX: usize = 1024 * 1024;
/// Maximum number of faults of a registry that are listed; the rest is only counted.
pub const REGISTRY_FAULTS_MAX: usize = 100;
/// Interval at which the registry file is checked for changes.
pub const REGISTRY_POLL: Duration = Duration::from_millis(200);
/// Maximum size of a source's configuration as JSON text, in bytes.
pub const MACHINE_CONFIG_MAX: usize = 256 * 1024;
/// Maximum length of a source's name.
pub const MACHINE_SOURCE_MAX: usize = 63;
/// Number of configuration versions kept per source; older ones are removed.
pub const MACHINE_CONFIG_VERSIONS: i64 = 20;
/// Maximum number of sources per principal.
pub const MACHINE_SOURCES_MAX: i64 = 50;
/// Maximum length of a machine's state.
pub const MACHINE_STATE_MAX: usize = 32;
/// Default heartbeat interval of a machine, in seconds.
pub const MACHINE_HEARTBEAT_DEFAULT: i64 = 60;
/// Allowed heartbeat intervals of a machine, in seconds.
pub const MACHINE_HEARTBEATS: std::ops::RangeInclusive<i64> = 1..=86_400;
/// Maximum difference between the clocks of two nodes.
pub const CLOCKS_APART: Duration = Duration::from_mins(1);
/// Number of missed heartbeats after which a machine's status is stale.
pub const MACHINE_BEATS_MISSED: i64 = 3;
/// Maximum length of a status message, in characters.
pub const MACHINE_MESSAGE_MAX: usize = 500;
/// Maximum size of the details of a machine's state as JSON text, in bytes.
pub const MACHINE_DETAILS_MAX: usize = 16 * 1024;
/// Maximum number of events in one report.
pub const MACHINE_EVENTS_MAX: usize = 500;
/// Maximum length of a machine's own id of an event.
pub const MACHINE_EVENT_ID_MAX: usize = 128;
/// Maximum length of the type of a machine's event.
pub const MACHINE_EVENT_TYPE_MAX: usize = 128;
/// Maximum size of the data of a machine's event as JSON text, in bytes.
pub const MACHINE_EVENT_DATA_MAX: usize = 32 * 1024;
/// Maximum size of a request body with events, in bytes.
pub const MACHINE_EVENTS_BODY_MAX: usize = 8 * 1024 * 1024;
/// Maximum length of the excerpt of an event's data in a channel message, in characters.
pub const MACHINE_EXCERPT_MAX: usize = 1500;
/// Maximum number of lines of the excerpt of an event's data in a channel message.
pub const MACHINE_EXCERPT_LINES: usize = 30;
/// Default number of events in a page of evidence.
pub const EVIDENCE_PAGE_DEFAULT: u32 = 100;
/// Maximum number of events in a page of evidence.
pub const EVIDENCE_PAGE_MAX: u32 = 500;
/// Maximum size of the data of a page of evidence as JSON text, in bytes; the first event is returned
/// whatever its size.
pub const EVIDENCE_PAGE_BYTES: usize = 1024 * 1024;
/// Number of events that are read at once for a page of evidence.
pub const EVIDENCE_STEP: u32 = 32;
/// Number of events that are inserted by one statement.
pub const MACHINE_EVENTS_STEP: usize = 100;
/// Maximum number of principals in a list.
pub const MACHINES_LISTED_MAX: u32 = 1000;
/// Maximum number of traces that are returned with one event.
pub const EVIDENCE_TRACES_MAX: u32 = 10;
