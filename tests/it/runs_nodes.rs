//! Several processes on one store: each message in one run, and none lost with the process that had it.

use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use svc_core::agents::{AgentSettings, NewAgent, TriggerMode};
use svc_core::messages::NewMessage;
use svc_core::users::NewUser;
use svc_core::workers::Worker;
use svc_core::{Caller, Hub};
use svc_test_macros::both_engines;

use crate::support::harness::TestHarness;
use crate::support::hub::TestHub;
use crate::support::store::work;
use crate::support::wait::until;

/// Another hub on the store, with its own harness.
async fn node(test: &TestHub) -> (Hub, TestHarness) {
    let harness = TestHarness::default();
    (test.builder().harness(Arc::new(harness.clone())).open().await.unwrap(), harness)
}

async fn reactive(hub: &Hub, name: &str) {
    let settings = AgentSettings {
        trigger_mode: Some(TriggerMode::Reactive),
        cooldown_seconds: Some(0),
        daily_run_budget: Some(1000),
        harness: Some(json!({ "command": "agent" })),
        ..AgentSettings::default()
    };
    let new = NewAgent { name: name.parse().unwrap(), owner: Some("ann".parse().unwrap()), settings };
    hub.agents().create(&Caller::root(), new).await.unwrap();
}

/// Somebody who writes to agents.
async fn writer(hub: &Hub) -> Caller {
    hub.users().create(&Caller::root(), NewUser::named("ann").unwrap()).await.unwrap();
    let new = NewAgent::named("writer").unwrap().owned_by("ann").unwrap();
    let key = hub.agents().create(&Caller::root(), new).await.unwrap().key;
    hub.auth().bearer(&key).await.unwrap()
}

fn dispatcher(hub: &Hub) -> Arc<dyn Worker> {
    hub.workers().into_iter().find(|worker| worker.name() == "run_dispatch").unwrap()
}

#[both_engines]
async fn two_nodes_run_each_message_once(test: TestHub) {
    let ((one, first), (two, second)) = (node(&test).await, node(&test).await);
    let writer = writer(&one).await;
    for number in 0..5 {
        reactive(&one, &format!("agent-{number}")).await;
    }
    let workers = [one.start_workers(), two.start_workers()];
    for number in 0..40 {
        let hub = if number % 2 == 0 { &one } else { &two };
        let to = format!("agent-{}", number % 5);
        hub.messages().send(&writer, NewMessage::to(to, number.to_string())).await.unwrap();
    }
    // The answers to the writer are read by nobody.
    let open = "SELECT count(*) FROM messages JOIN agents ON agents.id = messages.recipient_id
                WHERE agents.trigger_mode = 'reactive' AND messages.status <> 'done'";
    until("all messages are done", async || (test.number(open).await == 0).then_some(())).await;
    let mut seen: Vec<i64> = first
        .jobs()
        .iter()
        .chain(&second.jobs())
        .flat_map(|job| {
            let messages = job.messages["messages"].as_array().unwrap().clone();
            messages.into_iter().map(|message| message["id"].as_i64().unwrap())
        })
        .collect();
    seen.sort_unstable();
    assert_eq!(seen.len(), 40);
    seen.dedup();
    assert_eq!(seen.len(), 40, "a message was in two runs");
    for worker in workers {
        worker.stop().await;
    }
    assert_eq!(
        test.number("SELECT count(*) FROM reactive_runs WHERE status NOT IN ('succeeded', 'coalesced')").await,
        0
    );
}

#[both_engines]
async fn a_run_of_a_node_that_dies_is_interrupted_and_its_message_runs_again(test: TestHub) {
    let ((one, first), (two, second)) = (node(&test).await, node(&test).await);
    let writer = writer(&one).await;
    reactive(&one, "scout").await;
    one.messages().send(&writer, NewMessage::to("scout", "go")).await.unwrap();
    work(&one, "run_reader").await;
    let _end = first.waits();
    let dying = dispatcher(&one);
    dying.run_once().await.unwrap();
    first.job(1).await;
    assert_eq!(test.number("SELECT count(*) FROM messages WHERE status = 'processing'").await, 1);
    // Its tasks end without a word.
    drop(dying);
    let workers = two.start_workers();
    test.clock.advance(Duration::from_secs(61));
    second.job(1).await;
    until("the second run has ended", async || {
        (test.number("SELECT count(*) FROM reactive_runs WHERE status = 'succeeded'").await == 1).then_some(())
    })
    .await;
    let interrupted = "SELECT count(*) FROM reactive_runs WHERE status = 'failed' AND error = 'interrupted'";
    assert_eq!(test.number(interrupted).await, 1);
    assert_eq!(test.number("SELECT count(*) FROM run_credentials").await, 0);
    workers.stop().await;
}

#[both_engines]
async fn a_node_that_stops_gives_its_messages_back(test: TestHub) {
    let ((one, first), (two, second)) = (node(&test).await, node(&test).await);
    let writer = writer(&one).await;
    reactive(&one, "scout").await;
    let _end = first.waits();
    let workers = one.start_workers();
    one.messages().send(&writer, NewMessage::to("scout", "go")).await.unwrap();
    first.job(1).await;
    workers.stop().await;
    let interrupted = "SELECT count(*) FROM reactive_runs WHERE status = 'failed' AND error = 'interrupted'";
    assert_eq!(test.number(interrupted).await, 1);
    let workers = two.start_workers();
    second.job(1).await;
    workers.stop().await;
}
