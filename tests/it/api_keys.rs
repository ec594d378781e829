//! Managed keys: their limits, their end, and what a wrong one gets.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use svc_core::clock::Clock;
use svc_test_macros::both_engines;

use crate::support::server::{TestServer, problem};

/// A key with the public half of another, a secret of its own, and a checksum that fits: six of 62
/// letters for the CRC-32 of everything before them.
fn with_other_secret(key: &str) -> String {
    const LETTERS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    let mut forged = format!("{}{}", &key[..17], "x".repeat(43));
    let mut rest = crc32fast::hash(forged.as_bytes());
    let mut checksum = Vec::new();
    for _ in 0..6 {
        checksum.push(char::from(LETTERS[rest as usize % 62]));
        rest /= 62;
    }
    forged.extend(checksum.iter().rev());
    forged
}

#[both_engines]
async fn a_key_does_what_it_may_and_no_more(test: TestServer) {
    let ann = test.person("ann").await;
    test.create_agent(&ann, "builder").await;
    let status = async |key: &str, method: Method, path: &str, body: Value| {
        test.request_with(key, method, path).json(&body).send().await.unwrap().status().as_u16()
    };
    let (id, read) = test.create_key(&ann, json!({ "name": "reader", "permissions": ["read"] })).await;
    assert_eq!(status(&read, Method::GET, "/api/agents", json!({})).await, 200);
    let refused =
        test.request_with(&read, Method::POST, "/api/agents").json(&json!({ "name": "more" })).send().await.unwrap();
    let refused = problem(refused, 403, "permission_denied").await;
    assert!(refused["detail"].as_str().unwrap().contains("admin"));
    let (_, admin) = test.create_key(&ann, json!({ "name": "boss", "permissions": ["admin"] })).await;
    assert_eq!(status(&admin, Method::POST, "/api/agents", json!({ "name": "second" })).await, 201);
    // A key for an agent acts as that agent.
    let (_, agent) =
        test.create_key(&ann, json!({ "name": "b", "agent": "builder", "permissions": ["read", "write"] })).await;
    let who: Value = test.request_with(&agent, Method::GET, "/api/whoami").send().await.unwrap().json().await.unwrap();
    assert_eq!(
        (&who["handle"], &who["kind"], &who["permissions"]),
        (&json!("builder"), &json!("agent"), &json!(["read", "write"]))
    );
    // A key for channels makes nothing that is wider.
    let (_, limited) =
        test.create_key(&ann, json!({ "name": "c", "permissions": ["admin"], "allowed_channels": ["general"] })).await;
    let widened = test
        .request_with(&limited, Method::POST, "/api/keys")
        .json(&json!({ "name": "x", "permissions": ["admin"] }))
        .send()
        .await
        .unwrap();
    problem(widened, 403, "channel_not_allowed").await;
    // What needs a login takes no key.
    problem(test.request_with(&admin, Method::GET, "/auth/me").send().await.unwrap(), 403, "session_required").await;
    // Revoked means at once, and stays visible as such.
    let path = format!("/api/keys/{id}");
    assert_eq!(test.request_as(&ann, Method::DELETE, &path).send().await.unwrap().status(), 204);
    problem(test.request_with(&read, Method::GET, "/api/agents").send().await.unwrap(), 401, "token_revoked").await;
    let key: Value = test.request_as(&ann, Method::GET, &path).send().await.unwrap().json().await.unwrap();
    assert_eq!(key["status"], "revoked");
    assert_eq!(test.request_as(&ann, Method::DELETE, &path).send().await.unwrap().status(), 204);
    let list: Value =
        test.request_as(&ann, Method::GET, "/api/keys?status=active").send().await.unwrap().json().await.unwrap();
    assert_eq!(list["total"], 3);
    assert!(!list.to_string().contains(&admin), "a list shows no key");
    test.stop().await;
}

#[both_engines]
async fn a_key_ends_at_its_second(test: TestServer) {
    let ann = test.person("ann").await;
    let end = test.clock.now().plus(Duration::from_mins(1));
    let (_, key) = test.create_key(&ann, json!({ "name": "short", "permissions": ["read"], "expires_at": end })).await;
    test.clock.advance(Duration::from_secs(59));
    assert_eq!(test.request_with(&key, Method::GET, "/api/whoami").send().await.unwrap().status(), 200);
    test.clock.advance(Duration::from_secs(1));
    problem(test.request_with(&key, Method::GET, "/api/whoami").send().await.unwrap(), 401, "token_expired").await;
    // What a key with an end makes has no later one.
    let end = test.clock.now().plus(Duration::from_mins(1));
    let (_, brief) =
        test.create_key(&ann, json!({ "name": "brief", "permissions": ["admin"], "expires_at": end })).await;
    for later in [json!(null), json!(end.plus(Duration::from_secs(1)))] {
        let body = json!({ "name": "longer", "permissions": ["admin"], "expires_at": later });
        let answer = test.request_with(&brief, Method::POST, "/api/keys").json(&body).send().await.unwrap();
        let refused = problem(answer, 400, "validation_failed").await;
        assert_eq!(refused["errors"][0]["field"], "expires_at");
    }
    let same = json!({ "name": "same", "permissions": ["admin"], "expires_at": end });
    assert_eq!(test.request_with(&brief, Method::POST, "/api/keys").json(&same).send().await.unwrap().status(), 201);
    let agent = test
        .request_with(&brief, Method::POST, "/api/agents")
        .json(&json!({ "name": "builder" }))
        .send()
        .await
        .unwrap();
    problem(agent, 403, "key_expires").await;
    test.clock.advance(Duration::from_mins(2));
    let body = json!({ "name": "past", "permissions": ["read"], "expires_at": end });
    let refused = problem(
        test.request_as(&ann, Method::POST, "/api/keys").json(&body).send().await.unwrap(),
        400,
        "validation_failed",
    )
    .await;
    assert_eq!(refused["errors"][0]["field"], "expires_at");
    test.stop().await;
}

#[both_engines]
async fn a_wrong_key_is_nobodys(test: TestServer) {
    let ann = test.person("ann").await;
    let key = test.create_agent(&ann, "builder").await;
    let other = test.create_agent(&ann, "other").await;
    // One letter changed.
    for place in [5, 12, 20, 40, key.len() - 1] {
        let mut changed = key.clone();
        let letter = if &key[place..=place] == "a" { "b" } else { "a" };
        changed.replace_range(place..=place, letter);
        problem(test.request_with(&changed, Method::GET, "/api/whoami").send().await.unwrap(), 401, "invalid_token")
            .await;
    }
    // Well formed, with the public half of a key that exists: only the secret is wrong.
    let forged = with_other_secret(&key);
    assert!(svc_core::auth::Token::parse(&forged).is_some() && forged[..17] == key[..17]);
    problem(test.request_with(&forged, Method::GET, "/api/whoami").send().await.unwrap(), 401, "invalid_token").await;
    let spliced = format!("{}{}", &key[..17], &other[17..]);
    for bad in [
        spliced.as_str(),
        "",
        "svca_",
        "svck_x",
        "Bearer",
        &"x".repeat(7000),
        "svct_0000",
        &key[1..],
        &format!("{key} "),
    ] {
        let answer = test.request_with(bad, Method::GET, "/api/whoami").send().await.unwrap();
        // A space at the end of a header is no part of it.
        let expected = if bad.trim() == key { 200 } else { 401 };
        assert_eq!(answer.status(), expected, "{bad}");
    }
    // A bad key is not rescued by a good cookie.
    let both = test.request_as(&ann, Method::GET, "/api/agents").bearer_auth("svca_wrong").send().await.unwrap();
    problem(both, 401, "invalid_token").await;
    test.stop().await;
}

#[both_engines]
async fn keys_of_others_are_not_there(test: TestServer) {
    let ann = test.person("ann").await;
    let bob = test.person("bob").await;
    test.create_agent(&ann, "builder").await;
    let (id, _) = test.create_key(&ann, json!({ "name": "ci", "permissions": ["read"] })).await;
    let path = format!("/api/keys/{id}");
    for method in [Method::GET, Method::DELETE] {
        problem(test.request_as(&bob, method, &path).send().await.unwrap(), 404, "not_found").await;
    }
    let theirs = json!({ "name": "x", "agent": "builder", "permissions": ["read"] });
    let refused = problem(
        test.request_as(&bob, Method::POST, "/api/keys").json(&theirs).send().await.unwrap(),
        400,
        "validation_failed",
    )
    .await;
    assert_eq!(refused["errors"][0]["field"], "agent");
    test.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_a_key_is_refused_by_its_fields() {
    let test = TestServer::sqlite().await;
    let ann = test.person("ann").await;
    let many: Vec<String> = (0..101).map(|n| format!("channel-{n}")).collect();
    for (body, field) in [
        (json!({ "permissions": ["read"] }), "name"),
        (json!({ "name": " ", "permissions": ["read"] }), "name"),
        (json!({ "name": "x".repeat(65), "permissions": ["read"] }), "name"),
        (json!({ "name": "a\u{202e}b", "permissions": ["read"] }), "name"),
        (json!({ "name": "a", "permissions": ["read"], "agent": "a\u{0}b" }), "agent"),
        (json!({ "name": "a", "permissions": ["read"], "allowed_channels": ["a\u{0}b"] }), "allowed_channels"),
        (json!({ "name": "a" }), "permissions"),
        (json!({ "name": "a", "permissions": [] }), "permissions"),
        (json!({ "name": "a", "permissions": ["root"] }), "permissions[0]"),
        (json!({ "name": "a", "permissions": ["read"], "allowed_channels": ["nowhere"] }), "allowed_channels"),
        (json!({ "name": "a", "permissions": ["read"], "allowed_channels": many }), "allowed_channels"),
        (json!({ "name": "a", "permissions": ["read"], "allowed_channel": ["general"] }), "allowed_channel"),
        (json!({ "name": "a", "permissions": ["read"], "expires_at": "2026-02-30T00:00:00Z" }), "expires_at"),
        (json!({ "name": "a", "permissions": ["read"], "agent": "nobody" }), "agent"),
    ] {
        let answer = test.request_as(&ann, Method::POST, "/api/keys").json(&body).send().await.unwrap();
        let refused = problem(answer, 400, "validation_failed").await;
        assert_eq!(refused["errors"][0]["field"], field, "{refused}");
    }
    problem(test.request_as(&ann, Method::GET, "/api/keys/x").send().await.unwrap(), 400, "validation_failed").await;
    test.stop().await;
}
