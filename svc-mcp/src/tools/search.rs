//! `search_messages`: full-text search.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use svc_core::limits;
use svc_core::messages::Message;
use svc_core::search::SearchFilter;

use crate::catalogue::{Answer, Call, Effect, Entry, Outcome};
use crate::paging::{Rest, fit_in_order, hand_out, offset};
use crate::shown::Shown;

/// Most hits that are read for one result.
const HITS: i64 = 50;

pub(super) fn tools() -> Vec<Entry> {
    vec![
        Entry::new(
            "search_messages",
            Effect::Lists,
            "Search messages. q: words, \"phrase\", -word, prefix*. channel, agent: lists with commas; -name excludes.",
            search_messages,
        )
        .also(&[("query", "q")])
        .notes()
        .answers::<SearchResult>()
        .everyday(),
    ]
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SearchMessages {
    /// words
    #[serde(default)]
    #[schemars(length(max = limits::MCP_QUERY_MAX))]
    q: Option<String>,
    /// name
    #[serde(default)]
    #[schemars(length(max = limits::MCP_QUERY_MAX))]
    channel: Option<String>,
    /// author
    #[serde(default)]
    #[schemars(length(max = limits::MCP_QUERY_MAX))]
    agent: Option<String>,
    /// date or RFC 3339
    #[serde(default)]
    #[schemars(length(max = 40))]
    after: Option<String>,
    /// likewise
    #[serde(default)]
    #[schemars(length(max = 40))]
    before: Option<String>,
    /// pending, processing, done, failed
    #[serde(default)]
    #[schemars(length(max = 80))]
    status: Option<String>,
    /// attachment, reaction, mention
    #[serde(default)]
    #[schemars(length(max = 80))]
    has: Option<String>,
    /// workflow state
    #[serde(default)]
    #[schemars(length(max = 80))]
    state: Option<String>,
    #[serde(default)]
    #[schemars(with = "Option<Sort>")]
    sort: Option<String>,
}

// Sort order of the hits.
#[derive(JsonSchema)]
#[serde(rename_all = "snake_case")]
#[expect(dead_code, reason = "it only describes values that the hub parses")]
enum Sort {
    Relevance,
    Newest,
}

#[derive(Serialize, JsonSchema)]
struct SearchResult {
    messages: Vec<Shown>,
    total: i64,
    /// Whether there are more than were counted.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    more: bool,
    /// Whether the time was over before all messages had been looked at.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    partial: bool,
    #[serde(flatten)]
    rest: Rest,
}

async fn search_messages(call: Call, args: SearchMessages) -> Outcome {
    let from = offset(call.cursor.as_deref())?;
    let filter = SearchFilter {
        q: args.q,
        channel: args.channel,
        agent: args.agent,
        after: args.after,
        before: args.before,
        status: args.status,
        has: args.has,
        state: args.state,
        sort: args.sort,
        limit: Some(HITS),
        offset: Some(from),
        // Only hits that are shown are recorded as delivered.
        peek: true,
    };
    let page = call.hub.search().messages(&call.caller, filter).await?;
    let messages: Vec<Message> = page.messages.into_iter().map(|hit| hit.message).collect();
    let messages = fit_in_order(&call.hub, &call.caller, call.max_tokens, &messages).await?;
    hand_out(&call, &messages).await?;
    let rest = Rest::after(from, messages.len(), page.total);
    Answer::of(&SearchResult { messages, total: page.total, more: !page.total_is_exact, partial: page.partial, rest })
}
