//! The channels and memberships of a deleted participant.

use svc_model::participants::SYSTEM_HANDLE;

use super::membership::{self, ChannelRef, MemberRef};
use super::{announce, store};
use crate::error::{Error, Result};
use crate::ids::{ChannelId, ConversationId, ParticipantId};
use crate::messaging::messages::store as messages;
use crate::store::db::Tx;

crate::row! {
    struct ChannelRefRow {
        id: ChannelId,
        conversation: ConversationId,
        name: String,
        public: bool,
    }
}

impl From<ChannelRefRow> for ChannelRef {
    fn from(row: ChannelRefRow) -> Self {
        Self { id: row.id, conversation: row.conversation, name: row.name, public: row.public }
    }
}

const OWNED: &str = "
    SELECT c.id, v.id AS conversation, c.name, c.public
      FROM channels c
      JOIN conversations v ON v.channel_id = c.id
     WHERE c.owner_id = $1
     ORDER BY c.id";

const JOINED: &str = "
    SELECT c.id, v.id AS conversation, c.name, c.public
      FROM channel_members cm
      JOIN channels c ON c.id = cm.channel_id
      JOIN conversations v ON v.channel_id = c.id
     WHERE cm.participant_id = $1
     ORDER BY c.id";

/// Transfers the channels of a deleted participant to their heir and ends their memberships. A
/// private channel of a human is not transferred to somebody who could not read it: then the human
/// member with the longest membership becomes the owner, and a channel without one is archived.
pub(crate) async fn release(tx: &mut Tx, leaver: ParticipantId, heir: ParticipantId) -> Result<()> {
    let leaver = MemberRef::from(&messages::party_by_id(tx, leaver).await?);
    let heir = MemberRef::from(&messages::party_by_id(tx, heir).await?);
    let same_human = leaver.human == heir.human;
    for channel in channel_refs(tx, OWNED, leaver.id).await? {
        store::hold(tx, &channel.name).await?;
        let heir = if channel.public || same_human {
            heir.clone()
        } else {
            let Some(member) = next_owner(tx, &channel, leaver.id).await? else {
                store::archive(tx, channel.id).await?;
                announce::archived(tx, &channel, SYSTEM_HANDLE).await?;
                continue;
            };
            MemberRef::from(&messages::party_by_id(tx, member).await?)
        };
        membership::join(tx, &channel, &heir).await?;
        let now = tx.now();
        tx.query("UPDATE channels SET owner_id = $2, updated_at = $3 WHERE id = $1")
            .bind(channel.id)
            .bind(heir.id)
            .bind(now)
            .execute()
            .await?;
        announce::updated(tx, &channel, SYSTEM_HANDLE).await?;
    }
    for channel in channel_refs(tx, JOINED, leaver.id).await? {
        store::hold(tx, &channel.name).await?;
        membership::leave(tx, &channel, &leaver).await?;
    }
    Ok(())
}

/// The human with the longest membership, without the leaver.
async fn next_owner(tx: &mut Tx, channel: &ChannelRef, leaver: ParticipantId) -> Result<Option<ParticipantId>> {
    let found = tx
        .query(
            "SELECT cm.participant_id
               FROM channel_members cm
               JOIN participants p ON p.id = cm.participant_id
              WHERE cm.channel_id = $1 AND cm.participant_id <> $2 AND p.kind = 'human' AND p.deleted_at IS NULL
              ORDER BY cm.joined_at, cm.participant_id
              LIMIT 1",
        )
        .bind(channel.id)
        .bind(leaver)
        .fetch_optional()
        .await?;
    Ok(found.map(|(id,)| id))
}

/// Transfers the channels of a deleted participant to the oldest active admin. See [`release`].
pub(crate) async fn release_to_an_admin(tx: &mut Tx, leaver: ParticipantId) -> Result<()> {
    let admin: Option<(ParticipantId,)> = tx
        .query(
            "SELECT u.id
               FROM users u
               JOIN participants p ON p.id = u.id
              WHERE u.role = 'admin' AND u.disabled_at IS NULL AND p.deleted_at IS NULL AND u.id <> $1
              ORDER BY u.id
              LIMIT 1",
        )
        .bind(leaver)
        .fetch_optional()
        .await?;
    let (admin,) = admin.ok_or_else(|| Error::internal("there is no admin who can log in"))?;
    release(tx, leaver, admin).await
}

async fn channel_refs(tx: &mut Tx, text: &'static str, participant: ParticipantId) -> Result<Vec<ChannelRef>> {
    let rows: Vec<ChannelRefRow> = tx.query(text).bind(participant).fetch_all().await?;
    Ok(rows.into_iter().map(ChannelRef::from).collect())
}
