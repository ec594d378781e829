//! The work that a transaction makes available, and what it changes in the schedule of the keys.

use std::collections::{BTreeMap, HashMap};

use super::keys::{KeyState, entry_turn};
use crate::column::Bind;
use crate::error::Result;
use crate::store::db::{Engine, Rows, Tx};

/// Number of keys in one statement.
const AT_ONCE: usize = 64;

/// Items that became pending, and leases that ended, by queue and key.
#[derive(Debug, Default)]
pub(super) struct Changes(BTreeMap<(String, String), Change>);

#[derive(Debug, Default)]
struct Change {
    /// The highest priority of the items.
    pending: Option<u32>,
    freed: bool,
}

/// The turns of keys that enter the schedule, by queue and priority. They are the same for all keys of a transaction,
/// because one that enters changes the latest turn of no queue.
#[derive(Default)]
struct Turns(HashMap<(String, u32), i64>);

impl Turns {
    async fn of(&mut self, tx: &mut Tx, queue: &str, priority: u32) -> Result<i64> {
        let place = (queue.to_owned(), priority);
        if let Some(turn) = self.0.get(&place) {
            return Ok(*turn);
        }
        let turn = entry_turn(tx, queue, priority).await?;
        self.0.insert(place, turn);
        Ok(turn)
    }
}

crate::row! {
    /// A key as it is in the schedule.
    #[derive(Debug, Clone)]
    struct Known {
        queue: String,
        key: String,
        state: KeyState,
        priority: u32,
    }
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

    /// Updates the schedule and notifies waiting workers. Keys are changed in order, so that two transactions with
    /// several keys do not deadlock.
    pub(super) async fn publish(self, tx: &mut Tx) -> Result<()> {
        if !self.0.is_empty() {
            tx.note_queue();
        }
        let mut turns = Turns::default();
        let all: Vec<_> = self.0.into_iter().collect();
        for some in all.chunks(AT_ONCE) {
            publish_some(tx, &mut turns, some).await?;
        }
        Ok(())
    }
}

async fn publish_some(tx: &mut Tx, turns: &mut Turns, some: &[((String, String), Change)]) -> Result<()> {
    let known = lock_shared(tx, some.iter().map(|(place, _)| place)).await?;
    let known: HashMap<_, _> =
        known.into_iter().map(|known| ((known.queue, known.key), (known.state, known.priority))).collect();
    let mut freed = Vec::new();
    for (place, change) in some {
        let (queue, key) = place;
        let Some((state, priority)) = known.get(place).copied() else {
            if let Some(pending) = change.pending {
                offer(tx, turns, queue, key, pending).await?;
            }
            continue;
        };
        let highest = change.pending.map_or(priority, |pending| pending.max(priority));
        if let Some(pending) = change.pending
            && (state == KeyState::Idle || priority < pending)
        {
            offer(tx, turns, queue, key, pending).await?;
        }
        if change.freed && state == KeyState::Full {
            let turn = turns.of(tx, queue, highest).await?;
            freed.push([queue.as_str().into_bound(), key.as_str().into_bound(), turn.into_bound()]);
        }
    }
    free(tx, freed.into_iter().collect()).await
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

/// Puts a key with a pending item into the schedule, or raises its priority.
async fn offer(tx: &mut Tx, turns: &mut Turns, queue: &str, key: &str, priority: u32) -> Result<()> {
    let turn = turns.of(tx, queue, priority).await?;
    let now = tx.now();
    tx.query(OFFER).bind(queue).bind(key).bind(priority).bind(turn).bind(now).execute().await?;
    Ok(())
}

/// `CROSS JOIN` makes SQLite start with the few keys.
macro_rules! seen {
    ($rows:literal, $locking:literal) => {
        concat!(
            "WITH changed (queue, key) AS (VALUES ",
            $rows,
            ")
             SELECT k.queue, k.key, k.state, k.priority
               FROM changed
              CROSS JOIN queue_keys k
              WHERE k.queue = changed.queue AND k.key = changed.key",
            $locking
        )
    };
}

async fn lock_shared<'p>(tx: &mut Tx, places: impl Iterator<Item = &'p (String, String)>) -> Result<Vec<Known>> {
    let rows: Rows<2> = places.map(|(queue, key)| [queue.as_str().into_bound(), key.as_str().into_bound()]).collect();
    let values = rows.placeholders(1);
    let text = match tx.engine() {
        Engine::Sqlite => format!(seen!("{values}", ""), values = values),
        Engine::Postgres => format!(seen!("{values}", " FOR KEY SHARE OF k"), values = values),
    };
    rows.bind(tx.query(text)).fetch_all().await
}

macro_rules! free {
    ($rows:literal, $locking:literal) => {
        concat!(
            "WITH freed (queue, key, turn) AS (VALUES ",
            $rows,
            "),
                  full_ones AS MATERIALIZED (
                     SELECT k.queue, k.key, freed.turn
                       FROM freed
                      CROSS JOIN queue_keys k
                      WHERE k.queue = freed.queue AND k.key = freed.key AND k.state = 'full'
                      ORDER BY k.queue, k.key",
            $locking,
            ")
             UPDATE queue_keys SET state = 'ready', turn = full_ones.turn, updated_at = $1
               FROM full_ones
              WHERE queue_keys.queue = full_ones.queue AND queue_keys.key = full_ones.key"
        )
    };
}

/// Puts keys that waited for a lease to end back into the schedule.
async fn free(tx: &mut Tx, rows: Rows<3>) -> Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    let (now, values) = (tx.now(), rows.placeholders(2));
    let text = match tx.engine() {
        Engine::Sqlite => format!(free!("{values}", ""), values = values),
        Engine::Postgres => format!(free!("{values}", " FOR NO KEY UPDATE OF k"), values = values),
    };
    rows.bind(tx.query(text).bind(now)).execute().await?;
    Ok(())
}

/// The statements over growing tables, for the test of query plans.
pub(super) const LISTED: &[(&str, &str)] =
    &[("queue.keys.seen", seen!("($1, $2)", "")), ("queue.keys.free", free!("($2, $3, $4)", ""))];
