//! Messages: sending, mentions, replies, and who may see them.

use reqwest::Method;
use serde_json::{Value, json};
use svc_test_macros::both_engines;

use crate::support::server::{TestServer, problem};

#[both_engines]
async fn a_direct_message_is_stored_once_and_seen_by_both_and_their_owners(test: TestServer) {
    let (ann, bob, eve) = (test.person("ann").await, test.person("bob").await, test.person("eve").await);
    let reviewer = test.create_agent(&bob, "reviewer").await;
    let sent =
        test.say(&ann, json!({ "to": "@Reviewer", "body": "ready?", "priority": 7, "metadata": { "k": 1 } })).await;
    assert_eq!(sent["from"], "ann");
    assert_eq!(sent["from_kind"], "human");
    assert_eq!(sent["to"], "reviewer");
    assert_eq!((&sent["channel"], &sent["channel_id"]), (&Value::Null, &Value::Null));
    assert_eq!((sent["status"].as_str(), sent["priority"].as_i64()), (Some("pending"), Some(7)));
    let path = format!("/api/messages/{}", sent["id"]);
    assert_eq!(test.look(&ann, &path).await, sent);
    assert_eq!(test.look_with(&reviewer, &path).await, sent);
    assert_eq!(test.look(&bob, &path).await, sent);
    problem(test.request_as(&eve, Method::GET, &path).send().await.unwrap(), 404, "not_found").await;
}

#[both_engines]
async fn a_mention_in_a_channel_makes_one_direct_message_for_each_reader(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    test.create_agent(&bob, "reviewer").await;
    let body = "@reviewer @Reviewer @ann @nobody please look, `@bob` and mail bob@example.org";
    let said = test.say(&ann, json!({ "channel": "general", "body": body })).await;
    assert_eq!(said["channel"], "general");
    let inbox = test.look(&bob, "/api/messages").await;
    let copies = inbox["messages"].as_array().unwrap();
    assert_eq!(copies.len(), 1, "{inbox}");
    assert_eq!(copies[0]["to"], "reviewer");
    assert_eq!(copies[0]["metadata"]["mention"], json!({ "channel": "general", "message_id": said["id"] }));
}

#[both_engines]
async fn bad_messages_are_refused_by_field_and_leave_nothing_behind(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    test.create_agent(&bob, "gone").await;
    let deleted = test.request_as(&bob, Method::DELETE, "/api/agents/gone").send().await.unwrap();
    assert_eq!(deleted.status(), 204);
    let hidden = test.say(&bob, json!({ "to": "admin", "body": "between us" })).await;
    let events = async || {
        let count =
            test.hub.db().read((), |tx, ()| Box::pin(tx.query("SELECT count(*) FROM events").fetch_value::<i64>()));
        count.await.unwrap()
    };
    let before = events().await;
    for (message, field) in [
        (json!({ "body": "hello" }), "to"),
        (json!({ "to": "bob", "channel": "general", "body": "hello" }), "to"),
        (json!({ "to": "nobody", "body": "hello" }), "to"),
        (json!({ "to": "gone", "body": "hello" }), "to"),
        (json!({ "to": "ann", "body": "hello" }), "to"),
        (json!({ "to": "system", "body": "hello" }), "to"),
        (json!({ "to": "bob" }), "body"),
        (json!({ "to": "bob", "body": "" }), "body"),
        (json!({ "to": "bob", "body": " \n\t" }), "body"),
        (json!({ "to": "bob", "body": "x".repeat(64 * 1024 + 1) }), "body"),
        (json!({ "to": "bob", "body": "a\u{0}b" }), "body"),
        (json!({ "to": "bob", "body": 5 }), "body"),
        (json!({ "to": "bob", "body": "hello", "priority": 0 }), "priority"),
        (json!({ "to": "bob", "body": "hello", "priority": 11 }), "priority"),
        (json!({ "to": "bob", "body": "hello", "priority": 2.5 }), "priority"),
        (json!({ "to": "bob", "body": "hello", "metadata": [] }), "metadata"),
        (json!({ "to": "bob", "body": "hello", "metadata": { "mention": {} } }), "metadata"),
        (json!({ "to": "bob", "body": "hello", "metadata": { "k": "x".repeat(17_000) } }), "metadata"),
        (json!({ "to": "bob", "body": "hello", "subject": "s".repeat(201) }), "subject"),
        (json!({ "channel": "general", "body": "hello", "subject": "s" }), "subject"),
        (json!({ "to": "bob", "body": "hello", "reply_to": 999_999 }), "reply_to"),
        (json!({ "to": "bob", "body": "hello", "reply_to": hidden["id"] }), "reply_to"),
        (json!({ "to": "bob", "body": "hello", "attachments": ["00"] }), "attachments[0]"),
        (json!({ "to": "bob", "body": "hello", "colour": "red" }), "colour"),
    ] {
        let answer = test.request_as(&ann, Method::POST, "/api/messages").json(&message).send().await.unwrap();
        let refusal = problem(answer, 400, "validation_failed").await;
        assert_eq!(refusal["errors"][0]["field"], field, "{refusal}");
    }
    // JSON itself cannot carry half of a surrogate pair as text.
    for body in [r#"{"to":"bob","body":"\ud800"}"#, r#"{"to":"bob","body":"#, "[]", ""] {
        let request = test.request_as(&ann, Method::POST, "/api/messages").header("Content-Type", "application/json");
        assert_eq!(request.body(body).send().await.unwrap().status(), 400, "{body}");
    }
    assert_eq!(events().await, before, "nothing happened");
}

#[both_engines]
async fn a_body_may_have_64_kib_and_any_letters(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    for body in
        ["x".repeat(64 * 1024), "\u{202e}abc \u{1f980} \u{feff} e\u{301}".to_owned(), "\\u0000 in words".to_owned()]
    {
        let sent = test.say(&ann, json!({ "to": "bob", "body": body })).await;
        assert_eq!(test.look(&bob, &format!("/api/messages/{}", sent["id"])).await["body"], body);
    }
    // A backslash and letters are no NUL, wherever they stand.
    let odd = json!({ "\\u0000": ["C:\\u0000dir", "\\\\u0000"] });
    let sent = test.say(&ann, json!({ "to": "bob", "body": "b", "metadata": odd })).await;
    assert_eq!(test.look(&bob, &format!("/api/messages/{}", sent["id"])).await["metadata"], odd);
    let path = format!("/api/messages/{}/reactions", sent["id"]);
    test.did(&bob, Method::POST, &path, json!({ "reaction": "done", "metadata": odd })).await;
    assert_eq!(test.look(&ann, &path).await["reactions"][0]["metadata"], odd);
}

#[both_engines]
async fn a_private_channel_and_one_that_is_not_there_are_refused_in_the_same_words(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    let made = json!({ "name": "secret", "public": false });
    let made = test.request_as(&bob, Method::POST, "/api/channels").json(&made).send().await.unwrap();
    assert_eq!(made.status(), 201);
    let mut answers = Vec::new();
    for channel in ["secret", "nothing"] {
        let request = test.request_as(&ann, Method::POST, "/api/messages");
        let answer = request.json(&json!({ "channel": channel, "body": "let me in" })).send().await.unwrap();
        let mut refusal = problem(answer, 403, "not_a_member").await;
        refusal.as_object_mut().unwrap().remove("instance");
        refusal.as_object_mut().unwrap().remove("request_id");
        answers.push(refusal);
    }
    assert_eq!(answers[0], answers[1]);
}

#[both_engines]
async fn replies_are_counted_and_threads_cross_conversations(test: TestServer) {
    let (ann, bob, eve) = (test.person("ann").await, test.person("bob").await, test.person("eve").await);
    let root = test.say(&ann, json!({ "channel": "general", "body": "Who takes this?" })).await;
    let first = test.say(&bob, json!({ "channel": "general", "body": "I do.", "reply_to": root["id"] })).await;
    let second = test.say(&bob, json!({ "to": "ann", "body": "Between us: why?", "reply_to": root["id"] })).await;
    let third = test.say(&ann, json!({ "channel": "general", "body": "Thanks.", "reply_to": first["id"] })).await;
    let id = |message: &Value| message["id"].as_i64().unwrap();
    let ids = |list: &Value| list.as_array().unwrap().iter().map(id).collect::<Vec<_>>();
    let replies = test.look(&ann, &format!("/api/messages/{}/replies", root["id"])).await;
    assert_eq!((ids(&replies["replies"]), replies["total"].as_i64()), (vec![id(&first), id(&second)], Some(2)));
    let thread = test.look(&bob, &format!("/api/messages/{}/thread", third["id"])).await;
    assert_eq!(thread["root"]["id"], root["id"]);
    assert_eq!(ids(&thread["replies"]), [id(&first), id(&second), id(&third)]);
    // A stranger sees what stands in the channel, and nothing tells of the rest.
    let seen = test.look(&eve, &format!("/api/messages/{}/replies", root["id"])).await;
    assert_eq!((ids(&seen["replies"]), seen["total"].as_i64()), (vec![id(&first)], Some(1)));
    let seen = test.look(&eve, &format!("/api/messages/{}/thread", root["id"])).await;
    assert_eq!((ids(&seen["replies"]), seen["total"].as_i64()), (vec![id(&first), id(&third)], Some(2)));
}

#[both_engines]
async fn an_inbox_is_filtered_and_paged(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    let reviewer = test.create_agent(&bob, "reviewer").await;
    for number in 1..=10 {
        let to = if number % 2 == 0 { "bob" } else { "reviewer" };
        test.say(&ann, json!({ "to": to, "body": format!("number {number}"), "priority": number })).await;
    }
    let bodies = |page: &Value| -> Vec<i64> {
        let number =
            |message: &Value| message["body"].as_str().unwrap().split(' ').next_back().unwrap().parse().unwrap();
        page["messages"].as_array().unwrap().iter().map(number).collect()
    };
    assert_eq!(bodies(&test.look(&bob, "/api/messages").await), [10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
    assert_eq!(bodies(&test.look(&bob, "/api/messages?agent=reviewer").await), [9, 7, 5, 3, 1]);
    assert_eq!(bodies(&test.look(&bob, "/api/messages?agent=bob").await), [10, 8, 6, 4, 2]);
    assert_eq!(bodies(&test.look_with(&reviewer, "/api/messages?min_priority=5").await), [9, 7, 5]);
    assert_eq!(bodies(&test.look(&bob, "/api/messages?from=nobody").await), [0; 0]);
    assert_eq!(bodies(&test.look(&bob, "/api/messages?from=ann&status=done").await), [0; 0]);
    let page = test.look(&bob, "/api/messages?limit=4").await;
    assert_eq!((bodies(&page), &page["has_more"]), (vec![10, 9, 8, 7], &json!(true)));
    let last = page["messages"][3]["id"].as_i64().unwrap();
    let rest = test.look(&bob, &format!("/api/messages?before={last}")).await;
    assert_eq!((bodies(&rest), &rest["has_more"]), (vec![6, 5, 4, 3, 2, 1], &json!(false)));
    let newer = test.look(&bob, &format!("/api/messages?after={last}")).await;
    assert_eq!(bodies(&newer), [8, 9, 10]);
    for (query, field) in [
        ("limit=0", "limit"),
        ("limit=201", "limit"),
        ("min_priority=0", "min_priority"),
        ("before=1&after=1", "after"),
    ] {
        let answer = test.request_as(&bob, Method::GET, &format!("/api/messages?{query}")).send().await.unwrap();
        let refusal = problem(answer, 400, "validation_failed").await;
        assert_eq!(refusal["errors"][0]["field"], field);
    }
    for path in ["/api/messages?agent=nobody", "/api/messages?agent=ann"] {
        problem(test.request_as(&bob, Method::GET, path).send().await.unwrap(), 404, "not_found").await;
    }
}

#[both_engines]
async fn a_trace_is_kept_with_what_is_sent_in_it(test: TestServer) {
    const TRACE: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    let send = async |traces: &[&str], key: &str, body: Value| {
        let mut request = test.request_as(&ann, Method::POST, "/api/messages").header("Idempotency-Key", key);
        for trace in traces {
            request = request.header("traceparent", *trace);
        }
        let answer = request.json(&body).send().await.unwrap();
        assert_eq!(answer.status(), 201);
        answer.json::<Value>().await.unwrap()
    };
    let first = send(&[TRACE], "one", json!({ "channel": "general", "body": "in a trace, @bob" })).await;
    assert_eq!(first["traceparent"], TRACE);
    assert_eq!(test.look(&bob, &format!("/api/messages/{}", first["id"])).await["traceparent"], TRACE);
    // Whoever is told of it goes on in the same trace.
    assert_eq!(test.look(&bob, "/api/messages").await["messages"][0]["traceparent"], TRACE);
    // Another try comes in another span, and is the same message.
    let other = TRACE.replace("b7ad", "b7ae");
    let again = send(&[&other], "one", json!({ "channel": "general", "body": "in a trace, @bob" })).await;
    assert_eq!((&again["id"], &again["traceparent"]), (&first["id"], &json!(TRACE)));
    // What is no trace is ignored, and so are two of them.
    for (key, traces) in [("two", &["00-nonsense-01"][..]), ("three", &[TRACE, &other][..]), ("four", &[][..])] {
        let plain = send(traces, key, json!({ "to": "bob", "body": key })).await;
        assert_eq!(plain["traceparent"], Value::Null, "{traces:?}");
    }
    let said = send(&[], "five", json!({ "to": "bob", "body": "five", "traceparent": TRACE })).await;
    assert_eq!(said["traceparent"], TRACE);
}

#[both_engines]
async fn the_same_key_sends_once(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    let send = async |body: &str| {
        let request = test.request_as(&ann, Method::POST, "/api/messages").header("Idempotency-Key", "one");
        request.json(&json!({ "to": "bob", "body": body })).send().await.unwrap()
    };
    let answers = futures_util::future::join_all((0..8).map(|_| send("hello"))).await;
    let mut ids = std::collections::BTreeSet::new();
    for answer in answers {
        assert_eq!(answer.status(), 201);
        ids.insert(answer.json::<Value>().await.unwrap()["id"].as_i64().unwrap());
    }
    assert_eq!(ids.len(), 1);
    assert_eq!(test.look(&bob, "/api/messages").await["messages"].as_array().unwrap().len(), 1);
    problem(send("another").await, 409, "idempotency_conflict").await;
}

#[both_engines]
async fn a_key_for_one_channel_is_for_nothing_else(test: TestServer) {
    let ann = test.person("ann").await;
    test.person("bob").await;
    let made =
        test.request_as(&ann, Method::POST, "/api/channels").json(&json!({ "name": "ops" })).send().await.unwrap();
    assert_eq!(made.status(), 201);
    let limits = json!({ "name": "limited", "permissions": ["write"], "allowed_channels": ["general"] });
    let (_, key) = test.create_key(&ann, limits).await;
    let elsewhere = test.say(&ann, json!({ "channel": "ops", "body": "not for the key" })).await;
    let direct = test.say(&ann, json!({ "to": "bob", "body": "nor this" })).await;
    let said = test.say_with(&key, json!({ "channel": "general", "body": "here I may" })).await;
    assert_eq!(test.look_with(&key, &format!("/api/messages/{}", said["id"])).await["from"], "ann");
    for message in [json!({ "channel": "ops", "body": "x" }), json!({ "to": "bob", "body": "x" })] {
        let answer = test.request_with(&key, Method::POST, "/api/messages").json(&message).send().await.unwrap();
        problem(answer, 403, "channel_not_allowed").await;
    }
    for hidden in [elsewhere, direct] {
        let path = format!("/api/messages/{}", hidden["id"]);
        problem(test.request_with(&key, Method::GET, &path).send().await.unwrap(), 404, "not_found").await;
    }
}
