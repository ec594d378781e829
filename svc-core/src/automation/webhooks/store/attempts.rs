//! The SQL of attempts: what they need, and what they did. The deliveries of a claim are read together, and outcomes of
//! the same time are written together.

use std::collections::{HashMap, HashSet};

use svc_model::webhooks::DeliveryAttempt;

use super::deliveries::Stored;
use crate::column::Bind;
use crate::error::Result;
use crate::ids::{AgentId, DeliveryId, MessageId, QueueItemId, UserId, WebhookId};
use crate::store::db::{Engine, Rows, Tx};
use crate::timestamp::Timestamp;

/// The planner of PostgreSQL cannot know how few deliveries are wanted. So they are an array there, which it expects to
/// be short; it would read the whole table for a long list.
macro_rules! jobs {
    ($wanted:literal) => {
        concat!(
            // Materialized: without statistics, PostgreSQL would read the open deliveries of every webhook.
            "WITH picked AS MATERIALIZED (
                  SELECT item_id, id, webhook_id, event, message_id, body_id, text, depth, traceparent, attempts,
                         created_at
                    FROM webhook_deliveries
                   WHERE ",
            $wanted,
            " AND status = 'open')
             SELECT picked.item_id, picked.id, picked.webhook_id, w.agent_id, a.owner_id, picked.event,
                    picked.message_id, coalesce(b.text, picked.text) AS body, picked.depth, picked.traceparent,
                    picked.attempts, picked.created_at, w.url,
                    (w.enabled AND u.disabled_at IS NULL) AS enabled, w.secret
               FROM picked
               JOIN webhooks w ON w.id = picked.webhook_id
               JOIN agents a ON a.id = w.agent_id
               JOIN users u ON u.id = a.owner_id
               LEFT JOIN webhook_bodies b ON b.id = picked.body_id
              WHERE w.deleted_at IS NULL"
        )
    };
}

macro_rules! set_statuses {
    ($rows:literal) => {
        concat!(
            "WITH ended (id, status, error, response_status, attempts) AS (VALUES ",
            $rows,
            ")
             UPDATE webhook_deliveries
                SET status = ended.status, error = ended.error, response_status = ended.response_status,
                    attempts = ended.attempts, updated_at = $1
               FROM ended
              WHERE webhook_deliveries.id = ended.id
             RETURNING webhook_deliveries.id"
        )
    };
}

/// Sets the statuses of deliveries and inserts their attempts, on PostgreSQL, in one round trip. The array is for the
/// planner.
macro_rules! store {
    ($rows:literal) => {
        concat!(
            "WITH made (delivery_id, webhook_id, number, started_at, duration_ms, status, error, excerpt, url, outcome)
                  AS (VALUES ",
            $rows,
            "),
                  changed AS (
                      UPDATE webhook_deliveries
                         SET status = made.outcome, error = made.error, response_status = made.status,
                             attempts = made.number, updated_at = $1
                        FROM made
                       WHERE webhook_deliveries.id = made.delivery_id
                         AND webhook_deliveries.id = ANY (ARRAY(SELECT made.delivery_id FROM made))
                      RETURNING webhook_deliveries.id),
                  stored AS (
                      INSERT INTO webhook_attempts
                         (delivery_id, webhook_id, number, started_at, duration_ms, status, error, excerpt, url)
                      SELECT made.delivery_id, made.webhook_id, made.number, made.started_at, made.duration_ms,
                             made.status, made.error, made.excerpt, made.url
                        FROM made
                        JOIN changed ON changed.id = made.delivery_id)
             SELECT id FROM changed"
        )
    };
}

/// The statements over growing tables, for the test of query plans.
pub(super) const LISTED: &[(&str, &str)] =
    &[("attempts.jobs", jobs!("item_id IN ($1)")), ("attempts.set_statuses", set_statuses!("($2, $3, $4, $5, $6)"))];

crate::row! {
    /// Everything that an attempt needs.
    #[derive(Clone)]
    pub(crate) struct Job {
        pub(crate) item_id: QueueItemId,
        pub(crate) id: DeliveryId,
        pub(crate) webhook_id: WebhookId,
        pub(crate) agent_id: AgentId,
        pub(crate) owner_id: UserId,
        pub(crate) event: String,
        pub(crate) message_id: Option<MessageId>,
        pub(crate) body: Option<String>,
        pub(crate) depth: u32,
        pub(crate) traceparent: Option<String>,
        pub(crate) attempts: u32,
        pub(crate) created_at: Timestamp,
        pub(crate) url: String,
        pub(crate) enabled: bool,
        pub(crate) secret: Vec<u8>,
    }
}

/// The deliveries of items in the queue, without those that have ended or whose webhook is gone.
pub(crate) async fn jobs(tx: &mut Tx, items: &[QueueItemId]) -> Result<Vec<Job>> {
    let rows: Rows<1> = items.iter().map(|item| [item.into_bound()]).collect();
    let values = rows.placeholders(1);
    let text = match tx.engine() {
        Engine::Sqlite => format!(jobs!("item_id IN ({values})"), values = values),
        Engine::Postgres => format!(jobs!("item_id = ANY (ARRAY(VALUES {values}))"), values = values),
    };
    rows.bind(tx.query(text)).fetch_all().await
}

/// The previous secrets of webhooks that still sign, sealed, the newest first.
pub(crate) async fn old_secrets_of(
    tx: &mut Tx,
    webhooks: impl Iterator<Item = WebhookId>,
) -> Result<HashMap<WebhookId, Vec<Vec<u8>>>> {
    let rows: Rows<1> = webhooks.map(|webhook| [webhook.into_bound()]).collect();
    let now = tx.now();
    let text = format!(
        "SELECT webhook_id, secret
           FROM webhook_old_secrets
          WHERE webhook_id IN ({}) AND valid_until > $1
          ORDER BY webhook_id, id DESC",
        rows.placeholders(2)
    );
    let found: Vec<(WebhookId, Vec<u8>)> = rows.bind(tx.query(text).bind(now)).fetch_all().await?;
    let mut secrets = HashMap::<_, Vec<_>>::new();
    for (webhook, secret) in found {
        secrets.entry(webhook).or_default().push(secret);
    }
    Ok(secrets)
}

/// An attempt to be stored, and the status that its delivery has after it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NewAttempt<'a> {
    pub(crate) delivery: DeliveryId,
    pub(crate) webhook: WebhookId,
    pub(crate) url: &'a str,
    pub(crate) attempt: &'a DeliveryAttempt,
    pub(crate) status: Stored,
}

/// Writes attempts and the new statuses of their deliveries. Returns the deliveries that still exist.
pub(crate) async fn write_attempts(tx: &mut Tx, new: &[NewAttempt<'_>]) -> Result<HashSet<DeliveryId>> {
    // In the order of their ids, so that two transactions seldom wait for each other.
    let mut sorted = new.to_vec();
    sorted.sort_unstable_by_key(|one| one.delivery);
    if tx.engine() == Engine::Postgres {
        return store(tx, &sorted).await;
    }
    let row = |one: &NewAttempt<'_>| {
        let DeliveryAttempt { number, status, error, .. } = one.attempt;
        [
            one.delivery.into_bound(),
            one.status.into_bound(),
            error.into_bound(),
            status.into_bound(),
            number.into_bound(),
        ]
    };
    let rows: Rows<5> = sorted.iter().map(row).collect();
    if rows.is_empty() {
        return Ok(HashSet::new());
    }
    let (now, text) = (tx.now(), format!(set_statuses!("{values}"), values = rows.placeholders(2)));
    let changed: Vec<(DeliveryId,)> = rows.bind(tx.query(text).bind(now)).fetch_all().await?;
    let changed: HashSet<_> = changed.into_iter().map(|(id,)| id).collect();
    insert(tx, new.iter().filter(|one| changed.contains(&one.delivery))).await?;
    Ok(changed)
}

/// Does on PostgreSQL what [`write_attempts`] says.
async fn store(tx: &mut Tx, sorted: &[NewAttempt<'_>]) -> Result<HashSet<DeliveryId>> {
    let row = |one: &NewAttempt<'_>| {
        let DeliveryAttempt { number, started_at, duration_ms, status, error, excerpt } = one.attempt;
        [
            one.delivery.into_bound(),
            one.webhook.into_bound(),
            number.into_bound(),
            started_at.into_bound(),
            duration_ms.into_bound(),
            status.into_bound(),
            error.into_bound(),
            excerpt.as_deref().into_bound(),
            one.url.into_bound(),
            one.status.into_bound(),
        ]
    };
    let rows: Rows<10> = sorted.iter().map(row).collect();
    if rows.is_empty() {
        return Ok(HashSet::new());
    }
    let (now, text) = (tx.now(), format!(store!("{values}"), values = rows.placeholders(2)));
    let changed: Vec<(DeliveryId,)> = rows.bind(tx.query(text).bind(now)).fetch_all().await?;
    Ok(changed.into_iter().map(|(id,)| id).collect())
}

async fn insert<'a>(tx: &mut Tx, new: impl Iterator<Item = &'a NewAttempt<'a>>) -> Result<()> {
    let row = |one: &NewAttempt<'_>| {
        let DeliveryAttempt { number, started_at, duration_ms, status, error, excerpt } = one.attempt;
        [
            one.delivery.into_bound(),
            one.webhook.into_bound(),
            number.into_bound(),
            started_at.into_bound(),
            duration_ms.into_bound(),
            status.into_bound(),
            error.into_bound(),
            excerpt.as_deref().into_bound(),
            one.url.into_bound(),
        ]
    };
    let rows: Rows<9> = new.map(row).collect();
    if rows.is_empty() {
        return Ok(());
    }
    let text = format!(
        "WITH made (delivery_id, webhook_id, number, started_at, duration_ms, status, error, excerpt, url)
              AS (VALUES {})
         INSERT INTO webhook_attempts
            (delivery_id, webhook_id, number, started_at, duration_ms, status, error, excerpt, url)
         SELECT delivery_id, webhook_id, number, started_at, duration_ms, status, error, excerpt, url
           FROM made
          WHERE delivery_id IS NOT NULL",
        rows.placeholders(1)
    );
    rows.bind(tx.query(text)).execute().await?;
    Ok(())
}

/// Locks webhooks for this transaction, in the order of their ids: without it, two transactions with outcomes of the
/// same webhooks could wait for each other.
pub(crate) async fn lock_webhooks(tx: &mut Tx, ids: impl Iterator<Item = WebhookId>) -> Result<()> {
    let rows: Rows<1> = ids.map(|id| [id.into_bound()]).collect();
    if rows.is_empty() || tx.engine() == Engine::Sqlite {
        return Ok(());
    }
    let text = format!("SELECT id FROM webhooks WHERE id IN ({}) ORDER BY id FOR NO KEY UPDATE", rows.placeholders(1));
    rows.bind(tx.query(text)).fetch_all::<(WebhookId,)>().await?;
    Ok(())
}

/// Records successes of endpoints that the webhooks still have. It locks them in the order of their ids, too.
pub(crate) async fn note_successes<'a>(
    tx: &mut Tx,
    endpoints: impl Iterator<Item = (WebhookId, &'a str)>,
) -> Result<()> {
    let rows: Rows<2> = endpoints.map(|(id, url)| [id.into_bound(), url.into_bound()]).collect();
    if rows.is_empty() {
        return Ok(());
    }
    let (now, values) = (tx.now(), rows.placeholders(2));
    let text = match tx.engine() {
        Engine::Sqlite => format!(
            "WITH told (id, url) AS (VALUES {values})
             UPDATE webhooks SET consecutive_failures = 0, last_success_at = $1
               FROM told
              WHERE webhooks.id = told.id AND webhooks.url = told.url"
        ),
        Engine::Postgres => format!(
            "WITH told (id, url) AS (VALUES {values}),
                  locked AS MATERIALIZED (
                      SELECT id FROM webhooks WHERE id IN (SELECT told.id FROM told) ORDER BY id FOR NO KEY UPDATE)
             UPDATE webhooks SET consecutive_failures = 0, last_success_at = $1
               FROM told
               JOIN locked ON locked.id = told.id
              WHERE webhooks.id = told.id AND webhooks.url = told.url"
        ),
    };
    rows.bind(tx.query(text).bind(now)).execute().await?;
    Ok(())
}
