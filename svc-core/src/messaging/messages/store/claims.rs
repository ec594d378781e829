//! The SQL of claims on messages and of the status that follows from them.

use svc_model::messages::MessageStatus;

use super::leases::TABLE;
use super::work::ONE;
use crate::error::Result;
use crate::ids::{ConversationId, MessageId, ParticipantId, UserId};
use crate::messaging::messages::claim::Claim;
use crate::store::db::{Tx, placeholders};
use crate::timestamp::Timestamp;

const DEPTH: &str = "
    SELECT max(depth) FROM messages WHERE claimed_by = $1 AND status = 'processing' AND lease_expires_at > $2";

pub(super) const LISTED: &[(&str, &str)] = &[("claims.depth", DEPTH)];

/// The largest depth of the messages that a participant has claimed; 0 if there are none.
pub(in crate::messaging::messages) async fn depth(tx: &mut Tx, participant: ParticipantId) -> Result<u32> {
    let now = tx.now();
    Ok(tx.query(DEPTH).bind(participant).bind(now).fetch_value::<Option<u32>>().await?.unwrap_or(0))
}

/// Claims the most urgent pending messages, which get this status. Returns each with its token.
pub(in crate::messaging::messages) async fn take(
    tx: &mut Tx,
    claim: &Claim,
    status: MessageStatus,
) -> Result<Vec<(MessageId, String)>> {
    let mut taken = pick(tx, TABLE.claim.skipping(tx.engine()), claim, claim.limit, status).await?;
    let missing = claim.limit.saturating_sub(u32::try_from(taken.len()).unwrap_or(u32::MAX));
    if let (1.., Some(waiting)) = (missing, TABLE.claim.waiting(tx.engine())) {
        taken.extend(pick(tx, waiting, claim, missing, status).await?);
    }
    Ok(taken)
}

/// Claims one message if it is pending, which gets this status. Returns it with its token.
pub(in crate::messaging::messages) async fn take_one(
    tx: &mut Tx,
    claim: &Claim,
    id: MessageId,
    status: MessageStatus,
) -> Result<Option<(MessageId, String)>> {
    let now = tx.now();
    // A transaction that has locked the row is not necessarily claiming it, so this waits.
    let text = ONE.claim.waiting(tx.engine()).unwrap_or(ONE.claim.sqlite);
    let query = tx.query(text).bind(claim.participant).bind(claim.limit).bind(claim.token.as_str());
    let mut taken: Vec<_> = query.bind(now.plus(claim.lease)).bind(now).bind(status).bind(id).fetch_all().await?;
    Ok(taken.pop())
}

/// Claims up to `limit` messages with one of the claim statements.
async fn pick(
    tx: &mut Tx,
    text: &'static str,
    claim: &Claim,
    limit: u32,
    status: MessageStatus,
) -> Result<Vec<(MessageId, String)>> {
    let now = tx.now();
    tx.query(text)
        .bind(claim.participant)
        .bind(limit)
        .bind(claim.token.as_str())
        .bind(now.plus(claim.lease))
        .bind(now)
        .bind(status)
        .fetch_all()
        .await
}

crate::row! {
    /// The claim on a message, if any, and the status of the message.
    pub(in crate::messaging::messages) struct ClaimState {
        pub(in crate::messaging::messages) status: MessageStatus,
        pub(in crate::messaging::messages) claim_token: Option<String>,
        pub(in crate::messaging::messages) lease_expires_at: Option<Timestamp>,
        pub(in crate::messaging::messages) last_claim: Option<String>,
        pub(in crate::messaging::messages) failure: Option<String>,
        pub(in crate::messaging::messages) holder: Option<String>,
        pub(in crate::messaging::messages) deleted_at: Option<Timestamp>,
    }
}

pub(in crate::messaging::messages) async fn state(tx: &mut Tx, id: MessageId) -> Result<Option<ClaimState>> {
    tx.query(
        "SELECT m.status, m.claim_token, m.lease_expires_at, m.last_claim, m.failure, h.handle AS holder, m.deleted_at
           FROM messages m
           LEFT JOIN participants h ON h.id = m.claimed_by
          WHERE m.id = $1",
    )
    .bind(id)
    .fetch_optional()
    .await
}

pub(in crate::messaging::messages) async fn status(tx: &mut Tx, id: MessageId) -> Result<Option<MessageStatus>> {
    let found: Option<(MessageStatus,)> =
        tx.query("SELECT status FROM messages WHERE id = $1").bind(id).fetch_optional().await?;
    Ok(found.map(|(status,)| status))
}

/// Records a claim for a worker that finishes without one.
pub(in crate::messaging::messages) async fn record_unclaimed(tx: &mut Tx, id: MessageId) -> Result<()> {
    let now = tx.now();
    tx.query(
        "UPDATE messages
            SET attempts = attempts + 1, last_claim = NULL, claimed_at = $2, offered_at = coalesce(offered_at, $2)
          WHERE id = $1",
    )
    .bind(id)
    .bind(now)
    .execute()
    .await?;
    Ok(())
}

crate::row! {
    /// A direct message as it is recorded in the event log.
    #[derive(Debug, Clone)]
    pub(crate) struct StatusChange {
        pub(crate) id: MessageId,
        pub(crate) conversation_id: ConversationId,
        pub(crate) sender_id: ParticipantId,
        pub(crate) sender_owner_id: Option<UserId>,
        pub(crate) recipient_id: ParticipantId,
        pub(crate) recipient_owner_id: Option<UserId>,
        pub(crate) status: MessageStatus,
        pub(crate) claimed_by: Option<String>,
        pub(crate) failure: Option<String>,
        pub(crate) attempts: i64,
    }
}

/// The direct messages among these, ordered by id.
pub(in crate::messaging::messages) async fn status_changes(
    tx: &mut Tx,
    ids: &[MessageId],
) -> Result<Vec<StatusChange>> {
    let text = format!(
        "SELECT m.id, m.conversation_id, m.sender_id, m.sender_owner_id, m.recipient_id, m.recipient_owner_id,
                m.status, h.handle AS claimed_by, m.failure, m.attempts
           FROM messages m
           LEFT JOIN participants h ON h.id = m.claimed_by
          WHERE m.id IN ({}) AND m.recipient_id IS NOT NULL
          ORDER BY m.id",
        placeholders(1, ids.len())
    );
    ids.iter().fold(tx.query(text), |query, id| query.bind(*id)).fetch_all().await
}

/// The counts of pending and claimed messages each use an index over just these rows.
const PENDING: &str = "SELECT count(*) FROM messages WHERE recipient_id IS NOT NULL AND status = 'pending'";

const PROCESSING: &str = "SELECT count(*) FROM messages WHERE status = 'processing'";

pub(in crate::messaging::messages) async fn count_pending(tx: &mut Tx) -> Result<i64> {
    tx.query(PENDING).fetch_value().await
}

pub(in crate::messaging::messages) async fn count_processing(tx: &mut Tx) -> Result<i64> {
    tx.query(PROCESSING).fetch_value().await
}
