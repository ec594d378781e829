//! The examination of a hub: `svc-admin doctor` and `/api/admin/health`.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use svc_test_macros::both_engines;

use crate::support::admin::svc_admin;
use crate::support::server::{TestServer, problem};

/// The finding about a part.
fn finding(report: &Value, check: &str) -> Value {
    let findings = report["findings"].as_array().unwrap();
    findings.iter().find(|finding| finding["check"] == check).unwrap_or_else(|| panic!("{check}: {report}")).clone()
}

#[both_engines]
async fn a_sound_hub_has_no_problem(test: TestServer) {
    let report = svc_admin(&test, &["--output", "json", "doctor"]).await.json();
    let checks = ["store", "integrity", "files", "workers", "nodes", "clock", "queues", "dead_letters", "webhooks"];
    for check in checks.into_iter().chain(["certificates", "last_backup"]) {
        // The clock of the tests is not that of the database.
        if check != "clock" {
            assert_eq!(finding(&report, check)["state"], "ok", "{report}");
        }
    }
    assert_eq!(report["nodes"][0]["is_this"], true, "{report}");
    assert!(!report["workers"].as_array().unwrap().is_empty(), "{report}");
    let admin = test.admin("root").await;
    let told = test.look(&admin, "/api/admin/health").await;
    assert_eq!(told["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(finding(&told, "store")["state"], "ok", "{told}");
    assert!(svc_admin(&test, &["doctor"]).await.worked().contains("answers reads and writes"));
    let ann = test.person("ann").await;
    problem(test.request_as(&ann, Method::GET, "/api/admin/health").send().await.unwrap(), 403, "admin_required").await;
}

#[both_engines]
async fn what_is_wrong_comes_with_advice(test: TestServer) {
    let ann = test.person("ann").await;
    test.did(&ann, Method::POST, "/api/agents", json!({ "name": "scout" })).await;
    test.say(&ann, json!({ "to": "scout", "body": "hello" })).await;
    // Work that nobody has taken for an hour, and a message that could not be delivered.
    test.execute(
        "INSERT INTO queue_items (queue, key, priority, status, attempts, max_attempts, payload, due_at, created_at, updated_at)
         SELECT 'stopped', 'a', 5, 'pending', 0, 1, '{}', max(created_at), max(created_at), max(created_at) FROM events",
    )
    .await;
    test.execute(
        "INSERT INTO dead_letters (kind, owner_id, participant_id, reason, attempts, created_at)
         SELECT 'message', id, id, 'expired', 3, (SELECT max(created_at) FROM events)
           FROM users
          WHERE id = (SELECT max(id) FROM users)",
    )
    .await;
    test.clock.advance(Duration::from_hours(1));
    let output = svc_admin(&test, &["--output", "json", "doctor"]).await;
    assert_eq!(output.code, 1, "{output:?}");
    let report: Value = serde_json::from_str(&output.stdout).unwrap();
    let late = finding(&report, "queues");
    assert_eq!(late["state"], "problem", "{report}");
    assert!(late["summary"].as_str().unwrap().contains("`stopped`"), "{late}");
    assert!(late["advice"].as_str().unwrap().contains("svc-admin webhooks list"), "{late}");
    assert_eq!(finding(&report, "dead_letters")["state"], "warning", "{report}");
    assert_eq!(report["state"], "problem");
}
