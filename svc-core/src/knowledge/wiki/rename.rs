//! Giving an article another slug.

use std::collections::BTreeSet;

use svc_macros::boxed_futures;
use svc_model::names::ArticleSlug;
use svc_model::wiki::{Article, ArticleRename, WikiAction, outgoing_links};

use super::author::Author;
use super::create::require_free;
use super::record::{self, Change};
use super::save::text_of;
use super::service::{Wiki, held};
use super::{links, store};
use crate::error::{Error, Result};
use crate::identity::auth::Caller;
use crate::limits;
use crate::store::db::Tx;

#[boxed_futures]
impl Wiki {
    /// Gives an article another slug. Its history stays, and its former slug leads to it.
    pub async fn rename(&self, caller: &Caller, slug: &ArticleSlug, rename: ArticleRename) -> Result<Article> {
        let author = Author::of(caller)?;
        let (new, rename) = rename.checked()?;
        let once = caller.idempotency("wiki.rename", &(slug.as_str(), &rename))?;
        let input = (author, slug.clone(), new, rename);
        let renamed = self.db.write_once(once, input, |tx, (author, slug, new, rename)| {
            Box::pin(async move { apply(tx, author, slug, (new, rename)).await })
        });
        let slug: String = renamed.await?.value;
        self.get(caller, &slug.parse()?).await
    }
}

async fn apply(
    tx: &mut Tx,
    author: &Author,
    slug: &ArticleSlug,
    (new, rename): (&ArticleSlug, &ArticleRename),
) -> Result<String> {
    let article = held(tx, slug.as_str()).await?;
    author.require_edit(&article)?;
    let new = new.as_str();
    if new == article.slug && rename.title.as_ref().is_none_or(|title| *title == article.title) {
        return Ok(article.slug);
    }
    // A former slug of its own leads to it already, so there is no circle.
    let own = store::slugs_of(tx, article.id).await?;
    if !own.iter().any(|slug| slug == new) {
        require_free(tx, new).await?;
        if own.len() > limits::ARTICLE_REDIRECTS_MAX {
            let message = format!("An article can have {} former slugs.", limits::ARTICLE_REDIRECTS_MAX);
            return Err(Error::conflict("too_many_redirects", message));
        }
        links::take_slug(tx, article.id, new).await?;
    }
    store::set_slug(tx, article.id, new).await?;
    let mut text = text_of(tx, &article, article.revision).await?;
    text.title = rename.title.clone().unwrap_or(text.title);
    let mut renamed = article.clone();
    new.clone_into(&mut renamed.slug);
    let change = Change { action: WikiAction::Renamed, summary: rename.summary.as_deref(), text: &text };
    record::add_revision(tx, author, &renamed, &change).await?;
    // A link to its new slug is one to itself now.
    let outgoing: BTreeSet<String> = outgoing_links(&text.body);
    links::set(tx, article.id, outgoing).await?;
    store::set_words(tx, article.id, Some(&text)).await?;
    record::changed(tx, author, article.id, WikiAction::Renamed, Some(article.slug)).await?;
    Ok(renamed.slug)
}
