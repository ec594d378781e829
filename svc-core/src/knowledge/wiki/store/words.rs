//! The SQL of the words of articles. On SQLite they are a table of their own, on PostgreSQL a column of the article.

use crate::error::Result;
use crate::ids::ArticleId;
use crate::knowledge::wiki::record::ArticleText;
use crate::limits;
use crate::messaging::search::{Condition, Query, titled_tsvector, words};
use crate::store::db::{Engine, Tx};
use crate::timestamp::Timestamp;

/// The part of an article that has to match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::knowledge::wiki) enum Match {
    Title,
    Anywhere,
}

crate::row! {
    /// An article that matches.
    #[derive(Debug, Clone)]
    pub(in crate::knowledge::wiki) struct Hit {
        pub(in crate::knowledge::wiki) id: ArticleId,
        pub(in crate::knowledge::wiki) backlink_count: i64,
        pub(in crate::knowledge::wiki) updated_at: Timestamp,
    }
}

/// Replaces the words of an article; an article that cannot be read has none.
pub(in crate::knowledge::wiki) async fn set_words(
    tx: &mut Tx,
    id: ArticleId,
    text: Option<&ArticleText>,
) -> Result<()> {
    match tx.engine() {
        Engine::Sqlite => {
            tx.query("DELETE FROM wiki_words WHERE rowid = $1").bind(id).execute().await?;
            if let Some(text) = text {
                tx.query("INSERT INTO wiki_words (rowid, title, body) VALUES ($1, $2, $3)")
                    .bind(id)
                    .bind(words::spaced(&text.title))
                    .bind(words::spaced(&text.body))
                    .execute()
                    .await?;
            }
        }
        Engine::Postgres => {
            let vector = text.map(|text| titled_tsvector(&text.title, &text.body)).unwrap_or_default();
            tx.query("UPDATE wiki_articles SET words = CAST($2 AS tsvector) WHERE id = $1")
                .bind(id)
                .bind(vector)
                .execute()
                .await?;
        }
    }
    Ok(())
}

crate::row! {
    /// The newest text of an article.
    struct StoredText {
        id: ArticleId,
        title: String,
        body: String,
    }
}

/// Texts that are read at once.
const TEXTS: u32 = 100;

/// Makes the words of all articles of a store whose rows were written without them.
pub(crate) async fn rebuild_words(tx: &mut Tx) -> Result<()> {
    let mut after = ArticleId(0);
    loop {
        let texts: Vec<StoredText> = tx
            .query(
                "SELECT a.id, a.title, r.body
                   FROM wiki_articles a JOIN wiki_revisions r ON r.article_id = a.id AND r.number = a.revision
                  WHERE a.deleted_at IS NULL AND a.id > $1
                  ORDER BY a.id LIMIT $2",
            )
            .bind(after)
            .bind(TEXTS)
            .fetch_all()
            .await?;
        let Some(last) = texts.last() else { return Ok(()) };
        after = last.id;
        for StoredText { id, title, body } in texts {
            set_words(tx, id, Some(&ArticleText { title, body })).await?;
        }
    }
}

/// The newest articles that match, up to a limit.
pub(in crate::knowledge::wiki) async fn matches(tx: &mut Tx, query: &Query, part: Match) -> Result<Vec<Hit>> {
    let engine = tx.engine();
    let condition = match (engine, part) {
        (Engine::Sqlite, Match::Anywhere) => query.fts5(),
        (Engine::Sqlite, Match::Title) => query.fts5_title(),
        (Engine::Postgres, Match::Anywhere) => query.tsquery(),
        (Engine::Postgres, Match::Title) => query.tsquery_title(),
    };
    let (text, wanted) = match (engine, condition) {
        (_, Condition::Anything) => return Ok(Vec::new()),
        // A title that lacks words is no match of its own.
        (_, Condition::NotMatching(_)) if part == Match::Title => return Ok(Vec::new()),
        (Engine::Sqlite, Condition::Matching(wanted)) => (SQLITE, wanted),
        (Engine::Sqlite, Condition::NotMatching(unwanted)) => (SQLITE_WITHOUT, unwanted),
        (Engine::Postgres, Condition::Matching(wanted)) => (POSTGRES, wanted),
        (Engine::Postgres, Condition::NotMatching(unwanted)) => (POSTGRES_WITHOUT, unwanted),
    };
    tx.query(text).bind(wanted).bind(limits::WIKI_MATCHES_MAX).fetch_all().await
}

const SQLITE: &str = "
    SELECT a.id, a.backlink_count, a.updated_at
      FROM wiki_words w CROSS JOIN wiki_articles a ON a.id = w.rowid
     WHERE w.wiki_words MATCH $1
     ORDER BY w.rowid DESC LIMIT $2";
const SQLITE_WITHOUT: &str = "
    SELECT a.id, a.backlink_count, a.updated_at
      FROM wiki_articles a
     WHERE a.deleted_at IS NULL AND a.id NOT IN (SELECT w.rowid FROM wiki_words w WHERE w.wiki_words MATCH $1)
     ORDER BY a.id DESC LIMIT $2";
const POSTGRES: &str = "
    SELECT a.id, a.backlink_count, a.updated_at
      FROM wiki_articles a
     WHERE a.deleted_at IS NULL AND a.words @@ CAST($1 AS tsquery)
     ORDER BY a.id DESC LIMIT $2";
const POSTGRES_WITHOUT: &str = "
    SELECT a.id, a.backlink_count, a.updated_at
      FROM wiki_articles a
     WHERE a.deleted_at IS NULL AND NOT (a.words @@ CAST($1 AS tsquery))
     ORDER BY a.id DESC LIMIT $2";
