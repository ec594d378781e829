//! Sending a scheduled message: by its author at once, or by the hub at its time.

use svc_macros::boxed_futures;
use svc_model::messages::Message;
use svc_model::scheduled::ScheduledStatus;

use super::author::caller_of;
use super::change::{require_author, unsent};
use super::service::{Scheduled, author, reader, record};
use super::store::{self, Reader, ScheduledRow};
use crate::error::{Error, ErrorKind, Result};
use crate::identity::auth::Caller;
use crate::ids::{MessageId, ParticipantId, ScheduledMessageId};
use crate::limits;
use crate::messaging::messages;
use crate::messaging::messages::viewer::Viewer;
use crate::store::db::Tx;
use crate::store::idempotency::Once;
use crate::timestamp::Timestamp;

struct Request {
    caller: Caller,
    by: ParticipantId,
    reader: Reader,
    id: ScheduledMessageId,
}

/// A refusal to be recorded, unless the scheduled message has changed since.
struct Refusal {
    id: ScheduledMessageId,
    seen_at: Timestamp,
    code: &'static str,
    reason: String,
}

#[boxed_futures]
impl Scheduled {
    /// Sends a scheduled message at once, for its author. An error leaves it as it is.
    pub async fn send(&self, caller: &Caller, id: ScheduledMessageId) -> Result<Message> {
        let key = caller.idempotency("scheduled.send", &id)?;
        let (by, _) = author(caller)?;
        let request = Request { caller: caller.clone(), by: by.id, reader: reader(caller)?, id };
        let admitted = self.quotas.admit(caller).await?;
        let sent = self.db.write_once(key, request, |tx, request| Box::pin(send_now(tx, request))).await;
        admitted.ended(sent.as_ref().is_ok_and(|sent| !sent.replayed));
        sent.map(Once::into_value)
    }

    /// Sends a scheduled message whose time has come, or records why it was refused. Nothing happens when another
    /// process has done that already.
    pub(super) async fn deliver(&self, id: ScheduledMessageId) -> Result<()> {
        let due = self.db.read(id, |tx, id| {
            Box::pin(async move {
                let found = due(tx, *id).await?;
                Ok(found.map(|(row, caller)| (row, caller, tx.now())))
            })
        });
        let Some((row, caller, now)) = due.await? else { return Ok(()) };
        let sent = match caller {
            Ok(caller) => self.send_as(&caller, id).await,
            Err(refusal) => Err(refusal),
        };
        match sent {
            Ok(()) => Ok(()),
            Err(error) if may_pass(&error, &row, now) => Err(error),
            Err(error) => {
                let refusal = Refusal { id, seen_at: row.updated_at, code: error.code(), reason: reason(&error) };
                self.db.write(refusal, |tx, refusal| Box::pin(refuse(tx, refusal))).await
            }
        }
    }

    async fn send_as(&self, caller: &Caller, id: ScheduledMessageId) -> Result<()> {
        let admitted = self.quotas.admit(caller).await?;
        let sent = self.db.write(id, |tx, id| Box::pin(send_due(tx, *id))).await;
        admitted.ended(sent.as_ref().is_ok_and(|sent| *sent));
        sent.map(drop)
    }
}

/// Whether the next round tries again. A defect that stays is recorded, so that one message does not slow down the
/// others for ever.
fn may_pass(error: &Error, row: &ScheduledRow, now: Timestamp) -> bool {
    match error.kind() {
        ErrorKind::Unavailable => true,
        ErrorKind::Internal => now.since(row.send_at) < limits::SCHEDULED_PATIENCE,
        _ => false,
    }
}

/// A scheduled message that is due, with its author as the caller.
async fn due(tx: &mut Tx, id: ScheduledMessageId) -> Result<Option<(ScheduledRow, Result<Caller>)>> {
    let Some(row) = store::by_id(tx, id).await?.filter(|row| is_due(row, tx.now())) else { return Ok(None) };
    let author = store::author(tx, id).await?;
    Ok(author.map(|author| (row, caller_of(author))))
}

fn is_due(row: &ScheduledRow, now: Timestamp) -> bool {
    row.status == ScheduledStatus::Waiting && row.send_at <= now
}

/// Sends a scheduled message if it is still due. Returns whether it was.
async fn send_due(tx: &mut Tx, id: ScheduledMessageId) -> Result<bool> {
    store::hold(tx, id).await?;
    let Some((row, caller)) = due(tx, id).await? else { return Ok(false) };
    send_row(tx, &caller?, &row).await?;
    Ok(true)
}

async fn send_now(tx: &mut Tx, request: &Request) -> Result<Message> {
    let Request { caller, by, reader, id } = request;
    let seen = store::find(tx, *reader, *id).await?;
    require_author(*by, &seen)?;
    let row = unsent(tx, *reader, *id).await?;
    let caller = caller.clone().at_depth(caller.depth().max(row.depth));
    let message = send_row(tx, &caller, &row).await?;
    let viewer = Viewer::of(&caller);
    let message = messages::store::visible(tx, &viewer, message).await?;
    messages::store::complete_one(tx, &viewer, message).await
}

/// Sends the message and marks the scheduled one, which is locked.
async fn send_row(tx: &mut Tx, caller: &Caller, row: &ScheduledRow) -> Result<MessageId> {
    let message = messages::answer(tx, caller, row.message()).await?;
    store::set_sent(tx, row.id, message).await?;
    record(tx, row, Some(ScheduledStatus::Sent)).await?;
    Ok(message)
}

async fn refuse(tx: &mut Tx, refusal: &Refusal) -> Result<()> {
    store::hold(tx, refusal.id).await?;
    let Some(row) = store::by_id(tx, refusal.id).await? else { return Ok(()) };
    if !is_due(&row, tx.now()) || row.updated_at != refusal.seen_at {
        return Ok(());
    }
    store::set_failed(tx, row.id, refusal.code, &refusal.reason).await?;
    record(tx, &row, Some(ScheduledStatus::Failed)).await
}

/// An error as a sentence for the author.
fn reason(error: &Error) -> String {
    match error.fields().first() {
        Some(fault) => format!("The field {} {}.", fault.field, fault.message),
        None => error.message().to_owned(),
    }
}
