//! Runs: a message starts its agent, and what comes of it.

use std::collections::BTreeSet;

use reqwest::Method;
use serde_json::{Value, json};
use svc_core::harness::{RunEnd, RunFailure, RunResult, Usage};
use svc_test_macros::both_engines;

use crate::support::server::{TestServer, problem};
use crate::support::wait::until;

/// The reactions on a message.
fn reactions(message: &Value) -> BTreeSet<&str> {
    message["reactions"].as_array().unwrap().iter().map(|one| one["reaction"].as_str().unwrap()).collect()
}

fn succeeded(response: &str) -> RunEnd {
    RunEnd::Succeeded(RunResult { response: Some(response.into()), ..RunResult::default() })
}

#[both_engines]
async fn a_message_starts_its_agent_and_the_answer_is_its_reply(test: TestServer) {
    let ann = test.person("ann").await;
    let key = test.reactive(&ann, "scout").await;
    let usage =
        Usage { tokens_in: 1200, tokens_out: 80, tokens_cached: 200, cost_micros: Some(4500), is_imputed: true };
    test.harness.ends(RunEnd::Succeeded(RunResult {
        response: Some("It is green.".into()),
        session_id: Some("s-1".into()),
        usage,
        trace_id: Some("t-1".into()),
        exit_code: Some(0),
    }));
    let asked = test.say(&ann, json!({ "to": "scout", "subject": "build", "body": "Is the build green?" })).await;
    let run = test.until_run(&ann, "succeeded").await;
    assert_eq!((&run["agent"], &run["cause"], &run["messages"]), (&json!("scout"), &json!("message"), &json!(1)));
    let story = test.run(&ann, &run["id"]).await;
    assert_eq!(story["run"], run);
    assert_eq!(story["agent"]["trigger_mode"], "reactive");
    let trigger = &story["trigger_message"];
    assert_eq!((&trigger["id"], &trigger["status"]), (&asked["id"], &json!("done")));
    assert_eq!(reactions(trigger), BTreeSet::from(["done", "in_progress"]));
    let reply = &story["outgoing_message"];
    assert_eq!((&reply["from"], &reply["to"]), (&json!("scout"), &json!("ann")));
    assert_eq!((&reply["body"], &reply["reply_to"]), (&json!("It is green."), &asked["id"]));
    assert_eq!((&reply["subject"], &reply["depth"]), (&json!("build"), &json!(1)));
    let came = &story["harness_run"];
    assert!(came["prompt"].as_str().unwrap().contains("Is the build green?"), "{came}");
    for (field, value) in [
        ("reactive_run_id", run["id"].clone()),
        ("backend", json!("subprocess")),
        ("response", json!("It is green.")),
        ("session_id", json!("s-1")),
        ("tokens_in", json!(1200)),
        ("tokens_out", json!(80)),
        ("tokens_cached", json!(200)),
        ("cost_usd", json!(0.0045)),
        ("cost_imputed", json!(true)),
        ("exit_code", json!(0)),
        ("trace_id", json!("t-1")),
        ("error_log", Value::Null),
    ] {
        assert_eq!(came[field], value, "{field}");
    }
    assert!(came["logs_excerpt"].as_str().unwrap().contains("of scout"), "{came}");
    // The agent reads its own run.
    let listed = test.tool(&key, "list_runs", json!({})).await;
    assert_eq!((&listed["runs"][0]["id"], &listed["runs"][0]["trigger"]), (&run["id"], &asked["id"]));
    let read = test.tool(&key, "get_run", json!({ "id": run["id"] })).await;
    assert_eq!((&read["response"], &read["outgoing_message"]), (&json!("It is green."), &reply["id"]));
    // The next run of the conversation can resume the session; another conversation cannot.
    test.say(&ann, json!({ "to": "scout", "subject": "build", "body": "And now?" })).await;
    assert_eq!(test.harness.job(2).await.session_id.as_deref(), Some("s-1"));
    test.until_run(&ann, "succeeded").await;
    test.say(&ann, json!({ "to": "scout", "subject": "other", "body": "Hello." })).await;
    assert_eq!(test.harness.job(3).await.session_id, None);
}

#[both_engines]
async fn a_failure_rejects_the_message_and_tells_the_owner(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    test.reactive(&ann, "scout").await;
    test.harness.fails(RunFailure::ExitCode, "line 1\nboom: no such file");
    let asked = test.say(&bob, json!({ "to": "scout", "body": "look" })).await;
    let run = test.until_run(&ann, "failed").await;
    assert_eq!(run["error"], "exit_code");
    let story = test.run(&ann, &run["id"]).await;
    let trigger = &story["trigger_message"];
    assert_eq!((&trigger["id"], &trigger["status"]), (&asked["id"], &json!("failed")));
    assert_eq!(reactions(trigger), BTreeSet::from(["in_progress", "reject"]));
    assert_eq!(story["harness_run"]["error_log"], "line 1\nboom: no such file");
    assert_eq!(story["outgoing_message"], Value::Null);
    let inbox = test.look(&ann, "/api/messages?limit=20").await;
    let told = inbox["messages"].as_array().unwrap().iter().find(|message| message["from"] == "system").unwrap();
    assert!(told["body"].as_str().unwrap().contains("boom: no such file"), "{told}");
    assert_eq!(told["metadata"]["run"]["id"], run["id"]);
    assert_eq!(test.look(&ann, "/api/dead-letters").await["total"], 1);
    // Nobody else sees the run.
    let path = format!("/api/runs/{}", run["id"]);
    problem(test.request_as(&bob, Method::GET, &path).send().await.unwrap(), 404, "not_found").await;
    assert_eq!(test.runs(&bob, "").await, Vec::<Value>::new());
}

#[both_engines]
async fn a_run_acts_as_its_agent_until_it_ends(test: TestServer) {
    let ann = test.person("ann").await;
    test.reactive(&ann, "scout").await;
    let end = test.harness.waits();
    let asked = test.say(&ann, json!({ "to": "scout", "body": "go" })).await;
    let job = test.harness.job(1).await;
    assert!(job.credential.starts_with("svcx_"));
    assert_eq!(job.mcp_config["mcpServers"]["svc"]["url"], test.url("/mcp"));
    let claimed = &job.messages["messages"][0];
    assert_eq!((&claimed["id"], &claimed["from"], &claimed["trust"]), (&asked["id"], &json!("ann"), &json!("human")));
    // Another worker of the agent gets nothing: the run has claimed it.
    let status = test.tool(&job.credential, "my_status", json!({})).await;
    assert_eq!(status["you"]["name"], "scout");
    assert_eq!(test.tool(&job.credential, "claim_messages", json!({})).await["messages"], json!([]));
    let sent = test.say_with(&job.credential, json!({ "to": "ann", "body": "On it." })).await;
    assert_eq!((&sent["from"], &sent["depth"]), (&json!("scout"), &json!(1)));
    end.send(succeeded("This is only recorded.")).unwrap();
    let run = test.until_run(&ann, "succeeded").await;
    let story = test.run(&ann, &run["id"]).await;
    assert_eq!(
        (&story["outgoing_message"]["id"], &story["harness_run"]["response"]),
        (&sent["id"], &json!("This is only recorded."))
    );
    let from_scout =
        "SELECT count(*) FROM messages m JOIN participants p ON p.id = m.sender_id WHERE p.handle = 'scout'";
    assert_eq!(test.number(from_scout).await, 1);
    let refused = test.request_with(&job.credential, Method::GET, "/api/messages").send().await.unwrap();
    problem(refused, 401, "token_revoked").await;
    // The store has the hash of the credential while the run lasts, and never the credential.
    assert_eq!(test.number("SELECT count(*) FROM run_credentials").await, 0);
}

#[both_engines]
async fn two_agents_mentioned_in_one_message_each_run_once(test: TestServer) {
    let ann = test.person("ann").await;
    test.reactive(&ann, "scout").await;
    test.reactive(&ann, "builder").await;
    test.open_room(&ann, "plans", false, &["scout", "builder"]).await;
    test.harness.answers("Looked.");
    test.harness.answers("Looked.");
    let posted = test.say(&ann, json!({ "channel": "plans", "body": "@scout and @builder, have a look" })).await;
    until("two runs", async || (test.statuses(&ann).await == ["succeeded", "succeeded"]).then_some(())).await;
    // Each answers in the channel, to the message; the message shows the reactions of the first one.
    let replies = test.look(&ann, &format!("/api/messages/{}/replies", posted["id"])).await;
    let authors: BTreeSet<_> =
        replies["replies"].as_array().unwrap().iter().map(|reply| reply["from"].as_str().unwrap()).collect();
    assert_eq!(authors, BTreeSet::from(["builder", "scout"]));
    let shown = test.look(&ann, &format!("/api/messages/{}", posted["id"])).await;
    assert_eq!(reactions(&shown), BTreeSet::from(["done", "in_progress"]));
    assert_eq!(shown["reactions"].as_array().unwrap().len(), 2);
    // Each agent's own copy has its own.
    for run in test.runs(&ann, "").await {
        let story = test.run(&ann, &run["id"]).await;
        assert_eq!(reactions(&story["trigger_message"]), BTreeSet::from(["done", "in_progress"]));
        assert_eq!(story["outgoing_message"]["channel"], "plans");
    }
}

#[both_engines]
async fn an_answer_can_be_kept_and_texts_are_cut(test: TestServer) {
    let ann = test.person("ann").await;
    test.reactive(&ann, "scout").await;
    test.set_agent(&ann, "scout", json!({ "harness": { "command": "agent", "reply": "never" } })).await;
    test.harness.answers(&"é".repeat(40_000));
    test.say(&ann, json!({ "to": "scout", "body": "go" })).await;
    let run = test.until_run(&ann, "succeeded").await;
    let story = test.run(&ann, &run["id"]).await;
    let response = story["harness_run"]["response"].as_str().unwrap();
    assert!(response.len() <= 32 * 1024 && response.ends_with("[cut]"), "{}", response.len());
    assert_eq!((&story["harness_run"]["response_truncated"], &story["outgoing_message"]), (&json!(true), &Value::Null));
}

#[both_engines]
async fn an_agent_without_a_harness_fails_and_says_so(test: TestServer) {
    let ann = test.person("ann").await;
    test.reactive(&ann, "scout").await;
    test.set_agent(&ann, "scout", json!({ "harness": {} })).await;
    test.say(&ann, json!({ "to": "scout", "body": "go" })).await;
    let run = test.until_run(&ann, "failed").await;
    assert_eq!(run["error"], "settings");
    assert!(test.harness.jobs().is_empty());
    // The counter follows the commit.
    until("the count", async || {
        let metrics = test.get("/metrics").await.text().await.unwrap();
        metrics.contains("runs_total{status=\"failed\"} 1").then_some(())
    })
    .await;
}

#[both_engines]
async fn the_steps_of_a_run_are_told_live_to_its_owner_alone(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    test.reactive(&ann, "scout").await;
    let (mut to_ann, mut to_bob) = (test.stream(&ann).await, test.stream(&bob).await);
    test.say(&bob, json!({ "to": "scout", "body": "go" })).await;
    test.until_run(&ann, "succeeded").await;
    let end = test.say(&ann, json!({ "channel": "general", "body": "for all" })).await;
    let told = to_ann.through(&end).await;
    let steps: Vec<_> =
        told.iter().filter(|event| event.name == "run_changed").map(|event| &event.data["status"]).collect();
    assert_eq!(steps, ["queued", "running", "succeeded"]);
    assert!(to_bob.through(&end).await.iter().all(|event| event.name != "run_changed"));
}
