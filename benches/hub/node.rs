//! A node: the complete server in a process of its own, on a PostgreSQL database that it shares with others.

use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::time::Duration;

use svc_core::HubConfig;
use svc_http::{RateLimits, Server, ServerConfig};

use crate::waiting;
use crate::webhooks::{Bench, unlimited};

/// The argument that starts this program as a node.
pub(crate) const NODE: &str = "node-server";
/// The variables that say where a node has its store and its files, and what its socket is called.
const DATABASE: &str = "SVC_BENCH_DATABASE";
const DATA: &str = "SVC_BENCH_DATA";
const SOCKET: &str = "SVC_BENCH_SOCKET";

/// Runs as a node: prints its address, and serves until its standard input ends.
pub(crate) async fn serve() {
    let told = |name: &str| std::env::var(name).expect("the parent says it");
    let data = PathBuf::from(told(DATA));
    let hub = unlimited(HubConfig::at(&data)).with_store(&told(DATABASE)).expect("a valid address");
    let mut config = ServerConfig::at(hub);
    config.listen = "127.0.0.1:0".into();
    config.admin_socket = Some(data.join(told(SOCKET)));
    config.rate_limits = RateLimits { read: 0, write: 0, auth: 0 };
    let server = Server::bind(config).await.expect("the node starts");
    println!("{}", server.address());
    std::io::stdout().flush().expect("the parent reads");
    let ended = tokio::task::spawn_blocking(|| std::io::copy(&mut std::io::stdin(), &mut std::io::sink()));
    let stopped = async { drop(ended.await) };
    server.serve(stopped).await.expect("the node stops cleanly");
}

/// A running node; it stops in order when this is dropped.
pub(crate) struct Node {
    process: Child,
    input: Option<ChildStdin>,
    pub(crate) address: String,
}

impl Node {
    /// Starts so many nodes on the store of a hub, which has to be closed.
    pub(crate) fn start_all(bench: &Bench, count: usize) -> Vec<Self> {
        (0..count).map(|number| Self::start(bench, number)).collect()
    }

    /// Starts a node with a number of its own, and waits until it listens.
    pub(crate) fn start(bench: &Bench, number: usize) -> Self {
        let database = bench.database.as_deref().expect("nodes share a PostgreSQL database");
        Self::start_on(database, bench.data.path(), number)
    }

    fn start_on(database: &str, data: &Path, number: usize) -> Self {
        let program = std::env::current_exe().expect("this program has a path");
        let mut process = Command::new(program)
            .arg(NODE)
            .env(DATABASE, database)
            .env(DATA, data)
            .env(SOCKET, format!("{number}.sock"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the node starts");
        let input = process.stdin.take();
        let output = process.stdout.take().expect("it is piped");
        let mut line = String::new();
        std::io::BufReader::new(output).read_line(&mut line).expect("the node prints its address");
        assert!(!line.is_empty(), "the node ended before it listened");
        Self { process, input, address: line.trim_end().to_owned() }
    }

    /// CPU time that it has used.
    pub(crate) fn cpu(&self) -> Duration {
        waiting::cpu_of(&self.process.id().to_string())
    }

    /// Ends it at once, with the signal that cannot be caught.
    pub(crate) fn kill(mut self) {
        self.process.kill().expect("the node runs");
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        drop(self.input.take());
        self.process.wait().expect("the node ends");
    }
}
