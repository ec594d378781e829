//! The door for machines: what is looked at before a body is read, who pays for a refusal, and what has to be signed.

use std::fmt::Write as _;
use std::time::Duration;

use reqwest::header::{HeaderName, HeaderValue};
use reqwest::{Body, Method, Request, Response};
use serde_json::{Value, json};
use svc_http::{Patience, RateLimits};
use svc_test_macros::both_engines;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::support::machines::{TestMachine, load_machines, running};
use crate::support::server::{TestServer, problem};
use crate::support::wait::soon;

const STATUS: &str = "/api/machine/runtime-status";
const CONFIG: &str = "/api/machine/source-configs/door";

/// The first lines of a signed request as they go over the wire, for a body of this length that is still to come.
fn head(test: &TestServer, request: &Request, length: usize, more: &str) -> String {
    let (path, host) = (request.url().path(), test.address);
    let mut head = format!("{} {path} HTTP/1.1\r\nhost: {host}\r\ncontent-length: {length}\r\n", request.method());
    for (name, value) in request.headers() {
        write!(head, "{name}: {}\r\n", value.to_str().unwrap()).unwrap();
    }
    head + more + "\r\n"
}

/// What the server says to this, up to the end of its headers or of the connection.
async fn said(test: &TestServer, request: &str) -> String {
    let mut stream = TcpStream::connect(test.address).await.unwrap();
    // It may be answered before all of it is taken.
    stream.write_all(request.as_bytes()).await.ok();
    let (mut said, mut part) = (Vec::new(), [0; 4096]);
    while !said.windows(4).any(|end| end == b"\r\n\r\n") {
        match soon("the server answers", stream.read(&mut part)).await {
            Ok(0) | Err(_) => break,
            Ok(count) => said.extend_from_slice(&part[..count]),
        }
    }
    String::from_utf8_lossy(&said).into_owned()
}

/// Signs a request with a body that need not be JSON.
fn signed_text(test: &TestServer, machine: &TestMachine, method: Method, path: &str, body: &'static str) -> Request {
    let mut request = test.request(method, path).header("content-type", "application/json").build().unwrap();
    *request.body_mut() = (!body.is_empty()).then(|| Body::from(body));
    machine.signer(test).sign_reqwest(&mut request).unwrap();
    request
}

/// Sets a configuration under a condition, signed.
fn conditional(test: &TestServer, machine: &TestMachine, name: &'static str, value: &'static str) -> Request {
    let mut request = test.unsigned(Method::PUT, CONFIG, &json!({ "every": 5 }));
    request.headers_mut().insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    machine.signer(test).sign_reqwest(&mut request).unwrap();
    request
}

fn remaining(answer: &Response) -> (u16, &str, &str) {
    let header = |name: &str| answer.headers()[name].to_str().unwrap();
    (answer.status().as_u16(), header("ratelimit-limit"), header("ratelimit-remaining"))
}

#[both_engines]
async fn who_may_not_ask_is_told_so_whatever_they_sent(test: TestServer) {
    let door = TestMachine::new("door");
    for (machine, status, code) in [
        (door.clone().disabled(), 403, "principal_disabled"),
        (door.clone().revoked(), 401, "machine_key_revoked"),
        (door.clone().scoped(&["source-config:write"]), 403, "missing_scope"),
    ] {
        load_machines(&test.hub, &[&machine]).await;
        let before = test.refusals().await.len();
        for (method, path, body) in [
            (Method::PUT, STATUS, "no JSON"),
            (Method::POST, "/api/machine/events", "[]"),
            (Method::GET, "/api/machine/evidence?limit=many", ""),
        ] {
            problem(test.send(signed_text(&test, &machine, method, path, body)).await, status, code).await;
        }
        let refusals = test.refusals().await;
        assert_eq!(refusals.len(), before + 3);
        assert!(refusals[before..].iter().all(|details| details["code"] == code), "{refusals:?}");
    }
    load_machines(&test.hub, &[&door]).await;
    problem(test.send(signed_text(&test, &door, Method::PUT, STATUS, "no JSON")).await, 400, "invalid_json").await;
    assert_eq!(test.effects().await, (0, 0));
    test.stop().await;
}

#[both_engines]
async fn conditions_are_signed_and_count_once(test: TestServer) {
    let door = test.machine("door").await;
    let plain = || test.signed(&door, Method::PUT, CONFIG, &json!({ "every": 5 }));
    for name in ["if-match", "if-none-match"] {
        // Somebody on the way has put it there.
        let mut added = plain();
        added.headers_mut().insert(HeaderName::from_static(name), HeaderValue::from_static("\"0\""));
        let refused = problem(test.send(added).await, 401, "signature_component_missing").await;
        assert_eq!(refused["component"], name);
        // Or has changed it, or has taken it away.
        let mut changed = conditional(&test, &door, name, "\"7\"");
        changed.headers_mut().insert(HeaderName::from_static(name), HeaderValue::from_static("\"0\""));
        problem(test.send(changed).await, 401, "signature_invalid").await;
        let mut removed = conditional(&test, &door, name, "\"7\"");
        removed.headers_mut().remove(name);
        problem(test.send(removed).await, 401, "signature_component_missing").await;
    }
    assert_eq!(test.effects().await, (0, 0));
    // One that was answered is not kept for the day when its condition holds.
    let early = conditional(&test, &door, "if-match", "\"1\"");
    problem(test.send(early.try_clone().unwrap()).await, 412, "version_conflict").await;
    assert_eq!(test.send(conditional(&test, &door, "if-none-match", "*")).await.status(), 201);
    problem(test.send(early).await, 401, "replayed_signature").await;
    assert_eq!(test.effects().await, (0, 2));
    test.stop().await;
}

#[both_engines]
async fn a_head_is_signed_as_one(test: TestServer) {
    let door = test.machine("door").await;
    let path = "/api/machine/evidence";
    let answer = test.send(test.signed(&door, Method::HEAD, path, &Value::Null)).await;
    assert_eq!(answer.status(), 200);
    assert!(answer.bytes().await.unwrap().is_empty());
    for (signed, sent) in [(Method::GET, Method::HEAD), (Method::HEAD, Method::GET)] {
        let mut request = test.signed(&door, signed, path, &Value::Null);
        *request.method_mut() = sent;
        assert_eq!(test.send(request).await.status(), 401);
    }
    let codes: Vec<_> = test.refusals().await.iter().map(|details| details["code"].clone()).collect();
    assert_eq!(codes, ["signature_invalid", "signature_invalid"]);
    test.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_of_a_body_is_read_for_somebody_who_is_refused() {
    let test = TestServer::sqlite().await;
    let door = test.machine("door").await;
    let forged = door.clone().with_another_key();
    // Whoever asks first is told to go on when somebody wants to read.
    let more = "expect: 100-continue\r\n";
    let answer = said(&test, &head(&test, &test.signed(&forged, Method::PUT, STATUS, &running()), 1_000, more)).await;
    assert!(answer.starts_with("HTTP/1.1 401 "), "{answer}");
    let answer = said(&test, &head(&test, &test.signed(&door, Method::PUT, STATUS, &running()), 1_000, more)).await;
    assert!(answer.starts_with("HTTP/1.1 100 "), "{answer}");
    test.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_has_to_come_in_time() {
    let patience = Patience { machine_body: Duration::from_millis(300), ..Patience::default() };
    let test = TestServer::start(|config| config.patience = patience).await;
    let door = test.machine("door").await;
    let answer = said(&test, &head(&test, &test.signed(&door, Method::PUT, STATUS, &running()), 1_000, "")).await;
    assert!(answer.starts_with("HTTP/1.1 408 "), "{answer}");
    assert_eq!(test.effects().await, (0, 0));
    assert_eq!(test.send(test.signed(&door, Method::PUT, STATUS, &running())).await.status(), 200);
    test.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn headers_have_an_end() {
    let test = TestServer::sqlite().await;
    let long = |length: usize| format!("GET /healthz HTTP/1.1\r\nhost: hub\r\nx-long: {}\r\n\r\n", "x".repeat(length));
    let answer = said(&test, &long(60 * 1024)).await;
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
    let answer = said(&test, &long(64 * 1024)).await;
    assert!(answer.starts_with("HTTP/1.1 431 "), "{answer}");
    test.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn refusals_are_paid_by_the_address_as_attempts_to_get_in() {
    let test = TestServer::start(|config| config.rate_limits = RateLimits { read: 0, write: 2, auth: 4 }).await;
    let (door, gate, roof) = (TestMachine::new("door"), TestMachine::new("gate"), TestMachine::new("roof"));
    load_machines(&test.hub, &[&door, &gate.clone().disabled(), &roof.clone().revoked()]).await;
    let good = test.signed(&door, Method::PUT, STATUS, &running());
    assert_eq!(remaining(&test.send(good.try_clone().unwrap()).await), (200, "2", "1"));
    assert_eq!(remaining(&test.send(good.try_clone().unwrap()).await), (401, "4", "3"), "a replay");
    let mut altered = test.signed(&door, Method::PUT, STATUS, &running());
    *altered.body_mut() = Some(Body::from("{\"state\": \"stopped\"}"));
    assert_eq!(remaining(&test.send(altered).await), (401, "4", "2"), "another body");
    for (machine, expected) in [(&gate, (403, "4", "1")), (&roof, (401, "4", "0"))] {
        assert_eq!(remaining(&test.send(test.signed(machine, Method::PUT, STATUS, &running())).await), expected);
    }
    problem(test.send(good).await, 429, "rate_limited").await;
    assert_eq!(test.refusals().await.len(), 4);
    // The door has its own.
    assert_eq!(remaining(&test.send(test.signed(&door, Method::PUT, STATUS, &running())).await), (200, "2", "0"));
    test.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn names_of_this_machine_are_for_those_who_are_on_it() {
    let test = TestServer::start(|config| config.base_url = Some("https://hub.example".parse().unwrap())).await;
    let door = test.machine("door").await;
    assert_eq!(test.send(test.signed(&door, Method::PUT, STATUS, &running())).await.status(), 200);
    // A proxy on this machine passes on what somebody elsewhere has sent.
    let mut foreign = test.signed(&door, Method::PUT, STATUS, &running());
    foreign.headers_mut().insert("x-forwarded-for", HeaderValue::from_static("203.0.113.9"));
    let refused = problem(test.send(foreign).await, 401, "signature_invalid").await;
    assert!(!refused["detail"].as_str().unwrap().contains("127.0.0.1"), "{refused}");
    test.stop().await;
}
