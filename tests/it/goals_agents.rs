//! Agents that agents propose, the tools that these may call, and secrets that agents ask for.

use reqwest::Method;
use serde_json::{Value, json};
use svc_test_macros::both_engines;

use crate::support::admin::svc_admin_with;
use crate::support::goals::node;
use crate::support::server::{TestServer, problem};

#[expect(clippy::needless_pass_by_value, reason = "a proposal is written where it is made")]
fn proposal(goal: &Value, name: &str, more: Value) -> Value {
    let mut new = json!({ "goal_id": goal, "name": name, "purpose": "Reads the logs", "instructions": "Read them." });
    new.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    new
}

#[both_engines]
async fn a_proposed_agent_exists_only_after_a_human_approved_it(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    let lead = test.reactive(&ann, "lead").await;
    let id = test.goal(&ann, "Grow", json!({ "coordinator": "lead" })).await;
    test.tool(&lead, "propose_agent", proposal(&id, "reader", json!({ "tools": ["get_goal", "claim_goal_task"] })))
        .await;
    problem(test.request_as(&ann, Method::GET, "/api/agents/reader").send().await.unwrap(), 404, "not_found").await;
    let waiting = test.look(&ann, "/api/approvals").await;
    assert_eq!(
        (&waiting["approvals"][0]["kind"], &waiting["approvals"][0]["title"]),
        (&json!("agent"), &json!("reader"))
    );
    test.tool_refuses(&lead, "propose_agent", proposal(&id, "reader", json!({})), "already_proposed").await;
    let path = format!("/api/goals/{id}/proposals/1");
    // The proposer cannot approve it, and another human does not see it.
    let answer = test.request_with(&lead, Method::POST, &format!("{path}/approve")).send().await.unwrap();
    problem(answer, 403, "owner_required").await;
    problem(test.ask(&bob, Method::POST, &format!("{path}/approve"), json!({})).await, 404, "not_found").await;
    let approved = test.did(&ann, Method::POST, &format!("{path}/approve"), json!({})).await;
    assert_eq!((&approved["status"], &approved["decided_by"]), (&json!("approved"), &json!("ann")));
    assert!(approved.get("key").is_none(), "{approved}");
    let agent = test.look(&ann, "/api/agents/reader").await;
    assert_eq!((&agent["trigger_mode"], &agent["agent_md"]), (&json!("reactive"), &json!("Read them.")));
    assert_eq!(agent["harness"], json!({ "command": "agent" }));
    let goal = test.goal_of(&ann, &id).await;
    assert_eq!(
        (&goal["spawned_agents"][0]["name"], &goal["spawned_agents"][0]["depth"]),
        (&json!("reader"), &json!(1))
    );
    problem(test.ask(&ann, Method::POST, &format!("{path}/reject"), json!({})).await, 409, "illegal_transition").await;
    // A message puts it to work, with a run that acts as it.
    test.say(&ann, json!({ "to": "reader", "body": "Begin" })).await;
    test.until_run(&ann, "succeeded").await;
    assert_eq!(test.harness.job(1).await.agent, "reader");
    // Names that are taken, by anybody, are refused; a rejection has its reason.
    test.tool_refuses(&lead, "propose_agent", proposal(&id, "reader", json!({})), "handle_taken").await;
    test.tool(&lead, "propose_agent", proposal(&id, "writer", json!({}))).await;
    let path = format!("/api/goals/{id}/proposals/2/reject");
    let rejected = test.did(&ann, Method::POST, &path, json!({ "reason": "Too many" })).await;
    assert_eq!((&rejected["status"], &rejected["reason"]), (&json!("rejected"), &json!("Too many")));
    let told = test.look_with(&lead, "/api/messages?from=system&limit=50").await;
    assert!(told["messages"][0]["body"].as_str().unwrap().contains("Too many"), "{told}");
}

#[both_engines]
async fn a_proposal_is_no_wider_than_its_proposer(test: TestServer) {
    let ann = test.person("ann").await;
    let lead = test.create_agent(&ann, "lead").await;
    test.set_agent(&ann, "lead", json!({ "budget": { "usd": 5.0, "period": "month" } })).await;
    let goal = json!({ "coordinator": "lead", "max_spawn_depth": 2, "budget": { "usd": 3.0 } });
    let id = test.goal(&ann, "Bounds", goal).await;
    let refused = async |more: Value| {
        let told = test.tool_refuses(&lead, "propose_agent", proposal(&id, "child", more), "validation_failed").await;
        told.to_string()
    };
    assert!(refused(json!({})).await.contains("budget_usd"));
    assert!(refused(json!({ "budget_usd": 3.01 })).await.contains("0 to 3"));
    assert!(refused(json!({ "budget_usd": 1.0, "autonomy": "autonomous" })).await.contains("autonomy"));
    assert!(refused(json!({ "budget_usd": 1.0, "tools": ["no_such_tool"] })).await.contains("tools[0]"));
    let child =
        json!({ "budget_usd": 1.0, "tools": ["get_goal", "propose_agent", "create_goal", "propose_task_tree"] });
    test.tool(&lead, "propose_agent", proposal(&id, "child", child)).await;
    test.did(&ann, Method::POST, &format!("/api/goals/{id}/proposals/1/approve"), json!({})).await;
    assert_eq!(test.look(&ann, "/api/agents/child").await["budget"], json!({ "usd": 1.0, "period": "total" }));

    // The child is limited in its turn: in tools, budget, autonomy and depth.
    let key = test.did(&ann, Method::POST, "/api/agents/child/rotate-key", json!({})).await["key"].clone();
    let child = key.as_str().unwrap();
    let wider = proposal(&id, "grandchild", json!({ "budget_usd": 1.0, "tools": ["send_message"] }));
    let told = test.tool_refuses(child, "propose_agent", wider, "validation_failed").await;
    assert!(told.to_string().contains("tools[0]"), "{told}");
    let wider = proposal(&id, "grandchild", json!({ "budget_usd": 1.5 }));
    test.tool_refuses(child, "propose_agent", wider, "validation_failed").await;
    let autonomous = json!({ "title": "Mine", "autonomy": "autonomous" });
    test.tool_refuses(child, "create_goal", autonomous, "validation_failed").await;
    test.tool(child, "propose_agent", proposal(&id, "grandchild", json!({ "budget_usd": 0.5 }))).await;
    let approved = test.did(&ann, Method::POST, &format!("/api/goals/{id}/proposals/2/approve"), json!({})).await;
    let tools = json!(["create_goal", "get_goal", "propose_agent", "propose_task_tree"]);
    assert_eq!((&approved["depth"], &approved["tools"]), (&json!(2), &tools));
    let key = test.did(&ann, Method::POST, "/api/agents/grandchild/rotate-key", json!({})).await["key"].clone();
    let deeper = proposal(&id, "fourth", json!({ "budget_usd": 0.1 }));
    test.tool_refuses(key.as_str().unwrap(), "propose_agent", deeper, "spawn_depth_exceeded").await;
}

#[both_engines]
async fn an_agent_with_a_list_of_tools_has_no_others(test: TestServer) {
    let ann = test.person("ann").await;
    let lead = test.create_agent(&ann, "lead").await;
    let id = test.goal(&ann, "Narrow", json!({ "coordinator": "lead", "autonomy": "autonomous" })).await;
    test.tree(&ann, &id, json!([node("One")])).await;
    let tools = json!({ "tools": ["get_goal", "claim_goal_task"] });
    test.tool(&lead, "propose_agent", proposal(&id, "narrow", tools)).await;
    test.did(&ann, Method::POST, &format!("/api/goals/{id}/proposals/1/approve"), json!({})).await;
    let key = test.did(&ann, Method::POST, "/api/agents/narrow/rotate-key", json!({})).await["key"].clone();
    let key = key.as_str().unwrap();
    let listed = test.mcp(key, "tools/list", json!({})).await;
    let names: Vec<_> =
        listed["result"]["tools"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(names.len(), 2, "{names:?}");
    test.tool(key, "get_goal", json!({ "goal_id": id })).await;
    test.tool_refuses(key, "send_message", json!({ "to": "ann", "body": "Hello" }), "tool_not_allowed").await;
    let hidden = json!({ "name": "send_message", "arguments": { "to": "ann", "body": "Hello" } });
    let result = test.call_tool(key, "call_action", hidden).await;
    assert_eq!(result["isError"], true, "{result}");
    let answer = test.request_with(key, Method::GET, "/api/messages").send().await.unwrap();
    problem(answer, 403, "tools_limited").await;
    assert_eq!(test.look(&ann, "/api/messages?from=narrow").await["messages"], json!([]));
}

#[both_engines]
async fn an_agent_asks_for_a_secret_and_its_owner_provides_or_rejects_it(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    let scout = test.create_agent(&ann, "scout").await;
    let other = test.create_agent(&bob, "other").await;
    let id = test.goal(&ann, "Deploy", json!({})).await;
    assert_eq!(test.tool(&scout, "list_secrets", json!({})).await["names"], json!([]));
    let ask = json!({ "name": "DEPLOY_TOKEN", "reason": "To deploy", "goal_id": id });
    test.tool(&scout, "request_secret", ask.clone()).await;
    test.tool(&scout, "request_secret", ask.clone()).await;
    test.tool_refuses(&other, "request_secret", ask, "not_found").await;
    let listed = test.look(&ann, "/api/secret-requests").await;
    assert_eq!(listed["requests"].as_array().unwrap().len(), 1);
    let request = &listed["requests"][0];
    assert_eq!(
        (&request["status"], &request["goal_id"], &request["agent"]),
        (&json!("requested"), &id, &json!("scout"))
    );
    assert_eq!(test.look(&bob, "/api/secret-requests").await["requests"], json!([]));
    let path = format!("/api/secret-requests/{}", request["id"]);
    let value = json!({ "value": "s3cr3t-value" });
    problem(test.ask(&bob, Method::POST, &format!("{path}/provide"), value.clone()).await, 404, "not_found").await;
    let provided = test.did(&ann, Method::POST, &format!("{path}/provide"), value).await;
    assert_eq!(provided["status"], "provided");
    // The agent learns its name, and never its value.
    let names = test.tool(&scout, "list_secrets", json!({})).await;
    assert_eq!(names["names"], json!(["DEPLOY_TOKEN"]));
    for text in [
        test.look_with(&scout, "/api/messages?limit=50").await.to_string(),
        test.look(&ann, "/api/secret-requests").await.to_string(),
        test.goal_of(&ann, &id).await.to_string(),
    ] {
        assert!(!text.contains("s3cr3t-value"), "{text}");
    }
    assert_eq!(test.look(&ann, "/api/approvals").await["total"], 0);
    let ask = json!({ "name": "DEPLOY_TOKEN", "reason": "Again" });
    test.tool_refuses(&scout, "request_secret", ask, "secret_exists").await;

    test.tool(&scout, "request_secret", json!({ "name": "ROOT_PASSWORD", "reason": "All of it" })).await;
    let request = test.look(&ann, "/api/secret-requests?status=requested").await["requests"][0].clone();
    let path = format!("/api/secret-requests/{}", request["id"]);
    let rejected = test.did(&ann, Method::POST, &format!("{path}/reject"), json!({ "reason": "No" })).await;
    assert_eq!((&rejected["status"], &rejected["rejection"]), (&json!("rejected"), &json!("No")));
    problem(test.ask(&ann, Method::POST, &format!("{path}/reject"), json!({})).await, 409, "illegal_transition").await;
    for (ask, field) in
        [(json!({ "name": "lower", "reason": "x" }), "name"), (json!({ "name": "X", "reason": " " }), "reason")]
    {
        let told = test.tool_refuses(&scout, "request_secret", ask, "validation_failed").await;
        assert!(told.to_string().contains(field), "{told}");
    }
    // Without a decision it is provided as soon as the secret is there, however that was stored.
    test.tool(&scout, "request_secret", json!({ "name": "LATER", "reason": "Soon" })).await;
    svc_admin_with(&test, &["secrets", "set", "LATER", "--scope", "user:ann"], "a value").await.worked();
    assert_eq!(test.look(&ann, "/api/secret-requests?status=requested").await["requests"], json!([]));
    assert_eq!(test.look(&ann, "/api/approvals").await["total"], 0);
}
