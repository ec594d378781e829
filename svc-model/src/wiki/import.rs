//! Articles that are moved from one hub to another with their history.

use serde::{Deserialize, Serialize};

use super::{Protection, WikiAction};
use crate::timestamp::Timestamp;

/// A revision that is imported. The revisions of an article are imported in order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ImportedRevision {
    /// The current slug of the article.
    pub article: String,
    /// The number; `None` for a text without a history, which becomes a new revision if it differs.
    pub number: Option<i64>,
    /// The change; an edit when absent.
    pub action: Option<WikiAction>,
    /// The slug of the article after it; the current one when absent.
    pub slug: Option<String>,
    /// The title after it.
    pub title: String,
    /// The text.
    pub body: String,
    /// What the author said about it.
    pub summary: Option<String>,
    /// The handle of the author; the operator when absent.
    pub author: Option<String>,
    /// When it was saved; now when absent.
    pub created_at: Option<Timestamp>,
}

/// The state of an article that is imported, after its revisions.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ImportedState {
    /// The slug of the article.
    pub article: String,
    /// `humans` if only humans can change it.
    pub protected: Option<Protection>,
    /// The time after which it has to be verified again.
    pub stale_after: Option<Timestamp>,
    /// The handle of the participant that verified it.
    pub verified_by: Option<String>,
    /// When it was verified.
    pub verified_at: Option<Timestamp>,
    /// The revision that was verified.
    pub verified_revision: Option<i64>,
    /// Its former slugs.
    #[serde(default)]
    pub redirects: Vec<String>,
    /// Whether it is deleted.
    #[serde(default)]
    pub deleted: bool,
}

/// The result of an import of a revision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ImportStep {
    /// It was added.
    Added,
    /// The article had it already.
    Present,
}
