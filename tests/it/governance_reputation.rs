//! Reputation: what runs and humans say about an agent, and the quarantine that follows.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use svc_core::governance::{RefusedFor, RunOutcome};
use svc_test_macros::both_engines;

use crate::support::governance::refused;
use crate::support::server::{TestServer, problem, told};

use RunOutcome::{Cancelled, Failed, Interrupted, Succeeded};

const DAY: Duration = Duration::from_hours(24);

async fn reputation(test: &TestServer, key: &str, agent: &str) -> Value {
    test.look_with(key, &format!("/api/agents/{agent}/reputation")).await
}

#[track_caller]
fn assert_score(reputation: &Value, expected: f64) {
    let score = reputation["score"].as_f64().unwrap();
    assert!((score - expected).abs() < 1e-6, "{score} is not {expected}");
}

#[both_engines]
async fn a_score_follows_from_runs_and_their_age(test: TestServer) {
    let (ann, key) = test.lasting("ann").await;
    test.create_agent(&ann, "scout").await;
    let new = reputation(&test, &key, "scout").await;
    assert_score(&new, 0.5);
    assert_eq!((&new["agent"], &new["entries"], &new["since"]), (&json!("scout"), &json!([]), &Value::Null));
    test.ran("scout", 1, Succeeded).await;
    assert_score(&reputation(&test, &key, "scout").await, 3.0 / 5.0);
    // What is not the agent's doing does not count.
    test.ran("scout", 2, Cancelled).await;
    test.ran("scout", 3, Interrupted).await;
    test.ran("scout", 4, Failed).await;
    // A run counts once.
    test.end_run(4, 0.0, Failed).await;
    let today = reputation(&test, &key, "scout").await;
    assert_score(&today, 3.0 / 6.0);
    let entries: Vec<_> =
        today["entries"].as_array().unwrap().iter().map(|entry| (&entry["run_id"], &entry["value"])).collect();
    assert_eq!(entries, [(&json!(4), &json!(0)), (&json!(1), &json!(1))]);
    assert_eq!(today["entries"][0]["kind"], "run");
    test.clock.advance(30 * DAY);
    test.ran("scout", 5, Succeeded).await;
    let later = reputation(&test, &key, "scout").await;
    assert_score(&later, 3.5 / 6.0);
    let series = later["series"].as_array().unwrap();
    assert_eq!(series.len(), 30);
    assert_eq!((&series[29]["day"], &series[29]["entries"]), (&json!("2026-01-31T00:00:00.000Z"), &json!(1)));
    assert_score(&series[29], 3.5 / 6.0);
    // The day before, the two entries of the first day counted almost half.
    assert_score(&series[28], 0.5);
    assert_eq!(series[28]["entries"], 0);
    let path = "/api/agents/scout/reputation?limit=2";
    let first = test.look_with(&key, path).await;
    let next = test.look_with(&key, &format!("{path}&cursor={}", first["next_cursor"])).await;
    let runs = |page: &Value| -> Vec<i64> {
        page["entries"].as_array().unwrap().iter().map(|entry| entry["run_id"].as_i64().unwrap()).collect()
    };
    assert_eq!((runs(&first), runs(&next), &next["next_cursor"]), (vec![5, 4], vec![1], &Value::Null));
}

#[both_engines]
async fn failures_quarantine_once_and_only_the_owner_lifts_that(test: TestServer) {
    let ((ann, key), (bob, _)) = (test.lasting("ann").await, test.lasting("bob").await);
    let scout = test.create_agent(&ann, "scout").await;
    let mut stream = test.stream(&ann).await;
    for run in 1..=2 {
        test.ran("scout", run, Failed).await;
    }
    assert_eq!(test.look_with(&key, "/api/agents/scout").await["quarantined_at"], Value::Null);
    // Two that had begun both end badly: the second changes nothing more.
    test.begin_run("scout", 3).await;
    test.begin_run("scout", 4).await;
    test.end_run(3, 0.0, Failed).await;
    test.end_run(4, 0.0, Failed).await;
    let quarantined = test.look_with(&key, "/api/agents/scout").await;
    assert_eq!(quarantined["quarantined_at"], "2026-01-01T00:00:00.000Z");
    let notices = test.told_of(&key, "quarantined").await;
    assert_eq!(notices.len(), 1, "{notices:?}");
    assert!(notices[0]["score"].as_f64().unwrap() < 0.3);
    assert_eq!(refused(test.begin_run("scout", 5).await), RefusedFor::Quarantined);

    let lift = json!({ "quarantined": false });
    let by_agent = test.request_with(&scout, Method::PATCH, "/api/agents/scout").json(&lift).send().await.unwrap();
    problem(by_agent, 403, "owner_required").await;
    problem(test.ask(&bob, Method::PATCH, "/api/agents/scout", lift.clone()).await, 404, "not_found").await;
    test.clock.advance(Duration::from_secs(1));
    let lifted = test.change_agent(&key, "scout", lift).await;
    assert_eq!(lifted["quarantined_at"], Value::Null);
    // A new window: one failure does not quarantine it again.
    test.ran("scout", 5, Failed).await;
    let now = reputation(&test, &key, "scout").await;
    assert_score(&now, 2.0 / 5.0);
    assert_eq!(now["since"], "2026-01-01T00:00:01.000Z");
    assert_eq!((&now["quarantined_at"], now["entries"].as_array().unwrap().len()), (&Value::Null, 5));
    let audited = test.audited("agent_state_changed").await;
    let expected = ["quarantined", "released"].map(|action| (action.to_owned(), "scout".to_owned()));
    assert_eq!(audited, expected);
    let end = test.say(&ann, json!({ "channel": "general", "body": "for all" })).await;
    let changes: Vec<_> =
        stream.through(&end).await.into_iter().filter(|event| event.name == "agent_changed").collect();
    let actions: Vec<_> = changes.iter().map(|event| event.data["action"].as_str().unwrap()).collect();
    assert_eq!(actions, ["quarantined", "updated", "released"]);
    test.ran("scout", 6, Failed).await;
    test.ran("scout", 7, Failed).await;
    assert_eq!(test.told_of(&key, "quarantined").await.len(), 2, "it can happen again");
}

#[both_engines]
async fn humans_judge_each_message_once(test: TestServer) {
    let ((ann, key), (bob, _)) = (test.lasting("ann").await, test.lasting("bob").await);
    let scout = test.create_agent(&ann, "scout").await;
    let said = test.say_with(&scout, json!({ "channel": "general", "body": "like this?" })).await;
    for (reaction, score, value) in [
        ("approve", 3.0 / 5.0, Some(1)),
        ("reject", 2.0 / 5.0, Some(0)),
        // Taken back, so the approval counts again.
        ("reject", 3.0 / 5.0, Some(1)),
        ("approve", 0.5, None),
        ("done", 0.5, None),
    ] {
        told(test.react(&bob, &said, reaction).await, 200).await;
        let now = reputation(&test, &key, "scout").await;
        assert_score(&now, score);
        let entries = now["entries"].as_array().unwrap();
        assert_eq!(entries.first().map(|entry| entry["value"].as_i64().unwrap()), value, "{reaction}: {now}");
        if let Some(entry) = entries.first() {
            assert_eq!(
                (&entry["kind"], &entry["by"], &entry["message_id"]),
                (&json!("judgement"), &json!("bob"), &said["id"])
            );
        }
    }
    // Agents do not judge, and what a human says is not judged.
    let other = test.create_agent(&bob, "other").await;
    told(test.react_with(&other, &said, "reject").await, 200).await;
    assert_score(&reputation(&test, &key, "scout").await, 0.5);
    for number in 0..3 {
        let said = test.say_with(&scout, json!({ "to": "ann", "body": format!("draft {number}") })).await;
        told(test.react(&ann, &said, "reject").await, 200).await;
    }
    assert_eq!(test.told_of(&key, "quarantined").await.len(), 1);
    // Taking the verdict back does not lift what only the owner lifts.
    let last = test.look_with(&key, "/api/agents/scout/reputation").await["entries"][0]["message_id"].clone();
    told(test.react(&ann, &json!({ "id": last }), "reject").await, 200).await;
    assert!(test.look_with(&key, "/api/agents/scout").await["quarantined_at"].is_string());
}

#[both_engines]
async fn verdicts_from_before_the_window_change_nothing_later(test: TestServer) {
    let (ann, key) = test.lasting("ann").await;
    let scout = test.create_agent(&ann, "scout").await;
    let mut said = Vec::new();
    for number in 0..3 {
        let draft = test.say_with(&scout, json!({ "to": "ann", "body": format!("draft {number}") })).await;
        told(test.react(&ann, &draft, "reject").await, 200).await;
        said.push(draft);
    }
    test.clock.advance(Duration::from_secs(1));
    test.change_agent(&key, "scout", json!({ "quarantined": false })).await;
    assert_score(&reputation(&test, &key, "scout").await, 0.5);
    told(test.react(&ann, &said[0], "reject").await, 200).await;
    assert_score(&reputation(&test, &key, "scout").await, 0.5);
}
