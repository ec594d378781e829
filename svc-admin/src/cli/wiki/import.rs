//! `svc-admin wiki import`: all files of an article are checked before the first of them is sent.
//!
//! Invariants: a file with a fault changes nothing of its article, and does not keep others from being imported; each
//! fault is reported with its file, and the exit code reports that there were any.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Serialize;
use svc_core::wiki::{ArticleSlug, ImportStep, ImportedRevision, ImportedState, NewArticle, sections};

use super::front_matter::FrontMatter;
use super::tree::{Entry, Kind};
use super::{HISTORY, count, history_file, shown, tree};
use crate::cli::context::Context;
use crate::cli::outcome::{Failure, Outcome, Verdict};
use crate::cli::{progress, refusal};
use crate::client::ClientError;
use crate::methods::wiki::{Export, ExportParams, Import, ImportOutcome, ImportParams};

/// Result of an import.
#[derive(Debug, Default, Serialize)]
struct Imported {
    /// New articles.
    articles: u64,
    /// New revisions.
    revisions: u64,
    /// Articles that had all revisions already.
    unchanged: u64,
    failed: Vec<Fault>,
}

/// A file that was not imported.
#[derive(Debug, Serialize)]
struct Fault {
    file: String,
    reason: String,
}

/// The files of an article.
struct Files {
    /// The slug in its name.
    name: String,
    newest: PathBuf,
    /// Earlier revisions by number.
    earlier: BTreeMap<i64, PathBuf>,
}

/// The reason why an article was not imported.
enum Stopped {
    /// It concerns this article alone.
    Article(Fault),
    /// It concerns all.
    All(Failure),
}

impl From<Fault> for Stopped {
    fn from(fault: Fault) -> Self {
        Self::Article(fault)
    }
}

fn fault(path: &Path, reason: impl Into<String>) -> Fault {
    Fault { file: shown(path), reason: reason.into() }
}

pub(super) async fn run(context: &mut Context, directory: &Path, dry_run: bool) -> Result<Outcome, Failure> {
    let mut done = Imported::default();
    let articles = find(directory, &mut done.failed).await?;
    let bar = progress::bar(Some(articles.len() as u64), true);
    let mut taken = BTreeMap::new();
    let mut checked = 0;
    for files in &articles {
        match import(context, files, &mut taken, dry_run, &mut done).await {
            Ok(()) => checked += 1,
            Err(Stopped::Article(fault)) => done.failed.push(fault),
            Err(Stopped::All(failure)) => {
                bar.finish_and_clear();
                return Err(failure);
            }
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    let sentence = if dry_run { would(checked, &done) } else { sentence(&done) };
    let outcome = Outcome::sentence(&context.output, &done, &sentence);
    if done.failed.is_empty() {
        return Ok(outcome);
    }
    let lines: Vec<_> = done.failed.iter().map(|fault| format!("{}: {}", fault.file, fault.reason)).collect();
    Ok(outcome.remark(&context.output, &lines.join("\n")).verdict(Verdict::Wrong))
}

fn sentence(done: &Imported) -> String {
    format!(
        "Added {} and {}; {} unchanged, {} failed.",
        count(done.articles, "article"),
        count(done.revisions, "revision"),
        done.unchanged,
        done.failed.len()
    )
}

fn would(checked: u64, done: &Imported) -> String {
    format!("{} can be imported, {} failed. Nothing was changed.", count(checked, "article"), done.failed.len())
}

/// The articles of a directory, by name.
async fn find(directory: &Path, failed: &mut Vec<Fault>) -> Result<Vec<Files>, Failure> {
    let unreadable =
        |error| Failure::Here(format!("{} cannot be read ({error}): name the directory.", shown(directory)));
    let entries = tree::entries(directory).await.map_err(unreadable)?;
    let mut articles = BTreeMap::new();
    for Entry { name, path, kind } in &entries {
        let Some(stem) = name.strip_suffix(".md") else { continue };
        match named(stem, *kind) {
            Ok(()) => {
                let files = Files { name: stem.to_owned(), newest: path.clone(), earlier: BTreeMap::new() };
                articles.insert(stem.to_owned(), files);
            }
            Err(reason) => failed.push(fault(path, reason)),
        }
    }
    if let Some(history) = entries.iter().find(|entry| entry.name == HISTORY) {
        find_history(&history.path, &mut articles, failed).await;
    }
    Ok(articles.into_values().collect())
}

/// Checks the name and the kind of the file of an article.
fn named(stem: &str, kind: Kind) -> Result<(), String> {
    if kind != Kind::File {
        return Err("it is no file".to_owned());
    }
    ArticleSlug::parse("name", stem).map(drop).map_err(|_| "its name is no slug, such as how-we-deploy.md".to_owned())
}

/// Adds the earlier revisions to their articles. An article with a fault there is not imported.
async fn find_history(history: &Path, articles: &mut BTreeMap<String, Files>, failed: &mut Vec<Fault>) {
    let folders = match tree::entries(history).await {
        Ok(folders) => folders,
        Err(error) => return failed.push(fault(history, format!("it cannot be read ({error})"))),
    };
    for Entry { name, path, .. } in folders {
        let Some(files) = articles.get_mut(&name) else {
            failed.push(fault(&path, format!("it has no article: {name}.md is missing")));
            continue;
        };
        match earlier(&path).await {
            Ok(earlier) => files.earlier = earlier,
            Err(fault) => {
                failed.push(fault);
                articles.remove(&name);
            }
        }
    }
}

/// The earlier revisions in a folder.
async fn earlier(folder: &Path) -> Result<BTreeMap<i64, PathBuf>, Fault> {
    let entries = tree::entries(folder).await.map_err(|error| fault(folder, format!("it cannot be read ({error})")))?;
    let mut earlier = BTreeMap::new();
    for Entry { name, path, kind } in entries {
        let Some(stem) = name.strip_suffix(".md") else { continue };
        let number = stem.parse().ok().filter(|number| *number > 0 && history_file(*number) == name);
        match number {
            Some(number) if kind == Kind::File => drop(earlier.insert(number, path)),
            Some(_) => return Err(fault(&path, "it is no file")),
            None => return Err(fault(&path, "its name is not the number of a revision with six digits")),
        }
    }
    Ok(earlier)
}

/// Checks an article and sends it. `taken` has the slugs of the articles before it, with their files.
async fn import(
    context: &mut Context,
    files: &Files,
    taken: &mut BTreeMap<String, PathBuf>,
    dry_run: bool,
    done: &mut Imported,
) -> Result<(), Stopped> {
    let (newest, state) = read_newest(files).await?;
    let slug = newest.article.clone();
    if let Some(other) = taken.get(&slug) {
        return Err(fault(&files.newest, format!("{} has the slug {slug} as well", shown(other))).into());
    }
    taken.insert(slug.clone(), files.newest.clone());
    for (number, path) in &files.earlier {
        if newest.number.is_some_and(|newest| newest <= *number) {
            return Err(fault(path, "it is not earlier than the article").into());
        }
        read_earlier(&slug, *number, path).await?;
    }
    if dry_run {
        return Ok(());
    }
    let is_new = !is_there(context, &slug).await?;
    let before = done.revisions;
    for (number, path) in &files.earlier {
        let revision = read_earlier(&slug, *number, path).await?;
        done.revisions += send(context, path, revision).await?;
    }
    done.revisions += send(context, &files.newest, newest).await?;
    if let Some(state) = state {
        call(context, &files.newest, ImportParams::State(Box::new(state))).await?;
    }
    done.articles += u64::from(is_new);
    done.unchanged += u64::from(!is_new && done.revisions == before);
    Ok(())
}

/// The newest revision of an article, and its state if the file has one.
async fn read_newest(files: &Files) -> Result<(ImportedRevision, Option<ImportedState>), Fault> {
    let path = &files.newest;
    let (facts, text) = read(path).await?;
    let article = facts.slug.clone().unwrap_or_else(|| files.name.clone());
    let state = (facts.revision.is_some() || facts.has_state()).then(|| state(&article, &facts));
    for redirect in &facts.redirects {
        ArticleSlug::parse("redirects", redirect).map_err(|error| fault(path, reason(&error)))?;
    }
    let revision = revision(&article, &files.name, facts, text).map_err(|reason| fault(path, reason))?;
    Ok((revision, state))
}

/// An earlier revision of an article.
async fn read_earlier(article: &str, number: i64, path: &Path) -> Result<ImportedRevision, Fault> {
    let (mut facts, text) = read(path).await?;
    if facts.has_state() {
        let reason = "the front matter has facts about the article, which belong in the file of its newest revision";
        return Err(fault(path, reason));
    }
    if *facts.revision.get_or_insert(number) != number {
        return Err(fault(path, format!("the front matter names another revision than {number}")));
    }
    revision(article, article, facts, text).map_err(|reason| fault(path, reason))
}

async fn read(path: &Path) -> Result<(FrontMatter, String), Fault> {
    let file = tree::read_file(path).await.map_err(|reason| fault(path, reason))?;
    let (facts, text) = FrontMatter::read(&file).map_err(|reason| fault(path, reason))?;
    Ok((facts, text.to_owned()))
}

/// The revision in a file. `name` is its title if nothing else is.
fn revision(article: &str, name: &str, facts: FrontMatter, text: String) -> Result<ImportedRevision, String> {
    if facts.revision.is_some_and(|number| number < 1) {
        return Err("revision must be 1 or more".to_owned());
    }
    let title = facts.title.or_else(|| heading(&text)).unwrap_or_else(|| name.to_owned());
    let slug = Some(facts.slug.unwrap_or_else(|| article.to_owned()));
    let whole = NewArticle { slug, summary: facts.summary, ..NewArticle::titled(title, text) };
    let (slug, whole) = whole.checked().map_err(|error| reason(&error))?;
    Ok(ImportedRevision {
        article: article.to_owned(),
        number: facts.revision,
        action: facts.action,
        slug: Some(slug.as_str().to_owned()),
        title: whole.title,
        body: whole.body,
        summary: whole.summary,
        author: facts.author,
        created_at: facts.created_at,
    })
}

/// The first heading of level 1.
fn heading(text: &str) -> Option<String> {
    let top = sections(text).into_iter().find(|section| section.level == 1 && !section.heading.is_empty());
    top.map(|section| section.heading)
}

fn state(article: &str, facts: &FrontMatter) -> ImportedState {
    ImportedState {
        article: article.to_owned(),
        protected: facts.protected,
        stale_after: facts.stale_after,
        verified_by: facts.verified_by.clone(),
        verified_at: facts.verified_at,
        verified_revision: facts.verified_revision,
        redirects: facts.redirects.clone(),
        deleted: facts.deleted,
    }
}

/// An error of a check, with its fields.
fn reason(error: &svc_core::Error) -> String {
    let fields: Vec<_> = error.fields().iter().map(|fault| format!("{} {}", fault.field, fault.message)).collect();
    if fields.is_empty() { error.message().to_owned() } else { fields.join("; ") }
}

/// Whether the hub has the article, deleted or not.
async fn is_there(context: &mut Context, slug: &str) -> Result<bool, Stopped> {
    match context.client.call::<Export>(&ExportParams::State { slug: slug.to_owned() }).await {
        Ok(_) => Ok(true),
        Err(ClientError::Refused(fault)) if fault.data.as_ref().is_some_and(|data| data.code == "not_found") => {
            Ok(false)
        }
        Err(error) => Err(Stopped::All(error.into())),
    }
}

/// Sends a revision; returns how many were added.
async fn send(context: &mut Context, path: &Path, revision: ImportedRevision) -> Result<u64, Stopped> {
    let outcome = call(context, path, ImportParams::Revision(Box::new(revision))).await?;
    Ok(u64::from(outcome == ImportOutcome::Revision(ImportStep::Added)))
}

/// A refusal of the server concerns the file; any other error ends the import.
async fn call(context: &mut Context, path: &Path, params: ImportParams) -> Result<ImportOutcome, Stopped> {
    context.client.call::<Import>(&params).await.map_err(|error| match error {
        ClientError::Refused(_) => Stopped::Article(fault(path, refusal::describe(&error))),
        error => Stopped::All(error.into()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn found(place: &Path) -> (Vec<Files>, Vec<String>) {
        let mut failed = Vec::new();
        let articles = find(place, &mut failed).await.unwrap();
        (articles, failed.into_iter().map(|fault| format!("{}: {}", fault.file, fault.reason)).collect())
    }

    fn put(place: &Path, name: &str, content: &str) {
        let path = place.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        tree::write_file(&path, content).unwrap();
    }

    #[tokio::test]
    async fn articles_are_found_with_their_history() {
        let place = tempfile::tempdir().unwrap();
        let place = place.path();
        for name in ["deploy.md", "on-call.md", "notes.txt", "other/page.md", "history/deploy/000002.md"] {
            put(place, name, "Text");
        }
        put(place, "history/deploy/000001.md", "---\ntitle: Old\nauthor: ann\n---\n\nOld text");
        let (articles, failed) = found(place).await;
        assert!(failed.is_empty(), "{failed:?}");
        let names: Vec<_> = articles.iter().map(|files| files.name.as_str()).collect();
        assert_eq!(names, ["deploy", "on-call"]);
        let earlier = &articles[0].earlier;
        assert_eq!(earlier.keys().copied().collect::<Vec<_>>(), [1, 2]);
        let first = read_earlier("deploy", 1, &earlier[&1]).await.unwrap();
        assert_eq!((first.number, first.title.as_str(), first.body.as_str()), (Some(1), "Old", "Old text"));
        let (newest, state) = read_newest(&articles[0]).await.unwrap();
        assert_eq!((newest.number, newest.title.as_str(), state), (None, "deploy", None));
    }

    #[tokio::test]
    async fn a_fault_names_its_file_and_concerns_one_article() {
        let place = tempfile::tempdir().unwrap();
        let place = place.path();
        for name in ["fine.md", "README.md", "-.md", "bad.md", "history/bad/1.md", "history/gone/000001.md"] {
            put(place, name, "Text");
        }
        std::os::unix::fs::symlink(place.join("fine.md"), place.join("link.md")).unwrap();
        let (articles, failed) = found(place).await;
        assert_eq!(articles.iter().map(|files| files.name.as_str()).collect::<Vec<_>>(), ["fine"]);
        let wrong = ["-.md", "README.md", "link.md", "history/bad/1.md", "history/gone"];
        assert_eq!(failed.len(), wrong.len(), "{failed:?}");
        for (failed, name) in failed.iter().zip(wrong) {
            assert!(failed.starts_with(&format!("{}: ", place.join(name).display())), "{failed}");
        }
    }

    #[tokio::test]
    async fn the_facts_of_a_file_are_checked() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("page.md");
        let files = Files { name: "page".into(), newest: path.clone(), earlier: BTreeMap::new() };
        for facts in ["slug: ../etc", "revision: 0", "title: \" \"", "redirects: [A]", "colour: red"] {
            put(place.path(), "page.md", &format!("---\n{facts}\n---\n\nText"));
            assert!(read_newest(&files).await.is_err(), "{facts}");
        }
        put(place.path(), "page.md", "---\nrevision: 2\n---\n\n## Part\n# Top #\nText");
        let (newest, state) = read_newest(&files).await.unwrap();
        assert_eq!((newest.title.as_str(), newest.number, state.unwrap().article.as_str()), ("Top", Some(2), "page"));
        assert!(read_earlier("page", 1, &path).await.unwrap_err().reason.contains("another revision"));
        put(place.path(), "page.md", "---\ndeleted: true\n---\n\nText");
        assert!(read_earlier("page", 1, &path).await.is_err());
        put(place.path(), "page.md", &"x".repeat(svc_core::limits::ARTICLE_BODY_MAX + 1));
        assert!(read_newest(&files).await.unwrap_err().reason.starts_with("body must have at most"));
    }
}
