//! Registering webhooks: whose they are, what is refused, secrets and their rotation.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use svc_core::workers::Progress;
use svc_test_macros::both_engines;

use crate::support::admin::svc_admin;
use crate::support::receiver::{Receiver, Reply};
use crate::support::server::{TestServer, faults, problem};

const URL: &str = "https://1.1.1.1/hook";

#[both_engines]
async fn an_owner_registers_changes_and_deletes_a_webhook(test: TestServer) {
    let ann = test.person("ann").await;
    test.create_agent(&ann, "scout").await;
    assert_eq!(test.look(&ann, "/api/webhooks").await, json!({ "webhooks": [], "total": 0 }));
    let made = test.hook(&ann, "scout", URL, &["message.mentioned", "message.received"]).await;
    let webhook = &made["webhook"];
    assert_eq!((&webhook["agent"], &webhook["url"]), (&json!("scout"), &json!(URL)));
    assert_eq!(webhook["events"], json!(["message.received", "message.mentioned"]));
    assert_eq!((&webhook["enabled"], &webhook["consecutive_failures"]), (&json!(true), &json!(0)));
    let secret = made["secret"].as_str().unwrap();
    assert!(secret.starts_with("whsec_"));
    let path = format!("/api/webhooks/{}", webhook["id"]);
    let shown = test.look(&ann, &path).await;
    assert_eq!(shown, json!({ "webhook": webhook, "attempts": [] }));
    assert_eq!(test.look(&ann, "/api/webhooks?agent=scout").await["webhooks"], json!([webhook]));
    assert_eq!(test.look(&ann, "/api/webhooks?agent=other").await["total"], 0);
    let changed =
        test.did(&ann, Method::PATCH, &path, json!({ "url": "https://1.1.1.1/other", "enabled": false })).await;
    assert_eq!((&changed["url"], &changed["disabled_reason"]), (&json!("https://1.1.1.1/other"), &json!("request")));
    test.did(&ann, Method::DELETE, &path, json!({})).await;
    problem(test.request_as(&ann, Method::GET, &path).send().await.unwrap(), 404, "not_found").await;
    // The audit log tells of each, without the path of the URL and without the secret.
    assert_eq!(test.number("SELECT count(*) FROM audit_log WHERE event = 'webhook_changed'").await, 3);
    let told = test.number("SELECT count(*) FROM audit_log WHERE CAST(details AS TEXT) LIKE '%/hook%'").await;
    assert_eq!(told, 0);
}

#[both_engines]
async fn a_webhook_belongs_to_its_agent_and_its_owner(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    let key = test.create_agent(&ann, "scout").await;
    let other = test.create_agent(&ann, "builder").await;
    let made = test.hook(&ann, "scout", URL, &["*"]).await;
    let path = format!("/api/webhooks/{}", made["webhook"]["id"]);
    for method in [Method::GET, Method::PATCH, Method::DELETE] {
        problem(test.ask(&bob, method.clone(), &path, json!({})).await, 404, "not_found").await;
        let asked = test.request_with(&other, method, &path).json(&json!({})).send().await.unwrap();
        problem(asked, 404, "not_found").await;
    }
    let body = json!({ "agent": "scout", "url": "https://1.1.1.1/bob", "events": ["*"] });
    problem(test.ask(&bob, Method::POST, "/api/webhooks", body).await, 404, "not_found").await;
    // Whose webhook it is is checked before its address.
    let body = json!({ "agent": "scout", "url": "https://10.0.0.1/", "events": ["*"] });
    problem(test.ask(&bob, Method::POST, "/api/webhooks", body).await, 404, "not_found").await;
    assert_eq!(test.look(&bob, "/api/webhooks").await["total"], 0);
    // The agent registers and lists its own, through MCP.
    let registered = test
        .tool(&key, "register_webhook", json!({ "url": "https://1.1.1.1/mine", "events": ["channel.message"] }))
        .await;
    assert!(registered["secret"].as_str().unwrap().starts_with("whsec_"), "{registered}");
    let listed = test.tool(&key, "list_webhooks", json!({})).await;
    assert_eq!(listed["webhooks"].as_array().unwrap().len(), 2);
    assert_eq!(test.tool(&other, "list_webhooks", json!({})).await["webhooks"], json!([]));
    let deleted = test.tool(&key, "delete_webhook", json!({ "id": registered["id"] })).await;
    assert_eq!(deleted["deleted"], registered["id"]);
    // They go with the agent.
    test.did(&ann, Method::DELETE, "/api/agents/scout", json!({})).await;
    assert_eq!(test.look(&ann, "/api/webhooks").await["total"], 0);
    assert_eq!(test.number("SELECT count(*) FROM webhooks WHERE deleted_at IS NULL").await, 0);
    let sweep = test.hub.workers().into_iter().find(|worker| worker.name() == "webhook_sweep").unwrap();
    while matches!(sweep.run_once().await.unwrap(), Progress::More) {}
    assert_eq!(test.number("SELECT count(*) FROM webhooks").await, 0);
}

#[both_engines]
async fn invalid_registrations_are_refused_by_field(test: TestServer) {
    let ann = test.person("ann").await;
    test.create_agent(&ann, "scout").await;
    let refused = async |body: Value| {
        let answer = problem(test.ask(&ann, Method::POST, "/api/webhooks", body).await, 400, "validation_failed").await;
        (faults(&answer)[0].to_owned(), answer["detail"].as_str().unwrap().to_owned())
    };
    let body = |url: &str, events: Value| json!({ "agent": "scout", "url": url, "events": events });
    let (field, detail) = refused(body(URL, json!(["message.sent"]))).await;
    assert!(field.starts_with("events"), "{field}");
    assert!(detail.contains("channel.message") && detail.contains("goal.changed"), "{detail}");
    assert_eq!(refused(body(URL, json!([]))).await.0, "events");
    for url in [
        "nothing",
        "ftp://example.org/",
        "https://user:word@example.org/",
        "https://example.org/#part",
        "https://example.org:22/",
        "https://10.0.0.1/",
        "https://169.254.169.254/latest",
        "https://192.168.1.1:8443/",
        "https://[fd00::1]/",
        "https://[::ffff:10.0.0.1]/",
        "https://[64:ff9b::808:808]/",
        "https://[2002:808:808::1]/",
        "https://0x0a000001/",
    ] {
        assert_eq!(refused(body(url, json!(["*"]))).await.0, "url", "{url}");
    }
    for secret in ["plain", "whsec_", "whsec_c2hvcnQ="] {
        let body = json!({ "agent": "scout", "url": URL, "events": ["*"], "secret": secret });
        assert_eq!(refused(body).await.0, "secret", "{secret}");
    }
    assert_eq!(refused(json!({ "url": URL, "events": ["*"] })).await.0, "agent");
    assert_eq!(refused(json!({ "agent": "scout", "url": URL, "events": ["*"], "colour": "red" })).await.0, "colour");
    // A URL once for each agent, and ten webhooks in all.
    for number in 0..10 {
        test.hook(&ann, "scout", &format!("{URL}/{number}"), &["*"]).await;
    }
    let eleventh = test.ask(&ann, Method::POST, "/api/webhooks", body(URL, json!(["*"]))).await;
    problem(eleventh, 409, "too_many_webhooks").await;
    let again = test.ask(&ann, Method::POST, "/api/webhooks", body("https://1.1.1.1/hook/3", json!(["*"]))).await;
    problem(again, 409, "webhook_exists").await;
    let list = test.look(&ann, "/api/webhooks").await;
    let path = format!("/api/webhooks/{}", list["webhooks"][0]["id"]);
    let taken = test.ask(&ann, Method::PATCH, &path, json!({ "url": "https://1.1.1.1/hook/3" })).await;
    problem(taken, 409, "webhook_exists").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn plain_text_and_private_networks_need_settings() {
    let test = TestServer::start(|config| {
        config.hub.webhooks.allow_http = false;
        config.hub.private_networks = "10.1.0.0/16".parse().unwrap();
    })
    .await;
    let ann = test.person("ann").await;
    test.create_agent(&ann, "scout").await;
    for (url, accepted) in [
        ("http://1.1.1.1/", false),
        ("https://127.0.0.1:8443/", false),
        ("https://localhost:8443/", false),
        ("https://10.2.0.1/", false),
        ("https://10.1.0.1/", true),
        ("https://1.1.1.1/", true),
    ] {
        let body = json!({ "agent": "scout", "url": url, "events": ["*"] });
        let answer = test.ask(&ann, Method::POST, "/api/webhooks", body).await;
        assert_eq!(answer.status() == 201, accepted, "{url}");
    }
    test.stop().await;
}

#[both_engines]
async fn a_rotated_secret_signs_together_with_the_old_one_for_a_day(test: TestServer) {
    let ann = test.person("ann").await;
    test.create_agent(&ann, "scout").await;
    let mut receiver = Receiver::start().await;
    let own = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    let body = json!({ "agent": "scout", "url": receiver.url, "events": ["*"], "secret": own });
    let made = test.did(&ann, Method::POST, "/api/webhooks", body).await;
    assert_eq!(made["secret"], own);
    let rotate = format!("/api/webhooks/{}/rotate-secret", made["webhook"]["id"]);
    let new = test.did(&ann, Method::POST, &rotate, json!({})).await["secret"].as_str().unwrap().to_owned();
    assert_ne!(new, own);
    test.say(&ann, json!({ "to": "scout", "body": "One." })).await;
    let received = receiver.next().await;
    assert!(received.is_signed_by(own) && received.is_signed_by(&new));
    assert_eq!(received.header("webhook-signature").split(' ').count(), 2);
    test.clock.advance(Duration::from_hours(24));
    let ann = test.log_in("ann").await;
    test.say(&ann, json!({ "to": "scout", "body": "Two." })).await;
    let received = receiver.next().await;
    assert!(received.is_signed_by(&new) && !received.is_signed_by(own));
    // Neither is in the store in plain text.
    let stored = test.number("SELECT count(*) FROM webhooks WHERE length(secret) < 40").await;
    assert_eq!(stored, 0);
}

#[both_engines]
async fn secrets_stay_valid_for_a_day_however_often_they_are_rotated(test: TestServer) {
    let ann = test.person("ann").await;
    test.create_agent(&ann, "scout").await;
    let mut receiver = Receiver::start().await;
    let made = test.hook(&ann, "scout", &receiver.url, &["*"]).await;
    let rotate = format!("/api/webhooks/{}/rotate-secret", made["webhook"]["id"]);
    let mut secrets = vec![made["secret"].as_str().unwrap().to_owned()];
    for number in 0..5 {
        let key = format!("rotation-{number}");
        let again = async || {
            let answer = test.request_as(&ann, Method::POST, &rotate).header("Idempotency-Key", &key);
            answer.json(&json!({})).send().await.unwrap().json::<Value>().await.unwrap()
        };
        let rotated = again().await;
        assert_eq!(again().await, rotated, "a repeated request rotates once");
        secrets.push(rotated["secret"].as_str().unwrap().to_owned());
    }
    problem(test.ask(&ann, Method::POST, &rotate, json!({})).await, 409, "too_many_rotations").await;
    test.say(&ann, json!({ "to": "scout", "body": "One." })).await;
    let received = receiver.next().await;
    assert!(secrets.iter().all(|secret| received.is_signed_by(secret)));
    // What cannot be opened is left out, and rotating replaces it.
    let break_secrets = async |text: &'static str| {
        let broken = test.hub.db().write(text, |tx, text| Box::pin(tx.query(*text).bind(vec![0_u8; 50]).execute()));
        broken.await.unwrap();
    };
    break_secrets("UPDATE webhook_old_secrets SET secret = $1").await;
    test.say(&ann, json!({ "to": "scout", "body": "Two." })).await;
    let received = receiver.next().await;
    assert_eq!(received.header("webhook-signature").split(' ').count(), 1);
    assert!(received.is_signed_by(&secrets[5]));
    test.clock.advance(Duration::from_hours(24));
    break_secrets("UPDATE webhooks SET secret = $1").await;
    let ann = test.log_in("ann").await;
    let new = test.did(&ann, Method::POST, &rotate, json!({})).await["secret"].as_str().unwrap().to_owned();
    test.say(&ann, json!({ "to": "scout", "body": "Three." })).await;
    let received = receiver.next().await;
    assert!(received.is_signed_by(&new), "{received:?}");
    assert_eq!(received.header("webhook-signature").split(' ').count(), 1);
}

#[both_engines]
async fn a_webhook_can_be_tested_six_times_a_minute(test: TestServer) {
    let ann = test.person("ann").await;
    test.create_agent(&ann, "scout").await;
    let receiver = Receiver::start().await;
    let made = test.hook(&ann, "scout", &receiver.url, &["*"]).await;
    let path = format!("/api/webhooks/{}/test", made["webhook"]["id"]);
    for _ in 0..6 {
        assert_eq!(test.did(&ann, Method::POST, &path, json!({})).await["status"], 204);
    }
    let refused = test.ask(&ann, Method::POST, &path, json!({})).await;
    assert_eq!(refused.headers()["retry-after"], "60");
    problem(refused, 429, "too_many_tests").await;
    test.clock.advance(Duration::from_mins(1));
    assert_eq!(test.did(&ann, Method::POST, &path, json!({})).await["status"], 204);
    // Tests are no deliveries, and do not count as such.
    let metrics = test.get("/metrics").await.text().await.unwrap();
    assert!(metrics.contains("webhook_attempt_duration_seconds_count 0"), "{metrics}");
}

#[both_engines]
async fn a_repeated_registration_gets_the_same_secret(test: TestServer) {
    let ann = test.person("ann").await;
    test.create_agent(&ann, "scout").await;
    let register = async || {
        let body = json!({ "agent": "scout", "url": URL, "events": ["*"] });
        let request = test.request_as(&ann, Method::POST, "/api/webhooks").header("Idempotency-Key", "once");
        let answer = request.json(&body).send().await.unwrap();
        assert_eq!(answer.status(), 201);
        answer.json::<Value>().await.unwrap()
    };
    assert_eq!(register().await, register().await);
    assert_eq!(test.look(&ann, "/api/webhooks").await["total"], 1);
}

#[both_engines]
async fn an_operator_manages_webhooks_on_the_command_line(test: TestServer) {
    let ann = test.person("ann").await;
    test.create_agent(&ann, "scout").await;
    let mut receiver = Receiver::start().await;
    let secret = svc_admin(&test, &["webhooks", "create", "scout", &receiver.url]).await.shown_once();
    let listed = svc_admin(&test, &["webhooks", "list", "--output", "json"]).await.json();
    assert_eq!(listed["webhooks"][0]["events"], json!(["*"]));
    let id = listed["webhooks"][0]["id"].to_string();
    let tested = svc_admin(&test, &["webhooks", "test", &id, "--output", "json"]).await.json();
    assert_eq!((&tested["status"], &tested["error"]), (&json!(204), &Value::Null));
    let received = receiver.next().await;
    assert_eq!(
        (received.header("svc-event"), &received.body()["data"]),
        ("webhook.test", &json!({ "agent": "scout" }))
    );
    assert!(received.is_signed_by(&secret));
    svc_admin(&test, &["webhooks", "disable", &id]).await.worked();
    assert_eq!(test.look(&ann, "/api/webhooks").await["webhooks"][0]["enabled"], false);
    svc_admin(&test, &["webhooks", "enable", &id]).await.worked();
    receiver.then([Reply::Status(410, "")]);
    test.say(&ann, json!({ "to": "scout", "body": "Hello." })).await;
    receiver.next().await;
    let dead = test.until_delivery(&ann, &listed["webhooks"][0]["id"], "dead").await;
    let deliveries = svc_admin(&test, &["webhooks", "deliveries", &id, "--status", "dead"]).await.worked();
    assert!(deliveries.contains("410") && deliveries.contains("message.received"), "{deliveries}");
    svc_admin(&test, &["webhooks", "enable", &id]).await.worked();
    svc_admin(&test, &["webhooks", "retry", &dead["id"].to_string()]).await.worked();
    receiver.next().await;
    svc_admin(&test, &["webhooks", "delete", &id, "--yes"]).await.worked();
    assert_eq!(test.look(&ann, "/api/webhooks").await["total"], 0);
    svc_admin(&test, &["webhooks", "create", "scout", "https://1.1.1.1/", "--event", "nothing"])
        .await
        .refused(1, "must be one of *, message.received");
}
