//! Emoji under messages, and the list of the emoji that the hub knows.
//!
//! Invariants:
//! - An [`Emoji`] is one of the list, or a variant of one with a skin tone, or for a woman or a man.
//! - Each emoji has one text: the one that asks for its coloured form. [`Emoji::parse`] also accepts the text without
//!   the variation selectors that ask for it.

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::limits;

/// The list: its comment says how to read it.
const LIST: &str = include_str!("emoji.txt");

/// Asks for the coloured form of the character before it.
const COLOURED: char = '\u{FE0F}';
const JOINER: char = '\u{200D}';
const PERSON: char = '\u{1F9D1}';

/// One emoji of the list.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Emoji(String);

/// A line of the list.
struct Line {
    text: &'static str,
    names: &'static str,
    has_tones: bool,
    has_signs: bool,
    has_persons: bool,
}

impl Emoji {
    /// Parses one emoji. The error names the field `emoji`.
    pub fn parse(text: &str) -> Result<Self> {
        let found = if text.len() > limits::EMOJI_BYTES_MAX { None } else { region(text).or_else(|| variant(text)) };
        found.map(Self).ok_or_else(|| Error::invalid("emoji", "must be one emoji that the hub knows, such as 🎉"))
    }

    /// The emoji with this name, such as `tada`.
    pub fn named(name: &str) -> Option<Self> {
        lines().find(|line| line.names.split(' ').any(|one| one == name)).map(|line| Self(line.text.to_owned()))
    }

    /// Its text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Display for Emoji {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// The lines with an emoji. Those of categories and comments, and the last one, begin with ASCII and have no emoji.
fn lines() -> impl Iterator<Item = Line> {
    LIST.lines().filter_map(|line| {
        let (text, rest) = line.split_once(' ')?;
        if text.is_ascii() {
            return None;
        }
        let variants = ["*+", "*=", "*", "+", "="];
        let (names, variants) = match rest.rsplit_once(' ') {
            Some((names, last)) if variants.contains(&last) => (names, last),
            _ => (rest, ""),
        };
        let has = |mark: char| variants.contains(mark);
        Some(Line { text, names, has_tones: has('*'), has_signs: has('+'), has_persons: has('=') })
    })
}

/// A flag of a region: two letters of its code.
fn region(text: &str) -> Option<String> {
    let letter = |one: char| char::from_u32(u32::from(one).checked_sub(0x1F1E6)? + u32::from('A'));
    let code: String = text.chars().map(letter).collect::<Option<_>>()?;
    let known = LIST.lines().last()?.split(' ').any(|region| region == code);
    (code.len() == 2 && known).then(|| text.to_owned())
}

/// An emoji of the list, or one of its variants.
fn variant(text: &str) -> Option<String> {
    let mut plain: Vec<char> = text.chars().filter(|one| *one != COLOURED).collect();
    if let Some(line) = with_text(&plain) {
        return written(text, line.text.to_owned());
    }
    let tone = plain.get(1).copied().filter(|one| ('\u{1F3FB}'..='\u{1F3FF}').contains(one));
    if tone.is_some() {
        plain.remove(1);
    }
    let sign = match plain.as_slice() {
        [.., JOINER, sign @ ('\u{2640}' | '\u{2642}')] => Some(*sign),
        _ => None,
    };
    // A sign is also the end of an emoji that a person takes part in.
    let sign = sign.filter(|_| with_text(&plain).is_none());
    if sign.is_some() {
        plain.truncate(plain.len() - 2);
    }
    let person = match plain.as_slice() {
        [person @ ('\u{1F468}' | '\u{1F469}'), JOINER, ..] => Some(*person),
        _ => None,
    };
    if person.is_some() {
        plain[0] = PERSON;
    }
    let line = with_text(&plain)?;
    let allowed = (tone.is_none() || line.has_tones)
        && (sign.is_none() || line.has_signs)
        && (person.is_none() || line.has_persons);
    if !allowed {
        return None;
    }
    let mut rest = line.text.chars();
    let first = rest.next()?;
    let rest = rest.as_str();
    let rest = if tone.is_some() { rest.strip_prefix(COLOURED).unwrap_or(rest) } else { rest };
    let mut whole = String::from(person.unwrap_or(first));
    whole.extend(tone);
    whole.push_str(rest);
    whole.extend(sign.into_iter().flat_map(|sign| [JOINER, sign, COLOURED]));
    written(text, whole)
}

/// The line whose text, without variation selectors, is this one.
fn with_text(plain: &[char]) -> Option<Line> {
    lines().find(|line| line.text.chars().filter(|one| *one != COLOURED).eq(plain.iter().copied()))
}

/// The emoji, if the text is its own, or its own without variation selectors.
fn written(text: &str, emoji: String) -> Option<String> {
    (text == emoji || text.chars().eq(emoji.chars().filter(|one| *one != COLOURED))).then_some(emoji)
}

/// An emoji under a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct EmojiCount {
    /// The emoji.
    pub emoji: String,
    /// The number of participants who chose it.
    pub count: u32,
    /// Whether the caller is one of them.
    pub mine: bool,
    /// The handles of the first 10 of them.
    pub names: Vec<String>,
}

/// The emoji under a message, the first one first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct MessageEmoji {
    /// The emoji.
    pub emoji: Vec<EmojiCount>,
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn parsed(text: &str) -> Option<String> {
        Emoji::parse(text).ok().map(|emoji| emoji.to_string())
    }

    #[test]
    fn emoji_and_their_variants_are_accepted() {
        for text in [
            "🎉",
            "❤️",
            "👍",
            "👍🏽",
            "✌️",
            "✌🏿",
            "🤷",
            "🤷‍♀️",
            "🤷🏽‍♂️",
            "🧑‍💻",
            "👩‍💻",
            "👨🏿‍💻",
            "🧑‍⚕️",
            "👩🏻‍⚕️",
            "⛹️‍♀️",
            "⛹🏽‍♀️",
            "🇩🇪",
            "🇺🇳",
            "🏳️‍🌈",
            "🏴‍☠️",
            "1️⃣",
            "#️⃣",
            "🐦‍🔥",
            "😮‍💨",
        ] {
            assert_eq!(parsed(text).as_deref(), Some(text));
        }
        assert_eq!(parsed("❤").as_deref(), Some("❤️"));
        assert_eq!(parsed("🤷‍♀").as_deref(), Some("🤷‍♀️"));
    }

    #[test]
    fn everything_else_is_rejected() {
        for text in [
            "",
            " ",
            "a",
            "1",
            "#",
            ":tada:",
            "🎉🎉",
            "🎉 ",
            " 🎉",
            "🎉a",
            "🎉🏽",
            "🤖‍♀️",
            "🏽",
            "🇩",
            "🇩🇩",
            "🇩🇪🇩🇪",
            "🧑",
            "\u{FE0F}",
            "\u{200D}",
            "\u{0}",
            "\u{8b}",
            "🎉\u{FE0F}",
            "❤\u{FE0F}\u{FE0F}",
            "👍🏽🏽",
            "👨‍🤷",
            "👩‍🎄",
            "é",
            "Ω",
            "\u{E0067}",
        ] {
            let is_listed = lines().any(|line| line.text == text);
            assert_eq!(parsed(text).is_some(), is_listed, "{text:?}");
        }
        let refused = Emoji::parse(&"🎉".repeat(1000)).unwrap_err();
        assert_eq!((refused.code(), refused.fields()[0].field.as_str()), ("validation_failed", "emoji"));
    }

    #[test]
    fn the_list_is_small_and_names_each_emoji_once() {
        assert!(LIST.len() <= 40 * 1024, "{} bytes", LIST.len());
        let (mut texts, mut names) = (HashSet::new(), HashSet::new());
        for line in lines() {
            assert_eq!(parsed(line.text).as_deref(), Some(line.text));
            assert!(
                line.text.len() <= limits::EMOJI_BYTES_MAX && texts.insert(line.text),
                "{} is there twice",
                line.text
            );
            for name in line.names.split(' ') {
                let allowed = |one: char| one.is_ascii_lowercase() || one.is_ascii_digit() || "_+-".contains(one);
                assert!(!name.is_empty() && name.chars().all(allowed), "{} has the name {name:?}", line.text);
                assert!(names.insert(name), "two emoji have the name {name}");
            }
        }
        assert!(texts.len() > 1000, "{} emoji", texts.len());
        assert!(LIST.lines().last().is_some_and(|regions| regions.split(' ').count() > 200));
    }

    #[test]
    fn an_emoji_has_names() {
        let named = |name| Emoji::named(name).map(|emoji| emoji.to_string());
        assert_eq!((named("tada").as_deref(), named("+1").as_deref()), (Some("🎉"), Some("👍")));
        assert_eq!((named("*"), named("no_such_emoji"), named("")), (None, None, None));
    }
}
