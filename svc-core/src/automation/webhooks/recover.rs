//! Delivering past events again, as far as the log still has them.

use svc_macros::boxed_futures;
use svc_model::auth::Permission;
use svc_model::webhooks::{RecoverWebhook, Recovered};

use super::route::{Again, Round, is_for, route_again};
use super::service::{Webhooks, existing, scope};
use super::store;
use crate::error::{Error, Result};
use crate::identity::auth::Caller;
use crate::ids::{EventSeq, WebhookId};
use crate::limits;
use crate::store::db::Tx;
use crate::store::events::Event;
use crate::store::queue::Queue;

/// Events that are read at once, and deliveries that are made in one transaction.
const BATCH: u32 = 200;

#[boxed_futures]
impl Webhooks {
    /// Delivers again what the event log has since a time, or after a position: events without a delivery, and
    /// deliveries that have ended. It returns when all are queued, or after a maximum number, with the position to go on
    /// from. Fails with `recovery_running` while another request does this for the webhook.
    pub async fn recover(&self, caller: &Caller, id: WebhookId, request: RecoverWebhook) -> Result<Recovered> {
        let scope = scope(caller, Permission::Write)?;
        let begin = self.db.write((scope, id), |tx, (scope, id)| {
            Box::pin(async move {
                if !existing(tx, scope, *id).await?.enabled {
                    return Err(Error::conflict("webhook_disabled", "The webhook is disabled: enable it first."));
                }
                if store::begin_recovery(tx, *id).await? {
                    return Ok(());
                }
                let message = "Past events of this webhook are being recovered already: wait for the response.";
                Err(Error::conflict("recovery_running", message))
            })
        });
        if request.after.is_none() && request.since.is_none() {
            return Err(Error::invalid("since", "must be given, or `after` from a previous response"));
        }
        begin.await?;
        let recovered = self.recover_from(id, request).await;
        self.db.write(id, |tx, id| Box::pin(store::end_recovery(tx, *id))).await?;
        recovered
    }

    async fn recover_from(&self, id: WebhookId, request: RecoverWebhook) -> Result<Recovered> {
        let mut position = match (request.after, request.since) {
            (Some(after), _) => after,
            (None, Some(since)) => self.events.before(since).await?,
            (None, None) => EventSeq(0),
        };
        let (mut queued, mut read) = (0, 0);
        loop {
            let events = self.events.read(position, BATCH).await?;
            let Some(last) = events.last().map(|event| event.seq) else {
                return Ok(Recovered { queued, next: None });
            };
            if queued >= limits::WEBHOOK_RECOVER_MAX || read >= limits::WEBHOOK_RECOVER_EVENTS {
                return Ok(Recovered { queued, next: Some(position) });
            }
            read += u32::try_from(events.len()).unwrap_or(u32::MAX);
            let found = self.db.read((id, events), |tx, (id, events)| Box::pin(matching(tx, *id, events))).await?;
            if !found.is_empty() {
                let input = (self.queue.clone(), id, found);
                let write = self.db.write(input, |tx, (queue, id, events)| Box::pin(again(tx, queue, *id, events)));
                let (made, refused) = write.await?;
                queued += made;
                if let Some(refused) = refused {
                    return Ok(Recovered { queued, next: Some(EventSeq(refused.0 - 1)) });
                }
            }
            position = last;
        }
    }
}

/// The events that a webhook is told of.
async fn matching(tx: &mut Tx, id: WebhookId, events: &[Event]) -> Result<Vec<Event>> {
    let Some(webhook) = store::subscriber(tx, id).await? else { return Ok(Vec::new()) };
    let mut found = Vec::new();
    for event in events {
        if is_for(tx, event, &webhook).await? {
            found.push(event.clone());
        }
    }
    Ok(found)
}

/// Delivers events again to one webhook. Returns the number of deliveries, and the first event that was refused because
/// the owner has too many open deliveries.
async fn again(tx: &mut Tx, queue: &Queue, id: WebhookId, events: &[Event]) -> Result<(u32, Option<EventSeq>)> {
    let Some(webhook) = store::subscriber(tx, id).await? else { return Ok((0, None)) };
    let (mut queued, mut round) = (0, Round::default());
    for event in events {
        match route_again(tx, queue, &mut round, event, &webhook).await? {
            Again::Queued => queued += 1,
            Again::Passed => {}
            Again::Refused => return Ok((queued, Some(event.seq))),
        }
    }
    Ok((queued, None))
}
