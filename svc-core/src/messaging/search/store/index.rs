//! The SQL of the word index on SQLite, and of its position.

use crate::error::Result;
use crate::ids::MessageId;
use crate::store::db::{Engine, Tx, placeholders};
use crate::timestamp::Timestamp;

crate::row! {
    pub(in crate::messaging::search) struct UnindexedMessage {
        pub(in crate::messaging::search) id: MessageId,
        pub(in crate::messaging::search) subject: String,
        pub(in crate::messaging::search) body: String,
        pub(in crate::messaging::search) mention_of: Option<MessageId>,
        pub(in crate::messaging::search) deleted_at: Option<Timestamp>,
    }
}

const AFTER: &str = "SELECT id, subject, body, mention_of, deleted_at FROM messages WHERE id > $1 ORDER BY id LIMIT $2";

/// The first messages after an id.
pub(in crate::messaging::search) async fn after(tx: &mut Tx, id: i64, limit: u32) -> Result<Vec<UnindexedMessage>> {
    tx.query(AFTER).bind(id).bind(limit).fetch_all().await
}

/// The newest message id; `None` without messages.
pub(in crate::messaging::search) async fn newest(tx: &mut Tx) -> Result<Option<i64>> {
    tx.query("SELECT max(id) FROM messages").fetch_value().await
}

/// Indexes a message by the words of its texts.
pub(in crate::messaging::search) async fn insert(tx: &mut Tx, id: MessageId, subject: &str, body: &str) -> Result<()> {
    tx.query("INSERT INTO message_words (rowid, subject, body) VALUES ($1, $2, $3)")
        .bind(id)
        .bind(subject)
        .bind(body)
        .execute()
        .await?;
    Ok(())
}

/// Removes messages from the index, in the transaction that removes their rows.
pub(crate) async fn forget(tx: &mut Tx, ids: &[MessageId]) -> Result<()> {
    if tx.engine() != Engine::Sqlite || ids.is_empty() {
        return Ok(());
    }
    let text = format!("DELETE FROM message_words WHERE rowid IN ({})", placeholders(1, ids.len()));
    ids.iter().fold(tx.query(text), |query, id| query.bind(*id)).execute().await?;
    Ok(())
}

/// The id of the last indexed message.
pub(in crate::messaging::search) async fn position(tx: &mut Tx, name: &str) -> Result<i64> {
    let found = tx.query("SELECT position FROM worker_positions WHERE name = $1").bind(name);
    Ok(found.fetch_optional::<(i64,)>().await?.map_or(0, |(position,)| position))
}

pub(in crate::messaging::search) async fn set_position(tx: &mut Tx, name: &str, position: MessageId) -> Result<()> {
    tx.query(
        "INSERT INTO worker_positions (name, position) VALUES ($1, $2)
         ON CONFLICT (name) DO UPDATE SET position = excluded.position",
    )
    .bind(name)
    .bind(position)
    .execute()
    .await?;
    Ok(())
}
