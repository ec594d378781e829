//! Claiming of items by a worker.
//!
//! A claim first makes items available that have become due, whose lease has expired, or whose key may
//! continue. Then it serves the keys whose turn it is, at the highest pending priority, and takes an equal
//! share of each.

use super::changes::Changes;
use super::keys::{self, Scheduled, Served};
use super::model::ClaimedItem;
use super::rules::QueueRules;
use super::{expiry, items};
use crate::error::Result;
use crate::store::db::Tx;

/// Maximum number of items and keys that one claim makes available.
const BATCH: u32 = 1000;
/// Maximum number of passes over the keys in one claim.
const PASSES: u32 = 100;

/// The parameters of a claim.
#[derive(Debug, Clone)]
pub(super) struct Claim {
    pub(super) rules: QueueRules,
    pub(super) limit: u32,
    /// The beginning of the keys that are left out; empty for none.
    pub(super) without: String,
    pub(super) token: String,
}

/// The result of a claim.
#[derive(Debug, Default)]
pub(super) struct ClaimResult {
    pub(super) items: Vec<ClaimedItem>,
    /// A key has the turn, but nothing could be claimed because another transaction holds it.
    pub(super) is_blocked: bool,
}

/// Claims available items without waiting for locks.
pub(super) async fn take(tx: &mut Tx, claim: &Claim) -> Result<ClaimResult> {
    make_available(tx, &claim.rules.name).await?;
    let (mut taken, mut is_blocked) = (Vec::new(), false);
    for _ in 0..PASSES {
        let left = claim.limit.saturating_sub(count(&taken));
        if left == 0 {
            break;
        }
        let text = keys::PICK.skipping(tx.engine());
        let keys = keys::pick(tx, &claim.rules.name, text, left, &claim.without).await?;
        if keys.is_empty() {
            break;
        }
        if !serve_keys(tx, claim, &keys, left, &mut taken).await? {
            is_blocked = true;
            break;
        }
    }
    Ok(ClaimResult { items: taken, is_blocked })
}

/// Claims from the key whose turn it is, and waits for its lock. This transaction holds no other lock
/// meanwhile, so no deadlock is possible.
pub(super) async fn take_waiting(tx: &mut Tx, claim: &Claim) -> Result<ClaimResult> {
    let Some(text) = keys::PICK.waiting(tx.engine()) else { return Ok(ClaimResult::default()) };
    let keys = keys::pick(tx, &claim.rules.name, text, 1, &claim.without).await?;
    let mut taken = Vec::new();
    let is_blocked = !keys.is_empty() && !serve_keys(tx, claim, &keys, claim.limit, &mut taken).await?;
    Ok(ClaimResult { items: taken, is_blocked })
}

/// Makes items and keys of this queue available: expired leases, items that are due, keys whose pause is
/// over.
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
    changes.publish(tx).await?;
    // Last, because it waits for no lock.
    if has_paused {
        keys::wake(tx, queue, BATCH).await?;
    }
    Ok(())
}

/// Serves these keys, which have the same priority. Returns whether the schedule changed.
async fn serve_keys(
    tx: &mut Tx,
    claim: &Claim,
    keys: &[Scheduled],
    wanted: u32,
    taken: &mut Vec<ClaimedItem>,
) -> Result<bool> {
    let share = wanted.div_ceil(u32::try_from(keys.len()).unwrap_or(u32::MAX).max(1));
    let (mut left, mut served, mut shares) = (wanted, Vec::new(), Vec::new());
    for (key, before) in keys.iter().zip(keys::capacities(tx, &claim.rules, keys).await?) {
        if left == 0 {
            break;
        }
        let items = before.items.min(share).min(left);
        if items > 0 {
            shares.push((key, items));
        }
        left -= items;
        served.push(Served { key, before, taken: 0 });
    }
    let mut got = items::claim(tx, claim, &shares).await?;
    for one in &mut served {
        let own: Vec<_> = got.extract_if(.., |claimed| claimed.item.key == one.key.key).collect();
        one.taken = count(&own);
        taken.extend(own);
    }
    keys::reschedule(tx, &claim.rules, &served).await
}

fn count<T>(items: &[T]) -> u32 {
    u32::try_from(items.len()).unwrap_or(u32::MAX)
}
