//! `svc-admin tasks`, against the server as it is shipped.

use reqwest::Method;
use serde_json::{Value, json};
use svc_core::Caller;
use svc_core::ids::TaskId;
use svc_core::tasks::TaskClosing;
use svc_test_macros::both_engines;

use crate::support::admin::svc_admin;
use crate::support::people::Person;
use crate::support::server::TestServer;

async fn post(server: &TestServer, poster: &Person, title: &str, more: Value) -> Value {
    let mut new = json!({ "title": title, "body": "One page.\nBy cause." });
    new.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    server.did(poster, Method::POST, "/api/tasks", new).await["id"].clone()
}

/// The kinds of what the hub told somebody about a task.
async fn told(server: &TestServer, person: &Person, task: &Value) -> Vec<Value> {
    let inbox = server.look(person, "/api/messages?from=system&limit=200").await;
    let facts = inbox["messages"].as_array().unwrap().iter().map(|message| message["metadata"]["auction"].clone());
    facts.filter(|fact| fact["task_id"] == *task).map(|fact| fact["kind"].clone()).collect()
}

#[both_engines]
async fn tasks_of_everybody_are_listed_and_shown(server: TestServer) {
    let none = svc_admin(&server, &["tasks", "list"]).await;
    assert!(none.stdout.is_empty() && none.stderr.contains("No matching tasks"), "{none:?}");
    let (ann, bob) = (server.person("ann").await, server.person("bob").await);
    let first = post(&server, &ann, "Summarise the reports", json!({ "budget": 10, "deadline": "2h" })).await;
    let second = post(&server, &bob, "Count them", json!({ "channel": "general" })).await;
    let bid = json!({ "amount": 2.5, "note": "Two\nhours." });
    let bid = server.did(&bob, Method::POST, &format!("/api/tasks/{first}/bids"), bid).await;
    server.did(&ann, Method::POST, &format!("/api/tasks/{first}/accept"), json!({ "bid_id": bid["id"] })).await;

    let table = svc_admin(&server, &["tasks", "list"]).await.worked();
    for words in ["POSTER", "Summarise the reports", "assigned", "everybody", "#general", "open"] {
        assert!(table.contains(words), "{words:?} is not in {table}");
    }
    let page = svc_admin(&server, &["tasks", "list", "-o", "json"]).await.json();
    assert_eq!(page, server.look(&ann, "/api/tasks").await, "a document is as over REST");
    let ids = |page: &Value| -> Vec<Value> {
        page["tasks"].as_array().unwrap().iter().map(|task| task["id"].clone()).collect()
    };
    let open = svc_admin(&server, &["tasks", "list", "--status", "open", "-o", "json"]).await.json();
    assert_eq!(ids(&open), std::slice::from_ref(&second));
    let newest = svc_admin(&server, &["tasks", "list", "--limit", "1"]).await;
    assert!(newest.stderr.contains(&format!("--before {second} ")), "{newest:?}");
    let before = second.to_string();
    let rest = ["tasks", "list", "--limit", "1", "--before", &before, "-o", "json"];
    assert_eq!(ids(&svc_admin(&server, &rest).await.json()), std::slice::from_ref(&first));
    svc_admin(&server, &["tasks", "list", "--status", "done"]).await.refused(2, "possible values");
    svc_admin(&server, &["tasks", "list", "--limit", "201"]).await.refused(1, "--limit must be 1 to 200");

    let shown = svc_admin(&server, &["tasks", "show", &first.to_string()]).await.worked();
    for words in ["One page.\nBy cause.", "2026-01-01 02:00:00 UTC", "accepted", "Two hours.", "2.5"] {
        assert!(shown.contains(words), "{words:?} is not in {shown}");
    }
    let document = svc_admin(&server, &["tasks", "show", &first.to_string(), "-o", "json"]).await.json();
    assert_eq!(document, server.look(&ann, &format!("/api/tasks/{first}")).await);
    svc_admin(&server, &["tasks", "show", "4711"]).await.refused(1, "There is no task 4711");
    server.stop().await;
}

#[both_engines]
async fn a_cancelled_task_ends_for_all_of_its_people(server: TestServer) {
    let (ann, bob) = (server.person("ann").await, server.person("bob").await);
    let open = post(&server, &ann, "Summarise the reports", json!({})).await;
    server.did(&bob, Method::POST, &format!("/api/tasks/{open}/bids"), json!({ "amount": 1 })).await;
    let number = open.to_string();
    let cancel = ["tasks", "cancel", &number, "--reason", "They were withdrawn."];
    assert_eq!(svc_admin(&server, &cancel).await.worked(), format!("Task {open} of ann is cancelled.\n"));
    let seen = server.look(&ann, &format!("/api/tasks/{open}")).await;
    assert_eq!((&seen["task"]["status"], &seen["bids"][0]["status"]), (&json!("cancelled"), &json!("declined")));
    assert_eq!(seen["task"]["summary"], "They were withdrawn.");
    assert_eq!(told(&server, &ann, &open).await, ["cancelled", "bid"]);
    assert_eq!(told(&server, &bob, &open).await, ["cancelled"]);
    let notice = server.look(&bob, "/api/messages?from=system").await["messages"][0]["body"].clone();
    let notice = notice.as_str().unwrap();
    assert!(notice.contains("system has cancelled") && notice.contains("They were withdrawn."), "{notice}");
    svc_admin(&server, &cancel).await.refused(1, "already cancelled");
    svc_admin(&server, &["tasks", "cancel", "4711"]).await.refused(1, "There is no task 4711");
    let long = "x".repeat(2001);
    let other = post(&server, &bob, "Count them", json!({})).await.to_string();
    svc_admin(&server, &["tasks", "cancel", &other, "--reason", &long]).await.refused(1, "--reason");
    let task = svc_admin(&server, &["tasks", "cancel", &other, "-o", "json"]).await.json();
    assert_eq!((&task["status"], &task["poster"]), (&json!("cancelled"), &json!("bob")));
    assert_eq!(server.events_of("task.cancelled").await.len(), 2);
    // What an operator may not do is to work in the place of the assignee.
    let (root, id) = (Caller::root(), TaskId(open.as_i64().unwrap()));
    let done = server.hub.tasks().complete(&root, id, TaskClosing::default()).await;
    assert_eq!(done.unwrap_err().code(), "participant_required");
    server.stop().await;
}
