//! The list of tools with titles and schemas of their answers: it is asked for or follows from the key, and it is true.

use std::collections::BTreeMap;

use jsonschema::Validator;
use reqwest::Method;
use serde_json::{Value, json};
use svc_test_macros::both_engines;

use crate::support::admin::svc_admin;
use crate::support::mcp_http::{answered, message};
use crate::support::pipe::Pipe;
use crate::support::server::TestServer;

/// The tools that a client is shown at this address.
async fn listed(test: &TestServer, key: &str, path: &str) -> Vec<Value> {
    let answer = test.tools_at(key, path).await;
    answer["result"]["tools"].as_array().unwrap_or_else(|| panic!("no tools in {answer}")).clone()
}

/// What tools answer, by what they are listed with.
pub(crate) struct Answers(BTreeMap<String, (Value, Validator)>);

impl Answers {
    pub(crate) async fn of(test: &TestServer, key: &str) -> Self {
        let tools = listed(test, key, "/mcp?tools=typed").await;
        let answer = |tool: Value| {
            let schema = tool["outputSchema"].clone();
            let validator = jsonschema::draft202012::new(&schema).unwrap();
            (tool["name"].as_str().unwrap().to_owned(), (schema, validator))
        };
        Self(tools.into_iter().map(answer).collect())
    }

    /// Makes sure that an answer is what the list says, and says nothing that the list does not.
    #[track_caller]
    pub(crate) fn fit(&self, tool: &str, answer: &Value) {
        let (schema, validator) = &self.0[tool];
        let faults: Vec<String> = validator.iter_errors(answer).map(|fault| fault.to_string()).collect();
        assert!(faults.is_empty(), "{tool}: {faults:?} in {answer}");
        if tool != "call_action" {
            assert_described(tool, schema, answer);
        }
    }
}

/// Makes sure that every field of an answer stands in its schema.
#[track_caller]
fn assert_described(place: &str, schema: &Value, answer: &Value) {
    match (answer, schema.get("properties")) {
        (Value::Object(fields), Some(properties)) => {
            for (name, value) in fields {
                let property = properties.get(name).unwrap_or_else(|| panic!("{place}.{name} is not described"));
                assert_described(&format!("{place}.{name}"), property, value);
            }
        }
        (Value::Array(items), _) => {
            for item in items {
                assert_described(place, &schema["items"], item);
            }
        }
        _ => {}
    }
}

#[both_engines]
async fn the_typed_list_is_the_whole_one_with_titles_and_answers(test: TestServer) {
    let ann = test.person("ann").await;
    let alpha = test.create_agent(&ann, "alpha").await;
    let full = listed(&test, &alpha, "/mcp?tools=full").await;
    let (size, short) = (json!({ "tools": full }).to_string().len(), listed(&test, &alpha, "/mcp?tools=compact").await);
    assert!(size < 26 * 1024, "{size}");
    let size = json!({ "tools": short }).to_string().len();
    assert!(size < 6 * 1024 && short.len() <= 10, "{size} bytes for {}", short.len());
    let mut typed = listed(&test, &alpha, "/mcp?tools=typed").await;
    for tool in &mut typed {
        let fields = tool.as_object_mut().unwrap();
        assert!(fields.remove("title").is_some() && fields.remove("outputSchema").is_some(), "{tool}");
    }
    // The whole list leaves out bounds, which an error reports, and the key of a call that can be repeated anyway.
    let told = |tools: &[Value]| -> Vec<Value> {
        let fields = |tool: &Value| -> Vec<String> {
            let is_repeatable = tool["annotations"]["idempotentHint"] == true;
            let names = tool["inputSchema"]["properties"].as_object().unwrap().keys().cloned();
            names.filter(|name| !(is_repeatable && name == "idempotency_key")).collect()
        };
        let told = |tool: &Value| json!([tool["name"], tool["description"], tool["annotations"], fields(tool)]);
        tools.iter().map(told).collect()
    };
    assert_eq!(told(&typed), told(&full), "the same tools in the same order");
    assert!(typed.iter().all(|tool| tool["inputSchema"]["additionalProperties"] == false));
    test.stop().await;
}

#[both_engines]
async fn a_key_may_ask_for_the_typed_list_through_every_door(test: TestServer) {
    let ann = test.person("ann").await;
    let is_typed = |tools: &[Value]| tools.iter().all(|tool| tool["outputSchema"].is_object());
    let created =
        test.did(&ann, Method::POST, "/api/agents", json!({ "name": "builder", "mcp_profile": "typed" })).await;
    let key = created["key"].as_str().unwrap();
    assert!(is_typed(&listed(&test, key, "/mcp").await));
    assert!(!is_typed(&listed(&test, key, "/mcp?tools=full").await), "the address wins");
    let new = json!({ "name": "laptop", "agent": "builder", "permissions": ["write"], "mcp_profile": "typed" });
    let (_, managed) = test.create_key(&ann, new).await;
    assert!(is_typed(&listed(&test, &managed, "/mcp").await));
    let flags = ["agents", "create", "helper", "--owner", "ann", "--mcp-profile", "typed"];
    let helper = svc_admin(&test, &flags).await.shown_once();
    assert!(is_typed(&listed(&test, &helper, "/mcp").await));
    let own = test.create_agent(&ann, "plain").await;
    let mut pipe = Pipe::start(&own, &["--url", &test.url(""), "--tools", "typed"]);
    pipe.initialize("2025-06-18").await;
    let through = pipe.ask("tools/list", json!({})).await;
    assert!(is_typed(through["result"]["tools"].as_array().unwrap()));
    assert_eq!(pipe.end().await.code, Some(0));

    // A refusal is no answer of the tool: it is told as text, so that no client holds it against the schema.
    let body = message("tools/call", json!({ "name": "get_message", "arguments": { "id": 999 } }));
    let refused = answered(test.mcp_request(key, &body).send().await.unwrap()).await["result"].clone();
    assert_eq!((&refused["isError"], refused.get("structuredContent")), (&json!(true), None), "{refused}");
    assert!(refused["content"][0]["text"].as_str().unwrap().contains("not_found"), "{refused}");
    test.stop().await;
}
