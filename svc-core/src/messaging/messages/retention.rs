//! Removes messages that are older than they are kept. What waits for somebody, or is being worked on,
//! stays, however old it is.

use std::time::Duration;

use async_trait::async_trait;
use svc_macros::boxed_futures;
use svc_model::messages::{MessageStatus, Prune, Pruned};

use super::service::Messages;
use crate::error::Result;
use crate::identity::auth::Caller;
use crate::ids::{MessageId, ParticipantId};
use crate::messaging::search;
use crate::store::db::{Db, Tx, placeholders};
use crate::store::workers::{Cadence, Progress, Worker, position};
use crate::timestamp::Timestamp;

/// The name of the worker, and of its place in the messages.
const NAME: &str = "message_retention";

/// Messages that are looked at in one transaction.
const BATCH: u32 = 500;

/// What comes after a place in the order of the messages.
const AFTER: &str = "
    SELECT id, created_at, recipient_id, status FROM messages WHERE id > $1 ORDER BY id LIMIT $2";

/// The statements over tables that grow, for the test that looks at their plans.
pub(super) const LISTED: [(&str, &str); 1] = [("message_retention.after", AFTER)];

/// The worker that forgets old messages.
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
                    let place = MessageId(position::hold(tx, NAME).await?);
                    let step = step(tx, place, before).await?;
                    remove(tx, &step.removable).await?;
                    // The next walk begins at the oldest again: what was kept may have been finished.
                    position::set(tx, NAME, step.place.map_or(0, |place| place.0)).await?;
                    Ok(if step.place.is_some() { Progress::More } else { Progress::Done })
                })
            })
            .await
    }
}

#[boxed_futures]
impl Messages {
    /// Removes, or counts, what is older than this; for whoever runs the server.
    pub async fn prune(&self, caller: &Caller, older_than: Duration, prune: Prune) -> Result<Pruned> {
        caller.require_root()?;
        let before = self.db.read((), |tx, ()| Box::pin(async move { Ok(tx.now()) })).await?.minus(older_than);
        let mut pruned = Pruned { removed: 0, kept: 0, before };
        let mut place = Some(MessageId(0));
        while let Some(from) = place {
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
            place = step.place;
        }
        Ok(pruned)
    }
}

crate::row! {
    struct Passed {
        id: MessageId,
        created_at: Timestamp,
        recipient_id: Option<ParticipantId>,
        status: MessageStatus,
    }
}

/// One step of a walk through the messages.
struct Step {
    removable: Vec<MessageId>,
    kept: u64,
    /// Where it goes on; `None` when the young ones have been reached.
    place: Option<MessageId>,
}

async fn step(tx: &mut Tx, from: MessageId, before: Timestamp) -> Result<Step> {
    let mut passed: Vec<Passed> = tx.query(AFTER).bind(from).bind(BATCH).fetch_all().await?;
    let full = passed.len() == BATCH as usize;
    let old = passed.iter().position(|message| message.created_at >= before).unwrap_or(passed.len());
    let more = full && old == passed.len();
    passed.truncate(old);
    let place = if more { passed.last().map(|message| message.id) } else { None };
    let removable: Vec<_> = passed.iter().filter(|message| may_go(message)).map(|message| message.id).collect();
    Ok(Step { kept: (passed.len() - removable.len()) as u64, removable, place })
}

/// Channel messages are always `pending` and wait for nobody.
fn may_go(message: &Passed) -> bool {
    let ended = matches!(message.status, MessageStatus::Done | MessageStatus::Failed);
    message.recipient_id.is_none() || ended
}

/// Removes messages with what hangs on them. What is gone is not unread, and answers nothing.
async fn remove(tx: &mut Tx, ids: &[MessageId]) -> Result<()> {
    if ids.is_empty() {
        return Ok(());
    }
    pass_cursors(tx, ids).await?;
    uncount_replies(tx, ids).await?;
    // Somebody may have tried a failed one again since it was looked at.
    let text = format!(
        "DELETE FROM messages
          WHERE id IN ({}) AND (recipient_id IS NULL OR status IN ('done', 'failed'))
         RETURNING id",
        placeholders(1, ids.len())
    );
    let gone: Vec<(MessageId,)> = ids.iter().fold(tx.query(text), |query, id| query.bind(*id)).fetch_all().await?;
    let gone: Vec<_> = gone.into_iter().map(|(id,)| id).collect();
    search::forget(tx, &gone).await
}

/// Moves the place of every cursor before these messages past them, as if they had been read.
async fn pass_cursors(tx: &mut Tx, ids: &[MessageId]) -> Result<()> {
    let list = placeholders(1, ids.len());
    let text = format!(
        "UPDATE read_cursors
            SET position = position + (SELECT count(*) FROM messages m
                                        WHERE m.conversation_id = read_cursors.conversation_id
                                          AND m.id > read_cursors.message_id AND m.id IN ({list})),
                own_after = own_after - (SELECT count(*) FROM messages m
                                          WHERE m.conversation_id = read_cursors.conversation_id
                                            AND m.sender_id = read_cursors.participant_id
                                            AND m.id > read_cursors.message_id AND m.id IN ({list}))
          WHERE conversation_id IN (SELECT m.conversation_id FROM messages m WHERE m.id IN ({list}))
            AND message_id < (SELECT max(m.id) FROM messages m WHERE m.id IN ({list}))"
    );
    ids.iter().fold(tx.query(text), |query, id| query.bind(*id)).execute().await?;
    Ok(())
}

/// Lowers the count of answers of what they answer.
async fn uncount_replies(tx: &mut Tx, ids: &[MessageId]) -> Result<()> {
    let list = placeholders(1, ids.len());
    let text = format!(
        "UPDATE messages
            SET reply_count = reply_count - (SELECT count(*) FROM messages answer
                                              WHERE answer.reply_to = messages.id AND answer.id IN ({list})
                                                AND answer.conversation_id = messages.conversation_id)
          WHERE id IN (SELECT answer.reply_to FROM messages answer
                        WHERE answer.id IN ({list}) AND answer.reply_to IS NOT NULL)"
    );
    ids.iter().fold(tx.query(text), |query, id| query.bind(*id)).execute().await?;
    Ok(())
}
