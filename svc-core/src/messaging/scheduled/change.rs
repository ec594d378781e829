//! Changing and deleting a scheduled message.

use svc_macros::boxed_futures;
use svc_model::auth::Permission;
use svc_model::messages::NewMessage;
use svc_model::scheduled::{ScheduledMessage, ScheduledMessageUpdate, ScheduledStatus};

use super::create::{check_time, require_room};
use super::service::{Scheduled, already_sent, author, reader, record};
use super::store::{self, Change, Reader, ScheduledRow};
use crate::error::{Error, ErrorKind, Result};
use crate::identity::auth::Caller;
use crate::identity::users;
use crate::ids::{ParticipantId, ScheduledMessageId};
use crate::messaging::messages::{self, Party};
use crate::store::db::Tx;

struct Request {
    caller: Caller,
    by: Party,
    reader: Reader,
    id: ScheduledMessageId,
    update: ScheduledMessageUpdate,
}

#[boxed_futures]
impl Scheduled {
    /// Changes the text or the time of a scheduled message, for its author. One that was refused waits again when it
    /// gets a time.
    pub async fn update(
        &self,
        caller: &Caller,
        id: ScheduledMessageId,
        update: ScheduledMessageUpdate,
    ) -> Result<ScheduledMessage> {
        let (by, _) = author(caller)?;
        let request = Request { caller: caller.clone(), by, reader: reader(caller)?, id, update };
        self.db.write(request, |tx, request| Box::pin(change(tx, request))).await
    }

    /// Deletes a scheduled message that was not sent, for its author and their human.
    pub async fn delete(&self, caller: &Caller, id: ScheduledMessageId) -> Result<()> {
        caller.require(Permission::Write)?;
        self.db
            .write((reader(caller)?, id), |tx, (reader, id)| {
                Box::pin(async move {
                    let row = unsent(tx, *reader, *id).await?;
                    store::delete(tx, row.id).await?;
                    record(tx, &row, None).await
                })
            })
            .await
    }
}

async fn change(tx: &mut Tx, request: &Request) -> Result<ScheduledMessage> {
    let Request { caller, by, reader, id, update } = request;
    let seen = store::find(tx, *reader, *id).await?;
    require_author(by.id, &seen)?;
    if let Some(send_at) = update.send_at {
        check_time(tx.now(), send_at)?;
    }
    if let Some(body) = &update.body {
        messages::check(caller, NewMessage { body: body.clone(), ..seen.message() })?;
    }
    // The account is locked before the scheduled message, because one that was refused may wait again.
    users::store::hold(tx, seen.owner_id).await?;
    let row = unsent(tx, *reader, *id).await?;
    let waits_again = update.send_at.is_some() && row.status == ScheduledStatus::Failed;
    if waits_again {
        require_room(tx, row.owner_id).await?;
    }
    let change = Change {
        body: update.body.as_deref().unwrap_or(&row.body),
        send_at: update.send_at.unwrap_or(row.send_at),
        credential: caller.credential(),
        depth: messages::depth_of_cause(tx, by, caller.depth()).await?.max(row.depth),
        waits: waits_again || row.status == ScheduledStatus::Waiting,
    };
    store::update(tx, row.id, &change).await?;
    let row = store::by_id(tx, row.id).await?.ok_or_else(|| Error::not_found("scheduled message"))?;
    record(tx, &row, Some(row.status)).await?;
    Ok(row.into())
}

/// A scheduled message that was not sent, locked for this transaction.
pub(super) async fn unsent(tx: &mut Tx, reader: Reader, id: ScheduledMessageId) -> Result<ScheduledRow> {
    store::find(tx, reader, id).await?;
    store::hold(tx, id).await?;
    let row = store::find(tx, reader, id).await?;
    if row.status == ScheduledStatus::Sent {
        return Err(already_sent());
    }
    Ok(row)
}

/// Fails unless a participant wrote the message: nobody else speaks in their name.
pub(super) fn require_author(by: ParticipantId, row: &ScheduledRow) -> Result<()> {
    if row.author_id == by {
        return Ok(());
    }
    let message = format!("Only {}, who wrote this message, can change or send it. You can delete it.", row.author);
    Err(Error::new(ErrorKind::Forbidden, "not_author", message))
}
