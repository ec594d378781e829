//! Leases that have ended: the message goes back, or, tried often enough, becomes a dead letter.

use std::time::Duration;

use async_trait::async_trait;
use svc_model::messages::MessageStatus;

use super::lifecycle::{Happening, next};
use super::{changed, dialect};
use crate::error::Result;
use crate::ids::{MessageId, ParticipantId};
use crate::messaging::dead_letters;
use crate::store::db::{Db, Tx, placeholders};
use crate::store::workers::{Cadence, Progress, Worker};

/// Leases that are ended in one transaction.
const BATCH: u32 = 200;

/// Why the hub itself calls a message failed.
pub(super) const EXHAUSTED: &str = "claimed again and again, and never finished in time";

/// The worker that ends leases.
pub(crate) struct LeaseExpiry {
    pub(crate) db: Db,
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
        if self.db.read((), |tx, ()| Box::pin(is_any_ahead(tx))).await? {
            self.db.write((), |tx, ()| Box::pin(shorten(tx))).await?;
        }
        let ended = self.db.write((), |tx, ()| Box::pin(put_back(tx, None))).await?;
        dead_letters::abandon_late(&self.db).await?;
        Ok(if ended == BATCH as usize { Progress::More } else { Progress::Done })
    }
}

/// Whether a lease begins in the future, because the clock was set back since.
async fn is_any_ahead(tx: &mut Tx) -> Result<bool> {
    let now = tx.now();
    let ahead: Option<(MessageId,)> = tx.query(AHEAD).bind(now).fetch_optional().await?;
    Ok(ahead.is_some())
}

/// Has such leases begin now, as long as they were given for.
async fn shorten(tx: &mut Tx) -> Result<()> {
    let now = tx.now();
    tx.query(SHORTEN).bind(now).execute().await?;
    Ok(())
}

const AHEAD: &str = "
    SELECT id
      FROM messages
     WHERE status = 'processing' AND lease_expires_at > $1 AND updated_at > $1
     ORDER BY lease_expires_at DESC
     LIMIT 1";

/// A lease is given for the time from the last change of its message, by a claim or by a renewal.
const SHORTEN: &str = "
    UPDATE messages
       SET lease_expires_at = $1 + lease_expires_at - updated_at,
           claimed_at = CASE WHEN claimed_at > $1 THEN $1 ELSE claimed_at END,
           updated_at = $1
     WHERE status = 'processing' AND lease_expires_at IS NOT NULL AND updated_at > $1";

/// Ends the leases that are over, of one recipient or of all; tells how many.
pub(super) async fn put_back(tx: &mut Tx, recipient: Option<ParticipantId>) -> Result<usize> {
    let now = tx.now();
    let mut overdue: Vec<(MessageId, i64)> = tx
        .query(dialect::overdue(tx.engine()))
        .bind(now)
        .bind(recipient.unwrap_or(ParticipantId(0)))
        .bind(BATCH)
        .fetch_all()
        .await?;
    // By their ids, as everybody takes several messages.
    overdue.sort_unstable();
    let (mut back, mut failed) = (Vec::new(), Vec::new());
    for (id, attempts) in &overdue {
        match next(MessageStatus::Processing, Happening::LeaseEnded { attempts: *attempts })? {
            MessageStatus::Failed => failed.push(*id),
            _ => back.push(*id),
        }
    }
    give_back(tx, &back).await?;
    changed::tell(tx, &back).await?;
    fail(tx, &failed, EXHAUSTED).await?;
    dead_letters::bury(tx, &failed).await?;
    Ok(overdue.len())
}

/// Puts messages back among those that nobody works on.
pub(super) async fn give_back(tx: &mut Tx, ids: &[MessageId]) -> Result<()> {
    if ids.is_empty() {
        return Ok(());
    }
    let now = tx.now();
    let text = format!(
        "UPDATE messages
            SET status = 'pending', claim_token = NULL, claimed_by = NULL, lease_expires_at = NULL, claimed_at = NULL,
                updated_at = $1
          WHERE id IN ({})",
        placeholders(2, ids.len())
    );
    ids.iter().fold(tx.query(text).bind(now), |query, id| query.bind(*id)).execute().await?;
    Ok(())
}

/// Ends messages as failed.
pub(super) async fn fail(tx: &mut Tx, ids: &[MessageId], reason: &str) -> Result<()> {
    if ids.is_empty() {
        return Ok(());
    }
    let now = tx.now();
    let text = format!(
        "UPDATE messages
            SET status = 'failed', claim_token = NULL, claimed_by = NULL, lease_expires_at = NULL,
                finished_at = $1, failure = $2, updated_at = $1
          WHERE id IN ({})",
        placeholders(3, ids.len())
    );
    let query = tx.query(text).bind(now).bind(reason);
    ids.iter().fold(query, |query, id| query.bind(*id)).execute().await?;
    Ok(())
}

/// The statements over tables that grow, for the test that looks at their plans.
pub(super) const LISTED: [(&str, &str); 2] = [("claims.overdue", dialect::OVERDUE_SQLITE), ("claims.ahead", AHEAD)];
