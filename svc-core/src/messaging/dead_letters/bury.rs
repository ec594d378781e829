//! Making dead letters of messages that failed.

use svc_model::events::{DeadLettersAdded, EventBody};

use super::store;
use crate::error::Result;
use crate::ids::{MessageId, ParticipantId, UserId};
use crate::messaging::messages::{changed, non_delivery};
use crate::store::db::{Db, Tx};

/// Why the messages of a deleted agent have failed.
const AGENT_DELETED: &str = "agent deleted";

/// Makes dead letters of direct messages that have just failed, tells the log, and tells their authors.
pub(crate) async fn bury(tx: &mut Tx, ids: &[MessageId]) -> Result<()> {
    for message in changed::record(tx, ids).await? {
        let reason = message.failure.as_deref().unwrap_or_default();
        if let Some(owner) = message.recipient_owner_id {
            store::insert(tx, owner, message.recipient_id, message.id, reason, message.attempts).await?;
            added(tx, owner, message.recipient_id, 1).await?;
        }
    }
    non_delivery::notify(tx, ids).await
}

/// Ends everything that waits for a participant who is gone. There may be very many, so this is one
/// statement for all of them, and their authors are told afterwards, bit by bit, by a worker.
pub(crate) async fn abandon(tx: &mut Tx, participant: ParticipantId, owner: UserId) -> Result<()> {
    let ended = store::fail_all(tx, participant, AGENT_DELETED).await?;
    if ended == 0 {
        return Ok(());
    }
    store::insert_all(tx, participant, AGENT_DELETED).await?;
    added(tx, owner, participant, ended).await
}

/// Ends what was on its way to an agent in the moment in which it was deleted. Whoever sent it saw the
/// agent, and whoever deleted the agent did not see the message, so it is looked for afterwards: a send
/// need not take the agent for that.
pub(crate) async fn abandon_late(db: &Db) -> Result<()> {
    let waited_for = db.read((), |tx, ()| Box::pin(store::gone_and_waited_for(tx))).await?;
    if waited_for.is_empty() {
        return Ok(());
    }
    db.write(waited_for, |tx, waited_for| {
        Box::pin(async move {
            for (participant, owner) in waited_for {
                abandon(tx, *participant, *owner).await?;
            }
            Ok(())
        })
    })
    .await
}

async fn added(tx: &mut Tx, owner: UserId, participant: ParticipantId, count: u64) -> Result<()> {
    let added = DeadLettersAdded { owner_id: owner, participant_id: participant, count };
    tx.record(EventBody::DeadLettersAdded(added)).await?;
    Ok(())
}
