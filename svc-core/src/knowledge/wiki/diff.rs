//! The difference between two revisions: by lines, and by words inside of lines.

use std::time::Instant;

use similar::{ChangeTag, TextDiff};
use svc_macros::boxed_futures;
use svc_model::auth::Permission;
use svc_model::names::ArticleSlug;
use svc_model::wiki::{ArticleDiff, DiffHunk, DiffKind, DiffLine, DiffPart, DiffRange};

use super::author::require;
use super::service::{Wiki, known, revision_text};
use crate::error::{Error, Result};
use crate::identity::auth::Caller;
use crate::limits;

#[boxed_futures]
impl Wiki {
    /// Compares two revisions. A deleted article has them, too.
    pub async fn diff(&self, caller: &Caller, slug: &ArticleSlug, range: DiffRange) -> Result<ArticleDiff> {
        require(caller, Permission::Read)?;
        if range.from.is_some_and(|number| number < 0) {
            return Err(Error::invalid("from", "must be 0 or more"));
        }
        if range.to.is_some_and(|number| number < 1) {
            return Err(Error::invalid("to", "must be 1 or more"));
        }
        let (slug, from, to) = self
            .db
            .read((slug.clone(), range), |tx, (slug, range)| {
                Box::pin(async move {
                    let (article, _) = known(tx, slug.as_str()).await?;
                    let to = revision_text(tx, &article, range.to.unwrap_or(article.revision)).await?;
                    let from = match range.from.unwrap_or(to.revision.number - 1) {
                        0 => None,
                        number => Some(revision_text(tx, &article, number).await?),
                    };
                    Ok((article.slug, from, to))
                })
            })
            .await?;
        let comparing = tokio::task::spawn_blocking(move || {
            let before = from.as_ref().map_or("", |from| from.body.as_str());
            let compared = compare(before, &to.body);
            ArticleDiff {
                slug,
                hunks: compared.hunks,
                added: compared.added,
                removed: compared.removed,
                truncated: compared.truncated,
                from: from.map(|from| from.revision),
                to: to.revision,
            }
        });
        comparing.await.map_err(|error| Error::internal(format!("a comparison of texts panicked: {error}")))
    }
}

/// The lines of a difference.
#[derive(Debug, Default)]
struct Compared {
    hunks: Vec<DiffHunk>,
    added: i64,
    removed: i64,
    truncated: bool,
}

fn compare(before: &str, after: &str) -> Compared {
    let deadline = Instant::now() + limits::DIFF_TIMEOUT;
    let diff = TextDiff::configure().deadline(deadline).diff_lines(before, after);
    let mut compared = Compared::default();
    for change in diff.iter_all_changes() {
        match change.tag() {
            ChangeTag::Equal => {}
            ChangeTag::Delete => compared.removed += 1,
            ChangeTag::Insert => compared.added += 1,
        }
    }
    let mut shown = 0;
    for group in diff.grouped_ops(limits::DIFF_CONTEXT) {
        let mut lines = Vec::new();
        for change in group.iter().flat_map(|op| diff.iter_inline_changes_deadline(op, Some(deadline))) {
            if shown == limits::DIFF_LINES_MAX {
                compared.truncated = true;
                break;
            }
            shown += 1;
            lines.push(line(&change));
        }
        if !lines.is_empty() {
            compared.hunks.push(DiffHunk { lines });
        }
    }
    compared
}

fn line(change: &similar::InlineChange<'_, str>) -> DiffLine {
    let kind = match change.tag() {
        ChangeTag::Equal => DiffKind::Equal,
        ChangeTag::Delete => DiffKind::Removed,
        ChangeTag::Insert => DiffKind::Added,
    };
    let number = |index: Option<usize>| index.and_then(|index| i64::try_from(index + 1).ok());
    let mut parts: Vec<DiffPart> = Vec::new();
    for (changed, text) in change.values() {
        let text = text.trim_end_matches(['\n', '\r']);
        match parts.last_mut() {
            Some(last) if last.changed == *changed => last.text.push_str(text),
            _ if text.is_empty() => {}
            _ => parts.push(DiffPart { text: text.to_owned(), changed: *changed }),
        }
    }
    DiffLine { kind, old_line: number(change.old_index()), new_line: number(change.new_index()), parts }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(compared: &Compared) -> Vec<String> {
        let text = |line: &DiffLine| {
            let mark = match line.kind {
                DiffKind::Equal => ' ',
                DiffKind::Removed => '-',
                DiffKind::Added => '+',
            };
            let parts =
                line.parts.iter().map(|part| if part.changed { format!("[{}]", part.text) } else { part.text.clone() });
            format!("{mark}{}", parts.collect::<String>())
        };
        compared.hunks.iter().flat_map(|hunk| hunk.lines.iter().map(text)).collect()
    }

    #[test]
    fn changed_words_are_marked_inside_of_changed_lines() {
        let compared = compare("a\nthe old way\nb\n", "a\nthe new way\nb\nc\n");
        assert_eq!(shown(&compared), [" a", "-the [old] way", "+the [new] way", " b", "+c"]);
        assert_eq!((compared.added, compared.removed), (2, 1));
    }

    #[test]
    fn lines_far_from_a_change_are_left_out() {
        let text = (0..100).map(|line| line.to_string()).collect::<Vec<_>>().join("\n");
        let compared = compare(&text, &text.replace("50\n", "fifty\n").replace("90\n", ""));
        assert_eq!(compared.hunks.len(), 2);
        assert_eq!(compared.hunks[0].lines[0].old_line, Some(48));
        assert!(compare(&text, &text).hunks.is_empty());
    }

    #[test]
    fn a_long_difference_is_cut_and_takes_a_bounded_time() {
        let lines = |start: u64| -> String {
            let all = (0..60_000_u64).map(|line| ((line * 7919 + start) % 60_013 % 90).to_string());
            all.collect::<Vec<_>>().join("\n")
        };
        let started = Instant::now();
        let compared = compare(&lines(0), &lines(31));
        assert!(compared.truncated || compared.hunks.iter().map(|hunk| hunk.lines.len()).sum::<usize>() <= 4000);
        assert!(started.elapsed().as_secs() < 20, "{:?}", started.elapsed());
    }
}
