//! Who may post where: members, and in a public channel everybody, who becomes a member by it.

use svc_model::participants::ParticipantKind;

use super::membership::{self, Joiner, Place};
use super::store::{self, Room};
use crate::error::{Error, ErrorKind, Result};
use crate::identity::auth::Caller;
use crate::messaging::messages::Party;
use crate::store::db::Tx;

/// The channel to post in, taken for this transaction, so that who may read it stays as it is until the
/// message is there. A private one that the sender does not belong to is refused in the same words as
/// one that does not exist, so that nobody learns of it.
pub(crate) async fn for_posting(tx: &mut Tx, caller: &Caller, from: &Party, name: &str) -> Result<Room> {
    caller.require_channel(name)?;
    let speaks_anywhere = from.kind == ParticipantKind::System;
    store::hold(tx, name).await?;
    let room = store::room(tx, name, from.id)
        .await?
        .filter(|room| room.public || room.is_member || speaks_anywhere)
        .ok_or_else(not_a_member)?;
    if room.archived_at.is_some() {
        return Err(Error::conflict("channel_archived", "This channel is archived: it can be read, not written to."));
    }
    if !room.is_member && !speaks_anywhere {
        let place =
            Place { id: room.id, conversation: room.conversation_id, name: room.name.clone(), public: room.public };
        membership::join(tx, &place, &Joiner::from(from)).await?;
    }
    Ok(room)
}

/// The channel of this name, if everybody can read it and it can be written to. It is taken for this
/// transaction, so that it stays so.
pub(crate) async fn open_to_all(tx: &mut Tx, from: &Party, name: &str) -> Result<Option<Room>> {
    store::hold(tx, name).await?;
    let room = store::room(tx, name, from.id).await?;
    Ok(room.filter(|room| room.public && room.archived_at.is_none()))
}

fn not_a_member() -> Error {
    Error::new(
        ErrorKind::Forbidden,
        "not_a_member",
        "There is no public channel of this name, and no private one that you are a member of.",
    )
}
