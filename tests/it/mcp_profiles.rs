//! Which tools a client is shown: what it asks for, else what its key says, over every transport.

use reqwest::Method;
use serde_json::{Value, json};
use svc_test_macros::both_engines;

use crate::support::admin::svc_admin;
use crate::support::mcp_http::Session;
use crate::support::pipe::Pipe;
use crate::support::server::{TestServer, problem};

/// How many tools a list has when it is the short one, at most.
const FEW: usize = 10;

/// The names that a client of the newest revision is shown at this address.
async fn shown_at(test: &TestServer, key: &str, path: &str) -> Vec<String> {
    let answer = test.tools_at(key, path).await;
    assert_eq!(answer["result"]["cacheScope"], "private", "another key may be shown others: {answer}");
    names(&answer)
}

fn names(answer: &Value) -> Vec<String> {
    let tools = answer["result"]["tools"].as_array().unwrap_or_else(|| panic!("no tools in {answer}"));
    tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
}

fn is_short(names: &[String]) -> bool {
    names.len() <= FEW && names.iter().any(|name| name == "call_action")
}

/// What the program of this key is shown through a pipe.
async fn shown_through_a_pipe(key: &str, flags: &[&str]) -> Vec<String> {
    let mut pipe = Pipe::start(key, flags);
    pipe.initialize("2025-06-18").await;
    let listed = names(&pipe.ask("tools/list", json!({})).await);
    assert_eq!(pipe.end().await.code, Some(0));
    listed
}

#[both_engines]
async fn a_key_says_which_tools_are_listed_and_the_address_wins(test: TestServer) {
    let ann = test.person("ann").await;
    let own = test.create_agent(&ann, "builder").await;
    let new = json!({ "name": "laptop", "agent": "builder", "permissions": ["write"], "mcp_profile": "compact" });
    let created: Value =
        test.request_as(&ann, Method::POST, "/api/keys").json(&new).send().await.unwrap().json().await.unwrap();
    assert_eq!(created["mcp_profile"], "compact", "{created}");
    let key = created["key"].as_str().unwrap();

    assert!(is_short(&shown_at(&test, key, "/mcp").await));
    assert!(is_short(&shown_at(&test, key, "/mcp?tools=compact").await));
    assert!(shown_at(&test, key, "/mcp?tools=full").await.len() > FEW);
    assert!(is_short(&shown_at(&test, key, "/mcp?tools=nonsense").await));
    assert!(shown_at(&test, &own, "/mcp").await.len() > FEW, "a key that says nothing is shown all");
    assert!(is_short(&shown_at(&test, &own, "/mcp?tools=compact").await));
    // What is not listed is called all the same.
    test.tool(key, "list_channels", json!({})).await;
    let session = Session::open(&test, key).await;
    assert!(is_short(&names(&session.ask("tools/list", json!({})).await)));

    let path = format!("/api/keys/{}", created["id"]);
    assert_eq!(test.look(&ann, &path).await["mcp_profile"], "compact");
    let whoami: Value = test.request_with(key, Method::GET, "/api/whoami").send().await.unwrap().json().await.unwrap();
    assert_eq!(whoami["mcp_profile"], "compact", "{whoami}");
    let wrong = json!({ "name": "x", "permissions": ["read"], "mcp_profile": "tiny" });
    problem(
        test.request_as(&ann, Method::POST, "/api/keys").json(&wrong).send().await.unwrap(),
        400,
        "validation_failed",
    )
    .await;
}

#[both_engines]
async fn the_key_of_an_agent_has_a_profile_that_outlives_its_rotation(test: TestServer) {
    let ann = test.person("ann").await;
    let new = json!({ "name": "builder", "mcp_profile": "compact" });
    let created = test.did(&ann, Method::POST, "/api/agents", new).await;
    assert_eq!(created["agent"]["mcp_profile"], "compact", "{created}");
    assert!(is_short(&shown_at(&test, created["key"].as_str().unwrap(), "/mcp").await));
    let rotated = test.did(&ann, Method::POST, "/api/agents/builder/rotate-key", json!({})).await;
    let key = rotated["key"].as_str().unwrap();
    assert!(is_short(&shown_at(&test, key, "/mcp").await), "the next key is shown the same");

    let changed = test.did(&ann, Method::PATCH, "/api/agents/builder", json!({ "mcp_profile": "full" })).await;
    assert_eq!(changed["mcp_profile"], "full", "{changed}");
    assert!(shown_at(&test, key, "/mcp").await.len() > FEW, "it holds from the next request on");

    let flags = ["agents", "create", "helper", "--owner", "ann", "--mcp-profile", "compact"];
    let helper = svc_admin(&test, &flags).await.shown_once();
    assert!(is_short(&shown_at(&test, &helper, "/mcp").await));
    let update = ["agents", "update", "builder", "--mcp-profile", "compact", "--output", "json"];
    assert_eq!(svc_admin(&test, &update).await.json()["mcp_profile"], "compact");
    assert!(is_short(&shown_at(&test, key, "/mcp").await));
}

#[both_engines]
async fn programs_behind_a_pipe_are_shown_what_their_key_says(test: TestServer) {
    let ann = test.person("ann").await;
    let created =
        test.did(&ann, Method::POST, "/api/agents", json!({ "name": "builder", "mcp_profile": "compact" })).await;
    let key = created["key"].as_str().unwrap();
    let (url, config) = (test.url(""), test.hub.config());
    let mut store = vec!["--data".to_owned(), config.data.display().to_string()];
    if let Some(svc_core::db::StoreUrl::Postgres(url)) = &config.store {
        store.extend(["--database-url".to_owned(), url.clone()]);
    }
    let embedded: Vec<&str> = store.iter().map(String::as_str).collect();
    for flags in [vec!["--url", url.as_str()], embedded] {
        assert!(is_short(&shown_through_a_pipe(key, &flags).await), "{flags:?}");
        let all = [flags.as_slice(), &["--tools", "full"]].concat();
        assert!(shown_through_a_pipe(key, &all).await.len() > FEW, "{all:?}");
    }
}
