//! Loops: agents that go on answering each other are found, held, told of and lifted.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use svc_test_macros::both_engines;

use crate::support::people::Person;
use crate::support::receiver::Receiver;
use crate::support::server::{TestServer, problem};

/// Words that make every message another one.
const WORDS: [&str; 16] = [
    "amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "heron", "inlet", "jetty", "kelp", "larch", "maple",
    "north", "ocean", "pine",
];

/// Two agents that the hub may run, of two owners.
struct Two {
    ann: Person,
    bob: Person,
    /// The keys of the owners.
    keys: [String; 2],
    scout: String,
    builder: String,
}

async fn two(test: &TestServer) -> Two {
    let ((ann, of_ann), (bob, of_bob)) = (test.lasting("ann").await, test.lasting("bob").await);
    let (scout, builder) = (test.create_agent(&ann, "scout").await, test.create_agent(&bob, "builder").await);
    test.change_agent(&of_ann, "scout", json!({ "trigger_mode": "reactive" })).await;
    Two { ann, bob, keys: [of_ann, of_bob], scout, builder }
}

impl Two {
    /// The two take turns in writing to each other.
    async fn talk(&self, test: &TestServer, words: &[&str]) {
        for (number, word) in words.iter().enumerate() {
            let (key, to) = if number % 2 == 0 { (&self.scout, "builder") } else { (&self.builder, "scout") };
            let subject = format!("Re: {word}");
            test.say_with(key, json!({ "to": to, "subject": subject, "body": format!("I think of {word}.") })).await;
        }
        test.work("loop_watch").await;
    }

    /// The same in a channel, with mentions.
    async fn talk_in(&self, test: &TestServer, channel: &str, words: &[&str]) {
        for (number, word) in words.iter().enumerate() {
            let (key, to) = if number % 2 == 0 { (&self.scout, "builder") } else { (&self.builder, "scout") };
            test.say_with(key, json!({ "channel": channel, "body": format!("@{to} I think of {word}.") })).await;
        }
        test.work("loop_watch").await;
    }
}

async fn loops(test: &TestServer, key: &str, query: &str) -> Vec<Value> {
    test.look_with(key, &format!("/api/loops{query}")).await["loops"].as_array().unwrap().clone()
}

#[both_engines]
async fn two_agents_that_answer_each_other_are_held_until_somebody_lifts_it(test: TestServer) {
    let two = two(&test).await;
    let mut stream = test.stream(&two.bob).await;
    two.talk(&test, &WORDS[..13]).await;
    assert!(loops(&test, &two.keys[0], "").await.is_empty(), "twelve answers are allowed");
    two.talk(&test, &WORDS[13..14]).await;
    // The same one wrote twice, which is no answer.
    assert!(loops(&test, &two.keys[0], "").await.is_empty());
    test.say_with(&two.builder, json!({ "to": "scout", "body": "And the last word." })).await;
    test.work("loop_watch").await;
    let found = loops(&test, &two.keys[0], "?held=true").await;
    assert_eq!(found.len(), 1, "{found:?}");
    let held = &found[0];
    assert_eq!((&held["kind"], &held["count"], &held["lifted_at"]), (&json!("exchange"), &json!(13), &Value::Null));
    let mut agents = [held["agent"].as_str().unwrap(), held["other"].as_str().unwrap()];
    agents.sort_unstable();
    assert_eq!(agents, ["builder", "scout"]);
    for key in &two.keys {
        let notices = test.told_of(key, "loop").await;
        assert_eq!((notices.len(), &notices[0]["loop"]), (1, &json!("exchange")), "{notices:?}");
        assert_eq!(loops(&test, key, "").await.len(), 1);
    }
    // They go on, and are told of once.
    two.talk(&test, &WORDS[..2]).await;
    assert_eq!(test.told_of(&two.keys[1], "loop").await.len(), 1);

    // A stranger knows nothing of it, and an agent cannot lift it.
    let (_, stranger) = test.lasting("eve").await;
    assert!(loops(&test, &stranger, "").await.is_empty());
    let path = format!("/api/loops/{}/lift", held["id"]);
    let asked = async |key: &str| test.request_with(key, Method::POST, &path).send().await.unwrap();
    problem(asked(&stranger).await, 404, "not_found").await;
    problem(asked(&two.scout).await, 403, "owner_required").await;
    assert_eq!(loops(&test, &two.scout, "").await.len(), 1, "but it sees it");
    let lifted = test.did(&two.bob, Method::POST, &path, json!({})).await;
    assert_eq!(lifted["lifted_by"], "bob");
    let again = test.did(&two.ann, Method::POST, &path, json!({})).await;
    assert_eq!(again, lifted, "repeating it changes nothing");
    assert!(loops(&test, &two.keys[0], "?held=true").await.is_empty());
    assert_eq!(loops(&test, &two.keys[0], "?held=false").await.len(), 1);
    let audited: Vec<_> = test.audited("loop_changed").await.into_iter().map(|(action, _)| action).collect();
    assert_eq!(audited, ["held", "lifted"]);
    let end = test.say(&two.ann, json!({ "channel": "general", "body": "for all" })).await;
    let news: Vec<_> = stream.through(&end).await.into_iter().filter(|event| event.name == "loop_changed").collect();
    let actions: Vec<_> = news.iter().map(|event| event.data["action"].as_str().unwrap()).collect();
    assert_eq!(actions, ["held", "lifted"]);

    // What was said before does not count again.
    test.clock.advance(Duration::from_secs(1));
    two.talk(&test, &WORDS[..12]).await;
    assert!(loops(&test, &two.keys[0], "?held=true").await.is_empty());
    two.talk(&test, &WORDS[12..14]).await;
    assert_eq!(loops(&test, &two.keys[0], "?held=true").await.len(), 1, "it can happen again");
    test.stop().await;
}

#[both_engines]
async fn a_held_loop_stops_deliveries_between_the_two_and_nothing_else(test: TestServer) {
    let two = two(&test).await;
    two.talk(&test, &WORDS[..14]).await;
    let held = loops(&test, &two.keys[0], "?held=true").await;
    assert_eq!(held.len(), 1);
    let mut receiver = Receiver::start().await;
    let hook = test.hook(&two.bob, "builder", &receiver.url, &["message.received"]).await;
    let id = &hook["webhook"]["id"];
    let said = test.say_with(&two.scout, json!({ "to": "builder", "body": "One more." })).await;
    let stopped = test.until_delivery(&two.bob, id, "stopped").await;
    assert_eq!(stopped["error"], "loop");
    // The message itself arrived.
    let inbox = test.look_with(&two.builder, "/api/messages").await;
    assert!(inbox["messages"].as_array().unwrap().iter().any(|message| message["id"] == said["id"]));
    test.say(&two.ann, json!({ "to": "builder", "body": "Stop it, please." })).await;
    assert_eq!(receiver.next().await.body()["data"]["body"], "Stop it, please.");
    test.until_delivery(&two.bob, id, "delivered").await;

    let path = format!("/api/loops/{}/lift", held[0]["id"]);
    test.did(&two.ann, Method::POST, &path, json!({})).await;
    test.clock.advance(Duration::from_secs(1));
    test.say_with(&two.scout, json!({ "to": "builder", "body": "May I?" })).await;
    assert_eq!(receiver.next().await.body()["data"]["body"], "May I?");
    test.stop().await;
}

#[both_engines]
async fn messages_that_say_the_same_are_a_loop(test: TestServer) {
    let two = two(&test).await;
    for body in ["Is it done yet?", "Is it done yet?!", "is it done yet", "Is it done yet..."] {
        test.say_with(&two.scout, json!({ "to": "builder", "body": body })).await;
    }
    test.say_with(&two.builder, json!({ "to": "scout", "body": "Not yet." })).await;
    test.work("loop_watch").await;
    assert!(loops(&test, &two.keys[0], "").await.is_empty());
    test.say_with(&two.scout, json!({ "to": "builder", "body": "is it DONE yet? " })).await;
    test.work("loop_watch").await;
    let found = loops(&test, &two.keys[0], "").await;
    assert_eq!((&found[0]["kind"], &found[0]["count"]), (&json!("repetition"), &json!(5)));
    test.stop().await;
}

#[both_engines]
async fn an_exchange_in_a_channel_ends_with_a_human(test: TestServer) {
    let two = two(&test).await;
    test.open_room(&two.ann, "plans", true, &[]).await;
    two.talk_in(&test, "plans", &WORDS[..12]).await;
    test.say(&two.ann, json!({ "channel": "plans", "body": "Go on." })).await;
    two.talk_in(&test, "plans", &WORDS[..12]).await;
    assert!(loops(&test, &two.keys[0], "").await.is_empty());
    // Others who talk in between do not change what the two do.
    let third = test.create_agent(&two.ann, "third").await;
    test.say_with(&third, json!({ "channel": "plans", "body": "Good morning." })).await;
    two.talk_in(&test, "plans", &WORDS[12..14]).await;
    let found = loops(&test, &two.keys[1], "").await;
    assert_eq!((found.len(), &found[0]["kind"]), (1, &json!("exchange")), "{found:?}");
    test.stop().await;
}

#[both_engines]
async fn agents_that_talk_past_each_other_are_no_loop(test: TestServer) {
    let two = two(&test).await;
    test.open_room(&two.ann, "status", true, &[]).await;
    for word in WORDS {
        test.say_with(&two.scout, json!({ "channel": "status", "body": format!("{word} is up") })).await;
        test.say_with(&two.builder, json!({ "channel": "status", "body": format!("{word} is built") })).await;
    }
    test.work("loop_watch").await;
    assert!(loops(&test, &two.keys[0], "").await.is_empty());
    test.stop().await;
}

#[both_engines]
async fn an_agent_that_floods_a_channel_is_held_there_for_an_hour(test: TestServer) {
    let two = two(&test).await;
    test.open_room(&two.ann, "status", true, &["builder"]).await;
    for number in 0..61 {
        let word = WORDS[number % WORDS.len()];
        test.say_with(&two.scout, json!({ "channel": "status", "body": format!("{word} {word}") })).await;
    }
    test.work("loop_watch").await;
    let found = loops(&test, &two.keys[0], "?held=true").await;
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(
        (&found[0]["kind"], &found[0]["agent"], &found[0]["other"]),
        (&json!("flood"), &json!("scout"), &Value::Null)
    );
    assert_eq!(test.told_of(&two.keys[0], "loop").await.len(), 1);
    assert!(test.told_of(&two.keys[1], "loop").await.is_empty(), "it is no agent of theirs");
    // What others say there is sent, and what it says elsewhere.
    let receiver = Receiver::start().await;
    let hook = test.hook(&two.bob, "builder", &receiver.url, &["*"]).await;
    let id = &hook["webhook"]["id"];
    test.say_with(&two.scout, json!({ "channel": "status", "body": "again" })).await;
    assert_eq!(test.until_delivery(&two.bob, id, "stopped").await["error"], "loop");
    test.say(&two.ann, json!({ "channel": "status", "body": "quiet" })).await;
    test.until_delivery(&two.bob, id, "delivered").await;

    test.clock.advance(Duration::from_mins(59));
    test.work("governance_sweep").await;
    assert_eq!(loops(&test, &two.keys[0], "?held=true").await.len(), 1);
    test.clock.advance(Duration::from_mins(1));
    test.work("governance_sweep").await;
    let lifted = loops(&test, &two.keys[0], "").await;
    assert_eq!((&lifted[0]["lifted_at"], &lifted[0]["lifted_by"]), (&found[0]["until"], &Value::Null));
    test.stop().await;
}
