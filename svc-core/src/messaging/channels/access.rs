//! Who may do what with a channel.
//!
//! Its owner changes it: the participant that owns it, or the human of an agent that does. Whoever runs
//! the server may do everything. Those who see it are told that they may not; to all others it is not there.

use svc_model::participants::ParticipantKind;

use super::membership::{Joiner, Place};
use super::store;
use crate::error::{Error, ErrorKind, Result};
use crate::identity::agents;
use crate::identity::api_keys::ChannelSight;
use crate::identity::auth::{Actor, Caller};
use crate::ids::{ChannelId, ConversationId, ParticipantId, UserId};
use crate::messaging::messages::viewer::{Viewer, visible_channel};
use crate::names::ChannelName;
use crate::store::db::{Tx, Work};
use crate::timestamp::Timestamp;

crate::row! {
    /// A channel that nobody else is changing or writing to.
    pub(super) struct Held {
        pub(super) id: ChannelId,
        pub(super) name: String,
        pub(super) public: bool,
        pub(super) archived_at: Option<Timestamp>,
        pub(super) owner_id: ParticipantId,
        /// The human of an agent that owns it.
        pub(super) owner_human: Option<UserId>,
        pub(super) conversation_id: ConversationId,
        pub(super) is_member: bool,
    }
}

const HELD: &str = concat!(
    "SELECT c.id, c.name, c.public, c.archived_at, c.owner_id, a.owner_id AS owner_human, v.id AS conversation_id,
            EXISTS (SELECT 1 FROM channel_members me
                     WHERE me.channel_id = c.id AND me.participant_id = $2) AS is_member
       FROM channels c
       JOIN conversations v ON v.channel_id = c.id
       LEFT JOIN agents a ON a.id = c.owner_id
      WHERE c.name = $5 AND ",
    visible_channel!()
);

/// The name as channels are looked up: people write it with `#`, and with capitals.
pub(super) fn key(name: &str) -> Result<String> {
    let key = name.strip_prefix('#').unwrap_or(name).to_ascii_lowercase();
    // What cannot be a name is no channel.
    ChannelName::parse("name", &key).map_err(|_| Error::not_found("channel"))?;
    Ok(key)
}

/// The name of a channel that the credential may use.
pub(crate) fn allowed(caller: &Caller, name: &str) -> Result<String> {
    let key = key(name)?;
    caller.require_channel(&key)?;
    Ok(key)
}

/// A channel that the caller can see, taken for this transaction.
pub(super) async fn held(tx: &mut Tx, caller: &Caller, key: &str) -> Result<Held> {
    store::hold(tx, key).await?;
    let held = Viewer::of(caller).bind(tx.query(HELD)).bind(key).fetch_optional().await?;
    held.ok_or_else(|| Error::not_found("channel"))
}

/// The channels that a caller sees, for those who stand below them.
pub(crate) struct VisibleChannels;

impl ChannelSight for VisibleChannels {
    fn is_visible<'t>(&'t self, tx: &'t mut Tx, caller: &'t Caller, name: &'t str) -> Work<'t, bool> {
        Box::pin(visible(tx, caller, name))
    }
}

/// Whether the caller can see an open channel of this name.
async fn visible(tx: &mut Tx, caller: &Caller, name: &str) -> Result<bool> {
    let text =
        concat!("SELECT count(*) FROM channels c WHERE c.name = $5 AND c.archived_at IS NULL AND ", visible_channel!());
    let found: i64 = Viewer::of(caller).bind(tx.query(text)).bind(name).fetch_value().await?;
    Ok(found == 1)
}

impl Held {
    pub(super) fn place(&self) -> Place {
        Place { id: self.id, conversation: self.conversation_id, name: self.name.clone(), public: self.public }
    }

    pub(super) fn is_owned_by(&self, caller: &Caller) -> bool {
        let as_human = match caller.actor() {
            Actor::Root => return true,
            Actor::User(user) => self.owner_human == Some(user.id),
            Actor::Agent(_) => false,
        };
        as_human || caller.participant() == Some(self.owner_id)
    }

    pub(super) fn require_owner(&self, caller: &Caller) -> Result<()> {
        if self.is_owned_by(caller) {
            return Ok(());
        }
        Err(Error::new(
            ErrorKind::Forbidden,
            "channel_owner_required",
            "Only the owner of the channel may do this: ask them, or have it handed over to you.",
        ))
    }

    pub(super) fn require_open(&self) -> Result<()> {
        if self.archived_at.is_none() {
            return Ok(());
        }
        Err(Error::conflict("channel_archived", "This channel is archived: it can be read, not changed."))
    }
}

/// Who joins or leaves when a caller says so: themselves, or the one of their agents that they name.
pub(super) async fn acting(tx: &mut Tx, caller: &Caller, agent: Option<&str>) -> Result<(Joiner, ParticipantKind)> {
    let not_yours = || Error::invalid("agent", "is not one of your agents");
    let agent = agent.map(|name| name.strip_prefix('@').unwrap_or(name).to_ascii_lowercase());
    match (caller.actor(), agent) {
        (Actor::Root, _) => Err(Error::invalid("agent", "cannot be chosen: invite a member instead")),
        (Actor::User(user), None) => {
            let joiner =
                Joiner { id: ParticipantId(user.id.0), handle: user.username.to_string(), human: Some(user.id) };
            Ok((joiner, ParticipantKind::Human))
        }
        (Actor::User(_), Some(_)) if caller.is_limited_to_channels() => Err(not_yours()),
        (Actor::User(user), Some(name)) => {
            let agent = agents::store::find_of(tx, user.id, &name).await?.ok_or_else(not_yours)?;
            let joiner = Joiner { id: ParticipantId(agent.id.0), handle: agent.name, human: Some(user.id) };
            Ok((joiner, ParticipantKind::Agent))
        }
        (Actor::Agent(agent), name) => {
            if name.is_some_and(|name| *name != *agent.name) {
                return Err(not_yours());
            }
            let joiner =
                Joiner { id: ParticipantId(agent.id.0), handle: agent.name.to_string(), human: Some(agent.owner) };
            Ok((joiner, ParticipantKind::Agent))
        }
    }
}
