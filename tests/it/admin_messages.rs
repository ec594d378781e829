//! `svc-admin messages`, against the server as it is shipped.

use std::time::Duration;

use serde_json::{Value, json};
use svc_test_macros::both_engines;

use crate::support::admin::svc_admin;
use crate::support::claims::{about, ann_and_worker};
use crate::support::server::TestServer;

#[both_engines]
async fn messages_are_listed_shown_and_sent(server: TestServer) {
    let empty = svc_admin(&server, &["messages", "list"]).await;
    assert!(empty.stdout.is_empty() && empty.stderr.contains("No matching messages"), "{empty:?}");
    let (ann, _, key) = ann_and_worker(&server).await;
    let sent = server.say(&ann, json!({ "to": "worker", "body": "please\nlook", "subject": "the build" })).await;
    server.say(&ann, json!({ "channel": "general", "body": "hello all" })).await;
    server.done_with(&key, &about(&sent, "fail"), json!({ "reason": "no access" })).await;

    let listed = svc_admin(&server, &["messages", "list"]).await.worked();
    assert!(listed.contains("please look") && listed.contains("#general") && listed.contains("failed"), "{listed}");
    let bodies = async |arguments: &[&str]| -> Vec<String> {
        let all = [&["messages", "list", "--output", "json"], arguments].concat();
        let page = svc_admin(&server, &all).await.json();
        page["messages"]
            .as_array()
            .unwrap()
            .iter()
            .map(|message| message["body"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(bodies(&["--to", "worker", "--status", "failed"]).await, ["please\nlook"]);
    assert_eq!(bodies(&["--channel", "#general", "--from", "ann"]).await, ["hello all"]);
    assert!(bodies(&["--status", "processing"]).await.is_empty());
    let first = svc_admin(&server, &["messages", "list", "--limit", "1"]).await;
    assert!(first.stderr.contains("--before "), "{first:?}");
    svc_admin(&server, &["messages", "list", "--from", "nobody"]).await.refused(1, "--from is not a participant");
    svc_admin(&server, &["messages", "list", "--channel", "nowhere"]).await.refused(1, "--channel is not a channel");

    let id = sent["id"].to_string();
    let shown = svc_admin(&server, &["messages", "show", &id]).await.worked();
    for words in ["the build", "please\nlook", "worker", "failed", "no access"] {
        assert!(shown.contains(words), "{words:?} is not in {shown}");
    }
    let json = svc_admin(&server, &["messages", "show", &id, "--output", "json"]).await.json();
    assert_eq!((&json["message"]["id"], &json["receipts"]["receipts"][0]["state"]), (&sent["id"], &json!("failed")));
    svc_admin(&server, &["messages", "show", "4711"]).await.refused(1, "There is no message 4711");

    let told = svc_admin(&server, &["messages", "send", "--to", "ann", "The hub is updated."]).await.worked();
    assert!(told.contains("is sent to ann"), "{told}");
    let inbox = server.look(&ann, "/api/messages?from=system").await;
    assert_eq!(inbox["messages"][0]["body"], "The hub is updated.");
    let posted =
        svc_admin(&server, &["messages", "send", "--channel", "general", "x", "--output", "json"]).await.json();
    assert_eq!((&posted["channel"], &posted["from"]), (&json!("general"), &json!("system")));
    svc_admin(&server, &["messages", "send", "--to", "nobody", "x"]).await.refused(1, "--to is not a participant");
    svc_admin(&server, &["messages", "send", "x"]).await.refused(2, "--to");
    server.stop().await;
}

#[both_engines]
async fn messages_of_everybody_are_found_by_their_words(server: TestServer) {
    let (ann, _, _) = ann_and_worker(&server).await;
    server.say(&ann, json!({ "to": "worker", "body": "the release notes are late" })).await;
    server.say(&ann, json!({ "channel": "general", "body": "release on friday" })).await;
    server.say(&ann, json!({ "channel": "general", "body": "lunch" })).await;
    let found = async |arguments: &[&str]| -> Vec<String> {
        let all = [&["messages", "search", "--output", "json"], arguments].concat();
        let page = svc_admin(&server, &all).await.json();
        let mut bodies: Vec<_> =
            page["messages"].as_array().unwrap().iter().map(|hit| hit["body"].as_str().unwrap().to_owned()).collect();
        assert_eq!(page["total"], bodies.len());
        bodies.sort();
        bodies
    };
    assert_eq!(found(&["release"]).await, ["release on friday", "the release notes are late"]);
    assert_eq!(found(&["rel*", "--in", "general"]).await, ["release on friday"]);
    assert_eq!(found(&["rel*", "--channel", "-general"]).await, ["the release notes are late"]);
    assert_eq!(found(&["release -friday", "--from", "ann"]).await, ["the release notes are late"]);
    for (option, none) in [("--until", "2020-01-01"), ("--before", "2020-01-01"), ("--since", "2026-01-02T00:00:00Z")] {
        assert!(found(&["release", option, none]).await.is_empty(), "{option}");
    }
    // A human sees their own direct messages, those of their agents, and public channels.
    server.person("eve").await;
    assert_eq!(found(&["release", "--as", "eve"]).await, ["release on friday"]);
    for name in ["ann", "BOB"] {
        assert_eq!(found(&["release", "--as", name]).await.len(), 2, "{name}");
    }
    svc_admin(&server, &["messages", "search", "release", "--as", "eev"]).await.refused(1, "did you mean eve?");
    svc_admin(&server, &["messages", "search", "release", "--limit", "0"]).await.refused(1, "--limit must be 1 to 200");
    let table = svc_admin(&server, &["messages", "search", "\"release notes\""]).await.worked();
    assert!(table.starts_with("ID") && table.contains("the release notes are late"), "{table}");
    let none = svc_admin(&server, &["messages", "search", "elephant"]).await;
    assert!(none.stdout.is_empty() && none.stderr.contains("No matching messages"), "{none:?}");
    // Whoever runs the server has looked, and the agent was handed nothing.
    let receipt = server.hub.db().read((), |tx, ()| {
        Box::pin(tx.query("SELECT count(*) FROM messages WHERE offered_at IS NOT NULL").fetch_value::<i64>())
    });
    assert_eq!(receipt.await.unwrap(), 0);
    svc_admin(&server, &["messages", "search"]).await.refused(2, "--help");
    server.stop().await;
}

#[both_engines]
async fn old_messages_are_counted_and_removed(server: TestServer) {
    let (ann, _, _) = ann_and_worker(&server).await;
    let old = server.say(&ann, json!({ "channel": "general", "body": "old" })).await;
    server.say(&ann, json!({ "to": "worker", "body": "waits" })).await;
    server.clock.advance(Duration::from_hours(91 * 24));
    let ann = server.log_in("ann").await;
    server.say(&ann, json!({ "channel": "general", "body": "new" })).await;
    let prune = ["messages", "purge", "--older-than", "90d"];
    let counted = svc_admin(&server, &[&prune[..], &["--dry-run"]].concat()).await.worked();
    assert!(counted.starts_with("Would be removed") && counted.contains(": 1."), "{counted}");
    svc_admin(&server, &prune).await.refused(2, "--yes");
    assert_eq!(server.look(&ann, &format!("/api/messages/{}", old["id"])).await["body"], "old");
    let removed: Value = svc_admin(&server, &[&prune[..], &["--yes", "--output", "json"]].concat()).await.json();
    assert_eq!((&removed["removed"], &removed["kept"]), (&json!(1), &json!(1)), "{removed}");
    let gone =
        server.request_as(&ann, reqwest::Method::GET, &format!("/api/messages/{}", old["id"])).send().await.unwrap();
    assert_eq!(gone.status(), 404);
    svc_admin(&server, &["messages", "prune", "--older-than", "soon"]).await.refused(2, "has no number");
    server.stop().await;
}
