//! Decoding events of the log for feeds, once per process, however many feeds are open.

use std::sync::{Arc, Mutex, PoisonError};

use svc_model::events::{
    EmojiChanged, EventBody, GoalChanged, LoopChanged, MessageCreated, MessageUpdated, PinChanged, RunChanged,
    WikiChanged,
};
use svc_model::live::{
    AgentNews, ChannelNews, DeadLetterNews, DeletionNews, EditNews, EmojiNews, GoalNews, LiveBody, LoopNews,
    MachineNews, MessageNews, PinNews, ProfileNews, ReactionNews, RunNews, ScheduledNews, SettingsNews, TaskNews,
    UpdateNews, WikiNews, WorkflowNews,
};

use super::model::Payload;
use super::routing::Routing;
use crate::error::Result;
use crate::ids::EventSeq;
use crate::store::events::Event;

/// The number of decoded events in the cache. Feeds are rarely further apart.
const KEPT: usize = 256;

/// A decoded event of the log.
#[derive(Debug)]
pub(super) struct DecodedEvent {
    pub(super) seq: EventSeq,
    /// The length of the payload in the log. The text in an event is removed when its message is deleted.
    size: usize,
    pub(super) topic: Topic,
    pub(super) routing: Routing,
    /// The payload to send; `None` for an event that only concerns the feeds themselves.
    pub(super) payload: Option<Arc<Payload>>,
    /// The payload for participants whom the message mentions.
    pub(super) payload_mentioned: Option<Arc<Payload>>,
}

/// The subject of an event, which decides who may see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Topic {
    /// A new message.
    Sent,
    /// A change of a message.
    Message,
    /// The end of a message, which may have been unread.
    Deleted,
    /// A channel.
    Channel,
    /// The members of a channel.
    Membership,
    /// An agent; `true` if it was created or deleted.
    Agent(bool),
    /// A loop between agents.
    Loop,
    /// A machine principal, or the registry.
    Machine,
    /// A task.
    Task,
    /// Messages that became dead letters.
    DeadLetters,
    /// A run of an agent.
    Run,
    /// A goal, one of its tasks or one of its proposals.
    Goal,
    /// An article of the wiki.
    Wiki,
    /// The profile of a participant.
    Profile,
    /// The notification settings of a human.
    Settings,
    /// A message that is sent later.
    Scheduled,
    /// A read cursor.
    Cursor,
    /// Credentials of a human, some of which have ended.
    Credentials,
    /// An event that is not sent.
    Nothing,
}

/// A cache of recently decoded events, by sequence number.
pub(super) struct Decoder {
    kept: Vec<Mutex<Option<Arc<DecodedEvent>>>>,
}

impl Default for Decoder {
    fn default() -> Self {
        Self { kept: (0..KEPT).map(|_| Mutex::default()).collect() }
    }
}

impl Decoder {
    /// The decoded event. The first caller decodes it while the others wait.
    pub(super) fn decode(&self, event: &Event) -> Arc<DecodedEvent> {
        let slot = usize::try_from(event.seq.0).unwrap_or(0) % KEPT;
        let mut kept = self.kept[slot].lock().unwrap_or_else(PoisonError::into_inner);
        let size = event.payload.get().len();
        if let Some(decoded) = kept.as_ref().filter(|decoded| decoded.seq == event.seq && decoded.size == size) {
            return decoded.clone();
        }
        let decoded = Arc::new(DecodedEvent::of(event));
        *kept = Some(decoded.clone());
        decoded
    }
}

impl DecodedEvent {
    fn of(event: &Event) -> Self {
        Self::read(event).unwrap_or_else(|error| {
            tracing::warn!(seq = event.seq.0, kind = event.kind, error = error.log_line(), "an event is not sent");
            let (seq, size) = (event.seq, event.payload.get().len());
            let routing = Routing::default();
            Self { seq, size, topic: Topic::Nothing, routing, payload: None, payload_mentioned: None }
        })
    }

    fn read(event: &Event) -> Result<Self> {
        let body = event.body()?;
        let (topic, routing) = (topic(&body), Routing::of(&body));
        let payload = payload(body);
        let payload_mentioned = match &payload {
            Some(LiveBody::NewMessage(message)) if !routing.mentioned.is_empty() || routing.mention_of.is_some() => {
                let message = MessageNews { mentions_me: true, ..message.clone() };
                Some(Payload::new(LiveBody::NewMessage(message))?)
            }
            _ => None,
        };
        let (seq, size) = (event.seq, event.payload.get().len());
        Ok(Self { seq, size, topic, routing, payload: payload.map(Payload::new).transpose()?, payload_mentioned })
    }
}

/// The subject of an event.
fn topic(body: &EventBody) -> Topic {
    match body {
        EventBody::MessageCreated(_) => Topic::Sent,
        EventBody::MessageUpdated(_)
        | EventBody::MessageEdited(_)
        | EventBody::MessagePinned(_)
        | EventBody::MessageUnpinned(_)
        | EventBody::ReactionChanged(_)
        | EventBody::EmojiAdded(_)
        | EventBody::EmojiRemoved(_)
        | EventBody::WorkflowStateChanged(_) => Topic::Message,
        EventBody::MessageDeleted(_) => Topic::Deleted,
        EventBody::ChannelCreated(_) | EventBody::ChannelUpdated(_) | EventBody::ChannelArchived(_) => Topic::Channel,
        EventBody::MemberJoined(_) | EventBody::MemberLeft(_) => Topic::Membership,
        EventBody::AgentCreated(_) | EventBody::AgentDeleted(_) => Topic::Agent(true),
        EventBody::AgentUpdated(_)
        | EventBody::AgentQuarantined(_)
        | EventBody::AgentReleased(_)
        | EventBody::AgentPaused(_)
        | EventBody::AgentResumed(_)
        | EventBody::AgentBudgetWarned(_)
        | EventBody::TrustChanged(_) => Topic::Agent(false),
        EventBody::LoopHeld(_) | EventBody::LoopLifted(_) => Topic::Loop,
        EventBody::MachineConfigured(_)
        | EventBody::MachineStatusChanged(_)
        | EventBody::MachineReported(_)
        | EventBody::RegistryLoaded(_) => Topic::Machine,
        EventBody::TaskPosted(_)
        | EventBody::TaskBid(_)
        | EventBody::TaskAssigned(_)
        | EventBody::TaskCompleted(_)
        | EventBody::TaskCancelled(_) => Topic::Task,
        EventBody::DeadLettersAdded(_) => Topic::DeadLetters,
        EventBody::RunChanged(_) => Topic::Run,
        EventBody::GoalChanged(_) => Topic::Goal,
        EventBody::WikiChanged(_) => Topic::Wiki,
        EventBody::ProfileChanged(_) => Topic::Profile,
        EventBody::AttentionChanged(_) => Topic::Settings,
        EventBody::ScheduledChanged(_) => Topic::Scheduled,
        EventBody::CursorMoved(_) => Topic::Cursor,
        EventBody::CredentialsEnded(_) => Topic::Credentials,
        _ => Topic::Nothing,
    }
}

/// The payload of an event; `None` for one that only concerns the feeds themselves, or is unknown
/// here.
fn payload(body: EventBody) -> Option<LiveBody> {
    let action = body.action().to_owned();
    Some(match body {
        EventBody::MessageCreated(created) => message_news(created),
        EventBody::MessageUpdated(updated) => update_news(updated),
        EventBody::MessageEdited(edited) => LiveBody::MessageEdited(EditNews {
            message_id: edited.message_id,
            conversation_id: edited.conversation_id,
            channel: edited.audience.channel,
            version: edited.version,
            claimed_by: edited.claimed_by,
            edited_at: edited.edited_at,
        }),
        EventBody::MessageDeleted(deleted) => LiveBody::MessageDeleted(DeletionNews {
            message_id: deleted.message_id,
            conversation_id: deleted.conversation_id,
            channel: deleted.audience.channel,
            by: deleted.by,
            deleted_at: deleted.deleted_at,
        }),
        EventBody::MessagePinned(changed) => LiveBody::MessagePinned(pin_news(changed)),
        EventBody::MessageUnpinned(changed) => LiveBody::MessageUnpinned(pin_news(changed)),
        EventBody::ReactionChanged(changed) => LiveBody::ReactionChanged(ReactionNews {
            message_id: changed.message_id,
            conversation_id: changed.conversation_id,
            channel: changed.audience.channel,
            by: changed.by,
            reaction: changed.reaction.to_string(),
            action: changed.action.to_string(),
            workflow_state: changed.workflow_state.map(|state| state.to_string()),
        }),
        EventBody::EmojiAdded(changed) => LiveBody::EmojiAdded(emoji_news(changed)),
        EventBody::EmojiRemoved(changed) => LiveBody::EmojiRemoved(emoji_news(changed)),
        EventBody::WorkflowStateChanged(changed) => LiveBody::WorkflowStateChanged(WorkflowNews {
            message_id: changed.message_id,
            conversation_id: changed.conversation_id,
            channel: changed.audience.channel,
            old_state: changed.old_state.map(|state| state.to_string()),
            new_state: Some(changed.new_state.to_string()),
            by: Some(changed.by),
            reaction: Some(changed.reaction.to_string()),
        }),
        EventBody::ChannelCreated(changed)
        | EventBody::ChannelUpdated(changed)
        | EventBody::ChannelArchived(changed) => {
            LiveBody::ChannelChanged(ChannelNews { channel: changed.name, action, by: Some(changed.by), member: None })
        }
        EventBody::MemberJoined(changed) | EventBody::MemberLeft(changed) => LiveBody::ChannelChanged(ChannelNews {
            channel: changed.name,
            action,
            by: None,
            member: Some(changed.handle),
        }),
        EventBody::AgentCreated(changed)
        | EventBody::AgentUpdated(changed)
        | EventBody::AgentDeleted(changed)
        | EventBody::AgentQuarantined(changed)
        | EventBody::AgentReleased(changed)
        | EventBody::AgentPaused(changed)
        | EventBody::AgentResumed(changed)
        | EventBody::AgentBudgetWarned(changed) => {
            let agent_id = changed.agent_id.map(|id| id.0);
            LiveBody::AgentChanged(AgentNews { agent: changed.agent, agent_id, action })
        }
        EventBody::TrustChanged(changed) => LiveBody::AgentChanged(AgentNews {
            agent: Some(changed.agent),
            agent_id: Some(changed.agent_id.0),
            action: "trust_changed".to_owned(),
        }),
        EventBody::LoopHeld(changed) | EventBody::LoopLifted(changed) => loop_news(changed, action),
        EventBody::MachineConfigured(payload) => machine(payload.principal_id, action),
        EventBody::MachineStatusChanged(payload) => machine(payload.principal_id, action),
        EventBody::MachineReported(payload) => machine(payload.principal_id, action),
        EventBody::RegistryLoaded(_) => {
            LiveBody::MachineChanged(MachineNews { principal_id: None, action: "registry_loaded".to_owned() })
        }
        EventBody::TaskPosted(task)
        | EventBody::TaskBid(task)
        | EventBody::TaskAssigned(task)
        | EventBody::TaskCompleted(task)
        | EventBody::TaskCancelled(task) => LiveBody::TaskChanged(TaskNews {
            task_id: task.task_id,
            title: task.title,
            status: task.status,
            channel: task.channel,
            message_id: task.message_id,
            action,
            by: task.by,
        }),
        EventBody::DeadLettersAdded(added) => LiveBody::DeadLettersAdded(DeadLetterNews { count: added.count }),
        EventBody::RunChanged(changed) => run_news(changed),
        EventBody::GoalChanged(changed) => goal_news(changed),
        EventBody::WikiChanged(changed) => wiki_news(changed),
        EventBody::ProfileChanged(changed) => LiveBody::ProfileChanged(ProfileNews { handle: changed.handle }),
        EventBody::AttentionChanged(_) => LiveBody::NotificationSettingsChanged(SettingsNews {}),
        EventBody::ScheduledChanged(changed) => LiveBody::ScheduledMessageChanged(ScheduledNews {
            scheduled_id: changed.scheduled_id,
            status: changed.status,
        }),
        _ => return None,
    })
}

fn message_news(created: MessageCreated) -> LiveBody {
    LiveBody::NewMessage(MessageNews {
        message_id: created.message_id,
        conversation_id: created.conversation_id,
        channel: created.audience.channel,
        from: created.from,
        from_kind: created.from_kind,
        to: created.to,
        subject: created.subject,
        preview: created.preview,
        priority: created.priority,
        depth: created.depth,
        mention_of: created.mention_of,
        mentions_me: false,
        created_at: created.created_at,
    })
}

fn update_news(updated: MessageUpdated) -> LiveBody {
    LiveBody::MessageUpdated(UpdateNews {
        message_id: updated.message_id,
        conversation_id: updated.conversation_id,
        channel: updated.audience.channel,
        status: updated.status.map(|status| status.to_string()),
        claimed_by: updated.claimed_by,
        attempts: None,
        reason: updated.reason,
        workflow_state: updated.workflow_state.map(|state| state.to_string()),
        escalated_at: updated.escalated_at,
    })
}

fn emoji_news(changed: EmojiChanged) -> EmojiNews {
    let EmojiChanged { message_id, conversation_id, audience, by, emoji, count, .. } = changed;
    EmojiNews { message_id, conversation_id, channel: audience.channel, by, emoji, count }
}

fn pin_news(changed: PinChanged) -> PinNews {
    let PinChanged { message_id, conversation_id, audience, by } = changed;
    PinNews { message_id, conversation_id, channel: audience.channel, by }
}

fn loop_news(changed: LoopChanged, action: String) -> LiveBody {
    let LoopChanged { loop_id, kind, agent, other, .. } = changed;
    LiveBody::LoopChanged(LoopNews { loop_id, kind, agent, other, action })
}

fn run_news(changed: RunChanged) -> LiveBody {
    let RunChanged { run_id, agent, status, trigger_message_id, error, .. } = changed;
    LiveBody::RunChanged(RunNews { run_id, agent, status, trigger_message_id, error })
}

fn goal_news(changed: GoalChanged) -> LiveBody {
    let GoalChanged { goal_id, slug, title, status, task_id, task_status, proposal, by, .. } = changed;
    LiveBody::GoalChanged(GoalNews { goal_id, slug, title, status, task_id, task_status, proposal, by })
}

fn wiki_news(changed: WikiChanged) -> LiveBody {
    let WikiChanged { slug, renamed_from, title, revision, action, by, .. } = changed;
    LiveBody::WikiChanged(WikiNews { slug, renamed_from, title, revision, action, by })
}

fn machine(principal_id: String, action: String) -> LiveBody {
    LiveBody::MachineChanged(MachineNews { principal_id: Some(principal_id), action })
}

#[cfg(test)]
mod tests {
    use serde::Serialize;
    use serde_json::{Value, json};

    use super::*;
    use crate::timestamp::Timestamp;

    fn event(seq: i64, kind: &str, payload: &impl Serialize) -> Event {
        Event {
            seq: EventSeq(seq),
            kind: kind.to_owned(),
            payload: serde_json::value::to_raw_value(payload).unwrap(),
            created_at: Timestamp::from_micros(0),
        }
    }

    fn message() -> Value {
        json!({
            "message_id": 7, "conversation_id": 3, "channel_id": 2, "channel": "ops", "public": true, "sender_id": 11,
            "sender_owner_id": 12, "from": "ann", "from_kind": "human", "recipient_id": null, "to": null,
            "recipient_owner_id": null, "subject": "", "preview": "hi", "priority": 5, "depth": 0, "mentioned": [13],
            "mention_of": null, "created_at": "2026-01-01T00:00:00Z",
        })
    }

    fn data(payload: Option<&Arc<Payload>>) -> Value {
        let event = super::super::LiveEvent::new(None, payload.unwrap().clone());
        assert!(!event.data().contains('\n'));
        serde_json::from_str(event.data()).unwrap()
    }

    #[test]
    fn internal_fields_are_not_sent() {
        let decoded = DecodedEvent::of(&event(1, "message.created", &message()));
        let payload = data(decoded.payload.as_ref());
        for hidden in ["public", "sender_id", "sender_owner_id", "recipient_id", "recipient_owner_id", "mentioned"] {
            assert_eq!(payload.get(hidden), None, "{payload}");
        }
        assert_eq!(payload["mentions_me"], false);
        assert_eq!(data(decoded.payload_mentioned.as_ref())["mentions_me"], true);
    }

    #[test]
    fn of_a_change_of_a_goal_only_the_published_fields_are_sent() {
        let change = json!({
            "goal_id": 7, "slug": "ship", "title": "Ship", "status": "active", "owner_id": 3, "task_id": 9,
            "task": "Build", "task_status": "done", "is_move": true, "by": "scout", "agent_ids": [4, 5],
        });
        let decoded = DecodedEvent::of(&event(1, "goal.changed", &change));
        assert_eq!((decoded.topic, decoded.routing.owner_id.map(|owner| owner.0)), (Topic::Goal, Some(3)));
        let sent = json!({
            "goal_id": 7, "slug": "ship", "title": "Ship", "status": "active", "task_id": 9, "task_status": "done",
            "by": "scout",
        });
        assert_eq!(data(decoded.payload.as_ref()), sent);
    }

    #[test]
    fn unknown_kinds_and_invalid_payloads_are_not_sent() {
        for (kind, payload) in [
            ("trust.lost", message()),
            ("message.created", json!("hello")),
            ("message.created", json!({ "message_id": 1 })),
            ("channel.updated", json!({ "channel_id": 1 })),
        ] {
            let decoded = DecodedEvent::of(&event(1, kind, &payload));
            assert_eq!((decoded.topic, decoded.payload.is_none()), (Topic::Nothing, true), "{kind} {payload}");
        }
    }

    #[test]
    fn an_event_is_decoded_once_and_not_mistaken_for_another() {
        let decoder = Decoder::default();
        let (one, other) = (event(1, "message.created", &message()), event(257, "agent.updated", &json!({})));
        let first = decoder.decode(&one);
        assert!(Arc::ptr_eq(&first, &decoder.decode(&one)));
        assert_eq!(decoder.decode(&other).topic, Topic::Agent(false));
        assert_eq!(decoder.decode(&one).topic, Topic::Sent);
    }
}
