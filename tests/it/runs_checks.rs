//! What keeps a message from starting its agent, and when it starts all the same.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use svc_core::Caller;
use svc_core::clock::Clock;
use svc_core::harness::{RunEnd, RunResult};
use svc_core::messages::NewMessage;
use svc_test_macros::both_engines;

use crate::support::people::Person;
use crate::support::server::{TestServer, problem};
use crate::support::wait::until;

async fn until_statuses(test: &TestServer, owner: &Person, wanted: &[&str]) {
    until(&format!("runs that are {wanted:?}"), async || (test.statuses(owner).await == wanted).then_some(())).await;
}

async fn agent(test: &TestServer, owner: &Person) -> Value {
    test.look(owner, "/api/agents/reactive").await["agents"][0].clone()
}

#[both_engines]
async fn a_paused_agent_runs_when_it_is_resumed(test: TestServer) {
    let ann = test.person("ann").await;
    test.reactive(&ann, "scout").await;
    test.set_agent(&ann, "scout", json!({ "paused": true })).await;
    test.say(&ann, json!({ "to": "scout", "body": "one" })).await;
    test.say(&ann, json!({ "to": "scout", "body": "two" })).await;
    until_statuses(&test, &ann, &["paused", "paused"]).await;
    let shown = agent(&test, &ann).await;
    assert_eq!(
        (&shown["state"], &shown["pending_work"], &shown["runs_today"]),
        (&json!("paused"), &json!(true), &json!(0))
    );
    assert!(test.harness.jobs().is_empty());
    test.set_agent(&ann, "scout", json!({ "paused": false })).await;
    until_statuses(&test, &ann, &["paused", "paused", "succeeded"]).await;
    let run = test.runs(&ann, "?status=succeeded").await[0].clone();
    assert_eq!((&run["cause"], &run["messages"]), (&json!("waiting"), &json!(2)));
    let shown = agent(&test, &ann).await;
    assert_eq!(
        (&shown["state"], &shown["pending_work"], &shown["runs_today"]),
        (&json!("idle"), &json!(false), &json!(1))
    );
}

#[both_engines]
async fn an_agent_in_quarantine_runs_when_that_is_lifted(test: TestServer) {
    let ann = test.person("ann").await;
    test.reactive(&ann, "scout").await;
    test.execute("UPDATE agents SET quarantined_at = 1").await;
    test.say(&ann, json!({ "to": "scout", "body": "one" })).await;
    until_statuses(&test, &ann, &["quarantined"]).await;
    let refused = test.ask(&ann, Method::POST, "/api/agents/scout/run", json!({})).await;
    problem(refused, 409, "quarantined").await;
    test.set_agent(&ann, "scout", json!({ "quarantined": false })).await;
    until_statuses(&test, &ann, &["quarantined", "succeeded"]).await;
}

#[both_engines]
async fn a_message_that_is_too_deep_never_starts_a_run(test: TestServer) {
    let ann = test.person("ann").await;
    test.reactive(&ann, "scout").await;
    test.set_agent(&ann, "scout", json!({ "max_trigger_depth": 0 })).await;
    let other = test.create_agent(&ann, "other").await;
    let deep = test.say_with(&other, json!({ "to": "scout", "body": "deep" })).await;
    assert_eq!(deep["depth"], 1);
    until_statuses(&test, &ann, &["depth_exceeded"]).await;
    assert_eq!(agent(&test, &ann).await["pending_work"], false);
    // A message of a human starts a run, and it leaves the deep one alone.
    test.say(&ann, json!({ "to": "scout", "body": "go" })).await;
    until_statuses(&test, &ann, &["depth_exceeded", "succeeded"]).await;
    assert_eq!(test.runs(&ann, "").await[0]["messages"], 1);
    let path = format!("/api/messages/{}", deep["id"]);
    assert_eq!(test.look(&ann, &path).await["status"], "pending");
}

#[both_engines]
async fn a_budget_of_runs_lasts_until_midnight(test: TestServer) {
    let ann = test.person("ann").await;
    test.reactive(&ann, "scout").await;
    test.set_agent(&ann, "scout", json!({ "daily_run_budget": 1 })).await;
    test.say(&ann, json!({ "to": "scout", "body": "one" })).await;
    until_statuses(&test, &ann, &["succeeded"]).await;
    test.say(&ann, json!({ "to": "scout", "body": "two" })).await;
    until_statuses(&test, &ann, &["succeeded", "budget_exhausted"]).await;
    assert_eq!(agent(&test, &ann).await["state"], "budget_exhausted");
    test.clock.advance(Duration::from_hours(25));
    test.work("run_reader").await;
    let ann = test.log_in("ann").await;
    until_statuses(&test, &ann, &["succeeded", "budget_exhausted", "succeeded"]).await;
}

#[both_engines]
async fn a_cooldown_delays_the_next_run(test: TestServer) {
    let ann = test.person("ann").await;
    test.reactive(&ann, "scout").await;
    test.set_agent(&ann, "scout", json!({ "cooldown_seconds": 600 })).await;
    test.say(&ann, json!({ "to": "scout", "body": "one" })).await;
    until_statuses(&test, &ann, &["succeeded"]).await;
    test.say(&ann, json!({ "to": "scout", "body": "two" })).await;
    until_statuses(&test, &ann, &["succeeded", "cooldown_skipped"]).await;
    let shown = agent(&test, &ann).await;
    assert_eq!((&shown["state"], &shown["cooldown_until"]), (&json!("cooldown"), &json!("2026-01-01T00:10:00.000Z")));
    test.clock.advance(Duration::from_secs(599));
    test.work("run_reader").await;
    assert_eq!(test.statuses(&ann).await.len(), 2);
    test.clock.advance(Duration::from_secs(1));
    test.work("run_reader").await;
    until_statuses(&test, &ann, &["succeeded", "cooldown_skipped", "succeeded"]).await;
    // The owner can run it in spite of the cooldown.
    test.did(&ann, Method::POST, "/api/agents/scout/run", json!({})).await;
    until_statuses(&test, &ann, &["succeeded", "cooldown_skipped", "succeeded", "succeeded"]).await;
}

#[both_engines]
async fn messages_that_arrive_during_a_run_share_the_next_one(test: TestServer) {
    let ann = test.person("ann").await;
    test.reactive(&ann, "scout").await;
    let end = test.harness.waits();
    test.say(&ann, json!({ "to": "scout", "body": "one" })).await;
    test.harness.job(1).await;
    for body in ["two", "three", "four"] {
        test.say(&ann, json!({ "to": "scout", "body": body })).await;
    }
    until_statuses(&test, &ann, &["running", "coalesced", "coalesced", "coalesced"]).await;
    end.send(RunEnd::Succeeded(RunResult::default())).unwrap();
    until_statuses(&test, &ann, &["succeeded", "coalesced", "coalesced", "coalesced", "succeeded"]).await;
    let job = test.harness.job(2).await;
    assert_eq!(job.messages["messages"].as_array().unwrap().len(), 3);
    assert_eq!(
        test.number("SELECT count(*) FROM messages WHERE status <> 'done' AND recipient_id IN (SELECT id FROM agents)")
            .await,
        0
    );
}

#[both_engines]
async fn an_agent_that_is_not_reactive_is_not_run(test: TestServer) {
    let ann = test.person("ann").await;
    test.reactive(&ann, "scout").await;
    for mode in ["passive", "disabled"] {
        test.set_agent(&ann, "scout", json!({ "trigger_mode": mode })).await;
        test.say(&ann, json!({ "to": "scout", "body": mode })).await;
        test.work("run_reader").await;
        let refused = test.ask(&ann, Method::POST, "/api/agents/scout/run", json!({})).await;
        problem(refused, 409, "not_reactive").await;
    }
    assert!(test.statuses(&ann).await.is_empty());
    assert_eq!(test.look(&ann, "/api/agents/reactive").await, json!({ "agents": [] }));
    // Messages of the system start nothing either; the next run finds all of them in the inbox.
    test.set_agent(&ann, "scout", json!({ "trigger_mode": "reactive" })).await;
    test.hub.messages().send(&Caller::root(), NewMessage::to("scout", "news")).await.unwrap();
    test.work("run_reader").await;
    assert!(test.statuses(&ann).await.is_empty());
    test.say(&ann, json!({ "to": "scout", "body": "go" })).await;
    until_statuses(&test, &ann, &["succeeded"]).await;
    assert_eq!(test.runs(&ann, "").await[0]["messages"], 4);
    // `reactive` is a word of the API.
    let taken = test.ask(&ann, Method::POST, "/api/agents", json!({ "name": "reactive" })).await;
    problem(taken, 409, "handle_taken").await;
}

#[both_engines]
async fn a_message_that_another_worker_takes_first_is_left_to_it(test: TestServer) {
    let ann = test.person("ann").await;
    let key = test.reactive(&ann, "scout").await;
    test.set_agent(&ann, "scout", json!({ "paused": true })).await;
    test.say(&ann, json!({ "to": "scout", "body": "one" })).await;
    until_statuses(&test, &ann, &["paused"]).await;
    let claimed = test.tool(&key, "claim_messages", json!({})).await;
    test.set_agent(&ann, "scout", json!({ "paused": false })).await;
    until("nothing waits", async || (agent(&test, &ann).await["pending_work"] == false).then_some(())).await;
    assert!(test.harness.jobs().is_empty());
    // It waits again when that worker gives it back.
    let work = &claimed["messages"][0];
    test.tool(&key, "release_claim", json!({ "id": work["id"], "claim_token": work["claim_token"] })).await;
    until_statuses(&test, &ann, &["paused", "succeeded"]).await;
}

/// Holds a loop of an agent and another one, or of an agent alone, from now on; returns its id.
async fn hold(test: &TestServer, agent: &str, other: Option<&str>, conversation: &Value) -> i64 {
    let id = |name: &str| format!("(SELECT id FROM participants WHERE handle = '{name}')");
    let (agent, other) = (id(agent), other.map_or_else(|| "NULL".to_owned(), id));
    let (now, until) = (test.clock.now(), test.clock.now().plus(Duration::from_hours(1)));
    test.execute(format!(
        "INSERT INTO loops (kind, agent_id, other_id, conversation_id, count, held_at, until)
         VALUES ('flood', {agent}, {other}, {conversation}, 61, {}, {})",
        now.as_micros(),
        until.as_micros()
    ))
    .await;
    test.number("SELECT max(id) FROM loops").await
}

#[both_engines]
async fn nobody_waits_behind_a_loop_of_others(test: TestServer) {
    let ann = test.person("ann").await;
    let builder = test.create_agent(&ann, "builder").await;
    test.reactive(&ann, "scout").await;
    test.set_agent(&ann, "scout", json!({ "cooldown_seconds": 600 })).await;
    test.say(&ann, json!({ "to": "scout", "body": "one" })).await;
    until_statuses(&test, &ann, &["succeeded"]).await;
    let held = test.say_with(&builder, json!({ "to": "scout", "body": "two", "priority": 9 })).await;
    let asked = test.say(&ann, json!({ "to": "scout", "body": "three" })).await;
    until_statuses(&test, &ann, &["succeeded", "cooldown_skipped", "cooldown_skipped"]).await;
    hold(&test, "builder", Some("scout"), &held["conversation_id"]).await;
    test.clock.advance(Duration::from_mins(10));
    test.work("run_reader").await;
    until_statuses(&test, &ann, &["succeeded", "cooldown_skipped", "cooldown_skipped", "succeeded"]).await;
    assert_eq!(test.runs(&ann, "").await[0]["trigger_message_id"], asked["id"]);
}

#[both_engines]
async fn a_lifted_flood_lets_its_messages_start_runs(test: TestServer) {
    let ann = test.person("ann").await;
    let builder = test.create_agent(&ann, "builder").await;
    let scout = test.reactive(&ann, "scout").await;
    let first = test.say_with(&scout, json!({ "to": "builder", "body": "Here I am." })).await;
    let id = hold(&test, "builder", None, &first["conversation_id"]).await;
    test.say_with(&builder, json!({ "to": "scout", "body": "one of many" })).await;
    until_statuses(&test, &ann, &["paused"]).await;
    test.did(&ann, Method::POST, &format!("/api/loops/{id}/lift"), json!({})).await;
    until_statuses(&test, &ann, &["paused", "succeeded"]).await;
}
