//! `svc-mcp-stdio` as a bridge: to a real server, and to a stand-in that breaks off where servers do.

use std::sync::{Arc, Mutex};

use poem::http::StatusCode;
use poem::listener::TcpAcceptor;
use poem::{EndpointExt, Request, Response, handler};
use serde_json::{Value, json};
use svc_test_macros::both_engines;

use crate::support::pipe::{Pipe, structured};
use crate::support::server::TestServer;
use crate::support::wait::soon;

/// A bridge to this server.
fn bridge(test: &TestServer, key: &str, more: &[&str]) -> Pipe {
    let url = test.url("");
    Pipe::start(key, &[&["--url", &url], more].concat())
}

#[both_engines]
async fn both_generations_reach_a_server_through_it(test: TestServer) {
    let ann = test.person("ann").await;
    let key = test.create_agent(&ann, "builder").await;
    let mut old = bridge(&test, &key, &[]);
    let server = old.initialize("2025-06-18").await;
    assert_eq!((&server["protocolVersion"], &server["serverInfo"]["name"]), (&json!("2025-06-18"), &json!("svc")));
    let listed = old.ask("tools/list", json!({})).await;
    assert!(listed["result"]["tools"].as_array().unwrap().len() > 20, "{listed}");
    let sent = old.call("send_message", json!({ "to": "ann", "body": "line\nbreak ü" })).await;
    let shown = test.look(&ann, &format!("/api/messages/{}", sent["id"])).await;
    assert_eq!(shown["body"], "line\nbreak ü");
    let ended = old.end().await;
    assert_eq!((ended.code, ended.rest.len(), ended.stderr.as_str()), (Some(0), 0, ""), "{ended:?}");

    let mut new = bridge(&test, &key, &["--tools", "compact"]);
    let found = new.ask_newest("server/discover", json!({})).await;
    assert!(found["result"]["supportedVersions"].as_array().unwrap().contains(&json!("2026-07-28")), "{found}");
    let listed = new.ask_newest("tools/list", json!({})).await;
    assert!(listed["result"]["tools"].as_array().unwrap().len() <= 10, "{listed}");
    let status = new.ask_newest("tools/call", json!({ "name": "my_status", "arguments": {} })).await;
    assert!(structured(&status).to_string().contains("builder"), "{status}");
    let unknown = new.ask_newest("no/such/method", json!({})).await;
    assert_eq!(unknown["error"]["code"], -32601, "{unknown}");
    assert_eq!(new.end().await.code, Some(0));
}

#[both_engines]
async fn requests_run_side_by_side_and_can_be_cancelled(test: TestServer) {
    let ann = test.person("ann").await;
    let key = test.create_agent(&ann, "builder").await;
    let mut pipe = bridge(&test, &key, &[]);
    pipe.initialize("2025-11-25").await;
    let wait = json!({ "name": "wait_for_messages", "arguments": { "timeout_seconds": 50 } });
    let (cancelled, waiting) = (pipe.send("tools/call", &wait), pipe.send("tools/call", &wait));
    pipe.call("my_status", json!({})).await;
    let params = json!({ "requestId": cancelled, "reason": "changed my mind" });
    pipe.write(&json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params }).to_string());
    pipe.call("my_status", json!({})).await;
    test.did(&ann, reqwest::Method::POST, "/api/messages", json!({ "to": "builder", "body": "hello" })).await;
    let (_, answer) = pipe.answer(waiting).await;
    assert_eq!(structured(&answer)["messages"][0]["body"], "hello");
    let ended = pipe.end().await;
    assert_eq!((ended.code, ended.rest.len()), (Some(0), 0), "nobody is told about a cancelled request: {ended:?}");
}

#[both_engines]
async fn a_wait_at_a_server_elsewhere(test: TestServer) {
    let ann = test.person("ann").await;
    let key = test.create_agent(&ann, "builder").await;
    let ended = bridge(&test, &key, &["wait", "--timeout", "1s"]).end().await;
    assert_eq!((ended.code, ended.rest.len()), (Some(3), 0), "{ended:?}");
    let mut waiting = bridge(&test, &key, &["wait"]);
    let message = json!({ "to": "builder", "body": "private words", "priority": 9 });
    let sent = test.did(&ann, reqwest::Method::POST, "/api/messages", message).await;
    let (_, line) = waiting.line().await.unwrap();
    assert_eq!(line, format!(r#"{{"messages":1,"newest":{},"from":["ann"],"top_priority":9}}"#, sent["id"]));
    assert_eq!(waiting.end().await.code, Some(0));
    assert_eq!(test.claim_with(&key, json!({ "limit": 1 })).await.len(), 1, "it was not taken");
    let ended = bridge(&test, "nonsense", &["wait"]).end().await;
    assert!(ended.code == Some(2) && ended.stderr.contains("SVC_AGENT_KEY"), "{ended:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_forgotten_session_is_begun_again_unnoticed() {
    let test = TestServer::sqlite().await;
    let ann = test.person("ann").await;
    let key = test.create_agent(&ann, "builder").await;
    let mut pipe = bridge(&test, &key, &[]);
    pipe.initialize("2025-06-18").await;
    pipe.call("my_status", json!({})).await;
    // A credential has so many sessions and no more: the oldest, which is the bridge's, gives way.
    for _ in 0..=svc_core::limits::MCP_SESSIONS_PER_CREDENTIAL {
        let client = json!({ "name": "t", "version": "1" });
        let params = json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client });
        let first = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params });
        let request = test.request_with(&key, reqwest::Method::POST, "/mcp").json(&first);
        let answer = request.header("Accept", "application/json, text/event-stream").send().await.unwrap();
        assert_eq!(answer.status(), 200);
        answer.bytes().await.unwrap();
    }
    let status = pipe.call("my_status", json!({})).await;
    assert!(status.to_string().contains("builder"));
    let ended = pipe.end().await;
    assert_eq!((ended.code, ended.rest.len(), ended.stderr.as_str()), (Some(0), 0, ""), "{ended:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_keeps_a_hub_from_answering_is_told_to_whoever_asked() {
    let test = TestServer::sqlite().await;
    let ended = bridge(&test, "nonsense", &[]).ended().await;
    assert_eq!((ended.code, ended.rest.len()), (Some(2), 0), "a wrong key does not become right: {ended:?}");
    assert!(ended.stderr.contains("SVC_AGENT_KEY") && !ended.stderr.contains("nonsense"), "{ended:?}");
    let ann = test.person("ann").await;
    let key = test.create_agent(&ann, "builder").await;
    let mut pipe = bridge(&test, &key, &[]);
    pipe.initialize("2025-06-18").await;
    // One that is taken back meanwhile is told to whoever asks.
    test.did(&ann, reqwest::Method::POST, "/api/agents/builder/rotate-key", json!({})).await;
    let refused = pipe.ask("tools/list", json!({})).await;
    assert!(refused["error"]["data"]["hint"].as_str().unwrap().contains("SVC_AGENT_KEY"), "{refused}");
    pipe.write("[]");
    let (_, line) = pipe.line().await.unwrap();
    assert_eq!(serde_json::from_str::<Value>(&line).unwrap()["error"]["code"], -32600);
    assert_eq!(pipe.end().await.code, Some(0));
    let url = test.url("");
    test.stop().await;
    let mut pipe = Pipe::start("key", &["--url", &url]);
    let refused = pipe.ask_newest("tools/list", json!({})).await;
    assert_eq!(refused["error"]["data"]["code"], "unavailable", "{refused}");
    assert!(refused["error"]["message"].as_str().unwrap().contains("--url"), "{refused}");
    assert_eq!(pipe.end().await.code, Some(0));
}

/// A server that breaks off where servers do, and what it was asked.
#[derive(Clone, Default)]
struct StandIn {
    asked: Arc<Mutex<Vec<String>>>,
}

impl StandIn {
    fn note(&self, what: String) {
        self.asked.lock().unwrap().push(what);
    }

    fn start(&self) -> String {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let address = listener.local_addr().unwrap();
        let app = poem::Route::new().at("/mcp", poem::get(follow).post(take).delete(end)).data(self.clone());
        let acceptor = TcpAcceptor::from_tokio(tokio::net::TcpListener::from_std(listener).unwrap()).unwrap();
        tokio::spawn(poem::Server::new_with_acceptor(acceptor).run(app));
        format!("http://{address}")
    }
}

fn header<'a>(request: &'a Request, name: &str) -> &'a str {
    request.header(name).unwrap_or_default()
}

fn events(text: impl Into<String>) -> Response {
    Response::builder().content_type("text/event-stream").body(text.into())
}

/// Streams end at once. The one of the session goes on from the event that was seen last.
#[handler]
fn follow(request: &Request, poem::web::Data(server): poem::web::Data<&StandIn>) -> Response {
    let last = header(request, "last-event-id").to_owned();
    server.note(format!("GET {} after {last:?}", header(request, "mcp-session-id")));
    match last.as_str() {
        "" => events("id: s-1\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/first\"}\n\n"),
        "s-1" => events("id: s-2\ndata: {\"jsonrpc\":\"2.0\",\ndata: \"method\":\"notifications/second\"}\n\n"),
        // The rest of an answer that had broken off.
        "a-1" => events("id: a-2\ndata: {\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"whole\":true}}\n\n"),
        _ => Response::builder().status(StatusCode::METHOD_NOT_ALLOWED).finish(),
    }
}

#[handler]
fn take(
    request: &Request,
    poem::web::Json(body): poem::web::Json<Value>,
    poem::web::Data(server): poem::web::Data<&StandIn>,
) -> Response {
    let (method, id) = (body["method"].as_str().unwrap_or_default(), &body["id"]);
    let session = header(request, "mcp-session-id");
    server.note(format!("{method} {session} {}", header(request, "mcp-protocol-version")));
    assert_eq!(header(request, "authorization"), "Bearer the-key");
    match method {
        "initialize" => Response::builder()
            .content_type("application/json")
            .header("Mcp-Session-Id", "one")
            .body(json!({"jsonrpc":"2.0","id":id,"result":{"protocolVersion":"2025-06-18"}}).to_string()),
        "tools/call" => events("id: a-1\ndata:\n\n"),
        "prompts/list" => events("data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\"}\n\n"),
        _ => Response::builder().status(StatusCode::ACCEPTED).finish(),
    }
}

#[handler]
fn end(request: &Request, poem::web::Data(server): poem::web::Data<&StandIn>) -> StatusCode {
    server.note(format!("DELETE {}", header(request, "mcp-session-id")));
    StatusCode::ACCEPTED
}

#[tokio::test(flavor = "multi_thread")]
async fn streams_and_answers_that_break_off_are_taken_up_again() {
    let server = StandIn::default();
    let url = server.start();
    let mut pipe = Pipe::start("the-key", &["--url", &url]);
    pipe.initialize("2025-06-18").await;
    // The stream of the session, opened twice, is handed on in one line each.
    let mut heard = Vec::new();
    while heard.len() < 2 {
        let (_, line) = pipe.line().await.unwrap();
        heard.push(serde_json::from_str::<Value>(&line).unwrap()["method"].as_str().unwrap().to_owned());
    }
    assert_eq!(heard, ["notifications/first", "notifications/second"]);
    let whole = pipe.ask("tools/call", json!({ "name": "my_status" })).await;
    assert_eq!(whole["result"]["whole"], true);
    // One that cannot be taken up is answered by the bridge, after what did come.
    let broken = pipe.ask("prompts/list", json!({})).await;
    assert_eq!(broken["error"]["data"]["code"], "unavailable", "{broken}");
    assert!(broken["error"]["message"].as_str().unwrap().contains("idempotency_key"), "{broken}");
    assert_eq!(pipe.notices.len(), 1);
    assert_eq!(soon("the end", pipe.end()).await.code, Some(0));
    let asked = server.asked.lock().unwrap().clone();
    assert_eq!(asked[0], "initialize  ");
    assert_eq!(asked[1], "notifications/initialized one 2025-06-18");
    for expected in ["GET one after \"\"", "GET one after \"s-1\"", "GET one after \"a-1\"", "DELETE one"] {
        assert!(asked.iter().any(|line| line == expected), "{expected}: {asked:?}");
    }
}
