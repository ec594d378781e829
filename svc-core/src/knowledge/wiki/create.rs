//! Creating an article.

use svc_macros::boxed_futures;
use svc_model::names::ArticleSlug;
use svc_model::wiki::{Article, NewArticle, WikiAction, stale_after};

use super::author::Author;
use super::links;
use super::record::{ArticleText, changed, index};
use super::service::Wiki;
use super::store::{self, NewRevision, SlugRow};
use crate::error::{Error, Result};
use crate::identity::auth::Caller;
use crate::ids::ArticleId;
use crate::limits;
use crate::store::db::Tx;
use crate::timestamp::Timestamp;

/// Number of slugs that are tried for a title.
const SLUGS: u32 = 100;

#[boxed_futures]
impl Wiki {
    /// Creates an article.
    ///
    /// ```
    /// # async fn example(hub: svc_core::Hub, ann: svc_core::Caller) -> svc_core::Result<()> {
    /// use svc_core::wiki::NewArticle;
    ///
    /// let article = hub.wiki().create(&ann, NewArticle::titled("How we deploy", "See [[on-call]].")).await?;
    /// assert_eq!((article.slug.as_str(), article.revision), ("how-we-deploy", 1));
    /// # Ok(())
    /// # }
    /// ```
    pub async fn create(&self, caller: &Caller, new: NewArticle) -> Result<Article> {
        let author = Author::of(caller)?;
        let (slug, new) = new.checked()?;
        if new.protected.and_then(svc_model::wiki::ProtectionChange::protection).is_some() {
            author.require_protect()?;
        }
        let once = caller.idempotency("wiki.create", &new)?;
        let created = self
            .db
            .write_once(once, (author, slug, new), |tx, (author, slug, new)| Box::pin(create(tx, author, slug, new)));
        let slug: String = created.await?.value;
        self.get(caller, &slug.parse()?).await
    }
}

async fn create(tx: &mut Tx, author: &Author, slug: &ArticleSlug, new: &NewArticle) -> Result<String> {
    store::hold(tx).await?;
    let slug = free_slug(tx, slug.as_str(), new.slug.is_some()).await?;
    let text = ArticleText { title: new.title.clone(), body: new.body.clone() };
    let now = tx.now();
    let revision = NewRevision {
        number: 1,
        action: WikiAction::Created,
        slug: &slug,
        text: &text,
        summary: new.summary.as_deref(),
        author,
        created_at: now,
    };
    let id = insert(tx, &slug, &revision).await?;
    if let Some(protection) = new.protected {
        store::set_protected(tx, id, protection.protection()).await?;
    }
    if let Some(Some(moment)) = stale_after(new.stale_after.as_deref())? {
        store::set_stale(tx, id, Some(moment), Some(moment)).await?;
    }
    changed(tx, author, id, WikiAction::Created, None).await?;
    Ok(slug)
}

/// Stores an article with its first revision under a slug that no article has.
pub(super) async fn insert(tx: &mut Tx, slug: &str, revision: &NewRevision<'_>) -> Result<ArticleId> {
    if store::stored_count(tx).await? >= limits::ARTICLES_MAX {
        let message = format!("The wiki can have {} articles, with deleted ones.", limits::ARTICLES_MAX);
        return Err(Error::conflict("too_many_articles", message));
    }
    let id = store::insert_article(tx, slug, revision).await?;
    store::insert_revision(tx, id, revision).await?;
    store::count_articles(tx, 1, 1).await?;
    links::take_slug(tx, id, slug).await?;
    index(tx, id, revision.text).await?;
    Ok(id)
}

/// The slug, or if it was derived from the title the first free one with a number.
async fn free_slug(tx: &mut Tx, slug: &str, is_chosen: bool) -> Result<String> {
    let tries = if is_chosen { 1 } else { SLUGS };
    for number in 1..=tries {
        let candidate = if number == 1 { slug.to_owned() } else { numbered(slug, number) };
        if owner_of(tx, &candidate).await?.is_none() {
            return Ok(candidate);
        }
    }
    require_free(tx, slug).await.map(|()| slug.to_owned())
}

/// A slug with a number at its end, within the limit of its length.
fn numbered(slug: &str, number: u32) -> String {
    let number = format!("-{number}");
    let most = limits::ARTICLE_SLUG.end() - number.len();
    let start = slug.get(..slug.len().min(most)).unwrap_or_default();
    format!("{}{number}", start.trim_end_matches('-'))
}

async fn owner_of(tx: &mut Tx, slug: &str) -> Result<Option<SlugRow>> {
    Ok(store::slug(tx, slug).await?.filter(|row| row.article_id.is_some()))
}

/// Fails if a slug belongs to an article, now or formerly.
pub(super) async fn require_free(tx: &mut Tx, slug: &str) -> Result<()> {
    let Some(SlugRow { article_id: Some(id), .. }) = store::slug(tx, slug).await? else { return Ok(()) };
    let article = store::find(tx, id).await?;
    let leads_to = article.slug.clone();
    let message = match (article.slug == slug, article.deleted_at) {
        (true, None) => format!("The article {slug} exists: change it, or choose another slug."),
        (true, Some(_)) => format!("The article {slug} was deleted: restore it, or choose another slug."),
        (false, _) => format!("The slug {slug} leads to the article {leads_to}, which had it: choose another slug."),
    };
    Err(Error::conflict("slug_taken", message).with_detail("slug", slug).with_detail("leads_to", leads_to))
}

/// The time that makes an article stale, given its last verification.
pub(super) fn stale_at(stale_after: Option<Timestamp>, verified_at: Option<Timestamp>) -> Option<Timestamp> {
    stale_after.filter(|moment| verified_at.is_none_or(|verified| verified < *moment))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_fits_into_the_longest_slug() {
        assert_eq!(numbered("deploy", 2), "deploy-2");
        let long = numbered(&"a".repeat(100), 100);
        assert!(long.len() == 100 && long.ends_with("a-100"));
        assert_eq!(numbered(&format!("{}-b", "a".repeat(96)), 12), format!("{}-12", "a".repeat(96)));
    }
}
