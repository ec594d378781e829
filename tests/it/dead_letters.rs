//! Dead letters and the notices to authors.

use std::time::Duration;

use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};
use svc_core::Caller;
use svc_core::messages::NewMessage;
use svc_test_macros::both_engines;

use crate::support::claims::{about, ann_and_worker, fill};
use crate::support::people::Person;
use crate::support::server::{TestServer, problem};
use crate::support::store::work;

impl TestServer {
    async fn letters(&self, person: &Person, query: &str) -> Value {
        self.look(person, &format!("/api/dead-letters{query}")).await
    }

    async fn post_as(&self, person: &Person, path: &str) -> reqwest::Response {
        self.request_as(person, Method::POST, path).send().await.unwrap()
    }
}

fn letter(id: &Value, what: &str) -> String {
    format!("/api/dead-letters/{id}/{what}")
}

async fn set_status(test: &TestServer, message: &Value, status: &'static str) {
    let input = (message["id"].as_i64().unwrap(), status);
    let set = test.hub.db().write(input, |tx, (id, status)| {
        Box::pin(async move {
            tx.query("UPDATE messages SET status = $2 WHERE id = $1").bind(*id).bind(*status).execute().await
        })
    });
    assert_eq!(set.await.unwrap(), 1);
}

#[both_engines]
async fn what_a_worker_fails_lies_with_its_owner(test: TestServer) {
    let (ann, bob, key) = ann_and_worker(&test).await;
    let sent = test.say(&ann, json!({ "to": "worker", "body": "one" })).await;
    assert_eq!(test.letters(&bob, "").await, json!({ "dead_letters": [], "total": 0 }));
    test.done_with(&key, &about(&sent, "fail"), json!({ "reason": "no access" })).await;
    let letters = test.letters(&bob, "?kind=message&acknowledged=false").await;
    let first = &letters["dead_letters"][0];
    assert_eq!(letters["total"], 1);
    assert_eq!((&first["kind"], &first["participant"]), (&json!("message"), &json!("worker")));
    assert_eq!((&first["reason"], &first["attempts"]), (&json!("no access"), &json!(1)));
    assert_eq!((&first["message"]["body"], &first["message"]["status"]), (&json!("one"), &json!("failed")));
    assert_eq!((&first["acknowledged_at"], &first["retried_at"]), (&Value::Null, &Value::Null));
    assert_eq!(test.letters(&bob, "?kind=webhook").await["total"], 0);
    assert_eq!(test.letters(&bob, "?acknowledged=true").await["total"], 0);
    assert_eq!(test.letters(&bob, "?offset=1").await, json!({ "dead_letters": [], "total": 1 }));
    // Its author is told once, and has no dead letter.
    assert_eq!(test.letters(&ann, "").await["total"], 0);
    let notices = test.notices(&ann, &sent["id"]).await;
    assert_eq!(notices.len(), 1);
    assert_eq!(
        notices[0]["metadata"]["non_delivery"],
        json!({ "message_id": sent["id"], "to": "worker", "reason": "no access" })
    );
    // What a worker said is the worker's word, and stands in the receipt.
    assert!(!notices[0]["body"].as_str().unwrap().contains("no access"));
    let receipts = test.look(&ann, &format!("/api/messages/{}/receipts", sent["id"])).await;
    assert_eq!(receipts["receipts"][0]["reason"], "no access");
    for what in ["retry", "acknowledge"] {
        problem(test.post_as(&ann, &letter(&first["id"], what)).await, 404, "not_found").await;
        problem(test.post_with(&key, &letter(&first["id"], what), json!({})).await, 403, "owner_required").await;
    }
    problem(test.request_with(&key, Method::GET, "/api/dead-letters").send().await.unwrap(), 403, "owner_required")
        .await;
    problem(
        test.request_as(&bob, Method::GET, "/api/dead-letters?kind=letter").send().await.unwrap(),
        400,
        "validation_failed",
    )
    .await;
}

#[both_engines]
async fn a_token_from_before_another_try_is_worth_nothing(test: TestServer) {
    let (ann, bob, key) = ann_and_worker(&test).await;
    test.say(&ann, json!({ "to": "worker", "body": "one" })).await;
    let token = |claimed: &Value| json!({ "claim_token": claimed["claim_token"] });
    let old = test.claim_with(&key, json!({})).await.remove(0);
    test.done_with(&key, &about(&old, "fail"), token(&old)).await;
    // Saying the same again gets the same answer, with the token of that claim only.
    test.done_with(&key, &about(&old, "fail"), token(&old)).await;
    let (secret, _) = old["claim_token"].as_str().unwrap().split_once('-').unwrap();
    assert!(secret.len() >= 32, "{old}");
    let id = test.letters(&bob, "").await["dead_letters"][0]["id"].clone();
    assert_eq!(test.post_as(&bob, &letter(&id, "retry")).await.status(), 200);
    problem(test.post_with(&key, &about(&old, "fail"), token(&old)).await, 409, "lease_lost").await;
    // The new claim is the first again, as the old one was.
    let new = test.claim_with(&key, json!({})).await.remove(0);
    assert_ne!(new["claim_token"], old["claim_token"]);
    test.done_with(&key, &about(&new, "done"), token(&new)).await;
    for what in ["done", "fail"] {
        problem(test.post_with(&key, &about(&old, what), token(&old)).await, 409, "lease_lost").await;
    }
    test.done_with(&key, &about(&new, "done"), token(&new)).await;
}

#[both_engines]
async fn a_firstis_acknowledged_and_tried_again(test: TestServer) {
    let (ann, bob, key) = ann_and_worker(&test).await;
    let sent = test.say(&ann, json!({ "to": "worker", "body": "one" })).await;
    test.done_with(&key, &about(&sent, "fail"), json!({})).await;
    let id = test.letters(&bob, "").await["dead_letters"][0]["id"].clone();
    let first: Value = test.post_as(&bob, &letter(&id, "acknowledge")).await.json().await.unwrap();
    assert!(first["acknowledged_at"].is_string(), "{first}");
    test.clock.advance(Duration::from_secs(5));
    let again: Value = test.post_as(&bob, &letter(&id, "acknowledge")).await.json().await.unwrap();
    assert_eq!(again, first);
    assert_eq!(test.letters(&bob, "?acknowledged=true").await["total"], 1);

    let retried: Value = test.post_as(&bob, &letter(&id, "retry")).await.json().await.unwrap();
    assert!(retried["retried_at"].is_string(), "{retried}");
    assert_eq!(retried["message"]["status"], "pending");
    problem(test.post_as(&bob, &letter(&id, "retry")).await, 409, "already_retried").await;
    // It is as if it had never been tried, and fails into a second letter without a second notice.
    let claimed = test.claim_with(&key, json!({})).await.remove(0);
    assert!(claimed["claim_token"].as_str().unwrap().ends_with("-1"), "{claimed}");
    test.done_with(&key, &about(&sent, "fail"), json!({ "claim_token": claimed["claim_token"] })).await;
    test.work("non_delivery").await;
    assert_eq!(test.letters(&bob, "").await["total"], 2);
    assert_eq!(test.notices(&ann, &sent["id"]).await.len(), 1);
    // Done after another try, it is no longer failed.
    let newest = test.letters(&bob, "").await["dead_letters"][0]["id"].clone();
    test.post_as(&bob, &letter(&newest, "retry")).await;
    test.done_with(&key, &about(&sent, "done"), json!({})).await;
    problem(test.post_as(&bob, &letter(&newest, "retry")).await, 409, "already_retried").await;
    problem(test.post_as(&bob, &letter(&json!(4711), "retry")).await, 404, "not_found").await;
}

#[both_engines]
async fn of_many_retries_one_succeeds(test: TestServer) {
    let (ann, bob, key) = ann_and_worker(&test).await;
    let sent = test.say(&ann, json!({ "to": "worker", "body": "one" })).await;
    test.done_with(&key, &about(&sent, "fail"), json!({})).await;
    let id = test.letters(&bob, "").await["dead_letters"][0]["id"].clone();
    let answers =
        join_all((0..8).map(async |_| test.post_as(&bob, &letter(&id, "retry")).await.status().as_u16())).await;
    assert_eq!(answers.iter().filter(|status| **status == 200).count(), 1, "{answers:?}");
    assert!(answers.iter().all(|status| [200, 409].contains(status)), "{answers:?}");
}

#[both_engines]
async fn what_arrives_while_its_agent_is_deleted_does_not_wait_for_ever(test: TestServer) {
    let (ann, bob, _) = ann_and_worker(&test).await;
    let sent = test.say(&ann, json!({ "to": "worker", "body": "late" })).await;
    // The one who deletes does not see what is still being sent.
    set_status(&test, &sent, "done").await;
    let deleted = test.request_as(&bob, Method::DELETE, "/api/agents/worker").send().await.unwrap();
    assert_eq!(deleted.status(), 204);
    set_status(&test, &sent, "pending").await;
    assert_eq!(test.letters(&bob, "").await["total"], 0);
    test.clock.advance(Duration::from_secs(5));
    for _ in 0..2 {
        test.work("lease_expiry").await;
    }
    let letters = test.letters(&bob, "").await;
    assert_eq!((&letters["total"], &letters["dead_letters"][0]["reason"]), (&json!(1), &json!("agent deleted")));
    assert_eq!(letters["dead_letters"][0]["message"]["status"], "failed");
    test.work("non_delivery").await;
    assert_eq!(test.notices(&ann, &sent["id"]).await.len(), 1);
}

#[both_engines]
async fn what_waits_for_a_deleted_agent_becomes_dead_letters(test: TestServer) {
    let (ann, bob, key) = ann_and_worker(&test).await;
    let (_, ann_key) = test.create_key(&ann, json!({ "name": "k", "permissions": ["write"] })).await;
    let caller = test.bearer(&ann_key).await;
    fill(&test.hub, &caller, 150).await;
    let done = test.claim_with(&key, json!({})).await.remove(0);
    test.done_with(&key, &about(&done, "done"), json!({ "claim_token": done["claim_token"] })).await;
    let held = test.claim_with(&key, json!({})).await.remove(0);
    let delete = test.request_as(&bob, Method::DELETE, "/api/agents/worker").send().await.unwrap();
    assert_eq!(delete.status(), 204);

    let letters = test.letters(&bob, "?limit=200").await;
    assert_eq!(letters["total"], 149, "all but the one that was done");
    for letter in letters["dead_letters"].as_array().unwrap() {
        assert_eq!((&letter["reason"], &letter["message"]["status"]), (&json!("agent deleted"), &json!("failed")));
    }
    let processing = |letter: &&Value| letter["message"]["id"] == held["id"];
    let of_held = letters["dead_letters"].as_array().unwrap().iter().find(processing).unwrap();
    assert_eq!(of_held["message"]["claimed_by"], Value::Null);
    problem(test.post_as(&bob, &letter(&of_held["id"], "retry")).await, 409, "recipient_gone").await;
    // Its authors are told afterwards, each once, however many look after it.
    let other = test.another().await;
    tokio::join!(work(&test.hub, "non_delivery"), work(&other, "non_delivery"));
    let told = "SELECT count(*) FROM messages m JOIN participants s ON s.id = m.sender_id WHERE s.kind = 'system'";
    let told = test.hub.db().read((), move |tx, ()| Box::pin(tx.query(told).fetch_value::<i64>())).await.unwrap();
    assert_eq!(told, 149);
    assert_eq!(test.notices(&ann, &held["id"]).await.len(), 1);
    assert_eq!(test.notices(&ann, &done["id"]).await.len(), 0);
    other.close().await;
}

#[both_engines]
async fn an_author_hears_of_a_message_that_nobody_asked_for(test: TestServer) {
    let (ann, bob, key) = ann_and_worker(&test).await;
    test.create_agent(&bob, "sleeper").await;
    test.create_agent(&bob, "author").await;
    let (_, author) = test.create_key(&bob, json!({ "name": "a", "agent": "author", "permissions": ["write"] })).await;
    let forgotten = test.say(&ann, json!({ "to": "sleeper", "body": "hello?" })).await;
    let listed = test.say(&ann, json!({ "to": "worker", "body": "seen" })).await;
    let channel = test.say(&ann, json!({ "channel": "general", "body": "@sleeper look" })).await;
    test.say_with(&author, json!({ "to": "sleeper", "body": "from one who is gone" })).await;
    test.hub.messages().send(&Caller::root(), NewMessage::to("sleeper", "by the system")).await.unwrap();
    test.look_with(&key, "/api/messages").await;
    test.request_as(&bob, Method::DELETE, "/api/agents/author").send().await.unwrap();
    test.clock.advance(Duration::from_hours(24) - Duration::from_secs(1));
    test.work("non_delivery").await;
    assert!(test.notices(&ann, &forgotten["id"]).await.is_empty(), "it is too early");
    test.clock.advance(Duration::from_secs(1));
    let ann = test.log_in("ann").await;
    let young = test.say(&ann, json!({ "to": "sleeper", "body": "later" })).await;
    let other = test.another().await;
    for _ in 0..2 {
        tokio::join!(work(&test.hub, "non_delivery"), work(&other, "non_delivery"));
    }
    let notices = test.notices(&ann, &forgotten["id"]).await;
    assert_eq!(notices.len(), 1, "{notices:?}");
    assert!(notices[0]["body"].as_str().unwrap().contains("@sleeper"), "{notices:?}");
    for message in [&listed, &channel, &young] {
        assert!(test.notices(&ann, &message["id"]).await.is_empty(), "{message}");
    }
    // The message that told of the mention was not asked for either; nobody else was told anything.
    let inbox = test.look(&ann, "/api/messages?from=system").await;
    assert_eq!(inbox["messages"].as_array().unwrap().len(), 2, "{inbox}");
    let told = "SELECT count(*) FROM messages m JOIN participants s ON s.id = m.sender_id WHERE s.kind = 'system'";
    let told = test.hub.db().read((), move |tx, ()| Box::pin(tx.query(told).fetch_value::<i64>())).await.unwrap();
    assert_eq!(told, 3, "and the one that the system sent itself");
    assert_eq!(
        test.look(&ann, &format!("/api/messages/{}", forgotten["id"])).await["status"],
        "pending",
        "it can still be claimed"
    );
    other.close().await;
}

#[both_engines]
async fn dead_letters_go_after_thirty_days(test: TestServer) {
    let (ann, bob, key) = ann_and_worker(&test).await;
    for body in ["old", "new"] {
        let ann = test.log_in(&ann.username).await;
        let sent = test.say(&ann, json!({ "to": "worker", "body": body })).await;
        test.done_with(&key, &about(&sent, "fail"), json!({})).await;
        test.clock.advance(Duration::from_hours(24));
    }
    test.clock.advance(Duration::from_hours(28 * 24) + Duration::from_secs(1));
    test.work("dead_letter_sweep").await;
    let bob = test.log_in(&bob.username).await;
    let letters = test.letters(&bob, "").await;
    assert_eq!(
        (&letters["total"], &letters["dead_letters"][0]["message"]["body"]),
        (&json!(1), &json!("new")),
        "{letters}"
    );
}
