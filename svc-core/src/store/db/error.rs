//! What a store can answer instead of a result, the same for both engines.

use std::time::Duration;

use super::constraint;
use crate::error::Error;

/// A failure below the domain: a broken constraint, or a store that cannot do its work.
#[derive(Debug, Clone, thiserror::Error)]
pub enum DbError {
    /// A uniqueness rule; the name is that of the index, on both engines.
    #[error("the unique index {constraint} refused a row")]
    Unique {
        /// Name of the index, `<table>_pkey` for a primary key.
        constraint: String,
    },
    /// A row refers to one that is not there, or is still referred to. SQLite does not say by which rule.
    #[error("a foreign key refused a row ({})", constraint.as_deref().unwrap_or("unnamed"))]
    ForeignKey {
        /// Name of the rule, where the engine tells.
        constraint: Option<String>,
    },
    /// A check on the values of one row.
    #[error("the check {constraint} refused a row")]
    Check {
        /// Name of the check.
        constraint: String,
    },
    /// A column that must not be null.
    #[error("{column} must not be null")]
    NotNull {
        /// The column.
        column: String,
    },
    /// No room is left on the device.
    #[error("the store has no room left: {0}")]
    Full(String),
    /// The store cannot be reached or written to at present.
    #[error("the store is unavailable: {0}")]
    Unavailable(String),
    /// A statement took longer than it may.
    #[error("a statement took too long: {0}")]
    TooSlow(String),
    /// Two transactions got in each other's way; the same work may be tried again.
    #[error("the transaction lost against another one: {0}")]
    Serialization(String),
    /// The file is damaged or is not a database.
    #[error("the store is damaged: {0}")]
    Corrupt(String),
    /// The files of the store are not where they were opened.
    #[error("the files of the store were removed or replaced")]
    Lost,
    /// A statement answered no row where exactly one was expected.
    #[error("the statement answered no row")]
    NoRow,
    /// A column holds something else than the Rust type expects.
    #[error("column {column}: {reason}")]
    Decode {
        /// The column.
        column: String,
        /// What was found.
        reason: String,
    },
    /// The engine refused the statement itself: a fault of ours.
    #[error("the statement failed: {0}")]
    Statement(String),
}

impl DbError {
    /// Whether running the same work again, in a new transaction, may succeed.
    pub fn is_transient(&self) -> bool {
        matches!(self, Self::Serialization(_))
    }

    /// The name of the constraint that refused, where there is one.
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
                "The store has no room left, so nothing was saved. Free some space; no restart is needed.",
            )
            .with_retry_after(Duration::from_secs(10)),
            DbError::Unavailable(_) | DbError::Serialization(_) => Error::unavailable(
                "storage_unavailable",
                "The store cannot be reached or written to at present. Try again shortly.",
            )
            .with_retry_after(Duration::from_secs(1)),
            DbError::TooSlow(_) => Error::unavailable(
                "timeout",
                "This took too long and was ended: ask for less, by a channel, by days or by rarer words.",
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
            other => other
                .constraint()
                .and_then(constraint::refusal)
                .unwrap_or_else(|| Error::internal("the store refused a statement")),
        };
        public.with_source(error)
    }
}

/// What an error says about the store.
pub trait StoreFailure {
    /// The failure of the store behind this error, where there is one.
    fn db(&self) -> Option<&DbError>;

    /// Whether the store refused because of the constraint of this name.
    fn violates(&self, constraint: &str) -> bool {
        self.db().and_then(DbError::constraint) == Some(constraint)
    }
}

impl StoreFailure for Error {
    fn db(&self) -> Option<&DbError> {
        std::error::Error::source(self).and_then(|source| source.downcast_ref())
    }
}
