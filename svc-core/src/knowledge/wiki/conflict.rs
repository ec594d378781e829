//! Conflicts of edits: a change that is based on a revision after which another change was saved.

use serde_json::json;
use similar::TextMerge;
use svc_model::wiki::{ArticleSave, find_section, sections, with_section};

use super::record::ArticleText;
use super::store::ArticleRow;
use crate::error::{Error, ErrorKind, Result};
use crate::identity::auth::Caller;
use crate::limits;

/// The code of a conflict.
pub(super) const CODE: &str = "edit_conflict";

/// A merge of a change with a newer revision.
pub(super) struct Merge {
    /// The revision that it was merged with.
    pub(super) onto: i64,
    pub(super) text: ArticleText,
}

/// The conflict that a transaction finds; the whole error is made outside of it.
pub(super) fn marker() -> Error {
    Error::conflict(CODE, "The article was changed meanwhile.")
}

/// The error of a conflict, with the current text and the merge.
pub(super) fn error(
    caller: &Caller,
    article: &ArticleRow,
    theirs: &ArticleText,
    save: &ArticleSave,
    merged: Option<&ArticleText>,
) -> Error {
    let base = save.base_revision.unwrap_or_default();
    let own = caller.identity().is_some_and(|identity| identity.handle == article.updated_by);
    let by = if own { "you".to_owned() } else { article.updated_by.clone() };
    let advice = if merged.is_some() {
        "The changes can be merged: send the request again with merge set to true."
    } else {
        "The changes are in the same lines: change the current text instead, and name its revision."
    };
    let message = format!(
        "The article was changed after revision {base}: the newest is {}, by {by}. Nothing was saved. {advice}",
        article.revision
    );
    let conflict = json!({
        "revision": article.revision,
        "base_revision": base,
        "title": theirs.title,
        "body": theirs.body,
        "updated_by": article.updated_by,
        "updated_at": article.updated_at,
        "merge_is_clean": merged.is_some(),
        "merged": merged.map(|merged| merged.body.as_str()),
        "merged_title": merged.map(|merged| merged.title.as_str()),
    });
    Error::conflict(CODE, message).with_detail("conflict", conflict)
}

/// Merges two changes of a text; `None` if they contradict each other.
pub(super) fn merged(base: &ArticleText, yours: &ArticleText, theirs: &ArticleText) -> Option<ArticleText> {
    let title = one_of(&base.title, &yours.title, &theirs.title)?.to_owned();
    if let Some(body) = one_of(&base.body, &yours.body, &theirs.body) {
        return Some(ArticleText { title, body: body.to_owned() });
    }
    let texts = [&base.body, &yours.body, &theirs.body];
    if texts.iter().any(|text| text.lines().count() > limits::MERGE_LINES_MAX) {
        return None;
    }
    let merge = TextMerge::from_lines(base.body.as_str(), yours.body.as_str(), theirs.body.as_str());
    (!merge.is_conflicted()).then(|| ArticleText { title, body: merge.to_string() })
}

/// The value after two changes, of which at most one differs from the base.
fn one_of<'a>(base: &'a str, yours: &'a str, theirs: &'a str) -> Option<&'a str> {
    if yours == base || yours == theirs {
        Some(theirs)
    } else if theirs == base {
        Some(yours)
    } else {
        None
    }
}

/// The text with another text in place of the section with this heading.
pub(super) fn replaced(body: &str, heading: &str, part: &str) -> Result<String> {
    let all = sections(body);
    let section = find_section(&all, heading).map_err(|headings| missing_section(heading, &headings))?;
    Ok(with_section(body, section, part))
}

/// The error of a heading that no section has, or more than one.
fn missing_section(heading: &str, headings: &[String]) -> Error {
    let shown: Vec<_> = headings.iter().take(limits::PAGE_DEFAULT as usize).cloned().collect();
    let list = if shown.is_empty() { "The article has no headings.".to_owned() } else { shown.join("; ") };
    let message = format!("No section, or more than one, has the heading {heading:?}. Sections: {list}");
    Error::new(ErrorKind::NotFound, "section_not_found", message).with_detail("sections", shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(body: &str) -> ArticleText {
        ArticleText { title: "Title".into(), body: body.into() }
    }

    fn merge(base: &str, yours: &str, theirs: &str) -> Option<String> {
        merged(&text(base), &text(yours), &text(theirs)).map(|merged| merged.body)
    }

    #[test]
    fn changes_of_different_lines_are_merged() {
        assert_eq!(merge("a\nb\nc\n", "A\nb\nc\n", "a\nb\nC\n").as_deref(), Some("A\nb\nC\n"));
        assert_eq!(merge("a\nb\nc", "a\nb\nc\nd", "0\na\nb\nc").as_deref(), Some("0\na\nb\nc\nd"));
        assert_eq!(merge("a\n", "b\n", "b\n").as_deref(), Some("b\n"));
    }

    #[test]
    fn changes_of_one_line_are_a_conflict() {
        assert_eq!(merge("a\nb\n", "a\nx\n", "a\ny\n"), None);
        let titled = |title: &str| ArticleText { title: title.into(), body: "a".into() };
        assert_eq!(merged(&titled("a"), &titled("b"), &titled("c")), None);
        assert_eq!(merged(&titled("a"), &titled("b"), &titled("a")).unwrap().title, "b");
    }

    #[test]
    fn texts_with_too_many_lines_are_not_compared() {
        let long = "x\n".repeat(limits::MERGE_LINES_MAX + 1);
        assert_eq!(merge(&long, &format!("a\n{long}"), &format!("{long}b\n")), None);
    }

    #[test]
    fn the_worst_text_within_the_limit_takes_little_time() {
        let lines = |start: usize| -> String {
            let all: Vec<_> = (0..limits::MERGE_LINES_MAX).map(|line| (line * 7919 + start) % 6007).collect();
            all.iter().map(usize::to_string).collect::<Vec<_>>().join("\n")
        };
        let started = std::time::Instant::now();
        let _ = merge(&lines(0), &lines(3001), &lines(4507));
        assert!(started.elapsed().as_secs() < 20, "{:?}", started.elapsed());
    }
}
