//! `find_action` and `call_action`: access to every tool for clients that list only a few.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::catalogue::{Answer, Call, Effect, Entry, Outcome, entries, find, unknown};
use crate::paging::{Rest, offset, some_of};

/// Most tools in a search result.
const FOUND_MAX: usize = 8;
/// Length of a query that is used, in bytes.
const QUERY_MAX: usize = 200;

pub(super) fn tools() -> Vec<Entry> {
    vec![
        Entry::new("find_action", Effect::Lists, "Find tools by purpose, listed or not.", find_action)
            .also(&[("q", "query")])
            .answers::<FoundActions>()
            .everyday(),
        Entry::new("call_action", Effect::Reaches, "Call a tool from find_action.", call_action)
            .for_all()
            .also(&[("name", "action"), ("tool", "action"), ("args", "arguments")])
            .everyday(),
    ]
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct FindAction {
    /// purpose
    #[serde(default)]
    #[schemars(length(max = QUERY_MAX))]
    query: Option<String>,
}

#[derive(Serialize, JsonSchema)]
struct FoundActions {
    actions: Vec<Action>,
    #[serde(flatten)]
    rest: Rest,
}

#[derive(Serialize, JsonSchema)]
struct Action {
    call: &'static str,
    does: &'static str,
}

async fn find_action(call: Call, args: FindAction) -> Outcome {
    let from = offset(call.cursor.as_deref())?;
    let mut query = args.query.unwrap_or_default();
    query.truncate(query.floor_char_boundary(QUERY_MAX));
    let query = query.to_lowercase();
    let words = stems(&query);
    let tools: Vec<(&'static Entry, String)> = entries()
        .iter()
        .filter(|entry| !matches!(entry.name, "find_action" | "call_action") && entry.is_allowed(&call.caller))
        .map(|entry| (entry, entry.description.to_lowercase()))
        .collect();
    let mut ranked: Vec<(usize, &'static Entry)> = tools.iter().map(|(entry, _)| (0, *entry)).collect();
    for word in &words {
        let hits: Vec<usize> = tools.iter().map(|(entry, description)| hit(entry.name, description, word)).collect();
        let found = hits.iter().filter(|hit| **hit > 0).count().max(1);
        // A word that few tools contain has more weight than one that many contain.
        for (rank, hit) in ranked.iter_mut().zip(hits) {
            rank.0 += hit * 100 / found;
        }
    }
    ranked.retain(|(score, _)| words.is_empty() || *score > 0);
    ranked.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    if !words.is_empty() {
        ranked.truncate(FOUND_MAX);
    }
    let total = i64::try_from(ranked.len()).unwrap_or(i64::MAX);
    let actions = ranked.into_iter().skip(usize::try_from(from).unwrap_or(usize::MAX));
    let actions = actions.map(|(_, entry)| Action { call: &entry.shape.signature, does: entry.description });
    let actions = some_of(call.max_tokens, actions.collect());
    let rest = Rest::after(from, actions.len(), total);
    Answer::of(&FoundActions { actions, rest })
}

/// The significant words of a query, without their endings.
fn stems(query: &str) -> Vec<String> {
    const EMPTY: [&str; 22] = [
        "a", "an", "the", "to", "of", "in", "on", "for", "with", "from", "and", "or", "i", "me", "my", "how", "who",
        "what", "is", "do", "can", "tool",
    ];
    let words =
        query.split(|letter: char| !letter.is_alphanumeric()).filter(|word| word.len() > 1 && !EMPTY.contains(word));
    words
        .map(|word| {
            let stem =
                ["ing", "ed", "es", "s"].iter().find_map(|end| word.strip_suffix(end).filter(|stem| stem.len() > 3));
            stem.unwrap_or(word).to_owned()
        })
        .collect()
}

/// Match score of a word and a tool: its name counts more than its description.
fn hit(name: &str, description: &str, word: &str) -> usize {
    3 * usize::from(name.contains(word)) + usize::from(description.contains(word))
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct CallAction {
    /// tool
    #[schemars(length(max = 64))]
    action: String,
    /// of it
    #[serde(default)]
    arguments: Option<Map<String, Value>>,
}

async fn call_action(call: Call, args: CallAction) -> Outcome {
    let Some(entry) = find(&args.action).filter(|entry| entry.name != "call_action") else {
        return Err(unknown(&args.action));
    };
    let mut arguments = args.arguments.unwrap_or_default();
    arguments.retain(|_, value| !value.is_null());
    // An idempotency key beside the action is passed on to it.
    if let (true, Some(key)) = (entry.effect.changes(), &call.idempotency_key) {
        arguments.entry("idempotency_key").or_insert_with(|| Value::String(key.clone()));
    }
    Box::pin(entry.call(call, arguments)).await
}
