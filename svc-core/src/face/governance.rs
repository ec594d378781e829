//! Reputation and budgets of agents, and loops between them. The handle is `hub.governance()`.

pub use crate::automation::governance::{
    Governance, GovernanceFigures, Left, Paused, Refusal, RefusedFor, Reservation, Snapshot, checked_days,
};

#[doc(inline)]
pub use svc_model::governance::{
    Budget, BudgetUse, Cost, CountUse, Loop, LoopFilter, LoopKind, LoopList, MoneyUse, PausedReason, Period,
    Reputation, ReputationDay, ReputationEntry, ReputationFilter, ReputationKind, Resource, RunOutcome, RunUsage,
    UsageGroup, UsageGrouping, micros_of, usd_of,
};
