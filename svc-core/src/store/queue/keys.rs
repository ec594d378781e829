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

use std::collections::{HashMap, HashSet};

use super::rules::QueueRules;
use super::table::Locking;
use crate::column::Bind;
use crate::error::Result;
use crate::store::db::{Engine, Rows, Tx};
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

/// The highest priority among the pending items of keys; null without any.
macro_rules! heads {
    ($rows:literal) => {
        concat!(
            "WITH wanted (key) AS (VALUES ",
            $rows,
            ")
             SELECT wanted.key, (SELECT i.priority
                              FROM queue_items i
                             WHERE i.queue = $1 AND i.key = wanted.key AND i.status = 'pending'
                             ORDER BY i.priority DESC
                             LIMIT 1)
               FROM wanted
              WHERE wanted.key IS NOT NULL"
        )
    };
}

/// The number of leased items of keys.
macro_rules! leased {
    ($rows:literal) => {
        concat!(
            "WITH wanted (key) AS (VALUES ",
            $rows,
            ")
             SELECT wanted.key, (SELECT count(*)
                              FROM queue_items i
                             WHERE i.queue = $1 AND i.key = wanted.key AND i.status = 'leased')
               FROM wanted
              WHERE wanted.key IS NOT NULL"
        )
    };
}

/// The highest priority among the pending items of keys, null without any, and the number of their leased ones.
macro_rules! standings {
    ($rows:literal) => {
        concat!(
            "WITH wanted (key) AS (VALUES ",
            $rows,
            ")
             SELECT wanted.key, (SELECT i.priority
                              FROM queue_items i
                             WHERE i.queue = $1 AND i.key = wanted.key AND i.status = 'pending'
                             ORDER BY i.priority DESC
                             LIMIT 1),
                    (SELECT count(*)
                       FROM queue_items i
                      WHERE i.queue = $1 AND i.key = wanted.key AND i.status = 'leased')
               FROM wanted
              WHERE wanted.key IS NOT NULL"
        )
    };
}

/// The claim has locked the rows.
macro_rules! reschedule {
    ($rows:literal) => {
        concat!(
            "WITH next (key, state, priority, turn, rate_at, wake_at) AS (VALUES ",
            $rows,
            ")
             UPDATE queue_keys
                SET state = next.state, priority = next.priority, turn = next.turn, rate_at = next.rate_at,
                    wake_at = next.wake_at, updated_at = $2
               FROM next
              WHERE queue_keys.queue = $1 AND queue_keys.key = next.key"
        )
    };
}

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

/// The turn of a key that enters the schedule: in the next round, before the keys that were served in this
/// one.
pub(super) async fn entry_turn(tx: &mut Tx, queue: &str, priority: u32) -> Result<i64> {
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

/// How many items of these keys may be claimed now, in their order.
pub(super) async fn capacities(tx: &mut Tx, rules: &QueueRules, keys: &[Scheduled]) -> Result<Vec<Capacity>> {
    let now = tx.now();
    let leased = match rules.concurrency {
        Some(_) => leased(tx, rules, keys.iter().map(|key| key.key.as_str())).await?,
        None => HashMap::new(),
    };
    let capacity = |key: &Scheduled| {
        let by_rate = rules.rate.map_or(u32::MAX, |rate| rate.allowed(now, key.rate_at));
        let Some(most) = rules.concurrency else { return Capacity { items: by_rate, leased: None } };
        let leased = leased.get(&key.key).copied().unwrap_or_default();
        Capacity { items: by_rate.min(most.saturating_sub(leased)), leased: Some(leased) }
    };
    Ok(keys.iter().map(capacity).collect())
}

async fn leased<'k>(
    tx: &mut Tx,
    rules: &QueueRules,
    keys: impl Iterator<Item = &'k str>,
) -> Result<HashMap<String, u32>> {
    let rows: Rows<1> = keys.map(|key| [key.into_bound()]).collect();
    let text = format!(leased!("{values}"), values = rows.placeholders(2));
    let found: Vec<(String, u32)> = rows.bind(tx.query(text).bind(rules.name.as_str())).fetch_all().await?;
    Ok(found.into_iter().collect())
}

async fn heads<'k>(
    tx: &mut Tx,
    rules: &QueueRules,
    keys: impl Iterator<Item = &'k str>,
) -> Result<HashMap<String, u32>> {
    let rows: Rows<1> = keys.map(|key| [key.into_bound()]).collect();
    let text = format!(heads!("{values}"), values = rows.placeholders(2));
    let found: Vec<(String, Option<u32>)> = rows.bind(tx.query(text).bind(rules.name.as_str())).fetch_all().await?;
    Ok(found.into_iter().filter_map(|(key, head)| Some((key, head?))).collect())
}

/// The highest priority among the pending items of each key, and the number of its leased ones.
async fn standings(
    tx: &mut Tx,
    rules: &QueueRules,
    keys: &HashSet<String>,
) -> Result<HashMap<String, (Option<u32>, u32)>> {
    if keys.is_empty() {
        return Ok(HashMap::new());
    }
    if rules.concurrency.is_none() {
        // There may be very many leased ones, and nobody asks.
        let heads = heads(tx, rules, keys.iter().map(String::as_str)).await?;
        return Ok(keys.iter().map(|key| (key.clone(), (heads.get(key).copied(), 0))).collect());
    }
    let rows: Rows<1> = keys.iter().map(|key| [key.as_str().into_bound()]).collect();
    let text = format!(standings!("{values}"), values = rows.placeholders(2));
    let found: Vec<(String, Option<u32>, u32)> =
        rows.bind(tx.query(text).bind(rules.name.as_str())).fetch_all().await?;
    Ok(found.into_iter().map(|(key, head, leased)| (key, (head, leased))).collect())
}

/// A key that a claim has served.
#[derive(Debug)]
pub(super) struct Served<'k> {
    pub(super) key: &'k Scheduled,
    /// Its room before.
    pub(super) before: Capacity,
    /// The number of items that were claimed.
    pub(super) taken: u32,
}

impl Served<'_> {
    /// The state of its rate now.
    fn rate_at(&self, rules: &QueueRules, now: Timestamp) -> Timestamp {
        match rules.rate {
            Some(rate) if self.taken > 0 => rate.after(now, self.key.rate_at, self.taken),
            _ => self.key.rate_at,
        }
    }

    /// Its next state, from the highest priority of its pending items and the number of its leased ones.
    fn next_state(&self, rules: &QueueRules, now: Timestamp, head: Option<u32>, leased: u32) -> NextState {
        let Some(priority) = head else { return NextState::Idle };
        let rate_at = self.rate_at(rules, now);
        if let Some(rate) = rules.rate
            && rate.allowed(now, rate_at) == 0
        {
            return NextState::Paused(priority, rate.opens_at(rate_at));
        }
        if rules.concurrency.is_some_and(|most| leased >= most) {
            return NextState::Full(priority);
        }
        NextState::Ready(priority)
    }

    /// Whether work that is made available concurrently could be overlooked without an exclusive lock.
    fn needs_exclusive_lock(&self, next: NextState) -> bool {
        match next {
            NextState::Idle | NextState::Full(_) => true,
            NextState::Ready(priority) | NextState::Paused(priority, _) => priority < self.key.priority,
        }
    }
}

/// The next state of a key that was served.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NextState {
    Idle,
    Full(u32),
    Paused(u32, Timestamp),
    Ready(u32),
}

/// Updates the schedule after keys were served. Returns whether the schedule has changed.
pub(super) async fn reschedule(tx: &mut Tx, rules: &QueueRules, served: &[Served<'_>]) -> Result<bool> {
    let now = tx.now();
    let mut rows = Vec::with_capacity(served.len());
    for (one, next) in served.iter().zip(next_states(tx, rules, served).await?) {
        let key = one.key;
        if one.taken == 0 && next == NextState::Ready(key.priority) {
            continue;
        }
        let (state, priority, wake_at) = match next {
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
        rows.push([
            key.key.as_str().into_bound(),
            state.into_bound(),
            priority.into_bound(),
            turn.into_bound(),
            one.rate_at(rules, now).into_bound(),
            wake_at.into_bound(),
        ]);
    }
    let rows: Rows<6> = rows.into_iter().collect();
    if rows.is_empty() {
        return Ok(false);
    }
    let text = format!(reschedule!("{values}"), values = rows.placeholders(3));
    rows.bind(tx.query(text).bind(rules.name.as_str()).bind(now)).execute().await?;
    Ok(true)
}

/// The next state of each key that was served.
async fn next_states(tx: &mut Tx, rules: &QueueRules, served: &[Served<'_>]) -> Result<Vec<NextState>> {
    let now = tx.now();
    let heads = heads(tx, rules, served.iter().map(|one| one.key.key.as_str())).await?;
    let mut all: Vec<_> = served
        .iter()
        .map(|one| {
            let leased = one.before.leased.unwrap_or_default().saturating_add(one.taken);
            one.next_state(rules, now, heads.get(&one.key.key).copied(), leased)
        })
        .collect();
    if tx.engine() == Engine::Sqlite {
        return Ok(all);
    }
    let doubtful = served.iter().zip(&mut all).filter(|(one, next)| one.needs_exclusive_lock(**next));
    let doubtful: Vec<_> = doubtful.collect();
    if doubtful.is_empty() {
        return Ok(all);
    }
    let locked = lock_exclusively(tx, rules, doubtful.iter().map(|(one, _)| one.key.key.as_str())).await?;
    // All work that was committed before the locks is visible now, and no other transaction can add any.
    let standings = standings(tx, rules, &locked).await?;
    for (one, next) in doubtful {
        let key = one.key;
        *next = if let Some((head, leased)) = standings.get(&key.key) {
            one.next_state(rules, now, *head, *leased)
        } else if let NextState::Paused(_, at) = *next {
            NextState::Paused(key.priority, at)
        } else {
            NextState::Ready(key.priority)
        };
    }
    Ok(all)
}

/// Locks keys so that no other transaction can make work of them available until this one ends. Returns those that
/// no transaction is making work of available.
async fn lock_exclusively<'k>(
    tx: &mut Tx,
    rules: &QueueRules,
    keys: impl Iterator<Item = &'k str>,
) -> Result<HashSet<String>> {
    let rows: Rows<1> = keys.map(|key| [key.into_bound()]).collect();
    let text = format!(
        "SELECT key FROM queue_keys WHERE queue = $1 AND key IN ({}) FOR UPDATE SKIP LOCKED",
        rows.placeholders(2)
    );
    let found: Vec<(String,)> = rows.bind(tx.query(text).bind(rules.name.as_str())).fetch_all().await?;
    Ok(found.into_iter().map(|(key,)| key).collect())
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
    ("queue.keys.heads", heads!("($2)")),
    ("queue.keys.leased", leased!("($2)")),
    ("queue.keys.standings", standings!("($2)")),
    ("queue.keys.reschedule", reschedule!("($3, $4, $5, $6, $7, $8)")),
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
