//! Receipts over MCP: only what an agent was shown counts as offered to it.

use rmcp::model::SubscriptionFilter;
use serde_json::{Value, json};
use svc_test_macros::both_engines;

use crate::support::mcp::Agent;
use crate::support::people::Person;
use crate::support::server::TestServer;
use crate::support::wait::soon;

/// Room for one or two messages of this test.
const LITTLE: u32 = 300;

/// What its author learns of a message.
async fn state(test: &TestServer, author: &Person, message: &Value) -> Value {
    let receipts = test.look(author, &format!("/api/messages/{}/receipts", message["id"])).await;
    let of = |receipt: &&Value| receipt["participant"] == "scout";
    receipts["receipts"].as_array().unwrap().iter().find(of).unwrap()["state"].clone()
}

/// A person, and an agent of theirs.
async fn cast(test: &TestServer) -> (Person, String) {
    let ann = test.person("ann").await;
    let key = test.create_agent(&ann, "scout").await;
    (ann, key)
}

fn ids(answer: &Value) -> Vec<Value> {
    answer["messages"].as_array().unwrap().iter().map(|message| message["id"].clone()).collect()
}

#[both_engines]
async fn a_search_offers_what_it_shows(test: TestServer) {
    let (ann, key) = cast(&test).await;
    let mut sent = Vec::new();
    for number in 0..4 {
        let body = format!("needle {number} {}", "hay ".repeat(80));
        sent.push(test.say(&ann, json!({ "to": "scout", "body": body })).await);
    }
    let arguments = json!({ "q": "needle", "sort": "newest", "max_tokens": LITTLE });
    let shown = ids(&test.tool(&key, "search_messages", arguments).await);
    assert!(!shown.is_empty() && shown.len() < sent.len(), "{shown:?}");
    for message in &sent {
        let expected = if shown.contains(&message["id"]) { "offered" } else { "stored" };
        assert_eq!(state(&test, &ann, message).await, expected, "{shown:?}");
    }
}

#[both_engines]
async fn a_channel_offers_what_it_shows(test: TestServer) {
    let (ann, key) = cast(&test).await;
    test.open_room(&ann, "ops", false, &["scout"]).await;
    let mut sent = Vec::new();
    for number in 0..4 {
        let body = format!("{number} {}", "hay ".repeat(80));
        sent.push(test.say(&ann, json!({ "channel": "ops", "body": body })).await);
    }
    let first = test.tool(&key, "get_channel_messages", json!({ "channel": "ops", "max_tokens": LITTLE })).await;
    assert!(first["omitted"].as_i64().unwrap() > 0, "{first}");
    // How far a channel was offered is one place in it: before it nothing may have been left out.
    assert_eq!(state(&test, &ann, &sent[0]).await, "stored");
    let after = json!({ "channel": "ops", "after": sent[0]["id"].as_i64().unwrap() - 1, "max_tokens": LITTLE });
    let shown = ids(&test.tool(&key, "get_channel_messages", after).await);
    assert!(!shown.is_empty() && shown.len() < sent.len(), "{shown:?}");
    for message in &sent {
        let expected = if shown.contains(&message["id"]) { "offered" } else { "stored" };
        assert_eq!(state(&test, &ann, message).await, expected, "{shown:?}");
    }
    let mut cursor = first["cursor"].clone();
    while !cursor.is_null() {
        let arguments = json!({ "channel": "ops", "cursor": cursor, "max_tokens": LITTLE });
        cursor = test.tool(&key, "get_channel_messages", arguments).await["cursor"].clone();
    }
    assert_eq!(state(&test, &ann, &sent[3]).await, "offered", "whoever has read on has seen them all");
}

#[both_engines]
async fn news_and_completion_offer_nothing(test: TestServer) {
    let (ann, key) = cast(&test).await;
    let (mut old, new) = (Agent::connect(&test, &key).await, Agent::connect_modern(&test, &key).await);
    old.subscribe("svc://inbox").await.unwrap();
    let filter = SubscriptionFilter::builder().resource_subscription("svc://inbox").build();
    let mut stream = new.peer().listen(filter).await.unwrap();
    let sent = test.say(&ann, json!({ "to": "scout", "body": "for you" })).await;
    old.told().await;
    soon("the stream tells of it", stream.next()).await.unwrap().unwrap();
    let id = sent["id"].to_string();
    let found = old.peer().complete_resource_simple("svc://messages/{id}", "id", &id).await.unwrap();
    assert!(found.contains(&id), "{found:?}");
    assert_eq!(state(&test, &ann, &sent).await, "stored");
    new.call("read_inbox", json!({})).await;
    assert_eq!(state(&test, &ann, &sent).await, "offered");
}
