//! Sends through the complete server, over REST or MCP, with an agent's key on one keep-alive connection per sender,
//! under all middleware, with its workers running.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::time::Instant;

use futures_util::future::join_all;
use svc_core::{Hub, HubConfig};
use svc_http::{RateLimits, Server, ServerConfig};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::send::{Talk, sender_of};

/// A complete server with a store of its own.
pub(crate) struct Served {
    pub(crate) hub: Hub,
    pub(crate) address: SocketAddr,
    stop: oneshot::Sender<()>,
    serving: JoinHandle<svc_core::Result<()>>,
    _data: TempDir,
}

impl Served {
    pub(crate) async fn start() -> Self {
        let data = TempDir::new().expect("a temporary directory");
        let mut config = ServerConfig::at(HubConfig::at(data.path()));
        config.listen = "127.0.0.1:0".into();
        config.admin_socket = Some(data.path().join("admin.sock"));
        // The limits are active, and wide enough for the one address that all senders share.
        config.rate_limits = RateLimits { read: u32::MAX, write: u32::MAX, auth: u32::MAX };
        let server = Server::bind(config).await.expect("a new server starts");
        let (hub, address) = (server.hub().clone(), server.address());
        let (stop, stopped) = oneshot::channel::<()>();
        let serving = tokio::spawn(server.serve(async move { drop(stopped.await) }));
        Self { hub, address, stop, serving, _data: data }
    }

    pub(crate) async fn stop(self) {
        self.stop.send(()).expect("the server runs");
        self.serving.await.expect("the server ends").expect("the server stops cleanly");
    }
}

/// Messages per second.
pub(crate) async fn rate(door: Door, senders: usize, messages: usize) -> f64 {
    let served = Served::start().await;
    let talk = Arc::new(Talk::prepare(&served.hub).await);
    let left = Arc::new(AtomicUsize::new(messages));
    let connections = join_all((0..senders).map(|_| TcpStream::connect(served.address))).await;
    let started = Instant::now();
    let sending = connections.into_iter().map(|connection| {
        let (left, talk) = (left.clone(), talk.clone());
        tokio::spawn(async move {
            let mut connection = BufReader::new(connection.expect("the server listens"));
            connection.get_ref().set_nodelay(true).expect("a socket takes its options");
            while let Some(number) = crate::take_one(&left) {
                post(&mut connection, door, &talk.keys[sender_of(number)], number).await.expect("the server answers");
            }
        })
    });
    for sent in join_all(sending).await {
        sent.expect("the task ends");
    }
    talk.indexed().await;
    let rate = crate::rate(messages, started.elapsed());
    served.stop().await;
    rate
}

/// Surface of the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Door {
    /// `POST /api/messages`.
    Rest,
    /// `POST /mcp`: the tools `send_message` and `send_channel_message`, each call a separate request.
    Mcp,
}

impl Door {
    fn request(self, key: &str, number: usize) -> std::io::Result<String> {
        let message = serde_json::to_value(Talk::message(number))?;
        let (path, headers, body) = match self {
            Self::Rest => ("/api/messages", String::new(), message),
            Self::Mcp => {
                let tool = if message.get("to").is_some() { "send_message" } else { "send_channel_message" };
                let headers = format!(
                    "Accept: application/json, text/event-stream\r\nMcp-Protocol-Version: 2026-07-28\r\n\
                     Mcp-Method: tools/call\r\nMcp-Name: {tool}\r\n"
                );
                ("/mcp", headers, tool_call(tool, &message))
            }
        };
        let body = body.to_string();
        let length = body.len();
        Ok(format!(
            "POST {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {key}\r\n{headers}\
             Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}",
        ))
    }

    fn is_answer(self, status: &str, body: &[u8]) -> bool {
        match self {
            Self::Rest => status.starts_with("HTTP/1.1 201") && body.starts_with(b"{\"id\":"),
            Self::Mcp => {
                let body = String::from_utf8_lossy(body);
                status.starts_with("HTTP/1.1 200") && body.contains("\"stored\"") && !body.contains("isError")
            }
        }
    }
}

/// A tool call of the newest revision.
pub(crate) fn tool_call(tool: &str, arguments: &serde_json::Value) -> serde_json::Value {
    serde_json::json!({
        "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {
            "name": tool, "arguments": arguments,
            "_meta": {
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientInfo": { "name": "bench", "version": "1" },
                "io.modelcontextprotocol/clientCapabilities": {},
            },
        },
    })
}

/// Sends the message with this number.
pub(crate) async fn post(
    connection: &mut BufReader<TcpStream>,
    door: Door,
    key: &str,
    number: usize,
) -> std::io::Result<()> {
    let (status, answer) = exchange(connection, &door.request(key, number)?).await?;
    assert!(door.is_answer(&status, &answer), "{status} {}", String::from_utf8_lossy(&answer));
    Ok(())
}

/// A minimal client, so that the server is measured: returns the status line and the body.
pub(crate) async fn exchange(
    connection: &mut BufReader<TcpStream>,
    request: &str,
) -> std::io::Result<(String, Vec<u8>)> {
    connection.get_mut().write_all(request.as_bytes()).await?;
    let mut status = String::new();
    connection.read_line(&mut status).await?;
    let mut line = String::new();
    let mut length = 0;
    loop {
        line.clear();
        connection.read_line(&mut line).await?;
        if line == "\r\n" {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().map_err(std::io::Error::other)?;
        }
    }
    let mut answer = vec![0; length];
    connection.read_exact(&mut answer).await?;
    Ok((status, answer))
}
