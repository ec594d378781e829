//! Errors of the store, the same for both engines.

use std::time::Duration;

use super::constraint;
use crate::error::Error;

/// An error of the store: a violated constraint, or a store that cannot do its work.
#[derive(Debug, Clone, thiserror::Error)]
pub enum DbError {
    /// A unique index was violated; the name is that of the index, on both engines.
    #[error("the unique index {constraint} refused a row")]
    Unique {
        /// Name of the index, `<table>_pkey` for a primary key.
        constraint: String,
    },
    /// A foreign key was violated: a row refers to a missing one, or is still referred to. SQLite does not
    /// say which.
    #[error("a foreign key refused a row ({})", constraint.as_deref().unwrap_or("unnamed"))]
    ForeignKey {
        /// Name of the constraint, where the engine reports it.
        constraint: Option<String>,
    },
    /// A check constraint was violated.
    #[error("the check {constraint} refused a row")]
    Check {
        /// Name of the check.
        constraint: String,
    },
    /// A column must not be null.
    #[error("{column} must not be null")]
    NotNull {
        /// The column.
        column: String,
    },
    /// The disk is full.
    #[error("the store has no room left: {0}")]
    Full(String),
    /// The store cannot be reached or written to.
    #[error("the store is unavailable: {0}")]
    Unavailable(String),
    /// A statement timed out.
    #[error("a statement took too long: {0}")]
    TooSlow(String),
    /// Two transactions conflicted; the same work may be retried.
    #[error("the transaction lost against another one: {0}")]
    Serialization(String),
    /// The file is damaged or is not a database.
    #[error("the store is damaged: {0}")]
    Corrupt(String),
    /// The files of the store are not where they were opened.
    #[error("the files of the store were removed or replaced")]
    Lost,
    /// A newer program has migrated the store to this schema, which this one cannot write.
    #[error("the store is at schema {0}, which needs a newer program")]
    Outgrown(i64),
    /// A statement returned no row where exactly one was expected.
    #[error("the statement answered no row")]
    NoRow,
    /// A column has another type than the Rust type expects.
    #[error("column {column}: {reason}")]
    Decode {
        /// The column.
        column: String,
        /// The unexpected value.
        reason: String,
    },
    /// The engine rejected the statement: a defect of svc.
    #[error("the statement failed: {0}")]
    Statement(String),
}

impl DbError {
    /// Whether the same work may succeed in a new transaction.
    pub fn is_transient(&self) -> bool {
        matches!(self, Self::Serialization(_))
    }

    /// The name of the violated constraint, if there is one.
    pub fn constraint(&self) -> Option<&str> {
        match self {
            Self::Unique { constraint } | Self::Check { constraint } => Some(constraint),
            Self::ForeignKey { constraint } => constraint.as_deref(),
            _ => None,
        }
    }
}

impl From<DbError> for Error {
    fn from(error: DbError) -> Self {
        let public = match &error {
            DbError::Full(_) => Error::unavailable(
                "storage_full",
                "The disk is full, so nothing was saved. Free some space; no restart is needed.",
            )
            .with_retry_after(Duration::from_secs(10)),
            DbError::Unavailable(_) | DbError::Serialization(_) => Error::unavailable(
                "storage_unavailable",
                "The store cannot be reached or written to at the moment. Try again shortly.",
            )
            .with_retry_after(Duration::from_secs(1)),
            DbError::TooSlow(_) => Error::unavailable(
                "timeout",
                "The request timed out: narrow it by channel, by time or with rarer words.",
            ),
            DbError::Corrupt(_) => Error::unavailable(
                "storage_damaged",
                "The store is damaged, so nothing is saved any more. Stop the server and restore the latest backup.",
            ),
            DbError::Lost => Error::unavailable(
                "storage_lost",
                "The store's file was removed or replaced while the server was running, so nothing is saved. Put the \
                 file back, or stop the server, restore the latest backup and start again.",
            ),
            DbError::Outgrown(schema) => Error::unavailable(
                "store_too_new",
                format!(
                    "A newer svc has upgraded the store to schema {schema}, so this server saves nothing any more. \
                     Start the newer version in its place."
                ),
            ),
            other => other
                .constraint()
                .and_then(constraint::refusal)
                .unwrap_or_else(|| Error::internal("the store refused a statement")),
        };
        public.with_source(error)
    }
}

/// Access to the store error behind an [`Error`].
pub trait StoreFailure {
    /// The store error behind this error, if there is one.
    fn db(&self) -> Option<&DbError>;

    /// Whether the store rejected a row because of the constraint with this name.
    fn violates(&self, constraint: &str) -> bool {
        self.db().and_then(DbError::constraint) == Some(constraint)
    }
}

impl StoreFailure for Error {
    fn db(&self) -> Option<&DbError> {
        std::error::Error::source(self).and_then(|source| source.downcast_ref())
    }
}
