//! `wiki.*`: articles of the wiki, which commands write to files and read from them, one revision per call.

use serde::{Deserialize, Serialize};
use svc_core::wiki::{
    ArticleFilter, ArticlePage, ArticleSlug, ArticleSort, ArticleState, ImportStep, ImportedRevision, ImportedState,
    RevisionPage, RevisionText,
};
use svc_core::{Result, limits};

use super::{Method, Server, root};

/// Reads articles for an export, step by step.
pub struct Export;

/// One step of an export.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum ExportParams {
    /// Lists articles.
    Articles {
        /// Whether to list deleted articles instead of the others.
        #[serde(default)]
        deleted: bool,
        /// The `next_cursor` of the previous page.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cursor: Option<String>,
    },
    /// Lists the revisions of an article, newest first.
    Revisions {
        /// Its slug.
        slug: String,
        /// Only revisions before this number.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        before: Option<i64>,
    },
    /// Reads a revision with its text.
    Revision {
        /// The slug of the article.
        slug: String,
        /// The number of the revision.
        number: i64,
    },
    /// Reads the state of an article.
    State {
        /// Its slug.
        slug: String,
    },
}

/// The result of a step of an export.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExportStep {
    /// A page of articles.
    Articles(ArticlePage),
    /// A page of revisions.
    Revisions(RevisionPage),
    /// A revision.
    Revision(Box<RevisionText>),
    /// The state of an article.
    State(Box<ImportedState>),
}

impl Method for Export {
    const NAME: &'static str = "wiki.export";
    const ABOUT: &'static str = "Read articles with their history, for a command that writes files.";
    type Params = ExportParams;
    type Answer = ExportStep;

    async fn run(server: &Server, params: ExportParams) -> Result<ExportStep> {
        let (wiki, limit) = (server.hub.wiki(), Some(limits::PAGE_MAX.into()));
        Ok(match params {
            ExportParams::Articles { deleted, cursor } => {
                let (sort, state) = if deleted {
                    (None, ArticleState::Deleted)
                } else {
                    (Some(ArticleSort::Title), ArticleState::Live)
                };
                let filter = ArticleFilter { q: None, sort, state: Some(state), cursor, limit };
                ExportStep::Articles(wiki.list(&root(), filter).await?)
            }
            ExportParams::Revisions { slug, before } => {
                ExportStep::Revisions(wiki.revisions(&root(), &parse(&slug)?, before, limit).await?)
            }
            ExportParams::Revision { slug, number } => {
                ExportStep::Revision(Box::new(wiki.revision(&root(), &parse(&slug)?, number).await?))
            }
            ExportParams::State { slug } => {
                ExportStep::State(Box::new(wiki.export_state(&root(), &parse(&slug)?).await?))
            }
        })
    }
}

fn parse(slug: &str) -> Result<ArticleSlug> {
    ArticleSlug::parse("slug", slug)
}

/// Adds an article of an export, step by step.
pub struct Import;

/// One step of an import.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum ImportParams {
    /// Adds a revision. Those of an article are added in order.
    Revision(Box<ImportedRevision>),
    /// Sets the state of an article, after its revisions.
    State(Box<ImportedState>),
}

/// The result of a step of an import.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ImportOutcome {
    /// Whether the revision was added.
    Revision(ImportStep),
    /// The state is set.
    State,
}

impl Method for Import {
    const NAME: &'static str = "wiki.import";
    const ABOUT: &'static str = "Add a revision or the state of an article, for a command that reads files.";
    type Params = ImportParams;
    type Answer = ImportOutcome;

    async fn run(server: &Server, params: ImportParams) -> Result<ImportOutcome> {
        let wiki = server.hub.wiki();
        Ok(match params {
            ImportParams::Revision(revision) => {
                ImportOutcome::Revision(wiki.import_revision(&root(), *revision).await?)
            }
            ImportParams::State(state) => {
                wiki.import_state(&root(), *state).await?;
                ImportOutcome::State
            }
        })
    }
}
