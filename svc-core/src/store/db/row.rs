//! Passes the rows of a statement on, one after the other.

use super::error::DbError;

pub(super) use svc_model::row::StoredRow;
pub(super) use svc_model::row::{Columns, RowError};

/// A callback that reads one row after the other, whatever the row type.
pub(crate) type RowReader<'r> = &'r mut (dyn FnMut(&mut Columns<'_>) -> Result<(), DbError> + Send);

/// The number of rows that a statement should return.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    First,
    All,
}

impl From<RowError> for DbError {
    fn from(error: RowError) -> Self {
        match error {
            RowError::Column { column, reason } => Self::Decode { column, reason },
            RowError::Store(error) => match error.downcast::<Self>() {
                Ok(error) => *error,
                Err(other) => Self::Corrupt(other.to_string()),
            },
        }
    }
}

impl From<DbError> for RowError {
    fn from(error: DbError) -> Self {
        match error {
            DbError::Decode { column, reason } => Self::Column { column, reason },
            other => Self::Store(Box::new(other)),
        }
    }
}
