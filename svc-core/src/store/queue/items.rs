//! The SQL of items.

use std::collections::{HashMap, HashSet};

use super::claim::Claim;
use super::keys::{Scheduled, outside_group};
use super::model::{ClaimedItem, Enqueued, ItemStatus, NewItem, QueueItem};
use super::table::{Locking, QueueTable, queue_table};
use crate::column::{Bind, Value};
use crate::error::Result;
use crate::ids::QueueItemId;
use crate::store::db::{DbError, Engine, Rows, Tx, placeholders};
use crate::timestamp::Timestamp;

/// The lease statements of items. A claim takes from one key of a queue, at one priority: `$7` and `$8`.
pub(super) const TABLE: QueueTable = queue_table! {
    table: "queue_items",
    leased: "leased",
    dead: "dead",
    pick: "SELECT id
             FROM queue_items
            WHERE queue = $1 AND key = $7 AND priority = $8 AND status = 'pending'
            ORDER BY id
            LIMIT $2",
    claimed: "failure = failure",
    freed: "claim_token = NULL",
    overdue: "id, queue, key, priority, attempts, max_attempts",
    within: "($2 = '' OR queue = $2)",
};

/// Claims from several keys, on PostgreSQL. The planner cannot know how few items it picks, so they are an array, which
/// it expects to be short.
macro_rules! claim_from_keys {
    ($rows:literal) => {
        concat!(
            "WITH wanted (key, items) AS (VALUES ",
            $rows,
            "),
                  picked AS MATERIALIZED (
                     SELECT p.id
                       FROM wanted w
                      CROSS JOIN LATERAL (SELECT i.id
                                            FROM queue_items i
                                           WHERE i.queue = $1 AND i.key = w.key AND i.priority = $2
                                             AND i.status = 'pending'
                                           ORDER BY i.id
                                           LIMIT w.items
                                             FOR UPDATE SKIP LOCKED) p)
             UPDATE queue_items
                SET status = 'leased', claim_token = CAST($3 AS TEXT) || '-' || id,
                    last_claim = CAST($3 AS TEXT) || '-' || id, lease_expires_at = $4, attempts = attempts + 1,
                    claimed_at = $5, updated_at = $5
              WHERE id = ANY (ARRAY(SELECT id FROM picked))
             RETURNING id, key, priority, status, attempts, max_attempts, dedupe, payload, due_at, lease_expires_at,
                       failure, created_at, updated_at, finished_at, claim_token"
        )
    };
}

/// Ends the leases of items whose tokens are valid. `$only` is for PostgreSQL, which expects an array to be short; it
/// would read the whole table for the rows of a join.
macro_rules! report {
    ($rows:literal, $only:literal) => {
        concat!(
            "WITH reported (id, token, status, due_at, failure) AS (VALUES ",
            $rows,
            ")
             UPDATE queue_items
                SET status = reported.status, claim_token = NULL, lease_expires_at = NULL,
                    claimed_at = CASE WHEN reported.status = 'waiting' THEN NULL ELSE queue_items.claimed_at END,
                    due_at = coalesce(reported.due_at, queue_items.due_at), failure = reported.failure,
                    finished_at = CASE WHEN reported.status = 'waiting' THEN NULL ELSE $1 END, updated_at = $1
               FROM reported
              WHERE queue_items.id = reported.id AND queue_items.claim_token = reported.token
                AND queue_items.lease_expires_at > $1",
            $only,
            "
             RETURNING last_claim"
        )
    };
}

/// Ends the leases of a process. On PostgreSQL the rows are locked in the order in which all transactions lock them;
/// SQLite has one writer, and would read the whole table for that order.
macro_rules! end_of_holder {
    ($locking:literal) => {
        concat!(
            "WITH held AS MATERIALIZED (
                SELECT id
                  FROM queue_items
                 WHERE status = 'leased' AND lease_expires_at > $1 AND substr(claim_token, 1, length($2)) = $2",
            $locking,
            ")
             UPDATE queue_items SET lease_expires_at = $1 WHERE id IN (SELECT id FROM held)"
        )
    };
}

/// Selects the columns of [`QueueItem`], followed by the given text.
macro_rules! select_items {
    ($rest:expr) => {
        concat!(
            "SELECT id, key, priority, status, attempts, max_attempts, dedupe, payload, due_at, lease_expires_at,
                    failure, created_at, updated_at, finished_at
               FROM queue_items ",
            $rest
        )
    };
}

const FIND: &str = select_items!("WHERE id = $1 AND queue = $2");

const DEAD: &str = select_items!("WHERE queue = $1 AND status = 'dead' AND id < $2 ORDER BY id DESC LIMIT $3");

const DEDUPED: &str =
    "SELECT id FROM queue_items WHERE queue = $1 AND dedupe = $2 AND dedupe IS NOT NULL AND finished_at IS NULL";

/// Makes items that are due claimable.
macro_rules! come_due {
    ($locking:literal) => {
        concat!(
            "WITH picked AS MATERIALIZED (
                SELECT id FROM queue_items WHERE queue = $1 AND status = 'waiting' AND due_at <= $2 ORDER BY due_at
                 LIMIT $3",
            $locking,
            ")
             UPDATE queue_items SET status = 'pending', updated_at = $2
              WHERE id IN (SELECT id FROM picked)
             RETURNING key, priority"
        )
    };
}

const COME_DUE: Locking = Locking {
    sqlite: come_due!(""),
    skipping: come_due!(" FOR UPDATE SKIP LOCKED"),
    waiting: come_due!(" FOR UPDATE"),
};

const DUES: &str = "
    SELECT EXISTS (SELECT 1 FROM queue_items WHERE status = 'leased' AND lease_expires_at <= $2 AND queue = $1),
           EXISTS (SELECT 1 FROM queue_items WHERE queue = $1 AND status = 'waiting' AND due_at <= $2),
           EXISTS (SELECT 1 FROM queue_keys WHERE queue = $1 AND state = 'paused' AND wake_at <= $2)";

/// Ordered, so that SQLite uses the index of ready keys and does not look at all others.
const READY: &str = concat!(
    "SELECT key FROM queue_keys WHERE queue = $1 AND state = 'ready' AND ",
    outside_group!("$2"),
    " ORDER BY priority DESC, turn LIMIT 1"
);
const NEXT_DUE: &str = "SELECT due_at FROM queue_items WHERE queue = $1 AND status = 'waiting' ORDER BY due_at LIMIT 1";
const NEXT_END: &str = "
    SELECT lease_expires_at FROM queue_items WHERE queue = $1 AND status = 'leased' ORDER BY lease_expires_at LIMIT 1";
const NEXT_WAKE: &str = "SELECT wake_at FROM queue_keys WHERE queue = $1 AND state = 'paused' ORDER BY wake_at LIMIT 1";

const AHEAD: &str = "
    SELECT id FROM queue_items WHERE status = 'waiting' AND updated_at > $1 ORDER BY updated_at DESC LIMIT 1";

const SHORTEN: &str = "
    UPDATE queue_items SET due_at = $1 + due_at - updated_at, updated_at = $1
     WHERE status = 'waiting' AND updated_at > $1";

const SWEEP: &str = "
    DELETE FROM queue_items
     WHERE id IN (SELECT id FROM queue_items
                   WHERE status = $1 AND finished_at IS NOT NULL AND finished_at <= $2 ORDER BY finished_at LIMIT $3)";

const INSERT: &str = "
    INSERT INTO queue_items
       (queue, key, priority, status, attempts, max_attempts, dedupe, payload, due_at, created_at, updated_at)
    VALUES ($1, $2, $3, $4, 0, $5, $6, $7, $8, $9, $9)";

const INSERT_ONCE: &str = "
    INSERT INTO queue_items
       (queue, key, priority, status, attempts, max_attempts, dedupe, payload, due_at, created_at, updated_at)
    VALUES ($1, $2, $3, $4, 0, $5, $6, $7, $8, $9, $9)
    ON CONFLICT (queue, dedupe) WHERE dedupe IS NOT NULL AND finished_at IS NULL DO NOTHING
    RETURNING id";

crate::row! {
    /// An item whose lease has expired.
    #[derive(Debug, Clone)]
    pub(super) struct Overdue {
        pub(super) id: QueueItemId,
        pub(super) queue: String,
        pub(super) key: String,
        pub(super) priority: u32,
        pub(super) attempts: u32,
        pub(super) max_attempts: u32,
    }
}

/// Claims up to a number of pending items of each key, oldest first. The keys have the same priority.
pub(super) async fn claim(tx: &mut Tx, claim: &Claim, shares: &[(&Scheduled, u32)]) -> Result<Vec<ClaimedItem>> {
    let Some((first, _)) = shares.first() else { return Ok(Vec::new()) };
    let (now, name) = (tx.now(), claim.rules.name.as_str());
    let until = now.plus(claim.rules.lease);
    let mut taken: Vec<ClaimedItem> = match tx.engine() {
        Engine::Postgres => {
            let rows: Rows<2> =
                shares.iter().map(|(key, items)| [key.key.as_str().into_bound(), items.into_bound()]).collect();
            let text = format!(claim_from_keys!("{values}"), values = rows.placeholders(6));
            let query = tx.query(text).bind(name).bind(first.priority).bind(claim.token.as_str()).bind(until).bind(now);
            rows.bind(query).fetch_all().await?
        }
        // It has no `LATERAL`, and another statement costs no round trip.
        Engine::Sqlite => {
            let mut tokens = HashMap::new();
            for (key, items) in shares {
                let got: Vec<(QueueItemId, String)> = tx
                    .query(TABLE.claim.sqlite)
                    .bind(name)
                    .bind(*items)
                    .bind(claim.token.as_str())
                    .bind(until)
                    .bind(now)
                    .bind(ItemStatus::Leased)
                    .bind(key.key.as_str())
                    .bind(key.priority)
                    .fetch_all()
                    .await?;
                tokens.extend(got);
            }
            let ids: Vec<_> = tokens.keys().copied().collect();
            let found = by_ids(tx, &ids).await?;
            let token = |item: QueueItem| tokens.remove(&item.id).map(|token| ClaimedItem { item, token });
            found.into_iter().filter_map(token).collect()
        }
    };
    taken.sort_unstable_by_key(|taken| taken.item.id);
    Ok(taken)
}

/// The token of a claim by this process.
pub(super) fn token(holder: &str, random: &str) -> String {
    format!("{holder}.{random}")
}

/// Ends the leases of a process that has died. Returns the number of its items; the next claim makes them available.
pub(crate) async fn end_of_holder(tx: &mut Tx, holder: &str) -> Result<u64> {
    let (now, beginning) = (tx.now(), token(holder, ""));
    let text = match tx.engine() {
        Engine::Sqlite => end_of_holder!(""),
        Engine::Postgres => end_of_holder!(" ORDER BY id FOR UPDATE"),
    };
    let ended = tx.query(text).bind(now).bind(beginning).execute().await?;
    if ended > 0 {
        tx.note_queue();
    }
    Ok(ended)
}

/// The next state of an item whose attempt has ended.
#[derive(Debug)]
pub(super) struct Reported<'i> {
    pub(super) id: QueueItemId,
    pub(super) token: &'i str,
    pub(super) status: ItemStatus,
    /// When the next attempt is due.
    pub(super) due_at: Option<Timestamp>,
    pub(super) failure: Option<&'i str>,
}

/// Ends leases. Returns the tokens of those that were valid.
pub(super) async fn report(tx: &mut Tx, reported: &[Reported<'_>]) -> Result<HashSet<String>> {
    let row = |one: &Reported<'_>| {
        [
            one.id.into_bound(),
            one.token.into_bound(),
            one.status.into_bound(),
            one.due_at.into_bound(),
            one.failure.into_bound(),
        ]
    };
    let rows: Rows<5> = reported.iter().map(row).collect();
    if rows.is_empty() {
        return Ok(HashSet::new());
    }
    let (now, values) = (tx.now(), rows.placeholders(2));
    let text = match tx.engine() {
        Engine::Sqlite => format!(report!("{values}", ""), values = values),
        Engine::Postgres => format!(
            report!("{values}", " AND queue_items.id = ANY (ARRAY(SELECT reported.id FROM reported))"),
            values = values
        ),
    };
    let held: Vec<(String,)> = rows.bind(tx.query(text).bind(now)).fetch_all().await?;
    Ok(held.into_iter().map(|(token,)| token).collect())
}

/// Inserts an item, unless an unfinished one has the same `dedupe` value.
pub(super) async fn insert(
    tx: &mut Tx,
    queue: &str,
    item: &NewItem,
    payload: String,
    attempts: u32,
) -> Result<Enqueued> {
    let now = tx.now();
    let text = if item.dedupe.is_some() { INSERT_ONCE } else { INSERT };
    let status = if item.delay.is_zero() { "pending" } else { "waiting" };
    let query = tx
        .query(text)
        .bind(queue)
        .bind(item.key.as_str())
        .bind(item.priority)
        .bind(status)
        .bind(attempts)
        .bind(item.dedupe.as_deref())
        .bind(Value::Json(payload))
        .bind(now.plus(item.delay))
        .bind(now);
    let Some(dedupe) = item.dedupe.as_deref() else {
        return Ok(Enqueued { id: query.insert("id").await?, new: true });
    };
    if let Some((id,)) = query.fetch_optional().await? {
        return Ok(Enqueued { id, new: true });
    }
    match deduped(tx, queue, dedupe).await? {
        Some(id) => Ok(Enqueued { id, new: false }),
        // The other item was finished meanwhile; a retry can insert.
        None => Err(DbError::Serialization("an item with this value was just finished".into()).into()),
    }
}

/// Finds the unfinished item with a `dedupe` value.
pub(super) async fn deduped(tx: &mut Tx, queue: &str, dedupe: &str) -> Result<Option<QueueItemId>> {
    let found = tx.query(DEDUPED).bind(queue).bind(dedupe).fetch_optional::<(QueueItemId,)>().await?;
    Ok(found.map(|(id,)| id))
}

pub(super) async fn find(tx: &mut Tx, queue: &str, id: QueueItemId) -> Result<Option<QueueItem>> {
    tx.query(FIND).bind(id).bind(queue).fetch_optional().await
}

async fn by_ids(tx: &mut Tx, ids: &[QueueItemId]) -> Result<Vec<QueueItem>> {
    let rows: Rows<1> = ids.iter().map(|id| [id.into_bound()]).collect();
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let text = format!("{} IN ({}) ORDER BY id", select_items!("WHERE id"), rows.placeholders(1));
    rows.bind(tx.query(text)).fetch_all().await
}

/// Lists dead items before one, newest first.
pub(super) async fn dead(tx: &mut Tx, queue: &str, before: QueueItemId, limit: u32) -> Result<Vec<QueueItem>> {
    tx.query(DEAD).bind(queue).bind(before).bind(limit).fetch_all().await
}

/// Whether there are expired leases, due items, and finished pauses.
pub(super) async fn dues(tx: &mut Tx, queue: &str) -> Result<(bool, bool, bool)> {
    let now = tx.now();
    tx.query(DUES).bind(queue).bind(now).fetch_one().await
}

/// Makes due items claimable. Returns the key and the priority of each.
pub(super) async fn come_due(tx: &mut Tx, queue: &str, limit: u32) -> Result<Vec<(String, u32)>> {
    let now = tx.now();
    tx.query(COME_DUE.skipping(tx.engine())).bind(queue).bind(now).bind(limit).fetch_all().await
}

/// Schedules the next attempt at an item.
pub(super) async fn retry_at(tx: &mut Tx, id: QueueItemId, at: Timestamp, reason: &str) -> Result<()> {
    let now = tx.now();
    tx.query(
        "UPDATE queue_items
            SET status = 'waiting', claim_token = NULL, lease_expires_at = NULL, claimed_at = NULL, due_at = $2,
                failure = $3, updated_at = $4
          WHERE id = $1",
    )
    .bind(id)
    .bind(at)
    .bind(reason)
    .bind(now)
    .execute()
    .await?;
    Ok(())
}

/// Ends items that are not leased and have not ended. Returns those.
pub(super) async fn cancel(tx: &mut Tx, queue: &str, ids: &[QueueItemId]) -> Result<Vec<QueueItemId>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let now = tx.now();
    let text = format!(
        "UPDATE queue_items SET status = 'done', finished_at = $1, failure = NULL, updated_at = $1
          WHERE queue = $2 AND status IN ('pending', 'waiting') AND id IN ({})
         RETURNING id",
        placeholders(3, ids.len())
    );
    let query = tx.query(text).bind(now).bind(queue);
    let ended: Vec<(QueueItemId,)> = ids.iter().fold(query, |query, id| query.bind(*id)).fetch_all().await?;
    Ok(ended.into_iter().map(|(id,)| id).collect())
}

/// The token of the last claim on an item, to recognise a repeated report.
pub(super) async fn last_claim(tx: &mut Tx, id: QueueItemId) -> Result<Option<String>> {
    let found = tx.query("SELECT last_claim FROM queue_items WHERE id = $1").bind(id);
    Ok(found.fetch_optional::<(Option<String>,)>().await?.and_then(|(token,)| token))
}

/// The time at which the next item may become claimable: now if there is one already, `None` if time alone
/// will not change anything. Available items of a group can be left out.
pub(super) async fn next_change(tx: &mut Tx, queue: &str, without: &str) -> Result<Option<Timestamp>> {
    let now = tx.now();
    if tx.query(READY).bind(queue).bind(without).fetch_optional::<(String,)>().await?.is_some() {
        return Ok(Some(now));
    }
    let mut next: Option<Timestamp> = None;
    for text in [NEXT_DUE, NEXT_END, NEXT_WAKE] {
        if let Some((at,)) = tx.query(text).bind(queue).fetch_optional::<(Timestamp,)>().await? {
            next = Some(next.map_or(at, |next| next.min(at)));
        }
    }
    Ok(next)
}

/// Whether an item has a delay that begins in the future, because the clock was set back.
pub(super) async fn is_any_ahead(tx: &mut Tx) -> Result<bool> {
    let now = tx.now();
    Ok(tx.query(AHEAD).bind(now).fetch_optional::<(QueueItemId,)>().await?.is_some())
}

/// Restarts such delays at the current time.
pub(super) async fn shorten(tx: &mut Tx) -> Result<()> {
    let now = tx.now();
    tx.query(SHORTEN).bind(now).execute().await?;
    Ok(())
}

/// Removes items that ended as `status` before a time.
pub(super) async fn sweep(tx: &mut Tx, status: &str, before: Timestamp, limit: u32) -> Result<u64> {
    tx.query(SWEEP).bind(status).bind(before).bind(limit).execute().await
}

/// The statements over growing tables, for the test of query plans.
pub(super) const LISTED: &[(&str, &str)] = &[
    ("queue.claim", TABLE.claim.sqlite),
    ("queue.end_of_holder", end_of_holder!("")),
    ("queue.report", report!("($2, $3, $4, $5, $6)", "")),
    ("queue.overdue", TABLE.overdue.sqlite),
    ("queue.leases_ahead", TABLE.ahead),
    ("queue.find", FIND),
    ("queue.dead", DEAD),
    ("queue.deduped", DEDUPED),
    ("queue.dues", DUES),
    ("queue.come_due", COME_DUE.sqlite),
    ("queue.ready", READY),
    ("queue.next_due", NEXT_DUE),
    ("queue.next_end", NEXT_END),
    ("queue.next_wake", NEXT_WAKE),
    ("queue.ahead", AHEAD),
    ("queue.sweep", SWEEP),
];
