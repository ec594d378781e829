//! Joining and leaving a channel, within a transaction.

use super::announce;
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
    lock_present(tx, joiner.id).await?;
    let now = tx.now();
    let added = tx
        .query(
            "INSERT INTO channel_members (channel_id, participant_id, joined_at)
             VALUES ($1, $2, $3)
             ON CONFLICT DO NOTHING",
        )
        .bind(channel.id)
        .bind(joiner.id)
        .bind(now)
        .execute()
        .await?;
    if added == 0 {
        return Ok(false);
    }
    tx.query("UPDATE channels SET member_count = member_count + 1 WHERE id = $1").bind(channel.id).execute().await?;
    conversations::start_cursor(tx, joiner.id, channel.conversation).await?;
    Ok(true)
}

/// Ends a membership and removes its read cursor. Returns whether there was one.
pub(super) async fn leave(tx: &mut Tx, channel: &ChannelRef, leaver: &MemberRef) -> Result<bool> {
    let left = tx
        .query("DELETE FROM channel_members WHERE channel_id = $1 AND participant_id = $2")
        .bind(channel.id)
        .bind(leaver.id)
        .execute()
        .await?;
    if left == 0 {
        return Ok(false);
    }
    tx.query("UPDATE channels SET member_count = member_count - 1 WHERE id = $1").bind(channel.id).execute().await?;
    tx.query("DELETE FROM read_cursors WHERE participant_id = $1 AND conversation_id = $2")
        .bind(leaver.id)
        .bind(channel.conversation)
        .execute()
        .await?;
    announce::left(tx, channel, leaver).await?;
    Ok(true)
}

/// Locks a participant that is not deleted. A concurrent deletion is either noticed here, or it
/// removes this membership with the others.
async fn lock_present(tx: &mut Tx, id: ParticipantId) -> Result<()> {
    let present = tx
        .query("UPDATE participants SET display_name = display_name WHERE id = $1 AND deleted_at IS NULL")
        .bind(id)
        .execute()
        .await?;
    if present == 1 { Ok(()) } else { Err(Error::not_found("participant")) }
}
