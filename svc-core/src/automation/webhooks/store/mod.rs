//! The SQL of webhooks, of deliveries and of attempts.

mod attempts;
mod bodies;
mod deliveries;
mod webhooks;

pub(super) use attempts::*;
pub(super) use bodies::*;
pub(super) use deliveries::*;
pub(super) use webhooks::*;

pub(crate) use webhooks::remove_all_of;

/// SQL statements over growing tables, by name, for the query-plan test.
pub(crate) fn listed() -> Vec<(&'static str, &'static str)> {
    [OWN, attempts::LISTED].concat()
}

const OWN: &[(&str, &str)] = &[
    ("webhooks.of_agent", webhooks::OF_AGENT),
    ("webhooks.of_members", webhooks::OF_MEMBERS),
    ("webhooks.ending", webhooks::ENDING),
    ("webhooks.recent", deliveries::RECENT),
    ("deliveries.list", deliveries::LIST),
    ("deliveries.list_by_status", deliveries::LIST_BY_STATUS),
    ("deliveries.find", deliveries::FIND),
    ("deliveries.attempts", deliveries::ATTEMPTS),
    ("deliveries.of_event", deliveries::OF_EVENT),
    ("deliveries.interrupted", deliveries::INTERRUPTED),
    ("deliveries.oldest_open", deliveries::OLDEST_OPEN),
    ("deliveries.older", deliveries::OLDER),
    ("deliveries.sweep", deliveries::SWEEP),
    ("deliveries.waiting", deliveries::WAITING),
    ("deliveries.remove_some", deliveries::REMOVE_SOME),
    ("deliveries.open_of_owner", deliveries::OPEN_OF_OWNER),
    ("deliveries.body", bodies::BODY),
];
