//! Tables that fit the columns of the screen.
//!
//! Invariants: no row is wider than the columns. A table whose cells would become too narrow is shown as records,
//! with one line for each cell.

use pulldown_cmark::Alignment;
use ratatui::text::Span;

use super::wrap::{Break, Row, row_width, rows};
use crate::view::look::Look;

/// Narrower cells are not readable; a table that needs them is shown as records.
const CELL_MIN: usize = 8;
const SEPARATOR: &str = " │ ";
const CROSSING: &str = "─┼─";
const SEPARATOR_WIDTH: usize = 3;

/// A table, as it was written.
#[derive(Default)]
pub(super) struct Table {
    pub(super) alignments: Vec<Alignment>,
    pub(super) header: Vec<Row>,
    pub(super) body: Vec<Vec<Row>>,
}

impl Table {
    /// The lines of the table.
    pub(super) fn lines(self, columns: usize, look: &Look) -> Vec<Row> {
        match self.widths(columns) {
            Some(widths) => self.grid(&widths, look),
            None => self.records(columns, look),
        }
    }

    /// The widths of the columns, or `None` if some would be too narrow.
    fn widths(&self, columns: usize) -> Option<Vec<usize>> {
        let count = self.header.len();
        let room = columns.checked_sub(SEPARATOR_WIDTH * count.checked_sub(1)?)?;
        if room < count {
            return None;
        }
        let mut natural = vec![1; count];
        for row in std::iter::once(&self.header).chain(&self.body) {
            for (width, cell) in natural.iter_mut().zip(row) {
                *width = row_width(cell).max(*width);
            }
        }
        let least: usize = natural.iter().map(|width| *width.min(&CELL_MIN)).sum();
        (least <= room).then(|| shared(&natural, room))
    }

    fn grid(self, widths: &[usize], look: &Look) -> Vec<Row> {
        let mut lines = Vec::new();
        let header = self.header.into_iter().map(|cell| bold(cell, look)).collect();
        grid_row(header, widths, &self.alignments, look, &mut lines);
        let rule: Vec<_> = widths.iter().map(|width| "─".repeat(*width)).collect();
        lines.push(vec![Span::styled(rule.join(CROSSING), look.dim)]);
        for row in self.body {
            grid_row(row, widths, &self.alignments, look, &mut lines);
        }
        lines
    }

    fn records(self, columns: usize, look: &Look) -> Vec<Row> {
        let mut lines = Vec::new();
        if self.body.is_empty() {
            for cell in self.header {
                lines.extend(rows(bold(cell, look), columns, Break::Words));
            }
            return lines;
        }
        for (number, record) in self.body.into_iter().enumerate() {
            if number > 0 {
                lines.push(Vec::new());
            }
            for (name, value) in self.header.iter().zip(record) {
                let mut line = Vec::new();
                if !name.is_empty() {
                    line.extend(bold(name.clone(), look));
                    line.push(Span::styled(": ", look.dim));
                }
                line.extend(value);
                lines.extend(rows(line, columns, Break::Words));
            }
        }
        lines
    }
}

/// Shares the room: narrow columns keep their natural width, and the wide ones share the rest equally.
fn shared(natural: &[usize], room: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..natural.len()).collect();
    order.sort_by_key(|column| natural.get(*column).copied());
    let mut widths = vec![1; natural.len()];
    let (mut left, mut remaining) = (room, natural.len());
    for column in order {
        let fair = left / remaining.max(1);
        if let (Some(width), Some(natural)) = (widths.get_mut(column), natural.get(column)) {
            *width = (*natural).min(fair).max(1);
            left = left.saturating_sub(*width);
        }
        remaining -= 1;
    }
    widths
}

fn bold(cell: Row, look: &Look) -> Row {
    cell.into_iter().map(|span| Span { style: span.style.patch(look.strong), ..span }).collect()
}

/// Adds a row of the grid, as many lines high as its highest cell.
fn grid_row(cells: Vec<Row>, widths: &[usize], alignments: &[Alignment], look: &Look, lines: &mut Vec<Row>) {
    let mut wrapped: Vec<_> =
        cells.into_iter().zip(widths).map(|(cell, width)| rows(cell, *width, Break::Words).into_iter()).collect();
    wrapped.resize_with(widths.len(), || Vec::new().into_iter());
    let height = wrapped.iter().map(ExactSizeIterator::len).max().unwrap_or_default();
    for _ in 0..height {
        let mut line = Vec::new();
        for (number, (cell, width)) in wrapped.iter_mut().zip(widths).enumerate() {
            if number > 0 {
                line.push(Span::styled(SEPARATOR, look.dim));
            }
            let part = cell.next().unwrap_or_default();
            let missing = width.saturating_sub(row_width(&part));
            let before = match alignments.get(number) {
                Some(Alignment::Right) => missing,
                Some(Alignment::Center) => missing / 2,
                _ => 0,
            };
            pad(&mut line, before);
            line.extend(part);
            // Nothing follows the last cell.
            if number + 1 < widths.len() {
                pad(&mut line, missing - before);
            }
        }
        lines.push(line);
    }
}

fn pad(line: &mut Row, columns: usize) {
    if columns > 0 {
        line.push(Span::raw(" ".repeat(columns)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(rows: &[&[&str]]) -> Table {
        let mut rows =
            rows.iter().map(|row| row.iter().map(|cell| vec![Span::raw((*cell).to_owned())]).collect::<Vec<_>>());
        Table { alignments: Vec::new(), header: rows.next().unwrap(), body: rows.collect() }
    }

    fn shown(table: Table, columns: usize) -> Vec<String> {
        let lines = table.lines(columns, &Look::new(false));
        lines.iter().map(|row| row.iter().map(|span| &*span.content).collect()).collect()
    }

    #[test]
    fn a_narrow_table_keeps_its_widths() {
        let mut numbers = table(&[&["name", "n"], &["日本", "12"]]);
        numbers.alignments = vec![Alignment::None, Alignment::Right];
        assert_eq!(shown(numbers, 40), ["name │  n", "─────┼───", "日本 │ 12"]);
    }

    #[test]
    fn wide_columns_share_what_narrow_ones_leave() {
        let lines = shown(table(&[&["id", "text"], &["1", "one two three four five"]]), 15);
        assert_eq!(lines, ["id │ text", "───┼───────────", "1  │ one two", "   │ three four", "   │ five"]);
        assert_eq!(shared(&[2, 50, 10, 40], 42), [2, 15, 10, 15]);
    }

    #[test]
    fn a_table_without_room_becomes_records() {
        let many: Vec<_> = (0..6).map(|_| "long header").collect();
        let lines = shown(table(&[&many, &many, &many]), 40);
        assert_eq!(lines.len(), 13);
        assert_eq!(lines[0], "long header: long header");
        assert_eq!(lines[6], "");
    }
}
