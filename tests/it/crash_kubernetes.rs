//! Kill -9 while Jobs are created and followed: an event has one Job, and its end is known.

use std::collections::BTreeMap;

use futures_util::future::join_all;
use reqwest::{Client, StatusCode};
use serde_json::{Value, json};
use svc_core::Caller;
use svc_core::cluster::NewHandler;
use svc_core::webhooks::WebhookEvent;
use svc_test_macros::both_engines;
use tempfile::TempDir;

use crate::support::child::TestChild;
use crate::support::crash::{kill, let_leases_end};
use crate::support::hub::TestHub;
use crate::support::kubernetes::{Namespace, SHELL, shared_kubernetes};
use crate::support::people::{agent_of_admin, key_of_a_person};
use crate::support::wait::until;

/// The number of kills, and of messages in each round; `make crash ROUNDS=20` for more.
fn extent() -> (usize, usize) {
    let asked = std::env::var("SVC_CRASH_ROUNDS").ok().and_then(|rounds| rounds.parse().ok());
    (asked.unwrap_or(3), 8)
}

async fn start(test: &TestHub, namespace: &Namespace) -> (TestChild, String) {
    let kubeconfig = namespace.kubeconfig.to_str().unwrap();
    TestChild::server_on(&test.config, "admin", &["--kubeconfig", kubeconfig]).await
}

async fn send(client: &Client, base: &str, key: &str, number: usize) {
    let message = json!({ "to": "scout", "body": format!("Number {number}.") });
    let answer = client.post(format!("{base}/api/messages")).bearer_auth(key).json(&message).send().await.unwrap();
    let status = answer.status();
    let sent: Value = answer.json().await.unwrap();
    assert_eq!(status, StatusCode::CREATED, "{sent}");
}

#[both_engines]
async fn an_event_has_one_job_whenever_the_server_is_killed(test: TestHub) {
    let Some(cluster) = shared_kubernetes() else { return };
    let namespace = cluster.namespace().await;
    agent_of_admin(&test.hub, "scout").await;
    let place = TempDir::new().unwrap();
    let gate = place.path().join("gate");
    let script = "until [ -e \"$GATE\" ]; do sleep 0.05; done; echo '{\"response\": \"done\"}'";
    let mut handler = NewHandler::new(SHELL, vec![WebhookEvent::MessageReceived]);
    handler.agent = Some("scout".into());
    let env = [("SCRIPT", script), ("GATE", gate.to_str().unwrap())];
    handler.env = Some(env.map(|(name, value)| (name.to_owned(), value.to_owned())).into());
    test.hub.cluster().register(&Caller::root(), handler).await.unwrap();
    let key = key_of_a_person(&test.hub, "ann").await;
    #[expect(clippy::disallowed_methods, reason = "the test talks to its own server on the loopback interface")]
    let client = Client::new();
    let (rounds, messages) = extent();
    let mut server = start(&test, &namespace).await;
    for round in 0..rounds {
        drop(tokio::fs::remove_file(&gate).await);
        let before = round * messages;
        join_all((0..messages).map(|number| send(&client, &server.1, &key, before + number))).await;
        // Between the row and the Job, among the Jobs, or between the Jobs and their answers.
        match round % 3 {
            0 => {
                let begun = "SELECT count(*) FROM reactive_runs";
                until("runs", async || (test.number(begun).await > i64::try_from(before).unwrap()).then_some(())).await;
            }
            1 => until("a Job", async || (namespace.jobs().await.len() > before).then_some(())).await,
            _ => until("all Jobs", async || (namespace.jobs().await.len() == before + messages).then_some(())).await,
        }
        kill(&test, server.0).await;
        let_leases_end(&test, "cluster_reader").await;
        tokio::fs::write(&gate, "").await.unwrap();
        server = start(&test, &namespace).await;
        let all = i64::try_from(before + messages).unwrap();
        let done = "SELECT count(*) FROM reactive_runs WHERE status = 'succeeded'";
        until("all runs to succeed", async || (test.number(done).await == all).then_some(())).await;
    }
    let mut jobs: BTreeMap<String, usize> = BTreeMap::new();
    for job in namespace.jobs().await {
        *jobs.entry(job["metadata"]["labels"]["svc/run"].as_str().unwrap().to_owned()).or_default() += 1;
    }
    assert_eq!(jobs.len(), rounds * messages, "every event has a Job");
    assert!(jobs.values().all(|count| *count == 1), "{jobs:?}");
    assert_eq!(namespace.list("pods").await.len(), rounds * messages, "and every Job ran once");
    let all = i64::try_from(rounds * messages).unwrap();
    let count = async |sql: &str| test.number(sql).await;
    assert_eq!(count("SELECT count(*) FROM reactive_runs").await, all);
    assert_eq!(count("SELECT count(*) FROM messages WHERE body LIKE 'Number %' AND status = 'done'").await, all);
    assert_eq!(count("SELECT count(*) FROM run_credentials").await, 0);
    println!("{}: {all} events had one Job each in spite of {rounds} kills", test.hub.db().engine());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_goes_on_when_the_server_stops_in_order() {
    let Some(cluster) = shared_kubernetes() else { return };
    let (test, namespace) = (TestHub::sqlite().await, cluster.namespace().await);
    agent_of_admin(&test.hub, "scout").await;
    let mut handler = NewHandler::new(SHELL, vec![WebhookEvent::MessageReceived]);
    handler.agent = Some("scout".into());
    let place = TempDir::new().unwrap();
    let gate = place.path().join("gate");
    let script = "echo begun; until [ -e \"$GATE\" ]; do sleep 0.05; done; echo '{\"response\": \"done\"}'";
    let env = [("SCRIPT", script), ("GATE", gate.to_str().unwrap())];
    handler.env = Some(env.map(|(name, value)| (name.to_owned(), value.to_owned())).into());
    test.hub.cluster().register(&Caller::root(), handler).await.unwrap();
    let key = key_of_a_person(&test.hub, "ann").await;
    #[expect(clippy::disallowed_methods, reason = "the test talks to its own server on the loopback interface")]
    let client = Client::new();
    let (server, base) = start(&test, &namespace).await;
    send(&client, &base, &key, 0).await;
    until("the pod", async || {
        let pods = namespace.list("pods").await;
        pods.iter().any(|pod| pod["status"]["phase"] == "Running").then_some(())
    })
    .await;
    server.signal("TERM");
    tokio::task::spawn_blocking(move || server.wait()).await.unwrap();
    // Nothing was ended with the server.
    let open = "SELECT count(*) FROM reactive_runs WHERE status = 'running'";
    assert_eq!(test.number(open).await, 1);
    let (_server, _) = start(&test, &namespace).await;
    tokio::fs::write(&gate, "").await.unwrap();
    let done = "SELECT count(*) FROM reactive_runs WHERE status = 'succeeded'";
    until("the run to succeed", async || (test.number(done).await == 1).then_some(())).await;
    assert_eq!(namespace.list("pods").await.len(), 1);
}
