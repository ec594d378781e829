//! The SQL of slugs and links. Long lists are sent in pieces, in the order of the alphabet.

use std::collections::BTreeSet;

use svc_model::wiki::WantedArticle;

use crate::error::Result;
use crate::ids::ArticleId;
use crate::store::db::{Tx, placeholders};

/// Maximum number of values in one statement.
const PIECE: usize = 200;
/// Maximum number of links that are read for the map.
const MAP_LINKS_READ: u32 = 5000;

crate::row! {
    /// A slug, and the article that it leads to.
    #[derive(Debug, Clone)]
    pub(in crate::knowledge::wiki) struct SlugRow {
        pub(in crate::knowledge::wiki) article_id: Option<ArticleId>,
        pub(in crate::knowledge::wiki) link_count: i64,
    }
}

crate::row! {
    /// A link of an article.
    #[derive(Debug, Clone)]
    pub(in crate::knowledge::wiki) struct LinkRow {
        pub(in crate::knowledge::wiki) source_id: ArticleId,
        pub(in crate::knowledge::wiki) slug: String,
    }
}

pub(super) const SLUG: &str = "SELECT article_id, link_count FROM wiki_slugs WHERE slug = $1";
pub(super) const SLUGS_OF: &str = "SELECT slug FROM wiki_slugs WHERE article_id = $1 ORDER BY slug";
pub(super) const LINKS_OF: &str = "SELECT slug FROM wiki_links WHERE source_id = $1";
pub(super) const TARGETS_OF: &str = "
    SELECT s.article_id
      FROM wiki_links l
      JOIN wiki_slugs s ON s.slug = l.slug
     WHERE l.source_id = $1 AND s.article_id IS NOT NULL";
/// Articles that link to a slug and to no slug that an article has already.
pub(super) const NEW_BACKLINKS: &str = "
    SELECT count(*)
      FROM wiki_links l
     WHERE l.slug = $2 AND l.source_id <> $1
       AND NOT EXISTS (SELECT 1
                         FROM wiki_slugs s
                         JOIN wiki_links o ON o.slug = s.slug AND o.source_id = l.source_id
                        WHERE s.article_id = $1)";
pub(super) const SOURCES: &str =
    "SELECT source_id FROM wiki_links WHERE slug = $1 AND source_id > $2 ORDER BY source_id LIMIT $3";
pub(super) const WANTED: &str = "
    SELECT slug, link_count FROM wiki_slugs
     WHERE is_wanted AND link_count > 0
     ORDER BY link_count DESC, slug DESC LIMIT $1";

pub(in crate::knowledge::wiki) async fn slug(tx: &mut Tx, slug: &str) -> Result<Option<SlugRow>> {
    tx.query(SLUG).bind(slug).fetch_optional().await
}

/// The slug of an article and its former ones.
pub(in crate::knowledge::wiki) async fn slugs_of(tx: &mut Tx, id: ArticleId) -> Result<Vec<String>> {
    let found: Vec<(String,)> = tx.query(SLUGS_OF).bind(id).fetch_all().await?;
    Ok(found.into_iter().map(|(slug,)| slug).collect())
}

/// The slugs that an article links to.
pub(in crate::knowledge::wiki) async fn links_of(tx: &mut Tx, id: ArticleId) -> Result<BTreeSet<String>> {
    let found: Vec<(String,)> = tx.query(LINKS_OF).bind(id).fetch_all().await?;
    Ok(found.into_iter().map(|(slug,)| slug).collect())
}

/// The articles that an article links to, deleted ones too.
pub(in crate::knowledge::wiki) async fn targets_of(tx: &mut Tx, id: ArticleId) -> Result<BTreeSet<ArticleId>> {
    let found: Vec<(ArticleId,)> = tx.query(TARGETS_OF).bind(id).fetch_all().await?;
    Ok(found.into_iter().map(|(id,)| id).collect())
}

/// The number of articles that begin to link to an article when it gets a slug.
pub(in crate::knowledge::wiki) async fn new_backlinks(tx: &mut Tx, id: ArticleId, slug: &str) -> Result<i64> {
    tx.query(NEW_BACKLINKS).bind(id).bind(slug).fetch_value().await
}

/// The articles that link to a slug, after one of them.
pub(in crate::knowledge::wiki) async fn sources(
    tx: &mut Tx,
    slug: &str,
    after: ArticleId,
    limit: u32,
) -> Result<Vec<ArticleId>> {
    let found: Vec<(ArticleId,)> = tx.query(SOURCES).bind(slug).bind(after).bind(limit).fetch_all().await?;
    Ok(found.into_iter().map(|(id,)| id).collect())
}

/// The most linked slugs that no article has.
pub(in crate::knowledge::wiki) async fn wanted(tx: &mut Tx, limit: u32) -> Result<Vec<WantedArticle>> {
    let found: Vec<(String, i64)> = tx.query(WANTED).bind(limit).fetch_all().await?;
    Ok(found.into_iter().map(|(slug, link_count)| WantedArticle { slug, link_count }).collect())
}

/// Links of these articles.
pub(in crate::knowledge::wiki) async fn links_from(tx: &mut Tx, ids: &[ArticleId]) -> Result<Vec<LinkRow>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let text = format!(
        "SELECT source_id, slug FROM wiki_links WHERE source_id IN ({}) LIMIT {MAP_LINKS_READ}",
        placeholders(1, ids.len())
    );
    ids.iter().fold(tx.query(text), |query, id| query.bind(*id)).fetch_all().await
}

/// The slugs of these articles, present and former.
pub(in crate::knowledge::wiki) async fn slugs_of_all(
    tx: &mut Tx,
    ids: &[ArticleId],
) -> Result<Vec<(String, ArticleId)>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let text = format!("SELECT slug, article_id FROM wiki_slugs WHERE article_id IN ({})", placeholders(1, ids.len()));
    ids.iter().fold(tx.query(text), |query, id| query.bind(*id)).fetch_all().await
}

/// Gives a slug to an article.
pub(in crate::knowledge::wiki) async fn assign_slug(tx: &mut Tx, id: ArticleId, slug: &str) -> Result<()> {
    tx.query(
        "INSERT INTO wiki_slugs (slug, article_id, link_count, is_wanted) VALUES ($1, $2, 0, FALSE)
         ON CONFLICT (slug) DO UPDATE SET article_id = excluded.article_id, is_wanted = FALSE",
    )
    .bind(slug)
    .bind(id)
    .execute()
    .await?;
    Ok(())
}

/// Sets whether the slugs of an article are wanted, because it is deleted.
pub(in crate::knowledge::wiki) async fn set_wanted(tx: &mut Tx, id: ArticleId, is_wanted: bool) -> Result<()> {
    tx.query("UPDATE wiki_slugs SET is_wanted = $2 WHERE article_id = $1").bind(id).bind(is_wanted).execute().await?;
    Ok(())
}

pub(in crate::knowledge::wiki) async fn add_links(tx: &mut Tx, id: ArticleId, slugs: &[String]) -> Result<()> {
    for piece in slugs.chunks(PIECE) {
        let rows = |row: fn(usize) -> String| (1..=piece.len()).map(row).collect::<Vec<_>>().join(", ");
        let text = format!(
            "INSERT INTO wiki_slugs (slug, link_count, is_wanted) VALUES {}
             ON CONFLICT (slug) DO UPDATE SET link_count = wiki_slugs.link_count + 1",
            rows(|number| format!("(${number}, 1, TRUE)"))
        );
        piece.iter().fold(tx.query(text), |query, slug| query.bind(slug.as_str())).execute().await?;
        let text = format!(
            "INSERT INTO wiki_links (source_id, slug) VALUES {}",
            rows(|number| format!("($1, ${})", number + 1))
        );
        piece.iter().fold(tx.query(text).bind(id), |query, slug| query.bind(slug.as_str())).execute().await?;
    }
    Ok(())
}

/// Removes links, and slugs that nothing links to any more and that no article has.
pub(in crate::knowledge::wiki) async fn remove_links(tx: &mut Tx, id: ArticleId, slugs: &[String]) -> Result<()> {
    for piece in slugs.chunks(PIECE) {
        let names = placeholders(1, piece.len());
        let of_source = placeholders(2, piece.len());
        let text = format!("DELETE FROM wiki_links WHERE source_id = $1 AND slug IN ({of_source})");
        piece.iter().fold(tx.query(text).bind(id), |query, slug| query.bind(slug.as_str())).execute().await?;
        for text in [
            format!("UPDATE wiki_slugs SET link_count = link_count - 1 WHERE slug IN ({names})"),
            format!("DELETE FROM wiki_slugs WHERE slug IN ({names}) AND link_count = 0 AND article_id IS NULL"),
        ] {
            piece.iter().fold(tx.query(text), |query, slug| query.bind(slug.as_str())).execute().await?;
        }
    }
    Ok(())
}

/// Changes the number of backlinks of each of these articles.
pub(in crate::knowledge::wiki) async fn count_backlinks(tx: &mut Tx, ids: &[ArticleId], change: i64) -> Result<()> {
    for piece in ids.chunks(PIECE) {
        let text = format!(
            "UPDATE wiki_articles SET backlink_count = backlink_count + $1 WHERE id IN ({})",
            placeholders(2, piece.len())
        );
        piece.iter().fold(tx.query(text).bind(change), |query, id| query.bind(*id)).execute().await?;
    }
    Ok(())
}

/// Changes the number of backlinks of an article.
pub(in crate::knowledge::wiki) async fn add_backlinks(tx: &mut Tx, id: ArticleId, change: i64) -> Result<()> {
    count_backlinks(tx, &[id], change).await
}
