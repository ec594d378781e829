//! The SQL of the messages that the hub hands to a run of their recipient.

use std::time::Duration;

use svc_model::messages::MessageStatus;

use super::leases::TABLE;
use super::{MessageRow, select_messages};
use crate::error::Result;
use crate::ids::{AgentId, ConversationId, MessageId, ParticipantId, UserId};
use crate::messaging::messages::viewer::{Viewer, visible_message};
use crate::messaging::messages::work::{RunClaim, Trigger};
use crate::store::db::Tx;
use crate::store::queue::table::{QueueTable, queue_table};

/// One message, such as the trigger of a run: `$7` is the message.
pub(super) const ONE: QueueTable = queue_table! {
    table: "messages",
    leased: "processing",
    dead: "failed",
    pick: "SELECT id
             FROM messages
            WHERE recipient_id = $1 AND id = $7 AND status = 'pending'
            LIMIT $2",
    claimed: "claimed_by = $1, offered_at = coalesce(offered_at, $5)",
    freed: "claim_token = NULL, claimed_by = NULL",
    overdue: "id, attempts",
    within: "($2 = 0 OR recipient_id = $2)",
};

/// The other messages of a run, the most urgent first: those up to the depth `$7`.
const MORE: QueueTable = queue_table! {
    table: "messages",
    leased: "processing",
    dead: "failed",
    pick: "SELECT id
             FROM messages
            WHERE recipient_id = $1 AND recipient_id IS NOT NULL AND status = 'pending' AND depth <= $7
            ORDER BY priority DESC, id
            LIMIT $2",
    claimed: "claimed_by = $1, offered_at = coalesce(offered_at, $5)",
    freed: "claim_token = NULL, claimed_by = NULL",
    overdue: "id, attempts",
    within: "($2 = 0 OR recipient_id = $2)",
};

// A sender without an owner is the system, whose messages start nothing.
const WAITING: &str = "
    SELECT m.id
      FROM messages m
     WHERE m.recipient_id = $1 AND m.recipient_id IS NOT NULL AND m.status = 'pending' AND m.depth <= $2
       AND m.sender_owner_id IS NOT NULL AND m.sender_id <> m.recipient_id
     ORDER BY m.priority DESC, m.id
     LIMIT 1";

const WAITING_BY_SENDER: &str = "
    SELECT min(m.id)
      FROM messages m
     WHERE m.recipient_id = $1 AND m.recipient_id IS NOT NULL AND m.status = 'pending' AND m.depth <= $2
       AND m.sender_owner_id IS NOT NULL AND m.sender_id <> m.recipient_id
     GROUP BY m.sender_id, m.conversation_id
     ORDER BY max(m.priority) DESC, min(m.id)
     LIMIT $3";

const ALL_WAITING: &str = "
    SELECT id
      FROM messages
     WHERE recipient_id = $1 AND recipient_id IS NOT NULL AND status = 'pending' AND depth <= $2
     ORDER BY priority DESC, id
     LIMIT $3";

const TRIGGER: &str = "
    SELECT m.id, m.sender_id, m.sender_owner_id, m.recipient_id, m.status, m.depth, m.mention_of, m.traceparent,
           coalesce((SELECT o.conversation_id FROM messages o WHERE o.id = m.mention_of), m.conversation_id)
               AS conversation_id
      FROM messages m
     WHERE m.id = $1";

const HELD: &str = "
    UPDATE messages SET attempts = attempts
     WHERE claimed_by = $1 AND status = 'processing' AND claim_token = CAST($2 AS TEXT) || '-' || id
    RETURNING id, attempts";

const RENEW: &str = "
    UPDATE messages SET lease_expires_at = $3, updated_at = $4
     WHERE claimed_by = $1 AND status = 'processing' AND claim_token = CAST($2 AS TEXT) || '-' || id";

const SENT_AFTER: &str = "SELECT id FROM messages WHERE sender_id = $1 AND depth > 0 AND id > $2 ORDER BY id LIMIT 1";

const THREAD_BEFORE: &str = select_messages!(
    "WHERE m.root_id = $5 AND m.id < $6 AND m.deleted_at IS NULL AND ",
    visible_message!(),
    " ORDER BY m.id DESC LIMIT $7"
);

const NEWEST: &str = "SELECT coalesce(max(id), 0) FROM messages";

pub(super) const LISTED: &[(&str, &str)] = &[
    ("work.one", ONE.claim.sqlite),
    ("work.more", MORE.claim.sqlite),
    ("work.waiting", WAITING),
    ("work.waiting_by_sender", WAITING_BY_SENDER),
    ("work.all_waiting", ALL_WAITING),
    ("work.trigger", TRIGGER),
    ("work.sent_after", SENT_AFTER),
    ("work.thread_before", THREAD_BEFORE),
];

/// The most urgent message that waits for an agent and could start a run.
pub(in crate::messaging::messages) async fn waiting(
    tx: &mut Tx,
    agent: AgentId,
    max_depth: u32,
) -> Result<Option<MessageId>> {
    let found: Option<(MessageId,)> = tx.query(WAITING).bind(agent).bind(max_depth).fetch_optional().await?;
    Ok(found.map(|(id,)| id))
}

/// The oldest message of each sender among those that could start a run.
pub(in crate::messaging::messages) async fn waiting_by_sender(
    tx: &mut Tx,
    agent: AgentId,
    max_depth: u32,
    limit: u32,
) -> Result<Vec<MessageId>> {
    ids(tx, WAITING_BY_SENDER, agent, max_depth, limit).await
}

/// The messages that a run would claim, the most urgent first.
pub(in crate::messaging::messages) async fn all_waiting(
    tx: &mut Tx,
    agent: AgentId,
    max_depth: u32,
    limit: u32,
) -> Result<Vec<MessageId>> {
    ids(tx, ALL_WAITING, agent, max_depth, limit).await
}

async fn ids(tx: &mut Tx, text: &'static str, agent: AgentId, max_depth: u32, limit: u32) -> Result<Vec<MessageId>> {
    let found: Vec<(MessageId,)> = tx.query(text).bind(agent).bind(max_depth).bind(limit).fetch_all().await?;
    Ok(found.into_iter().map(|(id,)| id).collect())
}

crate::row! {
    struct TriggerRow {
        id: MessageId,
        sender_id: ParticipantId,
        sender_owner_id: Option<UserId>,
        recipient_id: Option<ParticipantId>,
        status: MessageStatus,
        depth: u32,
        mention_of: Option<MessageId>,
        traceparent: Option<String>,
        conversation_id: ConversationId,
    }
}

/// What a run needs to know of a message.
pub(in crate::messaging::messages) async fn trigger(tx: &mut Tx, id: MessageId) -> Result<Option<Trigger>> {
    let row: Option<TriggerRow> = tx.query(TRIGGER).bind(id).fetch_optional().await?;
    Ok(row.map(|row| Trigger {
        id: row.id,
        sender: row.sender_id,
        is_system: row.sender_owner_id.is_none(),
        recipient: row.recipient_id,
        status: row.status,
        depth: row.depth,
        mention_of: row.mention_of,
        traceparent: row.traceparent,
        conversation: row.conversation_id,
    }))
}

/// Claims the trigger of a run. Returns it with its token; none when it does not wait any more.
pub(in crate::messaging::messages) async fn take_one(
    tx: &mut Tx,
    claim: &RunClaim,
    id: MessageId,
) -> Result<Option<(MessageId, String)>> {
    // Whoever holds the row at the moment need not be claiming it, so this waits.
    let text = ONE.claim.waiting(tx.engine()).unwrap_or(ONE.claim.sqlite);
    Ok(take(tx, text, claim, 1, id.0).await?.pop())
}

/// Claims up to `limit` further messages.
pub(in crate::messaging::messages) async fn take_more(
    tx: &mut Tx,
    claim: &RunClaim,
    limit: u32,
) -> Result<Vec<(MessageId, String)>> {
    take(tx, MORE.claim.skipping(tx.engine()), claim, limit, claim.max_depth.into()).await
}

async fn take(
    tx: &mut Tx,
    text: &'static str,
    claim: &RunClaim,
    limit: u32,
    which: i64,
) -> Result<Vec<(MessageId, String)>> {
    let now = tx.now();
    tx.query(text)
        .bind(claim.agent)
        .bind(limit)
        .bind(claim.token.as_str())
        .bind(now.plus(claim.lease))
        .bind(now)
        .bind(MessageStatus::Processing)
        .bind(which)
        .fetch_all()
        .await
}

/// The messages that a run still holds, locked for this transaction, each with the number of its claims.
pub(in crate::messaging::messages) async fn held(
    tx: &mut Tx,
    agent: AgentId,
    token: &str,
) -> Result<Vec<(MessageId, i64)>> {
    let mut held: Vec<(MessageId, i64)> = tx.query(HELD).bind(agent).bind(token).fetch_all().await?;
    held.sort_unstable();
    Ok(held)
}

/// The messages that a run still holds, with their tokens.
pub(in crate::messaging::messages) async fn held_tokens(
    tx: &mut Tx,
    agent: AgentId,
    token: &str,
) -> Result<Vec<(MessageId, String)>> {
    let held = held(tx, agent, token).await?;
    Ok(held.into_iter().map(|(id, _)| (id, format!("{token}-{id}"))).collect())
}

/// Restarts the leases of the messages that a run still holds.
pub(in crate::messaging::messages) async fn renew(
    tx: &mut Tx,
    agent: AgentId,
    token: &str,
    lease: Duration,
) -> Result<()> {
    let now = tx.now();
    tx.query(RENEW).bind(agent).bind(token).bind(now.plus(lease)).bind(now).execute().await?;
    Ok(())
}

/// Gives messages back, without counting their claims.
pub(in crate::messaging::messages) async fn give_back(tx: &mut Tx, ids: &[MessageId]) -> Result<()> {
    TABLE.give_back(tx, ids).await?;
    for id in ids {
        TABLE.uncount(tx, *id).await?;
    }
    Ok(())
}

/// The newest messages of a thread before a message that a viewer may see, newest first.
pub(in crate::messaging::messages) async fn thread_before(
    tx: &mut Tx,
    viewer: &Viewer,
    root: MessageId,
    before: MessageId,
    limit: u32,
) -> Result<Vec<MessageRow>> {
    viewer.bind(tx.query(THREAD_BEFORE)).bind(root).bind(before).bind(limit).fetch_all().await
}

/// The first message that an agent sent after another one.
pub(in crate::messaging::messages) async fn sent_after(
    tx: &mut Tx,
    agent: AgentId,
    after: MessageId,
) -> Result<Option<MessageId>> {
    let found: Option<(MessageId,)> = tx.query(SENT_AFTER).bind(agent).bind(after).fetch_optional().await?;
    Ok(found.map(|(id,)| id))
}

/// The newest message of all.
pub(in crate::messaging::messages) async fn newest(tx: &mut Tx) -> Result<MessageId> {
    tx.query(NEWEST).fetch_value().await
}
