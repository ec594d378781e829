//! Reading deliveries, sending one again, and testing a webhook.

use std::time::Duration;

use svc_macros::boxed_futures;
use svc_model::auth::Permission;
use svc_model::webhooks::{
    Delivery, DeliveryAttempt, DeliveryDetails, DeliveryError, DeliveryFilter, DeliveryPage, DeliveryRequest,
    DeliveryStatus, RequestHeader,
};

use super::attempt::{Request, wire_id};
use super::route::{Round, requeue, restore};
use super::service::{Webhooks, existing, scope};
use super::store::{self, Scope};
use crate::automation::occurrence::body;
use crate::error::{Error, ErrorKind, Result};
use crate::identity::auth::Caller;
use crate::ids::{DeliveryId, WebhookId};
use crate::limits;
use crate::messaging::dead_letters::{self, Redelivery};
use crate::messaging::messages;
use crate::messaging::messages::viewer::Viewer;
use crate::page::checked_limit;
use crate::store::db::{Tx, Work};
use crate::store::queue::Queue;

#[boxed_futures]
impl Webhooks {
    /// Lists the deliveries of a webhook, newest first.
    pub async fn deliveries(&self, caller: &Caller, id: WebhookId, filter: DeliveryFilter) -> Result<DeliveryPage> {
        let scope = scope(caller, Permission::Read)?;
        let limit = checked_limit(filter.limit)?;
        let input = (scope, id, filter, limit);
        self.db
            .read(input, |tx, (scope, id, filter, limit)| {
                Box::pin(async move {
                    existing(tx, scope, *id).await?;
                    let before = filter.before.unwrap_or(DeliveryId(i64::MAX));
                    // One more than asked for tells whether there is another page.
                    let mut deliveries = store::list_deliveries(tx, *id, before, filter.status, limit + 1).await?;
                    let more = deliveries.len() > *limit as usize;
                    deliveries.truncate(*limit as usize);
                    let next_cursor = deliveries.last().filter(|_| more).map(|last| last.id);
                    Ok(DeliveryPage { deliveries, next_cursor })
                })
            })
            .await
    }

    /// Returns a delivery with its request and its attempts.
    pub async fn delivery(&self, caller: &Caller, id: DeliveryId) -> Result<DeliveryDetails> {
        let scope = scope(caller, Permission::Read)?;
        self.db.read((scope, id), |tx, (scope, id)| Box::pin(details(tx, scope, *id))).await
    }

    /// Sends a delivery again that has ended, with all its attempts. Fails with `delivery_open` when it has not.
    pub async fn retry_delivery(&self, caller: &Caller, id: DeliveryId) -> Result<Delivery> {
        let scope = scope(caller, Permission::Write)?;
        self.db
            .write((self.queue.clone(), scope, id), |tx, (queue, scope, id)| {
                Box::pin(async move {
                    again(tx, queue, scope, *id).await?;
                    dead_letters::note_redelivery(tx, *id).await?;
                    found(tx, scope, *id).await
                })
            })
            .await
    }

    /// Sends `webhook.test` at once and returns the outcome. It counts neither as a failure nor as a success.
    pub async fn test(&self, caller: &Caller, id: WebhookId) -> Result<DeliveryAttempt> {
        let scope = scope(caller, Permission::Write)?;
        let Ok(_place) = self.tests.try_acquire() else {
            return Err(too_many_tests(Duration::from_secs(1)));
        };
        let (webhook, secret, old) = self
            .db
            .write((scope, id), |tx, (scope, id)| {
                Box::pin(async move {
                    existing(tx, scope, *id).await?;
                    store::hold(tx, *id).await?;
                    let webhook = existing(tx, scope, *id).await?;
                    if let Some(wait) = store::count_test(tx, *id).await? {
                        return Err(too_many_tests(wait));
                    }
                    Ok((webhook, store::secret(tx, *id).await?, store::old_secrets(tx, *id).await?))
                })
            })
            .await?;
        let now = self.clock.now();
        let text = body::test(&webhook.agent, now);
        let request = Request {
            url: &webhook.url,
            id: format!("test_{id}_{}", now.as_micros()),
            event: body::TEST,
            depth: 0,
            traceparent: None,
            body: &text,
            secrets: self.open_secrets(webhook.agent_id, id, &secret, &old),
        };
        Ok(self.attempt(&request, 1).await.attempt)
    }
}

fn too_many_tests(wait: Duration) -> Error {
    let most = limits::WEBHOOK_TESTS_PER_MINUTE;
    let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
    let message = format!("A webhook can be tested {most} times a minute. Try again in {seconds} s.");
    Error::new(ErrorKind::TooMany, "too_many_tests", message).with_retry_after(wait)
}

async fn found(tx: &mut Tx, scope: &Scope, id: DeliveryId) -> Result<Delivery> {
    store::find_delivery(tx, scope, id).await?.ok_or_else(|| Error::not_found("delivery"))
}

async fn details(tx: &mut Tx, scope: &Scope, id: DeliveryId) -> Result<DeliveryDetails> {
    let delivery = found(tx, scope, id).await?;
    let sent = store::sent(tx, id).await?;
    let is_visible = match sent.message_id {
        Some(message) => messages::store::is_visible(tx, &Viewer::agent(sent.agent_id), message).await?,
        None => true,
    };
    // Nobody reads here what the agent may no longer see.
    let body = sent.body.filter(|_| is_visible).unwrap_or_default();
    let request = Request {
        url: &sent.url,
        id: wire_id(id.0, delivery.created_at),
        event: &delivery.event,
        depth: delivery.depth,
        traceparent: sent.traceparent.as_deref(),
        body: &body,
        secrets: Ok(Vec::new()),
    };
    let header = |(name, value): (&str, String)| RequestHeader { name: name.to_owned(), value };
    let headers = request.headers().into_iter().map(header).collect();
    let attempts = store::attempts(tx, id).await?;
    Ok(DeliveryDetails { delivery, request: DeliveryRequest { url: sent.url, headers, body }, attempts })
}

/// Queues a delivery again.
async fn again(tx: &mut Tx, queue: &Queue, scope: &Scope, id: DeliveryId) -> Result<()> {
    let delivery = found(tx, scope, id).await?;
    let webhook = existing(tx, &Scope { owner: None, agent: None }, delivery.webhook_id).await?;
    let is_open =
        matches!(delivery.status, DeliveryStatus::Pending | DeliveryStatus::Delivering | DeliveryStatus::Retrying);
    if is_open {
        return Err(open());
    }
    if delivery.error == Some(DeliveryError::Depth) || delivery.depth >= limits::WEBHOOK_DEPTH_MAX {
        let most = limits::WEBHOOK_DEPTH_MAX;
        let message = format!("This delivery stays stopped: its message has a depth of {most} or more.");
        return Err(Error::conflict("too_deep", message));
    }
    if !webhook.enabled {
        return Err(Error::conflict("webhook_disabled", "The webhook is disabled: enable it first."));
    }
    if !Round::default().admit(tx, webhook.owner_id).await? {
        let most = limits::WEBHOOK_OPEN_MAX;
        let message = format!("Your agents have {most} deliveries that have not ended: wait for some of them.");
        return Err(Error::conflict("too_many_deliveries", message));
    }
    if !has_text(tx, queue, &delivery).await? {
        let message = "This delivery has no content: its message was removed, or its agent may no longer see it.";
        return Err(Error::conflict("delivery_empty", message));
    }
    if requeue(tx, queue, (webhook.owner_id, webhook.agent_id), id).await? { Ok(()) } else { Err(open()) }
}

/// Whether a delivery has something to send. The text of one that was never sent is made now.
async fn has_text(tx: &mut Tx, queue: &Queue, delivery: &Delivery) -> Result<bool> {
    let sent = store::sent(tx, delivery.id).await?;
    let (None, Some(seq), Some(_)) = (sent.body, delivery.sequence, sent.message_id) else { return Ok(true) };
    let Some(event) = tx.event_at(seq).await? else { return Ok(false) };
    match store::subscriber(tx, delivery.webhook_id).await? {
        Some(webhook) => restore(tx, queue, &event, &webhook, delivery.id).await,
        None => Ok(false),
    }
}

fn open() -> Error {
    Error::conflict("delivery_open", "This delivery has not ended: it is attempted without being asked for.")
}

impl Redelivery for Webhooks {
    fn redeliver<'t>(&'t self, tx: &'t mut Tx, delivery: DeliveryId) -> Work<'t, ()> {
        // The dead letter says who may ask for it.
        let everywhere = Scope { owner: None, agent: None };
        Box::pin(async move { again(tx, &self.queue, &everywhere, delivery).await })
    }
}
