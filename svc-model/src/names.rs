//! Validated names. A value of one of these types is well formed.

use std::fmt;

use crate::error::{Error, Result};
use crate::limits;
use crate::text::looks::is_hidden;

macro_rules! names {
    ($($(#[$meta:meta])* $name:ident, $field:literal, $rule:literal, $accept:expr;)*) => {$(
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash)]
        pub struct $name(String);

        impl $name {
            /// Parses the text; `field` is the name of the request field.
            pub fn parse(field: &str, text: &str) -> Result<Self> {
                let accept: fn(&str) -> bool = $accept;
                if accept(text) {
                    Ok(Self(text.to_owned()))
                } else {
                    Err(Error::invalid(field, $rule))
                }
            }

            /// The text.
            pub fn as_str(&self) -> &str {
                &self.0
            }

            /// The text in lower case, as it is compared.
            pub fn key(&self) -> String {
                self.0.to_ascii_lowercase()
            }
        }

        impl std::str::FromStr for $name {
            type Err = Error;

            fn from_str(text: &str) -> Result<Self> {
                Self::parse($field, text)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str(&self.0)
            }
        }
    )*};
}

names! {
    /// The handle of a human.
    Username, "username", "must have 3 to 64 characters: letters, digits, underscores", |text| {
        limits::USERNAME.contains(&text.len())
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    /// The handle of an agent.
    AgentName, "name",
        "must have 2 to 63 characters: lower-case letters, digits, - and _, the first a letter or a digit", |text| {
        limits::AGENT_NAME.contains(&text.len())
            && !text.starts_with(['-', '_'])
            && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_".contains(&byte))
    };
    /// The name of a channel.
    ChannelName, "name",
        "must have 1 to 80 characters: lower-case letters, digits, - and _, the first a letter or a digit", |text| {
        limits::CHANNEL_NAME.contains(&text.len())
            && !text.starts_with(['-', '_'])
            && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_".contains(&byte))
    };
    /// The slug of an article of the wiki.
    ArticleSlug, "slug",
        "must have 2 to 100 characters: lower-case letters, digits and -, the first and the last no -", |text| {
        limits::ARTICLE_SLUG.contains(&text.len())
            && !text.starts_with('-')
            && !text.ends_with('-')
            && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
    };
    /// The name of a stored secret, which becomes an environment variable.
    SecretName, "name", "must have 1 to 128 characters: capitals, digits, underscores, the first no digit", |text| {
        (1..=limits::SECRET_NAME_MAX).contains(&text.len())
            && !text.starts_with(|first: char| first.is_ascii_digit())
            && text.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
    };
}

/// Validates a display name: trimmed, not empty, of bounded length, without control characters and without
/// invisible characters. The store checks whether it resembles another name.
pub fn display_name(field: &str, text: &str) -> Result<String> {
    let name = label(field, text, limits::DISPLAY_NAME_MAX)?;
    if hides(&name) {
        return Err(Error::invalid(field, "must not contain invisible characters or ones that change the direction"));
    }
    Ok(name)
}

/// Whether a text has invisible characters, other than those that join and colour emoji.
fn hides(text: &str) -> bool {
    let mut before = None;
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let joins = match letter {
            '\u{fe0f}' => before.is_some_and(is_picture),
            '\u{200d}' => before.is_some_and(is_picture) && letters.peek().copied().is_some_and(is_picture),
            _ => false,
        };
        if is_hidden(letter) && !joins {
            return true;
        }
        if !joins {
            before = Some(letter);
        }
    }
    false
}

fn is_picture(character: char) -> bool {
    matches!(character, '\u{2190}'..='\u{27bf}' | '\u{2900}'..='\u{2bff}' | '\u{1f000}'..='\u{1faff}')
}

/// Validates a display name with its own maximum length. See [`display_name`].
pub fn label(field: &str, text: &str, longest: usize) -> Result<String> {
    let text = text.trim();
    let sane = !text.is_empty()
        && text.chars().count() <= longest
        && !text.chars().any(|character| character.is_control() || reorders(character));
    if sane {
        return Ok(text.to_owned());
    }
    Err(Error::invalid(field, format!("must have 1 to {longest} characters that can be printed")))
}

/// Validates a text of one line that may be empty, such as a note. A blank one is `None`.
pub fn line(field: &str, text: &str, longest: usize) -> Result<Option<String>> {
    let sane =
        text.chars().count() <= longest && !text.chars().any(|character| character.is_control() || reorders(character));
    if !sane {
        return Err(Error::invalid(field, format!("must have at most {longest} characters that can be printed")));
    }
    Ok(Some(text.trim()).filter(|text| !text.is_empty()).map(ToOwned::to_owned))
}

/// Characters that change the direction of the text, with which one name can imitate another.
fn reorders(character: char) -> bool {
    matches!(character, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usernames_have_letters_digits_and_underscores() {
        for good in ["ann", "Ann_2", "___", &"a".repeat(64)] {
            assert!(good.parse::<Username>().is_ok(), "{good}");
        }
        for bad in ["", "an", &"a".repeat(65), "ann-marie", "änn", "an n", "ann\0", "ann\n", "\u{202e}ann"] {
            assert_eq!(bad.parse::<Username>().unwrap_err().fields()[0].field, "username", "{bad:?}");
        }
    }

    #[test]
    fn agent_names_follow_their_pattern() {
        for good in ["a1", "0-_", "reviewer", &"a".repeat(63)] {
            assert!(good.parse::<AgentName>().is_ok(), "{good}");
        }
        for bad in ["", "a", "-a", "_a", "Reviewer", "a b", "a.b", &"a".repeat(64), "a\n"] {
            assert!(bad.parse::<AgentName>().is_err(), "{bad:?}");
        }
    }

    #[test]
    fn display_names_are_validated() {
        for good in ["Ann Ü. 🙂", "Zoë 👩‍👩‍👧", "The ❤️ of it", "王小明", "عبد الله"] {
            assert_eq!(display_name("display_name", &format!("  {good} ")).unwrap(), good);
        }
        let long = "x".repeat(limits::DISPLAY_NAME_MAX + 1);
        for bad in [
            "",
            "   ",
            "a\0b",
            "a\nb",
            "\u{202e}nna",
            "a\u{200b}nn",
            "\u{3164}",
            "\u{2800}",
            "an\u{ad}n",
            "a\u{200d}nn",
            "a\u{fe0f}",
            "a\u{e0041}",
            "👩\u{200d}a",
            "\u{2066}a",
            &long,
        ] {
            assert!(display_name("display_name", bad).is_err(), "{bad:?}");
        }
    }
}
