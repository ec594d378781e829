//! Onboarding: instruction files, configurations of clients, skills, and whether an agent has been seen.

use std::time::Duration;

use poem_openapi::types::ToJSON;
use reqwest::{Method, Response};
use serde_json::{Value, json};
use svc_core::Timestamp;
use svc_core::api_keys::KeyKind;
use svc_core::auth::Surface;
use svc_core::onboarding::{Connection, SeenCredential, named_tools};
use svc_test_macros::both_engines;

use crate::support::people::Person;
use crate::support::server::{TestServer, problem};
use crate::support::wait::until;

/// The media type, whether it is a download, and the text.
async fn file(answer: Response) -> (String, String, String) {
    let header = |name: &str| answer.headers().get(name).map(|value| value.to_str().unwrap().to_owned());
    let (kind, kept) = (header("content-type").unwrap(), header("content-disposition").unwrap_or_default());
    let status = answer.status();
    let text = answer.text().await.unwrap();
    assert_eq!(status, 200, "{text}");
    (kind, kept, text)
}

async fn refused_field(answer: Response, field: &str) -> Value {
    let body = problem(answer, 400, "validation_failed").await;
    assert_eq!(body["errors"][0]["field"], field, "{body}");
    body
}

impl TestServer {
    async fn read(&self, who: &Person, path: &str) -> Response {
        self.request_as(who, Method::GET, path).send().await.unwrap()
    }

    async fn test_connection(&self, who: &Person, agent: &str) -> Value {
        let path = format!("/api/agents/{agent}/connection-test");
        let answer = self.request_as(who, Method::POST, &path).send().await.unwrap();
        assert_eq!(answer.status(), 200);
        answer.json().await.unwrap()
    }
}

/// The arguments of an example, with what stands for answers replaced by real ones.
fn real(arguments: &Value, message: i64, token: &str, hash: &str) -> Value {
    match arguments {
        Value::Number(number) if number.as_i64() == Some(42) => json!(message),
        Value::String(text) if text == "TOKEN" => json!(token),
        Value::String(text) if text == "HASH" => json!(hash),
        Value::Array(items) => items.iter().map(|item| real(item, message, token, hash)).collect(),
        Value::Object(fields) => {
            // Nothing will come in this world, so there is no use in waiting for long.
            let real = |(name, value): (&String, &Value)| match name.as_str() {
                "timeout_seconds" => (name.clone(), json!(1)),
                _ => (name.clone(), real(value, message, token, hash)),
            };
            fields.iter().map(real).collect()
        }
        other => other.clone(),
    }
}

#[both_engines]
async fn every_call_that_the_texts_show_is_one_that_the_server_takes(test: TestServer) {
    let ann = test.person("ann").await;
    let (builder, reviewer) = (test.create_agent(&ann, "builder").await, test.create_agent(&ann, "reviewer").await);
    let mut shown = Vec::new();
    for archetype in ["custom", "researcher", "writer", "commenter", "monitor", "operator", "coordinator"] {
        shown.push(file(test.read(&ann, &format!("/api/agents/builder/agent-md?archetype={archetype}")).await).await.2);
    }
    let skills = test.look(&ann, "/api/skills").await;
    for skill in skills["skills"].as_array().unwrap() {
        shown.push(file(test.read(&ann, &format!("/api/skills/{}", skill["name"].as_str().unwrap())).await).await.2);
    }
    test.tool(&reviewer, "create_channel", json!({ "name": "reviews" })).await;
    test.tool(&reviewer, "update_channel", json!({ "channel": "reviews", "workflow_enabled": true })).await;
    let file = test.tool(&builder, "upload_attachment", json!({ "filename": "a.txt", "text": "text" })).await;
    let sent = test.tool(&reviewer, "send_message", json!({ "to": "builder", "body": "x".repeat(9000) })).await;
    let claimed = test.tool(&builder, "claim_messages", json!({})).await;
    let token = claimed["messages"][0]["claim_token"].as_str().unwrap();
    let mut named = std::collections::BTreeSet::new();
    for example in shown.iter().flat_map(|text| named_tools(text)) {
        let arguments = real(
            &Value::Object(example.arguments.clone()),
            sent["id"].as_i64().unwrap(),
            token,
            file["hash"].as_str().unwrap(),
        );
        let result = test.call_tool(&builder, &example.name, arguments.clone()).await;
        // What it is about may be otherwise in this world; what it is must be right.
        let code = &result["structuredContent"]["code"];
        let understood =
            ["validation_failed", "unknown_tool", "agent_required", "internal"].iter().all(|fault| code != fault);
        assert!(understood, "{} {arguments}: {result}", example.name);
        named.insert(example.name);
    }
    let taught = [
        "wait_for_messages",
        "claim_messages",
        "mark_done",
        "send_message",
        "react",
        "post_task",
        "accept_bid",
        "propose_task_tree",
        "update_goal_task",
    ];
    for tool in taught {
        assert!(named.contains(tool), "the texts teach {tool}: {named:?}");
    }
}

#[both_engines]
async fn an_instruction_file_tells_an_agent_who_it_is_and_how_it_works(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    let key = test.create_agent(&ann, "builder").await;
    let (kind, kept, plain) = file(test.read(&ann, "/api/agents/builder/agent-md").await).await;
    assert_eq!((kind.as_str(), kept.as_str()), ("text/markdown; charset=utf-8", "attachment; filename=\"AGENTS.md\""));
    assert!(plain.starts_with("# You are builder\n") && plain.contains("an agent of **ann**"), "{plain}");
    assert!(plain.contains(&test.url("/mcp")) && plain.contains(&test.url("/api/skills/task-auction")), "{plain}");
    let asks_ann =
        named_tools(&plain).into_iter().any(|call| call.name == "send_message" && call.arguments["to"] == "ann");
    assert!(asks_ann && plain.len() <= 8 * 1024, "{} bytes", plain.len());
    assert_eq!(file(test.read(&ann, "/api/agents/builder/agent-md?archetype=custom").await).await.2, plain);
    for archetype in ["researcher", "writer", "commenter", "monitor", "operator", "coordinator"] {
        let (_, _, text) =
            file(test.read(&ann, &format!("/api/agents/builder/agent-md?archetype={archetype}")).await).await;
        assert!(text.contains(&format!("## Your part: {archetype}\n")) && text.len() <= 8 * 1024, "{text}");
    }

    let own = json!({ "agent_md": "Answer in rhyme." });
    test.did(&ann, Method::PATCH, "/api/agents/builder", own).await;
    let by_itself = test.request_with(&key, Method::GET, "/api/agents/builder/agent-md").send().await.unwrap();
    assert!(file(by_itself).await.2.ends_with("## From ann\n\nAnswer in rhyme.\n"));

    refused_field(test.read(&ann, "/api/agents/builder/agent-md?archetype=juggler").await, "archetype").await;
    for (who, name) in [(&bob, "builder"), (&ann, "nobody"), (&ann, "bob")] {
        problem(test.read(who, &format!("/api/agents/{name}/agent-md")).await, 404, "not_found").await;
    }
    test.stop().await;
}

#[both_engines]
async fn a_configuration_is_ready_to_be_pasted(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    let key = test.create_agent(&ann, "builder").await;
    let (kind, _, text) = file(test.read(&ann, "/api/agents/builder/mcp-config").await).await;
    assert_eq!(kind, "application/json; charset=utf-8");
    let expected = json!({ "mcpServers": { "svc": {
        "type": "http", "url": test.url("/mcp"), "headers": { "Authorization": "Bearer ${SVC_AGENT_KEY}" }
    } } });
    assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), expected);
    let (_, _, text) =
        file(test.read(&ann, &format!("/api/agents/builder/mcp-config?transport=stdio&api_key={key}")).await).await;
    let expected = json!({ "mcpServers": { "svc": {
        "command": "svc-mcp-stdio", "args": ["--url", test.url("")], "env": { "SVC_AGENT_KEY": key }
    } } });
    assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), expected);

    // What is pasted works: the header of the configuration is that of the agent.
    let (_, _, text) =
        file(test.read(&ann, &format!("/api/agents/builder/mcp-config?client=vscode&api_key={key}")).await).await;
    let pasted: Value = serde_json::from_str(&text).unwrap();
    let header = pasted["servers"]["svc"]["headers"]["Authorization"].as_str().unwrap();
    let who = test.request(Method::GET, "/api/whoami").header("Authorization", header).send().await.unwrap();
    assert_eq!(who.json::<Value>().await.unwrap()["handle"], "builder");
    let (kind, _, text) = file(test.read(&ann, "/api/agents/builder/mcp-config?client=codex").await).await;
    assert_eq!(kind, "application/toml");
    let codex =
        format!("[mcp_servers.svc]\nbearer_token_env_var = \"SVC_AGENT_KEY\"\nurl = \"{}\"\n", test.url("/mcp"));
    assert_eq!(text, codex);
    let by_itself =
        test.request_with(&key, Method::GET, "/api/agents/builder/mcp-config?client=gemini").send().await.unwrap();
    assert!(file(by_itself).await.2.contains("httpUrl"));

    for query in ["transport=pigeon", "client=abacus"] {
        let (field, _) = query.split_once('=').unwrap();
        refused_field(test.read(&ann, &format!("/api/agents/builder/mcp-config?{query}")).await, field).await;
    }
    for (who, name) in [(&bob, "builder"), (&ann, "nobody")] {
        problem(test.read(who, &format!("/api/agents/{name}/mcp-config")).await, 404, "not_found").await;
    }
    test.stop().await;
}

#[both_engines]
async fn only_a_key_that_acts_as_the_agent_is_put_in(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    let old = test.create_agent(&ann, "builder").await;
    let rotated = test.did(&ann, Method::POST, "/api/agents/builder/rotate-key", json!({})).await;
    let sister = test.create_agent(&ann, "sister").await;
    let foreign = test.create_agent(&bob, "foreign").await;
    let (_, as_agent) =
        test.create_key(&ann, json!({ "name": "laptop", "permissions": ["write"], "agent": "builder" })).await;
    let (_, as_ann) = test.create_key(&ann, json!({ "name": "ci", "permissions": ["admin"] })).await;
    let config = async |key: &str| test.read(&ann, &format!("/api/agents/builder/mcp-config?api_key={key}")).await;
    for key in [rotated["key"].as_str().unwrap(), &as_agent] {
        assert!(file(config(key).await).await.2.contains(&format!("Bearer {key}")));
    }
    for key in [&old, &sister, &foreign, &as_ann, "", "svca_wrong", "a%22b"] {
        let body = refused_field(config(key).await, "api_key").await;
        assert!(key.len() < 6 || !body.to_string().contains(key), "{body}");
    }
    // Looking at keys was not using them.
    assert_eq!(test.test_connection(&ann, "builder").await["connected"], false);
    test.stop().await;
}

#[both_engines]
async fn a_connection_is_seen_and_forgotten_after_five_minutes(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    let key = test.create_agent(&ann, "builder").await;
    let never = test.test_connection(&ann, "builder").await;
    assert_eq!((&never["agent"], &never["connected"], &never["at"]), (&json!("builder"), &json!(false), &Value::Null));
    assert!(never["hint"].as_str().unwrap().contains("not been seen yet"), "{never}");

    test.clock.advance(Duration::from_secs(1));
    assert_eq!(test.request_with(&key, Method::GET, "/api/whoami").send().await.unwrap().status(), 200);
    let seen = until("the key's use is noted", async || {
        let seen = test.test_connection(&ann, "builder").await;
        seen["credential"].is_object().then_some(seen)
    })
    .await;
    assert_eq!((&seen["connected"], &seen["surface"], &seen["hint"]), (&json!(true), &json!("rest"), &Value::Null));
    assert_eq!((&seen["credential"]["name"], &seen["credential"]["kind"]), (&json!("builder"), &json!("agent")));
    assert!(seen["at"].is_string() && seen["credential"]["used_at"].is_string(), "{seen}");

    test.clock.advance(Duration::from_secs(301));
    let quiet = test.test_connection(&ann, "builder").await;
    assert_eq!((&quiet["connected"], &quiet["at"], &quiet["surface"]), (&json!(false), &seen["at"], &json!("rest")));
    assert!(quiet["hint"].as_str().unwrap().contains("quiet"), "{quiet}");

    // Whoever asks about itself is there.
    let path = "/api/agents/builder/connection-test";
    let itself = test.request_with(&key, Method::POST, path).header("User-Agent", "loom/3").send().await.unwrap();
    let itself: Value = itself.json().await.unwrap();
    assert_eq!((&itself["connected"], &itself["client"]), (&json!(true), &json!("loom/3")));
    problem(test.request_as(&bob, Method::POST, path).send().await.unwrap(), 404, "not_found").await;
    problem(
        test.request_as(&ann, Method::POST, "/api/agents/nobody/connection-test").send().await.unwrap(),
        404,
        "not_found",
    )
    .await;
    test.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn skills_and_archetypes_are_listed_and_downloaded() {
    let server = TestServer::sqlite().await;
    let ann = server.person("ann").await;
    let archetypes = server.look(&ann, "/api/archetypes").await;
    let names: Vec<_> = archetypes["archetypes"].as_array().unwrap().iter().map(|one| one["name"].clone()).collect();
    assert_eq!(names, ["researcher", "writer", "commenter", "monitor", "operator", "coordinator", "custom"]);
    let skills = server.look(&ann, "/api/skills").await;
    let names: Vec<_> = skills["skills"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["goal-coordinator", "stigmergy-workflow", "task-auction"]);
    for name in names {
        let (kind, kept, text) = file(server.read(&ann, &format!("/api/skills/{name}")).await).await;
        assert_eq!(
            (kind.as_str(), kept.as_str()),
            ("text/markdown; charset=utf-8", "attachment; filename=\"SKILL.md\"")
        );
        assert!(text.starts_with(&format!("---\nname: {name}\n")) && named_tools(&text).len() > 5, "{text}");
    }
    for name in ["juggling", "..%2fagent", "SKILL.md"] {
        problem(server.read(&ann, &format!("/api/skills/{name}")).await, 404, "not_found").await;
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_configured_address_is_the_one_that_is_told() {
    let server = TestServer::start(|config| config.base_url = Some("https://hub.example.org".parse().unwrap())).await;
    let ann = server.person("ann").await;
    let key = server.create_agent(&ann, "builder").await;
    for path in ["mcp-config", "mcp-config?transport=stdio", "agent-md"] {
        let answer =
            server.request_with(&key, Method::GET, &format!("/api/agents/builder/{path}")).send().await.unwrap();
        let (_, _, text) = file(answer).await;
        assert!(text.contains("https://hub.example.org") && !text.contains("127.0.0.1"), "{text}");
    }
    let root = svc_core::Caller::root();
    let told = server
        .hub
        .onboarding()
        .mcp_config(&root, "builder", svc_core::onboarding::ConfigRequest::default())
        .await
        .unwrap();
    assert!(told.text.contains("https://hub.example.org/mcp"), "{}", told.text);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_that_would_break_out_of_the_text_is_refused() {
    let server = TestServer::sqlite().await;
    let ann = server.person("ann").await;
    let key = server.create_agent(&ann, "builder").await;
    for path in ["agent-md", "mcp-config"] {
        let request = server.request_with(&key, Method::GET, &format!("/api/agents/builder/{path}"));
        refused_field(request.header("Host", "hub`x").send().await.unwrap(), "base_url").await;
    }
    server.stop().await;
}

#[test]
fn both_encoders_print_the_same_connection() {
    let at = Timestamp::from_micros(1_767_225_600_123_456);
    let credential = SeenCredential { name: "laptop".into(), kind: KeyKind::Managed, used_at: at };
    let quiet = Connection {
        agent: "builder".into(),
        connected: false,
        surface: None,
        at: None,
        client: None,
        credential: None,
        hint: Some("Call.".into()),
    };
    let seen = Connection {
        connected: true,
        surface: Some(Surface::Mcp),
        at: Some(at),
        client: Some("loom/3".into()),
        credential: Some(credential),
        hint: None,
        ..quiet.clone()
    };
    for connection in [quiet, seen] {
        assert_eq!(Some(serde_json::to_value(&connection).unwrap()), connection.to_json());
    }
}
