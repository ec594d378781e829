//! Receipts: how far a message has come, as its author sees it.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use svc_test_macros::both_engines;

use crate::support::claims::{about, ann_and_worker};
use crate::support::people::Person;
use crate::support::server::{TestServer, problem};

impl TestServer {
    async fn receipts(&self, person: &Person, message: &Value) -> Vec<Value> {
        let answer = self.look(person, &about(message, "receipts")).await;
        assert_eq!(answer["message_id"], message["id"]);
        answer["receipts"].as_array().unwrap().clone()
    }

    /// The only receipt of a direct message.
    async fn receipt(&self, person: &Person, message: &Value) -> Value {
        let mut receipts = self.receipts(person, message).await;
        assert_eq!(receipts.len(), 1, "{receipts:?}");
        receipts.remove(0)
    }

    /// Moves somebody's cursor to a message, as marking it read does.
    async fn read_through(&self, handle: &'static str, message: &Value) {
        let id = message["id"].as_i64().unwrap();
        let moved = self.hub.db().write((handle, id), |tx, (handle, id)| {
            let now = tx.now();
            Box::pin(
                tx.query(
                    "UPDATE read_cursors
                        SET message_id = $2, updated_at = $3,
                            position = (SELECT position FROM messages WHERE id = $2)
                      WHERE participant_id = (SELECT id FROM participants WHERE handle = $1)
                        AND conversation_id = (SELECT conversation_id FROM messages WHERE id = $2)",
                )
                .bind(*handle)
                .bind(*id)
                .bind(now)
                .execute(),
            )
        });
        assert_eq!(moved.await.unwrap(), 1);
    }
}

#[both_engines]
async fn a_direct_message_goes_from_stored_to_done(test: TestServer) {
    let (ann, bob, key) = ann_and_worker(&test).await;
    let sent = test.say(&ann, json!({ "to": "worker", "body": "one" })).await;
    let stored = test.receipt(&ann, &sent).await;
    assert_eq!(
        stored,
        json!({
            "participant": "worker", "kind": "agent", "state": "stored", "stored_at": sent["created_at"], "offered_at": null,
            "read_at": null, "claimed_at": null, "finished_at": null, "reason": null,
        })
    );
    // Its owner looks, which is not the agent.
    test.look(&bob, "/api/messages").await;
    assert_eq!(test.receipt(&ann, &sent).await, stored);
    test.clock.advance(Duration::from_secs(1));
    test.look_with(&key, "/api/messages").await;
    let offered = test.receipt(&ann, &sent).await;
    assert_eq!((&offered["state"], &offered["offered_at"]), (&json!("offered"), &json!("2026-01-01T00:00:01.000Z")));
    test.clock.advance(Duration::from_secs(1));
    test.read_through("worker", &sent).await;
    let read = test.receipt(&ann, &sent).await;
    assert_eq!((&read["state"], &read["read_at"]), (&json!("read"), &json!("2026-01-01T00:00:02.000Z")));
    test.clock.advance(Duration::from_secs(1));
    let claimed = test.claim_with(&key, json!({})).await.remove(0);
    let receipt = test.receipt(&bob, &sent).await;
    assert_eq!((&receipt["state"], &receipt["claimed_at"]), (&json!("claimed"), &json!("2026-01-01T00:00:03.000Z")));
    test.clock.advance(Duration::from_secs(1));
    test.done_with(&key, &about(&sent, "done"), json!({ "claim_token": claimed["claim_token"] })).await;
    let done = test.receipt(&ann, &sent).await;
    assert_eq!((&done["state"], &done["finished_at"]), (&json!("done"), &json!("2026-01-01T00:00:04.000Z")));
    assert_eq!((&done["claimed_at"], &done["offered_at"]), (&receipt["claimed_at"], &offered["offered_at"]));
}

#[both_engines]
async fn a_claim_offers_a_release_takes_back_and_a_failure_is_told(test: TestServer) {
    let (ann, _, key) = ann_and_worker(&test).await;
    let sent = test.say(&ann, json!({ "to": "worker", "body": "one" })).await;
    let claimed = test.claim_with(&key, json!({})).await.remove(0);
    assert_eq!(test.receipt(&ann, &sent).await["state"], "claimed");
    test.done_with(&key, &about(&sent, "release"), json!({ "claim_token": claimed["claim_token"] })).await;
    let released = test.receipt(&ann, &sent).await;
    assert_eq!(
        (&released["state"], &released["claimed_at"]),
        (&json!("read"), &Value::Null),
        "the claim moved the cursor"
    );
    assert!(released["offered_at"].is_string());
    test.done_with(&key, &about(&sent, "fail"), json!({ "reason": "no access" })).await;
    let failed = test.receipt(&ann, &sent).await;
    assert_eq!((&failed["state"], &failed["reason"]), (&json!("failed"), &json!("no access")));
}

#[both_engines]
async fn those_of_a_channel_follow_from_its_readers(test: TestServer) {
    let (ann, bob, key) = ann_and_worker(&test).await;
    let eve = test.person("eve").await;
    // Whoever posts is a member.
    for person in [&ann, &bob] {
        test.say(person, json!({ "channel": "general", "body": "hello" })).await;
    }
    test.clock.advance(Duration::from_secs(1));
    let said = test.say(&ann, json!({ "channel": "general", "body": "@worker and @nobody: look" })).await;
    test.clock.advance(Duration::from_secs(1));
    test.say(&eve, json!({ "channel": "general", "body": "I came later" })).await;
    let states = async || -> Vec<(String, String)> {
        let receipts = test.receipts(&ann, &said).await;
        let text = |receipt: &Value, field: &str| receipt[field].as_str().unwrap().to_owned();
        receipts.iter().map(|receipt| (text(receipt, "participant"), text(receipt, "state"))).collect()
    };
    let is = |who: &str, state: &str| (who.to_owned(), state.to_owned());
    // The channel's owner is the account that the hub began with.
    assert_eq!(states().await, [is("admin", "stored"), is("bob", "stored"), is("worker", "stored")]);
    test.read_through("bob", &said).await;
    let copy = test.claim_with(&key, json!({})).await.remove(0);
    assert_eq!(copy["metadata"]["mention"]["message_id"], said["id"]);
    assert_eq!(states().await, [is("admin", "stored"), is("bob", "read"), is("worker", "claimed")]);
    test.done_with(&key, &about(&copy, "done"), json!({ "claim_token": copy["claim_token"] })).await;
    assert_eq!(states().await[2], is("worker", "done"));
    let second = test.look(&ann, &format!("{}?limit=1&offset=1", about(&said, "receipts"))).await;
    assert_eq!((&second["total"], &second["receipts"][0]["participant"]), (&json!(3), &json!("bob")), "{second}");
    assert!(second["receipts"][0]["read_at"].is_string());
}

#[both_engines]
async fn who_cannot_see_a_message_sees_no_receipts(test: TestServer) {
    let (ann, _, _) = ann_and_worker(&test).await;
    let eve = test.person("eve").await;
    let sent = test.say(&ann, json!({ "to": "worker", "body": "one" })).await;
    let path = about(&sent, "receipts");
    problem(test.request_as(&eve, Method::GET, &path).send().await.unwrap(), 404, "not_found").await;
    problem(test.request(Method::GET, &path).send().await.unwrap(), 401, "unauthenticated").await;
    problem(
        test.request_as(&ann, Method::GET, &format!("{path}?limit=0")).send().await.unwrap(),
        400,
        "validation_failed",
    )
    .await;
}
