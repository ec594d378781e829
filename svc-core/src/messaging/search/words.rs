//! What a word is, the same for both engines: a run of letters and digits, compared without case and
//! without the accents of Latin letters.
//!
//! The words of a message are made here and given to the engines as they are. PostgreSQL's own would
//! depend on the locale of the database and take addresses and hyphens for words; SQLite's take every
//! character that is younger than their table for a letter.

use std::borrow::Cow;

use unicode_normalization::char::decompose_canonical;

use crate::limits;

/// The words of a text and where they begin.
pub(super) fn of(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let pieces = text.split_inclusive(|letter: char| !is_part(letter)).scan(0, |next, piece| {
        let start = *next;
        *next += piece.len();
        Some((start, piece.trim_end_matches(|letter: char| !is_part(letter))))
    });
    pieces.filter(|(_, word)| word.chars().any(char::is_alphanumeric))
}

/// Letters, digits, and the accents that are written as characters of their own.
pub(super) fn is_part(letter: char) -> bool {
    letter.is_alphanumeric() || is_accent(letter)
}

fn is_accent(letter: char) -> bool {
    ('\u{300}'..='\u{36f}').contains(&letter)
}

/// As much of a word as is looked at, and whether that is all of it. PostgreSQL's words are bounded.
pub(super) fn cut(word: &str) -> (&str, bool) {
    let end = word.floor_char_boundary(limits::SEARCH_WORD_MAX);
    (word.get(..end).unwrap_or_default(), end == word.len())
}

/// A word as it is compared.
pub(super) fn fold(word: &str) -> Cow<'_, str> {
    if word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit()) {
        return Cow::Borrowed(word);
    }
    if word.is_ascii() {
        return Cow::Owned(word.to_ascii_lowercase());
    }
    let mut plain = String::with_capacity(word.len());
    // Each letter by itself: the last letter of a Greek word is written like any other.
    for letter in word.chars().flat_map(char::to_lowercase) {
        match without_accents(letter) {
            _ if is_accent(letter) && plain.ends_with(|last: char| last.is_ascii_alphabetic()) => {}
            Some(base) => plain.push(base),
            None => plain.push(letter),
        }
    }
    Cow::Owned(plain)
}

/// The Latin letter under the accents, if it is one.
fn without_accents(letter: char) -> Option<char> {
    let mut first = None;
    decompose_canonical(letter, |part| first = first.or(Some(part)));
    first.filter(char::is_ascii_alphabetic)
}

/// The words of a text with spaces between them, for SQLite's index.
pub(super) fn spaced(text: &str) -> String {
    let mut spaced = String::with_capacity(text.len() + 1);
    for (_, word) in of(text) {
        spaced.push_str(&fold(cut(word).0));
        spaced.push(' ');
    }
    spaced
}

/// The words of a message as the text of a `tsvector` of PostgreSQL, with their places.
pub(crate) fn tsvector(subject: &str, body: &str) -> String {
    let mut vector = String::with_capacity(body.len() * 2);
    let mut place = 0_usize;
    for text in [subject, body] {
        for (_, word) in of(text) {
            place += 1;
            let word = fold(cut(word).0);
            // Letters and digits only, so there is nothing to escape.
            vector.push('\'');
            vector.push_str(&word);
            vector.push_str("':");
            vector.push_str(&place.min(LAST_PLACE).to_string());
            vector.push(' ');
        }
        // No phrase begins in the subject and ends in the body.
        place += 1;
    }
    vector
}

/// Words further back have no place of their own in PostgreSQL; they are found, but not in phrases.
const LAST_PLACE: usize = 16_383;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn words_are_runs_of_letters_and_digits() {
        let text = "left-pad v1.2, d'accord: e\u{301}te\u{301} 数据库🙂x_y";
        let found: Vec<_> = of(text).collect();
        assert_eq!(
            found.iter().map(|(_, word)| *word).collect::<Vec<_>>(),
            ["left", "pad", "v1", "2", "d", "accord", "e\u{301}te\u{301}", "数据库", "x", "y"]
        );
        assert!(found.iter().all(|(start, word)| text[*start..].starts_with(word)));
        assert_eq!(of("\u{301} - !").count(), 0);
    }

    #[test]
    fn case_and_latin_accents_do_not_count() {
        for (word, folded) in [
            ("Deploy", "deploy"),
            ("Ünïcode", "unicode"),
            ("e\u{301}TE\u{301}", "ete"),
            ("ΣΊΣΥΦΟΣ", "σίσυφοσ"),
            ("Й", "й"),
            ("が", "が"),
            ("ਸ਼", "ਸ਼"),
            ("한국", "한국"),
            ("Straße", "straße"),
            ("ệ", "e"),
            ("İ", "i"),
        ] {
            assert_eq!(fold(word), folded, "{word}");
        }
    }

    #[test]
    fn a_message_becomes_its_words_with_places() {
        assert_eq!(tsvector("Über uns", "a b-A"), "'uber':1 'uns':2 'a':4 'b':5 'a':6 ");
        assert_eq!(tsvector("", "🙂 ' \\ :"), "");
        assert_eq!(spaced("Über 🙂 uns, d'accord"), "uber uns d accord ");
    }

    proptest! {
        #[test]
        fn folding_is_done_once(word in "[\\w\u{300}-\u{310}]{1,12}") {
            let folded = fold(&word).into_owned();
            prop_assert_eq!(fold(&folded), folded.as_str());
        }

        #[test]
        fn nothing_but_words_gets_into_quotes(subject in "\\PC{0,20}", body in "\\PC{0,60}|['\\\\: a-c]{0,60}") {
            for piece in tsvector(&subject, &body).split_terminator(' ') {
                let (word, place) = piece.rsplit_once(':').unwrap();
                let word = word.strip_prefix('\'').unwrap().strip_suffix('\'').unwrap();
                prop_assert!(!word.is_empty() && !word.contains(['\'', '\\', ' ']));
                prop_assert!(place.parse::<usize>().unwrap() > 0);
            }
        }
    }
}
