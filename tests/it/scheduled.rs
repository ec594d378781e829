//! Messages that are sent later: once, as their author, by the rules of that time.

use std::time::Duration;

use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};
use svc_core::clock::Clock;
use svc_core::messages::NewMessage;
use svc_core::scheduled::{NewScheduledMessage, ScheduledFilter, ScheduledStatus};
use svc_core::{Caller, Error, limits};
use svc_test_macros::both_engines;

use crate::support::people::Person;
use crate::support::server::{TestServer, faults, problem, told};
use crate::support::store::work;

const HOUR: Duration = Duration::from_hours(1);
const ALL: &str = "/api/scheduled-messages";
const WORKER: &str = "scheduled_sending";

fn path_of(scheduled: &Value) -> String {
    format!("{ALL}/{}", scheduled["id"])
}

/// The texts in a channel, oldest first.
async fn said(test: &TestServer, who: &Person, channel: &str) -> Vec<Value> {
    let page = test.look(who, &format!("/api/channels/{channel}/messages?limit=200")).await;
    page["messages"].as_array().unwrap().iter().map(|message| message["body"].clone()).collect()
}

impl TestServer {
    /// Schedules a message for an hour from now.
    async fn schedule(&self, who: &Person, message: Value) -> Value {
        let answer = self.ask(who, Method::POST, ALL, self.in_an_hour(message)).await;
        told(answer, 201).await
    }

    fn in_an_hour(&self, mut message: Value) -> Value {
        message["send_at"] = json!(self.clock.now().plus(HOUR));
        message
    }

    /// Lets an hour pass, and sends what is due.
    async fn an_hour_later(&self) {
        self.clock.advance(HOUR);
        self.work(WORKER).await;
    }
}

#[both_engines]
async fn a_message_is_sent_at_its_time_as_its_author(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    test.open_room(&ann, "plans", true, &["bob"]).await;
    let parent = test.say(&ann, json!({ "channel": "plans", "body": "The plan." })).await;
    let letter = json!({
        "to": "@Bob", "body": "Good **morning**", "subject": " Greeting ", "priority": 7, "metadata": { "a": 1 },
    });
    let letter = test.schedule(&ann, letter).await;
    assert_eq!(
        (&letter["from"], &letter["to"], &letter["subject"], &letter["status"], &letter["priority"]),
        (&json!("ann"), &json!("bob"), &json!("Greeting"), &json!("waiting"), &json!(7))
    );
    assert_eq!(letter["send_at"], "2026-01-01T01:00:00.000Z");
    let post = json!({ "channel": "#Plans", "body": "Any news, @bob?", "reply_to": parent["id"] });
    let post = test.schedule(&ann, post).await;
    assert_eq!(post["channel"], "plans");
    let listed = test.look(&ann, ALL).await;
    assert_eq!(listed, json!({ "scheduled": [post, letter], "has_more": false }), "the last one first");
    assert_eq!(test.look(&ann, &path_of(&letter)).await, letter);
    assert_eq!(test.look(&bob, ALL).await["scheduled"], json!([]));
    problem(test.request_as(&bob, Method::GET, &path_of(&letter)).send().await.unwrap(), 404, "not_found").await;

    test.clock.advance(HOUR.checked_sub(Duration::from_secs(1)).unwrap());
    test.work(WORKER).await;
    assert_eq!(said(&test, &ann, "plans").await, ["The plan."], "not yet");
    test.clock.advance(Duration::from_secs(1));
    test.work(WORKER).await;
    let sent = test.look(&ann, &path_of(&letter)).await;
    assert_eq!((&sent["status"], &sent["body"], &sent["subject"]), (&json!("sent"), &json!(""), &json!("")));
    let message = test.look(&bob, &format!("/api/messages/{}", sent["message_id"])).await;
    assert_eq!(
        (&message["from"], &message["body"], &message["subject"], &message["priority"], &message["metadata"]),
        (&json!("ann"), &json!("Good **morning**"), &json!("Greeting"), &json!(7), &json!({ "a": 1 }))
    );
    let posted = test.look(&ann, &path_of(&post)).await;
    let message = test.look(&bob, &format!("/api/messages/{}", posted["message_id"])).await;
    assert_eq!((&message["reply_to"], &message["channel"]), (&parent["id"], &json!("plans")));
    let inbox = test.look(&bob, "/api/messages").await;
    assert_eq!(inbox["messages"].as_array().unwrap().len(), 2, "the letter and the mention: {inbox}");
    assert_eq!(test.look(&ann, &format!("{ALL}?status=waiting")).await["scheduled"], json!([]));
    assert_eq!(test.look(&ann, &format!("{ALL}?status=sent")).await["scheduled"].as_array().unwrap().len(), 2);

    // They are listed for a month.
    test.execute("UPDATE scheduled_messages SET updated_at = 0").await;
    test.work(WORKER).await;
    assert_eq!(test.number("SELECT count(*) FROM scheduled_messages").await, 0);
    test.stop().await;
}

#[both_engines]
async fn several_nodes_send_each_message_once(test: TestServer) {
    let ann = test.person("ann").await;
    let caller = test.caller(&ann).await;
    let at = test.clock.now().plus(HOUR);
    let mut ids = Vec::new();
    for number in 0..12 {
        let message = NewMessage::in_channel("general", format!("{number}"));
        ids.push(test.hub.scheduled().create(&caller, NewScheduledMessage::at(at, message)).await.unwrap().id);
    }
    let another = test.another().await;
    test.clock.advance(HOUR);
    // The author sends some at the moment at which the nodes do.
    let by_hand = join_all(ids.iter().take(3).map(|id| test.hub.scheduled().send(&caller, *id)));
    let (answers, (), ()) = tokio::join!(by_hand, work(&test.hub, WORKER), work(&another, WORKER));
    for answer in answers {
        if let Err(error) = answer {
            assert_eq!(error.code(), "already_sent");
        }
    }
    let mut texts = said(&test, &ann, "general").await;
    texts.sort_by_key(|text| text.as_str().unwrap().parse::<u32>().unwrap());
    assert_eq!(texts, (0..12).map(|number| json!(number.to_string())).collect::<Vec<_>>());
    let filter = ScheduledFilter { status: Some(ScheduledStatus::Sent), ..ScheduledFilter::default() };
    assert_eq!(test.hub.scheduled().list(&caller, filter).await.unwrap().scheduled.len(), 12);
    another.close().await;
    test.stop().await;
}

#[both_engines]
async fn the_author_changes_sends_and_deletes(test: TestServer) {
    let ann = test.person("ann").await;
    let scout = test.create_agent(&ann, "scout").await;
    let body = test.in_an_hour(json!({ "channel": "general", "body": "From the agent" }));
    let once = async |key: &str| {
        let request = test.request_with(&scout, Method::POST, ALL).header("Idempotency-Key", key).json(&body);
        told(request.send().await.unwrap(), 201).await
    };
    let scheduled = once("first").await;
    assert_eq!(once("first").await, scheduled, "the same key schedules once");
    let path = path_of(&scheduled);

    // The human sees what their agent has scheduled and may delete it, and speaks for themselves alone.
    assert_eq!(test.look(&ann, ALL).await["scheduled"], json!([scheduled]));
    problem(test.ask(&ann, Method::PATCH, &path, json!({ "body": "mine" })).await, 403, "not_author").await;
    problem(test.ask(&ann, Method::POST, &format!("{path}/send"), json!({})).await, 403, "not_author").await;
    let own = test.schedule(&ann, json!({ "channel": "general", "body": "From the human" })).await;
    assert_eq!(test.look_with(&scout, ALL).await["scheduled"], json!([scheduled]), "an agent sees its own");
    let hidden = test.request_with(&scout, Method::GET, &path_of(&own)).send().await.unwrap();
    problem(hidden, 404, "not_found").await;

    let later = test.clock.now().plus(2 * HOUR);
    let change = json!({ "body": "Changed", "send_at": later });
    let changed = test.did(&ann, Method::PATCH, &path_of(&own), change).await;
    assert_eq!((&changed["body"], &changed["send_at"]), (&json!("Changed"), &json!(later)));
    assert_eq!(test.did(&ann, Method::PATCH, &path_of(&own), json!({ "body": "Last" })).await["send_at"], json!(later));
    test.did(&ann, Method::DELETE, &path, json!({})).await;
    problem(test.ask(&ann, Method::DELETE, &path, json!({})).await, 404, "not_found").await;
    test.an_hour_later().await;
    assert!(said(&test, &ann, "general").await.is_empty(), "it has another time, and the other is gone");

    let send = || {
        let request = test.request_as(&ann, Method::POST, &format!("{}/send", path_of(&own)));
        request.header("Idempotency-Key", "now").send()
    };
    let message = told(send().await.unwrap(), 200).await;
    assert_eq!((&message["body"], &message["from"]), (&json!("Last"), &json!("ann")));
    assert_eq!(told(send().await.unwrap(), 200).await["id"], message["id"], "the same key sends once");
    test.an_hour_later().await;
    assert_eq!(said(&test, &ann, "general").await, ["Last"]);
    for (method, path) in [
        (Method::POST, format!("{}/send", path_of(&own))),
        (Method::PATCH, path_of(&own)),
        (Method::DELETE, path_of(&own)),
    ] {
        problem(test.ask(&ann, method, &path, json!({})).await, 409, "already_sent").await;
    }
    test.stop().await;
}

#[both_engines]
async fn a_refusal_is_recorded_and_can_be_put_right(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    test.open_room(&ann, "secret", false, &["bob"]).await;
    let room = test.schedule(&bob, json!({ "channel": "secret", "body": "Hello." })).await;
    let gone = test.create_agent(&ann, "gone").await;
    let letter = test.schedule(&bob, json!({ "to": "gone", "body": "Hello." })).await;
    let fine = test.schedule(&bob, json!({ "channel": "general", "body": "Hello." })).await;
    drop(gone);
    test.did(&ann, Method::DELETE, "/api/agents/gone", json!({})).await;
    test.show_out(&ann, "secret", "bob").await;
    test.an_hour_later().await;
    let refused = test.look(&bob, &path_of(&room)).await;
    assert_eq!((&refused["status"], &refused["error_code"]), (&json!("failed"), &json!("not_a_member")));
    assert!(refused["error"].as_str().unwrap().contains("private channel"), "{refused}");
    assert_eq!(refused["body"], "Hello.", "nothing is lost");
    let refused = test.look(&bob, &path_of(&letter)).await;
    assert_eq!(
        (&refused["error_code"], &refused["error"]),
        (&json!("validation_failed"), &json!("The field to is not a participant who can receive messages."))
    );
    assert_eq!(test.look(&bob, &path_of(&fine)).await["status"], "sent", "the others are sent");
    assert_eq!(test.look(&bob, &format!("{ALL}?status=failed")).await["scheduled"].as_array().unwrap().len(), 2);
    assert_eq!(test.events_of("scheduled.changed").await.len(), 6);

    // It is not tried again by itself, and an attempt by hand tells why.
    test.let_in(&ann, "secret", "bob").await;
    test.an_hour_later().await;
    assert_eq!(test.look(&bob, &path_of(&room)).await["status"], "failed");
    let again = json!({ "send_at": test.clock.now().plus(HOUR) });
    let waiting = test.did(&bob, Method::PATCH, &path_of(&room), again).await;
    assert_eq!((&waiting["status"], waiting.get("error_code"), waiting.get("error")), (&json!("waiting"), None, None));
    test.an_hour_later().await;
    assert_eq!(said(&test, &ann, "secret").await, ["Hello."]);
    let by_hand = test.ask(&bob, Method::POST, &format!("{}/send", path_of(&letter)), json!({})).await;
    assert_eq!(faults(&problem(by_hand, 400, "validation_failed").await), ["to"]);
    assert_eq!(test.look(&bob, &path_of(&letter)).await["status"], "failed");
    test.did(&bob, Method::DELETE, &path_of(&letter), json!({})).await;
    test.stop().await;
}

#[both_engines]
async fn who_may_not_send_any_more_sends_nothing(test: TestServer) {
    let (boss, ann, bob) = (test.admin("boss").await, test.person("ann").await, test.person("bob").await);
    let (id, key) = test.create_key(&ann, json!({ "name": "k", "permissions": ["write"] })).await;
    let ends = json!({ "name": "e", "permissions": ["write"], "expires_at": test.clock.now().plus(HOUR / 2) });
    let (_, expiring) = test.create_key(&ann, ends).await;
    let with = async |key: &str| {
        let body = test.in_an_hour(json!({ "channel": "general", "body": "With a key." }));
        told(test.request_with(key, Method::POST, ALL).json(&body).send().await.unwrap(), 201).await
    };
    let (revoked, expired) = (with(&key).await, with(&expiring).await);
    let disabled = test.schedule(&bob, json!({ "channel": "general", "body": "From bob." })).await;
    test.did(&ann, Method::DELETE, &format!("/api/keys/{id}"), json!({})).await;
    test.did(&boss, Method::PATCH, "/api/admin/users/bob", json!({ "disabled": true })).await;
    test.an_hour_later().await;
    for scheduled in [&revoked, &expired] {
        let refused = test.look(&ann, &path_of(scheduled)).await;
        assert_eq!((&refused["status"], &refused["error_code"]), (&json!("failed"), &json!("credential_ended")));
    }
    // Changes of accounts need a recent login.
    let boss = test.log_in("boss").await;
    test.did(&boss, Method::PATCH, "/api/admin/users/bob", json!({ "disabled": false })).await;
    let bob = test.log_in("bob").await;
    assert_eq!(test.look(&bob, &path_of(&disabled)).await["error_code"], "author_ended");
    assert!(said(&test, &ann, "general").await.is_empty());

    // Somebody who sets the time again vouches for it.
    let again = json!({ "send_at": test.clock.now().plus(HOUR) });
    test.did(&ann, Method::PATCH, &path_of(&revoked), again).await;
    test.an_hour_later().await;
    assert_eq!(said(&test, &ann, "general").await, ["With a key."]);
    test.stop().await;
}

#[both_engines]
async fn a_request_is_checked_when_it_is_made(test: TestServer) {
    let ann = test.person("ann").await;
    test.person("bob").await;
    let bob = test.log_in("bob").await;
    test.open_room(&bob, "secret", false, &[]).await;
    let now = test.clock.now();
    let at = |ahead: Duration| json!(now.plus(ahead));
    let late = limits::SCHEDULE_MAX + Duration::from_secs(1);
    for (body, field) in [
        (json!({ "channel": "general", "body": "x" }), "send_at"),
        (json!({ "channel": "general", "body": "x", "send_at": "tomorrow" }), "send_at"),
        (json!({ "channel": "general", "body": "x", "send_at": at(Duration::from_secs(59)) }), "send_at"),
        (json!({ "channel": "general", "body": "x", "send_at": at(late) }), "send_at"),
        (json!({ "channel": "general", "body": "  ", "send_at": at(HOUR) }), "body"),
        (json!({ "channel": "general", "body": "a\u{0}b", "send_at": at(HOUR) }), "body"),
        (json!({ "body": "x", "send_at": at(HOUR) }), "to"),
        (json!({ "to": "nobody", "body": "x", "send_at": at(HOUR) }), "to"),
        (json!({ "to": "ann", "body": "x", "send_at": at(HOUR) }), "to"),
        (json!({ "channel": "general", "body": "x", "priority": 11, "send_at": at(HOUR) }), "priority"),
        (json!({ "channel": "general", "body": "x", "reply_to": 999, "send_at": at(HOUR) }), "reply_to"),
        (json!({ "channel": "general", "body": "x", "attachments": [], "send_at": at(HOUR) }), "attachments"),
    ] {
        let refused = test.ask(&ann, Method::POST, ALL, body.clone()).await;
        assert_eq!(faults(&problem(refused, 400, "validation_failed").await), [field], "{body}");
    }
    let hidden = test.in_an_hour(json!({ "channel": "secret", "body": "x" }));
    problem(test.ask(&ann, Method::POST, ALL, hidden).await, 403, "not_a_member").await;
    let scheduled = test.schedule(&ann, json!({ "channel": "general", "body": "x" })).await;
    for (body, field) in [(json!({ "body": "" }), "body"), (json!({ "send_at": at(late) }), "send_at")] {
        let refused = test.ask(&ann, Method::PATCH, &path_of(&scheduled), body).await;
        assert_eq!(faults(&problem(refused, 400, "validation_failed").await), [field]);
    }
    test.stop().await;
}

#[both_engines]
async fn the_number_that_waits_is_bounded_and_ends_with_the_account(test: TestServer) {
    let ann = test.person("ann").await;
    let scout = test.create_agent(&ann, "scout").await;
    let (caller, agent) = (test.caller(&ann).await, test.hub.auth().bearer(&scout).await.unwrap());
    let at = test.clock.now().plus(HOUR);
    let new = || NewScheduledMessage::at(at, NewMessage::in_channel("general", "hello"));
    let most = usize::try_from(limits::SCHEDULED_MAX).unwrap();
    for number in 0..most - 4 {
        let by = if number % 2 == 0 { &caller } else { &agent };
        test.hub.scheduled().create(by, new()).await.unwrap();
    }
    let answers = join_all((0..10).map(|number| {
        let by = if number % 2 == 0 { &caller } else { &agent };
        test.hub.scheduled().create(by, new())
    }));
    let answers = answers.await;
    let codes: Vec<_> = answers.iter().filter_map(|answer| answer.as_ref().err()).map(Error::code).collect();
    assert_eq!(codes, ["too_many_scheduled"; 6]);
    test.hub.agents().delete(&caller, "scout").await.unwrap();
    let left = test.number("SELECT count(*) FROM scheduled_messages").await;
    assert!(left > 0 && left < limits::SCHEDULED_MAX, "{left}");
    test.hub.scheduled().create(&caller, new()).await.unwrap();
    test.hub.users().delete(&Caller::root(), "ann").await.unwrap();
    assert_eq!(test.number("SELECT count(*) FROM scheduled_messages").await, 0);
    test.stop().await;
}

#[both_engines]
async fn a_chain_of_messages_goes_on_at_its_depth(test: TestServer) {
    let ann = test.person("ann").await;
    let scout = test.create_agent(&ann, "scout").await;
    let deep = |path: &str, body: Value| {
        test.request_with(&scout, Method::POST, path).header("Svc-Depth", "3").json(&body).send()
    };
    let body = json!({ "to": "ann", "body": "At once." });
    let direct = told(deep("/api/messages", body.clone()).await.unwrap(), 201).await;
    assert!(direct["depth"].as_i64().unwrap() >= 3, "{direct}");
    let scheduled = told(deep(ALL, test.in_an_hour(body)).await.unwrap(), 201).await;
    test.an_hour_later().await;
    let sent = test.look(&ann, &path_of(&scheduled)).await;
    let message = test.look(&ann, &format!("/api/messages/{}", sent["message_id"])).await;
    assert_eq!(message["depth"], direct["depth"]);

    // What was claimed when it was scheduled counts, also when it is finished by then.
    let helper = test.create_agent(&ann, "helper").await;
    let order = test.request_with(&helper, Method::POST, "/api/messages").header("Svc-Depth", "5");
    let order = told(order.json(&json!({ "to": "scout", "body": "Report." })).send().await.unwrap(), 201).await;
    let with =
        async |path: &str, body: Value| test.request_with(&scout, Method::POST, path).json(&body).send().await.unwrap();
    let claimed = told(with(&format!("/api/messages/{}/claim", order["id"]), json!({})).await, 200).await;
    let body = json!({ "to": "ann", "body": "Reported." });
    let direct = told(with("/api/messages", body.clone()).await, 201).await;
    assert!(direct["depth"].as_i64() > order["depth"].as_i64(), "{direct}");
    let scheduled = told(with(ALL, test.in_an_hour(body)).await, 201).await;
    let done = json!({ "claim_token": claimed["claim_token"] });
    told(with(&format!("/api/messages/{}/done", order["id"]), done).await, 200).await;
    test.an_hour_later().await;
    let sent = test.look(&ann, &path_of(&scheduled)).await;
    let message = test.look(&ann, &format!("/api/messages/{}", sent["message_id"])).await;
    assert_eq!(message["depth"], direct["depth"]);
    test.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_quota_counts_when_a_message_is_sent() {
    let test = TestServer::start(|config| config.hub.quota_messages = Some(1)).await;
    let ann = test.person("ann").await;
    let first = test.schedule(&ann, json!({ "channel": "general", "body": "first" })).await;
    test.clock.advance(Duration::from_secs(1));
    let second = test.schedule(&ann, json!({ "channel": "general", "body": "second" })).await;
    test.an_hour_later().await;
    assert_eq!(test.look(&ann, &path_of(&first)).await["status"], "sent");
    let refused = test.look(&ann, &path_of(&second)).await;
    assert_eq!((&refused["status"], &refused["error_code"]), (&json!("failed"), &json!("message_quota_exceeded")));
    test.stop().await;
}
