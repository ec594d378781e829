//! Kill -9 while agents run: no run stays open, no message is lost or run twice, and no process of a run survives.

use std::collections::BTreeMap;
use std::path::PathBuf;

use futures_util::future::join_all;
use reqwest::{Client, StatusCode};
use serde_json::{Value, json};
use svc_core::Caller;
use svc_core::agents::{AgentSettings, NewAgent, TriggerMode};
use svc_test_macros::both_engines;
use tempfile::TempDir;

use crate::support::child::TestChild;
use crate::support::crash::{kill, let_leases_end};
use crate::support::hub::TestHub;
use crate::support::people::key_of_a_person;
use crate::support::runs::gone;
use crate::support::wait::until;

pub(crate) const AGENTS: usize = 4;

/// The number of kills, and of messages in each round; `make crash ROUNDS=20` for more.
fn extent() -> (usize, usize) {
    let asked = std::env::var("SVC_CRASH_ROUNDS").ok().and_then(|rounds| rounds.parse().ok());
    asked.map_or((2, 40), |rounds| (rounds, 100))
}

/// Agents that note each of their runs in a file, and somebody who writes to them.
pub(crate) struct Fleet {
    client: Client,
    pub(crate) key: String,
    /// Has a line for each run that began, with its id.
    trail: PathBuf,
    /// While it exists, runs wait for their end.
    hold: PathBuf,
    pub(crate) mark: String,
    _place: TempDir,
}

impl Fleet {
    pub(crate) async fn prepare(test: &TestHub, mark: &str) -> Self {
        let place = TempDir::new().unwrap();
        let file = |name: &str| place.path().join(name);
        let (trail, hold) = (file("trail"), file("hold"));
        let script =
            format!("echo $SVC_RUN_ID >> {}\nwhile [ -e {} ]; do sleep 0.1; done", trail.display(), hold.display());
        let harness = json!({
            "command": "sh",
            "args": ["-c", script],
            "reply": "never",
            "env": { "TEST_MARK": format!("{mark}-{}", std::process::id()) },
        });
        for number in 0..AGENTS {
            let settings = AgentSettings {
                trigger_mode: Some(TriggerMode::Reactive),
                cooldown_seconds: Some(0),
                daily_run_budget: Some(100_000),
                harness: Some(harness.clone()),
                ..AgentSettings::default()
            };
            let name = format!("scout-{number}").parse().unwrap();
            let new = NewAgent { name, owner: Some("admin".parse().unwrap()), settings };
            test.hub.agents().create(&Caller::root(), new).await.unwrap();
        }
        // Many messages by an agent would be a loop.
        let key = key_of_a_person(&test.hub, "ann").await;
        #[expect(clippy::disallowed_methods, reason = "the test talks to its own server on the loopback interface")]
        let client = Client::new();
        Self { client, key, trail, hold, mark: mark.to_owned(), _place: place }
    }

    pub(crate) async fn hold(&self, is_held: bool) {
        if is_held {
            tokio::fs::write(&self.hold, "").await.unwrap();
        } else if self.hold.exists() {
            tokio::fs::remove_file(&self.hold).await.unwrap();
        }
    }

    /// Sends a message; returns its id.
    async fn send(&self, base: &str, number: usize) -> i64 {
        let message = json!({ "to": format!("scout-{}", number % AGENTS), "body": format!("Number {number}.") });
        let request = self.client.post(format!("{base}/api/messages")).bearer_auth(&self.key);
        let answer = request.json(&message).send().await.unwrap();
        let status = answer.status();
        let sent: Value = answer.json().await.unwrap();
        assert_eq!(status, StatusCode::CREATED, "{sent}");
        sent["id"].as_i64().unwrap()
    }

    /// How often each run began.
    pub(crate) async fn begun(&self) -> BTreeMap<i64, usize> {
        let text = tokio::fs::read_to_string(&self.trail).await.unwrap_or_default();
        let mut begun = BTreeMap::new();
        for line in text.lines() {
            *begun.entry(line.parse().unwrap()).or_default() += 1;
        }
        begun
    }
}

async fn start(test: &TestHub, name: &str) -> (TestChild, String) {
    // Confined runs could not write the trail.
    TestChild::server_on(&test.config, name, &["--run-confinement", "off", "--max-runs", "4"]).await
}

const DONE: &str = "SELECT count(*) FROM messages WHERE body LIKE 'Number %' AND status = 'done'";

/// Checks that all messages were run to their end once, and that nothing is open.
pub(crate) async fn check_store(test: &TestHub, fleet: &Fleet, messages: usize, kills: usize) {
    let messages = i64::try_from(messages).unwrap();
    let open = "SELECT count(*) FROM reactive_runs WHERE status IN ('queued', 'running')";
    until("all runs to end", async || (test.number(open).await == 0).then_some(())).await;
    let run = "SELECT CAST(coalesce(sum(message_count), 0) AS BIGINT) FROM reactive_runs WHERE status = 'succeeded'";
    assert_eq!(test.number(run).await, messages, "each message is in one run that succeeded");
    let failed = "SELECT count(*) FROM reactive_runs WHERE status = 'failed'";
    let interrupted = "SELECT count(*) FROM reactive_runs WHERE status = 'failed' AND error = 'interrupted'";
    assert_eq!(test.number(failed).await, test.number(interrupted).await, "only kills made runs fail");
    assert!(test.number(interrupted).await <= i64::try_from(kills * AGENTS).unwrap());
    assert_eq!(test.number("SELECT count(*) FROM run_credentials").await, 0);
    for (run, times) in fleet.begun().await {
        assert_eq!(times, 1, "run {run} began more than once");
    }
}

#[both_engines]
async fn runs_survive_kill_9(test: TestHub) {
    let mark = format!("killed-{}", test.hub.db().engine());
    let fleet = Fleet::prepare(&test, &mark).await;
    let (rounds, messages) = extent();
    let mut server = start(&test, "admin").await;
    for round in 0..rounds {
        // In every other round all agents are in the middle of a run.
        let is_held = round % 2 == 0;
        fleet.hold(is_held).await;
        let before = fleet.begun().await.len();
        join_all((0..messages).map(|number| fleet.send(&server.1, round * messages + number))).await;
        let enough = if is_held { AGENTS } else { 1 + round % (2 * AGENTS) };
        until("runs to begin", async || (fleet.begun().await.len() >= before + enough).then_some(())).await;
        kill(&test, server.0).await;
        gone(&fleet.mark).await;
        let_leases_end(&test, "run_reader").await;
        fleet.hold(false).await;
        server = start(&test, "admin").await;
        let all = i64::try_from((round + 1) * messages).unwrap();
        until("all messages to be done", async || (test.number(DONE).await == all).then_some(())).await;
    }
    check_store(&test, &fleet, rounds * messages, rounds).await;
    let engine = test.hub.db().engine();
    println!("{engine}: {} messages were done in spite of {rounds} kills", rounds * messages);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_goes_on_where_a_killed_one_ran() {
    // A data directory with a SQLite file has one server.
    let Some(test) = TestHub::postgres().await else { return };
    let fleet = Fleet::prepare(&test, "node").await;
    let (one, base) = start(&test, "one").await;
    fleet.hold(true).await;
    join_all((0..20).map(|number| fleet.send(&base, number))).await;
    until("all agents to run", async || (fleet.begun().await.len() == AGENTS).then_some(())).await;
    let (_two, other) = start(&test, "two").await;
    join_all((20..40).map(|number| fleet.send(&other, number))).await;
    fleet.hold(false).await;
    kill(&test, one).await;
    gone(&fleet.mark).await;
    // The other node has no run, because every agent has one on the first.
    let_leases_end(&test, "run_reader").await;
    until("all messages to be done", async || (test.number(DONE).await == 40).then_some(())).await;
    check_store(&test, &fleet, 40, 1).await;
}
