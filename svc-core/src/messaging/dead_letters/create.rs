//! Creating dead letters from failed messages and deliveries.

use svc_model::events::{DeadLettersAdded, EventBody};

use super::store;
use crate::error::Result;
use crate::ids::{DeliveryId, MessageId, ParticipantId, UserId};
use crate::messaging::messages::{changed, non_delivery};
use crate::store::db::{Db, Tx};

/// The failure reason of messages to a deleted agent.
const AGENT_DELETED: &str = "agent deleted";

/// Creates dead letters for direct messages that have just failed, records their events and
/// notifies their authors.
pub(crate) async fn create(tx: &mut Tx, ids: &[MessageId]) -> Result<()> {
    for message in changed::record(tx, ids).await? {
        let reason = message.failure.as_deref().unwrap_or_default();
        if let Some(owner) = message.recipient_owner_id {
            store::insert(tx, owner, message.recipient_id, message.id, reason, message.attempts).await?;
            record_added(tx, owner, message.recipient_id, 1).await?;
        }
    }
    non_delivery::notify(tx, ids).await
}

/// Fails all pending and claimed messages of a deleted participant. There may be very many, so a
/// single statement fails all of them, and a worker notifies the authors afterwards in batches.
pub(crate) async fn abandon(tx: &mut Tx, participant: ParticipantId, owner: UserId) -> Result<()> {
    let ended = store::fail_all(tx, participant, AGENT_DELETED).await?;
    if ended == 0 {
        return Ok(());
    }
    store::insert_all(tx, participant, AGENT_DELETED).await?;
    record_added(tx, owner, participant, ended).await
}

/// Fails messages that were sent to an agent while it was being deleted. The send saw the agent,
/// and the deletion did not see the message. A later scan finds them, so that a send does not have
/// to lock its recipient.
pub(crate) async fn abandon_late(db: &Db) -> Result<()> {
    let deleted = db.read((), |tx, ()| Box::pin(store::deleted_with_pending(tx))).await?;
    if deleted.is_empty() {
        return Ok(());
    }
    db.write(deleted, |tx, deleted| {
        Box::pin(async move {
            for (participant, owner) in deleted {
                abandon(tx, *participant, *owner).await?;
            }
            Ok(())
        })
    })
    .await
}

/// Creates a dead letter for a delivery to a webhook of an agent.
pub(crate) async fn create_for_delivery(
    tx: &mut Tx,
    owner: UserId,
    agent: ParticipantId,
    delivery: DeliveryId,
    reason: &str,
    attempts: i64,
) -> Result<()> {
    store::insert_delivery(tx, owner, agent, delivery, reason, attempts).await?;
    record_added(tx, owner, agent, 1).await
}

/// Records that the dead letters of a delivery were retried.
pub(crate) async fn note_redelivery(tx: &mut Tx, delivery: DeliveryId) -> Result<()> {
    store::note_redelivery(tx, delivery).await
}

async fn record_added(tx: &mut Tx, owner: UserId, participant: ParticipantId, count: u64) -> Result<()> {
    let added = DeadLettersAdded { owner_id: owner, participant_id: participant, count };
    tx.record(EventBody::DeadLettersAdded(added)).await?;
    Ok(())
}
