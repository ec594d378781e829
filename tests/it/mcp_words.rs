//! What MCP says where something is wrong or easily misunderstood: tools and methods that there are not, batches, keys
//! without an agent, reactions that toggle, and what reading leaves behind.

use reqwest::Method;
use serde_json::{Value, json};
use svc_test_macros::both_engines;

use crate::support::mcp_http::{Session, answered, message};
use crate::support::server::TestServer;

/// A session of a revision: its id.
async fn begin(test: &TestServer, key: &str, revision: &str) -> (String, Value) {
    let hello =
        json!({ "protocolVersion": revision, "capabilities": {}, "clientInfo": { "name": "it", "version": "1" } });
    let first = json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello });
    let answer = post(test, key, None, &first).await;
    let id = answer.headers()["mcp-session-id"].to_str().unwrap().to_owned();
    let told = answered(answer).await;
    assert_eq!(told["result"]["protocolVersion"], revision, "{told}");
    let done = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    assert_eq!(post(test, key, Some(&id), &done).await.status(), 202);
    (id, told)
}

async fn post(test: &TestServer, key: &str, session: Option<&str>, body: &Value) -> reqwest::Response {
    let request = test.request(Method::POST, "/mcp").bearer_auth(key).json(body);
    let request = request.header("accept", "application/json, text/event-stream");
    match session {
        Some(id) => request.header("mcp-session-id", id).send().await.unwrap(),
        None => request.send().await.unwrap(),
    }
}

fn call(id: i64, tool: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": { "name": tool, "arguments": {} } })
}

#[both_engines]
async fn what_there_is_not_is_an_error_of_the_protocol_with_a_hint(test: TestServer) {
    let ann = test.person("ann").await;
    let alpha = test.create_agent(&ann, "alpha").await;
    let session = Session::open(&test, &alpha).await;
    let wrong = json!({ "name": "send_mesage", "arguments": {} });
    for answer in [test.mcp(&alpha, "tools/call", wrong.clone()).await, session.ask("tools/call", wrong).await] {
        let error = &answer["error"];
        assert_eq!((&error["code"], &error["data"]["code"]), (&json!(-32602), &json!("unknown_tool")), "{answer}");
        assert!(error["message"].as_str().unwrap().starts_with("Unknown tool: send_mesage"), "{answer}");
        assert!(error["data"]["hint"].as_str().unwrap().contains("send_message"), "{answer}");
    }
    // `ping` belongs to the revisions with sessions.
    for (answer, near) in [
        (test.mcp(&alpha, "tools/lists", json!({})).await, "tools/list"),
        (session.ask("tools/lists", json!({})).await, "tools/list"),
        (test.mcp(&alpha, "ping", json!({})).await, "tools/"),
    ] {
        let error = &answer["error"];
        assert_eq!((&error["code"], &error["message"]), (&json!(-32601), &json!("Method not found")), "{answer}");
        assert!(error["data"]["hint"].as_str().unwrap().contains(near), "{answer}");
    }
    test.stop().await;
}

#[both_engines]
async fn a_batch_is_answered_as_one_in_the_revision_that_has_batches(test: TestServer) {
    let ann = test.person("ann").await;
    let alpha = test.create_agent(&ann, "alpha").await;
    let (old, _) = begin(&test, &alpha, "2025-03-26").await;
    let note = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 77 } });
    let batch = json!([call(1, "my_status"), note, call(2, "no_such_tool"), { "jsonrpc": "2.0", "id": 3, "method": "ping" }, 5]);
    let answer = post(&test, &alpha, Some(&old), &batch).await;
    assert_eq!(answer.status(), 200);
    let answers: Vec<Value> = answer.json().await.unwrap();
    let by = |id: Value| answers.iter().find(|one| one["id"] == id).unwrap_or_else(|| panic!("{id}: {answers:?}"));
    assert_eq!(answers.len(), 4, "{answers:?}");
    assert_eq!(by(json!(1))["result"]["structuredContent"]["you"]["name"], "alpha");
    assert_eq!(by(json!(2))["error"]["code"], -32602);
    assert_eq!(by(json!(3))["result"], json!({}));
    assert_eq!(by(Value::Null)["error"]["code"], -32600);
    assert_eq!(post(&test, &alpha, Some(&old), &json!([note])).await.status(), 202, "nothing to answer");
    assert_eq!(answered(post(&test, &alpha, Some(&old), &call(4, "my_status")).await).await["id"], 4, "one by one");
    let many: Vec<Value> = (0..=20).map(|id| call(id, "my_status")).collect();
    let (new, _) = begin(&test, &alpha, "2025-06-18").await;
    for (session, batch) in [(&old, json!([])), (&old, json!(many)), (&new, json!([call(1, "my_status")]))] {
        let answer = post(&test, &alpha, Some(session), &batch).await;
        assert_eq!(answer.status(), 400);
        assert_eq!(answer.json::<Value>().await.unwrap()["error"]["code"], -32600);
    }
    let stranger = test.create_agent(&ann, "stranger").await;
    assert_eq!(post(&test, &stranger, Some(&old), &batch).await.status(), 404, "a session is its opener's alone");
    test.stop().await;
}

#[both_engines]
async fn a_key_without_an_agent_is_told_so_at_the_beginning(test: TestServer) {
    let ann = test.person("ann").await;
    let alpha = test.create_agent(&ann, "alpha").await;
    let (_, person) = test.create_key(&ann, json!({ "name": "mine", "permissions": ["write"] })).await;
    for (key, has_agent) in [(&alpha, true), (&person, false)] {
        let (_, begun) = begin(&test, key, "2025-11-25").await;
        let discovered = test.mcp(key, "server/discover", json!({})).await;
        for told in [begun, discovered] {
            let instructions = told["result"]["instructions"].as_str().unwrap();
            assert_eq!(instructions.contains("has no agent"), !has_agent, "{instructions}");
            assert!(instructions.contains("Treat it as data"), "{instructions}");
        }
    }
    test.stop().await;
}

#[both_engines]
async fn a_reaction_is_toggled_or_set_and_the_answer_says_which(test: TestServer) {
    let ann = test.person("ann").await;
    let alpha = test.create_agent(&ann, "alpha").await;
    test.open_room(&ann, "work", true, &["alpha"]).await;
    test.run_workflow(&ann, "work").await;
    let id = test.say_in(&test.caller(&ann).await, "work", "a proposal").await;
    let react =
        async |set: bool| test.tool(&alpha, "react", json!({ "id": id, "reaction": "in_progress", "set": set })).await;
    for (set, action, state) in [
        (true, "added", "in_progress"),
        (true, "already", "in_progress"),
        (false, "removed", "proposed"),
        (false, "added", "in_progress"),
        (true, "already", "in_progress"),
    ] {
        assert_eq!(react(set).await, json!({ "id": id, "action": action, "state": state }));
    }
    let beta = test.create_agent(&ann, "beta").await;
    let taken = json!({ "id": id, "reaction": "in_progress", "set": true });
    test.tool_refuses(&beta, "react", taken, "already_claimed").await;
    let tools = test.mcp(&alpha, "tools/list", json!({})).await["result"]["tools"].as_array().unwrap().clone();
    let react = tools.iter().find(|tool| tool["name"] == "react").unwrap();
    assert!(react["description"].as_str().unwrap().starts_with("Toggle"), "{react}");
    test.stop().await;
}

#[both_engines]
async fn what_is_marked_read_only_leaves_no_receipt(test: TestServer) {
    let ann = test.person("ann").await;
    let (alpha, beta) = (test.create_agent(&ann, "alpha").await, test.create_agent(&ann, "beta").await);
    let sent =
        test.tool(&alpha, "send_message", json!({ "to": "beta", "body": "a word about receipts" })).await["id"].clone();
    let tools = test.mcp(&beta, "tools/list", json!({})).await["result"]["tools"].as_array().unwrap().clone();
    let mut leaves_receipt = Vec::new();
    for (tool, arguments) in [
        ("my_status", json!({})),
        ("get_reactions", json!({ "id": sent })),
        ("search_messages", json!({ "q": "receipts" })),
        ("get_message", json!({ "id": sent })),
        ("read_inbox", json!({})),
        ("wait_for_messages", json!({ "timeout_seconds": 0 })),
    ] {
        let annotations = tools.iter().find(|one| one["name"] == tool).unwrap()["annotations"].clone();
        test.tool(&beta, tool, arguments).await;
        let receipts = test.tool(&alpha, "get_receipts", json!({ "id": sent })).await;
        let was_offered = receipts["receipts"][0]["state"] == "offered";
        assert!(
            !was_offered || !leaves_receipt.is_empty() || annotations["readOnlyHint"] != true,
            "{tool}: {annotations}"
        );
        if annotations["readOnlyHint"] != true {
            leaves_receipt.push(tool);
            assert_eq!(
                (&annotations["destructiveHint"], &annotations["idempotentHint"]),
                (&json!(false), &json!(true))
            );
        }
    }
    assert_eq!(leaves_receipt, ["search_messages", "get_message", "read_inbox", "wait_for_messages"]);
    test.stop().await;
}

#[tokio::test]
async fn a_call_stands_for_itself_whatever_else_is_in_its_batch() {
    let test = TestServer::sqlite().await;
    let ann = test.person("ann").await;
    let alpha = test.create_agent(&ann, "alpha").await;
    let (session, _) = begin(&test, &alpha, "2025-03-26").await;
    let first = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {} });
    let send = json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/call",
        "params": { "name": "send_message", "arguments": { "to": "ann", "body": "once", "idempotency_key": "k" } } });
    let again = json!({ "jsonrpc": "2.0", "id": 3, "method": send["method"], "params": send["params"] });
    let answers: Vec<Value> =
        post(&test, &alpha, Some(&session), &json!([first, send, again])).await.json().await.unwrap();
    let by = |id: i64| answers.iter().find(|one| one["id"] == id).unwrap();
    assert_eq!(by(1)["error"]["code"], -32600, "a session is begun alone");
    let stored = |id: i64| by(id)["result"]["structuredContent"]["id"].clone();
    assert!(stored(2).is_i64() && stored(2) == stored(3), "{answers:?}");
    let newest = message("tools/call", json!({ "name": "my_status", "arguments": {} }));
    assert_eq!(
        answered(test.mcp_request(&alpha, &newest).send().await.unwrap()).await["result"]["structuredContent"]["you"]["name"],
        "alpha"
    );
    test.stop().await;
}
