//! The public API of queues.

use std::sync::Arc;
use std::time::Duration;

use svc_macros::boxed_futures;

use super::changes::Changes;
use super::claim::{self, Claim, ClaimResult};
use super::items::{self, Reported, TABLE};
use super::model::{ClaimedItem, Enqueued, Failure, ItemStatus, NewItem, QueueItem, Report};
use super::rules::QueueRules;
use crate::clock::{Clock, Entropy, random_hex};
use crate::error::{Error, Result};
use crate::ids::QueueItemId;
use crate::limits;
use crate::page::checked_limit;
use crate::store::db::{Db, Engine, Tx};
use crate::timestamp::Timestamp;

/// Number of random bytes in a claim token.
const TOKEN_BYTES: usize = 16;

/// Opens queues on the hub's store.
#[derive(Clone)]
pub struct Queues {
    db: Db,
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
    holder: Arc<str>,
}

impl Queues {
    /// `holder` names this process. Its claim tokens begin with it, so that its leases can be ended when it dies.
    pub(crate) fn new(db: Db, clock: Arc<dyn Clock>, entropy: Arc<dyn Entropy>, holder: &str) -> Self {
        Self { db, clock, entropy, holder: holder.into() }
    }

    /// Opens a queue with these rules. Nothing is stored until an item is enqueued; processes that open a
    /// queue of the same name share it.
    pub fn open(&self, rules: QueueRules) -> Result<Queue> {
        rules.check()?;
        Ok(Queue { with: self.clone(), rules })
    }
}

/// A queue of durable work, processed by any number of workers in any number of processes.
///
/// ```
/// # async fn example(hub: svc_core::Hub) -> svc_core::Result<()> {
/// use serde_json::json;
/// use svc_core::queue::{Failure, NewItem, QueueRules};
///
/// let letters = hub.queues().open(QueueRules::new("letters").concurrency(1))?;
/// letters.enqueue(NewItem::new(json!({ "to": "ann" })).key("ann")).await?;
///
/// // A worker, of which there may be many.
/// loop {
///     for letter in letters.claim(10).await? {
///         match letter.item.payload["to"].as_str() {
///             Some(_) => letters.finish(&letter).await?,
///             None => drop(letters.fail(&letter, Failure::last("nobody to write to")).await?),
///         }
///     }
///     letters.wait().await?;
/// #   break;
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Queue {
    with: Queues,
    rules: QueueRules,
}

#[boxed_futures]
impl Queue {
    /// Its name.
    pub fn name(&self) -> &str {
        &self.rules.name
    }

    /// Enqueues an item.
    pub async fn enqueue(&self, item: NewItem) -> Result<Enqueued> {
        self.write(item, |queue, tx, item| queue.enqueue_in(tx, item)).await
    }

    /// Enqueues an item in the caller's transaction, so that it exists exactly if the transaction's other
    /// changes do.
    pub async fn enqueue_in(&self, tx: &mut Tx, item: &NewItem) -> Result<Enqueued> {
        let enqueued = self.enqueue_all_in(tx, std::slice::from_ref(item)).await?;
        enqueued.into_iter().next().ok_or_else(|| Error::internal("an item was not enqueued"))
    }

    /// Enqueues several items in the caller's transaction, with less work than one after another.
    pub async fn enqueue_all_in(&self, tx: &mut Tx, new: &[NewItem]) -> Result<Vec<Enqueued>> {
        let mut changes = Changes::default();
        let mut all = Vec::with_capacity(new.len());
        for item in new {
            let payload = item.check()?;
            let attempts = item.attempts.unwrap_or(self.rules.attempts);
            let enqueued = items::insert(tx, &self.rules.name, item, payload, attempts).await?;
            if enqueued.new {
                tx.note_queue();
                if item.delay.is_zero() {
                    changes.pending(&self.rules.name, &item.key, item.priority);
                }
            }
            all.push(enqueued);
        }
        changes.publish(tx).await?;
        Ok(all)
    }

    /// Claims up to `limit` items, 1 to 50, for the duration of the queue's lease: highest priority first;
    /// among items of the same priority the keys take turns. Returns an empty list at once when there is
    /// nothing to claim.
    pub async fn claim(&self, limit: u32) -> Result<Vec<ClaimedItem>> {
        self.claim_without(limit, "").await
    }

    /// Claims items as [`Queue::claim`] does, except those whose key begins with this text, unless it is empty.
    pub async fn claim_without(&self, limit: u32, group: &str) -> Result<Vec<ClaimedItem>> {
        if !(1..=limits::CLAIM_MAX).contains(&limit) {
            return Err(Error::invalid("limit", format!("must be 1 to {}", limits::CLAIM_MAX)));
        }
        let token = items::token(&self.with.holder, &random_hex(self.with.entropy.as_ref(), TOKEN_BYTES));
        let claim = Claim { rules: self.rules.clone(), limit, without: group.to_owned(), token };
        let db = &self.with.db;
        let mut taken: ClaimResult = db.write(claim.clone(), |tx, claim| Box::pin(claim::take(tx, claim))).await?;
        if taken.items.is_empty() && db.engine() == Engine::Postgres {
            taken = db.write(claim, |tx, claim| Box::pin(claim::take_waiting(tx, claim))).await?;
        }
        if taken.items.is_empty() && taken.is_blocked {
            // The transaction that holds the key ends in a moment; an immediate retry would fail again.
            tokio::time::sleep(limits::QUEUE_BLOCKED_PAUSE).await;
        }
        Ok(taken.items)
    }

    /// Renews the lease of an item, from now on. A worker that takes longer than a lease calls this
    /// regularly. Fails with `lease_lost` when the lease has expired.
    pub async fn renew(&self, claimed: &ClaimedItem) -> Result<()> {
        self.write(claimed.clone(), |queue, tx, claimed| queue.renew_in(tx, claimed)).await
    }

    /// Renews the lease of an item in the caller's transaction. See [`Queue::renew`].
    pub async fn renew_in(&self, tx: &mut Tx, claimed: &ClaimedItem) -> Result<()> {
        self.held(tx, claimed).await?;
        tx.note_queue();
        TABLE.renew(tx, claimed.item.id, self.rules.lease).await
    }

    /// Finishes an item. Repeating the call changes nothing. Fails with `lease_lost` when the lease has
    /// expired: another worker may have the item.
    pub async fn finish(&self, claimed: &ClaimedItem) -> Result<()> {
        self.write(claimed.clone(), |queue, tx, claimed| queue.finish_in(tx, claimed)).await
    }

    /// Finishes an item in the caller's transaction, so that the worker's own writes happen exactly once: a
    /// worker whose lease has expired writes nothing.
    pub async fn finish_in(&self, tx: &mut Tx, claimed: &ClaimedItem) -> Result<()> {
        if !TABLE.finish_claim(tx, claimed.item.id, &claimed.token).await? {
            return self.said_before(tx, claimed, ItemStatus::Done).await;
        }
        self.freed(tx, &claimed.item.key).await
    }

    /// Reports a failed attempt: the item waits for the next one, or is dead after the last. Fails with
    /// `lease_lost` when the lease has expired.
    pub async fn fail(&self, claimed: &ClaimedItem, failure: Failure) -> Result<ItemStatus> {
        let delay = self.rules.backoff.delay(claimed.item.attempts, self.with.entropy.as_ref());
        self.write((claimed.clone(), failure, delay), |queue, tx, (claimed, failure, delay)| {
            Box::pin(queue.fail_after(tx, claimed, failure, *delay))
        })
        .await
    }

    /// Reports a failed attempt in the caller's transaction. See [`Queue::fail`].
    pub async fn fail_in(&self, tx: &mut Tx, claimed: &ClaimedItem, failure: &Failure) -> Result<ItemStatus> {
        let delay = self.rules.backoff.delay(claimed.item.attempts, self.with.entropy.as_ref());
        self.fail_after(tx, claimed, failure, delay).await
    }

    async fn fail_after(
        &self,
        tx: &mut Tx,
        claimed: &ClaimedItem,
        failure: &Failure,
        delay: Duration,
    ) -> Result<ItemStatus> {
        let item = &claimed.item;
        if !TABLE.hold_claim(tx, item.id, &claimed.token).await? {
            self.said_before(tx, claimed, ItemStatus::Dead).await?;
            return Ok(ItemStatus::Dead);
        }
        let status = if failure.is_final || item.attempts >= item.max_attempts {
            TABLE.give_up(tx, &[item.id], &failure.reason).await?;
            ItemStatus::Dead
        } else {
            let at = tx.now().plus(delay.max(failure.least_delay));
            items::retry_at(tx, item.id, at, &failure.reason).await?;
            ItemStatus::Waiting
        };
        self.freed(tx, &item.key).await?;
        Ok(status)
    }

    /// Releases an item without counting an attempt. Fails with `lease_lost` when the lease has expired.
    pub async fn release(&self, claimed: &ClaimedItem) -> Result<()> {
        self.write(claimed.clone(), |queue, tx, claimed| {
            Box::pin(async move {
                queue.held(tx, claimed).await?;
                let item = &claimed.item;
                TABLE.give_back(tx, &[item.id]).await?;
                TABLE.uncount(tx, item.id).await?;
                let mut changes = Changes::default();
                changes.pending(&queue.rules.name, &item.key, item.priority);
                changes.freed(&queue.rules.name, &item.key);
                changes.publish(tx).await
            })
        })
        .await
    }

    /// Ends items that no worker holds, in the caller's transaction. Returns those that were ended: the others are
    /// leased or have ended already.
    pub async fn cancel_in(&self, tx: &mut Tx, ids: &[QueueItemId]) -> Result<Vec<QueueItemId>> {
        // A key that has no more items leaves the schedule at its next turn.
        items::cancel(tx, &self.rules.name, ids).await
    }

    /// Returns an item.
    pub async fn get(&self, id: QueueItemId) -> Result<QueueItem> {
        let name = self.rules.name.clone();
        let find = self.with.db.read((name, id), |tx, (name, id)| Box::pin(items::find(tx, name, *id)));
        find.await?.ok_or_else(|| Error::not_found("item"))
    }

    /// Lists dead items, newest first, 50 by default; `before` is the last item of the previous page.
    pub async fn dead(&self, before: Option<QueueItemId>, limit: Option<u32>) -> Result<Vec<QueueItem>> {
        let limit = checked_limit(limit.map(i64::from))?;
        let before = before.unwrap_or(QueueItemId(i64::MAX));
        let input = (self.rules.name.clone(), before, limit);
        let list =
            self.with.db.read(input, |tx, (name, before, limit)| Box::pin(items::dead(tx, name, *before, *limit)));
        list.await
    }

    /// Retries a dead item with all its attempts. Fails with `not_dead` when it is not dead, with
    /// `already_queued` when another unfinished item has its `dedupe` value.
    pub async fn retry(&self, id: QueueItemId) -> Result<()> {
        self.write(id, |queue, tx, id| {
            Box::pin(async move {
                queue.retriable(tx, *id).await?;
                TABLE.hold(tx, *id).await?;
                let item = queue.retriable(tx, *id).await?;
                TABLE.revive(tx, *id).await?;
                queue.pending(tx, &item.key, item.priority).await
            })
        })
        .await
    }

    /// Waits until there may be an item to claim: work that was enqueued or released by this or another
    /// process, became due, or whose lease expired. Work of a node whose notification was lost is noticed
    /// within a second.
    pub async fn wait(&self) -> Result<()> {
        self.wait_without("").await
    }

    /// Waits as [`Queue::wait`] does, for items that [`Queue::claim_without`] would return.
    pub async fn wait_without(&self, group: &str) -> Result<()> {
        let mut commits = self.with.db.queue_commits();
        loop {
            commits.mark_unchanged();
            let input = (self.rules.name.clone(), group.to_owned());
            let next =
                self.with.db.read(input, |tx, (name, group)| Box::pin(items::next_change(tx, name, group))).await?;
            let now = self.with.clock.now();
            if next.is_some_and(|next| next <= now) {
                return Ok(());
            }
            let pause = next.map_or(limits::QUEUE_POLL, |next| next.since(now).min(limits::QUEUE_POLL));
            // It ends by the timeout or by a notification; the notifier lives as long as the store.
            drop(tokio::time::timeout(pause, commits.changed()).await);
        }
    }

    async fn retriable(&self, tx: &mut Tx, id: QueueItemId) -> Result<QueueItem> {
        let item = items::find(tx, &self.rules.name, id).await?.ok_or_else(|| Error::not_found("item"))?;
        if item.status != ItemStatus::Dead {
            let message = format!("Item {id} is {}: only a dead item can be retried.", item.status);
            return Err(Error::conflict("not_dead", message));
        }
        if let Some(dedupe) = &item.dedupe
            && let Some(other) = items::deduped(tx, &self.rules.name, dedupe).await?
        {
            let message = format!("Item {id} cannot be retried: the unfinished item {other} has its `dedupe` value.");
            return Err(Error::conflict("already_queued", message));
        }
        Ok(item)
    }

    /// Locks an item for this transaction if its lease is still valid.
    async fn held(&self, tx: &mut Tx, claimed: &ClaimedItem) -> Result<()> {
        if TABLE.hold_claim(tx, claimed.item.id, &claimed.token).await? { Ok(()) } else { Err(lease_lost()) }
    }

    /// Accepts a repeated report of a worker whose first response was lost.
    async fn said_before(&self, tx: &mut Tx, claimed: &ClaimedItem, ending: ItemStatus) -> Result<()> {
        let id = claimed.item.id;
        let now = items::find(tx, &self.rules.name, id).await?;
        let is_last = items::last_claim(tx, id).await?.as_deref() == Some(&claimed.token);
        match now {
            Some(item) if is_last && item.status == ending && !super::expiry::is_never_finished(&item) => Ok(()),
            _ => Err(lease_lost()),
        }
    }

    async fn pending(&self, tx: &mut Tx, key: &str, priority: u32) -> Result<()> {
        let mut changes = Changes::default();
        changes.pending(&self.rules.name, key, priority);
        changes.publish(tx).await
    }

    async fn freed(&self, tx: &mut Tx, key: &str) -> Result<()> {
        let mut changes = Changes::default();
        changes.freed(&self.rules.name, key);
        changes.publish(tx).await
    }
}

impl Queue {
    /// Reports the ends of several attempts in the caller's transaction, with less work than one after another.
    /// Returns for each whether its lease was valid; a report whose lease has expired changes nothing.
    pub(crate) async fn report_all_in(&self, tx: &mut Tx, reports: &[(&ClaimedItem, Report)]) -> Result<Vec<bool>> {
        let now = tx.now();
        let rows: Vec<_> = reports.iter().map(|(claimed, report)| self.reported(claimed, report, now)).collect();
        let held = items::report(tx, &rows).await?;
        let mut changes = Changes::default();
        let is_held = |claimed: &ClaimedItem| held.contains(&claimed.token);
        for (claimed, _) in reports.iter().filter(|(claimed, _)| is_held(claimed)) {
            changes.freed(&self.rules.name, &claimed.item.key);
        }
        changes.publish(tx).await?;
        Ok(reports.iter().map(|(claimed, _)| is_held(claimed)).collect())
    }

    /// The next state of an item whose attempt has ended.
    fn reported<'i>(&self, claimed: &'i ClaimedItem, report: &'i Report, now: Timestamp) -> Reported<'i> {
        let ClaimedItem { item, token } = claimed;
        let (status, due_at, failure) = match report {
            Report::Finished => (ItemStatus::Done, None, None),
            Report::Failed(failure) if failure.is_final || item.attempts >= item.max_attempts => {
                (ItemStatus::Dead, None, Some(failure.reason.as_str()))
            }
            Report::Failed(failure) => {
                let delay = self.rules.backoff.delay(item.attempts, self.with.entropy.as_ref());
                let at = now.plus(delay.max(failure.least_delay));
                (ItemStatus::Waiting, Some(at), Some(failure.reason.as_str()))
            }
        };
        Reported { id: item.id, token, status, due_at, failure }
    }

    /// Runs a write transaction with access to the queue.
    async fn write<I, T, F>(&self, input: I, work: F) -> Result<T>
    where
        I: Send + Sync + 'static,
        T: Send + 'static,
        F: for<'t> Fn(&'t Self, &'t mut Tx, &'t I) -> crate::store::db::Work<'t, T> + Send + Sync + 'static,
    {
        self.with.db.write((self.clone(), input), move |tx, (queue, input)| work(queue, tx, input)).await
    }
}

fn lease_lost() -> Error {
    Error::conflict("lease_lost", "The lease of this item has expired and another worker may have it: drop the work.")
}
