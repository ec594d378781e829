//! Resources: data that an agent reads by URI, in the compact JSON that the tools return; articles and skills are
//! Markdown.
//!
//! Invariants: a malformed URI, a URI of nothing, and a URI of an object that the caller may not see result in one
//! and the same error, not found; the content stays within a token budget and reports what it omits.
//!
//! [`uri`] parses URIs, [`watch`] maps events to the resources they change.

mod articles;
mod skills;
mod uri;
mod watch;

use std::collections::BTreeSet;

use rmcp::model::{
    CacheScope, ErrorCode, ErrorData, JsonObject, ListResourceTemplatesResult, ListResourcesResult, ReadResourceResult,
    Resource, ResourceContents, ResourceTemplate,
};
use serde_json::{Value, json};
use svc_core::auth::Actor;
use svc_core::channels::{Channel, ChannelFilter};
use svc_core::formats::neutral;
use svc_core::{Caller, Error, ErrorKind, Hub, Page, Result, limits};

use crate::catalogue::{self, Call};
use crate::error::{Refusal, protocol};
use crate::paging::{ByName, NamePage};

pub(crate) use uri::Address;
pub(crate) use watch::{Watched, changes_list, needs_look, renamed, touched};

/// Media type of most resources.
const JSON: &str = "application/json";
/// Media type of articles and skills.
const MARKDOWN: &str = "text/markdown";
/// Cache lifetime of content that is the same for every caller, in milliseconds.
const SAME_FOR_ALL: u64 = 3_600_000;
/// Content by others may change at any moment, so it is not cached.
const NOT_AT_ALL: u64 = 0;
/// Token budget of a resource: it is read once where a tool would be called twice.
const ROOM: u32 = 2 * limits::READ_TOKENS_DEFAULT;

/// The caller's resources: its inbox, and the channels it is a member of.
pub(crate) async fn list(hub: &Hub, caller: &Caller, cursor: Option<String>) -> Result<ListResourcesResult> {
    let place =
        ByName::parse(cursor.as_deref()).map_err(|_| Error::invalid("cursor", "must be from an earlier page"))?;
    let mut resources = Vec::new();
    if place.name.is_none() && has_inbox(caller) && Address::Inbox.require(caller).is_ok() {
        resources.push(inbox());
    }
    if place.name.is_none() {
        resources.extend(skills::list(hub, caller)?);
    }
    if caller.require_tool("get_channel_messages").is_err() {
        return Ok(listed(resources, None));
    }
    let page = Page::new(Some(i64::from(limits::PAGE_MAX)), None)?;
    let filter = ChannelFilter { joined: true, after: place.name.clone(), page, ..ChannelFilter::default() };
    let found = hub.channels().list(caller, filter).await?;
    let last = found.channels.last().map(|channel| channel.name.as_str());
    let count = found.channels.len();
    let next = place.rest(&NamePage { found: count, count, last }, found.total).cursor;
    resources.extend(found.channels.iter().map(channel));
    Ok(listed(resources, next))
}

fn listed(resources: Vec<Resource>, next: Option<String>) -> ListResourcesResult {
    let mut listed =
        ListResourcesResult::with_all_items(resources).with_ttl_ms(NOT_AT_ALL).with_cache_scope(CacheScope::Private);
    listed.next_cursor = next;
    listed
}

/// Whether the caller is an agent with a key that may read direct messages.
fn has_inbox(caller: &Caller) -> bool {
    matches!(caller.actor(), Actor::Agent(_)) && caller.identity().is_some_and(|you| you.allowed_channels.is_empty())
}

fn inbox() -> Resource {
    Resource::new(Address::Inbox.print(), "inbox")
        .with_title("Inbox")
        .with_description("Unclaimed direct messages and mentions for you, the most urgent first.")
        .with_mime_type(JSON)
}

fn channel(channel: &Channel) -> Resource {
    Resource::new(Address::Channel(channel.name.clone()).print(), channel.name.clone())
        .with_title(format!("#{}", channel.name))
        // The topic is text by the channel's owner, which does not belong into a description.
        .with_description("The newest messages of the channel.")
        .with_mime_type(JSON)
}

/// URI templates of resources besides skills, each with the tool that returns the same content, its name, its title and its
/// description.
const TEMPLATES: [(&str, &str, &str, &str, &str); 4] = [
    ("svc://channels/{name}", "get_channel_messages", "channel", "Channel", "A channel and its newest messages."),
    (
        "svc://messages/{id}",
        "get_message",
        "message",
        "Message",
        "A message with its state, its reactions and its number of replies.",
    ),
    ("svc://goals/{id}", "get_goal", "goal", "Goal", "A goal with its tasks, its cost, its agents and its timeline."),
    ("svc://wiki/{slug}", "get_article", "article", "Article", "An article of the wiki, as Markdown."),
];

/// The tool that returns the content of the resources of a template; none for skills.
pub(crate) fn tool_of(template: &str) -> Option<&'static str> {
    TEMPLATES.iter().find(|(uri, ..)| *uri == template).map(|(_, tool, ..)| *tool)
}

/// URI templates of the resources that the caller may read.
pub(crate) fn templates(caller: &Caller) -> ListResourceTemplatesResult {
    let allowed = TEMPLATES.iter().filter(|(_, tool, ..)| caller.require_tool(tool).is_ok());
    let mut templates: Vec<ResourceTemplate> = allowed
        .map(|(uri, tool, name, title, description)| {
            let format = if *tool == "get_article" { MARKDOWN } else { JSON };
            ResourceTemplate::new(*uri, *name).with_title(*title).with_description(*description).with_mime_type(format)
        })
        .collect();
    templates.push(skills::template());
    ListResourceTemplatesResult::with_all_items(templates)
        .with_ttl_ms(SAME_FOR_ALL)
        .with_cache_scope(CacheScope::Private)
}

/// Reads the resource at a URI.
pub(crate) async fn read(hub: &Hub, caller: &Caller, uri: &str) -> Result<ReadResourceResult, ErrorData> {
    let address = Address::parse(uri).ok_or_else(|| missing(uri))?;
    address.require(caller).map_err(|error| refused(uri, error.into()))?;
    if let Address::Skill(name) = &address {
        let text = skills::read(hub, caller, name).map_err(|error| refused(uri, error.into()))?;
        let contents = ResourceContents::text(text, uri).with_mime_type(MARKDOWN);
        return Ok(ReadResourceResult::new(vec![contents])
            .with_ttl_ms(SAME_FOR_ALL)
            .with_cache_scope(CacheScope::Private));
    }
    let value = match &address {
        Address::Inbox => answer(hub, caller, "read_inbox", json!({})).await,
        Address::Channel(name) => read_channel(hub, caller, name).await,
        Address::Message(id) => answer(hub, caller, "get_message", json!({ "id": id.0 })).await,
        Address::Goal(id) => answer(hub, caller, "get_goal", json!({ "goal_id": id.0 })).await,
        Address::Article(slug) => answer(hub, caller, "get_article", json!({ "slug": slug })).await,
        Address::Skill(_) => return Err(missing(uri)),
    };
    let value = value.map_err(|refusal| refused(uri, refusal))?;
    let (text, format) = match address {
        Address::Article(_) => (articles::markdown(&value), MARKDOWN),
        _ => (value.to_string(), JSON),
    };
    let contents = ResourceContents::text(text, uri).with_mime_type(format);
    Ok(ReadResourceResult::new(vec![contents]).with_ttl_ms(NOT_AT_ALL).with_cache_scope(CacheScope::Private))
}

/// The result of the tool of this name.
async fn answer(hub: &Hub, caller: &Caller, tool: &str, arguments: Value) -> Result<Value, Refusal> {
    let entry = catalogue::find(tool).ok_or_else(|| catalogue::unknown(tool))?;
    let call = Call {
        hub: hub.clone(),
        caller: caller.clone(),
        max_tokens: ROOM,
        cursor: None,
        idempotency_key: None,
        traceparent: None,
        progress: None,
    };
    let arguments = match arguments {
        Value::Object(arguments) => arguments,
        _ => JsonObject::new(),
    };
    Ok(entry.call(call, arguments).await?.value)
}

/// A channel with its properties, followed by the result of `get_channel_messages`.
async fn read_channel(hub: &Hub, caller: &Caller, name: &str) -> Result<Value, Refusal> {
    let found = hub.channels().get(caller, name).await?;
    let mut value = answer(hub, caller, "get_channel_messages", json!({ "channel": found.name })).await?;
    if let Some(fields) = value.as_object_mut() {
        fields.insert("channel".into(), found.name.into());
        fields.insert("members".into(), found.member_count.into());
        for (field, text) in [("topic", &found.topic), ("description", &found.description)] {
            if !text.is_empty() {
                fields.insert(field.into(), neutral(text).into());
            }
        }
    }
    Ok(value)
}

/// Checks that a URI refers to an object that the caller may see; returns its canonical form.
pub(crate) async fn visible(hub: &Hub, caller: &Caller, uri: &str) -> Result<Address, ErrorData> {
    let address = Address::parse(uri).ok_or_else(|| missing(uri))?;
    address.require(caller).map_err(|error| refused(uri, error.into()))?;
    let seen = match address {
        Address::Inbox if has_inbox(caller) => Ok(Address::Inbox),
        Address::Inbox => Err(Error::not_found("resource")),
        Address::Channel(name) => hub.channels().get(caller, &name).await.map(|found| Address::Channel(found.name)),
        Address::Message(id) => hub.messages().get(caller, id).await.map(|found| Address::Message(found.id)),
        Address::Goal(id) => hub.goals().get(caller, id).await.map(|found| Address::Goal(found.goal.id)),
        Address::Article(slug) => articles::current(hub, caller, &slug).await.map(Address::Article),
        Address::Skill(name) => skills::read(hub, caller, &name).map(|_| Address::Skill(name)),
    };
    seen.map_err(|error| refused(uri, Refusal::from(error)))
}

/// The subset of these URIs that the caller may see, in a constant number of queries besides one for each goal and
/// article.
pub(crate) async fn visible_among(hub: &Hub, caller: &Caller, uris: impl Iterator<Item = &String>) -> Result<Watched> {
    let (mut watched, mut channels, mut messages) = (Watched::default(), Vec::new(), Vec::new());
    let (mut goals, mut articles) = (Vec::new(), Vec::new());
    for uri in uris {
        match Address::parse(uri).filter(|address| address.require(caller).is_ok()) {
            Some(Address::Inbox) if has_inbox(caller) => watched.add(Address::Inbox, uri.clone()),
            Some(Address::Skill(name)) if skills::read(hub, caller, &name).is_ok() => {
                watched.add(Address::Skill(name), uri.clone());
            }
            Some(Address::Channel(name)) => channels.push((name, uri)),
            Some(Address::Message(id)) => messages.push((id, uri)),
            Some(Address::Goal(id)) => goals.push((id, uri)),
            Some(Address::Article(slug)) => articles.push((slug, uri)),
            _ => {}
        }
    }
    let names: Vec<String> = channels.iter().map(|(name, _)| name.clone()).collect();
    let seen = hub.channels().seen(caller, &names).await?;
    for (name, uri) in channels {
        let written = name.trim_start_matches('#');
        if let Some(name) = seen.iter().find(|seen| seen.eq_ignore_ascii_case(written)) {
            watched.add(Address::Channel(name.clone()), uri.clone());
        }
    }
    let seen: BTreeSet<_> =
        hub.messages().seen(caller, messages.iter().map(|(id, _)| *id).collect()).await?.into_iter().collect();
    for (id, uri) in messages.into_iter().filter(|(id, _)| seen.contains(id)) {
        watched.add(Address::Message(id), uri.clone());
    }
    for (id, uri) in goals {
        match hub.goals().get(caller, id).await {
            Ok(_) => watched.add(Address::Goal(id), uri.clone()),
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    for (slug, uri) in articles {
        match articles::current(hub, caller, &slug).await {
            Ok(slug) => watched.add(Address::Article(slug), uri.clone()),
            Err(error) if is_nothing(&error) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(watched)
}

/// Whether an error means that there is nothing that the caller may see.
fn is_nothing(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::Invalid | ErrorKind::Forbidden)
}

/// Error for a URI that refers to nothing.
fn missing(uri: &str) -> ErrorData {
    refused(uri, Refusal::from(Error::not_found("resource")))
}

fn refused(uri: &str, refusal: Refusal) -> ErrorData {
    let shown: String = uri.chars().take(200).collect();
    match refusal.code.as_str() {
        // A name or an id that violates its rule refers to nothing.
        "not_found" | "article_deleted" | "validation_failed" => ErrorData::new(
            ErrorCode::RESOURCE_NOT_FOUND,
            format!("No resource at {shown:?}. List resources with resources/list."),
            Some(json!({ "uri": shown, "code": "not_found" })),
        ),
        "internal" => protocol(Error::unavailable("internal", refusal.message.clone())),
        _ => {
            let message = refusal.message.clone();
            ErrorData::new(ErrorCode::INVALID_REQUEST, message, serde_json::to_value(refusal).ok())
        }
    }
}
