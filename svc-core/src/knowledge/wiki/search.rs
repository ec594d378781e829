//! Search in the wiki, with the words and the query language of the hub.
//!
//! Matches in the title come before matches in the text, the most linked article first. The order uses no statistics of
//! words, which each engine has its own of and which take time in the number of all matches.

use std::collections::HashSet;
use std::sync::Arc;

use svc_model::wiki::{ArticleFilter, ArticlePage, ArticleSort, ArticleState, ArticleSummary};

use super::service::Wiki;
use super::store::{self, Match};
use crate::error::{Error, Result};
use crate::identity::auth::Caller;
use crate::ids::ArticleId;
use crate::limits;
use crate::messaging::search::{Query, snippet};
use crate::store::db::{DbError, StoreFailure as _};

/// Bytes of a text in which a snippet is looked for.
const SNIPPET_WITHIN: usize = 64 * 1024;

/// A search that passes every check that needs no store access.
#[derive(Debug, Clone)]
pub(super) struct ArticleSearch {
    query: Query,
    is_by_time: bool,
    offset: usize,
    limit: usize,
}

/// The matches of a search.
#[derive(Debug, Default)]
struct Found {
    ids: Vec<ArticleId>,
    is_partial: bool,
}

impl ArticleSearch {
    /// The search of a filter; `None` if it has no words.
    pub(super) fn of(filter: &ArticleFilter, limit: u32) -> Result<Option<Self>> {
        let query = Query::parse(filter.q.as_deref().unwrap_or_default());
        if query.is_empty() {
            return Ok(None);
        }
        if !matches!(filter.state, None | Some(ArticleState::Live)) {
            return Err(Error::invalid("state", "must be live with q: only articles that can be read are searched"));
        }
        let is_by_time = match filter.sort {
            None | Some(ArticleSort::Relevance) => false,
            Some(ArticleSort::Updated) => true,
            Some(ArticleSort::Title | ArticleSort::Backlinks) => {
                return Err(Error::invalid("sort", "must be relevance or updated with q"));
            }
        };
        let refusal = || Error::invalid("cursor", "must be the next_cursor of an earlier page");
        let offset = filter.cursor.as_deref().map_or(Ok(0), |cursor| cursor.parse().map_err(|_| refusal()))?;
        Ok(Some(Self { query, is_by_time, offset, limit: limit as usize }))
    }
}

impl Wiki {
    pub(super) async fn find(&self, caller: &Caller, search: ArticleSearch) -> Result<ArticlePage> {
        let slot = self.slots.take(caller).await?;
        let search = Arc::new(search);
        let (db, wanted) = (self.db.clone(), search.clone());
        // A separate task, because the store continues when the caller stops waiting, and so must the slot.
        let finding = tokio::spawn(async move {
            let found = db
                .search(wanted, |tx, search| {
                    Box::pin(async move {
                        let in_title = store::matches(tx, &search.query, Match::Title).await?;
                        let anywhere = store::matches(tx, &search.query, Match::Anywhere).await?;
                        Ok(in_order(search, in_title, anywhere))
                    })
                })
                .await;
            drop(slot);
            match found {
                Err(error) if matches!(error.db(), Some(DbError::TooSlow(_))) => {
                    Ok(Found { is_partial: true, ..Found::default() })
                }
                found => found,
            }
        });
        let found = finding.await.map_err(|error| Error::internal(format!("a search panicked: {error}")))??;
        let page: Vec<_> = found.ids.iter().copied().skip(search.offset).take(search.limit).collect();
        let end = search.offset.saturating_add(search.limit);
        let next_cursor = (end < found.ids.len()).then(|| end.to_string());
        let total = i64::try_from(found.ids.len()).ok();
        let articles = self.summaries(page, search).await?;
        Ok(ArticlePage { articles, next_cursor, total, partial: found.is_partial })
    }

    /// The articles with their snippets, in the order of the ids.
    async fn summaries(&self, ids: Vec<ArticleId>, search: Arc<ArticleSearch>) -> Result<Vec<ArticleSummary>> {
        let (rows, texts, now) = self
            .db
            .read(ids.clone(), |tx, ids| {
                Box::pin(async move {
                    let rows = store::find_all(tx, ids).await?;
                    let mut texts = Vec::with_capacity(rows.len());
                    for row in &rows {
                        texts.push(store::beginning(tx, row.id, row.revision, SNIPPET_WITHIN).await?);
                    }
                    Ok((rows, texts, tx.now()))
                })
            })
            .await?;
        let marking = tokio::task::spawn_blocking(move || {
            let mut shown: Vec<_> = rows
                .into_iter()
                .zip(texts)
                .filter(|(row, _)| row.deleted_at.is_none())
                .map(|(row, text)| {
                    let id = row.id;
                    let snippet = snippet::of(&row.title, &text, &search.query);
                    (id, ArticleSummary { snippet: Some(snippet), ..row.summary(now) })
                })
                .collect();
            shown.sort_by_key(|(id, _)| ids.iter().position(|wanted| wanted == id));
            shown.into_iter().map(|(_, article)| article).collect()
        });
        marking.await.map_err(|error| Error::internal(format!("a snippet panicked: {error}")))
    }
}

/// Matches in the title first, then the others; in each group the most linked first, then the newest.
fn in_order(search: &ArticleSearch, in_title: Vec<store::Hit>, anywhere: Vec<store::Hit>) -> Found {
    let titled: HashSet<_> = in_title.iter().map(|hit| hit.id).collect();
    let mut all = in_title;
    all.extend(anywhere.into_iter().filter(|hit| !titled.contains(&hit.id)));
    if search.is_by_time {
        all.sort_by_key(|hit| (std::cmp::Reverse(hit.updated_at), std::cmp::Reverse(hit.id)));
    } else {
        all.sort_by_key(|hit| {
            (!titled.contains(&hit.id), std::cmp::Reverse(hit.backlink_count), std::cmp::Reverse(hit.id))
        });
    }
    all.truncate(usize::try_from(limits::WIKI_MATCHES_MAX).unwrap_or(usize::MAX));
    Found { ids: all.into_iter().map(|hit| hit.id).collect(), is_partial: false }
}
