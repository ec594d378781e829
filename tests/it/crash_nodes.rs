//! Two servers on one PostgreSQL database, of which one is killed under load again and again: what was acknowledged is
//! there once, streams go on at the other server, and it takes over deliveries and runs by itself.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use futures_util::StreamExt;
use reqwest::{Client, StatusCode};
use serde_json::Value;

use crate::crash_runs::{AGENTS, Fleet, check_store};
use crate::support::child::TestChild;
use crate::support::hub::TestHub;
use crate::support::load::{Addresses, Load, assert_stored_once, client};
use crate::support::people::key_of_a_person;
use crate::support::receiver::Receiver;
use crate::support::runs::gone;
use crate::support::wait::until;
use crate::support::webhooks::{node, register};

const SENDERS: usize = 6;
const HOOKED: usize = 4;

/// How long the other server may take until it has done what the killed one had, where nothing else is running.
const TAKEN_OVER: Duration = Duration::from_secs(15);

/// The number of kills, and whether the time is measured; `make crash ROUNDS=20` for more.
fn extent() -> (usize, bool) {
    let asked = std::env::var("SVC_CRASH_ROUNDS").ok().and_then(|rounds| rounds.parse().ok());
    asked.map_or((2, false), |rounds| (rounds, true))
}

async fn start(test: &TestHub, name: &str) -> (TestChild, String) {
    let networks = ["--allow-http-webhooks", "--allow-private-networks", "127.0.0.0/8", "--webhook-rate", "0"];
    // Confined runs could not write the trail.
    let runs = ["--run-confinement", "off", "--max-runs", "8"];
    TestChild::server_on(&test.config, name, &[&networks[..], &runs[..]].concat()).await
}

/// Agents that run, agents with webhooks, and a person with streams take turns.
fn recipient(sender: usize, step: usize) -> String {
    match step % 3 {
        0 => format!("scout-{}", (sender + step) % AGENTS),
        1 => format!("hooked-{}", (sender + step) % HOOKED),
        _ => "bob".to_owned(),
    }
}

/// A stream of somebody's events, which goes on at the other server when its own is gone.
struct Listener {
    client: Client,
    key: String,
    addresses: Addresses,
    seen: Arc<Mutex<Vec<i64>>>,
    resumed: Arc<AtomicUsize>,
}

impl Listener {
    /// Reads until the task is aborted.
    async fn run(self, mut server: usize) {
        let mut after: Option<i64> = None;
        loop {
            let base = self.addresses.get(server);
            let mut request = self.client.get(format!("{base}/api/events")).bearer_auth(&self.key);
            if let Some(after) = after {
                request = request.header("Last-Event-ID", after);
            }
            if let Ok(answer) = request.send().await {
                assert_eq!(answer.status(), StatusCode::OK);
                if after.is_some() {
                    self.resumed.fetch_add(1, Ordering::Relaxed);
                }
                self.read(answer, &mut after).await;
            }
            server += 1;
            tokio::task::yield_now().await;
        }
    }

    /// Notes the messages of one connection until it ends.
    async fn read(&self, answer: reqwest::Response, after: &mut Option<i64>) {
        let mut bytes = answer.bytes_stream();
        let mut buffer = String::new();
        while let Some(Ok(chunk)) = bytes.next().await {
            buffer.push_str(std::str::from_utf8(&chunk).unwrap());
            while let Some((block, rest)) = buffer.split_once("\n\n") {
                let field = |name: &str| block.lines().find_map(|line| line.strip_prefix(name));
                assert_ne!(field("event: "), Some("reset"), "nothing is missing");
                if let Some(data) = field("data: ").filter(|_| field("event: ") == Some("new_message")) {
                    let data: Value = serde_json::from_str(data).unwrap();
                    self.seen.lock().unwrap().push(data["message_id"].as_i64().unwrap());
                }
                if let Some(id) = field("id: ") {
                    *after = Some(id.parse().unwrap());
                }
                buffer = rest.to_owned();
            }
        }
    }
}

/// The ids of the messages to participants whose names begin so.
async fn sent_to(test: &TestHub, beginning: &str) -> BTreeSet<i64> {
    let pattern = format!("Number % to {beginning}%");
    let found = test.hub.db().read(pattern, |tx, pattern| {
        let query = tx.query("SELECT id FROM messages WHERE body LIKE $1 AND body LIKE 'Number %'");
        Box::pin(query.bind(pattern.as_str()).fetch_all::<(i64,)>())
    });
    found.await.unwrap().into_iter().map(|(id,)| id).collect()
}

/// Waits until everything that was sent has been delivered and run.
async fn all_done(test: &TestHub, what: &str) {
    let delivered = "SELECT count(*) FROM webhook_deliveries WHERE status = 'delivered'";
    let run = "SELECT count(*) FROM messages WHERE body LIKE 'Number % to scout-%' AND status = 'done'";
    let (hooked, scouts) = (sent_to(test, "hooked-").await.len(), sent_to(test, "scout-").await.len());
    until(&format!("{hooked} deliveries {what}"), async || {
        (test.number(delivered).await >= i64::try_from(hooked).unwrap()).then_some(())
    })
    .await;
    until(&format!("{scouts} messages to be run {what}"), async || {
        (test.number(run).await >= i64::try_from(scouts).unwrap()).then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_takes_over_what_a_killed_one_had() {
    // A data directory with a SQLite file has one server.
    let Some(test) = TestHub::postgres().await else { return };
    let fleet = Fleet::prepare(&test, "taken-over").await;
    let mut receiver = Receiver::start().await;
    let hub = node(&test).await;
    for number in 0..HOOKED {
        register(&hub, &format!("hooked-{number}"), &receiver).await;
    }
    let bob = key_of_a_person(&hub, "bob").await;
    hub.close().await;

    let (one, two) = (start(&test, "one").await, start(&test, "two").await);
    let (addresses, mut servers) = (Addresses::of([one.1, two.1]), [Some(one.0), Some(two.0)]);
    let listeners: Vec<_> = (0..2)
        .map(|server| {
            let listener = Listener {
                client: client(),
                key: bob.clone(),
                addresses: addresses.clone(),
                seen: Arc::default(),
                resumed: Arc::default(),
            };
            let (seen, resumed) = (listener.seen.clone(), listener.resumed.clone());
            (tokio::spawn(listener.run(server)), seen, resumed)
        })
        .collect();

    let (rounds, is_measured) = extent();
    let (mut longest, mut acknowledged) = (Duration::ZERO, BTreeMap::new());
    for round in 0..rounds {
        let senders = round * SENDERS..(round + 1) * SENDERS;
        let load = Load::start(&addresses, &fleet.key, senders, recipient);
        // Another moment each time, in the middle of what is under way.
        load.more(60 + round * 37 % 101).await;
        // In every other round the agents are in the middle of their runs.
        fleet.hold(round % 2 == 0).await;
        if round % 2 == 0 {
            let before = fleet.begun().await.len();
            until("runs to begin", async || (fleet.begun().await.len() > before).then_some(())).await;
        }
        let victim = round % 2;
        addresses.set(victim, None);
        let server = servers[victim].take().unwrap();
        tokio::task::spawn_blocking(move || server.kill()).await.unwrap();
        let killed = Instant::now();
        fleet.hold(false).await;
        load.more(30).await;
        acknowledged.extend(load.stop().await);
        all_done(&test, "after a kill").await;
        longest = longest.max(killed.elapsed());
        let (server, base) = start(&test, ["one", "two"][victim]).await;
        servers[victim] = Some(server);
        addresses.set(victim, Some(base));
    }

    assert_stored_once(&test, &acknowledged).await;
    let to_bob = sent_to(&test, "bob").await;
    for (task, seen, resumed) in listeners {
        until("the streams to have everything", async || {
            (seen.lock().unwrap().iter().copied().collect::<BTreeSet<_>>().is_superset(&to_bob)).then_some(())
        })
        .await;
        task.abort();
        let seen = seen.lock().unwrap();
        assert_eq!(seen.len(), to_bob.len(), "each message is told once");
        assert!(resumed.load(Ordering::Relaxed) > 0, "the stream went on at the other server");
    }
    let mut arrived: BTreeMap<i64, BTreeSet<String>> = BTreeMap::new();
    for received in receiver.rest() {
        let id = received.body()["data"]["id"].as_i64().unwrap();
        arrived.entry(id).or_default().insert(received.header("webhook-id").to_owned());
    }
    assert!(arrived.keys().eq(sent_to(&test, "hooked-").await.iter()));
    assert!(arrived.values().all(|ids| ids.len() == 1), "a delivery keeps its id: {arrived:?}");
    drop(servers);
    gone(&fleet.mark).await;
    let scouts = sent_to(&test, "scout-").await.len();
    check_store(&test, &fleet, scouts, rounds).await;
    println!("{} messages in spite of {rounds} kills; taken over within {longest:?}", acknowledged.len());
    assert!(!is_measured || longest <= TAKEN_OVER, "the longest took {longest:?}");
}
