//! Channels: rooms that participants share. For now the one that every hub begins with.

use crate::db::Tx;
use crate::error::Result;
use crate::ids::{ChannelId, ParticipantId};

/// The channel that every hub begins with.
pub const GENERAL: &str = "general";

/// Whether there is a channel of this name.
pub(crate) async fn exists(tx: &mut Tx, name: &str) -> Result<bool> {
    let found: i64 = tx
        .query("SELECT count(*) FROM channels WHERE name = $1 AND archived_at IS NULL")
        .bind(name)
        .fetch_value()
        .await?;
    Ok(found == 1)
}

/// Makes the channel that everybody can read and join.
pub(crate) async fn create_general(tx: &mut Tx, owner: ParticipantId) -> Result<ChannelId> {
    let now = tx.now();
    tx.query("INSERT INTO channels (name, description, public, owner_id, created_at) VALUES ($1, $2, $3, $4, $5)")
        .bind(GENERAL)
        .bind("For everybody.")
        .bind(true)
        .bind(owner)
        .bind(now)
        .insert("id")
        .await
}
