//! Removal of everything in a text that would act on the terminal instead of being shown.
//!
//! Invariants: the result of [`clean`] has no control character except `\n`, no character that changes the direction
//! of its neighbours, no long run of characters without width, and no endless cluster. The running time is linear.

use svc_core::formats::looks::{is_hidden, is_line_break};
use unicode_segmentation::UnicodeSegmentation as _;
use unicode_width::UnicodeWidthChar;

const TAB: usize = 4;
/// Maximum number of characters without width in a row. Scripts with many marks have up to five.
const MARKS_MAX: usize = 8;
/// Maximum number of joiners in one sequence. The longest emoji has four.
const JOINS_MAX: usize = 8;
/// Maximum number of characters of a grapheme cluster. The longest emoji has ten.
const CLUSTER_MAX: usize = 32;

const JOINER: char = '\u{200d}';
const NON_JOINER: char = '\u{200c}';

/// Makes a text of many lines safe for the terminal. Line breaks of every kind become `\n`, tabs become spaces up to
/// the next tab stop, and control characters become their pictures.
pub(crate) fn clean(text: &str) -> String {
    let mut cleaning = Cleaning { out: String::with_capacity(text.len()), ..Cleaning::default() };
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\r' if characters.peek() == Some(&'\n') => {}
            character if is_line_break(character) => cleaning.line_break(),
            '\t' => cleaning.tab(),
            character => cleaning.character(character, characters.peek().copied()),
        }
    }
    bounded(cleaning.out)
}

/// Replaces clusters without end: letters of some scripts join without limit, and ratatui draws a cluster at once.
fn bounded(text: String) -> String {
    if text.is_ascii() || text.graphemes(true).all(|cluster| cluster.chars().count() <= CLUSTER_MAX) {
        return text;
    }
    text.graphemes(true)
        .map(|cluster| if cluster.chars().count() <= CLUSTER_MAX { cluster } else { "\u{fffd}" })
        .collect()
}

/// Makes a text safe for the terminal and puts it on one line, with one space for every run of white space.
pub(crate) fn one_line(text: &str) -> String {
    let cleaned = clean(text);
    let mut line = String::with_capacity(cleaned.len());
    for word in cleaned.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    line
}

#[derive(Default)]
struct Cleaning {
    out: String,
    column: usize,
    /// Characters without width since the last one with a width.
    marks: usize,
    /// Joiners in the current sequence.
    joins: usize,
    last: Option<char>,
}

impl Cleaning {
    fn line_break(&mut self) {
        self.out.push('\n');
        self.column = 0;
        self.marks = 0;
        self.joins = 0;
        self.last = None;
    }

    fn tab(&mut self) {
        for _ in 0..TAB - self.column % TAB {
            self.visible(' ', 1);
        }
    }

    fn character(&mut self, character: char, next: Option<char>) {
        if character.is_control() {
            return self.visible(picture(character), 1);
        }
        if character == JOINER || character == NON_JOINER {
            return self.joiner(character, next);
        }
        if is_hidden(character) && !self.may_stay(character) {
            return;
        }
        match character.width() {
            Some(0) | None => self.mark(character),
            Some(width) => self.visible(character, width),
        }
    }

    fn visible(&mut self, character: char, width: usize) {
        if self.last != Some(JOINER) {
            self.joins = 0;
        }
        self.out.push(character);
        self.column += width;
        self.marks = 0;
        self.last = Some(character);
    }

    fn mark(&mut self, character: char) {
        if self.marks < MARKS_MAX {
            self.out.push(character);
            self.marks += 1;
            self.last = Some(character);
        }
    }

    /// Keeps a joiner between two characters that it can join: of an emoji, or of a script with joined letters.
    fn joiner(&mut self, joiner: char, next: Option<char>) {
        let joins = |character: char| !character.is_ascii() && !character.is_whitespace() && !character.is_control();
        let before = self.last.is_some_and(|last| joins(last) && last != JOINER && last != NON_JOINER);
        let after = next.is_some_and(|next| joins(next) && !is_hidden(next));
        if before && after && self.joins < JOINS_MAX {
            self.joins += 1;
            self.mark(joiner);
        }
    }

    /// Whether an invisible character has a use here: a selector of the form of the preceding character, or a blank
    /// pattern of Braille.
    fn may_stay(&self, character: char) -> bool {
        match character {
            '\u{2800}' => true,
            '\u{fe00}'..='\u{fe0f}' => {
                self.last.is_some_and(|last| !last.is_whitespace() && (!is_hidden(last) || last == '\u{2800}'))
            }
            _ => false,
        }
    }
}

/// The visible picture of a control character.
fn picture(control: char) -> char {
    match u32::from(control) {
        code @ 0..0x20 => char::from_u32(0x2400 + code).unwrap_or(char::REPLACEMENT_CHARACTER),
        0x7f => '\u{2421}',
        _ => char::REPLACEMENT_CHARACTER,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn control_sequences_become_pictures() {
        assert_eq!(clean("a\u{1b}]0;x\u{7}b"), "a␛]0;x␇b");
        assert_eq!(clean("\u{1b}[2J"), "␛[2J");
        assert_eq!(clean("\u{9b}2J\u{7f}\0"), "\u{fffd}2J␡␀");
    }

    #[test]
    fn line_breaks_of_every_kind_are_line_feeds() {
        assert_eq!(clean("a\r\nb\rc\u{2028}d\u{85}e\n"), "a\nb\nc\nd\ne\n");
        assert_eq!(one_line(" a\r\n\tb  c\n"), "a b c");
    }

    #[test]
    fn tabs_reach_the_next_tab_stop() {
        assert_eq!(clean("\ta\tb\n日\tc"), "    a   b\n日  c");
    }

    #[test]
    fn characters_that_reorder_or_hide_are_removed() {
        assert_eq!(clean("a\u{202e}b\u{2066}c\u{200f}d\u{61c}e\u{200b}f\u{feff}g\u{e0041}"), "abcdefg");
        assert_eq!(clean("a\u{200d}b\u{200c} \u{fe0f}"), "ab ");
    }

    #[test]
    fn emoji_and_scripts_keep_their_joiners_and_marks() {
        for text in ["👨‍👩‍👧‍👦", "🏳️‍🌈", "1️⃣", "❤️", "🇩🇪", "می‌خواهم", "שָׁלוֹם", "e\u{301}", "क्‍ष"]
        {
            assert_eq!(clean(text), text);
        }
    }

    #[test]
    fn runs_without_width_are_cut() {
        assert_eq!(clean(&format!("e{}", "\u{301}".repeat(60_000))).chars().count(), 1 + MARKS_MAX);
        let chain = clean(&"😀\u{200d}".repeat(1_000));
        assert!(chain.graphemes(true).all(|cluster| cluster.chars().count() <= 2 * JOINS_MAX + 1));
    }

    #[test]
    fn letters_that_form_one_endless_cluster_are_replaced() {
        assert_eq!(clean(&"ᄀ".repeat(40_000)), "\u{fffd}");
        assert_eq!(clean("각하 ᄀᄀ"), "각하 ᄀᄀ");
    }

    proptest! {
        #[test]
        fn nothing_acts_on_the_terminal(text in "\\PC*|(\\p{Cc}|\\p{Cf}|\\p{Mn}|[a-z]|\\p{So}){0,40}") {
            let cleaned = clean(&text);
            prop_assert!(!cleaned.contains(|character: char| character.is_control() && character != '\n'));
            let reorders = |character| matches!(character, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
            let reordered = cleaned.contains(reorders);
            prop_assert!(!reordered);
            prop_assert!(!one_line(&text).contains('\n'));
        }
    }
}
