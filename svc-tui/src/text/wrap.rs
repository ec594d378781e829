//! Widths in columns, cutting and wrapping.
//!
//! Invariants: a text is measured as ratatui draws it, by grapheme clusters; no result is wider than the columns it
//! was made for; a cluster is never split. A cluster that is wider than a whole line is replaced by U+FFFD.

use ratatui::buffer::CellWidth as _;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use unicode_segmentation::UnicodeSegmentation as _;

use super::clean::one_line;

const ELLIPSIS: &str = "…";
/// Replaces a cluster that is wider than a line.
const TOO_WIDE: &str = "\u{fffd}";

/// Spans of one line.
pub(super) type Row = Vec<Span<'static>>;

/// Where a line may be broken.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Break {
    /// Between words; a word is broken only if it is longer than a line.
    Words,
    /// Anywhere, and white space is kept, as in code.
    Anywhere,
}

/// The width of a text in columns.
pub(crate) fn width(text: &str) -> usize {
    text.graphemes(true).map(cluster_width).sum()
}

fn cluster_width(cluster: &str) -> usize {
    if cluster.contains(char::is_control) { 0 } else { usize::from(cluster.cell_width()) }
}

/// The text on one line, cut to `columns` with an ellipsis.
pub(crate) fn fit(text: &str, columns: usize) -> String {
    let line = one_line(text);
    if columns == 0 {
        return String::new();
    }
    let (mut used, mut end) = (0, 0);
    for (at, cluster) in line.grapheme_indices(true) {
        let wide = cluster_width(cluster);
        if used + wide > columns {
            return format!("{}{ELLIPSIS}", line.get(..end).unwrap_or_default());
        }
        used += wide;
        // The longest beginning that leaves a column for the ellipsis.
        if used < columns {
            end = at + cluster.len();
        }
    }
    line
}

/// The text on one line of exactly `columns` columns.
pub(crate) fn padded(text: &str, columns: usize) -> String {
    let mut line = fit(text, columns);
    let missing = columns.saturating_sub(width(&line));
    line.extend(std::iter::repeat_n(' ', missing));
    line
}

/// Wraps a clean text between words. Line feeds remain line breaks.
pub(crate) fn wrapped(text: &str, columns: usize) -> Vec<String> {
    rows(vec![Span::raw(text.to_owned())], columns, Break::Words)
        .into_iter()
        .map(|row| row.into_iter().map(|span| span.content).collect())
        .collect()
}

/// Wraps styled text between words. Every line after the first begins with `indent`, cut to half of the columns.
pub(crate) fn wrap_spans(spans: Vec<Span<'static>>, columns: usize, indent: &str) -> Vec<Line<'static>> {
    let indent = if width(indent) > columns / 2 { " ".repeat(columns / 2) } else { indent.to_owned() };
    let mut wrapping = Wrapping::new(columns, Break::Words);
    wrapping.indent = width(&indent);
    wrapping.all(spans);
    let wrapped = wrapping.finished().into_iter().enumerate();
    wrapped
        .map(|(number, mut row)| {
            if number > 0 && !indent.is_empty() {
                row.insert(0, Span::raw(indent.clone()));
            }
            Line::from(row)
        })
        .collect()
}

/// Wraps styled text. There is always at least one row.
pub(super) fn rows(spans: Row, columns: usize, breaks: Break) -> Vec<Row> {
    let mut wrapping = Wrapping::new(columns, breaks);
    wrapping.all(spans);
    wrapping.finished()
}

/// The width of a row.
pub(super) fn row_width(row: &[Span<'_>]) -> usize {
    row.iter().map(|span| width(&span.content)).sum()
}

/// Adjacent spans of the same style as one, so that a cluster across them is measured as it is drawn.
fn merged(spans: Row) -> Row {
    let mut merged: Row = Vec::with_capacity(spans.len());
    for span in spans {
        match merged.last_mut() {
            Some(last) if last.style == span.style => last.content.to_mut().push_str(&span.content),
            _ => merged.push(span),
        }
    }
    merged
}

/// A sequence of clusters that stays together, with its styles.
#[derive(Default)]
struct Piece {
    spans: Row,
    width: usize,
}

impl Piece {
    fn push(&mut self, text: &str, style: Style, width: usize) {
        self.width += width;
        match self.spans.last_mut() {
            Some(last) if last.style == style => last.content.to_mut().push_str(text),
            _ => self.spans.push(Span::styled(text.to_owned(), style)),
        }
    }

    fn append(&mut self, other: Self) {
        self.width += other.width;
        for span in other.spans {
            match self.spans.last_mut() {
                Some(last) if last.style == span.style => last.content.to_mut().push_str(&span.content),
                _ => self.spans.push(span),
            }
        }
    }
}

/// The state of wrapping: finished rows, the current row, then the spaces and the word that follow it.
struct Wrapping {
    columns: usize,
    indent: usize,
    breaks: Break,
    done: Vec<Row>,
    row: Piece,
    spaces: Piece,
    word: Piece,
}

impl Wrapping {
    fn new(columns: usize, breaks: Break) -> Self {
        Self {
            columns: columns.max(1),
            indent: 0,
            breaks,
            done: Vec::new(),
            row: Piece::default(),
            spaces: Piece::default(),
            word: Piece::default(),
        }
    }

    fn all(&mut self, spans: Row) {
        for span in merged(spans) {
            for cluster in span.content.graphemes(true) {
                self.cluster(cluster, span.style);
            }
        }
    }

    /// The columns of the current row.
    fn room(&self) -> usize {
        if self.done.is_empty() { self.columns } else { self.columns.saturating_sub(self.indent).max(1) }
    }

    fn cluster(&mut self, cluster: &str, style: Style) {
        if cluster.contains('\n') {
            self.end_word();
            self.spaces = Piece::default();
            return self.end_row();
        }
        let (cluster, wide) = match cluster_width(cluster) {
            wide if wide > self.columns.saturating_sub(self.indent).max(1) => (TOO_WIDE, 1),
            wide => (cluster, wide),
        };
        match self.breaks {
            Break::Anywhere => {
                if self.row.width + wide > self.room() {
                    self.end_row();
                }
                self.row.push(cluster, style, wide);
            }
            Break::Words if cluster == " " => {
                self.end_word();
                self.spaces.push(cluster, style, wide);
            }
            Break::Words => self.letter(cluster, style, wide),
        }
    }

    fn letter(&mut self, cluster: &str, style: Style, wide: usize) {
        if self.row.width + self.spaces.width + self.word.width + wide > self.room() {
            // The word does not fit behind the row.
            if self.row.width > 0 {
                self.end_row();
                self.spaces = Piece::default();
            } else if self.spaces.width > 0 && self.spaces.width + wide > self.room() {
                self.spaces = Piece::default();
            }
            if self.word.width > self.room() {
                self.break_word();
            }
            if self.row.width + self.spaces.width + self.word.width + wide > self.room() {
                self.end_word();
                self.end_row();
            }
        }
        self.word.push(cluster, style, wide);
        // A wide character of East Asia ends a word: such scripts have no spaces.
        if wide == 2 {
            self.end_word();
        }
    }

    /// Moves a word to the row that fitted the first row and is too long for the indented ones.
    fn break_word(&mut self) {
        for span in std::mem::take(&mut self.word).spans {
            for cluster in span.content.graphemes(true) {
                let wide = cluster_width(cluster);
                if self.row.width + wide > self.room() {
                    self.end_row();
                }
                self.row.push(cluster, span.style, wide);
            }
        }
    }

    /// Moves the spaces and the word to the row. They fit.
    fn end_word(&mut self) {
        if self.word.spans.is_empty() {
            return;
        }
        let spaces = std::mem::take(&mut self.spaces);
        self.row.append(spaces);
        let word = std::mem::take(&mut self.word);
        self.row.append(word);
    }

    fn end_row(&mut self) {
        self.done.push(std::mem::take(&mut self.row).spans);
    }

    fn finished(mut self) -> Vec<Row> {
        self.end_word();
        if !self.row.spans.is_empty() || self.done.is_empty() {
            self.end_row();
        }
        self.done
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use ratatui::style::Modifier;

    use super::*;
    use crate::text::clean;

    #[test]
    fn widths_are_those_of_the_screen() {
        for (text, columns) in [
            ("", 0),
            ("abc", 3),
            ("日本", 4),
            ("e\u{301}", 1),
            ("👨‍👩‍👧‍👦", 2),
            ("🇩🇪", 2),
            ("❤️", 2),
            ("שלום", 4),
            ("مرحبا", 5),
        ] {
            assert_eq!(width(text), columns, "{text}");
        }
    }

    #[test]
    fn a_cut_text_ends_with_an_ellipsis() {
        assert_eq!(fit("abcdef", 6), "abcdef");
        assert_eq!(fit("abcdef", 4), "abc…");
        assert_eq!(fit("日本語", 5), "日本…");
        assert_eq!(fit("日本語", 4), "日…");
        assert_eq!(fit("日本語", 1), "…");
        assert_eq!(fit("👨‍👩‍👧‍👦👨‍👩‍👧‍👦", 3), "👨‍👩‍👧‍👦…");
        assert_eq!(fit("a\nb", 0), "");
        assert_eq!(padded("日本語", 4), "日… ");
    }

    #[test]
    fn lines_break_between_words() {
        assert_eq!(wrapped("one two  three", 8), ["one two", "three"]);
        assert_eq!(wrapped("a\n\n  b", 8), ["a", "", "  b"]);
        assert_eq!(wrapped("", 8), [""]);
        assert_eq!(wrapped("go abcdefghij", 4), ["go", "abcd", "efgh", "ij"]);
        assert_eq!(wrapped("日本語です", 5), ["日本", "語で", "す"]);
        assert_eq!(wrapped("שלום עולם", 5), ["שלום", "עולם"]);
    }

    #[test]
    fn one_column_is_enough() {
        assert_eq!(wrapped("ab 日", 1), ["a", "b", "\u{fffd}"]);
        assert_eq!(wrapped("ab", 0), ["a", "b"]);
    }

    #[test]
    fn styles_survive_and_later_lines_are_indented() {
        let bold = Style::new().add_modifier(Modifier::BOLD);
        let lines = wrap_spans(vec![Span::raw("one "), Span::styled("two three", bold)], 9, "  ");
        let expected = [
            Line::from(vec![Span::raw("one "), Span::styled("two", bold)]),
            Line::from(vec![Span::raw("  "), Span::styled("three", bold)]),
        ];
        assert_eq!(lines, expected);
    }

    proptest! {
        #[test]
        fn no_line_is_too_wide(text in "(\\PC| |\n|日|e\u{301}|👨‍👩‍👧‍👦|ᄀ|[a-z]{1,9}){0,60}", columns in 1_usize..20, indent in " {0,12}") {
            let text = clean(&text);
            for line in wrapped(&text, columns) {
                prop_assert!(width(&line) <= columns, "{line:?}");
            }
            for line in wrap_spans(vec![Span::raw(text.clone())], columns, &indent) {
                prop_assert!(row_width(&line.spans) <= columns, "{line:?}");
            }
            prop_assert!(width(&fit(&text, columns)) <= columns);
            prop_assert_eq!(width(&padded(&text, columns)), columns);
        }
    }
}
