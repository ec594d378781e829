//! One statement: a text with `$1` placeholders that both engines take, and its values.

use std::borrow::Cow;

use super::error::DbError;
#[cfg(feature = "postgres")]
use super::postgres;
use super::row::FromRow;
#[cfg(feature = "sqlite")]
use super::sqlite;
use super::tx::{Connection, Tx};
use super::value::{Bind, Column, Value};
use crate::error::Result;

/// A statement that is being put together; made by [`Tx::query`].
#[must_use = "a statement does nothing until it is executed or fetched"]
pub struct Query<'t> {
    tx: &'t mut Tx,
    text: Cow<'static, str>,
    values: Vec<Value>,
}

/// Runs the same expression against whichever engine the transaction is on.
macro_rules! on_engine {
    ($query:ident, $function:ident) => {
        match &mut $query.tx.connection {
            #[cfg(feature = "sqlite")]
            Connection::Sqlite(connection) => sqlite::statement::$function(connection, &$query.text, &$query.values),
            #[cfg(feature = "postgres")]
            Connection::Postgres(transaction) => {
                postgres::statement::$function(transaction, $query.text, $query.values).await
            }
        }
    };
}

impl<'t> Query<'t> {
    pub(super) fn new(tx: &'t mut Tx, text: Cow<'static, str>) -> Self {
        Self { tx, text, values: Vec::with_capacity(8) }
    }

    /// The value of the next placeholder: the first call binds `$1`.
    pub fn bind(mut self, value: impl Bind) -> Self {
        self.values.push(value.into_bound());
        self
    }

    /// Runs it and tells how many rows it changed.
    pub async fn execute(self) -> Result<u64> {
        Ok(on_engine!(self, execute)?)
    }

    /// Runs an `INSERT` of one row and tells the number that the store gave to the column `id`.
    /// It does what `RETURNING` would do; SQLite is a good deal faster this way.
    pub async fn insert<T: Column + Send>(self, id: &'static str) -> Result<T> {
        match &mut self.tx.connection {
            #[cfg(feature = "sqlite")]
            Connection::Sqlite(session) => {
                let number = sqlite::statement::insert(session, &self.text, &self.values)?;
                T::from_value(Value::Integer(number))
                    .map_err(|mismatch| DbError::Decode { column: id.to_owned(), reason: mismatch.to_string() }.into())
            }
            #[cfg(feature = "postgres")]
            Connection::Postgres(_) => {
                let text = format!("{} RETURNING {id}", self.text);
                Query { text: text.into(), ..self }.fetch_value().await
            }
        }
    }

    /// All rows.
    pub async fn fetch_all<R: FromRow + Send>(self) -> Result<Vec<R>> {
        Ok(on_engine!(self, fetch_all)?)
    }

    /// The first row, if there is one.
    pub async fn fetch_optional<R: FromRow + Send>(self) -> Result<Option<R>> {
        Ok(on_engine!(self, fetch_optional)?)
    }

    /// The first row; it is a fault of ours if there is none.
    pub async fn fetch_one<R: FromRow + Send>(self) -> Result<R> {
        Ok(self.fetch_optional().await?.ok_or(DbError::NoRow)?)
    }

    /// The first column of the first row.
    pub async fn fetch_value<T: Column + Send>(self) -> Result<T> {
        let (value,) = self.fetch_one().await?;
        Ok(value)
    }
}
