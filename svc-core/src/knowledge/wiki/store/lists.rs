//! The SQL of lists of articles. Each order has an index, and a cursor is the key of the last row.

use std::fmt;

use super::articles::{ArticleRow, select_articles};
use crate::error::{Error, Result};
use crate::ids::ArticleId;
use crate::store::db::Tx;
use crate::timestamp::Timestamp;

/// The articles of a list and their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::knowledge::wiki) enum Order {
    Updated,
    Title,
    Backlinks,
    Orphan,
    Stale,
    Deleted,
}

/// The key of the last article of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::knowledge::wiki) struct Cursor {
    key: Key,
    id: ArticleId,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Key {
    Number(i64),
    Title(String),
}

impl Cursor {
    pub(in crate::knowledge::wiki) fn of(order: Order, row: &ArticleRow) -> Self {
        let time = |moment: Option<Timestamp>| Key::Number(moment.map_or(0, Timestamp::as_micros));
        let key = match order {
            Order::Updated | Order::Orphan => time(Some(row.updated_at)),
            Order::Title => Key::Title(row.title_key.clone()),
            Order::Backlinks => Key::Number(row.backlink_count),
            Order::Stale => time(row.stale_at),
            Order::Deleted => time(row.deleted_at),
        };
        Self { key, id: row.id }
    }

    pub(in crate::knowledge::wiki) fn parse(order: Order, text: &str) -> Result<Self> {
        let parsed = || {
            let (id, key) = text.split_once(':')?;
            let key = match order {
                Order::Title => Key::Title(key.to_owned()),
                _ => Key::Number(key.parse().ok()?),
            };
            Some(Self { key, id: ArticleId(id.parse().ok()?) })
        };
        parsed().ok_or_else(|| Error::invalid("cursor", "must be the next_cursor of an earlier page"))
    }
}

impl fmt::Display for Cursor {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.key {
            Key::Number(key) => write!(formatter, "{}:{key}", self.id),
            Key::Title(key) => write!(formatter, "{}:{key}", self.id),
        }
    }
}

macro_rules! newest_first {
    ($condition:literal, $key:literal) => {
        select_articles!(
            "FROM wiki_articles a WHERE ",
            $condition,
            " AND (a.",
            $key,
            ", a.id) < ($1, $2) ORDER BY a.",
            $key,
            " DESC, a.id DESC LIMIT $3"
        )
    };
}

pub(super) const UPDATED: &str = newest_first!("a.deleted_at IS NULL", "updated_at");
pub(super) const BACKLINKS: &str = newest_first!("a.deleted_at IS NULL", "backlink_count");
pub(super) const ORPHAN: &str = newest_first!("a.deleted_at IS NULL AND a.backlink_count = 0", "updated_at");
pub(super) const DELETED: &str = newest_first!("a.deleted_at IS NOT NULL", "deleted_at");
pub(super) const TITLE: &str = select_articles!(
    "FROM wiki_articles a WHERE a.deleted_at IS NULL AND (a.title_key, a.id) > ($1, $2)
      ORDER BY a.title_key, a.id LIMIT $3"
);
pub(super) const STALE: &str = select_articles!(
    "FROM wiki_articles a
      WHERE a.deleted_at IS NULL AND a.stale_at IS NOT NULL AND (a.stale_at, a.id) > ($1, $2) AND a.stale_at <= $4
      ORDER BY a.stale_at, a.id LIMIT $3"
);

/// The first articles after a cursor.
pub(in crate::knowledge::wiki) async fn list(
    tx: &mut Tx,
    order: Order,
    after: Option<&Cursor>,
    limit: u32,
) -> Result<Vec<ArticleRow>> {
    let now = tx.now();
    let (text, is_rising) = match order {
        Order::Updated => (UPDATED, false),
        Order::Title => (TITLE, true),
        Order::Backlinks => (BACKLINKS, false),
        Order::Orphan => (ORPHAN, false),
        Order::Stale => (STALE, true),
        Order::Deleted => (DELETED, false),
    };
    let first = if is_rising { i64::MIN } else { i64::MAX };
    let id = after.map_or(ArticleId(first), |cursor| cursor.id);
    let query = tx.query(text);
    let query = match after.map(|cursor| &cursor.key) {
        Some(Key::Title(title)) => query.bind(title.as_str()),
        Some(Key::Number(number)) => query.bind(*number),
        None if order == Order::Title => query.bind(""),
        None => query.bind(first),
    };
    let query = query.bind(id).bind(limit);
    let query = if order == Order::Stale { query.bind(now) } else { query };
    query.fetch_all().await
}
