//! Several nodes on one PostgreSQL database: what four do compared with one, how long a message takes from one node to
//! a stream of another, what an idle node costs, and how soon the work of a killed node goes on.
//!
//! Nodes, database and load share one machine. So the rates say what nodes cost each other, and not how much faster
//! several machines are.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use serde_json::{Value, json};
use sqlx::{Connection, PgConnection};
use svc_core::Caller;
use svc_core::agents::{AgentSettings, NewAgent};
use tokio::io::BufReader;
use tokio::net::TcpStream;

use crate::node::Node;
use crate::postgres::Cluster;
use crate::report::{Bar, Report, Row};
use crate::rest::{Door, exchange, post};
use crate::send::{BODY, Talk, sender_of, talker};
use crate::sse::{open_stream, until};
use crate::waiting;
use crate::webhooks::{Bench, Manner, Receiver};

/// Each rate is the median of this many interleaved rounds.
const ROUNDS: usize = 3;
/// The number of nodes that one is compared with.
const MANY: usize = 4;
const SENDERS: usize = 64;
const MESSAGES: usize = 9_600;
/// Agents with webhooks, and the deliveries of all of them.
const AGENTS: usize = 64;
const DELIVERIES: usize = 9_600;
/// Claims of the messages to one agent, by as many claimers as there are senders.
const CLAIMS: usize = 3_200;
/// Messages whose way to the streams is measured, after some that are not.
const TIMED: usize = 500;
const NOT_TIMED: usize = 20;
/// Agents whose deliveries a killed node has.
const WAITING: usize = 8;
/// Time in which the work of a killed node has to go on, in microseconds.
const TAKEN_OVER: f64 = 15_000_000.0;
/// Pause between two looks at the store.
const PAUSE: Duration = Duration::from_millis(20);
/// Timeout, longer than any step takes.
const PATIENCE: Duration = Duration::from_mins(5);

/// The module that counts statements; the server loads it when it starts.
const COUNTING: &str = "-c shared_preload_libraries=pg_stat_statements";
const STATEMENTS: &str = "SELECT CAST(coalesce(sum(calls), 0) AS BIGINT)
      FROM pg_stat_statements
     WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database())";
const DELIVERED: &str = "SELECT count(*) FROM webhook_deliveries WHERE status = 'delivered'";

/// Adds the rows.
pub(crate) async fn measure(report: &mut Report) {
    match Cluster::start("") {
        Ok(cluster) => on(report, &cluster).await,
        Err(reason) => {
            report.notes.push(format!("skipped: nodes: {reason}"));
            return;
        }
    }
    match Cluster::start(COUNTING) {
        Ok(cluster) => idle(report, &cluster).await,
        Err(reason) => report.notes.push(format!("skipped: idle nodes, without pg_stat_statements: {reason}")),
    }
}

async fn on(report: &mut Report, cluster: &Cluster) {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get);
    report.notes.push(format!("nodes, PostgreSQL and the load share {cores} cores"));
    let (mut sends, mut deliveries, mut claims) = (Pair::default(), Pair::default(), Pair::default());
    for round in 1..=ROUNDS {
        eprintln!("nodes: round {round} of {ROUNDS}");
        sends.push(send_rate(cluster, 1).await, send_rate(cluster, MANY).await);
        deliveries.push(delivery_rate(cluster, 1).await, delivery_rate(cluster, MANY).await);
        claims.push(claim_rate(cluster, 1).await, claim_rate(cluster, MANY).await);
    }
    for (what, pair) in [
        (format!("sends over REST, {SENDERS} senders"), sends),
        (format!("webhook deliveries to {AGENTS} agents"), deliveries),
        (format!("claims of one queue, {SENDERS} claimers"), claims),
    ] {
        let name = format!("{what}, on PostgreSQL, {MANY} nodes ÷ 1");
        let (one, many) = pair.medians();
        report.rows.push(Row::new(&name, many, one, Bar::AtLeast(0.8)));
    }

    let (within, across) = latencies(cluster).await;
    for (share, near, far, bar) in [("p50", within.0, across.0, 2.0), ("p99", within.1, across.1, 3.0)] {
        let name = format!("a message to a live stream of another node ÷ of the same node, {share}");
        report.rows.push(Row::micros(&name, far, near, Bar::AtMost(bar)));
    }

    let mut longest = 0.0_f64;
    for _ in 0..ROUNDS {
        longest = longest.max(taken_over(cluster).await);
    }
    let name = format!("the work of a killed node goes on, longest of {ROUNDS} ÷ 15 s");
    report.rows.push(Row::micros(&name, longest, TAKEN_OVER, Bar::AtMost(1.0)));
}

/// The rows of nodes that have nothing to do.
async fn idle(report: &mut Report, cluster: &Cluster) {
    let (one, many) = (idle_cost(cluster, 1).await, idle_cost(cluster, MANY).await);
    let name = format!("statements of an idle node, one of {MANY} ÷ alone");
    report.rows.push(Row::new(&name, many.statements, one.statements, Bar::AtMost(1.2)));
    let name = "CPU of an idle node on PostgreSQL ÷ 2 % of a core";
    report.rows.push(Row::micros(name, one.cpu, waiting::ALLOWED, Bar::AtMost(1.0)));
    report.notes.push(format!("an idle node that is one of {MANY} uses {:.0} µs of CPU a second", many.cpu));
}

/// Figures of one node and of many.
#[derive(Default)]
struct Pair {
    one: Vec<f64>,
    many: Vec<f64>,
}

impl Pair {
    fn push(&mut self, one: f64, many: f64) {
        self.one.push(one);
        self.many.push(many);
    }

    fn medians(self) -> (f64, f64) {
        (crate::median(self.one), crate::median(self.many))
    }
}

/// A connection to the database of the nodes.
struct Counter(PgConnection);

impl Counter {
    async fn of(bench: &Bench) -> Self {
        let address = bench.database.as_deref().expect("it is on PostgreSQL");
        Self(PgConnection::connect(address).await.expect("the server listens"))
    }

    async fn number(&mut self, text: &'static str) -> i64 {
        sqlx::query_scalar(text).fetch_one(&mut self.0).await.expect("the statement is valid")
    }

    /// Waits until as many deliveries have been made.
    async fn delivered(&mut self, wanted: usize) {
        let wanted = i64::try_from(wanted).expect("a small number");
        let waiting = async {
            while self.number(DELIVERED).await < wanted {
                tokio::time::sleep(PAUSE).await;
            }
        };
        tokio::time::timeout(PATIENCE, waiting).await.expect("the deliveries are made");
    }
}

/// Connections that are spread over the nodes.
async fn connections(nodes: &[Node], count: usize) -> Vec<BufReader<TcpStream>> {
    let opened = join_all((0..count).map(|number| TcpStream::connect(&nodes[number % nodes.len()].address))).await;
    let open = opened.into_iter().map(|stream| {
        let stream = stream.expect("the node listens");
        stream.set_nodelay(true).expect("a socket takes its options");
        BufReader::new(stream)
    });
    open.collect()
}

fn request(path: &str, key: &str, body: &Value) -> String {
    let body = body.to_string();
    format!(
        "POST {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {key}\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
}

/// Creates an agent without a webhook; returns its key.
async fn agent(bench: &Bench, name: &str) -> String {
    let new = NewAgent {
        name: name.parse().expect("a valid name"),
        owner: Some("admin".parse().expect("a valid name")),
        settings: AgentSettings::default(),
    };
    bench.hub.agents().create(&Caller::root(), new).await.expect("the name is free").key
}

/// Durable sends a second over REST, by senders that are spread over the nodes.
async fn send_rate(cluster: &Cluster, count: usize) -> f64 {
    let bench = Bench::open(Some(cluster)).await;
    let talk = Arc::new(Talk::prepare(&bench.hub).await);
    bench.hub.close().await;
    let nodes = Node::start_all(&bench, count);
    let left = Arc::new(AtomicUsize::new(MESSAGES));
    let senders = connections(&nodes, SENDERS).await;
    let started = Instant::now();
    let sending = senders.into_iter().map(|mut sender| {
        let (left, talk) = (left.clone(), talk.clone());
        tokio::spawn(async move {
            while let Some(number) = crate::take_one(&left) {
                let key = &talk.keys[sender_of(number)];
                post(&mut sender, Door::Rest, key, number).await.expect("the node answers");
            }
        })
    });
    for sent in join_all(sending).await {
        sent.expect("the task ends");
    }
    crate::rate(MESSAGES, started.elapsed())
}

/// Deliveries a second, of those that are made after all nodes have started.
async fn delivery_rate(cluster: &Cluster, count: usize) -> f64 {
    let (bench, receiver) = (Bench::open(Some(cluster)).await, Receiver::start(Manner::Prompt).await);
    let agents = hooked(&bench, &receiver, AGENTS).await;
    bench.fill(&agents, DELIVERIES / AGENTS).await;
    bench.hub.close().await;
    let _nodes = Node::start_all(&bench, count);
    let mut counter = Counter::of(&bench).await;
    let (before, started) = (counter.number(DELIVERED).await, Instant::now());
    counter.delivered(DELIVERIES).await;
    let made = DELIVERIES - usize::try_from(before).expect("a count");
    crate::rate(made, started.elapsed())
}

/// Agents with a webhook each.
async fn hooked(bench: &Bench, receiver: &Receiver, count: usize) -> Vec<String> {
    let agents: Vec<_> = (0..count).map(|number| format!("agent-{number}")).collect();
    for agent in &agents {
        bench.agent(agent, "admin", &receiver.url).await;
    }
    agents
}

/// Claims a second of the messages to one agent, one message each.
async fn claim_rate(cluster: &Cluster, count: usize) -> f64 {
    let bench = Bench::open(Some(cluster)).await;
    let key = agent(&bench, "worker").await;
    join_all((0..SENDERS).map(async |_| {
        for _ in 0..CLAIMS / SENDERS {
            bench.send("worker").await;
        }
    }))
    .await;
    bench.hub.close().await;
    let nodes = Node::start_all(&bench, count);
    let claim = Arc::new(request("/api/messages/claim", &key, &json!({ "limit": 1 })));
    let workers = connections(&nodes, SENDERS).await;
    let started = Instant::now();
    let claiming = workers.into_iter().map(|mut worker| {
        let claim = claim.clone();
        tokio::spawn(async move {
            let mut claimed = 0_usize;
            loop {
                let (status, answer) = exchange(&mut worker, &claim).await.expect("the node answers");
                assert!(status.starts_with("HTTP/1.1 200"), "{status} {}", String::from_utf8_lossy(&answer));
                let answer: Value = serde_json::from_slice(&answer).expect("the node answers JSON");
                if answer["messages"].as_array().is_none_or(Vec::is_empty) {
                    return claimed;
                }
                claimed += 1;
            }
        })
    });
    let claimed: usize = join_all(claiming).await.into_iter().map(|claimed| claimed.expect("the task ends")).sum();
    let rate = crate::rate(CLAIMS, started.elapsed());
    assert_eq!(claimed, CLAIMS, "each message is claimed once");
    rate
}

/// Microseconds from the beginning of a send to its arrival at a stream of the same node and of another: the median and
/// the 99th percentile of each. Both streams hear the same messages.
async fn latencies(cluster: &Cluster) -> ((f64, f64), (f64, f64)) {
    let bench = Bench::open(Some(cluster)).await;
    let (writer, reader) = (agent(&bench, &talker(0)).await, agent(&bench, &talker(1)).await);
    bench.hub.close().await;
    let nodes = Node::start_all(&bench, 2);
    let mut sender = connections(&nodes[..1], 1).await.remove(0);
    let mut near = open_stream(&nodes[0].address, &reader).await;
    let mut far = open_stream(&nodes[1].address, &reader).await;
    let send = request("/api/messages", &writer, &json!({ "to": talker(1), "body": BODY }));
    let (mut within, mut across) = (Vec::new(), Vec::new());
    for number in 0..NOT_TIMED + TIMED {
        let started = Instant::now();
        let all = async { tokio::join!(exchange(&mut sender, &send), arrival(&mut near), arrival(&mut far)) };
        let (answer, at_near, at_far) = tokio::time::timeout(PATIENCE, all).await.expect("the message arrives");
        let (status, answer) = answer.expect("the node answers");
        assert!(status.starts_with("HTTP/1.1 201"), "{status} {}", String::from_utf8_lossy(&answer));
        if number >= NOT_TIMED {
            within.push((at_near - started).as_secs_f64() * 1e6);
            across.push((at_far - started).as_secs_f64() * 1e6);
        }
    }
    // The streams end before the nodes stop.
    drop((near, far));
    (percentiles(within), percentiles(across))
}

async fn arrival(stream: &mut BufReader<TcpStream>) -> Instant {
    until(stream, "event: new_message").await;
    Instant::now()
}

/// The median and the 99th percentile.
fn percentiles(mut times: Vec<f64>) -> (f64, f64) {
    times.sort_by(f64::total_cmp);
    (times[times.len() / 2], times[times.len() * 99 / 100])
}

/// Microseconds from the kill of one of two nodes until the other has done what the first one had: deliveries that it
/// had claimed, and a message that comes after the kill and needs the reader of the log that was in the first one.
async fn taken_over(cluster: &Cluster) -> f64 {
    let (bench, receiver) = (Bench::open(Some(cluster)).await, Receiver::start(Manner::Held).await);
    let agents = hooked(&bench, &receiver, WAITING).await;
    let writer = agent(&bench, "writer").await;
    bench.fill(&agents, 1).await;
    bench.hub.close().await;
    let first = Node::start(&bench, 0);
    let waiting = async {
        while receiver.arrived.load(Ordering::Relaxed) == 0 {
            tokio::time::sleep(PAUSE).await;
        }
    };
    tokio::time::timeout(PATIENCE, waiting).await.expect("the first node attempts deliveries");
    let second = [Node::start(&bench, 1)];
    // It hears a heartbeat of the first.
    tokio::time::sleep(waiting::SETTLING).await;
    let mut counter = Counter::of(&bench).await;
    let killed = Instant::now();
    first.kill();
    receiver.release();
    let send = request("/api/messages", &writer, &json!({ "to": &agents[0], "body": BODY }));
    let mut sender = connections(&second, 1).await.remove(0);
    let (status, answer) = exchange(&mut sender, &send).await.expect("the node answers");
    assert!(status.starts_with("HTTP/1.1 201"), "{status} {}", String::from_utf8_lossy(&answer));
    counter.delivered(WAITING + 1).await;
    killed.elapsed().as_secs_f64() * 1e6
}

/// The cost of a node that has nothing to do, for each node.
struct IdleCost {
    /// Statements a second.
    statements: f64,
    /// Microseconds of CPU a second.
    cpu: f64,
}

async fn idle_cost(cluster: &Cluster, count: usize) -> IdleCost {
    let bench = Bench::open(Some(cluster)).await;
    bench.hub.close().await;
    let mut counter = Counter::of(&bench).await;
    sqlx::raw_sql("CREATE EXTENSION pg_stat_statements").execute(&mut counter.0).await.expect("the module is there");
    let nodes = Node::start_all(&bench, count);
    tokio::time::sleep(waiting::SETTLING).await;
    let used = || nodes.iter().map(Node::cpu).sum::<Duration>();
    let (before, cpu, begun) = (counter.number(STATEMENTS).await, used(), Instant::now());
    tokio::time::sleep(waiting::WATCHED).await;
    let (after, cpu_after, seconds) = (counter.number(STATEMENTS).await, used(), begun.elapsed().as_secs_f64());
    let of_each = f64::from(u32::try_from(count).expect("a small number")) * seconds;
    let statements = f64::from(u32::try_from(after - before).expect("a small number"));
    IdleCost { statements: statements / of_each, cpu: cpu_after.saturating_sub(cpu).as_secs_f64() * 1e6 / of_each }
}
