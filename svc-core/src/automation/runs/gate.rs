//! What is known of an agent when it is decided whether it runs.

use std::time::Duration;

use super::check::{Snapshot, Until};
use super::store::{self, AgentRow};
use crate::error::Result;
use crate::store::db::Tx;
use crate::timestamp::Timestamp;

const DAY: Duration = Duration::from_hours(24);

/// The beginning of the UTC day of a time.
pub(super) fn day_start(now: Timestamp) -> Timestamp {
    let day = i64::try_from(DAY.as_micros()).unwrap_or(i64::MAX);
    Timestamp::from_micros(now.as_micros().div_euclid(day).saturating_mul(day))
}

/// The number of runs of an agent that were begun today, up to its budget.
pub(super) async fn runs_today(tx: &mut Tx, agent: &AgentRow) -> Result<u32> {
    let today = day_start(tx.now());
    store::begun_since(tx, agent.id, today, agent.daily_run_budget.max(1)).await
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
    let is_spent = runs_today(tx, agent).await? >= agent.daily_run_budget;
    Ok(Snapshot {
        now,
        mode: agent.trigger_mode,
        is_quarantined: agent.quarantined_at.is_some(),
        paused: agent.paused_at.map(|_| Until::Change),
        max_depth: agent.max_trigger_depth,
        exhausted: is_spent.then(|| Until::Time(day_start(now).plus(DAY))),
        cooldown_until: cooldown_until(tx, agent).await?,
        is_active: store::active(tx, agent.id).await?.is_some(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_begin_at_midnight_in_utc() {
        let noon = Timestamp::from_micros(1_767_225_600_000_000).plus(Duration::from_hours(12));
        assert_eq!(day_start(noon).to_string(), "2026-01-01T00:00:00.000Z");
        assert_eq!(day_start(day_start(noon)), day_start(noon));
        assert_eq!(day_start(Timestamp::from_micros(-1)), Timestamp::from_micros(0).minus(DAY));
    }
}
