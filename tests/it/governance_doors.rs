//! Governance through MCP, the command line and the metrics.

use serde_json::json;
use svc_core::governance::RunOutcome;
use svc_test_macros::both_engines;

use crate::support::admin::svc_admin;
use crate::support::server::TestServer;

#[both_engines]
async fn an_agent_reads_its_own_budget_and_reputation(test: TestServer) {
    let (ann, key) = test.lasting("ann").await;
    let scout = test.create_agent(&ann, "scout").await;
    test.change_agent(&key, "scout", json!({ "budget": { "usd": 4, "period": "day" } })).await;
    test.begin_run("scout", 1).await;
    test.end_run(1, 1.5, RunOutcome::Succeeded).await;
    let told = test.tool(&scout, "get_budget", json!({})).await;
    assert_eq!((&told["period"], &told["ends_at"]), (&json!("day"), &json!("2026-01-02T00:00:00.000Z")));
    assert_eq!((&told["usd"]["limit"], &told["usd"]["spent"]), (&json!(4.0), &json!(1.5)));
    assert_eq!((&told["runs_today"]["spent"], &told["quarantined"]), (&json!(1.0), &json!(false)));
    assert!((told["reputation"].as_f64().unwrap() - 0.6).abs() < 1e-6, "{told}");
    test.stop().await;
}

#[both_engines]
async fn operators_set_budgets_and_see_what_is_spent(test: TestServer) {
    let (ann, _) = test.lasting("ann").await;
    test.create_agent(&ann, "scout").await;
    let set = ["agents", "update", "scout", "--budget-usd", "2.5", "--budget-runs", "10", "--budget-period", "day"];
    assert!(svc_admin(&test, &set).await.worked().contains("$2.50, 10 runs (day)"));
    test.begin_run("scout", 1).await;
    test.end_run(1, 2.5, RunOutcome::Failed).await;
    let shown = svc_admin(&test, &["agents", "budget", "scout"]).await.worked();
    assert!(shown.contains("$2.50 of $2.50") && shown.contains("paused: budget"), "{shown}");
    let json = svc_admin(&test, &["agents", "budget", "scout", "--output", "json"]).await.json();
    assert_eq!((&json["usd"]["spent"], &json["runs"]["limit"]), (&json!(2.5), &json!(10)));
    assert!(svc_admin(&test, &["agents", "list"]).await.worked().contains("paused: budget"));
    let reputation = svc_admin(&test, &["agents", "reputation", "scout"]).await.worked();
    assert!(reputation.contains("0.40") && reputation.contains("run 1"), "{reputation}");
    svc_admin(&test, &["agents", "update", "scout", "--budget-period", "day"]).await.refused(2, "needs a limit");
    let freed = svc_admin(&test, &["agents", "update", "scout", "--no-budget", "--output", "json"]).await.json();
    assert!(freed["budget"].is_null() && freed["paused_at"].is_null(), "{freed}");
    svc_admin(&test, &["agents", "budget", "scuot"]).await.refused(1, "did you mean scout?");
    test.stop().await;
}

#[both_engines]
async fn operators_list_and_lift_loops_and_metrics_count_them(test: TestServer) {
    let (ann, key) = test.lasting("ann").await;
    let scout = test.create_agent(&ann, "scout").await;
    test.create_agent(&ann, "builder").await;
    // Its first message starts a run that fails; the others wait.
    test.change_agent(&key, "builder", json!({ "trigger_mode": "reactive", "cooldown_seconds": 3600 })).await;
    let none = svc_admin(&test, &["loops", "list"]).await;
    assert!(none.stderr.contains("No loops."), "{none:?}");
    for _ in 0..5 {
        test.say_with(&scout, json!({ "to": "builder", "body": "again" })).await;
    }
    test.work("loop_watch").await;
    // Runs of an agent that the messages do not start.
    test.create_agent(&ann, "tester").await;
    for run in 1001..=1003 {
        test.ran("tester", run, RunOutcome::Failed).await;
    }
    let metrics = test.get("/metrics").await.text().await.unwrap();
    for line in ["loops_held 1", "agents_quarantined 1", "agents_out_of_budget 0"] {
        assert!(metrics.lines().any(|found| found == line), "{line}: {metrics}");
    }
    let listed = svc_admin(&test, &["loops", "list", "--output", "json"]).await.json();
    let id = listed["loops"][0]["id"].to_string();
    assert!(svc_admin(&test, &["loops", "list"]).await.worked().contains("repetition"));
    assert_eq!(svc_admin(&test, &["loops", "lift", &id]).await.worked(), format!("Loop {id} is lifted.\n"));
    assert_eq!(svc_admin(&test, &["loops", "list", "--output", "json"]).await.json()["loops"], json!([]));
    assert!(svc_admin(&test, &["loops", "list", "--all"]).await.worked().contains("lifted"));
    svc_admin(&test, &["loops", "lift", "4711"]).await.refused(1, "There is no such loop");
    test.stop().await;
}
