//! Secrets of OAuth clients: which of them cost a hash, and what a wrong one leads to.

use std::sync::Arc;

use reqwest::{Method, Response};
use serde_json::json;
use svc_core::oauth::ClientClaim;
use svc_core::users::Role;
use svc_core::{Caller, HubConfig, limits};
use svc_test_macros::both_engines;
use tempfile::TempDir;

use crate::support::hub::TestHub;
use crate::support::oauth::{BACK, ask, code, confidential_client, exchange_of, owner_of, visit};
use crate::support::oauth_http::{encoded, refused, register};
use crate::support::people::PASSWORD;
use crate::support::server::TestServer;

/// A secret from before the checksum had a key, and its hash.
const OLD_SECRET: &str = "svcs_OldClientSecretThatIsFortyThreeLettersLong04RKipA";
const OLD_HASH: &str = "$2b$04$cZIRgqra8yL/EsKwUP98K.vddEDcpAz0nDAucRlnZbSgypuH.K6za";

/// What somebody makes up who knows the form of the older secrets, whose checksum everybody can compute.
fn made_up(number: usize) -> String {
    const LETTERS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    let body = format!("svcs_{number:0>43}");
    let mut crc = !0_u32;
    for byte in body.bytes() {
        crc = (0..8).fold(crc ^ u32::from(byte), |crc, _| (crc >> 1) ^ (0xedb8_8320 & (crc & 1).wrapping_neg()));
    }
    let mut rest = !crc;
    let mut sum = [0_u8; 6];
    for letter in sum.iter_mut().rev() {
        *letter = LETTERS[(rest % 62) as usize];
        rest /= 62;
    }
    body + std::str::from_utf8(&sum).unwrap()
}

/// Posts a form in the name of a client.
async fn post_as(test: &TestServer, address: &str, path: &str, (id, secret): (&str, &str)) -> Response {
    let pairs = [("grant_type", "refresh_token"), ("refresh_token", "svcr_x"), ("token", "svct_x")];
    let pairs: Vec<_> = pairs.iter().map(|(name, value)| (*name, (*value).to_owned())).collect();
    test.request(Method::POST, path)
        .header("X-Forwarded-For", address)
        .basic_auth(id, Some(secret))
        .header("Content-Type", "application/x-www-form-urlencoded")
        .body(encoded(&pairs))
        .send()
        .await
        .unwrap()
}

async fn make_client(test: &TestServer) -> (String, String) {
    let client = register(test, json!({ "client_name": "Service", "redirect_uris": [BACK] })).await;
    let word = |field: &str| client[field].as_str().unwrap().to_owned();
    (word("client_id"), word("client_secret"))
}

/// Turns a client into one from before the checksum had a key.
async fn age(test: &TestServer, id: &str) {
    test.hub
        .db()
        .write(id.to_owned(), |tx, id| {
            Box::pin(
                tx.query("UPDATE oauth_clients SET secret_format = 'public', secret_hash = $2 WHERE client_id = $1")
                    .bind(id.as_str())
                    .bind(OLD_HASH)
                    .execute(),
            )
        })
        .await
        .unwrap();
}

#[both_engines]
async fn wrong_secrets_are_attempts_to_get_in_and_keep_nobody_else_out(test: TestServer) {
    test.create_user("ann", Role::User).await;
    let (id, secret) = make_client(&test).await;
    let of_another = make_client(&test).await.1;
    let paths = ["/oauth/token", "/oauth/introspect", "/oauth/revoke"];
    for attempt in 0..=limits::LOGIN_ATTEMPTS as usize {
        let wrong = [made_up(attempt), of_another.clone(), format!("{secret}x"), String::new()];
        let path = paths[attempt % paths.len()];
        refused(post_as(&test, "203.0.113.9", path, (&id, &wrong[attempt % wrong.len()])).await, 401, "invalid_client")
            .await;
    }
    for path in paths {
        let waiting = post_as(&test, "203.0.113.9", path, (&id, &made_up(99))).await;
        assert_eq!(waiting.headers()["retry-after"], "1");
        refused(waiting, 429, "temporarily_unavailable").await;
    }
    // Ids that nobody has are attempts too, together.
    for number in 0..=limits::LOGIN_ATTEMPTS {
        let nobody = format!("nobody_{number}");
        refused(post_as(&test, "198.51.100.9", "/oauth/token", (&nobody, &made_up(1))).await, 401, "invalid_client")
            .await;
    }
    refused(post_as(&test, "198.51.100.9", "/oauth/token", ("nobody", "x")).await, 429, "temporarily_unavailable")
        .await;
    // Who has the secret does not wait for those who make one up, and neither do people.
    refused(post_as(&test, "203.0.113.9", "/oauth/token", (&id, &secret)).await, 400, "invalid_grant").await;
    assert_eq!(post_as(&test, "203.0.113.9", "/oauth/introspect", (&id, &secret)).await.status(), 200);
    let login = test.request(Method::POST, "/auth/login").header("X-Forwarded-For", "203.0.113.9");
    let login = login.json(&json!({ "username": "ann", "password": PASSWORD })).send().await.unwrap();
    assert_eq!(login.status(), 200);
    test.stop().await;
}

#[both_engines]
async fn a_secret_from_before_works_and_is_guarded_more_closely(test: TestServer) {
    let (id, secret) = make_client(&test).await;
    age(&test, &id).await;
    assert_eq!(post_as(&test, "203.0.113.9", "/oauth/introspect", (&id, OLD_SECRET)).await.status(), 200);
    // Its secret is the old one now, and others of the old form are looked at a few times only.
    refused(post_as(&test, "203.0.113.9", "/oauth/introspect", (&id, &secret)).await, 401, "invalid_client").await;
    for number in 0..limits::LOGIN_ATTEMPTS as usize {
        refused(post_as(&test, "203.0.113.9", "/oauth/token", (&id, &made_up(number))).await, 401, "invalid_client")
            .await;
    }
    refused(post_as(&test, "203.0.113.9", "/oauth/token", (&id, &made_up(7))).await, 429, "temporarily_unavailable")
        .await;
    // It was verified a moment ago, so it does not wait even there; elsewhere it never does.
    assert_eq!(post_as(&test, "203.0.113.9", "/oauth/introspect", (&id, OLD_SECRET)).await.status(), 200);
    test.clock.advance(limits::OAUTH_SECRET_CACHE);
    assert_eq!(post_as(&test, "192.0.2.1", "/oauth/introspect", (&id, OLD_SECRET)).await.status(), 200);
    // A client that was made since takes nothing of the old form.
    let (newer, _) = make_client(&test).await;
    refused(post_as(&test, "192.0.2.1", "/oauth/introspect", (&newer, OLD_SECRET)).await, 401, "invalid_client").await;
    test.stop().await;
}

#[both_engines]
async fn every_node_knows_the_secrets_of_the_hub_and_none_knows_a_deleted_client(test: TestHub) {
    let ann = owner_of(&test.hub, "ann", "builder").await;
    let (client, claim) = confidential_client(&test.hub).await;
    // A node with another data directory has another key for what it seals.
    let elsewhere = TempDir::new().unwrap();
    let config =
        HubConfig { data: elsewhere.path().to_owned(), store: Some(test.config.store_url()), ..test.config.clone() };
    let files = Arc::new(svc_core::attachments::ObjectBlobs::at(&test.config.data.join("blobs")).await.unwrap());
    let other = svc_core::Hub::builder(config).clock(test.clock.clone()).blobs(files).open().await.unwrap();
    for hub in [&test.hub, &other] {
        let code = code(hub, &ann, &client, "builder").await;
        assert!(ask(hub, &claim, exchange_of(&code)).await.is_ok());
    }
    test.hub.oauth().clients().delete(&Caller::root(), &client.client_id).await.unwrap();
    for hub in [&test.hub, &other] {
        let gone = hub.oauth().introspect(&claim, "svct_x", &visit()).await;
        assert_eq!(gone.unwrap_err().code(), "invalid_client");
    }
    other.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn people_log_in_while_clients_show_wrong_secrets() {
    // Without waits, and with a hash that takes a while: what is left is the queue.
    let test = TestServer::start(|config| {
        config.hub.login_attempts = 0;
        config.hub.bcrypt_cost = 8;
    })
    .await;
    test.create_user("ann", Role::User).await;
    let (client, aged) = (make_client(&test).await.0, make_client(&test).await.0);
    age(&test, &aged).await;
    let flood: Vec<_> = (0..limits::PASSWORD_QUEUE * 3)
        .map(|number| {
            let (hub, id) = (test.hub.clone(), if number % 2 == 0 { client.clone() } else { aged.clone() });
            let claim = ClientClaim { client_id: Some(id), secret: Some(made_up(number)) };
            tokio::spawn(async move { hub.oauth().introspect(&claim, "svct_x", &visit()).await.unwrap_err().code() })
        })
        .collect();
    for _ in 0..8 {
        assert_eq!(test.try_log_in("ann", PASSWORD).await.status(), 200);
    }
    for one in flood {
        let code = one.await.unwrap();
        assert!(["invalid_client", "client_busy"].contains(&code), "{code}");
    }
    test.stop().await;
}
