//! Search result snippets with highlighted matches.
//!
//! Invariant: the text is cut at character boundaries and has at most [`limits::SNIPPET_MAX`]
//! characters, not counting marks and escapes. Everything but the marks is escaped for HTML, so a
//! `<mark>` in a body is not mistaken for a highlight.

use std::borrow::Cow;
use std::ops::Range;

use super::query::{Query, Term};
use super::words;
use crate::limits;

/// Characters shown before the first match.
const LEAD: usize = 60;
/// A cut word is dropped if it has at most this many bytes.
const RAGGED: usize = 24;

/// Cuts the text around the first match, in the body before the subject, and marks all matches in
/// it.
pub(crate) fn of(subject: &str, body: &str, query: &Query) -> String {
    let (text, matches) = match (matches(body, query), matches(subject, query)) {
        (none, in_subject) if none.is_empty() && !in_subject.is_empty() => (subject, in_subject),
        (in_body, _) => (body, in_body),
    };
    let window = window(text, matches.first().map_or(0, |first| first.start));
    let part = |range: Range<usize>| text.get(range).unwrap_or_default();
    let mut snippet = String::with_capacity(2 * limits::SNIPPET_MAX);
    if !part(0..window.start).trim().is_empty() {
        snippet.push('…');
    }
    let mut at = window.start;
    for found in matches {
        let found = found.start.max(at)..found.end.min(window.end);
        if found.is_empty() {
            continue;
        }
        escape(&mut snippet, part(at..found.start));
        snippet.push_str("<mark>");
        escape(&mut snippet, part(found.clone()));
        snippet.push_str("</mark>");
        at = found.end;
    }
    escape(&mut snippet, part(at..window.end));
    if !part(window.end..text.len()).trim().is_empty() {
        snippet.push('…');
    }
    snippet
}

/// The positions of the included terms, in order.
fn matches(text: &str, query: &Query) -> Vec<Range<usize>> {
    if query.must.is_empty() {
        return Vec::new();
    }
    let words: Vec<_> = words::of(text).map(|(start, word)| Word::new(start, word)).collect();
    let mut found: Vec<Range<usize>> = Vec::new();
    for index in 0..words.len() {
        let rest = words.get(index..).unwrap_or_default();
        let longest = query.must.iter().filter(|term| matches_at(term, rest)).map(|term| term.words.len()).max();
        let (Some(first), Some(last)) = (rest.first(), longest.and_then(|length| rest.get(length - 1))) else {
            continue;
        };
        match found.last_mut() {
            // Phrases may overlap.
            Some(before) if before.end > first.start => before.end = before.end.max(last.end),
            _ => found.push(first.start..last.end),
        }
    }
    found
}

struct Word<'a> {
    start: usize,
    end: usize,
    folded: Cow<'a, str>,
}

impl<'a> Word<'a> {
    fn new(start: usize, word: &'a str) -> Self {
        Self { start, end: start + word.len(), folded: words::fold(words::cut(word).0) }
    }
}

fn matches_at(term: &Term, words: &[Word<'_>]) -> bool {
    let last = term.words.len() - 1;
    term.words.iter().enumerate().all(|(index, wanted)| {
        words.get(index).is_some_and(|word| {
            let whole = word.folded == wanted.as_str();
            whole || (term.prefix && index == last && word.folded.starts_with(wanted.as_str()))
        })
    })
}

/// The range to show of a text whose first match begins at `first`.
fn window(text: &str, first: usize) -> Range<usize> {
    let (before, after) = text.split_at(first);
    let lead = before.char_indices().rev().take(LEAD).last().map_or(first, |(at, _)| at);
    let mut start = lead;
    if lead > 0 {
        // Starts at a word boundary, if one is near.
        let piece = text.get(lead..first).unwrap_or_default();
        start += piece.find(char::is_whitespace).filter(|skipped| *skipped <= RAGGED).unwrap_or(0);
    }
    let room = limits::SNIPPET_MAX - text.get(start..first).unwrap_or_default().chars().count();
    let Some((length, _)) = after.char_indices().nth(room) else {
        return start..text.len();
    };
    let shown = text.get(start..first + length).unwrap_or_default();
    let end = shown.rfind(char::is_whitespace).filter(|end| shown.len() - end <= RAGGED).unwrap_or(shown.len());
    start..(start + end).max(first)
}

/// Appends text on one line, escaped for HTML.
fn escape(snippet: &mut String, text: &str) {
    for letter in text.chars() {
        match letter {
            '&' => snippet.push_str("&amp;"),
            '<' => snippet.push_str("&lt;"),
            '>' => snippet.push_str("&gt;"),
            '"' => snippet.push_str("&quot;"),
            '\'' => snippet.push_str("&#39;"),
            letter if letter.is_whitespace() || letter.is_control() => {
                if !snippet.ends_with(' ') {
                    snippet.push(' ');
                }
            }
            letter => snippet.push(letter),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn snippet(body: &str, query: &str) -> String {
        of("", body, &Query::parse(query))
    }

    #[test]
    fn matches_are_marked_and_the_rest_is_escaped() {
        assert_eq!(
            snippet("Deploy it & <b>deploy</b>", "deploy"),
            "<mark>Deploy</mark> it &amp; &lt;b&gt;<mark>deploy</mark>&lt;/b&gt;"
        );
        assert_eq!(snippet("<mark>x</mark> y", "y"), "&lt;mark&gt;x&lt;/mark&gt; <mark>y</mark>");
        assert_eq!(
            snippet("the build failed, build again", "\"build failed\""),
            "the <mark>build failed</mark>, build again"
        );
        assert_eq!(
            snippet("Été deployment deploys", "ete deploy*"),
            "<mark>Été</mark> <mark>deployment</mark> <mark>deploys</mark>"
        );
        assert_eq!(snippet("a b c d", "\"a b\" \"b c\""), "<mark>a b c</mark> d");
        assert_eq!(snippet("two\n\n  lines 'q\"", "lines"), "two <mark>lines</mark> &#39;q&quot;");
    }

    #[test]
    fn omitted_text_is_marked_by_an_ellipsis() {
        let body = format!("{} needle {}", "before ".repeat(100), "after ".repeat(100));
        let shown = snippet(&body, "needle");
        assert!(shown.starts_with("… before") && shown.ends_with("after…"), "{shown}");
        assert!(shown.contains("<mark>needle</mark>"));
    }

    #[test]
    fn the_subject_is_shown_when_the_body_does_not_match() {
        let query = Query::parse("release");
        assert_eq!(of("The release", "see there", &query), "The <mark>release</mark>");
        assert_eq!(of("The release", "release it", &query), "<mark>release</mark> it");
        assert_eq!(of("subject", "body", &Query::parse("")), "body");
        assert_eq!(of("subject", "body", &Query::parse("-x")), "body");
    }

    /// The snippet as it is displayed.
    fn unescaped(snippet: &str) -> String {
        let plain = snippet.replace("<mark>", "").replace("</mark>", "");
        let plain = plain.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&#39;", "'");
        plain.replace("&amp;", "&")
    }

    fn one_line(text: &str) -> String {
        let mut line = String::new();
        for letter in text.chars() {
            let space = letter.is_whitespace() || letter.is_control();
            if !(space && line.ends_with(' ')) {
                line.push(if space { ' ' } else { letter });
            }
        }
        line
    }

    proptest! {
        #[test]
        fn snippets_are_short_escaped_pieces_of_the_text(
            subject in "[a-c <&]{0,20}",
            body in "([a-cÄä<>&\"' \n🙂界-]{0,12}|\\PC){0,60}",
            query in "[a-c\"*ä -]{0,16}",
        ) {
            let query = Query::parse(&query);
            let snippet = of(&subject, &body, &query);
            let opened = snippet.matches("<mark>").count();
            prop_assert_eq!(opened, snippet.matches("</mark>").count());
            let bare = snippet.replace("<mark>", "").replace("</mark>", "");
            prop_assert!(!bare.contains(['<', '>', '"', '\'']));
            let text = unescaped(&snippet);
            prop_assert!(text.chars().count() <= limits::SNIPPET_MAX + 2);
            let inner = text.trim_matches('…').trim();
            prop_assert!(one_line(&body).contains(inner) || one_line(&subject).contains(inner), "{:?}", inner);
            if !matches(&body, &query).is_empty() {
                prop_assert!(opened > 0);
            }
        }
    }
}
