//! Connections beyond the limits, and those on which no request comes: health checks are answered all the same.

use std::time::{Duration, Instant};

use svc_http::{ConnectionLimits, Patience};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::support::server::TestServer;
use crate::support::wait::{soon, until};

const SHORT: Duration = Duration::from_millis(400);
const LONG: Duration = Duration::from_mins(10);
const PACE: Duration = Duration::from_millis(20);

/// A server that takes this many connections of one address, which is not a proxy here.
async fn server(limits: ConnectionLimits, patience: Patience) -> TestServer {
    TestServer::start(|config| {
        config.connections = limits;
        config.patience = patience;
        config.trusted_proxies = "10.0.0.0/8".parse().unwrap();
    })
    .await
}

/// A connection with a request that does not go on.
async fn unfinished(test: &TestServer) -> TcpStream {
    let mut stream = TcpStream::connect(test.address).await.unwrap();
    stream.write_all(b"GET / HTTP/1.1\r\nHost: localhost\r\n").await.unwrap();
    stream
}

/// Asks on a connection of its own; the answer, with its headers.
async fn ask(test: &TestServer, path: &str) -> String {
    let mut stream = TcpStream::connect(test.address).await.unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut said = Vec::new();
    soon("the answer", stream.read_to_end(&mut said)).await.unwrap();
    String::from_utf8_lossy(&said).into_owned()
}

/// How many connections there are room for, of one address or of all.
async fn story(limits: ConnectionLimits) {
    let test = server(limits, Patience { headers: LONG, connection: LONG, ..Patience::default() }).await;
    let mut held = Vec::new();
    for _ in 0..3 {
        held.push(unfinished(&test).await);
    }
    let refused = until("there is no room any more", async || {
        let said = ask(&test, "/api/whoami").await;
        said.starts_with("HTTP/1.1 503").then_some(said)
    })
    .await;
    for part in ["retry-after: 5\r\n", "connection: close\r\n", "\"too_many_connections\"", "application/problem+json"]
    {
        assert!(refused.to_lowercase().contains(part), "{part} is not in {refused}");
    }
    for path in ["/healthz", "/readyz"] {
        let said = ask(&test, path).await;
        assert!(said.starts_with("HTTP/1.1 200"), "{said}");
    }
    // Whoever sends nothing beyond the limit is not waited for as long as the others.
    let mut silent = unfinished(&test).await;
    soon("it is let go of", silent.read_to_end(&mut Vec::new())).await.ok();
    assert!(ask(&test, "/").await.starts_with("HTTP/1.1 503"));
    drop(held);
    until("there is room again", async || ask(&test, "/api/whoami").await.starts_with("HTTP/1.1 401").then_some(()))
        .await;
    let figures = test.get("/metrics").await.text().await.unwrap();
    let shed = figures.lines().find_map(|line| line.strip_prefix("connections_shed_total ")).unwrap();
    assert!(shed.parse::<u64>().unwrap() >= 4, "{shed}");
    test.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn beyond_the_limit_of_all_only_health_checks_are_answered() {
    story(ConnectionLimits { total: Some(3), per_address: Some(0) }).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn beyond_the_limit_of_an_address_only_health_checks_are_answered() {
    story(ConnectionLimits { total: None, per_address: Some(3) }).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_proxy_that_is_trusted_speaks_for_many() {
    let limits = ConnectionLimits { total: None, per_address: Some(1) };
    let test = TestServer::start(|config| config.connections = limits).await;
    let _held = (unfinished(&test).await, unfinished(&test).await, unfinished(&test).await);
    assert!(ask(&test, "/api/whoami").await.starts_with("HTTP/1.1 401"));
    test.stop().await;
}

/// Sends bytes for as long as somebody takes them; how long that was.
async fn drip(stream: &mut TcpStream, bytes: &[u8]) -> Duration {
    let begun = Instant::now();
    let mut pace = tokio::time::interval(PACE);
    let mut said = [0; 1024];
    loop {
        tokio::select! {
            _ = pace.tick() => if stream.write_all(bytes).await.is_err() { return begun.elapsed() },
            read = stream.read(&mut said) => if matches!(read, Ok(0) | Err(_)) { return begun.elapsed() },
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn headers_that_trickle_in_behind_a_good_request_are_cut_off() {
    let patience = Patience { headers: SHORT, connection: LONG, ..Patience::default() };
    let test = server(ConnectionLimits::default(), patience).await;
    let mut stream = TcpStream::connect(test.address).await.unwrap();
    let get = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";
    // Between requests there is no hurry: what counts is the time since the first byte of the next.
    let mut pace = tokio::time::interval(SHORT * 2);
    for _ in 0..3 {
        pace.tick().await;
        stream.write_all(get).await.unwrap();
        let mut said = [0; 4096];
        let count = soon("an answer", stream.read(&mut said)).await.unwrap();
        assert!(said[..count].starts_with(b"HTTP/1.1 200"), "it was kept");
    }
    stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n").await.unwrap();
    let took = soon("it is cut off", drip(&mut stream, b"X-Slow: 1\r\n")).await;
    assert!(took + PACE >= SHORT, "not before its time: {took:?}");
    test.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_over_http2_needs_a_request_too() {
    let patience = Patience { headers: SHORT, connection: LONG, ..Patience::default() };
    let test = server(ConnectionLimits::default(), patience).await;
    let mut stream = TcpStream::connect(test.address).await.unwrap();
    // The preface and an empty frame of settings, and then pings, which are no request.
    let settings = [0, 0, 0, 4, 0, 0, 0, 0, 0];
    stream.write_all(&[b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".as_slice(), &settings].concat()).await.unwrap();
    let ping = [0, 0, 8, 6, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8];
    let took = soon("it is cut off", drip(&mut stream, &ping)).await;
    assert!(took + PACE >= SHORT, "not before its time: {took:?}");
    test.stop().await;
}
