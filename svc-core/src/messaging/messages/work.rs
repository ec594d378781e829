//! Messages that the hub hands to a run of their recipient: claimed, renewed, finished and given back as by any
//! worker, in the transaction of the caller.

use std::time::Duration;

use svc_model::messages::{Message, MessageStatus};

use super::expire::EXHAUSTED;
use super::lifecycle::{Transition, next};
use super::store::leases::TABLE;
use super::store::{claims, work};
use super::viewer::Viewer;
use super::{changed, claim, expire, store};
use crate::error::Result;
use crate::ids::{AgentId, ConversationId, MessageId, ParticipantId};
use crate::limits;
use crate::messaging::dead_letters;
use crate::store::db::Tx;

/// What a run needs to know of the message that starts it.
#[derive(Debug, Clone)]
pub(crate) struct Trigger {
    pub(crate) id: MessageId,
    pub(crate) sender: ParticipantId,
    pub(crate) is_system: bool,
    pub(crate) recipient: Option<ParticipantId>,
    pub(crate) status: MessageStatus,
    pub(crate) depth: u32,
    /// The message in a channel that this one notifies of.
    pub(crate) mention_of: Option<MessageId>,
    pub(crate) traceparent: Option<String>,
    /// Where it was written; for a mention the channel.
    pub(crate) conversation: ConversationId,
}

/// The messages that a run claims.
#[derive(Debug, Clone)]
pub(crate) struct RunClaim {
    pub(crate) agent: AgentId,
    /// Claimed first; without it nothing is.
    pub(crate) trigger: Option<MessageId>,
    /// The number of messages in all.
    pub(crate) limit: u32,
    /// Deeper messages are left waiting.
    pub(crate) max_depth: u32,
    pub(crate) lease: Duration,
    pub(crate) token: String,
}

/// The most urgent message that waits for an agent and could start a run: not one by the system or by itself, and
/// not one that is too deep.
pub(crate) async fn waiting(tx: &mut Tx, agent: AgentId, max_depth: u32) -> Result<Option<MessageId>> {
    work::waiting(tx, agent, max_depth).await
}

/// The oldest message of each sender among those that could start a run, those of urgent ones first.
pub(crate) async fn waiting_by_sender(
    tx: &mut Tx,
    agent: AgentId,
    max_depth: u32,
    limit: u32,
) -> Result<Vec<MessageId>> {
    work::waiting_by_sender(tx, agent, max_depth, limit).await
}

/// The messages that a run would claim, the most urgent first.
pub(crate) async fn all_waiting(tx: &mut Tx, agent: AgentId, max_depth: u32, limit: u32) -> Result<Vec<MessageId>> {
    work::all_waiting(tx, agent, max_depth, limit).await
}

/// What a run needs to know of a message; none when it is gone.
pub(crate) async fn trigger(tx: &mut Tx, id: MessageId) -> Result<Option<Trigger>> {
    work::trigger(tx, id).await
}

/// Claims the messages of a run, the trigger first. Returns each with its token, and nothing when the trigger does not
/// wait any more.
pub(crate) async fn claim(tx: &mut Tx, request: &RunClaim) -> Result<Vec<(MessageId, String)>> {
    let participant = ParticipantId(request.agent.0);
    expire::put_back(tx, Some(participant)).await?;
    let mut taken = Vec::new();
    if let Some(trigger) = request.trigger {
        match work::take_one(tx, request, trigger).await? {
            Some(claimed) => taken.push(claimed),
            None => return Ok(taken),
        }
    }
    let left = request.limit.saturating_sub(u32::try_from(taken.len()).unwrap_or(u32::MAX));
    if left > 0 {
        taken.extend(work::take_more(tx, request, left).await?);
    }
    let ids: Vec<_> = taken.iter().map(|(id, _)| *id).collect();
    if !ids.is_empty() {
        claim::record_claimed(tx, participant, &ids).await?;
    }
    Ok(taken)
}

/// Restarts the leases of the messages that a run holds.
pub(crate) async fn renew(tx: &mut Tx, agent: AgentId, token: &str, lease: Duration) -> Result<()> {
    work::renew(tx, agent, token, lease).await
}

/// The messages that a run still holds, with their tokens.
pub(crate) async fn still_claimed(tx: &mut Tx, agent: AgentId, token: &str) -> Result<Vec<(MessageId, String)>> {
    work::held_tokens(tx, agent, token).await
}

/// What becomes of the messages that a run still holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fate<'a> {
    /// All are done.
    Done,
    /// The trigger has failed for this reason; the others are given back.
    Failed { trigger: Option<MessageId>, reason: &'a str },
    /// All are given back, as when the lease of a worker ends.
    Interrupted,
}

/// Ends the claims of a run. Returns the messages that wait again.
pub(crate) async fn end(tx: &mut Tx, agent: AgentId, token: &str, fate: Fate<'_>) -> Result<Vec<MessageId>> {
    let held = work::held(tx, agent, token).await?;
    let (mut done, mut failed, mut back) = (Vec::new(), Vec::new(), Vec::new());
    let mut reason = EXHAUSTED;
    for (id, attempts) in held {
        match fate {
            Fate::Done => done.push(id),
            Fate::Failed { trigger, reason: why } if trigger == Some(id) => {
                reason = why;
                failed.push(id);
            }
            Fate::Failed { .. } => back.push(id),
            Fate::Interrupted => match next(MessageStatus::Processing, Transition::LeaseEnded { attempts })? {
                MessageStatus::Failed => failed.push(id),
                _ => back.push(id),
            },
        }
    }
    if !done.is_empty() {
        TABLE.finish(tx, &done).await?;
        changed::record(tx, &done).await?;
    }
    if !failed.is_empty() {
        TABLE.give_up(tx, &failed, reason).await?;
        dead_letters::create(tx, &failed).await?;
    }
    for id in done.iter().chain(&failed) {
        claim::advance_cursor_past(tx, *id).await?;
    }
    if !back.is_empty() {
        // An interruption counts as an attempt, so that a message that ends every server is given up.
        match fate {
            Fate::Interrupted => TABLE.give_back(tx, &back).await?,
            Fate::Done | Fate::Failed { .. } => work::give_back(tx, &back).await?,
        }
        changed::record(tx, &back).await?;
    }
    Ok(back)
}

/// Fails a message that no worker has claimed. Returns whether it was still waiting.
pub(crate) async fn fail_waiting(tx: &mut Tx, id: MessageId, reason: &str) -> Result<bool> {
    TABLE.hold(tx, id).await?;
    if claims::status(tx, id).await? != Some(MessageStatus::Pending) {
        return Ok(false);
    }
    claims::record_unclaimed(tx, id).await?;
    TABLE.give_up(tx, &[id], reason).await?;
    dead_letters::create(tx, &[id]).await?;
    claim::advance_cursor_past(tx, id).await?;
    Ok(true)
}

/// The messages before this one in its thread that a viewer may see, oldest first: the newest ones, and the first.
pub(crate) async fn thread_before(tx: &mut Tx, viewer: &Viewer, id: MessageId) -> Result<Vec<Message>> {
    let root = store::root_of(tx, id).await?;
    if root == id {
        return Ok(Vec::new());
    }
    let mut rows = work::thread_before(tx, viewer, root, id, limits::RUN_THREAD.saturating_sub(1)).await?;
    rows.extend(store::find(tx, viewer, root).await?.filter(|row| row.deleted_at.is_none()));
    rows.sort_by_key(|row| row.id);
    store::complete_seen(tx, viewer, rows).await
}

/// The first message that an agent sent after another one.
pub(crate) async fn sent_after(tx: &mut Tx, agent: AgentId, after: MessageId) -> Result<Option<MessageId>> {
    work::sent_after(tx, agent, after).await
}

/// The newest message of all.
pub(crate) async fn newest(tx: &mut Tx) -> Result<MessageId> {
    work::newest(tx).await
}
