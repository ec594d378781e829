//! Parser of `@handle` and `#channel` in the Markdown body of a message.
//!
//! It finds the syntax of a link. Callers check whether the participant or channel exists and whether the
//! reader may know. Invariants: the running time is linear in the length of the body; names are in lower
//! case, in order of appearance, and never repeated.

use std::ops::RangeInclusive;

use super::code;
use crate::limits;

/// The participants and channels that a body names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Links {
    /// Handles without their `@`.
    pub mentions: Vec<String>,
    /// Channels without their `#`.
    pub channels: Vec<String>,
}

/// Finds the mentions and the channel links of a body, outside of code, words and URLs.
pub fn links(body: &str) -> Links {
    let mut scan = Scan { body, at: 0, link_end: 0, links: Links::default() };
    for code in code::ranges(body) {
        scan.prose(code.start);
        scan.at = scan.at.max(code.end);
    }
    scan.prose(body.len());
    scan.links
}

/// The syntax of a name.
struct Shape {
    length: RangeInclusive<usize>,
    underscore_first: bool,
}

const HANDLE: Shape = Shape { length: limits::HANDLE, underscore_first: true };
const CHANNEL: Shape = Shape { length: limits::CHANNEL_NAME, underscore_first: false };

struct Scan<'a> {
    body: &'a str,
    at: usize,
    /// The end of the last link, so that `@ann/@bob` names two.
    link_end: usize,
    links: Links,
}

impl Scan<'_> {
    /// Scans prose up to `end`.
    fn prose(&mut self, end: usize) {
        while self.at < end {
            match self.byte(self.at) {
                b':' if self.after(self.at).starts_with("://") && self.word_before(self.at) => self.skip_address(end),
                b'w' | b'W' if !self.word_before(self.at) && self.begins_with_www() => self.skip_address(end),
                mark @ (b'@' | b'#') => self.mark(mark, end),
                _ => self.at += 1,
            }
        }
    }

    fn mark(&mut self, mark: u8, end: usize) {
        let start = self.at + 1;
        let emphasis = self.underscores_before(self.at);
        let shape = if mark == b'@' { &HANDLE } else { &CHANNEL };
        let name_end = start + self.name_length(start, end);
        self.at = name_end.max(start);
        if !self.may_begin(mark, start - 1 - emphasis) || self.continues(name_end) {
            return;
        }
        let name = self.body.get(start..name_end).unwrap_or_default();
        // In `_@ann_` the last underscore closes the emphasis that the first one opened.
        let closing = (name.len() - name.trim_end_matches('_').len()).min(emphasis);
        let name = name.get(..name.len() - closing).unwrap_or_default().trim_end_matches('-');
        let first_fits =
            name.starts_with(|first: char| first.is_ascii_alphanumeric() || (shape.underscore_first && first == '_'));
        if first_fits && shape.length.contains(&name.len()) {
            let name = name.to_ascii_lowercase();
            self.link_end = name_end;
            let names = if mark == b'@' { &mut self.links.mentions } else { &mut self.links.channels };
            if names.len() < limits::MENTIONS_MAX && !names.contains(&name) {
                names.push(name);
            }
        }
    }

    /// Whether a link may begin here, given the preceding text.
    fn may_begin(&self, mark: u8, at: usize) -> bool {
        let before = self.before(at);
        match before.chars().next_back() {
            None => true,
            Some('/') => self.link_end > 0 && self.link_end == at - 1,
            // The target of a Markdown link, not its text.
            Some('(') => !before.ends_with("]("),
            Some('\\' | '@') => false,
            Some('#' | '&') => mark == b'@',
            Some(other) => !is_word(other),
        }
    }

    /// Whether the name continues with letters that no name has, or is the first half of an e-mail address.
    fn continues(&self, at: usize) -> bool {
        self.after(at).chars().next().is_some_and(|next| is_word(next) || next == '@')
    }

    fn name_length(&self, start: usize, end: usize) -> usize {
        let bytes = self.body.as_bytes().get(start..end).unwrap_or_default();
        bytes.iter().take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')).count()
    }

    fn underscores_before(&self, at: usize) -> usize {
        self.before(at).bytes().rev().take_while(|byte| *byte == b'_').count()
    }

    fn begins_with_www(&self) -> bool {
        self.body.as_bytes().get(self.at..self.at + 4).is_some_and(|word| word.eq_ignore_ascii_case(b"www."))
    }

    /// Skips a URL, which ends at a space, a quote, an angle bracket, or a closing bracket that it did not
    /// open.
    fn skip_address(&mut self, end: usize) {
        let mut open = 0_usize;
        for (place, letter) in self.body.get(self.at..end).unwrap_or_default().char_indices() {
            match letter {
                '(' => open += 1,
                ')' if open > 0 => open -= 1,
                '<' | '>' | '"' | '`' | ')' | ']' => return self.at += place,
                letter if letter.is_whitespace() => return self.at += place,
                _ => {}
            }
        }
        self.at = end;
    }

    fn word_before(&self, at: usize) -> bool {
        self.before(at).chars().next_back().is_some_and(is_word)
    }

    fn byte(&self, at: usize) -> u8 {
        self.body.as_bytes().get(at).copied().unwrap_or_default()
    }

    fn before(&self, at: usize) -> &str {
        self.body.get(..at).unwrap_or_default()
    }

    fn after(&self, at: usize) -> &str {
        self.body.get(at..).unwrap_or_default()
    }
}

/// Whether a character belongs to the word beside it. From U+2E80 on are the scripts of East Asia,
/// in which people write names into a sentence without spaces.
fn is_word(character: char) -> bool {
    character == '_' || (character < '\u{2e80}' && character.is_alphanumeric())
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::*;

    fn mentions(body: &str) -> Vec<String> {
        links(body).mentions
    }

    fn channels(body: &str) -> Vec<String> {
        links(body).channels
    }

    #[test]
    fn punctuation_is_not_part_of_a_name() {
        for body in [
            "@ann",
            "@ann.",
            "@ann's turn",
            "(@ann)",
            "**@ann**",
            "_@ann_",
            "__@Ann__",
            "_@ann and all_",
            "@ann-",
            "@ann--",
            "[@ann](x)",
            "> @ann",
            "cc:@ann",
            "\"@ann\"",
            "@ann…",
            "@ann/x",
            "你好@ann请看",
            "@ann🙂",
            "é @ann",
            "@ANN\n@aNN",
            "    @ann",
        ] {
            assert_eq!(mentions(body), ["ann"], "{body}");
        }
        assert_eq!(mentions("@ann,@bob @Build-Bot/@x_1; @_y @z_"), ["ann", "bob", "build-bot", "x_1", "_y", "z_"]);
    }

    #[test]
    fn words_urls_and_links_contain_no_mention() {
        for body in [
            "a@bob",
            "ann@example.org",
            "@ann@example.org",
            "@@ann",
            r"\@ann",
            "é@ann",
            "1@ann",
            "a_@ann",
            "@ännchen",
            "@annä",
            "https://x/@ann",
            "HTTP://x/?a=@ann",
            "www.x.org/@ann",
            "WWW.x/@ann",
            "x.org/@ann",
            "[x](/@ann)",
            "[x](@ann)",
            "<https://x/@ann>",
            "(https://x/(a)/@ann)",
            "@",
            "@ ann",
            "@a",
            "@-a",
            "mailto:x@ann",
        ] {
            assert_eq!(mentions(body), [""; 0], "{body}");
        }
        assert_eq!(mentions("https://x/@ann @bob [y](https://z/@carl) (https://y)@dora"), ["bob", "dora"]);
    }

    #[test]
    fn code_contains_no_mention() {
        for body in ["`@ann`", "``a ` @ann``", "```\n@ann\n```", "~~~\n@ann", "a `b\n@ann`", "`#x`", "> ```\n> @ann"] {
            assert_eq!(links(body), Links::default(), "{body}");
        }
        for body in ["`a` @ann `b`", "` @ann", "```\na\n```\n@ann", "\\`@ann\\`", "`a\n\n@ann`", "`x`@ann"] {
            assert_eq!(mentions(body), ["ann"], "{body}");
        }
    }

    #[test]
    fn channel_links_are_found() {
        for body in [
            "#ops",
            "#Ops.",
            "(#ops)",
            "#ops,",
            "_#ops_",
            "see #ops!",
            "#ops-",
            "[#ops](x)",
            "- #ops",
            "# #ops",
            "在#ops里",
        ] {
            assert_eq!(channels(body), ["ops"], "{body}");
        }
        assert_eq!(channels("#a #123 #b_c-d"), ["a", "123", "b_c-d"]);
        for body in [
            "##ops",
            "# ops",
            "a#ops",
            "C#",
            "page#part",
            "https://x/#ops",
            "x/#ops",
            "[x](#ops)",
            r"\#ops",
            "&#123;",
            "#-ops",
            "#_ops",
            "`#ops`",
            "#",
        ] {
            assert_eq!(channels(body), [""; 0], "{body}");
        }
    }

    #[test]
    fn name_lengths_are_bounded() {
        assert_eq!(mentions(&format!("@{}", "a".repeat(64))).len(), 1);
        assert_eq!(mentions(&format!("@{}", "a".repeat(65))).len(), 0);
        assert_eq!(channels(&format!("#{}", "a".repeat(80))).len(), 1);
        assert_eq!(channels(&format!("#{}", "a".repeat(81))).len(), 0);
        let crowd: Vec<_> = (0..200).map(|number| format!("@user{number} #room{number}")).collect();
        let crowd = crowd.join(" ");
        let found = links(&crowd);
        assert_eq!((found.mentions.len(), found.channels.len()), (limits::MENTIONS_MAX, limits::MENTIONS_MAX));
        assert_eq!(found.mentions.last().unwrap(), "user49");
    }

    /// Quadratic work on texts of this size would keep the test busy for minutes.
    #[test]
    fn parsing_takes_linear_time() {
        let size = 1 << 20;
        let rising: String = (1..1400).map(|length| "`".repeat(length) + " ").collect();
        for pattern in
            ["`", "@", "#", "_", "` ", "\\`", "@a_", "a://", "www.", "```\n", "`\n", "_@", "> ", "- `\n", "@@a/", "1"]
        {
            drop(links(&pattern.repeat(size / pattern.len())));
        }
        drop(links(&rising));
    }

    proptest! {
        #[test]
        fn names_are_lower_case_unique_and_valid(body in "[`~@#_a-cA-C/:.w()\\[\\]\\\\ äß界\n-]{0,120}") {
            let found = links(&body);
            for (names, shape) in [(&found.mentions, &HANDLE), (&found.channels, &CHANNEL)] {
                prop_assert_eq!(names.iter().collect::<HashSet<_>>().len(), names.len());
                for name in names {
                    prop_assert!(shape.length.contains(&name.len()) && !name.ends_with('-'));
                    let lower = body.to_ascii_lowercase();
                    let found = ["@", "#"].iter().any(|mark| lower.contains(&[*mark, name].concat()));
                    prop_assert!(found);
                }
            }
        }

        #[test]
        fn a_mention_between_spaces_is_found(before in "[^`~\\\\]{0,40}", handle in "[a-z0-9][a-z0-9_]{1,62}") {
            let (prose, code) = (format!("{before} @{handle} after"), format!("`{handle} @{handle}`"));
            prop_assert!(mentions(&prose).contains(&handle));
            prop_assert_eq!(mentions(&code).len(), 0);
        }
    }
}
