//! Trust: what humans think of what agents say, exact however many think at once.

use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};
use svc_test_macros::both_engines;

use crate::support::people::Person;
use crate::support::server::told;
use crate::support::server::{TestServer, problem};

/// Score and number of adjustments for one kind of action.
async fn trust(test: &TestServer, person: &Person, agent: &str, action: &str) -> (f64, i64) {
    let answer = test.look(person, &format!("/api/trust/{agent}")).await;
    assert_eq!(answer["agent"], agent);
    let scores = answer["scores"].as_array().unwrap();
    let score = scores.iter().find(|score| score["action_type"] == action).unwrap_or_else(|| panic!("{answer}"));
    assert!(score["updated_at"].is_string(), "{answer}");
    (score["score"].as_f64().unwrap(), score["adjustments"].as_i64().unwrap())
}

async fn people(test: &TestServer, count: usize) -> Vec<Person> {
    let mut people = Vec::new();
    for number in 0..count {
        people.push(test.person(&format!("human_{number}")).await);
    }
    people
}

#[both_engines]
async fn trust_follows_the_reactions_of_a_human(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    let writer = test.create_agent(&ann, "writer").await;
    let other = test.create_agent(&bob, "other").await;
    assert_eq!(test.look(&bob, "/api/trust/writer").await, json!({ "agent": "writer", "scores": [] }));
    let said = test.say_with(&writer, json!({ "channel": "general", "body": "like this?" })).await;
    // Neither agents nor other reactions count.
    told(test.react_with(&other, &said, "approve").await, 200).await;
    told(test.react(&bob, &said, "done").await, 200).await;
    assert_eq!(test.look(&bob, "/api/trust/writer").await["scores"], json!([]));
    for (reaction, expected) in [
        ("approve", (0.55, 1)),
        ("reject", (0.4, 1)),
        // A rejection outweighs an approval, so this changes nothing.
        ("approve", (0.4, 1)),
        ("approve", (0.4, 1)),
        ("reject", (0.55, 1)),
        ("approve", (0.5, 0)),
        ("reject", (0.4, 1)),
        ("published", (0.4, 1)),
    ] {
        told(test.react(&bob, &said, reaction).await, 200).await;
        assert_eq!(trust(&test, &ann, "writer", "publish").await, expected, "{reaction}");
    }
    // Another human, and the same human on another message, move it further.
    told(test.react(&ann, &said, "approve").await, 200).await;
    assert_eq!(trust(&test, &ann, "writer", "publish").await, (0.45, 2));
    let direct = test.say_with(&writer, json!({ "to": "bob", "body": "and this?" })).await;
    told(test.react(&bob, &direct, "approve").await, 200).await;
    assert_eq!(trust(&test, &ann, "writer", "publish").await, (0.5, 3));
    told(test.unreact(&bob, &direct, "approve").await, 200).await;
    assert_eq!(trust(&test, &ann, "writer", "publish").await, (0.45, 2));
    let events = test.events_of("trust.changed").await;
    let last = events.last().unwrap();
    assert_eq!(
        (&last["agent"], &last["action_type"], &last["score"]),
        (&json!("writer"), &json!("publish"), &json!(0.45))
    );
    assert!(last["agent_id"].is_i64() && last["owner_id"].is_i64(), "{last}");
    assert_eq!(events.len(), 8, "one for each time that it moved");
    // What a human said is no matter of trust.
    let human = test.say(&ann, json!({ "channel": "general", "body": "me" })).await;
    told(test.react(&bob, &human, "reject").await, 200).await;
    assert_eq!(test.events_of("trust.changed").await.len(), 8);
    test.stop().await;
}

#[both_engines]
async fn each_kind_of_action_has_its_own_score(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    let writer = test.create_agent(&ann, "writer").await;
    for (action, kept) in [
        (json!("deploy.prod"), "deploy.prod"),
        (json!("approve"), "approve"),
        (json!("No Such!"), "publish"),
        (json!(7), "publish"),
        (json!("x".repeat(65)), "publish"),
    ] {
        let body = json!({ "channel": "general", "body": "I will", "metadata": { "action_type": action } });
        let said = test.say_with(&writer, body).await;
        told(test.react(&bob, &said, if kept == "deploy.prod" { "reject" } else { "approve" }).await, 200).await;
    }
    let answer = test.look(&ann, "/api/trust/Writer").await;
    let scores: Vec<_> = answer["scores"]
        .as_array()
        .unwrap()
        .iter()
        .map(|score| (score["action_type"].as_str().unwrap(), score["score"].as_f64().unwrap()))
        .collect();
    assert_eq!(scores, [("approve", 0.55), ("deploy.prod", 0.4), ("publish", 0.65)]);
    test.stop().await;
}

#[both_engines]
async fn a_score_stops_at_0_and_1_and_what_was_applied_is_taken_back(test: TestServer) {
    let ann = test.person("ann").await;
    let writer = test.create_agent(&ann, "writer").await;
    let mut said = Vec::new();
    for number in 0..12 {
        said.push(test.say_with(&writer, json!({ "channel": "general", "body": format!("{number}") })).await);
    }
    for message in &said {
        told(test.react(&ann, message, "approve").await, 200).await;
    }
    assert_eq!(trust(&test, &ann, "writer", "publish").await, (1.0, 12));
    // The last two moved nothing, so there is nothing to take back.
    for message in &said[10..] {
        told(test.react(&ann, message, "approve").await, 200).await;
    }
    assert_eq!(trust(&test, &ann, "writer", "publish").await, (1.0, 10));
    for message in &said[..10] {
        told(test.react(&ann, message, "approve").await, 200).await;
    }
    assert_eq!(trust(&test, &ann, "writer", "publish").await, (0.5, 0));
    for message in &said[..7] {
        told(test.react(&ann, message, "reject").await, 200).await;
    }
    assert_eq!(trust(&test, &ann, "writer", "publish").await, (0.0, 7));
    // From a rejection that moved nothing to an approval.
    told(test.react(&ann, &said[6], "approve").await, 200).await;
    told(test.react(&ann, &said[6], "reject").await, 200).await;
    assert_eq!(trust(&test, &ann, "writer", "publish").await, (0.05, 7));
    told(test.react(&ann, &said[6], "approve").await, 200).await;
    for message in &said[..6] {
        told(test.react(&ann, message, "reject").await, 200).await;
    }
    assert_eq!(trust(&test, &ann, "writer", "publish").await, (0.5, 0));
    test.stop().await;
}

#[both_engines]
async fn many_humans_at_once_are_all_counted(test: TestServer) {
    let people = people(&test, 20).await;
    let writer = test.create_agent(&people[0], "writer").await;
    let (mut first, mut second) = (Vec::new(), Vec::new());
    for number in 0..4 {
        first.push(test.say_with(&writer, json!({ "channel": "general", "body": format!("a {number}") })).await);
        let metadata = json!({ "action_type": "approve" });
        let other = json!({ "channel": "general", "body": format!("b {number}"), "metadata": metadata });
        second.push(test.say_with(&writer, other).await);
    }
    // Eight approve and four reject, spread over several messages: the ends are not reached in any order.
    let judge = |reaction: &'static str, by: std::ops::Range<usize>| {
        join_all(by.map(|number| {
            let (test, people, first) = (&test, &people, &first);
            async move { told(test.react(&people[number], &first[number % 4], reaction).await, 200).await }
        }))
    };
    tokio::join!(judge("approve", 0..8), judge("reject", 8..12));
    assert_eq!(trust(&test, &people[0], "writer", "publish").await, (0.5, 12));
    // All twenty for one message: it stops at 1, and comes back exactly.
    let all = || {
        join_all(people.iter().map(|person| async { told(test.react(person, &second[0], "approve").await, 200).await }))
    };
    all().await;
    assert_eq!(trust(&test, &people[0], "writer", "approve").await, (1.0, 20));
    all().await;
    assert_eq!(trust(&test, &people[0], "writer", "approve").await, (0.5, 0));
    test.stop().await;
}

#[both_engines]
async fn everybody_known_reads_trust_and_strangers_do_not(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    test.create_agent(&ann, "writer").await;
    let other = test.create_agent(&bob, "other").await;
    let limits = json!({ "name": "limited", "permissions": ["read"], "allowed_channels": ["general"] });
    let (_, key) = test.create_key(&bob, limits).await;
    assert_eq!(test.look_with(&other, "/api/trust/writer").await["scores"], json!([]));
    problem(test.request_with(&key, Method::GET, "/api/trust/writer").send().await.unwrap(), 404, "not_found").await;
    problem(test.get("/api/trust/writer").await, 401, "unauthenticated").await;
    for nobody in ["nobody", "ann", "system", "%00", "a%20b"] {
        let answer = test.request_as(&bob, Method::GET, &format!("/api/trust/{nobody}")).send().await.unwrap();
        problem(answer, 404, "not_found").await;
    }
    assert_eq!(test.request_as(&ann, Method::DELETE, "/api/agents/writer").send().await.unwrap().status(), 204);
    problem(test.request_as(&bob, Method::GET, "/api/trust/writer").send().await.unwrap(), 404, "not_found").await;
    let described: Value = test.get_json("/openapi.json").await;
    assert!(described["paths"]["/api/trust/{agent}"]["get"].is_object());
    test.stop().await;
}
