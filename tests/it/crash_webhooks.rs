//! Kill -9 while webhooks are delivered: no event is lost or told under two ids, and only what was under way at the
//! kill is sent again.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use futures_util::future::join_all;
use reqwest::{Client, StatusCode};
use serde_json::{Value, json};
use svc_core::limits;
use svc_test_macros::both_engines;
use tokio::sync::Semaphore;

use crate::support::child::TestChild;
use crate::support::crash::{kill, let_leases_end};
use crate::support::hub::TestHub;
use crate::support::people::agent_of_admin;
use crate::support::receiver::{Received, Receiver, Reply};
use crate::support::wait::until;
use crate::support::webhooks::{node, register};

/// Enough for the places of two servers, with two attempts for each agent.
const AGENTS: usize = 12;
const SENDERS: usize = 8;

/// The number of kills, and of deliveries in each round; `make crash ROUNDS=20` for more.
fn extent() -> (u64, usize) {
    let asked = std::env::var("SVC_CRASH_ROUNDS").ok().and_then(|rounds| rounds.parse().ok());
    asked.map_or((2, 100), |rounds| (rounds, 1000))
}

/// The deliveries that arrived, by message: their ids, each as often as it arrived.
#[derive(Debug, Default)]
struct Arrivals(BTreeMap<i64, Vec<String>>);

impl Arrivals {
    fn note(&mut self, received: &Received) {
        let message = received.body()["data"]["id"].as_i64().unwrap();
        self.0.entry(message).or_default().push(received.header("webhook-id").to_owned());
    }

    /// Checks that each message has one id, and that only these deliveries arrived twice. Returns those that did.
    fn check(&self, held: &BTreeSet<i64>) -> BTreeSet<i64> {
        let mut repeated = BTreeSet::new();
        for (message, arrived) in &self.0 {
            assert!(arrived.iter().all(|id| *id == arrived[0]), "message {message} has several ids: {arrived:?}");
            let delivery: i64 = arrived[0].split('_').nth(1).unwrap().parse().unwrap();
            if arrived.len() > 1 {
                assert!(held.contains(&delivery), "{arrived:?} was not under way at the kill");
                repeated.insert(delivery);
            }
            assert!(arrived.len() <= 2, "one kill causes one repetition: {arrived:?}");
        }
        repeated
    }
}

/// An agent that sends messages to the agents with webhooks.
struct Sender {
    client: Client,
    key: String,
}

impl Sender {
    /// Registers the webhooks, and makes the agent that sends.
    async fn prepare(test: &TestHub, receiver: &Receiver) -> Arc<Self> {
        let hub = node(test).await;
        for number in 0..AGENTS {
            register(&hub, &format!("scout-{number}"), receiver).await;
        }
        let key = agent_of_admin(&hub, "sender").await;
        hub.close().await;
        #[expect(clippy::disallowed_methods, reason = "the test talks to its own server on the loopback interface")]
        Arc::new(Self { client: Client::new(), key })
    }

    /// Sends a message; returns its id, or nothing when the server is gone.
    async fn send(&self, base: &str, number: usize) -> Option<i64> {
        let message = json!({ "to": format!("scout-{}", number % AGENTS), "body": format!("Number {number}.") });
        let request = self.client.post(format!("{base}/api/messages")).bearer_auth(&self.key);
        let answer = request.json(&message).send().await.ok()?;
        let status = answer.status();
        let sent: Value = answer.json().await.ok()?;
        assert_eq!(status, StatusCode::CREATED, "{sent}");
        sent["id"].as_i64()
    }
}

async fn start(test: &TestHub, name: &str) -> (TestChild, String) {
    let networks = ["--allow-http-webhooks", "--allow-private-networks", "127.0.0.0/8"];
    TestChild::server_on(&test.config, name, &[&networks[..], &["--webhook-rate", "0"]].concat()).await
}

/// The ids that a statement finds.
async fn ids(test: &TestHub, statement: &'static str) -> BTreeSet<i64> {
    let found = test.hub.db().read((), move |tx, ()| Box::pin(tx.query(statement).fetch_all::<(i64,)>())).await;
    found.unwrap().into_iter().map(|(id,)| id).collect()
}

const MESSAGES: &str = "SELECT id FROM messages WHERE body LIKE 'Number %'";
const DELIVERED: &str = "SELECT id FROM webhook_deliveries WHERE status = 'delivered'";
/// The deliveries that a process holds.
const HELD: &str =
    "SELECT d.id FROM webhook_deliveries d JOIN queue_items q ON q.id = d.item_id AND q.status = 'leased'";

/// Checks that all messages were delivered, each in one attempt that was recorded.
async fn check_store(test: &TestHub) {
    let messages = i64::try_from(ids(test, MESSAGES).await.len()).unwrap();
    for (what, counted) in [
        ("deliveries", "SELECT count(*) FROM webhook_deliveries"),
        ("delivered", "SELECT count(*) FROM webhook_deliveries WHERE status = 'delivered'"),
        ("attempts", "SELECT count(*) FROM webhook_attempts"),
        ("done", "SELECT count(*) FROM queue_items WHERE queue = 'webhooks' AND status = 'done'"),
        ("items", "SELECT count(*) FROM queue_items WHERE queue = 'webhooks'"),
    ] {
        assert_eq!(test.number(counted).await, messages, "{what}");
    }
    assert_eq!(test.number("SELECT count(*) FROM dead_letters").await, 0);
}

/// Sends messages, kills the server when this many have been delivered, and starts another, which delivers the rest.
/// Returns it, with the numbers of messages that were acknowledged and of deliveries that were repeated.
async fn one_round(
    test: &TestHub,
    (server, base): (TestChild, String),
    sender: &Arc<Sender>,
    receiver: &mut Receiver,
    (deliveries, enough): (usize, usize),
) -> ((TestChild, String), usize, usize) {
    let (earlier, mut arrivals) = (ids(test, MESSAGES).await, Arrivals::default());
    let senders: Vec<_> = (0..SENDERS)
        .map(|first| {
            let (sender, base) = (sender.clone(), base.clone());
            tokio::spawn(async move {
                let mut acknowledged = Vec::new();
                for number in (first..deliveries).step_by(SENDERS) {
                    let Some(id) = sender.send(&base, number).await else { break };
                    acknowledged.push(id);
                }
                acknowledged
            })
        })
        .collect();
    for _ in 0..enough {
        arrivals.note(&receiver.next().await);
    }
    kill(test, server).await;
    let mut acknowledged = Vec::new();
    for sender in senders {
        acknowledged.extend(sender.await.unwrap());
    }

    let (recorded, held) = (ids(test, DELIVERED).await, ids(test, HELD).await);
    assert!(held.len() <= limits::WEBHOOK_HELD, "{held:?}");
    assert!(recorded.is_disjoint(&held), "what was recorded is not sent again");
    let_leases_end(test, "webhook_reader").await;
    let server = start(test, "admin").await;
    let messages: BTreeSet<i64> = ids(test, MESSAGES).await.difference(&earlier).copied().collect();
    while arrivals.0.len() < messages.len() {
        arrivals.note(&receiver.next().await);
    }
    let all = earlier.len() + messages.len();
    until("all to be recorded", async || (ids(test, DELIVERED).await.len() == all).then_some(())).await;
    // A request is noted before it is answered, so nothing is on its way any more.
    receiver.rest().iter().for_each(|received| arrivals.note(received));
    assert!(arrivals.0.keys().eq(messages.iter()), "what was delivered before the round is not sent again");
    for id in &acknowledged {
        assert!(messages.contains(id), "message {id} was acknowledged and is lost");
    }
    let repeated = arrivals.check(&held);
    (server, acknowledged.len(), repeated.len())
}

#[both_engines]
async fn deliveries_survive_kill_9(test: TestHub) {
    let mut receiver = Receiver::start().await;
    let sender = Sender::prepare(&test, &receiver).await;
    let (rounds, deliveries) = extent();
    let mut server = start(&test, "admin").await;
    let (mut told, mut repeated) = (0, 0);
    for round in 0..rounds {
        // Another moment each time.
        let stride = usize::try_from(round * 37 % 80).unwrap();
        let enough = deliveries * (10 + stride) / 100;
        let (next, acknowledged, again) = one_round(&test, server, &sender, &mut receiver, (deliveries, enough)).await;
        // What arrived was acknowledged, but for what the senders were waiting for.
        assert!(acknowledged + SENDERS >= enough, "{acknowledged} of {enough}");
        server = next;
        told += acknowledged;
        repeated += again;
    }
    check_store(&test).await;
    let engine = test.hub.db().engine();
    println!("{engine}: {told} acknowledged messages were delivered in spite of {rounds} kills, {repeated} twice");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_delivers_what_a_killed_one_had() {
    // A data directory with a SQLite file has one server.
    let Some(test) = TestHub::postgres().await else { return };
    let mut receiver = Receiver::start().await;
    let sender = Sender::prepare(&test, &receiver).await;
    let (one, base) = start(&test, "one").await;
    let (two, other) = start(&test, "two").await;
    let gate = Arc::new(Semaphore::new(0));
    receiver.always(Reply::Held(204, gate.clone()));
    let mut arrivals = Arrivals::default();
    let sends = (0..60).map(|number| sender.send(if number % 2 == 0 { &base } else { &other }, number));
    assert!(join_all(sends).await.iter().all(Option::is_some));
    let made = "SELECT count(*) FROM webhook_deliveries";
    until("the deliveries to be made", async || (test.number(made).await == 60).then_some(())).await;
    // No process has more places for the agents of one owner, so both have filled theirs.
    let places = limits::WEBHOOK_OWNER_SHARE;
    for _ in 0..2 * places {
        arrivals.note(&receiver.next().await);
    }
    // They give back what they claimed for places that were likely to be free soon.
    until("no other to be held", async || (ids(&test, HELD).await.len() == 2 * places).then_some(())).await;
    let held = ids(&test, HELD).await;
    tokio::task::spawn_blocking(move || one.kill()).await.unwrap();
    receiver.always(Reply::Status(204, ""));
    gate.add_permits(2 * places);

    // The other one notices that the first one is gone, and delivers what it held.
    for number in 60..70 {
        sender.send(&other, number).await.unwrap();
    }
    until("everything", async || (ids(&test, DELIVERED).await.len() == 70).then_some(())).await;
    receiver.rest().iter().for_each(|received| arrivals.note(received));
    assert_eq!(arrivals.0.len(), 70);
    assert_eq!(arrivals.check(&held).len(), places, "what the first one held was sent twice");
    check_store(&test).await;
    drop(two);
}
