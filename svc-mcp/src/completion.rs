//! Completion of the arguments of prompts and of resource templates.
//!
//! Invariants: only values that the caller may see are offered, at most as many as the protocol allows, and the
//! result says whether there are more.

use std::collections::BTreeSet;

use rmcp::model::{CompleteRequestParams, CompleteResult, CompletionInfo, Reference};
use svc_core::agents::AgentFilter;
use svc_core::auth::Actor;
use svc_core::channels::ChannelFilter;
use svc_core::goals::GoalFilter;
use svc_core::participants::{ParticipantFilter, ParticipantKind};
use svc_core::search::SearchFilter;
use svc_core::wiki::ArticleFilter;
use svc_core::{Caller, Error, ErrorKind, Hub, Page, Result, limits};

use crate::{prompts, resources};

/// Most pages of a list that are read.
const PAGES: i64 = 5;

/// Candidate values, and whether there may be more.
struct Candidates {
    values: Vec<String>,
    more: bool,
}

impl Candidates {
    fn none() -> Self {
        Self { values: Vec::new(), more: false }
    }
}

/// Whether the caller may read the resources of a template.
fn is_allowed(template: &str, caller: &Caller) -> bool {
    resources::tool_of(template).is_none_or(|tool| caller.require_tool(tool).is_ok())
}

pub(crate) async fn complete(hub: &Hub, caller: &Caller, request: CompleteRequestParams) -> Result<CompleteResult> {
    let (argument, typed) = (request.argument.name.as_str(), request.argument.value.as_str());
    let found = match &request.r#ref {
        Reference::Prompt(prompt) if !prompts::takes(&prompt.name, argument) => {
            return Err(unknown("prompt", &prompt.name, argument));
        }
        Reference::Prompt(prompt) if !prompts::is_allowed(&prompt.name, caller) => Candidates::none(),
        Reference::Resource(template) if !is_allowed(&template.uri, caller) => Candidates::none(),
        Reference::Prompt(_) if argument == "channel" => channels(hub, caller, typed).await?,
        Reference::Prompt(_) => agents(hub, caller, typed).await?,
        Reference::Resource(template) => match (template.uri.as_str(), argument) {
            ("svc://channels/{name}", "name") => channels(hub, caller, typed).await?,
            ("svc://messages/{id}", "id") => messages(hub, caller, typed).await?,
            ("svc://goals/{id}", "id") => goals(hub, caller, typed).await?,
            ("svc://wiki/{slug}", "slug") => articles(hub, caller, typed).await?,
            ("svc://skills/{name}", "name") => skills(hub, caller, typed)?,
            (uri, _) => return Err(unknown("resource template", uri, argument)),
        },
        _ => return Err(Error::invalid("ref", "must refer to a prompt or to a resource template")),
    };
    Ok(CompleteResult::new(completion_info(found)?))
}

fn unknown(kind: &str, name: &str, argument: &str) -> Error {
    let short = |text: &str| text.chars().take(80).collect::<String>();
    Error::invalid("argument", format!("no {kind} {:?} with an argument {:?}", short(name), short(argument)))
}

/// Truncates the candidates to the limit of the protocol.
fn completion_info(found: Candidates) -> Result<CompletionInfo> {
    let Candidates { mut values, mut more } = found;
    let total = u32::try_from(values.len()).ok().filter(|_| !more);
    more |= values.len() > CompletionInfo::MAX_VALUES;
    values.truncate(CompletionInfo::MAX_VALUES);
    CompletionInfo::with_pagination(values, total, more).map_err(Error::internal)
}

/// Whether a name begins with the typed text, ignoring ASCII case.
fn begins(name: &str, typed: &str) -> bool {
    name.get(..typed.len()).is_some_and(|start| start.eq_ignore_ascii_case(typed))
}

/// Search text for a list: none where nothing was typed.
fn wanted(typed: &str) -> Option<String> {
    (!typed.is_empty()).then(|| typed.to_owned())
}

fn page(number: i64) -> Result<Page> {
    let size = i64::from(limits::PAGE_MAX);
    Page::new(Some(size), Some(number * size))
}

fn is_last(number: i64, total: i64) -> bool {
    (number + 1) * i64::from(limits::PAGE_MAX) >= total
}

async fn channels(hub: &Hub, caller: &Caller, typed: &str) -> Result<Candidates> {
    let typed = typed.trim_start_matches('#');
    if typed.len() > *limits::CHANNEL_NAME.end() || typed.contains('\0') {
        return Ok(Candidates::none());
    }
    let mut values = Vec::new();
    for number in 0..PAGES {
        let filter = ChannelFilter { q: wanted(typed), page: page(number)?, ..ChannelFilter::default() };
        let found = hub.channels().list(caller, filter).await?;
        values.extend(found.channels.into_iter().map(|channel| channel.name).filter(|name| begins(name, typed)));
        if is_last(number, found.total) {
            return Ok(Candidates { values, more: false });
        }
    }
    Ok(Candidates { values, more: true })
}

/// The caller's agents; for an agent, itself and its owner's other agents.
async fn agents(hub: &Hub, caller: &Caller, typed: &str) -> Result<Candidates> {
    let typed = typed.trim_start_matches('@');
    if typed.len() > limits::DIRECTORY_QUERY_MAX || typed.contains('\0') {
        return Ok(Candidates::none());
    }
    let mut names = BTreeSet::new();
    let mut more = true;
    for number in 0..PAGES {
        let filter = AgentFilter { page: page(number)?, ..AgentFilter::default() };
        let found = hub.agents().list(caller, filter).await?;
        names.extend(found.agents.into_iter().map(|agent| agent.name));
        if is_last(number, found.total) {
            more = false;
            break;
        }
    }
    if matches!(caller.actor(), Actor::Agent(_)) {
        more |= siblings(hub, caller, typed, &mut names).await?;
    }
    Ok(Candidates { values: names.into_iter().filter(|name| begins(name, typed)).collect(), more })
}

/// Adds the other agents of the calling agent's owner; returns whether there may be more.
async fn siblings(hub: &Hub, caller: &Caller, typed: &str, names: &mut BTreeSet<String>) -> Result<bool> {
    let owner = caller.identity().map(|you| you.owner);
    for number in 0..PAGES {
        let kind = Some(ParticipantKind::Agent);
        let filter = ParticipantFilter { q: wanted(typed), kind, page: page(number)?, ..ParticipantFilter::default() };
        let found = match hub.participants().list(caller, filter).await {
            // A key that is restricted to channels may not list participants.
            Err(error) if error.kind() == ErrorKind::Forbidden => return Ok(false),
            found => found?,
        };
        let same = found.participants.into_iter().filter(|one| one.owner.is_some() && one.owner == owner);
        names.extend(same.map(|one| one.handle));
        if is_last(number, found.total) {
            return Ok(false);
        }
    }
    Ok(true)
}

fn skills(hub: &Hub, caller: &Caller, typed: &str) -> Result<Candidates> {
    let names = hub.onboarding().skills(caller)?.skills.into_iter().map(|skill| skill.name);
    Ok(Candidates { values: names.filter(|name| begins(name, typed)).collect(), more: false })
}

/// Ids of the newest messages that the caller may see.
async fn messages(hub: &Hub, caller: &Caller, typed: &str) -> Result<Candidates> {
    let typed = typed.trim_start_matches('#');
    let filter = SearchFilter {
        sort: Some("newest".into()),
        limit: Some(i64::from(limits::PAGE_MAX)),
        peek: true,
        ..SearchFilter::default()
    };
    let found = hub.search().messages(caller, filter).await?;
    let values: Vec<String> =
        found.messages.iter().map(|hit| hit.message.id.to_string()).filter(|id| id.starts_with(typed)).collect();
    Ok(Candidates { values, more: found.total > i64::from(limits::PAGE_MAX) })
}

/// Ids of the goals of the caller's owner; the slug of a goal finds its id too.
async fn goals(hub: &Hub, caller: &Caller, typed: &str) -> Result<Candidates> {
    let mut values = Vec::new();
    let mut cursor = None;
    for _ in 0..PAGES {
        let filter = GoalFilter { status: None, owner: None, cursor, limit: Some(i64::from(limits::PAGE_MAX)) };
        let found = hub.goals().list(caller, filter).await?;
        let matches = found.goals.iter().map(|goal| (goal.id.to_string(), goal.slug.as_str()));
        values.extend(matches.filter(|(id, slug)| begins(id, typed) || begins(slug, typed)).map(|(id, _)| id));
        cursor = found.next_cursor;
        if cursor.is_none() {
            return Ok(Candidates { values, more: false });
        }
    }
    Ok(Candidates { values, more: true })
}

/// Slugs of articles, the ones changed last first; the title of an article finds its slug too.
async fn articles(hub: &Hub, caller: &Caller, typed: &str) -> Result<Candidates> {
    let mut values = Vec::new();
    let mut cursor = None;
    for _ in 0..PAGES {
        let filter = ArticleFilter { cursor, limit: Some(i64::from(limits::PAGE_MAX)), ..ArticleFilter::default() };
        let found = hub.wiki().list(caller, filter).await?;
        let matches = found.articles.into_iter().filter(|it| begins(&it.slug, typed) || begins(&it.title, typed));
        values.extend(matches.map(|article| article.slug));
        cursor = found.next_cursor;
        if cursor.is_none() {
            return Ok(Candidates { values, more: false });
        }
    }
    Ok(Candidates { values, more: true })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(count: usize) -> Vec<String> {
        (0..count).map(|number| format!("c{number}")).collect()
    }

    #[test]
    fn candidates_are_truncated_to_the_limit_of_the_protocol() {
        let few = completion_info(Candidates { values: names(3), more: false }).unwrap();
        assert_eq!((few.values.len(), few.total, few.has_more), (3, Some(3), Some(false)));
        let many = completion_info(Candidates { values: names(150), more: false }).unwrap();
        assert_eq!((many.values.len(), many.total, many.has_more), (100, Some(150), Some(true)));
        let unknown = completion_info(Candidates { values: names(100), more: true }).unwrap();
        assert_eq!((unknown.values.len(), unknown.total, unknown.has_more), (100, None, Some(true)));
    }

    #[test]
    fn prefixes_are_compared_without_case() {
        assert!(begins("General", "gen") && begins("general", "") && begins("Büro", "b"));
        assert!(!begins("general", "eneral") && !begins("ge", "gen") && !begins("bü", "b\u{c3}"));
    }
}
