//! Claiming: a worker takes messages addressed to it, for the time of a lease.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::time::Duration;

use svc_macros::boxed_futures;
use svc_model::auth::Permission;
use svc_model::conversations::ConversationKind;
use svc_model::events::{CursorMoved, EventBody};
use svc_model::messages::{ClaimRequest, ClaimedMessage, ClaimedMessages, Message, MessageStatus};

use super::lifecycle::{Transition, already_claimed, message_deleted, next};
use super::service::Messages;
use super::store::{MessageRow, cursors};
use super::viewer::Viewer;
use super::{changed, expire, store};
use crate::clock::random_hex;
use crate::error::{Error, ErrorKind, Result};
use crate::identity::auth::Caller;
use crate::ids::{ConversationId, MessageId, ParticipantId};
use crate::limits;
use crate::store::db::Tx;

/// Random bytes in a claim token.
const TOKEN_BYTES: usize = 16;

/// A claim request whose limits have been checked.
#[derive(Debug, Clone)]
pub(super) struct Claim {
    pub(super) participant: ParticipantId,
    viewer: Viewer,
    pub(super) limit: u32,
    pub(super) lease: Duration,
    pub(super) token: String,
}

#[boxed_futures]
impl Messages {
    /// Claims the most urgent unclaimed messages addressed to the caller. No two workers hold the
    /// same message at a time. A worker that has not finished when its lease ends loses the claim.
    ///
    /// ```
    /// # async fn example(hub: svc_core::Hub, scout: svc_core::Caller) -> svc_core::Result<()> {
    /// use svc_core::prelude::*;
    ///
    /// let claimed = hub.messages().claim(&scout, ClaimRequest { limit: Some(10), ..ClaimRequest::default() }).await?;
    /// for work in claimed.messages {
    ///     let token = Some(work.claim_token);
    ///     let finish = match work.message.body.as_str() {
    ///         "" => Finish::failed(token, Some("There is nothing to do.".into())),
    ///         _ => Finish::done(token),
    ///     };
    ///     hub.messages().finish(&scout, work.message.id, finish).await?;
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub async fn claim(&self, caller: &Caller, request: ClaimRequest) -> Result<ClaimedMessages> {
        let key = caller.idempotency("messages.claim", &request)?;
        let participant = worker(caller)?;
        let limit = request.limit.unwrap_or(1);
        if !(1..=limits::CLAIM_MAX).contains(&limit) {
            return Err(Error::invalid("limit", format!("must be 1 to {}", limits::CLAIM_MAX)));
        }
        let lease = lease(request.lease_seconds.map(|seconds| Duration::from_secs(seconds.into())))?;
        let token = random_hex(self.entropy.as_ref(), TOKEN_BYTES);
        let claim = Claim { participant, viewer: Viewer::of(caller), limit, lease, token };
        Ok(self.db.write_once(key, claim, |tx, claim| Box::pin(take(tx, claim))).await?.value)
    }

    /// Claims one unclaimed message addressed to the caller, also when others are more urgent.
    pub async fn claim_one(&self, caller: &Caller, id: MessageId, wanted: Option<Duration>) -> Result<ClaimedMessage> {
        let participant = worker(caller)?;
        let lease = lease(wanted)?;
        let key = caller.idempotency("messages.claim_one", &(id, lease))?;
        let token = random_hex(self.entropy.as_ref(), TOKEN_BYTES);
        let claim = Claim { participant, viewer: Viewer::of(caller), limit: 1, lease, token };
        let taken = self.db.write_once(key, (claim, id), |tx, (claim, id)| Box::pin(take_one(tx, claim, *id))).await?;
        Ok(taken.value)
    }
}

/// The participant whose messages a caller may work on: the caller itself.
pub(super) fn worker(caller: &Caller) -> Result<ParticipantId> {
    caller.require(Permission::Write)?;
    caller.require_direct()?;
    caller.participant().ok_or_else(|| {
        Error::new(
            ErrorKind::Forbidden,
            "participant_required",
            "Only the recipient of a message can work on it. Use a key of that participant.",
        )
    })
}

/// Fails unless the message is a direct message to this participant.
pub(super) fn require_addressee(row: &MessageRow, participant: Option<ParticipantId>) -> Result<()> {
    if row.channel_id.is_some() {
        let message = "Channel messages cannot be claimed or finished. React instead.";
        return Err(Error::conflict("channel_message", message));
    }
    if row.recipient_id == participant {
        return Ok(());
    }
    let message = "Only the recipient of this message can claim, finish, renew or release it.";
    Err(Error::new(ErrorKind::Forbidden, "not_addressee", message))
}

/// The lease duration of a claim.
pub(super) fn lease(wanted: Option<Duration>) -> Result<Duration> {
    let (least, most) = (*limits::LEASE_SECONDS.start(), *limits::LEASE_SECONDS.end());
    let length = wanted.unwrap_or(Duration::from_secs(limits::LEASE_SECONDS_DEFAULT.into()));
    if !(Duration::from_secs(least.into())..=Duration::from_secs(most.into())).contains(&length) {
        return Err(Error::invalid("lease_seconds", format!("must be {least} to {most}")));
    }
    Ok(length)
}

async fn take(tx: &mut Tx, claim: &Claim) -> Result<ClaimedMessages> {
    // A claim returns ended leases itself, so it does not depend on the worker that ends leases.
    expire::put_back(tx, Some(claim.participant)).await?;
    let taken = store::claims::take(tx, claim, next(MessageStatus::Pending, Transition::Claimed)?).await?;
    if taken.is_empty() {
        return Ok(ClaimedMessages { messages: Vec::new() });
    }
    let ids: Vec<_> = taken.iter().map(|(id, _)| *id).collect();
    record_claimed(tx, claim.participant, &ids).await?;
    let messages = claimed(tx, &claim.viewer, &ids).await?;
    let mut tokens: HashMap<_, _> = taken.into_iter().collect();
    Ok(ClaimedMessages {
        messages: messages
            .into_iter()
            .filter_map(|message| tokens.remove(&message.id).map(|claim_token| ClaimedMessage { message, claim_token }))
            .collect(),
    })
}

async fn take_one(tx: &mut Tx, claim: &Claim, id: MessageId) -> Result<ClaimedMessage> {
    expire::put_back(tx, Some(claim.participant)).await?;
    let row = store::visible(tx, &claim.viewer, id).await?;
    require_addressee(&row, Some(claim.participant))?;
    if let Some(deleted_at) = row.deleted_at {
        return Err(message_deleted(deleted_at));
    }
    let status = next(row.status, Transition::Claimed)?;
    let Some((_, claim_token)) = store::claims::take_one(tx, claim, id, status).await? else {
        // Another worker of the same participant was faster.
        let status = store::claims::status(tx, id).await?.ok_or_else(|| Error::not_found("message"))?;
        return Err(next(status, Transition::Claimed).err().unwrap_or_else(already_claimed));
    };
    record_claimed(tx, claim.participant, &[id]).await?;
    let message = claimed(tx, &claim.viewer, &[id]).await?.pop();
    let message = message.ok_or_else(|| Error::internal("the claimed message was not found"))?;
    Ok(ClaimedMessage { message, claim_token })
}

/// Records that a participant claimed these messages, and moves its read cursors.
pub(super) async fn record_claimed(tx: &mut Tx, participant: ParticipantId, ids: &[MessageId]) -> Result<()> {
    let rows = changed::record(tx, ids).await?;
    let mut conversations: Vec<_> = rows.iter().map(|row| row.conversation_id).collect();
    conversations.sort_unstable();
    conversations.dedup();
    for conversation in conversations {
        advance_cursor(tx, participant, conversation).await?;
    }
    Ok(())
}

/// The claimed messages, most urgent first.
async fn claimed(tx: &mut Tx, viewer: &Viewer, ids: &[MessageId]) -> Result<Vec<Message>> {
    let mut rows = store::by_ids(tx, ids).await?;
    rows.sort_by_key(|row| (Reverse(row.priority), row.id));
    store::complete_seen(tx, viewer, rows).await
}

/// Moves the read cursor past a message that its recipient has finished, with or without a claim.
pub(super) async fn advance_cursor_past(tx: &mut Tx, id: MessageId) -> Result<()> {
    match cursors::recipient_of(tx, id).await? {
        (Some(addressee), conversation) => advance_cursor(tx, addressee, conversation).await,
        (None, _) => Ok(()),
    }
}

/// Moves the cursor of a conversation up to the first message that is still pending. A claim of a
/// later message does not mark the earlier ones read.
async fn advance_cursor(tx: &mut Tx, participant: ParticipantId, conversation: ConversationId) -> Result<()> {
    let Some(cursor) = cursors::find(tx, participant, conversation).await? else { return Ok(()) };
    let pending = cursors::first_pending(tx, participant, conversation, cursor).await?;
    let end = pending.unwrap_or(MessageId(i64::MAX));
    let Some(last) = cursors::last_between(tx, conversation, cursor, end).await? else { return Ok(()) };
    if cursors::advance(tx, participant, conversation, cursor, last).await? {
        record_cursor_moved(tx, participant, conversation, last.id).await?;
    }
    Ok(())
}

/// Records that the read cursor of a direct conversation has moved.
async fn record_cursor_moved(
    tx: &mut Tx,
    participant: ParticipantId,
    conversation: ConversationId,
    message: MessageId,
) -> Result<()> {
    let moved = CursorMoved {
        participant_id: participant,
        kind: ConversationKind::Dm,
        name: cursors::partner_of(tx, participant, conversation).await?,
        conversation_id: conversation,
        message_id: message,
    };
    tx.record(EventBody::CursorMoved(moved)).await?;
    Ok(())
}
