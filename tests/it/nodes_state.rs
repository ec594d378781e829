//! Two servers on one PostgreSQL database: what one of them was told holds at the other, and what only one of them
//! knows is not needed at the other.

use reqwest::Method;
use serde_json::{Value, json};
use svc_core::harness::{RunEnd, RunResult};
use svc_core::limits;
use svc_core::users::Role;

use crate::support::mcp_http::Session;
use crate::support::people::PASSWORD;
use crate::support::receiver::{Receiver, Reply};
use crate::support::server::{TestServer, problem, told};
use crate::support::wait::{soon, until};

/// Two nodes; `None` on a machine without PostgreSQL.
async fn nodes() -> Option<(TestServer, TestServer)> {
    let one = TestServer::postgres().await?;
    let two = one.beside().await;
    Some((one, two))
}

/// The files are in the directory of the first.
async fn stop(one: TestServer, two: TestServer) {
    two.stop().await;
    one.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_of_an_older_revision_is_begun_anew_at_another_node() {
    let Some((one, two)) = nodes().await else { return };
    let ann = one.person("ann").await;
    let key = one.create_agent(&ann, "scout").await;
    let session = Session::open(&one, &key).await;
    assert_eq!(session.tool("my_status", json!({})).await["you"]["name"], "scout");
    // The other node does not know it, and says so in the way that makes a client begin anew.
    let elsewhere = session.at(&two);
    let refused = elsewhere.send(&elsewhere.body("tools/list", json!({}))).await;
    assert_eq!(refused.status(), 404);
    let refused: Value = refused.json().await.unwrap();
    assert_eq!(refused["error"]["code"], -32001, "{refused}");
    let anew = Session::open(&two, &key).await;
    let sent = anew.tool("send_message", json!({ "to": "ann", "body": "Hello from another node." })).await;
    assert_eq!(sent["status"], "stored");
    // The first one goes on where it was begun, and a client of the newest revision needs none.
    assert_eq!(session.tool("my_status", json!({})).await["you"]["name"], "scout");
    assert_eq!(two.tool(&key, "my_status", json!({})).await["you"]["name"], "scout");
    stop(one, two).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_passwords_are_counted_at_all_nodes_together() {
    let Some((one, two)) = nodes().await else { return };
    one.create_user("ann", Role::User).await;
    for number in 0..=limits::LOGIN_ATTEMPTS {
        let node = if number % 2 == 0 { &one } else { &two };
        problem(node.try_log_in("ann", "wrong password").await, 401, "invalid_credentials").await;
    }
    for node in [&one, &two] {
        problem(node.try_log_in("ann", PASSWORD).await, 429, "too_many_attempts").await;
    }
    one.clock.advance(limits::LOGIN_WAIT.1);
    // A login at one node is a login at all, and so is its end.
    let ann = two.log_in("ann").await;
    assert_eq!(one.look(&ann.at(&one), "/auth/me").await["username"], "ann");
    one.did(&ann.at(&one), Method::POST, "/auth/logout", json!({})).await;
    let ended = two.request_as(&ann, Method::GET, "/auth/me").send().await.unwrap();
    assert_eq!(ended.status(), 401);
    stop(one, two).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_is_visible_at_one_node_holds_back_the_pushes_of_the_other() {
    let Some((one, two)) = nodes().await else { return };
    let (ann, bob) = (one.person("ann").await, one.person("bob").await);
    let mut receiver = Receiver::start().await;
    receiver.always(Reply::Status(201, ""));
    let mut browser = one.browser(&ann, &receiver.url).await;
    one.did(&ann, Method::PUT, "/api/presence", json!({ "visible": true })).await;
    two.say(&bob.at(&two), json!({ "to": "ann", "body": "On the screen." })).await;
    let passed = "SELECT count(*) FROM event_cursors WHERE name = 'push' AND seq >= (SELECT max(seq) FROM events)";
    until("the reader to pass the message", async || {
        two.work("push_reader").await;
        (two.number(passed).await == 1).then_some(())
    })
    .await;
    assert_eq!(two.number("SELECT count(*) FROM queue_items WHERE queue = 'push'").await, 0);
    two.did(&ann.at(&two), Method::PUT, "/api/presence", json!({ "visible": false })).await;
    one.say(&bob, json!({ "to": "ann", "body": "In the pocket." })).await;
    let delivery = receiver.next().await;
    assert_eq!(browser.read(&delivery)["body"], "In the pocket.");
    assert!(receiver.rest().is_empty());
    stop(one, two).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_that_is_repeated_at_another_node_has_one_effect() {
    let Some((one, two)) = nodes().await else { return };
    let ann = one.person("ann").await;
    let key = one.create_agent(&ann, "scout").await;
    let send = |node: &TestServer, body: &str| {
        let request = node.request_with(&key, Method::POST, "/api/messages").header("Idempotency-Key", "once");
        request.json(&json!({ "to": "ann", "body": body })).send()
    };
    let first = told(send(&one, "Hello.").await.unwrap(), 201).await;
    let again = told(send(&two, "Hello.").await.unwrap(), 201).await;
    assert_eq!(again["id"], first["id"]);
    problem(send(&two, "Goodbye.").await.unwrap(), 409, "idempotency_conflict").await;
    assert_eq!(two.number("SELECT count(*) FROM messages WHERE body = 'Hello.'").await, 1);
    // Over MCP it is the same.
    let arguments = json!({ "to": "ann", "body": "Hello again.", "idempotency_key": "twice" });
    let first = one.tool(&key, "send_message", arguments.clone()).await;
    assert_eq!(two.tool(&key, "send_message", arguments).await["id"], first["id"]);
    stop(one, two).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_log_of_a_run_is_read_at_the_node_that_does_not_run_it() {
    let Some((one, two)) = nodes().await else { return };
    let ann = one.person("ann").await;
    one.reactive(&ann, "scout").await;
    let ends = [one.harness.waits(), two.harness.waits()];
    one.say(&ann, json!({ "to": "scout", "body": "go" })).await;
    // Either of them may have taken it.
    let (job, is_at_one) = until("the run to begin", async || {
        let found = |node: &TestServer| node.harness.jobs().first().cloned();
        found(&one).map(|job| (job, true)).or_else(|| found(&two).map(|job| (job, false)))
    })
    .await;
    let other = if is_at_one { &two } else { &one };
    let (path, line) = (format!("/api/runs/{}/logs", job.run), format!("run {} of scout\n", job.run));
    let follow = other.request_as(&ann.at(other), Method::GET, &format!("{path}?follow=true"));
    let followed = soon("the log", follow.send()).await.unwrap();
    let [end_one, end_two] = ends;
    let (end, _unused) = if is_at_one { (end_one, end_two) } else { (end_two, end_one) };
    end.send(RunEnd::Succeeded(RunResult::default())).unwrap();
    assert_eq!(soon("the end of the log", followed.text()).await.unwrap(), line);
    other.until_run(&ann.at(other), "succeeded").await;
    let read = other.request_as(&ann.at(other), Method::GET, &path).send().await.unwrap();
    assert_eq!(read.text().await.unwrap(), line);
    stop(one, two).await;
}
