//! Goals through the other surfaces: the command line, live streams, webhooks and the MCP resource.

use reqwest::Method;
use serde_json::{Value, json};
use svc_test_macros::both_engines;

use crate::support::admin::svc_admin;
use crate::support::goals::node;
use crate::support::mcp::Agent;
use crate::support::receiver::Receiver;
use crate::support::server::TestServer;

#[both_engines]
async fn an_operator_decides_on_the_command_line(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    let lead = test.create_agent(&ann, "lead").await;
    let id = test.goal(&ann, "Ship it", json!({ "coordinator": "lead" })).await;
    test.goal(&bob, "Another", json!({})).await;
    test.tree(&ann, &id, json!([{ "title": "Build", "children": [node("Compile")] }, node("Test")])).await;
    for name in ["reader", "writer"] {
        let new = json!({ "goal_id": id, "name": name, "purpose": "Helps" });
        test.tool(&lead, "propose_agent", new).await;
    }
    let number = id.to_string();
    let listed = svc_admin(&test, &["--output", "json", "goals", "list", "--owner", "ann"]).await.json();
    let goals = listed["goals"].as_array().unwrap();
    assert_eq!((goals.len(), &goals[0]["id"]), (1, &id), "{listed}");
    let all = svc_admin(&test, &["goals", "list"]).await.worked();
    assert!(all.contains("Ship it") && all.contains("Another"), "{all}");
    let shown = svc_admin(&test, &["goals", "show", &number]).await.worked();
    assert!(shown.contains("Compile") && shown.contains("proposed") && shown.contains("reader"), "{shown}");

    let compile = test.goal_task(&ann, &id, "Compile").await["id"].to_string();
    svc_admin(&test, &["goals", "approve", &number, "--task", &compile]).await.worked();
    assert_eq!(test.goal_task(&ann, &id, "Compile").await["status"], "approved");
    svc_admin(&test, &["goals", "approve", &number]).await.worked();
    assert_eq!(test.goal_of(&ann, &id).await["task_counts"]["proposed"], 0);
    svc_admin(&test, &["goals", "approve", &number, "--proposal", "1"]).await.worked();
    assert_eq!(test.look(&ann, "/api/agents/reader").await["owner"], "ann");
    svc_admin(&test, &["goals", "reject", &number, "--proposal", "2", "--reason", "One is enough"]).await.worked();
    assert_eq!(test.goal_of(&ann, &id).await["proposals"][0]["reason"], "One is enough");
    svc_admin(&test, &["goals", "cancel", &number, "--task", &compile, "--reason", "Not needed"]).await.worked();
    assert_eq!(test.goal_task(&ann, &id, "Compile").await["note"], "Not needed");
    svc_admin(&test, &["goals", "cancel", &number, "--reason", "Too late"]).await.worked();
    let goal = test.goal_of(&ann, &id).await;
    assert_eq!((&goal["status"], &goal["completion_summary"]), (&json!("cancelled"), &json!("Too late")));
    svc_admin(&test, &["goals", "approve", &number]).await.refused(1, "cancelled");
    svc_admin(&test, &["goals", "show", "999"]).await.refused(1, "goal");
}

#[both_engines]
async fn a_move_reaches_live_streams_webhooks_and_the_resource(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    let lead = test.create_agent(&ann, "lead").await;
    let stranger = test.create_agent(&bob, "stranger").await;
    let mut receiver = Receiver::start().await;
    test.hook(&ann, "lead", &receiver.url, &["goal.changed"]).await;
    let id = test.goal(&ann, "Ship it", json!({ "coordinator": "lead" })).await;
    let delivered = receiver.next().await.body();
    assert_eq!((&delivered["type"], &delivered["data"]["goal_id"]), (&json!("goal.changed"), &id));
    let mut stream = test.stream(&ann).await;
    test.tree(&ann, &id, json!([node("Build")])).await;
    let told = stream.next_of("goal_changed").await.data;
    assert_eq!((&told["goal_id"], &told["status"], &told["by"]), (&id, &json!("active"), &json!("ann")));
    let task = test.goal_task(&ann, &id, "Build").await["id"].clone();
    test.decide(&ann, &id, &task, "approve", json!({})).await;
    let told = stream.next_of("goal_changed").await.data;
    assert_eq!((&told["task_id"], &told["task_status"]), (&task, &json!("approved")));

    let client = Agent::connect(&test, &lead).await;
    let read: Value = client.read(&format!("svc://goals/{id}")).await.unwrap();
    assert!(read.to_string().contains("Build"), "{read}");
    let other = Agent::connect(&test, &stranger).await;
    assert!(other.read(&format!("svc://goals/{id}")).await.is_err());
    test.did(&ann, Method::PATCH, &format!("/api/goals/{id}"), json!({ "status": "cancelled" })).await;
}
