//! What decides whether an agent may run, read at one time.

use svc_model::governance::{PausedReason, Period, Resource};

use super::store;
use super::{budget, spending};
use crate::error::{Error, Result};
use crate::ids::AgentId;
use crate::store::db::Tx;
use crate::timestamp::Timestamp;

/// A pause of an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Paused {
    /// When it began.
    pub since: Timestamp,
    /// The reason.
    pub reason: PausedReason,
    /// When it ends without its owner; none when it does not.
    pub until: Option<Timestamp>,
}

/// The remaining amounts of a budget; none where nothing is limited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Left {
    /// Money, in microdollars.
    pub usd_micros: Option<i64>,
    /// Tokens.
    pub tokens: Option<i64>,
    /// Runs.
    pub runs: Option<i64>,
}

/// The state of an agent that decides whether it may run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    /// When it was quarantined; none when it is not.
    pub quarantined_at: Option<Timestamp>,
    /// Its pause.
    pub paused: Option<Paused>,
    /// Runs of this day that have begun.
    pub runs_today: i64,
    /// The maximum number of runs per day.
    pub daily_run_budget: u32,
    /// The limit that leaves no room for another run, and when there is room again.
    pub exhausted: Option<(Resource, Option<Timestamp>)>,
    /// The remaining amounts of the budget.
    pub left: Left,
}

/// Reads what decides whether an agent may run. A pause by a budget that has room again counts as ended, whoever has
/// noticed. Only `reserve` guarantees anything.
pub(crate) async fn snapshot(tx: &mut Tx, agent: AgentId) -> Result<Snapshot> {
    let governed = store::governed(tx, agent).await?.ok_or_else(|| Error::not_found("agent"))?;
    let now = tx.now();
    let (limits, used) = spending::present(tx, &governed).await?;
    let today = store::period(tx, agent, Period::Day, now).await?;
    let ends_at = spending::period(&governed).end(now);
    let is_used_up = limits.most_used(&used).is_some_and(|(_, percent)| percent >= 100);
    let pause = governed.pause().filter(|(_, reason)| *reason == PausedReason::Manual || is_used_up);
    let paused = pause.map(|(since, reason)| {
        let until = if reason == PausedReason::Budget { ends_at } else { None };
        Paused { since, reason, until }
    });
    let runs_today = today.spent_runs.saturating_add(today.reserved_runs);
    let exhausted = if runs_today >= i64::from(governed.daily_run_budget) {
        Some((Resource::DailyRuns, Period::Day.end(now)))
    } else {
        let mean = store::mean(tx, agent).await?;
        let cost = budget::bounded(budget::estimate(&governed.harness, mean, &limits));
        limits.refuses(&used, &cost).map(|resource| (resource, ends_at))
    };
    let [usd_micros, tokens, runs] = limits.left(&used);
    Ok(Snapshot {
        quarantined_at: governed.quarantined_at,
        paused,
        runs_today,
        daily_run_budget: governed.daily_run_budget,
        exhausted,
        left: Left { usd_micros, tokens, runs },
    })
}
