//! Moving articles with their history from one hub to another.

use svc_macros::boxed_futures;
use svc_model::names::{ArticleSlug, label};
use svc_model::wiki::{ImportStep, ImportedRevision, ImportedState, WikiAction, checked_body};

use super::author::{Author, OPERATOR};
use super::create::{insert, require_free, stale_at};
use super::delete::{hide, unhide};
use super::links;
use super::record::{self, ArticleText};
use super::save::text_of;
use super::service::{Wiki, known, revision_text};
use super::store::{self, ArticleRow, NewRevision};
use crate::error::{Error, Result};
use crate::identity::auth::Caller;
use crate::limits;
use crate::store::db::Tx;

/// A revision that passes every check that needs no store access.
struct Imported {
    article: ArticleSlug,
    text: ArticleText,
    revision: ImportedRevision,
}

#[boxed_futures]
impl Wiki {
    /// Adds a revision of another hub, or finds that the article has it. The revisions of an article are imported in
    /// order. Requires an operator.
    pub async fn import_revision(&self, caller: &Caller, revision: ImportedRevision) -> Result<ImportStep> {
        caller.require_root()?;
        let article = ArticleSlug::parse("slug", &revision.article)?;
        if let Some(slug) = &revision.slug {
            ArticleSlug::parse("slug", slug)?;
        }
        if revision.action == Some(WikiAction::Verified) {
            return Err(Error::invalid("action", "must be a change that makes a revision"));
        }
        checked_body("body", &revision.body)?;
        let title = label("title", &revision.title, limits::ARTICLE_TITLE_MAX)?;
        let author = label("author", revision.author.as_deref().unwrap_or(OPERATOR), limits::ARTICLE_TITLE_MAX)?;
        let text = ArticleText { title, body: revision.body.clone() };
        let revision = ImportedRevision { author: Some(author), ..revision };
        let imported = Imported { article, text, revision };
        self.db.write(imported, |tx, imported| Box::pin(add(tx, imported))).await
    }

    /// Sets the state of an article after its revisions were imported. Requires an operator.
    pub async fn import_state(&self, caller: &Caller, state: ImportedState) -> Result<()> {
        caller.require_root()?;
        let article = ArticleSlug::parse("slug", &state.article)?;
        if state.redirects.len() > limits::ARTICLE_REDIRECTS_MAX {
            let message = format!("must be at most {} slugs", limits::ARTICLE_REDIRECTS_MAX);
            return Err(Error::invalid("redirects", message));
        }
        for slug in &state.redirects {
            ArticleSlug::parse("redirects", slug)?;
        }
        self.db.write((article, state), |tx, (article, state)| Box::pin(set_state(tx, article, state))).await
    }

    /// Returns the state of an article for an export, of a deleted one too. Requires an operator.
    pub async fn export_state(&self, caller: &Caller, slug: &ArticleSlug) -> Result<ImportedState> {
        caller.require_root()?;
        self.db
            .read(slug.clone(), |tx, slug| {
                Box::pin(async move {
                    let (article, _) = known(tx, slug.as_str()).await?;
                    let mut redirects = store::slugs_of(tx, article.id).await?;
                    redirects.retain(|slug| *slug != article.slug);
                    Ok(ImportedState {
                        article: article.slug,
                        protected: article.protected,
                        stale_after: article.stale_after,
                        verified_by: article.verified_by,
                        verified_at: article.verified_at,
                        verified_revision: article.verified_revision,
                        redirects,
                        deleted: article.deleted_at.is_some(),
                    })
                })
            })
            .await
    }
}

async fn add(tx: &mut Tx, imported: &Imported) -> Result<ImportStep> {
    store::hold(tx).await?;
    let slug = imported.article.as_str();
    let existing = store::by_slug(tx, slug).await?;
    if existing.as_ref().is_some_and(|article| article.slug != slug) {
        require_free(tx, slug).await?;
    }
    let newest = existing.as_ref().map_or(0, |article| article.revision);
    let number = match (imported.revision.number, &existing) {
        (Some(number), _) if number > newest + 1 || number < 1 => {
            let message = format!("must be {} at most: revisions are imported in order", newest + 1);
            return Err(Error::invalid("revision", message));
        }
        (Some(number), Some(article)) if number <= newest => {
            return same(tx, article, number, imported).await.map(|()| ImportStep::Present);
        }
        (None, Some(article)) if text_of(tx, article, newest).await? == imported.text => {
            return Ok(ImportStep::Present);
        }
        _ => newest + 1,
    };
    // A handle of another hub may be somebody else here, so only the name is kept.
    let author = Author { id: None, name: imported.revision.author.clone().unwrap_or_default(), is_human: true };
    let default = if number == 1 { WikiAction::Created } else { WikiAction::Edited };
    let revision = NewRevision {
        number,
        action: imported.revision.action.unwrap_or(default),
        slug: imported.revision.slug.as_deref().unwrap_or(slug),
        text: &imported.text,
        summary: imported.revision.summary.as_deref(),
        author: &author,
        created_at: imported.revision.created_at.unwrap_or_else(|| tx.now()),
    };
    let Some(article) = existing else {
        insert(tx, slug, &revision).await?;
        return Ok(ImportStep::Added);
    };
    store::insert_revision(tx, article.id, &revision).await?;
    store::set_newest(tx, article.id, &revision).await?;
    if article.deleted_at.is_none() {
        record::index(tx, article.id, &imported.text).await?;
    }
    Ok(ImportStep::Added)
}

/// Fails unless an article has exactly this revision.
async fn same(tx: &mut Tx, article: &ArticleRow, number: i64, imported: &Imported) -> Result<()> {
    let stored = revision_text(tx, article, number).await?;
    let is_same = stored.revision.title == imported.text.title && stored.body == imported.text.body;
    if is_same {
        return Ok(());
    }
    let message =
        format!("The article {} exists with another revision {number}: rename or delete one of the two.", article.slug);
    Err(Error::conflict("history_differs", message).with_detail("revision", number))
}

async fn set_state(tx: &mut Tx, slug: &ArticleSlug, state: &ImportedState) -> Result<()> {
    store::hold(tx).await?;
    let (article, _) = known(tx, slug.as_str()).await?;
    let own = store::slugs_of(tx, article.id).await?;
    for redirect in state.redirects.iter().filter(|redirect| !own.contains(redirect)) {
        require_free(tx, redirect).await?;
        links::take_slug(tx, article.id, redirect).await?;
    }
    store::set_protected(tx, article.id, state.protected).await?;
    let overdue = stale_at(state.stale_after, state.verified_at);
    store::set_stale(tx, article.id, state.stale_after, overdue).await?;
    let verified = match (&state.verified_by, state.verified_at) {
        (Some(by), Some(at)) => Some((by.as_str(), at, state.verified_revision.unwrap_or(article.revision))),
        _ => None,
    };
    store::set_verified(tx, article.id, verified).await?;
    let by = Author { id: None, name: article.updated_by.clone(), is_human: true };
    let text = text_of(tx, &article, article.revision).await?;
    match (state.deleted, article.deleted_at) {
        (true, None) => hide(tx, &by, &article).await?,
        (false, Some(_)) => {
            unhide(tx, &article).await?;
            record::index(tx, article.id, &text).await?;
        }
        // A redirect may have been a link to itself.
        (false, None) => record::index(tx, article.id, &text).await?,
        (true, Some(_)) => {}
    }
    let action = if state.deleted { WikiAction::Deleted } else { WikiAction::Edited };
    record::changed(tx, &by, article.id, action, None).await
}
