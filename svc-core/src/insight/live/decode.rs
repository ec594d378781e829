//! From an event of the log to what may be told of it: once per process, however many listen.

use std::sync::{Arc, Mutex, PoisonError};

use svc_model::events::EventBody;
use svc_model::live::{
    AgentNews, ChannelNews, DeadLetterNews, LiveBody, MachineNews, MessageNews, ReactionNews, TaskNews, UpdateNews,
    WorkflowNews,
};

use super::marks::Marks;
use super::model::Told;
use crate::error::Result;
use crate::ids::EventSeq;
use crate::store::events::Event;

/// Events that are kept decoded. Those who listen are seldom further apart.
const KEPT: usize = 256;

/// An event of the log, decoded.
#[derive(Debug)]
pub(super) struct News {
    pub(super) seq: EventSeq,
    pub(super) about: About,
    pub(super) marks: Marks,
    /// What is told; nothing for what only moves the feeds themselves.
    pub(super) told: Option<Arc<Told>>,
    /// The same for those whom it mentions.
    pub(super) told_mentioned: Option<Arc<Told>>,
}

/// What an event is about, which decides who sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum About {
    /// A message that was sent.
    Sent,
    /// A message that something happened to.
    Message,
    /// A channel.
    Channel,
    /// The members of a channel.
    Membership,
    /// An agent; `true` when the human has one more or one less.
    Agent(bool),
    /// A machine principal, or the registry of all.
    Machine,
    /// A task.
    Task,
    /// Messages that became dead letters.
    DeadLetters,
    /// How far somebody has read.
    Cursor,
    /// Credentials of a human, some of which ended.
    Credentials,
    /// Nothing that is told.
    Nothing,
}

/// The events that were decoded lately, by their places.
pub(super) struct Decoder {
    kept: Vec<Mutex<Option<Arc<News>>>>,
}

impl Default for Decoder {
    fn default() -> Self {
        Self { kept: (0..KEPT).map(|_| Mutex::default()).collect() }
    }
}

impl Decoder {
    /// The decoded event. Whoever comes first decodes it while the others wait.
    pub(super) fn decode(&self, event: &Event) -> Arc<News> {
        let slot = usize::try_from(event.seq.0).unwrap_or(0) % KEPT;
        let mut kept = self.kept[slot].lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(news) = kept.as_ref().filter(|news| news.seq == event.seq) {
            return news.clone();
        }
        let news = Arc::new(News::of(event));
        *kept = Some(news.clone());
        news
    }
}

impl News {
    fn of(event: &Event) -> Self {
        Self::read(event).unwrap_or_else(|error| {
            tracing::warn!(seq = event.seq.0, kind = event.kind, error = error.log_line(), "an event is told nobody");
            Self::nothing(event.seq)
        })
    }

    fn nothing(seq: EventSeq) -> Self {
        Self { seq, about: About::Nothing, marks: Marks::default(), told: None, told_mentioned: None }
    }

    fn read(event: &Event) -> Result<Self> {
        let body = event.body()?;
        let (about, marks) = (about(&body), Marks::of(&body));
        let told = told(body);
        let told_mentioned = match &told {
            Some(LiveBody::NewMessage(news)) if !marks.mentioned.is_empty() || marks.mention_of.is_some() => {
                let news = MessageNews { mentions_me: true, ..news.clone() };
                Some(Told::new(LiveBody::NewMessage(news))?)
            }
            _ => None,
        };
        Ok(Self { seq: event.seq, about, marks, told: told.map(Told::new).transpose()?, told_mentioned })
    }
}

/// What an event is about.
fn about(body: &EventBody) -> About {
    match body {
        EventBody::MessageCreated(_) => About::Sent,
        EventBody::MessageUpdated(_) | EventBody::ReactionChanged(_) | EventBody::WorkflowStateChanged(_) => {
            About::Message
        }
        EventBody::ChannelCreated(_) | EventBody::ChannelUpdated(_) | EventBody::ChannelArchived(_) => About::Channel,
        EventBody::MemberJoined(_) | EventBody::MemberLeft(_) => About::Membership,
        EventBody::AgentCreated(_) | EventBody::AgentDeleted(_) => About::Agent(true),
        EventBody::AgentUpdated(_) | EventBody::TrustChanged(_) => About::Agent(false),
        EventBody::MachineConfigured(_)
        | EventBody::MachineStatusChanged(_)
        | EventBody::MachineReported(_)
        | EventBody::RegistryLoaded(_) => About::Machine,
        EventBody::TaskPosted(_)
        | EventBody::TaskBid(_)
        | EventBody::TaskAssigned(_)
        | EventBody::TaskCompleted(_)
        | EventBody::TaskCancelled(_) => About::Task,
        EventBody::DeadLettersAdded(_) => About::DeadLetters,
        EventBody::CursorMoved(_) => About::Cursor,
        EventBody::CredentialsEnded(_) => About::Credentials,
        _ => About::Nothing,
    }
}

/// What is told of an event; `None` for one that only moves the feeds themselves, or that is not known here.
fn told(body: EventBody) -> Option<LiveBody> {
    let action = body.action().to_owned();
    Some(match body {
        EventBody::MessageCreated(created) => LiveBody::NewMessage(MessageNews {
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
        }),
        EventBody::MessageUpdated(updated) => LiveBody::MessageUpdated(UpdateNews {
            message_id: updated.message_id,
            conversation_id: updated.conversation_id,
            channel: updated.audience.channel,
            status: updated.status.map(|status| status.to_string()),
            claimed_by: updated.claimed_by,
            attempts: None,
            reason: updated.reason,
            workflow_state: updated.workflow_state.map(|state| state.to_string()),
            escalated_at: updated.escalated_at,
        }),
        EventBody::ReactionChanged(changed) => LiveBody::ReactionChanged(ReactionNews {
            message_id: changed.message_id,
            conversation_id: changed.conversation_id,
            channel: changed.audience.channel,
            by: changed.by,
            reaction: changed.reaction.to_string(),
            action: changed.action.to_string(),
            workflow_state: changed.workflow_state.map(|state| state.to_string()),
        }),
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
        EventBody::AgentCreated(changed) | EventBody::AgentUpdated(changed) | EventBody::AgentDeleted(changed) => {
            let agent_id = changed.agent_id.map(|id| id.0);
            LiveBody::AgentChanged(AgentNews { agent: changed.agent, agent_id, action })
        }
        EventBody::TrustChanged(changed) => LiveBody::AgentChanged(AgentNews {
            agent: Some(changed.agent),
            agent_id: Some(changed.agent_id.0),
            action: "trust_changed".to_owned(),
        }),
        EventBody::MachineConfigured(told) => machine(told.principal_id, action),
        EventBody::MachineStatusChanged(told) => machine(told.principal_id, action),
        EventBody::MachineReported(told) => machine(told.principal_id, action),
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
        _ => return None,
    })
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

    fn data(told: Option<&Arc<Told>>) -> Value {
        let event = super::super::LiveEvent::new(None, told.unwrap().clone());
        assert!(!event.data().contains('\n'));
        serde_json::from_str(event.data()).unwrap()
    }

    #[test]
    fn what_is_for_the_hub_alone_does_not_go_out() {
        let news = News::of(&event(1, "message.created", &message()));
        let told = data(news.told.as_ref());
        for hidden in ["public", "sender_id", "sender_owner_id", "recipient_id", "recipient_owner_id", "mentioned"] {
            assert_eq!(told.get(hidden), None, "{told}");
        }
        assert_eq!(told["mentions_me"], false);
        assert_eq!(data(news.told_mentioned.as_ref())["mentions_me"], true);
    }

    #[test]
    fn unknown_kinds_and_odd_payloads_are_told_nobody() {
        for (kind, payload) in [
            ("trust.lost", message()),
            ("message.created", json!("hello")),
            ("message.created", json!({ "message_id": 1 })),
            ("channel.updated", json!({ "channel_id": 1 })),
        ] {
            let news = News::of(&event(1, kind, &payload));
            assert_eq!((news.about, news.told.is_none()), (About::Nothing, true), "{kind} {payload}");
        }
    }

    #[test]
    fn an_event_is_decoded_once_and_never_taken_for_another() {
        let decoder = Decoder::default();
        let (one, other) = (event(1, "message.created", &message()), event(257, "agent.updated", &json!({})));
        let first = decoder.decode(&one);
        assert!(Arc::ptr_eq(&first, &decoder.decode(&one)));
        assert_eq!(decoder.decode(&other).about, About::Agent(false));
        assert_eq!(decoder.decode(&one).about, About::Sent);
    }
}
