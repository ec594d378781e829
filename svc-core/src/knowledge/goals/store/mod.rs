//! The SQL of goals.

mod approvals;
mod claims;
mod goals;
mod proposals;
mod spend;
mod tasks;
mod timeline;

pub(super) use approvals::*;
pub(super) use claims::*;
pub(super) use goals::*;
pub(super) use proposals::*;
pub(super) use spend::*;
pub(super) use tasks::*;
pub(super) use timeline::*;

/// SQL statements over growing tables, by name, for the query-plan test.
pub(crate) const LISTED: &[(&str, &str)] = &[
    ("goals.find", goals::FIND),
    ("goals.list", goals::LIST),
    ("goals.list_in", goals::LIST_IN),
    ("goals.list_of_owner", goals::LIST_OF_OWNER),
    ("goals.list_of_owner_in", goals::LIST_OF_OWNER_IN),
    ("goals.tasks", tasks::OF_GOAL),
    ("goals.task", tasks::FIND),
    ("goals.dependencies", tasks::DEPENDENCIES),
    ("goals.claimable", tasks::CLAIMABLE),
    ("goals.unverified", tasks::UNVERIFIED),
    ("goals.claim", claims::ACTIVE),
    ("goals.overdue", claims::OVERDUE),
    ("goals.claim_during", claims::DURING),
    ("goals.rollup", spend::ROLLUP),
    ("goals.billing", spend::BILLING),
    ("goals.usage", spend::USAGE),
    ("goals.timeline", timeline::LIST),
    ("goals.messages", timeline::MESSAGES),
    ("goals.proposals", proposals::LIST),
    ("goals.waiting_tasks", approvals::TASKS),
    ("goals.waiting_agents", approvals::AGENTS),
    ("goals.waiting_secrets", approvals::SECRETS),
];
