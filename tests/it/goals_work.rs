//! Work on the tasks of a goal: claims, leases, verification and moves.

use std::collections::BTreeSet;
use std::time::Duration;

use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};
use svc_core::goals::TaskClaim;
use svc_core::ids::GoalId;
use svc_test_macros::both_engines;

use crate::support::goals::{after, entries, flat, node};
use crate::support::server::{TestServer, problem};

#[both_engines]
async fn tasks_are_approved_claimed_in_order_and_done(test: TestServer) {
    let ann = test.person("ann").await;
    let (lead, writer) = (test.create_agent(&ann, "lead").await, test.create_agent(&ann, "writer").await);
    let id = test.goal(&ann, "Publish", json!({ "coordinator": "lead" })).await;
    let tree = json!([after("Print", &["Write"]), { "title": "Write", "assignee": "writer" }]);
    test.tool(&lead, "propose_task_tree", json!({ "goal_id": id, "tree": tree })).await;
    let write = test.goal_task(&ann, &id, "Write").await["id"].clone();
    let claim = |task: &Value| json!({ "goal_id": id, "task_id": task });
    // Nothing can be claimed before the owner has approved it, and no agent can approve.
    test.tool_refuses(&writer, "claim_goal_task", claim(&write), "illegal_transition").await;
    test.tool_refuses(&writer, "claim_goal_task", json!({ "goal_id": id }), "nothing_to_claim").await;
    let path = format!("/api/goals/{id}/approve");
    let answer = test.request_with(&writer, Method::POST, &path).send().await.unwrap();
    problem(answer, 403, "owner_required").await;
    let waiting = test.look(&ann, "/api/approvals").await;
    assert_eq!((&waiting["total"], &waiting["approvals"][0]["kind"]), (&json!(2), &json!("task")));
    test.did(&ann, Method::POST, &path, json!({})).await;
    assert_eq!(test.look(&ann, "/api/approvals").await["total"], 0);
    // The assignee is told, once it can claim.
    let told = test.look_with(&writer, "/api/messages?from=system&limit=50").await;
    assert!(told["messages"][0]["body"].as_str().unwrap().contains("you can claim"), "{told}");

    let print = test.goal_task(&ann, &id, "Print").await["id"].clone();
    test.tool_refuses(&writer, "claim_goal_task", claim(&print), "dependencies_open").await;
    test.tool_refuses(&lead, "claim_goal_task", claim(&write), "not_assignee").await;
    let claimed = test.tool(&writer, "claim_goal_task", json!({ "goal_id": id })).await;
    assert!(claimed["claim_token"].is_string() && claimed["lease_until"].is_string(), "{claimed}");
    test.tool_refuses(&writer, "claim_goal_task", claim(&write), "illegal_transition").await;
    // Only its claimant goes on with it, step by step.
    let update = |task: &Value, action: &str| json!({ "task_id": task, "action": action });
    test.tool_refuses(&lead, "update_goal_task", update(&write, "start"), "not_claimant").await;
    test.tool_refuses(&writer, "update_goal_task", update(&write, "submit"), "illegal_transition").await;
    test.update_task(&writer, &write, "start", json!({})).await;
    test.update_task(&writer, &write, "submit", json!({ "note": "Here it is." })).await;
    let done = test.goal_task(&ann, &id, "Write").await;
    assert_eq!((&done["status"], &done["result"]), (&json!("done"), &json!("Here it is.")));
    test.do_task(&writer, &ann, &id, "Print").await;
    let goal = test.goal_of(&ann, &id).await;
    assert_eq!(goal["task_counts"]["done"], 2);
    let moves: Vec<_> = entries(&goal, "task")
        .iter()
        .filter(|entry| entry["subject"] == "Write")
        .map(|entry| format!("{} {}", entry["by"].as_str().unwrap(), entry["to"].as_str().unwrap()))
        .collect();
    assert_eq!(moves, ["ann approved", "writer claimed", "writer in_progress", "writer done"]);
}

#[both_engines]
async fn an_assignee_is_told_once_of_each_task_that_it_can_claim(test: TestServer) {
    let ann = test.person("ann").await;
    let key = test.create_agent(&ann, "writer").await;
    let id = test.goal(&ann, "Notices", json!({})).await;
    let tree = json!([
        { "title": "First", "assignee": "writer" },
        { "title": "Second", "assignee": "writer" },
        { "title": "Third", "assignee": "writer", "depends_on": ["First"] },
    ]);
    test.tree(&ann, &id, tree).await;
    for title in ["First", "Second", "Third"] {
        let task = test.goal_task(&ann, &id, title).await["id"].clone();
        test.decide(&ann, &id, &task, "approve", json!({})).await;
    }
    test.do_task(&key, &ann, &id, "First").await;
    let inbox = test.look_with(&key, "/api/messages?from=system&limit=50").await;
    let told: Vec<_> =
        inbox["messages"].as_array().unwrap().iter().rev().map(|message| message["body"].to_string()).collect();
    assert_eq!(told.len(), 3, "{told:?}");
    for (body, title) in told.iter().zip(["First", "Second", "Third"]) {
        assert!(body.contains("you can claim") && body.contains(title), "{body}");
    }
}

#[both_engines]
async fn every_task_of_two_hundred_is_claimed_once_by_sixty_four(test: TestServer) {
    let ann = test.person("ann").await;
    let mut callers = Vec::new();
    for number in 0..8 {
        let key = test.create_agent(&ann, &format!("worker-{number}")).await;
        callers.push(test.bearer(&key).await);
    }
    let nodes: Vec<_> = (0..200).map(|index| node(&format!("Task {index}"))).collect();
    let id = test.free_goal(&ann, "Many", json!(nodes)).await;
    let goal = GoalId(id.as_i64().unwrap());
    let claimers = (0..64).map(|number| {
        let (hub, caller) = (test.hub.clone(), callers[number % callers.len()].clone());
        tokio::spawn(async move {
            let mut claimed = Vec::new();
            loop {
                match hub.goals().claim(&caller, goal, TaskClaim::default()).await {
                    Ok(task) => claimed.push(task.task.id),
                    Err(error) if error.code() == "nothing_to_claim" => return claimed,
                    Err(error) => panic!("{error:?}"),
                }
            }
        })
    });
    let claimed: Vec<_> = join_all(claimers).await.into_iter().flat_map(Result::unwrap).collect();
    assert_eq!(claimed.len(), 200);
    assert_eq!(claimed.iter().collect::<BTreeSet<_>>().len(), 200);
    assert_eq!(test.goal_of(&ann, &id).await["task_counts"]["active"], 200);
}

#[both_engines]
async fn a_task_comes_back_when_its_lease_ends(test: TestServer) {
    let ann = test.person("ann").await;
    let (slow, quick) = (test.create_agent(&ann, "slow").await, test.create_agent(&ann, "quick").await);
    let id = test.free_goal(&ann, "Race", json!([node("Run")])).await;
    let task = test.goal_task(&ann, &id, "Run").await["id"].clone();
    let claim = json!({ "goal_id": id, "task_id": task, "lease_seconds": 60 });
    let token = test.tool(&slow, "claim_goal_task", claim.clone()).await["claim_token"].clone();
    test.clock.advance(Duration::from_secs(50));
    // Each update renews the lease.
    test.update_task(&slow, &task, "start", json!({ "claim_token": token })).await;
    test.clock.advance(Duration::from_secs(50));
    test.update_task(&slow, &task, "spend", json!({ "tokens": 5 })).await;
    test.clock.advance(Duration::from_mins(1));
    let late = json!({ "task_id": task, "action": "submit", "claim_token": token });
    test.tool_refuses(&slow, "update_goal_task", late.clone(), "claim_lost").await;
    test.work("lease_expiry").await;
    let shown = test.goal_task(&ann, &id, "Run").await;
    assert_eq!((&shown["status"], &shown["claimant"]), (&json!("approved"), &Value::Null));
    test.tool(&quick, "claim_goal_task", claim).await;
    test.update_task(&quick, &task, "start", json!({})).await;
    // The first worker learns that it lost the task, and changes nothing.
    test.tool_refuses(&slow, "update_goal_task", late, "claim_lost").await;
    let late = json!({ "task_id": task, "action": "submit" });
    test.tool_refuses(&slow, "update_goal_task", late, "not_claimant").await;
    let shown = test.goal_task(&ann, &id, "Run").await;
    assert_eq!((&shown["status"], &shown["claimant"]), (&json!("in_progress"), &json!("quick")));
}

#[both_engines]
async fn results_are_verified_by_peers_and_by_the_owner(test: TestServer) {
    let ann = test.person("ann").await;
    let mut keys = Vec::new();
    for name in ["writer", "checker", "third"] {
        keys.push(test.create_agent(&ann, name).await);
    }
    let [writer, checker, third] = &keys[..] else { unreachable!() };
    let tree = json!([
        { "title": "Any peer", "verifier": { "kind": "peer" } },
        { "title": "One peer", "verifier": { "kind": "peer", "by": "checker" } },
        { "title": "Owner", "verifier": { "kind": "human" } },
    ]);
    let id = test.free_goal(&ann, "Check", tree).await;
    let verify = |task: &Value, passed: bool| json!({ "task_id": task, "action": "verify", "passed": passed, "note": "Looked at it." });
    let any = test.do_task(writer, &ann, &id, "Any peer").await;
    test.tool_refuses(writer, "update_goal_task", verify(&any, true), "own_work").await;
    test.tool(third, "update_goal_task", verify(&any, true)).await;
    assert_eq!(test.goal_task(&ann, &id, "Any peer").await["status"], "done");
    test.tool_refuses(third, "update_goal_task", verify(&any, true), "illegal_transition").await;

    let one = test.do_task(writer, &ann, &id, "One peer").await;
    test.tool_refuses(third, "update_goal_task", verify(&one, true), "not_verifier").await;
    let told = test.look_with(checker, "/api/messages?from=system&limit=50").await;
    assert!(told["messages"][0]["body"].as_str().unwrap().contains("@writer submitted"), "{told}");
    test.tool(checker, "update_goal_task", verify(&one, false)).await;
    let failed = test.goal_task(&ann, &id, "One peer").await;
    assert_eq!((&failed["status"], &failed["note"]), (&json!("failed"), &json!("Looked at it.")));
    // The owner reopens it, and then another agent can do it.
    test.decide(&ann, &id, &one, "reopen", json!({ "reason": "Once more" })).await;
    test.do_task(third, &ann, &id, "One peer").await;
    test.tool(checker, "update_goal_task", verify(&one, true)).await;
    assert_eq!(test.goal_task(&ann, &id, "One peer").await["claimant"], "third");

    let owner = test.do_task(writer, &ann, &id, "Owner").await;
    test.tool_refuses(checker, "update_goal_task", verify(&owner, true), "not_verifier").await;
    let waiting = test.look(&ann, "/api/approvals").await;
    assert_eq!((&waiting["approvals"][0]["kind"], &waiting["approvals"][0]["id"]), (&json!("verification"), &owner));
    test.decide(&ann, &id, &owner, "verify", json!({ "passed": true })).await;
    assert_eq!(test.goal_task(&ann, &id, "Owner").await["status"], "done");
    // Verdicts count for the reputation of the agent that did the work.
    let reputation = test.look(&ann, "/api/agents/writer/reputation").await;
    let kinds: Vec<_> = reputation["entries"].as_array().unwrap().iter().map(|entry| entry["kind"].clone()).collect();
    assert_eq!(kinds, ["task", "task", "task"]);
}

#[both_engines]
async fn every_illegal_move_of_a_task_is_refused(test: TestServer) {
    let ann = test.person("ann").await;
    let (lead, writer) = (test.create_agent(&ann, "lead").await, test.create_agent(&ann, "writer").await);
    let id = test.goal(&ann, "Moves", json!({ "coordinator": "lead" })).await;
    let titles =
        ["proposed", "approved", "claimed", "in_progress", "awaiting_verification", "done", "failed", "cancelled"];
    let tree: Vec<_> = titles
        .iter()
        .map(|title| match *title {
            "awaiting_verification" => json!({ "title": title, "verifier": { "kind": "human" } }),
            _ => node(title),
        })
        .collect();
    test.tree(&ann, &id, json!(tree)).await;
    for title in titles.iter().skip(1) {
        let task = test.goal_task(&ann, &id, title).await["id"].clone();
        test.decide(&ann, &id, &task, "approve", json!({})).await;
        let steps: &[&str] = match *title {
            "in_progress" => &["start"],
            "awaiting_verification" | "done" => &["start", "submit"],
            "failed" => &["start", "fail"],
            "claimed" => &[],
            "cancelled" => {
                test.tool(&lead, "update_goal_task", json!({ "task_id": task, "action": "cancel" })).await;
                continue;
            }
            _ => continue,
        };
        test.claim_task(&writer, &ann, &id, title).await;
        for step in steps {
            test.update_task(&writer, &task, step, json!({})).await;
        }
    }
    let legal: &[(&str, &[&str])] = &[
        ("approve", &["proposed"]),
        ("verify", &["awaiting_verification"]),
        ("reopen", &["failed"]),
        ("cancel", &["proposed", "approved", "claimed", "in_progress", "awaiting_verification"]),
        ("start", &["claimed"]),
        ("submit", &["in_progress"]),
        ("fail", &["claimed", "in_progress"]),
    ];
    for title in titles {
        let task = test.goal_task(&ann, &id, title).await;
        assert_eq!(task["status"], title);
        for (action, statuses) in legal.iter().filter(|(_, statuses)| !statuses.contains(&title)) {
            let refused = if ["start", "submit", "fail"].contains(action) {
                let update = json!({ "task_id": task["id"], "action": action });
                test.tool_refuses(&writer, "update_goal_task", update, "illegal_transition").await["message"].clone()
            } else {
                let path = format!("/api/goals/{id}/tasks/{}/{action}", task["id"]);
                let answer = test.ask(&ann, Method::POST, &path, json!({})).await;
                problem(answer, 409, "illegal_transition").await["detail"].clone()
            };
            assert!(refused.as_str().unwrap().contains(title), "{action} {statuses:?}: {refused}");
        }
    }
    // A task of another goal is not found under this one.
    let other = test.goal(&ann, "Other", json!({})).await;
    let task = test.goal_task(&ann, &id, "proposed").await["id"].clone();
    let path = format!("/api/goals/{other}/tasks/{task}/approve");
    problem(test.ask(&ann, Method::POST, &path, json!({})).await, 404, "not_found").await;
    assert_eq!(flat(&test.goal_of(&ann, &id).await["tasks"]).len(), titles.len());
}
