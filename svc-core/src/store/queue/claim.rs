//! Claiming: which items a worker gets.
//!
//! A claim first makes available what has come due, whose lease is over, or whose key may go on. Then it goes
//! through the keys whose turn it is, of the highest priority that there is, and takes an equal share of each.

use std::collections::HashMap;

use super::expiry;
use super::items::{self, TABLE};
use super::keys::{self, Changes, Scheduled};
use super::model::{ClaimedItem, ItemStatus, QueueItem};
use super::rules::QueueRules;
use crate::error::Result;
use crate::ids::QueueItemId;
use crate::store::db::Tx;

/// Items and keys that one claim makes available.
const BATCH: u32 = 1000;
/// How often a claim goes through the keys.
const PASSES: u32 = 100;

/// What a worker asks for.
#[derive(Debug, Clone)]
pub(super) struct Claim {
    pub(super) rules: QueueRules,
    pub(super) limit: u32,
    pub(super) token: String,
}

/// What a claim came to.
#[derive(Debug, Default)]
pub(super) struct Taken {
    pub(super) items: Vec<ClaimedItem>,
    /// There is a key whose turn it is, of which nothing could be taken, because somebody is changing it.
    pub(super) is_blocked: bool,
}

/// Takes what is to be had without waiting for anybody.
pub(super) async fn take(tx: &mut Tx, claim: &Claim) -> Result<Taken> {
    make_available(tx, &claim.rules.name).await?;
    let (mut taken, mut is_blocked) = (Vec::new(), false);
    for _ in 0..PASSES {
        let left = claim.limit.saturating_sub(count(&taken));
        if left == 0 {
            break;
        }
        let keys = keys::pick(tx, &claim.rules.name, keys::PICK.skipping(tx.engine()), left).await?;
        if keys.is_empty() {
            break;
        }
        if !pass(tx, claim, &keys, left, &mut taken).await? {
            is_blocked = true;
            break;
        }
    }
    Ok(Taken { items: claimed(tx, taken).await?, is_blocked })
}

/// Takes from the key whose turn it is, and waits for whoever holds it. Nothing else is held meanwhile, so
/// nobody waits for this one in turn.
pub(super) async fn take_waiting(tx: &mut Tx, claim: &Claim) -> Result<Taken> {
    let Some(text) = keys::PICK.waiting(tx.engine()) else { return Ok(Taken::default()) };
    let keys = keys::pick(tx, &claim.rules.name, text, 1).await?;
    let mut taken = Vec::new();
    let is_blocked = !keys.is_empty() && !pass(tx, claim, &keys, claim.limit, &mut taken).await?;
    Ok(Taken { items: claimed(tx, taken).await?, is_blocked })
}

/// What a worker on this queue does not have to wait for any longer.
async fn make_available(tx: &mut Tx, queue: &str) -> Result<()> {
    let (has_ended, has_come_due, has_paused) = items::dues(tx, queue).await?;
    let mut changes = Changes::default();
    if has_ended {
        expiry::end_leases(tx, queue, &mut changes).await?;
    }
    if has_come_due {
        for (key, priority) in items::come_due(tx, queue, BATCH).await? {
            changes.pending(queue, &key, priority);
        }
    }
    changes.tell(tx).await?;
    // Last, because it waits for nobody.
    if has_paused {
        keys::wake(tx, queue, BATCH).await?;
    }
    Ok(())
}

/// Serves each of these keys; tells whether anything came of it.
async fn pass(
    tx: &mut Tx,
    claim: &Claim,
    keys: &[Scheduled],
    wanted: u32,
    taken: &mut Vec<(QueueItemId, String)>,
) -> Result<bool> {
    let share = wanted.div_ceil(u32::try_from(keys.len()).unwrap_or(u32::MAX).max(1));
    let (mut left, mut progress) = (wanted, false);
    for key in keys {
        if left == 0 {
            break;
        }
        let room = keys::room(tx, &claim.rules, key).await?.min(share).min(left);
        let got = if room == 0 { Vec::new() } else { take_of(tx, claim, key, room).await? };
        let number = count(&got);
        progress |= keys::settle(tx, &claim.rules, key, number).await?;
        left -= number;
        taken.extend(got);
    }
    Ok(progress)
}

/// Claims up to so many items of a key, the oldest first.
async fn take_of(tx: &mut Tx, claim: &Claim, key: &Scheduled, limit: u32) -> Result<Vec<(QueueItemId, String)>> {
    let now = tx.now();
    let mut got: Vec<(QueueItemId, String)> = tx
        .query(TABLE.claim.skipping(tx.engine()))
        .bind(claim.rules.name.as_str())
        .bind(limit)
        .bind(claim.token.as_str())
        .bind(now.plus(claim.rules.lease))
        .bind(now)
        .bind(ItemStatus::Leased)
        .bind(key.key.as_str())
        .bind(key.priority)
        .fetch_all()
        .await?;
    got.sort_unstable();
    Ok(got)
}

/// The items, in the order in which they were taken.
async fn claimed(tx: &mut Tx, taken: Vec<(QueueItemId, String)>) -> Result<Vec<ClaimedItem>> {
    if taken.is_empty() {
        return Ok(Vec::new());
    }
    let ids: Vec<_> = taken.iter().map(|(id, _)| *id).collect();
    let found = items::by_ids(tx, &ids).await?;
    let mut found: HashMap<QueueItemId, QueueItem> = found.into_iter().map(|item| (item.id, item)).collect();
    let claimed = taken.into_iter().filter_map(|(id, token)| found.remove(&id).map(|item| ClaimedItem { item, token }));
    Ok(claimed.collect())
}

fn count<T>(items: &[T]) -> u32 {
    u32::try_from(items.len()).unwrap_or(u32::MAX)
}
