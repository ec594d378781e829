//! `svc-mcp-stdio` on a store: both generations of the protocol through a pipe, several processes on one
//! store, waiting, and how it refuses.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use svc_core::HubConfig;
use svc_core::messages::NewMessage;
use svc_test_macros::both_engines;
use tempfile::TempDir;

use crate::support::hub::TestHub;
use crate::support::people::agent_of_admin;
use crate::support::pipe::{Ended, Pipe, structured};
use crate::support::wait::soon;

/// What a message may take to wake somebody in another process, on a machine that is busy with other tests.
const LENIENT: Duration = Duration::from_secs(2);

/// The flags that lead to a hub's store.
fn place(config: &HubConfig) -> Vec<String> {
    let mut flags = vec!["--data".to_owned(), config.data.display().to_string()];
    if let Some(store) = &config.store {
        let svc_core::db::StoreUrl::Postgres(url) = store else { panic!("only PostgreSQL is named in tests") };
        flags.extend(["--database-url".to_owned(), url.clone()]);
    }
    flags
}

fn start(test: &TestHub, key: &str, more: &[&str]) -> Pipe {
    let flags = place(&test.config);
    let flags: Vec<&str> = flags.iter().map(String::as_str).chain(more.iter().copied()).collect();
    Pipe::start(key, &flags)
}

/// One sentence, without a word of the key.
#[track_caller]
fn assert_refused(ended: &Ended, key: &str, words: &[&str]) {
    assert_eq!(ended.code, Some(2), "{ended:?}");
    assert!(ended.rest.is_empty(), "{ended:?}");
    let said: Vec<&str> = ended.stderr.lines().filter(|line| line.starts_with("svc-mcp-stdio: ")).collect();
    assert_eq!(said.len(), 1, "{ended:?}");
    for word in words {
        assert!(said[0].contains(word), "{word} is not in: {}", said[0]);
    }
    assert!(key.is_empty() || !ended.stderr.contains(key), "{ended:?}");
}

#[both_engines]
async fn older_clients_begin_and_call_tools(test: TestHub) {
    let key = agent_of_admin(&test.hub, "builder").await;
    for version in ["2025-11-25", "2025-06-18", "2025-03-26"] {
        let mut pipe = start(&test, &key, &[]);
        let server = pipe.initialize(version).await;
        assert_eq!((&server["protocolVersion"], &server["serverInfo"]["name"]), (&json!(version), &json!("svc")));
        assert!(server["instructions"].as_str().unwrap().contains("claim_messages"));
        let listed = pipe.ask("tools/list", json!({})).await;
        assert!(listed["result"]["tools"].as_array().unwrap().len() > 20, "{listed}");
        let sent = pipe.call("send_message", json!({ "to": "admin", "body": version })).await;
        let id = svc_core::ids::MessageId(sent["id"].as_i64().expect("the id of the message"));
        let stored = test.hub.messages().get(&test.hub.auth().bearer(&key).await.unwrap(), id).await.unwrap();
        assert_eq!(stored.body, version);
        let ended = pipe.end().await;
        assert_eq!((ended.code, ended.rest.len(), ended.stderr.as_str()), (Some(0), 0, ""), "{ended:?}");
    }
}

#[both_engines]
async fn the_newest_revision_needs_no_beginning(test: TestHub) {
    let key = agent_of_admin(&test.hub, "builder").await;
    let mut pipe = start(&test, &key, &["--tools", "compact"]);
    // Somebody who looks around first, and somebody who is early.
    pipe.write(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    let found = pipe.ask_newest("server/discover", json!({})).await;
    assert!(found["result"]["supportedVersions"].as_array().unwrap().contains(&json!("2026-07-28")), "{found}");
    let listed = pipe.ask_newest("tools/list", json!({})).await;
    assert!(listed["result"]["tools"].as_array().unwrap().len() <= 10, "{listed}");
    let status = pipe.ask_newest("tools/call", json!({ "name": "my_status", "arguments": {} })).await;
    assert!(structured(&status).to_string().contains("builder"), "{status}");
    let bare = pipe.ask("tools/list", json!({})).await;
    assert!(bare["error"]["message"].is_string(), "a request without its revision is refused: {bare}");
    assert_eq!(pipe.end().await.code, Some(0));
}

#[both_engines]
async fn a_message_of_another_process_wakes_those_who_wait(test: TestHub) {
    let (ann, bob) = (agent_of_admin(&test.hub, "ann").await, agent_of_admin(&test.hub, "bob").await);
    let carl = test.hub.auth().bearer(&agent_of_admin(&test.hub, "carl").await).await.unwrap();
    let (mut from, mut to) = (start(&test, &ann, &[]), start(&test, &bob, &[]));
    from.initialize("2025-06-18").await;
    to.initialize("2025-06-18").await;
    let mut slowest = Duration::ZERO;
    let mut after = 0;
    for round in 0..5 {
        let waiting = json!({ "name": "wait_for_messages", "arguments": { "timeout_seconds": 50, "after": after } });
        let waiting = to.send("tools/call", &waiting);
        // Its answer shows that the wait, which was asked for before, is under way.
        to.ask("ping", json!({})).await;
        let sent_at = if round % 2 == 0 {
            let message = json!({ "to": "bob", "body": "wake up", "priority": 7 });
            let id = from.send("tools/call", &json!({ "name": "send_message", "arguments": message }));
            let (at, answer) = from.answer(id).await;
            structured(&answer);
            at
        } else {
            test.hub.messages().send(&carl, NewMessage::to("bob", "wake up")).await.unwrap();
            Instant::now()
        };
        let (woken_at, answer) = to.answer(waiting).await;
        let messages = structured(&answer)["messages"].as_array().unwrap().clone();
        assert_eq!((messages.len(), &messages[0]["body"]), (1, &json!("wake up")));
        after = messages[0]["id"].as_i64().unwrap();
        slowest = slowest.max(woken_at.saturating_duration_since(sent_at));
    }
    println!("wait_for_messages in another process: woken at most {slowest:?} after the send was answered");
    assert!(slowest < LENIENT, "{slowest:?}");
    for pipe in [from, to] {
        assert_eq!(pipe.end().await.code, Some(0));
    }
}

#[both_engines]
async fn a_wait_outside_of_a_turn_wakes_and_takes_nothing(test: TestHub) {
    let (ann, bob) = (agent_of_admin(&test.hub, "ann").await, agent_of_admin(&test.hub, "bob").await);
    let mut from = start(&test, &ann, &[]);
    from.initialize("2025-06-18").await;
    // One that is there before the wait begins counts.
    let first = from.call("send_message", json!({ "to": "bob", "body": "private words", "priority": 8 })).await;
    let first = first["id"].as_i64().unwrap();
    let ended = start(&test, &bob, &["wait", "--timeout", "30s"]).end().await;
    let expected = format!(r#"{{"messages":1,"newest":{first},"from":["ann"],"top_priority":8}}"#);
    assert_eq!((ended.code, ended.rest), (Some(0), vec![expected]));
    // One that waits for more is woken by another process.
    let since = first.to_string();
    let mut waiting = start(&test, &bob, &["wait", "--timeout", "1m", "--after", &since, "--log-level", "info"]);
    let caller = test.hub.auth().bearer(&bob).await.unwrap();
    let sent = from.send("tools/call", &json!({ "name": "send_message", "arguments": { "to": "bob", "body": "x" } }));
    let (sent_at, _) = from.answer(sent).await;
    let (woken_at, line) = waiting.line().await.unwrap();
    let said: Value = serde_json::from_str(&line).unwrap();
    assert_eq!((&said["messages"], &said["from"]), (&json!(1), &json!(["ann"])));
    // This one includes the start of the program.
    println!("wait from its start to its line: {:?} after the send", woken_at.saturating_duration_since(sent_at));
    assert_eq!(waiting.end().await.code, Some(0));
    let inbox =
        test.hub.messages().inbox(&caller, svc_core::messages::InboxFilter { unread: true, ..Default::default() });
    let inbox = inbox.await.unwrap().messages;
    assert_eq!(inbox.len(), 2, "both are still unread");
    assert!(inbox.iter().all(|message| message.status == svc_core::messages::MessageStatus::Pending));
}

#[both_engines]
async fn a_wait_that_is_under_way_is_woken_at_once(test: TestHub) {
    let (ann, bob) = (agent_of_admin(&test.hub, "ann").await, agent_of_admin(&test.hub, "bob").await);
    let ann = test.hub.auth().bearer(&ann).await.unwrap();
    let mut slowest = Duration::ZERO;
    let mut after = test.hub.messages().send(&ann, NewMessage::to("bob", "x")).await.unwrap().id.0;
    for _ in 0..3 {
        let mut waiting = start(&test, &bob, &["--log-level", "svc::mcp=info", "wait", "--after", &after.to_string()]);
        waiting.logged("waiting").await;
        after = test.hub.messages().send(&ann, NewMessage::to("bob", "x")).await.unwrap().id.0;
        let sent_at = Instant::now();
        let (woken_at, _) = waiting.line().await.unwrap();
        slowest = slowest.max(woken_at.saturating_duration_since(sent_at));
    }
    println!("wait in another process: woken at most {slowest:?} after the send");
    assert!(slowest < LENIENT, "{slowest:?}");
}

#[both_engines]
async fn a_wait_ends_when_its_time_or_its_key_is_over(test: TestHub) {
    let bob = agent_of_admin(&test.hub, "bob").await;
    let ended = start(&test, &bob, &["wait", "--timeout", "1s"]).end().await;
    assert_eq!((ended.code, ended.rest.len(), ended.stderr.as_str()), (Some(3), 0, ""), "{ended:?}");
    let ended = start(&test, "nonsense", &["wait", "--timeout", "1s"]).end().await;
    assert_refused(&ended, "nonsense", &["SVC_AGENT_KEY", "owner"]);
}

#[both_engines]
async fn a_wrong_key_is_refused_with_what_to_do(test: TestHub) {
    let key = agent_of_admin(&test.hub, "builder").await;
    let mut other = key.clone();
    let last = other.pop().unwrap();
    other.push(if last == 'a' { 'b' } else { 'a' });
    for wrong in [other.as_str(), "svc_agent_0123456789"] {
        assert_refused(&start(&test, wrong, &[]).end().await, wrong, &["SVC_AGENT_KEY", "owner"]);
    }
    assert_refused(&start(&test, "", &[]).end().await, "", &["SVC_AGENT_KEY", "is not set"]);
}

#[both_engines]
async fn a_signal_ends_it_well(test: TestHub) {
    let key = agent_of_admin(&test.hub, "builder").await;
    for signal in ["TERM", "INT"] {
        let mut pipe = start(&test, &key, &[]);
        pipe.initialize("2025-06-18").await;
        let waiting = pipe.send("tools/call", &json!({ "name": "wait_for_messages", "arguments": {} }));
        pipe.ask("ping", json!({})).await;
        pipe.signal(signal);
        let ended = pipe.ended().await;
        assert_eq!(ended.code, Some(0), "{waiting} {ended:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_asked_before_the_pipe_closed_is_answered() {
    let test = TestHub::sqlite().await;
    let key = agent_of_admin(&test.hub, "builder").await;
    let mut pipe = start(&test, &key, &[]);
    pipe.initialize("2025-06-18").await;
    let first = pipe.send("tools/call", &json!({ "name": "my_status", "arguments": {} }));
    let second = pipe.send("tools/list", &json!({}));
    let ended = pipe.end().await;
    let mut answered: Vec<i64> =
        ended.rest.iter().map(|line| serde_json::from_str::<Value>(line).unwrap()["id"].as_i64().unwrap()).collect();
    answered.sort_unstable();
    assert_eq!((ended.code, answered), (Some(0), vec![first, second]));
}

#[tokio::test(flavor = "multi_thread")]
async fn lines_that_are_no_messages_do_no_harm() {
    let test = TestHub::sqlite().await;
    let key = agent_of_admin(&test.hub, "builder").await;
    let mut pipe = start(&test, &key, &[]);
    pipe.write("this is not JSON");
    pipe.write("");
    pipe.initialize("2025-06-18").await;
    pipe.write("{\"jsonrpc\":");
    let status = pipe.call("my_status", json!({})).await;
    assert!(status.to_string().contains("builder"));
    let unknown = pipe.ask("tools/call", json!({ "name": "my_statsu", "arguments": {} })).await;
    assert_eq!(unknown["error"]["code"], -32602);
    assert!(unknown["error"].to_string().contains("my_status"), "{unknown}");
    assert_eq!(pipe.end().await.code, Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_store_that_is_not_there_is_not_made() {
    let directory = TempDir::new().unwrap();
    let (missing, empty) = (directory.path().join("missing"), directory.path().join("empty"));
    std::fs::create_dir(&empty).unwrap();
    for path in [&missing, &empty] {
        let shown = path.display().to_string();
        assert_refused(&Pipe::start("key", &["--data", &shown]).end().await, "", &[&shown, "does not exist", "--data"]);
    }
    assert!(!missing.exists() && std::fs::read_dir(&empty).unwrap().next().is_none());
    let file = empty.join("svc.db");
    tokio::fs::write(&file, "this was never a database, and it is long enough to be looked at").await.unwrap();
    let shown = empty.display().to_string();
    assert_refused(&Pipe::start("key", &["--data", &shown]).end().await, "", &["svc.db", "damaged"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hub_has_to_be_named_once() {
    assert_refused(&Pipe::start("key", &[]).end().await, "", &["--data", "--url"]);
    let both = ["--data", "/tmp", "--url", "http://127.0.0.1:1"];
    assert_refused(&Pipe::start("key", &both).end().await, "", &["Both"]);
    assert_refused(&Pipe::start("key", &["--url", "hub.example.org"]).end().await, "", &["--url must"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_and_agents_in_other_processes_share_a_store() {
    let test = crate::support::server::TestServer::sqlite().await;
    let ann = test.person("ann").await;
    let key = test.create_agent(&ann, "builder").await;
    let data = test.hub.config().data.display().to_string();
    let mut pipe = Pipe::start(&key, &["--data", &data]);
    pipe.initialize("2025-11-25").await;
    let waiting =
        pipe.send("tools/call", &json!({ "name": "wait_for_messages", "arguments": { "timeout_seconds": 50 } }));
    pipe.ask("ping", json!({})).await;
    test.did(&ann, reqwest::Method::POST, "/api/messages", json!({ "to": "builder", "body": "hello" })).await;
    let (_, answer) = pipe.answer(waiting).await;
    assert_eq!(structured(&answer)["messages"][0]["from"], "ann");
    assert_eq!(soon("the end", pipe.end()).await.code, Some(0));
    test.stop().await;
}
