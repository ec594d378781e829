//! Reserving and settling what runs cost, and what follows for their agents.

use svc_model::governance::{Cost, PausedReason, Period, Resource, RunOutcome};

use super::budget::{self, Limits, RunLimits};
use super::notice;
use super::reputation::{self, Cause};
use super::store::{self, Change, ChargeStatus, Governed, PeriodRow};
use crate::error::{Error, Result};
use crate::identity::agents;
use crate::ids::{AgentId, RunId};
use crate::limits;
use crate::store::db::Tx;
use crate::timestamp::Timestamp;

/// The outcome of a reservation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reservation {
    /// The run may begin. Its estimated cost is reserved.
    Reserved(Cost),
    /// The run must not begin.
    Refused(Refusal),
}

/// Why a run must not begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Refusal {
    /// The reason.
    pub reason: RefusedFor,
    /// When to ask again; none when that depends on the owner.
    pub until: Option<Timestamp>,
}

/// The reason of a refusal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RefusedFor {
    /// The agent is quarantined.
    Quarantined,
    /// The agent is paused.
    Paused(PausedReason),
    /// A limit leaves no room.
    Exhausted(Resource),
}

/// Reserves what a run will cost, in the transaction that dispatches it. The row of the agent is held until then, so
/// runs that begin at the same time see each other's reservations.
pub(crate) async fn reserve(tx: &mut Tx, agent: AgentId, run: RunId) -> Result<Reservation> {
    agents::store::hold(tx, agent).await?;
    if let Some(charge) = store::charge(tx, run).await? {
        if charge.status == ChargeStatus::Reserved && charge.agent_id == agent {
            return Ok(Reservation::Reserved(charge.cost()));
        }
        return Err(Error::internal(format!("the charge of run {run} has ended")));
    }
    // A pause ends in the moment in which the period turns, also when the worker comes later.
    let governed = existing(tx, agent).await?;
    let governed = if governed.is_out_of_budget() {
        evaluate(tx, &governed).await?;
        existing(tx, agent).await?
    } else {
        governed
    };
    let now = tx.now();
    let (limits, used) = present(tx, &governed).await?;
    let today = store::period(tx, agent, Period::Day, now).await?;
    if let Some(refusal) = refusal(&governed, &today, now) {
        return Ok(Reservation::Refused(refusal));
    }
    let mean = store::mean(tx, agent).await?;
    let cost = budget::bounded(budget::estimate(&governed.harness, mean, &limits));
    if let Some(resource) = limits.refuses(&used, &cost) {
        let until = period(&governed).end(now);
        return Ok(Reservation::Refused(Refusal { reason: RefusedFor::Exhausted(resource), until }));
    }
    let change = Change { reserved: cost, reserved_runs: 1, ..Change::default() };
    store::change_periods(tx, agent, now, &change).await?;
    store::insert_charge(tx, run, agent, governed.owner_id, &cost).await?;
    Ok(Reservation::Reserved(cost))
}

/// Why no run of an agent may begin, whatever it costs.
fn refusal(agent: &Governed, today: &PeriodRow, now: Timestamp) -> Option<Refusal> {
    if agent.quarantined_at.is_some() {
        return Some(Refusal { reason: RefusedFor::Quarantined, until: None });
    }
    if let Some((_, reason)) = agent.pause() {
        let until = if reason == PausedReason::Budget { period(agent).end(now) } else { None };
        return Some(Refusal { reason: RefusedFor::Paused(reason), until });
    }
    let is_room = today.spent_runs.saturating_add(today.reserved_runs) < i64::from(agent.daily_run_budget);
    let reason = RefusedFor::Exhausted(Resource::DailyRuns);
    (!is_room).then(|| Refusal { reason, until: Period::Day.end(now) })
}

/// Why no Job of an event may begin. Such runs have no daily limit, and nothing is reserved for them: what they cost is
/// known when they end.
pub(crate) async fn refusal_of_event(tx: &mut Tx, agent: AgentId) -> Result<Option<RefusedFor>> {
    let governed = existing(tx, agent).await?;
    if governed.quarantined_at.is_some() {
        return Ok(Some(RefusedFor::Quarantined));
    }
    let (limits, used) = present(tx, &governed).await?;
    // A pause by a budget that has room again counts as ended.
    let is_used_up = limits.most_used(&used).is_some_and(|(_, percent)| percent >= 100);
    if let Some((_, reason)) = governed.pause().filter(|(_, reason)| *reason == PausedReason::Manual || is_used_up) {
        return Ok(Some(RefusedFor::Paused(reason)));
    }
    Ok(limits.refuses(&used, &Cost::default()).map(RefusedFor::Exhausted))
}

/// Books what a run has cost for which nothing was reserved, and adds the outcome to the reputation of its agent. The
/// row of the agent is held.
pub(crate) async fn book(tx: &mut Tx, agent: AgentId, run: RunId, cost: Cost, outcome: RunOutcome) -> Result<()> {
    let Some(governed) = store::governed(tx, agent).await? else { return Ok(()) };
    if store::charge(tx, run).await?.is_some() {
        return Ok(());
    }
    let (now, cost) = (tx.now(), budget::bounded(cost));
    store::insert_charge(tx, run, agent, governed.owner_id, &cost).await?;
    store::end_charge(tx, run, ChargeStatus::Settled, &cost).await?;
    store::change_periods(tx, agent, now, &Change { spent: cost, ..Change::default() }).await?;
    evaluate(tx, &governed).await?;
    judged(tx, &governed, run, outcome).await
}

/// Adds the outcome of a run to the reputation of its agent.
async fn judged(tx: &mut Tx, agent: &Governed, run: RunId, outcome: RunOutcome) -> Result<()> {
    match outcome {
        RunOutcome::Succeeded => reputation::record(tx, agent.id, Cause::Run(run), true).await,
        RunOutcome::Failed => reputation::record(tx, agent.id, Cause::Run(run), false).await,
        RunOutcome::Cancelled | RunOutcome::Interrupted => Ok(()),
    }
}

/// Records what a run has cost so far. Returns the limit of its own that it has passed: then it has to be ended.
pub(crate) async fn report(tx: &mut Tx, run: RunId, cost: Cost) -> Result<Option<Resource>> {
    let Some((charge, governed)) = held(tx, run).await? else { return Ok(None) };
    let (cost, expected) = (budget::bounded(cost), charge.cost());
    let most = Cost { usd_micros: cost.usd_micros.max(expected.usd_micros), tokens: cost.tokens.max(expected.tokens) };
    if most != expected {
        let more = Cost { usd_micros: most.usd_micros - expected.usd_micros, tokens: most.tokens - expected.tokens };
        let growth = Change { reserved: more, ..Change::default() };
        store::change_periods(tx, charge.agent_id, charge.reserved_at, &growth).await?;
        store::set_charge(tx, run, &most).await?;
    }
    Ok(governed.and_then(|governed| RunLimits::of(&governed.harness).passed(&cost)))
}

/// Replaces the reservation of a run that has ended by what it really cost, and adds the outcome to the reputation of
/// its agent. A run without a reservation, or that was settled before, changes nothing.
pub(crate) async fn settle(tx: &mut Tx, run: RunId, cost: Cost, outcome: RunOutcome) -> Result<()> {
    let Some((charge, governed)) = held(tx, run).await? else { return Ok(()) };
    let cost = budget::bounded(cost);
    if !store::end_charge(tx, run, ChargeStatus::Settled, &cost).await? {
        return Ok(());
    }
    let settled = Change { spent: cost, spent_runs: 1, ..given_back(charge.cost()) };
    store::change_periods(tx, charge.agent_id, charge.reserved_at, &settled).await?;
    let Some(governed) = governed else { return Ok(()) };
    evaluate(tx, &governed).await?;
    judged(tx, &governed, run, outcome).await
}

/// Gives back the reservation of a run that never began.
pub(crate) async fn release(tx: &mut Tx, run: RunId) -> Result<()> {
    let Some((charge, _)) = held(tx, run).await? else { return Ok(()) };
    if store::end_charge(tx, run, ChargeStatus::Released, &Cost::default()).await? {
        store::change_periods(tx, charge.agent_id, charge.reserved_at, &given_back(charge.cost())).await?;
    }
    Ok(())
}

fn given_back(cost: Cost) -> Change {
    let reserved = Cost { usd_micros: -cost.usd_micros, tokens: -cost.tokens };
    Change { reserved, reserved_runs: -1, ..Change::default() }
}

/// The charge of a run that has not ended, and its agent unless that was deleted, both held.
async fn held(tx: &mut Tx, run: RunId) -> Result<Option<(store::ChargeRow, Option<Governed>)>> {
    let Some(found) = store::charge(tx, run).await? else { return Ok(None) };
    agents::store::hold(tx, found.agent_id).await?;
    let Some(charge) = store::charge(tx, run).await? else { return Ok(None) };
    if charge.status != ChargeStatus::Reserved {
        return Ok(None);
    }
    Ok(Some((charge, store::governed(tx, charge.agent_id).await?)))
}

async fn existing(tx: &mut Tx, agent: AgentId) -> Result<Governed> {
    store::governed(tx, agent).await?.ok_or_else(|| Error::not_found("agent"))
}

/// The period of an agent's budget.
pub(super) fn period(agent: &Governed) -> Period {
    agent.budget.map_or(Period::Month, |budget| budget.period)
}

/// The limits of an agent in the present period, and what is used of them.
pub(super) async fn present(tx: &mut Tx, agent: &Governed) -> Result<(Limits, PeriodRow)> {
    let now = tx.now();
    let used = store::period(tx, agent.id, period(agent), now).await?;
    Ok((Limits::of(agent.budget.as_ref(), used.extensions), used))
}

/// Warns the owner of an agent, pauses it, or ends its pause, by what it has spent. The row of the agent is held.
pub(super) async fn evaluate(tx: &mut Tx, agent: &Governed) -> Result<()> {
    let (limits, used) = present(tx, agent).await?;
    let most = limits.most_used(&used);
    let Some((resource, percent)) = most.filter(|(_, percent)| *percent >= limits::BUDGET_WARNING_PERCENT) else {
        return resume(tx, agent).await;
    };
    if percent >= 100 {
        // A warning after the end would be of no use.
        store::note_warning(tx, agent.id, period(agent)).await?;
        if store::pause(tx, agent.id).await? {
            notice::record(tx, agent, notice::Change::Paused(PausedReason::Budget), None).await?;
            notice::used_up(tx, agent, (resource, percent)).await?;
        }
        return Ok(());
    }
    resume(tx, agent).await?;
    if store::note_warning(tx, agent.id, period(agent)).await? {
        notice::record(tx, agent, notice::Change::BudgetWarned, None).await?;
        notice::warned(tx, agent, (resource, percent)).await?;
    }
    Ok(())
}

/// Ends a pause by the budget, which has room again.
async fn resume(tx: &mut Tx, agent: &Governed) -> Result<()> {
    if agent.is_out_of_budget() && store::resume(tx, agent.id).await? {
        notice::record(tx, agent, notice::Change::Resumed, None).await?;
    }
    Ok(())
}
