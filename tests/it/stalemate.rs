//! What stands still in a workflow channel: one reminder, one escalation, whoever looks and how often.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Value, json};
use svc_test_macros::both_engines;

use crate::support::people::Person;
use crate::support::server::TestServer;
use crate::support::server::told;
use crate::support::store::work;

const HOUR: Duration = Duration::from_hours(1);

/// Somebody with a key, which outlasts a login.
async fn keyed(test: &TestServer, name: &str) -> (Person, String) {
    let person = test.person(name).await;
    let (_, key) = test.create_key(&person, json!({ "name": "lasting", "permissions": ["write"] })).await;
    (person, key)
}

/// What the system wrote to somebody about things that stand still, oldest first.
async fn notices(test: &TestServer, key: &str) -> Vec<Value> {
    let inbox = test.look_with(key, "/api/messages?from=system&limit=200").await;
    let mut notices = inbox["messages"].as_array().unwrap().clone();
    notices.reverse();
    for notice in &notices {
        assert_eq!((&notice["from_kind"], &notice["channel"]), (&json!("system"), &Value::Null));
        assert!(notice["metadata"]["stalemate"].is_object(), "{notice}");
    }
    notices
}

/// `kind state message` of each.
async fn news(test: &TestServer, key: &str) -> Vec<(String, String, Value)> {
    let word = |value: &Value| value.as_str().unwrap().to_owned();
    let facts = |notice: &Value| {
        let about = &notice["metadata"]["stalemate"];
        (word(&about["kind"]), word(&about["state"]), about["message_id"].clone())
    };
    notices(test, key).await.iter().map(facts).collect()
}

fn fact(kind: &str, state: &str, message: &Value) -> (String, String, Value) {
    (kind.to_owned(), state.to_owned(), message["id"].clone())
}

#[both_engines]
async fn the_owner_is_reminded_once_and_told_once_more(test: TestServer) {
    let ((_, ann), (_, bob)) = (keyed(&test, "ann").await, keyed(&test, "bob").await);
    test.room("ann", "ops", true, &[]).await;
    test.set_room("ops", "workflow_enabled = TRUE").await;
    let said = test.say_with(&bob, json!({ "channel": "ops", "body": "nobody will look" })).await;
    test.clock.advance(Duration::from_secs(24 * 3600 - 1));
    test.work("stalemate").await;
    assert!(notices(&test, &ann).await.is_empty(), "not yet");
    test.clock.advance(Duration::from_secs(1));
    for _ in 0..3 {
        test.work("stalemate").await;
    }
    assert_eq!(news(&test, &ann).await, [fact("reminder", "proposed", &said)]);
    let notice = &notices(&test, &ann).await[0];
    assert_eq!(notice["metadata"]["stalemate"]["channel"], "ops");
    let body = notice["body"].as_str().unwrap();
    assert!(body.contains("#ops") && body.contains("24 hours") && body.contains(&said["id"].to_string()), "{body}");
    assert!(test.events_of("message.updated").await.is_empty());
    test.clock.advance(48 * HOUR);
    for _ in 0..3 {
        test.work("stalemate").await;
        test.clock.advance(HOUR);
    }
    assert_eq!(news(&test, &ann).await, [fact("reminder", "proposed", &said), fact("escalation", "proposed", &said)]);
    assert!(notices(&test, &bob).await.is_empty());
    let marked = test.events_of("message.updated").await;
    assert_eq!(marked.len(), 1);
    assert_eq!(
        (&marked[0]["message_id"], &marked[0]["channel"], &marked[0]["public"]),
        (&said["id"], &json!("ops"), &json!(true))
    );
    assert!(marked[0]["escalated_at"].is_string() && marked[0]["sender_owner_id"].is_i64(), "{marked:?}");
    // Every reader of the message sees the mark, until the message moves on.
    let one = test.look_with(&bob, &format!("/api/messages/{}", said["id"])).await;
    assert_eq!(one["escalated_at"], marked[0]["escalated_at"]);
    let room = test.look_with(&bob, "/api/channels/ops/messages").await;
    assert_eq!(room["messages"][0]["escalated_at"], marked[0]["escalated_at"]);
    told(test.react_with(&ann, &said, "approve").await, 200).await;
    let one = test.look_with(&bob, &format!("/api/messages/{}", said["id"])).await;
    assert_eq!((&one["workflow_state"], &one["escalated_at"]), (&json!("approved"), &Value::Null));
    test.stop().await;
}

#[both_engines]
async fn whoever_works_on_it_is_reminded_and_another_state_begins_anew(test: TestServer) {
    let ((_, ann), (bobby, bob)) = (keyed(&test, "ann").await, keyed(&test, "bob").await);
    let worker = test.create_agent(&bobby, "worker").await;
    test.room("ann", "ops", true, &[]).await;
    test.set_room("ops", "workflow_enabled = TRUE, stalemate_remind_after = 3600, stalemate_escalate_after = 7200")
        .await;
    let said = test.say_with(&ann, json!({ "channel": "ops", "body": "a task" })).await;
    test.clock.advance(HOUR);
    test.work("stalemate").await;
    assert_eq!(news(&test, &ann).await, [fact("reminder", "proposed", &said)]);
    told(test.react_with(&worker, &said, "in_progress").await, 200).await;
    // A reaction that leaves the state as it is does not begin anything anew.
    test.clock.advance(HOUR / 2);
    told(test.react_with(&ann, &said, "approve").await, 200).await;
    test.clock.advance(HOUR / 2);
    test.work("stalemate").await;
    // Bob sees what his agent gets.
    assert_eq!(news(&test, &bob).await, [fact("reminder", "in_progress", &said)]);
    assert_eq!(notices(&test, &bob).await[0]["to"], "worker");
    test.clock.advance(HOUR);
    test.work("stalemate").await;
    assert_eq!(news(&test, &ann).await[1..], [fact("escalation", "in_progress", &said)]);
    // Given back, it is approved, and that may stand still as well.
    told(test.react_with(&worker, &said, "in_progress").await, 200).await;
    test.clock.advance(HOUR);
    test.work("stalemate").await;
    assert_eq!(news(&test, &ann).await[2..], [fact("reminder", "approved", &said)]);
    // What is done stands still for good.
    told(test.react_with(&worker, &said, "done").await, 200).await;
    test.clock.advance(1000 * HOUR);
    test.work("stalemate").await;
    assert_eq!((news(&test, &ann).await.len(), news(&test, &bob).await.len()), (3, 1));
    test.stop().await;
}

#[both_engines]
async fn a_claimant_who_is_gone_is_not_written_to(test: TestServer) {
    let ((anna, ann), (bobby, bob)) = (keyed(&test, "ann").await, keyed(&test, "bob").await);
    let worker = test.create_agent(&bobby, "worker").await;
    test.create_agent(&anna, "chief").await;
    test.room("chief", "ops", true, &[]).await;
    test.set_room("ops", "workflow_enabled = TRUE").await;
    let said = test.say_with(&ann, json!({ "channel": "ops", "body": "a task" })).await;
    told(test.react_with(&worker, &said, "in_progress").await, 200).await;
    for (person, path) in [(&bobby, "/api/agents/worker"), (&anna, "/api/agents/chief")] {
        assert_eq!(test.request_as(person, reqwest::Method::DELETE, path).send().await.unwrap().status(), 204);
    }
    test.clock.advance(24 * HOUR);
    test.work("stalemate").await;
    // The owner of the channel is gone too, so its human is told.
    assert_eq!(news(&test, &ann).await, [fact("reminder", "in_progress", &said)]);
    assert_eq!(notices(&test, &ann).await[0]["to"], "ann");
    assert!(notices(&test, &bob).await.is_empty());
    test.stop().await;
}

#[both_engines]
async fn a_time_of_0_and_channels_without_workflow_remind_nobody(test: TestServer) {
    let (_, ann) = keyed(&test, "ann").await;
    for (name, settings) in [
        ("off", "workflow_enabled = TRUE, stalemate_remind_after = 0, stalemate_escalate_after = 0"),
        ("late", "workflow_enabled = TRUE, stalemate_remind_after = 0"),
        ("soft", "workflow_enabled = TRUE, stalemate_escalate_after = 0"),
        ("old", "workflow_enabled = TRUE"),
        ("ended", "workflow_enabled = TRUE"),
        ("plain", "workflow_enabled = FALSE"),
    ] {
        test.room("ann", name, true, &[]).await;
        test.set_room(name, settings).await;
        test.say_with(&ann, json!({ "channel": name, "body": "who?" })).await;
    }
    test.set_room("old", "archived_at = 1").await;
    test.set_room("ended", "workflow_enabled = FALSE").await;
    test.clock.advance(1000 * HOUR);
    test.work("stalemate").await;
    test.work("stalemate").await;
    let mut seen: Vec<_> = notices(&test, &ann)
        .await
        .iter()
        .map(|notice| {
            let about = &notice["metadata"]["stalemate"];
            (about["channel"].as_str().unwrap().to_owned(), about["kind"].as_str().unwrap().to_owned())
        })
        .collect();
    seen.sort();
    assert_eq!(seen, [("late".to_owned(), "escalation".to_owned()), ("soft".into(), "reminder".into())]);
    test.stop().await;
}

#[both_engines]
async fn processes_that_look_at_once_remind_once(test: TestServer) {
    let (_, ann) = keyed(&test, "ann").await;
    test.room("ann", "ops", true, &[]).await;
    test.set_room("ops", "workflow_enabled = TRUE, stalemate_escalate_after = 0").await;
    // More than one batch.
    for number in 0..150 {
        test.say_with(&ann, json!({ "channel": "ops", "body": format!("task {number}") })).await;
    }
    let other = test.another().await;
    test.clock.advance(24 * HOUR);
    tokio::join!(
        work(&test.hub, "stalemate"),
        work(&other, "stalemate"),
        work(&test.hub, "stalemate"),
        work(&other, "stalemate")
    );
    let mut times: BTreeMap<String, u32> = BTreeMap::new();
    for notice in notices(&test, &ann).await {
        *times.entry(notice["metadata"]["stalemate"]["message_id"].to_string()).or_default() += 1;
    }
    assert_eq!(times.len(), 150);
    assert!(times.values().all(|times| *times == 1), "{times:?}");
    other.close().await;
    test.stop().await;
}

#[both_engines]
async fn a_message_that_moves_on_while_it_is_looked_at_is_told_of_in_the_state_it_has(test: TestServer) {
    let (_, ann) = keyed(&test, "ann").await;
    test.room("ann", "ops", true, &[]).await;
    test.set_room("ops", "workflow_enabled = TRUE, stalemate_escalate_after = 0").await;
    let mut all = Vec::new();
    for number in 0..20 {
        all.push(test.say_with(&ann, json!({ "channel": "ops", "body": format!("task {number}") })).await);
    }
    test.clock.advance(24 * HOUR);
    let finish = futures_util::future::join_all(
        all.iter().map(|said| async { told(test.react_with(&ann, said, "done").await, 200).await }),
    );
    tokio::join!(finish, work(&test.hub, "stalemate"));
    let reminded = news(&test, &ann).await;
    assert!(reminded.iter().all(|(kind, state, _)| kind == "reminder" && state == "proposed"), "{reminded:?}");
    test.work("stalemate").await;
    assert_eq!(news(&test, &ann).await, reminded, "all of them are done now");
    assert_eq!(
        test.number("SELECT count(*) FROM messages WHERE workflow_state = 'done' AND reminded_at IS NULL").await,
        20
    );
    test.stop().await;
}
