//! A send as the product does it: the message with its indexes and an event, and a full-text index
//! that follows the event log.
//!
//! The tables stand in for those of the messages, in the same shape. 64 agents talk: three of four
//! messages go to one of 8 channels, the fourth to another agent's inbox.

use svc_core::db::Tx;
use svc_core::{Hub, NewEvent, Result};

/// The tables, as the bare loop makes them too.
pub(crate) const TABLES: [&str; 4] = [
    "CREATE TABLE bench_messages (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        conversation_id INTEGER NOT NULL,
        sender_id INTEGER NOT NULL,
        recipient_id INTEGER,
        body TEXT NOT NULL,
        status TEXT NOT NULL,
        created_at INTEGER NOT NULL)",
    "CREATE INDEX bench_messages_conversation ON bench_messages (conversation_id, id)",
    "CREATE INDEX bench_messages_inbox ON bench_messages (recipient_id, status, id) WHERE recipient_id IS NOT NULL",
    "CREATE VIRTUAL TABLE bench_words USING fts5 (body, content='bench_messages', content_rowid='id')",
];
pub(crate) const INSERT_MESSAGE: &str = "
    INSERT INTO bench_messages (conversation_id, sender_id, recipient_id, body, status, created_at)
    VALUES ($1, $2, $3, $4, 'pending', $5)";
pub(crate) const INDEX_WORDS: &str = "INSERT INTO bench_words (rowid, body) VALUES ($1, $2)";

/// What everybody says.
pub(crate) const BODY: &str = "the quick brown fox jumps over the lazy dog near the river bank";

/// Where a message goes.
pub(crate) struct Address {
    pub(crate) sender: i64,
    pub(crate) conversation: i64,
    pub(crate) recipient: Option<i64>,
}

impl Address {
    /// Of the message with this number.
    pub(crate) fn of(number: usize) -> Self {
        let number = i64::try_from(number).expect("a small number");
        let sender = number % 64;
        if number % 4 == 0 {
            let recipient = (number / 4 + 7) % 64;
            Self { sender, conversation: 100 + recipient, recipient: Some(recipient) }
        } else {
            Self { sender, conversation: number % 8, recipient: None }
        }
    }
}

/// Events that the indexer takes at once.
const INDEX_BATCH: u32 = 2_000;

/// Sends messages through a hub.
pub(crate) struct Sender {
    hub: Hub,
}

impl Sender {
    pub(crate) async fn prepare(hub: &Hub) -> Self {
        for text in TABLES {
            hub.db().write(text, |tx, text| Box::pin(tx.query(*text).execute())).await.expect("the tables are new");
        }
        Self::on(hub)
    }

    /// On a hub that has the tables already.
    pub(crate) fn on(hub: &Hub) -> Self {
        Self { hub: hub.clone() }
    }

    /// Returns when the message with this number is on the disk.
    pub(crate) async fn send(&self, number: usize, body: String) -> i64 {
        let message = (Address::of(number), body);
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

async fn send(tx: &mut Tx, (address, body): &(Address, String)) -> Result<i64> {
    let now = tx.now();
    let id: i64 = tx
        .query(INSERT_MESSAGE)
        .bind(address.conversation)
        .bind(address.sender)
        .bind(address.recipient)
        .bind(body.as_str())
        .bind(now)
        .insert("id")
        .await?;
    tx.emit(&NewEvent::new("new_message", &id)?).await?;
    Ok(id)
}
