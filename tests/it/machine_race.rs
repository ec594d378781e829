//! Machines that report at once, on PostgreSQL, where many write at once.

use reqwest::Method;
use serde_json::json;

use crate::support::held::{Held, waiting};
use crate::support::machine_api::{EVENTS, event, fleet, report};
use crate::support::server::TestServer;
use crate::support::server::told;
use crate::support::wait::soon;

/// Another one had the same event, and thought better of it.
const ANOTHER_ONE: &[&str] = &[
    "INSERT INTO machine_events (principal_id, kid, event_id, type, received_at, data, sha256)
     VALUES ('svc:sense:gate-1', 'k', 'late', 't', 1, CAST('{}' AS jsonb), 'h')",
    "DELETE FROM machine_events WHERE event_id = 'late'",
];

#[tokio::test(flavor = "multi_thread")]
async fn machines_do_not_wait_for_each_other_and_no_reader_passes_what_is_still_to_come() {
    let Some(server) = TestServer::postgres().await else { return };
    let fleet = fleet(&server, &["gate-1", "gate-2", "gate-3"]).await;
    server.report(&fleet[1], &[event("first")]).await;
    let start = server.evidence(&fleet[2], "").await;
    assert_eq!(start["items"].as_array().unwrap().len(), 1);
    let cursor = format!("cursor={}", start["next_cursor"].as_str().unwrap());

    // The first has its id, and waits for this.
    let held = Held::by(&server, ANOTHER_ONE).await;
    let late = async { told(fleet[0].ask(&server, Method::POST, EVENTS, &report(&[event("late")])).await, 201).await };
    let others = async {
        waiting(&server, 1).await;
        let mut ids = Vec::new();
        for (machine, name) in [(&fleet[1], "a"), (&fleet[2], "b"), (&fleet[1], "c")] {
            let stored = soon("others do not wait", server.report(machine, &[event(name)])).await;
            ids.push(stored["events"][0]["id"].as_i64().unwrap());
            let page = server.evidence(&fleet[2], &cursor).await;
            assert_eq!((&page["items"], &page["has_more"]), (&json!([]), &json!(false)), "a smaller id is to come");
            assert_eq!(format!("cursor={}", page["next_cursor"].as_str().unwrap()), cursor);
        }
        held.let_go().await;
        ids
    };
    let (late, others) = tokio::join!(late, others);
    let late = late["events"][0]["id"].as_i64().unwrap();
    assert!(others.iter().all(|id| *id > late), "{late} {others:?}");
    let page = server.evidence(&fleet[2], &cursor).await;
    let ids: Vec<_> = page["items"].as_array().unwrap().iter().map(|item| item["id"].as_i64().unwrap()).collect();
    assert_eq!(ids, [&[late][..], &others[..]].concat());
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_id_that_is_given_up_holds_nobody_back() {
    let Some(server) = TestServer::postgres().await else { return };
    let fleet = fleet(&server, &["gate-1", "gate-2"]).await;
    Held::by(&server, ANOTHER_ONE).await.let_go().await;
    server.report(&fleet[1], &[event("a")]).await;
    let page = server.evidence(&fleet[1], "").await;
    assert_eq!(
        (page["items"][0]["event_id"].as_str(), page["items"][0]["id"].as_i64()),
        (Some("a"), Some(2)),
        "{page}"
    );
    server.stop().await;
}
