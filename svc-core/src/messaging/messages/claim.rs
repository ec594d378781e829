//! Claiming: a worker takes messages addressed to it, for the time of a lease.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::time::Duration;

use svc_macros::boxed_futures;
use svc_model::auth::Permission;
use svc_model::conversations::ConversationKind;
use svc_model::events::{CursorMoved, EventBody};
use svc_model::messages::{ClaimRequest, ClaimedMessage, ClaimedMessages, Message, MessageStatus};

use super::leases::TABLE;
use super::lifecycle::{Transition, next};
use super::service::Messages;
use super::viewer::Viewer;
use super::{changed, depth, expire, non_delivery, receipts, retention, store};
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
struct Claim {
    participant: ParticipantId,
    viewer: Viewer,
    limit: u32,
    lease: Duration,
    token: String,
}

#[boxed_futures]
impl Messages {
    /// Claims the most urgent unclaimed messages addressed to the caller. No two workers hold the
    /// same message at a time. A worker that has not finished when its lease ends loses the claim.
    pub async fn claim(&self, caller: &Caller, request: ClaimRequest) -> Result<ClaimedMessages> {
        let key = caller.idempotency("messages.claim", &request)?;
        let participant = worker(caller)?;
        let limit = request.limit.unwrap_or(1);
        if !(1..=limits::CLAIM_MAX).contains(&limit) {
            return Err(Error::invalid("limit", format!("must be 1 to {}", limits::CLAIM_MAX)));
        }
        let lease = lease(request.lease_seconds)?;
        let token = random_hex(self.entropy.as_ref(), TOKEN_BYTES);
        let claim = Claim { participant, viewer: Viewer::of(caller), limit, lease, token };
        Ok(self.db.write_once(key, claim, |tx, claim| Box::pin(take(tx, claim))).await?.value)
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

/// The lease duration of a claim.
pub(super) fn lease(seconds: Option<u32>) -> Result<Duration> {
    let seconds = seconds.unwrap_or(limits::LEASE_SECONDS_DEFAULT);
    if !limits::LEASE_SECONDS.contains(&seconds) {
        let (least, most) = (limits::LEASE_SECONDS.start(), limits::LEASE_SECONDS.end());
        return Err(Error::invalid("lease_seconds", format!("must be {least} to {most}")));
    }
    Ok(Duration::from_secs(seconds.into()))
}

async fn take(tx: &mut Tx, claim: &Claim) -> Result<ClaimedMessages> {
    // A claim returns ended leases itself, so it does not depend on the worker that ends leases.
    expire::put_back(tx, Some(claim.participant)).await?;
    let mut taken = pick(tx, TABLE.claim.skipping(tx.engine()), claim, claim.limit).await?;
    let missing = claim.limit.saturating_sub(u32::try_from(taken.len()).unwrap_or(u32::MAX));
    if let (1.., Some(waiting)) = (missing, TABLE.claim.waiting(tx.engine())) {
        taken.extend(pick(tx, waiting, claim, missing).await?);
    }
    if taken.is_empty() {
        return Ok(ClaimedMessages { messages: Vec::new() });
    }
    let ids: Vec<_> = taken.iter().map(|(id, _)| *id).collect();
    let rows = changed::record(tx, &ids).await?;
    let mut conversations: Vec<_> = rows.iter().map(|row| row.conversation_id).collect();
    conversations.sort_unstable();
    conversations.dedup();
    for conversation in conversations {
        advance_cursor(tx, claim.participant, conversation).await?;
    }
    let messages = claimed(tx, &claim.viewer, &ids).await?;
    let mut tokens: HashMap<_, _> = taken.into_iter().collect();
    Ok(ClaimedMessages {
        messages: messages
            .into_iter()
            .filter_map(|message| tokens.remove(&message.id).map(|claim_token| ClaimedMessage { message, claim_token }))
            .collect(),
    })
}

/// Claims up to `limit` messages with one of the claim statements.
async fn pick(tx: &mut Tx, text: &'static str, claim: &Claim, limit: u32) -> Result<Vec<(MessageId, String)>> {
    let now = tx.now();
    tx.query(text)
        .bind(claim.participant)
        .bind(limit)
        .bind(claim.token.as_str())
        .bind(now.plus(claim.lease))
        .bind(now)
        .bind(next(MessageStatus::Pending, Transition::Claimed)?)
        .fetch_all()
        .await
}

/// The claimed messages, most urgent first.
async fn claimed(tx: &mut Tx, viewer: &Viewer, ids: &[MessageId]) -> Result<Vec<Message>> {
    let mut rows = store::by_ids(tx, ids).await?;
    rows.sort_by_key(|row| (Reverse(row.priority), row.id));
    store::complete_seen(tx, viewer, rows).await
}

const CURSOR: &str = "
    SELECT message_id FROM read_cursors WHERE participant_id = $1 AND conversation_id = $2";

/// The first message past the cursor that is neither the reader's own nor claimed.
const FIRST_PENDING: &str = "
    SELECT id
      FROM messages
     WHERE conversation_id = $1 AND id > $2 AND sender_id <> $3 AND status = 'pending'
     ORDER BY id
     LIMIT 1";

/// The last message before [`FIRST_PENDING`].
const LAST_CLAIMED: &str = "
    SELECT id, position
      FROM messages
     WHERE conversation_id = $1 AND id > $2 AND id < $3
     ORDER BY id DESC
     LIMIT 1";

/// Moves the read cursor past a message that its recipient has finished, with or without a claim.
pub(super) async fn advance_cursor_past(tx: &mut Tx, id: MessageId) -> Result<()> {
    let found = tx.query("SELECT recipient_id, conversation_id FROM messages WHERE id = $1").bind(id);
    match found.fetch_one::<(Option<ParticipantId>, ConversationId)>().await? {
        (Some(addressee), conversation) => advance_cursor(tx, addressee, conversation).await,
        (None, _) => Ok(()),
    }
}

/// Moves the cursor of a conversation up to the first message that is still pending. A claim of a
/// later message does not mark the earlier ones read.
async fn advance_cursor(tx: &mut Tx, participant: ParticipantId, conversation: ConversationId) -> Result<()> {
    let cursor = tx.query(CURSOR).bind(participant).bind(conversation).fetch_optional::<(MessageId,)>().await?;
    let Some((cursor,)) = cursor else { return Ok(()) };
    let pending = tx.query(FIRST_PENDING).bind(conversation).bind(cursor).bind(participant);
    let end = pending.fetch_optional::<(MessageId,)>().await?.map_or(MessageId(i64::MAX), |(id,)| id);
    let last = tx.query(LAST_CLAIMED).bind(conversation).bind(cursor).bind(end);
    let Some((last, position)) = last.fetch_optional::<(MessageId, i64)>().await? else { return Ok(()) };
    let now = tx.now();
    // Computed relative to the old cursor, so that messages its owner sends meanwhile are counted
    // too. If the cursor has moved meanwhile, it is already further.
    let moved = tx
        .query(
            "UPDATE read_cursors
            SET message_id = $4, position = $5, updated_at = $6,
                own_after = own_after - (SELECT count(*) FROM messages
                                          WHERE conversation_id = $2 AND id > $3 AND id <= $4 AND sender_id = $1),
                offered_id = CASE WHEN offered_id < $4 THEN $4 ELSE offered_id END
          WHERE participant_id = $1 AND conversation_id = $2 AND message_id = $3",
        )
        .bind(participant)
        .bind(conversation)
        .bind(cursor)
        .bind(last)
        .bind(position)
        .bind(now)
        .execute()
        .await?;
    if moved == 1 {
        record_cursor_moved(tx, participant, conversation, last).await?;
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
    let partner: String = tx
        .query(
            "SELECT p.handle
               FROM conversations v
               JOIN participants p ON p.id = CASE WHEN v.low_id = $2 THEN v.high_id ELSE v.low_id END
              WHERE v.id = $1",
        )
        .bind(conversation)
        .bind(participant)
        .fetch_value()
        .await?;
    let moved = CursorMoved {
        participant_id: participant,
        kind: ConversationKind::Dm,
        name: partner,
        conversation_id: conversation,
        message_id: message,
    };
    tx.record(EventBody::CursorMoved(moved)).await?;
    Ok(())
}

/// SQL statements over growing tables, of all work on messages, for the query-plan test.
pub(crate) const WORK_LISTED: &[(&str, &str)] = &[
    ("claims.take", TABLE.claim.sqlite),
    ("claims.first_left", FIRST_PENDING),
    ("claims.last_taken", LAST_CLAIMED),
    expire::LISTED[0],
    expire::LISTED[1],
    non_delivery::LISTED[0],
    non_delivery::LISTED[1],
    receipts::LISTED[0],
    retention::LISTED[0],
    ("depth.claimed", depth::CLAIMED),
];
