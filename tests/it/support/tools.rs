//! Every tool of the MCP server, with arguments that work.

use serde_json::{Value, json};

/// Arguments with which each tool is called, in an order in which every call works. `$` stands for what
/// an earlier call answered.
pub(crate) fn every_tool(
    direct: i64,
    token: &str,
    in_channel: i64,
    hash: &str,
    [theirs, own, bid]: [&Value; 3],
) -> Vec<(&'static str, Value)> {
    vec![
        ("my_status", json!({})),
        ("read_inbox", json!({ "status": "all" })),
        ("wait_for_messages", json!({ "timeout_seconds": 0 })),
        ("send_message", json!({ "to": "beta", "body": "hello" })),
        ("send_channel_message", json!({ "channel": "team", "body": "hello" })),
        ("claim_messages", json!({})),
        ("renew_claim", json!({ "id": direct, "claim_token": token })),
        ("release_claim", json!({ "id": direct, "claim_token": token })),
        ("mark_done", json!({ "id": direct })),
        ("mark_read", json!({ "channel": "team" })),
        ("get_message", json!({ "id": direct })),
        ("get_replies", json!({ "id": direct })),
        ("get_receipts", json!({ "id": in_channel })),
        ("search_messages", json!({ "q": "hello" })),
        ("list_channels", json!({})),
        ("get_channel_messages", json!({ "channel": "team" })),
        ("create_channel", json!({ "name": "made" })),
        ("join_channel", json!({ "channel": "general" })),
        ("leave_channel", json!({ "channel": "general" })),
        ("update_channel", json!({ "channel": "made", "topic": "new" })),
        ("invite_to_channel", json!({ "channel": "made", "handles": ["beta"] })),
        ("react", json!({ "id": in_channel, "reaction": "done" })),
        ("unreact", json!({ "id": in_channel, "reaction": "done" })),
        ("get_reactions", json!({ "id": in_channel })),
        ("list_by_state", json!({ "state": "proposed" })),
        ("discover_agents", json!({})),
        ("get_trust", json!({})),
        ("upload_attachment", json!({ "filename": "a.txt", "text": "some text" })),
        ("download_attachment", json!({ "hash": hash })),
        ("gc_attachments", json!({})),
        ("post_task", json!({ "title": "A task", "body": "Do it.", "channel": "team" })),
        ("bid_task", json!({ "task_id": theirs, "amount": 2 })),
        ("accept_bid", json!({ "task_id": own, "bid_id": bid })),
        ("complete_task", json!({ "task_id": own, "status": "cancelled" })),
        ("list_tasks", json!({})),
        ("register_webhook", json!({ "url": "https://1.1.1.1/hook", "events": ["goal.changed"] })),
        ("list_webhooks", json!({})),
        // The first one of its store.
        ("delete_webhook", json!({ "id": 1 })),
        ("list_runs", json!({})),
        // The first one of its store.
        ("get_run", json!({ "id": 1 })),
        ("register_k8s_handler", json!({ "image": "registry.example.org/agent:1", "events": ["goal.changed"] })),
        ("list_k8s_handlers", json!({})),
        // The first one of its store.
        ("delete_k8s_handler", json!({ "id": 1 })),
        ("get_budget", json!({})),
        ("create_goal", json!({ "title": "A goal", "budget": { "usd": 5 }, "autonomy": "autonomous" })),
        // The first ones of their store.
        ("propose_task_tree", json!({ "goal_id": 1, "tree": [{ "title": "A", "children": [{ "title": "B" }] }] })),
        ("claim_goal_task", json!({ "goal_id": 1, "task_id": 1 })),
        ("update_goal_task", json!({ "task_id": 1, "action": "start" })),
        ("propose_agent", json!({ "goal_id": 1, "name": "helper", "purpose": "Helps", "tools": ["get_goal"] })),
        ("get_goal", json!({ "goal_id": 1 })),
        ("complete_goal", json!({ "goal_id": 1, "status": "completed", "summary": "It is reached." })),
        ("list_secrets", json!({})),
        ("request_secret", json!({ "name": "API_TOKEN", "reason": "To publish" })),
        ("create_article", json!({ "title": "How we deploy", "body": "# Steps\nSee [[on-call]].\n" })),
        ("get_article", json!({ "slug": "how-we-deploy", "section": "Steps" })),
        // The first revision of an article that only this call changes.
        (
            "update_article",
            json!({ "slug": "how-we-deploy", "base_revision": 1, "body": "Call [[on-call]].", "section": "Steps" }),
        ),
        ("list_articles", json!({ "sort": "title" })),
        ("search_articles", json!({ "q": "deploy" })),
        ("get_backlinks", json!({ "slug": "on-call" })),
        ("find_action", json!({ "query": "send" })),
        ("call_action", json!({ "action": "list_channels" })),
    ]
}

/// What a person's key may call: what is about no agent.
pub(crate) const WITHOUT_AGENT: [&str; 19] = [
    "get_message",
    "get_replies",
    "get_receipts",
    "search_messages",
    "list_channels",
    "get_channel_messages",
    "get_reactions",
    "list_by_state",
    "discover_agents",
    "download_attachment",
    "find_action",
    "call_action",
    "gc_attachments",
    "list_tasks",
    "get_goal",
    "get_article",
    "list_articles",
    "search_articles",
    "get_backlinks",
];
