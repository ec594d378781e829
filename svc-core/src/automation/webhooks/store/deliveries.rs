//! The SQL of deliveries and attempts.

use svc_model::webhooks::{Delivery, DeliveryAttempt, DeliveryError, DeliveryStatus, RecentAttempt};

use super::bodies::remove_unused;
use super::webhooks::Scope;
use crate::error::Result;
use crate::ids::{AgentId, DeliveryId, EventSeq, MessageId, ParticipantId, QueueItemId, UserId, WebhookId};
use crate::limits;
use crate::store::db::{Tx, placeholders};
use crate::timestamp::Timestamp;

/// The stored status of a delivery. The queue knows the rest about an open one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stored {
    Open,
    Delivered,
    Dead,
    Stopped,
}

crate::text_enum! { Stored { Open => "open", Delivered => "delivered", Dead => "dead", Stopped => "stopped" } }

/// The status that is shown, from that of the delivery `d` and that of its item `q`.
macro_rules! shown_status {
    () => {
        "CASE WHEN d.status <> 'open' THEN d.status
              WHEN q.status = 'leased' THEN 'delivering'
              WHEN d.attempts > 0 OR q.attempts > 0 THEN 'retrying'
              ELSE 'pending' END"
    };
}

macro_rules! select_deliveries {
    ($($rest:expr),+) => {
        concat!(
            "SELECT d.id, d.webhook_id, p.handle AS agent, d.event, d.event_seq AS sequence, ",
            shown_status!(),
            " AS status, d.attempts, d.error, d.response_status,
                    (SELECT t.duration_ms FROM webhook_attempts t WHERE t.delivery_id = d.id ORDER BY t.number DESC LIMIT 1)
                        AS duration_ms,
                    d.depth, d.created_at, d.updated_at
               FROM webhook_deliveries d
               JOIN webhooks w ON w.id = d.webhook_id
               JOIN agents a ON a.id = w.agent_id
               JOIN participants p ON p.id = w.agent_id
               LEFT JOIN queue_items q ON q.id = d.item_id ",
            $($rest),+
        )
    };
}

pub(super) const LIST: &str = select_deliveries!("WHERE d.webhook_id = $1 AND d.id < $2 ORDER BY d.id DESC LIMIT $3");
pub(super) const LIST_BY_STATUS: &str = select_deliveries!(
    "WHERE d.webhook_id = $1 AND d.status = $4 AND d.id < $2 AND ",
    shown_status!(),
    " = $5 ORDER BY d.id DESC LIMIT $3"
);
pub(super) const FIND: &str = select_deliveries!(
    "WHERE d.id = $1 AND w.deleted_at IS NULL AND ($2 IS NULL OR a.owner_id = $2) AND ($3 IS NULL OR w.agent_id = $3)"
);
pub(super) const ATTEMPTS: &str = "
    SELECT number, started_at, duration_ms, status, error, excerpt
      FROM webhook_attempts
     WHERE delivery_id = $1
     ORDER BY number";
pub(super) const RECENT: &str = "
    SELECT delivery_id, error, status, duration_ms, started_at
      FROM webhook_attempts
     WHERE webhook_id = $1
     ORDER BY id DESC
     LIMIT $2";
pub(super) const OF_EVENT: &str = "
    SELECT id, status, depth, (body_id IS NOT NULL OR text IS NOT NULL) AS has_text
      FROM webhook_deliveries
     WHERE webhook_id = $1 AND event_seq = $2";
/// Open deliveries whose workers stopped at the last attempt. `CROSS JOIN` makes SQLite start with the dead items,
/// which are few.
pub(super) const INTERRUPTED: &str = "
    SELECT d.id
      FROM queue_items q
     CROSS JOIN webhook_deliveries d
     WHERE q.queue = 'webhooks' AND q.status = 'dead' AND d.item_id = q.id AND d.status = 'open'
     ORDER BY q.id
     LIMIT $1";
pub(super) const OLDEST_OPEN: &str =
    "SELECT created_at FROM webhook_deliveries WHERE status = 'open' ORDER BY created_at LIMIT 1";
pub(super) const SWEEP: &str = "
    DELETE FROM webhook_deliveries
     WHERE id IN (SELECT id FROM webhook_deliveries WHERE status = $1 AND updated_at < $2 ORDER BY updated_at LIMIT $3)
     RETURNING body_id";
/// The open deliveries of a webhook that no worker holds.
pub(super) const WAITING: &str = "
    SELECT d.item_id
      FROM webhook_deliveries d
      JOIN queue_items q ON q.id = d.item_id
     WHERE d.webhook_id = $1 AND d.status = 'open' AND q.status IN ('pending', 'waiting')
     ORDER BY d.id
     LIMIT $2";
pub(super) const REMOVE_SOME: &str = "
    DELETE FROM webhook_deliveries
     WHERE id IN (SELECT id FROM webhook_deliveries WHERE webhook_id = $1 ORDER BY id LIMIT $2)
     RETURNING body_id";
/// `CROSS JOIN` makes SQLite start with the agents of the owner, not with the open deliveries of everybody.
pub(super) const OPEN_OF_OWNER: &str = "
    SELECT count(*)
      FROM (SELECT d.id
              FROM agents a
             CROSS JOIN webhooks w
             CROSS JOIN webhook_deliveries d
             WHERE a.owner_id = $1 AND w.agent_id = a.id AND w.deleted_at IS NULL
               AND d.webhook_id = w.id AND d.status = 'open'
             LIMIT $2) open";

pub(super) const OLDER: &str = "SELECT id FROM webhook_deliveries WHERE status = $1 AND updated_at < $2 LIMIT 1";

/// A delivery to be stored.
#[derive(Debug, Clone)]
pub(crate) struct NewDelivery<'a> {
    pub(crate) webhook: WebhookId,
    pub(crate) seq: EventSeq,
    pub(crate) event: &'a str,
    pub(crate) message: Option<MessageId>,
    /// The stored text that is sent with a message; none for a delivery that is stopped.
    pub(crate) body: Option<i64>,
    /// The text of an event that goes with no message.
    pub(crate) text: Option<&'a str>,
    pub(crate) depth: u32,
    pub(crate) traceparent: Option<&'a str>,
    /// The item in the queue; none for a delivery that is stopped with this reason.
    pub(crate) item: Result<QueueItemId, DeliveryError>,
}

/// Stores a delivery, unless the webhook was deleted or has one of this event. Returns whether it was stored.
pub(crate) async fn insert_delivery(tx: &mut Tx, new: &NewDelivery<'_>) -> Result<bool> {
    let now = tx.now();
    let (status, item, error) = match new.item {
        Ok(item) => (Stored::Open, Some(item), None),
        Err(error) => (Stored::Stopped, None, Some(error)),
    };
    let query = tx.query(
        "INSERT INTO webhook_deliveries
            (webhook_id, event_seq, event, message_id, body_id, depth, traceparent, status, item_id, attempts, error,
             created_at, updated_at, text)
         SELECT w.id, CAST($2 AS BIGINT), CAST($3 AS TEXT), CAST($4 AS BIGINT), CAST($5 AS BIGINT),
                CAST($6 AS BIGINT), CAST($7 AS TEXT), CAST($8 AS TEXT), CAST($9 AS BIGINT), 0, CAST($10 AS TEXT),
                CAST($11 AS BIGINT), CAST($11 AS BIGINT), CAST($12 AS TEXT)
           FROM webhooks w
          WHERE w.id = $1 AND w.deleted_at IS NULL
         ON CONFLICT (webhook_id, event_seq) DO NOTHING",
    );
    let stored = query
        .bind(new.webhook)
        .bind(new.seq)
        .bind(new.event)
        .bind(new.message)
        .bind(new.body)
        .bind(new.depth)
        .bind(new.traceparent)
        .bind(status)
        .bind(item)
        .bind(error)
        .bind(now)
        .bind(new.text)
        .execute()
        .await?;
    Ok(stored == 1)
}

/// The number of open deliveries of an owner, up to a limit.
pub(crate) async fn open_of_owner(tx: &mut Tx, owner: UserId, limit: u32) -> Result<u32> {
    tx.query(OPEN_OF_OWNER).bind(owner).bind(limit).fetch_value().await
}

/// The items of the open deliveries of a webhook that no worker holds.
pub(crate) async fn waiting_items(tx: &mut Tx, webhook: WebhookId, limit: u32) -> Result<Vec<QueueItemId>> {
    let found: Vec<(QueueItemId,)> = tx.query(WAITING).bind(webhook).bind(limit).fetch_all().await?;
    Ok(found.into_iter().map(|(item,)| item).collect())
}

/// Stops the open deliveries of these items.
pub(crate) async fn stop_all(tx: &mut Tx, items: &[QueueItemId], error: DeliveryError) -> Result<()> {
    if items.is_empty() {
        return Ok(());
    }
    let now = tx.now();
    let text = format!(
        "UPDATE webhook_deliveries SET status = 'stopped', error = $1, updated_at = $2
          WHERE status = 'open' AND item_id IN ({})",
        placeholders(3, items.len())
    );
    let query = tx.query(text).bind(error).bind(now);
    items.iter().fold(query, |query, item| query.bind(*item)).execute().await?;
    Ok(())
}

/// Removes some deliveries of a webhook, with their attempts and dead letters. Returns their number.
pub(crate) async fn remove_some(tx: &mut Tx, webhook: WebhookId, limit: u32) -> Result<u64> {
    let removed = tx.query(REMOVE_SOME).bind(webhook).bind(limit).fetch_all().await?;
    remove_unused(tx, removed).await
}

crate::row! {
    /// The delivery of an event, if there is one already.
    #[derive(Debug, Clone)]
    pub(crate) struct Known {
        pub(crate) id: DeliveryId,
        pub(crate) status: Stored,
        pub(crate) depth: u32,
        pub(crate) has_text: bool,
    }
}

pub(crate) async fn of_event(tx: &mut Tx, webhook: WebhookId, seq: EventSeq) -> Result<Option<Known>> {
    tx.query(OF_EVENT).bind(webhook).bind(seq).fetch_optional().await
}

/// Stops a delivery that must not be sent.
pub(crate) async fn stop(tx: &mut Tx, id: DeliveryId, error: DeliveryError) -> Result<()> {
    let now = tx.now();
    tx.query(
        "UPDATE webhook_deliveries SET status = 'stopped', error = $2, response_status = NULL, updated_at = $3
          WHERE id = $1",
    )
    .bind(id)
    .bind(error)
    .bind(now)
    .execute()
    .await?;
    Ok(())
}

/// Opens a delivery that has ended, with a new item in the queue. Returns whether it had ended.
pub(crate) async fn reopen(tx: &mut Tx, id: DeliveryId, item: QueueItemId) -> Result<bool> {
    let now = tx.now();
    let changed = tx
        .query(
            "UPDATE webhook_deliveries SET status = 'open', item_id = $2, error = NULL, updated_at = $3
              WHERE id = $1 AND status <> 'open'",
        )
        .bind(id)
        .bind(item)
        .bind(now)
        .execute()
        .await?;
    Ok(changed == 1)
}

pub(crate) async fn list_deliveries(
    tx: &mut Tx,
    webhook: WebhookId,
    before: DeliveryId,
    status: Option<DeliveryStatus>,
    limit: u32,
) -> Result<Vec<Delivery>> {
    let Some(status) = status else {
        return tx.query(LIST).bind(webhook).bind(before).bind(limit).fetch_all().await;
    };
    let stored = match status {
        DeliveryStatus::Pending | DeliveryStatus::Delivering | DeliveryStatus::Retrying => Stored::Open,
        DeliveryStatus::Delivered => Stored::Delivered,
        DeliveryStatus::Dead => Stored::Dead,
        DeliveryStatus::Stopped => Stored::Stopped,
    };
    tx.query(LIST_BY_STATUS).bind(webhook).bind(before).bind(limit).bind(stored).bind(status).fetch_all().await
}

pub(crate) async fn find_delivery(tx: &mut Tx, scope: &Scope, id: DeliveryId) -> Result<Option<Delivery>> {
    tx.query(FIND).bind(id).bind(scope.owner).bind(scope.agent).fetch_optional().await
}

crate::row! {
    /// The parts of a delivery that its request consists of.
    pub(crate) struct Sent {
        pub(crate) body: Option<String>,
        pub(crate) traceparent: Option<String>,
        pub(crate) url: String,
        pub(crate) agent_id: AgentId,
        pub(crate) message_id: Option<MessageId>,
    }
}

pub(crate) async fn sent(tx: &mut Tx, id: DeliveryId) -> Result<Sent> {
    tx.query(
        "SELECT coalesce(b.text, d.text) AS body, d.traceparent,
                coalesce((SELECT t.url FROM webhook_attempts t WHERE t.delivery_id = d.id ORDER BY t.number DESC LIMIT 1),
                         w.url) AS url,
                w.agent_id, d.message_id
           FROM webhook_deliveries d
           JOIN webhooks w ON w.id = d.webhook_id
           LEFT JOIN webhook_bodies b ON b.id = d.body_id
          WHERE d.id = $1",
    )
    .bind(id)
    .fetch_one()
    .await
}

pub(crate) async fn attempts(tx: &mut Tx, id: DeliveryId) -> Result<Vec<DeliveryAttempt>> {
    tx.query(ATTEMPTS).bind(id).fetch_all().await
}

crate::row! {
    struct RecentRow {
        delivery_id: DeliveryId,
        error: Option<DeliveryError>,
        status: Option<u32>,
        duration_ms: u32,
        started_at: Timestamp,
    }
}

/// The last attempts of a webhook, oldest first.
pub(crate) async fn recent(tx: &mut Tx, webhook: WebhookId) -> Result<Vec<RecentAttempt>> {
    let rows: Vec<RecentRow> = tx.query(RECENT).bind(webhook).bind(limits::WEBHOOK_RECENT).fetch_all().await?;
    let shown = |row: RecentRow| RecentAttempt {
        delivery_id: row.delivery_id,
        ok: row.error.is_none(),
        status: row.status,
        duration_ms: row.duration_ms,
        at: row.started_at,
    };
    Ok(rows.into_iter().rev().map(shown).collect())
}

crate::row! {
    /// A delivery that ends without a report of its worker.
    #[derive(Debug, Clone)]
    pub(crate) struct Ending {
        pub(crate) id: DeliveryId,
        pub(crate) agent_id: ParticipantId,
        pub(crate) owner_id: UserId,
        pub(crate) attempts: u32,
    }
}

/// Ends open deliveries whose items in the queue are dead. Returns them.
pub(crate) async fn end_interrupted(tx: &mut Tx, limit: u32) -> Result<Vec<Ending>> {
    let ids: Vec<(DeliveryId,)> = tx.query(INTERRUPTED).bind(limit).fetch_all().await?;
    let mut ended = Vec::with_capacity(ids.len());
    for (id,) in ids {
        let now = tx.now();
        let changed = tx
            .query(
                "UPDATE webhook_deliveries SET status = 'dead', error = $2, updated_at = $3
                  WHERE id = $1 AND status = 'open'",
            )
            .bind(id)
            .bind(DeliveryError::Interrupted)
            .bind(now)
            .execute()
            .await?;
        if changed == 1 {
            ended.push(
                tx.query(
                    "SELECT d.id, w.agent_id, a.owner_id, d.attempts
                       FROM webhook_deliveries d
                       JOIN webhooks w ON w.id = d.webhook_id
                       JOIN agents a ON a.id = w.agent_id
                      WHERE d.id = $1",
                )
                .bind(id)
                .fetch_one()
                .await?,
            );
        }
    }
    Ok(ended)
}

/// When the oldest delivery was created that has not ended.
pub(crate) async fn oldest_open(tx: &mut Tx) -> Result<Option<Timestamp>> {
    Ok(tx.query(OLDEST_OPEN).fetch_optional::<(Timestamp,)>().await?.map(|(at,)| at))
}

/// Whether a delivery ended with this status before a time.
pub(crate) async fn is_any_older(tx: &mut Tx, status: Stored, before: Timestamp) -> Result<bool> {
    let found = tx.query(OLDER).bind(status).bind(before).fetch_optional::<(DeliveryId,)>();
    Ok(found.await?.is_some())
}

/// Whether the worker of an open delivery stopped at the last attempt.
pub(crate) async fn is_any_interrupted(tx: &mut Tx) -> Result<bool> {
    Ok(tx.query(INTERRUPTED).bind(1_u32).fetch_optional::<(DeliveryId,)>().await?.is_some())
}

/// Removes deliveries that ended with this status before a time, with their attempts.
pub(crate) async fn sweep(tx: &mut Tx, status: Stored, before: Timestamp, limit: u32) -> Result<u64> {
    let removed = tx.query(SWEEP).bind(status).bind(before).bind(limit).fetch_all().await?;
    remove_unused(tx, removed).await
}
