//! Handlers through REST, MCP and the command line: whose they are, and which registrations are refused.

use reqwest::Method;
use serde_json::{Value, json};
use svc_test_macros::both_engines;

use crate::support::admin::svc_admin;
use crate::support::server::{TestServer, faults, problem};

const HANDLERS: &str = "/api/k8s/handlers";
const IMAGE: &str = "registry.example.org/scout:1";

fn handler(agent: &str) -> Value {
    json!({ "agent": agent, "image": IMAGE, "events": ["message.received"] })
}

/// A handler with other fields.
fn handler_with(fields: &Value) -> Value {
    let mut new = handler("scout");
    new.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    new
}

#[both_engines]
async fn an_owner_registers_lists_and_deletes_a_handler(test: TestServer) {
    let ann = test.person("ann").await;
    test.create_agent(&ann, "scout").await;
    let none = test.look(&ann, HANDLERS).await;
    assert_eq!((&none["handlers"], &none["total"]), (&json!([]), &json!(0)));
    assert_eq!((&none["cluster"]["configured"], &none["cluster"]["namespace"]), (&json!(false), &Value::Null));
    assert!(none["cluster"]["problem"].as_str().unwrap().contains("KUBECONFIG"), "{none}");
    let full = json!({
        "events": ["message.mentioned", "message.received"], "namespace": "agents", "env": { "MODEL": "large" },
        "memory": "512Mi", "cpu": "500m", "timeout_seconds": 900, "service_account": "runner",
    });
    let made = test.did(&ann, Method::POST, HANDLERS, handler_with(&full)).await;
    assert_eq!((&made["agent"], &made["image"]), (&json!("scout"), &json!(IMAGE)));
    assert_eq!(made["events"], json!(["message.received", "message.mentioned"]));
    for field in ["namespace", "env", "memory", "cpu", "timeout_seconds", "service_account"] {
        assert_eq!(made[field], full[field], "{field}");
    }
    let plain = test.did(&ann, Method::POST, HANDLERS, handler("scout")).await;
    assert_eq!((&plain["timeout_seconds"], &plain["env"], &plain["cpu"]), (&json!(600), &json!({}), &Value::Null));
    let listed = test.look(&ann, "/api/k8s/handlers?agent=scout").await;
    assert_eq!((&listed["handlers"], &listed["total"]), (&json!([made, plain]), &json!(2)));
    assert_eq!(test.look(&ann, "/api/k8s/handlers?agent=other").await["total"], 0);
    let path = format!("{HANDLERS}/{}", made["id"]);
    let deleted = test.request_as(&ann, Method::DELETE, &path).send().await.unwrap();
    assert_eq!(deleted.status(), 204);
    problem(test.request_as(&ann, Method::DELETE, &path).send().await.unwrap(), 404, "not_found").await;
    assert_eq!(test.look(&ann, HANDLERS).await["handlers"], json!([plain]));
    assert_eq!(test.number("SELECT count(*) FROM audit_log WHERE event = 'handler_changed'").await, 3);
}

#[both_engines]
async fn a_handler_belongs_to_its_agent_and_its_owner(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    let key = test.create_agent(&ann, "scout").await;
    let other = test.create_agent(&ann, "builder").await;
    let made = test.did(&ann, Method::POST, HANDLERS, handler("scout")).await;
    let path = format!("{HANDLERS}/{}", made["id"]);
    problem(test.request_as(&bob, Method::DELETE, &path).send().await.unwrap(), 404, "not_found").await;
    problem(test.request_with(&other, Method::DELETE, &path).send().await.unwrap(), 404, "not_found").await;
    problem(test.ask(&bob, Method::POST, HANDLERS, handler("scout")).await, 404, "not_found").await;
    assert_eq!(test.look(&bob, HANDLERS).await["total"], 0);
    assert_eq!(test.look(&bob, "/api/k8s/runs").await, json!({ "runs": [], "next_cursor": null }));
    // A key that is limited to channels gets nothing.
    let limited = json!({ "name": "limited", "permissions": ["admin"], "allowed_channels": ["general"] });
    let (_, limited) = test.create_key(&ann, limited).await;
    for (method, path) in
        [(Method::GET, HANDLERS), (Method::POST, HANDLERS), (Method::DELETE, &path), (Method::GET, "/api/k8s/runs")]
    {
        let asked = test.request_with(&limited, method, path).json(&handler("scout")).send().await.unwrap();
        problem(asked, 403, "channel_not_allowed").await;
    }
    // The agent manages its own, through MCP.
    let arguments = json!({ "image": IMAGE, "events": ["channel.message"], "env": { "MODEL": "small" } });
    let registered = test.tool(&key, "register_k8s_handler", arguments).await;
    assert_eq!(
        (&registered["events"], &registered["env"]),
        (&json!(["channel.message"]), &json!({ "MODEL": "small" }))
    );
    let listed = test.tool(&key, "list_k8s_handlers", json!({})).await;
    assert_eq!(listed["handlers"].as_array().unwrap().len(), 2);
    assert_eq!(listed["cluster"]["configured"], false);
    assert_eq!(test.tool(&other, "list_k8s_handlers", json!({})).await["handlers"], json!([]));
    let id = json!({ "id": registered["id"] });
    test.tool_refuses(&other, "delete_k8s_handler", id.clone(), "not_found").await;
    assert_eq!(test.tool(&key, "delete_k8s_handler", id).await["deleted"], registered["id"]);
    let wrong = json!({ "image": "a b", "events": ["*"] });
    let refused = test.tool_refuses(&key, "register_k8s_handler", wrong, "validation_failed").await;
    assert!(refused.to_string().contains("image"), "{refused}");
    // They go with the agent.
    test.did(&ann, Method::DELETE, "/api/agents/scout", json!({})).await;
    assert_eq!(test.look(&ann, HANDLERS).await["total"], 0);
    assert_eq!(test.number("SELECT count(*) FROM cluster_handlers").await, 0);
}

#[both_engines]
async fn invalid_handlers_are_refused_by_field(test: TestServer) {
    let ann = test.person("ann").await;
    test.create_agent(&ann, "scout").await;
    for (fields, field) in [
        (json!({ "image": "" }), "image"),
        (json!({ "image": "a b" }), "image"),
        (json!({ "image": 7 }), "image"),
        (json!({ "events": [] }), "events"),
        (json!({ "events": "message.received" }), "events"),
        (json!({ "events": ["message.sent"] }), "events[0]"),
        (json!({ "namespace": "Agents" }), "namespace"),
        (json!({ "namespace": ["agents"] }), "namespace"),
        (json!({ "env": { "SVC_URL": "x" } }), "env.SVC_URL"),
        (json!({ "env": { "A-B": "x" } }), "env.A-B"),
        (json!({ "env": { "A": 1 } }), "env.A"),
        (json!({ "env": ["A=1"] }), "env"),
        (json!({ "memory": "lots" }), "memory"),
        (json!({ "memory": 512 }), "memory"),
        (json!({ "cpu": "0" }), "cpu"),
        (json!({ "timeout_seconds": 59 }), "timeout_seconds"),
        (json!({ "timeout_seconds": 3601 }), "timeout_seconds"),
        (json!({ "timeout_seconds": -1 }), "timeout_seconds"),
        (json!({ "timeout_seconds": "600" }), "timeout_seconds"),
        (json!({ "service_account": "a_b" }), "service_account"),
        (json!({ "agent": null }), "agent"),
        (json!({ "agent": 7 }), "agent"),
        (json!({ "colour": "red" }), "colour"),
    ] {
        let answer = test.ask(&ann, Method::POST, HANDLERS, handler_with(&fields)).await;
        let answer = problem(answer, 400, "validation_failed").await;
        assert_eq!(faults(&answer), [field], "{fields}");
    }
    let several = handler_with(&json!({ "image": "", "cpu": "all" }));
    let answer = problem(test.ask(&ann, Method::POST, HANDLERS, several).await, 400, "validation_failed").await;
    assert_eq!(faults(&answer), ["image", "cpu"]);
    for body in [json!([IMAGE]), json!("text"), json!(7), Value::Null] {
        let answer = test.ask(&ann, Method::POST, HANDLERS, body).await;
        assert_eq!(faults(&problem(answer, 400, "validation_failed").await), ["body"]);
    }
    problem(test.ask(&ann, Method::POST, HANDLERS, handler("nobody")).await, 404, "not_found").await;
    for (path, field) in [("handler=x", "handler"), ("cursor=x", "cursor"), ("limit=0", "limit"), ("limit=x", "limit")]
    {
        let answer = test.request_as(&ann, Method::GET, &format!("/api/k8s/runs?{path}")).send().await.unwrap();
        assert_eq!(faults(&problem(answer, 400, "validation_failed").await), [field], "{path}");
    }
    for path in ["/api/k8s/runs/1", "/api/k8s/runs/1/logs", "/api/k8s/runs/1/logs?follow=true"] {
        problem(test.request_as(&ann, Method::GET, path).send().await.unwrap(), 404, "not_found").await;
    }
}

#[both_engines]
async fn an_agent_has_ten_handlers_and_a_repeated_request_makes_one(test: TestServer) {
    let ann = test.person("ann").await;
    test.create_agent(&ann, "scout").await;
    let register = async |image: &str| {
        let request = test.request_as(&ann, Method::POST, HANDLERS).header("Idempotency-Key", "once");
        request.json(&handler_with(&json!({ "image": image }))).send().await.unwrap()
    };
    let first = register(IMAGE).await;
    assert_eq!(first.status(), 201);
    let (first, again) = (first.json::<Value>().await.unwrap(), register(IMAGE).await.json::<Value>().await.unwrap());
    assert_eq!(first, again);
    problem(register("another").await, 409, "idempotency_conflict").await;
    for _ in 1..10 {
        test.did(&ann, Method::POST, HANDLERS, handler("scout")).await;
    }
    assert_eq!(test.look(&ann, HANDLERS).await["total"], 10);
    problem(test.ask(&ann, Method::POST, HANDLERS, handler("scout")).await, 409, "too_many_handlers").await;
    test.did(&ann, Method::DELETE, &format!("{HANDLERS}/{}", first["id"]), json!({})).await;
    test.did(&ann, Method::POST, HANDLERS, handler("scout")).await;
}

#[both_engines]
async fn an_operator_manages_handlers_on_the_command_line(test: TestServer) {
    let ann = test.person("ann").await;
    test.create_agent(&ann, "scout").await;
    let empty = svc_admin(&test, &["handlers", "list"]).await;
    assert!(empty.stderr.contains("handlers create AGENT") && empty.stderr.contains("KUBECONFIG"), "{empty:?}");
    let create = ["handlers", "create", "scout", "--image", IMAGE, "--event", "message.received"];
    let more = ["--event", "channel.message", "--namespace", "agents", "--env", "MODEL=a=b", "--memory", "512Mi"];
    let rest = ["--cpu", "500m", "--timeout", "900", "--service-account", "runner", "--output", "json"];
    let made = svc_admin(&test, &[&create[..], &more[..], &rest[..]].concat()).await.json();
    assert_eq!((&made["env"], &made["timeout_seconds"]), (&json!({ "MODEL": "a=b" }), &json!(900)));
    assert_eq!(test.look(&ann, HANDLERS).await["handlers"], json!([made]));
    let listed = svc_admin(&test, &["handlers", "list", "--agent", "scout"]).await.worked();
    assert!(listed.contains(IMAGE) && listed.contains("message.received, channel.message"), "{listed}");
    svc_admin(&test, &["handlers", "create", "scot", "--image", IMAGE, "--event", "*"]).await.refused(1, "scout?");
    svc_admin(&test, &["handlers", "create", "scout", "--image", IMAGE]).await.refused(2, "--event");
    let wrong = [&create[..], &["--env", "MODEL"]].concat();
    svc_admin(&test, &wrong).await.refused(2, "must be VARIABLE=VALUE");
    let wrong = [&create[..], &["--memory", "lots"]].concat();
    svc_admin(&test, &wrong).await.refused(1, "memory");
    let nothing = ["handlers", "create", "scout", "--image", IMAGE, "--event", "nothing"];
    svc_admin(&test, &nothing).await.refused(1, "must be one of *, message.received");
    let id = made["id"].to_string();
    svc_admin(&test, &["handlers", "delete", &id, "--yes"]).await.worked();
    svc_admin(&test, &["handlers", "delete", &id, "--yes"]).await.refused(1, "handler");
    svc_admin(&test, &["handlers", "show", "1"]).await.refused(1, "run");
    assert_eq!(svc_admin(&test, &["handlers", "runs", "--output", "json"]).await.json()["runs"], json!([]));
}
