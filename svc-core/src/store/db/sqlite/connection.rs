//! Connections to the file. All of them get the same settings.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::failure::{UniqueIndexes, failure};
use crate::store::db::error::DbError;

/// Maximum wait of a statement for a writing process.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// Pages in the write-ahead log from which on the writer copies them into the file after a commit.
pub(super) const LOG_PAGES: u32 = 4_000;

/// A connection, with the index names for its errors.
pub(in crate::store::db) struct Session {
    pub(super) raw: Connection,
    pub(super) unique_indexes: Arc<UniqueIndexes>,
}

impl Session {
    /// Runs a statement without values and rows, such as `BEGIN`.
    pub(super) fn run(&self, text: &str) -> Result<(), DbError> {
        self.raw
            .prepare_cached(text)
            .and_then(|mut statement| statement.raw_execute())
            .map(drop)
            .map_err(|error| failure(&error))
    }
}

/// The role of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// The writing connection.
    Writer,
    /// A read-only connection.
    Reader,
    /// A connection that changes nothing and copies the log into the file.
    Copier,
}

/// Opens the file and applies the settings of the role.
pub(super) fn open(path: &Path, role: Role) -> Result<Connection, DbError> {
    let access = match role {
        Role::Writer => OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE,
        Role::Reader => OpenFlags::SQLITE_OPEN_READ_ONLY,
        Role::Copier => OpenFlags::SQLITE_OPEN_READ_WRITE,
    };
    let connection =
        Connection::open_with_flags(path, access | OpenFlags::SQLITE_OPEN_NO_MUTEX).map_err(|error| failure(&error))?;
    configure(&connection, role).map_err(|error| failure(&error))?;
    Ok(connection)
}

fn configure(connection: &Connection, role: Role) -> rusqlite::Result<()> {
    connection.busy_timeout(BUSY_TIMEOUT)?;
    connection.set_prepared_statement_cache_capacity(256);
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    if role == Role::Writer {
        switch_to_wal(connection)?;
    }
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "trusted_schema", false)?;
    connection.pragma_update(None, "temp_store", "MEMORY")?;
    // Sizes in KiB, negative by SQLite's convention. The writer touches the newest pages only; the readers
    // share the page cache of the operating system.
    connection.pragma_update(None, "cache_size", if role == Role::Writer { -16_384 } else { -4_096 })?;
    if role == Role::Writer {
        copy_log_from(connection, LOG_PAGES)?;
        connection.pragma_update(None, "journal_size_limit", 64 * 1024 * 1024)?;
    } else {
        connection.pragma_update(None, "query_only", true)?;
    }
    Ok(())
}

/// Sets the number of pages in the log from which on they are copied after a commit; 0 for never.
pub(super) fn copy_log_from(connection: &Connection, pages: u32) -> rusqlite::Result<()> {
    connection.pragma_update(None, "wal_autocheckpoint", pages)
}

/// Switches to the write-ahead log. The switch needs exclusive access and does not wait for it by itself, so
/// processes that start together must take turns.
fn switch_to_wal(connection: &Connection) -> rusqlite::Result<()> {
    let started = Instant::now();
    loop {
        let mode = connection.pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get::<_, String>(0));
        match mode {
            Ok(mode) if mode == "wal" => return Ok(()),
            Err(error) if !is_busy(&error) => return Err(error),
            Err(error) if started.elapsed() > BUSY_TIMEOUT => return Err(error),
            Ok(_) if started.elapsed() > BUSY_TIMEOUT => {
                return Err(rusqlite::Error::SqliteFailure(
                    rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_IOERR),
                    Some("the file system does not support the write-ahead log".into()),
                ));
            }
            _ => std::thread::park_timeout(Duration::from_millis(5)),
        }
    }
}

fn is_busy(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked))
}
