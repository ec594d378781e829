//! The SQL of timelines.

use svc_model::goals::{TimelineEntry, TimelineKind};
use svc_model::governance::usd_of;

use super::goals::GoalRow;
use crate::error::Result;
use crate::ids::{GoalId, GoalTaskId, MessageId, ParticipantId, RunId};
use crate::limits;
use crate::store::db::Tx;
use crate::timestamp::Timestamp;

/// An entry to be recorded.
#[derive(Debug, Clone, Default)]
pub(crate) struct NewEntry<'a> {
    pub(crate) by: Option<ParticipantId>,
    pub(crate) task: Option<GoalTaskId>,
    pub(crate) subject: Option<&'a str>,
    pub(crate) from: Option<&'a str>,
    pub(crate) to: Option<&'a str>,
    pub(crate) usd: Option<i64>,
    pub(crate) tokens: Option<i64>,
    pub(crate) run: Option<RunId>,
    pub(crate) text: Option<&'a str>,
}

pub(super) const LIST: &str = "
    SELECT e.kind, e.created_at, p.handle AS by, e.task_id, e.subject, e.from_status, e.to_status, e.usd, e.tokens,
           e.run_id, e.text
      FROM goal_timeline e
      LEFT JOIN participants p ON p.id = e.by_id
     WHERE e.goal_id = $1
     ORDER BY e.id DESC
     LIMIT $2";
pub(super) const MESSAGES: &str = "
    SELECT m.id, m.created_at, p.handle AS by, m.body
      FROM conversations v
      JOIN messages m ON m.conversation_id = v.id
      JOIN participants p ON p.id = m.sender_id
     WHERE v.channel_id = $1 AND m.deleted_at IS NULL
     ORDER BY m.id DESC
     LIMIT $2";

pub(crate) async fn insert_entry(tx: &mut Tx, goal: GoalId, kind: TimelineKind, entry: &NewEntry<'_>) -> Result<()> {
    let now = tx.now();
    tx.query(
        "INSERT INTO goal_timeline
            (goal_id, kind, by_id, task_id, subject, from_status, to_status, usd, tokens, run_id, text, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
    )
    .bind(goal)
    .bind(kind)
    .bind(entry.by)
    .bind(entry.task)
    .bind(entry.subject)
    .bind(entry.from)
    .bind(entry.to)
    .bind(entry.usd)
    .bind(entry.tokens)
    .bind(entry.run)
    .bind(entry.text)
    .bind(now)
    .execute()
    .await?;
    Ok(())
}

crate::row! {
    struct EntryRow {
        kind: TimelineKind,
        created_at: Timestamp,
        by: Option<String>,
        task_id: Option<GoalTaskId>,
        subject: Option<String>,
        from_status: Option<String>,
        to_status: Option<String>,
        usd: Option<i64>,
        tokens: Option<i64>,
        run_id: Option<RunId>,
        text: Option<String>,
    }
}

crate::row! {
    struct MessageRow {
        id: MessageId,
        created_at: Timestamp,
        by: String,
        body: String,
    }
}

/// The last entries of a goal with the last messages of its channel, oldest first, and whether there are older ones.
pub(crate) async fn timeline(tx: &mut Tx, goal: &GoalRow) -> Result<(Vec<TimelineEntry>, bool)> {
    let most = limits::GOAL_TIMELINE as usize;
    let rows: Vec<EntryRow> = tx.query(LIST).bind(goal.id).bind(limits::GOAL_TIMELINE + 1).fetch_all().await?;
    let messages: Vec<MessageRow> = match goal.channel_id {
        Some(channel) => tx.query(MESSAGES).bind(channel).bind(limits::GOAL_TIMELINE_MESSAGES + 1).fetch_all().await?,
        None => Vec::new(),
    };
    let is_cut = rows.len() > most || messages.len() > limits::GOAL_TIMELINE_MESSAGES as usize;
    let mut entries: Vec<_> = rows.into_iter().take(most).map(entry).collect();
    entries.extend(messages.into_iter().take(limits::GOAL_TIMELINE_MESSAGES as usize).map(message));
    // Of entries of one transaction, which have one time, the later ones come first here.
    entries.reverse();
    entries.sort_by_key(|entry| entry.at);
    Ok((entries, is_cut))
}

fn entry(row: EntryRow) -> TimelineEntry {
    TimelineEntry {
        kind: row.kind,
        at: row.created_at,
        by: row.by,
        task_id: row.task_id,
        subject: row.subject,
        from: row.from_status,
        to: row.to_status,
        usd: row.usd.map(usd_of),
        tokens: row.tokens,
        run_id: row.run_id,
        message_id: None,
        text: row.text,
    }
}

fn message(row: MessageRow) -> TimelineEntry {
    let mut text: String = row.body.chars().take(limits::GOAL_EXCERPT_MAX).collect();
    if text.len() < row.body.len() {
        text.push('…');
    }
    TimelineEntry {
        kind: TimelineKind::Message,
        at: row.created_at,
        by: Some(row.by),
        task_id: None,
        subject: None,
        from: None,
        to: None,
        usd: None,
        tokens: None,
        run_id: None,
        message_id: Some(row.id),
        text: Some(text),
    }
}
