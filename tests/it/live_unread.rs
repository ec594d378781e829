//! What live streams count and what they leave behind: unread messages and receipts.

use reqwest::Method;
use serde_json::json;
use svc_test_macros::both_engines;

use crate::support::people::Person;
use crate::support::server::TestServer;
use crate::support::sse::Sse;
use crate::support::wait::until;

/// Reads until the counts of a place are these; returns how many updates of it came.
async fn counted(stream: &mut Sse, kind: &str, name: &str, unread: i64, mentions: i64) -> usize {
    for count in 1.. {
        let update = loop {
            let update = stream.next_of("unread_update").await;
            if update.data["name"] == name {
                break update.data;
            }
        };
        if update == json!({ "kind": kind, "name": name, "unread": unread, "mentions": mentions }) {
            return count;
        }
        assert!(update["unread"].as_i64().unwrap() <= unread.max(30), "{update}");
    }
    unreachable!("the stream goes on until it is right")
}

async fn offered(test: &TestServer) -> i64 {
    let statement = "SELECT count(*) FROM messages WHERE offered_at IS NOT NULL";
    test.hub.db().read(statement, |tx, statement| Box::pin(tx.query(*statement).fetch_value())).await.unwrap()
}

#[both_engines]
async fn what_is_unread_is_counted_together_and_right(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    test.open_room(&ann, "plans", false, &["bob"]).await;
    let (mut to_ann, mut to_bob) = (test.stream(&ann).await, test.stream(&bob).await);
    for number in 0..30 {
        let body = if number == 7 { "for @bob".to_owned() } else { number.to_string() };
        test.say(&ann, json!({ "channel": "plans", "body": body })).await;
    }
    let updates = counted(&mut to_bob, "channel", "plans", 30, 1).await;
    assert!(updates < 30, "30 messages in a moment made {updates} updates");
    test.mark_read(&bob, "channel", "plans", None).await;
    counted(&mut to_bob, "channel", "plans", 0, 0).await;
    let listed = test.look(&bob, "/api/notifications/unread").await;
    let plans = listed.as_array().unwrap().iter().find(|place| place["name"] == "plans");
    assert!(plans.is_none_or(|plans| plans["unread"] == 0), "{listed}");

    // What somebody says is not unread for them, nor is what others have read.
    let end = test.say(&bob, json!({ "to": "ann", "body": "done" })).await;
    assert!(to_ann.through(&end).await.iter().all(|event| event.name != "unread_update"));
    counted(&mut to_ann, "dm", "bob", 1, 0).await;
}

#[both_engines]
async fn direct_messages_count_by_partner_whatever_their_subject(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    let mut stream = test.stream(&bob).await;
    let first = test.say(&ann, json!({ "to": "bob", "body": "1" })).await;
    counted(&mut stream, "dm", "ann", 1, 0).await;
    test.say(&ann, json!({ "to": "bob", "body": "2", "subject": "plans" })).await;
    counted(&mut stream, "dm", "ann", 2, 0).await;
    test.mark_read(&bob, "dm", "ann", Some(&first)).await;
    counted(&mut stream, "dm", "ann", 1, 0).await;
}

#[both_engines]
async fn a_mention_of_a_person_is_counted_in_its_channel_alone(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    test.open_room(&ann, "plans", false, &["bob"]).await;
    let mut stream = test.stream(&bob).await;
    test.say(&ann, json!({ "channel": "plans", "body": "for @bob" })).await;
    let in_channel = json!({ "kind": "channel", "name": "plans", "unread": 1, "mentions": 1 });
    assert_eq!(stream.next_of("unread_update").await.data, in_channel);
    // Also where the person is no member: then the mentions alone.
    test.say(&ann, json!({ "channel": "general", "body": "come here, @bob" })).await;
    let elsewhere = json!({ "kind": "channel", "name": "general", "unread": 0, "mentions": 1 });
    assert_eq!(stream.next_of("unread_update").await.data, elsewhere);
    test.mark_read(&bob, "channel", "general", None).await;
    counted(&mut stream, "channel", "general", 0, 0).await;
    test.mark_read(&bob, "channel", "plans", None).await;
    counted(&mut stream, "channel", "plans", 0, 0).await;
    test.say(&ann, json!({ "to": "bob", "body": "and by letter" })).await;
    let letter = json!({ "kind": "dm", "name": "ann", "unread": 1, "mentions": 0 });
    assert_eq!(stream.next_of("unread_update").await.data, letter, "no mention was counted here");
}

#[both_engines]
async fn a_deleted_mention_is_not_counted_any_more_where_a_person_is_no_member(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    let mut stream = test.stream(&bob).await;
    let call = test.say(&ann, json!({ "channel": "general", "body": "come here, @bob" })).await;
    counted(&mut stream, "channel", "general", 0, 1).await;
    test.did(&ann, Method::DELETE, &format!("/api/messages/{}", call["id"]), json!({})).await;
    counted(&mut stream, "channel", "general", 0, 0).await;
}

#[both_engines]
async fn a_mention_of_an_agent_is_told_apart_with_its_author(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    let scout = test.create_agent(&bob, "scout").await;
    test.open_room(&ann, "plans", true, &["scout"]).await;
    let mut stream = test.stream_with(&scout).await;
    test.say(&ann, json!({ "channel": "plans", "body": "for @scout" })).await;
    let mut updates = [stream.next_of("unread_update").await.data, stream.next_of("unread_update").await.data];
    updates.sort_by_key(|update| update["kind"].to_string());
    let in_channel = json!({ "kind": "channel", "name": "plans", "unread": 1, "mentions": 1 });
    let from_ann = json!({ "kind": "dm", "name": "ann", "unread": 1, "mentions": 0, "mention_copies": 1 });
    assert_eq!(updates, [in_channel, from_ann]);
}

#[both_engines]
async fn a_key_for_some_channels_is_told_the_counts_of_those(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    test.open_room(&ann, "plans", false, &["bob"]).await;
    test.open_room(&ann, "other", false, &["bob"]).await;
    let limits = json!({ "name": "k", "permissions": ["read"], "allowed_channels": ["plans"] });
    let (_, key) = test.create_key(&bob, limits).await;
    let mut stream = test.stream_with(&key).await;
    test.say(&ann, json!({ "to": "bob", "body": "1" })).await;
    test.say(&ann, json!({ "channel": "other", "body": "2" })).await;
    test.say(&ann, json!({ "channel": "plans", "body": "3" })).await;
    assert_eq!(stream.next().await.data["channel"], "plans");
    assert_eq!(stream.next().await.data, json!({ "kind": "channel", "name": "plans", "unread": 1, "mentions": 0 }));
}

#[both_engines]
async fn what_is_handed_to_its_addressee_is_offered(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    let scout = test.create_agent(&bob, "scout").await;
    let say = async |person: &Person, to: &str| test.say(person, json!({ "to": to, "body": "hi" })).await;
    let mut owner = test.stream(&bob).await;
    let sent = say(&ann, "scout").await;
    owner.messages_through(&sent).await;
    let to_owner = say(&ann, "bob").await;
    owner.messages_through(&to_owner).await;
    until("the owner's own message is offered", async || (offered(&test).await == 1).then_some(())).await;
    assert_eq!(offered(&test).await, 1, "an owner who looks is not the agent");

    // Also what is replayed.
    let request = test.request_with(&scout, Method::GET, "/api/events");
    let (mut agent, _) = Sse::open_at(request, Some(0)).await;
    agent.messages_through(&sent).await;
    until("the agent's message is offered", async || (offered(&test).await == 2).then_some(())).await;
}
