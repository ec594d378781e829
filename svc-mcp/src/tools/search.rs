//! `search_messages`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use svc_core::{Message, SearchFilter};

use crate::catalogue::{Answer, Call, Effect, Entry, Outcome};
use crate::paging::{Rest, fit_in_order, hand_out, offset};
use crate::shown::Shown;

/// How many hits are looked at for one answer.
const HITS: i64 = 50;

pub(super) fn tools() -> Vec<Entry> {
    vec![
        Entry::new("search_messages", Effect::Lists, "Finds messages by words and by where, who and when. In q: \"phrase\", -word, prefix*. channel and agent take lists with commas; -name leaves one out.", search_messages)
            .also(&[("query", "q")])
            .everyday(),
    ]
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SearchMessages {
    #[serde(default)]
    q: Option<String>,
    #[serde(default)]
    channel: Option<String>,
    #[serde(default)]
    agent: Option<String>,
    /// day or moment: 2026-05-01, 2026-05-01T12:00:00Z
    #[serde(default)]
    after: Option<String>,
    #[serde(default)]
    before: Option<String>,
    #[serde(default)]
    status: Option<String>,
    /// attachment, reaction, mention
    #[serde(default)]
    has: Option<String>,
    #[serde(default)]
    state: Option<String>,
    /// relevance, newest
    #[serde(default)]
    sort: Option<String>,
}

#[derive(Serialize)]
struct Found {
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
        // Only what is shown is handed out.
        peek: true,
    };
    let page = call.hub.search().messages(&call.caller, filter).await?;
    let messages: Vec<Message> = page.messages.into_iter().map(|hit| hit.message).collect();
    let messages = fit_in_order(&call.hub, &call.caller, call.max_tokens, &messages).await?;
    hand_out(&call, &messages).await?;
    let rest = Rest::after(from, messages.len(), page.total);
    Answer::of(&Found { messages, total: page.total, more: !page.total_is_exact, partial: page.partial, rest })
}
