//! The wiki of a hub: the handle, and who may do what.

use svc_macros::boxed_futures;
use svc_model::names::ArticleSlug;
use svc_model::wiki::{
    Article, ArticleDiff, ArticleFilter, ArticlePage, ArticleRename, ArticleRestore, ArticleSave, ArticleVerify,
    BacklinkPage, ChangeNote, DiffRange, ImportStep, ImportedRevision, ImportedState, NewArticle, RevisionPage,
    RevisionText, WikiMap,
};

use crate::error::{Error, Result};
use crate::identity::auth::Caller;
use crate::store::db::Db;

/// The wiki of a hub; see [`Hub::wiki`](crate::Hub::wiki).
#[derive(Clone)]
pub struct Wiki {
    #[expect(dead_code)]
    pub(super) db: Db,
}

#[expect(clippy::unused_async, unused_variables)]
#[boxed_futures]
impl Wiki {
    pub(crate) fn new(db: Db) -> Self {
        Self { db }
    }

    /// Lists or searches articles.
    pub async fn list(&self, caller: &Caller, filter: ArticleFilter) -> Result<ArticlePage> {
        Err(Error::not_found("article"))
    }

    /// Returns an article. A former slug leads to it, too.
    pub async fn get(&self, caller: &Caller, slug: &ArticleSlug) -> Result<Article> {
        Err(Error::not_found("article"))
    }

    /// Creates an article.
    pub async fn create(&self, caller: &Caller, new: NewArticle) -> Result<Article> {
        Err(Error::not_found("article"))
    }

    /// Saves a change of an article.
    pub async fn save(&self, caller: &Caller, slug: &ArticleSlug, save: ArticleSave) -> Result<Article> {
        Err(Error::not_found("article"))
    }

    /// Deletes an article. Its history stays, and it can be restored.
    pub async fn delete(&self, caller: &Caller, slug: &ArticleSlug, note: ChangeNote) -> Result<()> {
        Err(Error::not_found("article"))
    }

    /// Undoes a deletion, or sets the text back to that of an earlier revision.
    pub async fn restore(&self, caller: &Caller, slug: &ArticleSlug, restore: ArticleRestore) -> Result<Article> {
        Err(Error::not_found("article"))
    }

    /// Gives an article another slug; the former one leads to it.
    pub async fn rename(&self, caller: &Caller, slug: &ArticleSlug, rename: ArticleRename) -> Result<Article> {
        Err(Error::not_found("article"))
    }

    /// Records that an article still holds.
    pub async fn verify(&self, caller: &Caller, slug: &ArticleSlug, verify: ArticleVerify) -> Result<Article> {
        Err(Error::not_found("article"))
    }

    /// Lists the revisions before a number, newest first. A deleted article has them, too.
    pub async fn revisions(
        &self,
        caller: &Caller,
        slug: &ArticleSlug,
        before: Option<i64>,
        limit: Option<i64>,
    ) -> Result<RevisionPage> {
        Err(Error::not_found("article"))
    }

    /// Returns a revision with its text.
    pub async fn revision(&self, caller: &Caller, slug: &ArticleSlug, number: i64) -> Result<RevisionText> {
        Err(Error::not_found("article"))
    }

    /// Compares two revisions.
    pub async fn diff(&self, caller: &Caller, slug: &ArticleSlug, range: DiffRange) -> Result<ArticleDiff> {
        Err(Error::not_found("article"))
    }

    /// Lists the articles that link to an article, or to a slug that no article has.
    pub async fn backlinks(
        &self,
        caller: &Caller,
        slug: &ArticleSlug,
        cursor: Option<String>,
        limit: Option<i64>,
    ) -> Result<BacklinkPage> {
        Err(Error::not_found("article"))
    }

    /// Returns the most linked, unlinked, wanted and stale articles, and the links among them.
    pub async fn map(&self, caller: &Caller) -> Result<WikiMap> {
        Err(Error::not_found("article"))
    }

    /// Adds a revision of another hub. Requires an operator.
    pub async fn import_revision(&self, caller: &Caller, revision: ImportedRevision) -> Result<ImportStep> {
        Err(Error::not_found("article"))
    }

    /// Sets the state of an article after its revisions were imported. Requires an operator.
    pub async fn import_state(&self, caller: &Caller, state: ImportedState) -> Result<()> {
        Err(Error::not_found("article"))
    }

    /// Returns the state of an article for an export, a deleted one too. Requires an operator.
    pub async fn export_state(&self, caller: &Caller, slug: &ArticleSlug) -> Result<ImportedState> {
        Err(Error::not_found("article"))
    }
}
