//! The SQL of tasks and bids.

use svc_model::participants::ParticipantKind;
use svc_model::tasks::{Bid, BidStatus, Task, TaskFilter, TaskStatus};

use super::draft::{BidDraft, TaskDraft};
use crate::error::{Error, Result};
use crate::ids::{BidId, ChannelId, MessageId, ParticipantId, TaskId, UserId};
use crate::messaging::messages::Party;
use crate::messaging::messages::viewer::{Viewer, visible_channel};
use crate::store::db::{Tx, placeholders};
use crate::timestamp::Timestamp;

crate::row! {
    /// A task row.
    #[derive(Debug, Clone)]
    pub(super) struct TaskRow {
        pub(super) id: TaskId,
        pub(super) title: String,
        pub(super) body: String,
        pub(super) status: TaskStatus,
        pub(super) poster_id: ParticipantId,
        pub(super) poster: String,
        pub(super) poster_kind: ParticipantKind,
        pub(super) poster_owner_id: UserId,
        pub(super) channel_id: Option<ChannelId>,
        pub(super) channel: Option<String>,
        pub(super) public: Option<bool>,
        pub(super) archived_at: Option<Timestamp>,
        pub(super) message_id: Option<MessageId>,
        pub(super) budget: Option<f64>,
        pub(super) deadline: Option<Timestamp>,
        pub(super) bid_count: i64,
        pub(super) assignee_id: Option<ParticipantId>,
        pub(super) assignee: Option<String>,
        pub(super) assignee_owner_id: Option<UserId>,
        pub(super) summary: Option<String>,
        pub(super) created_at: Timestamp,
        pub(super) updated_at: Timestamp,
        pub(super) closed_at: Option<Timestamp>,
    }
}

crate::row! {
    /// A bid row.
    #[derive(Debug, Clone)]
    pub(super) struct BidRow {
        pub(super) id: BidId,
        pub(super) task_id: TaskId,
        pub(super) bidder_id: ParticipantId,
        pub(super) bidder: String,
        pub(super) bidder_kind: ParticipantKind,
        pub(super) bidder_owner_id: UserId,
        pub(super) gone_at: Option<Timestamp>,
        pub(super) amount: Option<f64>,
        pub(super) note: String,
        pub(super) status: BidStatus,
        pub(super) created_at: Timestamp,
    }
}

macro_rules! select_tasks {
    ($($rest:expr),+ $(,)?) => {
        concat!(
            "SELECT t.id, t.title, t.body, t.status, t.poster_id, p.handle AS poster, p.kind AS poster_kind,
                    t.poster_owner_id, t.channel_id, c.name AS channel, c.public, c.archived_at, t.message_id, t.budget,
                    t.deadline, t.bid_count, t.assignee_id, w.handle AS assignee, t.assignee_owner_id, t.summary,
                    t.created_at, t.updated_at, t.closed_at
               FROM tasks t
               JOIN participants p ON p.id = t.poster_id
               LEFT JOIN participants w ON w.id = t.assignee_id
               LEFT JOIN channels c ON c.id = t.channel_id ",
            $($rest),+
        )
    };
}

/// SQL condition: a task `t`, with its channel `c` joined from the left, is visible. Its poster and
/// its assignee see it even after they have left the channel.
macro_rules! visible_task {
    () => {
        concat!(
            "($1 OR ($4 = '' AND (t.channel_id IS NULL OR t.poster_id = $2 OR t.poster_owner_id = $3
                                  OR t.assignee_id = $2 OR t.assignee_owner_id = $3))
                 OR (t.channel_id IS NOT NULL AND ",
            visible_channel!(),
            "))"
        )
    };
}

const FIND: &str = select_tasks!("WHERE t.id = $5 AND ", visible_task!());
const BY_ID: &str = select_tasks!("WHERE t.id = $1");
const LIST: &str = select_tasks!("WHERE t.id < $5 AND ", visible_task!(), " ORDER BY t.id DESC LIMIT $6");
const LIST_IN: &str =
    select_tasks!("WHERE t.status = $7 AND t.id < $5 AND ", visible_task!(), " ORDER BY t.id DESC LIMIT $6");
const LIST_MINE: &str = select_tasks!(
    "WHERE t.id < $5 AND ($7 = '' OR t.status = $7)
       AND t.id IN (SELECT o.id FROM tasks o WHERE o.poster_id = $2
                     UNION SELECT o.id FROM tasks o WHERE o.poster_owner_id = $3
                     UNION SELECT b.task_id FROM task_bids b WHERE b.bidder_id = $2 AND b.status <> 'declined'
                     UNION SELECT b.task_id FROM task_bids b WHERE b.bidder_owner_id = $3 AND b.status <> 'declined')
       AND ",
    visible_task!(),
    " ORDER BY t.id DESC LIMIT $6"
);

macro_rules! select_bids {
    ($rest:literal) => {
        concat!(
            "SELECT b.id, b.task_id, b.bidder_id, p.handle AS bidder, p.kind AS bidder_kind, b.bidder_owner_id,
                    p.deleted_at AS gone_at, b.amount, b.note, b.status, b.created_at
               FROM task_bids b
               JOIN participants p ON p.id = b.bidder_id ",
            $rest
        )
    };
}

const BIDS: &str = select_bids!("WHERE b.task_id = $1 ORDER BY b.id");

// Each statement uses an index over unhandled tasks only.
const DUE: &str = "SELECT id FROM tasks WHERE status = 'open' AND deadline <= $1 ORDER BY deadline LIMIT $2";
const OVERDUE: &str = "
    SELECT id FROM tasks
     WHERE status = 'assigned' AND overdue_told_at IS NULL AND deadline <= $1
     ORDER BY deadline
     LIMIT $2";

/// SQL statements over growing tables, by name, for the query-plan test.
pub(crate) const LISTED: &[(&str, &str)] = &[
    ("tasks.find", FIND),
    ("tasks.by_id", BY_ID),
    ("tasks.list", LIST),
    ("tasks.list_in", LIST_IN),
    ("tasks.list_mine", LIST_MINE),
    ("tasks.bids", BIDS),
    ("tasks.due", DUE),
    ("tasks.overdue", OVERDUE),
];

/// A visible task; otherwise not found.
pub(super) async fn find(tx: &mut Tx, viewer: &Viewer, id: TaskId) -> Result<TaskRow> {
    viewer.bind(tx.query(FIND)).bind(id).fetch_optional().await?.ok_or_else(|| Error::not_found("task"))
}

pub(super) async fn by_id(tx: &mut Tx, id: TaskId) -> Result<TaskRow> {
    tx.query(BY_ID).bind(id).fetch_one().await
}

/// Up to `limit` visible tasks, newest first.
pub(super) async fn list(tx: &mut Tx, viewer: &Viewer, filter: &TaskFilter, limit: u32) -> Result<Vec<TaskRow>> {
    let status = filter.status.map_or("", TaskStatus::as_str);
    let before = filter.before.unwrap_or(TaskId(i64::MAX));
    let (text, by_status) = match (filter.mine, filter.status) {
        (true, _) => (LIST_MINE, true),
        (false, Some(_)) => (LIST_IN, true),
        (false, None) => (LIST, false),
    };
    let query = viewer.bind(tx.query(text)).bind(before).bind(limit);
    let query = if by_status { query.bind(status) } else { query };
    query.fetch_all().await
}

/// Locks the task for this transaction; concurrent changes wait.
pub(super) async fn hold(tx: &mut Tx, id: TaskId) -> Result<()> {
    tx.query("UPDATE tasks SET bid_count = bid_count WHERE id = $1").bind(id).execute().await?;
    Ok(())
}

/// The bids for a task, oldest first.
pub(super) async fn bids(tx: &mut Tx, id: TaskId) -> Result<Vec<BidRow>> {
    tx.query(BIDS).bind(id).fetch_all().await
}

/// The bids for many tasks, oldest first.
pub(super) async fn bids_of(tx: &mut Tx, ids: &[TaskId]) -> Result<Vec<BidRow>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let among = placeholders(1, ids.len());
    let text = BIDS.replace("b.task_id = $1", &format!("b.task_id IN ({among})"));
    ids.iter().fold(tx.query(text), |query, id| query.bind(*id)).fetch_all().await
}

/// Inserts an open task; its message id is set afterwards.
pub(super) async fn insert(
    tx: &mut Tx,
    by: &Party,
    draft: &TaskDraft,
    channel: Option<ChannelId>,
    deadline: Option<Timestamp>,
) -> Result<TaskId> {
    let owner = by.owner.ok_or_else(|| Error::internal("the poster has no owner"))?;
    let now = tx.now();
    tx.query(
        "INSERT INTO tasks (poster_id, poster_owner_id, channel_id, title, body, budget, deadline, status, bid_count,
                            created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, 'open', 0, $8, $8)",
    )
    .bind(by.id)
    .bind(owner)
    .bind(channel)
    .bind(draft.title.as_str())
    .bind(draft.body.as_str())
    .bind(draft.budget)
    .bind(deadline)
    .bind(now)
    .insert("id")
    .await
}

pub(super) async fn set_message(tx: &mut Tx, id: TaskId, message: MessageId) -> Result<()> {
    tx.query("UPDATE tasks SET message_id = $2 WHERE id = $1").bind(id).bind(message).execute().await?;
    Ok(())
}

pub(super) async fn insert_bid(tx: &mut Tx, id: TaskId, by: &Party, draft: &BidDraft) -> Result<BidId> {
    let owner = by.owner.ok_or_else(|| Error::internal("the bidder has no owner"))?;
    let now = tx.now();
    tx.query(
        "INSERT INTO task_bids (task_id, bidder_id, bidder_owner_id, amount, note, status, created_at)
         VALUES ($1, $2, $3, $4, $5, 'open', $6)",
    )
    .bind(id)
    .bind(by.id)
    .bind(owner)
    .bind(draft.amount)
    .bind(draft.note.as_str())
    .bind(now)
    .insert("id")
    .await
}

pub(super) async fn delete_bid(tx: &mut Tx, id: BidId) -> Result<()> {
    tx.query("DELETE FROM task_bids WHERE id = $1").bind(id).execute().await?;
    Ok(())
}

pub(super) async fn set_bid_count(tx: &mut Tx, id: TaskId, count: i64) -> Result<()> {
    let now = tx.now();
    tx.query("UPDATE tasks SET bid_count = $2, updated_at = $3 WHERE id = $1")
        .bind(id)
        .bind(count)
        .bind(now)
        .execute()
        .await?;
    Ok(())
}

/// Accepts one bid and declines the others.
pub(super) async fn decide(tx: &mut Tx, id: TaskId, accepted: BidId) -> Result<()> {
    tx.query("UPDATE task_bids SET status = CASE WHEN id = $2 THEN 'accepted' ELSE 'declined' END WHERE task_id = $1")
        .bind(id)
        .bind(accepted)
        .execute()
        .await?;
    Ok(())
}

/// Declines the open bids.
pub(super) async fn decline_all(tx: &mut Tx, id: TaskId) -> Result<()> {
    tx.query("UPDATE task_bids SET status = 'declined' WHERE task_id = $1 AND status = 'open'")
        .bind(id)
        .execute()
        .await?;
    Ok(())
}

pub(super) async fn assign(tx: &mut Tx, id: TaskId, status: TaskStatus, bid: &BidRow) -> Result<()> {
    let now = tx.now();
    tx.query("UPDATE tasks SET status = $2, assignee_id = $3, assignee_owner_id = $4, updated_at = $5 WHERE id = $1")
        .bind(id)
        .bind(status)
        .bind(bid.bidder_id)
        .bind(bid.bidder_owner_id)
        .bind(now)
        .execute()
        .await?;
    Ok(())
}

pub(super) async fn close(tx: &mut Tx, id: TaskId, status: TaskStatus, summary: Option<&str>) -> Result<()> {
    let now = tx.now();
    tx.query("UPDATE tasks SET status = $2, summary = $3, closed_at = $4, updated_at = $4 WHERE id = $1")
        .bind(id)
        .bind(status)
        .bind(summary.map(ToOwned::to_owned))
        .bind(now)
        .execute()
        .await?;
    Ok(())
}

/// Open tasks past their deadline.
pub(super) async fn due(tx: &mut Tx, batch: u32) -> Result<Vec<TaskId>> {
    ids(tx, DUE, batch).await
}

/// Assigned tasks past their deadline for which nobody has been notified.
pub(super) async fn overdue(tx: &mut Tx, batch: u32) -> Result<Vec<TaskId>> {
    ids(tx, OVERDUE, batch).await
}

async fn ids(tx: &mut Tx, text: &'static str, batch: u32) -> Result<Vec<TaskId>> {
    let now = tx.now();
    let found: Vec<(TaskId,)> = tx.query(text).bind(now).bind(batch).fetch_all().await?;
    Ok(found.into_iter().map(|(id,)| id).collect())
}

/// Marks an overdue task as notified. Returns whether it was not yet.
pub(super) async fn mark_overdue(tx: &mut Tx, id: TaskId) -> Result<bool> {
    let now = tx.now();
    let text = "UPDATE tasks SET overdue_told_at = $2
                 WHERE id = $1 AND status = 'assigned' AND overdue_told_at IS NULL AND deadline <= $2";
    Ok(tx.query(text).bind(id).bind(now).execute().await? == 1)
}

/// The participant to notify: the participant itself, the human of a deleted agent, or nobody if
/// both are deleted.
pub(super) async fn reachable(tx: &mut Tx, id: ParticipantId) -> Result<Option<ParticipantId>> {
    let found: Option<(Option<ParticipantId>,)> = tx
        .query(
            "SELECT CASE WHEN p.deleted_at IS NULL THEN p.id ELSE o.id END
               FROM participants p
               LEFT JOIN agents a ON a.id = p.id
               LEFT JOIN participants o ON o.id = a.owner_id AND o.deleted_at IS NULL
              WHERE p.id = $1",
        )
        .bind(id)
        .fetch_optional()
        .await?;
    Ok(found.and_then(|(id,)| id))
}

impl From<TaskRow> for Task {
    fn from(row: TaskRow) -> Self {
        Self {
            id: row.id,
            title: row.title,
            body: row.body,
            status: row.status,
            poster: row.poster,
            poster_kind: row.poster_kind,
            channel: row.channel,
            message_id: row.message_id,
            budget: row.budget,
            deadline: row.deadline,
            bid_count: row.bid_count,
            assignee: row.assignee,
            summary: row.summary,
            created_at: row.created_at,
            updated_at: row.updated_at,
            closed_at: row.closed_at,
        }
    }
}

impl From<BidRow> for Bid {
    fn from(row: BidRow) -> Self {
        Self {
            id: row.id,
            task_id: row.task_id,
            bidder: row.bidder,
            bidder_kind: row.bidder_kind,
            amount: row.amount,
            note: row.note,
            status: row.status,
            created_at: row.created_at,
        }
    }
}
