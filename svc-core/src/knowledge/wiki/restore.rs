//! Undoing a deletion, and going back to an earlier revision.

use svc_macros::boxed_futures;
use svc_model::names::ArticleSlug;
use svc_model::wiki::{Article, ArticleRestore, WikiAction};

use super::author::Author;
use super::delete::unhide;
use super::record::{self, Change};
use super::save::text_of;
use super::service::{Wiki, known};
use super::store;
use crate::error::{Error, Result};
use crate::identity::auth::Caller;
use crate::store::db::Tx;

#[boxed_futures]
impl Wiki {
    /// Undoes a deletion, or sets title and text back to those of an earlier revision.
    pub async fn restore(&self, caller: &Caller, slug: &ArticleSlug, restore: ArticleRestore) -> Result<Article> {
        let author = Author::of(caller)?;
        let restore = restore.checked()?;
        let once = caller.idempotency("wiki.restore", &(slug.as_str(), &restore))?;
        let input = (author, slug.clone(), restore);
        let restored = self.db.write_once(once, input, |tx, (author, slug, request)| {
            Box::pin(async move { apply(tx, author, slug, request).await })
        });
        let slug: String = restored.await?.value;
        self.get(caller, &slug.parse()?).await
    }
}

async fn apply(tx: &mut Tx, author: &Author, slug: &ArticleSlug, request: &ArticleRestore) -> Result<String> {
    store::hold(tx).await?;
    let (article, _) = known(tx, slug.as_str()).await?;
    author.require_edit(&article)?;
    let text = text_of(tx, &article, request.revision.unwrap_or(article.revision)).await?;
    let action = match (article.deleted_at, request.revision) {
        (Some(_), _) => WikiAction::Restored,
        (None, Some(_)) => WikiAction::Reverted,
        (None, None) => {
            let message = "This article is not deleted: name a revision to go back to.";
            return Err(Error::conflict("not_deleted", message));
        }
    };
    if action == WikiAction::Restored {
        unhide(tx, &article).await?;
    } else if text == text_of(tx, &article, article.revision).await? {
        return Ok(article.slug);
    }
    let derived = request.revision.map(|number| format!("Back to revision {number}"));
    let summary = request.summary.as_deref().or(derived.as_deref());
    record::revise(tx, author, &article, &Change { action, summary, text: &text }).await?;
    Ok(article.slug)
}
