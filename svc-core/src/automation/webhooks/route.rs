//! From an event of the log to deliveries: who is told of it, and what.

use svc_model::events::{EventBody, WorkflowStateChanged};
use svc_model::webhooks::{DeliveryError, WebhookEvent};

use super::body;
use super::store::{self, NewDelivery, Stored, Subscriber};
use crate::error::Result;
use crate::ids::{ChannelId, DeliveryId, MessageId, ParticipantId, WebhookId};
use crate::limits;
use crate::messaging::messages;
use crate::messaging::messages::viewer::Viewer;
use crate::store::db::Tx;
use crate::store::events::Event;
use crate::store::queue::{NewItem, Queue};

/// What webhooks are told of.
enum Occurrence {
    Direct { message: MessageId, from: Option<ParticipantId>, to: ParticipantId, mention_of: Option<MessageId> },
    Posted { message: MessageId, from: Option<ParticipantId>, channel: ChannelId, mentioned: Vec<ParticipantId> },
    StateChanged(Box<WorkflowStateChanged>),
}

impl Occurrence {
    fn of(event: &Event) -> Result<Option<Self>> {
        // Most kinds concern no webhook; their payloads are not parsed.
        if !matches!(event.kind.as_str(), "message.created" | "workflow.state_changed") {
            return Ok(None);
        }
        Ok(match event.body()? {
            EventBody::MessageCreated(created) => {
                let (message, audience) = (created.message_id, created.audience);
                match (audience.recipient_id, audience.channel_id) {
                    (Some(to), _) => {
                        let mention_of = created.mention_of;
                        Some(Self::Direct { message, from: audience.sender_id, to, mention_of })
                    }
                    (None, Some(channel)) => {
                        Some(Self::Posted { message, from: audience.sender_id, channel, mentioned: created.mentioned })
                    }
                    (None, None) => None,
                }
            }
            EventBody::WorkflowStateChanged(changed) => Some(Self::StateChanged(Box::new(changed))),
            _ => None,
        })
    }

    fn name(&self) -> WebhookEvent {
        match self {
            Self::Direct { mention_of: None, .. } => WebhookEvent::MessageReceived,
            Self::Direct { mention_of: Some(_), .. } => WebhookEvent::MessageMentioned,
            Self::Posted { .. } => WebhookEvent::ChannelMessage,
            Self::StateChanged(_) => WebhookEvent::WorkflowStateChanged,
        }
    }

    fn message(&self) -> MessageId {
        match self {
            Self::Direct { message, .. } | Self::Posted { message, .. } => *message,
            Self::StateChanged(changed) => changed.message_id,
        }
    }

    /// Whether a participant is not told although it is a member: the one who did it, and those who are told in
    /// another way.
    fn leaves_out(&self, participant: ParticipantId) -> bool {
        match self {
            Self::Direct { from, .. } => *from == Some(participant),
            Self::Posted { from, mentioned, .. } => *from == Some(participant) || mentioned.contains(&participant),
            Self::StateChanged(changed) => changed.by_id == Some(participant),
        }
    }

    /// The webhooks of everybody whom it concerns.
    async fn concerned(&self, tx: &mut Tx) -> Result<Vec<Subscriber>> {
        match self {
            Self::Direct { to, .. } => store::of_agent(tx, *to).await,
            Self::Posted { channel, .. } => store::of_members(tx, *channel).await,
            Self::StateChanged(changed) => {
                let mut found = match changed.audience.channel_id {
                    Some(channel) => store::of_members(tx, channel).await?,
                    None => Vec::new(),
                };
                if let Some(author) = changed.audience.sender_id
                    && !found.iter().any(|webhook| webhook.agent_id.0 == author.0)
                {
                    found.extend(store::of_agent(tx, author).await?);
                }
                Ok(found)
            }
        }
    }
}

/// Which webhooks an event is routed to, and what happens with a delivery that exists already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// All of them; an existing delivery stays as it is.
    New,
    /// This one; a delivery that has ended is made again.
    Again(WebhookId),
}

/// Makes the deliveries of an event. Returns the number of those that are queued.
pub(super) async fn route(tx: &mut Tx, queue: &Queue, event: &Event, mode: Mode) -> Result<u32> {
    let Some(occurrence) = Occurrence::of(event)? else { return Ok(0) };
    let mut queued = 0;
    for webhook in occurrence.concerned(tx).await? {
        let is_asked = match mode {
            // A webhook gets nothing of the time before it was enabled, unless that is asked for.
            Mode::New => webhook.enabled_at <= event.created_at,
            Mode::Again(id) => webhook.id == id,
        };
        let wants = [WebhookEvent::All, occurrence.name()].iter().any(|name| webhook.events.0.contains(name));
        if is_asked && wants && !occurrence.leaves_out(ParticipantId(webhook.agent_id.0)) {
            queued += u32::from(tell(tx, queue, event, &occurrence, &webhook, mode).await?);
        }
    }
    Ok(queued)
}

/// Makes the delivery of an event to one webhook. Returns whether it is queued.
async fn tell(
    tx: &mut Tx,
    queue: &Queue,
    event: &Event,
    occurrence: &Occurrence,
    webhook: &Subscriber,
    mode: Mode,
) -> Result<bool> {
    if let Some(known) = store::of_event(tx, webhook.id, event.seq).await? {
        let is_over = known.status != Stored::Open && known.depth < limits::WEBHOOK_DEPTH_MAX;
        if mode == Mode::New || !is_over {
            return Ok(false);
        }
        return requeue(tx, queue, webhook.agent_id.0, known.id).await;
    }
    let viewer = Viewer::agent(webhook.agent_id);
    let Some(row) = messages::store::find(tx, &viewer, occurrence.message()).await? else { return Ok(false) };
    let (depth, traceparent) = (row.depth, row.traceparent.clone());
    let data = match occurrence {
        Occurrence::StateChanged(changed) => body::state_changed(changed, &webhook.agent),
        Occurrence::Direct { .. } | Occurrence::Posted { .. } => {
            let mention_of = match occurrence {
                Occurrence::Direct { mention_of, .. } => *mention_of,
                _ => None,
            };
            let message = messages::store::complete_one(tx, &viewer, row).await?;
            body::message(&message, &webhook.agent, mention_of)?
        }
    };
    let text = body::text(occurrence.name(), event.seq, event.created_at, data);
    let item = if depth < limits::WEBHOOK_DEPTH_MAX {
        Ok(enqueue(tx, queue, webhook.agent_id.0).await?)
    } else {
        Err(DeliveryError::Depth)
    };
    let new = NewDelivery {
        webhook: webhook.id,
        seq: event.seq,
        event: occurrence.name().as_str(),
        message: occurrence.message(),
        body: &text,
        depth,
        traceparent: traceparent.as_deref(),
        item,
    };
    let is_queued = new.item.is_ok();
    store::insert_delivery(tx, &new).await?;
    Ok(is_queued)
}

/// Puts an item for a delivery into the queue. The delivery names the item.
async fn enqueue(tx: &mut Tx, queue: &Queue, agent: i64) -> Result<crate::ids::QueueItemId> {
    Ok(queue.enqueue_in(tx, &NewItem::new(serde_json::json!({})).key(agent.to_string())).await?.id)
}

/// Queues a delivery again that has ended. Returns whether it had ended.
pub(super) async fn requeue(tx: &mut Tx, queue: &Queue, agent: i64, id: DeliveryId) -> Result<bool> {
    let item = enqueue(tx, queue, agent).await?;
    store::reopen(tx, id, item).await
}
