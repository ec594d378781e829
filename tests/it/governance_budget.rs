//! Budgets: what runs may cost, however many begin at once, and what happens when it is used up.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use svc_core::governance::{Cost, PausedReason, RefusedFor, Resource, RunOutcome};
use svc_core::ids::RunId;
use svc_test_macros::both_engines;

use crate::support::governance::{begin_at_once, dollars, refused, reserved};
use crate::support::server::{TestServer, faults, problem};

use RunOutcome::{Interrupted, Succeeded};

const DAY: Duration = Duration::from_hours(24);

async fn budget(test: &TestServer, key: &str) -> Value {
    test.look_with(key, "/api/agents/scout/budget").await
}

/// Somebody with an agent `scout` whose runs are limited by its budget alone; returns their key.
async fn owner(test: &TestServer, settings: Value) -> String {
    let (ann, key) = test.lasting("ann").await;
    test.create_agent(&ann, "scout").await;
    test.change_agent(&key, "scout", json!({ "daily_run_budget": 1000 })).await;
    test.change_agent(&key, "scout", settings).await;
    key
}

#[both_engines]
async fn starts_at_once_do_not_slip_under_a_limit(test: TestServer) {
    let (ann, key) = test.lasting("ann").await;
    let other = test.another().await;
    for (number, (agent, settings)) in [
        ("money", json!({ "budget": { "usd": 3 }, "harness": { "command": "agent", "estimate": { "usd": 1 } } })),
        (
            "tokens",
            json!({ "budget": { "tokens": 300 }, "harness": { "command": "agent", "estimate": { "tokens": 100 } } }),
        ),
        ("runs", json!({ "budget": { "runs": 3, "period": "total" } })),
        ("days", json!({ "daily_run_budget": 3 })),
    ]
    .into_iter()
    .enumerate()
    {
        test.create_agent(&ann, agent).await;
        test.change_agent(&key, agent, json!({ "daily_run_budget": 1000 })).await;
        test.change_agent(&key, agent, settings).await;
        let first = 100 * i64::try_from(number).unwrap();
        let begun = begin_at_once([&test.hub, &other], agent, first..first + 20).await;
        assert_eq!(begun, 3, "{agent}");
        let used = test.look_with(&key, &format!("/api/agents/{agent}/budget")).await;
        assert_eq!((&used["runs"]["reserved"], &used["runs"]["spent"]), (&json!(3), &json!(0)), "{used}");
        assert_eq!(used["paused_at"], Value::Null, "nothing is spent yet");
    }
    other.close().await;
    test.stop().await;
}

#[both_engines]
async fn what_is_reserved_becomes_what_was_spent(test: TestServer) {
    let key = owner(&test, json!({ "budget": { "usd": 10, "tokens": 1000 } })).await;
    // Nothing is known about the first run: it reserves a hundredth.
    assert_eq!(reserved(test.begin_run("scout", 1).await), Cost { usd_micros: 100_000, tokens: 10 });
    // Asking again for the same run changes nothing.
    assert_eq!(reserved(test.begin_run("scout", 1).await), Cost { usd_micros: 100_000, tokens: 10 });
    let cost = Cost { usd_micros: 2_000_000, tokens: 300 };
    test.hub.governance().settle(RunId(1), cost, Succeeded).await.unwrap();
    test.hub.governance().settle(RunId(1), cost, Succeeded).await.unwrap();
    let used = budget(&test, &key).await;
    assert_eq!(
        used["usd"],
        json!({ "limit": 10.0, "spent": 2.0, "reserved": 0.0, "forecast": used["usd"]["forecast"] })
    );
    assert_eq!((&used["tokens"]["spent"], &used["runs"]["spent"]), (&json!(300), &json!(1)));
    // The next one reserves the mean of those before it, until it says itself what it expects.
    assert_eq!(reserved(test.begin_run("scout", 2).await), cost);
    test.end_run(2, 1.0, Succeeded).await;
    assert_eq!(reserved(test.begin_run("scout", 3).await), Cost { usd_micros: 1_500_000, tokens: 150 });
    test.hub.governance().release(RunId(3)).await.unwrap();
    test.change_agent(
        &key,
        "scout",
        json!({ "harness": { "command": "agent", "estimate": { "usd": 0.5, "tokens": 7 } } }),
    )
    .await;
    assert_eq!(reserved(test.begin_run("scout", 4).await), Cost { usd_micros: 500_000, tokens: 7 });
    // A run that dies with its server gives back what it did not report, and counts as a run.
    test.end_run(4, 0.0, Interrupted).await;
    let used = budget(&test, &key).await;
    assert_eq!((&used["usd"]["spent"], &used["usd"]["reserved"]), (&json!(3.0), &json!(0.0)));
    assert_eq!((&used["runs"]["spent"], &used["daily_runs"]["spent"]), (&json!(3), &json!(3)), "the third never began");
    test.stop().await;
}

#[both_engines]
async fn the_owner_is_warned_once_and_the_agent_paused_at_the_limit(test: TestServer) {
    let settings = json!({ "budget": { "usd": 10, "period": "month" }, "harness": { "command": "agent", "estimate": { "usd": 0.1 } } });
    let key = owner(&test, settings).await;
    for (run, usd, warnings) in [(1, 7.9, 0), (2, 0.2, 1), (3, 0.2, 1)] {
        reserved(test.begin_run("scout", run).await);
        test.end_run(run, usd, Succeeded).await;
        assert_eq!(test.told_of(&key, "budget_warned").await.len(), warnings, "after run {run}");
    }
    assert!(budget(&test, &key).await["warned_at"].is_string());
    test.begin_run("scout", 4).await;
    test.begin_run("scout", 5).await;
    test.end_run(4, 0.1, Succeeded).await;
    test.end_run(5, 5.0, Succeeded).await;
    let agent = test.look_with(&key, "/api/agents/scout").await;
    assert!(agent["paused_at"].is_string(), "{agent}");
    assert_eq!(agent["paused_reason"], "budget");
    assert_eq!(test.told_of(&key, "budget_used_up").await.len(), 1);
    assert_eq!(test.told_of(&key, "budget_warned").await.len(), 1);
    assert_eq!(refused(test.begin_run("scout", 6).await), RefusedFor::Paused(PausedReason::Budget));
    // The last day of the month changes nothing, the first of the next one everything.
    test.clock.advance(30 * DAY);
    test.work("governance_sweep").await;
    assert_eq!(test.look_with(&key, "/api/agents/scout").await["paused_reason"], "budget");
    test.clock.advance(DAY);
    test.work("governance_sweep").await;
    let agent = test.look_with(&key, "/api/agents/scout").await;
    assert_eq!((&agent["paused_at"], &agent["paused_reason"]), (&Value::Null, &Value::Null));
    let used = budget(&test, &key).await;
    assert_eq!((&used["usd"]["spent"], &used["starts_at"]), (&json!(0.0), &json!("2026-02-01T00:00:00.000Z")));
    let actions: Vec<_> = test.audited("agent_state_changed").await.into_iter().map(|(action, _)| action).collect();
    assert_eq!(actions, ["budget_warned", "paused", "resumed"]);
    // In the new period there is a new warning.
    reserved(test.begin_run("scout", 7).await);
    test.end_run(7, 9.0, Succeeded).await;
    assert_eq!(test.told_of(&key, "budget_warned").await.len(), 2);
    test.stop().await;
}

#[both_engines]
async fn a_period_lifts_no_pause_of_the_owner(test: TestServer) {
    let key = owner(&test, json!({ "budget": { "usd": 1, "period": "day" } })).await;
    reserved(test.begin_run("scout", 1).await);
    test.end_run(1, 1.0, Succeeded).await;
    assert_eq!(test.look_with(&key, "/api/agents/scout").await["paused_reason"], "budget");
    let paused = test.change_agent(&key, "scout", json!({ "paused": true })).await;
    assert_eq!(paused["paused_reason"], "manual");
    test.clock.advance(2 * DAY);
    test.work("governance_sweep").await;
    assert_eq!(test.look_with(&key, "/api/agents/scout").await["paused_reason"], "manual");
    assert_eq!(refused(test.begin_run("scout", 2).await), RefusedFor::Paused(PausedReason::Manual));
    // Resuming from a pause of one's own extends nothing.
    let resumed = test.change_agent(&key, "scout", json!({ "paused": false })).await;
    assert_eq!((&resumed["paused_at"], &resumed["paused_reason"]), (&Value::Null, &Value::Null));
    assert_eq!(budget(&test, &key).await["extensions"], 0);
    reserved(test.begin_run("scout", 2).await);
    test.stop().await;
}

#[both_engines]
async fn a_run_after_the_turn_needs_no_worker(test: TestServer) {
    let key = owner(&test, json!({ "budget": { "runs": 1, "period": "day" } })).await;
    reserved(test.begin_run("scout", 1).await);
    test.end_run(1, 0.0, Succeeded).await;
    assert_eq!(refused(test.begin_run("scout", 2).await), RefusedFor::Paused(PausedReason::Budget));
    test.clock.advance(DAY);
    reserved(test.begin_run("scout", 3).await);
    assert_eq!(test.look_with(&key, "/api/agents/scout").await["paused_at"], Value::Null);
    test.stop().await;
}

#[both_engines]
async fn a_raised_limit_and_the_owner_let_an_agent_go_on(test: TestServer) {
    let key = owner(&test, json!({ "budget": { "usd": 1 } })).await;
    reserved(test.begin_run("scout", 1).await);
    test.end_run(1, 3.5, Succeeded).await;
    // Not enough: it has spent more than that.
    let raised = test.change_agent(&key, "scout", json!({ "budget": { "usd": 3 } })).await;
    assert_eq!(raised["paused_reason"], "budget");
    let raised = test.change_agent(&key, "scout", json!({ "budget": { "usd": 5 } })).await;
    assert_eq!((&raised["paused_at"], &raised["budget"]), (&Value::Null, &json!({ "usd": 5.0, "period": "month" })));
    // A limit that is lowered below what was spent pauses at once.
    let lowered = test.change_agent(&key, "scout", json!({ "budget": { "usd": 1 } })).await;
    assert_eq!(lowered["paused_reason"], "budget");
    let resumed = test.change_agent(&key, "scout", json!({ "paused": false })).await;
    assert_eq!(resumed["paused_at"], Value::Null);
    let used = budget(&test, &key).await;
    // As often as it takes to have room.
    assert_eq!((&used["extensions"], &used["usd"]["limit"]), (&json!(3), &json!(4.0)));
    test.change_agent(&key, "scout", json!({ "harness": { "command": "agent", "estimate": { "usd": 0.1 } } })).await;
    reserved(test.begin_run("scout", 2).await);
    test.end_run(2, 0.6, Succeeded).await;
    assert_eq!(test.look_with(&key, "/api/agents/scout").await["paused_reason"], "budget");
    let freed = test.change_agent(&key, "scout", json!({ "budget": {} })).await;
    assert_eq!((&freed["paused_at"], &freed["budget"]), (&Value::Null, &Value::Null));
    test.stop().await;
}

#[both_engines]
async fn the_runs_of_a_day_are_refused_and_pause_nothing(test: TestServer) {
    let key = owner(&test, json!({ "daily_run_budget": 2 })).await;
    for run in 1..=2 {
        reserved(test.begin_run("scout", run).await);
        test.end_run(run, 0.0, Succeeded).await;
    }
    assert_eq!(refused(test.begin_run("scout", 3).await), RefusedFor::Exhausted(Resource::DailyRuns));
    let agent = test.look_with(&key, "/api/agents/scout").await;
    assert_eq!(agent["paused_at"], Value::Null);
    let used = budget(&test, &key).await;
    assert_eq!((&used["daily_runs"]["limit"], &used["daily_runs"]["spent"]), (&json!(2), &json!(2)));
    test.clock.advance(DAY);
    reserved(test.begin_run("scout", 3).await);
    test.stop().await;
}

#[both_engines]
async fn a_run_that_reports_more_reserves_more_and_ends_at_its_own_limit(test: TestServer) {
    let settings = json!({ "budget": { "usd": 10 }, "harness": { "command": "agent", "estimate": { "usd": 1 }, "max_usd": 4, "max_tokens": 50 } });
    let key = owner(&test, settings).await;
    reserved(test.begin_run("scout", 1).await);
    let governance = test.hub.governance();
    assert_eq!(governance.report(RunId(1), dollars(0.5)).await.unwrap(), None);
    assert_eq!(budget(&test, &key).await["usd"]["reserved"], 1.0);
    assert_eq!(governance.report(RunId(1), dollars(3.0)).await.unwrap(), None);
    assert_eq!(budget(&test, &key).await["usd"]["reserved"], 3.0);
    assert_eq!(governance.report(RunId(1), dollars(4.5)).await.unwrap(), Some(Resource::Usd));
    let tokens = Cost { usd_micros: 0, tokens: 51 };
    assert_eq!(governance.report(RunId(1), tokens).await.unwrap(), Some(Resource::Tokens));
    test.end_run(1, 4.5, Succeeded).await;
    assert_eq!(governance.report(RunId(1), dollars(9.0)).await.unwrap(), None, "it has ended");
    let used = budget(&test, &key).await;
    assert_eq!((&used["usd"]["spent"], &used["usd"]["reserved"]), (&json!(4.5), &json!(0.0)));
    test.stop().await;
}

#[both_engines]
async fn usage_is_told_by_agent_and_by_day(test: TestServer) {
    let key =
        owner(&test, json!({ "budget": { "usd": 100 }, "harness": { "command": "agent", "estimate": { "usd": 2 } } }))
            .await;
    let (bob, theirs) = test.lasting("bob").await;
    let other = test.create_agent(&bob, "other").await;
    for (agent, run, usd) in [("scout", 1, 1.5), ("other", 2, 0.25)] {
        reserved(test.begin_run(agent, run).await);
        test.end_run(run, usd, Succeeded).await;
    }
    test.clock.advance(DAY);
    for (run, usd) in [(3, 1.0), (4, 0.5)] {
        reserved(test.begin_run("scout", run).await);
        test.end_run(run, usd, Succeeded).await;
    }
    reserved(test.begin_run("scout", 5).await);
    let by_day = test.look_with(&key, "/api/usage?by=day").await["runs"].clone();
    let days: Vec<_> = by_day["groups"]
        .as_array()
        .unwrap()
        .iter()
        .map(|group| (group["day"].as_str().unwrap(), group["runs"].as_i64().unwrap(), group["usd"].as_f64().unwrap()))
        .collect();
    assert_eq!(days, [("2026-01-01T00:00:00.000Z", 1, 1.5), ("2026-01-02T00:00:00.000Z", 2, 1.5)]);
    let by_agent = test.look_with(&key, "/api/usage?by=agent").await["runs"]["groups"].clone();
    let group = json!({ "agent": "scout", "runs": 3, "usd": 3.0, "tokens": 0, "reserved_usd": 2.0 });
    assert_eq!(by_agent, json!([group]));
    assert_eq!(test.look_with(&key, "/api/usage?by=day&days=1").await["runs"]["groups"].as_array().unwrap().len(), 1);
    // Others see their own, an agent too.
    for key in [&theirs, &other] {
        let groups = test.look_with(key, "/api/usage?by=agent").await["runs"]["groups"].clone();
        assert_eq!((&groups[0]["agent"], groups.as_array().unwrap().len()), (&json!("other"), 1));
    }
    // The first of 31 days is over, and three dollars are spent.
    let forecast = budget(&test, &key).await["usd"]["forecast"].as_f64().unwrap();
    assert!((forecast - 93.0).abs() < 1e-6, "{forecast}");
    let wrong = test.request_with(&key, Method::GET, "/api/usage?by=day&days=0").send().await.unwrap();
    assert_eq!(faults(&problem(wrong, 400, "validation_failed").await), ["days"]);
    test.stop().await;
}

#[both_engines]
async fn budgets_out_of_range_are_refused_by_field(test: TestServer) {
    let (ann, _) = test.lasting("ann").await;
    test.create_agent(&ann, "scout").await;
    let wrong = json!({ "budget": { "usd": -1, "tokens": -5, "runs": 3 } });
    let answer = test.ask(&ann, Method::PATCH, "/api/agents/scout", wrong).await;
    assert_eq!(faults(&problem(answer, 400, "validation_failed").await), ["budget.usd", "budget.tokens"]);
    for wrong in
        [json!({ "budget": { "period": "year" } }), json!({ "budget": { "euros": 1 } }), json!({ "budget": 5 })]
    {
        let answer = test.ask(&ann, Method::PATCH, "/api/agents/scout", wrong.clone()).await;
        assert_eq!(answer.status(), 400, "{wrong}");
    }
    test.stop().await;
}
