//! The SQL of runs, of what went in and out of them, and of the agents that are run.

mod agents;
mod harness;
mod jobs;
mod runs;

pub(super) use agents::*;
pub(super) use harness::*;
pub(super) use jobs::*;
pub(super) use runs::*;

/// SQL statements over growing tables, by name, for the query-plan test.
pub(crate) const LISTED: &[(&str, &str)] = &[
    ("runs.list", runs::LIST),
    ("runs.list_by_status", runs::LIST_BY_STATUS),
    ("runs.list_of_owner", runs::LIST_OF_OWNER),
    ("runs.list_of_owner_by_status", runs::LIST_OF_OWNER_BY_STATUS),
    ("runs.list_of_agent", runs::LIST_OF_AGENT),
    ("runs.list_of_agent_by_status", runs::LIST_OF_AGENT_BY_STATUS),
    ("runs.find", runs::FIND),
    ("runs.of_item", runs::OF_ITEM),
    ("runs.active", runs::ACTIVE),
    ("runs.open_events", runs::OPEN_EVENTS),
    ("runs.count_open_events", runs::COUNT_OPEN_EVENTS),
    ("runs.is_evaluated", runs::IS_EVALUATED),
    ("runs.last_end", runs::LAST_END),
    ("runs.last_session", runs::LAST_SESSION),
    ("runs.stranded", runs::STRANDED),
    ("runs.oldest_queued", runs::OLDEST_QUEUED),
    ("runs.sweep", runs::SWEEP),
    ("runs.sweep_logs", harness::SWEEP_LOGS),
    ("runs.due", agents::DUE),
    ("runs.job_of_event", jobs::OF_EVENT),
];
