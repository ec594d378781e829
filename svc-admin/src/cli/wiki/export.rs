//! `svc-admin wiki export`: one article after the other, one revision per call.

use std::path::{Path, PathBuf};

use indicatif::ProgressBar;
use serde::Serialize;
use svc_core::wiki::{ArticlePage, ImportedState, RevisionPage, RevisionText};

use super::front_matter::FrontMatter;
use super::{HISTORY, count, history_file, shown, tree};
use crate::cli::context::Context;
use crate::cli::outcome::{Failure, Outcome};
use crate::cli::progress;
use crate::methods::wiki::{Export, ExportParams, ExportStep};

/// Result of an export.
#[derive(Debug, Default, Serialize)]
struct Exported {
    articles: u64,
    /// The deleted ones among them.
    deleted: u64,
    revisions: u64,
    directory: PathBuf,
}

pub(super) async fn run(context: &mut Context, directory: &Path, force: bool) -> Result<Outcome, Failure> {
    tree::create_folder(directory)?;
    let unreadable = |error| Failure::Here(format!("{} cannot be read ({error}).", shown(directory)));
    if !force && !tree::entries(directory).await.map_err(unreadable)?.is_empty() {
        let sentence =
            format!("{} is not empty: name another directory, or replace files there with --force.", shown(directory));
        return Err(Failure::Here(sentence));
    }
    let bar = progress::bar(None, true);
    let mut done = Exported { directory: directory.to_owned(), ..Exported::default() };
    let written = write_all(context, &mut done, &bar).await;
    bar.finish_and_clear();
    written?;
    let (articles, revisions) = (count(done.articles, "article"), count(done.revisions, "revision"));
    let deleted = if done.deleted == 0 { String::new() } else { format!(" ({} of them deleted)", done.deleted) };
    let sentence = format!("Wrote {articles}{deleted} with {revisions} to {}.", shown(directory));
    Ok(Outcome::sentence(&context.output, &done, &sentence))
}

async fn write_all(context: &mut Context, done: &mut Exported, bar: &ProgressBar) -> Result<(), Failure> {
    for deleted in [false, true] {
        let mut cursor = None;
        loop {
            let page = articles(context, deleted, cursor).await?;
            for article in page.articles {
                write_article(context, &article.slug, done, bar).await?;
                done.articles += 1;
                done.deleted += u64::from(deleted);
            }
            match page.next_cursor {
                Some(next) => cursor = Some(next),
                None => break,
            }
        }
    }
    Ok(())
}

/// Writes the earlier revisions first, so that an article whose file is there is complete.
async fn write_article(
    context: &mut Context,
    slug: &str,
    done: &mut Exported,
    bar: &ProgressBar,
) -> Result<(), Failure> {
    let folder = done.directory.join(HISTORY).join(slug);
    let (mut before, mut newest) = (None, None);
    loop {
        let page = revisions(context, slug, before).await?;
        for revision in page.revisions {
            let Some(first) = newest else {
                newest = Some(revision.number);
                continue;
            };
            if revision.number < first {
                tree::create_folder(&done.directory.join(HISTORY))?;
                tree::create_folder(&folder)?;
                let revision = text(context, slug, revision.number).await?;
                let path = folder.join(history_file(revision.revision.number));
                write_revision(&path, revision, ImportedState::default())?;
                done.revisions += 1;
                bar.inc(1);
            }
        }
        match page.next_cursor {
            Some(next) => before = Some(next),
            None => break,
        }
    }
    let Some(newest) = newest else { return Ok(()) };
    let revision = text(context, slug, newest).await?;
    let state = state(context, slug).await?;
    write_revision(&done.directory.join(format!("{slug}.md")), revision, state)?;
    done.revisions += 1;
    bar.inc(1);
    Ok(())
}

fn write_revision(path: &Path, revision: RevisionText, state: ImportedState) -> Result<(), Failure> {
    let RevisionText { revision, body } = revision;
    let facts = FrontMatter {
        slug: Some(revision.slug),
        title: Some(revision.title),
        revision: Some(revision.number),
        action: Some(revision.action),
        author: Some(revision.author),
        created_at: Some(revision.created_at),
        summary: revision.summary,
        protected: state.protected,
        stale_after: state.stale_after,
        verified_by: state.verified_by,
        verified_at: state.verified_at,
        verified_revision: state.verified_revision,
        redirects: state.redirects,
        deleted: state.deleted,
    };
    tree::write_file(path, &facts.with_text(&body))
}

/// The result of another step than the one that was asked for.
fn unexpected<T>() -> Result<T, Failure> {
    Err(Failure::Here("The server answered to another step of the export: see its log.".into()))
}

async fn articles(context: &mut Context, deleted: bool, cursor: Option<String>) -> Result<ArticlePage, Failure> {
    match context.call::<Export>(&ExportParams::Articles { deleted, cursor }).await? {
        ExportStep::Articles(page) => Ok(page),
        _ => unexpected(),
    }
}

async fn revisions(context: &mut Context, slug: &str, before: Option<i64>) -> Result<RevisionPage, Failure> {
    match context.call::<Export>(&ExportParams::Revisions { slug: slug.to_owned(), before }).await? {
        ExportStep::Revisions(page) => Ok(page),
        _ => unexpected(),
    }
}

async fn text(context: &mut Context, slug: &str, number: i64) -> Result<RevisionText, Failure> {
    match context.call::<Export>(&ExportParams::Revision { slug: slug.to_owned(), number }).await? {
        ExportStep::Revision(revision) => Ok(*revision),
        _ => unexpected(),
    }
}

async fn state(context: &mut Context, slug: &str) -> Result<ImportedState, Failure> {
    match context.call::<Export>(&ExportParams::State { slug: slug.to_owned() }).await? {
        ExportStep::State(state) => Ok(*state),
        _ => unexpected(),
    }
}
