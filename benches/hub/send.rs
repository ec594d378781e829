//! A send as the product does it: who may write, the message with its indexes, the conversation's
//! newest message, an event; and a full-text index that follows the event log.
//!
//! The tables stand in for those of the messages, in the same shape.

use svc_core::db::Tx;
use svc_core::{Hub, NewEvent, Result};

/// The tables, as the bare loop makes them too.
pub(crate) const TABLES: [&str; 6] = [
    "CREATE TABLE bench_conversations (id INTEGER PRIMARY KEY, newest_message_id INTEGER NOT NULL)",
    "CREATE TABLE bench_messages (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        conversation_id INTEGER NOT NULL REFERENCES bench_conversations (id),
        sender_id INTEGER NOT NULL,
        body TEXT NOT NULL,
        status TEXT NOT NULL,
        created_at INTEGER NOT NULL)",
    "CREATE INDEX bench_messages_conversation ON bench_messages (conversation_id, id)",
    "CREATE INDEX bench_messages_sender ON bench_messages (sender_id, status, id)",
    "CREATE VIRTUAL TABLE bench_words USING fts5 (body, content='bench_messages', content_rowid='id')",
    "INSERT INTO bench_conversations (id, newest_message_id)
     WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 63) SELECT i, 0 FROM n",
];
pub(crate) const INSERT_MESSAGE: &str = "
    INSERT INTO bench_messages (conversation_id, sender_id, body, status, created_at)
    VALUES ($1, $2, $3, 'pending', $4)
    RETURNING id";
pub(crate) const MOVE_CONVERSATION: &str = "UPDATE bench_conversations SET newest_message_id = $2 WHERE id = $1";
pub(crate) const INDEX_WORDS: &str = "INSERT INTO bench_words (rowid, body) VALUES ($1, $2)";

/// Events that the indexer takes at once.
const INDEX_BATCH: u32 = 2_000;

/// Sends messages through a hub.
pub(crate) struct Sender {
    hub: Hub,
}

struct Message {
    conversation: i64,
    body: String,
}

impl Sender {
    pub(crate) async fn prepare(hub: &Hub) -> Self {
        for text in TABLES {
            hub.db().write(text, |tx, text| Box::pin(tx.query(*text).execute())).await.expect("the tables are new");
        }
        Self { hub: hub.clone() }
    }

    /// Returns when the message is on the disk.
    pub(crate) async fn send(&self, sender: usize, body: &str) -> i64 {
        let message = Message { conversation: i64::try_from(sender).expect("a small number"), body: body.to_owned() };
        self.hub.db().write(message, |tx, message| Box::pin(send(tx, message))).await.expect("the send succeeds")
    }

    /// Feeds the full-text index until it has reached this many messages.
    pub(crate) async fn index(&self, messages: usize) {
        let mut indexed = 0;
        while indexed < messages {
            let batch = self.hub.events().consume("bench_indexer", INDEX_BATCH, |tx, events| {
                Box::pin(async move {
                    let first = events.first().expect("a batch is never empty");
                    let last = events.last().expect("a batch is never empty");
                    // Here every event is a message, and their numbers run side by side.
                    tx.query(
                        "INSERT INTO bench_words (rowid, body)
                         SELECT id, body FROM bench_messages WHERE id BETWEEN $1 AND $2",
                    )
                    .bind(first.payload.get().parse::<i64>().expect("a number"))
                    .bind(last.payload.get().parse::<i64>().expect("a number"))
                    .execute()
                    .await?;
                    Ok(())
                })
            });
            let count = batch.await.expect("the index takes the words");
            indexed += count;
            if count < INDEX_BATCH as usize {
                // As the supervisor does: wait for more instead of asking again at once.
                tokio::time::sleep(std::time::Duration::from_millis(20)).await;
            }
        }
    }
}

async fn send(tx: &mut Tx, message: &Message) -> Result<i64> {
    let known: Option<(i64,)> = tx
        .query("SELECT newest_message_id FROM bench_conversations WHERE id = $1")
        .bind(message.conversation)
        .fetch_optional()
        .await?;
    known.ok_or_else(|| svc_core::Error::not_found("conversation"))?;
    let now = tx.now();
    let id: i64 = tx
        .query(INSERT_MESSAGE)
        .bind(message.conversation)
        .bind(message.conversation)
        .bind(message.body.as_str())
        .bind(now)
        .fetch_value()
        .await?;
    tx.query(MOVE_CONVERSATION).bind(message.conversation).bind(id).execute().await?;
    tx.emit(&NewEvent::new("new_message", &id)?).await?;
    Ok(id)
}
