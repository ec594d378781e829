//! Expiry of leases: the worker for all tables with leases, and the handling of queue items.

use std::time::Duration;

use async_trait::async_trait;

use super::changes::Changes;
use super::items::{self, Overdue, TABLE};
use super::keys;
use super::model::{ItemStatus, QueueItem};
use crate::error::Result;
use crate::store::db::{Db, Tx};
use crate::store::workers::{Cadence, Progress, Worker};

/// Number of leases that one transaction ends.
pub(crate) const BATCH: u32 = 200;

/// The failure of a dead item whose workers never reported a result.
const NEVER_FINISHED: &str = "the lease ended before the worker said how it went";

/// A table whose rows are processed under leases.
#[async_trait]
pub(crate) trait Leased: Send + Sync {
    /// Ends expired leases, at most one batch. A lease never lasts longer than its duration, even if the
    /// clock is set back.
    async fn end_leases(&self, db: &Db) -> Result<Progress>;
}

/// The worker that ends expired leases.
pub(crate) struct LeaseExpiry {
    pub(crate) db: Db,
    pub(crate) tables: Vec<Box<dyn Leased>>,
}

#[async_trait]
impl Worker for LeaseExpiry {
    fn name(&self) -> &'static str {
        "lease_expiry"
    }

    fn cadence(&self) -> Cadence {
        Cadence::every(Duration::from_secs(5))
    }

    async fn run_once(&self) -> Result<Progress> {
        let mut progress = Progress::Done;
        for table in &self.tables {
            if table.end_leases(&self.db).await? == Progress::More {
                progress = Progress::More;
            }
        }
        Ok(progress)
    }
}

/// The leases of the items of all queues.
pub(crate) struct ItemLeases;

#[async_trait]
impl Leased for ItemLeases {
    async fn end_leases(&self, db: &Db) -> Result<Progress> {
        if db.read((), |tx, ()| Box::pin(is_any_ahead(tx))).await? {
            db.write((), |tx, ()| Box::pin(shorten(tx))).await?;
        }
        if !db.read((), |tx, ()| Box::pin(has_expired_lease(tx))).await? {
            return Ok(Progress::Done);
        }
        let ended = db.write((), |tx, ()| Box::pin(end_everywhere(tx))).await?;
        Ok(if ended == BATCH as usize { Progress::More } else { Progress::Done })
    }
}

/// Whether a lease, a delay or a pause begins in the future, because the clock was set back.
async fn is_any_ahead(tx: &mut Tx) -> Result<bool> {
    Ok(TABLE.is_any_ahead(tx).await? || items::is_any_ahead(tx).await? || keys::is_any_ahead(tx).await?)
}

/// Restarts such leases, delays and pauses at the current time.
async fn shorten(tx: &mut Tx) -> Result<()> {
    TABLE.shorten(tx).await?;
    items::shorten(tx).await?;
    keys::shorten(tx).await?;
    tx.note_queue();
    Ok(())
}

/// Whether any lease has expired. This read comes first, so that an idle hub writes nothing.
async fn has_expired_lease(tx: &mut Tx) -> Result<bool> {
    let now = tx.now();
    let over = tx.query(OVER).bind(now).fetch_optional::<(i64,)>();
    Ok(over.await?.is_some())
}

const OVER: &str = "
    SELECT id FROM queue_items WHERE status = 'leased' AND lease_expires_at <= $1 ORDER BY lease_expires_at LIMIT 1";

async fn end_everywhere(tx: &mut Tx) -> Result<usize> {
    let mut changes = Changes::default();
    let ended = end_leases(tx, "", &mut changes).await?;
    changes.publish(tx).await?;
    Ok(ended)
}

/// Ends the expired leases of a queue, or of all queues for an empty name: items with attempts left become
/// pending, the others dead. Returns the number of ended leases.
pub(super) async fn end_leases(tx: &mut Tx, queue: &str, changes: &mut Changes) -> Result<usize> {
    let mut overdue: Vec<Overdue> = TABLE.overdue(tx, queue.to_owned(), BATCH).await?;
    // Sorted by id, the order in which all transactions lock rows.
    overdue.sort_unstable_by_key(|item| item.id);
    let (mut back, mut dead) = (Vec::new(), Vec::new());
    for item in &overdue {
        changes.freed(&item.queue, &item.key);
        if item.attempts < item.max_attempts {
            changes.pending(&item.queue, &item.key, item.priority);
            back.push(item.id);
        } else {
            dead.push(item.id);
        }
    }
    TABLE.give_back(tx, &back).await?;
    TABLE.give_up(tx, &dead, NEVER_FINISHED).await?;
    Ok(overdue.len())
}

/// The statements over growing tables, for the test of query plans.
pub(super) const LISTED: &[(&str, &str)] = &[("queue.over", OVER)];

/// Whether an item is dead because no worker reported a result.
pub(super) fn is_never_finished(item: &QueueItem) -> bool {
    item.status == ItemStatus::Dead && item.failure.as_deref() == Some(NEVER_FINISHED)
}
