//! The registry's file: loaded at start, when it changes, and on SIGHUP.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use reqwest::Method;
use serde_json::{Value, json};
use svc_core::Caller;
use tempfile::TempDir;

use crate::support::admin::svc_admin;
use crate::support::child::TestChild;
use crate::support::machines::{TestMachine, registry};
use crate::support::people::Person;
use crate::support::server::{TestServer, problem};
use crate::support::wait::until;

/// How soon a change of the file is in force.
const SOON: Duration = Duration::from_secs(1);

async fn write(path: &Path, document: &Value) {
    tokio::fs::write(path, document.to_string()).await.unwrap();
}

/// A file that takes the place of another at once.
async fn replace(path: &Path, document: &Value) {
    let beside = path.with_extension("new");
    write(&beside, document).await;
    tokio::fs::rename(&beside, path).await.unwrap();
}

/// A server that follows this file.
async fn following(path: PathBuf) -> TestServer {
    TestServer::start(|config| config.machine_registry = Some(path)).await
}

/// The hash of the registry that is in force.
async fn in_force(server: &TestServer) -> Option<String> {
    server.hub.principals().loaded(&Caller::root()).await.unwrap().map(|registry| registry.sha256)
}

async fn revoking_in_the_file_stops_a_key(server: TestServer, path: &Path, door: &TestMachine) {
    let mut taken = Vec::new();
    // A machine that is busy with other tests may be slow once.
    for _ in 0..5 {
        replace(path, &registry(&[door])).await;
        until("the key works", async || (server.beat(door).await.status() == 200).then_some(())).await;
        let before = Instant::now();
        write(path, &registry(&[&door.clone().revoked()])).await;
        let refusal =
            until("the key is revoked", async || Some(server.beat(door).await).filter(|answer| answer.status() != 200));
        problem(refusal.await, 401, "machine_key_revoked").await;
        taken.push(before.elapsed());
    }
    taken.sort();
    assert!(taken[taken.len() / 2] < SOON, "{taken:?}");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_that_is_revoked_in_the_file_stops_within_a_second() {
    let place = TempDir::new().unwrap();
    let path = place.path().join("machines.json");
    let door = TestMachine::new("door");
    write(&path, &registry(&[&door])).await;
    let server = following(path.clone()).await;
    assert_eq!(server.beat(&door).await.status(), 200);
    revoking_in_the_file_stops_a_key(server, &path, &door).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_that_is_revoked_in_the_file_stops_within_a_second_on_postgres() {
    let place = TempDir::new().unwrap();
    let path = place.path().join("machines.json");
    let door = TestMachine::new("door");
    write(&path, &registry(&[&door])).await;
    let started = TestServer::start_on_postgres(|config| config.machine_registry = Some(path.clone()));
    let Some(server) = started.await else { return };
    revoking_in_the_file_stops_a_key(server, &path, &door).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bad_file_changes_nothing_and_is_seen_everywhere() {
    let place = TempDir::new().unwrap();
    let path = place.path().join("machines.json");
    let door = TestMachine::new("door");
    write(&path, &registry(&[&door])).await;
    let server = following(path.clone()).await;
    let good = in_force(&server).await;
    let metric = async || server.get("/metrics").await.text().await.unwrap();
    assert!(metric().await.contains("\nmachine_registry_file_ok 1\n"));
    assert_eq!(server.get_json("/readyz").await["status"], "ready");

    let mut bad = registry(&[&door.clone().revoked()]);
    bad["principals"][0]["comment"] = json!("no");
    bad["audience"] = json!("svc-nose");
    write(&path, &bad).await;
    let ready = until("the fault is seen", async || {
        let ready = server.get_json("/readyz").await;
        (ready["status"] == "degraded").then_some(ready)
    });
    // Everybody may ask this, so it does not tell what is in the file.
    let ready = ready.await;
    let told = ready["machine_registry_error"].as_str().unwrap();
    assert!(told.contains("svc-admin machines show") && !told.contains("comment"), "{ready}");
    assert!(metric().await.contains("\nmachine_registry_file_ok 0\n"));
    what_is_wrong_is_for_admins(&server).await;
    let shown = svc_admin(&server, &["machines", "show"]).await;
    assert_eq!(shown.code, 1, "{shown:?}");
    assert!(shown.stdout.contains("not loaded") && shown.stdout.contains("/principals/0/comment"), "{shown:?}");
    let status = svc_admin(&server, &["status"]).await.worked();
    assert!(status.contains("degraded") && status.contains("machine registry"), "{status}");
    assert_eq!(in_force(&server).await, good);
    assert_eq!(server.beat(&door).await.status(), 200);

    let since = server.hub.principals().file_state().unwrap().failing_since.unwrap();
    server.clock.advance(Duration::from_mins(5));
    tokio::fs::remove_file(&path).await.unwrap();
    let state = until("the file is missed", async || {
        let state = server.hub.principals().file_state().unwrap();
        (state.code.as_deref() == Some("registry_unreadable")).then_some(state)
    })
    .await;
    assert!(state.failing_since == Some(since) && state.tried_at > since, "{state:?}");
    assert_eq!(in_force(&server).await, good);
    replace(&path, &registry(&[])).await;
    until("all is well again", async || (server.get_json("/readyz").await["status"] == "ready").then_some(())).await;
    assert_eq!(server.hub.principals().file_state().unwrap().failing_since, None);
    assert_ne!(in_force(&server).await, good);
    problem(server.beat(&door).await, 401, "unknown_machine_key").await;
    server.stop().await;
}

/// The file of the test is bad; others than admins are told that, and nothing of what is in it or where it is.
async fn what_is_wrong_is_for_admins(server: &TestServer) {
    let machines = async |person: &Person| -> Value {
        server.request_as(person, Method::GET, "/api/machines").send().await.unwrap().json().await.unwrap()
    };
    let (root, ann) = (server.admin("root").await, server.person("ann").await);
    let seen = machines(&root).await;
    assert_eq!(seen["problem"]["code"], "registry_invalid");
    assert_eq!(seen["problem"]["faults"][0]["pointer"], "/audience");
    assert_eq!(seen["problem"]["faults"][1]["pointer"], "/principals/0/comment");
    assert!(seen["registry"]["source"].as_str().unwrap().ends_with("machines.json"), "{seen}");
    let told = machines(&ann).await;
    assert_eq!(
        told["problem"],
        json!({
            "tried_at": seen["problem"]["tried_at"],
            "since": seen["problem"]["since"],
            "code": "registry_not_taken",
            "message": "An admin can see what is wrong with it.",
            "faults": [],
        })
    );
    assert!(seen["problem"]["since"].is_string() && told["registry"]["source"].is_null(), "{told}");
    let told = told.to_string();
    assert!(!told.contains("machines.json") && !told.contains("comment"), "{told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn it_is_seen_when_something_else_is_in_force_than_the_file() {
    let place = TempDir::new().unwrap();
    let path = place.path().join("machines.json");
    write(&path, &registry(&[])).await;
    let server = following(path).await;
    let figure = async |value: u8| {
        let text = server.get("/metrics").await.text().await.unwrap();
        assert!(text.contains(&format!("\nmachine_registry_file_in_force {value}\n")), "{text}");
    };
    assert_eq!(server.get_json("/readyz").await["status"], "ready");
    figure(1).await;
    let other = || registry(&[&TestMachine::new("door")]).to_string().into_bytes();
    let by_hand = async |force| server.hub.principals().load_by_hand(&Caller::root(), "a test", other(), force).await;
    assert_eq!(by_hand(false).await.unwrap_err().code(), "registry_file_followed");
    figure(1).await;
    assert!(by_hand(true).await.unwrap().changed);
    let ready = server.get_json("/readyz").await;
    assert_eq!(ready["status"], "degraded");
    assert!(ready["machine_registry_error"].as_str().unwrap().contains("The active registry differs"), "{ready}");
    figure(0).await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_is_no_good_at_start_keeps_nobody_from_starting() {
    let place = TempDir::new().unwrap();
    for (name, content) in [
        ("missing.json", None),
        ("large.json", Some(vec![b' '; 10 << 20])),
        ("bom.json", Some(b"\xef\xbb\xbf{}".to_vec())),
    ] {
        let path = place.path().join(name);
        if let Some(content) = &content {
            tokio::fs::write(&path, content).await.unwrap();
        }
        let server = following(path.clone()).await;
        assert_eq!(server.get_json("/readyz").await["status"], "degraded", "{name}");
        let state = server.hub.principals().file_state().unwrap();
        assert!(!state.ok && state.path == path.display().to_string(), "{state:?}");
        // It is still followed.
        replace(&path, &registry(&[&TestMachine::new("door")])).await;
        until("the file is loaded", async || in_force(&server).await).await;
        server.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_may_be_written_bit_by_bit() {
    let place = TempDir::new().unwrap();
    let path = place.path().join("machines.json");
    write(&path, &registry(&[])).await;
    let server = following(path.clone()).await;
    let text = registry(&[&TestMachine::new("door")]).to_string();
    // The same length and time tell nothing, so that only the content does.
    for end in [0, 10, text.len() / 2, text.len()] {
        tokio::fs::write(&path, &text[..end]).await.unwrap();
    }
    until("the whole of it is in force", async || {
        let loaded = server.hub.principals().loaded(&Caller::root()).await.unwrap().unwrap();
        (loaded.keys == 1).then_some(())
    })
    .await;
    assert!(server.hub.principals().file_state().unwrap().ok);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_starts_with_a_bad_file_says_so_and_serves() {
    let place = TempDir::new().unwrap();
    let name = |name: &str| place.path().join(name).display().to_string();
    let mut bad = registry(&[&TestMachine::new("door")]);
    bad["principals"][0]["comment"] = json!("no");
    write(Path::new(&name("machines.json")), &bad).await;
    let (data, file, log) = (name("data"), name("machines.json"), place.path().join("log"));
    let arguments = ["--data", &data, "--listen", "127.0.0.1:0", "--machine-registry", &file];
    let (server, address, _) = TestChild::server_with_log(&arguments, &log);
    let said = tokio::fs::read_to_string(&log).await.unwrap();
    let line = said.lines().find(|line| line.contains("the registry file cannot be loaded")).expect(&said);
    for told in ["ERROR", file.as_str(), "/principals/0/comment"] {
        assert!(line.contains(told), "{line}");
    }
    #[expect(clippy::disallowed_methods, reason = "the tests talk to their own server on the loopback interface")]
    let client = reqwest::Client::new();
    let get = async |path: &str| client.get(format!("{address}{path}")).send().await.unwrap();
    let ready: Value = get("/readyz").await.json().await.unwrap();
    assert_eq!(ready["status"], "degraded", "{ready}");
    assert_eq!(get("/healthz").await.status(), 200);
    server.signal("TERM");
    let (_, end) = tokio::task::spawn_blocking(move || server.wait()).await.unwrap();
    assert!(end.success(), "{end}");
}

/// The hash of the registry in force, as the command line shows it.
fn shown(socket: &str) -> Option<String> {
    let ran = TestChild::run_with("svc-admin", &["--socket", socket, "machines", "show", "--output", "json"], b"");
    let shown: Value = serde_json::from_str(&ran.stdout).unwrap();
    shown["registry"]["sha256"].as_str().map(ToOwned::to_owned)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hangup_reads_the_file_again_and_ends_nothing() {
    let place = TempDir::new().unwrap();
    let name = |name: &str| place.path().join(name).display().to_string();
    write(Path::new(&name("machines.json")), &registry(&[&TestMachine::new("door")])).await;
    write(Path::new(&name("other.json")), &registry(&[])).await;
    let (data, socket) = (name("data"), name("admin.sock"));
    let (server, _) = TestChild::server(&[
        "--data",
        &data,
        "--listen",
        "127.0.0.1:0",
        "--admin-socket",
        &socket,
        "--machine-registry",
        &name("machines.json"),
    ]);
    let ours = shown(&socket).expect("it is loaded at start");
    let load = |file: &str, more: &[&str]| {
        let file = name(file);
        let arguments = [&["--socket", &socket, "machines", "load", &file], more].concat();
        TestChild::run_with("svc-admin", &arguments, b"")
    };
    // The file would put itself back.
    load("other.json", &[]).refused(1, "follows the file");
    assert_eq!(shown(&socket).as_ref(), Some(&ours));
    assert_eq!(load("machines.json", &[]).code, 0, "what is in the file may be loaded");
    let loaded = load("other.json", &["--force"]);
    assert_eq!(loaded.code, 0, "{loaded:?}");
    assert_ne!(shown(&socket).as_ref(), Some(&ours));
    let seen = TestChild::run_with("svc-admin", &["--socket", &socket, "machines", "show"], b"");
    assert!(seen.code == 1 && seen.stdout.contains("another registry is in force"), "{seen:?}");
    server.signal("HUP");
    until("the file is in force again", async || (shown(&socket).as_ref() == Some(&ours)).then_some(())).await;
    server.signal("TERM");
    let (_, end) = tokio::task::spawn_blocking(move || server.wait()).await.unwrap();
    assert!(end.success(), "{end}");
}
