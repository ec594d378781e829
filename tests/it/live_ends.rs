//! How live streams end: with their credential, with the server, or because nobody reads them.

use std::time::Duration;

use reqwest::Method;
use serde_json::json;
use svc_core::Result;
use svc_core::db::Tx;
use svc_core::events::NewEvent;
use svc_test_macros::both_engines;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};

use crate::support::server::{TestServer, problem};
use crate::support::sse::Sse;
use crate::support::wait::{soon, until};

#[both_engines]
async fn a_stream_ends_with_its_credential(test: TestServer) {
    let ann = test.person("ann").await;
    let (id, key) = test.create_key(&ann, json!({ "name": "k", "permissions": ["read"] })).await;
    let scout = test.create_agent(&ann, "scout").await;
    let critic = test.create_agent(&ann, "critic").await;
    let elsewhere = test.log_in("ann").await;
    let by_key = test.stream_with(&key).await;
    let (rotated, deleted) = (test.stream_with(&scout).await, test.stream_with(&critic).await);
    let (logged_out, mut stays) = (test.stream(&elsewhere).await, test.stream(&ann).await);
    let asked = async |method: Method, path: &str| {
        let answer = test.request_as(&ann, method, path).send().await.unwrap();
        assert!(answer.status().is_success(), "{path}");
    };
    asked(Method::DELETE, &format!("/api/keys/{id}")).await;
    soon("the key's stream ends", by_key.rest()).await;
    asked(Method::POST, "/api/agents/scout/rotate-key").await;
    soon("the old key's stream ends", rotated.rest()).await;
    asked(Method::DELETE, "/api/agents/critic").await;
    soon("the deleted agent's stream ends", deleted.rest()).await;
    let answer = test.request_as(&elsewhere, Method::POST, "/auth/logout").send().await.unwrap();
    assert_eq!(answer.status(), 204);
    soon("the ended login's stream ends", logged_out.rest()).await;
    let sent = test.say(&ann, json!({ "channel": "general", "body": "still here" })).await;
    stays.messages_through(&sent).await;
}

#[both_engines]
async fn a_stream_ends_when_its_account_is_disabled(test: TestServer) {
    let ann = test.person("ann").await;
    let scout = test.create_agent(&ann, "scout").await;
    let (by_login, by_key) = (test.stream(&ann).await, test.stream_with(&scout).await);
    let update = svc_core::users::UserUpdate { disabled: Some(true), ..svc_core::users::UserUpdate::default() };
    test.hub.users().update(&svc_core::Caller::root(), "ann", update).await.unwrap();
    soon("the login's stream ends", by_login.rest()).await;
    soon("the agent's stream ends", by_key.rest()).await;
}

#[both_engines]
async fn a_stopping_server_ends_streams_cleanly(test: TestServer) {
    let mut test = test;
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    let mut stream = test.stream(&bob).await;
    let metrics = test.get("/metrics").await.text().await.unwrap();
    assert!(metrics.contains("open_streams 1"));
    let sent = test.say(&ann, json!({ "to": "bob", "body": "last words" })).await;
    stream.messages_through(&sent).await;
    test.begin_to_stop();
    let rest = soon("a clean end", stream.rest()).await;
    assert!(rest.iter().all(|event| event.name == "unread_update"), "{rest:?}");
    test.stopped().await;
}

#[both_engines]
async fn one_caller_may_open_so_many_streams_and_no_more(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    let mut open = Vec::new();
    for _ in 0..svc_core::limits::FEEDS_PER_PARTICIPANT {
        open.push(test.stream(&ann).await);
    }
    let answer = test.request_as(&ann, Method::GET, "/api/events").send().await.unwrap();
    problem(answer, 429, "too_many_streams").await;
    test.stream(&bob).await;
    open.pop();
    until("the place is free again", async || {
        let answer = test.request_as(&ann, Method::GET, "/api/events").send().await.unwrap();
        (answer.status() == 200).then_some(())
    })
    .await;
}

#[both_engines]
async fn a_reader_that_does_not_read_is_cut_off_and_hurts_nobody(test: TestServer) {
    let ann = test.person("ann").await;
    let scout = test.create_agent(&ann, "scout").await;
    let mut quick = test.stream(&ann).await;
    let mut slow = raw_stream(&test, &scout).await;
    let owner = quick_owner(&test).await;
    test.hub.db().write(owner, |tx, owner| Box::pin(flood(tx, *owner))).await.unwrap();
    for _ in 0..FLOOD {
        quick.next_of("agent_changed").await;
    }
    test.clock.advance(svc_core::limits::FEED_STALL + Duration::from_secs(1));
    let sent = test.say_with(&scout, json!({ "channel": "general", "body": "still here" })).await;
    quick.messages_through(&sent).await;
    // It finds what was on its way, the reset, and a clean end.
    let mut rest = Vec::new();
    soon("the slow stream ends", async {
        let mut chunk = vec![0; 1 << 20];
        while !rest.ends_with(b"\r\n0\r\n\r\n") {
            let count = slow.read(&mut chunk).await.unwrap();
            assert!(count > 0, "it broke off");
            rest.extend_from_slice(&chunk[..count]);
        }
    })
    .await;
    let text = String::from_utf8_lossy(&rest);
    let events = text.matches("event: agent_changed").count();
    assert!(events < FLOOD, "{events} of {FLOOD} fitted into the buffers: make the flood larger");
    assert!(
        text[text.len() - 200..].contains("event: reset\ndata: {\"reason\":\"slow\"}"),
        "{}",
        &text[text.len() - 300..]
    );
}

/// Together they are more than all buffers hold.
const FLOOD: usize = 300;

async fn flood(tx: &mut Tx, owner: i64) -> Result<()> {
    // Long names stand for many events.
    let payload = json!({ "agent": "x".repeat(100_000), "agent_id": scout_id(tx).await?, "owner_id": owner });
    for _ in 0..FLOOD {
        tx.emit(&NewEvent::new("agent.updated", &payload)?).await?;
    }
    Ok(())
}

async fn scout_id(tx: &mut Tx) -> Result<i64> {
    tx.query("SELECT id FROM participants WHERE handle = 'scout'").fetch_value().await
}

async fn quick_owner(test: &TestServer) -> i64 {
    let statement = "SELECT id FROM participants WHERE handle = 'ann'";
    test.hub.db().read(statement, |tx, statement| Box::pin(tx.query(*statement).fetch_value())).await.unwrap()
}

/// A connection that takes little and has read the greeting.
async fn raw_stream(test: &TestServer, key: &str) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(8 * 1024).unwrap();
    let mut stream = socket.connect(test.address).await.unwrap();
    let request = format!("GET /api/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {key}\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut head = Vec::new();
    while !String::from_utf8_lossy(&head).contains("event: hello") {
        let mut chunk = [0; 1024];
        let count = soon("the greeting", stream.read(&mut chunk)).await.unwrap();
        head.extend_from_slice(&chunk[..count]);
    }
    stream
}

#[tokio::test(flavor = "multi_thread")]
async fn a_quiet_stream_gives_signs_of_life_until_its_login_has_expired() {
    let test = TestServer::sqlite().await;
    let ann = test.person("ann").await;
    let scout = test.create_agent(&ann, "scout").await;
    let (by_login, mut by_key) = (test.stream(&ann).await, test.stream_with(&scout).await);
    test.clock.advance(Duration::from_hours(25));
    assert!(soon("the expired login's stream ends", by_login.rest()).await.is_empty());
    // The key has no end: its stream goes on.
    by_key.sign_of_life().await;
    let sent = test.say_with(&scout, json!({ "channel": "general", "body": "still here" })).await;
    by_key.messages_through(&sent).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_route_is_described_and_a_head_request_ends() {
    let test = TestServer::sqlite().await;
    let ann = test.person("ann").await;
    let document = test.get_json("/openapi.json").await;
    let described = &document["paths"]["/api/events"]["get"];
    assert!(described["responses"]["200"]["content"]["text/event-stream"].is_object(), "{described}");
    let request = test.request_as(&ann, Method::HEAD, "/api/events").header("Accept-Encoding", "gzip, br");
    let answer = soon("the answer to HEAD", request.send()).await.unwrap();
    assert_eq!(answer.status(), 200);
    assert_eq!(answer.headers()["content-type"], "text/event-stream");
    assert!(soon("its end", answer.bytes()).await.unwrap().is_empty());
    let packed = test.request_as(&ann, Method::GET, "/api/events").header("Accept-Encoding", "gzip, br, zstd");
    Sse::open(packed).await;
}
