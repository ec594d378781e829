//! What is known of an agent when it is decided whether it runs.

use std::time::Duration;

use svc_model::governance::{Cost, RunOutcome};
use svc_model::harness::Usage;
use svc_model::runs::RunStatus;

use super::check::{Snapshot, Until};
use super::store::{self, AgentRow};
use crate::automation::governance::{self, RefusedFor, Reservation};
use crate::error::Result;
use crate::ids::RunId;
use crate::store::db::Tx;
use crate::timestamp::Timestamp;

/// The number of runs of an agent that were begun today.
pub(super) async fn runs_today(tx: &mut Tx, agent: &AgentRow) -> Result<u32> {
    let today = governance::snapshot(tx, agent.id).await?.runs_today;
    Ok(u32::try_from(today).unwrap_or(u32::MAX))
}

/// Reserves what a run will cost. Returns the status of a run that must not begin.
pub(super) async fn reserve(tx: &mut Tx, agent: &AgentRow, run: RunId) -> Result<Option<RunStatus>> {
    Ok(match governance::reserve(tx, agent.id, run).await? {
        Reservation::Reserved(_) => None,
        Reservation::Refused(refusal) => Some(match refusal.reason {
            RefusedFor::Quarantined => RunStatus::Quarantined,
            RefusedFor::Paused(_) => RunStatus::Paused,
            RefusedFor::Exhausted(_) => RunStatus::BudgetExhausted,
        }),
    })
}

/// Replaces what was reserved for a run by what it cost.
pub(super) async fn settle(tx: &mut Tx, run: RunId, usage: Usage, outcome: RunOutcome) -> Result<()> {
    governance::settle(tx, run, cost(usage), outcome).await
}

/// Books what a run of an event cost.
pub(super) async fn book(tx: &mut Tx, agent: &AgentRow, run: RunId, usage: Usage, outcome: RunOutcome) -> Result<()> {
    governance::book(tx, agent.id, run, cost(usage), outcome).await
}

fn cost(usage: Usage) -> Cost {
    Cost { usd_micros: usage.cost_micros.unwrap_or(0), tokens: usage.tokens() }
}

/// When the cooldown of an agent ends, if it has run before.
pub(super) async fn cooldown_until(tx: &mut Tx, agent: &AgentRow) -> Result<Option<Timestamp>> {
    let now = tx.now();
    let cooldown = Duration::from_secs(agent.cooldown_seconds.into());
    // A clock that was set back must not make the cooldown longer than it is.
    Ok(store::last_end(tx, agent.id).await?.map(|end| end.min(now).plus(cooldown)))
}

/// The snapshot of an agent. Its row must be locked, so that the decision stays true until the transaction ends.
pub(super) async fn snapshot(tx: &mut Tx, agent: &AgentRow) -> Result<Snapshot> {
    let now = tx.now();
    let governed = governance::snapshot(tx, agent.id).await?;
    let until = |at: Option<Timestamp>| at.map_or(Until::Change, Until::Time);
    Ok(Snapshot {
        now,
        mode: agent.trigger_mode,
        is_quarantined: governed.quarantined_at.is_some(),
        paused: governed.paused.map(|paused| until(paused.until)),
        max_depth: agent.max_trigger_depth,
        exhausted: governed.exhausted.map(|(_, at)| until(at)),
        cooldown_until: cooldown_until(tx, agent).await?,
        is_active: store::active(tx, agent.id).await?.is_some(),
    })
}
