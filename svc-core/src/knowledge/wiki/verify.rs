//! Saying that an article still holds.

use svc_macros::boxed_futures;
use svc_model::names::ArticleSlug;
use svc_model::wiki::{Article, ArticleVerify, WikiAction, stale_after};

use super::author::Author;
use super::create::stale_at;
use super::save::text_of;
use super::service::{Wiki, held};
use super::{record, store};
use crate::error::{Error, Result};
use crate::identity::auth::Caller;
use crate::store::db::Tx;

#[boxed_futures]
impl Wiki {
    /// Records that an article still holds, and perhaps when it has to be verified again.
    pub async fn verify(&self, caller: &Caller, slug: &ArticleSlug, verify: ArticleVerify) -> Result<Article> {
        let author = Author::of(caller)?;
        let verify = verify.checked()?;
        let once = caller.idempotency("wiki.verify", &(slug.as_str(), &verify))?;
        let input = (author, slug.clone(), verify);
        let verified = self.db.write_once(once, input, |tx, (author, slug, verify)| {
            Box::pin(async move { apply(tx, author, slug, verify).await })
        });
        let slug: String = verified.await?.value;
        self.get(caller, &slug.parse()?).await
    }
}

async fn apply(tx: &mut Tx, author: &Author, slug: &ArticleSlug, verify: &ArticleVerify) -> Result<String> {
    let article = held(tx, slug.as_str()).await?;
    let revision = verify.revision.unwrap_or(article.revision);
    if revision != article.revision {
        let read = text_of(tx, &article, revision).await?;
        if read != text_of(tx, &article, article.revision).await? {
            let message = format!(
                "The article was changed after revision {revision}: read revision {}, then verify that.",
                article.revision
            );
            return Err(Error::conflict("edit_conflict", message).with_detail("revision", article.revision));
        }
    }
    let now = tx.now();
    let moment = stale_after(verify.stale_after.as_deref())?.unwrap_or(article.stale_after);
    store::set_stale(tx, article.id, moment, stale_at(moment, Some(now))).await?;
    store::set_verified(tx, article.id, Some((author.name.as_str(), now, article.revision))).await?;
    record::changed(tx, author, article.id, WikiAction::Verified, None).await?;
    Ok(article.slug)
}
