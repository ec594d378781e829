//! Scheduled backups: made, checked, kept and removed by the server, and told to operators.

use std::path::Path;
use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use svc_test_macros::both_engines;
use tempfile::TempDir;

use crate::support::admin::svc_admin;
use crate::support::backup::{EmptyPlace, run};
use crate::support::server::{TestServer, problem};
use crate::support::store::work;
use crate::support::wait::until;

/// The backups that the server lists, newest first.
async fn listed(server: &TestServer) -> Vec<Value> {
    let overview = svc_admin(server, &["--output", "json", "backup", "list"]).await.json();
    overview["backups"].as_array().unwrap().clone()
}

/// Waits until the server lists this many, and returns the newest.
async fn made(server: &TestServer, number: usize) -> Value {
    let enough = async || {
        let backups = listed(server).await;
        (backups.len() == number).then(|| backups[0].clone())
    };
    until("the next backup", enough).await
}

/// Makes the next backup due and waits for it.
async fn next(server: &TestServer, after: Duration, number: usize) -> Value {
    server.clock.advance(after);
    server.work("backup_schedule").await;
    made(server, number).await
}

fn archives(folder: &Path) -> Vec<String> {
    let names = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<_> = names.filter(|name| name.starts_with("svc-") || name.starts_with('.')).collect();
    names.sort();
    names
}

async fn finding(server: &TestServer) -> Value {
    let report: Value = serde_json::from_str(&svc_admin(server, &["--output", "json", "doctor"]).await.stdout).unwrap();
    let findings = report["findings"].as_array().unwrap().clone();
    findings.into_iter().find(|finding| finding["check"] == "last_backup").unwrap()
}

async fn metric(server: &TestServer, name: &str) -> Option<String> {
    let text = server.get("/metrics").await.text().await.unwrap();
    text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' ').map(ToOwned::to_owned))
}

#[both_engines]
async fn a_schedule_keeps_the_newest_and_removes_older_ones(server: TestServer) {
    let ann = server.person("ann").await;
    server.say(&ann, json!({ "channel": "general", "body": "kept" })).await;
    let none = finding(&server).await;
    assert_eq!(none["state"], "ok", "a new hub has a day: {none}");
    // No whole number of milliseconds, as with the clock of a machine.
    server.clock.advance(Duration::from_hours(25) + Duration::from_micros(7_861));
    let none = finding(&server).await;
    assert_eq!(none["state"], "warning", "{none}");
    assert!(none["advice"].as_str().unwrap().contains("svc-admin backup schedule"), "{none}");
    assert!(server.get_json("/readyz").await["last_backup_at"].is_null());

    let folder = TempDir::new().unwrap();
    let place = folder.path().join("archives");
    let to = place.to_str().unwrap();
    let told = svc_admin(&server, &["backup", "schedule", "--every", "24h", "--keep", "2", "--to", to]).await.worked();
    assert!(told.contains("every 1d") && told.contains("the newest 2 are kept"), "{told}");
    let first = made(&server, 1).await;
    tokio::fs::write(place.join("svc-notes.txt"), b"of somebody else").await.unwrap();
    tokio::fs::write(place.join("README"), b"of somebody else").await.unwrap();
    let name = first["name"].as_str().unwrap().to_owned();
    assert!(first["error"].is_null() && name.ends_with(".tar.zst"), "{first}");
    // Nothing is due before its time.
    server.clock.advance(Duration::from_hours(23));
    server.work("backup_schedule").await;
    assert_eq!(listed(&server).await.len(), 1);
    next(&server, Duration::from_hours(2), 2).await;
    let third = next(&server, Duration::from_hours(25), 3).await;

    let left = archives(&place);
    assert_eq!(left.len(), 3, "two archives and the file of somebody else: {left:?}");
    assert!(!left.contains(&name) && left.contains(&"svc-notes.txt".to_owned()), "{left:?}");
    let removed = listed(&server).await.pop().unwrap();
    assert!(removed["removed_at"].is_string(), "{removed}");
    let shown = svc_admin(&server, &["backup", "list"]).await.worked();
    assert!(shown.contains("removed") && shown.contains("made"), "{shown}");

    // Everybody who watches the hub is told.
    let ready = server.get_json("/readyz").await;
    assert_eq!(ready["last_backup_at"], third["ended_at"], "{ready}");
    assert_eq!(finding(&server).await["state"], "ok");
    assert!(metric(&server, "backup_last_success_timestamp_seconds").await.unwrap().parse::<u64>().unwrap() > 0);
    assert_eq!(metric(&server, "backup_last_size_bytes").await.unwrap(), third["size"].to_string());
    assert_eq!(metric(&server, "backup_failures").await.unwrap(), "0");

    // The archive is as good as one that was made by hand.
    let archive = place.join(third["name"].as_str().unwrap());
    run(vec!["backup".into(), "verify".into(), archive.display().to_string()]).await.worked();
    let elsewhere = EmptyPlace::of(server.hub.db().engine()).await.unwrap();
    elsewhere.restore(&archive, &[]).await.worked();
    let restored = elsewhere.serve().await;
    restored.log_in("ann").await;
    // The restored hub leaves the archives of the original alone.
    assert!(svc_admin(&restored, &["backup", "schedule"]).await.worked().contains("No backups are made"));
    restored.stop().await;

    svc_admin(&server, &["backup", "schedule", "--off"]).await.worked();
    server.clock.advance(Duration::from_hours(48));
    server.work("backup_schedule").await;
    assert_eq!(listed(&server).await.len(), 3);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_nodes_make_one_backup_for_each_interval() {
    let Some(server) = TestServer::start_on_postgres(|_| ()).await else { return };
    let other = server.another().await;
    let workers = other.start_workers();
    let folder = TempDir::new().unwrap();
    let place = folder.path().join("archives");
    let to = place.to_str().unwrap();
    svc_admin(&server, &["backup", "schedule", "--every", "24h", "--keep", "9", "--to", to]).await.worked();
    made(&server, 1).await;
    // Both have it due at the same moment, in their own time and by hand.
    for number in 2..=4 {
        server.clock.advance(Duration::from_hours(25));
        tokio::join!(server.work("backup_schedule"), work(&other, "backup_schedule"));
        made(&server, number).await;
    }
    tokio::join!(server.work("backup_schedule"), work(&other, "backup_schedule"));
    let backups = listed(&server).await;
    assert_eq!(backups.len(), 4, "{backups:?}");
    assert!(backups.iter().all(|backup| backup["error"].is_null()), "{backups:?}");
    assert_eq!(archives(&place).len(), 4);
    workers.stop().await;
    other.close().await;
    server.stop().await;
}

#[both_engines]
async fn admins_see_the_schedule_and_the_backups(server: TestServer) {
    let (admin, ann) = (server.admin("root").await, server.person("ann").await);
    let none = server.look(&admin, "/api/admin/backups").await;
    assert_eq!(none, json!({ "backups": [] }));
    let folder = TempDir::new().unwrap();
    let to = folder.path().to_str().unwrap();
    svc_admin(&server, &["backup", "schedule", "--every", "6h", "--keep", "3", "--to", to]).await.worked();
    let backup = made(&server, 1).await;
    let told = server.look(&admin, "/api/admin/backups").await;
    assert_eq!(told["backups"], json!([backup]), "{told}");
    let schedule = &told["schedule"];
    assert_eq!((&schedule["every_seconds"], &schedule["keep"]), (&json!(6 * 3600), &json!(3)), "{told}");
    assert_eq!(schedule["to"], to, "{told}");
    let refused = server.request_as(&ann, Method::GET, "/api/admin/backups").send().await.unwrap();
    problem(refused, 403, "admin_required").await;
    server.stop().await;
}

#[both_engines]
async fn a_failed_backup_removes_nothing_and_is_told(server: TestServer) {
    let folder = TempDir::new().unwrap();
    let place = folder.path().join("archives");
    svc_admin(&server, &["backup", "schedule", "--keep", "1", "--to", place.to_str().unwrap()]).await.worked();
    let first = made(&server, 1).await;
    // The place is gone, and a file is where it was.
    let aside = folder.path().join("aside");
    tokio::fs::rename(&place, &aside).await.unwrap();
    tokio::fs::write(&place, b"in the way").await.unwrap();
    let failed = next(&server, Duration::from_hours(25), 2).await;
    assert!(failed["error"].as_str().unwrap().contains("cannot be used for backups"), "{failed}");
    assert_eq!(archives(&aside), [first["name"].as_str().unwrap()]);
    let ready = server.get("/readyz").await;
    assert_eq!(ready.status(), 200, "a hub without a backup serves its users");
    assert_eq!(ready.json::<Value>().await.unwrap()["status"], "ready");
    let told = finding(&server).await;
    assert_eq!(told["state"], "warning", "{told}");
    assert!(told["summary"].as_str().unwrap().contains("cannot be used for backups"), "{told}");
    assert_eq!(metric(&server, "backup_failures").await.unwrap(), "1");
    // It is tried again before the next day.
    tokio::fs::remove_file(&place).await.unwrap();
    tokio::fs::rename(&aside, &place).await.unwrap();
    tokio::fs::write(place.join(format!(".{}.draft", first["name"].as_str().unwrap())), b"half").await.unwrap();
    let second = next(&server, Duration::from_mins(20), 3).await;
    assert!(second["error"].is_null(), "{second}");
    assert_eq!(archives(&place), [second["name"].as_str().unwrap()]);
    assert_eq!(finding(&server).await["state"], "ok");
    server.stop().await;
}

#[both_engines]
async fn a_schedule_that_cannot_work_is_refused(server: TestServer) {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("file");
    tokio::fs::write(&file, b"").await.unwrap();
    let schedule = async |arguments: &[&str]| svc_admin(&server, &[&["backup", "schedule"], arguments].concat()).await;
    schedule(&["--to", file.to_str().unwrap()]).await.refused(1, "cannot be used for backups");
    let to = folder.path().to_str().unwrap();
    schedule(&["--to", to, "--every", "1m"]).await.refused(1, "from 10 minutes");
    schedule(&["--to", to, "--keep", "0"]).await.refused(1, "from 1 to 365");
    schedule(&["--to", "s3://A"]).await.refused(1, "s3://BUCKET");
    schedule(&["--every", "24h"]).await.refused(2, "--to");
    assert!(listed(&server).await.is_empty());
    // One that a command takes away counts too.
    let archive = folder.path().join("by-hand.tar.zst");
    svc_admin(&server, &["backup", "create", archive.to_str().unwrap()]).await.worked();
    assert!(listed(&server).await[0]["name"].is_null());
    assert_eq!(finding(&server).await["state"], "ok");
    server.stop().await;
}
