//! `svc-admin clients`, against the server as it is shipped.

use reqwest::Method;
use serde_json::{Value, json};
use svc_test_macros::both_engines;

use crate::support::admin::svc_admin;
use crate::support::server::TestServer;

/// Asks for a token with nothing but the client's own secret.
async fn token(server: &TestServer, id: &str, secret: &str) -> (u16, Value) {
    let request = server
        .request(Method::POST, "/oauth/token")
        .basic_auth(id, Some(secret))
        .header("content-type", "application/x-www-form-urlencoded")
        .body("grant_type=client_credentials");
    let answer = request.send().await.unwrap();
    (answer.status().as_u16(), answer.json().await.unwrap())
}

#[both_engines]
async fn a_client_acts_as_its_agent_until_it_is_deleted(server: TestServer) {
    svc_admin(&server, &["users", "create", "ann"]).await.shown_once();
    svc_admin(&server, &["agents", "create", "builder", "--owner", "ann"]).await.shown_once();
    let create = ["clients", "create", "Build server", "--agent", "builder"];
    let ran = svc_admin(&server, &create).await;
    let id = ran
        .stderr
        .split_whitespace()
        .find(|word| word.starts_with("client_"))
        .unwrap()
        .trim_end_matches(';')
        .to_owned();
    let secret = ran.shown_once();
    assert!(secret.starts_with("svcs_"), "{secret}");
    let (status, answer) = token(&server, &id, &secret).await;
    assert_eq!(status, 200, "{answer}");
    let caller = server.hub.auth().bearer(answer["access_token"].as_str().unwrap()).await.unwrap();
    assert_eq!(caller.owner_name(), Some("ann"));

    let table = svc_admin(&server, &["clients", "list"]).await.worked();
    assert!(table.contains(&id) && table.contains("itself") && !table.contains(&secret), "{table}");
    svc_admin(&server, &["clients", "delete", &id]).await.refused(2, "--yes");
    assert_eq!(svc_admin(&server, &["clients", "delete", &id, "--yes"]).await.worked(), format!("{id} is deleted.\n"));
    assert_eq!(token(&server, &id, &secret).await.0, 401);
    assert!(server.hub.auth().bearer(answer["access_token"].as_str().unwrap()).await.is_err());
    svc_admin(&server, &["clients", "delete", &id, "--yes"]).await.refused(1, "clients list");
    server.stop().await;
}

#[both_engines]
async fn a_client_without_a_secret_prints_its_id(server: TestServer) {
    let empty = svc_admin(&server, &["clients", "list"]).await;
    assert!(empty.stdout.is_empty() && empty.stderr.contains("clients create"), "{empty:?}");
    let public = [
        "clients",
        "create",
        "Portal",
        "--redirect-uri",
        "https://portal.example.org/callback",
        "--auth-method",
        "none",
    ];
    let ran = svc_admin(&server, &public).await;
    assert!(ran.stderr.contains("has no secret"), "{ran:?}");
    let id = ran.worked().trim_end().to_owned();
    assert!(id.starts_with("client_"), "{id}");
    let made = svc_admin(&server, &["clients", "create", "Tv", "--device", "--output", "json"]).await.json();
    assert!(made["client_secret"].as_str().unwrap().starts_with("svcs_"), "{made}");
    let listed = svc_admin(&server, &["clients", "list", "--output", "json"]).await.json();
    assert_eq!(listed["total"], 2);
    assert!(!listed.to_string().contains("svcs_"), "{listed}");
    let portal = listed["clients"].as_array().unwrap().iter().find(|client| client["client_id"] == json!(id)).unwrap();
    assert_eq!((&portal["source"], &portal["token_endpoint_auth_method"]), (&json!("admin"), &json!("none")));
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_is_refused() {
    let server = TestServer::sqlite().await;
    svc_admin(&server, &["clients", "create", "x"]).await.refused(2, "Choose a grant type");
    svc_admin(&server, &["clients", "create", "x", "--agent", "bot"]).await.refused(1, "There is no agent \"bot\"");
    svc_admin(&server, &["clients", "create", "x", "--redirect-uri", "not an address"]).await.refused(1, "redirect");
    svc_admin(&server, &["clients", "create", "x", "--device", "--auth-method", "mtls"])
        .await
        .refused(2, "possible values");
    server.stop().await;
}
