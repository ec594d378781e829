//! Statements on SQLite: prepared once per connection, and bound by the number of the placeholder.

use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{CachedStatement, Connection, Row, ToSql};

use super::connection::Session;
use super::failure::failure;
use crate::column::{Kind, Value};
use crate::store::db::error::DbError;
use crate::store::db::row::{Columns, RowError, RowReader, StoredRow, Wanted};

/// A value as a parameter of a statement.
struct Parameter<'v>(&'v Value);

impl ToSql for Parameter<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self.0 {
            Value::Null(_) => ValueRef::Null,
            Value::Integer(integer) => ValueRef::Integer(*integer),
            Value::Real(real) => ValueRef::Real(*real),
            Value::Text(text) | Value::Json(text) => ValueRef::Text(text.as_bytes()),
            Value::Bytes(bytes) => ValueRef::Blob(bytes),
            Value::Boolean(boolean) => ValueRef::Integer((*boolean).into()),
        }))
    }
}

/// The current row of a statement.
struct SteppedRow<'r>(&'r Row<'r>);

impl StoredRow for SteppedRow<'_> {
    fn column(&self, index: usize) -> Result<Option<(&str, Value)>, RowError> {
        if index >= self.0.as_ref().column_count() {
            return Ok(None);
        }
        let value = match self.0.get_ref(index).map_err(|error| failure(&error))? {
            ValueRef::Null => Value::Null(Kind::Text),
            ValueRef::Integer(integer) => Value::Integer(integer),
            ValueRef::Real(real) => Value::Real(real),
            ValueRef::Text(bytes) => Value::Text(
                String::from_utf8(bytes.to_vec()).map_err(|_| DbError::Corrupt("text that is not UTF-8".into()))?,
            ),
            ValueRef::Blob(bytes) => Value::Bytes(bytes.to_vec()),
        };
        let name = self.0.as_ref().column_name(index).map_err(|error| failure(&error))?;
        Ok(Some((name, value)))
    }
}

pub(in crate::store::db) fn execute(session: &Session, text: &str, values: &[Value]) -> Result<u64, DbError> {
    with_statement(session, text, values, |statement| {
        let changed = statement.raw_execute().map_err(|error| failure(&error))?;
        Ok(changed as u64)
    })
}

pub(in crate::store::db) fn insert(session: &Session, text: &str, values: &[Value]) -> Result<i64, DbError> {
    match execute(session, text, values)? {
        1 => Ok(session.raw.last_insert_rowid()),
        _ => Err(DbError::NoRow),
    }
}

pub(in crate::store::db) fn fetch(
    session: &Session,
    text: &str,
    values: &[Value],
    wanted: Wanted,
    each: RowReader<'_>,
) -> Result<(), DbError> {
    with_statement(session, text, values, |statement| {
        let mut rows = statement.raw_query();
        while let Some(row) = rows.next().map_err(|error| failure(&error))? {
            each(&mut Columns::new(&SteppedRow(row)))?;
            if wanted == Wanted::First {
                break;
            }
        }
        // An `INSERT … RETURNING` is complete only when it was stepped to the end.
        while rows.next().map_err(|error| failure(&error))?.is_some() {}
        Ok(())
    })
}

fn with_statement<T>(
    session: &Session,
    text: &str,
    values: &[Value],
    run: impl FnOnce(&mut CachedStatement<'_>) -> Result<T, DbError>,
) -> Result<T, DbError> {
    prepare(&session.raw, text, values)
        .and_then(|mut statement| run(&mut statement))
        .map_err(|error| session.unique_indexes.named(error))
}

fn prepare<'c>(connection: &'c Connection, text: &str, values: &[Value]) -> Result<CachedStatement<'c>, DbError> {
    let mut statement = connection.prepare_cached(text).map_err(|error| failure(&error))?;
    // SQLite numbers `$2` and `$1` by their first appearance; the name identifies the value.
    for position in 1..=statement.parameter_count() {
        let value = statement
            .parameter_name(position)
            .and_then(|name| name.strip_prefix('$')?.parse::<usize>().ok())
            .and_then(|number| values.get(number.checked_sub(1)?))
            .ok_or_else(|| DbError::Statement(format!("placeholder {position} has no value: {text}")))?;
        statement.raw_bind_parameter(position, Parameter(value)).map_err(|error| failure(&error))?;
    }
    Ok(statement)
}
