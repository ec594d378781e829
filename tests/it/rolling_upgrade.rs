//! A newer version migrates the store under a running one.

use reqwest::Method;
use serde_json::json;
use svc_test_macros::both_engines;

use crate::support::admin::svc_admin;
use crate::support::hub::TestHub;
use crate::support::people::Person;
use crate::support::server::{TestServer, problem};

const LATER: &str =
    "INSERT INTO schema_migrations (version, name, checksum, applied_at) VALUES (9999, '9999_later', '', 0)";

/// As a newer version does: it adds something to a table, and records what it has done and which programs may go on.
async fn upgrade(test: &TestServer, needs: Option<i64>) {
    test.execute("ALTER TABLE channels ADD COLUMN later TEXT").await;
    if let Some(needs) = needs {
        test.execute(format!("INSERT INTO schema_needs (version, needs) VALUES (9999, {needs})")).await;
    }
    test.execute(LATER).await;
}

async fn newest(test: &TestServer) -> i64 {
    test.number("SELECT max(version) FROM schema_migrations").await
}

async fn talk(test: &TestServer, ann: &Person) -> u16 {
    let message = json!({ "channel": "general", "body": "still here" });
    test.request_as(ann, Method::POST, "/api/messages").json(&message).send().await.unwrap().status().as_u16()
}

#[both_engines]
async fn a_node_goes_on_with_a_newer_schema_that_allows_it(test: TestServer) {
    let ann = test.person("ann").await;
    let known = newest(&test).await;
    upgrade(&test, Some(known)).await;
    let ready = test.get_json("/readyz").await;
    assert_eq!(ready["status"], "ready", "{ready}");
    assert_eq!(talk(&test, &ann).await, 201);
    test.did(&ann, Method::POST, "/api/channels", json!({ "name": "after" })).await;
    assert_eq!(svc_admin(&test, &["--output", "json", "status"]).await.json()["nodes"][0]["schema"], known);
}

#[both_engines]
async fn a_node_that_cannot_go_on_says_so_and_writes_nothing(test: TestServer) {
    let ann = test.person("ann").await;
    assert_eq!(talk(&test, &ann).await, 201);
    upgrade(&test, None).await;
    let answer = test.get("/readyz").await;
    assert_eq!(answer.status(), 503);
    let ready: serde_json::Value = answer.json().await.unwrap();
    assert_eq!((&ready["status"], &ready["store"]["code"]), (&json!("unavailable"), &json!("store_too_new")));
    assert!(ready["store"]["error"].as_str().unwrap().contains("schema 9999"), "{ready}");
    let message = json!({ "channel": "general", "body": "too late" });
    let refused = test.request_as(&ann, Method::POST, "/api/messages").json(&message).send().await.unwrap();
    problem(refused, 503, "store_too_new").await;
    // Reading goes on.
    let page = test.look(&ann, "/api/channels/general/messages").await;
    assert_eq!(page["messages"].as_array().unwrap().len(), 1, "{page}");
}

#[both_engines]
async fn an_older_program_opens_a_store_that_allows_it(test: TestHub) {
    let known = test.number("SELECT max(version) FROM schema_migrations").await;
    test.execute(format!("INSERT INTO schema_needs (version, needs) VALUES (9999, {known})")).await;
    test.execute(LATER).await;
    test.builder().open().await.unwrap().close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_upgrade_that_running_nodes_cannot_follow_waits_for_them() {
    let Some(test) = TestHub::postgres().await else { return };
    // The running node does not know the last migration that needs a newer program. It has not been applied, nor have
    // those after it.
    let last = "SELECT max(version) FROM schema_migrations WHERE version NOT IN (SELECT version FROM schema_needs)";
    let last = test.number(last).await;
    test.execute(format!("DELETE FROM schema_migrations WHERE version >= {last}")).await;
    test.execute(format!("UPDATE nodes SET schema = {last} - 1, version = '0.0.9' WHERE id <> ''")).await;
    let error = test.builder().open().await.err().expect("a node of an older version is running");
    assert_eq!(error.code(), "older_nodes");
    assert!(error.message().contains("0.0.9"), "{error}");
    test.hub.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn status_lists_the_nodes() {
    let Some(test) = TestServer::start_on_postgres(|_| ()).await else { return };
    let other = test.another().await;
    let status = svc_admin(&test, &["--output", "json", "status"]).await.json();
    let nodes = status["nodes"].as_array().unwrap();
    assert_eq!(nodes.len(), 2, "{status}");
    assert!(nodes.iter().all(|node| node["version"] == status["version"]), "{status}");
    assert_eq!(nodes.iter().filter(|node| node["is_this"] == true).count(), 1, "{status}");
    assert!(svc_admin(&test, &["status"]).await.worked().contains("(this one)"));
    other.close().await;
    let status = svc_admin(&test, &["--output", "json", "status"]).await.json();
    assert_eq!(status["nodes"].as_array().unwrap().len(), 1, "{status}");
}
