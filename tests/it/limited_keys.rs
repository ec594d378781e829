//! A key that is limited to channels reads nothing of its owner's agents but the one that it acts as.

use reqwest::Method;
use serde_json::{Value, json};
use svc_test_macros::both_engines;

use crate::support::files;
use crate::support::mcp::Agent;
use crate::support::server::{TestServer, problem};

#[both_engines]
async fn the_agents_of_an_owner_are_nothing_to_a_key_for_some_channels(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    let scout = test.create_agent(&ann, "scout").await;
    test.create_agent(&ann, "scribe").await;
    test.create_agent(&bob, "digger").await;
    let limited = |agent: Option<&str>| json!({ "name": "k", "agent": agent, "permissions": ["write"], "allowed_channels": ["general"] });
    let (_, as_human) = test.create_key(&ann, limited(None)).await;
    let (_, as_scout) = test.create_key(&ann, limited(Some("scout"))).await;
    let look = async |key: &str, path: &str| test.request_with(key, Method::GET, path).send().await.unwrap();
    for (key, names) in [(&as_human, vec![]), (&as_scout, vec!["scout"])] {
        let list: Value = look(key, "/api/agents").await.json().await.unwrap();
        let shown: Vec<_> =
            list["agents"].as_array().unwrap().iter().map(|agent| agent["name"].as_str().unwrap()).collect();
        assert_eq!((shown.as_slice(), list["total"].as_u64()), (names.as_slice(), Some(names.len() as u64)));
        for name in ["scout", "scribe", "digger", "nobody"] {
            for path in [format!("/api/agents/{name}"), format!("/api/trust/{name}")] {
                let answer = look(key, &path).await;
                if names.contains(&name) {
                    assert_eq!(answer.status(), 200, "{path}");
                } else {
                    problem(answer, 404, "not_found").await;
                }
            }
        }
        // Another one's name is told from nobody's in no other way either.
        let mut told = Vec::new();
        for name in ["scribe", "nobody"] {
            let join = test.request_with(key, Method::POST, "/api/channels/general/join");
            let refused = join.json(&json!({ "agent": name })).send().await.unwrap();
            told.push(problem(refused, 400, "validation_failed").await["errors"].clone());
        }
        assert_eq!(told[0], told[1]);
    }
    // A file that one of the agents has uploaded and nobody has sent yet.
    let file = test.upload_with(&scout, "notes.png", &files::png(2, 2, 7)).await;
    let path = format!("/api/attachments/{}/meta", file["hash"].as_str().unwrap());
    problem(look(&as_human, &path).await, 404, "not_found").await;
    assert_eq!(look(&as_scout, &path).await.status(), 200);
    test.stop().await;
}

#[both_engines]
async fn bids_of_an_owners_agents_are_not_shown_to_a_key_for_some_channels(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    let scout = test.create_agent(&ann, "scout").await;
    let task = json!({ "title": "A task", "body": "Do it.", "channel": "general" });
    let task: Value = test.ask(&bob, Method::POST, "/api/tasks", task).await.json().await.unwrap();
    let path = format!("/api/tasks/{}", task["id"]);
    let bid = test.request_with(&scout, Method::POST, &format!("{path}/bids")).json(&json!({})).send().await.unwrap();
    assert_eq!(bid.status(), 201);
    let body = json!({ "name": "k", "permissions": ["read"], "allowed_channels": ["general"] });
    let (_, limited) = test.create_key(&ann, body).await;
    let bids = |view: Value| view["bids"].as_array().unwrap().len();
    assert_eq!(bids(test.look(&ann, &path).await), 1);
    let seen = test.request_with(&limited, Method::GET, &path).send().await.unwrap();
    assert_eq!(bids(seen.json().await.unwrap()), 0);
    test.stop().await;
}

#[both_engines]
async fn over_mcp_it_knows_of_no_other_agent(test: TestServer) {
    let ann = test.person("ann").await;
    test.create_agent(&ann, "scout").await;
    test.create_agent(&ann, "scribe").await;
    let body = json!({ "name": "k", "agent": "scout", "permissions": ["write"], "allowed_channels": ["general"] });
    let (_, key) = test.create_key(&ann, body).await;
    let agent = Agent::connect(&test, &key).await;
    let complete = json!({
        "ref": { "type": "ref/prompt", "name": "debug-agent" },
        "argument": { "name": "agent_name", "value": "sc" },
    });
    let completed = test.mcp(&key, "completion/complete", complete).await;
    assert_eq!(completed["result"]["completion"]["values"], json!(["scout"]), "{completed}");
    let refused = agent.prompt("debug-agent", json!({ "agent_name": "scribe" })).await.unwrap_err();
    let nobody = agent.prompt("debug-agent", json!({ "agent_name": "nobody" })).await.unwrap_err();
    assert_eq!(refused.message.replace("scribe", "nobody"), nobody.message);
    test.tool_refuses(&key, "get_trust", json!({ "agent": "scribe" }), "not_found").await;
    test.stop().await;
}
