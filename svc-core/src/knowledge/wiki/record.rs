//! A change of an article with its revision, its links, its words and its event.

use svc_model::events::{EventBody, WikiChanged};
use svc_model::wiki::{WikiAction, outgoing_links};

use super::author::Author;
use super::links;
use super::store::{self, ArticleRow, NewRevision};
use crate::error::{Error, Result};
use crate::ids::ArticleId;
use crate::limits;
use crate::store::db::Tx;

/// The text of an article.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ArticleText {
    pub(super) title: String,
    pub(super) body: String,
}

/// A change of an article.
pub(super) struct Change<'a> {
    pub(super) action: WikiAction,
    pub(super) summary: Option<&'a str>,
    pub(super) text: &'a ArticleText,
}

/// Adds a revision to an article that can be read, and updates its links and its words. Returns its number.
pub(super) async fn revise(tx: &mut Tx, author: &Author, article: &ArticleRow, change: &Change<'_>) -> Result<i64> {
    let number = add_revision(tx, author, article, change).await?;
    index(tx, article.id, change.text).await?;
    changed(tx, author, article.id, change.action, None).await?;
    Ok(number)
}

/// Adds a revision and makes it the newest one.
pub(super) async fn add_revision(
    tx: &mut Tx,
    author: &Author,
    article: &ArticleRow,
    change: &Change<'_>,
) -> Result<i64> {
    let number = article.revision + 1;
    if number > limits::ARTICLE_REVISIONS_MAX {
        let message = format!("An article can have {} revisions: create another one.", limits::ARTICLE_REVISIONS_MAX);
        return Err(Error::conflict("too_many_revisions", message));
    }
    let now = tx.now();
    let revision = NewRevision {
        number,
        action: change.action,
        slug: &article.slug,
        text: change.text,
        summary: change.summary,
        author,
        created_at: now,
    };
    store::insert_revision(tx, article.id, &revision).await?;
    store::set_newest(tx, article.id, &revision).await?;
    Ok(number)
}

/// Updates the links and the words of an article to its text.
pub(super) async fn index(tx: &mut Tx, id: ArticleId, text: &ArticleText) -> Result<()> {
    links::set(tx, id, outgoing_links(&text.body)).await?;
    store::set_words(tx, id, Some(text)).await
}

/// Removes the links and the words of an article that can no longer be read.
pub(super) async fn unindex(tx: &mut Tx, id: ArticleId) -> Result<()> {
    links::set(tx, id, std::collections::BTreeSet::new()).await?;
    store::set_words(tx, id, None).await
}

/// Records in the log that an article changed.
pub(super) async fn changed(
    tx: &mut Tx,
    author: &Author,
    id: ArticleId,
    action: WikiAction,
    renamed_from: Option<String>,
) -> Result<()> {
    let article = store::find(tx, id).await?;
    let body = WikiChanged {
        article_id: id,
        slug: article.slug,
        renamed_from,
        title: article.title,
        revision: article.revision,
        action,
        by: author.handle(),
    };
    tx.record(EventBody::WikiChanged(body)).await?;
    Ok(())
}
