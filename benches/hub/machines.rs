//! Cost of a signature: a machine's report of one event over REST, with its signature verified and its nonce stored,
//! compared with an agent's message to a channel by key. Both are one durable unit of work with its event and its
//! trace, under all of the server's middleware, with its workers running. The requests are built and signed before
//! the clock starts, because the client's side is not measured.

use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::time::Instant;

use futures_util::future::join_all;
use reqwest::{Method, Request, header};
use serde_json::json;
use svc_client::machine::{SecretKey, Signer};
use svc_core::{Caller, Hub};
use tokio::io::BufReader;
use tokio::net::TcpStream;

use crate::rest::{Served, exchange};
use crate::send::{BODY, Talk, channel};

const REQUESTS: usize = 20_000;
const SENDERS: usize = 64;
const ROUNDS: usize = 5;

/// Kind of sender.
#[derive(Debug, Clone, Copy)]
enum Sender {
    /// A machine, `POST /api/machine/events`.
    Signed,
    /// An agent, `POST /api/messages`.
    Unsigned,
}

/// Requests per second, signed and unsigned; medians of interleaved rounds.
pub(crate) async fn rates() -> (f64, f64) {
    let (mut signed, mut unsigned) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        signed.push(rate(Sender::Signed).await);
        unsigned.push(rate(Sender::Unsigned).await);
    }
    (crate::median(signed), crate::median(unsigned))
}

async fn rate(sender: Sender) -> f64 {
    let served = Served::start().await;
    let requests = Arc::new(match sender {
        Sender::Signed => reports(&served.hub).await,
        Sender::Unsigned => messages(&served.hub).await,
    });
    let left = Arc::new(AtomicUsize::new(REQUESTS));
    let connections = join_all((0..SENDERS).map(|_| TcpStream::connect(served.address))).await;
    let started = Instant::now();
    let asking = connections.into_iter().map(|connection| {
        let (left, requests) = (left.clone(), requests.clone());
        tokio::spawn(async move {
            let mut connection = BufReader::new(connection.expect("the server listens"));
            connection.get_ref().set_nodelay(true).expect("a socket takes its options");
            // Counted down to one.
            while let Some(number) = crate::take_one(&left) {
                let (status, body) =
                    exchange(&mut connection, &requests[number - 1]).await.expect("the server answers");
                assert!(status.starts_with("HTTP/1.1 201"), "{status} {}", String::from_utf8_lossy(&body));
            }
        })
    });
    for asked in join_all(asking).await {
        asked.expect("the task ends");
    }
    let rate = crate::rate(REQUESTS, started.elapsed());
    served.stop().await;
    rate
}

/// Reports of one event each, signed by as many machines as there are senders.
async fn reports(hub: &Hub) -> Vec<String> {
    let machines: Vec<_> =
        (0..SENDERS).map(|number| (format!("svc:sense:machine-{number}"), SecretKey::generate())).collect();
    let principals: Vec<_> = machines
        .iter()
        .map(|(principal_id, key)| {
            let key = json!({
                "kid": kid(principal_id), "public_key_base64url": key.public_key_base64url(), "status": "active",
                "scopes": ["events:ingest"],
            });
            json!({ "principal_id": principal_id, "enabled": true, "keys": [key] })
        })
        .collect();
    let registry = json!({
        "version": "svc.machine-principal-registry/v1", "audience": "svc-brain", "principals": principals,
    });
    hub.principals().load(&Caller::root(), "bench", registry.to_string().into_bytes()).await.expect("a valid registry");
    let signers: Vec<_> = machines
        .into_iter()
        .map(|(principal_id, key)| Signer::new(&principal_id, &kid(&principal_id), key).expect("a valid name"))
        .collect();
    (0..REQUESTS).map(|number| report(&signers[number % SENDERS], number)).collect()
}

fn kid(principal_id: &str) -> String {
    format!("key-of-{}", principal_id.replace(':', "-"))
}

fn report(signer: &Signer, number: usize) -> String {
    let event = json!({ "event_id": number.to_string(), "type": "bench.reported", "data": { "text": BODY } });
    let body = json!({ "events": [event] }).to_string();
    let address = "http://localhost/api/machine/events".parse().expect("a valid URL");
    let mut request = Request::new(Method::POST, address);
    *request.body_mut() = Some(body.clone().into());
    signer.sign_reqwest(&mut request).expect("the request is signed");
    let mut fields = String::new();
    for (name, value) in request.headers() {
        fields.extend([name.as_str(), ": ", value.to_str().expect("a text"), "\r\n"]);
    }
    post("/api/machine/events", &fields, &body)
}

/// Messages to channels, each with the key of a member.
async fn messages(hub: &Hub) -> Vec<String> {
    let talk = Talk::prepare(hub).await;
    let message = |number: usize| {
        let body = json!({ "channel": channel(number % 6), "body": BODY }).to_string();
        let key = format!("{}: Bearer {}\r\n", header::AUTHORIZATION, talk.keys[number % talk.keys.len()]);
        post("/api/messages", &key, &body)
    };
    (0..REQUESTS).map(message).collect()
}

fn post(path: &str, fields: &str, body: &str) -> String {
    format!(
        "POST {path} HTTP/1.1\r\nHost: localhost\r\n{fields}Content-Type: application/json\r\n\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    )
}
