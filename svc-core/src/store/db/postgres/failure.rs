//! Maps PostgreSQL error codes to [`DbError`].

use sqlx::Error;

use crate::store::db::error::DbError;

/// Translates an error of the driver.
pub(super) fn failure(error: &Error) -> DbError {
    let Error::Database(database) = error else {
        return match error {
            Error::Io(_)
            | Error::Tls(_)
            | Error::Protocol(_)
            | Error::PoolTimedOut
            | Error::PoolClosed
            | Error::WorkerCrashed
            | Error::BeginFailed => DbError::Unavailable(error.to_string()),
            Error::RowNotFound => DbError::NoRow,
            _ => DbError::Statement(error.to_string()),
        };
    };
    let message = database.message().to_owned();
    let constraint = database.constraint().map(str::to_owned);
    match database.code().as_deref().unwrap_or_default() {
        "23505" => DbError::Unique { constraint: constraint.unwrap_or_default() },
        "23503" => DbError::ForeignKey { constraint },
        "23514" => DbError::Check { constraint: constraint.unwrap_or_default() },
        "23502" => DbError::NotNull { column: message },
        "40001" | "40P01" | "55P03" => DbError::Serialization(message),
        "53100" => DbError::Full(message),
        "57014" => DbError::TooSlow(message),
        "XX001" | "XX002" => DbError::Corrupt(message),
        // Too many connections, a server that starts or stops, a read-only server, a broken connection.
        code if ["53", "57", "08", "58"].iter().any(|class| code.starts_with(class)) || code == "25006" => {
            DbError::Unavailable(message)
        }
        _ => DbError::Statement(message),
    }
}
