//! Cluster jobs from outside, against a real Kubernetes API server: an event becomes one Job, and its end comes home.

use std::collections::{BTreeMap, BTreeSet};

use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};
use svc_test_macros::both_engines;

use crate::support::kubernetes::Clustered;
use crate::support::people::Person;
use crate::support::server::TestServer;
use crate::support::wait::{until, until_done};

/// Answers the message in the event, after asking the hub with the credential of the run who it is.
const ANSWER: &str = r#"exec bash -c '
host=${SVC_URL#http://}
exec 3<>"/dev/tcp/${host%:*}/${host#*:}"
printf "GET /api/runs/$SVC_RUN_ID HTTP/1.0\r\nHost: $host\r\nAuthorization: Bearer $SVC_AGENT_KEY\r\n\r\n" >&3
head -n 1 <&3 | grep -q " 200 " || exit 7
grep -q "Is the build green?" "$SVC_EVENT_FILE" || exit 8
echo "the event was read"
echo "{\"response\": \"It is green.\", \"usage\": {\"tokens_in\": 9, \"tokens_out\": 1, \"cost_usd\": 0.25}}"
'"#;

async fn reactions(test: &TestServer, person: &Person, id: &Value) -> Vec<String> {
    let message = test.look(person, &format!("/api/messages/{id}")).await;
    let shown = message["reactions"].as_array().unwrap();
    shown.iter().map(|reaction| reaction["reaction"].as_str().unwrap().to_owned()).collect()
}

async fn text(test: &TestServer, who: &Person, path: &str) -> String {
    test.request_as(who, Method::GET, path).send().await.unwrap().text().await.unwrap()
}

#[both_engines]
async fn a_message_becomes_a_job_and_is_done(test: Clustered) {
    let Some((test, namespace)) = test.0 else { return };
    let ann = test.person("ann").await;
    test.create_agent(&ann, "scout").await;
    let handler = test.handler(&ann, "scout", &["message.received"], ANSWER).await;
    let asked = test.say(&ann, json!({ "to": "scout", "body": "Is the build green?" })).await;
    let job = test.until_jobs(&ann, 1).await.remove(0);
    assert_eq!((&job["status"], &job["error"], &job["exit_code"]), (&json!("succeeded"), &Value::Null, &json!(0)));
    assert_eq!((&job["event"], &job["handler_id"]), (&json!("message.received"), &handler["id"]));
    assert_eq!((&job["namespace"], &job["trigger_message_id"]), (&json!(namespace.name), &asked["id"]));
    assert_eq!(job["job"], format!("svc-scout-{}", job["id"]));
    assert_eq!(reactions(&test, &ann, &asked["id"]).await, ["in_progress", "done"]);
    // It is a run as any other.
    let story = test.run(&ann, &job["id"]).await;
    assert_eq!((&story["run"]["cause"], &story["harness_run"]["backend"]), (&json!("event"), &json!("k8s")));
    assert_eq!(story["trigger_message"]["status"], "done");
    assert_eq!(story["harness_run"]["cost_usd"], 0.25);
    let reply = &story["outgoing_message"];
    assert_eq!((&reply["body"], &reply["reply_to"]), (&json!("It is green."), &asked["id"]));
    let event: Value = serde_json::from_str(story["harness_run"]["prompt"].as_str().unwrap()).unwrap();
    assert_eq!((&event["type"], &event["data"]["body"]), (&json!("message.received"), &asked["body"]));
    for path in ["runs", "k8s/runs"] {
        let log = text(&test, &ann, &format!("/api/{path}/{}/logs", job["id"])).await;
        assert!(log.contains("the event was read"), "{log}");
    }
    assert_eq!(test.runs(&ann, "").await.len(), 1);
    assert_eq!(namespace.jobs().await.len(), 1);
}

#[both_engines]
async fn a_failed_job_rejects_its_message_and_tells_the_owner(test: Clustered) {
    let Some((test, _namespace)) = test.0 else { return };
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    test.create_agent(&ann, "scout").await;
    test.handler(&ann, "scout", &["message.received"], "echo no disk left >&2; exit 42").await;
    let asked = test.say(&bob, json!({ "to": "scout", "body": "Build it." })).await;
    let job = test.until_jobs(&ann, 1).await.remove(0);
    assert_eq!((&job["status"], &job["error"], &job["exit_code"]), (&json!("failed"), &json!("exit_code"), &json!(42)));
    assert!(job["error_detail"].as_str().unwrap().contains("no disk left"), "{job}");
    assert_eq!(reactions(&test, &bob, &asked["id"]).await, ["in_progress", "reject"]);
    let told = test.look(&ann, "/api/messages?from=system").await["messages"][0].clone();
    let body = told["body"].as_str().unwrap();
    assert!(body.contains("@scout failed (exit_code)") && body.contains("no disk left"), "{body}");
    // The event can be handled again.
    let again = test.did(&ann, Method::POST, &format!("/api/runs/{}/retry", job["id"]), json!({})).await;
    assert_eq!((&again["cause"], &again["retry_of"]), (&json!("event"), &job["id"]));
    let jobs = test.until_jobs(&ann, 2).await;
    assert_ne!(jobs[0]["job"], jobs[1]["job"]);
}

#[both_engines]
async fn a_job_is_cancelled_with_its_run_and_with_its_agent(test: Clustered) {
    let Some((test, namespace)) = test.0 else { return };
    let ann = test.person("ann").await;
    for (agent, is_deleted) in [("scout", false), ("scribe", true)] {
        test.create_agent(&ann, agent).await;
        test.handler(&ann, agent, &["message.received"], "echo begun; sleep 1000").await;
        test.say(&ann, json!({ "to": agent, "body": "Wait." })).await;
        let run = test.until_run(&ann, "running").await;
        let log = format!("/api/runs/{}/logs", run["id"]);
        until("it runs", async || text(&test, &ann, &log).await.contains("begun").then_some(())).await;
        if is_deleted {
            test.did(&ann, Method::DELETE, &format!("/api/agents/{agent}"), Value::Null).await;
        } else {
            test.did(&ann, Method::POST, &format!("/api/runs/{}/cancel", run["id"]), json!({})).await;
            test.until_status(&ann, &run["id"], "cancelled").await;
        }
        let name = format!("jobs/svc-{agent}-{}", run["id"]);
        namespace.gone(&name).await;
    }
    until("no pod is left", async || namespace.list("pods").await.is_empty().then_some(())).await;
}

#[both_engines]
async fn every_kind_of_event_makes_one_job_of_each_handler_that_wants_it(test: Clustered) {
    let Some((test, namespace)) = test.0 else { return };
    let ann = test.person("ann").await;
    for agent in ["scout", "scribe"] {
        test.create_agent(&ann, agent).await;
    }
    test.open_room(&ann, "plans", true, &["scout", "scribe"]).await;
    test.say(&ann, json!({ "to": "scout", "body": "Before there was a handler." })).await;
    let quick = json!({ "image": "svc.test/quick" });
    let register = async |agent: &str, events: Value| {
        let mut new = quick.clone();
        (new["agent"], new["events"]) = (json!(agent), events);
        test.did(&ann, Method::POST, "/api/k8s/handlers", new).await;
    };
    register("scout", json!(["message.received"])).await;
    register("scout", json!(["message.received", "message.mentioned"])).await;
    register("scribe", json!(["channel.message"])).await;
    test.say(&ann, json!({ "to": "scout", "body": "For both handlers." })).await;
    test.say(&ann, json!({ "channel": "plans", "body": "For @scout, and for the channel." })).await;
    let jobs = test.until_jobs(&ann, 4).await;
    let mut made: Vec<_> =
        jobs.iter().map(|job| (job["agent"].as_str().unwrap(), job["event"].as_str().unwrap())).collect();
    made.sort_unstable();
    assert_eq!(
        made,
        [
            ("scout", "message.mentioned"),
            ("scout", "message.received"),
            ("scout", "message.received"),
            ("scribe", "channel.message"),
        ]
    );
    assert!(jobs.iter().all(|job| job["status"] == "succeeded"), "{jobs:?}");
    assert_eq!(namespace.jobs().await.len(), 4);
}

#[both_engines]
async fn a_reactive_agent_runs_as_a_job(test: Clustered) {
    let Some((test, namespace)) = test.0 else { return };
    let ann = test.person("ann").await;
    test.reactive(&ann, "scout").await;
    let script = r#"grep -q "Is the build green?" "$SVC_PROMPT_FILE" && echo '{"response": "It is green.", "session_id": "s1"}'"#;
    let harness = json!({ "backend": "k8s", "env": { "SCRIPT": script }, "timeout_seconds": 30 });
    test.set_agent(&ann, "scout", json!({ "harness": harness, "k8s_image": "svc.test/sh" })).await;
    let asked = test.say(&ann, json!({ "to": "scout", "body": "Is the build green?" })).await;
    let run = test.until_run(&ann, "succeeded").await;
    let story = test.run(&ann, &run["id"]).await;
    assert_eq!((&story["run"]["cause"], &story["harness_run"]["backend"]), (&json!("message"), &json!("k8s")));
    assert_eq!(story["outgoing_message"]["body"], "It is green.");
    assert_eq!(reactions(&test, &ann, &asked["id"]).await, ["in_progress", "done"]);
    let job = test.look(&ann, &format!("/api/k8s/runs/{}", run["id"])).await;
    assert_eq!((&job["handler_id"], &job["namespace"]), (&Value::Null, &json!(namespace.name)));
}

#[both_engines]
async fn an_agent_that_may_not_run_gets_no_job(test: Clustered) {
    let Some((test, namespace)) = test.0 else { return };
    let ann = test.person("ann").await;
    test.create_agent(&ann, "scout").await;
    test.handler(&ann, "scout", &["message.received"], "exit 0").await;
    test.set_agent(&ann, "scout", json!({ "paused": true })).await;
    test.say(&ann, json!({ "to": "scout", "body": "Build it." })).await;
    let jobs = test.until_jobs(&ann, 1).await;
    assert_eq!((&jobs[0]["status"], &jobs[0]["job"]), (&json!("paused"), &Value::Null));
    assert_eq!(namespace.jobs().await, Vec::<Value>::new());
}

#[both_engines]
async fn a_job_of_no_run_is_deleted(test: Clustered) {
    let Some((test, namespace)) = test.0 else { return };
    let ann = test.person("ann").await;
    test.create_agent(&ann, "scout").await;
    test.handler(&ann, "scout", &["message.received"], "echo begun; sleep 1000").await;
    test.say(&ann, json!({ "to": "scout", "body": "Wait." })).await;
    let run = test.until_run(&ann, "running").await;
    let name = format!("svc-scout-{}", run["id"]);
    until("the Job", async || namespace.find(&format!("jobs/{name}")).await).await;
    // One as a store that was restored from a backup does not know it.
    let mut stray = namespace.find(&format!("jobs/{name}")).await.unwrap();
    let labels = stray["metadata"]["labels"].clone();
    stray["metadata"] = json!({ "name": "svc-scout-999999", "labels": labels });
    stray["metadata"]["labels"]["svc/run"] = json!("999999");
    for label in ["controller-uid", "job-name", "batch.kubernetes.io/controller-uid", "batch.kubernetes.io/job-name"] {
        stray["spec"]["template"]["metadata"]["labels"].as_object_mut().unwrap().remove(label);
        stray["metadata"]["labels"].as_object_mut().unwrap().remove(label);
    }
    stray["spec"].as_object_mut().unwrap().remove("selector");
    stray.as_object_mut().unwrap().remove("status");
    let path = format!("/apis/batch/v1/namespaces/{}/jobs", namespace.name);
    let (status, told) = namespace.cluster.call(Method::POST, &path, Some(stray)).await;
    assert_eq!(status, 201, "{told}");
    test.work("stray_jobs").await;
    namespace.gone("jobs/svc-scout-999999").await;
    assert!(namespace.find(&format!("jobs/{name}")).await.is_some(), "the Job of a run stays");
}

/// The requests that the hub made to follow Jobs, by second of their arrival.
async fn follows(test: &crate::support::kubernetes::Namespace) -> BTreeMap<String, usize> {
    let log = tokio::fs::read_to_string(&test.cluster.audit_log).await.unwrap();
    let mut seen = BTreeSet::new();
    let mut by_second = BTreeMap::new();
    for entry in log.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
        let is_follow = matches!(entry["verb"].as_str(), Some("list" | "watch" | "get"))
            && entry["objectRef"]["namespace"] == test.name.as_str()
            && entry["objectRef"]["subresource"].is_null()
            && entry["user"]["username"] == "app";
        if is_follow && seen.insert(entry["auditID"].as_str().unwrap().to_owned()) {
            let second = entry["requestReceivedTimestamp"].as_str().unwrap()[..19].to_owned();
            *by_second.entry(second).or_default() += 1;
        }
    }
    by_second
}

#[both_engines]
async fn two_hundred_jobs_at_once_end_and_are_followed_by_few_requests(test: Clustered) {
    let Some((test, namespace)) = test.0 else { return };
    let ann = test.person("ann").await;
    test.create_agent(&ann, "scout").await;
    let new = json!({ "agent": "scout", "image": "svc.test/quick", "events": ["message.received"] });
    test.did(&ann, Method::POST, "/api/k8s/handlers", new).await;
    let sent = (0..200).map(|number| test.say(&ann, json!({ "to": "scout", "body": format!("Number {number}.") })));
    join_all(sent).await;
    until_done("200 Jobs to end", async || {
        let jobs = namespace.jobs().await;
        let begun = jobs.iter().filter(|job| !job["status"]["startTime"].is_null()).count();
        let succeeded = jobs.iter().filter(|job| job["status"]["succeeded"] == 1).count();
        let started = test.number("SELECT count(started_at) FROM reactive_runs").await;
        let ended = test.number("SELECT count(ended_at) FROM reactive_runs").await;
        ((jobs.len(), begun, succeeded, started, ended), ended == 200)
    })
    .await;
    let jobs = test.cluster_runs(&ann).await;
    assert!(jobs.iter().all(|job| job["status"] == "succeeded"), "{jobs:?}");
    assert_eq!(namespace.jobs().await.len(), 200);
    let most = follows(&namespace).await.into_values().max().unwrap_or(0);
    assert!((1..=5).contains(&most), "{most} requests in one second");
    // Nothing of them stays in the hub that needs room.
    assert_eq!(test.number("SELECT count(*) FROM run_credentials").await, 0);
}
