//! Emoji under messages: added, removed, bounded, told, and without effect on anything else.

use std::collections::BTreeMap;

use futures_util::future::join_all;
use reqwest::{Method, Response};
use serde_json::{Value, json};
use svc_core::ids::MessageId;
use svc_core::{Caller, limits};
use svc_test_macros::both_engines;

use crate::support::people::Person;
use crate::support::server::{TestServer, problem, told};

/// More emoji than a message may have.
const MANY: [&str; 21] = [
    "😀", "😁", "😂", "😃", "😄", "😅", "😆", "😇", "😈", "😉", "😊", "😋", "😌", "😍", "😎", "😏", "😐", "😑", "😒",
    "😓", "😔",
];

fn path(message: &Value, emoji: &str) -> String {
    let encoded: String = emoji.bytes().map(|byte| format!("%{byte:02X}")).collect();
    format!("/api/messages/{}/emoji/{encoded}", message["id"])
}

impl TestServer {
    async fn add_emoji(&self, person: &Person, message: &Value, emoji: &str) -> Response {
        self.request_as(person, Method::PUT, &path(message, emoji)).send().await.unwrap()
    }

    async fn remove_emoji(&self, person: &Person, message: &Value, emoji: &str) -> Response {
        self.request_as(person, Method::DELETE, &path(message, emoji)).send().await.unwrap()
    }

    async fn add_emoji_with(&self, key: &str, message: &Value, emoji: &str) -> Response {
        self.request_with(key, Method::PUT, &path(message, emoji)).send().await.unwrap()
    }
}

#[both_engines]
async fn emoji_are_counted_named_and_taken_back(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    let scout = test.create_agent(&bob, "scout").await;
    let said = test.say(&ann, json!({ "channel": "general", "body": "shipped" })).await;
    assert_eq!(said["emoji"], json!([]));
    let party = told(test.add_emoji(&bob, &said, "🎉").await, 200).await;
    assert_eq!(party["emoji"], json!([{ "emoji": "🎉", "count": 1, "mine": true, "names": ["bob"] }]));
    told(test.add_emoji_with(&scout, &said, "🚀").await, 200).await;
    let both = told(test.add_emoji_with(&scout, &said, "🎉").await, 200).await;
    let expected = json!([
        { "emoji": "🎉", "count": 2, "mine": true, "names": ["bob", "scout"] },
        { "emoji": "🚀", "count": 1, "mine": true, "names": ["scout"] },
    ]);
    assert_eq!(both["emoji"], expected);
    // Added again, nothing changes.
    assert_eq!(told(test.add_emoji_with(&scout, &said, "🎉").await, 200).await["emoji"], expected);
    // Each reader sees which ones are theirs, wherever the message is read.
    let mine = |message: &Value| -> Vec<bool> {
        message["emoji"].as_array().unwrap().iter().map(|one| one["mine"].as_bool().unwrap()).collect()
    };
    let one = test.look(&bob, &format!("/api/messages/{}", said["id"])).await;
    assert_eq!(mine(&one), [true, false]);
    let page = test.look(&ann, "/api/channels/general/messages").await;
    let shown = page["messages"].as_array().unwrap().iter().find(|message| message["id"] == said["id"]).unwrap();
    assert_eq!((mine(shown), &shown["emoji"][0]["count"]), (vec![false, false], &json!(2)));
    assert_eq!(shown["reactions"], json!([]));
    // Taken back, and once more without effect.
    for _ in 0..2 {
        let left = told(test.remove_emoji(&bob, &said, "🎉").await, 200).await;
        // The order is that of the first one that is left.
        let expected = json!([
            { "emoji": "🚀", "count": 1, "mine": false, "names": ["scout"] },
            { "emoji": "🎉", "count": 1, "mine": false, "names": ["scout"] },
        ]);
        assert_eq!(left["emoji"], expected);
    }
    let log = test.events_of("emoji.added").await;
    assert_eq!(log.len(), 3, "{log:?}");
    assert_eq!((&log[1]["by"], &log[1]["emoji"], &log[1]["count"]), (&json!("scout"), &json!("🚀"), &json!(1)));
    let log = test.events_of("emoji.removed").await;
    assert_eq!((log.len(), &log[0]["count"], &log[0]["by"]), (1, &json!(1), &json!("bob")));
    test.stop().await;
}

#[both_engines]
async fn only_one_emoji_of_the_list_is_accepted(test: TestServer) {
    let ann = test.person("ann").await;
    let said = test.say(&ann, json!({ "channel": "general", "body": "hm" })).await;
    for text in ["a", "tada", ":tada:", "🎉🎉", "🎉 ", "1", "\u{8b}", "\u{200d}", "🏽", "🇩🇩", &"🎉".repeat(100)]
    {
        let refusal = problem(test.add_emoji(&ann, &said, text).await, 400, "validation_failed").await;
        assert_eq!(refusal["errors"][0]["field"], "emoji", "{text:?}: {refusal}");
    }
    for (text, stored) in [("👍🏽", "👍🏽"), ("❤", "❤️"), ("🇩🇪", "🇩🇪"), ("👩‍💻", "👩‍💻"), ("#️⃣", "#️⃣")]
    {
        let under = told(test.add_emoji(&ann, &said, text).await, 200).await;
        assert_eq!(under["emoji"].as_array().unwrap().last().unwrap()["emoji"], stored);
    }
    // Both texts are one emoji.
    assert_eq!(told(test.add_emoji(&ann, &said, "❤️").await, 200).await["emoji"].as_array().unwrap().len(), 5);
    test.stop().await;
}

#[both_engines]
async fn a_message_and_a_participant_have_a_bounded_number(test: TestServer) {
    let (ann, bob, eve) = (test.person("ann").await, test.person("bob").await, test.person("eve").await);
    let said = test.say(&ann, json!({ "channel": "general", "body": "smile" })).await;
    let (of_ann, rest) = MANY.split_at(limits::EMOJI_PER_PARTICIPANT);
    let (of_bob, one_more) = rest.split_at(limits::EMOJI_PER_MESSAGE - limits::EMOJI_PER_PARTICIPANT);
    for emoji in of_ann {
        told(test.add_emoji(&ann, &said, emoji).await, 200).await;
    }
    problem(test.add_emoji(&ann, &said, of_bob[0]).await, 409, "too_many_emoji").await;
    for emoji in of_bob {
        told(test.add_emoji(&bob, &said, emoji).await, 200).await;
    }
    problem(test.add_emoji(&eve, &said, one_more[0]).await, 409, "too_many_emoji").await;
    // One that is there already takes no room.
    told(test.add_emoji(&eve, &said, of_bob[0]).await, 200).await;
    told(test.remove_emoji(&ann, &said, of_ann[0]).await, 200).await;
    let full = told(test.add_emoji(&eve, &said, one_more[0]).await, 200).await;
    assert_eq!(full["emoji"].as_array().unwrap().len(), limits::EMOJI_PER_MESSAGE);
    assert_eq!(test.number("SELECT max(emoji_count) FROM messages").await, 21);
    test.stop().await;
}

#[both_engines]
async fn many_at_once_are_counted_right_and_the_first_are_named(test: TestServer) {
    let ann = test.person("ann").await;
    let said = test.say(&ann, json!({ "channel": "general", "body": "all" })).await;
    let mut keys = Vec::new();
    for number in 0..12 {
        keys.push(test.create_agent(&ann, &format!("agent-{number}")).await);
    }
    // Each twice, and each with emoji of its own that fill the message.
    let party = keys.iter().chain(&keys).map(|key| test.add_emoji_with(key, &said, "🎉"));
    for answer in join_all(party).await {
        told(answer, 200).await;
    }
    let (server, message) = (&test, &said);
    let more = keys.iter().flat_map(|key| MANY.map(move |emoji| server.add_emoji_with(key, message, emoji)));
    let mut refused = 0;
    for answer in join_all(more).await {
        match answer.status().as_u16() {
            200 => {}
            409 => refused += 1,
            other => panic!("{other}"),
        }
    }
    assert!(refused > 0);
    let shown = test.look(&ann, &format!("/api/messages/{}", said["id"])).await;
    let under = shown["emoji"].as_array().unwrap();
    assert!(under.len() <= limits::EMOJI_PER_MESSAGE, "{}", under.len());
    assert_eq!((&under[0]["emoji"], &under[0]["count"]), (&json!("🎉"), &json!(12)));
    assert_eq!(under[0]["names"].as_array().unwrap().len(), 10);
    let total: i64 = under.iter().map(|one| one["count"].as_i64().unwrap()).sum();
    assert_eq!(test.number("SELECT max(emoji_count) FROM messages").await, total);
    assert_eq!(
        test.number("SELECT max(n) FROM (SELECT count(*) AS n FROM message_emoji GROUP BY participant_id) counts")
            .await,
        i64::try_from(limits::EMOJI_PER_PARTICIPANT).unwrap()
    );
    test.stop().await;
}

#[both_engines]
async fn those_who_see_a_message_choose_and_are_told(test: TestServer) {
    let (ann, bob, eve) = (test.person("ann").await, test.person("bob").await, test.person("eve").await);
    test.open_room(&ann, "secret", false, &["bob"]).await;
    let hidden = test.say(&ann, json!({ "channel": "secret", "body": "among us" })).await;
    let direct = test.say(&ann, json!({ "to": "bob", "body": "between us" })).await;
    for message in [&hidden, &direct, &json!({ "id": 999_999 }), &json!({ "id": -1 })] {
        problem(test.add_emoji(&eve, message, "🎉").await, 404, "not_found").await;
        problem(test.remove_emoji(&eve, message, "🎉").await, 404, "not_found").await;
    }
    let (_, reader) = test.create_key(&bob, json!({ "name": "reader", "permissions": ["read"] })).await;
    problem(test.add_emoji_with(&reader, &hidden, "🎉").await, 403, "permission_denied").await;
    let limited = json!({ "name": "limited", "permissions": ["write"], "allowed_channels": ["secret"] });
    let (_, limited) = test.create_key(&bob, limited).await;
    problem(test.add_emoji_with(&limited, &direct, "🎉").await, 404, "not_found").await;
    let by_root = test.hub.emoji().add(&Caller::root(), MessageId(hidden["id"].as_i64().unwrap()), "🎉").await;
    assert_eq!(by_root.unwrap_err().code(), "participant_required");

    let (mut to_ann, mut to_eve) = (test.stream(&ann).await, test.stream(&eve).await);
    told(test.add_emoji_with(&limited, &hidden, "🎉").await, 200).await;
    told(test.add_emoji(&bob, &direct, "👀").await, 200).await;
    told(test.remove_emoji(&bob, &direct, "👀").await, 200).await;
    let end = test.say(&ann, json!({ "channel": "general", "body": "for all" })).await;
    let news = to_ann.through(&end).await;
    let news: Vec<_> = news.iter().filter(|event| event.name.starts_with("emoji_")).collect();
    assert_eq!(
        news.iter().map(|event| event.name.as_str()).collect::<Vec<_>>(),
        ["emoji_added", "emoji_added", "emoji_removed"]
    );
    assert_eq!(
        news[0].data,
        json!({
            "message_id": hidden["id"], "conversation_id": hidden["conversation_id"], "channel": "secret", "by": "bob",
            "emoji": "🎉", "count": 1,
        })
    );
    assert_eq!((&news[2].data["count"], &news[2].data["channel"]), (&json!(0), &Value::Null));
    assert!(to_eve.through(&end).await.iter().all(|event| !event.name.starts_with("emoji_")));

    // What is archived stays as it is.
    test.set_room("secret", "archived_at = 1").await;
    problem(test.add_emoji(&bob, &hidden, "👀").await, 409, "channel_archived").await;
    problem(test.remove_emoji(&bob, &hidden, "🎉").await, 409, "channel_archived").await;
    test.stop().await;
}

#[both_engines]
async fn emoji_change_nothing_else_and_go_with_their_message(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    let scout = test.create_agent(&ann, "scout").await;
    test.open_room(&ann, "plans", true, &["scout", "bob"]).await;
    test.run_workflow(&ann, "plans").await;
    let plan = test.say_with(&scout, json!({ "channel": "plans", "body": "a plan" })).await;
    let facts = async || -> BTreeMap<&'static str, i64> {
        let mut facts = BTreeMap::new();
        for table in ["trust_adjustments", "reactions", "reactive_runs", "webhook_deliveries", "messages"] {
            facts.insert(table, test.number(format!("SELECT count(*) FROM {table}")).await);
        }
        facts
    };
    let before = facts().await;
    for emoji in ["✅", "👍", "❌"] {
        told(test.add_emoji(&bob, &plan, emoji).await, 200).await;
    }
    assert_eq!(facts().await, before);
    let after = test.look(&bob, &format!("/api/messages/{}", plan["id"])).await;
    assert_eq!((&after["workflow_state"], &after["reactions"]), (&json!("proposed"), &json!([])));
    assert!(test.events_of("workflow.state_changed").await.is_empty());

    let gone = test.did(&ann, Method::DELETE, &format!("/api/messages/{}", plan["id"]), json!({})).await;
    assert_eq!(gone["emoji"], json!([]));
    assert_eq!(test.number("SELECT count(*) FROM message_emoji").await, 0);
    problem(test.add_emoji(&bob, &plan, "✅").await, 409, "message_deleted").await;
    test.stop().await;
}
