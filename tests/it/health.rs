//! Health, readiness and metrics, through the server as it is shipped.

use svc_test_macros::both_engines;

use crate::support::child::TestChild;
use crate::support::server::TestServer;
use crate::support::wait::until;

#[both_engines]
async fn a_new_server_is_healthy_and_ready(server: TestServer) {
    let health = server.get_json("/healthz").await;
    assert_eq!(health["status"], "ok");
    assert_eq!(health["version"], env!("CARGO_PKG_VERSION"));
    let ready = server.get("/readyz").await;
    assert_eq!(ready.status(), 200);
    let ready: serde_json::Value = ready.json().await.unwrap();
    assert_eq!(ready["status"], "ready");
    assert_eq!(ready["store"]["ok"], true);
    assert_eq!(ready["store"]["engine"], server.hub.db().engine().as_str());
    let workers: Vec<_> = ready["workers"].as_array().unwrap().iter().map(|worker| worker["name"].clone()).collect();
    let expected = [
        "analytics_rollup",
        "attachment_sweep",
        "backup_schedule",
        "certificate_watch",
        "cluster_dispatch",
        "cluster_reader",
        "dead_letter_sweep",
        "disk_sampling",
        "event_retention",
        "goal_charges",
        "goal_verification",
        "governance_sweep",
        "idempotency_sweep",
        "lease_expiry",
        "loop_watch",
        "non_delivery",
        "nonce_sweep",
        "oauth_sweep",
        "push_delivery",
        "push_reader",
        "queue_sweep",
        "run_directories",
        "run_dispatch",
        "run_reader",
        "run_sweep",
        "scheduled_sending",
        "search_indexer",
        "session_sweep",
        "stalemate",
        "stray_jobs",
        "task_deadline",
        "trace_retention",
        "webhook_delivery",
        "webhook_reader",
        "webhook_sweep",
    ];
    assert_eq!(workers, expected);
    server.stop().await;
}

#[both_engines]
async fn readiness_really_writes(server: TestServer) {
    let probed = async || {
        let read = server
            .hub
            .db()
            .read((), |tx, ()| Box::pin(tx.query("SELECT probed_at FROM readiness WHERE id = 1").fetch_value::<i64>()));
        read.await.unwrap()
    };
    server.get("/readyz").await;
    let first = probed().await;
    server.clock.advance(std::time::Duration::from_secs(5));
    server.get("/readyz").await;
    assert_eq!(probed().await, first + 5_000_000);
    server.stop().await;
}

#[both_engines]
async fn many_who_ask_share_one_write(server: TestServer) {
    assert_eq!(server.get("/readyz").await.status(), 200);
    let before = server.hub.db().write_stats().units;
    for _ in 0..10 {
        let answers = futures_util::future::join_all((0..20).map(|_| server.get("/readyz"))).await;
        assert!(answers.iter().all(|answer| answer.status() == 200));
    }
    let written = server.hub.db().write_stats().units - before;
    // Workers write too, now and then.
    assert!(written < 100, "{written} writes for 200 questions within a second");
    server.stop().await;
}

#[both_engines]
async fn a_good_answer_counts_for_a_second(server: TestServer) {
    assert_eq!(server.get("/readyz").await.status(), 200);
    let drop = server.hub.db().write((), |tx, ()| Box::pin(tx.query("DROP TABLE readiness").execute()));
    drop.await.unwrap();
    server.clock.advance(svc_core::limits::READINESS_KEPT);
    assert_eq!(server.get("/readyz").await.status(), 503);
    server.stop().await;
}

#[both_engines]
async fn a_store_that_cannot_be_written_is_not_ready(server: TestServer) {
    server.hub.db().write((), |tx, ()| Box::pin(tx.query("DROP TABLE readiness").execute())).await.unwrap();
    let answer = server.get("/readyz").await;
    assert_eq!(answer.status(), 503);
    let body: serde_json::Value = answer.json().await.unwrap();
    assert_eq!((body["status"].as_str(), body["store"]["ok"].as_bool()), (Some("unavailable"), Some(false)));
    assert!(!body.to_string().contains("no such table"), "{body}");
    assert_eq!(server.get("/healthz").await.status(), 200);
    let address = server.address.to_string();
    let check = move |flags: &[&str]| TestChild::run("svc-http", &[&["--listen", &address, "health"], flags].concat());
    let checks = tokio::task::spawn_blocking(move || (check(&[]), check(&["--ready"])));
    let ((alive, _), (ready, told)) = checks.await.unwrap();
    assert_eq!((alive, ready), (0, 1), "{told}");
    assert!(told.contains("/readyz answered 503"), "{told}");
    server.stop().await;
}

#[both_engines]
async fn metrics_have_the_promised_names_and_real_figures(server: TestServer) {
    let mut trace = svc_core::traces::NewTrace::new("message.sent", svc_core::auth::Surface::Rest);
    trace.agent = Some("scout".into());
    trace.error = Some("no such channel".into());
    server.hub.traces().record(trace).await.unwrap();
    // The server records its own start.
    until("both traces", async || (server.hub.traces().counts().written == 2).then_some(())).await;
    let response = server.get("/metrics").await;
    assert!(response.headers()["content-type"].to_str().unwrap().starts_with("text/plain"));
    let text = response.text().await.unwrap();
    let value = |name: &str| -> Option<f64> {
        let line = text.lines().find(|line| line.strip_prefix(name).is_some_and(|rest| rest.starts_with(' ')))?;
        line.rsplit(' ').next()?.parse().ok()
    };
    assert_eq!(value("traces_total"), Some(2.0), "{text}");
    assert_eq!(value("traces_by_action{action=\"message.sent\"}"), Some(1.0), "{text}");
    assert_eq!(value("errors_total"), Some(1.0), "{text}");
    assert_eq!(value("active_agents"), Some(1.0), "{text}");
    assert_eq!(value("store_damaged"), Some(0.0), "{text}");
    assert!(value("disk_free_bytes") > Some(0.0), "{text}");
    let on_sqlite = server.hub.db().engine() == svc_core::db::Engine::Sqlite;
    assert_eq!(value("store_wal_bytes").is_some(), on_sqlite, "{text}");
    assert!(value("open_connections") >= Some(1.0), "{text}");
    assert_eq!((value("connections_shed_total"), value("slow_bodies_total")), (Some(0.0), Some(0.0)), "{text}");
    server.stop().await;
}

#[both_engines]
async fn metrics_tell_how_much_work_waits(server: TestServer) {
    let (ann, _, key) = crate::support::claims::ann_and_worker(&server).await;
    for number in 0..3 {
        server.say(&ann, serde_json::json!({ "to": "worker", "body": format!("number {number}") })).await;
    }
    server.claim_with(&key, serde_json::json!({})).await;
    server.hub.traces().flush().await.unwrap();
    // A store that does not answer in time is left out.
    let text = until("the backlog", async || {
        let text = server.get("/metrics").await.text().await.unwrap();
        text.contains("claim_backlog{").then_some(text)
    })
    .await;
    for line in ["claim_backlog{status=\"pending\"} 2", "claim_backlog{status=\"processing\"} 1"] {
        assert!(text.lines().any(|found| found == line), "{line} is not in {text}");
    }
    // What counts this process alone says so.
    for name in
        ["traces", "traces_by_action", "errors", "store_writes", "store_commits", "http_requests", "open_streams"]
    {
        let about = text.lines().find(|line| line.starts_with(&format!("# HELP {name} "))).expect(name);
        assert!(about.contains("this process"), "{about}");
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_locked_store_turns_ready_again_by_itself() {
    let server = TestServer::sqlite().await;
    let foreign = rusqlite::Connection::open(server.hub.config().data.join("svc.db")).unwrap();
    foreign.execute_batch("BEGIN IMMEDIATE").unwrap();
    let answer = server.get("/readyz").await;
    assert_eq!(answer.status(), 503);
    let body: serde_json::Value = answer.json().await.unwrap();
    assert_eq!(body["store"]["code"], "storage_unavailable");
    foreign.execute_batch("ROLLBACK").unwrap();
    until("it is ready again", async || (server.get("/readyz").await.status() == 200).then_some(())).await;
    server.stop().await;
}
