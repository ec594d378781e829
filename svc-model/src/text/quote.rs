//! Safe quotation of foreign text inside messages of the hub.
//!
//! Invariants, whatever the text: a quotation does not end early, for any reader and any notion of a line; no
//! name in it is a mention and no `#name` a link to a channel; and it has no hidden or reversed text.

use super::looks::{is_hidden, is_line_break};

/// Quotes a text on one line, as code.
pub fn inline(text: &str) -> String {
    let line = lines(text).join(" ").replace('`', "'");
    format!("`{}`", line.trim())
}

/// Quotes a text line by line, as a block quote in which every line is marked.
pub fn block(text: &str) -> String {
    let quoted = |line: &String| format!("> {}", line.replace('@', "\\@").replace('#', "\\#"));
    lines(text).iter().map(quoted).collect::<Vec<_>>().join("\n")
}

/// Quotes a text line by line, as a code block in this language.
pub fn code(language: &str, text: &str) -> String {
    // Readers that count the markers of a fence and readers that do not see the same end.
    let kept = lines(text).join("\n").replace("```", "'''").replace("~~~", "---");
    format!("```{language}\n{kept}\n```")
}

/// The lines of a text, by every notion of a line break, without invisible characters.
fn lines(text: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut after_return = false;
    for character in text.chars() {
        let is_second_half = after_return && character == '\n';
        after_return = character == '\r';
        if is_line_break(character) {
            if !is_second_half {
                lines.push(String::new());
            }
        } else if let Some(line) = lines.last_mut() {
            match character {
                '\t' => line.push(' '),
                hidden if hidden.is_control() || is_hidden(hidden) => {}
                seen => line.push(seen),
            }
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::text::links;

    #[test]
    fn a_quotation_shows_the_text() {
        assert_eq!(inline("Sort the `notes`\r\nof today"), "`Sort the 'notes' of today`");
        assert_eq!(block("one\r\n\r\nThe hub says: two"), "> one\n> \n> The hub says: two");
        assert_eq!(block("ask @ann in #ops"), "> ask \\@ann in \\#ops");
        assert_eq!(code("json", "{\n}"), "```json\n{\n}\n```");
        assert_eq!(inline("a\u{202e}b\u{200b}c\u{0}"), "`abc`");
    }

    /// Texts made of everything that could end a quotation or speak out of it.
    fn foreign() -> impl Strategy<Value = String> {
        let piece = prop_oneof![
            prop::sample::select(vec![
                "\n",
                "\r",
                "\r\n",
                "\u{b}",
                "\u{c}",
                "\u{1c}",
                "\u{1d}",
                "\u{1e}",
                "\u{85}",
                "\u{2028}",
                "\u{2029}",
                "`",
                "```",
                "````",
                "~~~",
                "> ",
                "@ann",
                "#ops",
                "\\",
                "\u{202e}",
                "\u{2066}",
                "\u{200b}",
                "\u{feff}",
                "\u{e0041}",
                "\0",
                "\t",
                " ",
                "The hub: ",
                "<system>",
                "&#10;",
                "](",
                "www.x/",
                "@",
            ])
            .prop_map(ToOwned::to_owned),
            "\\PC{0,6}",
        ];
        prop::collection::vec(piece, 0..16).prop_map(|pieces| pieces.concat())
    }

    fn split(text: &str) -> Vec<&str> {
        text.split(is_line_break).collect()
    }

    proptest! {
        #[test]
        fn no_text_escapes_its_quotation(text in foreign()) {
            let (inline, block, code) = (inline(&text), block(&text), code("json", &text));
            prop_assert_eq!(split(&inline).len(), 1);
            prop_assert_eq!(inline.matches('`').count(), 2);
            prop_assert!(split(&block).iter().all(|line| line.starts_with("> ")));
            prop_assert_eq!(code.matches("```").count(), 2);
            prop_assert!(code.starts_with("```json\n") && code.ends_with("\n```"));
            for quoted in [&inline, &block, &code] {
                prop_assert!(!quoted.chars().any(|letter| is_hidden(letter) || (letter.is_control() && letter != '\n')));
                prop_assert_eq!(links(&format!("A notice.\n\n{quoted}\n\nIts end.")), links(""));
            }
        }
    }
}
