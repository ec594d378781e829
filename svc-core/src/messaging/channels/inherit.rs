//! The channels and memberships of a deleted participant.

use svc_model::participants::SYSTEM_HANDLE;

use super::membership::{self, MemberRef};
use super::{announce, store};
use crate::error::{Error, Result};
use crate::ids::ParticipantId;
use crate::messaging::messages::store as messages;
use crate::store::db::Tx;

/// Transfers the channels of a deleted participant to their heir and ends their memberships. A
/// private channel of a human is not transferred to somebody who could not read it: then the human
/// member with the longest membership becomes the owner, and a channel without one is archived.
pub(crate) async fn release(tx: &mut Tx, leaver: ParticipantId, heir: ParticipantId) -> Result<()> {
    let leaver = MemberRef::from(&messages::party_by_id(tx, leaver).await?);
    let heir = MemberRef::from(&messages::party_by_id(tx, heir).await?);
    let same_human = leaver.human == heir.human;
    for channel in store::owned_by(tx, leaver.id).await? {
        store::hold(tx, &channel.name).await?;
        let heir = if channel.public || same_human {
            heir.clone()
        } else {
            let Some(member) = store::members::longest_human(tx, channel.id, leaver.id).await? else {
                store::archive(tx, channel.id).await?;
                announce::archived(tx, &channel, SYSTEM_HANDLE).await?;
                continue;
            };
            MemberRef::from(&messages::party_by_id(tx, member).await?)
        };
        membership::join(tx, &channel, &heir).await?;
        store::set_owner(tx, channel.id, heir.id).await?;
        announce::updated(tx, &channel, SYSTEM_HANDLE).await?;
    }
    for channel in store::joined_by(tx, leaver.id).await? {
        store::hold(tx, &channel.name).await?;
        membership::leave(tx, &channel, &leaver).await?;
    }
    Ok(())
}

/// Transfers the channels of a deleted participant to the oldest active admin. See [`release`].
pub(crate) async fn release_to_an_admin(tx: &mut Tx, leaver: ParticipantId) -> Result<()> {
    let admin = store::oldest_admin(tx, leaver).await?;
    let admin = admin.ok_or_else(|| Error::internal("there is no admin who can log in"))?;
    release(tx, leaver, admin).await
}
