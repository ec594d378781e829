//! Push subscriptions, and push services that fail, are slow, or are many.

use std::sync::Arc;
use std::time::{Duration, Instant};

use reqwest::Method;
use serde_json::{Value, json};
use svc_core::Caller;
use svc_core::db::Engine;
use svc_core::limits;
use svc_core::push::NewPushSubscription;
use svc_test_macros::both_engines;
use tokio::sync::Semaphore;

use crate::support::people::Person;
use crate::support::push::Browser;
use crate::support::receiver::{Receiver, Reply};
use crate::support::server::{TestServer, faults, problem};
use crate::support::wait::until;

impl TestServer {
    /// Waits until the only subscription has failed so often.
    async fn until_failures(&self, who: &Person, failures: u32) -> Value {
        until(&format!("{failures} failures"), async || {
            self.subscriptions(who).await.into_iter().next().filter(|one| one["failures"] == failures)
        })
        .await
    }
}

#[both_engines]
async fn a_subscription_is_checked_and_belongs_to_its_session(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    let key = test.create_agent(&ann, "scout").await;
    let good = Browser::new("https://1.1.1.1/push/1");
    let with = |field: &str, value: &str| {
        let mut body = good.json();
        let (outer, inner) = field.split_once('.').unwrap_or(("", field));
        if outer.is_empty() {
            body[inner] = json!(value);
        } else {
            body[outer][inner] = json!(value);
        }
        body
    };
    let off_the_curve = {
        let mut text = good.json()["keys"]["p256dh"].as_str().unwrap().to_owned();
        text.replace_range(40..43, if &text[40..43] == "AAA" { "BBB" } else { "AAA" });
        text
    };
    for (field, value) in [
        ("endpoint", "http://user@1.1.1.1/"),
        ("endpoint", "https://10.0.0.1/push"),
        ("endpoint", "https://169.254.169.254/latest"),
        ("endpoint", "https://1.1.1.1:22/"),
        ("endpoint", "push"),
        ("keys.p256dh", "AAAA"),
        ("keys.p256dh", off_the_curve.as_str()),
        ("keys.p256dh", "not base64!"),
        ("keys.auth", "AAAA"),
        ("keys.auth", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"),
        ("device", " "),
        ("device", "a\nb"),
    ] {
        let refused = test.try_subscribe(&ann, with(field, value)).await;
        assert_eq!(faults(&problem(refused, 400, "validation_failed").await), [field], "{value}");
    }
    let long = format!("https://1.1.1.1/{}", "x".repeat(2048));
    let refused = test.try_subscribe(&ann, with("endpoint", &long)).await;
    assert_eq!(faults(&problem(refused, 400, "validation_failed").await), ["endpoint"]);
    let asked = test.request_with(&key, Method::POST, "/api/push/subscriptions").json(&good.json()).send().await;
    problem(asked.unwrap(), 403, "session_required").await;
    // A browser subscribes, and again: it is the same one, with new keys.
    let made = test.try_subscribe(&ann, good.json()).await;
    assert_eq!(made.status(), 201);
    let made: Value = made.json().await.unwrap();
    assert_eq!((&made["service"], &made["failures"], &made["current"]), (&json!("1.1.1.1"), &json!(0), &json!(true)));
    let renewed = test.try_subscribe(&ann, Browser::new("https://1.1.1.1/push/1").json()).await;
    assert_eq!(renewed.status(), 200);
    assert_eq!(renewed.json::<Value>().await.unwrap()["id"], made["id"]);
    // Another user cannot take an endpoint whose keys they do not know, nor see or remove it.
    problem(test.try_subscribe(&bob, good.json()).await, 409, "endpoint_taken").await;
    let path = format!("/api/push/subscriptions/{}", made["id"]);
    problem(test.ask(&bob, Method::DELETE, &path, json!({})).await, 404, "not_found").await;
    assert!(test.subscriptions(&bob).await.is_empty());
    // In the browser itself, another user who logs in takes it over.
    let shared = Browser::new("https://1.1.1.1/push/2");
    assert_eq!(test.try_subscribe(&ann, shared.json()).await.status(), 201);
    assert_eq!(test.try_subscribe(&bob, shared.json()).await.status(), 200);
    assert_eq!((test.subscriptions(&ann).await.len(), test.subscriptions(&bob).await.len()), (1, 1));
    // The session ends, and its subscription with it. A session elsewhere keeps its own.
    let phone = test.log_in("ann").await;
    test.try_subscribe(&phone, Browser::new("https://1.1.1.1/push/3").json()).await;
    let listed = test.subscriptions(&ann).await;
    assert_eq!(listed.iter().filter(|one| one["current"] == true).count(), 1, "{listed:?}");
    test.did(&phone, Method::POST, "/auth/logout", json!({})).await;
    assert_eq!(test.subscriptions(&ann).await.len(), 1);
    test.did(&ann, Method::DELETE, &path, json!({})).await;
    assert!(test.subscriptions(&ann).await.is_empty());
    problem(test.ask(&ann, Method::POST, "/api/push/test", json!({})).await, 409, "no_subscriptions").await;
    // They go with the account.
    let of_bob =
        "SELECT count(*) FROM push_subscriptions s JOIN participants p ON p.id = s.user_id WHERE p.handle = 'bob'";
    assert_eq!(test.number(of_bob).await, 1);
    test.hub.users().delete(&Caller::root(), "bob").await.unwrap();
    assert_eq!(test.number(of_bob).await, 0);
}

#[both_engines]
async fn the_21st_subscription_and_the_11th_test_are_refused(test: TestServer) {
    let ann = test.person("ann").await;
    let mut receiver = Receiver::start().await;
    let mut browser = test.browser(&ann, &receiver.url).await;
    for number in 1..20 {
        let made = test.try_subscribe(&ann, Browser::new(format!("https://1.1.1.1/push/{number}")).json()).await;
        assert_eq!(made.status(), 201);
    }
    let refused = test.try_subscribe(&ann, Browser::new("https://1.1.1.1/push/20").json()).await;
    problem(refused, 409, "too_many_subscriptions").await;
    assert_eq!(test.look(&ann, "/api/push/subscriptions").await["max"], 20);
    // One of the 20 can be renewed, and tested, also while a page is visible.
    browser = {
        drop(browser);
        test.browser(&ann, &receiver.url).await
    };
    test.did(&ann, Method::PUT, "/api/presence", json!({ "visible": true })).await;
    let id = test.subscriptions(&ann).await[0]["id"].clone();
    let tested = test.ask(&ann, Method::POST, "/api/push/test", json!({ "subscription_id": id })).await;
    assert_eq!(tested.status(), 202);
    assert_eq!(tested.json::<Value>().await.unwrap(), json!({ "queued": 1 }));
    let shown = browser.read(&receiver.next().await);
    assert_eq!((&shown["title"], &shown["url"]), (&json!("Notifications work"), &json!("/settings?tab=notifications")));
    for _ in 0..9 {
        test.did(&ann, Method::POST, "/api/push/test", json!({ "subscription_id": id })).await;
    }
    let refused = test.ask(&ann, Method::POST, "/api/push/test", json!({ "subscription_id": id })).await;
    assert_eq!(refused.headers()["retry-after"], "60");
    problem(refused, 429, "too_many_tests").await;
    test.clock.advance(Duration::from_mins(1));
    test.did(&ann, Method::POST, "/api/push/test", json!({ "subscription_id": id })).await;
    let refused = test.ask(&ann, Method::POST, "/api/push/test", json!({ "subscription_id": 9999 })).await;
    problem(refused, 404, "not_found").await;
}

#[both_engines]
async fn each_answer_of_a_push_service_has_its_consequence(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    let mut receiver = Receiver::start().await;
    let mut browser = test.browser(&ann, &receiver.url).await;
    let say = async |body: &str| test.say(&bob, json!({ "to": "ann", "body": body })).await;
    // 5xx: again after a while.
    receiver.then([Reply::Status(500, ""), Reply::Header(429, "retry-after: 100")]);
    say("First.").await;
    receiver.next().await;
    assert_eq!(test.until_failures(&ann, 1).await["last_error"], "HTTP 500");
    test.clock.advance(Duration::from_secs(2));
    receiver.next().await;
    // 429: not before the time that the service asks for.
    assert_eq!(test.until_failures(&ann, 2).await["last_error"], "HTTP 429");
    test.clock.advance(Duration::from_secs(99));
    // Another message shows that the worker has looked at the queue since.
    let mut marker = Receiver::start().await;
    test.browser(&bob, &marker.url).await;
    test.say(&ann, json!({ "to": "bob", "body": "Now." })).await;
    marker.next().await;
    assert!(receiver.rest().is_empty());
    test.clock.advance(Duration::from_secs(1));
    assert_eq!(browser.read(&receiver.next().await)["body"], "First.");
    let listed = test.until_failures(&ann, 0).await;
    assert_eq!(listed["last_error"], Value::Null);
    // A slow 201: it is sent once.
    let gate = Arc::new(Semaphore::new(0));
    receiver.then([Reply::Held(201, gate.clone())]);
    let before = listed["last_success_at"].clone();
    test.clock.advance(Duration::from_secs(1));
    say("Slow.").await;
    receiver.next().await;
    assert_eq!(test.subscriptions(&ann).await[0]["last_success_at"], before);
    gate.add_permits(1);
    until("the slow success", async || {
        test.subscriptions(&ann).await.pop().filter(|one| one["last_success_at"] != before)
    })
    .await;
    assert!(receiver.rest().is_empty());
    // 413: once more at once, shorter.
    browser = {
        drop(browser);
        test.browser(&ann, &receiver.url).await
    };
    receiver.then([Reply::Status(413, "")]);
    say(&"long ".repeat(1000)).await;
    let long = receiver.next().await;
    let short = receiver.next().await;
    assert!(
        short.bytes.len() <= long.bytes.len() && short.bytes.len() < 1700,
        "{} {}",
        long.bytes.len(),
        short.bytes.len()
    );
    assert!(browser.read(&short)["body"].as_str().unwrap().ends_with('…'));
    // 400: the message is given up, the subscription stays.
    receiver.then([Reply::Status(400, "bad")]);
    say("Refused.").await;
    receiver.next().await;
    assert_eq!(test.until_failures(&ann, 1).await["last_error"], "HTTP 400");
    test.clock.advance(Duration::from_hours(1));
    say("Next.").await;
    receiver.next().await;
    test.until_failures(&ann, 0).await;
    assert!(receiver.rest().is_empty());
    // A redirect is not followed.
    receiver.then([Reply::Header(307, "location: http://127.0.0.1:9/")]);
    say("Moved.").await;
    receiver.next().await;
    assert_eq!(test.until_failures(&ann, 1).await["last_error"], "HTTP 307");
    // After a day nobody wants it any more.
    receiver.always(Reply::Status(503, ""));
    say("Late.").await;
    receiver.next().await;
    test.until_failures(&ann, 2).await;
    test.clock.advance(Duration::from_hours(24));
    until("the message is dropped", async || {
        (test
            .number(
                "SELECT count(*) FROM queue_items WHERE queue = 'push' AND status IN ('waiting', 'pending', 'leased')",
            )
            .await
            == 0)
            .then_some(())
    })
    .await;
    assert!(receiver.rest().is_empty());
    // 410 and 404: the subscription is gone. The sessions of yesterday have ended.
    let (ann, bob) = (test.log_in("ann").await, test.log_in("bob").await);
    let say = async |body: &str| test.say(&bob, json!({ "to": "ann", "body": body })).await;
    for status in [410, 404] {
        test.browser(&ann, &receiver.url).await;
        receiver.always(Reply::Status(status, ""));
        say("Gone.").await;
        receiver.next().await;
        until("the subscription is removed", async || test.subscriptions(&ann).await.is_empty().then_some(())).await;
    }
}

#[both_engines]
async fn nothing_of_before_the_subscription_is_told_and_a_closed_channel_stays_closed(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    test.open_room(&bob, "vault", false, &["ann"]).await;
    test.say(&bob, json!({ "to": "ann", "body": "Before." })).await;
    let mut receiver = Receiver::start().await;
    let mut browser = test.browser(&ann, &receiver.url).await;
    test.say(&bob, json!({ "to": "ann", "body": "After." })).await;
    assert_eq!(browser.read(&receiver.next().await)["body"], "After.");
    // A message that was queued, and whose channel its reader has left meanwhile, is not sent.
    let level = json!({ "conversations": [{ "kind": "channel", "name": "vault", "level": "all" }] });
    test.attend(&ann, level).await;
    receiver.then([Reply::Status(503, "")]);
    test.say(&bob, json!({ "channel": "vault", "body": "The code is 1234." })).await;
    receiver.next().await;
    test.until_failures(&ann, 1).await;
    test.show_out(&bob, "vault", "ann").await;
    test.clock.advance(Duration::from_secs(10));
    test.say(&bob, json!({ "to": "ann", "body": "Bye." })).await;
    browser = {
        drop(browser);
        test.browser(&ann, &receiver.url).await
    };
    drop(browser);
    receiver.next().await;
    until("the queue is empty", async || {
        (test.number("SELECT count(*) FROM queue_items WHERE queue = 'push' AND status <> 'done'").await == 0)
            .then_some(())
    })
    .await;
    assert!(receiver.rest().is_empty());
    assert_eq!(test.look(&ann, "/api/notifications/settings").await["conversations"], json!([]));
}

#[both_engines]
async fn a_subscription_outlives_a_session_that_expires_and_not_one_that_is_ended(test: TestServer) {
    let (ann, phone) = (test.person("ann").await, test.log_in("ann").await);
    test.person("bob").await;
    let (mut desk, mut pocket) = (Receiver::start().await, Receiver::start().await);
    let mut browser = test.browser(&ann, &desk.url).await;
    test.browser(&phone, &pocket.url).await;
    test.did(&phone, Method::POST, "/auth/logout", json!({})).await;
    test.work("push_reader").await;
    assert_eq!(test.number("SELECT count(*) FROM push_subscriptions").await, 1);
    test.clock.advance(Duration::from_hours(25));
    test.work("session_sweep").await;
    assert_eq!(test.number("SELECT count(*) FROM sessions").await, 0);
    let bob = test.log_in("bob").await;
    let say = async |body: &str| test.say(&bob, json!({ "to": "ann", "body": body })).await;
    say("Still there?").await;
    assert_eq!(browser.read(&desk.next().await)["body"], "Still there?");
    assert!(pocket.rest().is_empty(), "that session was ended");
    let ann = test.log_in("ann").await;
    let listed = test.subscriptions(&ann).await;
    assert_eq!((listed.len(), &listed[0]["current"]), (1, &json!(false)));
    // A user who is disabled is told nothing, and gets nothing that is queued.
    let queued = "SELECT count(*) FROM queue_items WHERE queue = 'push'";
    let before = test.number(queued).await;
    test.execute("UPDATE users SET disabled_at = 1 WHERE id = (SELECT id FROM participants WHERE handle = 'ann')")
        .await;
    say("Nobody is there.").await;
    test.work("push_reader").await;
    assert_eq!(test.number(queued).await, before);
    test.execute("UPDATE users SET disabled_at = NULL").await;
    // After two months without a login, nobody is there any more.
    test.clock.advance(Duration::from_hours(61 * 24));
    test.work("session_sweep").await;
    let bob = test.log_in("bob").await;
    test.say(&bob, json!({ "to": "ann", "body": "Hello?" })).await;
    test.work("push_reader").await;
    assert_eq!(test.number(queued).await, before);
}

/// Adds subscriptions of many users through the hub, each with a session of its own.
async fn crowd(test: &TestServer, count: usize, endpoint: &str) {
    for number in 0..count {
        let name = format!("user{number}");
        let person = test.person(&name).await;
        let caller = test.caller(&person).await;
        let browser: NewPushSubscription =
            serde_json::from_value(Browser::new(format!("{endpoint}/{number}")).json()).unwrap();
        test.hub.push().subscribe(&caller, browser).await.unwrap();
    }
}

#[both_engines]
async fn one_dead_service_delays_no_other(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    let (mut dead, mut alive) = (Receiver::start().await, Receiver::start().await);
    dead.always(Reply::Never);
    // More messages than the dead service has places.
    for number in 0..20 {
        test.browser(&ann, &format!("{}/{number}", dead.url)).await;
    }
    for number in 0..3 {
        test.say(&bob, json!({ "to": "ann", "body": format!("Message {number}.") })).await;
    }
    dead.next().await;
    let mut phone = test.browser(&bob, &alive.url).await;
    let begun = Instant::now();
    test.say(&ann, json!({ "to": "bob", "body": "Quick." })).await;
    assert_eq!(phone.read(&alive.next().await)["body"], "Quick.");
    // An attempt at the dead service takes ten seconds.
    assert!(begun.elapsed() < limits::PUSH_ATTEMPT, "{:?}", begun.elapsed());
}

#[both_engines]
async fn a_thousand_subscriptions_are_told_within_seconds(test: TestServer) {
    let bob = test.person("bob").await;
    let mut receiver = Receiver::start().await;
    receiver.always(Reply::Status(201, ""));
    // Fifty users with twenty browsers each: a user is a login, which takes the time of this test.
    crowd(&test, 50, &receiver.url).await;
    let address = "s.endpoint || '/' || n.number";
    let hash = match test.hub.db().engine() {
        Engine::Sqlite => format!("CAST({address} AS BLOB)"),
        Engine::Postgres => format!("convert_to({address}, 'UTF8')"),
    };
    for number in 0..50 {
        let more = format!(
            "INSERT INTO push_subscriptions
                (user_id, session_id, endpoint, endpoint_hash, public_key, auth, device, after_event, failures, created_at, session_expires_at)
             SELECT s.user_id, s.session_id, {address}, {hash}, s.public_key, s.auth, s.device,
                    s.after_event, 0, s.created_at, s.session_expires_at
               FROM push_subscriptions s
               JOIN (SELECT id AS number FROM participants ORDER BY id LIMIT 19) n ON TRUE
              WHERE s.endpoint = '{url}/{number}'",
            url = receiver.url,
        );
        assert_eq!(test.execute(more).await, 19);
    }
    let members: Vec<String> = (0..50).map(|number| format!("user{number}")).collect();
    let members: Vec<&str> = members.iter().map(String::as_str).collect();
    test.room("bob", "town", true, &members).await;
    test.execute(
        "INSERT INTO attention_levels (user_id, channel_id, level)
         SELECT DISTINCT s.user_id, c.id, 'all' FROM push_subscriptions s, channels c WHERE c.name = 'town'",
    )
    .await;
    let begun = Instant::now();
    test.say(&bob, json!({ "channel": "town", "body": "Fire drill." })).await;
    let mut told = std::collections::HashSet::new();
    while told.len() < 1000 {
        assert!(told.insert(receiver.next().await.path), "each is told once");
    }
    // Alone on a machine it takes about two seconds in a debug build. Beside other tests it may take longer.
    assert!(begun.elapsed() < Duration::from_secs(30), "{:?}", begun.elapsed());
    println!("a thousand subscriptions in {:?}", begun.elapsed());
    assert!(receiver.rest().is_empty());
}
