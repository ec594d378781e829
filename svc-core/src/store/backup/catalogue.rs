//! The tables and columns of a store, as its engine describes them.

use serde::{Deserialize, Serialize};

use super::tables::KEPT;
use crate::column::Kind;
use crate::error::{Error, Result};
use crate::store::db::{Engine, Tx};

/// A table with its columns.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct TableShape {
    pub(crate) name: String,
    pub(crate) columns: Vec<ColumnShape>,
}

/// A column. Both engines describe it alike.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ColumnShape {
    pub(crate) name: String,
    pub(crate) kind: ColumnKind,
    /// A document on PostgreSQL, where SQLite has text.
    #[serde(skip)]
    pub(super) is_json: bool,
}

/// The values of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ColumnKind {
    Integer,
    Real,
    Text,
    Bytes,
    Boolean,
}

impl ColumnShape {
    /// The kind of a value that is bound to this column.
    pub(super) fn bound(&self) -> Kind {
        match self.kind {
            ColumnKind::Integer => Kind::Integer,
            ColumnKind::Real => Kind::Real,
            ColumnKind::Text if self.is_json => Kind::Json,
            ColumnKind::Text => Kind::Text,
            ColumnKind::Bytes => Kind::Bytes,
            ColumnKind::Boolean => Kind::Boolean,
        }
    }
}

impl TableShape {
    /// The names of the columns as a list in a statement. The names are those of the schema of this program.
    pub(super) fn list(&self) -> String {
        let names: Vec<_> = self.columns.iter().map(|column| format!("\"{}\"", column.name)).collect();
        names.join(", ")
    }

    /// The place of a column.
    pub(crate) fn position(&self, column: &str) -> Option<usize> {
        self.columns.iter().position(|found| found.name == column)
    }
}

const SQLITE: &str = "SELECT name, lower(type) FROM pragma_table_info($1) ORDER BY cid";
const POSTGRES: &str = "
    SELECT CAST(column_name AS TEXT), CAST(data_type AS TEXT)
      FROM information_schema.columns
     WHERE table_schema = current_schema() AND table_name = $1
     ORDER BY ordinal_position";

/// The tables of an archive that exist in the store, with their columns. Columns of words on PostgreSQL follow from
/// others and are left out.
pub(super) async fn shapes(tx: &mut Tx) -> Result<Vec<TableShape>> {
    let mut found = Vec::with_capacity(KEPT.len());
    for table in KEPT {
        let text = match tx.engine() {
            Engine::Sqlite => SQLITE,
            Engine::Postgres => POSTGRES,
        };
        let rows: Vec<(String, String)> = tx.query(text).bind(*table).fetch_all().await?;
        let columns = rows
            .into_iter()
            .filter(|(_, type_name)| type_name != "tsvector")
            .map(|(name, type_name)| column(table, name, &type_name))
            .collect::<Result<Vec<_>>>()?;
        if !columns.is_empty() {
            found.push(TableShape { name: (*table).to_owned(), columns });
        }
    }
    Ok(found)
}

fn column(table: &str, name: String, type_name: &str) -> Result<ColumnShape> {
    let kind = match type_name {
        "integer" | "bigint" => ColumnKind::Integer,
        "real" | "double precision" => ColumnKind::Real,
        "text" | "jsonb" => ColumnKind::Text,
        "blob" | "bytea" => ColumnKind::Bytes,
        "boolean" => ColumnKind::Boolean,
        other => return Err(Error::internal(format!("column {name} of {table} has the unknown type {other}"))),
    };
    Ok(ColumnShape { name, kind, is_json: type_name == "jsonb" })
}

/// The last numbers that were assigned to rows: table, column, number.
pub(super) async fn last_numbers(tx: &mut Tx) -> Result<Vec<(String, i64)>> {
    let text = match tx.engine() {
        Engine::Sqlite => "SELECT name, seq FROM sqlite_sequence ORDER BY name",
        Engine::Postgres => {
            "SELECT CAST(table_name AS TEXT),
                    coalesce(pg_sequence_last_value(
                        CAST(pg_get_serial_sequence(quote_ident(table_name), column_name) AS regclass)), 0)
               FROM information_schema.columns
              WHERE table_schema = current_schema() AND is_identity = 'YES'
              ORDER BY table_name"
        }
    };
    let found: Vec<(String, i64)> = tx.query(text).fetch_all().await?;
    Ok(found.into_iter().filter(|(table, number)| *number > 0 && KEPT.contains(&table.as_str())).collect())
}

/// Continues the numbers of rows after these, and after the largest one of a table.
pub(super) async fn continue_numbers(tx: &mut Tx, last: &[(String, i64)]) -> Result<()> {
    for (table, number) in last {
        let known = KEPT.iter().find(|known| *known == table);
        let table = known.ok_or_else(|| Error::internal(format!("{table} has no numbers")))?;
        match tx.engine() {
            Engine::Sqlite => {
                tx.query(
                    "INSERT INTO sqlite_sequence (name, seq)
                     SELECT $1, 0 WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = $1)",
                )
                .bind(*table)
                .execute()
                .await?;
                tx.query("UPDATE sqlite_sequence SET seq = max(seq, $2) WHERE name = $1")
                    .bind(*table)
                    .bind(*number)
                    .execute()
                    .await?;
            }
            Engine::Postgres => {
                let column: Option<(String,)> = tx
                    .query(
                        "SELECT CAST(column_name AS TEXT)
                           FROM information_schema.columns
                          WHERE table_schema = current_schema() AND table_name = $1 AND is_identity = 'YES'",
                    )
                    .bind(*table)
                    .fetch_optional()
                    .await?;
                let Some((column,)) = column else { continue };
                let text = format!(
                    "SELECT setval(pg_get_serial_sequence('{table}', '{column}'), \
                            greatest($1, (SELECT coalesce(max({column}), 1) FROM {table})))"
                );
                let _: i64 = tx.query(text).bind(*number).fetch_value().await?;
            }
        }
    }
    Ok(())
}
