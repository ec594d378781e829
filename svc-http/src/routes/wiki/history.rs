//! `/api/wiki/articles/{slug}/…`: revisions of an article, the differences between them, and links to it.

use poem_openapi::OpenApi;
use poem_openapi::param::{Path, Query};
use svc_core::wiki::{ArticleDiff, BacklinkPage, DiffRange, RevisionPage, RevisionText};

use super::slug;
use crate::answer::Answer;
use crate::error::Problem;
use crate::identity::AnyCaller;
use crate::routes::Chapter;
use crate::state::AppState;

/// The routes.
pub(crate) struct WikiHistoryRoutes {
    pub(crate) state: AppState,
}

#[OpenApi(tag = "Chapter::Wiki")]
impl WikiHistoryRoutes {
    /// List the revisions of an article
    ///
    /// Newest first, without their texts. A deleted article has them, too.
    #[oai(path = "/api/wiki/articles/:slug/revisions", method = "get", operation_id = "list_article_revisions")]
    async fn revisions(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Slug of the article.
        #[oai(name = "slug")]
        path: Path<String>,
        /// Only revisions before this number: the `next_cursor` of the previous page.
        cursor: Query<Option<i64>>,
        /// Page size, 1 to 200; default 50.
        limit: Query<Option<i64>>,
    ) -> Result<Answer<RevisionPage>, Problem> {
        let hub = self.state.hub();
        Ok(Answer(hub.wiki().revisions(&caller, &slug(&path)?, cursor.0, limit.0).await?))
    }

    /// Get a revision of an article
    ///
    /// With its text.
    #[oai(path = "/api/wiki/articles/:slug/revisions/:number", method = "get", operation_id = "get_article_revision")]
    async fn revision(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Slug of the article.
        #[oai(name = "slug")]
        path: Path<String>,
        /// Number of the revision.
        number: Path<i64>,
    ) -> Result<Answer<RevisionText>, Problem> {
        Ok(Answer(self.state.hub().wiki().revision(&caller, &slug(&path)?, number.0).await?))
    }

    /// Compare two revisions of an article
    ///
    /// Line by line, with the changed words of each line. For example `/api/wiki/articles/deploy/diff?from=3&to=7`, and
    /// without parameters the last change.
    #[oai(path = "/api/wiki/articles/:slug/diff", method = "get", operation_id = "diff_article")]
    async fn diff(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Slug of the article.
        #[oai(name = "slug")]
        path: Path<String>,
        /// The older revision; the one before `to` when absent, and 0 for an empty text.
        from: Query<Option<i64>>,
        /// The newer revision; the newest when absent.
        to: Query<Option<i64>>,
    ) -> Result<Answer<ArticleDiff>, Problem> {
        let range = DiffRange { from: from.0, to: to.0 };
        Ok(Answer(self.state.hub().wiki().diff(&caller, &slug(&path)?, range).await?))
    }

    /// List the articles that link to an article
    ///
    /// By slug. A slug that no article has may have links, too.
    #[oai(path = "/api/wiki/articles/:slug/backlinks", method = "get", operation_id = "get_backlinks")]
    async fn backlinks(
        &self,
        AnyCaller(caller): AnyCaller,
        /// Slug of the article.
        #[oai(name = "slug")]
        path: Path<String>,
        /// The `next_cursor` of the previous page.
        cursor: Query<Option<String>>,
        /// Page size, 1 to 200; default 50.
        limit: Query<Option<i64>>,
    ) -> Result<Answer<BacklinkPage>, Problem> {
        let hub = self.state.hub();
        Ok(Answer(hub.wiki().backlinks(&caller, &slug(&path)?, cursor.0, limit.0).await?))
    }
}
