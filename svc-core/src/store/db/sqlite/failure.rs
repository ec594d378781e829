//! Maps SQLite error codes to [`DbError`].
//!
//! SQLite reports the columns of a violated unique index, not its name. The names are looked up in a table
//! that is read from the schema once, so that both engines report the same name.

use std::collections::HashMap;

use rusqlite::{Connection, ErrorCode, ffi};

use crate::store::db::error::DbError;

/// Translates an error of the driver.
pub(super) fn failure(error: &rusqlite::Error) -> DbError {
    let rusqlite::Error::SqliteFailure(code, message) = error else {
        return DbError::Statement(error.to_string());
    };
    let message = message.clone().unwrap_or_else(|| code.to_string());
    match code.code {
        ErrorCode::ConstraintViolation => constraint(code.extended_code, &message),
        ErrorCode::DiskFull => DbError::Full(message),
        ErrorCode::DatabaseBusy
        | ErrorCode::DatabaseLocked
        | ErrorCode::ReadOnly
        | ErrorCode::CannotOpen
        | ErrorCode::PermissionDenied
        | ErrorCode::FileLockingProtocolFailed
        | ErrorCode::SystemIoFailure
        | ErrorCode::OutOfMemory => DbError::Unavailable(message),
        ErrorCode::OperationInterrupted => DbError::TooSlow(message),
        ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase => DbError::Corrupt(message),
        _ => DbError::Statement(message),
    }
}

fn constraint(extended: i32, message: &str) -> DbError {
    let subject = message.split_once(": ").map_or("", |(_, subject)| subject);
    match extended {
        ffi::SQLITE_CONSTRAINT_UNIQUE | ffi::SQLITE_CONSTRAINT_PRIMARYKEY | ffi::SQLITE_CONSTRAINT_ROWID => {
            DbError::Unique { constraint: subject.to_owned() }
        }
        ffi::SQLITE_CONSTRAINT_CHECK => DbError::Check { constraint: subject.to_owned() },
        ffi::SQLITE_CONSTRAINT_FOREIGNKEY => DbError::ForeignKey { constraint: None },
        ffi::SQLITE_CONSTRAINT_NOTNULL => DbError::NotNull { column: subject.to_owned() },
        _ => DbError::Statement(message.to_owned()),
    }
}

/// `"reactions.message_id, reactions.kind"` → the name of the unique index over these columns.
#[derive(Debug, Default)]
pub(in crate::store::db) struct UniqueIndexes(HashMap<String, String>);

impl UniqueIndexes {
    /// Replaces the columns with the name of the index.
    pub(super) fn named(&self, error: DbError) -> DbError {
        let DbError::Unique { constraint: columns } = error else {
            return error;
        };
        // An index over expressions is reported by its name: `index 'users_handle_key'`.
        let expression = columns.strip_prefix("index '").and_then(|name| name.strip_suffix('\''));
        let name = expression.or_else(|| self.0.get(&columns).map(String::as_str)).unwrap_or(&columns);
        DbError::Unique { constraint: name.to_owned() }
    }

    /// Reads the names of all unique indexes and primary keys, once after the migrations.
    pub(super) fn read(connection: &Connection) -> rusqlite::Result<Self> {
        let mut statement = connection.prepare(
            "SELECT t.name,
                    CASE i.origin WHEN 'pk' THEN t.name || '_pkey' ELSE i.name END,
                    (SELECT group_concat(t.name || '.' || c.name, ', ' ORDER BY c.seqno)
                       FROM pragma_index_info(i.name) c)
               FROM sqlite_schema t
               JOIN pragma_index_list(t.name) i ON i.\"unique\" = 1
              WHERE t.type = 'table'
              UNION ALL
             SELECT t.name, t.name || '_pkey', t.name || '.' || c.name
               FROM sqlite_schema t
               JOIN pragma_table_info(t.name) c ON c.pk = 1
              WHERE t.type = 'table'
                AND NOT EXISTS (SELECT 1 FROM pragma_table_info(t.name) o WHERE o.pk = 2)",
        )?;
        let mut found = HashMap::new();
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            if let (Some(columns), name) = (row.get::<_, Option<String>>(2)?, row.get::<_, String>(1)?) {
                found.insert(columns, name);
            }
        }
        Ok(Self(found))
    }
}
