//! Webhooks, the deliveries of one of them, and one delivery with its request and its attempts.

use serde_json::Value;
use svc_core::ids::{DeliveryId, MessageId, WebhookId};
use svc_core::webhooks::{Delivery, DeliveryDetails, DeliveryPage, DeliveryStatus, Webhook};

use super::super::context::Context;
use super::super::list::Selection;
use super::super::loaded::Loaded;
use super::super::reading::Reading;
use super::{DeadLetters, PAGE, PAGE_MAX};
use crate::backend::Result;

/// Whether attempts at a delivery are still to come.
pub(crate) fn is_open(status: DeliveryStatus) -> bool {
    matches!(status, DeliveryStatus::Pending | DeliveryStatus::Delivering | DeliveryStatus::Retrying)
}

/// A delivery whose request and attempts are read.
struct One {
    id: DeliveryId,
    details: Loaded<DeliveryDetails>,
    outdated: bool,
}

/// Webhooks and their deliveries.
#[derive(Default)]
pub(crate) struct Deliveries {
    /// The webhooks of the user's agents.
    pub(crate) webhooks: Loaded<Vec<Webhook>>,
    /// The selected webhook.
    pub(crate) webhook_list: Selection,
    /// The webhook whose deliveries are shown.
    pub(crate) opened: Option<WebhookId>,
    /// The deliveries of that webhook, newest first.
    pub(crate) sent: Loaded<Vec<Delivery>>,
    /// The selected delivery.
    pub(crate) list: Selection,
    one: Option<One>,
    next: Option<DeliveryId>,
    more: bool,
    webhooks_turn: Reading,
    turn: Reading,
    one_turn: Reading,
}

impl Deliveries {
    /// The selected webhook.
    pub(crate) fn webhook(&self) -> Option<&Webhook> {
        self.webhooks.get()?.get(self.webhook_list.index)
    }

    /// The webhook whose deliveries are shown.
    pub(crate) fn opened_webhook(&self) -> Option<&Webhook> {
        self.webhooks.get()?.iter().find(|webhook| Some(webhook.id) == self.opened)
    }

    /// The selected delivery.
    pub(crate) fn selected(&self) -> Option<&Delivery> {
        self.opened?;
        self.sent.get()?.get(self.list.index)
    }

    /// The request and the attempts of a delivery.
    pub(crate) fn details(&self, id: DeliveryId) -> &Loaded<DeliveryDetails> {
        self.one.as_ref().filter(|one| one.id == id).map_or(&Loaded::Waiting, |one| &one.details)
    }

    /// Whether there are older deliveries that are not in the list yet.
    pub(crate) fn has_more(&self) -> bool {
        self.next.is_some()
    }

    /// The list that is shown, and the number of its rows.
    pub(super) fn shown_list(&mut self) -> (&mut Selection, usize) {
        if self.opened.is_none() {
            let count = self.webhooks.get().map_or(0, Vec::len);
            return (&mut self.webhook_list, count);
        }
        let count = self.sent.get().map_or(0, Vec::len);
        (&mut self.list, count)
    }

    /// Notes that the delivery that is shown may have changed.
    pub(super) fn outdate_one(&mut self) {
        if let Some(one) = &mut self.one {
            one.outdated = true;
        }
    }

    /// Notes that deliveries that have not ended may have changed.
    pub(super) fn outdate_open(&mut self) {
        let deliveries = self.sent.get().map_or(&[][..], Vec::as_slice);
        if self.opened.is_some() && deliveries.iter().any(|delivery| is_open(delivery.status)) {
            self.turn.expire();
        }
        let details = self.one.as_ref().and_then(|one| one.details.get());
        if details.is_some_and(|details| is_open(details.delivery.status)) {
            self.outdate_one();
        }
    }

    /// The message that a delivery tells of, if its request was read.
    pub(super) fn message(&self, id: DeliveryId) -> Option<MessageId> {
        let details = self.details(id).get()?;
        told_message(&details.delivery.event, &details.request.body)
    }
}

/// The message that an event tells of.
fn told_message(event: &str, body: &str) -> Option<MessageId> {
    let body: Value = serde_json::from_str(body).ok()?;
    let data = body.get("data")?;
    let about_message = event.starts_with("message.") || event == "channel.message";
    let id = if about_message { data.get("id") } else { data.get("message_id") };
    id.and_then(Value::as_i64).map(MessageId)
}

impl DeadLetters {
    pub(super) fn load_deliveries(&mut self, context: &mut Context<'_>) {
        self.deliveries.webhooks_turn.expire();
        self.deliveries.turn.expire();
        self.read_deliveries(context);
    }

    /// Reads webhooks and deliveries that are wanted.
    pub(super) fn read_deliveries(&mut self, context: &mut Context<'_>) {
        if self.deliveries.webhooks_turn.begins() {
            context.ask(
                |hub| async move { hub.webhooks().await },
                |screen: &mut Self, answer, context| screen.take_webhooks(answer, context),
            );
        }
        let Some(webhook) = self.deliveries.opened else { return };
        if self.deliveries.turn.begins() {
            let known = self.deliveries.sent.get().map_or(0, Vec::len);
            let limit = i64::try_from(known).unwrap_or(PAGE_MAX).clamp(PAGE, PAGE_MAX);
            context.ask(
                move |hub| async move { hub.deliveries(webhook, None, limit).await },
                move |screen: &mut Self, answer, context| screen.take_deliveries(webhook, answer, context),
            );
        }
    }

    fn take_webhooks(&mut self, answer: Result<Vec<Webhook>>, context: &mut Context<'_>) {
        let part = &mut self.deliveries;
        part.webhooks_turn.ends();
        let selected = part.webhook().map(|webhook| webhook.id);
        if let Some(failure) = part.webhooks.take(answer) {
            context.fail(&failure);
        }
        let webhooks = part.webhooks.get().map_or(&[][..], Vec::as_slice);
        if let Some(index) = webhooks.iter().position(|webhook| Some(webhook.id) == selected) {
            part.webhook_list.index = index;
        }
        part.webhook_list.limit(webhooks.len());
        self.lines.forget();
        self.read_deliveries(context);
    }

    fn take_deliveries(&mut self, webhook: WebhookId, answer: Result<DeliveryPage>, context: &mut Context<'_>) {
        let part = &mut self.deliveries;
        part.turn.ends();
        if part.opened == Some(webhook) {
            let selected = part.selected().map(|delivery| delivery.id);
            let answer = answer.map(|page| {
                part.next = page.next_cursor;
                page.deliveries
            });
            if let Some(failure) = part.sent.take(answer) {
                context.fail(&failure);
            }
            let deliveries = part.sent.get().map_or(&[][..], Vec::as_slice);
            if let Some(index) = deliveries.iter().position(|delivery| Some(delivery.id) == selected) {
                part.list.index = index;
            }
            part.list.limit(deliveries.len());
        } else {
            // Another webhook was opened meanwhile.
            part.turn.expire();
        }
        self.lines.forget();
        self.read_deliveries(context);
        self.read_one(context);
    }

    pub(super) fn open_webhook(&mut self, context: &mut Context<'_>) {
        let Some(id) = self.deliveries.webhook().map(|webhook| webhook.id) else { return };
        let part = &mut self.deliveries;
        part.opened = Some(id);
        part.sent = Loaded::Waiting;
        part.list = Selection::default();
        part.next = None;
        part.turn.expire();
        self.lines.forget();
        self.scroll.offset = 0;
        self.read_deliveries(context);
    }

    /// Reads the next page of deliveries when the end of the list is near.
    pub(super) fn read_more_deliveries(&mut self, context: &mut Context<'_>) {
        let part = &mut self.deliveries;
        let count = part.sent.get().map_or(0, Vec::len);
        let near = part.list.index + part.list.height.max(5) >= count;
        let (Some(webhook), Some(cursor)) = (part.opened, part.next) else { return };
        if part.more || !near {
            return;
        }
        part.more = true;
        context.ask(
            move |hub| async move { hub.deliveries(webhook, Some(cursor), PAGE).await },
            move |screen: &mut Self, answer: Result<DeliveryPage>, context| {
                let part = &mut screen.deliveries;
                part.more = false;
                match answer {
                    // The list may have begun anew meanwhile.
                    Ok(page) if part.opened == Some(webhook) && part.next == Some(cursor) => {
                        part.next = page.next_cursor;
                        if let Some(deliveries) = part.sent.get_mut() {
                            deliveries.extend(page.deliveries);
                        }
                    }
                    Ok(_) => {}
                    Err(failure) => context.fail(&failure),
                }
            },
        );
    }

    /// Reads the request and the attempts of the delivery that is shown, unless they are known.
    pub(super) fn read_one(&mut self, context: &mut Context<'_>) {
        let Some(id) = self.wanted() else { return };
        let part = &mut self.deliveries;
        if part.one.as_ref().is_none_or(|one| one.id != id) {
            part.one = Some(One { id, details: Loaded::Waiting, outdated: true });
            self.lines.forget();
        }
        let Some(one) = part.one.as_mut().filter(|one| one.outdated) else { return };
        part.one_turn.expire();
        if !part.one_turn.begins() {
            return;
        }
        one.outdated = false;
        context.ask(
            move |hub| async move { hub.delivery(id).await },
            move |screen: &mut Self, answer, context| {
                let part = &mut screen.deliveries;
                part.one_turn.ends();
                if let Some(one) = part.one.as_mut().filter(|one| one.id == id)
                    && let Some(failure) = one.details.take(answer)
                {
                    context.fail(&failure);
                }
                screen.lines.forget();
                screen.read_one(context);
            },
        );
    }

    pub(super) fn retry_delivery(&mut self, context: &mut Context<'_>) {
        let Some(delivery) = self.deliveries.selected() else {
            return context.note("Enter shows the deliveries of the webhook.");
        };
        if is_open(delivery.status) {
            return context.note("The next attempt is made automatically.");
        }
        let id = delivery.id;
        context.change(
            move |hub| async move { hub.retry_delivery(id).await },
            |screen: &mut Self, answer: Result<Delivery>, context| {
                match answer {
                    Ok(_) => context.note("The delivery is sent again."),
                    Err(failure) => context.fail(&failure),
                }
                screen.deliveries.outdate_one();
                screen.load_deliveries(context);
                screen.read_one(context);
            },
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_of_an_event_is_found() {
        let received = r#"{"data":{"agent":"scout","id":42},"type":"message.received"}"#;
        assert_eq!(told_message("message.received", received), Some(MessageId(42)));
        assert_eq!(told_message("run.finished", received), None);
        let changed = r#"{"data":{"id":1,"message_id":7}}"#;
        assert_eq!(told_message("workflow.state_changed", changed), Some(MessageId(7)));
        assert_eq!(told_message("message.received", "not JSON"), None);
    }
}
