//! Events of the log of which the receivers of an agent are told, such as webhooks and handlers of cluster jobs: whom
//! they concern, and what is told of them.
//!
//! Invariants: an agent is told of nothing that it did itself, and of nothing that it may not see.

pub(super) mod body;

use svc_model::events::{EventBody, RunChanged, WorkflowStateChanged};
use svc_model::webhooks::WebhookEvent;

use crate::automation::governance;
use crate::error::{Error, Result};
use crate::ids::{AgentId, ChannelId, ConversationId, MessageId, ParticipantId};
use crate::messaging::channels;
use crate::messaging::messages;
use crate::messaging::messages::viewer::Viewer;
use crate::store::db::Tx;
use crate::store::events::Event;

/// An event of the log that receivers of an agent can be told of.
pub(in crate::automation) enum Occurrence {
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
    pub(in crate::automation) fn of(event: &Event) -> Result<Option<Self>> {
        // Most kinds concern no receiver; their payloads are not parsed.
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

    pub(in crate::automation) fn name(&self) -> WebhookEvent {
        match self {
            Self::Direct { mention_of: None, .. } => WebhookEvent::MessageReceived,
            Self::Direct { mention_of: Some(_), .. } => WebhookEvent::MessageMentioned,
            Self::Posted { .. } => WebhookEvent::ChannelMessage,
            Self::StateChanged(_) => WebhookEvent::WorkflowStateChanged,
            Self::Ran(_) => WebhookEvent::RunFinished,
        }
    }

    /// The message that an agent must be able to see to be told.
    pub(in crate::automation) fn message(&self) -> Option<MessageId> {
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

    /// Whom it concerns: an agent, the members of a channel, or both.
    pub(in crate::automation) fn audience(&self) -> (Option<ParticipantId>, Option<ChannelId>) {
        match self {
            Self::Direct { to, .. } => (Some(*to), None),
            Self::Posted { channel, .. } => (None, Some(*channel)),
            Self::Ran(changed) => (Some(ParticipantId(changed.agent_id.0)), None),
            Self::StateChanged(changed) => (changed.audience.sender_id, changed.audience.channel_id),
        }
    }

    /// Whether it concerns an agent.
    pub(in crate::automation) async fn concerns(&self, tx: &mut Tx, agent: AgentId) -> Result<bool> {
        match self.audience() {
            (Some(one), _) if one.0 == agent.0 => Ok(true),
            (_, Some(channel)) => channels::is_member(tx, channel, ParticipantId(agent.0)).await,
            (_, None) => Ok(false),
        }
    }

    /// Whether somebody who subscribed to these events is told of it.
    pub(in crate::automation) fn is_wanted(&self, agent: AgentId, events: &[WebhookEvent]) -> bool {
        let wants = [WebhookEvent::All, self.name()].iter().any(|name| events.contains(name));
        wants && !self.leaves_out(ParticipantId(agent.0))
    }

    /// How an agent sees it; none when it may not see the message.
    pub(in crate::automation) async fn seen_by(&self, tx: &mut Tx, agent: AgentId) -> Result<Option<Sight>> {
        let viewer = Viewer::agent(agent);
        match (self, self.message()) {
            (Self::Ran(changed), _) => run_sight(tx, &viewer, changed).await.map(Some),
            (occurrence, Some(message)) => {
                // What an agent causes by a reaction is deeper than what caused the reaction, so that loops end.
                let caused = match occurrence {
                    Self::StateChanged(changed) => changed.depth,
                    _ => 0,
                };
                let row = messages::store::find(tx, &viewer, message).await?;
                Ok(row.map(|row| Sight { depth: row.depth.max(caused), traceparent: row.traceparent }))
            }
            (_, None) => Ok(None),
        }
    }

    /// The text for the receivers of an agent. The agent must be able to see the message.
    pub(in crate::automation) async fn told(
        &self,
        tx: &mut Tx,
        event: &Event,
        (id, name): (AgentId, &str),
    ) -> Result<String> {
        let missing = || Error::not_found("message");
        let data = match self {
            Self::Ran(changed) => body::run_finished(changed, name),
            Self::StateChanged(changed) => body::state_changed(changed, name),
            Self::Direct { message, .. } | Self::Posted { message, .. } => {
                let mention_of = match self {
                    Self::Direct { mention_of, .. } => *mention_of,
                    _ => None,
                };
                let viewer = Viewer::agent(id);
                let row = messages::store::find(tx, &viewer, *message).await?.ok_or_else(missing)?;
                let message = messages::store::complete_one(tx, &viewer, row).await?;
                body::message(&message, name, mention_of)?
            }
        };
        Ok(body::text(self.name(), event.seq, event.created_at, data))
    }

    /// Whether an agent and the participant that caused it are in a loop that is held.
    pub(in crate::automation) async fn is_held(&self, tx: &mut Tx, agent: AgentId) -> Result<bool> {
        let Some((from, conversation)) = self.cause() else { return Ok(false) };
        Ok(governance::held_until(tx, from, agent, conversation).await?.is_some())
    }
}

/// How an agent sees an event.
#[derive(Debug, Clone)]
pub(in crate::automation) struct Sight {
    /// The depth of what the agent does because of it.
    pub(in crate::automation) depth: u32,
    /// The W3C trace context of the message.
    pub(in crate::automation) traceparent: Option<String>,
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
