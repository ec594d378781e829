//! Memory of an export of a million traces over HTTP.

use std::time::Duration;

use futures_util::StreamExt;
use svc_core::agents::{AgentSettings, NewAgent};
use svc_core::db::Tx;
use svc_core::{Caller, Hub, HubConfig, Result, Timestamp};
use svc_http::{Server, ServerConfig};
use tempfile::TempDir;
use tokio::sync::oneshot;

const TRACES: i64 = 1_000_000;
/// The limit, in KiB.
pub(crate) const ALLOWED: f64 = 16.0 * 1024.0;
/// Number of chunks between two measurements.
const CHUNKS_BETWEEN_WEIGHINGS: usize = 64;
/// Period of the traces that are exported before the first measurement.
const FIRST: Duration = Duration::from_millis(100);

/// Maximum growth of the process during an export in KiB, in the worse of the two formats.
pub(crate) async fn export_growth() -> f64 {
    let data = TempDir::new().expect("a temporary directory");
    let mut config = ServerConfig::at(HubConfig::at(data.path()));
    config.listen = "127.0.0.1:0".into();
    config.admin_socket = Some(data.path().join("admin.sock"));
    let server = Server::bind(config).await.expect("a new server starts");
    let (key, oldest) = fill(server.hub()).await;
    let url = format!("http://{}/api/traces/export", server.address());
    let (stop, stopped) = oneshot::channel::<()>();
    let serving = tokio::spawn(server.serve(async move { drop(stopped.await) }));
    // The first responses fill caches whose size does not depend on the export.
    export(&format!("{url}?before={}", oldest.plus(FIRST)), &key).await;
    let mut worst: f64 = 0.0;
    for format in ["json", "csv"] {
        let before = resident().await;
        let (lines, most) = export(&format!("{url}?format={format}"), &key).await;
        assert!(lines > TRACES, "all of them came: {lines}");
        worst = worst.max(most - before);
    }
    stop.send(()).expect("the server runs");
    serving.await.expect("the server ends").expect("the server stops cleanly");
    worst
}

/// An agent with a million traces; returns its key and the time of the first one.
async fn fill(hub: &Hub) -> (String, Timestamp) {
    let new = NewAgent {
        name: "busy".parse().expect("a valid name"),
        owner: Some("admin".parse().expect("a valid name")),
        settings: AgentSettings::default(),
    };
    let key = hub.agents().create(&Caller::root(), new).await.expect("the agent is created").key;
    // Recent enough that none of them expires during the export.
    let oldest = hub.clock().now().minus(Duration::from_hours(1));
    let written = hub.db().write(oldest, |tx, oldest| Box::pin(insert(tx, *oldest)));
    written.await.expect("the traces are written");
    (key, oldest)
}

/// One trace per microsecond.
async fn insert(tx: &mut Tx, oldest: Timestamp) -> Result<u64> {
    tx.query(
        "WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < $1)
         INSERT INTO traces (owner_id, agent, action, surface, request_id, duration_ms, details, created_at)
         SELECT (SELECT id FROM participants WHERE handle_key = 'admin'), 'busy', 'send_message', 'rest',
                'request-' || n, n % 40, '{\"method\":\"POST\",\"path\":\"/api/messages\",\"status\":201}', $2 + n
           FROM numbers",
    )
    .bind(TRACES)
    .bind(oldest)
    .execute()
    .await
}

/// Reads an export to its end; returns its lines and the maximum memory meanwhile.
async fn export(url: &str, key: &str) -> (i64, f64) {
    #[expect(clippy::disallowed_methods, reason = "the benchmark talks to its own server on the loopback interface")]
    let client = reqwest::Client::new();
    let answer = client.get(url).bearer_auth(key).send().await.expect("the server answers");
    assert!(answer.status().is_success(), "{}", answer.status());
    let (mut body, mut chunks, mut lines, mut most) = (answer.bytes_stream(), 0_usize, 0_i64, 0.0_f64);
    while let Some(chunk) = body.next().await {
        let chunk = chunk.expect("the export comes to its end");
        lines += chunk.iter().map(|byte| i64::from(*byte == b'\n')).sum::<i64>();
        if chunks.is_multiple_of(CHUNKS_BETWEEN_WEIGHINGS) {
            most = most.max(resident().await);
        }
        chunks += 1;
    }
    (lines, most.max(resident().await))
}

/// The resident memory of the process in KiB.
pub(crate) async fn resident() -> f64 {
    let status = tokio::fs::read_to_string("/proc/self/status").await.expect("Linux tells");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("Linux tells");
    line.trim().trim_end_matches(" kB").parse().expect("a number")
}
