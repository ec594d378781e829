//! Goals: their status, their trees and who may do what.

use reqwest::Method;
use serde_json::{Value, json};
use svc_test_macros::both_engines;

use crate::support::goals::{after, entries, flat, node};
use crate::support::people::Person;
use crate::support::server::{TestServer, faults, problem};

async fn members(test: &TestServer, owner: &Person, channel: &Value) -> Vec<String> {
    let page = test.look(owner, &format!("/api/channels/{}/members", channel.as_str().unwrap())).await;
    page["members"].as_array().unwrap().iter().map(|member| member["name"].as_str().unwrap().to_owned()).collect()
}

async fn patch(test: &TestServer, owner: &Person, goal: &Value, changes: Value) -> reqwest::Response {
    test.ask(owner, Method::PATCH, &format!("/api/goals/{goal}"), changes).await
}

#[both_engines]
async fn a_goal_has_a_slug_a_private_channel_and_members_that_follow_it(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    for name in ["lead", "writer", "reader"] {
        test.create_agent(&ann, name).await;
    }
    let new = json!({ "title": "Ship version 2.0!", "description": "Soon.", "coordinator": "lead",
                      "budget": { "usd": 1.5, "tokens": 1000 } });
    let goal = test.did(&ann, Method::POST, "/api/goals", new.clone()).await;
    assert_eq!((&goal["slug"], &goal["channel"]), (&json!("ship-version-2-0"), &json!("goal-ship-version-2-0")));
    assert_eq!((&goal["status"], &goal["max_spawn_depth"]), (&json!("draft"), &json!(3)));
    assert_eq!((&goal["owner"], &goal["coordinator"]), (&json!("ann"), &json!("lead")));
    assert_eq!(goal["budget"], json!({ "usd": 1.5, "tokens": 1000 }));
    assert_eq!(goal["spent"], json!({ "usd": 0.0, "tokens": 0 }));
    let id = &goal["id"];
    assert_eq!(members(&test, &ann, &goal["channel"]).await, ["ann", "lead"]);
    assert_eq!(test.look(&ann, "/api/channels/goal-ship-version-2-0").await["public"], false);
    // The next goal of this title has a slug of its own; a slug that is asked for is not changed.
    let second = test.did(&ann, Method::POST, "/api/goals", new).await;
    assert_eq!(second["slug"], "ship-version-2-0-2");
    let taken = json!({ "title": "Another", "slug": "ship-version-2-0" });
    problem(test.ask(&bob, Method::POST, "/api/goals", taken).await, 409, "slug_taken").await;

    let tree = json!([{ "title": "Write", "assignee": "writer" }, { "title": "Read", "assignee": "@reader" }]);
    test.tree(&ann, id, tree).await;
    assert_eq!(members(&test, &ann, &goal["channel"]).await, ["ann", "lead", "reader", "writer"]);
    test.tree(&ann, id, json!([{ "title": "Write", "assignee": "writer" }])).await;
    assert_eq!(members(&test, &ann, &goal["channel"]).await, ["ann", "lead", "writer"]);
    let task = test.goal_task(&ann, id, "Write").await;
    test.decide(&ann, id, &task["id"], "cancel", json!({})).await;
    test.did(&ann, Method::PATCH, &format!("/api/goals/{id}"), json!({ "coordinator": "" })).await;
    assert_eq!(members(&test, &ann, &goal["channel"]).await, ["ann"]);

    // Another person does not learn that it exists.
    for path in [format!("/api/goals/{id}"), "/api/goals/0".to_owned()] {
        problem(test.request_as(&bob, Method::GET, &path).send().await.unwrap(), 404, "not_found").await;
    }
    problem(patch(&test, &bob, id, json!({ "title": "Mine" })).await, 404, "not_found").await;
    assert_eq!(test.look(&bob, "/api/goals").await["goals"], json!([]));
}

#[both_engines]
async fn every_illegal_move_of_a_goal_names_both_statuses(test: TestServer) {
    let ann = test.person("ann").await;
    let key = test.create_agent(&ann, "lead").await;
    let statuses = ["draft", "active", "completed", "stuck", "cancelled"];
    let legal = |from: &str, to: &str| match from {
        "draft" => to != "draft",
        "active" => ["completed", "stuck", "cancelled"].contains(&to),
        "stuck" => ["active", "completed", "cancelled"].contains(&to),
        _ => false,
    };
    for from in statuses {
        for to in statuses {
            let id = test.goal(&ann, &format!("{from} to {to}"), json!({})).await;
            if from != "draft" {
                test.did(&ann, Method::PATCH, &format!("/api/goals/{id}"), json!({ "status": from })).await;
            }
            let answer = patch(&test, &ann, &id, json!({ "status": to })).await;
            if legal(from, to) {
                assert_eq!(answer.status(), 200, "{from} to {to}");
            } else if from == to && ["draft", "active", "stuck"].contains(&from) {
                assert_eq!(answer.status(), 200, "{from} again");
            } else if from == to {
                problem(answer, 409, "goal_ended").await;
            } else {
                let refused = problem(answer, 409, "illegal_transition").await;
                let detail = refused["detail"].as_str().unwrap();
                assert!(detail.contains(from) && detail.contains(to), "{detail}");
            }
            // The tool takes the current status as done, whatever it is.
            if ["completed", "stuck", "cancelled"].contains(&to) && (legal(from, to) || from == to) {
                let again = json!({ "goal_id": id, "status": to, "summary": "again" });
                let told = test.tool(&key, "complete_goal", again).await;
                assert_eq!(told["status"], to);
                assert_eq!(test.goal_of(&ann, &id).await["completion_summary"], Value::Null);
            }
        }
    }
}

#[both_engines]
async fn a_goal_is_completed_with_a_summary_and_a_message_that_the_caller_sees(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    let (lead, stranger) = (test.create_agent(&ann, "lead").await, test.create_agent(&bob, "stranger").await);
    test.create_agent(&ann, "writer").await;
    let made = test.tool(&lead, "create_goal", json!({ "title": "Answer" })).await;
    let id = made.get("goal_id").or(made.get("id")).unwrap().clone();
    assert_eq!(test.goal_of(&ann, &id).await["coordinator"], "lead");
    test.tree(&ann, &id, json!([node("One"), { "title": "Two", "children": [node("Three")] }])).await;
    let secret = test.say(&bob, json!({ "to": "stranger", "body": "Between us." })).await;
    let end = |status: &str, message: &Value| json!({ "goal_id": id, "status": status, "summary": "It is done.", "completion_message_id": message });
    test.tool_refuses(&lead, "complete_goal", end("completed", &secret["id"]), "validation_failed").await;
    test.tool_refuses(&stranger, "complete_goal", end("completed", &secret["id"]), "not_found").await;
    test.tool_refuses(&lead, "complete_goal", end("active", &secret["id"]), "validation_failed").await;
    let said = test.say_with(&lead, json!({ "to": "ann", "body": "The report." })).await;
    test.tool(&lead, "complete_goal", end("completed", &said["id"])).await;
    let goal = test.goal_of(&ann, &id).await;
    assert_eq!((&goal["status"], &goal["completion_summary"]), (&json!("completed"), &json!("It is done.")));
    assert_eq!(goal["completion_message_id"], said["id"]);
    assert!(goal["completed_at"].is_string());
    // Its open tasks end with it, and nothing changes any more.
    let found: Vec<_> = flat(&goal["tasks"]).iter().map(|task| task["status"].clone()).collect();
    assert_eq!(found, ["cancelled", "cancelled", "cancelled"]);
    test.tool_refuses(&lead, "complete_goal", end("cancelled", &said["id"]), "illegal_transition").await;
    test.tool_refuses(&lead, "propose_task_tree", json!({ "goal_id": id, "tree": [node("Four")] }), "goal_ended").await;
    // The owner was told by whom and with what words.
    let inbox = test.look(&ann, "/api/messages?from=system&limit=50").await;
    let told = inbox["messages"].as_array().unwrap().iter().any(|message| {
        let body = message["body"].as_str().unwrap();
        body.contains("@lead reports that it is completed") && body.contains("It is done.")
    });
    assert!(told, "{inbox}");
    // The message is removed later, and the goal stays.
    test.execute(format!("DELETE FROM messages WHERE id = {}", said["id"])).await;
    let goal = test.goal_of(&ann, &id).await;
    assert_eq!((&goal["status"], &goal["completion_message_id"]), (&json!("completed"), &Value::Null));
}

#[both_engines]
async fn a_tree_is_stored_whole_or_not_at_all(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    test.create_agent(&ann, "writer").await;
    test.create_agent(&bob, "stranger").await;
    let id = test.goal(&ann, "Plan", json!({ "budget": { "usd": 1.0 } })).await;
    let path = format!("/api/goals/{id}/tasks");
    let nodes = |count: usize| (0..count).map(|index| node(&format!("Task {index}"))).collect::<Vec<_>>();
    let deep = (1..7).rev().fold(node("7"), |below, level| json!({ "title": level.to_string(), "children": [below] }));
    for (tree, field) in [
        (json!([after("A", &["B"]), after("B", &["A"])]), "tree[1].depends_on[0]"),
        (json!(nodes(201)), "tree[200]"),
        (json!([deep]), "tree[0].children[0].children[0].children[0].children[0].children[0].children[0]"),
        (
            json!([{ "title": "A", "budget_usd": 0.5, "children": [{ "title": "B", "budget_usd": 0.6 }] }]),
            "tree[0].budget_usd",
        ),
        (json!([{ "title": "A", "budget_usd": 0.6 }, { "title": "B", "budget_usd": 0.5 }]), "tree[1].budget_usd"),
        (json!([node("Same"), { "title": "Other", "children": [node("same")] }]), "tree[1].children[0].title"),
        (json!([{ "title": "A", "assignee": "stranger" }]), "tree[0].assignee"),
        (json!([{ "title": "A", "assignee": "nobody" }]), "tree[0].assignee"),
        (json!([{ "title": "A", "verifier": { "kind": "peer", "by": "stranger" } }]), "tree[0].verifier.by"),
        (json!([{ "title": "A", "verifier": { "kind": "command" } }]), "tree[0].verifier.by"),
        (
            json!([node("A"), { "title": "B", "children": [after("C", &["A", "Nothing"])] }]),
            "tree[1].children[0].depends_on[1]",
        ),
        (json!([]), "tree"),
    ] {
        let answer = test.ask(&ann, Method::POST, &path, json!({ "tree": tree })).await;
        let refused = problem(answer, 400, "validation_failed").await;
        assert_eq!(faults(&refused), [field], "{refused}");
    }
    let goal = test.goal_of(&ann, &id).await;
    assert_eq!((&goal["status"], &goal["tasks"]), (&json!("draft"), &json!([])));
    // The largest tree is accepted, and makes the draft active.
    test.tree(&ann, &id, json!(nodes(200))).await;
    let goal = test.goal_of(&ann, &id).await;
    assert_eq!((&goal["status"], &goal["task_counts"]["proposed"]), (&json!("active"), &json!(200)));
}

#[both_engines]
async fn a_later_tree_replaces_the_tasks_that_nobody_has_begun(test: TestServer) {
    let ann = test.person("ann").await;
    let key = test.create_agent(&ann, "writer").await;
    let first = json!([{ "title": "Book", "children": [node("Chapter 1"), node("Chapter 2")] }, node("Cover")]);
    let id = test.free_goal(&ann, "Write a book", first).await;
    let (begun, _) = test.claim_task(&key, &ann, &id, "Chapter 1").await;
    let second = json!([{ "title": "book", "description": "Another one", "children": [node("Chapter 3"), after("Index", &["Chapter 1"])] }]);
    test.tree(&ann, &id, second).await;
    let goal = test.goal_of(&ann, &id).await;
    let found: Vec<_> = flat(&goal["tasks"])
        .iter()
        .map(|task| (task["title"].as_str().unwrap().to_owned(), task["status"].as_str().unwrap().to_owned()))
        .collect();
    let expected = [("Book", "approved"), ("Chapter 1", "claimed"), ("Chapter 3", "approved"), ("Index", "approved")];
    assert_eq!(found, expected.map(|(title, status)| (title.to_owned(), status.to_owned())));
    let book = test.goal_task(&ann, &id, "Book").await;
    assert_eq!((&book["description"], &book["parent_id"]), (&json!(""), &Value::Null));
    assert_eq!(test.goal_task(&ann, &id, "Index").await["blocked_by"], json!([begun]));
    assert_eq!(entries(&goal, "tree").last().unwrap()["text"], "2 tasks proposed, 2 replaced");
}

#[both_engines]
async fn goals_are_listed_with_stuck_ones_first_page_by_page(test: TestServer) {
    let ann = test.person("ann").await;
    let mut ids = Vec::new();
    for number in 0..5 {
        ids.push(test.goal(&ann, &format!("Goal {number}"), json!({})).await);
    }
    let stuck = json!({ "status": "stuck", "stuck_reason": "No key" });
    test.did(&ann, Method::PATCH, &format!("/api/goals/{}", ids[1]), stuck).await;
    let (mut listed, mut cursor) = (Vec::new(), String::new());
    loop {
        let page = test.look(&ann, &format!("/api/goals?limit=2{cursor}")).await;
        listed.extend(page["goals"].as_array().unwrap().iter().map(|goal| goal["id"].clone()));
        let Some(next) = page["next_cursor"].as_str() else { break };
        cursor = format!("&cursor={next}");
    }
    let order = [1, 4, 3, 2, 0];
    assert_eq!(listed, order.map(|index| ids[index].clone()));
    let page = test.look(&ann, "/api/goals?status=stuck").await;
    let only = page["goals"].as_array().unwrap();
    assert_eq!((only.len(), &only[0]["stuck_reason"]), (1, &json!("No key")));
    for query in ["?cursor=x", "?cursor=-1", "?limit=0", "?status=happy"] {
        let answer = test.request_as(&ann, Method::GET, &format!("/api/goals{query}")).send().await.unwrap();
        assert_eq!(answer.status(), 400, "{query}");
    }
}

#[both_engines]
async fn goals_survive_the_deletion_of_agents_channels_and_owners(test: TestServer) {
    let (ann, root) = (test.person("ann").await, svc_core::Caller::root());
    let lead = test.create_agent(&ann, "lead").await;
    test.create_agent(&ann, "checker").await;
    let goal = json!({ "title": "Move", "coordinator": "lead", "autonomy": "autonomous" });
    let id = test.did(&ann, Method::POST, "/api/goals", goal).await["id"].clone();
    let tree = json!([
        { "title": "Pack", "assignee": "lead" },
        { "title": "Check", "verifier": { "kind": "command", "by": "checker" } },
    ]);
    test.tree(&ann, &id, tree).await;
    test.claim_task(&lead, &ann, &id, "Pack").await;
    test.did(&ann, Method::DELETE, "/api/agents/lead", json!({})).await;
    test.did(&ann, Method::DELETE, "/api/agents/checker", json!({})).await;
    let shown = test.goal_of(&ann, &id).await;
    assert_eq!(shown["coordinator"], Value::Null);
    let pack = test.goal_task(&ann, &id, "Pack").await;
    assert_eq!(
        (&pack["status"], &pack["assignee"], &pack["claimant"]),
        (&json!("approved"), &Value::Null, &Value::Null)
    );
    assert_eq!(test.goal_task(&ann, &id, "Check").await["verifier"], json!({ "kind": "human" }));
    // Without its channel, everything goes on.
    let channel = shown["channel"].as_str().unwrap();
    test.did(&ann, Method::DELETE, &format!("/api/channels/{channel}"), json!({})).await;
    let other = test.create_agent(&ann, "other").await;
    test.do_task(&other, &ann, &id, "Pack").await;
    assert_eq!(test.goal_task(&ann, &id, "Pack").await["status"], "done");
    // The goals of an account that is deleted are cancelled.
    test.hub.users().delete(&root, "ann").await.unwrap();
    let ended = test.hub.goals().get(&root, svc_core::ids::GoalId(id.as_i64().unwrap())).await.unwrap();
    assert_eq!(ended.goal.status, svc_core::goals::GoalStatus::Cancelled);
    assert!(ended.goal.completion_summary.unwrap().contains("deleted"));
}
