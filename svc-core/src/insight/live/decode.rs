//! From an event of the log to what may be told of it: once per process, however many listen.

use std::sync::{Arc, Mutex, PoisonError};

use serde::de::DeserializeOwned;
use svc_model::live::{AgentNews, ChannelNews, LiveBody, MachineNews, MessageNews};

use super::model::Told;
use super::wire::Marks;
use crate::error::{Error, Result};
use crate::identity::audit::CREDENTIALS_ENDED;
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
        let payload = event.payload.get();
        let Some((about, told)) = told(&event.kind, payload)? else { return Ok(Self::nothing(event.seq)) };
        let marks: Marks = parse(payload)?;
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

/// What is told of an event; `None` for a kind that is not known here.
fn told(kind: &str, payload: &str) -> Result<Option<(About, Option<LiveBody>)>> {
    let told = match kind {
        "message.created" => (About::Sent, LiveBody::NewMessage(parse(payload)?)),
        "message.updated" => (About::Message, LiveBody::MessageUpdated(parse(payload)?)),
        "reaction.changed" => (About::Message, LiveBody::ReactionChanged(parse(payload)?)),
        "workflow.state_changed" => (About::Message, LiveBody::WorkflowStateChanged(parse(payload)?)),
        "channel.created" | "channel.updated" | "channel.archived" => (About::Channel, channel(kind, payload)?),
        "channel.member_joined" | "channel.member_left" => (About::Membership, channel(kind, payload)?),
        "agent.updated" => (About::Agent(false), agent(kind, payload)?),
        "trust.changed" => (About::Agent(false), agent("agent.trust_changed", payload)?),
        "agent.created" | "agent.deleted" => (About::Agent(true), agent(kind, payload)?),
        "machine.configured" | "machine.status_changed" | "machine.reported" => {
            (About::Machine, machine(action(kind), payload)?)
        }
        "machine_registry.loaded" => (About::Machine, machine("registry_loaded".to_owned(), payload)?),
        "cursor.moved" => return Ok(Some((About::Cursor, None))),
        CREDENTIALS_ENDED => return Ok(Some((About::Credentials, None))),
        _ => return Ok(None),
    };
    Ok(Some((told.0, Some(told.1))))
}

fn channel(kind: &str, payload: &str) -> Result<LiveBody> {
    let marks: Marks = parse(payload)?;
    let channel = marks.channel_name().ok_or_else(|| Error::internal("the event does not name its channel"))?;
    let (channel, action) = (channel.to_owned(), action(kind));
    Ok(LiveBody::ChannelChanged(ChannelNews { channel, action, by: marks.by, member: marks.handle }))
}

fn agent(kind: &str, payload: &str) -> Result<LiveBody> {
    let marks: Marks = parse(payload)?;
    let agent_id = marks.agent_id.map(|id| id.0);
    Ok(LiveBody::AgentChanged(AgentNews { agent: marks.agent, agent_id, action: action(kind) }))
}

fn machine(action: String, payload: &str) -> Result<LiveBody> {
    let marks: Marks = parse(payload)?;
    Ok(LiveBody::MachineChanged(MachineNews { principal_id: marks.principal_id, action }))
}

/// What follows the point.
fn action(kind: &str) -> String {
    kind.split_once('.').map_or(kind, |(_, action)| action).to_owned()
}

fn parse<T: DeserializeOwned>(payload: &str) -> Result<T> {
    serde_json::from_str(payload).map_err(|error| Error::internal("its payload cannot be read").with_source(error))
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
