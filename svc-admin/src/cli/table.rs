//! Tables that fit the terminal.
//!
//! Invariants: a line is never wider than the terminal, and truncated cells are marked; stored text cannot control
//! the terminal.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::output::{Output, Tone};

/// Space between columns.
const GAP: usize = 2;
/// Minimum width of a column while another can be truncated.
const NARROW: usize = 8;

/// One cell.
#[derive(Debug, Clone)]
pub(super) struct Cell {
    text: String,
    tone: Tone,
    whole: bool,
}

impl Cell {
    pub(super) fn new(text: impl Into<String>) -> Self {
        Self::toned(text, Tone::Plain)
    }

    pub(super) fn toned(text: impl Into<String>, tone: Tone) -> Self {
        // Stored text must not control the terminal.
        let text = text.into().chars().map(|char| if char.is_control() { ' ' } else { char }).collect();
        Self { text, tone, whole: false }
    }

    /// A cell that is useless when truncated: an id, a time. Its column is truncated last.
    pub(super) fn whole(text: impl Into<String>) -> Self {
        Self::new(text).kept()
    }

    /// Marks the cell as one not to truncate.
    pub(super) fn kept(self) -> Self {
        Self { whole: true, ..self }
    }
}

/// Draws rows below a heading; nothing at all when there are none. The widest columns are truncated first when space
/// is short.
pub(super) fn draw(output: &Output, heading: &[&str], rows: &[Vec<Cell>]) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let heading: Vec<_> = heading.iter().map(|text| Cell::toned(*text, Tone::Heading)).collect();
    draw_rows(output, std::iter::once(&heading).chain(rows))
}

/// Draws pairs of a name and its value.
pub(super) fn pairs(output: &Output, pairs: &[(&str, Cell)]) -> String {
    let rows: Vec<Vec<_>> =
        pairs.iter().map(|(name, value)| vec![Cell::toned(*name, Tone::Heading), value.clone()]).collect();
    draw_rows(output, rows.iter())
}

fn draw_rows<'a>(output: &Output, rows: impl Iterator<Item = &'a Vec<Cell>> + Clone) -> String {
    let columns = rows.clone().map(Vec::len).max().unwrap_or(0);
    let widths: Vec<(usize, bool)> = (0..columns)
        .map(|column| {
            let cells = rows.clone().filter_map(|row| row.get(column));
            let widest = cells.clone().map(|cell| width(&cell.text)).max().unwrap_or(0);
            (widest, cells.clone().any(|cell| cell.whole))
        })
        .collect();
    let widths = fit(&widths, output.width().unwrap_or(usize::MAX));
    let mut drawn = String::new();
    for row in rows {
        let mut room = output.width().unwrap_or(usize::MAX);
        for (column, cell) in row.iter().enumerate() {
            let text = shorten(&cell.text, room.min(widths[column]));
            drawn.push_str(&output.paint(cell.tone, &text));
            room -= width(&text);
            if column + 1 < row.len() {
                let padding = room.min(widths[column] + GAP - width(&text));
                drawn.push_str(&" ".repeat(padding));
                room -= padding;
            }
        }
        drawn.truncate(drawn.trim_end_matches(' ').len());
        drawn.push('\n');
    }
    drawn
}

/// Narrows the widest truncatable column repeatedly, until all fit or all are narrow.
fn fit(columns: &[(usize, bool)], room: usize) -> Vec<usize> {
    let mut widths: Vec<usize> = columns.iter().map(|(width, _)| *width).collect();
    let gaps = GAP * widths.len().saturating_sub(1);
    while widths.iter().sum::<usize>() + gaps > room {
        let flexible = widths.iter_mut().zip(columns).filter(|(_, (_, whole))| !whole).map(|(width, _)| width);
        match flexible.max_by_key(|width| **width) {
            Some(widest) if *widest > NARROW => *widest -= 1,
            _ => break,
        }
    }
    widths
}

fn width(text: &str) -> usize {
    text.width()
}

/// Truncates a text that does not fit, and marks it.
fn shorten(text: &str, room: usize) -> String {
    if width(text) <= room {
        return text.to_owned();
    }
    let mut short = String::new();
    let mut left = room.saturating_sub(1);
    for character in text.chars() {
        let taken = character.width().unwrap_or(0);
        if taken > left {
            break;
        }
        left -= taken;
        short.push(character);
    }
    if room > 0 {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(output: &Output) -> String {
        let rows = vec![
            vec![Cell::new("sweep"), Cell::toned("idle", Tone::Good), Cell::new("")],
            vec![
                Cell::new("retention"),
                Cell::toned("failing", Tone::Bad),
                Cell::new("the disk is\nfull of old things"),
            ],
        ];
        draw(output, &["WORKER", "STATE", "ERROR"], &rows)
    }

    #[test]
    fn a_pipe_gets_everything_without_colours() {
        assert_eq!(
            sample(&Output::pipe()),
            "WORKER     STATE    ERROR\n\
             sweep      idle\n\
             retention  failing  the disk is full of old things\n"
        );
    }

    #[test]
    fn a_terminal_gets_lines_that_fit_and_colours() {
        assert!(sample(&Output::terminal(30)).contains("\x1b[31mfailing\x1b[0m"));
        for columns in [0, 1, 5, 15, 30, 50] {
            assert_fits(columns);
        }
    }

    fn assert_fits(columns: usize) {
        let drawn = sample(&Output::terminal(columns));
        let plain =
            ["\x1b[1m", "\x1b[31m", "\x1b[32m", "\x1b[0m"].iter().fold(drawn, |text, code| text.replace(code, ""));
        assert!(plain.lines().all(|line| width(line) <= columns), "{plain}");
        assert_eq!(plain.contains('…'), (1..50).contains(&columns), "{plain}");
    }

    #[test]
    fn the_widest_columns_are_truncated() {
        let flexible =
            |widths: &[usize], room| fit(&widths.iter().map(|width| (*width, false)).collect::<Vec<_>>(), room);
        assert_eq!(flexible(&[4, 30, 10, 60], 80), [4, 30, 10, 30]);
        assert_eq!(flexible(&[4, 60, 10, 60], 80), [4, 30, 10, 30]);
        assert_eq!(flexible(&[20, 20], 10), [NARROW, NARROW]);
        assert_eq!(flexible(&[1, 2], 80), [1, 2]);
        assert_eq!(fit(&[(19, true), (30, false)], 40), [19, 19]);
        assert_eq!(fit(&[(19, true), (30, true)], 40), [19, 30], "whole cells are only cut at the right edge");
    }

    #[test]
    fn wide_characters_take_two_columns() {
        assert_eq!((width("漢字"), shorten("漢字漢字", 5), shorten("漢字", 4)), (4, "漢字…".into(), "漢字".into()));
    }
}
