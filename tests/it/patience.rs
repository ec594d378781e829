//! Clients that take too long: the server lets go of them, and others notice nothing.

use std::time::{Duration, Instant};

use serde_json::json;
use svc_http::Patience;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::support::mcp_http::Session;
use crate::support::server::TestServer;
use crate::support::wait::{soon, until};

/// What is waited for here, in place of minutes.
const SHORT: Duration = Duration::from_millis(400);
/// What must not end a connection in a test of something else.
const LONG: Duration = Duration::from_mins(10);

async fn server(patience: Patience) -> TestServer {
    TestServer::start(|config| config.patience = patience).await
}

/// Reads until the server closes the connection; what it said.
async fn until_closed(stream: &mut TcpStream) -> String {
    let mut said = Vec::new();
    // One that is cut off hard is closed as well.
    soon("the connection is closed", stream.read_to_end(&mut said)).await.ok();
    String::from_utf8_lossy(&said).into_owned()
}

/// Sends headers a few bytes at a time, for as long as somebody takes them.
async fn drip(address: std::net::SocketAddr) -> Duration {
    let begun = Instant::now();
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n").await.unwrap();
    let mut pace = tokio::time::interval(Duration::from_millis(20));
    let mut said = [0; 256];
    loop {
        tokio::select! {
            _ = pace.tick() => if stream.write_all(b"X-Slow: 1\r\n").await.is_err() { return begun.elapsed() },
            read = stream.read(&mut said) => if matches!(read, Ok(0) | Err(_)) { return begun.elapsed() },
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn headers_that_trickle_in_are_cut_off_while_others_are_served() {
    let test = server(Patience { headers: SHORT, connection: LONG, mcp_session: LONG, ..Patience::default() }).await;
    let slow: Vec<_> = (0..50).map(|_| tokio::spawn(drip(test.address))).collect();
    let mut served = 0;
    while slow.iter().any(|task| !task.is_finished()) {
        assert_eq!(soon("another client is answered", test.get("/healthz")).await.status(), 200);
        served += 1;
    }
    assert!(served > 1, "others were answered meanwhile");
    for task in slow {
        let took = task.await.unwrap();
        assert!(took >= SHORT, "not before its time: {took:?}");
    }
    test.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_on_which_nothing_moves_is_closed() {
    let test = server(Patience { headers: LONG, connection: SHORT, mcp_session: LONG, ..Patience::default() }).await;
    let begun = Instant::now();
    let mut silent = TcpStream::connect(test.address).await.unwrap();
    assert_eq!(until_closed(&mut silent).await, "", "one that never asked is told nothing");
    assert!(begun.elapsed() >= SHORT);

    let mut asked = TcpStream::connect(test.address).await.unwrap();
    let begun = Instant::now();
    asked.write_all(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n").await.unwrap();
    let said = until_closed(&mut asked).await;
    assert!(
        said.starts_with("HTTP/1.1 200") && begun.elapsed() >= SHORT,
        "it was answered and kept for a while: {said}"
    );

    let mut half = TcpStream::connect(test.address).await.unwrap();
    half.write_all(b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{").await.unwrap();
    until_closed(&mut half).await;
    assert_eq!(test.get("/healthz").await.status(), 200);
    test.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_in_which_nothing_happens_ends_and_its_client_begins_anew() {
    let test = server(Patience { mcp_session: SHORT, ..Patience::default() }).await;
    let ann = test.person("ann").await;
    let key = test.create_agent(&ann, "builder").await;
    let begun = Instant::now();
    let session = Session::open(&test, &key).await;
    session.tool("my_status", json!({})).await;
    assert_eq!(sessions(&test).await, 1);
    until("the session ends", async || (sessions(&test).await == 0).then_some(())).await;
    assert!(begun.elapsed() >= SHORT);

    let answer = session.send(&session.body("ping", json!({}))).await;
    assert_eq!(answer.status(), 404, "the protocol's word for: initialize again");
    let told: serde_json::Value = answer.json().await.unwrap();
    assert_eq!((&told["jsonrpc"], &told["error"]["code"]), (&json!("2.0"), &json!(-32001)), "{told}");
    Session::open(&test, &key).await.tool("my_status", json!({})).await;
    test.stop().await;
}

/// How many sessions the server says it keeps.
async fn sessions(test: &TestServer) -> u64 {
    let figures = test.get("/metrics").await.text().await.unwrap();
    let line = figures.lines().find_map(|line| line.strip_prefix("mcp_sessions ")).unwrap();
    line.parse().unwrap()
}
