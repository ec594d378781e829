//! Which event goes to which webhook, and how it looks on the wire.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use standardwebhooks::WebhookError;
use svc_core::clock::{Clock, SystemClock};
use svc_core::harness::RunFailure;
use svc_test_macros::both_engines;

use crate::support::receiver::{Received, Receiver};
use crate::support::server::{TestServer, problem};
use crate::support::wait::until;

#[both_engines]
async fn a_direct_message_goes_to_its_recipient_and_is_signed(test: TestServer) {
    let ann = test.person("ann").await;
    test.create_agent(&ann, "scout").await;
    let mut receiver = Receiver::start().await;
    let hook = test.hook(&ann, "scout", &receiver.url, &["message.received"]).await;
    let trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    let sent =
        test.say(&ann, json!({ "to": "scout", "subject": "plans", "body": "Hello.", "traceparent": trace })).await;
    let received = receiver.next().await;
    let body = received.body();
    assert_eq!((&body["type"], &body["timestamp"]), (&json!("message.received"), &json!("2026-01-01T00:00:00.000Z")));
    assert!(body["sequence"].as_i64().unwrap() > 0);
    // The message is what REST shows to that agent.
    let mut expected = sent.clone();
    expected["agent"] = "scout".into();
    assert_eq!(body["data"], expected);
    assert!(received.is_signed_by(hook["secret"].as_str().unwrap()), "{received:?}");
    assert!(!received.is_signed_by("whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="));
    for (name, value) in [
        ("content-type", "application/json"),
        ("svc-event", "message.received"),
        ("svc-depth", "0"),
        ("traceparent", trace),
        ("webhook-timestamp", "1767225600"),
    ] {
        assert_eq!(received.header(name), value, "{name}");
    }
    assert!(received.header("user-agent").starts_with("svc/"));
    let delivery = test.until_delivery(&ann, &hook["webhook"]["id"], "delivered").await;
    assert_eq!((&delivery["attempts"], &delivery["response_status"]), (&json!(1), &json!(204)));
    assert_eq!(delivery["sequence"], body["sequence"]);
    let details = test.look(&ann, &format!("/api/deliveries/{}", delivery["id"])).await;
    assert_eq!(details["request"]["body"], received.text.as_str());
    assert_eq!(details["request"]["url"], receiver.url.as_str());
    let names: Vec<&str> = details["request"]["headers"]
        .as_array()
        .unwrap()
        .iter()
        .map(|header| header["name"].as_str().unwrap())
        .collect();
    assert!(names.contains(&"webhook-id") && !names.contains(&"webhook-signature"), "{names:?}");
    assert_eq!((&details["attempts"][0]["number"], &details["attempts"][0]["status"]), (&json!(1), &json!(204)));
    let shown = test.webhook(&ann, &hook["webhook"]["id"]).await;
    assert_eq!(
        (&shown["consecutive_failures"], &shown["last_success_at"]),
        (&json!(0), &json!("2026-01-01T00:00:00.000Z"))
    );
}

#[both_engines]
async fn another_implementation_verifies_a_delivery_and_refuses_a_changed_one(test: TestServer) {
    // It compares the timestamp with the time of the system.
    test.clock.advance(SystemClock.now().since(test.clock.now()));
    let ann = test.person("ann").await;
    test.create_agent(&ann, "scout").await;
    let mut receiver = Receiver::start().await;
    let hook = test.hook(&ann, "scout", &receiver.url, &["*"]).await;
    let secret = hook["secret"].as_str().unwrap();
    test.say(&ann, json!({ "to": "scout", "body": "Grüße aus 東京 👋" })).await;
    let received = receiver.next().await;
    assert_eq!(received.body()["data"]["body"], "Grüße aus 東京 👋");
    received.verified_by(secret).unwrap();
    let refused = |changed: Received, secret: &str| {
        let verdict = changed.verified_by(secret);
        assert!(matches!(verdict, Err(WebhookError::InvalidSignature)), "{verdict:?} {changed:?}");
        assert!(!changed.is_signed_by(secret));
    };
    refused(Received { text: received.text.replace("東京", "東亰"), ..received.clone() }, secret);
    refused(Received { text: format!("{} ", received.text), ..received.clone() }, secret);
    // The time stays recent, so that it is the signature that decides.
    let earlier = received.header("webhook-timestamp").parse::<i64>().unwrap() - 1;
    for (name, value) in [
        ("webhook-id", received.header("webhook-id").replace("dlv", "dlw")),
        ("webhook-timestamp", earlier.to_string()),
        ("webhook-signature", received.header("webhook-signature").to_lowercase()),
    ] {
        let mut changed = received.clone();
        changed.headers.insert(name.into(), value);
        refused(changed, secret);
    }
    refused(received, "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=");
}

#[both_engines]
async fn channel_messages_go_to_members_and_mentions_to_the_mentioned(test: TestServer) {
    let ann = test.person("ann").await;
    let keys = [test.create_agent(&ann, "scout").await, test.create_agent(&ann, "builder").await];
    test.create_agent(&ann, "stranger").await;
    test.open_room(&ann, "ops", false, &["scout", "builder"]).await;
    let mut scout = Receiver::start().await;
    let mut builder = Receiver::start().await;
    let mut stranger = Receiver::start().await;
    for (agent, receiver) in [("scout", &scout), ("builder", &builder), ("stranger", &stranger)] {
        test.hook(&ann, agent, &receiver.url, &["*"]).await;
    }
    // Neither the author nor somebody who is no member is told.
    let sent = test.say_with(&keys[0], json!({ "channel": "ops", "body": "The build is green." })).await;
    let told = builder.next().await;
    assert_eq!((told.header("svc-event"), &told.body()["data"]["id"]), ("channel.message", &sent["id"]));
    assert_eq!(told.header("svc-depth"), "1");
    // Whoever is mentioned is told of that, and not of the message in the channel.
    let sent = test.say(&ann, json!({ "channel": "ops", "body": "Look at it, @scout and @stranger." })).await;
    let told = scout.next().await;
    let data = told.body()["data"].clone();
    assert_eq!((told.header("svc-event"), &data["mention_of"]), ("message.mentioned", &sent["id"]));
    assert_eq!((&data["to"], &data["agent"], &data["from"]), (&json!("scout"), &json!("scout"), &json!("ann")));
    assert_eq!(builder.next().await.header("svc-event"), "channel.message");
    // A direct message marks the end: nothing else was on its way.
    for (agent, receiver) in [("scout", &mut scout), ("builder", &mut builder), ("stranger", &mut stranger)] {
        test.say(&ann, json!({ "to": agent, "body": "That is all." })).await;
        let last = receiver.next().await.body();
        assert_eq!((&last["type"], &last["data"]["body"]), (&json!("message.received"), &json!("That is all.")));
    }
}

#[both_engines]
async fn a_change_of_state_goes_to_the_author_and_the_members(test: TestServer) {
    let ann = test.person("ann").await;
    let key = test.create_agent(&ann, "scout").await;
    let other = test.create_agent(&ann, "builder").await;
    test.open_room(&ann, "ops", true, &["builder"]).await;
    test.did(&ann, Method::PUT, "/api/channels/ops/settings", json!({ "workflow_enabled": true })).await;
    let sent = test.say_with(&key, json!({ "channel": "ops", "body": "May I?" })).await;
    let mut scout = Receiver::start().await;
    let mut builder = Receiver::start().await;
    test.clock.advance(Duration::from_secs(1));
    test.hook(&ann, "scout", &scout.url, &["workflow.state_changed"]).await;
    test.hook(&ann, "builder", &builder.url, &["workflow.state_changed"]).await;
    assert_eq!(test.react(&ann, &sent, "approve").await.status(), 200);
    for (agent, receiver) in [("scout", &mut scout), ("builder", &mut builder)] {
        let expected = json!({
            "message_id": sent["id"], "channel": "ops", "old_state": "proposed", "new_state": "approved",
            "reaction": "approve", "by": "ann", "agent": agent,
        });
        assert_eq!(receiver.next().await.body()["data"], expected);
    }
    // Whoever changes it knows.
    assert_eq!(test.react_with(&other, &sent, "in_progress").await.status(), 200);
    assert_eq!(scout.next().await.body()["data"]["by"], "builder");
    assert_eq!(test.react(&ann, &sent, "done").await.status(), 200);
    assert_eq!(builder.next().await.body()["data"]["new_state"], "done");
}

#[both_engines]
async fn nobody_is_told_of_what_they_no_longer_see(test: TestServer) {
    let ann = test.person("ann").await;
    let bob = test.person("bob").await;
    test.create_agent(&bob, "scout").await;
    test.open_room(&ann, "plans", false, &["scout"]).await;
    let mut receiver = Receiver::start().await;
    let hook = test.hook(&bob, "scout", &receiver.url, &["*"]).await;
    let id = &hook["webhook"]["id"];
    // The first attempt fails, and before the second one the agent is shown out.
    receiver.then([crate::support::receiver::Reply::Status(500, "")]);
    test.say(&ann, json!({ "channel": "plans", "body": "Between us." })).await;
    receiver.next().await;
    test.until_delivery(&bob, id, "retrying").await;
    test.show_out(&ann, "plans", "scout").await;
    test.clock.advance(Duration::from_secs(2));
    let delivery = test.until_delivery(&bob, id, "stopped").await;
    assert_eq!(delivery["error"], "hidden");
    // Nor do they read it there.
    let details = test.look(&bob, &format!("/api/deliveries/{}", delivery["id"])).await;
    assert_eq!(details["request"]["body"], "");
    assert_eq!(test.number("SELECT count(*) FROM webhook_bodies").await, 0);
    test.say(&ann, json!({ "channel": "plans", "body": "And this." })).await;
    test.say(&ann, json!({ "to": "scout", "body": "Bye." })).await;
    assert_eq!(receiver.next().await.body()["data"]["body"], "Bye.");
    assert!(receiver.rest().is_empty());
}

#[both_engines]
async fn only_what_is_subscribed_and_enabled_is_sent(test: TestServer) {
    let ann = test.person("ann").await;
    test.create_agent(&ann, "scout").await;
    test.say(&ann, json!({ "to": "scout", "body": "Before." })).await;
    let mut receiver = Receiver::start().await;
    let hook = test.hook(&ann, "scout", &receiver.url, &["channel.message"]).await;
    let path = format!("/api/webhooks/{}", hook["webhook"]["id"]);
    test.say(&ann, json!({ "to": "scout", "body": "Not subscribed." })).await;
    let settled = async || {
        // The reader is done when it has passed the newest event.
        let head = test.hub.events().catch_up().await.unwrap().0;
        until("the reader of the log", async || {
            let at = test.number("SELECT seq FROM event_cursors WHERE name = 'webhooks'").await;
            (at >= head).then_some(())
        })
        .await;
    };
    settled().await;
    test.did(&ann, Method::PATCH, &path, json!({ "events": ["message.received"], "enabled": false })).await;
    test.say(&ann, json!({ "to": "scout", "body": "Disabled." })).await;
    // Enabling it brings nothing of the time before, although the clock has not moved.
    let enabled = test.did(&ann, Method::PATCH, &path, json!({ "enabled": true })).await;
    assert_eq!((&enabled["enabled"], &enabled["disabled_reason"]), (&json!(true), &Value::Null));
    test.say(&ann, json!({ "to": "scout", "body": "Sent." })).await;
    assert_eq!(receiver.next().await.body()["data"]["body"], "Sent.");
    // A delivery that has not ended is not queued again.
    test.until_delivery(&ann, &hook["webhook"]["id"], "delivered").await;
    // What was missed is delivered on request, also from before the webhook was there.
    let recovered =
        test.did(&ann, Method::POST, &format!("{path}/recover"), json!({ "since": "2026-01-01T00:00:00Z" })).await;
    assert_eq!(recovered, json!({ "queued": 4, "next": null }));
    let mut bodies = Vec::new();
    for _ in 0..4 {
        bodies.push(receiver.next().await.body()["data"]["body"].as_str().unwrap().to_owned());
    }
    bodies.sort();
    assert_eq!(bodies, ["Before.", "Disabled.", "Not subscribed.", "Sent."]);
    // A position takes the place of a time.
    let id = &hook["webhook"]["id"];
    until("all to be delivered", async || {
        (test.deliveries(&ann, id, "?status=delivered").await.len() == 4).then_some(())
    })
    .await;
    let all = test.deliveries(&ann, id, "").await;
    let last = all.iter().map(|delivery| delivery["sequence"].as_i64().unwrap()).max().unwrap();
    let recovered = test.did(&ann, Method::POST, &format!("{path}/recover"), json!({ "after": last - 1 })).await;
    assert_eq!(recovered, json!({ "queued": 1, "next": null }));
    assert_eq!(receiver.next().await.body()["data"]["body"], "Sent.");
    let nothing = test.ask(&ann, Method::POST, &format!("{path}/recover"), json!({})).await;
    problem(nothing, 400, "validation_failed").await;
}

#[both_engines]
async fn the_end_of_a_run_is_told_to_its_agent(test: TestServer) {
    let ann = test.person("ann").await;
    test.reactive(&ann, "scout").await;
    test.create_agent(&ann, "other").await;
    let mut receiver = Receiver::start().await;
    let hook = test.hook(&ann, "scout", &receiver.url, &["run.finished"]).await;
    test.hook(&ann, "other", &receiver.url, &["*"]).await;
    let trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    let asked = test.say(&ann, json!({ "to": "scout", "body": "go", "traceparent": trace })).await;
    let first = receiver.next().await;
    let data = &first.body()["data"];
    assert_eq!((&data["status"], &data["cause"]), (&json!("succeeded"), &json!("message")));
    assert_eq!((&data["trigger_message_id"], &data["agent"]), (&asked["id"], &json!("scout")));
    let headers = ["svc-event", "svc-depth", "traceparent"].map(|name| first.header(name).to_owned());
    assert_eq!(headers, ["run.finished", "1", trace]);
    assert!(first.is_signed_by(hook["secret"].as_str().unwrap()));
    // One without a message too.
    test.harness.fails(RunFailure::Timeout, "too slow");
    let run = test.did(&ann, Method::POST, "/api/agents/scout/run", json!({ "prompt": "Look around." })).await;
    let second = receiver.next().await;
    let data = &second.body()["data"];
    assert_eq!((&data["run_id"], &data["status"]), (&run["id"], &json!("failed")));
    assert_eq!((&data["trigger_message_id"], &data["error"]), (&Value::Null, &json!("timeout")));
    let delivery = test.until_delivery(&ann, &hook["webhook"]["id"], "delivered").await;
    let details = test.look(&ann, &format!("/api/deliveries/{}", delivery["id"])).await;
    assert_eq!(details["request"]["body"], second.text.as_str());
}
