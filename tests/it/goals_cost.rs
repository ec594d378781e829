//! The cost of goals: recorded spend, runs, budgets and verification by runs.

use std::time::Instant;

use reqwest::Method;
use serde_json::{Value, json};
use svc_core::harness::{RunEnd, RunFailure, RunResult, Usage};
use svc_test_macros::both_engines;

use crate::support::goals::{entries, node};
use crate::support::people::Person;
use crate::support::server::TestServer;
use crate::support::wait::until;

/// A run that ends well with this cost.
fn costing(micros: i64, tokens: i64) -> RunEnd {
    let tokens = u32::try_from(tokens).unwrap();
    let usage = Usage { tokens_in: tokens.into(), cost_micros: Some(micros), ..Usage::default() };
    RunEnd::Succeeded(RunResult { usage, ..RunResult::default() })
}

fn micros(value: &Value) -> i64 {
    #[expect(clippy::cast_possible_truncation, reason = "small amounts of a test")]
    let found = (value["usd"].as_f64().unwrap() * 1e6).round() as i64;
    found
}

/// The cost of a task with all tasks below it, in microdollars.
fn rolled(goal: &Value, task: &Value) -> i64 {
    let found = goal["rollup"].as_array().unwrap().iter().find(|row| row["task_id"] == *task);
    micros(found.unwrap_or_else(|| panic!("{task}: {goal}")))
}

async fn messages(test: &TestServer, ann: &Person, path: &str, words: &str) -> usize {
    let page = test.look(ann, path).await;
    let all = page["messages"].as_array().unwrap();
    all.iter().filter(|message| message["body"].as_str().unwrap().contains(words)).count()
}

#[both_engines]
async fn the_cost_of_runs_appears_everywhere_with_equal_sums(test: TestServer) {
    let ann = test.person("ann").await;
    let (scout, worker) = (test.reactive(&ann, "scout").await, test.create_agent(&ann, "worker").await);
    let tree = json!([
        { "title": "Root", "billing_code": "ops", "children": [
            { "title": "Leaf", "children": [node("Twig")] },
            { "title": "Other", "billing_code": "research" },
        ] },
        node("Plain"),
    ]);
    let id = test.free_goal(&ann, "Costs", tree).await;
    let (leaf, _) = test.claim_task(&scout, &ann, &id, "Leaf").await;
    // A run of the agent that has the task is charged to it.
    test.harness.ends(costing(1_234_567, 100));
    test.say(&ann, json!({ "to": "scout", "body": "Go on" })).await;
    let goal = until("the cost of the run", async || {
        Some(test.goal_of(&ann, &id).await).filter(|goal| goal["spent"]["tokens"] == 100)
    })
    .await;
    let run = test.runs(&ann, "").await[0]["id"].clone();
    assert_eq!(entries(&goal, "spend")[0]["run_id"], run);
    test.update_task(&scout, &leaf, "start", json!({})).await;
    test.update_task(&scout, &leaf, "spend", json!({ "usd": 0.000_001, "tokens": 7, "note": "A search" })).await;
    let (other, _) = test.claim_task(&worker, &ann, &id, "Other").await;
    test.update_task(&worker, &other, "spend", json!({ "usd": 2.5 })).await;
    let (plain, _) = test.claim_task(&worker, &ann, &id, "Plain").await;
    test.update_task(&worker, &plain, "spend", json!({ "usd": 0.25 })).await;

    let goal = test.goal_of(&ann, &id).await;
    let root = test.goal_task(&ann, &id, "Root").await;
    let twig = test.goal_task(&ann, &id, "Twig").await;
    assert_eq!((micros(&test.goal_task(&ann, &id, "Leaf").await["spent"]), micros(&root["spent"])), (1_234_568, 0));
    assert_eq!((rolled(&goal, &leaf), rolled(&goal, &twig["id"])), (1_234_568, 0));
    assert_eq!(rolled(&goal, &root["id"]), 3_734_568);
    assert_eq!((micros(&goal["spent"]), &goal["spent"]["tokens"]), (3_984_568, &json!(107)));
    let billed: Vec<_> =
        goal["billing"].as_array().unwrap().iter().map(|line| (line["code"].clone(), micros(line))).collect();
    assert_eq!(billed, [(json!("research"), 2_500_000), (json!("ops"), 1_234_568), (Value::Null, 250_000)]);
    let usage = test.look(&ann, "/api/usage?by=goal").await;
    let group = &usage["runs"]["groups"][0];
    assert_eq!((&group["goal"], &group["runs"], micros(group)), (&json!("costs"), &json!(1), 3_984_568));
    // The agent has the cost of its run, and nothing else.
    let own = test.look(&ann, "/api/usage?by=agent").await;
    assert_eq!(micros(&own["runs"]["groups"][0]), 1_234_567);
    // Only the one who does a task, and the coordinator, record a cost.
    let spend = json!({ "task_id": plain, "action": "spend", "usd": 1.0 });
    test.tool_refuses(&scout, "update_goal_task", spend, "not_claimant").await;
}

#[both_engines]
async fn a_budget_warns_once_and_then_stops_the_goal(test: TestServer) {
    let ann = test.person("ann").await;
    let key = test.create_agent(&ann, "worker").await;
    let new = json!({ "autonomy": "autonomous", "budget": { "usd": 1.0 } });
    let id = test.goal(&ann, "Thrift", new).await;
    test.tree(&ann, &id, json!([node("One"), node("Two")])).await;
    let (one, _) = test.claim_task(&key, &ann, &id, "One").await;
    let channel = "/api/channels/goal-thrift/messages";
    let inbox = "/api/messages?from=system&limit=100";
    for (usd, warned, stuck) in [(0.79, 0, 0), (0.01, 1, 0), (0.1, 1, 0), (0.1, 1, 1), (0.1, 1, 1)] {
        test.update_task(&key, &one, "spend", json!({ "usd": usd })).await;
        let found = messages(&test, &ann, channel, "80 % of the budget").await;
        assert_eq!((found, messages(&test, &ann, inbox, "80 % of the budget").await), (warned, warned), "{usd}");
        let found = messages(&test, &ann, channel, "its budget is used up").await;
        assert_eq!((found, messages(&test, &ann, inbox, "its budget is used up").await), (stuck, stuck), "{usd}");
    }
    let goal = test.goal_of(&ann, &id).await;
    assert_eq!((&goal["status"], &goal["stuck_reason"]), (&json!("stuck"), &json!("budget")));
    assert_eq!(entries(&goal, "alert").len(), 2);
    test.tool_refuses(&key, "claim_goal_task", json!({ "goal_id": id }), "goal_not_active").await;
    // A task that was begun is finished; more is claimed when the budget is raised.
    test.update_task(&key, &one, "start", json!({})).await;
    test.update_task(&key, &one, "submit", json!({})).await;
    let raised = json!({ "budget": { "usd": 10.0 } });
    let goal = test.did(&ann, Method::PATCH, &format!("/api/goals/{id}"), raised).await;
    assert_eq!((&goal["status"], &goal["stuck_reason"]), (&json!("active"), &Value::Null));
    test.tool(&key, "claim_goal_task", json!({ "goal_id": id })).await;
}

#[both_engines]
async fn a_run_decides_on_a_task_that_a_command_verifies(test: TestServer) {
    let ann = test.person("ann").await;
    let worker = test.create_agent(&ann, "worker").await;
    test.reactive(&ann, "checker").await;
    test.create_agent(&ann, "sleeper").await;
    let verified = |title: &str, by: &str| json!({ "title": title, "acceptance_criteria": "All tests pass", "verifier": { "kind": "command", "by": by } });
    let tree = json!([verified("Good", "checker"), verified("Bad", "checker"), verified("Never", "sleeper")]);
    let id = test.free_goal(&ann, "Verify", tree).await;
    test.harness.ends(costing(5_000, 10));
    test.do_task(&worker, &ann, &id, "Good").await;
    let good = test.until_task(&ann, &id, "Good", "done").await;
    assert!(good["note"].as_str().unwrap().contains("succeeded"), "{good}");
    let prompt = test.harness.job(1).await.prompt;
    assert!(prompt.contains("All tests pass") && prompt.contains("Good is there"), "{prompt}");
    // Its cost belongs to the task.
    until("the cost of the verification", async || {
        Some(())
            .filter(|()| true)
            .and(Some(test.goal_task(&ann, &id, "Good").await))
            .filter(|task| micros(&task["spent"]) == 5_000)
    })
    .await;
    test.harness.fails(RunFailure::ExitCode, "2 tests fail");
    test.do_task(&worker, &ann, &id, "Bad").await;
    let bad = test.until_task(&ann, &id, "Bad", "failed").await;
    assert!(bad["note"].as_str().unwrap().contains("failed"), "{bad}");
    // The hub does not run this agent, so the owner decides.
    let never = test.do_task(&worker, &ann, &id, "Never").await;
    until("the owner is asked", async || {
        let waiting = test.look(&ann, "/api/approvals").await;
        Some(()).filter(|()| waiting["approvals"].as_array().unwrap().iter().any(|one| one["id"] == never))
    })
    .await;
    test.decide(&ann, &id, &never, "verify", json!({ "passed": false, "note": "No" })).await;
    assert_eq!(test.goal_task(&ann, &id, "Never").await["status"], "failed");
}

/// Two hundred tasks among a thousand goals are summed up by one query each, within milliseconds.
#[both_engines]
async fn the_rollup_of_two_hundred_tasks_is_quick_among_a_thousand_goals(test: TestServer) {
    let ann = test.person("ann").await;
    let branch = |number: usize| {
        let twigs: Vec<_> = (0..19).map(|twig| node(&format!("Twig {number}.{twig}"))).collect();
        json!({ "title": format!("Branch {number}"), "children": twigs })
    };
    let tree: Vec<_> = (0..10).map(branch).collect();
    let id = test.free_goal(&ann, "Large", json!(tree)).await;
    test.execute(format!("UPDATE goal_tasks SET spent_usd = 1 WHERE goal_id = {id}")).await;
    test.execute(
        "INSERT INTO goals (slug, title, description, status, owner_id, autonomy, spent_usd, spent_tokens,
                            max_spawn_depth, list_key, created_at, updated_at)
         SELECT 'copy-' || e.seq, 'Copy', '', 'active', g.owner_id, g.autonomy, 0, 0, 3, 0, 0, 0
           FROM goals g, (SELECT a.n * 100 + b.n * 10 + c.n AS seq
                            FROM (SELECT 0 AS n UNION SELECT 1 UNION SELECT 2 UNION SELECT 3 UNION SELECT 4
                                  UNION SELECT 5 UNION SELECT 6 UNION SELECT 7 UNION SELECT 8 UNION SELECT 9) a,
                                 (SELECT 0 AS n UNION SELECT 1 UNION SELECT 2 UNION SELECT 3 UNION SELECT 4
                                  UNION SELECT 5 UNION SELECT 6 UNION SELECT 7 UNION SELECT 8 UNION SELECT 9) b,
                                 (SELECT 0 AS n UNION SELECT 1 UNION SELECT 2 UNION SELECT 3 UNION SELECT 4
                                  UNION SELECT 5 UNION SELECT 6 UNION SELECT 7 UNION SELECT 8 UNION SELECT 9) c) e
          WHERE g.slug = 'large'",
    )
    .await;
    assert_eq!(test.number("SELECT count(*) FROM goals").await, 1001);
    let begun = Instant::now();
    let goal = test.goal_of(&ann, &id).await;
    let elapsed = begun.elapsed();
    assert_eq!(goal["rollup"].as_array().unwrap().len(), 200);
    let branch = test.goal_task(&ann, &id, "Branch 3").await;
    assert_eq!(rolled(&goal, &branch["id"]), 20);
    // The bound of the whole request on a busy machine; `make bench` measures the query.
    assert!(elapsed.as_secs() < 5, "{elapsed:?}");
}
