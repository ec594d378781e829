//! Access rules of a channel.
//!
//! The owner changes a channel: the participant that owns it, or the human of an agent that owns
//! it. The admin socket may do everything. Viewers of the channel without that right get an error;
//! for everybody else the channel does not exist.

use svc_model::participants::ParticipantKind;

use super::membership::{ChannelRef, MemberRef};
use super::store::{self, LockedChannel};
use crate::error::{Error, ErrorKind, Result};
use crate::identity::agents;
use crate::identity::api_keys::ChannelSight;
use crate::identity::auth::{Actor, Caller};
use crate::ids::ParticipantId;
use crate::messaging::messages::viewer::Viewer;
use crate::names::ChannelName;
use crate::store::db::{Tx, Work};

/// The lookup key of a channel name, without `#` and in lowercase.
pub(super) fn key(name: &str) -> Result<String> {
    let key = name.strip_prefix('#').unwrap_or(name).to_ascii_lowercase();
    // An invalid name cannot belong to a channel.
    ChannelName::parse("name", &key).map_err(|_| Error::not_found("channel"))?;
    Ok(key)
}

/// The lookup key of a channel that the credential may use.
pub(crate) fn allowed(caller: &Caller, name: &str) -> Result<String> {
    let key = key(name)?;
    caller.require_channel(&key)?;
    Ok(key)
}

/// Locks a channel that is visible to the caller for this transaction.
pub(super) async fn locked(tx: &mut Tx, caller: &Caller, key: &str) -> Result<LockedChannel> {
    store::hold(tx, key).await?;
    store::locked(tx, &Viewer::of(caller), key).await?.ok_or_else(|| Error::not_found("channel"))
}

/// Channel visibility for the identity modules, which cannot depend on channels.
pub(crate) struct VisibleChannels;

impl ChannelSight for VisibleChannels {
    fn is_visible<'t>(&'t self, tx: &'t mut Tx, caller: &'t Caller, name: &'t str) -> Work<'t, bool> {
        Box::pin(async move { store::is_open_and_visible(tx, &Viewer::of(caller), name).await })
    }
}

impl LockedChannel {
    pub(super) fn channel_ref(&self) -> ChannelRef {
        ChannelRef { id: self.id, conversation: self.conversation_id, name: self.name.clone(), public: self.public }
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
            "Only the owner of the channel may do this. Ask the owner to do it, or to transfer the channel to you.",
        ))
    }

    pub(super) fn require_open(&self) -> Result<()> {
        if self.archived_at.is_none() {
            return Ok(());
        }
        Err(Error::conflict("channel_archived", "This channel is archived and cannot be changed."))
    }
}

/// The participant that joins or leaves: the caller, or their agent of this name.
pub(super) async fn joining_participant(
    tx: &mut Tx,
    caller: &Caller,
    agent: Option<&str>,
) -> Result<(MemberRef, ParticipantKind)> {
    let not_yours = || Error::invalid("agent", "is not one of your agents");
    let agent = agent.map(|name| name.strip_prefix('@').unwrap_or(name).to_ascii_lowercase());
    match (caller.actor(), agent) {
        (Actor::Root, _) => Err(Error::invalid("agent", "cannot be set by the admin socket: invite a member instead")),
        (Actor::User(user), None) => {
            let id = ParticipantId(user.id.0);
            let joiner = MemberRef { id, handle: user.username.to_string(), human: Some(user.id) };
            Ok((joiner, ParticipantKind::Human))
        }
        (Actor::User(_), Some(_)) if caller.is_limited_to_channels() => Err(not_yours()),
        (Actor::User(user), Some(name)) => {
            let agent = agents::store::find_of(tx, user.id, &name).await?.ok_or_else(not_yours)?;
            let joiner = MemberRef { id: ParticipantId(agent.id.0), handle: agent.name, human: Some(user.id) };
            Ok((joiner, ParticipantKind::Agent))
        }
        (Actor::Agent(agent), name) => {
            if name.is_some_and(|name| *name != *agent.name) {
                return Err(not_yours());
            }
            let joiner =
                MemberRef { id: ParticipantId(agent.id.0), handle: agent.name.to_string(), human: Some(agent.owner) };
            Ok((joiner, ParticipantKind::Agent))
        }
    }
}
