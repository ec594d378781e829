//! The SQL of saved messages.

use crate::error::Result;
use crate::ids::{MessageId, SavedMessageId, UserId};
use crate::messaging::messages::viewer::{Viewer, visible_message};
use crate::store::db::{Engine, Tx};
use crate::timestamp::Timestamp;

crate::row! {
    /// A saved message without the message itself.
    pub(super) struct SavedRow {
        pub(super) id: SavedMessageId,
        pub(super) message_id: MessageId,
        pub(super) note: Option<String>,
        pub(super) saved_at: Timestamp,
    }
}

const FIND: &str = "
    SELECT id, message_id, note, saved_at
      FROM saved_messages
     WHERE message_id = $1 AND user_id = $2";

const LIST: &str = concat!(
    "SELECT s.id, s.message_id, s.note, s.saved_at
       FROM saved_messages s
       JOIN messages m ON m.id = s.message_id
       LEFT JOIN channels c ON c.id = m.channel_id
      WHERE s.user_id = $5 AND s.id < $6 AND ",
    visible_message!(),
    " ORDER BY s.id DESC
      LIMIT $7"
);

const COUNT: &str = "SELECT count(*) FROM saved_messages WHERE user_id = $1";

/// SQL statements over growing tables, by name, for the query-plan test.
pub(crate) const LISTED: &[(&str, &str)] = &[("saved.find", FIND), ("saved.list", LIST), ("saved.count", COUNT)];

pub(super) async fn find(tx: &mut Tx, user: UserId, message: MessageId) -> Result<Option<SavedRow>> {
    tx.query(FIND).bind(message).bind(user).fetch_optional().await
}

/// Up to `limit` messages that a user has saved and the viewer sees, the newest first.
pub(super) async fn list(
    tx: &mut Tx,
    viewer: &Viewer,
    user: UserId,
    before: SavedMessageId,
    limit: u32,
) -> Result<Vec<SavedRow>> {
    viewer.bind(tx.query(LIST)).bind(user).bind(before).bind(limit).fetch_all().await
}

pub(super) async fn count(tx: &mut Tx, user: UserId) -> Result<i64> {
    tx.query(COUNT).bind(user).fetch_value().await
}

/// Locks a message for this transaction, so that a deletion waits.
pub(super) async fn hold_message(tx: &mut Tx, message: MessageId) -> Result<()> {
    // SQLite has a single writer.
    if tx.engine() == Engine::Sqlite {
        return Ok(());
    }
    tx.query("UPDATE messages SET reaction_count = reaction_count WHERE id = $1").bind(message).execute().await?;
    Ok(())
}

pub(super) async fn insert(tx: &mut Tx, user: UserId, message: MessageId) -> Result<()> {
    let now = tx.now();
    tx.query("INSERT INTO saved_messages (user_id, message_id, saved_at) VALUES ($1, $2, $3)")
        .bind(user)
        .bind(message)
        .bind(now)
        .execute()
        .await?;
    Ok(())
}

pub(super) async fn set_note(tx: &mut Tx, user: UserId, message: MessageId, note: Option<&str>) -> Result<()> {
    tx.query("UPDATE saved_messages SET note = $3 WHERE message_id = $1 AND user_id = $2")
        .bind(message)
        .bind(user)
        .bind(note.map(ToOwned::to_owned))
        .execute()
        .await?;
    Ok(())
}

pub(super) async fn remove(tx: &mut Tx, user: UserId, message: MessageId) -> Result<()> {
    tx.query("DELETE FROM saved_messages WHERE message_id = $1 AND user_id = $2")
        .bind(message)
        .bind(user)
        .execute()
        .await?;
    Ok(())
}

/// Removes everything that a user has saved.
pub(crate) async fn remove_all_of(tx: &mut Tx, user: UserId) -> Result<()> {
    tx.query("DELETE FROM saved_messages WHERE user_id = $1").bind(user).execute().await?;
    Ok(())
}
