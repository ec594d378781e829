//! From an event of the log to deliveries: who is told of it, and what.

use std::collections::HashMap;

use svc_model::webhooks::DeliveryError;

use super::store::{self, NewDelivery, Stored, Subscriber};
use crate::automation::occurrence::{Concerned, Occurrence, Sight};
use crate::error::{Error, Result};
use crate::ids::{AgentId, DeliveryId, QueueItemId, UserId, WebhookId};
use crate::limits;
use crate::messaging::dead_letters;
use crate::store::db::Tx;
use crate::store::events::Event;
use crate::store::queue::{NewItem, Queue};

/// The next webhooks of everybody whom an event concerns, in the order of their ids, after one of them.
async fn concerned(occurrence: &Occurrence, tx: &mut Tx, after: WebhookId, limit: u32) -> Result<Vec<Subscriber>> {
    let Concerned { agents, channel } = occurrence.audience();
    let mut found = match channel {
        Some(channel) => store::of_members(tx, channel, after, limit).await?,
        None => Vec::new(),
    };
    for agent in agents {
        found.extend(store::of_agent(tx, agent, after, limit).await?);
    }
    found.sort_by_key(|webhook| webhook.id);
    found.dedup_by_key(|webhook| webhook.id);
    found.truncate(limit as usize);
    Ok(found)
}

/// The counts of a transaction that makes deliveries.
#[derive(Debug, Default)]
pub(super) struct Round {
    open: HashMap<UserId, Open>,
    /// The number of deliveries that were stopped.
    pub(super) stopped: u64,
}

/// The number of open deliveries of an owner.
#[derive(Debug, Clone, Copy)]
struct Open {
    number: u32,
    /// It was counted in this transaction.
    is_exact: bool,
}

impl Round {
    /// A transaction that need not count again what was counted a moment ago.
    pub(super) fn with_counts(counts: &HashMap<UserId, u32>) -> Self {
        let open = counts.iter().map(|(owner, number)| (*owner, Open { number: *number, is_exact: false }));
        Self { open: open.collect(), stopped: 0 }
    }

    /// The number of open deliveries of each owner.
    pub(super) fn into_counts(self) -> HashMap<UserId, u32> {
        self.open.into_iter().map(|(owner, open)| (owner, open.number)).collect()
    }

    /// Counts another open delivery of an owner, unless there are too many already. Nothing is refused because of an
    /// older count: deliveries may have ended since.
    pub(super) async fn admit(&mut self, tx: &mut Tx, owner: UserId) -> Result<bool> {
        let open = match self.open.get(&owner) {
            Some(open) if open.is_exact || open.number < limits::WEBHOOK_OPEN_MAX => *open,
            _ => Open { number: store::open_of_owner(tx, owner, limits::WEBHOOK_OPEN_MAX).await?, is_exact: true },
        };
        let is_admitted = open.number < limits::WEBHOOK_OPEN_MAX;
        self.open.insert(owner, Open { number: open.number + u32::from(is_admitted), ..open });
        Ok(is_admitted)
    }
}

/// Makes the deliveries of an event for the next webhooks, up to `room`, after one of them. Returns the last one when
/// there may be more, and how many there were.
pub(super) async fn route(
    tx: &mut Tx,
    queue: &Queue,
    round: &mut Round,
    event: &Event,
    after: WebhookId,
    room: u32,
) -> Result<(Option<WebhookId>, u32)> {
    let Some(occurrence) = Occurrence::of(event)? else { return Ok((None, 0)) };
    let webhooks = concerned(&occurrence, tx, after, room).await?;
    let mut told =
        Telling { queue, round, event, occurrence: &occurrence, seen: HashMap::new(), texts: HashMap::new() };
    for webhook in &webhooks {
        // A webhook gets nothing of the time before it was enabled, unless that is asked for.
        if webhook.enabled_after < event.seq && wants(&occurrence, webhook) {
            told.tell(tx, webhook).await?;
        }
    }
    let seen = u32::try_from(webhooks.len()).unwrap_or(u32::MAX);
    Ok((webhooks.last().filter(|_| seen >= room).map(|last| last.id), seen))
}

/// Whether an event is one that a webhook is told of.
pub(super) async fn is_for(tx: &mut Tx, event: &Event, webhook: &Subscriber) -> Result<bool> {
    let Some(occurrence) = Occurrence::of(event)? else { return Ok(false) };
    Ok(wants(&occurrence, webhook) && occurrence.concerns(tx, webhook.agent_id).await?)
}

/// Whether a webhook is told of an event that concerns its agent.
fn wants(occurrence: &Occurrence, webhook: &Subscriber) -> bool {
    occurrence.is_wanted((webhook.agent_id, &webhook.agent), &webhook.events.0)
}

/// The outcome for an event that is delivered again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Again {
    /// It is queued.
    Queued,
    /// There is nothing to do: it does not concern the webhook, or is on its way.
    Passed,
    /// The owner of the webhook has too many open deliveries.
    Refused,
}

/// Delivers an event again to one webhook: a delivery that has ended is made again.
pub(super) async fn route_again(
    tx: &mut Tx,
    queue: &Queue,
    round: &mut Round,
    event: &Event,
    webhook: &Subscriber,
) -> Result<Again> {
    if !is_for(tx, event, webhook).await? {
        return Ok(Again::Passed);
    }
    let Some(occurrence) = Occurrence::of(event)? else { return Ok(Again::Passed) };
    let mut told =
        Telling { queue, round, event, occurrence: &occurrence, seen: HashMap::new(), texts: HashMap::new() };
    let Some(known) = store::of_event(tx, webhook.id, event.seq).await? else {
        if told.look(tx, webhook).await?.is_none() {
            return Ok(Again::Passed);
        }
        if !told.round.admit(tx, webhook.owner_id).await? {
            return Ok(Again::Refused);
        }
        return Ok(if told.make(tx, webhook, true).await? { Again::Queued } else { Again::Passed });
    };
    if known.status == Stored::Open || known.depth >= limits::WEBHOOK_DEPTH_MAX {
        return Ok(Again::Passed);
    }
    if !known.has_text && told.look(tx, webhook).await?.is_none() {
        return Ok(Again::Passed);
    }
    if !told.round.admit(tx, webhook.owner_id).await? {
        return Ok(Again::Refused);
    }
    if !known.has_text {
        let body = told.text(tx, webhook).await?;
        store::set_body(tx, known.id, body).await?;
    }
    dead_letters::note_redelivery(tx, known.id).await?;
    let is_queued = requeue(tx, queue, (webhook.owner_id, webhook.agent_id), known.id).await?;
    Ok(if is_queued { Again::Queued } else { Again::Passed })
}

/// Gives a delivery a text again that it does not have. Returns `false` when the agent may not see the message.
pub(super) async fn restore(
    tx: &mut Tx,
    queue: &Queue,
    event: &Event,
    webhook: &Subscriber,
    id: DeliveryId,
) -> Result<bool> {
    let Some(occurrence) = Occurrence::of(event)? else { return Ok(false) };
    let (round, occurrence) = (&mut Round::default(), &occurrence);
    let mut telling = Telling { queue, round, event, occurrence, seen: HashMap::new(), texts: HashMap::new() };
    if telling.look(tx, webhook).await?.is_none() {
        return Ok(false);
    }
    let text = telling.text(tx, webhook).await?;
    store::set_body(tx, id, text).await?;
    Ok(true)
}

/// An event that webhooks are told of.
struct Telling<'a> {
    queue: &'a Queue,
    round: &'a mut Round,
    event: &'a Event,
    occurrence: &'a Occurrence,
    /// How each agent sees it; none for an agent that may not see it.
    seen: HashMap<AgentId, Option<Sight>>,
    /// The stored text for each agent.
    texts: HashMap<AgentId, i64>,
}

impl Telling<'_> {
    /// Makes the delivery to one webhook.
    async fn tell(&mut self, tx: &mut Tx, webhook: &Subscriber) -> Result<()> {
        if store::of_event(tx, webhook.id, self.event.seq).await?.is_some() || self.look(tx, webhook).await?.is_none() {
            return Ok(());
        }
        let is_admitted = self.round.admit(tx, webhook.owner_id).await?;
        self.make(tx, webhook, is_admitted).await?;
        Ok(())
    }

    /// How the agent of a webhook sees the event; none when it may not see it.
    async fn look(&mut self, tx: &mut Tx, webhook: &Subscriber) -> Result<Option<Sight>> {
        if let Some(seen) = self.seen.get(&webhook.agent_id) {
            return Ok(seen.clone());
        }
        let seen = self.occurrence.seen_by(tx, webhook.agent_id).await?;
        self.seen.insert(webhook.agent_id, seen.clone());
        Ok(seen)
    }

    /// The text for the agent of a webhook, which is stored once. The agent must be able to see the message.
    async fn text(&mut self, tx: &mut Tx, webhook: &Subscriber) -> Result<i64> {
        if let Some(text) = self.texts.get(&webhook.agent_id) {
            return Ok(*text);
        }
        let text = match store::body(tx, self.event.seq, webhook.agent_id).await? {
            Some(text) => text,
            None => self.compose(tx, webhook).await?,
        };
        self.texts.insert(webhook.agent_id, text);
        Ok(text)
    }

    async fn compose(&self, tx: &mut Tx, webhook: &Subscriber) -> Result<i64> {
        let id = self.occurrence.message().ok_or_else(|| Error::not_found("message"))?;
        let text = self.written(tx, webhook).await?;
        store::insert_body(tx, self.event.seq, webhook.agent_id, id, &text).await
    }

    async fn written(&self, tx: &mut Tx, webhook: &Subscriber) -> Result<String> {
        self.occurrence.told(tx, self.event, (webhook.agent_id, &webhook.agent)).await
    }

    /// Stores the delivery. Returns whether it is queued.
    async fn make(&mut self, tx: &mut Tx, webhook: &Subscriber, is_admitted: bool) -> Result<bool> {
        let Some(seen) = self.look(tx, webhook).await? else { return Ok(false) };
        let item = if seen.depth >= limits::WEBHOOK_DEPTH_MAX {
            Err(DeliveryError::Depth)
        } else if self.occurrence.is_held(tx, webhook.agent_id).await? {
            Err(DeliveryError::Loop)
        } else if is_admitted {
            Ok(enqueue(tx, self.queue, webhook.owner_id, webhook.agent_id).await?)
        } else {
            Err(DeliveryError::Backlog)
        };
        let (body, text) = match self.occurrence.message() {
            None => (None, Some(self.written(tx, webhook).await?)),
            Some(_) if item.is_ok() => (Some(self.text(tx, webhook).await?), None),
            // Nothing is kept of a message that is not sent.
            Some(_) => (None, None),
        };
        let new = NewDelivery {
            webhook: webhook.id,
            seq: self.event.seq,
            event: self.occurrence.name().as_str(),
            message: self.occurrence.message(),
            body,
            text: text.as_deref(),
            depth: seen.depth,
            traceparent: seen.traceparent.as_deref(),
            item,
        };
        let is_stored = store::insert_delivery(tx, &new).await?;
        match new.item {
            Ok(item) if !is_stored => {
                // The webhook was deleted meanwhile.
                self.queue.cancel_in(tx, &[item]).await?;
            }
            Ok(_) => return Ok(true),
            Err(_) => self.round.stopped += u64::from(is_stored),
        }
        Ok(false)
    }
}

/// Puts an item for a delivery into the queue. The delivery names the item. Its key is the agent, after the owner.
async fn enqueue(tx: &mut Tx, queue: &Queue, owner: UserId, agent: AgentId) -> Result<QueueItemId> {
    let key = format!("{owner}/{agent}");
    Ok(queue.enqueue_in(tx, &NewItem::new(serde_json::json!({})).key(key)).await?.id)
}

/// The beginning that the keys of all agents of an owner have, from one of them.
pub(super) fn owner_of_key(key: &str) -> &str {
    key.split_inclusive('/').next().unwrap_or_default()
}

/// Queues a delivery again that has ended. Returns whether it had ended.
pub(super) async fn requeue(
    tx: &mut Tx,
    queue: &Queue,
    (owner, agent): (UserId, AgentId),
    id: DeliveryId,
) -> Result<bool> {
    let item = enqueue(tx, queue, owner, agent).await?;
    let is_open = store::reopen(tx, id, item).await?;
    if !is_open {
        queue.cancel_in(tx, &[item]).await?;
    }
    Ok(is_open)
}
