//! Names, addresses and links to articles in running text.
//!
//! Invariant: the pieces together are the text, except for the brackets of links. The running time is linear.

use svc_core::limits;
use svc_core::model::names::ArticleSlug;

/// Maximum length of a link to an article between its brackets, in bytes. The hub has the same limit.
const LINK_MAX: usize = 400;

/// A piece of running text.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Piece<'t> {
    /// Anything else.
    Text(&'t str),
    /// `@name` or `#channel`.
    Name(&'t str),
    /// An address that begins with `http://` or `https://`.
    Address(&'t str),
    /// `[[slug]]` or `[[slug|label]]`.
    Article { slug: &'t str, label: &'t str },
}

/// Divides clean text into its pieces.
pub(super) fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let (mut from, mut at) = (0, 0);
    while let Some(byte) = text.as_bytes().get(at) {
        let found = match byte {
            b'[' => article(text, at),
            b'h' | b'H' => address(text, at),
            b'@' | b'#' => name(text, at),
            _ => None,
        };
        if let Some((piece, end)) = found {
            if from < at {
                pieces.push(Piece::Text(text.get(from..at).unwrap_or_default()));
            }
            pieces.push(piece);
            (from, at) = (end, end);
        } else {
            at += 1;
        }
    }
    if from < text.len() {
        pieces.push(Piece::Text(text.get(from..).unwrap_or_default()));
    }
    pieces
}

fn article(text: &str, at: usize) -> Option<(Piece<'_>, usize)> {
    let rest = text.get(at..)?.strip_prefix("[[")?;
    let window = rest.get(..rest.floor_char_boundary(LINK_MAX))?;
    let inside = window.get(..window.find("]]")?)?;
    let (slug, label) = inside.split_once('|').unwrap_or((inside, ""));
    let (slug, label) = (slug.trim(), label.trim());
    if !limits::ARTICLE_SLUG.contains(&slug.len()) || ArticleSlug::parse("slug", slug).is_err() {
        return None;
    }
    let label = if label.is_empty() { slug } else { label };
    Some((Piece::Article { slug, label }, at + inside.len() + "[[]]".len()))
}

fn address(text: &str, at: usize) -> Option<(Piece<'_>, usize)> {
    let rest = text.get(at..)?;
    let host = scheme_length(rest)?;
    if ends_with_word(text.get(..at)?) {
        return None;
    }
    let mut open = 0_usize;
    let end = rest.find(|letter: char| match letter {
        '(' | '[' => {
            open += 1;
            false
        }
        ')' | ']' if open > 0 => {
            open -= 1;
            false
        }
        letter => letter.is_whitespace() || letter.is_control() || matches!(letter, '<' | '>' | '"' | '`' | ')' | ']'),
    });
    let whole = rest.get(..end.unwrap_or(rest.len()))?;
    let address = whole.trim_end_matches(['.', ',', ';', ':', '!', '?', '\'', '*', '_', '~', '…']);
    (address.len() > host).then_some((Piece::Address(address), at + address.len()))
}

/// The length of `http://` or `https://` at the beginning of a text.
pub(super) fn scheme_length(text: &str) -> Option<usize> {
    ["http://", "https://"]
        .into_iter()
        .find(|scheme| text.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme)))
        .map(str::len)
}

fn name(text: &str, at: usize) -> Option<(Piece<'_>, usize)> {
    let before = text.get(..at)?;
    if ends_with_word(before) || before.ends_with(['@', '#', '&', '/', '\\']) {
        return None;
    }
    let rest = text.get(at + 1..)?;
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || letter == '-';
    let name = rest.get(..rest.find(|letter| !is_part(letter)).unwrap_or(rest.len()))?.trim_end_matches('-');
    let after = rest.get(name.len()..)?.chars().next();
    let continues = after.is_some_and(|next| next == '@' || (next < '\u{2e80}' && next.is_alphanumeric()));
    let length = if text.as_bytes().get(at) == Some(&b'@') { limits::HANDLE } else { limits::CHANNEL_NAME };
    if continues || name.starts_with('-') || !length.contains(&name.len()) {
        return None;
    }
    let end = at + 1 + name.len();
    Some((Piece::Name(text.get(at..end)?), end))
}

fn ends_with_word(text: &str) -> bool {
    text.chars().next_back().is_some_and(|last| last == '_' || (last < '\u{2e80}' && last.is_alphanumeric()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_addresses_and_articles_are_found() {
        assert_eq!(
            pieces("Ask @ann in #ops: see https://a.example/x_(y)."),
            [
                Piece::Text("Ask "),
                Piece::Name("@ann"),
                Piece::Text(" in "),
                Piece::Name("#ops"),
                Piece::Text(": see "),
                Piece::Address("https://a.example/x_(y)"),
                Piece::Text("."),
            ]
        );
        assert_eq!(
            pieces("[[deploy]] [[on-call|who]]"),
            [
                Piece::Article { slug: "deploy", label: "deploy" },
                Piece::Text(" "),
                Piece::Article { slug: "on-call", label: "who" },
            ]
        );
    }

    #[test]
    fn other_text_is_left_alone() {
        for text in ["a@b.example", "##", "@", "[[A b]]", "[[x", "http://", "xhttp://a", "日本", "/#top"] {
            assert_eq!(pieces(text), [Piece::Text(text)]);
        }
        assert_eq!(pieces("(http://a.example)")[1], Piece::Address("http://a.example"));
    }
}
