//! A flood of MCP clients that behave badly: others are served meanwhile, and afterwards the server holds
//! no more than it did after the flood before.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use futures_util::future::join_all;
use reqwest::{Client, RequestBuilder};
use serde_json::{Value, json};
use svc_core::{Hub, HubConfig};
use tempfile::TempDir;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::support::child::TestChild;
use crate::support::mcp_http::{NEWEST, WITH_SESSIONS, message};
use crate::support::people::agent_of_admin;
use crate::support::wait::until;

/// What a second flood may add. The large arguments of one flood come to more than twice as much, so whatever
/// keeps them shows; what an allocator sets aside for itself does not.
const MARGIN: u64 = 20 << 20;
const LARGE_CALLS: usize = 48;
const LARGE: usize = 1 << 20;
/// How long somebody who behaves may have to wait for an answer, on a machine that is busy with other tests.
const BEARABLE: Duration = Duration::from_secs(10);

/// The server as a program of its own.
struct Target {
    child: TestChild,
    url: String,
    address: SocketAddr,
    flooder: String,
    bystander: String,
    client: Client,
    _data: TempDir,
}

impl Target {
    async fn start() -> Self {
        let data = TempDir::new().unwrap();
        let hub = Hub::open(HubConfig::at(data.path())).await.unwrap();
        let (flooder, bystander) = (agent_of_admin(&hub, "flooder").await, agent_of_admin(&hub, "bystander").await);
        hub.close().await;
        let directory = data.path().display().to_string();
        // On a busy machine a client may take a while to send what it has connected for.
        let quiet = ["--log-level", "error", "--mcp-session-idle", "2s", "--header-timeout", "60s"];
        let limits = ["--rate-limit-read", "0", "--rate-limit-write", "0", "--rate-limit-auth", "0"];
        let place = ["--data", &directory, "--listen", "127.0.0.1:0"];
        let (child, url) = TestChild::server(&[&place[..], &quiet, &limits].concat());
        let address = url.trim_start_matches("http://").parse().unwrap();
        #[expect(clippy::disallowed_methods, reason = "the tests talk to their own server on the loopback interface")]
        let client = Client::builder().build().unwrap();
        Self { child, url, address, flooder, bystander, client, _data: data }
    }

    fn post(&self, key: &str, body: &Value) -> RequestBuilder {
        let request = self.client.post(format!("{}/mcp", self.url)).bearer_auth(key).json(body);
        request.header("accept", "application/json, text/event-stream")
    }

    /// Calls a tool in the newest revision; its status.
    async fn call(&self, key: &str, tool: &str, arguments: Value) -> u16 {
        let body = message("tools/call", json!({ "name": tool, "arguments": arguments }));
        let request = self.post(key, &body).header("mcp-protocol-version", NEWEST);
        let answer = request.header("mcp-method", "tools/call").header("mcp-name", tool).send().await.unwrap();
        let status = answer.status().as_u16();
        answer.bytes().await.unwrap();
        status
    }

    async fn figure(&self, name: &str) -> u64 {
        let text = self.client.get(format!("{}/metrics", self.url)).send().await.unwrap().text().await.unwrap();
        let value = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' ')).unwrap();
        value.parse().unwrap()
    }

    /// The beginning of a request as it goes over the wire.
    fn head(&self, length: usize) -> String {
        format!(
            "POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {}\r\nContent-Type: application/json\r\n\
             Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: {NEWEST}\r\nMcp-Method: tools/list\r\n\
             Content-Length: {length}\r\n\r\n",
            self.flooder
        )
    }
}

/// Many small calls at once.
async fn calls(target: &Target) {
    let calls = (0..16).map(async |_| {
        for _ in 0..6 {
            assert_eq!(target.call(&target.flooder, "my_status", json!({})).await, 200);
            let arguments = json!({ "to": "bystander", "body": "again" });
            assert_eq!(target.call(&target.flooder, "send_message", arguments).await, 200);
        }
    });
    join_all(calls).await;
}

/// Arguments of a mebibyte, eight at a time; refused in the protocol's own form.
async fn large_calls(target: &Target) {
    let calls = (0..8).map(async |_| {
        for _ in 0..LARGE_CALLS / 8 {
            let arguments = json!({ "to": "bystander", "body": "x".repeat(LARGE) });
            assert_eq!(target.call(&target.flooder, "send_message", arguments).await, 200);
        }
    });
    join_all(calls).await;
}

/// Connections that end their half in the middle of a request.
async fn half_closed(target: &Target) -> Vec<TcpStream> {
    let open = (0..64).map(async |_| {
        let mut stream = TcpStream::connect(target.address).await.unwrap();
        stream.write_all(target.head(LARGE).as_bytes()).await.unwrap();
        stream.write_all(&[b' '; 16 * 1024]).await.unwrap();
        stream.shutdown().await.unwrap();
        stream
    });
    join_all(open).await
}

/// Clients that ask until nothing more goes through, and never read an answer.
async fn never_reading(target: &Target) -> Vec<TcpStream> {
    let body = message("tools/list", json!({})).to_string();
    let request = format!("{}{body}", target.head(body.len()));
    let open = (0..6).map(async |_| {
        let mut stream = TcpStream::connect(target.address).await.unwrap();
        let asking = async { while stream.write_all(request.as_bytes()).await.is_ok() {} };
        // Once both sides' buffers are full it would wait for ever.
        timeout(Duration::from_millis(300), asking).await.ok();
        stream
    });
    join_all(open).await
}

/// Sessions with a subscription and a stream, which are left as they are.
async fn left_sessions(target: &Target) -> Vec<reqwest::Response> {
    let open = (0..32).map(async |_| {
        let hello = json!({
            "protocolVersion": WITH_SESSIONS, "capabilities": {}, "clientInfo": { "name": "it", "version": "1" },
        });
        let body = json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello });
        let answer = target.post(&target.flooder, &body).send().await.unwrap();
        let id = answer.headers()["mcp-session-id"].clone();
        answer.bytes().await.unwrap();
        let within = |request: RequestBuilder| {
            request.header("mcp-session-id", id.clone()).header("mcp-protocol-version", WITH_SESSIONS)
        };
        let done = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        within(target.post(&target.flooder, &done)).send().await.unwrap();
        let params = json!({ "uri": "svc://inbox" });
        let subscribe = json!({ "jsonrpc": "2.0", "id": 1, "method": "resources/subscribe", "params": params });
        within(target.post(&target.flooder, &subscribe)).send().await.unwrap().bytes().await.unwrap();
        let listen = target.client.get(format!("{}/mcp", target.url)).bearer_auth(&target.flooder);
        within(listen.header("accept", "text/event-stream")).send().await.unwrap()
    });
    join_all(open).await
}

/// Everything at once, to its end; returns how much memory the server holds then.
async fn flood(target: &Target) -> u64 {
    let ((), (), half, silent, left) = tokio::join!(
        calls(target),
        large_calls(target),
        half_closed(target),
        never_reading(target),
        left_sessions(target)
    );
    drop((half, silent, left));
    until("sessions and streams have ended", async || {
        (target.figure("mcp_sessions").await == 0 && target.figure("open_streams").await == 0).then_some(())
    })
    .await;
    target.child.resident().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flood_leaves_nothing_behind_and_others_are_served_meanwhile() {
    let target = Arc::new(Target::start().await);
    let (over, served) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
    let bystander = tokio::spawn({
        let (target, over, served) = (target.clone(), over.clone(), served.clone());
        async move {
            while !over.load(Ordering::Relaxed) {
                let call = target.call(&target.bystander, "read_inbox", json!({ "max_tokens": 200 }));
                assert_eq!(timeout(BEARABLE, call).await.expect("others are served"), 200);
                served.fetch_add(1, Ordering::Relaxed);
            }
        }
    });
    let first = flood(&target).await;
    let before = served.load(Ordering::Relaxed);
    let second = flood(&target).await;
    over.store(true, Ordering::Relaxed);
    bystander.await.unwrap();
    println!(
        "resident after the first flood: {first}, after the second: {second}; {before} calls of another meanwhile"
    );
    assert!(before > 0 && served.load(Ordering::Relaxed) > before, "somebody else was answered in both");
    assert!(second <= first + MARGIN, "{second} bytes after the second flood, {first} after the first");
}
