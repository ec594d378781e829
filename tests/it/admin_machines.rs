//! `svc-admin machines`, as a person or a script uses it.

use std::os::unix::fs::PermissionsExt;

use reqwest::Method;
use serde_json::{Value, json};
use svc_client::machine::{SecretKey, Signer};
use svc_test_macros::both_engines;
use tempfile::TempDir;

use crate::support::admin::svc_admin;
use crate::support::child::{Ran, TestChild};
use crate::support::machines::{TestMachine, registry};
use crate::support::server::TestServer;

/// Runs the command where no server is.
fn alone(arguments: &[&str]) -> Ran {
    let mut all = vec!["--socket", "/nonexistent/admin.sock", "machines"];
    all.extend(arguments);
    TestChild::run_with("svc-admin", &all, b"")
}

/// A file with this content, in a directory that goes with it.
async fn file(document: &str) -> (TempDir, String) {
    let place = TempDir::new().unwrap();
    let path = place.path().join("machines.json");
    tokio::fs::write(&path, document).await.unwrap();
    (place, path.display().to_string())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_document_is_checked_without_a_server() {
    let good = registry(&[&TestMachine::new("door")]);
    let (_place, path) = file(&good.to_string()).await;
    let said = alone(&["check", &path]).worked();
    assert!(said.contains("no faults") && said.contains("svc-brain"), "{said}");
    let checked = alone(&["check", &path, "--output", "json"]).json();
    assert_eq!((&checked["ok"], &checked["principals"], &checked["keys"]), (&json!(true), &json!(1), &json!(1)));

    let mut bad = good;
    bad["principals"][0]["keys"][0]["kid"] = json!("short");
    bad["principals"][0]["keys"][0]["\u{1b}[31m"] = json!(1);
    bad.as_object_mut().unwrap().remove("version");
    let (_place, path) = file(&bad.to_string()).await;
    let told = alone(&["check", &path]);
    assert_eq!(told.code, 1, "{told:?}");
    for words in ["/principals/0/keys/0/kid", "wrong_form", "missing_property", "unknown_property"] {
        assert!(told.stdout.contains(words), "{words} is not in {told:?}");
    }
    assert!(!told.stdout.contains('\x1b') && told.stderr.contains("3 faults"), "{told:?}");
    let told = alone(&["check", &path, "--output", "json"]);
    let checked: Value = serde_json::from_str(&told.stdout).unwrap();
    assert_eq!((told.code, checked["ok"].as_bool(), checked["faults"].as_array().unwrap().len()), (1, Some(false), 3));

    alone(&["check", "/nonexistent/machines.json"]).refused(1, "cannot be read");
    alone(&["show"]).refused(1, "/nonexistent/admin.sock");
}

#[both_engines]
async fn a_registry_is_loaded_and_shown(server: TestServer) {
    let nothing = svc_admin(&server, &["machines", "show"]).await;
    assert!(nothing.stderr.contains("machines load FILE"), "{nothing:?}");
    let door = TestMachine::new("door");
    let (_place, path) = file(&registry(&[&door]).to_string()).await;
    let loaded = svc_admin(&server, &["machines", "load", &path]).await;
    assert!(loaded.stderr.contains("is in force."), "{loaded:?}");
    let table = loaded.worked();
    assert!(table.contains("added") && table.contains("svc:sense:door"), "{table}");
    let again = svc_admin(&server, &["machines", "load", &path]).await;
    assert!(again.stderr.contains("nothing was changed"), "{again:?}");

    let (_place, other) = file(&registry(&[&door.clone().revoked()]).to_string()).await;
    let loaded = svc_admin(&server, &["machines", "load", &other, "--output", "json"]).await.json();
    assert_eq!(loaded["changes"]["keys_revoked"], json!(["svc:sense:door/door-key-1"]));
    let shown = svc_admin(&server, &["machines", "show", "--output", "json"]).await.json();
    assert_eq!(shown["registry"]["sha256"], loaded["registry"]["sha256"]);
    assert_eq!(shown["principals"][0]["revoked_keys"], 1);
    assert!(!shown.to_string().contains(&door.key.public_key_base64url()));
    let table = svc_admin(&server, &["machines", "show"]).await.worked();
    assert!(table.contains("svc:sense:door") && table.contains("enabled"), "{table}");

    let mut foreign = registry(&[&door]);
    foreign["audience"] = json!("svc-bell");
    let (_place, path) = file(&foreign.to_string()).await;
    svc_admin(&server, &["machines", "load", &path]).await.refused(1, "--audience svc-bell");
    let (_place, path) = file("{}").await;
    let refused = svc_admin(&server, &["machines", "load", &path]).await;
    assert!(refused.code == 1 && refused.stdout.contains("missing_property"), "{refused:?}");
    assert!(refused.stderr.contains("Nothing was changed"), "{refused:?}");
    let audited = svc_admin(&server, &["audit", "list", "--event", "registry_loaded", "--output", "json"]).await.json();
    assert_eq!(audited["entries"].as_array().unwrap().len(), 2);
    assert_eq!(audited["entries"][0]["surface"], "admin");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_registry_as_large_as_can_be_is_loaded() {
    let server = TestServer::sqlite().await;
    // Quotation marks take two bytes on their way to the server.
    let most = svc_core::limits::REGISTRY_MAX;
    let mut principals = Vec::new();
    let mut size = 200;
    for index in 0.. {
        let principal = json!({ "principal_id": format!("svc:bell:m{index}"), "enabled": true, "keys": [] });
        size += principal.to_string().len() + 1;
        if size > most {
            break;
        }
        principals.push(principal);
    }
    let count = principals.len();
    let mut document = registry(&[]);
    document["principals"] = principals.into();
    let (_place, path) = file(&document.to_string()).await;
    let loaded = svc_admin(&server, &["machines", "load", &path, "--output", "json"]).await.json();
    assert_eq!(loaded["registry"]["principals"], count);
    let (_place, path) = file(&format!("{document}{}", " ".repeat(most))).await;
    let refused = svc_admin(&server, &["machines", "load", &path]).await;
    assert!(refused.code == 1 && refused.stdout.contains("too_large"), "{refused:?}");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_that_was_made_is_ready_to_be_used() {
    let server = TestServer::sqlite().await;
    let made =
        alone(&["keygen", "--principal", "svc:sense:door-1", "--scope", "runtime-status:write", "--output", "json"]);
    let made = made.json();
    let kid = made["key"]["kid"].as_str().unwrap();
    assert_eq!(made["keyid"], format!("svc:sense:door-1/{kid}"));
    assert_eq!(made["key"]["scopes"], json!(["runtime-status:write"]));
    let mut document = registry(&[]);
    document["principals"] = json!([{ "principal_id": "svc:sense:door-1", "enabled": true, "keys": [made["key"]] }]);
    let (place, path) = file(&document.to_string()).await;
    svc_admin(&server, &["machines", "load", &path]).await.worked();
    let key: SecretKey = made["secret_key"].as_str().unwrap().parse().unwrap();
    let signer = Signer::new("svc:sense:door-1", kid, key).unwrap().with_clock(server.clock.clone());
    let mut request = server.unsigned(Method::PUT, "/api/machine/runtime-status", &json!({ "state": "running" }));
    signer.sign_reqwest(&mut request).unwrap();
    assert_eq!(server.client.execute(request).await.unwrap().status(), 200);

    let shown = alone(&["keygen", "--kid", "door-2026-01"]);
    assert!(shown.stderr.contains("\"kid\": \"door-2026-01\""), "{shown:?}");
    shown.shown_once().parse::<SecretKey>().unwrap();

    for pem in [false, true] {
        let out = place.path().join(format!("door-{pem}.key"));
        let path = out.display().to_string();
        let mut arguments = vec!["keygen", "--out", &path];
        if pem {
            arguments.push("--pem");
        }
        let made = alone(&arguments);
        let entry: Value = serde_json::from_str(&made.stdout).unwrap();
        let secret = tokio::fs::read_to_string(&out).await.unwrap();
        assert_eq!(out.metadata().unwrap().permissions().mode() & 0o777, 0o600);
        assert!(!format!("{made:?}").contains(secret.trim()), "{made:?}");
        if pem {
            assert!(secret.starts_with("-----BEGIN PRIVATE KEY-----\n"), "it has the wrong form");
        } else {
            let key: SecretKey = secret.parse().unwrap();
            assert_eq!(entry["public_key_base64url"], key.public_key_base64url());
        }
        alone(&arguments).refused(1, "does not exist yet");
    }
    alone(&["keygen", "--kid", "short"]).refused(2, "8 to 64");
    alone(&["keygen", "--principal", "door"]).refused(2, "svc:sense:NAME");
    server.stop().await;
}
