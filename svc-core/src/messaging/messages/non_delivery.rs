//! Telling authors that a message did not arrive: once for each message, whatever happens to it.

use std::time::Duration;

use async_trait::async_trait;
use serde_json::json;
use svc_model::messages::MessageStatus;
use svc_model::participants::ParticipantKind;

use super::expire::EXHAUSTED;
use super::system::{self, Statement};
use crate::error::Result;
use crate::ids::{MessageId, ParticipantId};
use crate::limits;
use crate::store::db::{Db, Tx, placeholders};
use crate::store::workers::{Cadence, Progress, Worker, position};
use crate::timestamp::Timestamp;

/// The name of the worker, and of its place in the messages.
const NAME: &str = "non_delivery";
/// Messages that are looked at in one transaction.
const WALK: u32 = 1000;
/// Authors who are told in one transaction.
const BATCH: u32 = 100;
/// Why a message counts as not delivered although nothing has failed.
const NEVER_OFFERED: &str = "nobody has asked for it within 24 hours";

/// Failed messages whose authors have not been told, which happens when very many fail at once.
const UNTOLD: &str = "
    SELECT id FROM messages WHERE status = 'failed' AND undelivered_at IS NULL ORDER BY id LIMIT $1";

/// What comes after a place in the order of the messages.
const AFTER: &str = "
    SELECT id, created_at, recipient_id, status, offered_at, undelivered_at
      FROM messages
     WHERE id > $1
     ORDER BY id
     LIMIT $2";

/// The statements over tables that grow, for the test that looks at their plans.
pub(super) const LISTED: [(&str, &str); 2] = [("non_delivery.untold", UNTOLD), ("non_delivery.after", AFTER)];

/// The worker that tells authors.
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
        let told = self.db.write((), |tx, ()| Box::pin(tell_of_failed(tx))).await?;
        let walked = self.db.write((), |tx, ()| Box::pin(tell_of_never_offered(tx))).await?;
        Ok(if told == BATCH as usize || walked == WALK as usize { Progress::More } else { Progress::Done })
    }
}

async fn tell_of_failed(tx: &mut Tx) -> Result<usize> {
    let ids: Vec<(MessageId,)> = tx.query(UNTOLD).bind(BATCH).fetch_all().await?;
    let ids: Vec<_> = ids.into_iter().map(|(id,)| id).collect();
    notify(tx, &ids).await?;
    Ok(ids.len())
}

crate::row! {
    struct Passed {
        id: MessageId,
        created_at: Timestamp,
        recipient_id: Option<ParticipantId>,
        status: MessageStatus,
        offered_at: Option<Timestamp>,
        undelivered_at: Option<Timestamp>,
    }
}

/// Walks on through the messages that are a day old; tells how many it has passed.
async fn tell_of_never_offered(tx: &mut Tx) -> Result<usize> {
    let place = position::hold(tx, NAME).await?;
    let before = tx.now().minus(limits::UNDELIVERED_AFTER);
    let mut passed: Vec<Passed> = tx.query(AFTER).bind(place).bind(WALK).fetch_all().await?;
    // What follows the first young one waits with it, so that nothing is passed over.
    // One from the future was sent while the clock was wrong, and holds up nobody.
    let now = tx.now();
    let young = |message: &Passed| message.created_at > before && message.created_at <= now;
    passed.truncate(passed.iter().position(young).unwrap_or(passed.len()));
    let Some(last) = passed.last() else { return Ok(0) };
    position::set(tx, NAME, last.id.0).await?;
    let never_offered = |message: &&Passed| {
        message.recipient_id.is_some()
            && message.status == MessageStatus::Pending
            && message.offered_at.is_none()
            && message.undelivered_at.is_none()
    };
    let ids: Vec<_> = passed.iter().filter(never_offered).map(|message| message.id).collect();
    for ids in ids.chunks(BATCH as usize) {
        notify(tx, ids).await?;
    }
    Ok(passed.len())
}

crate::row! {
    struct Undelivered {
        id: MessageId,
        sender_id: ParticipantId,
        sender_kind: ParticipantKind,
        sender_gone_at: Option<Timestamp>,
        recipient: String,
        failure: Option<String>,
    }
}

/// Tells the authors of direct messages that they did not arrive, unless they were told before. The
/// system is not told, nor is anybody who is gone.
pub(crate) async fn notify(tx: &mut Tx, ids: &[MessageId]) -> Result<()> {
    if ids.is_empty() {
        return Ok(());
    }
    let text = format!(
        "SELECT m.id, m.sender_id, s.kind AS sender_kind, s.deleted_at AS sender_gone_at, r.handle AS recipient,
                m.failure
           FROM messages m
           JOIN participants s ON s.id = m.sender_id
           JOIN participants r ON r.id = m.recipient_id
          WHERE m.id IN ({}) AND m.undelivered_at IS NULL
          ORDER BY m.id",
        placeholders(1, ids.len())
    );
    let found: Vec<Undelivered> = ids.iter().fold(tx.query(text), |query, id| query.bind(*id)).fetch_all().await?;
    let mut marked = Vec::with_capacity(found.len());
    for message in found {
        // Whoever marks it is the one who tells.
        let now = tx.now();
        let changed = tx
            .query("UPDATE messages SET undelivered_at = $2 WHERE id = $1 AND undelivered_at IS NULL")
            .bind(message.id)
            .bind(now)
            .execute()
            .await?;
        if changed == 1 && message.sender_kind != ParticipantKind::System && message.sender_gone_at.is_none() {
            marked.push(message);
        }
    }
    // By authors, because each has a conversation with the system, and two who tell the same authors
    // take these in the same order.
    marked.sort_by_key(|message| (message.sender_id, message.id));
    for message in &marked {
        tell(tx, message).await?;
    }
    Ok(())
}

async fn tell(tx: &mut Tx, message: &Undelivered) -> Result<()> {
    let Undelivered { id, sender_id, recipient, .. } = message;
    let reason = message.failure.as_deref().unwrap_or(NEVER_OFFERED);
    // The system says what it knows itself. What a worker said stands in the receipt, as the worker's word.
    let body = match message.failure.as_deref() {
        None | Some(EXHAUSTED) => format!("Your message {id} to @{recipient} was not delivered: {reason}."),
        Some(_) => {
            format!(
                "Your message {id} to @{recipient} could not be dealt with. Its receipts tell the reason that was given."
            )
        }
    };
    let metadata = json!({ "non_delivery": { "message_id": id, "to": recipient, "reason": reason } });
    system::tell(tx, *sender_id, &Statement::default().say(body), metadata).await?;
    Ok(())
}
