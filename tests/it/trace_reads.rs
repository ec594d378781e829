//! Traces as their owners read them: what leaves one, what is in it, and who sees it.

use std::collections::BTreeSet;
use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use svc_core::auth::Surface;
use svc_core::traces::NewTrace;
use svc_test_macros::both_engines;

use crate::support::people::Person;
use crate::support::server::{TestServer, problem};
use crate::support::wait::until;

impl TestServer {
    async fn traces(&self, person: &Person, query: &str) -> Vec<Value> {
        self.look(person, &format!("/api/traces{query}")).await["traces"].as_array().unwrap().clone()
    }

    async fn status(&self, key: &str, method: Method, path: &str, body: Value) -> u16 {
        self.request_with(key, method, path).json(&body).send().await.unwrap().status().as_u16()
    }
}

fn actions(traces: &[Value]) -> Vec<&str> {
    traces.iter().map(|trace| trace["action"].as_str().unwrap()).collect()
}

#[both_engines]
async fn a_humans_change_leaves_a_trace_and_what_their_browser_reads_leaves_none(test: TestServer) {
    let ann = test.person("ann").await;
    let request = test.request_as(&ann, Method::POST, "/api/agents?token=hush").header("X-Request-Id", "r-42");
    assert_eq!(request.json(&json!({ "name": "scout" })).send().await.unwrap().status(), 201);
    for path in ["/api/agents", "/auth/me", "/api/traces", "/api/traces/stats", "/api/traces/export", "/healthz"] {
        assert_eq!(test.request_as(&ann, Method::GET, path).send().await.unwrap().status(), 200, "{path}");
    }
    // A page that waits for an agent looks every few seconds.
    for (agent, status) in [("scout", 200), ("scout", 200), ("nobody", 404)] {
        let path = format!("/api/agents/{agent}/connection-test");
        assert_eq!(test.request_as(&ann, Method::POST, &path).send().await.unwrap().status(), status);
    }
    let traces = test.traces(&ann, "").await;
    assert_eq!(actions(&traces), ["create_agent"]);
    let trace = &traces[0];
    assert_eq!(trace["details"], json!({ "method": "POST", "path": "/api/agents", "status": 201 }));
    assert_eq!(
        (&trace["surface"], &trace["request_id"], &trace["owner"]),
        (&json!("rest"), &json!("r-42"), &json!("ann"))
    );
    assert_eq!(trace["owner_id"], json!(test.owner_id(&ann).await));
    assert_eq!((trace.get("agent"), trace.get("error")), (None, None), "{trace}");
    assert!(trace["duration_ms"].is_u64() && trace["id"].is_u64(), "{trace}");
    assert_eq!(trace["created_at"], "2026-01-01T00:00:00.000Z");
    test.stop().await;
}

#[both_engines]
async fn everything_that_agents_and_keys_do_leaves_a_trace(test: TestServer) {
    let ann = test.person("ann").await;
    let agent = test.create_agent(&ann, "scout").await;
    let (_, key) = test.create_key(&ann, json!({ "name": "ci", "permissions": ["read"] })).await;
    assert_eq!(test.status(&agent, Method::GET, "/api/agents?q=secret", json!({})).await, 200);
    assert_eq!(test.status(&agent, Method::GET, "/api/agents/nobody", json!({})).await, 404);
    assert_eq!(test.status(&agent, Method::POST, "/api/agents", json!({ "name": "other" })).await, 403);
    assert_eq!(test.status(&key, Method::GET, "/api/whoami", json!({})).await, 200);
    // Nothing of ours, nobody known, or a credential that is none.
    assert_eq!(test.status(&agent, Method::GET, "/api/nothing", json!({})).await, 404);
    assert_eq!(test.status("svca_nothing", Method::POST, "/api/agents", json!({})).await, 401);
    assert_eq!(test.try_log_in("ann", "wrong password").await.status(), 401);
    let traces = test.traces(&ann, "").await;
    let told: Vec<_> = traces
        .iter()
        .map(|trace| {
            (
                trace["action"].as_str().unwrap(),
                trace["agent"].as_str(),
                trace["error"].as_str(),
                trace["details"]["path"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            ("whoami", None, None, "/api/whoami"),
            ("create_agent", Some("scout"), Some("owner_required"), "/api/agents"),
            ("get_agent", Some("scout"), Some("not_found"), "/api/agents/{name}"),
            ("list_agents", Some("scout"), None, "/api/agents"),
            ("create_key", None, None, "/api/keys"),
            ("create_agent", None, None, "/api/agents"),
        ]
    );
    let whole = test.look(&ann, "/api/traces").await.to_string();
    assert!(!whole.contains("secret") && !whole.contains("nobody"), "{whole}");
    test.stop().await;
}

#[both_engines]
async fn filters_narrow_together(test: TestServer) {
    let ann = test.person("ann").await;
    let owner = test.owner_id(&ann).await;
    for hour in 0..4 {
        for (agent, action, error) in [("a1", "read", None), ("a1", "write", Some("refused")), ("a2", "read", None)] {
            let trace = NewTrace {
                owner: Some(owner),
                agent: Some(agent.into()),
                error: error.map(ToOwned::to_owned),
                request_id: Some(hour.to_string()),
                ..NewTrace::new(action, Surface::Hub)
            };
            test.hub.traces().record(trace).await.unwrap();
        }
        test.clock.advance(Duration::from_hours(1));
    }
    for (query, expected) in [
        ("", 12),
        ("?agent=a1", 8),
        ("?agent=A1", 0),
        ("?agent=a1&action=read", 4),
        ("?action=write", 4),
        ("?error=true", 4),
        ("?error=false", 8),
        ("?error=true&action=read", 0),
        ("?after=2026-01-01T01:00:00Z", 9),
        ("?before=2026-01-01T01:00:00Z", 3),
        ("?after=2026-01-01T01:00:00Z&before=2026-01-01T03:00:00Z&agent=a2", 2),
        ("?after=2026-01-01T02:30:00%2B02:00&before=2026-01-01T02:30:00Z", 6),
        ("?after=2026-01-01&before=2026-01-02", 12),
        ("?after=2026-01-02", 0),
        ("?limit=5", 5),
    ] {
        let traces = test.traces(&ann, query).await;
        assert_eq!(traces.len(), expected, "{query}");
        let times: Vec<_> = traces.iter().map(|trace| trace["created_at"].as_str().unwrap()).collect();
        assert!(times.is_sorted_by(|one, other| one >= other), "newest first: {times:?}");
        if !query.contains("limit") {
            let stats = test.look(&ann, &format!("/api/traces/stats{query}")).await;
            assert_eq!(stats["total"], expected, "{query}: {stats}");
            let exported = test.look(&ann, &format!("/api/traces/export{query}")).await;
            assert_eq!(exported.as_array().unwrap().len(), expected, "{query}");
        }
    }
    let stats = test.look(&ann, "/api/traces/stats").await;
    assert_eq!(
        stats,
        json!({ "total": 12, "errors": 4, "actions": [
        { "action": "read", "count": 8, "errors": 0 },
        { "action": "write", "count": 4, "errors": 4 },
    ] })
    );
    test.stop().await;
}

#[both_engines]
async fn pages_have_no_gap_and_no_repeat_while_traces_arrive(test: TestServer) {
    let ann = test.person("ann").await;
    let owner = test.owner_id(&ann).await;
    for number in 0..35 {
        test.record(owner, "scout", "before").await;
        // Some share a moment, some do not.
        if number % 3 == 0 {
            test.clock.advance(Duration::from_micros(1));
        }
    }
    let mut seen = Vec::new();
    let mut query = "?limit=10".to_owned();
    let mut pages = 0;
    loop {
        let page = test.look(&ann, &format!("/api/traces{query}")).await;
        let traces = page["traces"].as_array().unwrap().clone();
        assert!(traces.iter().all(|trace| trace["action"] == "before"), "what came later is on no later page");
        seen.extend(traces.iter().map(|trace| trace["id"].as_i64().unwrap()));
        pages += 1;
        for _ in 0..3 {
            test.record(owner, "scout", "meanwhile").await;
        }
        test.hub.traces().flush().await.unwrap();
        match page.get("next_cursor") {
            Some(cursor) => query = format!("?limit=10&cursor={}", cursor.as_str().unwrap()),
            None => break,
        }
    }
    assert_eq!((pages, seen.len(), seen.iter().collect::<BTreeSet<_>>().len()), (4, 35, 35));
    // A page that ends exactly at the last trace has no next one.
    let exact = test.look(&ann, "/api/traces?limit=35&action=before").await;
    assert_eq!((exact["traces"].as_array().unwrap().len(), exact.get("next_cursor")), (35, None));
    test.stop().await;
}

#[both_engines]
async fn nobody_sees_the_traces_of_another_owner(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.admin("bob").await);
    let (scout, minion) = (test.create_agent(&ann, "scout").await, test.create_agent(&bob, "minion").await);
    for key in [&scout, &minion] {
        assert_eq!(test.status(key, Method::GET, "/api/whoami", json!({})).await, 200);
    }
    test.record(test.owner_id(&ann).await, "scout", "secret_plan").await;
    test.hub.traces().flush().await.unwrap();
    for path in [
        "/api/traces",
        "/api/traces?agent=scout",
        "/api/traces?action=secret_plan",
        "/api/traces/stats",
        "/api/traces/export",
        "/api/traces/export?format=csv",
    ] {
        for answer in [test.request_as(&bob, Method::GET, path), test.request_with(&minion, Method::GET, path)] {
            let text = answer.send().await.unwrap().text().await.unwrap();
            assert!(
                !text.contains("scout") && !text.contains("secret_plan") && !text.contains("ann"),
                "{path}: {text}"
            );
        }
    }
    assert_eq!(test.look(&bob, "/api/traces/stats?agent=scout").await["total"], 0);
    // Figures are for everybody: they name what was done, and nobody.
    let figures = test.get("/metrics").await.text().await.unwrap();
    assert!(figures.contains("traces_by_action{action=\"whoami\"} 2"), "{figures}");
    for name in ["scout", "minion", "ann", "bob"] {
        assert!(!figures.lines().any(|line| line.contains(&format!("\"{name}\""))), "{name} is in {figures}");
    }
    assert!(figures.contains("\nactive_agents 2\n"), "{figures}");
    assert!(figures.contains("\nstore_writes_total ") && figures.contains("\ntrace_queue_depth "), "{figures}");
    test.stop().await;
}

#[both_engines]
async fn an_agent_sees_what_it_did_itself(test: TestServer) {
    let ann = test.person("ann").await;
    let scout = test.create_agent(&ann, "scout").await;
    test.record(test.owner_id(&ann).await, "other", "elsewhere").await;
    assert_eq!(test.status(&scout, Method::GET, "/api/whoami", json!({})).await, 200);
    let own = test.look_with(&scout, "/api/traces").await;
    assert_eq!(actions(own["traces"].as_array().unwrap()), ["whoami"]);
    assert_eq!(test.look_with(&scout, "/api/traces?agent=other").await, json!({ "traces": [] }));
    let stats = test.look_with(&scout, "/api/traces/stats?action=elsewhere").await;
    assert_eq!(stats, json!({ "total": 0, "errors": 0, "actions": [] }));
    let traces = test.traces(&ann, "").await;
    assert_eq!(actions(&traces), ["trace_stats", "list_traces", "list_traces", "whoami", "elsewhere", "create_agent"]);
    test.stop().await;
}

#[both_engines]
async fn what_cannot_be_asked_is_refused_by_its_name(test: TestServer) {
    let ann = test.person("ann").await;
    for (path, field) in [
        ("/api/traces?after=yesterday", "after"),
        ("/api/traces?before=2026-02-30", "before"),
        ("/api/traces?after=2026-01-02&before=2026-01-01", "before"),
        ("/api/traces?cursor=nonsense", "cursor"),
        ("/api/traces?limit=0", "limit"),
        ("/api/traces?limit=201", "limit"),
        ("/api/traces?error=perhaps", "error"),
        ("/api/traces?agent=a%00b", "agent"),
        ("/api/traces/stats?after=7", "after"),
        ("/api/traces/export?format=xml", "format"),
        ("/api/traces/export?before=soon", "before"),
    ] {
        let answer = test.request_as(&ann, Method::GET, path).send().await.unwrap();
        let refusal = problem(answer, 400, "validation_failed").await;
        assert_eq!(refusal["errors"][0]["field"], field, "{path}: {refusal}");
    }
    let (_, key) = test
        .create_key(&ann, json!({ "name": "none", "permissions": ["read"], "allowed_channels": ["general"] }))
        .await;
    // They tell of everything, so they are not for a key that is for some channels.
    assert_eq!(test.status(&key, Method::GET, "/api/traces", json!({})).await, 403);
    test.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_caller_that_goes_away_leaves_its_trace() {
    let test = TestServer::sqlite().await;
    let ann = test.person("ann").await;
    let scout = test.create_agent(&ann, "scout").await;
    assert_eq!(test.status(&scout, Method::GET, "/api/whoami", json!({})).await, 200);
    test.hub.traces().flush().await.unwrap();
    // While another process holds the store no change is answered, and no trace is written.
    let other = rusqlite::Connection::open(test.admin_socket().with_file_name("svc.db")).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    // Over HTTP/2 a caller can take back one request of a connection.
    #[expect(clippy::disallowed_methods, reason = "the test talks to its own server on the loopback interface")]
    let client =
        reqwest::Client::builder().http2_prior_knowledge().timeout(Duration::from_millis(100)).build().unwrap();
    until("requests whose callers went away", async || {
        let request = client.post(test.url("/api/messages")).bearer_auth(&scout);
        let gone = request.json(&json!({ "channel": "general", "body": "hello" })).send().await;
        assert!(gone.is_err(), "{gone:?}");
        (test.hub.traces().queued() > 0).then_some(())
    })
    .await;
    other.execute_batch("ROLLBACK").unwrap();
    let traces = test.traces(&ann, "?action=send_message&error=true").await;
    assert!(traces.len() > 1 && traces.iter().all(|trace| trace["error"] == "caller_gone"), "{traces:?}");
    assert_eq!(traces[0]["details"], json!({ "method": "POST", "path": "/api/messages" }));
    test.stop().await;
}
