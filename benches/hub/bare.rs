//! The reference: the same rows in the same tables, inserted by prepared statements in a bare loop, committed in
//! batches of the same size.

use std::time::Instant;

use rusqlite::{Connection, params};
use svc_core::{Hub, HubConfig};
use tempfile::TempDir;

use crate::send::{Address, BODY, Talk, channel, sender_of, talker};

const NOW: i64 = 1_700_000_000_000_000;

/// Messages per second.
pub(crate) async fn rate(messages: usize, batch: f64) -> f64 {
    let data = TempDir::new().expect("a temporary directory");
    let hub = Hub::open(HubConfig::at(data.path())).await.expect("a new hub opens");
    Talk::prepare(&hub).await;
    hub.close().await;
    let mut connection = Connection::open(data.path().join("svc.db")).expect("the file opens");
    let rooms = Rooms::read(&connection).expect("the store was filled");
    prepare(&connection).expect("the pragmas are known");
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small positive number")]
    let batch = batch.round().max(1.0) as usize;
    let started = Instant::now();
    let mut written = 0;
    while written < messages {
        let count = batch.min(messages - written);
        commit(&mut connection, &rooms, written, count).expect("the rows are new");
        written += count;
    }
    crate::rate(messages, started.elapsed())
}

/// Sets the pragmas of the hub's writer.
fn prepare(connection: &Connection) -> rusqlite::Result<()> {
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "wal_autocheckpoint", 4_000)?;
    connection.pragma_update(None, "cache_size", -16_384)?;
    connection.set_prepared_statement_cache_capacity(64);
    Ok(())
}

/// Ids of the rows that messages refer to.
struct Rooms {
    owner: i64,
    talkers: Vec<i64>,
    channels: Vec<(i64, i64)>,
}

impl Rooms {
    fn read(connection: &Connection) -> rusqlite::Result<Self> {
        let id = |handle: String| {
            connection.query_row("SELECT id FROM participants WHERE handle = $1", [handle], |row| row.get(0))
        };
        let room = |name: String| {
            let text =
                "SELECT c.id, v.id FROM channels c JOIN conversations v ON v.channel_id = c.id WHERE c.name = $1";
            connection.query_row(text, [name], |row| Ok((row.get(0)?, row.get(1)?)))
        };
        Ok(Self {
            owner: id("admin".into())?,
            talkers: (0..64).map(|number| id(talker(number))).collect::<Result<_, _>>()?,
            channels: (0..8).map(|number| room(channel(number))).collect::<Result<_, _>>()?,
        })
    }

    /// The conversation of a pair, created when it is new, as in the hub.
    fn pair(&self, connection: &Connection, one: usize, other: usize) -> rusqlite::Result<i64> {
        let (one, other) = (self.talkers[one], self.talkers[other]);
        let (low, high) = (one.min(other), one.max(other));
        let mut find = connection.prepare_cached(
            "SELECT id FROM conversations WHERE low_id = $1 AND high_id = $2 AND subject = '' AND low_id IS NOT NULL",
        )?;
        if let Ok(id) = find.query_row([low, high], |row| row.get(0)) {
            return Ok(id);
        }
        let mut make = connection.prepare_cached(
            "INSERT INTO conversations (low_id, high_id, subject, message_count, last_message_at, created_at)
             VALUES ($1, $2, '', 0, $3, $3)",
        )?;
        make.execute([low, high, NOW])?;
        let id = connection.last_insert_rowid();
        let mut cursor = connection.prepare_cached(
            "INSERT INTO read_cursors
                (participant_id, conversation_id, message_id, position, own_after, offered_id, updated_at)
             VALUES ($1, $2, 0, 0, 0, 0, $3)",
        )?;
        cursor.execute([low, id, NOW])?;
        cursor.execute([high, id, NOW])?;
        Ok(id)
    }
}

fn commit(connection: &mut Connection, rooms: &Rooms, first: usize, count: usize) -> rusqlite::Result<()> {
    let transaction = connection.transaction()?;
    for number in first..first + count {
        write(&transaction, rooms, number)?;
    }
    transaction.commit()
}

fn write(connection: &Connection, rooms: &Rooms, number: usize) -> rusqlite::Result<()> {
    let sender = sender_of(number);
    let (conversation, room, to, name) = match Address::of(number) {
        Address::To(to) => (rooms.pair(connection, sender, to)?, None, Some(rooms.talkers[to]), talker(to)),
        Address::Into(into) => (rooms.channels[into].1, Some(rooms.channels[into].0), None, channel(into)),
    };
    let sender_id = rooms.talkers[sender];
    connection
        .prepare_cached(
            "UPDATE conversations SET message_count = message_count + 1, last_message_at = $2 WHERE id = $1",
        )?
        .execute([conversation, NOW])?;
    connection
        .prepare_cached(
            "INSERT INTO messages
                (conversation_id, position, channel_id, sender_id, recipient_id, sender_owner_id, recipient_owner_id,
                 subject, body, priority, status, metadata, reply_count, depth, attachment_count, reaction_count,
                 attempts, created_at, updated_at)
             VALUES ($1, (SELECT message_count FROM conversations WHERE id = $1), $2, $3, $4, $5, $6, '', $7, 5,
                     'pending', '{}', 0, 0, 0, 0, 0, $8, $8)",
        )?
        .execute(params![conversation, room, sender_id, to, rooms.owner, to.map(|_| rooms.owner), BODY, NOW])?;
    let id = connection.last_insert_rowid();
    connection
        .prepare_cached(
            "UPDATE read_cursors SET own_after = own_after + 1 WHERE participant_id = $1 AND conversation_id = $2",
        )?
        .execute([sender_id, conversation])?;
    let payload = format!(
        "{{\"message_id\":{id},\"conversation_id\":{conversation},\"channel_id\":{room:?},\"channel\":\"{name}\",\
         \"public\":true,\"sender_id\":{sender_id},\"sender_owner_id\":2,\"from\":\"{name}\",\"from_kind\":\"agent\",\
         \"recipient_id\":null,\"recipient_owner_id\":null,\"to\":null,\"subject\":\"\",\"preview\":\"{BODY}\",\
         \"priority\":5,\"depth\":0,\"mentioned\":[],\"mention_of\":null,\
         \"created_at\":\"2026-01-01T00:00:00.000Z\"}}"
    );
    connection
        .prepare_cached("INSERT INTO events (kind, payload, created_at) VALUES ('message.created', $1, $2)")?
        .execute(params![payload, NOW])?;
    connection
        .prepare_cached("INSERT INTO message_words (rowid, subject, body) VALUES ($1, '', $2)")?
        .execute(params![id, BODY])?;
    Ok(())
}
