//! The sections of a Markdown text: a heading with everything up to the next heading of its level or above.

use std::ops::Range;

use crate::text::code_ranges;

/// A section of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// The text of its heading, without `#`.
    pub heading: String,
    /// The level of its heading: 1 to 6.
    pub level: usize,
    /// Its bytes in the text: the heading, its own text and its subsections.
    pub range: Range<usize>,
    /// The end of its heading, with the line break and blank lines.
    pub heading_end: usize,
}

/// The sections of a text, in order. Headings in code are none.
pub fn sections(body: &str) -> Vec<Section> {
    let code = code_ranges(body);
    let mut code = code.iter().peekable();
    let mut found: Vec<Section> = Vec::new();
    let mut start = 0;
    for line in body.split_inclusive('\n') {
        let range = start..start + line.len();
        start = range.end;
        while code.next_if(|code| code.end <= range.start).is_some() {}
        if code.peek().is_some_and(|code| code.start <= range.start) {
            continue;
        }
        let Some((level, heading)) = heading_of(line) else {
            if line.trim().is_empty() {
                found
                    .iter_mut()
                    .filter(|open| open.heading_end == range.start)
                    .for_each(|open| open.heading_end = range.end);
            }
            continue;
        };
        for open in found.iter_mut().filter(|open| open.range.end == usize::MAX && open.level >= level) {
            open.range.end = range.start;
        }
        let heading_end = range.end;
        found.push(Section { heading: heading.to_owned(), level, range: range.start..usize::MAX, heading_end });
    }
    for section in &mut found {
        section.range.end = section.range.end.min(body.len());
    }
    found
}

/// The level and the text of a heading such as `## Install ##`.
fn heading_of(line: &str) -> Option<(usize, &str)> {
    let text = line.trim_end();
    let indent = text.len() - text.trim_start_matches(' ').len();
    let text = text.trim_start_matches(' ');
    let level = text.len() - text.trim_start_matches('#').len();
    let rest = text.get(level..)?;
    if indent > 3 || !(1..=6).contains(&level) || !(rest.is_empty() || rest.starts_with([' ', '\t'])) {
        return None;
    }
    let rest = rest.trim();
    let without_marks = rest.trim_end_matches('#');
    let text =
        if without_marks.is_empty() || without_marks.ends_with([' ', '\t']) { without_marks.trim() } else { rest };
    Some((level, text))
}

/// The section with this heading. Case and `#` before it do not count. `Err` has the headings of the text, if there is
/// none or more than one.
pub fn find_section<'a>(all: &'a [Section], heading: &str) -> Result<&'a Section, Vec<String>> {
    let wanted = heading.trim().trim_start_matches('#').trim().to_lowercase();
    let mut matching = all.iter().filter(|section| section.heading.to_lowercase() == wanted);
    match (matching.next(), matching.next()) {
        (Some(section), None) => Ok(section),
        _ => Err(all.iter().map(|section| format!("{} {}", "#".repeat(section.level), section.heading)).collect()),
    }
}

/// The text with another text in place of a section. A new text without a heading keeps the heading; an empty one
/// removes the section.
pub fn with_section(body: &str, section: &Section, text: &str) -> String {
    let before = body.get(..section.range.start).unwrap_or_default();
    let heading = body.get(section.range.start..section.heading_end).unwrap_or_default();
    let after = body.get(section.range.end..).unwrap_or_default();
    let mut whole = String::with_capacity(body.len() + text.len() + 2);
    whole.push_str(before);
    if !text.trim().is_empty() {
        if text.lines().next().and_then(heading_of).is_none() {
            whole.push_str(heading);
            if !heading.ends_with('\n') {
                whole.push('\n');
            }
        }
        whole.push_str(text.trim_end_matches('\n'));
        whole.push('\n');
        // A blank line stays before the next section.
        if !after.is_empty() {
            whole.push('\n');
        }
    }
    whole.push_str(after);
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str =
        "intro\n\n# One\na\n\n## Two ##\nb\n```\n# not a heading\n```\n\n## Three\nc\n\n# Four\n#tag\n    # code\nd";

    fn part(heading: &str) -> &'static str {
        let all = sections(TEXT);
        TEXT.get(find_section(&all, heading).unwrap().range.clone()).unwrap()
    }

    #[test]
    fn a_section_ends_at_the_next_heading_of_its_level() {
        let headings: Vec<_> = sections(TEXT).into_iter().map(|section| (section.level, section.heading)).collect();
        let expected = [(1, "One"), (2, "Two"), (2, "Three"), (1, "Four")];
        assert_eq!(headings, expected.map(|(level, heading)| (level, heading.to_owned())));
        assert_eq!(part("two"), "## Two ##\nb\n```\n# not a heading\n```\n\n");
        assert!(part("# One").ends_with("## Three\nc\n\n"));
        assert_eq!(part("FOUR"), "# Four\n#tag\n    # code\nd");
    }

    #[test]
    fn a_section_is_replaced_and_nothing_else() {
        let all = sections(TEXT);
        let two = find_section(&all, "Two").unwrap();
        let changed = with_section(TEXT, two, "new");
        assert_eq!(changed, TEXT.replace("b\n```\n# not a heading\n```\n", "new\n"));
        let renamed = with_section(TEXT, two, "## Second\nnew\n");
        assert!(renamed.contains("a\n\n## Second\nnew\n\n## Three"));
        let removed = with_section(TEXT, two, " ");
        assert!(removed.contains("a\n\n## Three") && !removed.contains("Two"));
        let last = find_section(&all, "Four").unwrap();
        assert!(with_section(TEXT, last, "end").ends_with("## Three\nc\n\n# Four\nend\n"));
        let spaced = "# A\n\nold\n\n# B\n\nrest\n";
        let all = sections(spaced);
        assert_eq!(with_section(spaced, find_section(&all, "A").unwrap(), "new"), "# A\n\nnew\n\n# B\n\nrest\n");
    }

    #[test]
    fn an_unknown_or_repeated_heading_lists_all() {
        let all = sections("# A\n## B\n## b\n");
        assert_eq!(find_section(&all, "b").unwrap_err(), ["# A", "## B", "## b"]);
        assert_eq!(find_section(&all, "c").unwrap_err().len(), 3);
    }
}
