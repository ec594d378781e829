//! Clients that nobody uses: they go after a while, their number is bounded, and it is told.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use svc_core::audit::AuditFilter;
use svc_core::db::{Engine, Tx};
use svc_core::oauth::{ClientAuthMethod, GrantType, NewClient};
use svc_core::{Caller, Page, Result, limits};
use svc_test_macros::both_engines;

use crate::support::hub::TestHub;
use crate::support::oauth::{BACK, VERIFIER, owner_of, public_client as public_client_of, tokens};
use crate::support::oauth_http::{allow, asked, location, parameter, post, public_client, refused, register, submit};
use crate::support::server::TestServer;
use crate::support::store::work_once;

const DEVICE_GRANT: &str = "urn:ietf:params:oauth:grant-type:device_code";

/// One round of the worker that removes what has ended.
async fn sweep(test: &TestServer) {
    work_once(&test.hub, "oauth_sweep").await;
}

/// Whether the token endpoint knows a client: one that it knows hears about the token that it sends.
async fn is_known(test: &TestServer, client_id: &str) -> bool {
    let ask = [("grant_type", "refresh_token"), ("refresh_token", "x"), ("client_id", client_id)];
    let answer = post(test, "/oauth/token", &ask).await;
    let known = answer.status() == 400;
    if known {
        refused(answer, 400, "invalid_grant").await;
    } else {
        refused(answer, 401, "invalid_client").await;
    }
    known
}

async fn reasons(test: &TestServer) -> Vec<(String, String)> {
    let filter = AuditFilter { event: Some("client_changed".into()), ..AuditFilter::default() };
    let entries = test.hub.audit().list(&Caller::root(), filter).await.unwrap();
    let reason =
        |entry: svc_core::audit::AuditEntry| Some((entry.client_id?, entry.details["reason"].as_str()?.to_owned()));
    entries.into_iter().filter_map(reason).collect()
}

/// As many clients as there may be, the oldest first: `c1`, `c2` and so on.
async fn fill(tx: &mut Tx) -> Result<u64> {
    let most = limits::OAUTH_CLIENTS_MAX;
    let (numbers, list) = match tx.engine() {
        Engine::Sqlite => (
            format!("WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < {most})"),
            "'[]'",
        ),
        Engine::Postgres => (format!("WITH numbers (n) AS (SELECT generate_series(1, {most}))"), "CAST('[]' AS jsonb)"),
    };
    let grants = list.replace("[]", r#"["refresh_token"]"#);
    let begun = tx.now().minus(Duration::from_hours(1)).as_micros();
    tx.query(format!(
        "{numbers} INSERT INTO oauth_clients
            (client_id, source, name, token_endpoint_auth_method, redirect_uris, grant_types, created_at)
         SELECT 'c' || n, 'registered', 'c', 'none', {list}, {grants}, {begun} + n FROM numbers"
    ))
    .execute()
    .await
}

#[both_engines]
async fn a_client_that_nobody_lets_in_goes_after_a_day(test: TestServer) {
    let ann = test.person("ann").await;
    test.create_agent(&ann, "builder").await;
    let forgotten = public_client(&test).await;
    let used = public_client(&test).await;
    let back = location(&allow(&test, &ann, asked(&test, &used), "builder").await);
    let code = parameter(&back, "code").unwrap();
    let exchange =
        [("grant_type", "authorization_code"), ("code", &code), ("client_id", &used), ("code_verifier", VERIFIER)];
    let issued: Value = post(&test, "/oauth/token", &exchange).await.json().await.unwrap();
    let metadata =
        json!({ "client_name": "Telly", "grant_types": [DEVICE_GRANT], "token_endpoint_auth_method": "none" });
    let device = register(&test, metadata).await["client_id"].as_str().unwrap().to_owned();
    let begun: Value =
        post(&test, "/oauth/device_authorization", &[("client_id", &device)]).await.json().await.unwrap();
    let answer = [
        ("user_code", begun["user_code"].as_str().unwrap().to_owned()),
        ("decision", "allow".into()),
        ("agent", "builder".into()),
    ];
    assert_eq!(submit(&test, &ann, "/device", &answer).await.status(), 200);
    let new = NewClient {
        name: "Nightly".into(),
        auth_method: ClientAuthMethod::ClientSecretBasic,
        grant_types: vec![GrantType::ClientCredentials],
        redirect_uris: Vec::new(),
        agent: Some("builder".into()),
    };
    let of_admin = test.hub.oauth().clients().create(&Caller::root(), new).await.unwrap().client.client_id;
    test.clock.advance(limits::OAUTH_CLIENT_UNUSED);
    sweep(&test).await;
    assert!(is_known(&test, &forgotten).await, "it has its day");
    test.clock.advance(Duration::from_millis(1));
    sweep(&test).await;
    sweep(&test).await;
    assert!(!is_known(&test, &forgotten).await);
    assert!(is_known(&test, &device).await);
    let again = [
        ("grant_type", "refresh_token"),
        ("refresh_token", issued["refresh_token"].as_str().unwrap()),
        ("client_id", &used),
    ];
    assert_eq!(post(&test, "/oauth/token", &again).await.status(), 200);
    let clients = test.hub.oauth().clients().list(&Caller::root(), Page::default()).await.unwrap();
    assert!(clients.total == 3 && clients.clients.iter().any(|client| client.client_id == of_admin));
    assert_eq!(reasons(&test).await, [(forgotten, "unused".to_owned())]);
    let metrics = test.get("/metrics").await.text().await.unwrap();
    assert!(metrics.lines().any(|line| line == "oauth_clients_removed_total 1"), "{metrics}");
    test.stop().await;
}

#[both_engines]
async fn a_client_of_which_nothing_is_left_goes_after_three_months(test: TestHub) {
    let ann = owner_of(&test.hub, "ann", "builder").await;
    let client = public_client_of(&test.hub).await;
    tokens(&test.hub, &ann, &client, "builder").await;
    test.clock.advance(limits::OAUTH_CLIENT_ABANDONED);
    test.run_worker("oauth_sweep").await;
    assert_eq!(test.number("SELECT count(*) FROM oauth_clients").await, 1);
    // Whoever was let in again stays.
    let another = public_client_of(&test.hub).await;
    tokens(&test.hub, &ann, &another, "builder").await;
    test.clock.advance(Duration::from_millis(1));
    test.run_worker("oauth_sweep").await;
    assert_eq!(test.hub.oauth().clients().get(&client.client_id).await.unwrap_err().code(), "invalid_client");
    assert!(test.hub.oauth().clients().get(&another.client_id).await.is_ok());
}

#[both_engines]
async fn the_oldest_that_nobody_lets_in_give_way(test: TestServer) {
    test.hub.db().write((), |tx, ()| Box::pin(fill(tx))).await.unwrap();
    assert!(is_known(&test, "c1").await);
    let newest = public_client(&test).await;
    assert!(!is_known(&test, "c1").await);
    assert!(is_known(&test, "c2").await && is_known(&test, &newest).await);
    assert_eq!(reasons(&test).await, [("c1".to_owned(), "too_many".to_owned())]);
    // When all are in use, nobody has to go for a stranger.
    let in_use = "UPDATE oauth_clients SET approved_at = created_at";
    test.execute(in_use).await;
    let metadata = json!({ "redirect_uris": [BACK], "token_endpoint_auth_method": "none" });
    let answer = test.request(Method::POST, "/oauth/register").json(&metadata).send().await.unwrap();
    refused(answer, 503, "temporarily_unavailable").await;
    assert!(is_known(&test, "c2").await);
    // Once they have been left alone for a day, one of them does.
    test.clock.advance(limits::OAUTH_CLIENT_UNUSED);
    public_client(&test).await;
    assert!(!is_known(&test, "c2").await);
    test.stop().await;
}
