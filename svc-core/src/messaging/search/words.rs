//! The definition of a word for both engines: a run of letters and digits, compared without case
//! and without the accents of Latin letters.
//!
//! Words are split here and passed to the engines. PostgreSQL's own parser depends on the locale of
//! the database and treats addresses and hyphens as words; SQLite's tokenizer treats every
//! character newer than its table as a letter.

use std::borrow::Cow;

use unicode_normalization::char::decompose_canonical;

use crate::limits;

/// The words of a text and their byte offsets.
pub(super) fn of(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let pieces = text.split_inclusive(|letter: char| !is_part(letter)).scan(0, |next, piece| {
        let start = *next;
        *next += piece.len();
        Some((start, piece.trim_end_matches(|letter: char| !is_part(letter))))
    });
    pieces.filter(|(_, word)| word.chars().any(char::is_alphanumeric))
}

/// Letters, digits and combining accents.
pub(super) fn is_part(letter: char) -> bool {
    letter.is_alphanumeric() || is_accent(letter)
}

fn is_accent(letter: char) -> bool {
    ('\u{300}'..='\u{36f}').contains(&letter)
}

/// The beginning of a word that is used, and whether that is all of it. PostgreSQL limits the
/// length of words.
pub(super) fn cut(word: &str) -> (&str, bool) {
    let end = word.floor_char_boundary(limits::SEARCH_WORD_MAX);
    (word.get(..end).unwrap_or_default(), end == word.len())
}

/// The folded form of a word, for comparison.
pub(super) fn fold(word: &str) -> Cow<'_, str> {
    if word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit()) {
        return Cow::Borrowed(word);
    }
    if word.is_ascii() {
        return Cow::Owned(word.to_ascii_lowercase());
    }
    let mut plain = String::with_capacity(word.len());
    // Letter by letter, so that a final sigma is folded like any other sigma.
    for letter in word.chars().flat_map(char::to_lowercase) {
        match without_accents(letter) {
            _ if is_accent(letter) && plain.ends_with(|last: char| last.is_ascii_alphabetic()) => {}
            Some(base) => plain.push(base),
            None => plain.push(letter),
        }
    }
    Cow::Owned(plain)
}

/// The Latin base letter of an accented letter.
fn without_accents(letter: char) -> Option<char> {
    let mut first = None;
    decompose_canonical(letter, |part| first = first.or(Some(part)));
    first.filter(char::is_ascii_alphabetic)
}

/// The folded words of a text separated by spaces, for SQLite's index.
pub(crate) fn spaced(text: &str) -> String {
    let mut spaced = String::with_capacity(text.len() + 1);
    for (_, word) in of(text) {
        spaced.push_str(&fold(cut(word).0));
        spaced.push(' ');
    }
    spaced
}

/// The words of a message with their positions, as the text of a PostgreSQL `tsvector`.
pub(crate) fn tsvector(subject: &str, body: &str) -> String {
    weighted_tsvector([(subject, ""), (body, "")])
}

/// The words of an article with their positions, those of the title with the weight A.
pub(crate) fn titled_tsvector(title: &str, body: &str) -> String {
    weighted_tsvector([(title, "A"), (body, "")])
}

fn weighted_tsvector(texts: [(&str, &str); 2]) -> String {
    let [_, (body, _)] = texts;
    let mut vector = String::with_capacity(body.len() * 2);
    let mut position = 0_usize;
    for (text, weight) in texts {
        for (_, word) in of(text) {
            position += 1;
            let word = fold(cut(word).0);
            // The word contains only letters and digits, so nothing needs escaping.
            vector.push('\'');
            vector.push_str(&word);
            vector.push_str("':");
            vector.push_str(&position.min(LAST_POSITION).to_string());
            vector.push_str(weight);
            vector.push(' ');
        }
        // A gap, so that no phrase spans subject and body.
        position += 1;
    }
    vector
}

/// The largest position in PostgreSQL; later words are found, but not in phrases.
const LAST_POSITION: usize = 16_383;

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
    fn a_message_becomes_its_words_with_positions() {
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
        fn only_words_are_quoted(subject in "\\PC{0,20}", body in "\\PC{0,60}|['\\\\: a-c]{0,60}") {
            for piece in tsvector(&subject, &body).split_terminator(' ') {
                let (word, position) = piece.rsplit_once(':').unwrap();
                let word = word.strip_prefix('\'').unwrap().strip_suffix('\'').unwrap();
                prop_assert!(!word.is_empty() && !word.contains(['\'', '\\', ' ']));
                prop_assert!(position.parse::<usize>().unwrap() > 0);
            }
        }
    }
}
