//! Effect of many concurrent logins on others: p99 of `/readyz`, idle and under load.

use std::time::Instant;

use poem::http::StatusCode;
use svc_core::HubConfig;
use svc_http::{RateLimits, Server, ServerConfig};
use tempfile::TempDir;
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

/// Clients that log in without a pause.
const FLOOD: usize = 64;
const REQUESTS: usize = 1000;
const ROUNDS: usize = 3;

/// Microseconds: idle, and under a flood of logins.
pub(crate) async fn readiness_p99() -> (f64, f64) {
    let data = TempDir::new().expect("a temporary directory");
    let mut config = ServerConfig::at(HubConfig::at(data.path()));
    config.listen = "127.0.0.1:0".into();
    config.admin_socket = Some(data.path().join("admin.sock"));
    config.rate_limits = RateLimits { read: 0, write: 0, auth: 0 };
    let server = Server::bind(config).await.expect("a new server starts");
    let url = format!("http://{}", server.address());
    let (stop, stopped) = oneshot::channel::<()>();
    let serving = tokio::spawn(server.serve(async move { drop(stopped.await) }));
    #[expect(clippy::disallowed_methods, reason = "the benchmark talks to its own server on the loopback interface")]
    let client = reqwest::Client::new();

    let (mut idle, mut flooded) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        idle.push(p99(&client, &url).await);
        let over = CancellationToken::new();
        let flood: Vec<_> =
            (0..FLOOD).map(|person| tokio::spawn(log_in(person, client.clone(), url.clone(), over.clone()))).collect();
        flooded.push(p99(&client, &url).await);
        over.cancel();
        for person in flood {
            person.await.expect("the task ends");
        }
    }
    stop.send(()).expect("the server runs");
    serving.await.expect("the server ends").expect("the server stops cleanly");
    (crate::median(idle), crate::median(flooded))
}

/// Logs in repeatedly until cancelled.
async fn log_in(person: usize, client: reqwest::Client, url: String, over: CancellationToken) {
    let mut attempt = 0;
    while !over.is_cancelled() {
        attempt += 1;
        // Distinct names and addresses, so that none is delayed.
        let body = serde_json::json!({ "username": format!("p{person}_{attempt}"), "password": "12345678" });
        let address = format!("10.{}.{}.{person}", attempt / 250 % 250, attempt % 250);
        let request = client.post(format!("{url}/auth/login")).header("X-Forwarded-For", address).json(&body);
        let status = request.send().await.expect("the server answers").status().as_u16();
        assert!(status == StatusCode::UNAUTHORIZED.as_u16() || status == 429 || status == 503, "{status}");
    }
}

async fn p99(client: &reqwest::Client, url: &str) -> f64 {
    let mut times = Vec::with_capacity(REQUESTS);
    for _ in 0..REQUESTS {
        let started = Instant::now();
        let answer = client.get(format!("{url}/readyz")).send().await.expect("the server answers");
        assert!(answer.status().is_success());
        answer.bytes().await.expect("the answer is whole");
        times.push(started.elapsed().as_secs_f64() * 1e6);
    }
    times.sort_by(f64::total_cmp);
    times[REQUESTS * 99 / 100]
}
