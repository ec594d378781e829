//! Errors of a change that an agent can resolve: the details of the hub, cut to the part that it needs.
//!
//! Invariants: the text of an article is in an error only if it is short, or if it is the section that was changed;
//! the merged text never is, because `merge` saves it.

use serde::Serialize;
use serde_json::Value;
use svc_core::formats::neutral;
use svc_core::wiki::{find_section, sections};
use svc_core::{Error, limits};

use super::read::{Author, cut_at_line, no_section};
use crate::budget::{beginning, tokens};
use crate::catalogue::Call;
use crate::error::Refusal;

/// Maximum size of a text in an error, in tokens.
const TEXT: usize = limits::READ_TOKENS_DEFAULT as usize;
const MERGE: &str = "Your change fits the others': call again with merge: true.";
const AGAIN: &str = "Put your change into the current text, and call again with its revision as base_revision.";
const READ: &str = "Read the article again with get_article, and call again with its revision as base_revision.";

/// The current state of an article that others have changed.
#[derive(Serialize)]
struct Conflict {
    revision: i64,
    merge_is_clean: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    #[serde(flatten)]
    author: Author,
    /// The text of the section that was changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    section: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    body: Option<String>,
    /// Number of omitted characters of the text.
    #[serde(skip_serializing_if = "Option::is_none")]
    omitted: Option<usize>,
}

/// The error of a change of an article, or of one section of it, within bounds.
pub(super) async fn bounded(call: &Call, error: Error, section: Option<&str>) -> Refusal {
    let details = error.details();
    if error.code() == "section_not_found" {
        let headings = details.get("sections").and_then(Value::as_array).into_iter().flatten();
        let headings: Vec<String> = headings.filter_map(Value::as_str).map(ToOwned::to_owned).collect();
        return no_section(section.unwrap_or_default(), headings);
    }
    let Some(now) = details.get("conflict").filter(|_| error.code() == "edit_conflict").cloned() else {
        return error.into();
    };
    let text = |field: &str| now.get(field).and_then(Value::as_str).unwrap_or_default();
    let author = Author::of(call, text("updated_by"), text("updated_at")).await;
    resolved(error.into(), &now, author, section)
}

/// The refusal with the state of the article that the agent needs to go on.
fn resolved(mut refusal: Refusal, now: &Value, author: Author, section: Option<&str>) -> Refusal {
    let text = |field: &str| now.get(field).and_then(Value::as_str);
    let mut conflict = Conflict {
        revision: now.get("revision").and_then(Value::as_i64).unwrap_or_default(),
        merge_is_clean: now.get("merge_is_clean").and_then(Value::as_bool).unwrap_or_default(),
        title: text("title").map(|title| neutral(title).into_owned()),
        author,
        section: None,
        body: None,
        omitted: None,
    };
    let body = text("body").unwrap_or_default();
    match section {
        Some(heading) => {
            let all = sections(body);
            if let Some(part) = find_section(&all, heading).ok().and_then(|found| body.get(found.range.clone())) {
                let part = neutral(part);
                let kept = cut_at_line(beginning(&part, TEXT), &part);
                conflict.omitted = Some(part[kept.len()..].chars().count()).filter(|left| *left > 0);
                conflict.section = Some(kept.to_owned());
            }
        }
        None if tokens(body) <= TEXT => conflict.body = text("body").map(|body| neutral(body).into_owned()),
        None => conflict.omitted = Some(body.chars().count()),
    }
    let is_shown = conflict.body.is_some() || conflict.section.is_some();
    refusal.hint = Some(
        match (conflict.merge_is_clean, is_shown && conflict.omitted.is_none()) {
            (true, _) => MERGE,
            (false, true) => AGAIN,
            (false, false) => READ,
        }
        .to_owned(),
    );
    refusal.details.remove("conflict");
    if let Ok(value) = serde_json::to_value(conflict) {
        refusal.details.insert("conflict".into(), value);
    }
    refusal
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn answer(body: &str, is_clean: bool, section: Option<&str>) -> Value {
        let now = json!({
            "revision": 7, "title": "Deploy", "body": body, "updated_by": "ann", "updated_at": "2026-01-01T00:00:00Z",
            "merge_is_clean": is_clean, "merged": is_clean.then_some(body),
        });
        let refusal = Refusal::new("edit_conflict", "Another change was saved first.");
        let author = Author::unknown("ann", "2026-01-01T00:00:00Z");
        serde_json::to_value(resolved(refusal, &now, author, section)).unwrap()
    }

    #[test]
    fn a_short_text_is_shown_and_a_long_one_is_read_again() {
        let short = answer("# One\na\n", false, None);
        assert_eq!(short["code"], "edit_conflict");
        assert_eq!(short["conflict"]["revision"], 7);
        assert_eq!(short["conflict"]["body"], "# One\na\n");
        assert_eq!(short["conflict"]["updated_by"], "ann");
        assert_eq!(short["hint"], AGAIN);
        let long = answer(&"word ".repeat(20_000), false, None);
        assert!(long["conflict"].get("body").is_none() && long["conflict"].get("merged").is_none());
        assert_eq!((&long["conflict"]["omitted"], &long["hint"]), (&json!(100_000), &json!(READ)));
        assert!(tokens(&long.to_string()) < 300);
    }

    #[test]
    fn a_clean_merge_is_offered() {
        let clean = answer("# One\na\n", true, None);
        assert_eq!((&clean["conflict"]["merge_is_clean"], &clean["hint"]), (&json!(true), &json!(MERGE)));
    }

    #[test]
    fn only_the_section_that_was_changed_is_shown() {
        let long = format!("# One\na\n# Two\nb\n# Three\n{}", "line\n".repeat(20_000));
        let two = answer(&long, false, Some("two"));
        assert_eq!((&two["conflict"]["section"], &two["hint"]), (&json!("# Two\nb\n"), &json!(AGAIN)));
        let three = answer(&long, false, Some("Three"));
        let shown = three["conflict"]["section"].as_str().unwrap();
        assert!(shown.ends_with("line\n") && tokens(shown) <= TEXT);
        assert_eq!(three["conflict"]["omitted"], "# Three\n".len() + 100_000 - shown.len());
        let gone = answer(&long, false, Some("Four"));
        assert!(gone["conflict"].get("section").is_none());
        assert_eq!(gone["hint"], READ);
    }
}
