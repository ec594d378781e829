//! Events of the log of which the receivers of an agent are told, such as webhooks and handlers of cluster jobs: whom
//! they concern, and what is told of them.
//!
//! Invariants: an agent is told of nothing that it did itself, and of nothing that it may not see. Edits and deletions
//! of messages are not told; a message that is deleted before it was told is not told either.

pub(super) mod body;

use svc_model::events::{EventBody, GoalChanged, RunChanged, WorkflowStateChanged};
use svc_model::webhooks::WebhookEvent;

use crate::automation::governance;
use crate::error::{Error, Result};
use crate::identity::agents;
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
    /// A goal or one of its tasks got another status.
    GoalMoved(Box<GoalChanged>),
}

/// Whom an event concerns: agents, the members of a channel, or both.
#[derive(Debug, Default)]
pub(in crate::automation) struct Concerned {
    pub(in crate::automation) agents: Vec<ParticipantId>,
    pub(in crate::automation) channel: Option<ChannelId>,
}

impl Concerned {
    fn agent(agent: ParticipantId) -> Self {
        Self { agents: vec![agent], channel: None }
    }
}

impl Occurrence {
    pub(in crate::automation) fn of(event: &Event) -> Result<Option<Self>> {
        // Most kinds concern no receiver; their payloads are not parsed.
        let kinds = ["message.created", "workflow.state_changed", "run.changed", "goal.changed"];
        if !kinds.contains(&event.kind.as_str()) {
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
            EventBody::GoalChanged(changed) if changed.is_move => Some(Self::GoalMoved(Box::new(changed))),
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
            Self::GoalMoved(_) => WebhookEvent::GoalChanged,
        }
    }

    /// The message that an agent must be able to see to be told.
    pub(in crate::automation) fn message(&self) -> Option<MessageId> {
        match self {
            Self::Direct { message, .. } | Self::Posted { message, .. } => Some(*message),
            Self::StateChanged(changed) => Some(changed.message_id),
            Self::Ran(_) | Self::GoalMoved(_) => None,
        }
    }

    /// Who caused it, and in which conversation.
    fn cause(&self) -> Option<(ParticipantId, ConversationId)> {
        match self {
            Self::Direct { from, conversation, .. } | Self::Posted { from, conversation, .. } => {
                from.map(|from| (from, *conversation))
            }
            Self::StateChanged(changed) => changed.by_id.map(|by| (by, changed.conversation_id)),
            // An agent that is told of its own run, or of a goal, answers nobody.
            Self::Ran(_) | Self::GoalMoved(_) => None,
        }
    }

    /// Whether an agent is not told although it is concerned: the one who did it, and those who are told in another
    /// way.
    fn leaves_out(&self, (id, name): (AgentId, &str)) -> bool {
        let participant = ParticipantId(id.0);
        match self {
            Self::Direct { from, .. } => *from == Some(participant),
            Self::Posted { from, mentioned, .. } => *from == Some(participant) || mentioned.contains(&participant),
            Self::StateChanged(changed) => changed.by_id == Some(participant),
            Self::Ran(_) => false,
            Self::GoalMoved(changed) => changed.by.as_deref() == Some(name),
        }
    }

    /// Whom it concerns. Not all of them may see it: see [`Self::seen_by`].
    pub(in crate::automation) fn audience(&self) -> Concerned {
        match self {
            Self::Direct { to, .. } => Concerned::agent(*to),
            Self::Posted { channel, .. } => Concerned { channel: Some(*channel), ..Concerned::default() },
            Self::Ran(changed) => Concerned::agent(ParticipantId(changed.agent_id.0)),
            Self::StateChanged(changed) => {
                let audience = &changed.audience;
                Concerned { agents: audience.sender_id.into_iter().collect(), channel: audience.channel_id }
            }
            Self::GoalMoved(changed) => {
                let agents = changed.agent_ids.iter().map(|agent| ParticipantId(agent.0));
                Concerned { agents: agents.collect(), channel: None }
            }
        }
    }

    /// Whether it concerns an agent.
    pub(in crate::automation) async fn concerns(&self, tx: &mut Tx, agent: AgentId) -> Result<bool> {
        let (Concerned { agents, channel }, agent) = (self.audience(), ParticipantId(agent.0));
        match channel {
            _ if agents.contains(&agent) => Ok(true),
            Some(channel) => channels::is_member(tx, channel, agent).await,
            None => Ok(false),
        }
    }

    /// Whether an agent that subscribed to these events is told of it.
    pub(in crate::automation) fn is_wanted(&self, agent: (AgentId, &str), events: &[WebhookEvent]) -> bool {
        let wants = [WebhookEvent::All, self.name()].iter().any(|name| events.contains(name));
        wants && !self.leaves_out(agent)
    }

    /// How an agent sees it; none when it may not see the message or the goal, and when the message is deleted.
    pub(in crate::automation) async fn seen_by(&self, tx: &mut Tx, agent: AgentId) -> Result<Option<Sight>> {
        let viewer = Viewer::agent(agent);
        match (self, self.message()) {
            (Self::Ran(changed), _) => run_sight(tx, &viewer, changed).await.map(Some),
            (Self::GoalMoved(changed), _) => goal_sight(tx, agent, changed).await,
            (occurrence, Some(message)) => {
                // What an agent causes by a reaction is deeper than what caused the reaction, so that loops end.
                let caused = match occurrence {
                    Self::StateChanged(changed) => changed.depth,
                    _ => 0,
                };
                let row = messages::store::find(tx, &viewer, message).await?.filter(|row| row.deleted_at.is_none());
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
            Self::GoalMoved(changed) => body::goal_changed(changed, name),
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

/// How an agent sees a move of a goal; none when it no longer belongs to the owner of the goal.
async fn goal_sight(tx: &mut Tx, agent: AgentId, changed: &GoalChanged) -> Result<Option<Sight>> {
    let is_own = agents::store::owner_of(tx, agent).await? == changed.owner_id;
    // The event does not say how deep in a chain its cause was, so it counts as an answer to a first message.
    Ok(is_own.then_some(Sight { depth: 1, traceparent: None }))
}
