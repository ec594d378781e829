//! Conversion of database rows to Rust values.
//!
//! A row is read in the order in which the statement lists its columns. Each column is also checked by name,
//! so that a mismatch between a statement and its struct fails on the first row.

use std::error::Error as StdError;

use crate::column::{Column, Value};

/// A Rust type that is read from one row of a result; see [`row!`](crate::row!).
pub trait FromRow: Sized {
    /// Reads the columns in order.
    fn from_row(columns: &mut Columns<'_>) -> Result<Self, RowError>;
}

/// A row that cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum RowError {
    /// A column is missing, or holds another kind of value than the Rust type expects.
    #[error("column {column}: {reason}")]
    Column {
        /// Name of the column.
        column: String,
        /// The difference between what was expected and what was found.
        reason: String,
    },
    /// The store failed while it read the row.
    #[error(transparent)]
    Store(Box<dyn StdError + Send + Sync>),
}

/// A row that a database engine returned.
pub trait StoredRow {
    /// The name and the value of a column; `None` past the last one.
    fn column(&self, index: usize) -> Result<Option<(&str, Value)>, RowError>;
}

/// The columns of one row, read from left to right.
pub struct Columns<'r> {
    row: &'r dyn StoredRow,
    next: usize,
}

impl<'r> Columns<'r> {
    /// The columns of a row, beginning with the first.
    pub fn new(row: &'r dyn StoredRow) -> Self {
        Self { row, next: 0 }
    }

    /// Reads the next column, which must have this name.
    pub fn take<T: Column>(&mut self, name: &'static str) -> Result<T, RowError> {
        self.take_where(name, |found| found == name)
    }

    /// Reads the next column, whatever its name.
    pub fn take_any<T: Column>(&mut self) -> Result<T, RowError> {
        self.take_where("any", |_| true)
    }

    /// Reads the next column as a value of the engine, for code that learns the columns of a table at run time.
    pub fn take_value(&mut self) -> Result<Value, RowError> {
        let index = self.next;
        self.next += 1;
        match self.row.column(index)? {
            Some((_, value)) => Ok(value),
            None => {
                Err(RowError::Column { column: index.to_string(), reason: "the statement has no such column".into() })
            }
        }
    }

    fn take_where<T: Column>(&mut self, name: &str, accept: impl Fn(&str) -> bool) -> Result<T, RowError> {
        let index = self.next;
        self.next += 1;
        match self.row.column(index)? {
            Some((found, value)) if accept(found) => T::from_value(value)
                .map_err(|mismatch| RowError::Column { column: found.to_owned(), reason: mismatch.to_string() }),
            found => Err(RowError::Column {
                column: name.to_owned(),
                reason: format!("column {index} of the statement is {}", found.map_or("missing", |(found, _)| found)),
            }),
        }
    }
}

impl<A: Column> FromRow for (A,) {
    fn from_row(columns: &mut Columns<'_>) -> Result<Self, RowError> {
        Ok((columns.take_any()?,))
    }
}

impl<A: Column, B: Column> FromRow for (A, B) {
    fn from_row(columns: &mut Columns<'_>) -> Result<Self, RowError> {
        Ok((columns.take_any()?, columns.take_any()?))
    }
}

impl<A: Column, B: Column, C: Column> FromRow for (A, B, C) {
    fn from_row(columns: &mut Columns<'_>) -> Result<Self, RowError> {
        Ok((columns.take_any()?, columns.take_any()?, columns.take_any()?))
    }
}

/// Declares a struct that is read from a row whose columns have the names of the fields, in their order.
#[macro_export]
macro_rules! row {
    (
        $(#[$meta:meta])*
        $visibility:vis struct $name:ident {
            $($(#[$field_meta:meta])* $field_visibility:vis $field:ident: $type:ty),+ $(,)?
        }
    ) => {
        $(#[$meta])*
        $visibility struct $name {
            $($(#[$field_meta])* $field_visibility $field: $type),+
        }

        impl $crate::row::FromRow for $name {
            fn from_row(columns: &mut $crate::row::Columns<'_>) -> Result<Self, $crate::row::RowError> {
                Ok(Self { $($field: columns.take(stringify!($field))?),+ })
            }
        }
    };
}
