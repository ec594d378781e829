//! What becomes of somebody's channels when they are deleted.

use svc_model::participants::SYSTEM_HANDLE;

use super::membership::{self, Joiner, Place};
use super::{announce, store};
use crate::error::{Error, Result};
use crate::ids::{ChannelId, ConversationId, ParticipantId};
use crate::messaging::messages::store as messages;
use crate::store::db::Tx;

crate::row! {
    struct PlaceRow {
        id: ChannelId,
        conversation: ConversationId,
        name: String,
        public: bool,
    }
}

impl From<PlaceRow> for Place {
    fn from(row: PlaceRow) -> Self {
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

/// Hands the channels of somebody who has been marked as deleted to their heir, and ends their
/// memberships. Who inherits from a human a private channel that they are no member of would see what was
/// never theirs: then a human who is a member inherits, and a channel without any is archived.
pub(crate) async fn release(tx: &mut Tx, leaver: ParticipantId, heir: ParticipantId) -> Result<()> {
    let leaver = Joiner::from(&messages::party_by_id(tx, leaver).await?);
    let heir = Joiner::from(&messages::party_by_id(tx, heir).await?);
    let within_the_family = leaver.human == heir.human;
    for place in places(tx, OWNED, leaver.id).await? {
        store::hold(tx, &place.name).await?;
        let heir = if place.public || within_the_family {
            heir.clone()
        } else {
            let Some(member) = member_left(tx, &place, leaver.id).await? else {
                store::archive(tx, place.id).await?;
                announce::archived(tx, &place, SYSTEM_HANDLE).await?;
                continue;
            };
            Joiner::from(&messages::party_by_id(tx, member).await?)
        };
        membership::join(tx, &place, &heir).await?;
        let now = tx.now();
        tx.query("UPDATE channels SET owner_id = $2, updated_at = $3 WHERE id = $1")
            .bind(place.id)
            .bind(heir.id)
            .bind(now)
            .execute()
            .await?;
        announce::updated(tx, &place, SYSTEM_HANDLE).await?;
    }
    for place in places(tx, JOINED, leaver.id).await? {
        store::hold(tx, &place.name).await?;
        membership::leave(tx, &place, &leaver).await?;
    }
    Ok(())
}

/// The human who has been a member for longest, without whoever leaves.
async fn member_left(tx: &mut Tx, place: &Place, leaver: ParticipantId) -> Result<Option<ParticipantId>> {
    let found = tx
        .query(
            "SELECT cm.participant_id
               FROM channel_members cm
               JOIN participants p ON p.id = cm.participant_id
              WHERE cm.channel_id = $1 AND cm.participant_id <> $2 AND p.kind = 'human' AND p.deleted_at IS NULL
              ORDER BY cm.joined_at, cm.participant_id
              LIMIT 1",
        )
        .bind(place.id)
        .bind(leaver)
        .fetch_optional()
        .await?;
    Ok(found.map(|(id,)| id))
}

/// The same; the heir is the admin who has been here longest.
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

async fn places(tx: &mut Tx, text: &'static str, participant: ParticipantId) -> Result<Vec<Place>> {
    let rows: Vec<PlaceRow> = tx.query(text).bind(participant).fetch_all().await?;
    Ok(rows.into_iter().map(Place::from).collect())
}
