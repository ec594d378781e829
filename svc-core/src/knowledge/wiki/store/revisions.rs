//! The SQL of revisions.

use svc_model::wiki::{Revision, WikiAction};

use crate::error::Result;
use crate::ids::ArticleId;
use crate::knowledge::wiki::author::Author;
use crate::knowledge::wiki::record::ArticleText;
use crate::store::db::Tx;
use crate::timestamp::Timestamp;

/// A revision to store.
pub(in crate::knowledge::wiki) struct NewRevision<'a> {
    pub(in crate::knowledge::wiki) number: i64,
    pub(in crate::knowledge::wiki) action: WikiAction,
    pub(in crate::knowledge::wiki) slug: &'a str,
    pub(in crate::knowledge::wiki) text: &'a ArticleText,
    pub(in crate::knowledge::wiki) summary: Option<&'a str>,
    pub(in crate::knowledge::wiki) author: &'a Author,
    pub(in crate::knowledge::wiki) created_at: Timestamp,
}

crate::row! {
    struct RevisionRow {
        number: i64,
        action: WikiAction,
        slug: String,
        title: String,
        summary: Option<String>,
        size: i64,
        size_change: i64,
        author: String,
        created_at: Timestamp,
    }
}

impl RevisionRow {
    fn shown(self) -> Revision {
        Revision {
            number: self.number,
            action: self.action,
            slug: self.slug,
            title: self.title,
            summary: self.summary,
            size: self.size,
            size_change: self.size_change,
            author: self.author,
            created_at: self.created_at,
        }
    }
}

macro_rules! select_revisions {
    ($rest:literal) => {
        concat!(
            "SELECT r.number, r.action, r.slug, r.title, r.summary, r.size, r.size - COALESCE(p.size, 0) AS size_change,
                    r.author, r.created_at
               FROM wiki_revisions r
               LEFT JOIN wiki_revisions p ON p.article_id = r.article_id AND p.number = r.number - 1
              WHERE r.article_id = $1 AND ",
            $rest
        )
    };
}

pub(super) const LIST: &str = select_revisions!("r.number < $2 ORDER BY r.number DESC LIMIT $3");
pub(super) const FIND: &str = select_revisions!("r.number = $2");
pub(super) const TEXT: &str = "SELECT title, body FROM wiki_revisions WHERE article_id = $1 AND number = $2";
const BEGINNING: &str =
    "SELECT substr(body, 1, CAST($3 AS INTEGER)) FROM wiki_revisions WHERE article_id = $1 AND number = $2";

/// Revisions before one of them, newest first.
pub(in crate::knowledge::wiki) async fn revisions(
    tx: &mut Tx,
    id: ArticleId,
    before: i64,
    limit: u32,
) -> Result<Vec<Revision>> {
    let rows: Vec<RevisionRow> = tx.query(LIST).bind(id).bind(before).bind(limit).fetch_all().await?;
    Ok(rows.into_iter().map(RevisionRow::shown).collect())
}

pub(in crate::knowledge::wiki) async fn revision(tx: &mut Tx, id: ArticleId, number: i64) -> Result<Option<Revision>> {
    let row: Option<RevisionRow> = tx.query(FIND).bind(id).bind(number).fetch_optional().await?;
    Ok(row.map(RevisionRow::shown))
}

/// The title and the text of a revision.
pub(in crate::knowledge::wiki) async fn text(tx: &mut Tx, id: ArticleId, number: i64) -> Result<Option<ArticleText>> {
    let found: Option<(String, String)> = tx.query(TEXT).bind(id).bind(number).fetch_optional().await?;
    Ok(found.map(|(title, body)| ArticleText { title, body }))
}

/// The first characters of the text of a revision.
pub(in crate::knowledge::wiki) async fn beginning(
    tx: &mut Tx,
    id: ArticleId,
    number: i64,
    characters: usize,
) -> Result<String> {
    let most = i32::try_from(characters).unwrap_or(i32::MAX);
    let found = tx.query(BEGINNING).bind(id).bind(number).bind(i64::from(most)).fetch_optional::<(String,)>().await?;
    Ok(found.map(|(text,)| text).unwrap_or_default())
}

pub(in crate::knowledge::wiki) async fn insert_revision(
    tx: &mut Tx,
    id: ArticleId,
    revision: &NewRevision<'_>,
) -> Result<()> {
    tx.query(
        "INSERT INTO wiki_revisions
             (article_id, number, action, slug, title, summary, size, author_id, author, created_at, body)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
    )
    .bind(id)
    .bind(revision.number)
    .bind(revision.action)
    .bind(revision.slug)
    .bind(revision.text.title.as_str())
    .bind(revision.summary)
    .bind(i64::try_from(revision.text.body.len()).unwrap_or(i64::MAX))
    .bind(revision.author.id)
    .bind(revision.author.name.as_str())
    .bind(revision.created_at)
    .bind(revision.text.body.as_str())
    .execute()
    .await?;
    Ok(())
}
