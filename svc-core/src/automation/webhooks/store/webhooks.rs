//! The SQL of webhooks.

use std::time::Duration;

use svc_model::webhooks::{DisabledReason, Webhook, WebhookEvent};

use crate::column::Json;
use crate::error::Result;
use crate::ids::{AgentId, ChannelId, EventSeq, ParticipantId, UserId, WebhookId};
use crate::limits;
use crate::store::db::Tx;
use crate::timestamp::Timestamp;

/// The webhooks that a caller can access: those of the agents of a user, of one agent, or all.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scope {
    pub(crate) owner: Option<UserId>,
    pub(crate) agent: Option<AgentId>,
}

crate::row! {
    /// A webhook with the agent and the human that it belongs to.
    #[derive(Debug, Clone)]
    pub(crate) struct WebhookRow {
        pub(crate) id: WebhookId,
        pub(crate) agent_id: AgentId,
        pub(crate) agent: String,
        pub(crate) owner_id: UserId,
        pub(crate) owner: String,
        pub(crate) url: String,
        pub(crate) events: Json<Vec<WebhookEvent>>,
        pub(crate) enabled: bool,
        pub(crate) disabled_reason: Option<DisabledReason>,
        pub(crate) consecutive_failures: u32,
        pub(crate) last_success_at: Option<Timestamp>,
        pub(crate) last_failure_at: Option<Timestamp>,
        pub(crate) created_at: Timestamp,
    }
}

impl WebhookRow {
    /// The webhook as it is shown.
    pub(crate) fn shown(self) -> Webhook {
        Webhook {
            id: self.id,
            agent: self.agent,
            url: self.url,
            events: self.events.0,
            enabled: self.enabled,
            disabled_reason: self.disabled_reason,
            consecutive_failures: self.consecutive_failures,
            last_success_at: self.last_success_at,
            last_failure_at: self.last_failure_at,
            created_at: self.created_at,
        }
    }
}

macro_rules! select_webhooks {
    ($rest:literal) => {
        concat!(
            "SELECT w.id, w.agent_id, p.handle AS agent, a.owner_id, o.handle AS owner, w.url, w.events, w.enabled,
                    w.disabled_reason, w.consecutive_failures, w.last_success_at, w.last_failure_at, w.created_at
               FROM webhooks w
               JOIN agents a ON a.id = w.agent_id
               JOIN participants p ON p.id = w.agent_id
               JOIN participants o ON o.id = a.owner_id
              WHERE w.deleted_at IS NULL AND ($1 IS NULL OR a.owner_id = $1) AND ($2 IS NULL OR w.agent_id = $2) ",
            $rest
        )
    };
}

pub(crate) async fn list(tx: &mut Tx, scope: &Scope, agent: Option<&str>) -> Result<Vec<WebhookRow>> {
    tx.query(select_webhooks!("AND ($3 IS NULL OR p.handle_key = $3) ORDER BY w.id"))
        .bind(scope.owner)
        .bind(scope.agent)
        .bind(agent.map(str::to_ascii_lowercase))
        .fetch_all()
        .await
}

pub(crate) async fn find(tx: &mut Tx, scope: &Scope, id: WebhookId) -> Result<Option<WebhookRow>> {
    tx.query(select_webhooks!("AND w.id = $3")).bind(scope.owner).bind(scope.agent).bind(id).fetch_optional().await
}

/// Locks a webhook for this transaction.
pub(crate) async fn hold(tx: &mut Tx, id: WebhookId) -> Result<()> {
    tx.query("UPDATE webhooks SET updated_at = updated_at WHERE id = $1").bind(id).execute().await?;
    Ok(())
}

pub(crate) async fn count(tx: &mut Tx, agent: AgentId) -> Result<i64> {
    tx.query("SELECT count(*) FROM webhooks WHERE agent_id = $1 AND deleted_at IS NULL").bind(agent).fetch_value().await
}

/// Whether another webhook of the agent has this URL.
pub(crate) async fn is_taken(tx: &mut Tx, agent: AgentId, url: &str, except: Option<WebhookId>) -> Result<bool> {
    let found = tx
        .query("SELECT id FROM webhooks WHERE agent_id = $1 AND url = $2 AND deleted_at IS NULL")
        .bind(agent)
        .bind(url);
    Ok(found.fetch_optional::<(WebhookId,)>().await?.is_some_and(|(id,)| Some(id) != except))
}

pub(crate) async fn insert(tx: &mut Tx, agent: AgentId, url: &str, events: &[WebhookEvent]) -> Result<WebhookId> {
    let (now, newest) = (tx.now(), tx.newest_event().await?);
    tx.query(
        "INSERT INTO webhooks
            (agent_id, url, events, enabled, enabled_after, is_ending, consecutive_failures, secret, tests, tests_since,
             recovering_until, created_at, updated_at)
         VALUES ($1, $2, $3, TRUE, $6, FALSE, 0, $4, 0, 0, 0, $5, $5)",
    )
    .bind(agent)
    .bind(url)
    .bind(Json(events.to_vec()))
    // A secret is sealed for the id of its webhook, so it is set after the id is known.
    .bind(Vec::<u8>::new())
    .bind(now)
    .bind(newest)
    .insert("id")
    .await
}

/// Writes all that can be changed.
pub(crate) async fn update(tx: &mut Tx, webhook: &WebhookRow) -> Result<()> {
    let (now, newest) = (tx.now(), tx.newest_event().await?);
    tx.query(
        "UPDATE webhooks
            SET url = $2, events = $3, enabled_after = CASE WHEN $4 AND NOT enabled THEN $8 ELSE enabled_after END,
                is_ending = CASE WHEN $4 THEN FALSE WHEN enabled THEN TRUE ELSE is_ending END,
                enabled = $4, disabled_reason = $5, consecutive_failures = $6, updated_at = $7
          WHERE id = $1",
    )
    .bind(webhook.id)
    .bind(webhook.url.as_str())
    .bind(webhook.events.clone())
    .bind(webhook.enabled)
    .bind(webhook.disabled_reason)
    .bind(webhook.consecutive_failures)
    .bind(now)
    .bind(newest)
    .execute()
    .await?;
    Ok(())
}

/// Sets the secret.
pub(crate) async fn set_secret(tx: &mut Tx, id: WebhookId, secret: &[u8]) -> Result<()> {
    let now = tx.now();
    tx.query("UPDATE webhooks SET secret = $2, updated_at = $3 WHERE id = $1")
        .bind(id)
        .bind(secret)
        .bind(now)
        .execute()
        .await?;
    Ok(())
}

/// Keeps a secret valid for a while after it was replaced, and forgets those whose time is over.
pub(crate) async fn keep_old_secret(tx: &mut Tx, id: WebhookId, secret: &[u8]) -> Result<()> {
    let now = tx.now();
    tx.query("DELETE FROM webhook_old_secrets WHERE webhook_id = $1 AND valid_until <= $2")
        .bind(id)
        .bind(now)
        .execute()
        .await?;
    tx.query("INSERT INTO webhook_old_secrets (webhook_id, secret, valid_until) VALUES ($1, $2, $3)")
        .bind(id)
        .bind(secret)
        .bind(now.plus(limits::WEBHOOK_ROTATION))
        .execute()
        .await?;
    Ok(())
}

/// The current secret, sealed.
pub(crate) async fn secret(tx: &mut Tx, id: WebhookId) -> Result<Vec<u8>> {
    tx.query("SELECT secret FROM webhooks WHERE id = $1").bind(id).fetch_value().await
}

/// The previous secrets that still sign, sealed, the newest first.
pub(crate) async fn old_secrets(tx: &mut Tx, id: WebhookId) -> Result<Vec<Vec<u8>>> {
    let now = tx.now();
    let found: Vec<(Vec<u8>,)> = tx
        .query("SELECT secret FROM webhook_old_secrets WHERE webhook_id = $1 AND valid_until > $2 ORDER BY id DESC")
        .bind(id)
        .bind(now)
        .fetch_all()
        .await?;
    Ok(found.into_iter().map(|(secret,)| secret).collect())
}

/// Counts a test of a webhook. Returns the time to wait when there were too many in this minute.
pub(crate) async fn count_test(tx: &mut Tx, id: WebhookId) -> Result<Option<Duration>> {
    let (now, minute) = (tx.now(), Duration::from_mins(1));
    let (tests, since): (u32, Timestamp) =
        tx.query("SELECT tests, tests_since FROM webhooks WHERE id = $1").bind(id).fetch_one().await?;
    // A minute that begins in the future is one of a clock that was set back.
    let is_new = since > now || now.since(since) >= minute;
    if !is_new && tests >= limits::WEBHOOK_TESTS_PER_MINUTE {
        return Ok(Some(minute.saturating_sub(now.since(since))));
    }
    tx.query("UPDATE webhooks SET tests = $2, tests_since = $3 WHERE id = $1")
        .bind(id)
        .bind(if is_new { 1 } else { tests + 1 })
        .bind(if is_new { now } else { since })
        .execute()
        .await?;
    Ok(None)
}

/// Begins a recovery, or renews it. Returns `false` when another one is under way.
pub(crate) async fn begin_recovery(tx: &mut Tx, id: WebhookId) -> Result<bool> {
    let now = tx.now();
    let begun = tx
        .query("UPDATE webhooks SET recovering_until = $3 WHERE id = $1 AND recovering_until <= $2")
        .bind(id)
        .bind(now)
        .bind(now.plus(limits::WEBHOOK_RECOVER_TIME));
    Ok(begun.execute().await? == 1)
}

pub(crate) async fn end_recovery(tx: &mut Tx, id: WebhookId) -> Result<()> {
    tx.query("UPDATE webhooks SET recovering_until = 0 WHERE id = $1").bind(id).execute().await?;
    Ok(())
}

/// Marks webhooks as deleted. They may have very many deliveries, so the sweep removes the rows.
macro_rules! delete_webhooks {
    ($which:literal) => {
        concat!(
            "UPDATE webhooks
                SET deleted_at = $2, enabled = FALSE, disabled_reason = coalesce(disabled_reason, 'request'),
                    is_ending = TRUE, updated_at = $2
              WHERE deleted_at IS NULL AND ",
            $which
        )
    };
}

pub(crate) async fn delete(tx: &mut Tx, id: WebhookId) -> Result<()> {
    let now = tx.now();
    tx.query(delete_webhooks!("id = $1")).bind(id).bind(now).execute().await?;
    Ok(())
}

/// Deletes the webhooks of an agent that is being deleted.
pub(crate) async fn remove_all_of(tx: &mut Tx, agent: AgentId) -> Result<u64> {
    let now = tx.now();
    tx.query(delete_webhooks!("agent_id = $1")).bind(agent).bind(now).execute().await
}

crate::row! {
    /// A webhook whose deliveries have to be ended.
    #[derive(Debug, Clone)]
    pub(crate) struct Leaving {
        pub(crate) id: WebhookId,
        pub(crate) deleted_at: Option<Timestamp>,
    }
}

pub(super) const ENDING: &str = "SELECT id, deleted_at FROM webhooks WHERE is_ending ORDER BY id LIMIT 1";

/// A webhook that was disabled or deleted and may have deliveries left.
pub(crate) async fn ending(tx: &mut Tx) -> Result<Option<Leaving>> {
    tx.query(ENDING).fetch_optional().await
}

/// Records that a disabled webhook has no open delivery left.
pub(crate) async fn note_ended(tx: &mut Tx, id: WebhookId) -> Result<()> {
    tx.query("UPDATE webhooks SET is_ending = FALSE WHERE id = $1 AND deleted_at IS NULL").bind(id).execute().await?;
    Ok(())
}

/// Removes the row of a deleted webhook.
pub(crate) async fn remove(tx: &mut Tx, id: WebhookId) -> Result<()> {
    tx.query("DELETE FROM webhooks WHERE id = $1 AND deleted_at IS NOT NULL").bind(id).execute().await?;
    Ok(())
}

/// Records a failure. Returns the number of failures since the last success, unless the webhook is gone or has another
/// URL meanwhile.
pub(crate) async fn note_failure(tx: &mut Tx, id: WebhookId, url: &str) -> Result<Option<u32>> {
    let now = tx.now();
    let counted = tx
        .query(
            "UPDATE webhooks SET consecutive_failures = consecutive_failures + 1, last_failure_at = $2
              WHERE id = $1 AND url = $3
             RETURNING consecutive_failures",
        )
        .bind(id)
        .bind(now)
        .bind(url);
    Ok(counted.fetch_optional::<(u32,)>().await?.map(|(failures,)| failures))
}

/// Disables a webhook. Returns whether it was enabled.
pub(crate) async fn disable(tx: &mut Tx, id: WebhookId, reason: DisabledReason) -> Result<bool> {
    let now = tx.now();
    let changed = tx
        .query(
            "UPDATE webhooks SET enabled = FALSE, is_ending = TRUE, disabled_reason = $2, updated_at = $3
              WHERE id = $1 AND enabled",
        )
        .bind(id)
        .bind(reason)
        .bind(now)
        .execute()
        .await?;
    Ok(changed == 1)
}

crate::row! {
    /// A webhook that may want an event.
    #[derive(Debug, Clone)]
    pub(crate) struct Subscriber {
        pub(crate) id: WebhookId,
        pub(crate) agent_id: AgentId,
        pub(crate) owner_id: UserId,
        pub(crate) agent: String,
        pub(crate) events: Json<Vec<WebhookEvent>>,
        pub(crate) enabled_after: EventSeq,
    }
}

/// Selects enabled webhooks of owners who are not disabled.
macro_rules! select_subscribers {
    ($from:literal, $which:literal) => {
        concat!(
            "SELECT w.id, w.agent_id, a.owner_id, p.handle AS agent, w.events, w.enabled_after
               FROM ",
            $from,
            " JOIN agents a ON a.id = w.agent_id
              JOIN participants p ON p.id = w.agent_id
              JOIN users u ON u.id = a.owner_id
             WHERE w.enabled AND w.deleted_at IS NULL AND u.disabled_at IS NULL AND ",
            $which
        )
    };
}

pub(super) const OF_AGENT: &str =
    select_subscribers!("webhooks w", "w.agent_id = $1 AND +w.id > $2 ORDER BY w.id LIMIT $3");
pub(super) const OF_MEMBERS: &str = select_subscribers!(
    "channel_members cm JOIN webhooks w ON w.agent_id = cm.participant_id",
    "cm.channel_id = $1 AND +w.id > $2 ORDER BY w.id LIMIT $3"
);
const SUBSCRIBER: &str = select_subscribers!("webhooks w", "w.id = $1");

/// Whether there is an enabled webhook at all.
pub(crate) async fn is_any_enabled(tx: &mut Tx) -> Result<bool> {
    let found = tx.query("SELECT id FROM webhooks WHERE enabled LIMIT 1").fetch_optional::<(WebhookId,)>();
    Ok(found.await?.is_some())
}

/// The position after which the first of the enabled webhooks is enabled.
pub(crate) async fn first_enabled(tx: &mut Tx) -> Result<Option<EventSeq>> {
    tx.query("SELECT min(enabled_after) FROM webhooks WHERE enabled").fetch_value().await
}

/// The next webhooks of an agent that get events, after one of them.
pub(crate) async fn of_agent(
    tx: &mut Tx,
    agent: ParticipantId,
    after: WebhookId,
    limit: u32,
) -> Result<Vec<Subscriber>> {
    tx.query(OF_AGENT).bind(agent).bind(after).bind(limit).fetch_all().await
}

/// The next webhooks of the members of a channel that get events, after one of them.
pub(crate) async fn of_members(
    tx: &mut Tx,
    channel: ChannelId,
    after: WebhookId,
    limit: u32,
) -> Result<Vec<Subscriber>> {
    tx.query(OF_MEMBERS).bind(channel).bind(after).bind(limit).fetch_all().await
}

/// A webhook, if it gets events.
pub(crate) async fn subscriber(tx: &mut Tx, id: WebhookId) -> Result<Option<Subscriber>> {
    tx.query(SUBSCRIBER).bind(id).fetch_optional().await
}

crate::row! {
    /// The event that only some webhooks have been told of, and the last one of these.
    #[derive(Debug, Clone, Copy)]
    pub(crate) struct Place {
        pub(crate) event_seq: EventSeq,
        pub(crate) webhook_id: WebhookId,
    }
}

pub(crate) async fn place(tx: &mut Tx) -> Result<Place> {
    tx.query("SELECT event_seq, webhook_id FROM webhook_reader WHERE id = 1").fetch_one().await
}

pub(crate) async fn set_place(tx: &mut Tx, place: Place) -> Result<()> {
    tx.query("UPDATE webhook_reader SET event_seq = $1, webhook_id = $2 WHERE id = 1")
        .bind(place.event_seq)
        .bind(place.webhook_id)
        .execute()
        .await?;
    Ok(())
}
