//! Filling a new file in one transaction. Nothing is protected against a crash, because a file that is not complete
//! is removed.

use std::path::Path;
use std::sync::Arc;

use rusqlite::{Connection as Raw, OpenFlags};

use super::connection::Session;
use super::failure::{UniqueIndexes, failure};
use super::job::Queued;
use super::maintenance;
use crate::clock::Clock;
use crate::error::{Error, Result};
use crate::store::db::fill::{FillJobs, inconsistent};
use crate::store::db::job::{Job, Output};
use crate::store::db::tx::{Connection, Tx};

/// Makes a file with the tables of a schema version, writes the rows, applies the other migrations, checks all
/// references, and derives the rest. It blocks its thread.
pub(in crate::store::db) fn fill(path: &Path, clock: &Arc<dyn Clock>, schema: i64, jobs: FillJobs) -> Result<Output> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let raw = Raw::open_with_flags(path, flags).map_err(|error| refused(&error))?;
    configure(&raw).map_err(|error| refused(&error))?;
    maintenance::migrate_up_to(&raw, clock.as_ref(), schema)?;
    let triggers = take_triggers(&raw).map_err(|error| refused(&error))?;
    let unique_indexes = Arc::new(UniqueIndexes::read(&raw).map_err(|error| refused(&error))?);
    let session = Session { raw, unique_indexes };
    let mut tx = Tx::new(Connection::Sqlite(session), clock.clone(), Arc::default());
    let output = run(&mut tx, jobs.rows)?;
    let raw = &tx.sqlite().raw;
    for trigger in triggers {
        raw.execute_batch(&trigger).map_err(|error| refused(&error))?;
    }
    raw.pragma_update(None, "foreign_keys", true).map_err(|error| refused(&error))?;
    maintenance::migrate_file(raw, clock.as_ref())?;
    match first_fault(raw).map_err(|error| refused(&error))? {
        Some(fault) => return Err(inconsistent(&fault)),
        None => drop(run(&mut tx, jobs.derived)?),
    }
    tx.sqlite().raw.execute_batch("PRAGMA optimize = 0x10002").map_err(|error| refused(&error))?;
    Ok(output)
}

fn refused(error: &rusqlite::Error) -> Error {
    failure(error).into()
}

fn configure(raw: &Raw) -> rusqlite::Result<()> {
    raw.pragma_update_and_check(None, "journal_mode", "OFF", |_| Ok(()))?;
    raw.pragma_update(None, "synchronous", "OFF")?;
    raw.pragma_update(None, "foreign_keys", false)?;
    raw.pragma_update(None, "trusted_schema", false)?;
    raw.pragma_update(None, "cache_size", -65_536)
}

/// Removes all triggers, whose effects are among the rows, and returns their texts.
fn take_triggers(raw: &Raw) -> rusqlite::Result<Vec<String>> {
    let found: Vec<(String, String)> = raw
        .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")?
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<rusqlite::Result<_>>()?;
    for (name, _) in &found {
        raw.execute_batch(&format!("DROP TRIGGER \"{name}\""))?;
    }
    Ok(found.into_iter().map(|(_, text)| text).collect())
}

fn run(tx: &mut Tx, job: Box<dyn Job>) -> Result<Output> {
    let (mut queued, mut answer) = Queued::new(job);
    tx.sqlite().run("BEGIN")?;
    if queued.attempt(tx) {
        tx.sqlite().run("COMMIT")?;
    }
    queued.answer(Ok(()));
    answer.try_recv().unwrap_or_else(|_| Err(Error::internal("a store was filled without an answer")))
}

/// The first reference to a row that is not there.
fn first_fault(raw: &Raw) -> rusqlite::Result<Option<String>> {
    let mut statement = raw.prepare("SELECT \"table\", parent FROM pragma_foreign_key_check LIMIT 1")?;
    let mut rows = statement.query([])?;
    rows.next()?
        .map(|row| Ok(format!("{} refers to {}", row.get::<_, String>(0)?, row.get::<_, String>(1)?)))
        .transpose()
}
