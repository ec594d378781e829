//! The limits of machine principals: their registry and what they send.

use std::time::Duration;

/// The largest registry of machine principals, in bytes.
pub const REGISTRY_MAX: usize = 1024 * 1024;
/// Faults of a registry that are listed; of more, how many.
pub const REGISTRY_FAULTS_MAX: usize = 100;
/// How often the registry's file is looked at.
pub const REGISTRY_POLL: Duration = Duration::from_millis(200);
/// Size of a source's configuration as JSON text.
pub const MACHINE_CONFIG_MAX: usize = 256 * 1024;
/// Length of a source's name.
pub const MACHINE_SOURCE_MAX: usize = 63;
/// Versions of a source's configuration that are kept; older ones go.
pub const MACHINE_CONFIG_VERSIONS: i64 = 20;
/// Sources of one principal.
pub const MACHINE_SOURCES_MAX: i64 = 50;
/// Length of the word for a machine's state.
pub const MACHINE_STATE_MAX: usize = 32;
/// How often a machine says that it is well, unless it says, in seconds.
pub const MACHINE_HEARTBEAT_DEFAULT: i64 = 60;
/// See [`MACHINE_HEARTBEAT_DEFAULT`].
pub const MACHINE_HEARTBEATS: std::ops::RangeInclusive<i64> = 1..=86_400;
/// How far the clocks of two nodes may be apart.
pub const CLOCKS_APART: Duration = Duration::from_mins(1);
/// Beats without another after which a machine's status is stale.
pub const MACHINE_BEATS_MISSED: i64 = 3;
/// Length of what a machine says about its state, in characters.
pub const MACHINE_MESSAGE_MAX: usize = 500;
/// Size of the details of a machine's state as JSON text.
pub const MACHINE_DETAILS_MAX: usize = 16 * 1024;
/// Events that a machine reports at once.
pub const MACHINE_EVENTS_MAX: usize = 500;
/// Length of a machine's own id for an event.
pub const MACHINE_EVENT_ID_MAX: usize = 128;
/// Length of the type of a machine's event.
pub const MACHINE_EVENT_TYPE_MAX: usize = 128;
/// Size of the data of a machine's event as JSON text.
pub const MACHINE_EVENT_DATA_MAX: usize = 32 * 1024;
/// The largest request body with events of a machine.
pub const MACHINE_EVENTS_BODY_MAX: usize = 8 * 1024 * 1024;
/// What of an event's data a channel is shown, in characters and in lines.
pub const MACHINE_EXCERPT_MAX: usize = 1500;
/// See [`MACHINE_EXCERPT_MAX`].
pub const MACHINE_EXCERPT_LINES: usize = 30;
/// Events of a page of evidence, unless the caller says.
pub const EVIDENCE_PAGE_DEFAULT: u32 = 100;
/// Events of a page of evidence at most.
pub const EVIDENCE_PAGE_MAX: u32 = 500;
/// Size of the data of a page of evidence as JSON text; the first event comes whatever its size.
pub const EVIDENCE_PAGE_BYTES: usize = 1024 * 1024;
/// Events of a page of evidence that are read at once.
pub const EVIDENCE_STEP: u32 = 32;
/// Events that are written by one statement.
pub const MACHINE_EVENTS_STEP: usize = 100;
/// Principals that are listed.
pub const MACHINES_LISTED_MAX: u32 = 1000;
/// Traces that are shown with one event.
pub const EVIDENCE_TRACES_MAX: u32 = 10;
