//! Rows of values for one statement: `WITH name (…) AS (VALUES …)`, or a list of `IN`.
//!
//! A store keeps statements prepared by their texts, so the number of rows in a text is rounded up. The rows that are
//! too many have nulls alone, which equal nothing. An `INSERT` has to leave them out.

use super::query::Query;
use crate::column::Value;

/// Rows of the same columns.
#[derive(Debug, Clone)]
pub(crate) struct Rows<const COLUMNS: usize>(Vec<[Value; COLUMNS]>);

impl<const COLUMNS: usize> Rows<COLUMNS> {
    /// Whether there are none. No statement is possible then.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The placeholders of all rows, from `$first` on: `($1, $2), ($3, $4)`.
    pub(crate) fn placeholders(&self, first: usize) -> String {
        let row = |number: usize| super::placeholders(first + number * COLUMNS, COLUMNS);
        let rows: Vec<_> = (0..rounded(self.0.len())).map(|number| format!("({})", row(number))).collect();
        rows.join(", ")
    }

    /// Binds these placeholders.
    pub(crate) fn bind(self, query: Query<'_>) -> Query<'_> {
        let missing = rounded(self.0.len()) - self.0.len();
        let nulls = self.0.first().map(|row| row.each_ref().map(|value| Value::Null(value.kind())));
        let nulls = nulls.into_iter().cycle().take(missing);
        self.0.into_iter().chain(nulls).flatten().fold(query, Query::bind)
    }
}

impl<const COLUMNS: usize> FromIterator<[Value; COLUMNS]> for Rows<COLUMNS> {
    fn from_iter<I: IntoIterator<Item = [Value; COLUMNS]>>(rows: I) -> Self {
        Self(rows.into_iter().collect())
    }
}

/// 1, 4, 16, 32, 64, 256 and so on: finer for the batches of a busy hub.
fn rounded(count: usize) -> usize {
    let mut rows = 1;
    while rows < count {
        rows *= if matches!(rows, 16 | 32) { 2 } else { 4 };
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::column::Bind;

    #[test]
    fn few_texts_serve_any_number_of_rows() {
        let rows = |count: i64| (0..count).map(|id| [id.into_bound(), "a".into_bound()]).collect::<Rows<2>>();
        assert_eq!(rows(1).placeholders(2), "($2, $3)");
        assert_eq!(rows(2).placeholders(1), "($1, $2), ($3, $4), ($5, $6), ($7, $8)");
        assert_eq!(rows(3).placeholders(1), rows(4).placeholders(1));
        assert_eq!([4, 5, 16, 17, 33, 65].map(rounded), [4, 16, 16, 32, 64, 256]);
        assert!(rows(0).is_empty());
    }
}
