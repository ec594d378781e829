//! The reference: the same rows by prepared statements in a bare loop, committed in batches of the
//! same size, with nothing around it.

use std::time::Instant;

use rusqlite::Connection;
use tempfile::TempDir;

use crate::send::{Address, BODY, INDEX_WORDS, INSERT_MESSAGE, TABLES};

/// Messages a second.
pub(crate) fn rate(messages: usize, batch: f64) -> f64 {
    let data = TempDir::new().expect("a temporary directory can be made");
    let mut connection = Connection::open(data.path().join("bare.db")).expect("a new file opens");
    prepare(&connection).expect("the tables are new");
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small positive number")]
    let batch = batch.round().max(1.0) as usize;
    let started = Instant::now();
    let mut written = 0;
    while written < messages {
        let count = batch.min(messages - written);
        commit(&mut connection, written, count).expect("the rows are new");
        written += count;
    }
    crate::rate(messages, started.elapsed())
}

fn prepare(connection: &Connection) -> rusqlite::Result<()> {
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "wal_autocheckpoint", 4_000)?;
    connection.pragma_update(None, "cache_size", -16_384)?;
    connection.execute_batch(
        "CREATE TABLE events (
            seq INTEGER PRIMARY KEY AUTOINCREMENT,
            kind TEXT NOT NULL CHECK (length(kind) BETWEEN 1 AND 64),
            payload TEXT NOT NULL,
            created_at INTEGER NOT NULL)",
    )?;
    TABLES.iter().try_for_each(|text| connection.execute_batch(text))
}

fn commit(connection: &mut Connection, first: usize, count: usize) -> rusqlite::Result<()> {
    let transaction = connection.transaction()?;
    {
        let mut message = transaction.prepare_cached(INSERT_MESSAGE)?;
        let mut words = transaction.prepare_cached(INDEX_WORDS)?;
        let mut event = transaction
            .prepare_cached("INSERT INTO events (kind, payload, created_at) VALUES ('new_message', $1, $2)")?;
        for number in first..first + count {
            let address = Address::of(number);
            let now = 1_700_000_000_000_000_i64 + address.sender;
            message.execute((address.conversation, address.sender, address.recipient, BODY, now))?;
            let id = transaction.last_insert_rowid();
            words.execute((id, BODY))?;
            event.execute((id.to_string(), now))?;
        }
    }
    transaction.commit()
}
