//! Ended leases: the message becomes pending again or, after too many attempts, a dead letter.

use async_trait::async_trait;
use svc_model::messages::MessageStatus;

use super::changed;
use super::lifecycle::{Transition, next};
use super::store::leases::TABLE;
use crate::error::Result;
use crate::ids::{MessageId, ParticipantId};
use crate::messaging::dead_letters;
use crate::store::db::{Db, Tx};
use crate::store::queue::expiry::{BATCH, Leased};
use crate::store::workers::Progress;

/// The failure reason that the hub sets when the attempts are exhausted.
pub(super) const EXHAUSTED: &str = "claimed again and again, and never finished in time";

/// The direct messages of all participants, for the worker that ends leases.
pub(crate) struct MessageLeases;

#[async_trait]
impl Leased for MessageLeases {
    async fn end_leases(&self, db: &Db) -> Result<Progress> {
        if db.read((), |tx, ()| Box::pin(TABLE.is_any_ahead(tx))).await? {
            db.write((), |tx, ()| Box::pin(TABLE.shorten(tx))).await?;
        }
        let ended = db.write((), |tx, ()| Box::pin(put_back(tx, None))).await?;
        dead_letters::abandon_late(db).await?;
        Ok(if ended == BATCH as usize { Progress::More } else { Progress::Done })
    }
}

/// Ends expired leases of one recipient or of all. Returns their number.
pub(super) async fn put_back(tx: &mut Tx, recipient: Option<ParticipantId>) -> Result<usize> {
    let recipient = recipient.unwrap_or(ParticipantId(0));
    let mut overdue: Vec<(MessageId, i64)> = TABLE.overdue(tx, recipient, BATCH).await?;
    // Ordered by id, the lock order of every operation on several messages.
    overdue.sort_unstable();
    let (mut back, mut failed) = (Vec::new(), Vec::new());
    for (id, attempts) in &overdue {
        match next(MessageStatus::Processing, Transition::LeaseEnded { attempts: *attempts })? {
            MessageStatus::Failed => failed.push(*id),
            _ => back.push(*id),
        }
    }
    TABLE.give_back(tx, &back).await?;
    changed::record(tx, &back).await?;
    TABLE.give_up(tx, &failed, EXHAUSTED).await?;
    dead_letters::create(tx, &failed).await?;
    Ok(overdue.len())
}
