//! Maintenance of the file as a whole, by the writer thread and outside of transactions.

use rusqlite::Connection;
use tokio::sync::oneshot;

use super::connection::Session;
use super::failure::failure;
use super::writer::Message;
use super::{Sqlite, closed};
use crate::clock::Clock;
use crate::error::{Error, Result};
use crate::store::db::Engine;
use crate::store::db::migrate::{self, Migration};

impl Sqlite {
    /// Rewrites the file without gaps. Writers wait, and readers see the old pages until it is done.
    pub(in crate::store::db) async fn vacuum(&self) -> Result<()> {
        self.alone(|session| rewrite(&session.raw).map_err(|error| failure(&error).into())).await
    }

    /// Applies missing migrations and returns their number.
    pub(in crate::store::db) async fn migrate(&self) -> Result<usize> {
        let clock = self.clock.clone();
        self.alone(move |session| migrate_file(&session.raw, clock.as_ref())).await
    }

    /// Runs a function on the writer thread between two batches.
    async fn alone<T, W>(&self, work: W) -> Result<T>
    where
        T: Send + 'static,
        W: FnOnce(&Session) -> Result<T> + Send + 'static,
    {
        let (reply, answer) = oneshot::channel();
        let work = move |session: &Session| {
            // The caller may have stopped waiting.
            reply.send(work(session)).ok();
        };
        self.writer.send(Message::Alone(Box::new(work))).await.map_err(|_| closed())?;
        answer.await.unwrap_or_else(|_| Err(closed()))
    }
}

fn rewrite(connection: &Connection) -> rusqlite::Result<()> {
    // The copy is as large as the store, so it goes to a file and not to memory.
    connection.pragma_update(None, "temp_store", "FILE")?;
    let rewritten = connection.execute_batch("VACUUM; PRAGMA optimize = 0x10002");
    connection.pragma_update(None, "temp_store", "MEMORY")?;
    rewritten?;
    // The new pages are in the write-ahead log; only this makes the file itself smaller.
    connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
}

/// Applies missing migrations in one transaction; `BEGIN IMMEDIATE` admits one process at a time.
pub(super) fn migrate_file(connection: &Connection, clock: &dyn Clock) -> Result<usize> {
    migrate_up_to(connection, clock, i64::MAX)
}

/// Applies missing migrations up to a version.
pub(super) fn migrate_up_to(connection: &Connection, clock: &dyn Clock, version: i64) -> Result<usize> {
    let run = |text: &str| connection.execute_batch(text).map_err(|error| Error::from(failure(&error)));
    run("BEGIN IMMEDIATE")?;
    let applied = run(migrate::HISTORY_TABLE)
        .and_then(|()| run(migrate::NEEDS_TABLE))
        .and_then(|()| history(connection).map_err(|error| failure(&error).into()))
        .and_then(|history| migrate::pending(Engine::Sqlite, &history))
        .and_then(|pending| {
            for migration in pending.iter().filter(|migration| migration.version <= version) {
                run(migration.text)?;
                record(connection, migration, clock).map_err(|error| failure(&error))?;
            }
            Ok(pending.len())
        })
        .and_then(|count| run("COMMIT").map(|()| count));
    if applied.is_err() && !connection.is_autocommit() {
        run("ROLLBACK")?;
    }
    applied
}

fn history(connection: &Connection) -> rusqlite::Result<Vec<migrate::Applied>> {
    connection
        .prepare(migrate::READ_HISTORY_AND_NEEDS)?
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?).into()))?
        .collect()
}

fn record(connection: &Connection, migration: &Migration, clock: &dyn Clock) -> rusqlite::Result<()> {
    connection.prepare(migrate::RECORD)?.execute((
        migration.version,
        migration.name,
        migration.checksum(),
        clock.now().as_micros(),
    ))?;
    if migration.needs < migration.version {
        connection.prepare(migrate::RECORD_NEED)?.execute((migration.version, migration.needs))?;
    }
    Ok(())
}
