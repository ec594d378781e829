//! The history of an article: revisions and the differences between them.

use serde::{Deserialize, Serialize};

use crate::timestamp::Timestamp;

/// A change of an article. All but `verified` make a revision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", oai(rename_all = "snake_case"))]
pub enum WikiAction {
    /// It was created.
    Created,
    /// Its title or its text was changed.
    Edited,
    /// A change was merged with changes that others had saved meanwhile.
    Merged,
    /// Its text was set back to that of an earlier revision.
    Reverted,
    /// Its protection or the time after which it is stale was changed.
    Configured,
    /// It got another slug.
    Renamed,
    /// It was deleted.
    Deleted,
    /// Its deletion was undone.
    Restored,
    /// A participant said that it still holds.
    Verified,
}

crate::text_enum! {
    WikiAction {
        Created => "created",
        Edited => "edited",
        Merged => "merged",
        Reverted => "reverted",
        Configured => "configured",
        Renamed => "renamed",
        Deleted => "deleted",
        Restored => "restored",
        Verified => "verified",
    }
}

impl WikiAction {
    /// All actions.
    pub const ALL: [Self; 9] = [
        Self::Created,
        Self::Edited,
        Self::Merged,
        Self::Reverted,
        Self::Configured,
        Self::Renamed,
        Self::Deleted,
        Self::Restored,
        Self::Verified,
    ];

    /// The action with this word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|action| action.as_str() == word)
    }
}

/// A revision of an article, without its text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct Revision {
    /// Its number; the first one is 1.
    pub number: i64,
    /// The change.
    pub action: WikiAction,
    /// The slug of the article after it.
    pub slug: String,
    /// The title after it.
    pub title: String,
    /// What the author says about it.
    pub summary: Option<String>,
    /// The size of the text in bytes.
    pub size: i64,
    /// The difference in bytes to the revision before.
    pub size_change: i64,
    /// The handle of the author.
    pub author: String,
    /// When it was saved.
    pub created_at: Timestamp,
}

/// A page of revisions, newest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct RevisionPage {
    /// The revisions.
    pub revisions: Vec<Revision>,
    /// The number to continue before; `null` on the last page.
    pub next_cursor: Option<i64>,
}

/// A revision with its text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct RevisionText {
    /// The revision.
    #[serde(flatten)]
    #[cfg_attr(feature = "openapi", oai(flatten))]
    pub revision: Revision,
    /// The text, as Markdown.
    pub body: String,
}

/// The two revisions to compare.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DiffRange {
    /// The older revision; the one before `to` when absent, and 0 for an empty text.
    pub from: Option<i64>,
    /// The newer revision; the newest when absent.
    pub to: Option<i64>,
}

/// The difference between two revisions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct ArticleDiff {
    /// The slug of the article.
    pub slug: String,
    /// The older revision; `null` for an empty text.
    pub from: Option<Revision>,
    /// The newer revision.
    pub to: Revision,
    /// Groups of changed lines with the lines around them.
    pub hunks: Vec<DiffHunk>,
    /// The number of added lines.
    pub added: i64,
    /// The number of removed lines.
    pub removed: i64,
    /// Whether lines were left out because the difference is too long.
    pub truncated: bool,
}

/// A group of changed lines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct DiffHunk {
    /// The lines, in order.
    pub lines: Vec<DiffLine>,
}

/// The change of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", oai(rename_all = "snake_case"))]
pub enum DiffKind {
    /// In both texts.
    Equal,
    /// In the older text only.
    Removed,
    /// In the newer text only.
    Added,
}

/// A line of a difference.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct DiffLine {
    /// The change.
    pub kind: DiffKind,
    /// Its number in the older text.
    pub old_line: Option<i64>,
    /// Its number in the newer text.
    pub new_line: Option<i64>,
    /// The line without its line break, in parts.
    pub parts: Vec<DiffPart>,
}

/// A part of a line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct DiffPart {
    /// The text.
    pub text: String,
    /// Whether these words differ from the line that corresponds to it.
    pub changed: bool,
}
