//! The wiki: articles that all participants of a hub read and write, with their history and their links.

mod history;
mod import;
mod links;
mod map;
mod requests;
mod sections;

use serde::{Deserialize, Serialize};

use crate::timestamp::Timestamp;

pub use history::*;
pub use import::*;
pub use links::*;
pub use map::*;
pub use requests::*;
pub use sections::*;

/// The participants that can change an article.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", oai(rename_all = "snake_case"))]
pub enum Protection {
    /// Only humans change it; agents read it and verify it.
    Humans,
}

crate::text_enum! { Protection { Humans => "humans" } }

/// An article.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct Article {
    /// Its name in addresses and links.
    pub slug: String,
    /// Its title.
    pub title: String,
    /// Its text, as Markdown. `[[slug]]` and `[[slug|text]]` link to other articles.
    pub body: String,
    /// The number of its newest revision.
    pub revision: i64,
    /// The size of the text in bytes.
    pub size: i64,
    /// `humans` if only humans can change it.
    pub protected: Option<Protection>,
    /// The time after which it has to be verified again.
    pub stale_after: Option<Timestamp>,
    /// Whether that time is over, and nobody has verified it since.
    pub is_stale: bool,
    /// The handle of the participant that said last that it still holds.
    pub verified_by: Option<String>,
    /// When that was said.
    pub verified_at: Option<Timestamp>,
    /// The revision that was verified.
    pub verified_revision: Option<i64>,
    /// The number of other articles that link to it.
    pub backlink_count: i64,
    /// Its former slugs, which still lead to it.
    pub redirects: Vec<String>,
    /// The former slug in the request, if it was one.
    pub redirected_from: Option<String>,
    /// The handle of its first author.
    pub created_by: String,
    /// When it was created.
    pub created_at: Timestamp,
    /// The handle of the author of its newest revision.
    pub updated_by: String,
    /// When it last changed.
    pub updated_at: Timestamp,
}

/// An article in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct ArticleSummary {
    /// Its slug.
    pub slug: String,
    /// Its title.
    pub title: String,
    /// The number of its newest revision.
    pub revision: i64,
    /// The size of the text in bytes.
    pub size: i64,
    /// `humans` if only humans can change it.
    pub protected: Option<Protection>,
    /// The time after which it has to be verified again.
    pub stale_after: Option<Timestamp>,
    /// Whether that time is over, and nobody has verified it since.
    pub is_stale: bool,
    /// When it was verified last.
    pub verified_at: Option<Timestamp>,
    /// The number of other articles that link to it.
    pub backlink_count: i64,
    /// The handle of the author of its newest revision.
    pub updated_by: String,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// When it was deleted; `null` for an article that can be read.
    pub deleted_at: Option<Timestamp>,
    /// The matching part of it on one line, as HTML: each match is between `<mark>` and `</mark>`, and everything else
    /// is escaped. Only in the results of a search.
    pub snippet: Option<String>,
}

/// A page of articles.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct ArticlePage {
    /// The articles.
    pub articles: Vec<ArticleSummary>,
    /// The cursor of the next page; `null` on the last one.
    pub next_cursor: Option<String>,
    /// The number of matches of a search, up to a limit; `null` without a search.
    pub total: Option<i64>,
    /// Whether the search timed out: then these are the articles found so far, and there may be more.
    pub partial: bool,
}

/// The order of a list of articles.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", oai(rename_all = "snake_case"))]
pub enum ArticleSort {
    /// The ones changed last come first.
    #[default]
    Updated,
    /// By title.
    Title,
    /// The most linked ones come first.
    Backlinks,
    /// Matches in the title come before matches in the text; with a search only, and the default there.
    Relevance,
}

crate::text_enum! {
    ArticleSort { Updated => "updated", Title => "title", Backlinks => "backlinks", Relevance => "relevance" }
}

/// The articles of a list.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", oai(rename_all = "snake_case"))]
pub enum ArticleState {
    /// All articles that can be read.
    #[default]
    Live,
    /// Articles that have to be verified again, the longest overdue first.
    Stale,
    /// Articles that no other article links to, the ones changed last first.
    Orphan,
    /// Deleted articles, the ones deleted last first.
    Deleted,
}

crate::text_enum! {
    ArticleState { Live => "live", Stale => "stale", Orphan => "orphan", Deleted => "deleted" }
}

/// The filter of a list of articles.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ArticleFilter {
    /// Words, `"phrases"`, `-word`, `prefix*`; only articles that match. Searches articles that can be read.
    pub q: Option<String>,
    /// The order of articles that can be read.
    pub sort: Option<ArticleSort>,
    /// The articles to list; `live` when absent.
    pub state: Option<ArticleState>,
    /// Continues after this cursor.
    pub cursor: Option<String>,
    /// The maximum number of articles.
    pub limit: Option<i64>,
}
