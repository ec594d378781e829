//! Deleting an article.

use svc_macros::boxed_futures;
use svc_model::names::ArticleSlug;
use svc_model::wiki::{ChangeNote, WikiAction};

use super::author::Author;
use super::record::{self, Change};
use super::save::text_of;
use super::service::{Wiki, held};
use super::store::{self, ArticleRow};
use crate::error::Result;
use crate::identity::auth::Caller;
use crate::store::db::Tx;

#[boxed_futures]
impl Wiki {
    /// Deletes an article. Its history stays, and [`restore`](Self::restore) undoes it.
    pub async fn delete(&self, caller: &Caller, slug: &ArticleSlug, note: ChangeNote) -> Result<()> {
        let author = Author::of(caller)?;
        let note = note.checked()?;
        self.db
            .write((author, slug.clone(), note), |tx, (author, slug, note)| {
                Box::pin(async move {
                    let article = held(tx, slug.as_str()).await?;
                    author.require_edit(&article)?;
                    let text = text_of(tx, &article, article.revision).await?;
                    let summary = note.summary.as_deref();
                    let change = Change { action: WikiAction::Deleted, summary, text: &text };
                    record::add_revision(tx, author, &article, &change).await?;
                    hide(tx, author, &article).await?;
                    record::changed(tx, author, article.id, WikiAction::Deleted, None).await
                })
            })
            .await
    }
}

/// Takes an article out of lists, search and links.
pub(super) async fn hide(tx: &mut Tx, author: &Author, article: &ArticleRow) -> Result<()> {
    record::unindex(tx, article.id).await?;
    store::set_deleted(tx, article.id, Some(&author.name)).await?;
    store::set_wanted(tx, article.id, true).await?;
    store::count_articles(tx, -1, 0).await
}

/// Puts an article back that was taken out.
pub(super) async fn unhide(tx: &mut Tx, article: &ArticleRow) -> Result<()> {
    store::set_deleted(tx, article.id, None).await?;
    store::set_wanted(tx, article.id, false).await?;
    store::count_articles(tx, 1, 0).await
}
