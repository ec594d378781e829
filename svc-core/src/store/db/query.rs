//! A statement with `$1` placeholders for both engines, and its values.
#![cfg_attr(
    not(feature = "postgres"),
    expect(clippy::unused_async, irrefutable_let_patterns, reason = "only PostgreSQL makes a statement wait")
)]

use std::borrow::Cow;

use super::error::DbError;
#[cfg(feature = "postgres")]
use super::postgres;
use super::row::{Columns, RowReader, Wanted};
#[cfg(feature = "sqlite")]
use super::sqlite;
use super::tx::{Connection, Tx};
use crate::column::{Bind, Column, Value};
use crate::error::{Error, Result};
use svc_model::row::FromRow;

/// A statement under construction; see [`Tx::query`].
#[must_use = "a statement does nothing until it is executed or fetched"]
pub struct Query<'t> {
    tx: &'t mut Tx,
    text: Cow<'static, str>,
    values: Vec<Value>,
}

impl<'t> Query<'t> {
    pub(super) fn new(tx: &'t mut Tx, text: Cow<'static, str>) -> Self {
        Self { tx, text, values: Vec::with_capacity(8) }
    }

    /// Binds the next placeholder: the first call binds `$1`.
    pub fn bind(mut self, value: impl Bind) -> Self {
        self.values.push(value.into_bound());
        self
    }

    /// Runs the statement and returns the number of changed rows.
    pub async fn execute(self) -> Result<u64> {
        self.check()?;
        let outcome = match &mut self.tx.connection {
            #[cfg(feature = "sqlite")]
            Connection::Sqlite(session) => sqlite::statement::execute(session, &self.text, &self.values),
            #[cfg(feature = "postgres")]
            Connection::Postgres(transaction) => {
                postgres::statement::execute(transaction, self.text, self.values).await
            }
        };
        self.tx.executed |= outcome.is_ok();
        self.tx.learn(&outcome);
        Ok(outcome?)
    }

    /// Runs an `INSERT` of one row and returns the generated value of the column `id`. It is equivalent to
    /// `RETURNING`; SQLite is considerably faster this way.
    pub async fn insert<T: Column + Send>(self, id: &'static str) -> Result<T> {
        T::from_value(Value::Integer(self.insert_row(id).await?))
            .map_err(|mismatch| DbError::Decode { column: id.to_owned(), reason: mismatch.to_string() }.into())
    }

    async fn insert_row(self, id: &'static str) -> Result<i64> {
        self.check()?;
        #[cfg(feature = "sqlite")]
        if let Connection::Sqlite(session) = &mut self.tx.connection {
            let inserted = sqlite::statement::insert(session, &self.text, &self.values);
            self.tx.executed |= inserted.is_ok();
            self.tx.learn(&inserted);
            return Ok(inserted?);
        }
        let text = format!("{} RETURNING {id}", self.text);
        Query { text: text.into(), ..self }.fetch_value().await
    }

    /// Fetches all rows.
    pub async fn fetch_all<R: FromRow + Send>(self) -> Result<Vec<R>> {
        let mut all = Vec::new();
        let mut read = |columns: &mut Columns<'_>| {
            all.push(R::from_row(columns)?);
            Ok(())
        };
        self.fetch(Wanted::All, &mut read).await?;
        Ok(all)
    }

    /// Passes on one row after the other. Returns whether those were all: `false` when the transaction timed
    /// out first, after which it accepts no other statement.
    pub(crate) async fn fetch_each<R: FromRow + Send>(self, mut each: impl FnMut(R) + Send) -> Result<bool> {
        self.check()?;
        let Self { tx, text, values } = self;
        let mut read = |columns: &mut Columns<'_>| {
            each(R::from_row(columns)?);
            Ok(())
        };
        match fetch_rows(tx, text, values, Wanted::All, &mut read).await {
            Ok(()) => Ok(true),
            Err(DbError::TooSlow(_)) => Ok(false),
            Err(error) => {
                tx.failed = true;
                Err(error.into())
            }
        }
    }

    /// Passes on the columns of one row after the other, for code that learns them at run time.
    pub(crate) async fn fetch_columns(self, each: RowReader<'_>) -> Result<()> {
        self.fetch(Wanted::All, each).await
    }

    /// Fetches the first row, if there is one.
    pub async fn fetch_optional<R: FromRow + Send>(self) -> Result<Option<R>> {
        let mut first = None;
        let mut read = |columns: &mut Columns<'_>| {
            first = Some(R::from_row(columns)?);
            Ok(())
        };
        self.fetch(Wanted::First, &mut read).await?;
        Ok(first)
    }

    /// Fetches the first row; a missing row is an internal error.
    pub async fn fetch_one<R: FromRow + Send>(self) -> Result<R> {
        Ok(self.fetch_optional().await?.ok_or(DbError::NoRow)?)
    }

    /// Fetches the first column of the first row.
    pub async fn fetch_value<T: Column + Send>(self) -> Result<T> {
        let (value,) = self.fetch_one().await?;
        Ok(value)
    }

    /// Not generic, so that it is compiled once for all row types.
    async fn fetch(self, wanted: Wanted, each: RowReader<'_>) -> Result<()> {
        self.check()?;
        let Self { tx, text, values } = self;
        let outcome = fetch_rows(tx, text, values, wanted, each).await;
        tx.learn(&outcome);
        Ok(outcome?)
    }

    /// Rejects NUL in text, which PostgreSQL does not accept, for both engines.
    fn check(&self) -> Result<()> {
        let has_nul = self.values.iter().any(|value| match value {
            Value::Text(text) => text.contains('\0'),
            Value::Json(text) => escapes_nul(text),
            _ => false,
        });
        if has_nul {
            return Err(Error::invalid("text", "must not contain the NUL character"));
        }
        Ok(())
    }
}

async fn fetch_rows(
    tx: &mut Tx,
    text: Cow<'static, str>,
    values: Vec<Value>,
    wanted: Wanted,
    each: RowReader<'_>,
) -> Result<(), DbError> {
    match &mut tx.connection {
        #[cfg(feature = "sqlite")]
        Connection::Sqlite(session) => sqlite::statement::fetch(session, &text, &values, wanted, each),
        #[cfg(feature = "postgres")]
        Connection::Postgres(transaction) => postgres::statement::fetch(transaction, text, values, wanted, each).await,
    }
}

/// The placeholders `$first, …` for a list of values; empty for an empty list.
pub(crate) fn placeholders(first: usize, count: usize) -> String {
    let names: Vec<_> = (first..first + count).map(|number| format!("${number}")).collect();
    names.join(", ")
}

/// Whether a JSON text contains a NUL, which is always written as an escape. The same letters after an
/// escaped backslash are just letters.
fn escapes_nul(json: &str) -> bool {
    json.match_indices("\\u0000").any(|(at, _)| {
        let backslashes_before = json[..at].bytes().rev().take_while(|byte| *byte == b'\\').count();
        backslashes_before % 2 == 0
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nul_is_distinguished_from_its_escape_in_text() {
        for (text, holds_nul) in [
            ("a\0b", true),
            ("\\\0", true),
            ("plain", false),
            ("the escape \\u0000 in words", false),
            ("\\\\u0000", false),
        ] {
            let json = serde_json::to_string(text).unwrap();
            assert_eq!(escapes_nul(&json), holds_nul, "{json}");
        }
    }
}
