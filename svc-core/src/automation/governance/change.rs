//! What follows when the settings of an agent change.

use svc_model::agents::Agent;
use svc_model::governance::PausedReason;

use super::notice::{self, Change};
use super::store::{self, Governed};
use super::{budget, spending};
use crate::error::Result;
use crate::identity::auth::Caller;
use crate::store::db::Tx;

/// Applies what follows from a change of an agent, whose row is held: lifting a quarantine begins a new window,
/// resuming an agent whose budget is used up extends the budget, and another budget may pause or resume it.
pub(crate) async fn settings_changed(tx: &mut Tx, caller: &Caller, before: &Agent, after: &Agent) -> Result<()> {
    let Some(agent) = store::governed(tx, after.id).await? else { return Ok(()) };
    if before.quarantined_at.is_some() && after.quarantined_at.is_none() {
        store::begin_window(tx, agent.id).await?;
        notice::record(tx, &agent, Change::Released, Some(caller)).await?;
    }
    match (before.paused_at, after.paused_at) {
        (Some(_), None) => {
            if before.paused_reason == Some(PausedReason::Budget) {
                extend(tx, &agent).await?;
            }
            notice::record(tx, &agent, Change::Resumed, Some(caller)).await?;
        }
        (_, Some(_)) if before.paused_reason != after.paused_reason => {
            notice::record(tx, &agent, Change::Paused(PausedReason::Manual), Some(caller)).await?;
        }
        _ => {}
    }
    let is_resumed = before.paused_at.is_some() && after.paused_at.is_none();
    if before.budget != after.budget || is_resumed {
        spending::evaluate(tx, &agent).await?;
    }
    Ok(())
}

/// Adds the limits of a budget once more for the present period.
async fn extend(tx: &mut Tx, agent: &Governed) -> Result<()> {
    let Some(limits) = &agent.budget else { return Ok(()) };
    let (_, used) = spending::present(tx, agent).await?;
    store::set_extensions(tx, agent.id, limits.period, budget::extended(limits, &used)).await
}
