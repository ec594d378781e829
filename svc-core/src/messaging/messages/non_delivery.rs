//! Notifying authors that a message was not delivered, at most once for each message.

use std::time::Duration;

use async_trait::async_trait;
use serde_json::json;
use svc_model::messages::MessageStatus;
use svc_model::participants::ParticipantKind;

use super::expire::EXHAUSTED;
use super::store::undelivered::{self, ScannedMessage, Undelivered};
use super::system::{self, Statement};
use crate::error::Result;
use crate::ids::MessageId;
use crate::limits;
use crate::store::db::{Db, Tx};
use crate::store::workers::{Cadence, Progress, Worker, position};

/// The name of the worker and of its stored position.
const NAME: &str = "non_delivery";
/// Messages that are scanned in one transaction.
const SCAN: u32 = 1000;
/// Authors who are notified in one transaction.
const BATCH: u32 = 100;
/// The reason for a message that nobody has fetched, although nothing has failed.
const NEVER_OFFERED: &str = "the recipient has not fetched it within 24 hours";

/// The worker that notifies authors.
pub(crate) struct NonDelivery {
    pub(crate) db: Db,
}

#[async_trait]
impl Worker for NonDelivery {
    fn name(&self) -> &'static str {
        NAME
    }

    fn cadence(&self) -> Cadence {
        Cadence::every(Duration::from_secs(30))
    }

    async fn run_once(&self) -> Result<Progress> {
        let notified = self.db.write((), |tx, ()| Box::pin(notify_failed(tx))).await?;
        let scanned = self.db.write((), |tx, ()| Box::pin(notify_never_offered(tx))).await?;
        Ok(if notified == BATCH as usize || scanned == SCAN as usize { Progress::More } else { Progress::Done })
    }
}

async fn notify_failed(tx: &mut Tx) -> Result<usize> {
    let ids = undelivered::unnotified(tx, BATCH).await?;
    notify(tx, &ids).await?;
    Ok(ids.len())
}

/// Continues the scan through the messages that are a day old. Returns the number of scanned
/// messages.
async fn notify_never_offered(tx: &mut Tx) -> Result<usize> {
    let position_id = position::hold(tx, NAME).await?;
    let before = tx.now().minus(limits::UNDELIVERED_AFTER);
    let mut scanned_messages = undelivered::after(tx, position_id, SCAN).await?;
    // The scan stops at the first young message, so that no message is skipped. A message from the
    // future was sent while the clock was wrong and does not stop the scan.
    let now = tx.now();
    let young = |message: &ScannedMessage| message.created_at > before && message.created_at <= now;
    scanned_messages.truncate(scanned_messages.iter().position(young).unwrap_or(scanned_messages.len()));
    let Some(last) = scanned_messages.last() else { return Ok(0) };
    position::set(tx, NAME, last.id.0).await?;
    let never_offered = |message: &&ScannedMessage| {
        message.recipient_id.is_some()
            && message.status == MessageStatus::Pending
            && message.offered_at.is_none()
            && message.undelivered_at.is_none()
    };
    let ids: Vec<_> = scanned_messages.iter().filter(never_offered).map(|message| message.id).collect();
    for ids in ids.chunks(BATCH as usize) {
        notify(tx, ids).await?;
    }
    Ok(scanned_messages.len())
}

/// Notifies the authors of direct messages that were not delivered, unless they were notified
/// before. Neither the system nor a deleted participant is notified.
pub(crate) async fn notify(tx: &mut Tx, ids: &[MessageId]) -> Result<()> {
    if ids.is_empty() {
        return Ok(());
    }
    let found = undelivered::unnotified_among(tx, ids).await?;
    let mut marked = Vec::with_capacity(found.len());
    for message in found {
        // Only the transaction that marks the message notifies its author.
        let is_first = undelivered::mark(tx, message.id).await?;
        if is_first && message.sender_kind != ParticipantKind::System && message.sender_gone_at.is_none() {
            marked.push(message);
        }
    }
    // Ordered by author, because each author has one conversation with the system, and concurrent
    // notifications must lock these in the same order.
    marked.sort_by_key(|message| (message.sender_id, message.id));
    for message in &marked {
        notify_author(tx, message).await?;
    }
    Ok(())
}

async fn notify_author(tx: &mut Tx, message: &Undelivered) -> Result<()> {
    let Undelivered { id, sender_id, recipient, .. } = message;
    let reason = message.failure.as_deref().unwrap_or(NEVER_OFFERED);
    // The system only states facts of its own. A reason given by a worker is shown in the receipt,
    // attributed to the worker.
    let body = match message.failure.as_deref() {
        None | Some(EXHAUSTED) => format!("Your message {id} to @{recipient} was not delivered: {reason}."),
        Some(_) => {
            format!(
                "Your message {id} to @{recipient} was not processed. Its receipts contain the reason that was given."
            )
        }
    };
    let metadata = json!({ "non_delivery": { "message_id": id, "to": recipient, "reason": reason } });
    system::notify(tx, *sender_id, &Statement::default().say(body), metadata).await?;
    Ok(())
}
