//! What is unread, exactly, whatever happens at once; a cursor never moves back.

use reqwest::Method;
use serde_json::{Value, json};
use svc_core::Caller;
use svc_core::conversations::ConversationKind;
use svc_core::events::After;
use svc_core::ids::MessageId;
use svc_core::messages::NewMessage;
use svc_core::notifications::Mark;
use svc_test_macros::both_engines;

use crate::support::people::Person;
use crate::support::server::{TestServer, problem};
use crate::support::wait::soon;

const MARK: &str = "/api/notifications/mark-read";

/// The entry of a channel or a partner.
async fn entry(test: &TestServer, who: &Person, kind: &str, name: &str) -> Value {
    let all = test.look(who, "/api/notifications/unread").await;
    let found = all.as_array().unwrap().iter().find(|entry| entry["kind"] == kind && entry["name"] == name);
    found.unwrap_or_else(|| panic!("{kind} {name} is not in {all}")).clone()
}

fn unread(kind: &str, name: &str, unread: i64, mentions: i64, last: Option<i64>, read: Option<i64>) -> Value {
    let level = if kind == "dm" { "all" } else { "mentions" };
    json!({ "kind": kind, "name": name, "unread": unread, "mentions": mentions, "mention_copies": 0, "last_message_id": last, "last_read_message_id": read, "level": level })
}

async fn two(test: &TestServer) -> (Person, Person, Caller, Caller) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    test.did(&ann, Method::POST, "/api/channels", json!({ "name": "team", "members": ["bob"] })).await;
    let (from_ann, from_bob) = (test.caller(&ann).await, test.caller(&bob).await);
    (ann, bob, from_ann, from_bob)
}

#[both_engines]
async fn what_others_sent_is_unread_until_it_is_marked(test: TestServer) {
    let (ann, bob, from_ann, from_bob) = two(&test).await;
    assert_eq!(
        test.look(&bob, "/api/notifications/unread").await,
        json!([unread("channel", "team", 0, 0, None, None)])
    );
    let one = test.say_in(&from_ann, "team", "one").await;
    let two = test.say_in(&from_ann, "team", "two").await;
    let own = test.say_in(&from_bob, "team", "mine").await;
    let three = test.say_in(&from_ann, "team", "three, @bob").await;
    let copy = test.look(&bob, "/api/messages").await["messages"][0]["id"].as_i64().unwrap();
    assert_eq!(entry(&test, &bob, "channel", "team").await, unread("channel", "team", 3, 1, Some(three), None));
    // A mention makes no direct conversation.
    let all = test.look(&bob, "/api/notifications/unread").await;
    assert!(all.as_array().unwrap().iter().all(|entry| entry["kind"] == "channel"), "{all}");
    assert_eq!(entry(&test, &ann, "channel", "team").await, unread("channel", "team", 1, 0, Some(three), None));
    let listed = test.look(&bob, "/api/channels/team").await;
    assert_eq!(
        (&listed["unread"], &listed["mentions"], &listed["last_message_id"]),
        (&json!(3), &json!(1), &json!(three))
    );

    let read = async |last: Value| {
        test.did(&bob, Method::POST, MARK, json!({ "kind": "channel", "name": "#Team", "last_message_id": last })).await
    };
    read(json!(one)).await;
    assert_eq!(entry(&test, &bob, "channel", "team").await, unread("channel", "team", 2, 1, Some(three), Some(one)));
    read(json!(own)).await;
    assert_eq!(entry(&test, &bob, "channel", "team").await, unread("channel", "team", 1, 1, Some(three), Some(own)));
    // Never back.
    read(json!(two)).await;
    read(json!(0)).await;
    assert_eq!(entry(&test, &bob, "channel", "team").await, unread("channel", "team", 1, 1, Some(three), Some(own)));
    // A message of another conversation means the newest before it.
    read(json!(copy)).await;
    assert_eq!(entry(&test, &bob, "channel", "team").await, unread("channel", "team", 0, 0, Some(three), Some(three)));
    let four = test.say_in(&from_ann, "team", "four").await;
    read(json!(i64::MAX)).await;
    assert_eq!(entry(&test, &bob, "channel", "team").await, unread("channel", "team", 0, 0, Some(four), Some(four)));
    // The other has read nothing.
    assert_eq!(entry(&test, &ann, "channel", "team").await["unread"], 1);
    // Without an end, everything; a list, all of it.
    test.say_in(&from_ann, "team", "five").await;
    test.did(
        &bob,
        Method::POST,
        MARK,
        json!([{ "kind": "channel", "name": "team" }, { "kind": "dm", "name": "@Ann" }]),
    )
    .await;
    let all = test.look(&bob, "/api/notifications/unread").await;
    assert!(all.as_array().unwrap().iter().all(|entry| entry["unread"] == 0), "{all}");
    test.stop().await;
}

#[both_engines]
async fn all_subjects_of_a_pair_are_one(test: TestServer) {
    let (ann, bob, from_ann, from_bob) = two(&test).await;
    let mut sent = Vec::new();
    for subject in ["", "build", "deploy", "build"] {
        let new = NewMessage { subject: Some(subject.into()), ..NewMessage::to("bob", "hello") };
        sent.push(test.hub.messages().send(&from_ann, new).await.unwrap().id.0);
    }
    let answer = test.write_to(&from_bob, "ann", "hi").await;
    assert_eq!(entry(&test, &bob, "dm", "ann").await, unread("dm", "ann", 4, 0, Some(answer), None));
    test.did(&bob, Method::POST, MARK, json!({ "kind": "dm", "name": "ann", "last_message_id": sent[2] })).await;
    assert_eq!(entry(&test, &bob, "dm", "ann").await, unread("dm", "ann", 1, 0, Some(answer), Some(sent[2])));
    assert_eq!(test.look(&bob, "/api/dm/partners").await[0]["unread"], 1);
    test.did(&bob, Method::POST, MARK, json!({ "kind": "dm", "name": "ann" })).await;
    assert_eq!(entry(&test, &bob, "dm", "ann").await, unread("dm", "ann", 0, 0, Some(answer), Some(answer)));
    assert_eq!(entry(&test, &ann, "dm", "bob").await["unread"], 1);
    test.stop().await;
}

#[both_engines]
async fn what_a_channel_counts_is_told_apart_from_direct_messages_of_an_agent(test: TestServer) {
    let (ann, bob, from_ann, _) = two(&test).await;
    let key = test.create_agent(&bob, "helper").await;
    let helper = test.bearer(&key).await;
    let join = json!({ "agent": "helper" });
    test.did(&bob, Method::POST, "/api/channels/team/join", join.clone()).await;
    let counts = async || {
        let all = test.look_with(&key, "/api/notifications/unread").await;
        let found = all.as_array().unwrap().iter().find(|entry| entry["kind"] == "dm" && entry["name"] == "ann");
        let entry = found.unwrap_or_else(|| panic!("ann is not in {all}")).clone();
        let partners = test.look_with(&key, "/api/dm/partners").await;
        let partner = partners.as_array().unwrap().iter().find(|partner| partner["name"] == "ann").unwrap();
        assert_eq!((&partner["unread"], &partner["mention_copies"]), (&entry["unread"], &entry["mention_copies"]));
        (entry["unread"].as_i64().unwrap(), entry["mention_copies"].as_i64().unwrap())
    };
    let mark = async |body: Value| {
        assert_eq!(test.post_with(&key, MARK, body).await.status(), 204);
    };
    test.write_to(&from_ann, "helper", "for you, @helper").await;
    assert_eq!(counts().await, (1, 0), "that is no copy");
    let first = test.say_in(&from_ann, "team", "one for @helper").await;
    let about = NewMessage { subject: Some("plans".into()), ..NewMessage::to("helper", "two") };
    test.hub.messages().send(&from_ann, about).await.unwrap();
    test.say_in(&from_ann, "team", "three for @helper and @helper").await;
    assert_eq!(counts().await, (4, 2));
    // A channel that the agent does not read tells it in no other way.
    test.say_in(&from_ann, "general", "come here, @helper").await;
    assert_eq!(counts().await, (5, 2));
    // Those that the agent makes are ann's, who reads them in the channel.
    test.say_in(&helper, "team", "yes, @ann").await;
    assert_eq!(counts().await, (5, 2));
    assert_eq!(entry(&test, &ann, "dm", "helper").await["unread"], 0);
    assert_eq!(entry(&test, &ann, "channel", "team").await["mentions"], 1);
    // Having read the channel makes them no less copies; having read them does.
    mark(json!({ "kind": "channel", "name": "team" })).await;
    assert_eq!(counts().await, (5, 2));
    let copies = test.look_with(&key, "/api/dm/ann/messages").await["messages"].as_array().unwrap().clone();
    let copy = copies.iter().find(|message| message["metadata"]["mention"]["message_id"] == first).unwrap();
    mark(json!({ "kind": "dm", "name": "ann", "last_message_id": copy["id"] })).await;
    assert_eq!(counts().await, (3, 1));
    // An agent that joins, leaves or loses a channel has its mentions there or here.
    test.did(&bob, Method::POST, "/api/channels/general/join", join.clone()).await;
    assert_eq!(counts().await, (3, 2));
    test.did(&bob, Method::POST, "/api/channels/general/leave", join).await;
    assert_eq!(counts().await, (3, 1));
    test.did(&ann, Method::DELETE, "/api/channels/team", json!({})).await;
    assert_eq!(counts().await, (3, 0));
    mark(json!({ "kind": "dm", "name": "ann" })).await;
    assert_eq!(counts().await, (0, 0));
    test.stop().await;
}

#[both_engines]
async fn what_cannot_be_marked_is_refused_as_a_whole(test: TestServer) {
    let (ann, bob, from_ann, _) = two(&test).await;
    test.say_in(&from_ann, "team", "one").await;
    let refused = async |body: Value, status: u16, code: &str| {
        problem(test.ask(&bob, Method::POST, MARK, body).await, status, code).await
    };
    refused(json!({ "kind": "channel", "name": "nothing" }), 404, "not_found").await;
    refused(json!({ "kind": "dm", "name": "nobody" }), 404, "not_found").await;
    refused(json!({ "kind": "channel", "name": "general" }), 403, "not_a_member").await;
    refused(json!([{ "kind": "channel", "name": "team" }, { "kind": "dm", "name": "nobody" }]), 404, "not_found").await;
    assert_eq!(entry(&test, &bob, "channel", "team").await["unread"], 1, "all or none");
    for (body, field) in [
        (json!({ "kind": "room", "name": "team" }), "kind"),
        (json!({ "kind": "channel" }), "name"),
        (json!([{ "kind": "channel", "name": "team" }, { "kind": "dm", "name": 7 }]), "[1].name"),
        (json!([["channel", "team"]]), "[0]"),
        (json!([]), "body"),
        (json!(vec![json!({ "kind": "channel", "name": "team" }); 101]), "body"),
        (json!("team"), "body"),
    ] {
        assert_eq!(refused(body, 400, "validation_failed").await["errors"][0]["field"], field);
    }
    // Somebody with whom there is nothing to read is no fault.
    test.person("eve").await;
    test.did(&bob, Method::POST, MARK, json!({ "kind": "dm", "name": "eve" })).await;
    // Whoever left has no unread there any more; an archived channel neither.
    test.did(&bob, Method::POST, "/api/channels/team/leave", json!({})).await;
    assert_eq!(test.look(&bob, "/api/notifications/unread").await, json!([]));
    test.did(&ann, Method::DELETE, "/api/channels/team", json!({})).await;
    assert_eq!(test.look(&ann, "/api/notifications/unread").await, json!([]));
    let root = test.hub.notifications().unread(&Caller::root()).await.unwrap_err();
    assert_eq!(root.code(), "no_participant");
    test.stop().await;
}

#[both_engines]
async fn agents_read_for_themselves(test: TestServer) {
    let (ann, _, from_ann, _) = two(&test).await;
    let key = test.create_agent(&ann, "helper").await;
    test.did(&ann, Method::POST, "/api/channels/team/join", json!({ "agent": "helper" })).await;
    test.say_in(&from_ann, "team", "for all").await;
    test.write_to(&from_ann, "helper", "for you").await;
    let own: Value =
        test.request_with(&key, Method::GET, "/api/notifications/unread").send().await.unwrap().json().await.unwrap();
    let told: Vec<_> = own
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| (entry["name"].as_str().unwrap(), entry["unread"].as_i64().unwrap()))
        .collect();
    assert_eq!(told, [("ann", 1), ("team", 1)], "latest first");
    let marked = test
        .request_with(&key, Method::POST, MARK)
        .json(&json!({ "kind": "channel", "name": "team" }))
        .send()
        .await
        .unwrap();
    assert_eq!(marked.status(), 204);
    let own: Value =
        test.request_with(&key, Method::GET, "/api/notifications/unread").send().await.unwrap().json().await.unwrap();
    assert_eq!(own[1]["unread"], 0);
    assert_eq!(entry(&test, &ann, "dm", "helper").await["unread"], 0, "what she sent is not unread for her");
    test.stop().await;
}

#[both_engines]
async fn a_cursor_that_moved_is_in_the_log(test: TestServer) {
    let (_, bob, from_ann, _) = two(&test).await;
    let one = test.say_in(&from_ann, "team", "one").await;
    let two = test.write_to(&from_ann, "bob", "two").await;
    let mut log = test.hub.events().subscribe(After::Now).await.unwrap();
    for body in [
        json!({ "kind": "channel", "name": "team" }),
        json!({ "kind": "channel", "name": "team" }),
        json!({ "kind": "dm", "name": "ann" }),
    ] {
        test.did(&bob, Method::POST, MARK, body).await;
    }
    for (kind, name, message) in [("channel", "team", one), ("dm", "ann", two)] {
        let event = soon("the log tells", log.next()).await.unwrap().unwrap();
        let payload: Value = serde_json::from_str(event.payload.get()).unwrap();
        assert_eq!(
            (event.kind.as_str(), &payload["kind"], &payload["name"], &payload["message_id"]),
            ("cursor.moved", &json!(kind), &json!(name), &json!(message))
        );
        assert!(payload["participant_id"].is_i64() && payload["conversation_id"].is_i64());
    }
    test.stop().await;
}

#[both_engines]
async fn unread_is_exact_while_many_send_and_read_at_once(test: TestServer) {
    let (_, bob, from_ann, from_bob) = two(&test).await;
    let mark = |last: Option<MessageId>| {
        vec![
            Mark { kind: ConversationKind::Channel, name: "team".into(), last_message_id: last },
            Mark { kind: ConversationKind::Dm, name: "ann".into(), last_message_id: last },
        ]
    };
    let racers: Vec<_> = (0..32_usize)
        .map(|turn| {
            let (hub, from_ann, from_bob) = (test.hub.clone(), from_ann.clone(), from_bob.clone());
            tokio::spawn(async move {
                for _ in 0..4 {
                    let from = if turn % 2 == 0 { &from_ann } else { &from_bob };
                    let body = if turn % 4 == 0 { "hello @bob" } else { "hello" };
                    let said = hub.messages().send(from, NewMessage::in_channel("team", body)).await.unwrap();
                    let to = if turn % 2 == 0 { "bob" } else { "ann" };
                    hub.messages().send(from, NewMessage::to(to, "hello")).await.unwrap();
                    if turn % 4 == 1 {
                        let last = (turn % 8 == 1).then_some(said.id);
                        hub.notifications().mark_read(&from_bob, mark(last)).await.unwrap();
                    }
                }
            })
        })
        .collect();
    // Meanwhile the cursor only goes forwards, and nothing is ever counted twice.
    let mut before = 0;
    while racers.iter().any(|racer| !racer.is_finished()) {
        let now = entry(&test, &bob, "channel", "team").await;
        let read = now["last_read_message_id"].as_i64().unwrap_or(0);
        assert!(read >= before && now["unread"].as_i64().unwrap() >= 0, "{before}: {now}");
        before = read;
    }
    for racer in racers {
        racer.await.unwrap();
    }
    assert_exact(&test, &bob, "channel", "team").await;
    assert_exact(&test, &bob, "dm", "ann").await;
    // Every step on the way is exact too, whichever side is shorter to count.
    let messages = test
        .hub
        .messages()
        .channel_timeline(
            &from_bob,
            "team",
            svc_core::conversations::TimelineFilter {
                after: Some(MessageId(before)),
                limit: Some(200),
                ..Default::default()
            },
        )
        .await
        .unwrap()
        .messages;
    for message in messages.iter().step_by(7) {
        test.hub.notifications().mark_read(&from_bob, mark(Some(message.id))).await.unwrap();
        assert_exact(&test, &bob, "channel", "team").await;
    }
    test.hub.notifications().mark_read(&from_bob, mark(None)).await.unwrap();
    assert_eq!(entry(&test, &bob, "channel", "team").await["unread"], 0);
    assert_eq!(entry(&test, &bob, "dm", "ann").await["unread"], 0);
    test.stop().await;
}

#[both_engines]
async fn a_cursor_never_moves_back(test: TestServer) {
    let (_, bob, from_ann, from_bob) = two(&test).await;
    let mut sent = Vec::new();
    for _ in 0..32 {
        sent.push(test.say_in(&from_ann, "team", "hello").await);
    }
    let racers: Vec<_> = sent
        .iter()
        .map(|id| {
            let (hub, caller, id) = (test.hub.clone(), from_bob.clone(), MessageId(*id));
            tokio::spawn(async move {
                let mark = Mark { kind: ConversationKind::Channel, name: "team".into(), last_message_id: Some(id) };
                hub.notifications().mark_read(&caller, vec![mark]).await.unwrap();
                hub.channels().get(&caller, "team").await.unwrap().last_read_message_id.unwrap()
            })
        })
        .collect();
    for (racer, id) in racers.into_iter().zip(&sent) {
        assert!(racer.await.unwrap().0 >= *id, "whoever marked a message has read it");
    }
    assert_eq!(
        entry(&test, &bob, "channel", "team").await,
        unread("channel", "team", 0, 0, sent.last().copied(), sent.last().copied())
    );
    test.stop().await;
}

/// What is told as unread is what can be counted by reading all of it.
async fn assert_exact(test: &TestServer, who: &Person, kind: &str, name: &str) {
    let told = entry(test, who, kind, name).await;
    let read = told["last_read_message_id"].as_i64().unwrap_or(0);
    let path = if kind == "dm" {
        format!("/api/dm/{name}/messages?limit=200")
    } else {
        format!("/api/channels/{name}/messages?limit=200")
    };
    let messages = test.look(who, &path).await;
    let messages = messages["messages"].as_array().unwrap();
    let missing = messages
        .iter()
        .filter(|message| message["id"].as_i64().unwrap() > read && message["from"] != who.username.as_str());
    let missing: Vec<_> = missing.collect();
    assert_eq!(told["unread"].as_u64(), Some(missing.len() as u64), "{told}");
    let copies = missing.iter().filter(|message| message["metadata"]["mention"].is_object());
    assert_eq!(told["mention_copies"].as_u64(), Some(copies.count() as u64), "{told}");
    assert_eq!(told["last_message_id"], messages.last().unwrap()["id"]);
}
