//! Jobs of a hub without a cluster: each run fails at once, and says what to set.

use reqwest::Method;
use serde_json::{Value, json};
use svc_test_macros::both_engines;

use crate::support::admin::svc_admin;
use crate::support::people::Person;
use crate::support::runs::Commands;
use crate::support::server::{TestServer, problem};

const IMAGE: &str = "registry.example.org/scout:1";

/// The run of a Job, as its owner sees it.
async fn job(test: &TestServer, owner: &Person, id: &Value) -> Value {
    test.look(owner, &format!("/api/k8s/runs/{id}")).await
}

/// The text that an owner reads at a path.
async fn text(test: &TestServer, owner: &Person, path: &str) -> String {
    let answer = test.request_as(owner, Method::GET, path).send().await.unwrap();
    assert_eq!(
        (answer.status().as_u16(), &answer.headers()["x-content-type-options"]),
        (200, &"nosniff".parse().unwrap())
    );
    answer.text().await.unwrap()
}

/// Checks that a message failed with its run, and that the owner was told.
async fn is_rejected(test: &TestServer, owner: &Person, run: &Value, message: &Value) {
    let story = test.run(owner, run).await;
    let trigger = &story["trigger_message"];
    assert_eq!((&trigger["id"], &trigger["status"]), (message, &json!("failed")));
    let reactions = trigger["reactions"].as_array().unwrap();
    assert!(reactions.iter().any(|reaction| reaction["reaction"] == "reject"), "{trigger}");
    let inbox = test.look(owner, "/api/messages?limit=20").await;
    let messages = inbox["messages"].as_array().unwrap();
    let told = messages.iter().find(|message| message["from"] == "system" && message["metadata"]["run"]["id"] == *run);
    let told = told.unwrap_or_else(|| panic!("the owner was not told: {inbox}"));
    assert!(told["body"].as_str().unwrap().contains("KUBECONFIG"), "{told}");
}

#[both_engines]
async fn an_event_fails_without_a_cluster_and_says_why(test: Commands) {
    let test = test.0;
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    let key = test.create_agent(&ann, "scout").await;
    let new = json!({ "agent": "scout", "image": IMAGE, "events": ["message.received"] });
    let handler = test.did(&ann, Method::POST, "/api/k8s/handlers", new).await;
    let asked = test.say(&bob, json!({ "to": "scout", "body": "Is the build green?" })).await;
    let run = test.until_run(&ann, "failed").await;
    assert_eq!((&run["cause"], &run["error"]), (&json!("event"), &json!("cluster_unavailable")));
    is_rejected(&test, &ann, &run["id"], &asked["id"]).await;
    let shown = job(&test, &ann, &run["id"]).await;
    assert_eq!((&shown["handler_id"], &shown["agent"]), (&handler["id"], &json!("scout")));
    assert_eq!((&shown["event"], &shown["image"]), (&json!("message.received"), &json!(IMAGE)));
    assert_eq!((&shown["status"], &shown["error"]), (&json!("failed"), &json!("cluster_unavailable")));
    assert!(shown["error_detail"].as_str().unwrap().contains("KUBECONFIG"), "{shown}");
    assert_eq!((&shown["trigger_message_id"], &shown["job"]), (&asked["id"], &Value::Null));
    // The owner and the agent list it, and nobody else does.
    let page = json!({ "runs": [shown], "next_cursor": null });
    assert_eq!(test.look(&ann, "/api/k8s/runs?agent=scout").await, page);
    assert_eq!(test.look(&ann, &format!("/api/k8s/runs?handler={}", handler["id"])).await, page);
    let wrong = test.request_as(&ann, Method::GET, "/api/k8s/runs?handler=0").send().await.unwrap();
    assert_eq!(problem(wrong, 400, "validation_failed").await["errors"][0]["field"], "handler");
    let own = test.request_with(&key, Method::GET, "/api/k8s/runs").send().await.unwrap();
    assert_eq!(own.json::<Value>().await.unwrap(), page);
    assert_eq!(test.look(&bob, "/api/k8s/runs").await["runs"], json!([]));
    for part in ["", "/logs", "/logs?follow=true"] {
        let path = format!("/api/k8s/runs/{}{part}", run["id"]);
        problem(test.request_as(&bob, Method::GET, &path).send().await.unwrap(), 404, "not_found").await;
    }
    let path = format!("/api/k8s/runs/{}/logs", run["id"]);
    let log = text(&test, &ann, &path).await;
    assert_eq!(text(&test, &ann, &format!("{path}?follow=true")).await, log);
    // The command line shows it too.
    let id = run["id"].to_string();
    let listed = svc_admin(&test, &["handlers", "runs", "--agent", "scout"]).await.worked();
    assert!(listed.contains("cluster_unavailable") && listed.contains("message.received"), "{listed}");
    let told = svc_admin(&test, &["handlers", "show", &id]).await.worked();
    assert!(told.contains(IMAGE) && told.contains("KUBECONFIG"), "{told}");
    let logs = svc_admin(&test, &["handlers", "logs", &id, "--output", "json"]).await.json();
    assert_eq!((&logs["id"], &logs["text"]), (&run["id"], &json!(log)));
    // A retry handles the event again.
    let retry = format!("/api/runs/{}/retry", run["id"]);
    let again = test.did(&ann, Method::POST, &retry, json!({})).await;
    assert_eq!((&again["cause"], &again["retry_of"]), (&json!("event"), &run["id"]));
    test.until_status(&ann, &again["id"], "failed").await;
    let repeated = job(&test, &ann, &again["id"]).await;
    assert_eq!((&repeated["retry_of"], &repeated["event"]), (&run["id"], &shown["event"]));
    assert_eq!(repeated["event_sequence"], shown["event_sequence"]);
    let first = test.look(&ann, "/api/k8s/runs?limit=1").await;
    assert_eq!((&first["runs"][0]["id"], &first["next_cursor"]), (&again["id"], &again["id"]));
    let second = test.look(&ann, &format!("/api/k8s/runs?limit=1&cursor={}", again["id"])).await;
    assert_eq!((&second["runs"][0]["id"], &second["next_cursor"]), (&run["id"], &Value::Null));
    // Without its handler, it stays and cannot be repeated.
    test.did(&ann, Method::DELETE, &format!("/api/k8s/handlers/{}", handler["id"]), json!({})).await;
    problem(test.ask(&ann, Method::POST, &retry, json!({})).await, 409, "handler_deleted").await;
    let kept = job(&test, &ann, &run["id"]).await;
    assert_eq!((&kept["handler_id"], &kept["image"]), (&Value::Null, &json!(IMAGE)));
}

#[both_engines]
async fn a_harness_in_the_cluster_fails_without_one_and_says_why(test: Commands) {
    let test = test.0;
    let ann = test.person("ann").await;
    test.reactive(&ann, "scout").await;
    test.set_agent(&ann, "scout", json!({ "harness": { "backend": "k8s", "image": "x" } })).await;
    let asked = test.say(&ann, json!({ "to": "scout", "body": "Is the build green?" })).await;
    let run = test.until_run(&ann, "failed").await;
    assert_eq!((&run["cause"], &run["error"]), (&json!("message"), &json!("cluster_unavailable")));
    is_rejected(&test, &ann, &run["id"], &asked["id"]).await;
    text(&test, &ann, &format!("/api/runs/{}/logs", run["id"])).await;
    let made = job(&test, &ann, &run["id"]).await;
    assert_eq!((&made["image"], &made["job"], &made["handler_id"]), (&json!("x"), &Value::Null, &Value::Null));
    let again = test.did(&ann, Method::POST, &format!("/api/runs/{}/retry", run["id"]), json!({})).await;
    assert_eq!(again["retry_of"], run["id"]);
    let story = test.until_status(&ann, &again["id"], "failed").await;
    assert_eq!(story["run"]["error"], "cluster_unavailable");
}
