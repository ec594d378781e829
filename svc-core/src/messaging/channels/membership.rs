//! Joining and leaving a channel, within a transaction.

use super::announce;
use super::store::members as store;
use crate::error::{Error, Result};
use crate::ids::{ChannelId, ConversationId, ParticipantId, UserId};
use crate::messaging::messages::{Party, conversations};
use crate::store::db::Tx;

/// The fields of a channel that membership changes need.
#[derive(Debug, Clone)]
pub(crate) struct ChannelRef {
    pub(crate) id: ChannelId,
    pub(crate) conversation: ConversationId,
    pub(crate) name: String,
    pub(crate) public: bool,
}

crate::row! {
    /// A participant that joins or leaves a channel.
    #[derive(Debug, Clone)]
    pub(crate) struct MemberRef {
        pub(crate) id: ParticipantId,
        pub(crate) handle: String,
        /// The human user or the owner of the agent.
        pub(crate) human: Option<UserId>,
    }
}

impl From<&Party> for MemberRef {
    fn from(party: &Party) -> Self {
        Self { id: party.id, handle: party.handle.clone(), human: party.owner }
    }
}

/// Makes a participant a member, with the read cursor at the end. Returns whether it was no member
/// before.
pub(crate) async fn join(tx: &mut Tx, channel: &ChannelRef, joiner: &MemberRef) -> Result<bool> {
    let is_new = add(tx, channel, joiner).await?;
    if is_new {
        announce::joined(tx, channel, joiner).await?;
    }
    Ok(is_new)
}

/// Makes several participants members, ordered by id, so that concurrent invitations lock them in
/// the same order.
pub(super) async fn join_all(tx: &mut Tx, channel: &ChannelRef, joiners: &[MemberRef]) -> Result<()> {
    let mut ordered: Vec<_> = joiners.iter().collect();
    ordered.sort_unstable_by_key(|joiner| joiner.id);
    for joiner in ordered {
        join(tx, channel, joiner).await?;
    }
    Ok(())
}

/// Makes a participant a member without recording an event, for a store without readers. Returns
/// whether it was no member before.
pub(super) async fn add(tx: &mut Tx, channel: &ChannelRef, joiner: &MemberRef) -> Result<bool> {
    // A concurrent deletion is either noticed here, or it removes this membership with the others.
    if !store::lock_participant(tx, joiner.id).await? {
        return Err(Error::not_found("participant"));
    }
    if !store::insert(tx, channel.id, joiner.id).await? {
        return Ok(false);
    }
    conversations::start_cursor(tx, joiner.id, channel.conversation).await?;
    Ok(true)
}

/// Ends a membership and removes its read cursor. Returns whether there was one.
pub(super) async fn leave(tx: &mut Tx, channel: &ChannelRef, leaver: &MemberRef) -> Result<bool> {
    if !store::delete(tx, channel, leaver.id).await? {
        return Ok(false);
    }
    announce::left(tx, channel, leaver).await?;
    Ok(true)
}
