//! The log of a run: plain lines, their bounds, and the part of them that is on screen.
//!
//! Invariants: no control sequence of a terminal gets into a line, also when it is split between two parts. The log
//! keeps its end: at most [`LINES`] lines and [`BYTES`] bytes. Drawing wraps only the lines on screen.

use std::collections::VecDeque;

use crate::action::Action;
use crate::text;

/// Maximum number of lines.
const LINES: usize = 5_000;
/// Maximum size of all lines.
const BYTES: usize = 1024 * 1024;
/// Maximum size of a line; a longer one is broken.
const LINE: usize = 2_000;

/// The state of a reader of control sequences.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Reading {
    /// Ordinary text.
    #[default]
    Text,
    /// Behind an escape character.
    Escape,
    /// In a control sequence such as a colour.
    Sequence,
    /// In a string for the terminal, such as a title.
    Title,
    /// In a string, behind an escape character that may end it.
    TitleEscape,
    /// Behind a carriage return.
    Return,
}

/// The first row on screen: a line by its number from the beginning of the log, and a row of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Anchor {
    line: usize,
    row: usize,
}

/// A log.
#[derive(Debug, Default)]
pub(crate) struct Log {
    lines: VecDeque<String>,
    bytes: usize,
    /// Lines that were dropped from the beginning.
    dropped: usize,
    /// The line that has not ended.
    open: String,
    reading: Reading,
    /// The first row on screen; none follows the end.
    first: Option<Anchor>,
    columns: usize,
    height: usize,
}

impl Log {
    /// Begins anew with the same position on screen.
    pub(crate) fn clear(&mut self) {
        let Self { first, columns, height, .. } = *self;
        *self = Self { first, columns, height, ..Self::default() };
    }

    /// Whether there is no text.
    pub(crate) fn is_empty(&self) -> bool {
        self.lines.is_empty() && self.open.is_empty()
    }

    /// The number of lines that were dropped.
    pub(crate) fn dropped(&self) -> usize {
        self.dropped
    }

    /// Whether the end is on screen and stays there.
    pub(crate) fn follows(&self) -> bool {
        self.first.is_none()
    }

    /// The whole text that is kept.
    pub(crate) fn text(&self) -> String {
        let mut text = String::with_capacity(self.bytes + self.lines.len() + self.open.len());
        for line in &self.lines {
            text.push_str(line);
            text.push('\n');
        }
        text.push_str(&text::clean(&self.open));
        text
    }

    /// Adds a part.
    pub(crate) fn add(&mut self, part: &str) {
        for letter in part.chars() {
            self.letter(letter);
        }
    }

    #[expect(clippy::match_same_arms, reason = "the arms are in the order of the states, and the first one counts")]
    fn letter(&mut self, letter: char) {
        self.reading = match (self.reading, letter) {
            (Reading::Title, '\u{1b}') => Reading::TitleEscape,
            (Reading::Title, '\u{7}' | '\u{9c}') | (Reading::TitleEscape, '\\') => Reading::Text,
            // A string that never ends must not hide the rest of the log.
            (Reading::Title | Reading::TitleEscape, '\n') => {
                self.end_line();
                Reading::Text
            }
            (Reading::Title | Reading::TitleEscape, _) => Reading::Title,
            (Reading::Sequence, ' '..='?') => Reading::Sequence,
            (Reading::Sequence, '@'..='~') => Reading::Text,
            (Reading::Escape, '[') | (Reading::Text | Reading::Return, '\u{9b}') => Reading::Sequence,
            (Reading::Escape, ']' | 'P' | 'X' | '^' | '_') => Reading::Title,
            (Reading::Escape, ' '..='/') => Reading::Escape,
            (Reading::Escape, '0'..='~') => Reading::Text,
            (_, '\u{1b}') => Reading::Escape,
            (_, '\n') => {
                self.end_line();
                Reading::Text
            }
            (_, '\r') => Reading::Return,
            (before, letter) => {
                // A carriage return alone would write over the line; both states of the line are kept.
                if before == Reading::Return {
                    self.end_line();
                }
                self.write(letter);
                Reading::Text
            }
        };
    }

    fn write(&mut self, letter: char) {
        self.open.push(letter);
        if self.open.len() >= LINE {
            self.end_line();
        }
    }

    fn end_line(&mut self) {
        let line = text::clean(&std::mem::take(&mut self.open));
        self.bytes += line.len();
        self.lines.push_back(line);
        while self.lines.len() > LINES || self.bytes > BYTES {
            let Some(line) = self.lines.pop_front() else { break };
            self.bytes -= line.len();
            self.dropped += 1;
        }
    }

    /// The number after the last line.
    fn end(&self) -> usize {
        self.dropped + self.lines.len() + usize::from(!self.open.is_empty())
    }

    /// The rows of a line.
    fn rows(&self, line: usize) -> Vec<String> {
        let index = line.saturating_sub(self.dropped);
        match self.lines.get(index) {
            Some(line) => text::wrapped(line, self.columns),
            None => text::wrapped(&text::clean(&self.open), self.columns),
        }
    }

    /// The rows on screen, for an area of this size.
    pub(crate) fn visible(&mut self, columns: usize, height: usize) -> Vec<String> {
        (self.columns, self.height) = (columns, height);
        if columns == 0 || height == 0 {
            return Vec::new();
        }
        let last = self.last();
        // After a change of the size or of the log, an anchor may be behind the last one.
        let first = self.first.map_or(last, |first| self.limited(first).min(last));
        let mut rows = Vec::with_capacity(height);
        for line in first.line..self.end() {
            let skipped = if line == first.line { first.row } else { 0 };
            rows.extend(self.rows(line).into_iter().skip(skipped).take(height - rows.len()));
            if rows.len() >= height {
                break;
            }
        }
        rows
    }

    /// An anchor in the lines that are kept.
    fn limited(&self, anchor: Anchor) -> Anchor {
        if anchor.line < self.dropped { Anchor { line: self.dropped, row: 0 } } else { anchor }
    }

    /// The first row on screen when the end is on screen.
    fn last(&self) -> Anchor {
        self.before(Anchor { line: self.end(), row: 0 }, self.height)
    }

    /// The row that is `count` rows before another one.
    fn before(&self, from: Anchor, count: usize) -> Anchor {
        let Anchor { mut line, mut row } = from;
        let mut left = count;
        while left > row {
            if line <= self.dropped {
                return Anchor { line: self.dropped, row: 0 };
            }
            left -= row;
            line -= 1;
            row = self.rows(line).len();
        }
        Anchor { line, row: row - left }
    }

    /// The row that is `count` rows behind another one.
    fn after(&self, from: Anchor, count: usize) -> Anchor {
        let Anchor { mut line, row } = from;
        let mut left = count + row;
        while line < self.end() {
            let rows = self.rows(line).len().max(1);
            if left < rows {
                break;
            }
            left -= rows;
            line += 1;
        }
        Anchor { line, row: if line < self.end() { left } else { 0 } }
    }

    /// Moves through the log. Says whether the action was a movement.
    pub(crate) fn act(&mut self, action: &Action) -> bool {
        let page = self.height.max(2) - 1;
        let last = self.last();
        let now = self.first.map_or(last, |first| self.limited(first).min(last));
        let next = match action {
            Action::Up => self.before(now, 1),
            Action::PageUp => self.before(now, page),
            Action::Top => Anchor { line: self.dropped, row: 0 },
            Action::Down => self.after(now, 1),
            Action::PageDown => self.after(now, page),
            Action::Bottom => last,
            _ => return false,
        };
        self.first = Some(next).filter(|next| *next < last);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn log(parts: &[&str]) -> Log {
        let mut log = Log::default();
        for part in parts {
            log.add(part);
        }
        log
    }

    #[test]
    fn control_sequences_are_removed_also_when_they_are_split() {
        let whole =
            "\u{1b}[31mred\u{1b}[0m \u{1b}]0;title\u{7}plain\u{9b}1mbold\u{1b}(B\u{1b}]8;;x\u{1b}\\link\r\nnext";
        for at in whole.char_indices().map(|(at, _)| at) {
            let (one, two) = whole.split_at(at);
            assert_eq!(log(&[one, two]).text(), "red plainboldlink\nnext", "{at}");
        }
    }

    #[test]
    fn a_title_without_an_end_hides_one_line_at_most() {
        assert_eq!(log(&["a\u{1b}]0;b\nc"]).text(), "a\nc");
    }

    #[test]
    fn a_carriage_return_begins_a_line() {
        assert_eq!(log(&["10 %\r", "20 %\r\n", "end\r\n"]).text(), "10 %\n20 %\nend\n");
    }

    #[test]
    fn the_end_of_a_long_log_is_kept() {
        let mut log = Log::default();
        for number in 0..=LINES {
            log.add(&format!("{number}\n"));
        }
        assert_eq!(log.dropped(), 1);
        assert!(log.text().starts_with("1\n"));
        log.add(&"x".repeat(3 * BYTES));
        assert!(log.text().len() < BYTES + BYTES / 100);
    }

    #[test]
    fn the_end_is_followed_unless_one_scrolls_up() {
        let mut log = log(&["1\n2\n3\n4\n"]);
        assert_eq!(log.visible(10, 2), ["3", "4"]);
        log.add("5\n");
        assert_eq!(log.visible(10, 2), ["4", "5"]);
        assert!(log.act(&Action::Up));
        log.add("6\n");
        assert_eq!(log.visible(10, 2), ["3", "4"]);
        assert!(!log.follows());
        log.act(&Action::Down);
        log.act(&Action::Down);
        assert_eq!(log.visible(10, 2), ["5", "6"]);
        assert!(log.follows());
        log.act(&Action::Top);
        assert_eq!(log.visible(10, 2), ["1", "2"]);
        log.act(&Action::Bottom);
        assert!(log.follows());
    }

    #[test]
    fn a_wrapped_line_is_scrolled_by_rows() {
        let mut log = log(&["aaa bbb ccc\nd"]);
        assert_eq!(log.visible(3, 2), ["ccc", "d"]);
        log.act(&Action::Up);
        assert_eq!(log.visible(3, 2), ["bbb", "ccc"]);
        log.act(&Action::PageUp);
        log.act(&Action::PageUp);
        assert_eq!(log.visible(3, 2), ["aaa", "bbb"]);
        assert_eq!(log.visible(20, 2), ["aaa bbb ccc", "d"]);
        assert!(log.visible(0, 5).is_empty());
    }
}
