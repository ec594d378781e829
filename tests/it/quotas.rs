//! Quotas: what a person and their agents may store and send, and what is told when that is used up.

use std::time::Duration;

use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};
use svc_core::Caller;
use svc_core::messages::NewMessage;
use svc_http::ServerConfig;
use svc_test_macros::both_engines;

use crate::support::files::{form, with_form};
use crate::support::people::Person;
use crate::support::server::{TestServer, problem};
use crate::support::wait::until;

const FILE_BYTES: u64 = 1000;
const MESSAGES: u64 = 5;

/// A server that allows little.
struct Sparing(TestServer);

impl Sparing {
    async fn sqlite() -> Self {
        Self(TestServer::start(spare).await)
    }

    async fn postgres() -> Option<Self> {
        TestServer::start_on_postgres(spare).await.map(Self)
    }
}

fn spare(config: &mut ServerConfig) {
    config.hub.quota_file_bytes = Some(FILE_BYTES);
    config.hub.quota_messages = Some(MESSAGES);
}

async fn used_bytes(test: &TestServer, who: &Person) -> u64 {
    test.look(who, "/api/usage").await["files"]["used_bytes"].as_u64().unwrap()
}

async fn sent(test: &TestServer, who: &Person) -> u64 {
    test.look(who, "/api/usage").await["messages"]["used"].as_u64().unwrap()
}

async fn say(test: &TestServer, who: &Person) -> reqwest::Response {
    test.ask(who, Method::POST, "/api/messages", json!({ "channel": "general", "body": "tick" })).await
}

/// Checks that a message is refused because too many were sent.
async fn refused(answer: reqwest::Response) -> u64 {
    let wait: u64 = answer.headers()["retry-after"].to_str().unwrap().parse().unwrap();
    let told = problem(answer, 429, "message_quota_exceeded").await;
    assert_eq!((&told["used"], &told["limit"]), (&json!(MESSAGES), &json!(MESSAGES)));
    wait
}

#[both_engines]
async fn usage_is_that_of_the_owner_with_all_agents(test: Sparing) {
    let test = test.0;
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    let scout = test.create_agent(&ann, "scout").await;
    let (_, narrow) =
        test.create_key(&ann, json!({ "name": "n", "permissions": ["read"], "allowed_channels": ["general"] })).await;
    let nothing = json!({
        "files": { "used_bytes": 0, "limit_bytes": FILE_BYTES },
        "messages": { "used": 0, "limit": MESSAGES, "window": "24h" },
    });
    assert_eq!(test.look(&ann, "/api/usage").await, nothing);
    test.upload(&ann, "a.txt", &[b'a'; 100]).await;
    test.upload_with(&scout, "b.txt", &[b'b'; 200]).await;
    test.say(&ann, json!({ "to": "bob", "body": "hello" })).await;
    test.say_with(&scout, json!({ "channel": "general", "body": "hello @bob" })).await;
    let both = json!({
        "files": { "used_bytes": 300, "limit_bytes": FILE_BYTES },
        "messages": { "used": 2, "limit": MESSAGES, "window": "24h" },
    });
    assert_eq!(test.look(&ann, "/api/usage").await, both);
    for key in [&scout, &narrow] {
        assert_eq!(test.look_with(key, "/api/usage").await, both);
    }
    assert_eq!(test.look(&bob, "/api/usage").await, nothing);
    test.stop().await;
}

#[both_engines]
async fn files_beyond_the_quota_are_refused_with_the_numbers(test: Sparing) {
    let test = test.0;
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    let scout = test.create_agent(&ann, "scout").await;
    test.upload(&ann, "a.txt", &[b'a'; 600]).await;
    // The same content counts once, whoever of them uploads it, under whichever name.
    test.upload_with(&scout, "again.txt", &[b'a'; 600]).await;
    test.upload_with(&scout, "b.txt", &[b'b'; 300]).await;
    assert_eq!(used_bytes(&test, &ann).await, 900);
    let told = problem(test.try_upload(&ann, "c.txt", &[b'c'; 101]).await, 413, "file_quota_exceeded").await;
    assert_eq!((&told["used_bytes"], &told["limit_bytes"]), (&json!(900), &json!(FILE_BYTES)));
    let answer = with_form(test.request_with(&scout, Method::POST, "/api/attachments"), form("c.txt", &[b'c'; 101]));
    problem(answer.send().await.unwrap(), 413, "file_quota_exceeded").await;
    // The blob of one that was refused at the last moment is an orphan, which the sweep removes.
    assert_eq!(test.number("SELECT count(*) FROM attachments").await, 2, "what is refused is not stored");
    // What they have may come again, and the last bytes may be used.
    test.upload(&ann, "a.txt", &[b'a'; 600]).await;
    test.upload(&ann, "d.txt", &[b'd'; 100]).await;
    assert_eq!(used_bytes(&test, &ann).await, FILE_BYTES);
    // Others have a quota of their own, also for contents that are there already.
    test.upload(&bob, "a.txt", &[b'a'; 600]).await;
    problem(test.try_upload(&bob, "e.txt", &[b'e'; 401]).await, 413, "file_quota_exceeded").await;
    let metrics = test.get("/metrics").await.text().await.unwrap();
    for line in ["file_usage_bytes 1600", "quota_refusals{quota=\"files\"} 3", "quota_refusals{quota=\"messages\"} 0"] {
        assert!(metrics.lines().any(|found| found == line), "{line} is not in\n{metrics}");
    }
    // What nothing carries goes after a day, and there is room again.
    test.clock.advance(Duration::from_hours(25));
    test.hub.attachments().gc(&Caller::root()).await.unwrap();
    let ann = test.log_in("ann").await;
    assert_eq!(used_bytes(&test, &ann).await, 0);
    test.upload(&ann, "c.txt", &[b'c'; 1000]).await;
    test.stop().await;
}

#[both_engines]
async fn uploads_at_the_same_time_keep_within_the_quota(test: Sparing) {
    let test = test.0;
    let ann = test.person("ann").await;
    let uploads = (b'a'..=b'h').map(async |letter| {
        let name = format!("{}.txt", char::from(letter));
        test.try_upload(&ann, &name, &[letter; 400]).await.status().as_u16()
    });
    let mut statuses = join_all(uploads).await;
    statuses.sort_unstable();
    assert_eq!(statuses, [201, 201, 413, 413, 413, 413, 413, 413]);
    assert_eq!(used_bytes(&test, &ann).await, 800);
    // The blob of one that was refused at the last moment is an orphan, which the sweep removes.
    assert_eq!(test.number("SELECT count(*) FROM attachments").await, 2, "what is refused is not stored");
    test.stop().await;
}

#[both_engines]
async fn messages_beyond_the_quota_are_refused_at_every_door(test: Sparing) {
    let test = test.0;
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    let scout = test.create_agent(&ann, "scout").await;
    for _ in 0..3 {
        assert_eq!(say(&test, &ann).await.status(), 201);
    }
    // What is refused for another reason does not count, nor what is sent twice under one key.
    let nobody = test.ask(&ann, Method::POST, "/api/messages", json!({ "to": "nobody", "body": "x" })).await;
    assert_eq!(nobody.status(), 400);
    for _ in 0..2 {
        test.tool(&scout, "send_message", json!({ "to": "bob", "body": "once", "idempotency_key": "k" })).await;
    }
    test.tool(&scout, "send_message", json!({ "to": "bob", "body": "last" })).await;
    let wait = refused(say(&test, &ann).await).await;
    assert_eq!(wait, 24 * 3600, "until the hour of the first message is a day ago");
    let told =
        test.tool_refuses(&scout, "send_message", json!({ "to": "bob", "body": "x" }), "message_quota_exceeded").await;
    assert_eq!((&told["used"], &told["limit"]), (&json!(MESSAGES), &json!(MESSAGES)));
    let task = json!({ "channel": "general", "title": "t", "body": "b" });
    refused(test.ask(&ann, Method::POST, "/api/tasks", task).await).await;
    assert_eq!(sent(&test, &ann).await, MESSAGES);
    // Others go on, and so does whoever runs the server.
    assert_eq!(say(&test, &bob).await.status(), 201);
    for _ in 0..=MESSAGES {
        test.hub.messages().send(&Caller::root(), NewMessage::to("ann", "news")).await.unwrap();
    }
    // A day later there is room.
    test.clock.advance(Duration::from_hours(24));
    let ann = test.log_in("ann").await;
    assert_eq!(say(&test, &ann).await.status(), 201);
    assert_eq!(sent(&test, &ann).await, 1);
    test.stop().await;
}

#[both_engines]
async fn messages_at_the_same_time_keep_within_the_quota(test: Sparing) {
    let test = test.0;
    let ann = test.person("ann").await;
    let mut statuses = join_all((0..20).map(async |_| say(&test, &ann).await.status().as_u16())).await;
    statuses.sort_unstable();
    assert_eq!(statuses.iter().filter(|status| **status == 201).count(), 5, "{statuses:?}");
    assert_eq!(sent(&test, &ann).await, MESSAGES);
    test.stop().await;
}

#[both_engines]
async fn what_another_process_sent_counts_within_seconds(test: Sparing) {
    let test = test.0;
    let ann = test.person("ann").await;
    let caller = test.caller(&ann).await;
    assert_eq!(say(&test, &ann).await.status(), 201);
    let other = test.another().await;
    for _ in 1..MESSAGES {
        other.messages().send(&caller, NewMessage::in_channel("general", "tock")).await.unwrap();
    }
    let refusal = other.messages().send(&caller, NewMessage::in_channel("general", "tock")).await.unwrap_err();
    assert_eq!(refusal.code(), "message_quota_exceeded");
    other.close().await;
    // This process counts again in the background while it lets one more pass.
    test.clock.advance(Duration::from_secs(11));
    assert_eq!(say(&test, &ann).await.status(), 201);
    until("it has been counted", async || {
        test.clock.advance(Duration::from_secs(2));
        (say(&test, &ann).await.status() == 429).then_some(())
    })
    .await;
    test.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_quotas_there_is_no_limit() {
    let test = TestServer::start(|config| {
        config.hub.quota_file_bytes = None;
        config.hub.quota_messages = None;
    });
    let test = test.await;
    let ann = test.person("ann").await;
    assert_eq!(say(&test, &ann).await.status(), 201);
    let usage = test.look(&ann, "/api/usage").await;
    assert_eq!((&usage["files"]["limit_bytes"], &usage["messages"]["limit"]), (&Value::Null, &Value::Null));
    assert_eq!(usage["messages"]["used"], 1);
    test.stop().await;
}
