//! From an event of the log to deliveries: who is told of it, and what.

use std::collections::HashMap;

use serde_json::Value;
use svc_model::events::{EventBody, RunChanged, WorkflowStateChanged};
use svc_model::webhooks::{DeliveryError, WebhookEvent};

use super::body;
use super::store::{self, NewDelivery, Stored, Subscriber};
use crate::automation::governance;
use crate::error::{Error, Result};
use crate::ids::{
    AgentId, ChannelId, ConversationId, DeliveryId, MessageId, ParticipantId, QueueItemId, UserId, WebhookId,
};
use crate::limits;
use crate::messaging::dead_letters;
use crate::messaging::messages;
use crate::messaging::messages::viewer::Viewer;
use crate::store::db::Tx;
use crate::store::events::Event;
use crate::store::queue::{NewItem, Queue};

/// An event of the log that webhooks can receive.
enum Occurrence {
    Direct {
        message: MessageId,
        conversation: ConversationId,
        from: Option<ParticipantId>,
        to: ParticipantId,
        mention_of: Option<MessageId>,
    },
    Posted {
        message: MessageId,
        conversation: ConversationId,
        from: Option<ParticipantId>,
        channel: ChannelId,
        mentioned: Vec<ParticipantId>,
    },
    StateChanged(Box<WorkflowStateChanged>),
    /// A run ended.
    Ran(Box<RunChanged>),
}

impl Occurrence {
    fn of(event: &Event) -> Result<Option<Self>> {
        // Most kinds concern no webhook; their payloads are not parsed.
        if !matches!(event.kind.as_str(), "message.created" | "workflow.state_changed" | "run.changed") {
            return Ok(None);
        }
        Ok(match event.body()? {
            EventBody::MessageCreated(created) => {
                let (message, conversation) = (created.message_id, created.conversation_id);
                let (audience, from) = (&created.audience, created.audience.sender_id);
                match (audience.recipient_id, audience.channel_id) {
                    (Some(to), _) => {
                        let mention_of = created.mention_of;
                        Some(Self::Direct { message, conversation, from, to, mention_of })
                    }
                    (None, Some(channel)) => {
                        let mentioned = created.mentioned;
                        Some(Self::Posted { message, conversation, from, channel, mentioned })
                    }
                    (None, None) => None,
                }
            }
            EventBody::WorkflowStateChanged(changed) => Some(Self::StateChanged(Box::new(changed))),
            EventBody::RunChanged(changed) if changed.status.is_outcome() => Some(Self::Ran(Box::new(changed))),
            _ => None,
        })
    }

    fn name(&self) -> WebhookEvent {
        match self {
            Self::Direct { mention_of: None, .. } => WebhookEvent::MessageReceived,
            Self::Direct { mention_of: Some(_), .. } => WebhookEvent::MessageMentioned,
            Self::Posted { .. } => WebhookEvent::ChannelMessage,
            Self::StateChanged(_) => WebhookEvent::WorkflowStateChanged,
            Self::Ran(_) => WebhookEvent::RunFinished,
        }
    }

    /// The message that an agent must be able to see to be told.
    fn message(&self) -> Option<MessageId> {
        match self {
            Self::Direct { message, .. } | Self::Posted { message, .. } => Some(*message),
            Self::StateChanged(changed) => Some(changed.message_id),
            Self::Ran(_) => None,
        }
    }

    /// Who caused it, and in which conversation.
    fn cause(&self) -> Option<(ParticipantId, ConversationId)> {
        match self {
            Self::Direct { from, conversation, .. } | Self::Posted { from, conversation, .. } => {
                from.map(|from| (from, *conversation))
            }
            Self::StateChanged(changed) => changed.by_id.map(|by| (by, changed.conversation_id)),
            // An agent that is told of its own run answers nobody.
            Self::Ran(_) => None,
        }
    }

    /// Whether a participant is not told although it is a member: the one who did it, and those who are told in
    /// another way.
    fn leaves_out(&self, participant: ParticipantId) -> bool {
        match self {
            Self::Direct { from, .. } => *from == Some(participant),
            Self::Posted { from, mentioned, .. } => *from == Some(participant) || mentioned.contains(&participant),
            Self::StateChanged(changed) => changed.by_id == Some(participant),
            Self::Ran(_) => false,
        }
    }

    /// The next webhooks of everybody whom it concerns, in the order of their ids, after one of them.
    async fn concerned(&self, tx: &mut Tx, after: WebhookId, limit: u32) -> Result<Vec<Subscriber>> {
        match self {
            Self::Direct { to, .. } => store::of_agent(tx, *to, after, limit).await,
            Self::Posted { channel, .. } => store::of_members(tx, *channel, after, limit).await,
            Self::Ran(changed) => store::of_agent(tx, ParticipantId(changed.agent_id.0), after, limit).await,
            Self::StateChanged(changed) => {
                let mut found = match changed.audience.channel_id {
                    Some(channel) => store::of_members(tx, channel, after, limit).await?,
                    None => Vec::new(),
                };
                if let Some(author) = changed.audience.sender_id {
                    found.extend(store::of_agent(tx, author, after, limit).await?);
                }
                found.sort_by_key(|webhook| webhook.id);
                found.dedup_by_key(|webhook| webhook.id);
                found.truncate(limit as usize);
                Ok(found)
            }
        }
    }

    /// Whether it concerns an agent.
    async fn concerns(&self, tx: &mut Tx, agent: AgentId) -> Result<bool> {
        match self {
            Self::Direct { to, .. } => Ok(to.0 == agent.0),
            Self::Posted { channel, .. } => store::is_member(tx, *channel, agent).await,
            Self::Ran(changed) => Ok(changed.agent_id == agent),
            Self::StateChanged(changed) => {
                let is_author = changed.audience.sender_id.is_some_and(|author| author.0 == agent.0);
                match changed.audience.channel_id {
                    Some(channel) if !is_author => store::is_member(tx, channel, agent).await,
                    _ => Ok(is_author),
                }
            }
        }
    }

    /// Whether a webhook subscribes to it, and its agent is told of it.
    fn is_wanted_by(&self, webhook: &Subscriber) -> bool {
        let wants = [WebhookEvent::All, self.name()].iter().any(|name| webhook.events.0.contains(name));
        wants && !self.leaves_out(ParticipantId(webhook.agent_id.0))
    }
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
    let webhooks = occurrence.concerned(tx, after, room).await?;
    let mut told =
        Telling { queue, round, event, occurrence: &occurrence, seen: HashMap::new(), texts: HashMap::new() };
    for webhook in &webhooks {
        // A webhook gets nothing of the time before it was enabled, unless that is asked for.
        if webhook.enabled_after < event.seq && occurrence.is_wanted_by(webhook) {
            told.tell(tx, webhook).await?;
        }
    }
    let seen = u32::try_from(webhooks.len()).unwrap_or(u32::MAX);
    Ok((webhooks.last().filter(|_| seen >= room).map(|last| last.id), seen))
}

/// Whether an event is one that a webhook is told of.
pub(super) async fn is_for(tx: &mut Tx, event: &Event, webhook: &Subscriber) -> Result<bool> {
    let Some(occurrence) = Occurrence::of(event)? else { return Ok(false) };
    Ok(occurrence.is_wanted_by(webhook) && occurrence.concerns(tx, webhook.agent_id).await?)
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

/// How an agent sees an event.
#[derive(Debug, Clone)]
struct Sight {
    depth: u32,
    traceparent: Option<String>,
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

    /// How the agent of a webhook sees the event; none when it may not see the message.
    async fn look(&mut self, tx: &mut Tx, webhook: &Subscriber) -> Result<Option<Sight>> {
        if let Some(seen) = self.seen.get(&webhook.agent_id) {
            return Ok(seen.clone());
        }
        let viewer = Viewer::agent(webhook.agent_id);
        let seen = match (self.occurrence, self.occurrence.message()) {
            (Occurrence::Ran(changed), _) => Some(run_sight(tx, &viewer, changed).await?),
            (occurrence, Some(message)) => {
                // What an agent causes by a reaction is deeper than what caused the reaction, so that loops end.
                let caused = match occurrence {
                    Occurrence::StateChanged(changed) => changed.depth,
                    _ => 0,
                };
                let row = messages::store::find(tx, &viewer, message).await?;
                row.map(|row| Sight { depth: row.depth.max(caused), traceparent: row.traceparent })
            }
            (_, None) => None,
        };
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
        let missing = || Error::not_found("message");
        let id = self.occurrence.message().ok_or_else(missing)?;
        let data = match self.occurrence {
            Occurrence::StateChanged(changed) => body::state_changed(changed, &webhook.agent),
            occurrence => {
                let mention_of = match occurrence {
                    Occurrence::Direct { mention_of, .. } => *mention_of,
                    _ => None,
                };
                let viewer = Viewer::agent(webhook.agent_id);
                let row = messages::store::find(tx, &viewer, id).await?.ok_or_else(missing)?;
                let message = messages::store::complete_one(tx, &viewer, row).await?;
                body::message(&message, &webhook.agent, mention_of)?
            }
        };
        store::insert_body(tx, self.event.seq, webhook.agent_id, id, &self.written(data)).await
    }

    fn written(&self, data: Value) -> String {
        body::text(self.occurrence.name(), self.event.seq, self.event.created_at, data)
    }

    /// Whether the agent of a webhook and whoever caused the event are in a loop that is held.
    async fn is_held(&self, tx: &mut Tx, agent: AgentId) -> Result<bool> {
        let Some((from, conversation)) = self.occurrence.cause() else { return Ok(false) };
        Ok(governance::held_until(tx, from, agent, conversation).await?.is_some())
    }

    /// Stores the delivery. Returns whether it is queued.
    async fn make(&mut self, tx: &mut Tx, webhook: &Subscriber, is_admitted: bool) -> Result<bool> {
        let Some(seen) = self.look(tx, webhook).await? else { return Ok(false) };
        let item = if seen.depth >= limits::WEBHOOK_DEPTH_MAX {
            Err(DeliveryError::Depth)
        } else if self.is_held(tx, webhook.agent_id).await? {
            Err(DeliveryError::Loop)
        } else if is_admitted {
            Ok(enqueue(tx, self.queue, webhook.owner_id, webhook.agent_id).await?)
        } else {
            Err(DeliveryError::Backlog)
        };
        let (body, text) = match self.occurrence {
            Occurrence::Ran(changed) => (None, Some(self.written(body::run_finished(changed, &webhook.agent)))),
            _ if item.is_ok() => (Some(self.text(tx, webhook).await?), None),
            // Nothing is kept of a message that is not sent.
            _ => (None, None),
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

/// How an agent sees the end of its run, which is one deeper than the run.
async fn run_sight(tx: &mut Tx, viewer: &Viewer, changed: &RunChanged) -> Result<Sight> {
    let trigger = match changed.trigger_message_id {
        Some(message) => messages::store::find(tx, viewer, message).await?,
        None => None,
    };
    let depth = changed.depth.saturating_add(1);
    Ok(Sight { depth, traceparent: trigger.and_then(|row| row.traceparent) })
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
