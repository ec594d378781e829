//! Runs on request: now, again, cancelled, reported later; and their logs.

use futures_util::StreamExt;
use reqwest::Method;
use serde_json::{Value, json};
use svc_core::harness::{RunEnd, RunFailure, RunResult};
use svc_test_macros::both_engines;

use crate::support::admin::svc_admin;
use crate::support::server::{TestServer, problem, told};
use crate::support::wait::{soon, until};

fn well() -> RunEnd {
    RunEnd::Succeeded(RunResult::default())
}

#[both_engines]
async fn a_run_that_ended_can_be_repeated(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    let key = test.reactive(&ann, "scout").await;
    test.harness.fails(RunFailure::Timeout, "too slow");
    let asked = test.say(&ann, json!({ "to": "scout", "body": "go" })).await;
    let failed = test.until_run(&ann, "failed").await;
    let path = format!("/api/runs/{}/retry", failed["id"]);
    // Neither somebody else nor the agent itself.
    problem(test.ask(&bob, Method::POST, &path, json!({})).await, 404, "not_found").await;
    let asked_itself = test.request_with(&key, Method::POST, &path).send().await.unwrap();
    problem(asked_itself, 403, "owner_required").await;
    let end = test.harness.waits();
    let again = test.did(&ann, Method::POST, &path, json!({})).await;
    assert_eq!((&again["retry_of"], &again["cause"]), (&failed["id"], &json!("retry")));
    assert_eq!((&again["trigger_message_id"], &again["status"]), (&asked["id"], &json!("queued")));
    test.harness.job(2).await;
    // One at a time, and only what has ended.
    problem(test.ask(&ann, Method::POST, &path, json!({})).await, 409, "run_active").await;
    let open = format!("/api/runs/{}/retry", again["id"]);
    problem(test.ask(&ann, Method::POST, &open, json!({})).await, 409, "run_open").await;
    end.send(well()).unwrap();
    let story = test.until_status(&ann, &again["id"], "succeeded").await;
    assert_eq!(story["trigger_message"]["status"], "done");
    // Also one that ended well.
    let third = test.did(&ann, Method::POST, &open, json!({})).await;
    test.until_status(&ann, &third["id"], "succeeded").await;
    assert_eq!(test.harness.job(3).await.messages["messages"][0]["id"], asked["id"]);
    problem(test.ask(&ann, Method::POST, "/api/runs/999/retry", json!({})).await, 404, "not_found").await;
}

#[both_engines]
async fn a_run_that_is_under_way_can_be_cancelled(test: TestServer) {
    let ann = test.person("ann").await;
    test.reactive(&ann, "scout").await;
    let _end = test.harness.waits();
    test.say(&ann, json!({ "to": "scout", "body": "one" })).await;
    test.harness.job(1).await;
    test.say(&ann, json!({ "to": "scout", "body": "two" })).await;
    let run = until("a run", async || test.runs(&ann, "?status=running").await.into_iter().next()).await;
    let path = format!("/api/runs/{}/cancel", run["id"]);
    let asked = test.did(&ann, Method::POST, &path, json!({})).await;
    assert!(asked["cancel_requested_at"].is_string(), "{asked}");
    let story = test.until_status(&ann, &run["id"], "cancelled").await;
    assert_eq!((&story["run"]["error"], &story["trigger_message"]["status"]), (&json!("cancelled"), &json!("failed")));
    problem(test.ask(&ann, Method::POST, &path, json!({})).await, 409, "run_ended").await;
    // The other message has its own run.
    let job = test.harness.job(2).await;
    assert_eq!(job.messages["messages"].as_array().unwrap().len(), 1);
    test.until_run(&ann, "succeeded").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_queued_run_is_cancelled_at_once_and_owners_take_turns() {
    let test = TestServer::start(|config| config.hub.runs.max_runs = 1).await;
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    for name in ["one", "two", "three", "four"] {
        test.reactive(&ann, name).await;
    }
    test.reactive(&bob, "other").await;
    let end = test.harness.waits();
    test.say(&ann, json!({ "to": "one", "body": "go" })).await;
    test.harness.job(1).await;
    for name in ["two", "three", "four"] {
        test.say(&ann, json!({ "to": name, "body": "go" })).await;
    }
    test.say(&bob, json!({ "to": "other", "body": "go" })).await;
    until("queued runs", async || {
        let queued = test.runs(&ann, "?status=queued").await.len() + test.runs(&bob, "?status=queued").await.len();
        (queued == 4).then_some(())
    })
    .await;
    let queued = test.runs(&ann, "?agent=two").await[0].clone();
    let cancelled = test.did(&ann, Method::POST, &format!("/api/runs/{}/cancel", queued["id"]), json!({})).await;
    assert_eq!((&cancelled["status"], &cancelled["started_at"]), (&json!("cancelled"), &Value::Null));
    let story = test.run(&ann, &queued["id"]).await;
    assert_eq!((&story["trigger_message"]["status"], &story["harness_run"]), (&json!("failed"), &Value::Null));
    end.send(well()).unwrap();
    // One run at a time on this node, and the other owner does not wait for all of ann's.
    assert_eq!(test.harness.job(4).await.agent, "four");
}

#[both_engines]
async fn an_owner_runs_an_agent_now(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    test.reactive(&ann, "scout").await;
    let path = "/api/agents/scout/run";
    problem(test.ask(&bob, Method::POST, path, json!({})).await, 404, "not_found").await;
    test.harness.answers("Nothing new.");
    let run = test.did(&ann, Method::POST, path, json!({ "prompt": "Look around." })).await;
    assert_eq!((&run["cause"], &run["trigger_message_id"]), (&json!("request"), &Value::Null));
    let story = test.until_status(&ann, &run["id"], "succeeded").await;
    assert!(story["harness_run"]["prompt"].as_str().unwrap().contains("Look around."));
    assert_eq!(
        (&story["outgoing_message"]["to"], &story["outgoing_message"]["body"]),
        (&json!("ann"), &json!("Nothing new."))
    );
    test.set_agent(&ann, "scout", json!({ "daily_run_budget": 1 })).await;
    problem(test.ask(&ann, Method::POST, path, json!({})).await, 409, "budget_exhausted").await;
    let long = json!({ "prompt": "x".repeat(20_000) });
    problem(test.ask(&ann, Method::POST, path, long).await, 400, "validation_failed").await;
}

#[both_engines]
async fn a_preview_is_the_prompt_of_the_run_that_follows(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    let key = test.reactive(&ann, "scout").await;
    test.set_agent(&ann, "scout", json!({ "cooldown_seconds": 3600 })).await;
    test.say(&ann, json!({ "to": "scout", "body": "one" })).await;
    test.until_run(&ann, "succeeded").await;
    for body in ["two", "three"] {
        test.say(&ann, json!({ "to": "scout", "body": body })).await;
    }
    let asked = json!({ "prompt": "Review the open pull requests." });
    let preview = test.did(&ann, Method::POST, "/api/agents/scout/run/preview", asked.clone()).await;
    let prompt = preview["prompt"].as_str().unwrap();
    assert!(prompt.contains("\"body\":\"two\"") && prompt.contains("Review the open pull requests."), "{prompt}");
    assert_eq!(preview["message_count"], 2);
    let shown = svc_admin(&test, &["runs", "preview", "scout", "--prompt", "Review the open pull requests."]).await;
    assert_eq!(shown.worked().trim_end(), prompt.trim_end());
    // Nothing was claimed, and the run gets just that.
    test.did(&ann, Method::POST, "/api/agents/scout/run", asked.clone()).await;
    assert_eq!(test.harness.job(2).await.prompt, prompt);
    let path = "/api/agents/scout/run/preview";
    problem(test.ask(&bob, Method::POST, path, asked.clone()).await, 404, "not_found").await;
    let asked_itself = test.request_with(&key, Method::POST, path).json(&asked).send().await.unwrap();
    problem(asked_itself, 403, "owner_required").await;
    let long = json!({ "prompt": "x".repeat(16 * 1024 + 1) });
    problem(test.ask(&ann, Method::POST, path, long).await, 400, "validation_failed").await;
    test.set_agent(&ann, "scout", json!({ "harness": {} })).await;
    problem(test.ask(&ann, Method::POST, path, asked).await, 409, "harness_missing").await;
}

#[both_engines]
async fn a_backend_can_deliver_its_result_later(test: TestServer) {
    let ann = test.person("ann").await;
    let key = test.reactive(&ann, "scout").await;
    test.harness.ends(RunEnd::Accepted);
    test.say(&ann, json!({ "to": "scout", "body": "go" })).await;
    let job = test.harness.job(1).await;
    let path = format!("/api/runs/{}/result", job.run);
    let report = json!({ "response": "Later.", "usage": { "tokens_in": 5, "tokens_out": 7, "cost_usd": 0.25 } });
    // Only the run itself.
    let other = test.request_with(&key, Method::POST, &path).json(&report).send().await.unwrap();
    problem(other, 403, "run_credential_required").await;
    let wrong =
        test.request_with(&job.credential, Method::POST, "/api/runs/999/result").json(&report).send().await.unwrap();
    problem(wrong, 404, "not_found").await;
    let delivered = test.request_with(&job.credential, Method::POST, &path).json(&report).send().await.unwrap();
    assert_eq!(told(delivered, 200).await["id"], job.run.0);
    let run = test.until_run(&ann, "succeeded").await;
    let story = test.run(&ann, &run["id"]).await;
    assert_eq!(
        (&story["harness_run"]["response"], &story["harness_run"]["cost_usd"]),
        (&json!("Later."), &json!(0.25))
    );
    assert_eq!(story["outgoing_message"]["body"], "Later.");
    let again = test.request_with(&job.credential, Method::POST, &path).json(&report).send().await.unwrap();
    problem(again, 401, "token_revoked").await;
}

#[both_engines]
async fn a_log_is_read_while_it_grows(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    test.reactive(&ann, "scout").await;
    let end = test.harness.waits();
    test.say(&ann, json!({ "to": "scout", "body": "go" })).await;
    let job = test.harness.job(1).await;
    let path = format!("/api/runs/{}/logs", job.run);
    let line = format!("run {} of scout\n", job.run);
    let text = test.request_as(&ann, Method::GET, &path).send().await.unwrap().text().await.unwrap();
    assert_eq!(text, line);
    let followed = test.request_as(&ann, Method::GET, &format!("{path}?follow=true")).send().await.unwrap();
    assert_eq!(followed.headers()["content-type"], "text/plain; charset=utf-8");
    let mut parts = followed.bytes_stream();
    assert_eq!(soon("the first part", parts.next()).await.unwrap().unwrap(), line.as_bytes());
    end.send(well()).unwrap();
    assert!(soon("the end of the log", parts.next()).await.is_none());
    test.until_run(&ann, "succeeded").await;
    // Afterwards it is in the store.
    for query in ["", "?follow=true"] {
        let text =
            test.request_as(&ann, Method::GET, &format!("{path}{query}")).send().await.unwrap().text().await.unwrap();
        assert_eq!(text, line);
    }
    problem(test.request_as(&bob, Method::GET, &path).send().await.unwrap(), 404, "not_found").await;
}

#[tokio::test]
async fn a_log_that_is_followed_before_the_run_begins_is_live() {
    let test = TestServer::start(|config| config.hub.runs.max_runs = 1).await;
    let ann = test.person("ann").await;
    test.reactive(&ann, "first").await;
    test.reactive(&ann, "second").await;
    let (end_first, end_second) = (test.harness.waits(), test.harness.waits());
    test.say(&ann, json!({ "to": "first", "body": "go" })).await;
    test.harness.job(1).await;
    test.say(&ann, json!({ "to": "second", "body": "go" })).await;
    let queued = test.until_run(&ann, "queued").await["id"].clone();
    let path = format!("/api/runs/{queued}/logs?follow=true");
    let mut parts = test.request_as(&ann, Method::GET, &path).send().await.unwrap().bytes_stream();
    end_first.send(well()).unwrap();
    let line = soon("the first part", parts.next()).await.unwrap().unwrap();
    assert_eq!(line, format!("run {queued} of second\n").as_bytes());
    end_second.send(well()).unwrap();
    assert!(soon("the end of the log", parts.next()).await.is_none());
}

#[both_engines]
async fn an_agent_that_is_deleted_ends_its_run(test: TestServer) {
    let ann = test.person("ann").await;
    test.reactive(&ann, "scout").await;
    let _end = test.harness.waits();
    test.say(&ann, json!({ "to": "scout", "body": "go" })).await;
    let job = test.harness.job(1).await;
    test.did(&ann, Method::DELETE, "/api/agents/scout", json!({})).await;
    let run = test.runs(&ann, "").await[0].clone();
    assert_eq!((&run["status"], &run["error"]), (&json!("cancelled"), &json!("agent_deleted")));
    let refused = test.request_with(&job.credential, Method::GET, "/api/messages").send().await.unwrap();
    problem(refused, 401, "token_revoked").await;
}

#[both_engines]
async fn operators_manage_runs_on_the_command_line(test: TestServer) {
    let ann = test.person("ann").await;
    test.reactive(&ann, "scout").await;
    let started = svc_admin(&test, &["--output", "json", "runs", "start", "scout", "--prompt", "Look."]).await.json();
    assert_eq!(started["cause"], "request");
    let id = started["id"].to_string();
    test.until_status(&ann, &started["id"], "succeeded").await;
    let listed = svc_admin(&test, &["--output", "json", "runs", "list", "--agent", "scout"]).await.json();
    assert_eq!(listed["runs"][0]["id"], started["id"]);
    let shown = svc_admin(&test, &["--output", "json", "runs", "show", &id]).await.json();
    assert!(shown["harness_run"]["prompt"].as_str().unwrap().contains("Look."));
    let log = svc_admin(&test, &["--output", "json", "runs", "logs", &id]).await.json();
    assert_eq!(log["text"], format!("run {id} of scout\n"));
    let again = svc_admin(&test, &["--output", "json", "runs", "retry", &id]).await.json();
    test.until_status(&ann, &again["id"], "succeeded").await;
}
