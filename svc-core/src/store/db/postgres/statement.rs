//! Statements on PostgreSQL. Every parameter is sent with its type, including nulls.

use std::borrow::Cow;

use futures_util::TryStreamExt;
use serde_json::value::RawValue;
use sqlx::postgres::{PgArguments, PgRow};
use sqlx::types::Json;
use sqlx::{Arguments, AssertSqlSafe, Column as _, Postgres, Row, SqlSafeStr, SqlStr, Transaction, TypeInfo, ValueRef};

use super::failure::failure;
use crate::column::{Kind, Value};
use crate::store::db::error::DbError;
use crate::store::db::row::{Columns, RowError, RowReader, StoredRow, Wanted};

/// A row that the server returned.
struct AnsweredRow<'r>(&'r PgRow);

impl StoredRow for AnsweredRow<'_> {
    fn column(&self, index: usize) -> Result<Option<(&str, Value)>, RowError> {
        let Some(column) = self.0.columns().get(index) else {
            return Ok(None);
        };
        Ok(Some((column.name(), decode(self.0, index)?)))
    }
}

fn decode(row: &PgRow, index: usize) -> Result<Value, DbError> {
    let raw = row.try_get_raw(index).map_err(|error| failure(&error))?;
    if raw.is_null() {
        return Ok(Value::Null(Kind::Text));
    }
    let type_name = raw.type_info().into_owned();
    let value = match type_name.name() {
        "INT8" => row.try_get(index).map(Value::Integer),
        "INT4" => row.try_get::<i32, _>(index).map(|integer| Value::Integer(integer.into())),
        "FLOAT8" => row.try_get(index).map(Value::Real),
        "TEXT" | "VARCHAR" | "NAME" => row.try_get(index).map(Value::Text),
        "BYTEA" => row.try_get(index).map(Value::Bytes),
        "BOOL" => row.try_get(index).map(Value::Boolean),
        "JSONB" | "JSON" => row
            .try_get::<Json<Box<RawValue>>, _>(index)
            .map(|Json(json)| Value::Json(Box::<str>::from(json).into_string())),
        other => {
            return Err(DbError::Decode {
                column: row.columns()[index].name().to_owned(),
                reason: format!("columns of type {other} are not read; cast it in the statement"),
            });
        }
    };
    value.map_err(|error| failure(&error))
}

fn arguments(values: Vec<Value>) -> Result<PgArguments, DbError> {
    let mut arguments = PgArguments::default();
    for value in values {
        match value {
            Value::Null(Kind::Integer) => arguments.add(None::<i64>),
            Value::Null(Kind::Real) => arguments.add(None::<f64>),
            Value::Null(Kind::Text) => arguments.add(None::<String>),
            Value::Null(Kind::Bytes) => arguments.add(None::<Vec<u8>>),
            Value::Null(Kind::Boolean) => arguments.add(None::<bool>),
            Value::Null(Kind::Json) => arguments.add(None::<Json<Box<RawValue>>>),
            Value::Integer(integer) => arguments.add(integer),
            Value::Real(real) => arguments.add(real),
            Value::Text(text) => arguments.add(text),
            Value::Bytes(bytes) => arguments.add(bytes),
            Value::Boolean(boolean) => arguments.add(boolean),
            Value::Json(text) => {
                let json = RawValue::from_string(text).map_err(|error| DbError::Statement(error.to_string()))?;
                arguments.add(Json(json))
            }
        }
        .map_err(|error| DbError::Statement(error.to_string()))?;
    }
    Ok(arguments)
}

/// Only for our own texts; see [`Tx::query`](crate::store::db::Tx::query).
fn sql(text: Cow<'static, str>) -> SqlStr {
    match text {
        Cow::Borrowed(text) => text.into_sql_str(),
        Cow::Owned(text) => AssertSqlSafe(text).into_sql_str(),
    }
}

pub(in crate::store::db) async fn execute(
    transaction: &mut Transaction<'static, Postgres>,
    text: Cow<'static, str>,
    values: Vec<Value>,
) -> Result<u64, DbError> {
    let done = sqlx::query_with(sql(text), arguments(values)?)
        .execute(&mut **transaction)
        .await
        .map_err(|error| failure(&error))?;
    Ok(done.rows_affected())
}

pub(in crate::store::db) async fn fetch(
    transaction: &mut Transaction<'static, Postgres>,
    text: Cow<'static, str>,
    values: Vec<Value>,
    wanted: Wanted,
    each: RowReader<'_>,
) -> Result<(), DbError> {
    let mut rows = sqlx::query_with(sql(text), arguments(values)?).fetch(&mut **transaction);
    let mut first = true;
    while let Some(row) = rows.try_next().await.map_err(|error| failure(&error))? {
        // Reads to the end even if one row is wanted: a constraint may fail after the rows of `INSERT …
        // RETURNING`.
        if first || wanted == Wanted::All {
            each(&mut Columns::new(&AnsweredRow(&row)))?;
        }
        first = false;
    }
    Ok(())
}
