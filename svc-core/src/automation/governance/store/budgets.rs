//! The SQL of budgets: what was spent in periods, and what single runs cost.

use svc_model::governance::{Cost, Period};

use crate::error::Result;
use crate::ids::{AgentId, RunId, UserId};
use crate::limits;
use crate::store::db::Tx;
use crate::timestamp::Timestamp;

crate::row! {
    /// The cost of the runs of an agent in a period.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub(crate) struct PeriodRow {
        pub(crate) spent_usd: i64,
        pub(crate) spent_tokens: i64,
        pub(crate) spent_runs: i64,
        pub(crate) reserved_usd: i64,
        pub(crate) reserved_tokens: i64,
        pub(crate) reserved_runs: i64,
        pub(crate) extensions: u32,
        pub(crate) warned_at: Option<Timestamp>,
    }
}

pub(super) const PERIOD: &str = "
    SELECT spent_usd, spent_tokens, spent_runs, reserved_usd, reserved_tokens, reserved_runs, extensions, warned_at
      FROM budget_periods
     WHERE agent_id = $1 AND period = $2 AND starts_at = $3";

/// The cost of the runs of an agent in the period that contains a time.
pub(crate) async fn period(tx: &mut Tx, agent: AgentId, period: Period, at: Timestamp) -> Result<PeriodRow> {
    let found = tx.query(PERIOD).bind(agent).bind(period).bind(period.start(at)).fetch_optional();
    Ok(found.await?.unwrap_or_default())
}

/// A change of what is spent and reserved in a period.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Change {
    pub(crate) spent: Cost,
    pub(crate) spent_runs: i64,
    pub(crate) reserved: Cost,
    pub(crate) reserved_runs: i64,
}

/// Changes the periods that contain a time: the day, the month and all time.
pub(crate) async fn change_periods(tx: &mut Tx, agent: AgentId, at: Timestamp, change: &Change) -> Result<()> {
    for period in Period::ALL {
        make_period(tx, agent, period, at).await?;
        tx.query(
            "UPDATE budget_periods
                SET spent_usd = spent_usd + $4, spent_tokens = spent_tokens + $5, spent_runs = spent_runs + $6,
                    reserved_usd = reserved_usd + $7, reserved_tokens = reserved_tokens + $8,
                    reserved_runs = reserved_runs + $9
              WHERE agent_id = $1 AND period = $2 AND starts_at = $3",
        )
        .bind(agent)
        .bind(period)
        .bind(period.start(at))
        .bind(change.spent.usd_micros)
        .bind(change.spent.tokens)
        .bind(change.spent_runs)
        .bind(change.reserved.usd_micros)
        .bind(change.reserved.tokens)
        .bind(change.reserved_runs)
        .execute()
        .await?;
    }
    Ok(())
}

async fn make_period(tx: &mut Tx, agent: AgentId, period: Period, at: Timestamp) -> Result<()> {
    tx.query(
        "INSERT INTO budget_periods
            (agent_id, period, starts_at, spent_usd, spent_tokens, spent_runs, reserved_usd, reserved_tokens,
             reserved_runs, extensions)
         VALUES ($1, $2, $3, 0, 0, 0, 0, 0, 0, 0)
         ON CONFLICT (agent_id, period, starts_at) DO NOTHING",
    )
    .bind(agent)
    .bind(period)
    .bind(period.start(at))
    .execute()
    .await?;
    Ok(())
}

/// Records that the owner was warned. Returns `false` when they had been before.
pub(crate) async fn note_warning(tx: &mut Tx, agent: AgentId, period: Period) -> Result<bool> {
    let now = tx.now();
    make_period(tx, agent, period, now).await?;
    let noted = tx
        .query(
            "UPDATE budget_periods SET warned_at = $4
              WHERE agent_id = $1 AND period = $2 AND starts_at = $3 AND warned_at IS NULL",
        )
        .bind(agent)
        .bind(period)
        .bind(period.start(now))
        .bind(now);
    Ok(noted.execute().await? == 1)
}

/// Sets how often the limits of this period count in addition.
pub(crate) async fn set_extensions(tx: &mut Tx, agent: AgentId, period: Period, extensions: u32) -> Result<()> {
    let now = tx.now();
    make_period(tx, agent, period, now).await?;
    tx.query("UPDATE budget_periods SET extensions = $4 WHERE agent_id = $1 AND period = $2 AND starts_at = $3")
        .bind(agent)
        .bind(period)
        .bind(period.start(now))
        .bind(extensions)
        .execute()
        .await?;
    Ok(())
}

/// The state of the charge of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ChargeStatus {
    Reserved,
    Settled,
    Released,
}

crate::text_enum! { ChargeStatus { Reserved => "reserved", Settled => "settled", Released => "released" } }

crate::row! {
    /// The cost of a run.
    #[derive(Debug, Clone, Copy)]
    pub(crate) struct ChargeRow {
        pub(crate) agent_id: AgentId,
        pub(crate) status: ChargeStatus,
        pub(crate) usd: i64,
        pub(crate) tokens: i64,
        pub(crate) reserved_at: Timestamp,
    }
}

impl ChargeRow {
    pub(crate) fn cost(&self) -> Cost {
        Cost { usd_micros: self.usd, tokens: self.tokens }
    }
}

pub(super) const CHARGE: &str = "SELECT agent_id, status, usd, tokens, reserved_at FROM run_charges WHERE run_id = $1";

pub(crate) async fn charge(tx: &mut Tx, run: RunId) -> Result<Option<ChargeRow>> {
    tx.query(CHARGE).bind(run).fetch_optional().await
}

pub(crate) async fn insert_charge(tx: &mut Tx, run: RunId, agent: AgentId, owner: UserId, cost: &Cost) -> Result<()> {
    let now = tx.now();
    tx.query(
        "INSERT INTO run_charges (run_id, agent_id, owner_id, status, usd, tokens, day, reserved_at)
         VALUES ($1, $2, $3, 'reserved', $4, $5, $6, $7)",
    )
    .bind(run)
    .bind(agent)
    .bind(owner)
    .bind(cost.usd_micros)
    .bind(cost.tokens)
    .bind(Period::Day.start(now))
    .bind(now)
    .execute()
    .await?;
    Ok(())
}

/// Sets what a run is expected to cost that has not ended.
pub(crate) async fn set_charge(tx: &mut Tx, run: RunId, cost: &Cost) -> Result<()> {
    tx.query("UPDATE run_charges SET usd = $2, tokens = $3 WHERE run_id = $1 AND status = 'reserved'")
        .bind(run)
        .bind(cost.usd_micros)
        .bind(cost.tokens)
        .execute()
        .await?;
    Ok(())
}

/// Ends the charge of a run. Returns `false` when it had ended.
pub(crate) async fn end_charge(tx: &mut Tx, run: RunId, status: ChargeStatus, cost: &Cost) -> Result<bool> {
    let now = tx.now();
    let ended = tx
        .query(
            "UPDATE run_charges SET status = $2, usd = $3, tokens = $4, ended_at = $5
              WHERE run_id = $1 AND status = 'reserved'",
        )
        .bind(run)
        .bind(status)
        .bind(cost.usd_micros)
        .bind(cost.tokens)
        .bind(now);
    Ok(ended.execute().await? == 1)
}

pub(super) const MEAN: &str = "
    SELECT CAST(sum(usd) AS BIGINT) / count(*), CAST(sum(tokens) AS BIGINT) / count(*)
      FROM (SELECT usd, tokens
              FROM run_charges
             WHERE agent_id = $1 AND status = 'settled'
             ORDER BY ended_at DESC
             LIMIT $2) last";

/// The mean cost of the last runs of an agent; none when there is none.
pub(crate) async fn mean(tx: &mut Tx, agent: AgentId) -> Result<Option<Cost>> {
    let found = tx.query(MEAN).bind(agent).bind(limits::BUDGET_ESTIMATE_RUNS);
    let (usd, tokens): (Option<i64>, Option<i64>) = found.fetch_one().await?;
    Ok(usd.zip(tokens).map(|(usd_micros, tokens)| Cost { usd_micros, tokens }))
}

crate::row! {
    /// The cost of the runs of a group.
    #[derive(Debug, Clone)]
    pub(crate) struct GroupRow {
        pub(crate) agent: Option<String>,
        pub(crate) day: Option<Timestamp>,
        pub(crate) runs: i64,
        pub(crate) usd: i64,
        pub(crate) tokens: i64,
        pub(crate) reserved: i64,
    }
}

/// The sums of a group of charges `c`.
macro_rules! sums {
    () => {
        "CAST(sum(CASE WHEN c.status = 'settled' THEN 1 ELSE 0 END) AS BIGINT) AS runs,
         CAST(sum(CASE WHEN c.status = 'settled' THEN c.usd ELSE 0 END) AS BIGINT) AS usd,
         CAST(sum(CASE WHEN c.status = 'settled' THEN c.tokens ELSE 0 END) AS BIGINT) AS tokens,
         CAST(sum(CASE WHEN c.status = 'reserved' THEN c.usd ELSE 0 END) AS BIGINT) AS reserved"
    };
}

pub(super) const BY_AGENT: &str = concat!(
    "SELECT p.handle AS agent, NULL AS day, ",
    sums!(),
    " FROM run_charges c
      JOIN participants p ON p.id = c.agent_id
     WHERE c.owner_id = $1 AND c.day >= $2 AND ($3 IS NULL OR c.agent_id = $3) AND c.status <> 'released'
     GROUP BY p.handle
     ORDER BY p.handle"
);
pub(super) const BY_DAY: &str = concat!(
    "SELECT NULL AS agent, c.day AS day, ",
    sums!(),
    " FROM run_charges c
     WHERE c.owner_id = $1 AND c.day >= $2 AND ($3 IS NULL OR c.agent_id = $3) AND c.status <> 'released'
     GROUP BY c.day
     ORDER BY c.day"
);

/// The cost of the runs of an owner's agents, or of one of them, by agent.
pub(crate) async fn by_agent(
    tx: &mut Tx,
    owner: UserId,
    agent: Option<AgentId>,
    from: Timestamp,
) -> Result<Vec<GroupRow>> {
    tx.query(BY_AGENT).bind(owner).bind(from).bind(agent).fetch_all().await
}

/// The cost of the runs of an owner's agents, or of one of them, by day.
pub(crate) async fn by_day(
    tx: &mut Tx,
    owner: UserId,
    agent: Option<AgentId>,
    from: Timestamp,
) -> Result<Vec<GroupRow>> {
    tx.query(BY_DAY).bind(owner).bind(from).bind(agent).fetch_all().await
}

pub(super) const SWEEP: &str = "
    DELETE FROM run_charges
     WHERE run_id IN (SELECT run_id FROM run_charges
                       WHERE ended_at IS NOT NULL AND ended_at < $1 ORDER BY ended_at LIMIT $2)";

/// Removes the charges of runs that ended long ago. Returns their number.
pub(crate) async fn sweep_charges(tx: &mut Tx, before: Timestamp, limit: u32) -> Result<u64> {
    tx.query(SWEEP).bind(before).bind(limit).execute().await
}

/// Removes days and months that ended long ago and in which nothing is reserved.
pub(crate) async fn sweep_periods(tx: &mut Tx, before: Timestamp) -> Result<u64> {
    let mut removed = 0;
    for period in [Period::Day, Period::Month] {
        removed += tx
            .query("DELETE FROM budget_periods WHERE period = $1 AND starts_at < $2 AND reserved_runs = 0")
            .bind(period)
            .bind(before)
            .execute()
            .await?;
    }
    Ok(removed)
}
