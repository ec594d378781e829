//! Visibility rules, shared by every statement that reads messages or channels.
//!
//! Invariants:
//! - A human sees direct messages in which they or one of their agents takes part, public channels,
//!   and private channels of which they or one of their agents is a member.
//! - An agent sees the same for itself alone.
//! - The admin socket sees everything.
//! - A key that is limited to channels sees those channels and nothing else.
//!
//! A statement that uses [`message!`](visible_message!) or [`channel!`](visible_channel!) reserves
//! the placeholders `$1` to `$4` for the values that [`Viewer::bind`] binds.

use crate::identity::auth::{Actor, Caller, Credential};
use crate::ids::{AgentId, ParticipantId, UserId};
use crate::store::db::Query;

/// The identity with which messages and channels are read.
#[derive(Debug, Clone)]
pub(crate) struct Viewer {
    everything: bool,
    actor: ParticipantId,
    owner: UserId,
    /// The allowed channels as `,a,b,`; empty for all.
    channels: String,
}

/// An id that matches nobody.
const NOBODY: i64 = 0;

impl Viewer {
    pub(crate) fn of(caller: &Caller) -> Self {
        let actor = caller.participant().unwrap_or(ParticipantId(NOBODY));
        let owner = match caller.actor() {
            Actor::User(user) => user.id,
            Actor::Agent(_) | Actor::Root => UserId(NOBODY),
        };
        let channels = match caller.credential() {
            Credential::ManagedKey(limits) if !limits.allowed_channels.is_empty() => {
                format!(",{},", limits.allowed_channels.join(","))
            }
            _ => String::new(),
        };
        Self { everything: caller.is_root(), actor, owner, channels }
    }

    /// An agent, as with its own key.
    pub(crate) fn agent(agent: AgentId) -> Self {
        Self { everything: false, actor: ParticipantId(agent.0), owner: UserId(NOBODY), channels: String::new() }
    }

    /// A human, as with a login.
    pub(crate) fn user(user: UserId) -> Self {
        Self { everything: false, actor: ParticipantId(user.0), owner: user, channels: String::new() }
    }

    /// The participant itself; an id that matches nobody for the admin socket.
    pub(crate) fn participant(&self) -> ParticipantId {
        self.actor
    }

    /// Whether the viewer uses a key that is limited to channels.
    pub(crate) fn is_limited(&self) -> bool {
        !self.channels.is_empty()
    }

    /// Binds the placeholders `$1` to `$4`.
    pub(crate) fn bind<'t>(&self, query: Query<'t>) -> Query<'t> {
        query.bind(self.everything).bind(self.actor).bind(self.owner).bind(self.channels.as_str())
    }
}

/// SQL condition: a message `m`, with its channel `c` joined from the left, is visible. The viewer is in `$1` to `$4`,
/// or is given: whether it sees everything, its actor, its owner and its channels.
macro_rules! visible_message {
    () => {
        $crate::messaging::messages::viewer::visible_message!("$1", "$2", "$3", "$4")
    };
    ($everything:literal, $actor:literal, $owner:literal, $channels:literal) => {
        concat!(
            "(",
            $everything,
            " OR CASE WHEN m.channel_id IS NULL THEN ",
            $crate::messaging::messages::viewer::visible_direct!($actor, $owner, $channels),
            " ELSE ",
            $crate::messaging::messages::viewer::visible_channel!($everything, $actor, $owner, $channels),
            " END)"
        )
    };
}

/// SQL condition: a message `m` without a joined channel is visible. For statements over many
/// messages: the visible channels are selected once.
macro_rules! visible_among_many {
    () => {
        concat!(
            "($1 OR CASE WHEN m.channel_id IS NULL THEN ",
            $crate::messaging::messages::viewer::visible_direct!("$2", "$3", "$4"),
            " ELSE m.channel_id IN (SELECT c.id FROM channels c WHERE ",
            $crate::messaging::messages::viewer::visible_channel!(),
            ") END)"
        )
    };
}

/// SQL condition: a direct message `m` is visible.
macro_rules! visible_direct {
    ($actor:literal, $owner:literal, $channels:literal) => {
        concat!(
            $channels,
            " = '' AND (m.sender_id = ",
            $actor,
            " OR m.recipient_id = ",
            $actor,
            " OR m.sender_owner_id = ",
            $owner,
            " OR m.recipient_owner_id = ",
            $owner,
            ")"
        )
    };
}

/// SQL condition: a channel `c` is visible.
macro_rules! visible_channel {
    () => {
        $crate::messaging::messages::viewer::visible_channel!("$1", "$2", "$3", "$4")
    };
    ($everything:literal, $actor:literal, $owner:literal, $channels:literal) => {
        concat!(
            "(",
            $everything,
            " OR ((",
            $channels,
            " = '' OR replace(",
            $channels,
            ", ',' || c.name || ',', '') <> ",
            $channels,
            ")
                 AND (c.public
                      OR EXISTS (SELECT 1 FROM channel_members cm
                                  WHERE cm.channel_id = c.id AND cm.participant_id = ",
            $actor,
            ")
                      OR EXISTS (SELECT 1 FROM channel_members cm
                                   JOIN agents a ON a.id = cm.participant_id
                                  WHERE cm.channel_id = c.id AND a.owner_id = ",
            $owner,
            "))))"
        )
    };
}

pub(crate) use {visible_among_many, visible_channel, visible_direct, visible_message};
