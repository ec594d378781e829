//! Agents: made, changed, given other keys, ended; each by its owner only.

use reqwest::Method;
use serde_json::{Value, json};
use svc_test_macros::both_engines;

use crate::support::server::{TestServer, problem};

#[both_engines]
async fn an_agent_is_made_changed_and_ended_by_its_owner(test: TestServer) {
    let ann = test.person("ann").await;
    let body = json!({
        "name": "builder", "display_name": " Builder Ü ", "trigger_mode": "reactive",
        "harness": { "backend": "subprocess", "command": "build" }
    });
    let made = test.request_as(&ann, Method::POST, "/api/agents").json(&body).send().await.unwrap();
    assert_eq!(made.status(), 201);
    let made: Value = made.json().await.unwrap();
    let agent = &made["agent"];
    assert_eq!(
        (&agent["name"], &agent["display_name"], &agent["owner"]),
        (&json!("builder"), &json!("Builder Ü"), &json!("ann"))
    );
    assert_eq!((&agent["trigger_mode"], &agent["cooldown_seconds"]), (&json!("reactive"), &json!(600)));
    assert_eq!((&agent["daily_run_budget"], &agent["max_trigger_depth"]), (&json!(8), &json!(4)));
    assert_eq!(
        (&agent["harness"], &agent["pending_work"]),
        (&json!({ "backend": "subprocess", "command": "build" }), &json!(false))
    );
    let key = made["key"].as_str().unwrap();
    assert!(key.starts_with("svca_"));
    // The agent sees itself.
    let seen: Value = test.request_with(key, Method::GET, "/api/agents").send().await.unwrap().json().await.unwrap();
    assert_eq!((&seen["total"], &seen["agents"][0]["name"]), (&json!(1), &json!("builder")));
    let who: Value = test.request_with(key, Method::GET, "/api/whoami").send().await.unwrap().json().await.unwrap();
    assert_eq!((&who["handle"], &who["kind"], &who["owner"]), (&json!("builder"), &json!("agent"), &json!("ann")));
    let change = json!({
        "display_name": "Chief", "paused": true, "k8s_image": "registry.example/a:1",
        "agent_md": "# Be kind"
    });
    let changed: Value = test
        .request_as(&ann, Method::PATCH, "/api/agents/builder")
        .json(&change)
        .send()
        .await
        .unwrap()
        .json()
        .await
        .unwrap();
    assert_eq!(
        (&changed["display_name"], &changed["k8s_image"], &changed["trigger_mode"]),
        (&json!("Chief"), &json!("registry.example/a:1"), &json!("reactive"))
    );
    assert!(changed["paused_at"].is_string());
    let resumed: Value = test
        .request_as(&ann, Method::PATCH, "/api/agents/builder")
        .json(&json!({ "paused": false, "k8s_image": "" }))
        .send()
        .await
        .unwrap()
        .json()
        .await
        .unwrap();
    assert!(resumed["paused_at"].is_null() && resumed["k8s_image"].is_null(), "{resumed}");
    assert_eq!(test.request_as(&ann, Method::DELETE, "/api/agents/builder").send().await.unwrap().status(), 204);
    problem(test.request_as(&ann, Method::GET, "/api/agents/builder").send().await.unwrap(), 404, "not_found").await;
    problem(test.request_with(key, Method::GET, "/api/agents").send().await.unwrap(), 401, "token_revoked").await;
    let again =
        test.request_as(&ann, Method::POST, "/api/agents").json(&json!({ "name": "builder" })).send().await.unwrap();
    problem(again, 409, "handle_taken").await;
    test.stop().await;
}

#[both_engines]
async fn another_key_ends_the_old_one_at_once(test: TestServer) {
    let ann = test.person("ann").await;
    let first = test.create_agent(&ann, "builder").await;
    let rotate = async || -> String {
        let answer = test.request_as(&ann, Method::POST, "/api/agents/builder/rotate-key").send().await.unwrap();
        assert_eq!(answer.status(), 200);
        answer.json::<Value>().await.unwrap()["key"].as_str().unwrap().to_owned()
    };
    let second = rotate().await;
    problem(test.request_with(&first, Method::GET, "/api/whoami").send().await.unwrap(), 401, "token_revoked").await;
    assert_eq!(test.request_with(&second, Method::GET, "/api/whoami").send().await.unwrap().status(), 200);
    // Many at once leave one that works.
    let racers: Vec<_> = (0..8)
        .map(|_| {
            let request = test.request_as(&ann, Method::POST, "/api/agents/builder/rotate-key");
            tokio::spawn(async move {
                let answer = request.send().await.unwrap();
                assert_eq!(answer.status(), 200);
                answer.json::<Value>().await.unwrap()["key"].as_str().unwrap().to_owned()
            })
        })
        .collect();
    let mut keys = Vec::new();
    for racer in racers {
        keys.push(racer.await.unwrap());
    }
    let mut alive = 0;
    for key in keys {
        alive += u32::from(test.request_with(&key, Method::GET, "/api/whoami").send().await.unwrap().status() == 200);
    }
    assert_eq!(alive, 1);
    test.stop().await;
}

#[both_engines]
async fn agents_of_others_are_not_there(test: TestServer) {
    let ann = test.person("ann").await;
    let bob = test.admin("bob").await;
    let key = test.create_agent(&ann, "builder").await;
    let other = test.create_agent(&bob, "reader").await;
    for (method, path) in [
        (Method::GET, "/api/agents/builder"),
        (Method::PATCH, "/api/agents/builder"),
        (Method::DELETE, "/api/agents/builder"),
        (Method::POST, "/api/agents/builder/rotate-key"),
    ] {
        let request = test.request_as(&bob, method.clone(), path).json(&json!({}));
        problem(request.send().await.unwrap(), 404, "not_found").await;
        // Neither can the agent itself, nor another agent.
        let by_itself = test.request_with(&key, method.clone(), path).json(&json!({})).send().await.unwrap();
        let expected = if method == Method::GET { 200 } else { 403 };
        assert_eq!(by_itself.status(), expected, "{method}");
        let by_other = test.request_with(&other, method.clone(), path).json(&json!({})).send().await.unwrap();
        assert_eq!(by_other.status(), if method == Method::GET { 404 } else { 403 }, "{method}");
    }
    let list: Value = test.request_as(&bob, Method::GET, "/api/agents").send().await.unwrap().json().await.unwrap();
    assert_eq!((&list["total"], &list["agents"][0]["name"]), (&json!(1), &json!("reader")));
    test.stop().await;
}

#[both_engines]
async fn a_request_that_is_sent_again_makes_one_agent(test: TestServer) {
    let ann = test.person("ann").await;
    let post = async |key: &str, name: &str| {
        test.request_as(&ann, Method::POST, "/api/agents")
            .header("Idempotency-Key", key)
            .json(&json!({ "name": name }))
            .send()
            .await
            .unwrap()
    };
    let first: Value = post("k1", "builder").await.json().await.unwrap();
    let again: Value = post("k1", "builder").await.json().await.unwrap();
    assert_eq!(first, again, "also the key, which is kept sealed meanwhile");
    problem(post("k1", "other").await, 409, "idempotency_conflict").await;
    problem(post("k2", "builder").await, 409, "handle_taken").await;
    // The same request many times at once: everybody gets the one answer.
    let racers: Vec<_> = (0..8)
        .map(|_| {
            let request = test.request_as(&ann, Method::POST, "/api/agents").header("Idempotency-Key", "k3");
            let request = request.json(&json!({ "name": "raced" }));
            tokio::spawn(async move {
                let answer = request.send().await.unwrap();
                (answer.status().as_u16(), answer.json::<Value>().await.unwrap())
            })
        })
        .collect();
    let mut answers = Vec::new();
    for racer in racers {
        answers.push(racer.await.unwrap());
    }
    assert!(answers.iter().all(|answer| *answer == answers[0] && answer.0 == 201), "{answers:?}");
    let odd = test.request_as(&ann, Method::POST, "/api/agents").header("Idempotency-Key", "naïve");
    let refused = problem(odd.json(&json!({ "name": "odd" })).send().await.unwrap(), 400, "validation_failed").await;
    assert_eq!(refused["errors"][0]["field"], "Idempotency-Key");
    test.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_an_agent_is_refused_by_its_fields() {
    let test = TestServer::sqlite().await;
    let ann = test.person("ann").await;
    let long = "x".repeat(700_000);
    for (body, field) in [
        (json!({}), "name"),
        (json!({ "name": "A" }), "name"),
        (json!({ "name": "a\u{0}b" }), "name"),
        (json!({ "name": long }), "name"),
        (json!({ "name": "builder", "display_name": long }), "display_name"),
        (json!({ "name": "builder", "display_name": "a\u{202e}b" }), "display_name"),
        (json!({ "name": "builder", "trigger_mode": "always" }), "trigger_mode"),
        (json!({ "name": "builder", "cooldown_seconds": -1 }), "cooldown_seconds"),
        (json!({ "name": "builder", "max_trigger_depth": 17 }), "max_trigger_depth"),
        (json!({ "name": "builder", "harness": [] }), "harness"),
        (json!({ "name": "builder", "harness": { "a": long } }), "harness"),
        (json!({ "name": "builder", "harness": { "a": ["\u{0}"] } }), "harness"),
        (json!({ "name": "builder", "agent_md": "a\u{0}" }), "agent_md"),
        (json!({ "name": "builder", "k8s_image": "a b" }), "k8s_image"),
        (json!({ "name": "builder", "owner": "admin" }), "owner"),
    ] {
        let answer = test.request_as(&ann, Method::POST, "/api/agents").json(&body).send().await.unwrap();
        let refused = problem(answer, 400, "validation_failed").await;
        assert_eq!(refused["errors"][0]["field"], field, "{refused}");
    }
    for query in ["limit=0", "limit=201", "limit=x", "offset=-1"] {
        let path = format!("/api/agents?{query}");
        problem(test.request_as(&ann, Method::GET, &path).send().await.unwrap(), 400, "validation_failed").await;
    }
    for nobody in ["a%00b", "UPPER", "..", "a%2Fb"] {
        let path = format!("/api/agents/{nobody}");
        problem(test.request_as(&ann, Method::GET, &path).send().await.unwrap(), 404, "not_found").await;
    }
    let list: Value = test.request_as(&ann, Method::GET, "/api/agents").send().await.unwrap().json().await.unwrap();
    assert_eq!(list["total"], 0, "nothing was made");
    test.stop().await;
}
