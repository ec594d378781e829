//! The governance handle.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use svc_macros::boxed_futures;
use svc_model::auth::Permission;
use svc_model::governance::{
    BudgetUse, Cost, Loop, LoopFilter, LoopList, Period, Reputation, ReputationFilter, Resource, RunOutcome, RunUsage,
    UsageGrouping,
};

use super::snapshot::{Snapshot, snapshot};
use super::spending::{self, Reservation};
use super::{loops, reputation, store, usage};
use crate::clock::Clock;
use crate::error::{Error, Result};
use crate::identity::agents;
use crate::identity::auth::{Actor, Caller};
use crate::ids::{AgentId, EventSeq, LoopId, RunId};
use crate::limits;
use crate::store::db::{Db, Tx};
use crate::store::events::EventLog;

/// Reputation, budgets and loops of a hub; see [`Hub::governance`](crate::Hub::governance).
#[derive(Clone)]
pub struct Governance {
    pub(super) db: Db,
    pub(super) events: EventLog,
    pub(super) clock: Arc<dyn Clock>,
    /// How far the log has been searched for loops by this process.
    pub(super) watched: Arc<Mutex<Option<EventSeq>>>,
}

/// Figures of governance, for metrics.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct GovernanceFigures {
    /// Agents that are quarantined.
    pub quarantined: i64,
    /// Agents that are paused because their budgets are used up.
    pub out_of_budget: i64,
    /// Loops that are held.
    pub loops: i64,
}

#[boxed_futures]
impl Governance {
    pub(crate) fn new(db: Db, events: EventLog, clock: Arc<dyn Clock>) -> Self {
        Self { db, events, clock, watched: Arc::default() }
    }

    /// The reputation of one of the caller's agents, with a page of its entries; an agent sees its own.
    pub async fn reputation(&self, caller: &Caller, agent: &str, filter: ReputationFilter) -> Result<Reputation> {
        caller.require(Permission::Read)?;
        let input = (caller.clone(), agent.to_owned(), filter);
        self.db
            .read(input, |tx, (caller, agent, filter)| {
                Box::pin(async move {
                    let agent = reached(tx, caller, agent).await?;
                    reputation::show(tx, agent, filter).await?.ok_or_else(|| Error::not_found("agent"))
                })
            })
            .await
    }

    /// The budget of one of the caller's agents and its use; an agent sees its own.
    pub async fn budget(&self, caller: &Caller, agent: &str) -> Result<BudgetUse> {
        caller.require(Permission::Read)?;
        let input = (caller.clone(), agent.to_owned());
        self.db
            .read(input, |tx, (caller, agent)| {
                Box::pin(async move {
                    let agent = reached(tx, caller, agent).await?;
                    usage::budget(tx, agent).await
                })
            })
            .await
    }

    /// The state that decides whether one of the caller's agents may run.
    pub async fn snapshot(&self, caller: &Caller, agent: &str) -> Result<Snapshot> {
        caller.require(Permission::Read)?;
        let input = (caller.clone(), agent.to_owned());
        self.db
            .read(input, |tx, (caller, agent)| {
                Box::pin(async move {
                    let agent = reached(tx, caller, agent).await?;
                    snapshot(tx, agent).await
                })
            })
            .await
    }

    /// The cost of the runs of the caller's agents in the last days, today included; an agent sees its own.
    pub async fn usage(&self, caller: &Caller, by: UsageGrouping, days: Option<i64>) -> Result<RunUsage> {
        caller.require(Permission::Read)?;
        caller.require_direct()?;
        let days = checked_days(days)?;
        let agent = match caller.actor() {
            Actor::Agent(agent) => Some(agent.id),
            Actor::User(_) | Actor::Root => None,
        };
        let Some(owner) = caller.owner() else {
            return Err(Error::invalid("by", "needs a user or an agent: the admin socket has no agents"));
        };
        self.db
            .read((owner, agent, by, days), |tx, (owner, agent, by, days)| {
                let since = Period::Day.start(tx.now()).minus(Duration::from_hours(24) * (days - 1));
                Box::pin(usage::usage(tx, *owner, *agent, *by, since))
            })
            .await
    }

    /// The loops of the caller's agents, newest first; an agent sees its own.
    pub async fn loops(&self, caller: &Caller, filter: LoopFilter) -> Result<LoopList> {
        let scope = loops::scope(caller)?;
        let found = self.db.read((scope, filter), |tx, (scope, filter)| Box::pin(loops::list(tx, *scope, *filter)));
        Ok(LoopList { loops: found.await? })
    }

    /// Lifts a loop of one of the caller's agents. Repeating it changes nothing.
    pub async fn lift_loop(&self, caller: &Caller, id: LoopId) -> Result<Loop> {
        caller.require_manager()?;
        let scope = loops::scope(caller)?;
        self.db
            .write((caller.clone(), scope, id), |tx, (caller, scope, id)| {
                Box::pin(loops::lift(tx, caller, *scope, *id))
            })
            .await
    }

    /// The present figures, of all agents.
    pub async fn figures(&self) -> Result<GovernanceFigures> {
        self.db
            .read((), |tx, ()| {
                Box::pin(async move {
                    let (quarantined, out_of_budget) = store::figures(tx).await?;
                    let loops = store::held_count(tx).await?;
                    Ok(GovernanceFigures { quarantined, out_of_budget, loops })
                })
            })
            .await
    }

    /// Reserves the cost of a run, as a dispatcher does in its own transaction.
    #[doc(hidden)]
    pub async fn reserve(&self, agent: &str, run: RunId) -> Result<Reservation> {
        self.db
            .write((agent.to_owned(), run), |tx, (agent, run)| {
                Box::pin(async move {
                    let agent = reached(tx, &Caller::root(), agent).await?;
                    spending::reserve(tx, agent, *run).await
                })
            })
            .await
    }

    /// Records what a run has cost so far, as a dispatcher does in its own transaction.
    #[doc(hidden)]
    pub async fn report(&self, run: RunId, cost: Cost) -> Result<Option<Resource>> {
        self.db.write((run, cost), |tx, (run, cost)| Box::pin(spending::report(tx, *run, *cost))).await
    }

    /// Settles a run, as a dispatcher does in its own transaction.
    #[doc(hidden)]
    pub async fn settle(&self, run: RunId, cost: Cost, outcome: RunOutcome) -> Result<()> {
        self.db
            .write((run, cost, outcome), |tx, (run, cost, outcome)| {
                Box::pin(spending::settle(tx, *run, *cost, *outcome))
            })
            .await
    }

    /// Gives back the reservation of a run, as a dispatcher does in its own transaction.
    #[doc(hidden)]
    pub async fn release(&self, run: RunId) -> Result<()> {
        self.db.write(run, |tx, run| Box::pin(spending::release(tx, *run))).await
    }
}

/// An agent that the caller can access.
async fn reached(tx: &mut Tx, caller: &Caller, name: &str) -> Result<AgentId> {
    Ok(agents::existing(tx, agents::reach(caller), name).await?.id)
}

/// The number of days of [`Governance::usage`], or its default.
pub fn checked_days(days: Option<i64>) -> Result<u32> {
    let most = limits::USAGE_DAYS_MAX;
    let days = u32::try_from(days.unwrap_or(i64::from(limits::USAGE_DAYS))).ok();
    days.filter(|days| (1..=most).contains(days)).ok_or_else(|| Error::invalid("days", format!("must be 1 to {most}")))
}
