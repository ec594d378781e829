//! The SQL of reputations.

use svc_model::governance::{ReputationEntry, ReputationKind};

use crate::automation::governance::standing::Standing;
use crate::error::Result;
use crate::ids::{AgentId, MessageId, ParticipantId, ReputationEntryId, RunId};
use crate::store::db::Tx;
use crate::timestamp::Timestamp;

crate::row! {
    /// The sums of an agent's entries, and the time from which on they count.
    #[derive(Debug, Clone, Copy)]
    pub(crate) struct StandingRow {
        pub(crate) since: Timestamp,
        pub(crate) weight: f64,
        pub(crate) total: f64,
        pub(crate) weighed_at: Timestamp,
    }
}

impl StandingRow {
    /// The sums as they are calculated with.
    pub(crate) fn standing(&self) -> Standing {
        Standing { weight: self.weight, total: self.total, at: self.weighed_at }
    }

    /// When the quarantine was last lifted.
    pub(crate) fn window(&self) -> Option<Timestamp> {
        Some(self.since).filter(|since| since.as_micros() != 0)
    }
}

/// The standing of an agent; none before its first entry.
pub(crate) async fn standing(tx: &mut Tx, agent: AgentId) -> Result<Option<StandingRow>> {
    tx.query("SELECT since, weight, total, weighed_at FROM reputations WHERE agent_id = $1")
        .bind(agent)
        .fetch_optional()
        .await
}

/// Locks the standing of an agent for this transaction; creates it if it does not exist.
pub(crate) async fn held_standing(tx: &mut Tx, agent: AgentId) -> Result<StandingRow> {
    let now = tx.now();
    tx.query(
        "INSERT INTO reputations (agent_id, since, weight, total, weighed_at)
         VALUES ($1, 0, 0.0, 0.0, $2)
         ON CONFLICT (agent_id) DO UPDATE SET since = reputations.since
         RETURNING since, weight, total, weighed_at",
    )
    .bind(agent)
    .bind(now)
    .fetch_one()
    .await
}

pub(crate) async fn set_standing(tx: &mut Tx, agent: AgentId, standing: &Standing) -> Result<()> {
    tx.query("UPDATE reputations SET weight = $2, total = $3, weighed_at = $4 WHERE agent_id = $1")
        .bind(agent)
        .bind(standing.weight)
        .bind(standing.total)
        .bind(standing.at)
        .execute()
        .await?;
    Ok(())
}

/// Forgets the sums of an agent: only entries from now on count.
pub(crate) async fn begin_window(tx: &mut Tx, agent: AgentId) -> Result<()> {
    held_standing(tx, agent).await?;
    let now = tx.now();
    tx.query("UPDATE reputations SET since = $2, weight = 0.0, total = 0.0, weighed_at = $2 WHERE agent_id = $1")
        .bind(agent)
        .bind(now)
        .execute()
        .await?;
    Ok(())
}

/// An entry to be written.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NewEntry {
    pub(crate) agent: AgentId,
    pub(crate) kind: ReputationKind,
    pub(crate) value: u32,
    pub(crate) run: Option<RunId>,
    pub(crate) message: Option<MessageId>,
    pub(crate) by: Option<ParticipantId>,
    /// The sums with this entry.
    pub(crate) standing: Standing,
}

/// Writes an entry. Returns `false` when the run or the judgement has one already.
pub(crate) async fn insert_entry(tx: &mut Tx, entry: &NewEntry) -> Result<bool> {
    let now = tx.now();
    let inserted = tx
        .query(
            "INSERT INTO reputation_entries
                (agent_id, kind, value, run_id, message_id, by_id, weight, total, created_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
             ON CONFLICT DO NOTHING",
        )
        .bind(entry.agent)
        .bind(entry.kind)
        .bind(entry.value)
        .bind(entry.run)
        .bind(entry.message)
        .bind(entry.by)
        .bind(entry.standing.weight)
        .bind(entry.standing.total)
        .bind(now);
    Ok(inserted.execute().await? == 1)
}

crate::row! {
    /// A human's judgement of a message.
    #[derive(Debug, Clone, Copy)]
    pub(crate) struct JudgementRow {
        pub(crate) id: ReputationEntryId,
        pub(crate) value: u32,
        pub(crate) created_at: Timestamp,
    }
}

pub(super) const JUDGEMENT: &str =
    "SELECT id, value, created_at FROM reputation_entries WHERE message_id = $1 AND by_id = $2";

pub(crate) async fn judgement(tx: &mut Tx, message: MessageId, by: ParticipantId) -> Result<Option<JudgementRow>> {
    tx.query(JUDGEMENT).bind(message).bind(by).fetch_optional().await
}

pub(crate) async fn remove_entry(tx: &mut Tx, id: ReputationEntryId) -> Result<()> {
    tx.query("DELETE FROM reputation_entries WHERE id = $1").bind(id).execute().await?;
    Ok(())
}

pub(super) const ENTRIES: &str = "
    SELECT e.id, e.kind, e.value, e.run_id, e.message_id, p.handle AS by, e.created_at
      FROM reputation_entries e
      LEFT JOIN participants p ON p.id = e.by_id
     WHERE e.agent_id = $1 AND e.id < $2
     ORDER BY e.id DESC
     LIMIT $3";

/// A page of entries, newest first.
pub(crate) async fn entries(
    tx: &mut Tx,
    agent: AgentId,
    before: Option<ReputationEntryId>,
    limit: u32,
) -> Result<Vec<ReputationEntry>> {
    let before = before.unwrap_or(ReputationEntryId(i64::MAX));
    tx.query(ENTRIES).bind(agent).bind(before).bind(limit).fetch_all().await
}

crate::row! {
    /// The sums after an entry, and the number of entries of its day.
    #[derive(Debug, Clone, Copy)]
    pub(crate) struct DayRow {
        pub(crate) created_at: Timestamp,
        pub(crate) weight: f64,
        pub(crate) total: f64,
        pub(crate) entries: i64,
    }
}

impl DayRow {
    pub(crate) fn standing(&self) -> Standing {
        Standing { weight: self.weight, total: self.total, at: self.created_at }
    }
}

/// Days are counted in microseconds.
pub(super) const DAYS: &str = "
    SELECT e.created_at, e.weight, e.total, d.entries
      FROM (SELECT max(id) AS id, count(*) AS entries
              FROM reputation_entries
             WHERE agent_id = $1 AND created_at >= $2
             GROUP BY created_at / 86400000000) d
      JOIN reputation_entries e ON e.id = d.id
     ORDER BY e.id";

/// The last entry of each day from a time on, oldest first. Days without entries are left out.
pub(crate) async fn days(tx: &mut Tx, agent: AgentId, from: Timestamp) -> Result<Vec<DayRow>> {
    tx.query(DAYS).bind(agent).bind(from).fetch_all().await
}

pub(super) const LAST_BEFORE: &str = "
    SELECT created_at, weight, total, 0 AS entries
      FROM reputation_entries
     WHERE agent_id = $1 AND created_at < $2
     ORDER BY created_at DESC
     LIMIT 1";

/// The last entry before a time.
pub(crate) async fn last_before(tx: &mut Tx, agent: AgentId, time: Timestamp) -> Result<Option<DayRow>> {
    tx.query(LAST_BEFORE).bind(agent).bind(time).fetch_optional().await
}

pub(super) const SWEEP: &str = "
    DELETE FROM reputation_entries
     WHERE id IN (SELECT id FROM reputation_entries WHERE created_at < $1 ORDER BY created_at LIMIT $2)";

/// Removes old entries. Returns their number.
pub(crate) async fn sweep_entries(tx: &mut Tx, before: Timestamp, limit: u32) -> Result<u64> {
    tx.query(SWEEP).bind(before).bind(limit).execute().await
}
