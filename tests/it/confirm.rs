//! Giving the password again before a key is made, and ending keys with a password.

use std::time::Duration;

use reqwest::{Method, Response};
use serde_json::{Value, json};
use svc_core::audit::AuditFilter;
use svc_core::{Caller, Page, limits};
use svc_test_macros::both_engines;

use crate::support::oauth;
use crate::support::people::{PASSWORD, Person};
use crate::support::server::{TestServer, problem};

async fn confirm(test: &TestServer, person: &Person, password: &str) -> Response {
    test.ask(person, Method::POST, "/auth/confirm", json!({ "password": password })).await
}

async fn make_key(test: &TestServer, person: &Person) -> Response {
    test.ask(person, Method::POST, "/api/keys", json!({ "name": "ci", "permissions": ["read"] })).await
}

async fn rotate(test: &TestServer, person: &Person) -> Response {
    test.ask(person, Method::POST, "/api/agents/builder/rotate-key", json!({})).await
}

#[both_engines]
async fn a_login_that_began_a_while_ago_makes_no_keys_without_the_password(test: TestServer) {
    let ann = test.person("ann").await;
    test.create_agent(&ann, "builder").await;
    let (_, key) = test.create_key(&ann, json!({ "name": "mine", "permissions": ["admin"] })).await;
    test.clock.advance(limits::LOGIN_CONFIRMED.checked_sub(Duration::from_secs(1)).unwrap());
    assert_eq!(make_key(&test, &ann).await.status(), 201);
    test.clock.advance(Duration::from_secs(1));
    let fresh = test.log_in("ann").await;
    for refused in [make_key(&test, &ann).await, rotate(&test, &ann).await] {
        let told = problem(refused, 403, "password_required").await;
        assert!(told["detail"].as_str().unwrap().contains("POST /auth/confirm"), "{told}");
    }
    // What makes no key of its own accord is as it was, and so are keys and other logins.
    assert_eq!(test.ask(&ann, Method::POST, "/api/agents", json!({ "name": "tester" })).await.status(), 201);
    let body = json!({ "name": "by key", "permissions": ["read"] });
    assert_eq!(test.request_with(&key, Method::POST, "/api/keys").json(&body).send().await.unwrap().status(), 201);
    let path = "/api/agents/builder/rotate-key";
    assert_eq!(test.request_with(&key, Method::POST, path).json(&json!({})).send().await.unwrap().status(), 200);
    assert_eq!(make_key(&test, &fresh).await.status(), 201);
    assert_eq!(confirm(&test, &ann, PASSWORD).await.status(), 204);
    assert_eq!(make_key(&test, &ann).await.status(), 201);
    assert_eq!(rotate(&test, &ann).await.status(), 200);
    test.clock.advance(limits::LOGIN_CONFIRMED);
    problem(make_key(&test, &ann).await, 403, "password_required").await;
    // It is this login that was confirmed, and no other.
    assert_eq!(confirm(&test, &ann, PASSWORD).await.status(), 204);
    problem(make_key(&test, &fresh).await, 403, "password_required").await;
    // Whoever changes the password has given it.
    test.clock.advance(limits::LOGIN_CONFIRMED);
    let change = json!({ "current_password": PASSWORD, "new_password": "another password" });
    assert_eq!(test.ask(&ann, Method::PUT, "/auth/password", change).await.status(), 204);
    assert_eq!(make_key(&test, &ann).await.status(), 201);
    test.stop().await;
}

#[both_engines]
async fn guessing_with_a_stolen_login_has_to_wait(test: TestServer) {
    let ann = test.person("ann").await;
    for _ in 0..=limits::LOGIN_ATTEMPTS {
        problem(confirm(&test, &ann, "a wrong guess").await, 401, "invalid_credentials").await;
    }
    let waiting = confirm(&test, &ann, PASSWORD).await;
    assert_eq!(waiting.headers()["retry-after"], "1");
    problem(waiting, 429, "too_many_attempts").await;
    let change = json!({ "current_password": PASSWORD, "new_password": "another password" });
    problem(test.ask(&ann, Method::PUT, "/auth/password", change).await, 429, "too_many_attempts").await;
    // At the door nobody waits for that.
    let again = test.log_in("ann").await;
    test.clock.advance(Duration::from_secs(1));
    assert_eq!(confirm(&test, &again, PASSWORD).await.status(), 204);
    let (_, key) = test.create_key(&ann, json!({ "name": "k", "permissions": ["admin"] })).await;
    let by_key = test.request_with(&key, Method::POST, "/auth/confirm").json(&json!({ "password": PASSWORD }));
    problem(by_key.send().await.unwrap(), 403, "session_required").await;
    let entries = test.hub.audit().list(&Caller::root(), AuditFilter::default()).await.unwrap();
    assert!(entries.iter().any(|entry| entry.event == "login_failure" && entry.username.as_deref() == Some("ann")));
    test.stop().await;
}

#[both_engines]
async fn a_new_password_ends_keys_and_grants_when_asked_to(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    let agent_key = test.create_agent(&ann, "builder").await;
    let (_, own) = test.create_key(&ann, json!({ "name": "own", "permissions": ["read"] })).await;
    let (_, acting) =
        test.create_key(&ann, json!({ "name": "acting", "agent": "builder", "permissions": ["read"] })).await;
    let (_, others) = test.create_key(&bob, json!({ "name": "others", "permissions": ["read"] })).await;
    let caller = test.caller(&ann).await;
    let client = oauth::public_client(&test.hub).await;
    let tokens = oauth::tokens(&test.hub, &caller, &client, "builder").await;
    // The token is for /mcp.
    let token_works = async || test.hub.auth().bearer_at(tokens.access_token.reveal(), "/mcp").await.is_ok();
    let works =
        async |key: &str| test.request_with(key, Method::GET, "/api/whoami").send().await.unwrap().status() == 200;
    let change = async |body: Value| {
        assert_eq!(test.ask(&ann, Method::PUT, "/auth/password", body).await.status(), 204);
    };
    change(json!({ "current_password": PASSWORD, "new_password": "the second password" })).await;
    assert!(works(&own).await && works(&acting).await && token_works().await);
    change(
        json!({ "current_password": "the second password", "new_password": "the third password", "end_keys": true }),
    )
    .await;
    assert!(!token_works().await);
    for ended in [&own, &acting] {
        let refused = test.request_with(ended, Method::GET, "/api/whoami").send().await.unwrap();
        problem(refused, 401, "token_revoked").await;
    }
    assert!(oauth::refresh(&test.hub, &client, &tokens).await.is_err());
    assert_eq!(test.hub.oauth().grants(&caller, Page::default()).await.unwrap().total, 0);
    // The agent's own key, and what is somebody else's, go on.
    assert!(works(&agent_key).await && works(&others).await);
    let entries = test.hub.audit().list(&Caller::root(), AuditFilter::default()).await.unwrap();
    let revoked = entries.iter().filter(|entry| entry.event == "token_revoked");
    let mut kinds: Vec<_> = revoked.map(|entry| entry.details["kind"].as_str().unwrap().to_owned()).collect();
    kinds.sort();
    assert_eq!(kinds, ["api_key", "api_key", "oauth"]);
    let odd = json!({ "current_password": "x", "new_password": "a new password", "end_keys": "yes" });
    problem(test.ask(&ann, Method::PUT, "/auth/password", odd).await, 400, "validation_failed").await;
    test.stop().await;
}
