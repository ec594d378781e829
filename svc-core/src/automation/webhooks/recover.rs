//! Delivering past events again, as far as the log still has them.

use svc_macros::boxed_futures;
use svc_model::auth::Permission;
use svc_model::webhooks::{RecoverWebhook, Recovered};

use super::route::{Mode, route};
use super::service::{Webhooks, existing, scope};
use crate::error::{Error, Result};
use crate::identity::auth::Caller;
use crate::ids::{EventSeq, WebhookId};
use crate::limits;

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
            queued += self
                .db
                .write(input, |tx, (queue, id, events)| {
                    Box::pin(async move {
                        let mut queued = 0;
                        for event in events {
                            queued += route(tx, queue, event, Mode::Again(*id)).await?;
                        }
                        Ok(queued)
                    })
                })
                .await?;
            position = EventSeq(last.0.max(position.0));
        }
    }
}
