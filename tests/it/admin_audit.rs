//! `svc-admin audit`, against the server as it is shipped.

use std::os::unix::fs::PermissionsExt;

use serde_json::json;
use svc_core::Caller;
use svc_core::secrets::SecretValue;
use svc_test_macros::both_engines;

use crate::support::admin::{lines, svc_admin};
use crate::support::server::TestServer;

/// More entries than a page holds.
const MANY: usize = 205;

async fn fill(server: &TestServer) {
    let root = Caller::root();
    for number in 0..MANY {
        let value = SecretValue::parse("value", number.to_string()).unwrap();
        let set = server.hub.secrets().set(&root, "user:admin".parse().unwrap(), "N".parse().unwrap(), value);
        set.await.unwrap();
    }
}

#[both_engines]
async fn what_was_done_is_listed_with_its_door(server: TestServer) {
    svc_admin(&server, &["users", "create", "ann"]).await.shown_once();
    svc_admin(&server, &["users", "set-role", "ann", "admin"]).await.worked();
    let about_ann = svc_admin(&server, &["audit", "list", "--user", "ANN", "--output", "json"]).await.json();
    let entries = about_ann["entries"].as_array().unwrap();
    let events: Vec<_> = entries.iter().map(|entry| (&entry["event"], &entry["surface"])).collect();
    assert_eq!(events, [(&json!("user_changed"), &json!("admin")), (&json!("user_created"), &json!("admin"))]);
    assert_eq!(entries[0]["details"], json!({ "role": "admin" }));

    let table = svc_admin(&server, &["audit", "list", "--event", "user_created"]).await.worked();
    assert!(table.contains("2026-01-01 00:00") && table.contains("first_run=true"), "{table}");
    let page = svc_admin(&server, &["audit", "list", "--limit", "1"]).await;
    assert!(page.stderr.contains("--before 3"), "{page:?}");
    let next = svc_admin(&server, &["audit", "list", "--before", "3", "--limit", "1", "--output", "json"]).await.json();
    assert_eq!(next["entries"][0]["id"], 2);
    let none = svc_admin(&server, &["audit", "list", "--since", "2026-01-02"]).await;
    assert!(none.stdout.is_empty() && none.stderr.contains("audit stats"), "{none:?}");
    let inverted = ["audit", "list", "--since", "2026-01-02", "--until", "2026-01-01"];
    svc_admin(&server, &inverted).await.refused(2, "--until must be later than --since");

    let stats = svc_admin(&server, &["audit", "stats", "--output", "json"]).await.json();
    assert_eq!(stats["stats"][1]["event"], "user_created", "{stats}");
    assert_eq!(stats["stats"][1]["count"], 2, "{stats}");
    assert!(svc_admin(&server, &["audit", "stats"]).await.worked().starts_with("EVENT"));
    let later = svc_admin(&server, &["audit", "stats", "--since", "2026-01-02", "--output", "json"]).await.json();
    assert_eq!(later, json!({ "stats": [] }));
    server.stop().await;
}

#[both_engines]
async fn an_export_has_every_entry_once(server: TestServer) {
    fill(&server).await;
    let whole = svc_admin(&server, &["audit", "export"]).await;
    assert!(whole.stderr.contains(&format!("Wrote {} entries", MANY + 1)), "{}", whole.stderr);
    let ids: Vec<_> = lines(&whole.worked()).iter().map(|entry| entry["id"].as_i64().unwrap()).collect();
    assert_eq!(ids.len(), MANY + 1);
    assert!(ids.is_sorted_by(|one, other| one > other), "newest first, nothing twice");

    let some = svc_admin(&server, &["audit", "export", "--event", "user_created", "--output", "json"]).await;
    assert_eq!((lines(&some.stdout).len(), some.stderr.as_str()), (1, ""));

    let csv = svc_admin(&server, &["audit", "export", "--format", "csv", "--user", "admin"]).await.worked();
    let rows: Vec<_> = csv.split("\r\n").collect();
    assert!(rows[0].starts_with("id,created_at,event,"), "{}", rows[0]);
    assert_eq!((rows.len(), *rows.last().unwrap()), (MANY + 3, ""));
    assert!(rows[1].contains(r#""{""action"":""set"""#), "{}", rows[1]);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_gets_its_name_when_it_is_whole_and_is_its_owners() {
    let server = TestServer::sqlite().await;
    let folder = tempfile::TempDir::new().unwrap();
    let path = folder.path().join("audit.jsonl");
    let file = path.display().to_string();
    let told = svc_admin(&server, &["audit", "export", "--file", &file]).await.worked();
    assert_eq!(told, format!("Wrote 1 entry to {file}.\n"));
    assert_eq!(lines(&tokio::fs::read_to_string(&path).await.unwrap()).len(), 1);
    assert_eq!(tokio::fs::metadata(&path).await.unwrap().permissions().mode() & 0o777, 0o600);
    let answer = svc_admin(&server, &["audit", "export", "--file", &file, "--output", "json"]).await.json();
    assert_eq!(answer, json!({ "entries": 1, "file": file }));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing else is left behind");

    let nowhere = folder.path().join("none/audit.jsonl").display().to_string();
    svc_admin(&server, &["audit", "export", "--file", &nowhere]).await.refused(1, "cannot be written to");
    server.stop().await;
}
