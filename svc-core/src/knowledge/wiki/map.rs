//! The map of the wiki.

use std::collections::HashMap;

use svc_macros::boxed_futures;
use svc_model::auth::Permission;
use svc_model::wiki::{MapLink, WantedArticle, WikiMap};

use super::author::require;
use super::service::Wiki;
use super::store::{self, ArticleRow, Order};
use crate::error::Result;
use crate::identity::auth::Caller;
use crate::ids::ArticleId;
use crate::limits;
use crate::store::db::Tx;

#[boxed_futures]
impl Wiki {
    /// Returns the most linked, unlinked, wanted and stale articles, and the links among them.
    pub async fn map(&self, caller: &Caller) -> Result<WikiMap> {
        require(caller, Permission::Read)?;
        self.db.read((), |tx, ()| Box::pin(map(tx))).await
    }
}

async fn map(tx: &mut Tx) -> Result<WikiMap> {
    let most = limits::WIKI_MAP_LIST;
    let now = tx.now();
    let mut hubs = store::list(tx, Order::Backlinks, None, most).await?;
    hubs.retain(|article| article.backlink_count > 0);
    let orphans = store::list(tx, Order::Orphan, None, most).await?;
    let stale = store::list(tx, Order::Stale, None, most).await?;
    let wanted = store::wanted(tx, most).await?;
    let links = links(tx, [&hubs, &orphans, &stale], &wanted).await?;
    let shown = |rows: Vec<ArticleRow>| rows.into_iter().map(|row| row.summary(now)).collect();
    Ok(WikiMap {
        article_count: store::article_count(tx).await?,
        hubs: shown(hubs),
        orphans: shown(orphans),
        wanted,
        stale: shown(stale),
        links,
    })
}

/// The links of the listed articles that lead to another one of them, or to a wanted slug.
async fn links(tx: &mut Tx, lists: [&Vec<ArticleRow>; 3], wanted: &[WantedArticle]) -> Result<Vec<MapLink>> {
    let slugs: HashMap<ArticleId, &str> =
        lists.into_iter().flatten().map(|article| (article.id, article.slug.as_str())).collect();
    let mut ids: Vec<_> = slugs.keys().copied().collect();
    ids.sort_unstable();
    // Without a join, so that the time does not depend on the number of all slugs.
    let leads_to: HashMap<String, ArticleId> = store::slugs_of_all(tx, &ids).await?.into_iter().collect();
    let mut found = Vec::new();
    for link in store::links_from(tx, &ids).await? {
        let to = match leads_to.get(&link.slug).and_then(|id| slugs.get(id)) {
            Some(slug) => Some((*slug).to_owned()),
            None => wanted.iter().any(|wanted| wanted.slug == link.slug).then_some(link.slug),
        };
        if let (Some(from), Some(to)) = (slugs.get(&link.source_id), to) {
            found.push(MapLink { from: (*from).to_owned(), to });
        }
    }
    found.sort_by(|a, b| (&a.from, &a.to).cmp(&(&b.from, &b.to)));
    found.dedup();
    found.truncate(limits::WIKI_MAP_LINKS as usize);
    Ok(found)
}
