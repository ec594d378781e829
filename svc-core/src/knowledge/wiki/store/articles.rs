//! The SQL of articles.

use svc_model::wiki::{Article, ArticleSummary, Protection};

use super::NewRevision;
use crate::error::{Error, Result};
use crate::ids::ArticleId;
use crate::store::db::{Tx, placeholders};
use crate::timestamp::Timestamp;

crate::row! {
    /// An article without its text.
    #[derive(Debug, Clone)]
    pub(in crate::knowledge::wiki) struct ArticleRow {
        pub(in crate::knowledge::wiki) id: ArticleId,
        pub(in crate::knowledge::wiki) slug: String,
        pub(in crate::knowledge::wiki) title: String,
        pub(in crate::knowledge::wiki) title_key: String,
        pub(in crate::knowledge::wiki) revision: i64,
        pub(in crate::knowledge::wiki) size: i64,
        pub(in crate::knowledge::wiki) protected: Option<Protection>,
        pub(in crate::knowledge::wiki) stale_after: Option<Timestamp>,
        pub(in crate::knowledge::wiki) stale_at: Option<Timestamp>,
        pub(in crate::knowledge::wiki) verified_by: Option<String>,
        pub(in crate::knowledge::wiki) verified_at: Option<Timestamp>,
        pub(in crate::knowledge::wiki) verified_revision: Option<i64>,
        pub(in crate::knowledge::wiki) backlink_count: i64,
        pub(in crate::knowledge::wiki) created_by: String,
        pub(in crate::knowledge::wiki) created_at: Timestamp,
        pub(in crate::knowledge::wiki) updated_by: String,
        pub(in crate::knowledge::wiki) updated_at: Timestamp,
        pub(in crate::knowledge::wiki) deleted_by: Option<String>,
        pub(in crate::knowledge::wiki) deleted_at: Option<Timestamp>,
    }
}

impl ArticleRow {
    fn is_stale(&self, now: Timestamp) -> bool {
        self.stale_at.is_some_and(|moment| moment <= now)
    }

    pub(in crate::knowledge::wiki) fn shown(
        self,
        now: Timestamp,
        body: String,
        redirects: Vec<String>,
        redirected_from: Option<String>,
    ) -> Article {
        Article {
            is_stale: self.is_stale(now),
            slug: self.slug,
            title: self.title,
            body,
            revision: self.revision,
            size: self.size,
            protected: self.protected,
            stale_after: self.stale_after,
            verified_by: self.verified_by,
            verified_at: self.verified_at,
            verified_revision: self.verified_revision,
            backlink_count: self.backlink_count,
            redirects,
            redirected_from,
            created_by: self.created_by,
            created_at: self.created_at,
            updated_by: self.updated_by,
            updated_at: self.updated_at,
        }
    }

    pub(in crate::knowledge::wiki) fn summary(self, now: Timestamp) -> ArticleSummary {
        ArticleSummary {
            is_stale: self.is_stale(now),
            slug: self.slug,
            title: self.title,
            revision: self.revision,
            size: self.size,
            protected: self.protected,
            stale_after: self.stale_after,
            verified_at: self.verified_at,
            backlink_count: self.backlink_count,
            updated_by: self.updated_by,
            updated_at: self.updated_at,
            deleted_at: self.deleted_at,
            snippet: None,
        }
    }
}

macro_rules! select_articles {
    ($($rest:expr),+) => {
        concat!(
            "SELECT a.id, a.slug, a.title, a.title_key, a.revision, a.size, a.protected, a.stale_after, a.stale_at,
                    a.verified_by, a.verified_at, a.verified_revision, a.backlink_count, a.created_by, a.created_at,
                    a.updated_by, a.updated_at, a.deleted_by, a.deleted_at ",
            $($rest),+
        )
    };
}
pub(super) use select_articles;

pub(super) const BY_SLUG: &str =
    select_articles!("FROM wiki_slugs s JOIN wiki_articles a ON a.id = s.article_id WHERE s.slug = $1");
const FIND: &str = select_articles!("FROM wiki_articles a WHERE a.id = $1");
const FIND_ALL: &str = select_articles!("FROM wiki_articles a WHERE a.id IN");

/// Locks the wiki until the end of the transaction.
pub(in crate::knowledge::wiki) async fn hold(tx: &mut Tx) -> Result<()> {
    tx.query("UPDATE wiki SET stored_count = stored_count WHERE id = 1").execute().await?;
    Ok(())
}

/// The number of articles that can be read.
pub(in crate::knowledge::wiki) async fn article_count(tx: &mut Tx) -> Result<i64> {
    tx.query("SELECT article_count FROM wiki WHERE id = 1").fetch_value().await
}

/// The number of articles, with deleted ones.
pub(in crate::knowledge::wiki) async fn stored_count(tx: &mut Tx) -> Result<i64> {
    tx.query("SELECT stored_count FROM wiki WHERE id = 1").fetch_value().await
}

/// Changes the number of articles that can be read, and of all.
pub(in crate::knowledge::wiki) async fn count_articles(tx: &mut Tx, live: i64, stored: i64) -> Result<()> {
    tx.query("UPDATE wiki SET article_count = article_count + $1, stored_count = stored_count + $2 WHERE id = 1")
        .bind(live)
        .bind(stored)
        .execute()
        .await?;
    Ok(())
}

/// The article that a slug leads to.
pub(in crate::knowledge::wiki) async fn by_slug(tx: &mut Tx, slug: &str) -> Result<Option<ArticleRow>> {
    tx.query(BY_SLUG).bind(slug).fetch_optional().await
}

/// An article that exists.
pub(in crate::knowledge::wiki) async fn find(tx: &mut Tx, id: ArticleId) -> Result<ArticleRow> {
    let found = tx.query(FIND).bind(id).fetch_optional().await?;
    found.ok_or_else(|| Error::internal("a slug leads to an article that does not exist"))
}

/// The articles with these ids, in any order.
pub(in crate::knowledge::wiki) async fn find_all(tx: &mut Tx, ids: &[ArticleId]) -> Result<Vec<ArticleRow>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let text = format!("{FIND_ALL} ({})", placeholders(1, ids.len()));
    ids.iter().fold(tx.query(text), |query, id| query.bind(*id)).fetch_all().await
}

/// Characters of a title that count in a sorted list; a cursor has them.
const TITLE_KEY: usize = 60;

/// The title as lists sort it.
fn title_key(title: &str) -> String {
    title.to_lowercase().chars().take(TITLE_KEY).collect()
}

fn size_of(body: &str) -> i64 {
    i64::try_from(body.len()).unwrap_or(i64::MAX)
}

/// Stores an article; its slug, its links and its words come after.
pub(in crate::knowledge::wiki) async fn insert_article(
    tx: &mut Tx,
    slug: &str,
    revision: &NewRevision<'_>,
) -> Result<ArticleId> {
    tx.query(
        "INSERT INTO wiki_articles
             (slug, title, title_key, revision, size, backlink_count, created_by, created_at, updated_by, updated_at)
         VALUES ($1, $2, $3, $4, $5, 0, $6, $7, $6, $7)",
    )
    .bind(slug)
    .bind(revision.text.title.as_str())
    .bind(title_key(&revision.text.title))
    .bind(revision.number)
    .bind(size_of(&revision.text.body))
    .bind(revision.author.name.as_str())
    .bind(revision.created_at)
    .insert("id")
    .await
}

/// Makes a revision the newest one.
pub(in crate::knowledge::wiki) async fn set_newest(
    tx: &mut Tx,
    id: ArticleId,
    revision: &NewRevision<'_>,
) -> Result<()> {
    tx.query(
        "UPDATE wiki_articles
            SET title = $2, title_key = $3, revision = $4, size = $5, updated_by = $6, updated_at = $7
          WHERE id = $1",
    )
    .bind(id)
    .bind(revision.text.title.as_str())
    .bind(title_key(&revision.text.title))
    .bind(revision.number)
    .bind(size_of(&revision.text.body))
    .bind(revision.author.name.as_str())
    .bind(revision.created_at)
    .execute()
    .await?;
    Ok(())
}

pub(in crate::knowledge::wiki) async fn set_slug(tx: &mut Tx, id: ArticleId, slug: &str) -> Result<()> {
    tx.query("UPDATE wiki_articles SET slug = $2 WHERE id = $1").bind(id).bind(slug).execute().await?;
    Ok(())
}

pub(in crate::knowledge::wiki) async fn set_protected(
    tx: &mut Tx,
    id: ArticleId,
    protected: Option<Protection>,
) -> Result<()> {
    tx.query("UPDATE wiki_articles SET protected = $2 WHERE id = $1").bind(id).bind(protected).execute().await?;
    Ok(())
}

/// Sets the time after which an article has to be verified, and the time at which it is stale.
pub(in crate::knowledge::wiki) async fn set_stale(
    tx: &mut Tx,
    id: ArticleId,
    stale_after: Option<Timestamp>,
    stale_at: Option<Timestamp>,
) -> Result<()> {
    tx.query("UPDATE wiki_articles SET stale_after = $2, stale_at = $3 WHERE id = $1")
        .bind(id)
        .bind(stale_after)
        .bind(stale_at)
        .execute()
        .await?;
    Ok(())
}

/// Records who verified which revision, and when.
pub(in crate::knowledge::wiki) async fn set_verified(
    tx: &mut Tx,
    id: ArticleId,
    verified: Option<(&str, Timestamp, i64)>,
) -> Result<()> {
    tx.query("UPDATE wiki_articles SET verified_by = $2, verified_at = $3, verified_revision = $4 WHERE id = $1")
        .bind(id)
        .bind(verified.map(|(by, _, _)| by))
        .bind(verified.map(|(_, at, _)| at))
        .bind(verified.map(|(_, _, revision)| revision))
        .execute()
        .await?;
    Ok(())
}

/// Marks an article as deleted, or with nobody as not deleted.
pub(in crate::knowledge::wiki) async fn set_deleted(tx: &mut Tx, id: ArticleId, by: Option<&str>) -> Result<()> {
    let at = by.map(|_| tx.now());
    tx.query("UPDATE wiki_articles SET deleted_by = $2, deleted_at = $3 WHERE id = $1")
        .bind(id)
        .bind(by)
        .bind(at)
        .execute()
        .await?;
    Ok(())
}
