//! Tables that fit the terminal.

use super::output::{Output, Tone};

/// How far apart columns stand.
const GAP: usize = 2;

/// One cell.
#[derive(Debug, Clone)]
pub(super) struct Cell {
    text: String,
    tone: Tone,
}

impl Cell {
    pub(super) fn new(text: impl Into<String>) -> Self {
        Self::toned(text, Tone::Plain)
    }

    pub(super) fn toned(text: impl Into<String>, tone: Tone) -> Self {
        // What comes from the store must not steer the terminal.
        let text = text.into().chars().map(|char| if char.is_control() { ' ' } else { char }).collect();
        Self { text, tone }
    }
}

/// Draws rows under a heading. The last column is the one that gives way when room is short.
pub(super) fn draw(output: &Output, heading: &[&str], rows: &[Vec<Cell>]) -> String {
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
    let widths: Vec<usize> = (0..columns)
        .map(|column| rows.clone().filter_map(|row| row.get(column)).map(|cell| width(&cell.text)).max().unwrap_or(0))
        .collect();
    let mut drawn = String::new();
    for row in rows {
        let mut room = output.width().unwrap_or(usize::MAX);
        for (column, cell) in row.iter().enumerate() {
            let text = shorten(&cell.text, room);
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

fn width(text: &str) -> usize {
    text.chars().count()
}

/// Cuts a text that has no room, and shows that it was cut.
fn shorten(text: &str, room: usize) -> String {
    if width(text) <= room {
        return text.to_owned();
    }
    let mut short: String = text.chars().take(room.saturating_sub(1)).collect();
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
}
