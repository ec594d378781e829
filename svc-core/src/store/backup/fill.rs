//! Writing the rows of an archive into a new store.

use async_channel::Receiver;

use super::catalogue::{self, ColumnShape, TableShape};
use super::manifest::{TableSum, damaged};
use super::rows;
use crate::column::{Kind, Value};
use crate::error::{Error, Result};
use crate::store::db::{Engine, Query, StoreFailure as _, Tx, placeholders};

/// Values of one statement. Both engines accept many more; larger statements are hardly faster.
const VALUES: usize = 2_000;

/// A step of a restore.
pub(crate) enum Given {
    /// Rows of a table, by its place in the list.
    Part { table: usize, bytes: Vec<u8> },
    /// The archive was read to its end and everything in it was as its manifest says.
    End { sums: Vec<TableSum>, last_numbers: Vec<(String, i64)> },
}

/// The input of [`fill`].
pub(crate) struct Filling {
    /// The tables of the archive.
    pub(crate) shapes: Vec<TableShape>,
    pub(crate) given: Receiver<Given>,
    /// The columns of words on PostgreSQL.
    pub(crate) words: Vec<WordColumn>,
}

/// A column of PostgreSQL that has the words of two others of its row.
pub(crate) struct WordColumn {
    pub(crate) table: &'static str,
    pub(crate) column: &'static str,
    pub(crate) from: [&'static str; 2],
    /// A row with a value in this column has no words.
    pub(crate) unless: &'static str,
    pub(crate) make: fn(&str, &str) -> String,
}

/// Writes all rows. The unit of work of [`Db::fill`](crate::store::db::Db::fill).
pub(crate) async fn fill(tx: &mut Tx, filling: &Filling) -> Result<()> {
    let tables = catalogue::shapes(tx).await?;
    let targets = resolve(&filling.shapes, &tables)?;
    for target in &targets {
        // Migrations have written first rows.
        tx.query(format!("DELETE FROM {}", target.name)).execute().await?;
    }
    loop {
        let given = match tx.engine() {
            Engine::Sqlite => filling.given.recv_blocking(),
            Engine::Postgres => filling.given.recv().await,
        };
        // The reader ends early when it finds damage, and reports that itself.
        match given.map_err(|_| Error::conflict("backup_damaged", "The backup could not be read to its end."))? {
            Given::Part { table, bytes } => {
                let target = targets.get(table).ok_or_else(|| damaged("a part", "is of an unknown table"))?;
                let words = filling.words.iter().find(|words| words.table == target.name);
                let words = words.filter(|_| tx.engine() == Engine::Postgres);
                insert(tx, target, words, &bytes).await?;
            }
            Given::End { sums, last_numbers } => {
                check_counts(tx, &sums).await?;
                return catalogue::continue_numbers(tx, &last_numbers).await;
            }
        }
    }
}

/// The tables of the archive with the columns of the store at that version, in the order of the archive. An archive
/// with other tables or columns is refused.
fn resolve(archive: &[TableShape], tables: &[TableShape]) -> Result<Vec<TableShape>> {
    if let Some(missing) = tables.iter().find(|table| archive.iter().all(|found| found.name != table.name)) {
        return Err(other_tables(&missing.name));
    }
    if archive.len() != tables.len() {
        return Err(other_tables("list"));
    }
    archive.iter().map(|found| resolve_table(found, tables).ok_or_else(|| other_tables(&found.name))).collect()
}

fn resolve_table(found: &TableShape, tables: &[TableShape]) -> Option<TableShape> {
    let table = tables.iter().find(|table| table.name == found.name)?;
    if table.columns.len() != found.columns.len() {
        return None;
    }
    let column = |found: &ColumnShape| {
        let column = table.columns.get(table.position(&found.name)?)?;
        (column.kind == found.kind).then(|| column.clone())
    };
    let columns: Vec<_> = found.columns.iter().map(column).collect::<Option<_>>()?;
    let is_repeated =
        columns.iter().enumerate().any(|(at, one)| columns[..at].iter().any(|other| other.name == one.name));
    (!is_repeated).then(|| TableShape { name: table.name.clone(), columns })
}

fn other_tables(table: &str) -> Error {
    damaged(&format!("the table {table}"), "is missing, unknown, or has other columns than this program knows")
}

async fn insert(tx: &mut Tx, target: &TableShape, words: Option<&WordColumn>, bytes: &[u8]) -> Result<()> {
    let width = target.columns.len() + usize::from(words.is_some());
    let at_once = (VALUES / width).max(1);
    let mut waiting: Vec<Value> = Vec::with_capacity(VALUES);
    let mut rows = 0;
    for line in rows::lines(bytes) {
        let values = rows::parse(target, line)?;
        let vector = words.map(|words| vector(target, words, &values)).transpose()?;
        waiting.extend(values);
        waiting.extend(vector);
        rows += 1;
        if rows == at_once {
            insert_rows(tx, target, words, std::mem::take(&mut waiting)).await?;
            rows = 0;
        }
    }
    if rows > 0 {
        insert_rows(tx, target, words, waiting).await?;
    }
    Ok(())
}

async fn insert_rows(tx: &mut Tx, target: &TableShape, words: Option<&WordColumn>, values: Vec<Value>) -> Result<()> {
    let width = target.columns.len();
    let step = width + usize::from(words.is_some());
    let row = |index: usize| {
        let first = index * step + 1;
        match words {
            Some(_) => format!("({}, CAST(${} AS tsvector))", placeholders(first, width), first + width),
            None => format!("({})", placeholders(first, width)),
        }
    };
    let rows: Vec<_> = (0..values.len() / step).map(row).collect();
    let more = words.map(|words| format!(", {}", words.column)).unwrap_or_default();
    // Numbers of rows are assigned by PostgreSQL otherwise.
    let overriding = if tx.engine() == Engine::Postgres { "OVERRIDING SYSTEM VALUE " } else { "" };
    let text = format!("INSERT INTO {} ({}{more}) {overriding}VALUES {}", target.name, target.list(), rows.join(", "));
    let inserted = values.into_iter().fold(tx.query(text), Query::bind).execute().await;
    inserted.map(drop).map_err(|error| {
        let is_refused = error.db().is_some_and(|failure| failure.constraint().is_some()) || error.code() == "internal";
        if !is_refused {
            return error;
        }
        damaged(&format!("the table {}", target.name), "has rows that its rules do not allow").with_source(error)
    })
}

/// The words of a row.
fn vector(target: &TableShape, words: &WordColumn, values: &[Value]) -> Result<Value> {
    let value = |column: &str| {
        let found = target.position(column).and_then(|at| values.get(at));
        found.ok_or_else(|| Error::internal(format!("{} has no column {column}", target.name)))
    };
    if !matches!(value(words.unless)?, Value::Null(_)) {
        return Ok(Value::Text(String::new()));
    }
    let text = |column| match value(column)? {
        Value::Text(text) => Ok(text.as_str()),
        Value::Null(Kind::Text) => Ok(""),
        _ => Err(Error::internal(format!("{}.{column} is no text", target.name))),
    };
    Ok(Value::Text((words.make)(text(words.from[0])?, text(words.from[1])?)))
}

async fn check_counts(tx: &mut Tx, sums: &[TableSum]) -> Result<()> {
    for sum in sums {
        let rows: i64 = tx.query(format!("SELECT count(*) FROM {}", sum.name)).fetch_value().await?;
        if rows.unsigned_abs() != sum.rows {
            return Err(damaged(&format!("the table {}", sum.name), "has another number of rows"));
        }
    }
    Ok(())
}
