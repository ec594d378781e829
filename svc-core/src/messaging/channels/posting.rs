//! Posting rights: members may post, and in a public channel everybody, who becomes a member by
//! posting.

use svc_model::participants::ParticipantKind;

use super::membership::{self, ChannelRef, MemberRef};
use super::store::{self, PostingChannel};
use crate::error::{Error, ErrorKind, Result};
use crate::identity::auth::Caller;
use crate::messaging::messages::Party;
use crate::store::db::Tx;

/// The channel to post in, locked for this transaction so that its readers do not change until the
/// message is stored. For a private channel that the sender is no member of, the error is that of a
/// missing channel, so that nobody learns of it.
pub(crate) async fn for_posting(tx: &mut Tx, caller: &Caller, from: &Party, name: &str) -> Result<PostingChannel> {
    caller.require_channel(name)?;
    store::hold(tx, name).await?;
    let channel = open_for(tx, from, name).await?;
    if !channel.is_member && from.kind != ParticipantKind::System {
        let channel_ref = ChannelRef {
            id: channel.id,
            conversation: channel.conversation_id,
            name: channel.name.clone(),
            public: channel.public,
        };
        membership::join(tx, &channel_ref, &MemberRef::from(from)).await?;
    }
    Ok(channel)
}

/// Fails unless the sender could post in the channel now.
pub(crate) async fn require_posting(tx: &mut Tx, caller: &Caller, from: &Party, name: &str) -> Result<()> {
    caller.require_channel(name)?;
    open_for(tx, from, name).await.map(drop)
}

/// The channel of this name, if the sender may post in it.
async fn open_for(tx: &mut Tx, from: &Party, name: &str) -> Result<PostingChannel> {
    let channel = store::posting_channel(tx, name, from.id)
        .await?
        .filter(|channel| channel.public || channel.is_member || from.kind == ParticipantKind::System)
        .ok_or_else(not_a_member)?;
    if channel.archived_at.is_some() {
        return Err(Error::conflict("channel_archived", "This channel is archived: nobody can post in it."));
    }
    Ok(channel)
}

/// The channel of this name, if it is public and open. It is locked for this transaction, so that
/// it stays so.
pub(crate) async fn open_to_all(tx: &mut Tx, from: &Party, name: &str) -> Result<Option<PostingChannel>> {
    store::hold(tx, name).await?;
    let channel = store::posting_channel(tx, name, from.id).await?;
    Ok(channel.filter(|channel| channel.public && channel.archived_at.is_none()))
}

fn not_a_member() -> Error {
    Error::new(
        ErrorKind::Forbidden,
        "not_a_member",
        "No public channel has this name, and no private channel of which you are a member.",
    )
}
