//! The SQL of push messages: the key pair, subscriptions, the users to tell, and presence.

mod audience;
mod presence;
mod subscriptions;

pub(super) use audience::*;
pub(super) use presence::*;
pub(super) use subscriptions::*;

pub(crate) use subscriptions::remove_all_of;

/// SQL statements over growing tables, by name, for the query-plan test.
pub(crate) const LISTED: &[(&str, &str)] = &[
    ("push.of_user", subscriptions::OF_USER),
    ("push.job", subscriptions::JOB),
    ("push.members", audience::MEMBERS),
    ("push.listeners", audience::LISTENERS),
    ("push.told", audience::TOLD),
];
