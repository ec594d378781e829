//! Finds the code in a Markdown text: fenced blocks and code spans, by the rules of `CommonMark`.
//!
//! Two differences from the standard: an indented block does not count as code, because people indent quotes
//! and lists; and fences may be indented by any amount, because inside lists they are. The running time is
//! linear in the length of the text.

use std::collections::HashMap;
use std::ops::Range;

/// The byte ranges of code, in order and without overlap.
pub(crate) fn ranges(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut fence: Option<Fence> = None;
    let mut paragraph = 0..0;
    for line in lines(text) {
        let content = Line::of(text, line.clone());
        if let Some(open) = &fence {
            if content.quoted || !open.quoted {
                if open.ends_with(&content) {
                    found.push(open.start..line.end);
                    fence = None;
                    paragraph = line.end..line.end;
                }
                continue;
            }
            // The quote around the fence has ended, so the fence has ended too.
            found.push(open.start..line.start);
            paragraph = line.start..line.start;
        }
        let opening =
            content.fence().map(|(mark, length)| Fence { start: line.start, quoted: content.quoted, mark, length });
        if opening.is_some() || content.begins_a_block() {
            spans(text, paragraph, &mut found);
            paragraph = line.start..line.start;
        }
        paragraph.end = line.end;
        if opening.is_some() || content.stands_alone() {
            if opening.is_none() {
                spans(text, paragraph, &mut found);
            }
            paragraph = line.end..line.end;
        }
        fence = opening;
    }
    match fence {
        Some(open) => found.push(open.start..text.len()),
        None => spans(text, paragraph, &mut found),
    }
    found
}

/// The byte ranges of the lines, including their line breaks.
fn lines(text: &str) -> impl Iterator<Item = Range<usize>> {
    text.split_inclusive('\n').scan(0, |start, line| {
        let range = *start..*start + line.len();
        *start = range.end;
        Some(range)
    })
}

/// An open fenced block.
struct Fence {
    start: usize,
    quoted: bool,
    mark: u8,
    length: usize,
}

impl Fence {
    fn ends_with(&self, line: &Line<'_>) -> bool {
        let run = run_length(line.text.as_bytes(), self.mark);
        run >= self.length && line.text.get(run..).is_some_and(|rest| rest.trim().is_empty())
    }
}

/// A line without quote markers and leading spaces.
struct Line<'a> {
    text: &'a str,
    quoted: bool,
}

impl<'a> Line<'a> {
    fn of(text: &'a str, range: Range<usize>) -> Self {
        let whole = text.get(range).unwrap_or_default();
        let inner = whole.trim_start_matches([' ', '\t', '>']);
        let marks = whole.len() - inner.len();
        Self { text: inner, quoted: whole.bytes().take(marks).any(|byte| byte == b'>') }
    }

    /// The marker and the length of the fence that this line opens.
    fn fence(&self) -> Option<(u8, usize)> {
        let text = self.without_list_mark();
        let mark = *text.as_bytes().first().filter(|byte| matches!(byte, b'`' | b'~'))?;
        let length = run_length(text.as_bytes(), mark);
        let word_after = text.get(length..).unwrap_or_default();
        (length >= 3 && !(mark == b'`' && word_after.contains('`'))).then_some((mark, length))
    }

    /// Whether the previous paragraph has ended. A code span never extends beyond a paragraph.
    fn begins_a_block(&self) -> bool {
        self.stands_alone() || self.without_list_mark().len() != self.text.len()
    }

    /// Whether this is a blank line or a heading, which has no second line.
    fn stands_alone(&self) -> bool {
        let hashes = run_length(self.text.as_bytes(), b'#');
        let heading = (1..=6).contains(&hashes)
            && self.text.get(hashes..).is_some_and(|rest| rest.starts_with([' ', '\t', '\n', '\r']));
        heading || self.text.trim().is_empty()
    }

    fn without_list_mark(&self) -> &'a str {
        let digits = self.text.len() - self.text.trim_start_matches(|letter: char| letter.is_ascii_digit()).len();
        let after = match (digits, self.text.as_bytes().get(digits)) {
            (0, Some(b'-' | b'*' | b'+')) | (1..=9, Some(b'.' | b')')) => self.text.get(digits + 1..),
            _ => None,
        };
        match after {
            Some(rest) if rest.starts_with([' ', '\t']) => rest.trim_start_matches([' ', '\t']),
            _ => self.text,
        }
    }
}

fn run_length(bytes: &[u8], mark: u8) -> usize {
    bytes.iter().take_while(|byte| **byte == mark).count()
}

/// Adds the code spans of one paragraph: the text between two runs of backticks of the same length.
fn spans(text: &str, paragraph: Range<usize>, found: &mut Vec<Range<usize>>) {
    let runs = backticks(text.as_bytes(), paragraph);
    // The runs of each length, the last one first, so that passed runs are popped.
    let mut by_length: HashMap<usize, Vec<usize>> = HashMap::new();
    for (place, run) in runs.iter().enumerate().rev() {
        by_length.entry(run.bytes.len()).or_default().push(place);
    }
    let mut place = 0;
    while let Some(opening) = runs.get(place) {
        // A backslash removes the first backtick from an opening run, not from a closing one.
        let start = opening.bytes.start + usize::from(opening.escaped);
        let closing = by_length.get_mut(&(opening.bytes.end - start)).and_then(|places| {
            while places.last().is_some_and(|candidate| *candidate <= place) {
                places.pop();
            }
            places.last().copied()
        });
        match closing.and_then(|closing| Some((closing, runs.get(closing)?))) {
            Some((closing, run)) => {
                found.push(start..run.bytes.end);
                place = closing + 1;
            }
            None => place += 1,
        }
    }
}

struct Run {
    bytes: Range<usize>,
    escaped: bool,
}

/// The runs of backticks in a part of the text.
fn backticks(bytes: &[u8], part: Range<usize>) -> Vec<Run> {
    let mut runs = Vec::new();
    let mut at = part.start;
    let mut backslashes = 0_usize;
    while let Some(byte) = bytes.get(at).filter(|_| at < part.end) {
        match byte {
            b'`' => {
                let length = run_length(bytes.get(at..part.end).unwrap_or_default(), b'`');
                runs.push(Run { bytes: at..at + length, escaped: backslashes % 2 == 1 });
                at += length;
                backslashes = 0;
                continue;
            }
            b'\\' => backslashes += 1,
            _ => backslashes = 0,
        }
        at += 1;
    }
    runs
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn code(text: &str) -> Vec<&str> {
        ranges(text).into_iter().map(|range| &text[range]).collect()
    }

    #[test]
    fn spans_end_with_the_same_number_of_backticks() {
        assert_eq!(code("a `b` c ``d ` e`` f"), ["`b`", "``d ` e``"]);
        assert_eq!(code("a ``b` c"), [""; 0]);
        assert_eq!(code("a `b\nc` d"), ["`b\nc`"]);
        assert_eq!(code("a `b\n\nc` d"), [""; 0]);
        assert_eq!(code("a `b ``c`` d"), ["``c``"]);
    }

    #[test]
    fn a_backslash_escapes_one_backtick_outside_of_code() {
        assert_eq!(code(r"\`a` b`"), ["` b`"]);
        assert_eq!(code(r"\``a` b"), ["`a`"]);
        assert_eq!(code(r"\\`a` b"), ["`a`"]);
        assert_eq!(code(r"`a\` b"), [r"`a\`"]);
    }

    #[test]
    fn fences_end_at_an_equal_or_longer_one() {
        assert_eq!(code("a\n```rust\nb\n``\n~~~\n```\nc"), ["```rust\nb\n``\n~~~\n```\n"]);
        assert_eq!(code("~~~ a`b\nc\n~~~~ \nd"), ["~~~ a`b\nc\n~~~~ \n"]);
        assert_eq!(code("```\na\n``` b\n"), ["```\na\n``` b\n"]);
        assert_eq!(code("``` a ``` b"), ["``` a ```"]);
        assert_eq!(code("- ```\n  a\n  ```\nb"), ["- ```\n  a\n  ```\n"]);
        assert_eq!(code("> ~~~\n> a\nb"), ["> ~~~\n> a\n"]);
    }

    #[test]
    fn spans_do_not_leave_their_block() {
        assert_eq!(code("# a ` b\nc ` d"), [""; 0]);
        assert_eq!(code("- a ` b\n- c ` d"), [""; 0]);
        assert_eq!(code("a ` b\n```\nc\n```\nd ` e"), ["```\nc\n```\n"]);
        assert_eq!(code("    a `b` c"), ["`b`"]);
    }

    proptest! {
        #[test]
        fn ranges_are_sorted_and_on_character_boundaries(text in "[`~>#\\\\ \\-1.aä\n]{0,80}") {
            let mut end = 0;
            for range in ranges(&text) {
                prop_assert!(end <= range.start && range.start < range.end);
                prop_assert!(text.get(range.clone()).is_some());
                end = range.end;
            }
        }
    }
}
