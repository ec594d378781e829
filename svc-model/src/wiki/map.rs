//! The map of the wiki and the links between articles.

use serde::{Deserialize, Serialize};

use crate::timestamp::Timestamp;

/// An article that links to another one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct Backlink {
    /// Its slug.
    pub slug: String,
    /// Its title.
    pub title: String,
    /// When it last changed.
    pub updated_at: Timestamp,
}

/// A page of backlinks, by slug.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct BacklinkPage {
    /// The articles that link to it.
    pub backlinks: Vec<Backlink>,
    /// The cursor of the next page; `null` on the last one.
    pub next_cursor: Option<String>,
}

/// A slug that articles link to and that no article has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct WantedArticle {
    /// The slug.
    pub slug: String,
    /// The number of articles that link to it.
    pub link_count: i64,
}

/// A link between two articles of the map.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct MapLink {
    /// The slug of the article with the link.
    pub from: String,
    /// The slug of the article or wanted article that it leads to.
    pub to: String,
}

/// The map of the wiki. Each list has the first 50; lists of articles with `state` have all.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
pub struct WikiMap {
    /// The number of articles.
    pub article_count: i64,
    /// The most linked articles.
    pub hubs: Vec<super::ArticleSummary>,
    /// Articles that no other article links to, the ones changed last first.
    pub orphans: Vec<super::ArticleSummary>,
    /// The most linked slugs without an article.
    pub wanted: Vec<WantedArticle>,
    /// Articles that have to be verified again, the longest overdue first.
    pub stale: Vec<super::ArticleSummary>,
    /// Links among the articles of `hubs`, `orphans` and `stale`, and from them to `wanted`.
    pub links: Vec<MapLink>,
}
