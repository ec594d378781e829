//! The API's description says what the server does: bounds, closed bodies, errors by status.

use std::collections::BTreeSet;

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
