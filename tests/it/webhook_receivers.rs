//! Receivers that misbehave: none of them holds the hub up, and none gets more than its share.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use reqwest::Method;
use serde_json::{Value, json};
use svc_core::limits;
use svc_http::ServerConfig;
use svc_test_macros::both_engines;
use tokio::sync::Semaphore;

use crate::support::receiver::{Receiver, Reply};
use crate::support::server::TestServer;
use crate::support::wait::until;

/// Less than the limit of an attempt in production, so that the tests need not wait as long.
const ATTEMPT: Duration = Duration::from_millis(700);

async fn server() -> TestServer {
    TestServer::start(|config| config.hub.webhooks.attempt = ATTEMPT).await
}

/// The outcome of a test of a webhook whose receiver answers like this.
async fn tried(test: &TestServer, reply: Reply) -> Value {
    let name = format!("agent-{}", test.number("SELECT count(*) FROM webhooks").await);
    let ann = test.log_in("ann").await;
    test.create_agent(&ann, &name).await;
    let receiver = Receiver::start().await;
    receiver.always(reply);
    let hook = test.hook(&ann, &name, &receiver.url, &["*"]).await;
    let path = format!("/api/webhooks/{}/test", hook["webhook"]["id"]);
    test.did(&ann, Method::POST, &path, json!({})).await
}

#[tokio::test(flavor = "multi_thread")]
async fn hostile_receivers_are_bounded_in_time_and_size() {
    let test = server().await;
    test.person("ann").await;
    let began = Instant::now();
    let never = tried(&test, Reply::Never).await;
    assert_eq!((&never["error"], &never["status"]), (&json!("timeout"), &Value::Null));
    // The status decides, and what is read of the rest is bounded.
    let drip = tried(&test, Reply::Drip).await;
    assert_eq!((&drip["error"], &drip["status"]), (&Value::Null, &json!(200)));
    assert!(drip["excerpt"].as_str().unwrap().len() < 4096);
    let flood = tried(&test, Reply::Flood).await;
    assert_eq!((&flood["error"], flood["excerpt"].as_str().unwrap().len()), (&Value::Null, 4096));
    let broken = tried(&test, Reply::BreakOff).await;
    assert_eq!((&broken["error"], &broken["status"]), (&json!("protocol"), &Value::Null));
    let redirect = tried(&test, Reply::Header(302, "location: http://127.0.0.1:1/elsewhere")).await;
    assert_eq!((&redirect["error"], &redirect["status"]), (&json!("redirect"), &json!(302)));
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
    test.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_slow_body_does_not_hold_a_place_after_the_status() {
    let test = TestServer::start(|config| config.hub.webhooks.attempt = Duration::from_mins(1)).await;
    test.person("ann").await;
    let drip = tried(&test, Reply::Drip).await;
    assert_eq!((&drip["error"], &drip["status"]), (&Value::Null, &json!(200)));
    assert!(drip["duration_ms"].as_u64().unwrap() < 20_000, "{drip}");
    test.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_endpoint_without_a_listener_is_a_failed_connection() {
    let test = server().await;
    let ann = test.person("ann").await;
    test.create_agent(&ann, "scout").await;
    let free = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let hook = test.hook(&ann, "scout", &format!("http://{free}/hook"), &["*"]).await;
    let path = format!("/api/webhooks/{}/test", hook["webhook"]["id"]);
    assert_eq!(test.did(&ann, Method::POST, &path, json!({})).await["error"], "connect");
    // An address that is allowed when the webhook is registered may be refused later.
    let moved = test.hub.db().write(hook["webhook"]["id"].as_i64().unwrap(), |tx, id| {
        Box::pin(tx.query("UPDATE webhooks SET url = 'https://10.0.0.1/hook' WHERE id = $1").bind(*id).execute())
    });
    assert_eq!(moved.await.unwrap(), 1);
    assert_eq!(test.did(&ann, Method::POST, &path, json!({})).await["error"], "address_refused");
    test.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dead_receiver_delays_nobody_else() {
    // The attempts at the dead one outlast the test.
    let test = TestServer::start(|config| {
        config.hub.webhooks.attempt = Duration::from_secs(25);
        config.hub.webhooks.rate = 0;
    })
    .await;
    let ann = test.person("ann").await;
    for agent in ["slow", "quick"] {
        test.create_agent(&ann, agent).await;
    }
    let (mut slow, mut quick) = (Receiver::start().await, Receiver::start().await);
    slow.always(Reply::Never);
    test.hook(&ann, "slow", &slow.url, &["*"]).await;
    test.hook(&ann, "quick", &quick.url, &["*"]).await;
    for number in 0..20 {
        test.say(&ann, json!({ "to": "slow", "body": number.to_string() })).await;
    }
    slow.next().await;
    slow.next().await;
    for number in 0..20 {
        test.say(&ann, json!({ "to": "quick", "body": number.to_string() })).await;
        quick.next().await;
    }
    // It holds its own two places and no more.
    assert!(slow.rest().is_empty());
    test.stop().await;
}

/// A server whose attempts outlast the test.
struct PatientServer(TestServer);

impl PatientServer {
    async fn sqlite() -> Self {
        Self(TestServer::start(Self::set).await)
    }

    async fn postgres() -> Option<Self> {
        Some(Self(TestServer::start_on_postgres(Self::set).await?))
    }

    fn set(config: &mut ServerConfig) {
        config.hub.webhooks.attempt = Duration::from_mins(1);
        config.hub.webhooks.rate = 0;
    }
}

#[both_engines]
async fn an_owner_whose_receivers_all_hang_delays_nobody_else(test: PatientServer) {
    let test = test.0;
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    let (mut slow, mut quick) = (Receiver::start().await, Receiver::start().await);
    slow.always(Reply::Never);
    for number in 0..40 {
        let name = format!("slow-{number}");
        test.create_agent(&ann, &name).await;
        test.hook(&ann, &name, &slow.url, &["*"]).await;
    }
    test.create_agent(&bob, "quick").await;
    test.hook(&bob, "quick", &quick.url, &["*"]).await;
    for number in 0..40 {
        test.say(&ann, json!({ "to": format!("slow-{number}"), "body": "Hello." })).await;
    }
    for _ in 0..limits::WEBHOOK_OWNER_SHARE {
        slow.next().await;
    }
    for number in 0..20 {
        test.say(&ann, json!({ "to": "quick", "body": number.to_string() })).await;
        quick.next().await;
    }
    assert!(slow.rest().is_empty(), "they hold their share and no more");
    test.stop().await;
}

#[both_engines]
async fn outcomes_of_the_same_moment_are_recorded_each_as_it_is(test: PatientServer) {
    let test = test.0;
    let ann = test.person("ann").await;
    let gate = Arc::new(Semaphore::new(0));
    let mut hooks = Vec::new();
    for (agent, status) in [("late", 200), ("well", 200), ("busy", 503), ("gone", 410), ("odd", 200)] {
        test.create_agent(&ann, agent).await;
        let receiver = Receiver::start().await;
        receiver.always(Reply::Held(status, gate.clone()));
        let id = test.hook(&ann, agent, &receiver.url, &["*"]).await["webhook"]["id"].clone();
        hooks.push((agent, receiver, id));
    }
    for (agent, receiver, _) in &mut hooks {
        test.say(&ann, json!({ "to": agent, "body": "Hello." })).await;
        receiver.next().await;
        if *agent == "late" {
            // The lease expires, so the answer to this attempt says nothing any more.
            test.clock.advance(Duration::from_mins(2) + Duration::from_secs(1));
            receiver.next().await;
        }
    }
    // An attempt that cannot be stored.
    let odd = hooks[4].2.as_i64().unwrap();
    let taken = test.hub.db().write(odd, |tx, id| {
        let query = tx.query(
            "INSERT INTO webhook_attempts (delivery_id, webhook_id, number, started_at, url, duration_ms)
             SELECT id, webhook_id, 1, 0, 'https://1.1.1.1/hook', 0 FROM webhook_deliveries WHERE webhook_id = $1",
        );
        Box::pin(query.bind(*id).execute())
    });
    assert_eq!(taken.await.unwrap(), 1);
    gate.add_permits(6);
    for ((_, _, id), (status, failures, enabled)) in
        hooks.iter().zip([("delivered", 0, true), ("delivered", 0, true), ("retrying", 1, true), ("dead", 1, false)])
    {
        assert_eq!(test.until_delivery(&ann, id, status).await["attempts"], 1);
        let shown = test.webhook(&ann, id).await;
        assert_eq!((&shown["consecutive_failures"], &shown["enabled"]), (&json!(failures), &json!(enabled)));
    }
    assert_eq!(test.deliveries(&ann, &hooks[4].2, "").await[0]["status"], "delivering");
    test.stop().await;
}

#[both_engines]
async fn a_backlog_is_delivered_and_recorded_each_delivery_once(test: PatientServer) {
    const AGENTS: usize = 12;
    const MESSAGES: usize = 96;
    let test = test.0;
    let ann = test.person("ann").await;
    let (mut well, busy) = (Receiver::start().await, Receiver::start().await);
    busy.always(Reply::Status(503, ""));
    test.create_agent(&ann, "busy").await;
    let failing = test.hook(&ann, "busy", &busy.url, &["*"]).await["webhook"]["id"].clone();
    for number in 0..AGENTS {
        let name = format!("scout-{number}");
        test.create_agent(&ann, &name).await;
        test.hook(&ann, &name, &well.url, &["*"]).await;
    }
    // The first ones are not answered, so the others wait.
    let gate = Arc::new(Semaphore::new(0));
    well.always(Reply::Held(204, gate.clone()));
    for number in 0..MESSAGES {
        let to = format!("scout-{}", number % AGENTS);
        test.say(&ann, json!({ "to": to, "body": number.to_string() })).await;
    }
    test.say(&ann, json!({ "to": "busy", "body": "Hello." })).await;
    well.always(Reply::Status(204, ""));
    gate.add_permits(limits::WEBHOOK_WORKERS);

    let mut arrived = BTreeSet::new();
    for _ in 0..MESSAGES {
        assert!(arrived.insert(well.next().await.header("webhook-id").to_owned()), "one is sent twice");
    }
    let delivered = "SELECT count(*) FROM webhook_deliveries WHERE status = 'delivered' AND attempts = 1";
    let all = i64::try_from(MESSAGES).unwrap();
    until("all to be recorded", async || (test.number(delivered).await == all).then_some(())).await;
    // A failure of the same moment is recorded as one.
    test.until_delivery(&ann, &failing, "retrying").await;
    assert_eq!(test.webhook(&ann, &failing).await["consecutive_failures"], 1);
    assert!(well.rest().is_empty());
    assert_eq!(test.number("SELECT count(*) FROM webhook_attempts WHERE number = 1").await, all + 1);
    assert_eq!(test.number("SELECT count(*) FROM queue_items WHERE status = 'leased'").await, 0);
    let noted = "SELECT count(*) FROM webhooks WHERE last_success_at IS NOT NULL AND consecutive_failures = 0";
    assert_eq!(test.number(noted).await, i64::try_from(AGENTS).unwrap());
    test.stop().await;
}
