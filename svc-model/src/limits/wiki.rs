//! Limits of the wiki.

use std::ops::RangeInclusive;
use std::time::Duration;

/// Lengths of an article's slug.
pub const ARTICLE_SLUG: RangeInclusive<usize> = 2..=100;
/// Maximum length of a title, in characters.
pub const ARTICLE_TITLE_MAX: usize = 200;
/// Maximum size of a body, in bytes.
pub const ARTICLE_BODY_MAX: usize = 256 * 1024;
/// Maximum size of a request with a body, in bytes: JSON has up to six for one of the text.
pub const ARTICLE_REQUEST_MAX: usize = 6 * ARTICLE_BODY_MAX + 64 * 1024;
/// Maximum length of the summary of a change, in characters.
pub const ARTICLE_SUMMARY_MAX: usize = 500;
/// Maximum number of articles that one article links to.
pub const ARTICLE_LINKS_MAX: usize = 1000;
/// Maximum number of former slugs that lead to one article.
pub const ARTICLE_REDIRECTS_MAX: usize = 100;
/// Maximum number of articles of a hub, with deleted ones.
pub const ARTICLES_MAX: i64 = 1_000_000;
/// Maximum number of revisions of an article.
pub const ARTICLE_REVISIONS_MAX: i64 = 100_000;
/// Number of articles in each list of the map.
pub const WIKI_MAP_LIST: u32 = 50;
/// Maximum number of links among the articles of the map.
pub const WIKI_MAP_LINKS: u32 = 1000;
/// Maximum number of lines of a text that a merge compares. A longer one is never merged.
pub const MERGE_LINES_MAX: usize = 6000;
/// Time after which a comparison of two texts becomes coarse.
pub const DIFF_TIMEOUT: Duration = Duration::from_millis(500);
/// Maximum number of lines in a diff.
pub const DIFF_LINES_MAX: usize = 4000;
/// Unchanged lines shown around a change.
pub const DIFF_CONTEXT: usize = 3;
/// Maximum number of matches of a search in the wiki.
pub const WIKI_MATCHES_MAX: i64 = 1000;
