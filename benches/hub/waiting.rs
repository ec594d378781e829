//! CPU use of agents that wait for messages while nothing happens.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use svc_core::agents::{AgentSettings, NewAgent};
use svc_core::{Caller, HubConfig};
use svc_http::{RateLimits, Server, ServerConfig};
use tempfile::TempDir;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::sync::oneshot;

use crate::rest::tool_call;

/// Number of waiting agents.
pub(crate) const AGENTS: usize = 200;
/// Microseconds of CPU per second: 2 %.
pub(crate) const ALLOWED: f64 = 20_000.0;
/// Duration of the measurement, after a settling time.
pub(crate) const WATCHED: Duration = Duration::from_secs(10);
pub(crate) const SETTLING: Duration = Duration::from_secs(3);

/// CPU use of the whole process while they wait: the server, its workers, and the sleeping clients.
pub(crate) async fn cpu_micros_per_second() -> f64 {
    let data = TempDir::new().expect("a temporary directory");
    let mut config = ServerConfig::at(HubConfig::at(data.path()));
    config.listen = "127.0.0.1:0".into();
    config.admin_socket = Some(data.path().join("admin.sock"));
    config.rate_limits = RateLimits { read: 0, write: 0, auth: 0 };
    let server = Server::bind(config).await.expect("a new server starts");
    let (hub, address) = (server.hub().clone(), server.address());
    let (stop, stopped) = oneshot::channel::<()>();
    let serving = tokio::spawn(server.serve(async move { drop(stopped.await) }));
    let waiting = join_all((0..AGENTS).map(async |number| {
        let new = NewAgent {
            name: format!("waiter-{number}").parse().expect("a valid name"),
            owner: Some("admin".parse().expect("a valid name")),
            settings: AgentSettings::default(),
        };
        let key = hub.agents().create(&Caller::root(), new).await.expect("the agent is created").key;
        let body = tool_call("wait_for_messages", &serde_json::json!({ "timeout_seconds": 55 })).to_string();
        let request = format!(
            "POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {}\r\n\
             Accept: application/json, text/event-stream\r\nMcp-Protocol-Version: 2026-07-28\r\n\
             Mcp-Method: tools/call\r\nMcp-Name: wait_for_messages\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            &*key,
            body.len(),
        );
        let mut connection = TcpStream::connect(address).await.expect("the server listens");
        connection.write_all(request.as_bytes()).await.expect("the server reads");
        connection
    }))
    .await;
    tokio::time::sleep(SETTLING).await;
    let (before, begun) = (cpu(), Instant::now());
    tokio::time::sleep(WATCHED).await;
    let used = cpu().saturating_sub(before).as_secs_f64() * 1e6 / begun.elapsed().as_secs_f64();
    drop(waiting);
    stop.send(()).expect("the server runs");
    serving.await.expect("the server ends").expect("the server stops cleanly");
    used
}

/// CPU time of all threads of this process.
pub(crate) fn cpu() -> Duration {
    cpu_of("self")
}

/// CPU time of all threads of a process, by its id.
#[expect(clippy::disallowed_methods, reason = "files of the kernel do not block")]
pub(crate) fn cpu_of(process: &str) -> Duration {
    let mut total = 0_u64;
    for task in std::fs::read_dir(format!("/proc/{process}/task")).expect("Linux tells of its threads").flatten() {
        let text = std::fs::read_to_string(task.path().join("schedstat")).unwrap_or_default();
        total += text.split_whitespace().next().and_then(|nanos| nanos.parse::<u64>().ok()).unwrap_or(0);
    }
    Duration::from_nanos(total)
}
