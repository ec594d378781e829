//! Failing endpoints: retries, dead letters, disabling, and what is sent again.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use svc_test_macros::both_engines;

use crate::support::people::Person;
use crate::support::receiver::{Receiver, Reply};
use crate::support::server::{TestServer, problem};
use crate::support::wait::until;

/// Ann with an agent and a webhook of it.
async fn ann_with_hook(test: &TestServer, receiver: &Receiver) -> (Person, Value) {
    let ann = test.person("ann").await;
    test.create_agent(&ann, "scout").await;
    let hook = test.hook(&ann, "scout", &receiver.url, &["message.received"]).await;
    (ann, hook["webhook"]["id"].clone())
}

impl TestServer {
    /// Waits until a delivery has had so many attempts.
    async fn until_attempts(&self, owner: &Person, id: &Value, attempts: u32) -> Value {
        until(&format!("{attempts} attempts"), async || {
            self.deliveries(owner, id, "").await.into_iter().next().filter(|delivery| delivery["attempts"] == attempts)
        })
        .await
    }
}

#[both_engines]
async fn a_failing_delivery_is_retried_and_becomes_a_dead_letter(test: TestServer) {
    let mut receiver = Receiver::start().await;
    let (ann, id) = ann_with_hook(&test, &receiver).await;
    test.create_agent(&ann, "marker").await;
    let mut marker = Receiver::start().await;
    test.hook(&ann, "marker", &marker.url, &["*"]).await;
    receiver.always(Reply::Status(503, "busy"));
    test.say(&ann, json!({ "to": "scout", "body": "Hello." })).await;
    let first = receiver.next().await;
    for (attempt, least, most) in [(1, 999, 1200), (2, 4999, 6000), (3, 29_999, 36_000)] {
        let delivery = test.until_attempts(&ann, &id, attempt).await;
        assert_eq!((&delivery["status"], &delivery["error"]), (&json!("retrying"), &json!("status")));
        test.clock.advance(Duration::from_millis(least));
        // Another delivery shows that the worker has looked at the queue since.
        test.say(&ann, json!({ "to": "marker", "body": "Now." })).await;
        marker.next().await;
        assert!(receiver.rest().is_empty(), "the delay is at least this long");
        test.clock.advance(Duration::from_millis(most - least));
        let again = receiver.next().await;
        assert_eq!(again.header("webhook-id"), first.header("webhook-id"));
        assert_eq!(again.text, first.text);
    }
    let dead = test.until_delivery(&ann, &id, "dead").await;
    assert_eq!((&dead["attempts"], &dead["response_status"]), (&json!(4), &json!(503)));
    assert_eq!(test.deliveries(&ann, &id, "?status=dead").await.len(), 1);
    assert!(test.deliveries(&ann, &id, "?status=retrying").await.is_empty());
    let letters = test.look(&ann, "/api/dead-letters?kind=webhook").await;
    let letter = &letters["dead_letters"][0];
    assert_eq!((&letter["delivery_id"], &letter["participant"]), (&dead["id"], &json!("scout")));
    assert_eq!((&letter["attempts"], &letter["message"]), (&json!(4), &Value::Null));
    assert_eq!(letter["reason"], "the endpoint answered with the status 503");
    assert_eq!(test.look(&ann, "/api/dead-letters?kind=message").await["total"], 0);
    // The health of the webhook: four failures, and each attempt with its answer.
    let shown = test.look(&ann, &format!("/api/webhooks/{id}")).await;
    assert_eq!(shown["webhook"]["consecutive_failures"], 4);
    assert_eq!(shown["attempts"].as_array().unwrap().len(), 4);
    let details = test.look(&ann, &format!("/api/deliveries/{}", dead["id"])).await;
    assert_eq!(details["attempts"][3]["excerpt"], "busy");
    // Retrying the dead letter delivers it, and a second time it is refused.
    receiver.always(Reply::Status(200, "ok"));
    let retry = format!("/api/dead-letters/{}/retry", letter["id"]);
    let retried = test.did(&ann, Method::POST, &retry, json!({})).await;
    assert!(retried["retried_at"].is_string());
    let again = receiver.next().await;
    assert_eq!(again.header("webhook-id"), first.header("webhook-id"));
    test.until_delivery(&ann, &id, "delivered").await;
    assert_eq!(test.webhook(&ann, &id).await["consecutive_failures"], 0);
    problem(test.ask(&ann, Method::POST, &retry, json!({})).await, 409, "already_retried").await;
    // What has been delivered can be sent again.
    let retry = format!("/api/deliveries/{}/retry", dead["id"]);
    test.did(&ann, Method::POST, &retry, json!({})).await;
    assert_eq!(receiver.next().await.text, first.text);
}

#[both_engines]
async fn a_receiver_can_ask_for_a_longer_pause(test: TestServer) {
    let mut receiver = Receiver::start().await;
    let (ann, id) = ann_with_hook(&test, &receiver).await;
    receiver.then([Reply::Header(429, "retry-after: 300")]);
    test.say(&ann, json!({ "to": "scout", "body": "Hello." })).await;
    receiver.next().await;
    test.until_attempts(&ann, &id, 1).await;
    // Another delivery shows that the worker has looked at the queue in between.
    test.clock.advance(Duration::from_secs(290));
    test.say(&ann, json!({ "to": "scout", "body": "Later." })).await;
    assert_eq!(receiver.next().await.body()["data"]["body"], "Later.");
    assert!(receiver.rest().is_empty());
    test.clock.advance(Duration::from_secs(10));
    assert_eq!(receiver.next().await.body()["data"]["body"], "Hello.");
}

#[both_engines]
async fn an_endpoint_that_is_gone_disables_its_webhook(test: TestServer) {
    let mut receiver = Receiver::start().await;
    let (ann, id) = ann_with_hook(&test, &receiver).await;
    receiver.always(Reply::Status(410, ""));
    test.say(&ann, json!({ "to": "scout", "body": "Hello." })).await;
    receiver.next().await;
    let dead = test.until_delivery(&ann, &id, "dead").await;
    let shown = test.webhook(&ann, &id).await;
    assert_eq!((&shown["enabled"], &shown["disabled_reason"]), (&json!(false), &json!("gone")));
    let retry = format!("/api/deliveries/{}/retry", dead["id"]);
    problem(test.ask(&ann, Method::POST, &retry, json!({})).await, 409, "webhook_disabled").await;
    let recover = format!("/api/webhooks/{id}/recover");
    let since = json!({ "since": "2026-01-01T00:00:00Z" });
    problem(test.ask(&ann, Method::POST, &recover, since.clone()).await, 409, "webhook_disabled").await;
    // Its owner was told.
    let told = test.look(&ann, "/api/messages?to=ann").await;
    let notice =
        told["messages"].as_array().unwrap().iter().find(|message| message["from"] == "system").unwrap().clone();
    assert_eq!(notice["metadata"]["webhook"], json!({ "id": id, "agent": "scout", "disabled_reason": "gone" }));
    // Recovering resolves the dead letter.
    receiver.always(Reply::Status(200, ""));
    test.did(&ann, Method::PATCH, &format!("/api/webhooks/{id}"), json!({ "enabled": true })).await;
    assert_eq!(test.did(&ann, Method::POST, &recover, since).await["queued"], 1);
    receiver.next().await;
    let letters = test.look(&ann, "/api/dead-letters?kind=webhook").await;
    assert!(letters["dead_letters"][0]["retried_at"].is_string(), "{letters}");
}

#[both_engines]
async fn a_late_answer_of_an_old_url_does_not_disable_the_new_one(test: TestServer) {
    let mut receiver = Receiver::start().await;
    let (ann, id) = ann_with_hook(&test, &receiver).await;
    let gate = std::sync::Arc::new(tokio::sync::Semaphore::new(0));
    receiver.then([Reply::Held(410, gate.clone())]);
    test.say(&ann, json!({ "to": "scout", "body": "Hello." })).await;
    receiver.next().await;
    let other = json!({ "url": "https://1.1.1.1/other" });
    test.did(&ann, Method::PATCH, &format!("/api/webhooks/{id}"), other).await;
    gate.add_permits(1);
    let dead = test.until_delivery(&ann, &id, "dead").await;
    let shown = test.webhook(&ann, &id).await;
    assert_eq!((&shown["enabled"], &shown["consecutive_failures"]), (&json!(true), &json!(0)));
    let details = test.look(&ann, &format!("/api/deliveries/{}", dead["id"])).await;
    assert_eq!(details["request"]["url"], receiver.url.as_str());
}

#[both_engines]
async fn fifty_failures_in_a_row_disable_a_webhook(test: TestServer) {
    let mut receiver = Receiver::start().await;
    let (ann, id) = ann_with_hook(&test, &receiver).await;
    // Twelve deliveries with four attempts each, and two more.
    test.set_failures(&id, 48).await;
    receiver.always(Reply::Status(500, ""));
    test.say(&ann, json!({ "to": "scout", "body": "One." })).await;
    receiver.next().await;
    test.until_attempts(&ann, &id, 1).await;
    assert_eq!(test.webhook(&ann, &id).await["enabled"], true);
    test.clock.advance(Duration::from_secs(2));
    receiver.next().await;
    test.until_attempts(&ann, &id, 2).await;
    let shown = test.webhook(&ann, &id).await;
    assert_eq!((&shown["enabled"], &shown["disabled_reason"]), (&json!(false), &json!("failures")));
    assert_eq!(shown["consecutive_failures"], 50);
    // The rest of its attempts are not made.
    test.clock.advance(Duration::from_secs(10));
    assert_eq!(test.until_delivery(&ann, &id, "stopped").await["error"], "disabled");
    assert!(receiver.rest().is_empty());
    let notices = test
        .number("SELECT count(*) FROM messages m JOIN participants p ON p.id = m.sender_id WHERE p.kind = 'system'");
    assert_eq!(notices.await, 1);
    // Enabling it resets the count.
    let enabled = test.did(&ann, Method::PATCH, &format!("/api/webhooks/{id}"), json!({ "enabled": true })).await;
    assert_eq!(enabled["consecutive_failures"], 0);
    receiver.always(Reply::Status(200, ""));
    let recovered = test.did(
        &ann,
        Method::POST,
        &format!("/api/webhooks/{id}/recover"),
        json!({ "since": "2026-01-01T00:00:00Z" }),
    );
    assert_eq!(recovered.await["queued"], 1);
    receiver.next().await;
    test.until_delivery(&ann, &id, "delivered").await;
}

impl TestServer {
    async fn set_failures(&self, id: &Value, failures: i64) {
        let set = self.hub.db().write((id.as_i64().unwrap(), failures), |tx, (id, failures)| {
            let query =
                tx.query("UPDATE webhooks SET consecutive_failures = $2 WHERE id = $1").bind(*id).bind(*failures);
            Box::pin(query.execute())
        });
        assert_eq!(set.await.unwrap(), 1);
    }
}

#[both_engines]
async fn an_agent_gets_sixty_deliveries_in_any_minute_and_the_rest_later(test: TestServer) {
    let mut receiver = Receiver::start().await;
    let (ann, id) = ann_with_hook(&test, &receiver).await;
    for number in 0..64 {
        test.say(&ann, json!({ "to": "scout", "body": number.to_string() })).await;
    }
    let sent = async |count: usize| {
        until(&format!("{count} deliveries"), async || {
            let delivered = test.deliveries(&ann, &id, "?status=delivered&limit=100").await.len();
            (delivered == count).then_some(())
        })
        .await;
    };
    // Ten at once, then one every 1.2 seconds: sixty in the first minute.
    sent(10).await;
    for number in 11..=60 {
        test.clock.advance(Duration::from_millis(1200));
        sent(number).await;
    }
    assert_eq!(test.deliveries(&ann, &id, "?status=pending").await.len(), 4);
    for _ in 0..60 {
        receiver.next().await;
    }
    assert!(receiver.rest().is_empty());
    test.clock.advance(Duration::from_secs(12));
    sent(64).await;
}

#[both_engines]
async fn old_deliveries_are_swept(test: TestServer) {
    let mut receiver = Receiver::start().await;
    let (ann, id) = ann_with_hook(&test, &receiver).await;
    test.say(&ann, json!({ "to": "scout", "body": "Hello." })).await;
    receiver.next().await;
    let delivery = test.until_delivery(&ann, &id, "delivered").await;
    test.clock.advance(Duration::from_hours(7 * 24 + 1));
    let sweep = test.hub.workers().into_iter().find(|worker| worker.name() == "webhook_sweep").unwrap();
    sweep.run_once().await.unwrap();
    let ann = test.log_in("ann").await;
    assert!(test.deliveries(&ann, &id, "").await.is_empty());
    let gone = test.request_as(&ann, Method::GET, &format!("/api/deliveries/{}", delivery["id"]));
    problem(gone.send().await.unwrap(), 404, "not_found").await;
    assert_eq!(test.number("SELECT count(*) FROM webhook_attempts").await, 0);
}
