//! Claims: who works on a message, for how long, and what becomes of it.

use std::collections::BTreeMap;
use std::time::Duration;

use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};
use svc_core::Caller;
use svc_core::events::{After, Event, Subscription};
use svc_core::messages::{ClaimRequest, Finish, NewMessage};
use svc_test_macros::both_engines;

use crate::support::claims::{about, ann_and_worker, fill};
use crate::support::server::{TestServer, problem};
use crate::support::wait::soon;

/// A claim's token, as a body.
fn token(claimed: &Value) -> Value {
    json!({ "claim_token": claimed["claim_token"] })
}

/// The next change of a message that the log tells of.
async fn next_update(live: &mut Subscription) -> Value {
    loop {
        let event: std::sync::Arc<Event> = soon("an event", live.next()).await.unwrap().unwrap();
        if event.kind == "message.updated" {
            return serde_json::from_str(event.payload.get()).unwrap();
        }
    }
}

#[both_engines]
async fn the_most_urgent_comes_first_then_the_oldest(test: TestServer) {
    let (ann, _, key) = ann_and_worker(&test).await;
    for (body, priority) in [("a", 5), ("b", 9), ("c", 5), ("d", 1), ("e", 9)] {
        test.say(&ann, json!({ "to": "worker", "body": body, "priority": priority })).await;
    }
    let first = test.request_with(&key, Method::POST, "/api/messages/claim").send().await.unwrap();
    let first: Value = first.json().await.unwrap();
    assert_eq!(first["messages"][0]["body"], "b", "no body claims one");
    let rest = test.claim_with(&key, json!({ "limit": 50, "lease_seconds": 60 })).await;
    let bodies: Vec<_> = rest.iter().map(|message| message["body"].as_str().unwrap()).collect();
    assert_eq!(bodies, ["e", "a", "c", "d"]);
    for message in &rest {
        assert_eq!((&message["status"], &message["claimed_by"]), (&json!("processing"), &json!("worker")));
        assert_eq!(message["lease_expires_at"], "2026-01-01T00:01:00.000Z");
    }
    let mut tokens: Vec<_> = rest.iter().map(|message| message["claim_token"].as_str().unwrap()).collect();
    tokens.sort_unstable();
    tokens.dedup();
    assert_eq!(tokens.len(), 4, "each has its own");
    assert!(test.claim_with(&key, json!({})).await.is_empty());
    // What others see holds no token.
    let shown = test.look(&ann, &format!("/api/messages/{}", rest[0]["id"])).await;
    assert_eq!((&shown["status"], shown.get("claim_token")), (&json!("processing"), None));
}

#[both_engines]
async fn work_ends_once_and_saying_it_again_changes_nothing(test: TestServer) {
    let (ann, _, key) = ann_and_worker(&test).await;
    test.say(&ann, json!({ "to": "worker", "body": "one" })).await;
    let claimed = test.claim_with(&key, json!({})).await.remove(0);
    let mut live = test.hub.events().subscribe(After::Now).await.unwrap();
    let done = test.done_with(&key, &about(&claimed, "done"), token(&claimed)).await;
    assert_eq!(
        (&done["status"], &done["claimed_by"], &done["lease_expires_at"]),
        (&json!("done"), &Value::Null, &Value::Null)
    );
    let update = next_update(&mut live).await;
    assert_eq!(
        (&update["message_id"], &update["status"], &update["public"]),
        (&claimed["id"], &json!("done"), &json!(false))
    );
    assert_eq!((&update["claimed_by"], &update["channel"], &update.get("reason")), (&Value::Null, &Value::Null, &None));
    for body in [token(&claimed), json!({})] {
        assert_eq!(test.done_with(&key, &about(&claimed, "done"), body).await, done);
    }
    for body in [token(&claimed), json!({}), json!({ "reason": "no" })] {
        problem(test.post_with(&key, &about(&claimed, "fail"), body).await, 409, "already_finished").await;
    }
    problem(test.post_with(&key, &about(&claimed, "release"), token(&claimed)).await, 409, "lease_lost").await;
    // Without a claim it is claimed in passing.
    let other = test.say(&ann, json!({ "to": "worker", "body": "two" })).await;
    let answer = test.request_with(&key, Method::POST, &about(&other, "done")).send().await.unwrap();
    assert_eq!(answer.json::<Value>().await.unwrap()["status"], "done");
    let update = next_update(&mut live).await;
    assert_eq!((&update["message_id"], &update["status"]), (&other["id"], &json!("done")));
}

#[both_engines]
async fn one_message_is_claimed_whatever_else_waits(test: TestServer) {
    let (ann, bob, key) = ann_and_worker(&test).await;
    test.say(&ann, json!({ "to": "worker", "body": "urgent", "priority": 9 })).await;
    let sent = test.say(&ann, json!({ "to": "worker", "body": "later", "priority": 1 })).await;
    let channel = test.say(&ann, json!({ "channel": "general", "body": "all" })).await;
    let eve = test.person("eve").await;
    for (person, status, code) in [(&ann, 403, "not_addressee"), (&bob, 403, "not_addressee"), (&eve, 404, "not_found")]
    {
        let answer = test.request_as(person, Method::POST, &about(&sent, "claim")).send().await.unwrap();
        problem(answer, status, code).await;
    }
    problem(test.post_with(&key, &about(&channel, "claim"), json!({})).await, 409, "channel_message").await;
    problem(test.post_with(&key, "/api/messages/4711/claim", json!({})).await, 404, "not_found").await;
    let short = test.post_with(&key, &about(&sent, "claim"), json!({ "lease_seconds": 29 })).await;
    assert_eq!(problem(short, 400, "validation_failed").await["errors"][0]["field"], "lease_seconds");
    // The answer to a repeated request has the token of the first one.
    let claim = || async {
        let request = test.request_with(&key, Method::POST, &about(&sent, "claim")).header("Idempotency-Key", "once");
        let answer = request.json(&json!({ "lease_seconds": 60 })).send().await.unwrap();
        assert_eq!(answer.status(), 200);
        answer.json::<Value>().await.unwrap()
    };
    let claimed = claim().await;
    assert_eq!((&claimed["body"], &claimed["status"]), (&json!("later"), &json!("processing")));
    assert_eq!(claimed["lease_expires_at"], "2026-01-01T00:01:00.000Z");
    assert_eq!(claim().await, claimed);
    problem(test.post_with(&key, &about(&sent, "claim"), json!({})).await, 409, "already_claimed").await;
    test.done_with(&key, &about(&sent, "release"), token(&claimed)).await;
    let again = test.done_with(&key, &about(&sent, "claim"), json!({})).await;
    assert_ne!(again["claim_token"], claimed["claim_token"]);
    test.done_with(&key, &about(&sent, "done"), token(&again)).await;
    problem(test.post_with(&key, &about(&sent, "claim"), json!({})).await, 409, "already_finished").await;
    // The other one still waits.
    assert_eq!(test.claim_with(&key, json!({ "limit": 50 })).await[0]["body"], "urgent");
    // A human claims a message of their own, after its lease has ended also another time.
    let mine = test.say(&ann, json!({ "to": "bob", "body": "for you" })).await;
    for _ in 0..2 {
        let answer = test.request_as(&bob, Method::POST, &about(&mine, "claim")).send().await.unwrap();
        assert_eq!(answer.status(), 200);
        test.clock.advance(Duration::from_secs(901));
    }
    let gone = test.say(&ann, json!({ "to": "bob", "body": "never mind" })).await;
    let path = format!("/api/messages/{}", gone["id"]);
    assert_eq!(test.request_as(&ann, Method::DELETE, &path).send().await.unwrap().status(), 200);
    let answer = test.request_as(&bob, Method::POST, &about(&gone, "claim")).send().await.unwrap();
    problem(answer, 409, "message_deleted").await;
}

#[both_engines]
async fn every_change_is_in_the_log(test: TestServer) {
    let (ann, bob, key) = ann_and_worker(&test).await;
    let sent = test.say(&ann, json!({ "to": "worker", "body": "one" })).await;
    let mut live = test.hub.events().subscribe(After::Now).await.unwrap();
    let claimed = test.claim_with(&key, json!({})).await.remove(0);
    let update = next_update(&mut live).await;
    assert_eq!((&update["status"], &update["claimed_by"]), (&json!("processing"), &json!("worker")));
    assert_eq!((&update["message_id"], &update["conversation_id"]), (&sent["id"], &sent["conversation_id"]));
    let me = test.look(&bob, "/auth/me").await;
    assert_eq!(update["recipient_owner_id"], me["id"], "{me}");
    test.done_with(&key, &about(&claimed, "renew"), token(&claimed)).await;
    assert_eq!(next_update(&mut live).await["status"], "processing");
    test.done_with(&key, &about(&claimed, "release"), token(&claimed)).await;
    let update = next_update(&mut live).await;
    assert_eq!((&update["status"], &update["claimed_by"]), (&json!("pending"), &Value::Null));
    test.done_with(&key, &about(&sent, "fail"), json!({ "reason": "no way" })).await;
    let update = next_update(&mut live).await;
    assert_eq!((&update["status"], &update["reason"]), (&json!("failed"), &json!("no way")));
}

#[both_engines]
async fn only_the_addressee_works_on_a_message(test: TestServer) {
    let (ann, bob, key) = ann_and_worker(&test).await;
    let eve = test.person("eve").await;
    let sent = test.say(&ann, json!({ "to": "worker", "body": "one" })).await;
    let channel = test.say(&ann, json!({ "channel": "general", "body": "all" })).await;
    for (person, status, code) in [(&ann, 403, "not_addressee"), (&bob, 403, "not_addressee"), (&eve, 404, "not_found")]
    {
        for what in ["done", "fail"] {
            let answer = test.request_as(person, Method::POST, &about(&sent, what)).send().await.unwrap();
            problem(answer, status, code).await;
        }
        for what in ["renew", "release"] {
            let answer =
                test.request_as(person, Method::POST, &about(&sent, what)).json(&json!({ "claim_token": "x" }));
            problem(answer.send().await.unwrap(), status, code).await;
        }
    }
    problem(test.post_with(&key, &about(&channel, "done"), json!({})).await, 409, "channel_message").await;
    problem(test.post_with(&key, "/api/messages/4711/done", json!({})).await, 404, "not_found").await;
    problem(test.post_with(&key, &about(&sent, "release"), json!({ "claim_token": "x" })).await, 409, "lease_lost")
        .await;
    // A human claims what is addressed to them, not what is addressed to their agents.
    let claim = test.request_as(&bob, Method::POST, "/api/messages/claim").json(&json!({}));
    assert_eq!(claim.send().await.unwrap().json::<Value>().await.unwrap(), json!({ "messages": [] }));
    test.say(&ann, json!({ "to": "bob", "body": "for you" })).await;
    let claim = test.request_as(&bob, Method::POST, "/api/messages/claim").json(&json!({}));
    assert_eq!(claim.send().await.unwrap().json::<Value>().await.unwrap()["messages"][0]["body"], "for you");
    let refused = test.hub.messages().claim(&Caller::root(), ClaimRequest::default()).await.unwrap_err();
    assert_eq!(refused.code(), "participant_required");
}

#[both_engines]
async fn keys_with_limits_and_odd_requests_are_refused(test: TestServer) {
    let (ann, bob, key) = ann_and_worker(&test).await;
    let sent = test.say(&ann, json!({ "to": "worker", "body": "one" })).await;
    let (_, reader) = test.create_key(&bob, json!({ "name": "r", "agent": "worker", "permissions": ["read"] })).await;
    let limited = json!({ "name": "c", "agent": "worker", "permissions": ["write"], "allowed_channels": ["general"] });
    let (_, limited) = test.create_key(&bob, limited).await;
    for (limited, code) in [(&reader, "permission_denied"), (&limited, "channel_not_allowed")] {
        problem(test.post_with(limited, "/api/messages/claim", json!({})).await, 403, code).await;
        problem(test.post_with(limited, &about(&sent, "done"), json!({})).await, 403, code).await;
    }
    for (body, field) in [
        (json!({ "limit": 0 }), "limit"),
        (json!({ "limit": 51 }), "limit"),
        (json!({ "lease_seconds": 29 }), "lease_seconds"),
        (json!({ "lease_seconds": 86401 }), "lease_seconds"),
        (json!({ "leases": 1 }), "leases"),
    ] {
        let refused = problem(test.post_with(&key, "/api/messages/claim", body).await, 400, "validation_failed").await;
        assert_eq!(refused["errors"][0]["field"], field, "{refused}");
    }
    let long = json!({ "reason": "x".repeat(1001) });
    problem(test.post_with(&key, &about(&sent, "fail"), long).await, 400, "validation_failed").await;
    problem(test.post_with(&key, &about(&sent, "renew"), json!({})).await, 400, "validation_failed").await;
    let text = test.request_with(&key, Method::POST, "/api/messages/claim").body("limit=1").send().await.unwrap();
    problem(text, 415, "unsupported_media_type").await;
}

#[both_engines]
async fn a_lease_that_has_ended_is_lost(test: TestServer) {
    let (ann, _, key) = ann_and_worker(&test).await;
    test.say(&ann, json!({ "to": "worker", "body": "one" })).await;
    let first = test.claim_with(&key, json!({ "lease_seconds": 60 })).await.remove(0);
    let refused = problem(test.post_with(&key, &about(&first, "done"), json!({})).await, 409, "already_claimed").await;
    assert_eq!((&refused["holder"], &refused["lease_expires_at"]), (&json!("worker"), &first["lease_expires_at"]));
    test.clock.advance(Duration::from_secs(59));
    assert!(test.claim_with(&key, json!({})).await.is_empty(), "it is still held");
    test.clock.advance(Duration::from_secs(1));
    for what in ["done", "fail", "renew", "release"] {
        problem(test.post_with(&key, &about(&first, what), token(&first)).await, 409, "lease_lost").await;
    }
    // Whoever asks next gets it, whether or not the worker has been there.
    let second = test.claim_with(&key, json!({ "lease_seconds": 60 })).await.remove(0);
    assert_eq!(second["id"], first["id"]);
    assert_ne!(second["claim_token"], first["claim_token"]);
    problem(test.post_with(&key, &about(&first, "done"), token(&first)).await, 409, "lease_lost").await;
    test.done_with(&key, &about(&second, "done"), token(&second)).await;
    let late = problem(test.post_with(&key, &about(&first, "done"), token(&first)).await, 409, "lease_lost").await;
    assert!(late["detail"].as_str().unwrap().contains("claim again"), "{late}");
}

#[both_engines]
async fn renewing_keeps_and_releasing_gives_back(test: TestServer) {
    let (ann, _, key) = ann_and_worker(&test).await;
    test.say(&ann, json!({ "to": "worker", "body": "one" })).await;
    let first = test.claim_with(&key, json!({ "lease_seconds": 60 })).await.remove(0);
    test.clock.advance(Duration::from_secs(50));
    let mut body = token(&first);
    body["lease_seconds"] = json!(100);
    let renewed = test.done_with(&key, &about(&first, "renew"), body.clone()).await;
    assert_eq!(renewed["lease_expires_at"], "2026-01-01T00:02:30.000Z");
    test.clock.advance(Duration::from_secs(90));
    test.work("lease_expiry").await;
    assert!(test.claim_with(&key, json!({})).await.is_empty());
    body["lease_seconds"] = json!(7);
    problem(test.post_with(&key, &about(&first, "renew"), body).await, 400, "validation_failed").await;
    problem(test.post_with(&key, &about(&first, "renew"), json!({ "claim_token": "no" })).await, 409, "lease_lost")
        .await;
    let released = test.done_with(&key, &about(&first, "release"), token(&first)).await;
    assert_eq!((&released["status"], &released["claimed_by"]), (&json!("pending"), &Value::Null));
    // What is given back was not tried, however often.
    for _ in 0..8 {
        let again = test.claim_with(&key, json!({ "limit": 50 })).await;
        for one in &again {
            test.done_with(&key, &about(one, "release"), token(one)).await;
        }
        assert!(again.iter().any(|one| one["id"] == first["id"]));
    }
    test.claim_with(&key, json!({ "limit": 50, "lease_seconds": 60 })).await;
    test.clock.advance(Duration::from_mins(1));
    test.work("lease_expiry").await;
    problem(test.post_with(&key, &about(&first, "done"), token(&first)).await, 409, "lease_lost").await;
    assert_eq!(test.claim_with(&key, json!({})).await[0]["id"], first["id"]);
}

#[both_engines]
async fn the_worker_puts_back_what_nobody_finished(test: TestServer) {
    let (ann, _, key) = ann_and_worker(&test).await;
    for number in 0..250 {
        test.hub.messages().send(&Caller::root(), NewMessage::to("worker", number.to_string())).await.unwrap();
    }
    test.say(&ann, json!({ "to": "worker", "body": "one" })).await;
    for _ in 0..6 {
        test.claim_with(&key, json!({ "limit": 50, "lease_seconds": 60 })).await;
    }
    let pending = async || {
        let inbox = test.look_with(&key, "/api/messages?status=pending&limit=200").await;
        inbox["messages"].as_array().unwrap().len()
    };
    assert_eq!(pending().await, 0);
    test.clock.advance(Duration::from_mins(2));
    test.work("lease_expiry").await;
    assert_eq!(pending().await, 200);
}

#[both_engines]
async fn a_claim_marks_read_what_it_took_and_nothing_before_it(test: TestServer) {
    let (ann, _, key) = ann_and_worker(&test).await;
    for (body, priority) in [("a", 5), ("b", 9), ("c", 5)] {
        test.say(&ann, json!({ "to": "worker", "body": body, "priority": priority })).await;
        test.say_with(&key, json!({ "to": "ann", "body": "noted" })).await;
    }
    let unread = async || -> Vec<String> {
        let inbox = test.look_with(&key, "/api/messages?unread=true").await;
        inbox["messages"]
            .as_array()
            .unwrap()
            .iter()
            .map(|message| message["body"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(unread().await, ["c", "b", "a"]);
    test.claim_with(&key, json!({})).await;
    assert_eq!(unread().await, ["c", "b", "a"], "b was taken, but a waits before it");
    test.claim_with(&key, json!({})).await;
    assert_eq!(unread().await, ["c"], "a was taken, and b after it");
    test.claim_with(&key, json!({})).await;
    assert!(unread().await.is_empty());
    let count = "SELECT v.message_count - rc.position - rc.own_after FROM read_cursors rc
                   JOIN conversations v ON v.id = rc.conversation_id
                   JOIN participants p ON p.id = rc.participant_id
                  WHERE p.handle = 'worker'";
    let left = test.hub.db().read((), move |tx, ()| Box::pin(tx.query(count).fetch_value::<i64>()));
    assert_eq!(left.await.unwrap(), 0);
}

#[both_engines]
async fn a_message_that_is_never_finished_becomes_a_dead_letter_the_fifth_time(test: TestServer) {
    let (ann, bob, key) = ann_and_worker(&test).await;
    let sent = test.say(&ann, json!({ "to": "worker", "body": "one" })).await;
    let mut last = Value::Null;
    for attempt in 1..=5 {
        last = test.claim_with(&key, json!({ "lease_seconds": 60 })).await.remove(0);
        test.clock.advance(Duration::from_mins(1));
        // By the worker and by the next claim alike.
        if attempt % 2 == 0 {
            test.work("lease_expiry").await;
        }
    }
    assert!(test.claim_with(&key, json!({})).await.is_empty());
    let failed = test.look(&ann, &format!("/api/messages/{}", sent["id"])).await;
    assert_eq!(failed["status"], "failed");
    for what in ["done", "fail"] {
        problem(test.post_with(&key, &about(&last, what), token(&last)).await, 409, "lease_lost").await;
    }
    let letters = test.look(&bob, "/api/dead-letters").await;
    assert_eq!((&letters["total"], &letters["dead_letters"][0]["attempts"]), (&json!(1), &json!(5)), "{letters}");
    test.work("non_delivery").await;
    let notices = test.notices(&ann, &sent["id"]).await;
    assert_eq!(notices.len(), 1, "{notices:?}");
    assert_eq!(
        (&notices[0]["metadata"]["non_delivery"]["to"], &notices[0]["from_kind"]),
        (&json!("worker"), &json!("system"))
    );
}

#[both_engines]
async fn of_many_workers_each_message_goes_to_one(test: TestServer) {
    const MESSAGES: usize = 1000;
    const WORKERS: usize = 64;
    let (ann, _, key) = ann_and_worker(&test).await;
    let (_, ann) = test.create_key(&ann, json!({ "name": "k", "permissions": ["write"] })).await;
    let (ann, worker) = (test.bearer(&ann).await, test.bearer(&key).await);
    fill(&test.hub, &ann, MESSAGES).await;
    // Half of them in another process, as far as the store can tell.
    let hubs = [test.hub.clone(), test.another().await];
    let rounds = (0..WORKERS).map(|number| {
        let (hub, worker) = (hubs[number % 2].clone(), worker.clone());
        tokio::spawn(async move {
            let mut handled = Vec::new();
            loop {
                let request = ClaimRequest { limit: Some(1 + u32::try_from(number).unwrap() % 7), lease_seconds: None };
                let claimed = hub.messages().claim(&worker, request).await.unwrap().messages;
                if claimed.is_empty() {
                    return handled;
                }
                for claimed in claimed {
                    let id = claimed.message.id;
                    hub.messages().finish(&worker, id, Finish::done(Some(claimed.claim_token))).await.unwrap();
                    handled.push(id);
                }
            }
        })
    });
    let mut times: BTreeMap<_, usize> = BTreeMap::new();
    for handled in join_all(rounds).await {
        for id in handled.unwrap() {
            *times.entry(id).or_default() += 1;
        }
    }
    assert_eq!(times.len(), MESSAGES);
    assert!(times.values().all(|times| *times == 1));
    hubs[1].close().await;
}

#[both_engines]
async fn of_many_who_finish_at_once_one_decides(test: TestServer) {
    let (ann, _, key) = ann_and_worker(&test).await;
    let sent = test.say(&ann, json!({ "to": "worker", "body": "one" })).await;
    let answers = join_all((0..16).map(async |number| {
        let what = if number % 2 == 0 { "done" } else { "fail" };
        test.post_with(&key, &about(&sent, what), json!({})).await.status().as_u16()
    }));
    let answers = answers.await;
    let well: Vec<_> = (0..16).filter(|number| answers[*number] == 200).map(|number| number % 2).collect();
    assert_eq!(well.len(), 8, "one ending stands, and those who said it agree: {answers:?}");
    assert!(well.iter().all(|kind| *kind == well[0]), "{answers:?}");
    assert!(answers.iter().all(|status| [200, 409].contains(status)));
}
