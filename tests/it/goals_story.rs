//! One goal from its creation to its completion: three agents over MCP, a fourth that they propose, and their owner.

use reqwest::Method;
use serde_json::{Value, json};
use svc_core::harness::{RunEnd, RunResult, Usage};
use svc_test_macros::both_engines;

use crate::support::goals::{after, entries, flat};
use crate::support::people::Person;
use crate::support::server::TestServer;
use crate::support::wait::until;

/// Twelve tasks, of which each can be claimed only after those that it depends on.
fn tree() -> Value {
    let peer = json!({ "kind": "peer" });
    json!([
        { "title": "Release", "billing_code": "release", "budget_usd": 0.9, "children": [
            { "title": "Plan", "assignee": "lead" },
            { "title": "Code", "depends_on": ["Plan"], "children": [
                { "title": "Lexer", "assignee": "writer", "depends_on": ["Plan"], "verifier": peer },
                { "title": "Parser", "assignee": "writer", "depends_on": ["Lexer"], "verifier": peer },
                after("Command line", &["Parser"]),
            ] },
            { "title": "Tests", "depends_on": ["Parser"], "verifier": { "kind": "human" } },
            { "title": "Docs", "billing_code": "docs", "children": [
                after("Guide", &["Parser"]),
                after("Reference", &["Parser"]),
            ] },
            after("Publish", &["Tests", "Guide", "Reference", "Command line"]),
        ] },
        after("Announce", &["Publish"]),
    ])
}

/// The number of tasks in each status.
async fn counts(test: &TestServer, ann: &Person, goal: &Value) -> Value {
    test.goal_of(ann, goal).await["task_counts"].clone()
}

#[both_engines]
async fn a_goal_goes_from_draft_to_completed(test: TestServer) {
    let ann = test.person("ann").await;
    let lead = test.reactive(&ann, "lead").await;
    let (writer, checker) = (test.create_agent(&ann, "writer").await, test.create_agent(&ann, "checker").await);
    let new = json!({ "title": "Ship the parser", "budget": { "usd": 1.0 } });
    let made = test.tool(&lead, "create_goal", new).await;
    let id = made.get("goal_id").or(made.get("id")).unwrap().clone();
    let goal = test.goal_of(&ann, &id).await;
    assert_eq!((&goal["status"], &goal["coordinator"]), (&json!("draft"), &json!("lead")));

    // The tree waits for the owner, who approves it as a whole.
    test.tool(&lead, "propose_task_tree", json!({ "goal_id": id, "tree": tree() })).await;
    let waiting = test.look(&ann, "/api/approvals").await;
    assert_eq!((&waiting["total"], &waiting["approvals"][0]["goal"]), (&json!(12), &json!("Ship the parser")));
    assert_eq!(test.goal_of(&ann, &id).await["status"], "active");
    test.did(&ann, Method::POST, &format!("/api/goals/{id}/approve"), json!({})).await;
    assert_eq!(counts(&test, &ann, &id).await["proposed"], 0);

    // Work in the order of the dependencies; the first result of the parser is rejected and done again.
    let claimable = json!({ "goal_id": id, "task_id": test.goal_task(&ann, &id, "Lexer").await["id"] });
    test.tool_refuses(&writer, "claim_goal_task", claimable, "dependencies_open").await;
    test.do_task(&lead, &ann, &id, "Plan").await;
    let verify = |task: &Value, passed: bool| json!({ "task_id": task, "action": "verify", "passed": passed });
    let lexer = test.do_task(&writer, &ann, &id, "Lexer").await;
    test.tool_refuses(&writer, "update_goal_task", verify(&lexer, true), "own_work").await;
    test.tool(&checker, "update_goal_task", verify(&lexer, true)).await;
    let (parser, token) = test.claim_task(&writer, &ann, &id, "Parser").await;
    test.update_task(&writer, &parser, "start", json!({ "claim_token": token })).await;
    test.update_task(&writer, &parser, "spend", json!({ "usd": 0.3, "tokens": 900 })).await;
    test.update_task(&writer, &parser, "submit", json!({ "claim_token": token })).await;
    test.tool(&checker, "update_goal_task", verify(&parser, false)).await;
    assert_eq!(counts(&test, &ann, &id).await["failed"], 1);
    test.decide(&ann, &id, &parser, "reopen", json!({ "reason": "Handle comments" })).await;
    test.do_task(&writer, &ann, &id, "Parser").await;
    test.tool(&checker, "update_goal_task", verify(&parser, true)).await;
    let tests = test.do_task(&checker, &ann, &id, "Tests").await;
    test.decide(&ann, &id, &tests, "verify", json!({})).await;

    // A proposed agent is approved, and a run puts it to work; the run is charged to the task that it claims.
    let tools = json!(["claim_goal_task", "update_goal_task", "get_goal"]);
    let proposal =
        json!({ "goal_id": id, "name": "editor", "purpose": "Writes the guide", "tools": tools, "budget_usd": 0.5 });
    test.tool(&lead, "propose_agent", proposal).await;
    test.did(&ann, Method::POST, &format!("/api/goals/{id}/proposals/1/approve"), json!({})).await;
    let end = test.harness.waits();
    test.say(&ann, json!({ "to": "editor", "body": "Write the guide" })).await;
    let job = test.harness.job(1).await;
    assert_eq!(job.agent, "editor");
    test.do_task(&job.credential, &ann, &id, "Guide").await;
    let usage = Usage { tokens_in: 400, cost_micros: Some(510_000), ..Usage::default() };
    end.send(RunEnd::Succeeded(RunResult { usage, ..RunResult::default() })).unwrap();
    let goal = until("the cost of the run", async || {
        Some(test.goal_of(&ann, &id).await).filter(|goal| goal["spent"]["tokens"] == 1300)
    })
    .await;
    assert_eq!(goal["spent"]["usd"], 0.81);
    let guide = test.goal_task(&ann, &id, "Guide").await;
    assert_eq!(
        (&guide["status"], &guide["spent"]["usd"], &guide["claimant"]),
        (&json!("done"), &json!(0.51), &json!("editor"))
    );
    // The budget has warned of more than 80 %, in the channel of the goal too.
    assert_eq!(entries(&goal, "alert").len(), 1);
    let said = test.look(&ann, "/api/channels/goal-ship-the-parser/messages").await;
    assert!(said.to_string().contains("81 % of the budget is used"), "{said}");

    // The rest is done by whoever may, until nothing is left.
    for key in [&writer, &checker, &lead].into_iter().cycle().take(60) {
        let claim = test.call_tool(key, "claim_goal_task", json!({ "goal_id": id })).await;
        let Some(token) = claim["structuredContent"]["claim_token"].as_str() else { continue };
        let active: Vec<_> = flat(&test.goal_of(&ann, &id).await["tasks"]);
        let task = active.iter().find(|task| task["status"] == "claimed").unwrap();
        test.update_task(key, &task["id"], "start", json!({ "claim_token": token })).await;
        test.update_task(key, &task["id"], "submit", json!({ "claim_token": token })).await;
    }
    let found = counts(&test, &ann, &id).await;
    assert_eq!((&found["total"], &found["done"]), (&json!(12), &json!(12)), "{found}");

    let report = test.say_with(&lead, json!({ "to": "ann", "body": "The parser is out." })).await;
    let end = json!({ "goal_id": id, "status": "completed", "summary": "Out.", "completion_message_id": report["id"] });
    test.tool(&lead, "complete_goal", end).await;
    let goal = test.goal_of(&ann, &id).await;
    assert_eq!((&goal["status"], &goal["completion_message_id"]), (&json!("completed"), &report["id"]));
    let billed: Vec<_> =
        goal["billing"].as_array().unwrap().iter().map(|line| (line["code"].clone(), line["usd"].clone())).collect();
    assert_eq!(billed, [(json!("docs"), json!(0.51)), (json!("release"), json!(0.3))]);
    assert_eq!(goal["spawned_agents"][0]["name"], "editor");
    // The timeline has every step, oldest first.
    let kinds: std::collections::BTreeSet<_> =
        goal["timeline"].as_array().unwrap().iter().map(|entry| entry["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["alert", "goal", "message", "proposal", "spend", "task", "tree"].into());
    assert_eq!(goal["timeline"].as_array().unwrap().last().unwrap()["to"], "completed");
}
