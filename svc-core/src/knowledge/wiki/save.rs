//! Saving a change of an article.

use std::sync::Arc;

use svc_macros::boxed_futures;
use svc_model::names::ArticleSlug;
use svc_model::wiki::{Article, ArticleSave, ProtectionChange, WikiAction, checked_body, stale_after};

use super::author::Author;
use super::conflict::{self, Merge};
use super::create::stale_at;
use super::record::{self, ArticleText, Change};
use super::service::{Wiki, held};
use super::store::{self, ArticleRow};
use crate::error::{Error, Result};
use crate::identity::auth::Caller;
use crate::store::db::Tx;

/// Number of times that a merge is tried again because of another save in between.
const MERGES: u32 = 8;

/// The request to save, and the merge with a newer revision if there is one.
struct Work {
    author: Author,
    slug: ArticleSlug,
    save: ArticleSave,
    merge: Option<Merge>,
}

#[boxed_futures]
impl Wiki {
    /// Saves a change of an article. Fails with `edit_conflict` if its text was changed after the revision that the
    /// change is based on, unless a merge was asked for and has no conflict. The error has the current text.
    pub async fn save(&self, caller: &Caller, slug: &ArticleSlug, save: ArticleSave) -> Result<Article> {
        let author = Author::of(caller)?;
        let save = save.checked()?;
        if save.protected.is_some() {
            author.require_protect()?;
        }
        let once = caller.idempotency("wiki.save", &(slug.as_str(), &save))?;
        let mut merge = None;
        for _ in 0..MERGES {
            let work = Arc::new(Work { author: author.clone(), slug: slug.clone(), save: save.clone(), merge });
            let saved: Result<String> = self
                .db
                .write_once(once.clone(), work.clone(), |tx, work| Box::pin(apply(tx, work)))
                .await
                .map(|saved| saved.value);
            match saved {
                Ok(slug) => return self.get(caller, &slug.parse()?).await,
                Err(error) if error.code() == conflict::CODE => {
                    merge = Some(self.merge(caller, slug, &save).await?);
                }
                Err(error) => return Err(error),
            }
        }
        Err(Error::unavailable("busy", "The article changes too often to merge: try again."))
    }

    /// Merges a change with the newest revision. Fails with the whole conflict if that was not asked for, or if it is
    /// not possible.
    async fn merge(&self, caller: &Caller, slug: &ArticleSlug, save: &ArticleSave) -> Result<Merge> {
        let input = (slug.clone(), save.base_revision.unwrap_or_default());
        let (article, base, theirs) = self
            .db
            .read(input, |tx, (slug, base)| {
                Box::pin(async move {
                    let (article, _) = super::service::live(tx, slug.as_str()).await?;
                    let base = text_of(tx, &article, *base).await?;
                    let theirs = text_of(tx, &article, article.revision).await?;
                    Ok((article, base, theirs))
                })
            })
            .await?;
        let yours = changed_text(&base, save)?;
        let merging = tokio::task::spawn_blocking(move || {
            let merged = conflict::merged(&base, &yours, &theirs);
            (merged, theirs)
        });
        let (merged, theirs) =
            merging.await.map_err(|error| Error::internal(format!("a merge of texts panicked: {error}")))?;
        // A merge of two valid texts may be too long.
        let merged = merged.filter(|merged| checked_body("body", &merged.body).is_ok());
        match merged {
            Some(text) if save.merge => Ok(Merge { onto: article.revision, text }),
            merged => Err(conflict::error(caller, &article, &theirs, save, merged.as_ref())),
        }
    }
}

async fn apply(tx: &mut Tx, work: &Work) -> Result<String> {
    let Work { author, slug, save, merge } = work;
    let article = held(tx, slug.as_str()).await?;
    author.require_edit(&article)?;
    let base_number = save.base_revision.unwrap_or_default();
    if base_number > article.revision {
        let message = format!("is {base_number}, and the newest revision is {}", article.revision);
        return Err(Error::invalid("base_revision", message));
    }
    let current = text_of(tx, &article, article.revision).await?;
    let base =
        if base_number == article.revision { current.clone() } else { text_of(tx, &article, base_number).await? };
    let yours = changed_text(&base, save)?;
    // A rename or another setting changes no text, so it is in nobody's way, and neither is the text that is there.
    let (text, action) = if base == current || yours == base || yours == current {
        let text = if yours == base { current.clone() } else { yours };
        (text, WikiAction::Edited)
    } else {
        let merge = merge.as_ref().filter(|merge| merge.onto == article.revision).ok_or_else(conflict::marker)?;
        (merge.text.clone(), WikiAction::Merged)
    };
    let is_configured = configure(tx, &article, save).await?;
    let is_edited = text != current;
    if is_edited || is_configured {
        let action = if is_edited { action } else { WikiAction::Configured };
        let change = Change { action, summary: save.summary.as_deref(), text: &text };
        record::revise(tx, author, &article, &change).await?;
    }
    Ok(article.slug)
}

/// The title and the text of a revision.
pub(super) async fn text_of(tx: &mut Tx, article: &ArticleRow, number: i64) -> Result<ArticleText> {
    store::text(tx, article.id, number).await?.ok_or_else(|| Error::not_found("revision"))
}

/// The text after the change, if nobody else changed it.
fn changed_text(base: &ArticleText, save: &ArticleSave) -> Result<ArticleText> {
    let title = save.title.clone().unwrap_or_else(|| base.title.clone());
    let body = match (&save.section, &save.body) {
        (_, None) => base.body.clone(),
        (None, Some(body)) => body.clone(),
        (Some(heading), Some(part)) => conflict::replaced(&base.body, heading, part)?,
    };
    if save.section.is_some() {
        checked_body("body", &body)?;
    }
    Ok(ArticleText { title, body })
}

/// Changes the settings of an article. Returns whether any of them changed.
async fn configure(tx: &mut Tx, article: &ArticleRow, save: &ArticleSave) -> Result<bool> {
    let mut is_changed = false;
    if let Some(protection) = save.protected.map(ProtectionChange::protection)
        && protection != article.protected
    {
        store::set_protected(tx, article.id, protection).await?;
        is_changed = true;
    }
    if let Some(moment) = stale_after(save.stale_after.as_deref())?
        && moment != article.stale_after
    {
        store::set_stale(tx, article.id, moment, stale_at(moment, article.verified_at)).await?;
        is_changed = true;
    }
    Ok(is_changed)
}
