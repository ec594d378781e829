//! Delivering past events again, as far as the log still has them.

use svc_macros::boxed_futures;
use svc_model::auth::Permission;
use svc_model::webhooks::{RecoverWebhook, Recovered};

use super::route::{Again, Round, route_again};
use super::service::{Webhooks, existing, scope};
use super::store;
use crate::error::{Error, Result};
use crate::identity::auth::Caller;
use crate::ids::{EventSeq, WebhookId};
use crate::limits;
use crate::store::db::Tx;
use crate::store::events::Event;
use crate::store::queue::Queue;
use crate::timestamp::Timestamp;

/// Events that are read in one transaction.
const BATCH: u32 = 200;

#[boxed_futures]
impl Webhooks {
    /// Delivers again what the event log has since a time: events without a delivery, and deliveries that have
    /// ended. It returns when all are queued, or after a maximum number, with the time to go on from.
    pub async fn recover(&self, caller: &Caller, id: WebhookId, request: RecoverWebhook) -> Result<Recovered> {
        let scope = scope(caller, Permission::Write)?;
        let webhook =
            self.db.read((scope, id), |tx, (scope, id)| Box::pin(async move { existing(tx, scope, *id).await }));
        if !webhook.await?.enabled {
            return Err(Error::conflict("webhook_disabled", "The webhook is disabled: enable it first."));
        }
        let mut position = self.events.before(request.since).await?;
        let mut queued = 0;
        loop {
            let events = self.events.read(position, BATCH).await?;
            let Some(last) = events.last().map(|event| event.seq) else {
                return Ok(Recovered { queued, next: None });
            };
            let next = events.first().map(|event| event.created_at);
            if queued >= limits::WEBHOOK_RECOVER_MAX {
                return Ok(Recovered { queued, next });
            }
            let input = (self.queue.clone(), id, events);
            let (made, refused) =
                self.db.write(input, |tx, (queue, id, events)| Box::pin(again(tx, queue, *id, events))).await?;
            queued += made;
            if refused.is_some() {
                return Ok(Recovered { queued, next: refused });
            }
            position = EventSeq(last.0.max(position.0));
        }
    }
}

/// Delivers events again to one webhook. Returns the number of deliveries, and the time of the first event that was
/// refused because the owner has too many open deliveries.
async fn again(tx: &mut Tx, queue: &Queue, id: WebhookId, events: &[Event]) -> Result<(u32, Option<Timestamp>)> {
    let Some(webhook) = store::subscriber(tx, id).await? else { return Ok((0, None)) };
    let (mut queued, mut round) = (0, Round::default());
    for event in events {
        match route_again(tx, queue, &mut round, event, &webhook).await? {
            Again::Queued => queued += 1,
            Again::Passed => {}
            Again::Refused => return Ok((queued, Some(event.created_at))),
        }
    }
    Ok((queued, None))
}
