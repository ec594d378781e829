//! Rows as text: a JSON array in each line. Bytes are base64; the kind of a column tells them from text.

use std::io::Write;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::catalogue::{ColumnKind, TableShape};
use crate::column::Value;
use crate::error::{Error, Result};
use crate::store::db::{Columns, DbError};

/// Appends a row.
pub(super) fn write(shape: &TableShape, columns: &mut Columns<'_>, out: &mut Vec<u8>) -> Result<(), DbError> {
    for (index, column) in shape.columns.iter().enumerate() {
        out.push(if index == 0 { b'[' } else { b',' });
        let unfit = || DbError::Decode {
            column: format!("{}.{}", shape.name, column.name),
            reason: "a value of another kind than the column has".into(),
        };
        let json = |error: serde_json::Error| DbError::Statement(error.to_string());
        match (column.kind, columns.take_value()?) {
            (_, Value::Null(_)) => out.extend_from_slice(b"null"),
            (ColumnKind::Integer, Value::Integer(integer)) => drop(write!(out, "{integer}")),
            (ColumnKind::Real, Value::Real(real)) if real.is_finite() => {
                serde_json::to_writer(&mut *out, &real).map_err(json)?;
            }
            (ColumnKind::Text, Value::Text(text) | Value::Json(text)) => {
                serde_json::to_writer(&mut *out, &text).map_err(json)?;
            }
            (ColumnKind::Bytes, Value::Bytes(bytes)) => drop(write!(out, "\"{}\"", STANDARD.encode(bytes))),
            (ColumnKind::Boolean, Value::Boolean(boolean)) => drop(write!(out, "{boolean}")),
            (ColumnKind::Boolean, Value::Integer(integer @ (0 | 1))) => drop(write!(out, "{}", integer == 1)),
            _ => return Err(unfit()),
        }
    }
    out.extend_from_slice(b"]\n");
    Ok(())
}

/// The values of a row, for the columns of the store that it goes to.
pub(super) fn parse(shape: &TableShape, line: &[u8]) -> Result<Vec<Value>> {
    let found: Vec<serde_json::Value> = serde_json::from_slice(line).map_err(|_| unreadable(shape))?;
    if found.len() != shape.columns.len() {
        return Err(unreadable(shape));
    }
    let values = shape.columns.iter().zip(found).map(|(column, found)| {
        let value = match (column.kind, found) {
            (_, serde_json::Value::Null) => Some(Value::Null(column.bound())),
            (ColumnKind::Integer, serde_json::Value::Number(number)) => number.as_i64().map(Value::Integer),
            (ColumnKind::Real, serde_json::Value::Number(number)) => number.as_f64().map(Value::Real),
            (ColumnKind::Text, serde_json::Value::String(text)) if column.is_json => Some(Value::Json(text)),
            (ColumnKind::Text, serde_json::Value::String(text)) => Some(Value::Text(text)),
            (ColumnKind::Bytes, serde_json::Value::String(text)) => STANDARD.decode(text).ok().map(Value::Bytes),
            (ColumnKind::Boolean, serde_json::Value::Bool(boolean)) => Some(Value::Boolean(boolean)),
            _ => None,
        };
        value.ok_or_else(|| unreadable(shape))
    });
    values.collect()
}

/// The lines of a part.
pub(super) fn lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty())
}

/// Two columns of each row of a part as text: for the list of files.
pub(crate) fn texts_of(shape: &TableShape, bytes: &[u8], columns: [&str; 2]) -> Result<Vec<[String; 2]>> {
    let positions = columns.map(|column| shape.position(column));
    let [Some(first), Some(second)] = positions else { return Err(unreadable(shape)) };
    let text = |values: &[Value], at: usize| match values.get(at) {
        Some(Value::Text(text)) => Ok(text.clone()),
        Some(Value::Integer(integer)) => Ok(integer.to_string()),
        _ => Err(unreadable(shape)),
    };
    lines(bytes)
        .map(|line| {
            let values = parse(shape, line)?;
            Ok([text(&values, first)?, text(&values, second)?])
        })
        .collect()
}

fn unreadable(shape: &TableShape) -> Error {
    let sentence = format!("A row of {} in the archive is not one of this table: use another backup.", shape.name);
    Error::conflict("backup_damaged", sentence)
}

#[cfg(test)]
mod tests {
    use super::super::catalogue::ColumnShape;
    use super::*;
    use svc_model::row::{RowError, StoredRow};

    struct Row(Vec<Value>);

    impl StoredRow for Row {
        fn column(&self, index: usize) -> Result<Option<(&str, Value)>, RowError> {
            Ok(self.0.get(index).map(|value| ("", value.clone())))
        }
    }

    fn shape(kinds: &[ColumnKind]) -> TableShape {
        let column = |kind: &ColumnKind| ColumnShape { name: format!("{kind:?}"), kind: *kind, is_json: false };
        TableShape { name: "things".into(), columns: kinds.iter().map(column).collect() }
    }

    const ALL: [ColumnKind; 5] =
        [ColumnKind::Integer, ColumnKind::Real, ColumnKind::Text, ColumnKind::Bytes, ColumnKind::Boolean];

    #[test]
    fn values_of_every_kind_return_as_they_were() {
        let rows = [
            vec![
                Value::Integer(i64::MIN),
                Value::Real(0.1 + 0.2),
                Value::Text("a\n\"ö\u{1f600}\u{2028}\\".into()),
                Value::Bytes(vec![0, 10, 255]),
                Value::Boolean(true),
            ],
            vec![
                Value::Integer(i64::MAX),
                Value::Real(-0.0),
                Value::Text(String::new()),
                Value::Bytes(Vec::new()),
                Value::Boolean(false),
            ],
        ];
        let shape = shape(&ALL);
        let mut text = Vec::new();
        for row in &rows {
            write(&shape, &mut Columns::new(&Row(row.clone())), &mut text).unwrap();
        }
        let back: Vec<_> = lines(&text).map(|line| parse(&shape, line).unwrap()).collect();
        assert_eq!(back, rows);
    }

    #[test]
    fn a_value_of_another_kind_is_refused_both_ways() {
        let text = Row(vec![Value::Text("seven".into())]);
        let written = write(&shape(&[ColumnKind::Integer]), &mut Columns::new(&text), &mut Vec::new());
        assert!(matches!(written, Err(DbError::Decode { .. })), "{written:?}");
        for line in ["[1]", "[\"x\", 1]", "[]", "{}", "[", "[1.5,2]"] {
            assert_eq!(
                parse(&shape(&[ColumnKind::Text]), line.as_bytes()).unwrap_err().code(),
                "backup_damaged",
                "{line}"
            );
        }
    }
}
