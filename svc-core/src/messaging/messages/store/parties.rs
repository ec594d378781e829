//! The SQL of participants as senders and recipients.

use svc_model::participants::ParticipantKind;

use crate::error::Result;
use crate::ids::{ChannelId, ParticipantId, UserId};
use crate::messaging::messages::post::Party;
use crate::store::db::{Tx, placeholders};

crate::row! {
    struct PartyRow {
        id: ParticipantId,
        kind: ParticipantKind,
        handle: String,
        owner_id: Option<UserId>,
    }
}

impl From<PartyRow> for Party {
    fn from(row: PartyRow) -> Self {
        let PartyRow { id, kind, handle, owner_id } = row;
        let owner = match kind {
            ParticipantKind::Human => Some(UserId(id.0)),
            ParticipantKind::Agent => owner_id,
            ParticipantKind::System => None,
        };
        Self { id, kind, handle, owner }
    }
}

/// An existing participant by its lowercase handle.
pub(crate) async fn party(tx: &mut Tx, handle_key: &str) -> Result<Option<Party>> {
    let row: Option<PartyRow> = tx
        .query(
            "SELECT p.id, p.kind, p.handle, a.owner_id
               FROM participants p
               LEFT JOIN agents a ON a.id = p.id
              WHERE p.handle_key = $1 AND p.deleted_at IS NULL",
        )
        .bind(handle_key)
        .fetch_optional()
        .await?;
    Ok(row.map(Party::from))
}

/// The id of the participant with this handle, deleted ones included.
pub(crate) async fn known(tx: &mut Tx, handle: &str) -> Result<Option<ParticipantId>> {
    let key = handle.strip_prefix('@').unwrap_or(handle).to_ascii_lowercase();
    let found = tx.query("SELECT id FROM participants WHERE handle_key = $1").bind(key).fetch_optional();
    Ok(found.await?.map(|(id,)| id))
}

/// A participant by its id, deleted ones included.
pub(crate) async fn party_by_id(tx: &mut Tx, id: ParticipantId) -> Result<Party> {
    let row: PartyRow = tx
        .query(
            "SELECT p.id, p.kind, p.handle, a.owner_id
               FROM participants p
               LEFT JOIN agents a ON a.id = p.id
              WHERE p.id = $1",
        )
        .bind(id)
        .fetch_one()
        .await?;
    Ok(row.into())
}

/// The existing participants among these handles who may read a channel, ordered by id: in a public
/// channel everybody, in a private one its members.
pub(in crate::messaging::messages) async fn readers_among(
    tx: &mut Tx,
    channel: ChannelId,
    handles: &[String],
) -> Result<Vec<Party>> {
    let text = format!(
        "SELECT p.id, p.kind, p.handle, a.owner_id
           FROM participants p
           LEFT JOIN agents a ON a.id = p.id
           JOIN channels c ON c.id = $1
          WHERE p.handle_key IN ({}) AND p.deleted_at IS NULL AND p.kind <> 'system'
            AND (c.public OR EXISTS (SELECT 1 FROM channel_members cm
                                      WHERE cm.channel_id = c.id AND cm.participant_id = p.id))
          ORDER BY p.id",
        placeholders(2, handles.len())
    );
    let query = handles.iter().fold(tx.query(text).bind(channel), |query, handle| query.bind(handle.as_str()));
    let rows: Vec<PartyRow> = query.fetch_all().await?;
    Ok(rows.into_iter().map(Party::from).collect())
}
