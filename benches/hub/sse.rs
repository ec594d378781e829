//! One message to 2,000 open live streams: the time between its first and its last arrival, and the memory of a
//! stream in the server.
//!
//! The server is a separate process, so that the memory of the clients is not counted.

use std::io::{BufRead, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use serde_json::{Value, json};
use svc_core::agents::{AgentSettings, NewAgent};
use svc_core::messages::NewMessage;
use svc_core::{Caller, HubConfig};
use svc_http::{RateLimits, Server, ServerConfig};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::sync::mpsc;
use tokio::task::JoinSet;

/// The argument that starts this program as the server.
pub(crate) const SERVER: &str = "sse-server";
/// Open streams.
pub(crate) const CLIENTS: usize = 2_000;
/// Memory limit of a stream, in KiB.
pub(crate) const CLIENT_MEMORY: f64 = 20.0;
/// Limit of the time between the first and the last arrival, in microseconds.
pub(crate) const SPREAD: f64 = 250_000.0;
/// Each agent may open a limited number of streams; a few more agents than needed.
const AGENTS: usize = 50;
const ROUNDS: usize = 5;
/// Number of streams that are opened together.
const AT_ONCE: usize = 100;
/// Timeout, longer than any step takes.
const PATIENCE: Duration = Duration::from_secs(30);

/// Measured values.
pub(crate) struct Crowd {
    /// Microseconds between the first and the last arrival; the median of some rounds.
    pub(crate) spread: f64,
    /// KiB of the server's memory for each stream.
    pub(crate) memory: f64,
}

/// Runs as the server: prints its address and the keys, and serves until its standard input ends.
pub(crate) async fn serve() {
    let data = TempDir::new().expect("a temporary directory");
    let mut config = ServerConfig::at(HubConfig::at(data.path()));
    config.listen = "127.0.0.1:0".into();
    config.admin_socket = Some(data.path().join("admin.sock"));
    config.rate_limits = RateLimits { read: 0, write: 0, auth: 0 };
    let server = Server::bind(config).await.expect("a new server starts");
    let mut keys = Vec::new();
    for number in 0..AGENTS {
        let new = NewAgent {
            name: format!("agent-{number}").parse().expect("a valid name"),
            owner: Some("admin".parse().expect("a valid name")),
            settings: AgentSettings::default(),
        };
        let key = server.hub().agents().create(&Caller::root(), new).await.expect("the agent is created").key;
        // Posting makes each agent a member, so that unread counts are computed for all of them.
        let caller = server.hub().auth().bearer(&key).await.expect("the key is valid");
        let hello = NewMessage { channel: Some("general".into()), body: "hello".into(), ..NewMessage::default() };
        server.hub().messages().send(&caller, hello).await.expect("the message is sent");
        keys.push(key);
    }
    println!("{}", json!({ "address": server.address(), "keys": keys }));
    std::io::stdout().flush().expect("the parent reads");
    let ended = tokio::task::spawn_blocking(|| std::io::copy(&mut std::io::stdin(), &mut std::io::sink()));
    let stopped = async { drop(ended.await) };
    server.serve(stopped).await.expect("the server stops cleanly");
}

/// The server in a separate process; it ends when this is dropped.
struct ServerProcess {
    process: Child,
    input: Option<ChildStdin>,
    address: String,
    keys: Vec<String>,
}

impl ServerProcess {
    fn start() -> Self {
        let program = std::env::current_exe().expect("this program has a path");
        let mut command = Command::new(program);
        let mut process = command
            .arg(SERVER)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the server starts");
        let input = process.stdin.take();
        let mut line = String::new();
        let output = process.stdout.take().expect("it is piped");
        std::io::BufReader::new(output).read_line(&mut line).expect("the server prints its address");
        let started: Value = serde_json::from_str(&line).expect("the server prints JSON");
        let text = |value: &Value| value.as_str().expect("a text").to_owned();
        let keys = started["keys"].as_array().expect("a list").iter().map(text).collect();
        Self { process, input, address: text(&started["address"]), keys }
    }

    /// Its resident memory in KiB.
    async fn memory(&self) -> f64 {
        let path = format!("/proc/{}/status", self.process.id());
        let status = tokio::fs::read_to_string(path).await.expect("/proc is readable");
        let line = status.lines().find(|line| line.starts_with("VmRSS:")).expect("/proc is readable");
        line.split_whitespace().nth(1).and_then(|text| text.parse().ok()).expect("a number")
    }
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        drop(self.input.take());
        self.process.wait().expect("the server ends");
    }
}

/// Opens the streams and measures.
pub(crate) async fn crowd() -> Crowd {
    let server = ServerProcess::start();
    let (heard, mut times_heard) = mpsc::unbounded_channel();
    // Shared memory is allocated before the first measurement: caches, and buffers for as many requests as arrive at
    // once.
    let mut clients = join_all((0..AT_ONCE).map(|number| open(&server, number))).await;
    let before = server.memory().await;
    for batch in (AT_ONCE..AT_ONCE + CLIENTS).collect::<Vec<_>>().chunks(AT_ONCE) {
        clients.extend(join_all(batch.iter().map(|number| open(&server, *number))).await);
    }
    let memory = (server.memory().await - before) / as_f64(CLIENTS);
    let count = clients.len();
    let mut listeners = JoinSet::new();
    for client in clients {
        listeners.spawn(listen(client, heard.clone()));
    }
    let mut spreads = Vec::new();
    for _ in 0..ROUNDS {
        post(&server).await;
        let mut times = Vec::with_capacity(count);
        while times.len() < count {
            let time = tokio::time::timeout(PATIENCE, times_heard.recv()).await.expect("no stream is lost");
            times.push(time.expect("the streams are open"));
        }
        let (first, last) = (times.iter().min().expect("many"), times.iter().max().expect("many"));
        spreads.push((*last - *first).as_secs_f64() * 1e6);
        // Unread counts are sent a moment later, and are not measured.
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    // The clients disconnect before the server stops.
    listeners.shutdown().await;
    Crowd { spread: crate::median(spreads), memory }
}

fn as_f64(count: usize) -> f64 {
    f64::from(u32::try_from(count).expect("a small number"))
}

/// Opens a stream of one of the agents.
async fn open(server: &ServerProcess, number: usize) -> BufReader<TcpStream> {
    open_stream(&server.address, &server.keys[number % AGENTS]).await
}

/// Opens a stream and reads its `hello`.
pub(crate) async fn open_stream(address: &str, key: &str) -> BufReader<TcpStream> {
    let stream = TcpStream::connect(address).await.expect("the server listens");
    let mut stream = BufReader::with_capacity(1024, stream);
    let request = format!("GET /api/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {key}\r\n\r\n");
    stream.get_mut().write_all(request.as_bytes()).await.expect("the server reads");
    until(&mut stream, "event: hello").await;
    stream
}

/// Reports the arrival of each message.
async fn listen(mut stream: BufReader<TcpStream>, heard: mpsc::UnboundedSender<Instant>) {
    loop {
        until(&mut stream, "event: new_message").await;
        if heard.send(Instant::now()).is_err() {
            return;
        }
    }
}

/// Reads lines until one is this.
pub(crate) async fn until(stream: &mut BufReader<TcpStream>, wanted: &str) {
    let mut line = String::new();
    while line.trim_end() != wanted {
        line.clear();
        let count = stream.read_line(&mut line).await.expect("the stream does not break");
        assert!(count > 0, "the stream goes on");
    }
}

/// Posts a message to all of them.
async fn post(server: &ServerProcess) {
    let mut stream = BufReader::new(TcpStream::connect(&server.address).await.expect("the server listens"));
    let (key, body) = (&server.keys[0], json!({ "channel": "general", "body": crate::send::BODY }).to_string());
    let request = format!(
        "POST /api/messages HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {key}\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.get_mut().write_all(request.as_bytes()).await.expect("the server reads");
    let mut line = String::new();
    stream.read_line(&mut line).await.expect("the server answers");
    assert!(line.starts_with("HTTP/1.1 201"), "{line}");
}
