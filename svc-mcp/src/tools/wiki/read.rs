//! `get_article`: an article or one section of it within a token budget, with its outline if it is long.
//!
//! Invariants: some of the text is always shown, so `from_char` moves on; what does not fit is counted. The outline
//! leaves out deep headings first, and says how many.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use svc_core::formats::neutral;
use svc_core::participants::ParticipantKind;
use svc_core::trust::{Acquaintance, OwnerRelation, Standing};
use svc_core::wiki::{Article, ArticleSlug, Protection, Section, find_section, sections};
use svc_core::{Timestamp, limits};

use crate::answers;
use crate::arguments::shortened;
use crate::budget::{beginning, tokens};
use crate::catalogue::{Answer, Call, Outcome};
use crate::error::Refusal;

/// Minimum size of a truncated text, in tokens.
const LEAST_TEXT: usize = 40;
/// Size of the fields that say what was left out, in tokens.
const REST: usize = 20;
/// Part of the room that an outline takes at most.
const OUTLINE_PERCENT: usize = 25;
/// Maximum size of the headings in an error, in tokens.
const HEADINGS: usize = 600;
/// A text is cut at the end of a line, unless that would leave out more than this part of it.
const LINE_PERCENT: usize = 50;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct GetArticle {
    /// its slug
    #[schemars(length(max = *limits::ARTICLE_SLUG.end()))]
    slug: String,
    /// heading
    #[serde(default)]
    #[schemars(length(max = limits::ARTICLE_TITLE_MAX))]
    section: Option<String>,
    /// offset
    #[serde(default)]
    from_char: Option<u32>,
}

/// The author of the newest revision, in relation to the reader.
#[derive(Clone, Serialize, JsonSchema)]
pub(super) struct Author {
    updated_by: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<answers::Kind>")]
    from_kind: Option<ParticipantKind>,
    #[schemars(with = "answers::Owner")]
    owner: OwnerRelation,
    #[schemars(with = "answers::Trust")]
    trust: Standing,
    #[schemars(with = "answers::Moment")]
    updated_at: String,
}

impl Author {
    /// The author, as far as the caller knows it. An unknown one counts as another owner's, without trust.
    pub(super) async fn of(call: &Call, handle: &str, at: &str) -> Self {
        let known = call.hub.trust().acquaintances(&call.caller, vec![handle.to_owned()]).await.unwrap_or_default();
        Self::known(handle, at, known.get(handle))
    }

    fn known(handle: &str, at: &str, known: Option<&Acquaintance>) -> Self {
        Self {
            updated_by: handle.to_owned(),
            from_kind: known.map(|known| known.kind),
            owner: known.map_or(OwnerRelation::Other, |known| known.owner),
            trust: known.map_or(Standing::Score(0.0), |known| known.trust),
            updated_at: at.to_owned(),
        }
    }

    #[cfg(test)]
    pub(super) fn unknown(handle: &str, at: &str) -> Self {
        Self::known(handle, at, None)
    }
}

/// An article as an agent reads it.
#[derive(Serialize, JsonSchema)]
pub(super) struct ShownArticle {
    slug: String,
    title: String,
    revision: i64,
    /// The former slug in the call, if it was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    redirected_from: Option<String>,
    #[serde(flatten)]
    author: Author,
    /// `humans` if only humans can change it.
    #[serde(skip_serializing_if = "Option::is_none")]
    protected: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<answers::Moment>")]
    stale_after: Option<Timestamp>,
    /// Whether it has to be verified again.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    is_stale: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    verified_by: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    verified_revision: Option<i64>,
    /// Number of articles that link to it.
    #[serde(skip_serializing_if = "Option::is_none")]
    backlinks: Option<i64>,
    /// Headings of the article, or of the section; only where the text is long.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sections: Vec<Heading>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sections_omitted: Option<usize>,
    body: String,
    /// Number of omitted characters of the text.
    #[serde(skip_serializing_if = "Option::is_none")]
    body_omitted: Option<usize>,
    /// Offset of the rest of the text.
    #[serde(skip_serializing_if = "Option::is_none")]
    from_char: Option<usize>,
}

/// A heading of an outline.
#[derive(Clone, Serialize, JsonSchema)]
struct Heading {
    /// With its marks, such as `## Install`.
    heading: String,
    /// Size of the section with its subsections.
    tokens: usize,
}

pub(super) async fn get_article(call: Call, args: GetArticle) -> Outcome {
    let slug = ArticleSlug::parse("slug", &args.slug)?;
    let article = call.hub.wiki().get(&call.caller, &slug).await?;
    let author = Author::of(&call, &article.updated_by, &article.updated_at.to_string()).await;
    let from = args.from_char.unwrap_or_default() as usize;
    Answer::of(&fit(article, author, args.section.as_deref(), from, call.max_tokens as usize)?)
}

/// The part of an article that fits; of one section, and from a character on, if that was asked.
fn fit(
    article: Article,
    author: Author,
    section: Option<&str>,
    from: usize,
    most: usize,
) -> Result<ShownArticle, Refusal> {
    let all = sections(&article.body);
    let part = match section {
        None => 0..article.body.len(),
        Some(heading) => find_section(&all, heading).map_err(|headings| no_section(heading, headings))?.range.clone(),
    };
    let text = neutral(article.body.get(part.clone()).unwrap_or_default());
    let start = text.char_indices().nth(from).map_or(text.len(), |(place, _)| place);
    let rest = &text[start..];
    let mut shown = ShownArticle {
        slug: article.slug,
        title: neutral(&article.title).into_owned(),
        revision: article.revision,
        redirected_from: article.redirected_from,
        author,
        protected: article.protected.map(Protection::as_str),
        stale_after: article.stale_after,
        is_stale: article.is_stale,
        verified_by: article.verified_by,
        verified_revision: article.verified_revision,
        backlinks: Some(article.backlink_count).filter(|count| *count > 0),
        sections: Vec::new(),
        sections_omitted: None,
        body: String::new(),
        body_omitted: None,
        from_char: None,
    };
    let room = |shown: &ShownArticle| most.saturating_sub(price(shown) + REST).max(LEAST_TEXT);
    let is_long = section.is_none() && tokens(&text) > limits::READ_TOKENS_DEFAULT as usize;
    // A reader that goes on has the outline already.
    if from == 0 && (is_long || beginning(rest, room(&shown)).len() < rest.len()) {
        // The heading of the section itself is the beginning of its text.
        let within = all.iter().filter(|inner| part.contains(&inner.range.start));
        let within: Vec<&Section> =
            within.filter(|inner| section.is_none() || inner.range.start > part.start).collect();
        shown.sections = outline(&article.body, &within, room(&shown) * OUTLINE_PERCENT / 100);
        shown.sections_omitted = Some(within.len() - shown.sections.len()).filter(|left| *left > 0);
    }
    let kept = cut_at_line(beginning(rest, room(&shown)), rest);
    if kept.len() < rest.len() {
        let count = kept.chars().count();
        shown.body_omitted = Some(rest.chars().count() - count);
        shown.from_char = Some(from + count);
    }
    kept.clone_into(&mut shown.body);
    Ok(shown)
}

fn price(item: &impl Serialize) -> usize {
    serde_json::to_string(item).map_or(0, |text| tokens(&text))
}

/// The headings down to the deepest level at which all of them fit, or the first ones of the highest level.
fn outline(body: &str, all: &[&Section], most: usize) -> Vec<Heading> {
    let lines: Vec<(usize, Heading)> = all
        .iter()
        .map(|section| {
            let heading = neutral(&format!("{} {}", "#".repeat(section.level), section.heading)).into_owned();
            let text = body.get(section.range.clone()).unwrap_or_default();
            (section.level, Heading { heading, tokens: tokens(text) })
        })
        .collect();
    let highest = lines.iter().map(|(level, _)| *level).min().unwrap_or(1);
    let down_to = |depth: usize| lines.iter().filter(move |(level, _)| *level <= depth).map(|(_, line)| line);
    let cost = |depth: usize| down_to(depth).map(|line| price(line) + 1).sum::<usize>();
    let depth = (highest..=6).rev().find(|depth| cost(*depth) <= most).unwrap_or(highest);
    let mut left = most;
    let fits = down_to(depth).take_while(|line| {
        let price = price(line) + 1;
        let fits = price <= left;
        left = left.saturating_sub(price);
        fits
    });
    fits.cloned().collect()
}

/// The kept part of a text up to the end of its last line, if the text goes on and the line is not too long.
pub(super) fn cut_at_line<'t>(kept: &'t str, text: &str) -> &'t str {
    if kept.len() == text.len() {
        return kept;
    }
    let end = kept.rfind('\n').map_or(0, |place| place + 1);
    if end * 100 >= kept.len() * LINE_PERCENT { &kept[..end] } else { kept }
}

/// Error for a heading that the article has not, or more than once; with those it has.
pub(super) fn no_section(heading: &str, headings: Vec<String>) -> Refusal {
    let wanted = |known: &String| known.trim_start_matches('#').trim().to_lowercase();
    let asked = heading.trim().trim_start_matches('#').trim().to_lowercase();
    let found = headings.iter().filter(|known| wanted(known) == asked).count();
    let shown = shortened(neutral(heading).into_owned());
    let message = match found {
        0 => format!("The article has no section {shown:?}."),
        _ => format!("The article has {found} sections {shown:?}."),
    };
    let hint = match (found, headings.is_empty()) {
        (_, true) => "The article has no headings: leave section out.",
        (0, false) => "Name one of the headings, or leave section out.",
        (_, false) => "Name the section above them, or leave section out.",
    };
    let total = headings.len();
    let mut left = HEADINGS;
    let fits = headings.into_iter().map(|heading| neutral(&heading).into_owned()).take_while(|heading| {
        let price = price(heading);
        let fits = price <= left;
        left = left.saturating_sub(price);
        fits
    });
    let listed: Vec<String> = fits.collect();
    let mut refusal = Refusal::new("section_not_found", message).hint(hint);
    if listed.len() < total {
        refusal.details.insert("sections_omitted".into(), (total - listed.len()).into());
    }
    refusal.details.insert("sections".into(), listed.into());
    refusal
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    const AT: &str = "2026-01-01T00:00:00Z";

    fn article(body: &str) -> Article {
        let all = json!({
            "slug": "deploy", "title": "How we deploy", "body": body, "revision": 3, "size": body.len(),
            "is_stale": false, "backlink_count": 2, "redirects": [], "created_by": "ann", "created_at": AT,
            "updated_by": "ann", "updated_at": AT,
        });
        serde_json::from_value(all).unwrap()
    }

    fn shown(body: &str, section: Option<&str>, from: usize, most: usize) -> Value {
        let answer = fit(article(body), Author::unknown("ann", AT), section, from, most).unwrap();
        serde_json::to_value(answer).unwrap()
    }

    fn long() -> String {
        let part =
            |number: usize| format!("## Step {number}\n{}### Detail {number}\nmore\n\n", "Do this.\n".repeat(60));
        format!("# Deploy\n\n{}# After\nend\n", (1..=30).map(part).collect::<String>())
    }

    #[test]
    fn a_short_article_is_whole_and_has_no_outline() {
        let all = shown("# A\ntext\n## B\nmore\n", None, 0, 2000);
        assert_eq!(all["body"], "# A\ntext\n## B\nmore\n");
        for absent in ["sections", "body_omitted", "from_char", "protected", "is_stale"] {
            assert!(all.get(absent).is_none(), "{absent}");
        }
        assert_eq!((&all["slug"], &all["revision"], &all["owner"]), (&json!("deploy"), &json!(3), &json!("other")));
    }

    #[test]
    fn a_long_article_fits_its_room_and_has_an_outline() {
        let body = long();
        for room in [200, 600, 2000, 4000] {
            let answer = shown(&body, None, 0, room);
            assert!(tokens(&answer.to_string()) <= room, "{room}: {}", tokens(&answer.to_string()));
            let listed = answer["sections"].as_array().unwrap().len();
            assert_eq!(listed as u64 + answer["sections_omitted"].as_u64().unwrap_or(0), 62, "{room}");
            assert!(answer["body"].as_str().unwrap().ends_with('\n'));
        }
        let answer = shown(&body, None, 0, 4000);
        assert_eq!(answer["sections"][1]["heading"], "## Step 1");
        let whole = shown(&body, None, 0, 100_000);
        assert!(whole.get("from_char").is_none());
        assert_eq!(whole["sections"].as_array().unwrap().len(), 62);
    }

    #[test]
    fn reading_on_shows_every_character_once() {
        let body = format!("{}{}", long(), "日本語 without a line break ".repeat(500));
        let (mut from, mut read) = (0, String::new());
        loop {
            let answer = shown(&body, None, from, 700);
            read.push_str(answer["body"].as_str().unwrap());
            assert_eq!(answer.get("sections").is_some(), from == 0);
            let Some(next) = answer["from_char"].as_u64() else { break };
            from = usize::try_from(next).unwrap();
        }
        assert_eq!(read, body);
        assert_eq!(shown(&body, None, 10_000_000, 700)["body"], "");
    }

    #[test]
    fn a_section_is_read_alone_with_its_subsections() {
        let answer = shown(&long(), Some("step 2"), 0, 2000);
        let text = answer["body"].as_str().unwrap();
        assert!(text.starts_with("## Step 2\n") && text.ends_with("### Detail 2\nmore\n\n"), "{text}");
        assert!(answer.get("sections").is_none());
        let cut = shown(&long(), Some("Deploy"), 0, 2000);
        assert_eq!(cut["sections"][0]["heading"], "## Step 1");
    }

    #[test]
    fn an_unknown_section_lists_the_headings_within_bounds() {
        let refuse = |body: &str, section: &str| {
            let refusal = fit(article(body), Author::unknown("ann", AT), Some(section), 0, 2000).err().unwrap();
            serde_json::to_value(refusal).unwrap()
        };
        let unknown = refuse("# A\n## B\n## b\n", "C");
        assert_eq!(unknown["code"], "section_not_found");
        assert_eq!(unknown["sections"], json!(["# A", "## B", "## b"]));
        assert!(refuse("# A\n## B\n## b\n", "B")["message"].as_str().unwrap().contains("2 sections"));
        assert!(refuse("text", "B")["hint"].as_str().unwrap().contains("no headings"));
        let many = refuse(&"# A heading of some length\n".repeat(2000), "C");
        assert!(many["sections_omitted"].as_u64().unwrap() > 1000 && tokens(&many.to_string()) < 1000);
    }
}
