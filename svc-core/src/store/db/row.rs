//! Rows as Rust values.
//!
//! A row is read in the order in which the statement lists its columns. Each column is asked for
//! by name as well, so that a statement and its struct that drift apart fail on the first row.

use super::error::DbError;
use crate::column::{Column, Value};

/// A Rust type that one row of a result is read into; see [`row!`](crate::row!).
pub trait FromRow: Sized {
    /// Takes the columns in order.
    fn from_row(columns: &mut Columns<'_>) -> Result<Self, DbError>;
}

/// Reads one row after the other out of a statement, whatever they are read into.
pub(super) type RowReader<'r> = &'r mut (dyn FnMut(&mut Columns<'_>) -> Result<(), DbError> + Send);

/// How many rows a statement is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    First,
    All,
}

/// The row of one engine.
pub(super) trait EngineRow {
    /// The name and the value of a column; `None` past the last one.
    fn column(&self, index: usize) -> Result<Option<(&str, Value)>, DbError>;
}

/// The columns of one row, taken from left to right.
pub struct Columns<'r> {
    row: &'r dyn EngineRow,
    next: usize,
}

impl<'r> Columns<'r> {
    pub(super) fn new(row: &'r dyn EngineRow) -> Self {
        Self { row, next: 0 }
    }

    /// The next column, which must have this name.
    pub fn take<T: Column>(&mut self, name: &'static str) -> Result<T, DbError> {
        self.take_where(name, |found| found == name)
    }

    /// The next column, whatever its name.
    pub fn take_any<T: Column>(&mut self) -> Result<T, DbError> {
        self.take_where("any", |_| true)
    }

    fn take_where<T: Column>(&mut self, name: &str, accept: impl Fn(&str) -> bool) -> Result<T, DbError> {
        let index = self.next;
        self.next += 1;
        match self.row.column(index)? {
            Some((found, value)) if accept(found) => T::from_value(value)
                .map_err(|mismatch| DbError::Decode { column: found.to_owned(), reason: mismatch.to_string() }),
            found => Err(DbError::Decode {
                column: name.to_owned(),
                reason: format!("column {index} of the statement is {}", found.map_or("missing", |(found, _)| found)),
            }),
        }
    }
}

impl<A: Column> FromRow for (A,) {
    fn from_row(columns: &mut Columns<'_>) -> Result<Self, DbError> {
        Ok((columns.take_any()?,))
    }
}

impl<A: Column, B: Column> FromRow for (A, B) {
    fn from_row(columns: &mut Columns<'_>) -> Result<Self, DbError> {
        Ok((columns.take_any()?, columns.take_any()?))
    }
}

impl<A: Column, B: Column, C: Column> FromRow for (A, B, C) {
    fn from_row(columns: &mut Columns<'_>) -> Result<Self, DbError> {
        Ok((columns.take_any()?, columns.take_any()?, columns.take_any()?))
    }
}

/// Declares a struct that is read from a row whose columns have the fields' names, in their order.
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

        impl $crate::db::FromRow for $name {
            fn from_row(columns: &mut $crate::db::Columns<'_>) -> Result<Self, $crate::db::DbError> {
                Ok(Self { $($field: columns.take(stringify!($field))?),+ })
            }
        }
    };
}
