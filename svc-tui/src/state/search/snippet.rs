//! Snippets of hits: HTML of one kind only, with marks around the found words and escaped text.

use crate::text;

/// A part of a snippet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Piece {
    /// The text, clean and on one line. White space at its ends separates it from its neighbours.
    pub(crate) text: String,
    /// Whether it was found.
    pub(crate) marked: bool,
}

/// Reads a snippet into pieces of plain text.
pub(crate) fn read(html: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let (mut rest, mut marked, mut spaced) = (html, false, true);
    loop {
        let tag = if marked { "</mark>" } else { "<mark>" };
        let (part, after) = rest.split_once(tag).map_or((rest, None), |(part, after)| (part, Some(after)));
        let text = collapsed(&text::clean(&without_marks(&unescaped(part))), &mut spaced);
        if !text.is_empty() {
            pieces.push(Piece { text, marked });
        }
        let Some(after) = after else { return pieces };
        (rest, marked) = (after, !marked);
    }
}

/// The beginning of a message on one line, without the marks of Markdown that are never words.
pub(crate) fn preview(body: &str) -> String {
    let end = body.char_indices().nth(400).map_or(body.len(), |(end, _)| end);
    let text = text::one_line(&without_marks(body.get(..end).unwrap_or_default()));
    text.trim_start_matches(['#', '>', ' ']).to_owned()
}

/// One space for every run of white space. `spaced` says whether the text before ends with one.
fn collapsed(text: &str, spaced: &mut bool) -> String {
    let mut line = String::with_capacity(text.len());
    for character in text.chars() {
        let space = character.is_whitespace();
        if !(space && *spaced) {
            line.push(if space { ' ' } else { character });
        }
        *spaced = space;
    }
    line
}

/// Replaces character references. Others than those of HTML's own characters and numbers stay as they are.
fn unescaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        plain.push_str(before);
        let reference = after.split_once(';').and_then(|(name, after)| Some((character(name)?, after)));
        if let Some((character, after)) = reference {
            plain.push(character);
            rest = after;
        } else {
            plain.push('&');
            rest = after;
        }
    }
    plain.push_str(rest);
    plain
}

fn character(name: &str) -> Option<char> {
    match name {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        _ => {
            let number = name.strip_prefix('#')?;
            let code = match number.strip_prefix(['x', 'X']) {
                Some(hex) => u32::from_str_radix(hex, 16),
                None => number.parse(),
            };
            char::from_u32(code.ok()?)
        }
    }
}

/// Removes fences, and marks of emphasis and code. A text that was cut has many of them without their partners.
fn without_marks(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['`', '*', '~']) {
        let (before, marks) = rest.split_at(at);
        plain.push_str(before);
        rest = if let Some(after) = marks.strip_prefix("```").or_else(|| marks.strip_prefix("~~~")) {
            plain.push(' ');
            after.trim_start_matches(|letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-'))
        } else if let Some(after) = ["**", "~~", "`"].iter().find_map(|mark| marks.strip_prefix(mark)) {
            after
        } else {
            let (mark, after) = marks.split_at(1);
            plain.push_str(mark);
            after
        };
    }
    plain.push_str(rest);
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(html: &str) -> Vec<(String, bool)> {
        read(html).into_iter().map(|piece| (piece.text, piece.marked)).collect()
    }

    #[test]
    fn marks_are_the_only_html() {
        let html = "…a &lt;mark&gt;b&lt;/mark&gt; <mark>found</mark> &amp;amp; &quot;c&quot; &#39;d&#x27; &nbsp; & e";
        let expected = [
            ("…a <mark>b</mark> ".to_owned(), false),
            ("found".to_owned(), true),
            (" &amp; \"c\" 'd' &nbsp; & e".to_owned(), false),
        ];
        assert_eq!(pieces(html), expected);
    }

    #[test]
    fn control_characters_and_broken_marks_are_harmless() {
        let odd = pieces("a\x1b[2J &#27;[31m <mark>b");
        assert!(odd.iter().all(|(text, _)| !text.contains('\x1b')));
        assert_eq!(odd.last(), Some(&("b".to_owned(), true)));
        assert_eq!(pieces(""), []);
    }

    #[test]
    fn marks_of_markdown_are_left_out() {
        assert_eq!(preview("## **Deploy** `now`\n```rust\nlet a = 2 * b;\n```"), "Deploy now let a = 2 * b;");
        assert_eq!(preview(&"é".repeat(1000)).chars().count(), 400);
    }
}
