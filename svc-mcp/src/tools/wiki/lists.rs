//! Lists of articles: all of them, matches of a search, articles that link to one.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use svc_core::formats::neutral;
use svc_core::wiki::{ArticleFilter, ArticleSlug, ArticleSort, ArticleState, ArticleSummary, Backlink, Protection};
use svc_core::{Timestamp, limits};

use crate::answers;
use crate::catalogue::{Answer, Call, Outcome};
use crate::paging::{PageCursor, Rest};

/// Articles that are read for one result.
const LINES: i64 = limits::PAGE_DEFAULT as i64;

#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Sort {
    Updated,
    Title,
    Backlinks,
}

impl From<Sort> for ArticleSort {
    fn from(sort: Sort) -> Self {
        match sort {
            Sort::Updated => Self::Updated,
            Sort::Title => Self::Title,
            Sort::Backlinks => Self::Backlinks,
        }
    }
}

#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum State {
    Live,
    Stale,
    Orphan,
    Deleted,
}

impl From<State> for ArticleState {
    fn from(state: State) -> Self {
        match state {
            State::Live => Self::Live,
            State::Stale => Self::Stale,
            State::Orphan => Self::Orphan,
            State::Deleted => Self::Deleted,
        }
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ListArticles {
    #[serde(default)]
    sort: Option<Sort>,
    #[serde(default)]
    state: Option<State>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SearchArticles {
    /// words
    #[schemars(length(max = limits::MCP_QUERY_MAX))]
    q: String,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct GetBacklinks {
    /// its slug
    #[schemars(length(max = *limits::ARTICLE_SLUG.end()))]
    slug: String,
}

/// Articles, and where to read on.
#[derive(Serialize, JsonSchema)]
pub(super) struct ArticleList {
    articles: Vec<Line>,
    /// Number of matches of a search.
    #[serde(skip_serializing_if = "Option::is_none")]
    total: Option<i64>,
    /// Whether the time was over before all articles had been looked at.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    partial: bool,
    #[serde(flatten)]
    rest: Rest,
}

/// An article in a list.
#[derive(Serialize, JsonSchema)]
struct Line {
    slug: String,
    title: String,
    revision: i64,
    /// Estimated size of the text in tokens.
    tokens: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    backlinks: Option<i64>,
    /// `humans` if only humans can change it.
    #[serde(skip_serializing_if = "Option::is_none")]
    protected: Option<&'static str>,
    /// Whether it has to be verified again.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    is_stale: bool,
    updated_by: String,
    #[schemars(with = "answers::Moment")]
    updated_at: Timestamp,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<answers::Moment>")]
    deleted_at: Option<Timestamp>,
    /// The matching part.
    #[serde(skip_serializing_if = "Option::is_none")]
    snippet: Option<String>,
}

impl From<ArticleSummary> for Line {
    fn from(article: ArticleSummary) -> Self {
        Self {
            slug: article.slug,
            title: neutral(&article.title).into_owned(),
            revision: article.revision,
            tokens: article.size / 4 + i64::from(article.size % 4 > 0),
            backlinks: Some(article.backlink_count).filter(|count| *count > 0),
            protected: article.protected.map(Protection::as_str),
            is_stale: article.is_stale,
            updated_by: article.updated_by,
            updated_at: article.updated_at,
            deleted_at: article.deleted_at,
            snippet: article.snippet.map(|snippet| neutral(&plain(&snippet)).into_owned()),
        }
    }
}

/// The text of a snippet, which is HTML.
fn plain(snippet: &str) -> String {
    let text = snippet.replace("<mark>", "").replace("</mark>", "");
    let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&#39;", "'");
    text.replace("&amp;", "&")
}

/// Articles that link to one, and where to read on.
#[derive(Serialize, JsonSchema)]
pub(super) struct BacklinkList {
    backlinks: Vec<Link>,
    #[serde(flatten)]
    rest: Rest,
}

/// An article that links to another one.
#[derive(Serialize, JsonSchema)]
struct Link {
    slug: String,
    title: String,
    #[schemars(with = "answers::Moment")]
    updated_at: Timestamp,
}

impl From<Backlink> for Link {
    fn from(link: Backlink) -> Self {
        Self { slug: link.slug, title: neutral(&link.title).into_owned(), updated_at: link.updated_at }
    }
}

pub(super) async fn list_articles(call: Call, args: ListArticles) -> Outcome {
    let filter = ArticleFilter {
        sort: args.sort.map(Into::into),
        state: args.state.map(Into::into),
        ..ArticleFilter::default()
    };
    articles(&call, filter).await
}

pub(super) async fn search_articles(call: Call, args: SearchArticles) -> Outcome {
    articles(&call, ArticleFilter { q: Some(args.q), ..ArticleFilter::default() }).await
}

async fn articles(call: &Call, filter: ArticleFilter) -> Outcome {
    let place = PageCursor::parse(call.cursor.as_deref())?;
    let filter = ArticleFilter { cursor: place.page.clone(), limit: Some(LINES), ..filter };
    let page = call.hub.wiki().list(&call.caller, filter).await?;
    let lines = page.articles.into_iter().map(Line::from).collect();
    let (articles, rest) = place.fit(call.max_tokens, lines, page.next_cursor);
    Answer::of(&ArticleList { articles, total: page.total, partial: page.partial, rest })
}

pub(super) async fn get_backlinks(call: Call, args: GetBacklinks) -> Outcome {
    let slug = ArticleSlug::parse("slug", &args.slug)?;
    let place = PageCursor::parse(call.cursor.as_deref())?;
    let page = call.hub.wiki().backlinks(&call.caller, &slug, place.page.clone(), Some(LINES)).await?;
    let (backlinks, rest) =
        place.fit(call.max_tokens, page.backlinks.into_iter().map(Link::from).collect(), page.next_cursor);
    Answer::of(&BacklinkList { backlinks, rest })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_snippet_becomes_text() {
        assert_eq!(plain("<mark>Deploy</mark> it &amp;lt; &lt;b&gt; &#39;q&quot;"), "Deploy it &lt; <b> 'q\"");
    }
}
