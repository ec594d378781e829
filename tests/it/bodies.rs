//! Bodies of requests from whoever is not known: how large they may be, and how slowly they may arrive.

use std::time::{Duration, Instant};

use reqwest::Method;
use svc_core::limits;
use svc_http::Patience;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::support::server::{TestServer, problem};
use crate::support::wait::soon;

const SHORT: Duration = Duration::from_millis(500);
const PACE: Duration = Duration::from_millis(20);

#[tokio::test(flavor = "multi_thread")]
async fn whoever_is_not_known_sends_little() {
    let test = TestServer::sqlite().await;
    for path in ["/auth/login", "/auth/register", "/login", "/device", "/oauth/authorize"] {
        let post = |size: usize| test.request(Method::POST, path).body("x".repeat(size));
        problem(post(limits::AUTH_BODY_MAX + 1).send().await.unwrap(), 413, "body_too_large").await;
        assert_ne!(post(limits::AUTH_BODY_MAX).send().await.unwrap().status(), 413, "{path}");
    }
    for path in ["/auth/login", "/auth/register", "/login"] {
        let chunks = futures_util::stream::iter((0..3).map(|_| Ok::<_, std::io::Error>(vec![b'x'; 10_000])));
        let unannounced = test.request(Method::POST, path).header("Content-Type", "application/json");
        let unannounced = unannounced.body(reqwest::Body::wrap_stream(chunks)).send().await.unwrap();
        problem(unannounced, 413, "body_too_large").await;
    }
    for path in ["/oauth/token", "/oauth/register", "/oauth/introspect", "/oauth/revoke"] {
        let form = [("client_id", "x".repeat(limits::AUTH_BODY_MAX))];
        let answer = test.request(Method::POST, path).form(&form).send().await.unwrap();
        assert_eq!(answer.status(), 413, "{path}");
        assert_eq!(answer.json::<serde_json::Value>().await.unwrap()["error"], "invalid_request", "{path}");
    }
    test.stop().await;
}

/// Logs in with a body that comes a byte at a time; what was answered, and how long that took.
async fn drip(test: &TestServer, body: &str) -> (String, Duration) {
    let begun = Instant::now();
    let mut stream = TcpStream::connect(test.address).await.unwrap();
    let head = format!(
        "POST /auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\
         Connection: close\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    let (mut reader, mut writer) = stream.into_split();
    let mut said = Vec::new();
    let mut pace = tokio::time::interval(PACE);
    let sending = async {
        for byte in body.bytes() {
            pace.tick().await;
            if writer.write_all(&[byte]).await.is_err() {
                break;
            }
        }
        std::future::pending::<()>().await;
    };
    tokio::select! {
        // One that is cut off hard has been answered before.
        _ = soon("the answer", reader.read_to_end(&mut said)) => {}
        () = sending => {}
    }
    (String::from_utf8_lossy(&said).into_owned(), begun.elapsed())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_that_trickles_in_is_given_up_and_a_slow_one_is_not() {
    let patience = Patience { body_grace: SHORT, body_rate: 1000, ..Patience::default() };
    let test = TestServer::start(|config| config.patience = patience).await;
    let (said, took) = drip(&test, &"x".repeat(10_000)).await;
    assert!(said.starts_with("HTTP/1.1 408") && said.contains("\"body_too_slow\""), "{said}");
    assert!(took >= SHORT, "{took:?}");
    let figures = test.get("/metrics").await.text().await.unwrap();
    assert!(figures.contains("slow_bodies_total 1\n"), "{figures}");
    test.stop().await;

    let patience = Patience { body_grace: SHORT, body_rate: 5, ..Patience::default() };
    let test = TestServer::start(|config| config.patience = patience).await;
    let (said, took) = drip(&test, r#"{"username": "nobody", "password": "not this one"}"#).await;
    assert!(said.starts_with("HTTP/1.1 401") && said.contains("\"invalid_credentials\""), "{said}");
    assert!(took > SHORT, "{took:?}");
    test.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_has_to_end_in_time_however_fast_it_began() {
    let patience = Patience { body: SHORT, ..Patience::default() };
    let test = TestServer::start(|config| config.patience = patience).await;
    let mut stream = TcpStream::connect(test.address).await.unwrap();
    let head = "POST /login HTTP/1.1\r\nHost: localhost\r\nContent-Length: 16000\r\n\r\n";
    stream.write_all(format!("{head}{}", "x".repeat(15_000)).as_bytes()).await.unwrap();
    let mut said = Vec::new();
    soon("the answer", stream.read_to_end(&mut said)).await.ok();
    let said = String::from_utf8_lossy(&said);
    assert!(said.starts_with("HTTP/1.1 408"), "{said}");
    test.stop().await;
}
