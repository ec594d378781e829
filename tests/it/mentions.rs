//! Mentions of people: they are listed, read with their channel, and no part of direct conversations.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use svc_core::Caller;
use svc_core::messages::Prune;
use svc_test_macros::both_engines;

use crate::support::people::Person;
use crate::support::server::{TestServer, problem};
use crate::support::talk::ids;

/// The ids of the listed mentions, and whether each is unread.
fn listed(page: &Value) -> Vec<(i64, bool)> {
    let one = |mention: &Value| (mention["message_id"].as_i64().unwrap(), mention["unread"].as_bool().unwrap());
    page["mentions"].as_array().unwrap().iter().map(one).collect()
}

async fn mentions(test: &TestServer, who: &Person, query: &str) -> Vec<(i64, bool)> {
    listed(&test.look(who, &format!("/api/mentions?{query}")).await)
}

async fn totals(test: &TestServer, who: &Person) -> [i64; 3] {
    let totals = test.look(who, "/api/notifications/totals").await;
    ["direct", "mentions", "total"].map(|field| totals[field].as_i64().unwrap())
}

#[both_engines]
async fn mentions_are_listed_newest_first_and_read_with_their_channel(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    test.open_room(&ann, "team", false, &["bob"]).await;
    let one = test.say(&ann, json!({ "channel": "team", "body": "one for @bob" })).await;
    test.say(&ann, json!({ "channel": "team", "body": "for nobody" })).await;
    let long = format!("two for @bob {}", "ü".repeat(1_200));
    let two = test.say(&ann, json!({ "channel": "team", "body": long })).await;
    let id = |message: &Value| message["id"].as_i64().unwrap();
    let page = test.look(&bob, "/api/mentions").await;
    assert_eq!(listed(&page), [(id(&two), true), (id(&one), true)]);
    assert_eq!(page["has_more"], false);
    assert_eq!(
        page["mentions"][1],
        json!({
            "message_id": one["id"], "channel": "team", "from": "ann", "from_kind": "human", "text": "one for @bob",
            "created_at": one["created_at"], "unread": true,
        })
    );
    let text = page["mentions"][0]["text"].as_str().unwrap();
    assert_eq!((text.chars().count(), text.chars().last()), (1_000, Some('…')));
    assert_eq!(totals(&test, &bob).await, [0, 2, 2]);
    assert_eq!(totals(&test, &ann).await, [0, 0, 0]);

    test.mark_read(&bob, "channel", "team", Some(&one)).await;
    assert_eq!(mentions(&test, &bob, "").await, [(id(&two), true), (id(&one), false)]);
    assert_eq!(mentions(&test, &bob, "unread=true").await, [(id(&two), true)]);
    assert_eq!(totals(&test, &bob).await, [0, 1, 1]);
    let first = test.look(&bob, "/api/mentions?limit=1").await;
    assert_eq!((listed(&first), &first["has_more"]), (vec![(id(&two), true)], &json!(true)));
    let before = format!("limit=1&before={}", two["id"]);
    assert_eq!(mentions(&test, &bob, &before).await, [(id(&one), false)]);
    test.mark_read(&bob, "channel", "team", None).await;
    assert!(mentions(&test, &bob, "unread=true").await.is_empty());
    assert_eq!(mentions(&test, &bob, "").await.len(), 2);
    for query in ["limit=0", "limit=201", "before=x", "unread=perhaps"] {
        let path = format!("/api/mentions?{query}");
        problem(test.request_as(&bob, Method::GET, &path).send().await.unwrap(), 400, "validation_failed").await;
    }
    test.stop().await;
}

#[both_engines]
async fn a_mention_is_no_part_of_a_direct_conversation_between_people(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    test.open_room(&ann, "team", false, &["bob"]).await;
    test.say(&ann, json!({ "channel": "team", "body": "for @bob" })).await;
    for (who, other) in [(&bob, "ann"), (&ann, "bob")] {
        assert_eq!(test.look(who, "/api/dm/partners").await, json!([]));
        let timeline = test.look(who, &format!("/api/dm/{other}/messages")).await;
        assert!(ids(&timeline).is_empty() && timeline["has_more_before"] == false, "{timeline}");
        let all = test.look(who, "/api/conversations").await;
        let conversations = all["conversations"].as_array().unwrap();
        assert!(conversations.iter().all(|conversation| conversation["kind"] == "channel"), "{all}");
        assert_eq!(all["total"].as_u64(), Some(conversations.len() as u64));
        assert_eq!(test.look(who, "/api/messages?unread=true").await["messages"], json!([]));
    }
    // The letter is all that they have written to each other.
    let letter = test.say(&ann, json!({ "to": "bob", "body": "Shall I go on?" })).await;
    let answer = test.say(&bob, json!({ "to": "ann", "body": "Wait." })).await;
    test.say(&ann, json!({ "channel": "team", "body": "again for @bob" })).await;
    let partner = test.look(&bob, "/api/dm/partners").await[0].clone();
    assert_eq!((&partner["preview"], &partner["last_message_id"]), (&json!("Wait."), &answer["id"]));
    assert_eq!((&partner["unread"], &partner["mention_copies"]), (&json!(1), &json!(0)));
    let unread = json!({
        "id": letter["id"], "from": "ann", "preview": "Shall I go on?", "created_at": letter["created_at"],
    });
    assert_eq!(partner["last_unread"], unread);
    assert_eq!(
        ids(&test.look(&bob, "/api/dm/ann/messages").await),
        [letter["id"].as_i64(), answer["id"].as_i64()].map(Option::unwrap)
    );
    assert_eq!(totals(&test, &bob).await, [1, 2, 3]);
    let all = test.look(&bob, "/api/conversations").await;
    let direct = all["conversations"].as_array().unwrap().iter().find(|one| one["kind"] == "dm").unwrap();
    assert_eq!((&direct["last_message"]["id"], &direct["unread"]), (&answer["id"], &json!(1)));
    // Each is read by itself.
    test.mark_read(&bob, "dm", "ann", None).await;
    assert_eq!(totals(&test, &bob).await, [0, 2, 2]);
    assert_eq!(test.look(&bob, "/api/dm/partners").await[0]["last_unread"], json!(null));
    test.mark_read(&bob, "channel", "team", None).await;
    assert_eq!(totals(&test, &bob).await, [0, 0, 0]);
    test.stop().await;
}

#[both_engines]
async fn a_mention_reaches_people_who_are_no_members_until_they_leave(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    test.open_room(&ann, "lobby", true, &[]).await;
    test.open_room(&ann, "den", false, &["bob"]).await;
    let id = |message: &Value| message["id"].as_i64().unwrap();
    let call = test.say(&ann, json!({ "channel": "lobby", "body": "come here, @bob" })).await;
    assert_eq!(mentions(&test, &bob, "unread=true").await, [(id(&call), true)]);
    let lobby = async || {
        let all = test.look(&bob, "/api/notifications/unread").await;
        let found = all.as_array().unwrap().iter().find(|entry| entry["name"] == "lobby").cloned();
        found.map(|entry| (entry["unread"].as_i64().unwrap(), entry["mentions"].as_i64().unwrap()))
    };
    assert_eq!(lobby().await, Some((0, 1)));
    assert_eq!(test.look(&bob, "/api/channels/lobby").await["mentions"], 1);
    test.mark_read(&bob, "channel", "lobby", None).await;
    assert_eq!((lobby().await, totals(&test, &bob).await), (None, [0, 0, 0]));
    assert_eq!(mentions(&test, &bob, "").await, [(id(&call), false)]);

    // A member reads it like everything else there; leaving takes it away.
    test.did(&bob, Method::POST, "/api/channels/lobby/join", json!({})).await;
    let inside = test.say(&ann, json!({ "channel": "lobby", "body": "welcome, @bob" })).await;
    assert_eq!(mentions(&test, &bob, "").await, [(id(&inside), true), (id(&call), false)]);
    assert_eq!(lobby().await, Some((1, 1)));
    test.did(&bob, Method::POST, "/api/channels/lobby/leave", json!({})).await;
    assert_eq!((lobby().await, mentions(&test, &bob, "").await), (None, vec![]));
    let back = test.say(&ann, json!({ "channel": "lobby", "body": "come back, @bob" })).await;
    assert_eq!(mentions(&test, &bob, "").await, [(id(&back), true)]);
    test.did(&bob, Method::POST, "/api/channels/lobby/join", json!({})).await;
    assert!(mentions(&test, &bob, "unread=true").await.is_empty());

    // What cannot be seen any more is not listed, and in an archived channel nothing is unread.
    let secret = test.say(&ann, json!({ "channel": "den", "body": "a secret for @bob" })).await;
    assert_eq!(mentions(&test, &bob, "unread=true").await, [(id(&secret), true)]);
    test.show_out(&ann, "den", "bob").await;
    assert_eq!((mentions(&test, &bob, "unread=true").await, totals(&test, &bob).await), (vec![], [0, 0, 0]));
    assert!(mentions(&test, &bob, "").await.iter().all(|(listed, _)| *listed != id(&secret)));
    let last = test.say(&ann, json!({ "channel": "lobby", "body": "the end, @bob" })).await;
    test.did(&ann, Method::DELETE, "/api/channels/lobby", json!({})).await;
    assert_eq!((mentions(&test, &bob, "unread=true").await, totals(&test, &bob).await), (vec![], [0, 0, 0]));
    assert_eq!(mentions(&test, &bob, "limit=1").await, [(id(&last), false)]);
    test.stop().await;
}

#[both_engines]
async fn edits_and_deletions_reach_the_list_and_muting_changes_the_totals_alone(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    test.open_room(&ann, "team", false, &["bob"]).await;
    let said = test.say(&ann, json!({ "channel": "team", "body": "for @bob" })).await;
    test.did(&ann, Method::PATCH, &format!("/api/messages/{}", said["id"]), json!({ "body": "never mind" })).await;
    assert_eq!(test.look(&bob, "/api/mentions").await["mentions"][0]["text"], "never mind");
    let level = |level: &str| json!({ "conversations": [{ "kind": "channel", "name": "team", "level": level }] });
    test.did(&bob, Method::PUT, "/api/notifications/settings", level("nothing")).await;
    assert_eq!(totals(&test, &bob).await, [0, 0, 0]);
    assert_eq!(mentions(&test, &bob, "unread=true").await.len(), 1);
    test.did(&bob, Method::PUT, "/api/notifications/settings", level("all")).await;
    assert_eq!(totals(&test, &bob).await, [0, 1, 1]);
    test.did(&ann, Method::DELETE, &format!("/api/messages/{}", said["id"]), json!({})).await;
    assert_eq!((mentions(&test, &bob, "").await, totals(&test, &bob).await), (vec![], [0, 0, 0]));
    test.stop().await;
}

#[both_engines]
async fn an_agent_has_its_mentions_as_work_and_a_limited_key_those_of_its_channels(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    let scout = test.create_agent(&bob, "scout").await;
    test.open_room(&ann, "team", true, &["bob", "scout"]).await;
    test.open_room(&ann, "other", true, &["bob"]).await;
    let said = test.say(&ann, json!({ "channel": "team", "body": "@scout and @bob" })).await;
    let elsewhere = test.say(&ann, json!({ "channel": "other", "body": "@bob" })).await;
    let id = |message: &Value| message["id"].as_i64().unwrap();
    assert_eq!(listed(&test.look_with(&scout, "/api/mentions").await), [(id(&said), true)]);
    let inbox = test.look_with(&scout, "/api/messages?unread=true").await;
    assert_eq!(inbox["messages"][0]["metadata"]["mention"]["message_id"], said["id"]);
    assert_eq!(ids(&test.look_with(&scout, "/api/dm/ann/messages").await).len(), 1);
    let claimed = test.claim_with(&scout, json!({})).await;
    assert_eq!((claimed.len(), &claimed[0]["to"]), (1, &json!("scout")));

    let limits = json!({ "name": "k", "permissions": ["read"], "allowed_channels": ["team"] });
    let (_, key) = test.create_key(&bob, limits).await;
    assert_eq!(listed(&test.look_with(&key, "/api/mentions").await), [(id(&said), true)]);
    assert_eq!(test.look_with(&key, "/api/notifications/totals").await["total"], 1);
    assert_eq!(mentions(&test, &bob, "").await, [(id(&elsewhere), true), (id(&said), true)]);
    test.stop().await;
}

#[both_engines]
async fn many_mentions_leave_nothing_behind_in_a_direct_conversation(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    test.open_room(&ann, "team", false, &["bob"]).await;
    let behind = "SELECT CAST(coalesce(sum(v.message_count - r.position), 0) AS BIGINT) FROM read_cursors r
                    JOIN conversations v ON v.id = r.conversation_id
                    JOIN users u ON u.id = r.participant_id
                    JOIN participants p ON p.id = u.id
                   WHERE p.handle = 'bob' AND v.low_id IS NOT NULL";
    for number in 0..5 {
        test.say(&ann, json!({ "channel": "team", "body": format!("{number} @bob") })).await;
    }
    assert_eq!(test.number(behind).await, 0, "the cursor goes along");
    let letter = test.say(&ann, json!({ "to": "bob", "body": "hello", "subject": "plans" })).await;
    for number in 0..5 {
        test.say(&ann, json!({ "channel": "team", "body": format!("{number} @bob") })).await;
    }
    assert_eq!(test.number(behind).await, 6, "not past a letter that is unread");
    let entry = test.look(&bob, "/api/dm/partners").await[0].clone();
    assert_eq!((&entry["unread"], &entry["last_unread"]["id"]), (&json!(1), &letter["id"]));
    test.mark_read(&bob, "dm", "ann", None).await;
    assert_eq!(test.number(behind).await, 0);
    assert_eq!(totals(&test, &bob).await, [0, 10, 10]);
    test.stop().await;
}

#[both_engines]
async fn what_was_read_as_a_direct_message_stays_read_after_the_upgrade(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    test.open_room(&ann, "lobby", true, &[]).await;
    let id = |message: &Value| message["id"].as_i64().unwrap();
    let read = test.say(&ann, json!({ "channel": "lobby", "body": "one for @bob" })).await;
    let unread = test.say(&ann, json!({ "channel": "lobby", "body": "two for @bob" })).await;
    // As a program before this one left it: the first copy is read, the second one is not.
    for text in [
        "UPDATE read_cursors SET own_after = 0, position = 1, message_id =
             (SELECT min(m.id) FROM messages m WHERE m.mention_of IS NOT NULL)
          WHERE participant_id = (SELECT id FROM participants WHERE handle = 'bob')
            AND conversation_id = (SELECT min(m.conversation_id) FROM messages m WHERE m.mention_of IS NOT NULL)",
        "DROP TABLE mention_cursors",
        "DROP INDEX messages_letters_idx",
        "DROP INDEX messages_mentions_idx",
        "DELETE FROM schema_needs WHERE version = 33",
        "DELETE FROM schema_migrations WHERE version = 33",
    ] {
        test.execute(text).await;
    }
    assert_eq!(test.hub.db().migrate().await.unwrap(), 1);
    assert_eq!(mentions(&test, &bob, "").await, [(id(&unread), true), (id(&read), false)]);
    assert_eq!(totals(&test, &bob).await, [0, 1, 1]);
    test.stop().await;
}

#[both_engines]
async fn a_mention_goes_with_its_message_when_that_is_old(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    test.open_room(&ann, "team", false, &["bob"]).await;
    test.say(&ann, json!({ "channel": "team", "body": "for @bob" })).await;
    let letter = test.say(&ann, json!({ "to": "bob", "body": "hello" })).await;
    assert_eq!(totals(&test, &bob).await, [1, 1, 2]);
    test.clock.advance(Duration::from_hours(2));
    test.hub.messages().prune(&Caller::root(), Duration::from_hours(1), Prune::Remove).await.unwrap();
    assert!(mentions(&test, &bob, "").await.is_empty());
    assert_eq!(totals(&test, &bob).await, [1, 0, 1]);
    assert_eq!(test.number("SELECT count(*) FROM messages WHERE mention_of IS NOT NULL").await, 0);
    // What somebody has to read or process stays.
    assert_eq!(test.look(&bob, "/api/dm/partners").await[0]["last_unread"]["id"], letter["id"]);
    test.stop().await;
}
