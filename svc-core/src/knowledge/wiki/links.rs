//! The links of an article, with the counts of what they lead to.

use std::collections::BTreeSet;

use super::store;
use crate::error::Result;
use crate::ids::ArticleId;
use crate::store::db::Tx;

/// Replaces the links of an article. Links to itself do not count. The row of the wiki is held.
pub(super) async fn set(tx: &mut Tx, id: ArticleId, mut links: BTreeSet<String>) -> Result<()> {
    for own in store::slugs_of(tx, id).await? {
        links.remove(&own);
    }
    let before = store::links_of(tx, id).await?;
    let removed: Vec<_> = before.difference(&links).cloned().collect();
    let added: Vec<_> = links.difference(&before).cloned().collect();
    let targets_before = store::targets_of(tx, id).await?;
    store::remove_links(tx, id, &removed).await?;
    store::add_links(tx, id, &added).await?;
    let targets = store::targets_of(tx, id).await?;
    let others = |one: &BTreeSet<ArticleId>, other: &BTreeSet<ArticleId>| -> Vec<ArticleId> {
        one.difference(other).copied().filter(|target| *target != id).collect()
    };
    store::count_backlinks(tx, &others(&targets, &targets_before), 1).await?;
    store::count_backlinks(tx, &others(&targets_before, &targets), -1).await
}

/// Gives a slug that no article has to an article. Articles that link to the slug link to the article from now on.
pub(super) async fn take_slug(tx: &mut Tx, id: ArticleId, slug: &str) -> Result<()> {
    let gained = store::new_backlinks(tx, id, slug).await?;
    store::assign_slug(tx, id, slug).await?;
    store::add_backlinks(tx, id, gained).await
}
