//! Listing, retrying and acknowledging dead letters.

use std::collections::HashMap;
use std::sync::Arc;

use svc_macros::boxed_futures;
use svc_model::auth::Permission;
use svc_model::dead_letters::{DeadLetter, DeadLetterFilter, DeadLetterPage};
use svc_model::messages::Message;

use super::store::{self, ALL_OWNERS, Row};
use crate::error::{Error, ErrorKind, Result};
use crate::identity::auth::{Actor, Caller};
use crate::ids::{DeadLetterId, DeliveryId, MessageId, UserId};
use crate::messaging::messages;
use crate::store::db::{Db, Tx, Work};

/// Dead letters of a hub; see [`Hub::dead_letters`](crate::Hub::dead_letters).
#[derive(Clone)]
pub struct DeadLetters {
    db: Db,
    deliveries: Arc<dyn Redelivery>,
}

/// Sends deliveries again. Implemented by webhooks, which messaging cannot depend on.
pub(crate) trait Redelivery: Send + Sync {
    /// Queues a dead delivery again.
    fn redeliver<'t>(&'t self, tx: &'t mut Tx, delivery: DeliveryId) -> Work<'t, ()>;
}

#[boxed_futures]
impl DeadLetters {
    pub(crate) fn new(db: Db, deliveries: Arc<dyn Redelivery>) -> Self {
        Self { db, deliveries }
    }

    /// The dead letters of the caller, newest first.
    pub async fn list(&self, caller: &Caller, filter: DeadLetterFilter) -> Result<DeadLetterPage> {
        let owner = match owner(caller, Permission::Read)? {
            ALL_OWNERS => filter.owner.unwrap_or(ALL_OWNERS),
            own => own,
        };
        if let (Some(since), Some(until)) = (filter.since, filter.until)
            && since >= until
        {
            return Err(Error::invalid("until", "must be after since"));
        }
        self.db
            .read((owner, filter), |tx, (owner, filter)| {
                Box::pin(async move {
                    let rows = store::list(tx, *owner, filter).await?;
                    let total = store::count(tx, *owner, filter).await?;
                    Ok(DeadLetterPage { dead_letters: complete(tx, rows).await?, total })
                })
            })
            .await
    }

    /// One dead letter of the caller.
    pub async fn get(&self, caller: &Caller, id: DeadLetterId) -> Result<DeadLetter> {
        let owner = owner(caller, Permission::Read)?;
        self.db.read((owner, id), |tx, (owner, id)| Box::pin(find_one(tx, *owner, *id))).await
    }

    /// Retries a message or a delivery: it becomes pending again, with its attempts reset.
    pub async fn retry(&self, caller: &Caller, id: DeadLetterId) -> Result<DeadLetter> {
        let owner = owner(caller, Permission::Write)?;
        let input = (self.deliveries.clone(), owner, id);
        self.db.write(input, |tx, (deliveries, owner, id)| Box::pin(retry(tx, deliveries.as_ref(), *owner, *id))).await
    }

    /// Acknowledges a dead letter. Repeating it changes nothing.
    pub async fn acknowledge(&self, caller: &Caller, id: DeadLetterId) -> Result<DeadLetter> {
        let owner = owner(caller, Permission::Write)?;
        self.db
            .write((owner, id), |tx, (owner, id)| {
                Box::pin(async move {
                    store::find(tx, *owner, *id).await?;
                    store::acknowledge(tx, *id).await?;
                    find_one(tx, *owner, *id).await
                })
            })
            .await
    }
}

/// The owner whose dead letters a caller sees: a human their own, the admin socket all.
fn owner(caller: &Caller, permission: Permission) -> Result<UserId> {
    caller.require(permission)?;
    caller.require_direct()?;
    match caller.actor() {
        Actor::Root => Ok(ALL_OWNERS),
        Actor::User(user) => Ok(user.id),
        Actor::Agent(_) => Err(Error::new(
            ErrorKind::Forbidden,
            "owner_required",
            "Only the owner of an agent can see its dead letters. Use a login or a key of the owner.",
        )),
    }
}

async fn retry(tx: &mut Tx, deliveries: &dyn Redelivery, owner: UserId, id: DeadLetterId) -> Result<DeadLetter> {
    // Checked before anything is locked, and again under the lock.
    retriable(&store::find(tx, owner, id).await?)?;
    store::hold(tx, id).await?;
    match retriable(&store::find(tx, owner, id).await?)? {
        Failed::Message(message) => messages::revive(tx, message).await?,
        Failed::Delivery(delivery) => deliveries.redeliver(tx, delivery).await?,
    }
    store::note_retry(tx, id).await?;
    find_one(tx, owner, id).await
}

/// The subject of a dead letter: a message or a webhook delivery.
#[derive(Debug, Clone, Copy)]
enum Failed {
    Message(MessageId),
    Delivery(DeliveryId),
}

/// The subject of a dead letter; an error when it cannot be retried.
fn retriable(row: &Row) -> Result<Failed> {
    if row.retried_at.is_some() {
        return Err(Error::conflict(
            "already_retried",
            "This has already been retried. If it failed again, there is a newer dead letter.",
        ));
    }
    if row.gone_at.is_some() {
        return Err(Error::conflict(
            "recipient_gone",
            "The recipient has been deleted. Send the message to another participant.",
        ));
    }
    match (row.delivery_id, row.message_id) {
        (Some(delivery), _) => Ok(Failed::Delivery(delivery)),
        (None, Some(message)) => Ok(Failed::Message(message)),
        (None, None) => Err(Error::not_found("message")),
    }
}

async fn find_one(tx: &mut Tx, owner: UserId, id: DeadLetterId) -> Result<DeadLetter> {
    let row = store::find(tx, owner, id).await?;
    complete(tx, vec![row]).await?.pop().ok_or_else(|| Error::internal("the dead letter was not loaded"))
}

/// Dead letters with their messages.
async fn complete(tx: &mut Tx, rows: Vec<Row>) -> Result<Vec<DeadLetter>> {
    let ids: Vec<MessageId> = rows.iter().filter_map(|row| row.message_id).collect();
    let found = messages::store::by_ids(tx, &ids).await?;
    // A message that failed again after a retry has two dead letters.
    let found: HashMap<MessageId, Message> =
        messages::store::complete(tx, found).await?.into_iter().map(|message| (message.id, message)).collect();
    Ok(rows
        .into_iter()
        .map(|row| DeadLetter {
            id: row.id,
            kind: row.kind,
            participant: row.participant,
            message: row.message_id.and_then(|id| found.get(&id).cloned()),
            delivery_id: row.delivery_id,
            reason: row.reason,
            attempts: row.attempts,
            created_at: row.created_at,
            acknowledged_at: row.acknowledged_at,
            retried_at: row.retried_at,
        })
        .collect())
}
