//! `/api/wiki`: articles of the wiki, and the map of their links.

pub(crate) mod history;

mod answer;
mod tag;

use poem::http::HeaderMap;
use poem_openapi::OpenApi;
use poem_openapi::param::{Header, Path, Query};
use svc_core::wiki::{
    ArticleFilter, ArticlePage, ArticleRename, ArticleRestore, ArticleSave, ArticleSlug, ArticleSort, ArticleState,
    ArticleVerify, ChangeNote, NewArticle, WikiMap,
};

use self::answer::{CreatedArticle, FoundArticle, SavedArticle};
use super::Chapter;
use crate::answer::{Answer, NoContent};
use crate::body::JsonBody;
use crate::error::Problem;
use crate::idempotency::IdempotencyHeader;
use crate::identity::AnyCaller;
use crate::loose_body::OptionalBody;
use crate::state::AppState;

/// The routes.
pub(crate) struct WikiRoutes {
    pub(crate) state: AppState,
}

/// The slug in a path.
fn slug(path: &Path<String>) -> Result<ArticleSlug, Problem> {
    Ok(ArticleSlug::parse("slug", &path.0)?)
}

#[OpenApi(tag = "Chapter::Wiki")]
impl WikiRoutes {
    /// List articles
    ///
    /// Or search them with `q`: words, `"phrases"`, `-word`, `prefix*`. Matches in the title come before matches in the
    /// text, and each has a `snippet`. For example `/api/wiki/articles?q=deploy*`, or
    /// `/api/wiki/articles?state=stale` for those that have to be verified again.
    #[oai(path = "/api/wiki/articles", method = "get", operation_id = "list_articles")]
    async fn list(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Only articles that match these words.
        q: Query<Option<String>>,
        /// The order; `updated` when absent, and `relevance` for a search.
        sort: Query<Option<ArticleSort>>,
        /// Only articles in this state; `live` when absent.
        state: Query<Option<ArticleState>>,
        /// The `next_cursor` of the previous page.
        cursor: Query<Option<String>>,
        /// Page size, 1 to 200; default 50.
        limit: Query<Option<i64>>,
    ) -> Result<Answer<ArticlePage>, Problem> {
        let filter = ArticleFilter { q: q.0, sort: sort.0, state: state.0, cursor: cursor.0, limit: limit.0 };
        Ok(Answer(self.state.hub().wiki().list(&caller, filter).await?))
    }

    /// Create an article
    ///
    /// For example `{"title": "How we deploy", "body": "See [[on-call]] first.", "stale_after": "2027-01-31"}`. Its slug
    /// is derived from the title unless `slug` names one; `Location` has its address. 409 `slug_taken` if another
    /// article has or had the slug.
    #[oai(path = "/api/wiki/articles", method = "post", operation_id = "create_article")]
    async fn create(
        &self,
        AnyCaller(caller): AnyCaller,
        headers: &HeaderMap,
        /// A repeated request with the same key and body gets the first response again, for 24 hours.
        #[oai(name = "Idempotency-Key")]
        idempotency_key: IdempotencyHeader,
        JsonBody(new): JsonBody<NewArticle>,
    ) -> Result<CreatedArticle, Problem> {
        let article = self.state.hub().wiki().create(&idempotency_key.of(caller)?, new).await?;
        CreatedArticle::of(&article, headers)
    }

    /// Get an article
    ///
    /// A former slug leads to the article, too: then `redirected_from` has it, and `Content-Location` the current
    /// address. `If-None-Match` with the `ETag` is answered with 304 while nothing has changed. 404 `article_deleted`
    /// for a deleted article, whose revisions can still be read.
    #[oai(path = "/api/wiki/articles/:slug", method = "get", operation_id = "get_article")]
    async fn get(
        &self,
        AnyCaller(caller): AnyCaller,
        headers: &HeaderMap,
        /// Slug of the article.
        #[oai(name = "slug")]
        path: Path<String>,
    ) -> Result<FoundArticle, Problem> {
        let article = self.state.hub().wiki().get(&caller, &slug(&path)?).await?;
        FoundArticle::of(&article, headers)
    }

    /// Save an article
    ///
    /// Absent fields stay as they are. Name the revision that you have read in `base_revision`, or send its `ETag` in
    /// `If-Match`. For example `{"base_revision": 7, "body": "A new text.", "summary": "Shorter"}`, or with `"section":
    /// "Install"` for the text below one heading. If others have saved a change since, the answer is 409
    /// `edit_conflict` with their text in `conflict`; where both changes can be merged, `"merge": true` saves the merge.
    /// 403 `humans_only` for an agent if the article is protected, 404 `section_not_found` for an unknown heading.
    #[oai(path = "/api/wiki/articles/:slug", method = "put", operation_id = "update_article")]
    async fn save(
        &self,
        AnyCaller(caller): AnyCaller,
        headers: &HeaderMap,
        /// Slug of the article.
        #[oai(name = "slug")]
        path: Path<String>,
        /// The `ETag` of the revision that the change is based on, or its number in quotes, such as `"7"`.
        #[oai(name = "If-Match")]
        if_match: Header<Option<String>>,
        JsonBody(save): JsonBody<ArticleSave>,
    ) -> Result<SavedArticle, Problem> {
        let base_revision = tag::base_revision(if_match.0.as_deref(), save.base_revision)?;
        let save = ArticleSave { base_revision, ..save };
        let article = self.state.hub().wiki().save(&caller, &slug(&path)?, save).await?;
        SavedArticle::of(&article, headers)
    }

    /// Delete an article
    ///
    /// Its revisions stay, and `POST …/restore` undoes it.
    #[oai(path = "/api/wiki/articles/:slug", method = "delete", operation_id = "delete_article")]
    async fn delete(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Slug of the article.
        #[oai(name = "slug")]
        path: Path<String>,
        /// Why it is deleted: at most 500 characters.
        summary: Query<Option<String>>,
    ) -> Result<NoContent, Problem> {
        let note = ChangeNote { summary: summary.0 };
        self.state.hub().wiki().delete(&caller, &slug(&path)?, note).await?;
        Ok(NoContent)
    }

    /// Rename an article
    ///
    /// The former slug leads to it from then on. For example `{"slug": "deploying", "title": "Deploying"}`. 409
    /// `slug_taken` if another article has or had the slug.
    #[oai(path = "/api/wiki/articles/:slug/rename", method = "post", operation_id = "rename_article")]
    async fn rename(
        &self,
        AnyCaller(caller): AnyCaller,
        headers: &HeaderMap,
        /// Slug of the article.
        #[oai(name = "slug")]
        path: Path<String>,
        /// A repeated request with the same key and body gets the first response again, for 24 hours.
        #[oai(name = "Idempotency-Key")]
        idempotency_key: IdempotencyHeader,
        JsonBody(rename): JsonBody<ArticleRename>,
    ) -> Result<SavedArticle, Problem> {
        let caller = idempotency_key.of(caller)?;
        let article = self.state.hub().wiki().rename(&caller, &slug(&path)?, rename).await?;
        SavedArticle::of(&article, headers)
    }

    /// Restore an article
    ///
    /// Undoes its deletion, or sets its title and text back to those of an earlier revision: no body, or `{"revision":
    /// 3}`. 409 `not_deleted` without a revision if it is not deleted.
    #[oai(path = "/api/wiki/articles/:slug/restore", method = "post", operation_id = "restore_article")]
    async fn restore(
        &self,
        AnyCaller(caller): AnyCaller,
        headers: &HeaderMap,
        /// Slug of the article.
        #[oai(name = "slug")]
        path: Path<String>,
        /// A repeated request with the same key and body gets the first response again, for 24 hours.
        #[oai(name = "Idempotency-Key")]
        idempotency_key: IdempotencyHeader,
        OptionalBody(restore): OptionalBody<ArticleRestore>,
    ) -> Result<SavedArticle, Problem> {
        let caller = idempotency_key.of(caller)?;
        let article = self.state.hub().wiki().restore(&caller, &slug(&path)?, restore).await?;
        SavedArticle::of(&article, headers)
    }

    /// Verify an article
    ///
    /// Records that you say that it still holds: no body, or `{"revision": 7, "stale_after": "2027-06-30"}`. 409
    /// `edit_conflict` if the text has changed since that revision.
    #[oai(path = "/api/wiki/articles/:slug/verify", method = "post", operation_id = "verify_article")]
    async fn verify(
        &self,
        AnyCaller(caller): AnyCaller,
        headers: &HeaderMap,
        /// Slug of the article.
        #[oai(name = "slug")]
        path: Path<String>,
        /// A repeated request with the same key and body gets the first response again, for 24 hours.
        #[oai(name = "Idempotency-Key")]
        idempotency_key: IdempotencyHeader,
        OptionalBody(verify): OptionalBody<ArticleVerify>,
    ) -> Result<SavedArticle, Problem> {
        let caller = idempotency_key.of(caller)?;
        let article = self.state.hub().wiki().verify(&caller, &slug(&path)?, verify).await?;
        SavedArticle::of(&article, headers)
    }

    /// Get the map of the wiki
    ///
    /// The most linked articles, those that no other article links to, slugs that articles link to and that no article
    /// has, articles that have to be verified again, and the links among them.
    #[oai(path = "/api/wiki/map", method = "get", operation_id = "get_wiki_map")]
    async fn map(&self, AnyCaller(caller): AnyCaller) -> Result<Answer<WikiMap>, Problem> {
        Ok(Answer(self.state.hub().wiki().map(&caller).await?))
    }
}
