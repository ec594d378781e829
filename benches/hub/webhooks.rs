//! Webhooks: how many deliveries a second reach receivers on this machine, what a dead receiver costs the others, and
//! what waiting deliveries cost those who send messages. On both engines; the PostgreSQL server is one of its own,
//! with its defaults about durability.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use svc_core::agents::{AgentSettings, NewAgent};
use svc_core::db::{Engine, Tx};
use svc_core::messages::NewMessage;
use svc_core::users::NewUser;
use svc_core::webhooks::{NewWebhook, WebhookEvent};
use svc_core::workers::{Progress, Workers};
use svc_core::{Caller, Hub, HubConfig, Result};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::postgres::Cluster;
use crate::report::{Bar, Report, Row};
use crate::send::BODY;

const ROUNDS: usize = 3;
/// The required rate.
const PER_SECOND: f64 = 2_000.0;
/// So many agents that two attempts at once for each are no bound.
const AGENTS: usize = 64;
const DELIVERIES: usize = 6_000;
/// The receivers that answer, and the deliveries to each of them, besides a receiver that does not answer.
const GOOD: usize = 9;
const DELIVERIES_EACH: usize = 500;
const DELIVERIES_TO_THE_DEAD: usize = 50;
/// The owners of agents with waiting deliveries; an owner can have 10,000.
const OWNERS: usize = 20;
const AGENTS_EACH: usize = 10;
/// The deliveries are doubled this often: 200 agents with 512 each.
const DOUBLINGS: usize = 9;
const SENDS: usize = 400;
const SEND_ROUNDS: usize = 5;

/// Adds the rows.
pub(crate) async fn measure(report: &mut Report) {
    on(report, None).await;
    match Cluster::start("") {
        Ok(cluster) => on(report, Some(&cluster)).await,
        Err(reason) => report.notes.push(format!("skipped: webhooks on PostgreSQL: {reason}")),
    }
}

async fn on(report: &mut Report, cluster: Option<&Cluster>) {
    let engine = if cluster.is_some() { "PostgreSQL" } else { "SQLite" };
    let mut rates = Vec::new();
    for _ in 0..ROUNDS {
        rates.push(rate(cluster).await);
    }
    let name = format!("webhook deliveries to {AGENTS} agents on {engine} ÷ 2,000 a second");
    report.rows.push(Row::new(&name, crate::median(rates), PER_SECOND, Bar::AtLeast(1.0)));

    let (mut with, mut without) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        without.push(rate_beside(cluster, false).await);
        with.push(rate_beside(cluster, true).await);
    }
    let name = format!("deliveries to {GOOD} receivers on {engine}, a tenth is dead ÷ without it");
    report.rows.push(Row::new(&name, crate::median(with), crate::median(without), Bar::AtLeast(0.95)));

    let (many, few) = send_times(cluster).await;
    let spread = few.iter().copied().fold(0.0, f64::max) / few.iter().copied().fold(f64::MAX, f64::min);
    report.notes.push(format!("sends on {engine} without waiting deliveries: slowest round ÷ fastest {spread:.2}"));
    let name = format!("a send on {engine} with 100,000 waiting deliveries ÷ with none, p50");
    report.rows.push(Row::micros(&name, crate::median(many), crate::median(few), Bar::AtMost(1.1)));
}

/// Settings without limits on sends and deliveries, for receivers on this machine.
pub(crate) fn unlimited(mut config: HubConfig) -> HubConfig {
    config.quota_messages = None;
    config.bcrypt_cost = 4;
    config.webhooks.allow_http = true;
    config.webhooks.rate = 0;
    config.private_networks = "127.0.0.0/8".parse().expect("a network");
    config
}

/// A hub with a store of its own.
pub(crate) struct Bench {
    pub(crate) hub: Hub,
    pub(crate) data: TempDir,
    /// The address of its database; none on SQLite.
    pub(crate) database: Option<String>,
}

impl Bench {
    pub(crate) async fn open(cluster: Option<&Cluster>) -> Self {
        let data = TempDir::new().expect("a temporary directory");
        let mut config = unlimited(HubConfig::at(data.path()));
        let mut database = None;
        if let Some(cluster) = cluster {
            let url = cluster.empty_database().await;
            config = config.with_store(&url).expect("a valid address");
            database = Some(url);
        }
        let hub = Hub::open(config).await.expect("a new hub opens");
        Self { hub, data, database }
    }

    /// Creates an agent with a webhook.
    pub(crate) async fn agent(&self, name: &str, owner: &str, url: &str) {
        let new = NewAgent {
            name: name.parse().expect("a valid name"),
            owner: Some(owner.parse().expect("a valid name")),
            settings: AgentSettings::default(),
        };
        self.hub.agents().create(&Caller::root(), new).await.expect("the name is free");
        let new =
            NewWebhook { agent: Some(name.into()), url: url.into(), events: vec![WebhookEvent::All], secret: None };
        self.hub.webhooks().create(&Caller::root(), new).await.expect("the URL is valid");
    }

    pub(crate) async fn send(&self, to: &str) {
        self.hub.messages().send(&Caller::root(), NewMessage::to(to, BODY)).await.expect("the send succeeds");
    }

    /// Sends as many messages to each, then lets all workers do what follows, but the deliveries.
    pub(crate) async fn fill(&self, agents: &[String], each: usize) {
        join_all(agents.iter().map(async |agent| {
            for _ in 0..each {
                self.send(agent).await;
            }
        }))
        .await;
        for worker in self.hub.workers().iter().filter(|worker| worker.name() != "webhook_delivery") {
            while worker.run_once().await.expect("the round succeeds") == Progress::More {}
        }
    }

    /// The rate at which this many deliveries are made and recorded.
    async fn deliver(&self, deliveries: usize) -> f64 {
        let started = Instant::now();
        let workers = self.hub.start_workers();
        let wanted = deliveries as u64;
        while self.hub.webhooks().counts().delivered < wanted {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        let rate = crate::rate(deliveries, started.elapsed());
        workers.stop().await;
        rate
    }
}

/// Deliveries a second to one receiver, for many agents.
async fn rate(cluster: Option<&Cluster>) -> f64 {
    let (bench, receiver) = (Bench::open(cluster).await, Receiver::start(Manner::Prompt).await);
    let agents: Vec<_> = (0..AGENTS).map(|number| format!("agent-{number}")).collect();
    for agent in &agents {
        bench.agent(agent, "admin", &receiver.url).await;
    }
    let each = DELIVERIES / AGENTS;
    bench.fill(&agents, each).await;
    let rate = bench.deliver(AGENTS * each).await;
    bench.hub.close().await;
    rate
}

/// Deliveries a second to receivers that answer, with or without one that does not.
async fn rate_beside(cluster: Option<&Cluster>, is_one_dead: bool) -> f64 {
    let bench = Bench::open(cluster).await;
    let (mut receivers, mut agents) = (Vec::new(), Vec::new());
    if is_one_dead {
        let dead = Receiver::start(Manner::Dead).await;
        bench.agent("dead", "admin", &dead.url).await;
        bench.fill(&["dead".into()], DELIVERIES_TO_THE_DEAD).await;
        receivers.push(dead);
    }
    for number in 0..GOOD {
        let (receiver, agent) = (Receiver::start(Manner::Prompt).await, format!("agent-{number}"));
        bench.agent(&agent, "admin", &receiver.url).await;
        receivers.push(receiver);
        agents.push(agent);
    }
    bench.fill(&agents, DELIVERIES_EACH).await;
    let rate = bench.deliver(GOOD * DELIVERIES_EACH).await;
    bench.hub.close().await;
    rate
}

/// Times of a send in microseconds, with very many deliveries that wait for their rate and with none: the medians of
/// interleaved rounds. The recipients are the agents whose deliveries wait, and the workers are running.
async fn send_times(cluster: Option<&Cluster>) -> (Vec<f64>, Vec<f64>) {
    let (crowded, empty) = (waiting(cluster, true).await, waiting(cluster, false).await);
    let (mut many, mut few) = (Vec::new(), Vec::new());
    // The first round of each is not counted.
    for round in 0..=SEND_ROUNDS {
        for (hub, times) in [(&crowded, &mut many), (&empty, &mut few)] {
            let time = send_time(&hub.0).await;
            if round > 0 {
                times.push(time);
            }
        }
    }
    for (bench, workers) in [crowded, empty] {
        workers.stop().await;
        bench.hub.close().await;
    }
    (many, few)
}

async fn send_time(bench: &Bench) -> f64 {
    let mut times = Vec::with_capacity(SENDS);
    for number in 0..SENDS {
        let to = waiter(number % (OWNERS * AGENTS_EACH));
        let asked = Instant::now();
        bench.send(&to).await;
        times.push(asked.elapsed().as_secs_f64() * 1e6);
    }
    crate::median(times)
}

fn waiter(number: usize) -> String {
    format!("waiter-{number}")
}

/// A running hub whose agents have used up their rates.
async fn waiting(cluster: Option<&Cluster>, is_crowded: bool) -> (Bench, Workers) {
    let bench = Bench::open(cluster).await;
    for owner in 0..OWNERS {
        let name = format!("owner_{owner}");
        bench.hub.users().create(&Caller::root(), NewUser::named(&name).expect("a valid name")).await.expect("is free");
        for number in 0..AGENTS_EACH {
            bench.agent(&waiter(owner * AGENTS_EACH + number), &name, "https://1.1.1.1/hook").await;
        }
    }
    let agents: Vec<_> = (0..OWNERS * AGENTS_EACH).map(waiter).collect();
    bench.fill(&agents, 1).await;
    let filled = bench.hub.db().write(is_crowded, |tx, is_crowded| Box::pin(crowd(tx, *is_crowded)));
    filled.await.expect("the rows are valid");
    let workers = bench.hub.start_workers();
    (bench, workers)
}

/// Makes every agent wait for its rate, with very many deliveries or with none.
async fn crowd(tx: &mut Tx, is_crowded: bool) -> Result<()> {
    tx.query("UPDATE queue_keys SET state = 'paused', wake_at = updated_at + 3600000000").execute().await?;
    if !is_crowded {
        for text in ["DELETE FROM webhook_deliveries", "DELETE FROM queue_items"] {
            tx.query(text).execute().await?;
        }
        return Ok(());
    }
    let last: i64 = tx.query("SELECT max(id) FROM queue_items").fetch_value().await?;
    for _ in 0..DOUBLINGS {
        tx.query(
            "INSERT INTO queue_items
                (queue, key, priority, status, attempts, max_attempts, payload, due_at, created_at, updated_at)
             SELECT queue, key, priority, status, attempts, max_attempts, payload, due_at, created_at, updated_at
               FROM queue_items",
        )
        .execute()
        .await?;
    }
    tx.query(
        "INSERT INTO webhook_deliveries
            (webhook_id, event, message_id, body_id, depth, status, item_id, attempts, created_at, updated_at)
         SELECT d.webhook_id, d.event, d.message_id, d.body_id, d.depth, d.status, q.id, d.attempts, d.created_at,
                d.updated_at
           FROM queue_items q
           JOIN agents a ON CAST(a.owner_id AS TEXT) || '/' || CAST(a.id AS TEXT) = q.key
           JOIN webhooks w ON w.agent_id = a.id
           JOIN webhook_deliveries d ON d.webhook_id = w.id
          WHERE q.id > $1",
    )
    .bind(last)
    .execute()
    .await?;
    let deliveries: i64 = tx.query("SELECT count(*) FROM webhook_deliveries").fetch_value().await?;
    assert!(deliveries >= 100_000, "{deliveries} deliveries wait");
    if tx.engine() == Engine::Postgres {
        // As the server does by itself after a while.
        tx.query("ANALYZE").execute().await?;
    }
    Ok(())
}

/// How a receiver treats requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Manner {
    /// It answers at once.
    Prompt,
    /// It accepts connections and never answers.
    Dead,
    /// It takes requests and answers after [`Receiver::release`].
    Held,
}

/// A minimal receiver, so that the hub is measured.
pub(crate) struct Receiver {
    pub(crate) url: String,
    /// The number of requests that arrived.
    pub(crate) arrived: Arc<AtomicUsize>,
    held: watch::Sender<bool>,
    task: JoinHandle<()>,
}

impl Drop for Receiver {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Receiver {
    pub(crate) async fn start(manner: Manner) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let url = format!("http://{}/hook", listener.local_addr().expect("it is bound"));
        let (held, is_held) = watch::channel(manner == Manner::Held);
        let arrived = Arc::<AtomicUsize>::default();
        let count = arrived.clone();
        let task = tokio::spawn(async move {
            let mut kept = Vec::new();
            while let Ok((stream, _)) = listener.accept().await {
                match manner {
                    Manner::Prompt | Manner::Held => {
                        drop(tokio::spawn(answer_all(stream, is_held.clone(), count.clone())));
                    }
                    Manner::Dead => kept.push(stream),
                }
            }
        });
        Self { url, arrived, held, task }
    }

    /// Lets it answer everything that waits, and what comes later.
    pub(crate) fn release(&self) {
        self.held.send_replace(false);
    }
}

/// Answers every request of a connection.
async fn answer_all(mut stream: TcpStream, mut held: watch::Receiver<bool>, arrived: Arc<AtomicUsize>) {
    stream.set_nodelay(true).expect("a socket takes its options");
    let mut buffer = Vec::with_capacity(8 * 1024);
    loop {
        let length = loop {
            if let Some(length) = request_length(&buffer) {
                break length;
            }
            if !matches!(stream.read_buf(&mut buffer).await, Ok(1..)) {
                return;
            }
        };
        buffer.drain(..length);
        arrived.fetch_add(1, Ordering::Relaxed);
        if held.wait_for(|held| !*held).await.is_err() {
            return;
        }
        if stream.write_all(b"HTTP/1.1 204 No Content\r\n\r\n").await.is_err() {
            return;
        }
    }
}

/// The length of the request at the beginning, if it is complete.
fn request_length(buffer: &[u8]) -> Option<usize> {
    let end = buffer.windows(4).position(|four| four == b"\r\n\r\n")? + 4;
    let head = std::str::from_utf8(&buffer[..end]).ok()?;
    let length = head.lines().filter_map(|line| line.split_once(": "));
    let body: usize = length
        .filter(|(name, _)| name.eq_ignore_ascii_case("content-length"))
        .find_map(|(_, value)| value.parse().ok())?;
    Some(end + body).filter(|length| *length <= buffer.len())
}
