//! A store that is damaged or taken away under a running server: nothing more is acknowledged, and it says so.

use std::os::unix::fs::FileExt;
use std::path::PathBuf;

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::admin::svc_admin;
use crate::support::people::Person;
use crate::support::server::{TestServer, problem};
use crate::support::wait::until;

fn file(server: &TestServer, suffix: &str) -> PathBuf {
    server.hub.config().data.join(format!("svc.db{suffix}"))
}

async fn send(server: &TestServer, ann: &Person) -> reqwest::Response {
    server.ask(ann, Method::POST, "/api/messages", json!({ "channel": "general", "body": "hello" })).await
}

/// Readiness fails with this code, and the command line says that the hub is not well.
async fn assert_not_well(server: &TestServer, code: &str) {
    let ready = server.get("/readyz").await;
    assert_eq!(ready.status(), 503);
    let ready: Value = ready.json().await.unwrap();
    assert_eq!((&ready["status"], &ready["store"]["code"]), (&json!("unavailable"), &json!(code)), "{ready}");
    let status = svc_admin(server, &["status"]).await;
    assert_eq!(status.code, 1, "{status:?}");
    assert!(status.stdout.contains("store error"), "{status:?}");
    assert_eq!(server.get("/healthz").await.status(), 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_store_whose_files_were_removed_acknowledges_nothing_until_they_are_back() {
    for suffix in ["", "-wal", "-shm"] {
        let server = TestServer::sqlite().await;
        let ann = server.person("ann").await;
        assert_eq!(send(&server, &ann).await.status(), 201);
        let (place, aside) = (file(&server, suffix), file(&server, ".aside"));
        tokio::fs::rename(&place, &aside).await.unwrap();
        assert_not_well(&server, "storage_lost").await;
        problem(send(&server, &ann).await, 503, "storage_lost").await;
        let read = server.request_as(&ann, Method::GET, "/api/channels").send().await.unwrap();
        problem(read, 503, "storage_lost").await;
        // Another file of that name is not the one that is open.
        tokio::fs::copy(&aside, &place).await.unwrap();
        assert_not_well(&server, "storage_lost").await;
        tokio::fs::rename(&aside, &place).await.unwrap();
        until("it is ready again", async || (server.get("/readyz").await.status() == 200).then_some(())).await;
        assert_eq!(send(&server, &ann).await.status(), 201, "{suffix}");
        server.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_acknowledged_while_the_file_goes_is_found_again() {
    let server = TestServer::sqlite().await;
    let ann = server.person("ann").await;
    let place = file(&server, "");
    let (mut acknowledged, mut refused) = (0, false);
    for round in 0..40 {
        if round == 20 {
            tokio::fs::rename(&place, file(&server, ".aside")).await.unwrap();
        }
        match send(&server, &ann).await.status().as_u16() {
            201 => acknowledged += 1,
            status => refused = status == 503,
        }
        assert!(round < 20 || refused, "round {round} was acknowledged");
    }
    assert_eq!(acknowledged, 20);
    tokio::fs::rename(file(&server, ".aside"), &place).await.unwrap();
    let data = server.stop().await;
    let kept = rusqlite::Connection::open(data.path().join("svc.db")).unwrap();
    let count: i64 =
        kept.query_row("SELECT count(*) FROM messages WHERE body = 'hello'", [], |row| row.get(0)).unwrap();
    assert!(count >= 20, "{count}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_damaged_store_takes_no_more_writes_and_is_read_where_it_can_be() {
    let server = TestServer::sqlite().await;
    let ann = server.person("ann").await;
    for _ in 0..20 {
        assert_eq!(send(&server, &ann).await.status(), 201);
    }
    let place = file(&server, "");
    // Everything goes from the log to the file, and nobody writes until the damage is done.
    let foreign = rusqlite::Connection::open(&place).unwrap();
    foreign.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).unwrap();
    foreign.execute_batch("BEGIN IMMEDIATE; CREATE TABLE stir (a)").unwrap();
    let sound = tokio::fs::read(&place).await.unwrap();
    let open = std::fs::File::options().write(true).open(&place).unwrap();
    open.write_all_at(&vec![0xa5; sound.len() - 4096], 4096).unwrap();
    // With this commit no connection trusts what it has in memory.
    foreign.execute_batch("COMMIT").unwrap();
    until("the damage is found", async || (server.get("/readyz").await.status() == 503).then_some(())).await;
    assert_not_well(&server, "storage_damaged").await;
    let text = server.get("/metrics").await.text().await.unwrap();
    assert!(text.lines().any(|line| line == "store_damaged 1"), "{text}");
    // Though every page is as it was, nobody knows what was written meanwhile.
    open.write_all_at(&sound, 0).unwrap();
    foreign.execute_batch("CREATE TABLE again (a)").unwrap();
    until("what is sound is read", async || {
        let read = server.request_as(&ann, Method::GET, "/api/channels").send().await.unwrap();
        (read.status() == 200).then_some(())
    })
    .await;
    problem(send(&server, &ann).await, 503, "storage_damaged").await;
    assert_not_well(&server, "storage_damaged").await;
    server.stop().await;
}
