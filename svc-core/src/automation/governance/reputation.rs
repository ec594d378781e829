//! Entries of a reputation, and the quarantine that follows from them.

use std::time::Duration;

use svc_model::governance::{Period, Reputation, ReputationDay, ReputationFilter, ReputationKind};

use super::notice::{self, Change};
use super::service::Governance;
use super::standing::Standing;
use super::store::{self, NewEntry};
use crate::error::Result;
use crate::identity::agents;
use crate::ids::{AgentId, MessageId, ParticipantId, ReputationEntryId, RunId};
use crate::limits;
use crate::messaging::reactions::Judgements;
use crate::messaging::trust::{Judgement, Verdict};
use crate::page::checked_limit;
use crate::store::db::{Tx, Work};
use crate::timestamp::Timestamp;

/// The source of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cause {
    /// A run ended.
    Run(RunId),
    /// A task of a goal was verified or failed.
    Task,
    /// A human judged a message.
    Judgement { message: MessageId, by: ParticipantId },
}

/// Adds an entry to the reputation of an agent, a success or a failure. A score that is too low quarantines it.
pub(crate) async fn record(tx: &mut Tx, agent: AgentId, cause: Cause, is_success: bool) -> Result<()> {
    agents::store::hold(tx, agent).await?;
    add(tx, agent, cause, is_success).await
}

/// Records an entry of an agent whose row is held.
async fn add(tx: &mut Tx, agent: AgentId, cause: Cause, is_success: bool) -> Result<()> {
    let Some(governed) = store::governed(tx, agent).await? else { return Ok(()) };
    let (now, value) = (tx.now(), u32::from(is_success));
    let standing = store::held_standing(tx, agent).await?.standing().with(value, now);
    let (kind, run, message, by) = match cause {
        Cause::Run(run) => (ReputationKind::Run, Some(run), None, None),
        Cause::Task => (ReputationKind::Task, None, None, None),
        Cause::Judgement { message, by } => (ReputationKind::Judgement, None, Some(message), Some(by)),
    };
    if !store::insert_entry(tx, &NewEntry { agent, kind, value, run, message, by, standing }).await? {
        return Ok(());
    }
    store::set_standing(tx, agent, &standing).await?;
    let score = standing.score(now);
    if score < limits::REPUTATION_QUARANTINE && store::quarantine(tx, agent).await? {
        notice::record(tx, &governed, Change::Quarantined, None).await?;
        notice::quarantined(tx, &governed, score).await?;
    }
    Ok(())
}

/// Replaces a human's judgement of a message, or takes it back.
async fn judged(tx: &mut Tx, judgement: &Judgement<'_>) -> Result<()> {
    let (agent, message, by) = (judgement.agent, judgement.message, judgement.human);
    if judgement.before == judgement.after {
        return Ok(());
    }
    agents::store::hold(tx, agent).await?;
    if let Some(former) = store::judgement(tx, message, by).await? {
        let row = store::held_standing(tx, agent).await?;
        store::remove_entry(tx, former.id).await?;
        // An entry from before the window is no part of the sums.
        if former.created_at >= row.since {
            let standing = row.standing().without(former.value, former.created_at, tx.now());
            store::set_standing(tx, agent, &standing).await?;
        }
    }
    match judgement.after {
        Some(verdict) => add(tx, agent, Cause::Judgement { message, by }, verdict == Verdict::Approved).await,
        None => Ok(()),
    }
}

impl Judgements for Governance {
    fn judged<'t>(&'t self, tx: &'t mut Tx, judgement: &'t Judgement<'t>) -> Work<'t, ()> {
        Box::pin(judged(tx, judgement))
    }
}

/// The reputation of an agent as it is shown.
pub(super) async fn show(tx: &mut Tx, agent: AgentId, filter: &ReputationFilter) -> Result<Option<Reputation>> {
    let limit = checked_limit(filter.limit)?;
    let Some(governed) = store::governed(tx, agent).await? else { return Ok(None) };
    let (now, row) = (tx.now(), store::standing(tx, agent).await?);
    let standing = row.map_or(Standing::new(now), |row| row.standing());
    let mut entries = store::entries(tx, agent, filter.before, limit + 1).await?;
    let has_more = entries.len() > limit as usize;
    entries.truncate(limit as usize);
    let next_cursor: Option<ReputationEntryId> = entries.last().filter(|_| has_more).map(|last| last.id);
    let since = row.and_then(|row| row.window());
    let series = series(tx, agent, standing, since).await?;
    Ok(Some(Reputation {
        agent: governed.name,
        score: standing.score(now),
        since,
        quarantined_at: governed.quarantined_at,
        entries,
        next_cursor,
        series,
    }))
}

/// The score at the end of each of the last days.
async fn series(
    tx: &mut Tx,
    agent: AgentId,
    present: Standing,
    window: Option<Timestamp>,
) -> Result<Vec<ReputationDay>> {
    let now = tx.now();
    let today = Period::Day.start(now);
    let day = Duration::from_hours(24);
    let first = today.minus(day * (limits::REPUTATION_DAYS - 1));
    let before = store::last_before(tx, agent, first).await?;
    let rows = store::days(tx, agent, first).await?;
    let mut last = before.map(|row| row.standing());
    let mut rows = rows.into_iter().peekable();
    let mut days = Vec::with_capacity(limits::REPUTATION_DAYS as usize);
    for number in 0..limits::REPUTATION_DAYS {
        let begins = first.plus(day * number);
        let ends = begins.plus(day);
        let mut entries = 0;
        while let Some(row) = rows.next_if(|row| row.created_at < ends) {
            (last, entries) = (Some(row.standing()), row.entries);
        }
        // Lifting the quarantine began a new window, after which earlier entries do not count.
        if let Some(since) = window.filter(|since| *since < ends && last.is_none_or(|last| last.at < *since)) {
            last = Some(Standing::new(since));
        }
        let score =
            if begins == today { present.score(now) } else { last.unwrap_or(Standing::new(begins)).score(ends) };
        days.push(ReputationDay { day: begins, score, entries });
    }
    Ok(days)
}
