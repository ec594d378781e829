//! The wiki of a hub: the handle, and reading an article and its history.

use svc_macros::boxed_futures;
use svc_model::auth::Permission;
use svc_model::names::ArticleSlug;
use svc_model::wiki::{Article, Revision, RevisionPage, RevisionText};

use super::author::require;
use super::store::{self, ArticleRow};
use crate::error::{Error, ErrorKind, Result};
use crate::identity::auth::Caller;
use crate::messaging::search::SearchSlots;
use crate::page::checked_limit;
use crate::store::db::{Db, Tx};
use crate::timestamp::Timestamp;

/// The wiki of a hub; see [`Hub::wiki`](crate::Hub::wiki).
#[derive(Clone)]
pub struct Wiki {
    pub(super) db: Db,
    pub(super) slots: SearchSlots,
}

#[boxed_futures]
impl Wiki {
    pub(crate) fn new(db: Db, slots: SearchSlots) -> Self {
        Self { db, slots }
    }

    /// Returns an article. A former slug leads to it.
    pub async fn get(&self, caller: &Caller, slug: &ArticleSlug) -> Result<Article> {
        require(caller, Permission::Read)?;
        self.db
            .read(slug.clone(), |tx, slug| {
                Box::pin(async move {
                    let (article, redirected_from) = live(tx, slug.as_str()).await?;
                    let text = store::text(tx, article.id, article.revision).await?;
                    let body = text.map(|text| text.body).unwrap_or_default();
                    let mut redirects = store::slugs_of(tx, article.id).await?;
                    redirects.retain(|slug| *slug != article.slug);
                    Ok(article.shown(tx.now(), body, redirects, redirected_from))
                })
            })
            .await
    }

    /// Lists the revisions before a number, newest first. A deleted article has them, too.
    pub async fn revisions(
        &self,
        caller: &Caller,
        slug: &ArticleSlug,
        before: Option<i64>,
        limit: Option<i64>,
    ) -> Result<RevisionPage> {
        require(caller, Permission::Read)?;
        let limit = checked_limit(limit)?;
        let input = (slug.clone(), before.unwrap_or(i64::MAX), limit);
        let mut revisions: Vec<Revision> = self
            .db
            .read(input, |tx, (slug, before, limit)| {
                Box::pin(async move {
                    let (article, _) = known(tx, slug.as_str()).await?;
                    store::revisions(tx, article.id, *before, *limit + 1).await
                })
            })
            .await?;
        let has_more = revisions.len() > limit as usize;
        revisions.truncate(limit as usize);
        let next_cursor = revisions.last().filter(|_| has_more).map(|last| last.number);
        Ok(RevisionPage { revisions, next_cursor })
    }

    /// Returns a revision with its text. A deleted article has them, too.
    pub async fn revision(&self, caller: &Caller, slug: &ArticleSlug, number: i64) -> Result<RevisionText> {
        require(caller, Permission::Read)?;
        self.db
            .read((slug.clone(), number), |tx, (slug, number)| {
                Box::pin(async move {
                    let (article, _) = known(tx, slug.as_str()).await?;
                    revision_text(tx, &article, *number).await
                })
            })
            .await
    }
}

/// A revision of an article with its text.
pub(super) async fn revision_text(tx: &mut Tx, article: &ArticleRow, number: i64) -> Result<RevisionText> {
    let missing = || Error::not_found("revision");
    let revision = store::revision(tx, article.id, number).await?.ok_or_else(missing)?;
    let text = store::text(tx, article.id, number).await?.ok_or_else(missing)?;
    Ok(RevisionText { revision, body: text.body })
}

/// The article that a slug leads to, and the slug if it is a former one. It may be deleted.
pub(super) async fn known(tx: &mut Tx, slug: &str) -> Result<(ArticleRow, Option<String>)> {
    let article = store::by_slug(tx, slug).await?.ok_or_else(|| Error::not_found("article"))?;
    let redirected_from = (article.slug != slug).then(|| slug.to_owned());
    Ok((article, redirected_from))
}

/// The article that a slug leads to, and the slug if it is a former one. Fails if the article is deleted.
pub(super) async fn live(tx: &mut Tx, slug: &str) -> Result<(ArticleRow, Option<String>)> {
    let (article, redirected_from) = known(tx, slug).await?;
    match (&article.deleted_by, article.deleted_at) {
        (Some(by), Some(at)) => Err(deleted(&article.slug, by, at)),
        _ => Ok((article, redirected_from)),
    }
}

fn deleted(slug: &str, by: &str, at: Timestamp) -> Error {
    let message =
        format!("The article {slug} was deleted by {by} on {at}. Its history can be read, and it can be restored.");
    Error::new(ErrorKind::NotFound, "article_deleted", message)
        .with_detail("slug", slug)
        .with_detail("deleted_by", by)
        .with_detail("deleted_at", at.to_string())
}

/// The article that a slug leads to, which is not deleted, with the wiki locked for this transaction.
pub(super) async fn held(tx: &mut Tx, slug: &str) -> Result<ArticleRow> {
    store::hold(tx).await?;
    Ok(live(tx, slug).await?.0)
}
