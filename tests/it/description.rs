//! The API's description says what the server does: bounds, closed bodies, errors by status.

use std::collections::{BTreeMap, BTreeSet};

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::server::TestServer;

async fn document(server: &TestServer) -> Value {
    server.get_json("/openapi.json").await
}

fn operations(document: &Value) -> Vec<(String, &Value)> {
    let paths = document["paths"].as_object().unwrap();
    let all = paths.values().flat_map(|methods| methods.as_object().unwrap().values());
    all.map(|operation| (operation["operationId"].as_str().unwrap().to_owned(), operation)).collect()
}

/// What a schema leaves open, in words; nothing when every value it allows is bounded.
fn open_end(schema: &Value) -> Option<&'static str> {
    let has = |name: &str| schema.get(name).is_some();
    match schema["type"].as_str() {
        Some("integer" | "number") if !(has("minimum") && has("maximum")) => Some("a number without bounds"),
        Some("string") if !["enum", "pattern", "maxLength", "format", "allOf"].into_iter().any(has) => Some("any text"),
        Some("array") if !has("maxItems") => Some("a list of any length"),
        Some("array") => open_end(&schema["items"]),
        _ => None,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_value_of_a_request_is_bounded() {
    let server = TestServer::sqlite().await;
    let document = document(&server).await;
    let mut open = BTreeSet::new();
    for (name, operation) in operations(&document) {
        for parameter in operation["parameters"].as_array().into_iter().flatten() {
            // Texts in an address have the room of a request's header.
            if let Some(fault) = open_end(&parameter["schema"]).filter(|_| parameter["schema"]["type"] != "string") {
                open.insert(format!("{name} {}: {fault}", parameter["name"]));
            }
        }
    }
    let schemas = document["components"]["schemas"].as_object().unwrap();
    let closed = schemas.iter().filter(|(_, schema)| schema["additionalProperties"] == false);
    for (name, schema) in closed {
        for (field, property) in schema["properties"].as_object().into_iter().flatten() {
            if let Some(fault) = open_end(property) {
                open.insert(format!("{name}.{field}: {fault}"));
            }
        }
    }
    assert!(open.is_empty(), "bound these in svc-http/src/description/bounds.rs: {open:#?}");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_operation_lists_its_errors_and_says_who_may_call_it() {
    let server = TestServer::sqlite().await;
    let document = document(&server).await;
    assert_eq!(document["servers"][0]["url"], "/");
    for (name, operation) in operations(&document) {
        let answers = operation["responses"].as_object().unwrap();
        assert!(!answers.contains_key("default"), "{name}");
        let needs_a_credential = !operation["security"].as_array().unwrap().is_empty();
        assert!(!needs_a_credential || answers.contains_key("401"), "{name}");
        assert!(operation.get("requestBody").is_none() || answers.contains_key("413"), "{name}");
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_that_is_described_as_closed_refuses_other_fields() {
    let server = TestServer::sqlite().await;
    // An admin, because some bodies are for admins only.
    let ann = server.admin("ann").await;
    let document = document(&server).await;
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let content = operation["requestBody"]["content"].as_object();
            let Some(schema) = content.and_then(|content| content.values().next()).map(|body| &body["schema"]) else {
                continue;
            };
            // Machines sign what they send; forms have parts instead of fields.
            let Some(name) = schema["$ref"].as_str().filter(|_| !path.starts_with("/api/machine/")) else { continue };
            assert_eq!(
                document.pointer(&format!("{}/additionalProperties", &name[1..])),
                Some(&json!(false)),
                "{name}"
            );
            let address = path.replace("{name}", "general").replace("{handle}", "ann");
            let address = ["{id}", "{task}", "{number}"].iter().fold(address, |path, name| path.replace(name, "1"));
            let method = Method::from_bytes(method.to_uppercase().as_bytes()).unwrap();
            let answer =
                server.request_as(&ann, method, &address).json(&json!({ "no_such_field": 1 })).send().await.unwrap();
            assert_eq!(answer.status(), 400, "{path}");
            let problem: Value = answer.json().await.unwrap();
            assert!(problem["errors"].to_string().contains("no_such_field"), "{path}: {problem}");
        }
    }
    server.stop().await;
}

/// The examples of a JSON body.
fn examples(operation: &Value) -> Vec<Value> {
    let content = operation["requestBody"]["content"].as_object();
    let json = content.into_iter().flatten().filter(|(name, _)| name.starts_with("application/json"));
    json.flat_map(|(_, media)| {
        let named = media["examples"].as_object().into_iter().flatten().map(|(_, example)| example["value"].clone());
        media.get("example").cloned().into_iter().chain(named).collect::<Vec<_>>()
    })
    .collect()
}

/// A schema of OpenAPI 3.0 as JSON Schema, which has no `nullable`: it is one of the types instead.
fn as_json_schema(schema: &Value) -> Value {
    match schema {
        Value::Object(fields) => {
            let mut fields: serde_json::Map<_, _> =
                fields.iter().map(|(name, value)| (name.clone(), as_json_schema(value))).collect();
            if fields.get("nullable") == Some(&json!(true)) {
                let inner = Value::Object(fields);
                return json!({ "anyOf": [inner, { "type": "null" }] });
            }
            fields.remove("nullable");
            Value::Object(fields)
        }
        Value::Array(parts) => parts.iter().map(as_json_schema).collect(),
        other => other.clone(),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_json_body_has_an_example_that_fits_its_schema() {
    let server = TestServer::sqlite().await;
    let document = document(&server).await;
    server.stop().await;
    let components = as_json_schema(&document["components"]);
    let mut faults = Vec::new();
    for (name, operation) in operations(&document) {
        let content = operation["requestBody"]["content"].as_object();
        let Some(media) = content.and_then(|content| content.get("application/json; charset=utf-8")) else { continue };
        let mut schema = as_json_schema(&media["schema"]);
        schema["components"] = components.clone();
        let validator = jsonschema::draft202012::new(&schema).unwrap();
        let examples = examples(operation);
        if examples.is_empty() {
            faults.push(format!("{name} has no example: write one in backticks in its description"));
        }
        for example in examples {
            faults.extend(validator.iter_errors(&example).map(|fault| format!("{name}: {fault} in {example}")));
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn examples_work_as_they_are() {
    let server = TestServer::sqlite().await;
    let ann = server.admin("ann").await;
    // Those of whom the examples speak, and what they are about.
    for name in ["reviewer", "planner", "builder"] {
        server.create_agent(&ann, name).await;
    }
    let bob = server.person("bob").await;
    let said = server.say(&ann, json!({ "channel": "general", "body": "Hello, all" })).await;
    let reactions = format!("/api/messages/{}/reactions", said["id"]);
    let document = document(&server).await;
    let by_name: BTreeMap<_, _> = operations(&document).into_iter().collect();
    for (name, method, path, status) in [
        ("send_message", Method::POST, "/api/messages", 201_u16),
        ("create_channel", Method::POST, "/api/channels", 201),
        ("update_channel", Method::PATCH, "/api/channels/releases", 200),
        ("invite_to_channel", Method::POST, "/api/channels/releases/members", 200),
        ("set_channel_settings", Method::PUT, "/api/channels/releases/settings", 200),
        ("toggle_reaction", Method::POST, reactions.as_str(), 200),
        ("claim_messages", Method::POST, "/api/messages/claim", 200),
        ("update_notification_settings", Method::PUT, "/api/notifications/settings", 200),
        ("create_key", Method::POST, "/api/keys", 201),
        ("create_invite", Method::POST, "/api/admin/invites", 201),
        ("post_task", Method::POST, "/api/tasks", 201),
        ("create_article", Method::POST, "/api/wiki/articles", 201),
        ("create_goal", Method::POST, "/api/goals", 201),
    ] {
        let examples = examples(by_name[name]);
        assert!(!examples.is_empty(), "{name}");
        for example in examples {
            let answer = server.request_as(&ann, method.clone(), path).json(&example).send().await.unwrap();
            let seen = answer.status();
            assert_eq!(seen, status, "{name}: {example}: {}", answer.text().await.unwrap_or_default());
        }
    }
    let task = server.look(&ann, "/api/tasks").await["tasks"][0]["id"].clone();
    let bid = &examples(by_name["bid_task"])[0];
    let answer = server.request_as(&bob, Method::POST, &format!("/api/tasks/{task}/bids")).json(bid).send();
    let answer = answer.await.unwrap();
    assert_eq!(answer.status(), 201);
    server.stop().await;
}
