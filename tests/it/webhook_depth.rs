//! The depth of messages, by which chains of agents end.

use reqwest::Method;
use serde_json::{Value, json};
use svc_test_macros::both_engines;

use crate::support::mcp_http::message;
use crate::support::receiver::Receiver;
use crate::support::server::{TestServer, told};

impl TestServer {
    /// Sends a message with a key and says how deep the chain is.
    async fn say_at(&self, key: &str, depth: &str, message: Value) -> Value {
        let request = self.request_with(key, Method::POST, "/api/messages").header("Svc-Depth", depth);
        told(request.json(&message).send().await.unwrap(), 201).await
    }
}

#[both_engines]
async fn an_agents_message_is_deeper_than_what_caused_it(test: TestServer) {
    let ann = test.person("ann").await;
    let (scout, builder) = (test.create_agent(&ann, "scout").await, test.create_agent(&ann, "builder").await);
    // Humans begin chains, whatever they answer.
    let first = test.say(&ann, json!({ "to": "scout", "body": "Begin." })).await;
    assert_eq!(first["depth"], 0);
    let answer = test.say_with(&scout, json!({ "to": "builder", "body": "Go on.", "reply_to": first["id"] })).await;
    assert_eq!(answer["depth"], 1);
    let deeper = test.say_with(&builder, json!({ "to": "scout", "body": "And on.", "reply_to": answer["id"] })).await;
    assert_eq!(deeper["depth"], 2);
    let by_ann = test.say(&ann, json!({ "to": "builder", "body": "Stop.", "reply_to": deeper["id"] })).await;
    assert_eq!(by_ann["depth"], 0);
    // An answer to oneself is no deeper, and a fresh message begins anew.
    let own = test.say_with(&builder, json!({ "to": "scout", "body": "Also.", "reply_to": deeper["id"] })).await;
    assert_eq!(own["depth"], 1);
    // What an agent works on counts although it does not say so.
    test.claim_with(&scout, json!({ "limit": 10 })).await;
    let silent = test.say_with(&scout, json!({ "channel": "general", "body": "By the way." })).await;
    assert_eq!(silent["depth"], 3);
    // What a receiver echoes counts, for agents only; what is no number does not.
    assert_eq!(test.say_at(&builder, "4", json!({ "to": "ann", "body": "x" })).await["depth"], 5);
    assert_eq!(test.say_at(&builder, "deep", json!({ "to": "ann", "body": "x" })).await["depth"], 1);
    assert_eq!(test.say_at(&builder, "4000000000", json!({ "to": "ann", "body": "x" })).await["depth"], 1000);
    let request = test.request_as(&ann, Method::POST, "/api/messages").header("Svc-Depth", "4");
    let sent = request.json(&json!({ "to": "scout", "body": "x" })).send().await.unwrap();
    assert_eq!(told(sent, 201).await["depth"], 0);
    let arguments = json!({ "to": "ann", "body": "By MCP." });
    let body = message("tools/call", json!({ "name": "send_message", "arguments": arguments }));
    let mcp = test.mcp_request(&builder, &body).header("svc-depth", "2").send().await.unwrap();
    assert_eq!(mcp.status(), 200);
    assert_eq!(test.number("SELECT max(depth) FROM messages WHERE body = 'By MCP.'").await, 3);
}

#[both_engines]
async fn nothing_is_sent_at_a_depth_of_five(test: TestServer) {
    let ann = test.person("ann").await;
    let scout = test.create_agent(&ann, "scout").await;
    test.create_agent(&ann, "builder").await;
    let mut receiver = Receiver::start().await;
    let hook = test.hook(&ann, "builder", &receiver.url, &["*"]).await;
    let id = &hook["webhook"]["id"];
    test.say_at(&scout, "3", json!({ "to": "builder", "body": "Four." })).await;
    let received = receiver.next().await;
    assert_eq!((received.header("svc-depth"), &received.body()["data"]["depth"]), ("4", &json!(4)));
    test.until_delivery(&ann, id, "delivered").await;
    test.say_at(&scout, "4", json!({ "to": "builder", "body": "Five." })).await;
    let stopped = test.until_delivery(&ann, id, "stopped").await;
    assert_eq!((&stopped["error"], &stopped["depth"], &stopped["attempts"]), (&json!("depth"), &json!(5), &json!(0)));
    // Not even when it is asked for.
    let retry = test.ask(&ann, Method::POST, &format!("/api/deliveries/{}/retry", stopped["id"]), json!({})).await;
    crate::support::server::problem(retry, 409, "too_deep").await;
    let recover = format!("/api/webhooks/{id}/recover");
    let recovered = test.did(&ann, Method::POST, &recover, json!({ "since": "2026-01-01T00:00:00Z" })).await;
    assert_eq!(recovered["queued"], 1, "the other one");
    assert_eq!(receiver.next().await.body()["data"]["body"], "Four.");
    assert!(receiver.rest().is_empty());
    let metrics = test.get("/metrics").await.text().await.unwrap();
    assert!(
        metrics.contains("webhook_attempt_duration_seconds_bucket") && metrics.contains("webhook_queue_age_seconds")
    );
    assert!(metrics.contains("webhook_deliveries_total{outcome=\"delivered\"}"), "{metrics}");
    assert!(metrics.contains("webhook_deliveries_total{outcome=\"stopped\"} 1"), "{metrics}");
}

#[both_engines]
async fn a_reaction_of_an_agent_is_deeper_than_what_it_was_told(test: TestServer) {
    let ann = test.person("ann").await;
    let (scout, builder) = (test.create_agent(&ann, "scout").await, test.create_agent(&ann, "builder").await);
    test.open_room(&ann, "ops", true, &["builder"]).await;
    test.did(&ann, Method::PUT, "/api/channels/ops/settings", json!({ "workflow_enabled": true })).await;
    let sent = test.say_with(&scout, json!({ "channel": "ops", "body": "May I?" })).await;
    let mut receiver = Receiver::start().await;
    let hook = test.hook(&ann, "scout", &receiver.url, &["workflow.state_changed"]).await;
    let react = async |depth: &str, reaction: &str| {
        let path = format!("/api/messages/{}/reactions", sent["id"]);
        let request = test.request_with(&builder, Method::POST, &path).header("Svc-Depth", depth);
        assert_eq!(request.json(&json!({ "reaction": reaction })).send().await.unwrap().status(), 200);
    };
    react("3", "approve").await;
    assert_eq!(receiver.next().await.header("svc-depth"), "4");
    react("4", "in_progress").await;
    let stopped = test.until_delivery(&ann, &hook["webhook"]["id"], "stopped").await;
    assert_eq!((&stopped["error"], &stopped["depth"]), (&json!("depth"), &json!(5)));
}
