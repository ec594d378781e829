//! The SQL of participants.

use super::ParticipantKind;
use crate::db::Tx;
use crate::error::Result;
use crate::ids::ParticipantId;

/// A participant that is about to be made.
pub(crate) struct NewParticipant<'a> {
    pub(crate) kind: ParticipantKind,
    pub(crate) handle: &'a str,
    pub(crate) display_name: &'a str,
}

/// `None` when the handle is taken.
pub(crate) async fn insert(tx: &mut Tx, new: NewParticipant<'_>) -> Result<Option<ParticipantId>> {
    let now = tx.now();
    let inserted = tx
        .query(
            "INSERT INTO participants (kind, handle, handle_key, display_name, created_at)
             VALUES ($1, $2, $3, $4, $5)
             ON CONFLICT DO NOTHING
             RETURNING id",
        )
        .bind(new.kind)
        .bind(new.handle)
        .bind(new.handle.to_ascii_lowercase())
        .bind(new.display_name)
        .bind(now)
        .fetch_optional()
        .await?;
    Ok(inserted.map(|(id,)| id))
}

pub(crate) async fn set_display_name(tx: &mut Tx, id: ParticipantId, display_name: &str) -> Result<()> {
    tx.query("UPDATE participants SET display_name = $2 WHERE id = $1").bind(id).bind(display_name).execute().await?;
    Ok(())
}

/// The handle stays taken.
pub(crate) async fn mark_deleted(tx: &mut Tx, id: ParticipantId) -> Result<()> {
    let now = tx.now();
    tx.query("UPDATE participants SET deleted_at = $2 WHERE id = $1 AND deleted_at IS NULL")
        .bind(id)
        .bind(now)
        .execute()
        .await?;
    Ok(())
}
