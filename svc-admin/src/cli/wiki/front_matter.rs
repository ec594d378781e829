//! Front matter: the facts about a revision at the beginning of its file, as YAML between two lines `---`.
//!
//! Invariants: a text is read as it was written, byte for byte: one empty line separates it from the front matter, and
//! is no part of it. A file without front matter is a text and nothing else. The work of the parser is bounded.

use std::fmt::Write as _;

use serde::{Deserialize, Deserializer, Serialize};
use svc_core::Timestamp;
use svc_core::formats::when;
use svc_core::wiki::{Protection, WikiAction};

/// The line before and after the front matter.
const FENCE: &str = "---";
/// Maximum size of the front matter, in bytes.
pub(super) const FRONT_MATTER_MAX: usize = 64 * 1024;
/// Longest reason that may quote a file, in characters.
const LONGEST_REASON: usize = 200;

/// The facts about a revision, and those about its article in the file of the newest one.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct FrontMatter {
    pub(super) slug: Option<String>,
    pub(super) title: Option<String>,
    pub(super) revision: Option<i64>,
    pub(super) action: Option<WikiAction>,
    pub(super) author: Option<String>,
    #[serde(deserialize_with = "moment")]
    pub(super) created_at: Option<Timestamp>,
    pub(super) summary: Option<String>,
    pub(super) protected: Option<Protection>,
    #[serde(deserialize_with = "moment")]
    pub(super) stale_after: Option<Timestamp>,
    pub(super) verified_by: Option<String>,
    #[serde(deserialize_with = "moment")]
    pub(super) verified_at: Option<Timestamp>,
    pub(super) verified_revision: Option<i64>,
    pub(super) redirects: Vec<String>,
    pub(super) deleted: bool,
}

/// A day or a time.
fn moment<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Timestamp>, D::Error> {
    let text = Option::<String>::deserialize(deserializer)?;
    let refusal = |_| serde::de::Error::custom("must be a day, 2026-11-15, or a time, 2026-11-15T02:00:00Z");
    text.map(|text| when::parse("moment", &text)).transpose().map_err(refusal)
}

impl FrontMatter {
    /// Whether it has facts about the article, rather than about the revision.
    pub(super) fn has_state(&self) -> bool {
        let facts = Self {
            slug: None,
            title: None,
            revision: None,
            action: None,
            author: None,
            created_at: None,
            summary: None,
            ..self.clone()
        };
        facts != Self::default()
    }

    /// The file of a revision.
    pub(super) fn with_text(&self, text: &str) -> String {
        let mut file = format!("{FENCE}\n");
        let out = &mut file;
        line(out, "slug", self.slug.as_ref());
        line(out, "title", self.title.as_ref());
        line(out, "revision", self.revision.as_ref());
        line(out, "action", self.action.as_ref());
        line(out, "author", self.author.as_ref());
        line(out, "created_at", self.created_at.as_ref());
        line(out, "summary", self.summary.as_ref());
        line(out, "protected", self.protected.as_ref());
        line(out, "stale_after", self.stale_after.as_ref());
        line(out, "verified_by", self.verified_by.as_ref());
        line(out, "verified_at", self.verified_at.as_ref());
        line(out, "verified_revision", self.verified_revision.as_ref());
        line(out, "redirects", Some(&self.redirects).filter(|list| !list.is_empty()));
        line(out, "deleted", Some(&self.deleted).filter(|deleted| **deleted));
        file.push_str(FENCE);
        file.push_str("\n\n");
        file.push_str(text);
        file
    }

    /// The facts and the text of a file.
    pub(super) fn read(file: &str) -> Result<(Self, &str), String> {
        let Some((yaml, text)) = split(file)? else { return Ok((Self::default(), file)) };
        if yaml.len() > FRONT_MATTER_MAX {
            return Err(format!("the front matter has more than {FRONT_MATTER_MAX} bytes"));
        }
        if yaml.trim().is_empty() {
            return Ok((Self::default(), text));
        }
        let options = serde_saphyr::options! {
            budget: serde_saphyr::budget! {
                max_depth: 4,
                max_nodes: 1000,
                max_events: 5000,
                max_anchors: 0,
                max_aliases: 0,
                max_merge_keys: 0,
                max_documents: 1,
            },
        };
        let facts = serde_saphyr::from_str_with_options(yaml, options).map_err(|error| {
            let reason = error.without_snippet().to_string();
            let reason: String = reason.lines().next().unwrap_or_default().chars().take(LONGEST_REASON).collect();
            format!("the front matter is invalid ({reason})")
        })?;
        Ok((facts, text))
    }
}

/// Splits a file into front matter and text; `None` if it has no front matter.
fn split(file: &str) -> Result<Option<(&str, &str)>, String> {
    let is_fence = |line: &str| line.trim_end_matches(['\n', '\r']) == FENCE;
    let mut lines = file.split_inclusive('\n');
    let Some(first) = lines.next().filter(|line| is_fence(line)) else { return Ok(None) };
    let mut end = first.len();
    for line in lines {
        if is_fence(line) {
            let yaml = file.get(first.len()..end).unwrap_or_default();
            let rest = file.get(end + line.len()..).unwrap_or_default();
            let text = rest.strip_prefix('\n').or_else(|| rest.strip_prefix("\r\n")).unwrap_or(rest);
            return Ok(Some((yaml, text)));
        }
        end += line.len();
    }
    Err(format!("the front matter has no end: a second line {FENCE} is missing"))
}

/// Adds a value, as JSON with only printable characters, which is YAML.
fn line<T: Serialize>(out: &mut String, key: &str, value: Option<&T>) {
    let Some(value) = value else { return };
    let json = serde_json::to_string(value).expect("texts, numbers and lists of texts print");
    out.push_str(key);
    out.push_str(": ");
    for letter in json.chars() {
        match letter {
            '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}' => {
                write!(out, "\\u{:04x}", u32::from(letter)).expect("a string takes whatever is written");
            }
            letter => out.push(letter),
        }
    }
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::option::of;
    use proptest::prelude::*;

    use super::*;

    fn time(text: &str) -> Timestamp {
        when::parse("time", text).unwrap()
    }

    #[test]
    fn a_file_shows_the_facts_before_the_text() {
        let facts = FrontMatter {
            slug: Some("deploy".into()),
            title: Some("How we \"deploy\"".into()),
            revision: Some(7),
            action: Some(WikiAction::Edited),
            author: Some("ann".into()),
            created_at: Some(time("2026-11-15")),
            protected: Some(Protection::Humans),
            redirects: vec!["release".into()],
            deleted: true,
            ..FrontMatter::default()
        };
        let file = "---\nslug: \"deploy\"\ntitle: \"How we \\\"deploy\\\"\"\nrevision: 7\naction: \"edited\"\n\
                    author: \"ann\"\ncreated_at: \"2026-11-15T00:00:00.000Z\"\nprotected: \"humans\"\n\
                    redirects: [\"release\"]\ndeleted: true\n---\n\nText";
        assert_eq!(facts.with_text("Text"), file);
        assert_eq!(FrontMatter::read(file), Ok((facts, "Text")));
    }

    #[test]
    fn files_may_be_written_by_hand() {
        let (facts, text) =
            FrontMatter::read("---\r\ntitle: How we deploy\r\nstale_after: 2027-01-31\r\n---\r\nText\r\n").unwrap();
        assert_eq!((facts.title.as_deref(), facts.stale_after), (Some("How we deploy"), Some(time("2027-01-31"))));
        assert_eq!(text, "Text\r\n");
        assert!(facts.has_state());
        for (file, text) in [
            ("", ""),
            ("Text", "Text"),
            ("--- \nText", "--- \nText"),
            ("----\nText", "----\nText"),
            ("---\n---\nText", "Text"),
            ("---\n---\n\n\nText\n", "\nText\n"),
            ("---\n\n---", ""),
        ] {
            assert_eq!(FrontMatter::read(file), Ok((FrontMatter::default(), text)), "{file:?}");
        }
        assert!(!FrontMatter { title: Some("T".into()), revision: Some(1), ..FrontMatter::default() }.has_state());
    }

    #[test]
    fn invalid_front_matter_is_refused() {
        for yaml in [
            "title",
            "- title",
            "title: [a]",
            "title: \"open",
            "titel: x",
            "title: a\ntitle: b",
            "revision: seven",
            "revision: 1.5",
            "revision: 99999999999999999999",
            "action: painted",
            "created_at: yesterday",
            "created_at: 2026-02-30",
            "protected: agents",
            "redirects: release",
            "redirects: [[a]]",
            "deleted: perhaps",
            "title: &a x\nauthor: *a",
            "title: a\n... \ntitle: b",
            "a: {b: {c: {d: {e: {f: 1}}}}}",
            "title: \u{0}",
        ] {
            let refused = FrontMatter::read(&format!("---\n{yaml}\n---\n\nText")).unwrap_err();
            assert!(refused.contains("front matter") && refused.len() < 1000 && !refused.contains('\n'), "{refused}");
        }
        for file in ["---", "---\ntitle: x\n", "---\ntitle: x\n ---\n"] {
            assert!(FrontMatter::read(file).unwrap_err().contains("no end"), "{file:?}");
        }
        let long = format!("---\ntitle: {}\n---\n", "x".repeat(FRONT_MATTER_MAX));
        assert!(FrontMatter::read(&long).unwrap_err().contains("more than"));
        let many = format!("---\nredirects: [{}]\n---\n", "a,".repeat(5000));
        assert!(FrontMatter::read(&many).is_err());
    }

    fn moments() -> impl Strategy<Value = Option<Timestamp>> {
        of((0_i64..28, 0_i64..86_400).prop_map(|(day, second)| {
            let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
            time(&format!("2026-11-{:02}T{hour:02}:{minute:02}:{second:02}Z", day + 1))
        }))
    }

    fn texts() -> impl Strategy<Value = Option<String>> {
        of(prop_oneof![
            any::<String>(),
            "[ -~\n\t]{0,20}",
            Just("null".to_owned()),
            Just("~".to_owned()),
            Just("7".to_owned())
        ])
    }

    prop_compose! {
        fn facts()(
            (slug, title, author, summary, verified_by) in (texts(), texts(), texts(), texts(), texts()),
            (created_at, stale_after, verified_at) in (moments(), moments(), moments()),
            (revision, verified_revision) in (of(any::<i64>()), of(1_i64..1000)),
            action in of(proptest::sample::select(WikiAction::ALL.to_vec())),
            protected in of(Just(Protection::Humans)),
            redirects in vec("[a-z0-9-]{2,10}", 0..5),
            deleted in any::<bool>(),
        ) -> FrontMatter {
            FrontMatter {
                slug, title, revision, action, author, created_at, summary, protected, stale_after, verified_by,
                verified_at, verified_revision, redirects, deleted,
            }
        }
    }

    proptest! {
        #[test]
        fn a_file_is_read_as_it_was_written(facts in facts(), text in prop_oneof![any::<String>(), "(---|\n|\r|a|title: b)*"]) {
            let file = facts.with_text(&text);
            let (read, read_text) = FrontMatter::read(&file).unwrap();
            prop_assert_eq!(read, facts);
            prop_assert_eq!(read_text, text);
        }

        #[test]
        fn any_file_is_read_or_refused(file in "(---|\n|\r|[a-z]+: |\"|\\PC)*") {
            drop(FrontMatter::read(&file));
        }
    }
}
