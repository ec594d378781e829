//! Messages that humans save for later, each for themselves.

use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};
use svc_core::saved::SaveMessage;
use svc_core::{Caller, Error, limits};
use svc_test_macros::both_engines;

use crate::support::people::Person;
use crate::support::server::{TestServer, faults, problem};

fn path_of(message: &Value) -> String {
    format!("/api/messages/{}/saved", message["id"])
}

/// The ids of the messages in a list.
fn listed(page: &Value) -> Vec<Value> {
    page["saved"].as_array().unwrap().iter().map(|saved| saved["message"]["id"].clone()).collect()
}

impl TestServer {
    async fn save_for_later(&self, who: &Person, message: &Value, body: Value) -> Value {
        self.did(who, Method::PUT, &path_of(message), body).await
    }

    async fn saved_by(&self, who: &Person) -> Vec<Value> {
        listed(&self.look(who, "/api/saved").await)
    }
}

#[both_engines]
async fn people_save_messages_for_themselves(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    let first = test.say(&ann, json!({ "channel": "general", "body": "The report." })).await;
    let second = test.say(&bob, json!({ "to": "ann", "body": "The draft." })).await;
    assert_eq!(test.look(&ann, "/api/saved").await, json!({ "saved": [], "has_more": false }));

    // Without a body, too.
    let bare = test.request_as(&ann, Method::PUT, &path_of(&first)).send().await.unwrap();
    assert_eq!(bare.status(), 200);
    let saved = test.save_for_later(&ann, &second, json!({ "note": "  Read on Monday " })).await;
    assert_eq!((&saved["note"], &saved["message"]["body"]), (&json!("Read on Monday"), &json!("The draft.")));
    assert_eq!(test.saved_by(&ann).await, [second["id"].clone(), first["id"].clone()], "the newest first");
    assert!(test.saved_by(&bob).await.is_empty(), "nobody else sees it");

    // Saving again keeps the place, and the note unless there is another one.
    test.save_for_later(&ann, &first, json!({ "note": "Later" })).await;
    assert_eq!(test.save_for_later(&ann, &second, json!({})).await, saved);
    assert_eq!(test.saved_by(&ann).await, [second["id"].clone(), first["id"].clone()]);
    assert!(test.save_for_later(&ann, &second, json!({ "note": " " })).await.get("note").is_none());

    let newest = test.look(&ann, "/api/saved?limit=1").await;
    assert_eq!((listed(&newest), &newest["has_more"]), (vec![second["id"].clone()], &json!(true)));
    let older = test.look(&ann, &format!("/api/saved?before={}", newest["saved"][0]["id"])).await;
    assert_eq!((listed(&older), &older["has_more"]), (vec![first["id"].clone()], &json!(false)));

    for _ in 0..2 {
        test.did(&ann, Method::DELETE, &path_of(&second), json!({})).await;
    }
    assert_eq!(test.saved_by(&ann).await, [first["id"].clone()]);
    test.stop().await;
}

#[both_engines]
async fn what_is_not_seen_any_more_is_left_out(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    test.open_room(&ann, "plans", false, &["bob"]).await;
    let said = test.say(&ann, json!({ "channel": "plans", "body": "A secret." })).await;
    test.save_for_later(&bob, &said, json!({ "note": "Ask about it" })).await;
    test.show_out(&ann, "plans", "bob").await;
    assert!(test.saved_by(&bob).await.is_empty());
    problem(test.ask(&bob, Method::PUT, &path_of(&said), json!({})).await, 404, "not_found").await;
    test.let_in(&ann, "plans", "bob").await;
    assert_eq!(test.saved_by(&bob).await, [said["id"].clone()]);

    test.did(&ann, Method::DELETE, &format!("/api/messages/{}", said["id"]), json!({})).await;
    assert!(test.saved_by(&bob).await.is_empty());
    assert_eq!(test.number("SELECT count(*) FROM saved_messages").await, 0);
    problem(test.ask(&bob, Method::PUT, &path_of(&said), json!({})).await, 409, "message_deleted").await;
    test.stop().await;
}

#[both_engines]
async fn a_note_is_one_short_line(test: TestServer) {
    let ann = test.person("ann").await;
    let said = test.say(&ann, json!({ "channel": "general", "body": "hello" })).await;
    for note in ["two\nlines", "\u{8b}", "\u{202e}", " \n", &"x".repeat(limits::SAVED_NOTE_MAX + 1)] {
        let refused = test.ask(&ann, Method::PUT, &path_of(&said), json!({ "note": note })).await;
        assert_eq!(faults(&problem(refused, 400, "validation_failed").await), ["note"], "{note:?}");
    }
    let longest = "ü".repeat(limits::SAVED_NOTE_MAX);
    assert_eq!(test.save_for_later(&ann, &said, json!({ "note": longest })).await["note"], longest);
    test.stop().await;
}

#[both_engines]
async fn the_number_of_saved_messages_is_bounded_and_ends_with_the_account(test: TestServer) {
    let ann = test.person("ann").await;
    let caller = test.caller(&ann).await;
    let mut said = Vec::new();
    for number in 0..6 {
        let body = format!("message {number}");
        said.push(test.say(&ann, json!({ "channel": "general", "body": body })).await);
    }
    // Almost as many as there may be: rows of one message for other accounts do not count.
    let most = limits::SAVED_MAX - 2;
    let user = "(SELECT id FROM participants WHERE handle = 'ann')";
    test.execute(format!(
        "WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < {most})
         INSERT INTO messages
            (conversation_id, position, channel_id, sender_id, subject, body, priority, status, metadata, reply_count,
             depth, attachment_count, reaction_count, attempts, created_at, updated_at)
         SELECT m.conversation_id, 1000 + n, m.channel_id, m.sender_id, '', 'b', 5, 'pending', m.metadata, 0, 0, 0, 0, 0,
                1, 1
           FROM numbers, messages m
          WHERE m.id = {}",
        said[0]["id"]
    ))
    .await;
    test.execute(format!(
        "INSERT INTO saved_messages (user_id, message_id, saved_at) SELECT {user}, id, 1 FROM messages WHERE position > 1000"
    ))
    .await;
    let ids: Vec<_> = said.iter().map(|message| svc_core::ids::MessageId(message["id"].as_i64().unwrap())).collect();
    let answers = join_all(ids.iter().map(|id| test.hub.saved().save(&caller, *id, SaveMessage::default()))).await;
    let codes: Vec<_> = answers.iter().filter_map(|answer| answer.as_ref().err()).map(Error::code).collect();
    assert_eq!(codes, ["too_many_saved"; 4]);
    let kept = answers.iter().position(Result::is_ok).unwrap();
    // One that is saved already may be saved again.
    test.save_for_later(&ann, &said[kept], json!({ "note": "again" })).await;
    test.hub.saved().remove(&caller, ids[kept]).await.unwrap();
    test.save_for_later(&ann, &said[kept], json!({})).await;

    test.hub.users().delete(&Caller::root(), "ann").await.unwrap();
    assert_eq!(test.number("SELECT count(*) FROM saved_messages").await, 0);
    test.stop().await;
}
