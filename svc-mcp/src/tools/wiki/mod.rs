//! The wiki: write an article, change one without losing the changes of others, read, list and search.
//!
//! [`read`] has what `get_article` shows, [`lists`] the lists, [`conflict`] the answer to a change that came too late.

mod conflict;
mod lists;
mod original;
mod read;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use svc_core::limits;
use svc_core::wiki::{ArticleSave, ArticleSlug, NewArticle};

use crate::catalogue::{Answer, Call, Effect, Entry, Outcome};

/// Aliases of arguments that clients often try first.
const ALSO_NEW: &[(&str, &str)] = &[("name", "title"), ("content", "body"), ("text", "body")];
const ALSO: &[(&str, &str)] = &[
    ("article", "slug"),
    ("name", "slug"),
    ("id", "slug"),
    ("content", "body"),
    ("text", "body"),
    ("heading", "section"),
    ("revision", "base_revision"),
];

pub(super) fn tools() -> Vec<Entry> {
    vec![
        Entry::new("create_article", Effect::Adds, "Write a wiki article; [[slug]] links to another.", create_article)
            .also(ALSO_NEW)
            .answers::<Saved>(),
        Entry::new(
            "get_article",
            Effect::Reads,
            "Read a wiki article or section. from_char reads on.",
            read::get_article,
        )
        .also(ALSO)
        .answers::<read::ShownArticle>(),
        Entry::new("update_article", Effect::Adds, "Change a wiki article, whole or one section.", update_article)
            .also(ALSO)
            .answers::<Saved>(),
        Entry::new("list_articles", Effect::Lists, "List wiki articles.", lists::list_articles)
            .answers::<lists::ArticleList>(),
        Entry::new(
            "search_articles",
            Effect::Lists,
            "Search the wiki; q as in search_messages.",
            lists::search_articles,
        )
        .also(&[("query", "q")])
        .answers::<lists::ArticleList>(),
        Entry::new("get_backlinks", Effect::Lists, "List articles that link to one.", lists::get_backlinks)
            .also(ALSO)
            .answers::<lists::BacklinkList>(),
    ]
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct CreateArticle {
    /// its title
    #[schemars(length(max = limits::ARTICLE_TITLE_MAX))]
    title: String,
    /// Markdown
    #[schemars(length(max = limits::ARTICLE_BODY_MAX))]
    body: String,
    /// default: from title
    #[serde(default)]
    #[schemars(length(max = *limits::ARTICLE_SLUG.end()))]
    slug: Option<String>,
    /// of the change
    #[serde(default)]
    #[schemars(length(max = limits::ARTICLE_SUMMARY_MAX))]
    summary: Option<String>,
    /// date to verify it
    #[serde(default)]
    #[schemars(length(max = 40))]
    stale_after: Option<String>,
}

/// The stored revision, without the content that the author has just passed.
#[derive(Serialize, JsonSchema)]
struct Saved {
    slug: String,
    revision: i64,
    /// Whether changes of others are in it, too.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    merged: bool,
}

async fn create_article(call: Call, args: CreateArticle) -> Outcome {
    let new = NewArticle {
        slug: args.slug,
        title: args.title,
        body: args.body,
        summary: args.summary,
        protected: None,
        stale_after: args.stale_after,
    };
    let article = call.hub.wiki().create(&call.caller, new).await?;
    Answer::of(&Saved { slug: article.slug, revision: article.revision, merged: false })
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct UpdateArticle {
    /// its slug
    #[schemars(length(max = *limits::ARTICLE_SLUG.end()))]
    slug: String,
    /// the one you read
    #[schemars(range(min = 1))]
    base_revision: i64,
    /// whole text, or the section's
    #[serde(default)]
    #[schemars(length(max = limits::ARTICLE_BODY_MAX))]
    body: Option<String>,
    /// heading
    #[serde(default)]
    #[schemars(length(max = limits::ARTICLE_TITLE_MAX))]
    section: Option<String>,
    /// new title
    #[serde(default)]
    #[schemars(length(max = limits::ARTICLE_TITLE_MAX))]
    title: Option<String>,
    /// of the change
    #[serde(default)]
    #[schemars(length(max = limits::ARTICLE_SUMMARY_MAX))]
    summary: Option<String>,
    /// with others' changes
    #[serde(default)]
    merge: Option<bool>,
    /// date; "" for none
    #[serde(default)]
    #[schemars(length(max = 40))]
    stale_after: Option<String>,
}

async fn update_article(call: Call, args: UpdateArticle) -> Outcome {
    let slug = ArticleSlug::parse("slug", &args.slug)?;
    let (merge, base) = (args.merge.unwrap_or_default(), args.base_revision);
    let body = match args.body {
        Some(body) => {
            let read = call.hub.wiki().revision(&call.caller, &slug, base).await;
            Some(read.map_or_else(|_| body.clone(), |read| original::restored(&read.body, body.clone())))
        }
        None => None,
    };
    let save = ArticleSave {
        title: args.title,
        body,
        section: args.section.clone(),
        base_revision: Some(base),
        merge,
        summary: args.summary,
        protected: None,
        stale_after: args.stale_after,
    };
    match call.hub.wiki().save(&call.caller, &slug, save).await {
        Ok(article) => Answer::of(&Saved {
            slug: article.slug,
            revision: article.revision,
            merged: merge && article.revision > base + 1,
        }),
        Err(error) => Err(conflict::bounded(&call, error, args.section.as_deref()).await),
    }
}
