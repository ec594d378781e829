//! Analytics: counts of messages by time, exact whoever sends and however many count.

use std::time::Duration;

use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};
use svc_core::analytics::Span;
use svc_core::events::NewEvent;
use svc_core::workers::Progress;
use svc_core::{Caller, limits};
use svc_test_macros::both_engines;

use crate::support::hub::TestHub;
use crate::support::people::Person;
use crate::support::server::{TestServer, problem};

const MINUTE: Duration = Duration::from_mins(1);
const DAY: Duration = Duration::from_hours(24);

/// The `(start, sent, received)` of buckets in which something happened.
fn busy(timeline: &Value) -> Vec<(String, i64, i64)> {
    let buckets = timeline["buckets"].as_array().unwrap().iter();
    buckets
        .map(|bucket| {
            (
                bucket["start"].as_str().unwrap()[..16].to_owned(),
                bucket["sent"].as_i64().unwrap(),
                bucket["received"].as_i64().unwrap(),
            )
        })
        .filter(|(_, sent, received)| sent + received > 0)
        .collect()
}

impl TestServer {
    async fn timeline(&self, person: &Person, span: &str) -> Value {
        self.look(person, &format!("/api/analytics/timeline?span={span}")).await
    }
}

#[both_engines]
async fn a_message_is_counted_as_soon_as_it_was_sent(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    let scout = test.create_agent(&ann, "scout").await;
    for (span, count, seconds) in
        [("1h", 12, 300), ("4h", 48, 300), ("24h", 24, 3600), ("7d", 7, 86400), ("30d", 30, 86400)]
    {
        let timeline = test.timeline(&ann, span).await;
        assert_eq!((timeline["span"].as_str(), timeline["bucket_seconds"].as_i64()), (Some(span), Some(seconds)));
        assert_eq!(timeline["buckets"].as_array().unwrap().len(), count);
        assert!(busy(&timeline).is_empty(), "{timeline}");
    }
    test.say(&ann, json!({ "channel": "general", "body": "hello @bob" })).await;
    test.say_with(&scout, json!({ "to": "bob", "body": "ready?" })).await;
    test.say(&bob, json!({ "to": "scout", "body": "no" })).await;
    for span in ["1h", "4h", "24h", "7d", "30d"] {
        // What tells bob of the mention is no message of its own.
        let start = "2026-01-01T00:00".to_owned();
        assert_eq!(busy(&test.timeline(&ann, span).await), [(start.clone(), 2, 1)], "{span}");
        assert_eq!(busy(&test.timeline(&bob, span).await), [(start.clone(), 1, 1)], "{span}");
        let of_agent = test.look_with(&scout, &format!("/api/analytics/timeline?span={span}")).await;
        assert_eq!(busy(&of_agent), [(start, 1, 1)], "{span}");
    }
    assert_eq!(test.look(&ann, "/api/analytics/timeline").await["span"], "24h");
    let everything = test.hub.analytics().timeline(&Caller::root(), Span::Day).await.unwrap();
    assert_eq!((everything.buckets[23].sent, everything.buckets[23].received), (3, 2));
    test.stop().await;
}

#[both_engines]
async fn buckets_follow_the_clock_across_midnight(test: TestServer) {
    test.clock.advance(MINUTE * (24 * 60 - 1));
    let ann = test.person("ann").await;
    let say = async || drop(test.say(&ann, json!({ "channel": "general", "body": "tick" })).await);
    say().await;
    test.clock.advance(Duration::from_micros(59_999_999));
    say().await;
    test.clock.advance(Duration::from_micros(1));
    say().await;
    assert_eq!(
        busy(&test.timeline(&ann, "1h").await),
        [("2026-01-01T23:55".into(), 2, 0), ("2026-01-02T00:00".into(), 1, 0)]
    );
    assert_eq!(
        busy(&test.timeline(&ann, "24h").await),
        [("2026-01-01T23:00".into(), 2, 0), ("2026-01-02T00:00".into(), 1, 0)]
    );
    assert_eq!(
        busy(&test.timeline(&ann, "7d").await),
        [("2026-01-01T00:00".into(), 2, 0), ("2026-01-02T00:00".into(), 1, 0)]
    );
    let summary = test.look(&ann, "/api/analytics/summary").await;
    assert_eq!(
        (&summary["messages_today"], &summary["messages_7d"], &summary["messages_total"]),
        (&json!(1), &json!(3), &json!(3))
    );
    // An hour later the fine buckets of before midnight have gone from view, one by one.
    test.clock.advance(MINUTE * 55);
    assert_eq!(busy(&test.timeline(&ann, "1h").await), [("2026-01-02T00:00".into(), 1, 0)]);
    test.clock.advance(DAY * 6);
    let ann = test.log_in("ann").await;
    assert_eq!(busy(&test.timeline(&ann, "7d").await), [("2026-01-02T00:00".into(), 1, 0)]);
    assert_eq!(busy(&test.timeline(&ann, "30d").await).len(), 2);
    let summary = test.look(&ann, "/api/analytics/summary").await;
    assert_eq!(
        (&summary["messages_today"], &summary["messages_7d"], &summary["messages_total"]),
        (&json!(0), &json!(1), &json!(3))
    );
    test.stop().await;
}

#[both_engines]
async fn the_busiest_are_ranked_among_what_the_caller_sees(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    let plans = test.request_as(&ann, Method::POST, "/api/channels").json(&json!({ "name": "plans", "public": false }));
    assert_eq!(plans.send().await.unwrap().status(), 201);
    for (number, name) in ["a0", "a1", "a2", "a3", "a4", "a5", "a6"].into_iter().enumerate() {
        let key = test.create_agent(&ann, name).await;
        for _ in 0..number {
            test.say_with(&key, json!({ "channel": "general", "body": "hi" })).await;
        }
    }
    for _ in 0..30 {
        test.say(&ann, json!({ "channel": "plans", "body": "hush" })).await;
    }
    let minion = test.create_agent(&bob, "minion").await;
    test.say_with(&minion, json!({ "channel": "general", "body": "hi" })).await;

    let top = test.look(&ann, "/api/analytics/top-agents?span=1h").await;
    let ranks: Vec<_> = top["agents"]
        .as_array()
        .unwrap()
        .iter()
        .map(|agent| (agent["name"].as_str().unwrap(), agent["messages"].as_i64().unwrap()))
        .collect();
    assert_eq!(ranks, [("a6", 6), ("a5", 5), ("a4", 4), ("a3", 3), ("a2", 2)]);
    assert_eq!(top["agents"][0]["display_name"], "a6");
    let all = test.look(&ann, "/api/analytics/top-agents?limit=100000").await;
    assert_eq!(all["agents"].as_array().unwrap().len(), 6, "one sent nothing, and another owner's is not there");
    assert_eq!(
        test.look(&ann, "/api/analytics/top-agents?limit=1").await["agents"],
        json!([{ "name": "a6", "display_name": "a6", "messages": 6 }])
    );
    let own = test.look_with(&minion, "/api/analytics/top-agents").await;
    assert_eq!(own["agents"], json!([{ "name": "minion", "display_name": "minion", "messages": 1 }]));

    let general = json!({ "name": "general", "messages": 22 });
    let top = test.look(&ann, "/api/analytics/top-channels?span=7d").await;
    assert_eq!(top, json!({ "span": "7d", "channels": [{ "name": "plans", "messages": 30 }, general] }));
    assert_eq!(test.look(&bob, "/api/analytics/top-channels").await["channels"], json!([general]));
    assert_eq!(test.look_with(&minion, "/api/analytics/top-channels").await["channels"], json!([general]));
    let limited = json!({ "name": "limited", "permissions": ["read"], "allowed_channels": ["general"] });
    let (_, limited) = test.create_key(&ann, limited).await;
    assert_eq!(test.look_with(&limited, "/api/analytics/top-channels").await["channels"], json!([general]));
    for path in ["/api/analytics/summary", "/api/analytics/timeline?span=1h", "/api/traces"] {
        let answer = test.request_with(&limited, Method::GET, path).send().await.unwrap();
        problem(answer, 403, "channel_not_allowed").await;
    }

    let answer = test.request_with(&minion, Method::GET, "/api/messages/999999").send().await.unwrap();
    assert_eq!(answer.status(), 404);
    test.hub.traces().flush().await.unwrap();
    let summary = test.look(&ann, "/api/analytics/summary").await;
    assert_eq!(
        summary,
        json!({ "messages_today": 51, "messages_7d": 51, "messages_total": 51,
        "agents_active": 6, "agents_total": 7, "channels": 2, "errors_24h": 3 })
    );
    let summary = test.look(&bob, "/api/analytics/summary").await;
    assert_eq!(
        summary,
        json!({ "messages_today": 1, "messages_7d": 1, "messages_total": 1,
        "agents_active": 1, "agents_total": 1, "channels": 1, "errors_24h": 1 })
    );
    let summary = test.hub.analytics().summary(&Caller::root()).await.unwrap();
    assert_eq!((summary.messages_total, summary.agents_active, summary.agents_total, summary.channels), (52, 7, 8, 2));
    test.stop().await;
}

#[both_engines]
async fn what_cannot_be_asked_is_refused_by_its_name(test: TestServer) {
    let ann = test.person("ann").await;
    for (path, field) in [
        ("/api/analytics/timeline?span=2h", "span"),
        ("/api/analytics/timeline?span=", "span"),
        ("/api/analytics/top-agents?span=1H", "span"),
        ("/api/analytics/top-channels?span=forever", "span"),
        ("/api/analytics/top-agents?limit=0", "limit"),
        ("/api/analytics/top-channels?limit=-1", "limit"),
        ("/api/analytics/top-channels?limit=many", "limit"),
    ] {
        let answer = test.request_as(&ann, Method::GET, path).send().await.unwrap();
        let refusal = problem(answer, 400, "validation_failed").await;
        assert_eq!(refusal["errors"][0]["field"], field, "{path}: {refusal}");
    }
    test.stop().await;
}

/// The payload of a message that was sent, with what a count is about.
fn sent(counted: &Value) -> Value {
    let mut payload = json!({
        "message_id": 1, "conversation_id": 1, "from": "ann", "from_kind": "human", "preview": "hello", "priority": 5,
    });
    payload.as_object_mut().unwrap().extend(counted.as_object().unwrap().clone());
    payload
}

#[both_engines]
async fn counts_are_exact_with_many_senders_and_two_processes_that_count(test: TestHub) {
    let other = test.another().await;
    let sending = (0..8).map(|sender| {
        let hub = if sender % 2 == 0 { test.hub.clone() } else { other.clone() };
        tokio::spawn(async move {
            for number in 0..60 {
                let channel = (number % 3 == 0).then_some(7);
                let recipient = channel.is_none().then_some(number % 5 + 100);
                let payload = sent(&json!({
                    "sender_id": sender + 10, "channel_id": channel, "recipient_id": recipient,
                    "created_at": "2026-01-01T00:00:00Z"
                }));
                hub.events().append(NewEvent::new("message.created", &payload).unwrap()).await.unwrap();
            }
        })
    });
    let counting = [test.hub.clone(), other.clone(), test.hub.clone()].map(|hub| {
        tokio::spawn(async move {
            let workers = hub.workers();
            let worker = workers.iter().find(|worker| worker.name() == "analytics_rollup").unwrap();
            for _ in 0..40 {
                worker.run_once().await.unwrap();
                hub.analytics().summary(&Caller::root()).await.unwrap();
            }
        })
    });
    for done in join_all(sending.chain(counting)).await {
        done.unwrap();
    }
    for hub in [&test.hub, &other] {
        for span in [Span::Hour, Span::Day, Span::Week] {
            let timeline = hub.analytics().timeline(&Caller::root(), span).await.unwrap();
            let last = timeline.buckets.last().unwrap();
            assert_eq!((last.sent, last.received), (480, 320), "{span}");
        }
    }
    let counted = "SELECT CAST(sum(messages) AS BIGINT) FROM message_rollups
                    WHERE sender_id = 13 AND grain = 'day' AND channel_id = 7";
    assert_eq!(test.number(counted).await, 20);
    let summary = test.hub.analytics().summary(&Caller::root()).await.unwrap();
    assert_eq!((summary.messages_today, summary.messages_7d, summary.messages_total), (480, 480, 480));
    assert_eq!(test.number("SELECT messages FROM message_totals WHERE sender_id = 13").await, 60);
    other.close().await;
}

#[both_engines]
async fn a_store_from_before_the_totals_gets_them_from_its_days(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    let scout = test.create_agent(&ann, "scout").await;
    test.say(&ann, json!({ "channel": "general", "body": "one" })).await;
    test.say_with(&scout, json!({ "to": "bob", "body": "two" })).await;
    test.say(&bob, json!({ "to": "ann", "body": "three" })).await;
    test.clock.advance(DAY);
    let (ann, bob) = (test.log_in("ann").await, test.log_in("bob").await);
    test.say_with(&scout, json!({ "channel": "general", "body": "four" })).await;
    let total = async |person: &Person| test.look(person, "/api/analytics/summary").await["messages_total"].clone();
    assert_eq!((total(&ann).await, total(&bob).await), (json!(3), json!(1)));
    for text in ["DROP TABLE message_totals", "DELETE FROM schema_migrations WHERE version = 4"] {
        test.execute(text).await;
    }
    assert_eq!(test.hub.db().migrate().await.unwrap(), 1);
    assert_eq!((total(&ann).await, total(&bob).await), (json!(3), json!(1)));
    test.say(&bob, json!({ "to": "ann", "body": "five" })).await;
    assert_eq!((total(&ann).await, total(&bob).await), (json!(3), json!(2)));
    test.stop().await;
}

#[both_engines]
async fn fine_counts_are_forgotten_and_those_by_day_stay(test: TestHub) {
    let send = async || {
        let now = svc_core::clock::Clock::now(test.clock.as_ref());
        let payload = sent(&json!({ "sender_id": 10, "channel_id": 7, "created_at": now }));
        test.hub.events().append(NewEvent::new("message.created", &payload).unwrap()).await.unwrap();
    };
    let rows = async |grain: &'static str| {
        let read = test.hub.db().read(grain, |tx, grain| {
            Box::pin(
                tx.query("SELECT count(*) FROM message_rollups WHERE grain = $1").bind(*grain).fetch_value::<i64>(),
            )
        });
        read.await.unwrap()
    };
    let work = async || while test.run_worker("analytics_rollup").await == Progress::More {};
    for _ in 0..5 {
        send().await;
        test.clock.advance(MINUTE * 90);
    }
    work().await;
    assert_eq!((rows("minutes").await, rows("hour").await, rows("day").await), (5, 5, 1));
    test.clock.advance(limits::ROLLUP_MINUTES_KEPT);
    send().await;
    work().await;
    assert_eq!((rows("minutes").await, rows("hour").await, rows("day").await), (1, 6, 2));
    test.clock.advance(limits::ROLLUP_HOURS_KEPT + Duration::from_hours(1));
    work().await;
    assert_eq!((rows("minutes").await, rows("hour").await, rows("day").await), (0, 0, 2));
    let summary = test.hub.analytics().summary(&Caller::root()).await.unwrap();
    assert_eq!((summary.messages_today, summary.messages_total), (0, 6));
}
