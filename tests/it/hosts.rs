//! For which host a request is: whoever says two things is refused.

use reqwest::{Client, Method};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::support::server::{TestServer, problem};
use crate::support::wait::soon;

/// Sends a request as it is written, and reads the answer to its end.
async fn raw(test: &TestServer, head: &str) -> String {
    let mut stream = TcpStream::connect(test.address).await.unwrap();
    stream.write_all(format!("{head}Connection: close\r\n\r\n").as_bytes()).await.unwrap();
    let mut said = String::new();
    soon("the answer", stream.read_to_string(&mut said)).await.unwrap();
    said
}

#[tokio::test(flavor = "multi_thread")]
async fn two_hosts_are_refused() {
    let test = TestServer::sqlite().await;
    for head in [
        "GET /healthz HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n",
        "GET /healthz HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n",
        "GET http://localhost/healthz HTTP/1.1\r\nHost: evil.example\r\n",
        "GET /healthz HTTP/1.1\r\n",
    ] {
        let said = raw(&test, head).await;
        assert!(said.starts_with("HTTP/1.1 400") && said.contains("\"invalid_host\""), "{head}{said}");
    }
    for head in [
        "GET /healthz HTTP/1.1\r\nHost: localhost\r\n",
        "GET http://localhost/healthz HTTP/1.1\r\nHost: localhost:80\r\n",
        "GET /healthz HTTP/1.0\r\n",
    ] {
        let said = raw(&test, head).await;
        assert!(said.contains(" 200 OK\r\n"), "{head}{said}");
    }
    test.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn over_http2_the_host_is_what_was_asked_for() {
    let test = TestServer::sqlite().await;
    #[expect(clippy::disallowed_methods, reason = "the tests talk to their own server on the loopback interface")]
    let client = Client::builder().http2_prior_knowledge().build().unwrap();
    let get = |path: &str| client.request(Method::GET, test.url(path));
    let plain = get("/.well-known/oauth-authorization-server").send().await.unwrap();
    let found: serde_json::Value = plain.json().await.unwrap();
    assert_eq!(found["issuer"], test.url("").as_str(), "it knows its name without the header");
    let same = get("/healthz").header("Host", test.address.to_string()).send().await.unwrap();
    assert_eq!(same.status(), 200);
    let other = get("/healthz").header("Host", "evil.example").send().await.unwrap();
    problem(other, 400, "invalid_host").await;
    test.stop().await;
}
