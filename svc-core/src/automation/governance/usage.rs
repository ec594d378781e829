//! Budgets and usage as they are shown.

use svc_model::governance::{BudgetUse, CountUse, MoneyUse, Period, RunUsage, UsageGroup, UsageGrouping, usd_of};

use super::store::{self, GroupRow};
use super::{budget, spending};
use crate::error::{Error, Result};
use crate::ids::{AgentId, UserId};
use crate::store::db::Tx;
use crate::timestamp::Timestamp;

/// The budget of an agent and its use.
pub(super) async fn budget(tx: &mut Tx, agent: AgentId) -> Result<BudgetUse> {
    let agent = store::governed(tx, agent).await?.ok_or_else(|| Error::not_found("agent"))?;
    let (now, period) = (tx.now(), spending::period(&agent));
    let (limits, used) = spending::present(tx, &agent).await?;
    let today = store::period(tx, agent.id, Period::Day, now).await?;
    let ends_at = period.end(now);
    let forecast = |period: Period, spent: i64| {
        // An agent that was made in the middle of a period has had less time.
        let begun = period.start(now).max(agent.created_at);
        period.end(now).map(|ends| budget::forecast(spent, now.since(begun), ends.since(now)))
    };
    let count = |limit: Option<i64>, spent: i64, reserved: i64, forecast: Option<i64>| CountUse {
        limit,
        spent,
        reserved,
        forecast,
    };
    let pause = agent.pause();
    Ok(BudgetUse {
        period,
        starts_at: ends_at.map(|_| period.start(now)),
        ends_at,
        usd: MoneyUse {
            limit: limits.usd.map(usd_of),
            spent: usd_of(used.spent_usd),
            reserved: usd_of(used.reserved_usd),
            forecast: forecast(period, used.spent_usd).map(usd_of),
        },
        tokens: count(limits.tokens, used.spent_tokens, used.reserved_tokens, forecast(period, used.spent_tokens)),
        runs: count(limits.runs, used.spent_runs, used.reserved_runs, forecast(period, used.spent_runs)),
        daily_runs: count(
            Some(agent.daily_run_budget.into()),
            today.spent_runs,
            today.reserved_runs,
            forecast(Period::Day, today.spent_runs),
        ),
        extensions: used.extensions,
        warned_at: used.warned_at,
        paused_at: pause.map(|(at, _)| at),
        paused_reason: pause.map(|(_, reason)| reason),
        agent: agent.name,
    })
}

/// The cost of the runs of an owner's agents, or of one of them.
pub(super) async fn usage(
    tx: &mut Tx,
    owner: UserId,
    agent: Option<AgentId>,
    by: UsageGrouping,
    since: Timestamp,
) -> Result<RunUsage> {
    let rows = match by {
        UsageGrouping::Agent => store::by_agent(tx, owner, agent, since).await?,
        UsageGrouping::Day => store::by_day(tx, owner, agent, since).await?,
        // Goals are above this layer, which knows runs only.
        UsageGrouping::Goal => return Err(Error::invalid("by", "must be agent or day here")),
    };
    Ok(RunUsage { by, since, groups: rows.into_iter().map(group).collect() })
}

fn group(row: GroupRow) -> UsageGroup {
    let GroupRow { agent, day, runs, usd, tokens, reserved } = row;
    UsageGroup { agent, day, goal: None, runs, usd: usd_of(usd), tokens, reserved_usd: usd_of(reserved) }
}
