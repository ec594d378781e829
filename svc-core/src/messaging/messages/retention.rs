//! Removes messages past their retention period. Pending and claimed direct messages are kept, however old they are:
//! somebody has to process them. What notifies a person of a mention is no work, and goes with the message that has it;
//! otherwise the mention would stay unread in a channel in which there is nothing left to read.

use std::time::Duration;

use async_trait::async_trait;
use svc_macros::boxed_futures;
use svc_model::messages::{MessageStatus, Prune, Pruned};

use super::service::Messages;
use super::store::retention::{self as store, ScannedMessage};
use crate::error::Result;
use crate::identity::auth::Caller;
use crate::ids::MessageId;
use crate::messaging::search;
use crate::store::db::{Db, Tx};
use crate::store::workers::{Cadence, Progress, Worker, position};
use crate::timestamp::Timestamp;

/// The name of the worker and of its stored position.
const NAME: &str = "message_retention";

/// Messages that are scanned in one transaction.
const BATCH: u32 = 500;

/// The worker that removes old messages.
pub(crate) struct MessageRetention {
    pub(crate) db: Db,
    pub(crate) keep: Duration,
}

#[async_trait]
impl Worker for MessageRetention {
    fn name(&self) -> &'static str {
        NAME
    }

    fn cadence(&self) -> Cadence {
        Cadence::every(Duration::from_mins(10))
    }

    async fn run_once(&self) -> Result<Progress> {
        self.db
            .write(self.keep, |tx, keep| {
                Box::pin(async move {
                    let before = tx.now().minus(*keep);
                    let next = MessageId(position::hold(tx, NAME).await?);
                    let step = step(tx, next, before).await?;
                    remove(tx, &step.removable).await?;
                    // The next scan starts at the oldest message again, because kept messages may
                    // have been finished.
                    position::set(tx, NAME, step.next.map_or(0, |next| next.0)).await?;
                    Ok(if step.next.is_some() { Progress::More } else { Progress::Done })
                })
            })
            .await
    }
}

#[boxed_futures]
impl Messages {
    /// Removes or counts messages older than `older_than`. Requires the admin socket.
    pub async fn prune(&self, caller: &Caller, older_than: Duration, prune: Prune) -> Result<Pruned> {
        caller.require_root()?;
        let before = self.db.read((), |tx, ()| Box::pin(async move { Ok(tx.now()) })).await?.minus(older_than);
        let mut pruned = Pruned { removed: 0, kept: 0, before };
        let mut next = Some(MessageId(0));
        while let Some(from) = next {
            let step = match prune {
                Prune::Count => {
                    self.db.read((from, before), |tx, (from, before)| Box::pin(step(tx, *from, *before))).await?
                }
                Prune::Remove => {
                    self.db
                        .write((from, before), |tx, (from, before)| {
                            Box::pin(async move {
                                let step = step(tx, *from, *before).await?;
                                remove(tx, &step.removable).await?;
                                Ok(step)
                            })
                        })
                        .await?
                }
            };
            pruned.removed += step.removable.len() as u64;
            pruned.kept += step.kept;
            next = step.next;
        }
        Ok(pruned)
    }
}

/// One step of a scan through the messages.
struct Step {
    removable: Vec<MessageId>,
    kept: u64,
    /// Where the scan continues; `None` when it has reached messages that are too young.
    next: Option<MessageId>,
}

async fn step(tx: &mut Tx, from: MessageId, before: Timestamp) -> Result<Step> {
    let mut scanned = store::after(tx, from, BATCH).await?;
    let full = scanned.len() == BATCH as usize;
    let old = scanned.iter().position(|message| message.created_at >= before).unwrap_or(scanned.len());
    let more = full && old == scanned.len();
    scanned.truncate(old);
    let next = if more { scanned.last().map(|message| message.id) } else { None };
    let removable: Vec<_> = scanned.iter().filter(|message| is_removable(message)).map(|message| message.id).collect();
    Ok(Step { kept: (scanned.len() - removable.len()) as u64, removable, next })
}

/// Whether a message can be removed. Channel messages are always `pending`, but nobody has to
/// process them.
fn is_removable(message: &ScannedMessage) -> bool {
    let ended = matches!(message.status, MessageStatus::Done | MessageStatus::Failed);
    message.recipient_id.is_none() || ended || (message.notifies_person && message.status == MessageStatus::Pending)
}

/// Removes messages and their dependent rows. Removed messages count neither as unread nor as
/// replies.
async fn remove(tx: &mut Tx, ids: &[MessageId]) -> Result<()> {
    if ids.is_empty() {
        return Ok(());
    }
    store::pass_cursors(tx, ids).await?;
    store::uncount_replies(tx, ids).await?;
    // A failed message may have been retried since the scan read it.
    let gone = store::remove(tx, ids).await?;
    search::forget(tx, &gone).await
}
