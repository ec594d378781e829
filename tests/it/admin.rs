//! The admin socket and its command line, against the server as it is shipped: the hub as a whole.

use svc_test_macros::both_engines;

use crate::support::admin::svc_admin;
use crate::support::child::TestChild;
use crate::support::server::TestServer;

#[both_engines]
async fn status_tells_how_the_hub_is(server: TestServer) {
    let status = svc_admin(&server, &["--output", "json", "status"]).await.json();
    assert_eq!(status["version"], env!("CARGO_PKG_VERSION"), "{status}");
    assert_eq!(status["engine"], server.hub.db().engine().as_str(), "{status}");
    assert_eq!(status["readiness"]["status"], "ready", "{status}");
    let table = svc_admin(&server, &["status"]).await.worked();
    assert!(table.contains("ready") && table.contains("session_sweep"), "{table}");
    server.stop().await;
}

#[both_engines]
async fn the_store_is_checked_vacuumed_and_migrated(server: TestServer) {
    assert!(svc_admin(&server, &["db", "check"]).await.worked().contains("The store is sound"));
    let report = svc_admin(&server, &["db", "check", "--output", "json"]).await.json();
    assert_eq!(report["ok"], true, "{report}");

    let vacuumed = svc_admin(&server, &["db", "vacuum", "--output", "json"]).await.json();
    assert!(vacuumed["bytes_before"].as_u64().unwrap() > 0 && vacuumed["bytes_after"].as_u64().unwrap() > 0);
    assert!(svc_admin(&server, &["db", "vacuum"]).await.worked().starts_with("The store has "));

    let migrated = svc_admin(&server, &["db", "migrate"]).await;
    assert!(migrated.stderr.contains("No migrations were missing"), "{migrated:?}");
    assert!(migrated.worked().contains("0001_foundation"));
    let migrations = svc_admin(&server, &["db", "migrate", "--output", "json"]).await.json();
    assert_eq!(migrations["applied_now"], 0);
    let all = migrations["migrations"].as_array().unwrap();
    assert_eq!(all.len(), svc_core::db::migration_names().len());
    assert!(all.iter().all(|migration| migration["applied_at"].is_string()), "{migrations}");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_does_not_run_is_told_with_the_path_that_was_tried() {
    let mut server = TestServer::sqlite().await;
    server.begin_to_stop();
    let socket = server.admin_socket().display().to_string();
    server.stopped().await;
    let (code, text) = TestChild::run("svc-admin", &["--socket", &socket, "status"]);
    assert_eq!(code, 1, "{text}");
    assert!(text.contains(&socket) && text.contains("is the server running?"), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_understood_is_refused_with_code_2() {
    let server = TestServer::sqlite().await;
    for arguments in [
        &["usres", "list"][..],
        &["users"],
        &["users", "list", "--limit", "many"],
        &["users", "set-role", "admin", "owner"],
        &["agents", "create", "bot"],
        &["keys", "revoke", "svca_x"],
        &["secrets", "set", "TOKEN"],
        &["audit", "list", "--since", "yesterday"],
        &["--output", "yaml", "status"],
    ] {
        svc_admin(&server, arguments).await.refused(2, "--help");
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn completions_need_no_server() {
    for shell in ["bash", "zsh", "fish"] {
        let script = TestChild::run_with("svc-admin", &["completions", shell], b"").worked();
        assert!(script.contains("rotate-key"), "{shell}");
    }
}
