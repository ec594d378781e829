//! A field for text: its content and the cursor, by grapheme clusters.

use unicode_segmentation::{GraphemeCursor, UnicodeSegmentation};

use crate::action::Action;
use crate::text;

/// Maximum size of the text, in bytes. A message may have a quarter of it; the hub says so when it is sent.
const TEXT_MAX: usize = 256 * 1024;

/// A text that is being written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Editor {
    text: String,
    /// The position of the cursor, in bytes, between two grapheme clusters.
    cursor: usize,
}

impl Editor {
    /// A field with this text, and the cursor at its end.
    pub(crate) fn new(text: &str) -> Self {
        let text = text::clean(text);
        Self { cursor: text.len(), text }
    }

    /// The text.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The text before the cursor.
    pub(crate) fn before(&self) -> &str {
        &self.text[..self.cursor]
    }

    /// Replaces the text.
    pub(crate) fn set(&mut self, text: &str) {
        *self = Self::new(text);
    }

    /// Takes the text, and leaves the field empty.
    pub(crate) fn take(&mut self) -> String {
        self.cursor = 0;
        std::mem::take(&mut self.text)
    }

    /// Replaces the last `bytes` bytes before the cursor.
    pub(crate) fn replace_before(&mut self, bytes: usize, text: &str) {
        let start = self.cursor.saturating_sub(bytes);
        if self.text.is_char_boundary(start) {
            self.text.replace_range(start..self.cursor, text);
            self.cursor = start + text.len();
        }
    }

    /// Carries out an action of typing or of moving the cursor. Says whether it was one.
    pub(crate) fn act(&mut self, action: &Action) -> bool {
        match action {
            Action::Insert(character) => self.insert(character.encode_utf8(&mut [0; 4])),
            Action::Paste(text) => self.insert(text),
            Action::NewLine => self.insert("\n"),
            Action::Backspace => self.remove(self.previous(), self.cursor),
            Action::Delete => self.remove(self.cursor, self.next()),
            Action::DeleteWord => self.remove(self.word_start(), self.cursor),
            Action::DeleteLine => self.remove(self.line_start(), self.cursor),
            Action::Left => self.cursor = self.previous(),
            Action::Right => self.cursor = self.next(),
            Action::WordLeft => self.cursor = self.word_start(),
            Action::WordRight => self.cursor = self.word_end(),
            Action::LineStart => self.cursor = self.line_start(),
            Action::LineEnd => self.cursor = self.line_end(),
            Action::Up => return self.up(),
            Action::Down => return self.down(),
            _ => return false,
        }
        true
    }

    fn insert(&mut self, text: &str) {
        let text = text::clean(text);
        let room = TEXT_MAX.saturating_sub(self.text.len());
        let end = (0..=text.len().min(room)).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
        self.text.insert_str(self.cursor, &text[..end]);
        self.cursor += end;
    }

    fn remove(&mut self, from: usize, to: usize) {
        self.text.replace_range(from..to, "");
        self.cursor = from;
    }

    fn previous(&self) -> usize {
        let mut cursor = GraphemeCursor::new(self.cursor, self.text.len(), true);
        cursor.prev_boundary(&self.text, 0).ok().flatten().unwrap_or(0)
    }

    fn next(&self) -> usize {
        let mut cursor = GraphemeCursor::new(self.cursor, self.text.len(), true);
        cursor.next_boundary(&self.text, 0).ok().flatten().unwrap_or(self.text.len())
    }

    fn word_start(&self) -> usize {
        let before = self.before().trim_end();
        before.split_word_bound_indices().next_back().map_or(0, |(start, _)| start)
    }

    fn word_end(&self) -> usize {
        let after = &self.text[self.cursor..];
        let blank = after.len() - after.trim_start().len();
        let word = after[blank..].split_word_bounds().next().map_or(0, str::len);
        self.cursor + blank + word
    }

    fn line_start(&self) -> usize {
        self.before().rfind('\n').map_or(0, |end| end + 1)
    }

    fn line_end(&self) -> usize {
        self.text[self.cursor..].find('\n').map_or(self.text.len(), |length| self.cursor + length)
    }

    /// Moves to the line above, in about the same column. Says whether there is one.
    fn up(&mut self) -> bool {
        let start = self.line_start();
        let column = text::width(&self.text[start..self.cursor]);
        if start == 0 {
            return false;
        }
        let above = self.text[..start - 1].rfind('\n').map_or(0, |end| end + 1);
        self.cursor = above + at_column(&self.text[above..start - 1], column);
        true
    }

    /// Moves to the line below, in about the same column. Says whether there is one.
    fn down(&mut self) -> bool {
        let column = text::width(&self.text[self.line_start()..self.cursor]);
        let end = self.line_end();
        if end == self.text.len() {
            return false;
        }
        let below = end + 1;
        let length = self.text[below..].find('\n').unwrap_or(self.text.len() - below);
        self.cursor = below + at_column(&self.text[below..below + length], column);
        true
    }
}

/// The position in a line, in bytes, of a column.
fn at_column(line: &str, column: usize) -> usize {
    let mut passed = 0;
    for (start, cluster) in line.grapheme_indices(true) {
        passed += text::width(cluster);
        if passed > column {
            return start;
        }
    }
    line.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(text: &str, actions: &[Action]) -> Editor {
        let mut editor = Editor::new(text);
        for action in actions {
            editor.act(action);
        }
        editor
    }

    #[test]
    fn clusters_are_deleted_as_a_whole() {
        assert_eq!(typed("a👩‍👩‍👧", &[Action::Backspace]).text(), "a");
        assert_eq!(typed("ae\u{301}", &[Action::Backspace]).text(), "a");
        assert_eq!(typed("日本", &[Action::Left, Action::Backspace]).text(), "本");
    }

    #[test]
    fn words_and_lines_are_deleted() {
        assert_eq!(typed("one two", &[Action::DeleteWord]).text(), "one ");
        assert_eq!(typed("one\ntwo", &[Action::DeleteLine]).text(), "one\n");
        assert_eq!(typed("one two", &[Action::LineStart, Action::WordRight, Action::Insert('!')]).text(), "one! two");
    }

    #[test]
    fn the_cursor_keeps_its_column_between_lines() {
        let mut editor = typed("日本語\nabcdef", &[Action::Left, Action::Left]);
        assert!(editor.act(&Action::Up));
        assert_eq!(editor.before(), "日本");
        assert!(editor.act(&Action::Down));
        assert_eq!(editor.before(), "日本語\nabcd");
        assert!(!editor.act(&Action::Down));
    }

    #[test]
    fn control_sequences_are_not_taken_and_the_size_is_bounded() {
        assert!(!typed("", &[Action::Paste("a\x1b[31mb\u{9b}2J".to_owned())]).text().contains(['\x1b', '\u{9b}']));
        let long = typed("", &[Action::Paste("é".repeat(TEXT_MAX)), Action::Paste("x".to_owned())]);
        assert!(long.text().len() <= TEXT_MAX);
    }
}
