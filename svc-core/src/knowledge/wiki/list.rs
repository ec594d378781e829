//! Lists of articles and of backlinks.

use std::collections::BTreeSet;

use svc_macros::boxed_futures;
use svc_model::auth::Permission;
use svc_model::names::ArticleSlug;
use svc_model::wiki::{ArticleFilter, ArticlePage, ArticleSort, ArticleState, Backlink, BacklinkPage};

use super::author::require;
use super::search::ArticleSearch;
use super::service::Wiki;
use super::store::{self, ArticleRow, Cursor, Order};
use crate::error::{Error, Result};
use crate::identity::auth::Caller;
use crate::ids::ArticleId;
use crate::page::checked_limit;
use crate::store::db::Tx;

#[boxed_futures]
impl Wiki {
    /// Lists articles, or searches them with `q`: matches in the title come first, then the most linked.
    pub async fn list(&self, caller: &Caller, filter: ArticleFilter) -> Result<ArticlePage> {
        require(caller, Permission::Read)?;
        let limit = checked_limit(filter.limit)?;
        if let Some(search) = ArticleSearch::of(&filter, limit)? {
            return self.find(caller, search).await;
        }
        let order = order(filter.state.unwrap_or_default(), filter.sort)?;
        let cursor = filter.cursor.as_deref().map(|cursor| Cursor::parse(order, cursor)).transpose()?;
        let (mut rows, now) = self
            .db
            .read((order, cursor, limit), |tx, (order, cursor, limit)| {
                Box::pin(async move { Ok((store::list(tx, *order, cursor.as_ref(), *limit + 1).await?, tx.now())) })
            })
            .await?;
        let has_more = rows.len() > limit as usize;
        rows.truncate(limit as usize);
        let next_cursor = rows.last().filter(|_| has_more).map(|last| Cursor::of(order, last).to_string());
        let articles = rows.into_iter().map(|row| row.summary(now)).collect();
        Ok(ArticlePage { articles, next_cursor, total: None, partial: false })
    }

    /// Lists the articles that link to an article, or to a slug that no article has; the oldest article first.
    pub async fn backlinks(
        &self,
        caller: &Caller,
        slug: &ArticleSlug,
        cursor: Option<String>,
        limit: Option<i64>,
    ) -> Result<BacklinkPage> {
        require(caller, Permission::Read)?;
        let limit = checked_limit(limit)?;
        let after = match cursor.as_deref() {
            None => 0,
            Some(cursor) => cursor
                .parse()
                .ok()
                .filter(|id: &i64| *id > 0)
                .ok_or_else(|| Error::invalid("cursor", "must be the next_cursor of an earlier page"))?,
        };
        self.db
            .read((slug.clone(), ArticleId(after), limit), |tx, (slug, after, limit)| {
                Box::pin(backlinks(tx, slug.as_str(), *after, *limit))
            })
            .await
    }
}

fn order(state: ArticleState, sort: Option<ArticleSort>) -> Result<Order> {
    match (state, sort) {
        (ArticleState::Live, None | Some(ArticleSort::Updated)) => Ok(Order::Updated),
        (ArticleState::Live, Some(ArticleSort::Title)) => Ok(Order::Title),
        (ArticleState::Live, Some(ArticleSort::Backlinks)) => Ok(Order::Backlinks),
        (_, Some(ArticleSort::Relevance)) => Err(Error::invalid("sort", "is relevance with q only")),
        (ArticleState::Stale, None) => Ok(Order::Stale),
        (ArticleState::Orphan, None) => Ok(Order::Orphan),
        (ArticleState::Deleted, None) => Ok(Order::Deleted),
        (_, Some(_)) => Err(Error::invalid("sort", "goes with the state live only: other states have their own order")),
    }
}

async fn backlinks(tx: &mut Tx, slug: &str, after: ArticleId, limit: u32) -> Result<BacklinkPage> {
    let row = store::slug(tx, slug).await?.ok_or_else(|| Error::not_found("article"))?;
    let slugs = match row.article_id {
        Some(id) => store::slugs_of(tx, id).await?,
        None => vec![slug.to_owned()],
    };
    // Each slug has its sources in order, so that no list has to be sorted.
    let mut sources = BTreeSet::new();
    for slug in &slugs {
        sources.extend(store::sources(tx, slug, after, limit + 2).await?);
    }
    if let Some(own) = row.article_id {
        sources.remove(&own);
    }
    let has_more = sources.len() > limit as usize;
    let page: Vec<_> = sources.into_iter().take(limit as usize).collect();
    let next_cursor = page.last().filter(|_| has_more).map(ToString::to_string);
    let mut articles: Vec<ArticleRow> = store::find_all(tx, &page).await?;
    articles.sort_by_key(|article| article.id);
    let shown =
        |article: ArticleRow| Backlink { slug: article.slug, title: article.title, updated_at: article.updated_at };
    Ok(BacklinkPage { backlinks: articles.into_iter().map(shown).collect(), next_cursor })
}
