//! Becoming a member of a channel and ceasing to be one, as part of a unit of work.

use super::announce;
use crate::error::{Error, Result};
use crate::ids::{ChannelId, ConversationId, ParticipantId, UserId};
use crate::messaging::messages::{Party, conversations};
use crate::store::db::Tx;

/// A channel as its members' comings and goings need it.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    pub(crate) id: ChannelId,
    pub(crate) conversation: ConversationId,
    pub(crate) name: String,
    pub(crate) public: bool,
}

crate::row! {
    /// Somebody who comes or goes.
    #[derive(Debug, Clone)]
    pub(crate) struct Joiner {
        pub(crate) id: ParticipantId,
        pub(crate) handle: String,
        /// The human it is or belongs to.
        pub(crate) human: Option<UserId>,
    }
}

impl From<&Party> for Joiner {
    fn from(party: &Party) -> Self {
        Self { id: party.id, handle: party.handle.clone(), human: party.owner }
    }
}

/// Makes somebody a member who begins to read at the end; tells whether they were none before.
pub(crate) async fn join(tx: &mut Tx, place: &Place, joiner: &Joiner) -> Result<bool> {
    let is_new = enter(tx, place, joiner).await?;
    if is_new {
        announce::joined(tx, place, joiner).await?;
    }
    Ok(is_new)
}

/// The same for several, by their ids: two who invite the same ones take them in the same order.
pub(super) async fn join_all(tx: &mut Tx, place: &Place, joiners: &[Joiner]) -> Result<()> {
    let mut in_order: Vec<_> = joiners.iter().collect();
    in_order.sort_unstable_by_key(|joiner| joiner.id);
    for joiner in in_order {
        join(tx, place, joiner).await?;
    }
    Ok(())
}

/// The same without an event, for a store that nobody reads yet.
pub(super) async fn enter(tx: &mut Tx, place: &Place, joiner: &Joiner) -> Result<bool> {
    hold_present(tx, joiner.id).await?;
    let now = tx.now();
    let added = tx
        .query(
            "INSERT INTO channel_members (channel_id, participant_id, joined_at)
             VALUES ($1, $2, $3)
             ON CONFLICT DO NOTHING",
        )
        .bind(place.id)
        .bind(joiner.id)
        .bind(now)
        .execute()
        .await?;
    if added == 0 {
        return Ok(false);
    }
    tx.query("UPDATE channels SET member_count = member_count + 1 WHERE id = $1").bind(place.id).execute().await?;
    conversations::start_cursor(tx, joiner.id, place.conversation).await?;
    Ok(true)
}

/// Ends a membership, with how far they had read; tells whether there was one.
pub(super) async fn leave(tx: &mut Tx, place: &Place, leaver: &Joiner) -> Result<bool> {
    let left = tx
        .query("DELETE FROM channel_members WHERE channel_id = $1 AND participant_id = $2")
        .bind(place.id)
        .bind(leaver.id)
        .execute()
        .await?;
    if left == 0 {
        return Ok(false);
    }
    tx.query("UPDATE channels SET member_count = member_count - 1 WHERE id = $1").bind(place.id).execute().await?;
    tx.query("DELETE FROM read_cursors WHERE participant_id = $1 AND conversation_id = $2")
        .bind(leaver.id)
        .bind(place.conversation)
        .execute()
        .await?;
    announce::left(tx, place, leaver).await?;
    Ok(true)
}

/// Whoever is being deleted is either seen here, or loses this membership with the others.
async fn hold_present(tx: &mut Tx, id: ParticipantId) -> Result<()> {
    let present = tx
        .query("UPDATE participants SET display_name = display_name WHERE id = $1 AND deleted_at IS NULL")
        .bind(id)
        .execute()
        .await?;
    if present == 1 { Ok(()) } else { Err(Error::not_found("participant")) }
}
