//! A full disk: what is there is read, what is new is refused, and the server starts.

use reqwest::Method;
use serde_json::json;
use svc_core::HubConfig;

use crate::support::claims::ann_and_worker;
use crate::support::disk::SmallDisk;
use crate::support::hub::CHEAP_HASHES;
use crate::support::server::{TestServer, problem};
use crate::support::wait::until;

async fn on(disk: &SmallDisk) -> TestServer {
    let path = disk.path();
    TestServer::start(move |config| {
        config.hub = HubConfig { bcrypt_cost: CHEAP_HASHES, ..HubConfig::at(&path) };
        config.admin_socket = Some(path.join("admin.sock"));
    })
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn reading_goes_on_and_the_server_starts() {
    let Some(disk) = SmallDisk::mount() else { return };
    let server = on(&disk).await;
    let (ann, _, key) = ann_and_worker(&server).await;
    server.say(&ann, json!({ "to": "worker", "body": "please look at the elephant" })).await;
    server.say(&ann, json!({ "channel": "general", "body": "an elephant" })).await;
    // Found once, so that its words are in the index; it is the agent that was handed nothing yet.
    assert!(server.look(&ann, "/api/messages/search?q=elephant").await["total"].as_i64() >= Some(2));
    let filler = disk.fill();
    let send = async |server: &TestServer| {
        server.post_with(&key, "/api/messages", json!({ "channel": "general", "body": "x".repeat(20_000) })).await
    };
    until("the last page is taken", async || (send(&server).await.status() == 503).then_some(())).await;
    problem(send(&server).await, 503, "storage_full").await;
    assert_reads(&server, &key).await;
    server.stop().await;

    // Whatever the stop has given back is taken too.
    let rest = disk.fill_rest();
    let server = on(&disk).await;
    assert_reads(&server, &key).await;
    until("the last page is taken", async || (send(&server).await.status() == 503).then_some(())).await;
    for path in [filler, rest] {
        tokio::fs::remove_file(path).await.unwrap();
    }
    until("there is room again", async || (send(&server).await.status() == 201).then_some(())).await;
    until("it is ready", async || (server.get("/readyz").await.status() == 200).then_some(())).await;
    server.stop().await;
}

/// What an agent reads, each with something that would be noted.
async fn assert_reads(server: &TestServer, key: &str) {
    for (path, words) in [
        ("/api/messages", "please look at the elephant"),
        ("/api/messages/search?q=elephant", "elephant"),
        ("/api/channels/general/messages", "an elephant"),
        ("/api/notifications/unread", "{"),
    ] {
        let answer = server.request_with(key, Method::GET, path).send().await.unwrap();
        let (status, text) = (answer.status(), answer.text().await.unwrap());
        assert_eq!(status, 200, "{path}: {text}");
        assert!(text.contains(words), "{path}: {text}");
    }
}
