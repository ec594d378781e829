//! The SQL of reputation, budgets and loops.

mod agents;
mod budgets;
mod loops;
mod messages;
mod reputation;

pub(super) use agents::*;
pub(super) use budgets::*;
pub(super) use loops::*;
pub(super) use messages::*;
pub(super) use reputation::*;

/// SQL statements over growing tables, by name, for the query-plan test.
pub(crate) const LISTED: &[(&str, &str)] = &[
    ("governance.governed", agents::GOVERNED),
    ("governance.out_of_budget", agents::OUT_OF_BUDGET),
    ("reputation.entries", reputation::ENTRIES),
    ("reputation.days", reputation::DAYS),
    ("reputation.last_before", reputation::LAST_BEFORE),
    ("reputation.judgement", reputation::JUDGEMENT),
    ("reputation.sweep", reputation::SWEEP),
    ("budgets.period", budgets::PERIOD),
    ("budgets.mean", budgets::MEAN),
    ("budgets.charge", budgets::CHARGE),
    ("budgets.by_agent", budgets::BY_AGENT),
    ("budgets.by_day", budgets::BY_DAY),
    ("budgets.sweep", budgets::SWEEP),
    ("loops.held", loops::HELD),
    ("loops.last_end", loops::LAST_END),
    ("loops.due", loops::DUE),
    ("loops.between", messages::BETWEEN),
    ("loops.recent", messages::RECENT),
];
