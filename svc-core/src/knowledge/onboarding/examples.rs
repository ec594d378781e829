//! Extracting example tool calls from a text.
//!
//! A call is inline code on one line: the tool's name, a space, and its arguments as a JSON object.

use serde_json::{Map, Value};

/// A tool call in a text.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ToolExample {
    /// The name of the tool.
    pub name: String,
    /// Its arguments.
    pub arguments: Map<String, Value>,
}

/// Every tool call in a Markdown text, in order; fenced code blocks are skipped.
///
/// The texts of the hub use one set of examples: message `42`, goal `5`, task `7`, bid `3`, the person `ann`,
/// the agent `reviewer`, the channels `general` and `reviews`, and `TOKEN` and `HASH` for values
/// from an answer.
///
/// ```
/// let calls = svc_core::onboarding::named_tools("Finish: `mark_done {\"id\": 42}`, then look at `done`.");
/// assert_eq!(calls.len(), 1);
/// assert_eq!(calls[0].name, "mark_done");
/// assert_eq!(calls[0].arguments["id"], 42);
/// ```
pub fn named_tools(text: &str) -> Vec<ToolExample> {
    code_spans(text).filter_map(|code| read(code).ok().flatten()).collect()
}

/// Parses a code span: a call, something else, or an invalid call.
fn read(code: &str) -> Result<Option<ToolExample>, serde_json::Error> {
    let Some((name, arguments)) = code.split_once(' ') else {
        return Ok(None);
    };
    if !is_tool_name(name) || !arguments.starts_with('{') {
        return Ok(None);
    }
    let arguments = serde_json::from_str(arguments)?;
    Ok(Some(ToolExample { name: name.to_owned(), arguments }))
}

fn is_tool_name(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
}

fn code_spans(text: &str) -> impl Iterator<Item = &str> {
    let mut fenced = false;
    let lines = text.lines().filter(move |line| {
        let fence = line.trim_start().starts_with("```");
        fenced ^= fence;
        !fenced && !fence
    });
    // Every second part is between two backticks.
    lines.flat_map(|line| line.split('`').skip(1).step_by(2))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::knowledge::onboarding::archetypes::Archetype;
    use crate::knowledge::onboarding::skills::Skill;

    /// `(tool, required arguments, optional arguments)`.
    const TOOLS: &[(&str, &[&str], &[&str])] = &[
        ("my_status", &[], &[]),
        ("read_inbox", &[], &["status", "from", "min_priority", "unread"]),
        ("wait_for_messages", &[], &["timeout_seconds", "after"]),
        ("send_message", &["to", "body"], &["subject", "priority", "reply_to", "attachments", "metadata"]),
        ("send_channel_message", &["channel", "body"], &["priority", "reply_to", "attachments", "metadata"]),
        ("edit_message", &["id", "body"], &[]),
        ("delete_message", &["id"], &[]),
        ("claim_messages", &[], &["limit", "lease_seconds"]),
        ("mark_done", &["id"], &["claim_token", "status", "reason"]),
        ("renew_claim", &["id", "claim_token"], &["lease_seconds"]),
        ("release_claim", &["id", "claim_token"], &[]),
        ("mark_read", &[], &["channel", "with", "up_to"]),
        ("get_message", &["id"], &["from_char"]),
        ("get_replies", &["id"], &[]),
        ("search_messages", &[], &["q", "channel", "agent", "after", "before", "status", "has", "state", "sort"]),
        ("get_receipts", &["id"], &[]),
        ("list_channels", &[], &["q"]),
        ("create_channel", &["name"], &["description", "topic", "public", "members"]),
        ("join_channel", &["channel"], &[]),
        ("leave_channel", &["channel"], &[]),
        ("get_channel_messages", &["channel"], &["before", "after"]),
        ("update_channel", &["channel"], &["workflow_enabled"]),
        ("invite_to_channel", &["channel", "handles"], &[]),
        ("react", &["id", "reaction"], &["set", "metadata"]),
        ("unreact", &["id", "reaction"], &[]),
        ("get_reactions", &["id"], &[]),
        ("list_by_state", &["state"], &["channel"]),
        ("get_trust", &[], &["agent"]),
        ("discover_agents", &[], &["q"]),
        ("upload_attachment", &["filename"], &["text", "base64"]),
        ("download_attachment", &["hash"], &["from_byte"]),
        ("gc_attachments", &[], &[]),
        ("post_task", &["title", "body"], &["channel", "deadline", "budget"]),
        ("bid_task", &["task_id"], &["amount", "note"]),
        ("accept_bid", &["task_id", "bid_id"], &[]),
        ("complete_task", &["task_id"], &["summary", "status"]),
        ("list_tasks", &[], &["status", "mine"]),
        ("create_goal", &["title"], &["description", "slug", "coordinator", "budget", "autonomy", "max_spawn_depth"]),
        ("propose_task_tree", &["goal_id", "tree"], &[]),
        ("claim_goal_task", &["goal_id"], &["task_id", "lease_seconds"]),
        ("update_goal_task", &["task_id", "action"], &["claim_token", "note", "passed", "usd", "tokens"]),
        ("propose_agent", &["goal_id", "name", "purpose"], &["instructions", "tools", "budget_usd", "autonomy"]),
        ("get_goal", &[], &["goal_id"]),
        ("complete_goal", &["goal_id", "status"], &["summary", "completion_message_id"]),
        ("list_secrets", &[], &[]),
        ("request_secret", &["name", "reason"], &["goal_id"]),
        ("create_article", &["title", "body"], &["slug", "summary", "stale_after"]),
        ("get_article", &["slug"], &["section", "from_char"]),
        (
            "update_article",
            &["slug", "base_revision"],
            &["body", "section", "title", "summary", "merge", "stale_after"],
        ),
        ("list_articles", &[], &["sort", "state"]),
        ("search_articles", &["q"], &[]),
        ("get_backlinks", &["slug"], &[]),
        ("find_action", &["query"], &[]),
        ("call_action", &["action", "arguments"], &[]),
    ];
    const ANY: [&str; 3] = ["idempotency_key", "max_tokens", "cursor"];

    fn texts() -> Vec<(&'static str, &'static str)> {
        let mut texts = vec![("agent", include_str!("texts/agent.md"))];
        texts.extend(Archetype::ALL.map(|archetype| (archetype.as_str(), archetype.section())));
        texts.extend(Skill::all().map(|skill| (skill.name, skill.text)));
        texts
    }

    #[test]
    fn every_call_in_the_texts_is_valid() {
        for (file, text) in texts() {
            for call in
                code_spans(text).filter_map(|code| read(code).unwrap_or_else(|error| panic!("{file}: {code}: {error}")))
            {
                let (name, needed, taken) =
                    TOOLS.iter().find(|tool| tool.0 == call.name).unwrap_or_else(|| panic!("{file}: {}", call.name));
                for argument in *needed {
                    assert!(call.arguments.contains_key(*argument), "{file}: {name} needs {argument}");
                }
                for argument in call.arguments.keys().map(String::as_str) {
                    let known = needed.contains(&argument) || taken.contains(&argument) || ANY.contains(&argument);
                    assert!(known, "{file}: {name} takes no {argument}");
                }
            }
            assert!(!named_tools(text).is_empty(), "{file}");
        }
    }

    #[test]
    fn every_named_tool_has_an_example_call() {
        for (file, text) in texts() {
            let calls = named_tools(text);
            for (tool, ..) in TOOLS {
                let bare = code_spans(text).any(|code| code == *tool);
                assert!(!bare || calls.iter().any(|call| call.name == *tool), "{file} does not show {tool}");
            }
            assert_eq!(text.matches('`').count() % 2, 0, "{file}");
        }
    }

    #[test]
    fn the_skills_and_the_instructions_teach_their_tools() {
        let taught = |text: &str, tools: &[&str]| {
            let calls = named_tools(text);
            for tool in tools {
                assert!(calls.iter().any(|call| call.name == *tool), "{tool} is not taught");
            }
        };
        let [goals, workflow, auction] = Skill::all();
        let tools =
            TOOLS.iter().map(|(name, ..)| *name).filter(|name| name.contains("goal") || name.contains("secret"));
        taught(goals.text, &tools.chain(["propose_task_tree", "propose_agent"]).collect::<Vec<_>>());
        for action in ["start", "submit", "verify", "fail", "spend", "cancel"] {
            let mut calls = named_tools(goals.text).into_iter();
            let shown = calls.any(|call| call.name == "update_goal_task" && call.arguments["action"] == action);
            assert!(shown, "{action}");
        }
        taught(workflow.text, &["react", "unreact", "get_reactions", "list_by_state", "get_trust"]);
        for mark in ["approve", "reject", "in_progress", "done", "published"] {
            let shown = named_tools(workflow.text)
                .iter()
                .any(|call| call.name == "react" && call.arguments["reaction"] == mark);
            assert!(shown, "{mark}");
        }
        taught(auction.text, &["post_task", "bid_task", "accept_bid", "complete_task", "list_tasks"]);
        let daily = ["wait_for_messages", "read_inbox", "claim_messages", "renew_claim", "release_claim", "mark_done"];
        taught(include_str!("texts/agent.md"), &daily);
    }

    #[test]
    fn only_calls_are_read() {
        let text = "`a {\"b\": {\"c\": [1]}}` and `a`, `A {}`, `a {`, `a b`, `a []`\n```\n`d {}`\n```\n`e {}` `f";
        let calls = named_tools(text);
        assert_eq!(calls.iter().map(|call| call.name.as_str()).collect::<Vec<_>>(), ["a", "e"]);
        assert_eq!(calls[0].arguments["b"]["c"][0], 1);
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "(?s)[`{}\" a-c\n]{0,60}") {
            for call in named_tools(&text) {
                prop_assert!(is_tool_name(&call.name));
            }
        }
    }
}
