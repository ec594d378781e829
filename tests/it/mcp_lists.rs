//! Lists over MCP that are read page by page while they change, and what stands beside them.

use reqwest::Method;
use serde_json::json;
use svc_test_macros::both_engines;

use crate::support::child::TestChild;
use crate::support::mcp::Agent;
use crate::support::mcp_http::message;
use crate::support::server::{TestServer, problem};
use crate::support::talk::names;

#[both_engines]
async fn channels_are_paged_by_name_whatever_happens_meanwhile(test: TestServer) {
    let ann = test.person("ann").await;
    let key = test.create_agent(&ann, "scout").await;
    for number in 0..12 {
        test.open_room(&ann, &format!("room-{number:02}"), true, &[]).await;
    }
    let first = test.tool(&key, "list_channels", json!({ "q": "room", "max_tokens": 150 })).await;
    let mut seen = names(&first, "channels");
    assert!(seen.len() < 10, "{first}");
    assert_eq!(first["omitted"], 12 - seen.len());
    // One that was shown goes and two come before the place: an offset would repeat and hide.
    test.did(&ann, Method::DELETE, "/api/channels/room-00", json!({})).await;
    for name in ["room-000", "room-001"] {
        test.open_room(&ann, name, true, &[]).await;
    }
    let mut cursor = first["cursor"].clone();
    while !cursor.is_null() {
        let page = test.tool(&key, "list_channels", json!({ "q": "room", "max_tokens": 150, "cursor": cursor })).await;
        seen.extend(names(&page, "channels"));
        cursor = page["cursor"].clone();
    }
    let expected: Vec<String> = (0..12).map(|number| format!("room-{number:02}")).collect();
    assert_eq!(seen, expected, "each once");
    for cursor in ["7", "x.room", "0.room"] {
        test.tool_refuses(&key, "list_channels", json!({ "cursor": cursor }), "validation_failed").await;
    }
    test.stop().await;
}

#[both_engines]
async fn others_are_paged_by_name_whatever_happens_meanwhile(test: TestServer) {
    let ann = test.person("ann").await;
    let key = test.create_agent(&ann, "bot-00").await;
    for number in 1..10 {
        test.create_agent(&ann, &format!("bot-{number:02}")).await;
    }
    let first = test.tool(&key, "discover_agents", json!({ "q": "bot", "max_tokens": 200 })).await;
    let mut seen = names(&first, "agents");
    assert!(!seen.is_empty() && seen.len() < 9, "{first}");
    test.create_agent(&ann, "bot-0").await;
    let mut cursor = first["cursor"].clone();
    while !cursor.is_null() {
        let page = test.tool(&key, "discover_agents", json!({ "q": "bot", "max_tokens": 200, "cursor": cursor })).await;
        seen.extend(names(&page, "agents"));
        cursor = page["cursor"].clone();
    }
    assert_eq!(seen, (0..10).map(|number| format!("bot-{number:02}")).collect::<Vec<_>>(), "each once");
    test.stop().await;
}

#[both_engines]
async fn resources_are_the_channels_one_is_in_however_many_others_there_are(test: TestServer) {
    let ann = test.person("ann").await;
    let key = test.create_agent(&ann, "scout").await;
    let caller = test.caller(&ann).await;
    for number in 0..210 {
        let members = if number % 70 == 0 { vec!["scout".to_owned()] } else { Vec::new() };
        let new = svc_core::channels::NewChannel {
            members: Some(members),
            ..svc_core::channels::NewChannel::named(format!("c{number:03}"))
        };
        test.hub.channels().create(&caller, new).await.unwrap();
    }
    let agent = Agent::connect(&test, &key).await;
    let page = agent.peer().list_resources(None).await.unwrap();
    let uris: Vec<&str> = page
        .resources
        .iter()
        .map(|one| one.uri.as_str())
        .filter(|uri| uri.contains("/c"))
        .filter(|uri| !uri.ends_with("general"))
        .collect();
    assert_eq!(uris, ["svc://channels/c000", "svc://channels/c070", "svc://channels/c140"]);
    assert_eq!(page.next_cursor, None, "one page is all");
    for number in 0..210 {
        test.hub
            .channels()
            .join(&test.hub.auth().bearer(&key).await.unwrap(), &format!("c{number:03}"), None)
            .await
            .unwrap();
    }
    let page = agent.peer().list_resources(None).await.unwrap();
    assert!(page.next_cursor.is_some(), "{} on the first page", page.resources.len());
    let all = agent.peer().list_all_resources().await.unwrap();
    assert_eq!(all.iter().filter(|one| one.uri.starts_with("svc://channels/c")).count(), 210);
    let skills = agent.peer().complete_resource_simple("svc://skills/{name}", "name", "TASK").await.unwrap();
    assert_eq!(skills, ["task-auction"]);
    assert!(agent.peer().complete_resource_simple("svc://skills/{name}", "name", "none").await.unwrap().is_empty());
    test.stop().await;
}

#[both_engines]
async fn a_key_for_some_channels_begins_no_other_agent(test: TestServer) {
    let ann = test.person("ann").await;
    test.create_agent(&ann, "scout").await;
    let limits = json!(["general"]);
    let (_, hers) =
        test.create_key(&ann, json!({ "name": "a", "permissions": ["read"], "allowed_channels": limits })).await;
    let its = json!({ "name": "b", "agent": "scout", "permissions": ["read"], "allowed_channels": limits });
    let (_, its) = test.create_key(&ann, its).await;
    let paths = [(Method::GET, "agent-md"), (Method::GET, "mcp-config"), (Method::POST, "connection-test")];
    for (method, path) in paths {
        for agent in ["scout", "nobody"] {
            let path = format!("/api/agents/{agent}/{path}");
            let answer = test.request_with(&hers, method.clone(), &path).send().await.unwrap();
            problem(answer, 403, "channel_not_allowed").await;
        }
        let path = format!("/api/agents/scout/{path}");
        assert_eq!(test.request_with(&its, method, &path).send().await.unwrap().status(), 200, "{path}: its own");
    }
    test.stop().await;
}

/// What a server with this filter logs while a client makes a mistake.
async fn logged(level: &str) -> String {
    let test = TestServer::sqlite().await;
    let ann = test.person("ann").await;
    let key = test.create_agent(&ann, "scout").await;
    let data = test.stop().await;
    let (directory, log) = (data.path().display().to_string(), data.path().join("log"));
    let arguments = ["--data", &directory, "--listen", "127.0.0.1:0", "--log-level", level];
    let (server, url, _) = TestChild::server_with_log(&arguments, &log);
    #[expect(clippy::disallowed_methods, reason = "the tests talk to their own server on the loopback interface")]
    let client = reqwest::Client::new();
    let request = client.post(format!("{url}/mcp")).bearer_auth(key).json(&message("no/such/method", json!({})));
    let request = request.header("accept", "application/json, text/event-stream");
    let request = request.header("mcp-protocol-version", "2026-07-28").header("mcp-method", "no/such/method");
    assert!(request.send().await.unwrap().text().await.unwrap().contains("-32601"));
    server.signal("TERM");
    tokio::task::spawn_blocking(move || server.wait()).await.unwrap();
    tokio::fs::read_to_string(log).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn mistakes_of_clients_are_no_warnings_to_whoever_runs_the_server() {
    let plain = logged("info").await;
    assert!(plain.contains("the server has stopped") && !plain.contains("rmcp"), "{plain}");
    let asked = logged("info,rmcp=warn").await;
    assert!(asked.contains("rmcp"), "whoever wants to see them does: {asked}");
}
