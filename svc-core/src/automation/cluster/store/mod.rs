//! The SQL of handlers, and of the list of their Jobs.

mod handlers;
mod jobs;

pub(super) use handlers::*;
pub(super) use jobs::*;

pub(crate) use handlers::remove_all_of;

/// SQL statements over growing tables, by name, for the query-plan test.
pub(crate) const LISTED: &[(&str, &str)] = &[
    ("cluster.of_agent", handlers::OF_AGENT),
    ("cluster.of_members", handlers::OF_MEMBERS),
    ("cluster.list", jobs::LIST),
    ("cluster.list_of_owner", jobs::LIST_OF_OWNER),
    ("cluster.list_of_agent", jobs::LIST_OF_AGENT),
    ("cluster.list_of_handler", jobs::LIST_OF_HANDLER),
    ("cluster.find", jobs::FIND),
];
