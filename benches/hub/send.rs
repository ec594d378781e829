//! Sends of the product: the message with its indexes, its conversation, the sender's read position and the event in
//! one unit of work, and a full-text index that follows.
//!
//! 64 agents send: three of four messages go to one of 6 channels (of 8), the fourth to another agent.

use futures_util::future::join_all;
use svc_core::agents::{AgentSettings, NewAgent};
use svc_core::channels::NewChannel;
use svc_core::messages::NewMessage;
use svc_core::{Caller, Hub};

/// Body of every message.
pub(crate) const BODY: &str = "the quick brown fox jumps over the lazy dog near the river bank";
/// Number of agents.
const TALKERS: usize = 64;
/// Number of channels.
const CHANNELS: usize = 8;

/// The agents, in a hub of their own.
pub(crate) struct Talk {
    pub(crate) hub: Hub,
    pub(crate) keys: Vec<String>,
    callers: Vec<Caller>,
}

/// Destination of the message with a number.
pub(crate) enum Address {
    /// The agent with this number.
    To(usize),
    /// The channel with this number.
    Into(usize),
}

impl Address {
    pub(crate) fn of(number: usize) -> Self {
        if number.is_multiple_of(4) { Self::To((number / 4 + 7) % TALKERS) } else { Self::Into(number % CHANNELS) }
    }
}

/// Sender of the message with a number: another agent than its recipient.
pub(crate) fn sender_of(number: usize) -> usize {
    match Address::of(number) {
        Address::To(to) if number % TALKERS == to => (to + 1) % TALKERS,
        _ => number % TALKERS,
    }
}

pub(crate) fn talker(number: usize) -> String {
    format!("talker-{number}")
}

pub(crate) fn channel(number: usize) -> String {
    format!("channel-{number}")
}

impl Talk {
    /// Creates the agents and the channels, with all agents as members.
    pub(crate) async fn prepare(hub: &Hub) -> Self {
        let made = join_all((0..TALKERS).map(async |number| {
            let new = NewAgent {
                name: talker(number).parse().expect("a valid name"),
                owner: Some("admin".parse().expect("a valid name")),
                settings: AgentSettings::default(),
            };
            hub.agents().create(&Caller::root(), new).await.expect("the agent is created").key
        }));
        let keys = made.await;
        let callers: Vec<_> =
            join_all(keys.iter().map(async |key| hub.auth().bearer(key).await.expect("the key is valid"))).await;
        for number in 0..CHANNELS {
            let new = NewChannel::named(channel(number));
            hub.channels().create(&callers[0], new).await.expect("the name is free");
            for caller in &callers {
                hub.channels().join(caller, &channel(number), None).await.expect("it is public");
            }
        }
        Self { hub: hub.clone(), keys, callers }
    }

    /// The message with this number.
    pub(crate) fn message(number: usize) -> NewMessage {
        match Address::of(number) {
            Address::To(to) => NewMessage::to(talker(to), BODY),
            Address::Into(into) => NewMessage::in_channel(channel(into), BODY),
        }
    }

    /// Returns when the message with this number is durable.
    pub(crate) async fn send(&self, number: usize) {
        let caller = &self.callers[sender_of(number)];
        self.hub.messages().send(caller, Self::message(number)).await.expect("the send succeeds");
    }

    /// Returns when the full-text index contains all messages.
    pub(crate) async fn indexed(&self) {
        let filter = svc_core::search::SearchFilter { q: Some("nothingofthekind".into()), ..Default::default() };
        self.hub.search().messages(&self.callers[0], filter).await.expect("the search succeeds");
    }
}
