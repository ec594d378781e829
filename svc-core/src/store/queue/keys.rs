//! The schedule of a queue's keys: turns, rates and concurrency.
//!
//! Keys take turns within a priority. A turn is a round and, within the round, a flag whether the key was
//! served in the previous round. New and returning keys go first, so a key with one item waits for the rest
//! of a round at most, and keys with thousands of items wait for no longer than that.
//!
//! On PostgreSQL, a transaction that makes work available (an enqueued item, an ended lease) locks the key's
//! row `FOR KEY SHARE` until its commit, which blocks no claim. A claim locks it `FOR NO KEY UPDATE`, so
//! claims of one key are serialized and count correctly. A key leaves the schedule, or drops in priority,
//! only under `FOR UPDATE`, which can be acquired only while no transaction makes work available; otherwise
//! the key stays, and the next claim checks again. So no item is ever left behind in an unscheduled key. Rows
//! of items are locked before rows of keys; a transaction that holds a key waits for no item.

use std::collections::BTreeMap;

use super::rules::QueueRules;
use super::table::Locking;
use crate::error::Result;
use crate::store::db::{Engine, Tx};
use crate::timestamp::Timestamp;

/// The state of a key in the schedule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum KeyState {
    /// The key has no pending items.
    Idle,
    /// The key has pending items that may be claimed.
    Ready,
    /// The key waits for its rate.
    Paused,
    /// The maximum number of its items is leased.
    Full,
}

crate::text_enum! { KeyState { Idle => "idle", Ready => "ready", Paused => "paused", Full => "full" } }

crate::row! {
    /// A key whose turn it is.
    #[derive(Debug, Clone)]
    pub(super) struct Scheduled {
        pub(super) key: String,
        pub(super) priority: u32,
        pub(super) turn: i64,
        pub(super) rate_at: Timestamp,
    }
}

/// The condition that a key does not begin with the text of a parameter, if that is not empty.
macro_rules! outside_group {
    ($group:literal) => {
        concat!("(", $group, " = '' OR substr(key, 1, length(", $group, ")) <> ", $group, ")")
    };
}
pub(super) use outside_group;

macro_rules! pick {
    ($locking:literal) => {
        concat!(
            "SELECT key, priority, turn, rate_at
               FROM queue_keys
              WHERE queue = $1 AND state = 'ready' AND ",
            outside_group!("$3"),
            "
              ORDER BY priority DESC, turn
              LIMIT $2",
            $locking
        )
    };
}

pub(super) const PICK: Locking = Locking {
    sqlite: pick!(""),
    skipping: pick!(" FOR NO KEY UPDATE SKIP LOCKED"),
    waiting: pick!(" FOR NO KEY UPDATE"),
};

/// Resumes keys whose rate allows another item.
macro_rules! wake {
    ($locking:literal) => {
        concat!(
            "WITH woken AS MATERIALIZED (
                SELECT key FROM queue_keys WHERE queue = $1 AND state = 'paused' AND wake_at <= $2 ORDER BY wake_at
                 LIMIT $3",
            $locking,
            ")
             UPDATE queue_keys
                SET state = 'ready', wake_at = NULL, updated_at = $2,
                    turn = coalesce((SELECT max(k.turn) FROM queue_keys k
                                      WHERE k.queue = queue_keys.queue AND k.priority = queue_keys.priority), 0) / 2 * 2
              WHERE queue = $1 AND key IN (SELECT key FROM woken)"
        )
    };
}

const WAKE: Locking = Locking {
    sqlite: wake!(""),
    skipping: wake!(" FOR NO KEY UPDATE SKIP LOCKED"),
    waiting: wake!(" FOR NO KEY UPDATE"),
};

const LATEST_TURN: &str = "SELECT turn FROM queue_keys WHERE queue = $1 AND priority = $2 ORDER BY turn DESC LIMIT 1";

macro_rules! seen {
    ($locking:literal) => {
        concat!("SELECT state, priority FROM queue_keys WHERE queue = $1 AND key = $2", $locking)
    };
}

const OFFER: &str = "
    INSERT INTO queue_keys (queue, key, state, priority, turn, rate_at, updated_at)
    VALUES ($1, $2, 'ready', $3, $4, 0, $5)
    ON CONFLICT (queue, key) DO UPDATE
       SET state = CASE WHEN queue_keys.state = 'idle' THEN 'ready' ELSE queue_keys.state END,
           priority = CASE WHEN queue_keys.state = 'idle' OR queue_keys.priority < excluded.priority
                           THEN excluded.priority ELSE queue_keys.priority END,
           turn = CASE WHEN queue_keys.state = 'idle' OR queue_keys.priority < excluded.priority
                       THEN excluded.turn ELSE queue_keys.turn END,
           updated_at = CASE WHEN queue_keys.state = 'idle' THEN excluded.updated_at ELSE queue_keys.updated_at END";

const FREE: &str = "
    UPDATE queue_keys SET state = 'ready', turn = $3, updated_at = $4 WHERE queue = $1 AND key = $2 AND state = 'full'";

const HEAD: &str = "
    SELECT priority
      FROM queue_items
     WHERE queue = $1 AND key = $2 AND status = 'pending'
     ORDER BY priority DESC
     LIMIT 1";

const LEASED: &str = "SELECT count(*) FROM queue_items WHERE queue = $1 AND key = $2 AND status = 'leased'";

/// Finds a pause that begins in the future, because the clock was set back.
const AHEAD: &str =
    "SELECT queue FROM queue_keys WHERE state = 'paused' AND wake_at > $1 AND updated_at > $1 ORDER BY queue LIMIT 1";

const SHORTEN: &str = "
    UPDATE queue_keys
       SET wake_at = $1 + wake_at - updated_at, rate_at = $1 + rate_at - updated_at, updated_at = $1
     WHERE state = 'paused' AND updated_at > $1";

/// The keys whose turn it is, up to `limit`, all of the highest scheduled priority, without those of a group.
pub(super) async fn pick(
    tx: &mut Tx,
    queue: &str,
    text: &'static str,
    limit: u32,
    without: &str,
) -> Result<Vec<Scheduled>> {
    let mut keys: Vec<Scheduled> = tx.query(text).bind(queue).bind(limit).bind(without).fetch_all().await?;
    if let Some(highest) = keys.first().map(|key| key.priority) {
        keys.retain(|key| key.priority == highest);
    }
    Ok(keys)
}

/// Puts keys whose pause is over back into the schedule.
pub(super) async fn wake(tx: &mut Tx, queue: &str, limit: u32) -> Result<()> {
    let now = tx.now();
    tx.query(WAKE.skipping(tx.engine())).bind(queue).bind(now).bind(limit).execute().await?;
    Ok(())
}

/// The work that a transaction makes available: items that became pending, leases that ended.
#[derive(Debug, Default)]
pub(super) struct Changes(BTreeMap<(String, String), Change>);

#[derive(Debug, Default)]
struct Change {
    /// The highest priority of the items.
    pending: Option<u32>,
    freed: bool,
}

impl Changes {
    /// Records that an item of a key became pending.
    pub(super) fn pending(&mut self, queue: &str, key: &str, priority: u32) {
        let change = self.0.entry((queue.to_owned(), key.to_owned())).or_default();
        change.pending = change.pending.max(Some(priority));
    }

    /// Records that a lease of a key has ended.
    pub(super) fn freed(&mut self, queue: &str, key: &str) {
        self.0.entry((queue.to_owned(), key.to_owned())).or_default().freed = true;
    }

    /// Updates the schedule and notifies waiting workers. Keys are processed in order, so that two
    /// transactions with several keys do not deadlock.
    pub(super) async fn publish(self, tx: &mut Tx) -> Result<()> {
        if !self.0.is_empty() {
            tx.note_queue();
        }
        for ((queue, key), change) in self.0 {
            let Some((state, known)) = lock_shared(tx, &queue, &key).await? else {
                if let Some(priority) = change.pending {
                    offer(tx, &queue, &key, priority).await?;
                }
                continue;
            };
            if let Some(priority) = change.pending
                && (state == KeyState::Idle || known < priority)
            {
                offer(tx, &queue, &key, priority).await?;
            }
            if change.freed && state == KeyState::Full {
                free(tx, &queue, &key, change.pending.map_or(known, |priority| priority.max(known))).await?;
            }
        }
        Ok(())
    }
}

/// Puts a key with a pending item into the schedule, or raises its priority.
async fn offer(tx: &mut Tx, queue: &str, key: &str, priority: u32) -> Result<()> {
    let turn = entry_turn(tx, queue, priority).await?;
    let now = tx.now();
    tx.query(OFFER).bind(queue).bind(key).bind(priority).bind(turn).bind(now).execute().await?;
    Ok(())
}

/// Puts a key that waited for a lease to end back into the schedule.
async fn free(tx: &mut Tx, queue: &str, key: &str, priority: u32) -> Result<()> {
    let turn = entry_turn(tx, queue, priority).await?;
    let now = tx.now();
    tx.query(FREE).bind(queue).bind(key).bind(turn).bind(now).execute().await?;
    Ok(())
}

async fn lock_shared(tx: &mut Tx, queue: &str, key: &str) -> Result<Option<(KeyState, u32)>> {
    let text = match tx.engine() {
        Engine::Sqlite => seen!(""),
        Engine::Postgres => seen!(" FOR KEY SHARE"),
    };
    tx.query(text).bind(queue).bind(key).fetch_optional().await
}

/// The turn of a key that enters the schedule: in the next round, before the keys that were served in this
/// one.
async fn entry_turn(tx: &mut Tx, queue: &str, priority: u32) -> Result<i64> {
    let latest = tx.query(LATEST_TURN).bind(queue).bind(priority).fetch_optional::<(i64,)>().await?;
    Ok(latest.map_or(0, |(turn,)| turn_on_entry(turn)))
}

/// The turn of an entering key, given the latest turn in the schedule.
fn turn_on_entry(latest: i64) -> i64 {
    latest / 2 * 2
}

/// The next turn of a key that was served and has more items.
fn turn_after_service(turn: i64) -> i64 {
    turn / 2 * 2 + 3
}

/// The room of a key.
#[derive(Debug, Clone, Copy)]
pub(super) struct Capacity {
    /// The number of items that may be claimed now, by the rate and the concurrency.
    pub(super) items: u32,
    /// The number of leased items, if the concurrency is limited. While a claim holds the key, it can only drop.
    leased: Option<u32>,
}

/// How many items of a key may be claimed now.
pub(super) async fn capacity(tx: &mut Tx, rules: &QueueRules, key: &Scheduled) -> Result<Capacity> {
    let now = tx.now();
    let by_rate = rules.rate.map_or(u32::MAX, |rate| rate.allowed(now, key.rate_at));
    let Some(most) = rules.concurrency else { return Ok(Capacity { items: by_rate, leased: None }) };
    let leased = leased(tx, rules, &key.key).await?;
    Ok(Capacity { items: by_rate.min(most.saturating_sub(leased)), leased: Some(leased) })
}

async fn leased(tx: &mut Tx, rules: &QueueRules, key: &str) -> Result<u32> {
    tx.query(LEASED).bind(rules.name.as_str()).bind(key).fetch_value().await
}

/// The next state of a key that was served.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NextState {
    Idle,
    Full(u32),
    Paused(u32, Timestamp),
    Ready(u32),
}

impl NextState {
    /// Whether work that is made available concurrently could be overlooked without an exclusive lock.
    fn needs_exclusive_lock(self, key: &Scheduled) -> bool {
        match self {
            Self::Idle | Self::Full(_) => true,
            Self::Ready(priority) | Self::Paused(priority, _) => priority < key.priority,
        }
    }
}

/// Updates the schedule after a key was served. Returns whether the schedule has changed.
pub(super) async fn reschedule(
    tx: &mut Tx,
    rules: &QueueRules,
    key: &Scheduled,
    before: Capacity,
    taken: u32,
) -> Result<bool> {
    let now = tx.now();
    let rate_at = match rules.rate {
        Some(rate) if taken > 0 => rate.after(now, key.rate_at, taken),
        _ => key.rate_at,
    };
    let mut next_state = next_state(tx, rules, &key.key, rate_at, before.leased.map(|leased| leased + taken)).await?;
    if next_state.needs_exclusive_lock(key) && tx.engine() == Engine::Postgres {
        next_state = if lock_exclusively(tx, rules, key).await? {
            // All work that was committed before the lock is visible now, and no other transaction can add
            // any.
            self::next_state(tx, rules, &key.key, rate_at, None).await?
        } else if let NextState::Paused(_, at) = next_state {
            NextState::Paused(key.priority, at)
        } else {
            NextState::Ready(key.priority)
        };
    }
    if taken == 0 && next_state == NextState::Ready(key.priority) {
        return Ok(false);
    }
    let (state, priority, wake_at) = match next_state {
        NextState::Idle => (KeyState::Idle, key.priority, None),
        NextState::Full(priority) => (KeyState::Full, priority, None),
        NextState::Paused(priority, at) => (KeyState::Paused, priority, Some(at)),
        NextState::Ready(priority) => (KeyState::Ready, priority, None),
    };
    let turn = if priority == key.priority {
        turn_after_service(key.turn)
    } else {
        entry_turn(tx, &rules.name, priority).await? + 1
    };
    tx.query(
        "UPDATE queue_keys
            SET state = $3, priority = $4, turn = $5, rate_at = $6, wake_at = $7, updated_at = $8
          WHERE queue = $1 AND key = $2",
    )
    .bind(rules.name.as_str())
    .bind(key.key.as_str())
    .bind(state)
    .bind(priority)
    .bind(turn)
    .bind(rate_at)
    .bind(wake_at)
    .bind(now)
    .execute()
    .await?;
    Ok(true)
}

/// The state of a key. `known` is the number of its leased items; without it they are counted.
async fn next_state(
    tx: &mut Tx,
    rules: &QueueRules,
    key: &str,
    rate_at: Timestamp,
    known: Option<u32>,
) -> Result<NextState> {
    let head = tx.query(HEAD).bind(rules.name.as_str()).bind(key).fetch_optional::<(u32,)>().await?;
    let Some((priority,)) = head else { return Ok(NextState::Idle) };
    let now = tx.now();
    if let Some(rate) = rules.rate
        && rate.allowed(now, rate_at) == 0
    {
        return Ok(NextState::Paused(priority, rate.opens_at(rate_at)));
    }
    if let Some(most) = rules.concurrency {
        let leased = match known {
            Some(leased) => leased,
            None => leased(tx, rules, key).await?,
        };
        if leased >= most {
            return Ok(NextState::Full(priority));
        }
    }
    Ok(NextState::Ready(priority))
}

/// Locks a key so that no other transaction can make work of it available until this one ends. Returns
/// `false` when one is doing that.
async fn lock_exclusively(tx: &mut Tx, rules: &QueueRules, key: &Scheduled) -> Result<bool> {
    let found = tx
        .query("SELECT key FROM queue_keys WHERE queue = $1 AND key = $2 FOR UPDATE SKIP LOCKED")
        .bind(rules.name.as_str())
        .bind(key.key.as_str())
        .fetch_optional::<(String,)>()
        .await?;
    Ok(found.is_some())
}

/// Whether a pause begins in the future, because the clock was set back.
pub(super) async fn is_any_ahead(tx: &mut Tx) -> Result<bool> {
    let now = tx.now();
    Ok(tx.query(AHEAD).bind(now).fetch_optional::<(String,)>().await?.is_some())
}

/// Restarts such pauses at the current time.
pub(super) async fn shorten(tx: &mut Tx) -> Result<()> {
    let now = tx.now();
    tx.query(SHORTEN).bind(now).execute().await?;
    Ok(())
}

const SWEEP: &str = "
    DELETE FROM queue_keys
     WHERE state = 'idle'
       AND (queue, key) IN (SELECT queue, key FROM queue_keys
                             WHERE state = 'idle' AND updated_at <= $1 AND rate_at <= $2 ORDER BY updated_at LIMIT $3)";

/// Removes keys that have had no work for a while.
pub(super) async fn sweep(tx: &mut Tx, before: Timestamp, limit: u32) -> Result<u64> {
    let now = tx.now();
    tx.query(SWEEP).bind(before).bind(now).bind(limit).execute().await
}

/// The statements over growing tables, for the test of query plans.
pub(super) const LISTED: &[(&str, &str)] = &[
    ("queue.keys.pick", PICK.sqlite),
    ("queue.keys.wake", WAKE.sqlite),
    ("queue.keys.latest_turn", LATEST_TURN),
    ("queue.keys.seen", seen!("")),
    ("queue.keys.head", HEAD),
    ("queue.keys.leased", LEASED),
    ("queue.keys.ahead", AHEAD),
    ("queue.keys.sweep", SWEEP),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_key_goes_before_served_keys_and_after_waiting_ones() {
        let busy = turn_after_service(turn_on_entry(0));
        let new = turn_on_entry(busy);
        assert!(new < busy, "a new key goes first");
        let newer = turn_on_entry(turn_after_service(new));
        assert!(busy < newer, "but not again and again before one that waits");
    }
}
