//! Deleted messages: who may delete, what stays, and that every door agrees afterwards.

use std::time::Duration;

use futures_util::future::join_all;
use reqwest::{Method, Response};
use serde_json::{Value, json};
use svc_core::ids::MessageId;
use svc_core::messages::{Finish, MessageEdit, NewMessage};
use svc_core::webhooks::{NewWebhook, WebhookEvent};
use svc_core::{Caller, limits};
use svc_test_macros::both_engines;

use crate::support::admin::svc_admin;
use crate::support::claims::{about, ann_and_worker};
use crate::support::hub::TestHub;
use crate::support::people::{Person, agent_of_admin};
use crate::support::server::{TestServer, problem, told};
use crate::support::sse::Sse;
use crate::support::talk::ids;

impl TestServer {
    async fn try_delete(&self, person: &Person, message: &Value) -> Response {
        let path = format!("/api/messages/{}", message["id"]);
        self.request_as(person, Method::DELETE, &path).send().await.unwrap()
    }

    /// Deletes a message as a person; returns the tombstone.
    async fn deleted(&self, person: &Person, message: &Value) -> Value {
        told(self.try_delete(person, message).await, 200).await
    }

    /// The unread messages and mentions of a place, 0 when it is not listed.
    async fn unread_in(&self, person: &Person, name: &str) -> (i64, i64) {
        let all = self.look(person, "/api/notifications/unread").await;
        let place = all.as_array().unwrap().iter().find(|place| place["name"] == name).cloned().unwrap_or_default();
        (place["unread"].as_i64().unwrap_or(0), place["mentions"].as_i64().unwrap_or(0))
    }
}

#[both_engines]
async fn a_tombstone_says_who_and_when_and_nothing_of_the_text_is_left(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    test.open_room(&ann, "plans", false, &["bob"]).await;
    let file = test.upload(&ann, "zeppelin.txt", b"a drawing of it").await;
    let hash = file["hash"].as_str().unwrap();
    let mut stream = test.stream(&bob).await;
    let said = json!({
        "channel": "plans", "body": "@bob, the zeppelin", "metadata": { "note": "zeppelin" }, "attachments": [hash],
    });
    let sent = test.say(&ann, said).await;
    let path = format!("/api/messages/{}", sent["id"]);
    test.did(&ann, Method::PATCH, &path, json!({ "body": "@bob, a zeppelin" })).await;
    assert_eq!(test.react(&bob, &sent, "approve").await.status(), 200);
    assert_eq!(test.fetch(&bob, hash, "").await.status(), 200);
    assert_eq!(test.unread_in(&bob, "plans").await, (1, 1));
    let before = stream.next_of("new_message").await.id.unwrap() - 1;

    test.clock.advance(Duration::from_secs(5));
    let gone = test.deleted(&ann, &sent).await;
    assert_eq!((&gone["body"], &gone["metadata"]), (&json!(""), &json!({})));
    assert_eq!((&gone["attachments"], &gone["reactions"]), (&json!([]), &json!([])));
    assert_eq!(gone["deleted_by"], "ann");
    assert!(gone["deleted_at"].as_str() > gone["created_at"].as_str(), "{gone}");
    assert_eq!(test.deleted(&ann, &sent).await, gone, "once more changes nothing");
    assert_eq!(test.look(&bob, &path).await, gone);
    let news = stream.next_of("message_deleted").await.data;
    assert_eq!((&news["message_id"], &news["by"]), (&sent["id"], &json!("ann")));

    // It stands in its timeline, and nowhere else.
    let page = test.look(&bob, "/api/channels/plans/messages").await;
    assert_eq!(page["messages"].as_array().unwrap().last().unwrap(), &gone);
    assert_eq!(test.look(&bob, "/api/messages/search?q=zeppelin").await["total"], 0);
    assert_eq!(test.look(&bob, "/api/messages/search?channel=plans").await["total"], 0);
    assert!(ids(&test.look(&bob, "/api/messages").await).is_empty(), "the copy is gone from the inbox");
    assert!(ids(&test.look(&bob, "/api/dm/ann/messages").await).is_empty(), "and from the conversation");
    assert_eq!(test.look(&bob, &about(&sent, "versions")).await["versions"], json!([]));
    assert_eq!(test.fetch(&bob, hash, "").await.status(), 404, "only its uploader has the file");
    assert_eq!((test.unread_in(&bob, "plans").await, test.unread_in(&bob, "ann").await), ((0, 0), (0, 0)));

    // A stream that resumes tells of the message without its text.
    let request = test.request_as(&bob, Method::GET, "/api/events");
    let mut resumed = Sse::resume(request, before).await;
    let news = resumed.next_of("new_message").await.data;
    assert_eq!(news["preview"], "", "{news}");
    for table in ["messages WHERE body", "message_versions WHERE body", "events WHERE CAST(payload AS TEXT)"] {
        let left = test.number(format!("SELECT count(*) FROM {table} LIKE '%zeppelin%'")).await;
        assert_eq!(left, 0, "{table}");
    }
    let entries = svc_admin(&test, &["audit", "list", "--event", "message_deleted", "--output", "json"]).await.json();
    let text = entries.to_string();
    assert!(text.contains("\"plans\"") && text.contains("\"author\":\"ann\""), "{text}");

    // The content goes when nothing has referred to it for a day.
    assert_eq!(test.number("SELECT count(*) FROM message_attachments").await, 0);
    test.clock.advance(limits::ATTACHMENT_UNUSED + Duration::from_secs(1));
    test.work("attachment_sweep").await;
    assert_eq!(test.number("SELECT count(*) FROM attachments").await, 0);
}

#[both_engines]
async fn webhooks_are_not_told_of_what_was_deleted(test: TestHub) {
    agent_of_admin(&test.hub, "scout").await;
    let (url, events) = ("https://1.1.1.1/hook".to_owned(), vec![WebhookEvent::All]);
    let new = NewWebhook { agent: Some("scout".into()), url, events, secret: None };
    test.hub.webhooks().create(&Caller::root(), new).await.unwrap();
    let send =
        async |body: &str| test.hub.messages().send(&Caller::root(), NewMessage::to("scout", body)).await.unwrap().id;
    let bodies = async || test.number("SELECT count(*) FROM webhook_bodies").await;
    // One whose delivery waits.
    let waiting = send("It waits.").await;
    test.run_worker("webhook_reader").await;
    assert_eq!(bodies().await, 1);
    test.hub.messages().delete(&Caller::root(), waiting).await.unwrap();
    assert_eq!(bodies().await, 0);
    // One that is deleted before the log is read so far.
    let unread = send("It is not read.").await;
    test.hub.messages().delete(&Caller::root(), unread).await.unwrap();
    test.run_worker("webhook_reader").await;
    assert_eq!(bodies().await, 0);
}

#[both_engines]
async fn authors_owners_of_channels_and_admins_delete(test: TestServer) {
    let (boss, ann, bob) = (test.admin("boss").await, test.person("ann").await, test.person("bob").await);
    let scout = test.create_agent(&bob, "scout").await;
    test.open_room(&ann, "plans", true, &["bob", "scout"]).await;
    let say = async || test.say(&bob, json!({ "channel": "plans", "body": "hello" })).await;
    assert_eq!(test.deleted(&bob, &say().await).await["deleted_by"], "bob");
    assert_eq!(test.deleted(&ann, &say().await).await["deleted_by"], "ann", "she owns the channel");
    assert_eq!(test.deleted(&boss, &say().await).await["deleted_by"], "boss");
    let by_agent = test.say_with(&scout, json!({ "channel": "plans", "body": "hello" })).await;
    assert_eq!(test.deleted(&bob, &by_agent).await["deleted_by"], "bob", "the agent is his");
    let by_ann = test.say(&ann, json!({ "channel": "plans", "body": "hello" })).await;
    problem(test.try_delete(&bob, &by_ann).await, 403, "not_author").await;
    let letter = test.say(&ann, json!({ "to": "bob", "body": "hello" })).await;
    problem(test.try_delete(&bob, &letter).await, 403, "not_author").await;
    // An admin does not see the letters of others; the command line does.
    problem(test.try_delete(&boss, &letter).await, 404, "not_found").await;
    let id = letter["id"].to_string();
    let sentence = svc_admin(&test, &["messages", "delete", &id, "--yes"]).await.worked();
    assert!(sentence.contains("is deleted"), "{sentence}");
    assert_eq!(test.look(&ann, &format!("/api/messages/{id}")).await["deleted_by"], "system");
    let listed = svc_admin(&test, &["messages", "list"]).await.worked();
    assert!(listed.contains("(deleted by system)"), "{listed}");
    svc_admin(&test, &["messages", "delete", "999999", "--yes"]).await.refused(1, "There is no message 999999");
}

#[both_engines]
async fn whoever_works_on_a_deleted_message_is_told(test: TestServer) {
    let (ann, bob, key) = ann_and_worker(&test).await;
    let held = test.say(&ann, json!({ "to": "worker", "body": "hold this", "priority": 9 })).await;
    let waiting = test.say(&ann, json!({ "to": "worker", "body": "and this" })).await;
    let claimed = test.claim_with(&key, json!({})).await.remove(0);
    assert_eq!(claimed["id"], held["id"]);
    for message in [&held, &waiting] {
        test.deleted(&ann, message).await;
    }
    let token = json!({ "claim_token": claimed["claim_token"] });
    for what in ["renew", "done", "fail", "release"] {
        problem(test.post_with(&key, &about(&held, what), token.clone()).await, 409, "message_deleted").await;
    }
    problem(test.post_with(&key, &about(&waiting, "done"), json!({})).await, 409, "message_deleted").await;
    assert!(test.claim_with(&key, json!({ "limit": 50 })).await.is_empty());
    // An ended lease brings nothing back, and the author is not told that it did not arrive.
    test.clock.advance(Duration::from_hours(2));
    for worker in ["lease_expiry", "non_delivery"] {
        test.work(worker).await;
    }
    assert!(test.claim_with(&key, json!({ "limit": 50 })).await.is_empty());
    for message in [&held, &waiting] {
        let receipts = test.look(&ann, &about(message, "receipts")).await;
        assert_eq!(receipts["receipts"][0]["state"], "failed");
        assert_eq!(receipts["receipts"][0]["reason"], "the message was deleted");
        assert!(test.notices(&ann, &message["id"]).await.is_empty());
    }
    assert!(test.look(&bob, "/api/dead-letters").await["dead_letters"].as_array().unwrap().is_empty());
}

#[both_engines]
async fn a_dead_letter_goes_with_its_message(test: TestServer) {
    let (ann, bob, key) = ann_and_worker(&test).await;
    let sent = test.say(&ann, json!({ "to": "worker", "body": "impossible" })).await;
    test.done_with(&key, &about(&sent, "fail"), json!({ "reason": "no access" })).await;
    assert_eq!(test.look(&bob, "/api/dead-letters").await["total"], 1);
    test.deleted(&ann, &sent).await;
    assert_eq!(test.look(&bob, "/api/dead-letters").await["total"], 0);
}

#[both_engines]
async fn a_thread_outlives_what_is_deleted_in_it(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    let root = test.say(&ann, json!({ "channel": "general", "body": "root" })).await;
    let answer = |to: &Value, body: &str| json!({ "channel": "general", "body": body, "reply_to": to["id"] });
    let first = test.say(&bob, answer(&root, "first")).await;
    let second = test.say(&ann, answer(&first, "second")).await;
    let count = async |message: &Value| {
        let alone = test.look(&ann, &format!("/api/messages/{}", message["id"])).await["reply_count"].clone();
        let list = test.look(&ann, &about(message, "replies")).await["total"].clone();
        assert_eq!(alone, list);
        list
    };
    assert_eq!((count(&root).await, count(&first).await), (json!(1), json!(1)));
    test.deleted(&bob, &first).await;
    assert_eq!((count(&root).await, count(&first).await), (json!(0), json!(1)));
    test.deleted(&ann, &root).await;
    let thread = test.look(&bob, &about(&second, "thread")).await;
    assert_eq!(thread["root"]["deleted_by"], "ann");
    assert_eq!(thread["replies"][0]["deleted_by"], "bob");
    assert_eq!(thread["replies"][1]["body"], "second");
    // It goes on.
    test.say(&bob, answer(&root, "third")).await;
    assert_eq!(count(&root).await, json!(1));
}

#[both_engines]
async fn a_deleted_message_takes_no_reactions_and_leaves_the_board(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    test.open_room(&ann, "plans", true, &["bob"]).await;
    test.run_workflow(&ann, "plans").await;
    let plan = test.say(&bob, json!({ "channel": "plans", "body": "let us" })).await;
    assert_eq!(test.react(&ann, &plan, "approve").await.status(), 200);
    let gone = test.deleted(&bob, &plan).await;
    assert_eq!(gone["workflow_state"], Value::Null);
    problem(test.react(&ann, &plan, "done").await, 409, "message_deleted").await;
    problem(test.unreact(&ann, &plan, "approve").await, 409, "message_deleted").await;
    for state in ["proposed", "approved"] {
        assert_eq!(test.look(&ann, &format!("/api/messages/by-state?state={state}")).await["total"], 0);
    }
    let edit = json!({ "body": "still here" });
    let path = format!("/api/messages/{}", plan["id"]);
    problem(test.ask(&bob, Method::PATCH, &path, edit).await, 409, "message_deleted").await;
}

#[both_engines]
async fn unread_counts_follow_whatever_is_deleted_and_read(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    test.open_room(&ann, "plans", false, &["bob"]).await;
    let mut sent = Vec::new();
    for number in 0..6 {
        sent.push(test.say(&ann, json!({ "channel": "plans", "body": number.to_string() })).await);
    }
    let own = test.say(&bob, json!({ "channel": "plans", "body": "mine" })).await;
    assert_eq!(test.unread_in(&bob, "plans").await.0, 6);
    test.deleted(&ann, &sent[4]).await;
    test.deleted(&bob, &own).await;
    assert_eq!(test.unread_in(&bob, "plans").await.0, 5);
    test.mark_read(&bob, "channel", "plans", Some(&sent[2])).await;
    assert_eq!(test.unread_in(&bob, "plans").await.0, 2, "the deleted one after the cursor does not count");
    test.deleted(&ann, &sent[0]).await;
    assert_eq!(test.unread_in(&bob, "plans").await.0, 2, "nor does one that was read");
    let channel = test.look(&bob, "/api/channels/plans").await;
    assert_eq!(channel["unread"], 2);
    test.mark_read(&bob, "channel", "plans", None).await;
    assert_eq!(test.unread_in(&bob, "plans").await.0, 0);
    test.say(&ann, json!({ "channel": "plans", "body": "next" })).await;
    assert_eq!(test.unread_in(&bob, "plans").await.0, 1);
    // Deleting everything leaves nothing unread.
    let mut stream = test.stream(&bob).await;
    let last = test.say(&ann, json!({ "channel": "plans", "body": "last" })).await;
    stream.messages_through(&last).await;
    test.deleted(&ann, &last).await;
    stream.next_of("message_deleted").await;
    // The count from before may still be on its way.
    while stream.next_of("unread_update").await.data["unread"] != 1 {}
}

#[both_engines]
async fn edits_deletions_claims_and_reading_at_once_agree_in_the_end(test: TestServer) {
    let (ann, bob, key) = ann_and_worker(&test).await;
    test.open_room(&ann, "plans", false, &["bob"]).await;
    let (from_ann, as_bob, worker) = (test.caller(&ann).await, test.caller(&bob).await, test.bearer(&key).await);
    let hub = &test.hub;
    let root = hub.messages().send(&from_ann, NewMessage::in_channel("plans", "root @bob")).await.unwrap();
    for round in 0..6 {
        let said = NewMessage::in_channel("plans", format!("round {round} for @bob")).replying_to(root.id);
        let said = hub.messages().send(&from_ann, said).await.unwrap();
        let letter = hub.messages().send(&from_ann, NewMessage::to("worker", "do it")).await.unwrap();
        let edit = async |id: MessageId| drop(hub.messages().edit(&from_ann, id, MessageEdit::of("edited @bob")).await);
        let delete = async |id: MessageId| hub.messages().delete(&from_ann, id).await.map(drop).unwrap();
        let finish = async || drop(hub.messages().finish(&worker, letter.id, Finish::done(None)).await);
        let read = async || test.mark_read(&bob, "channel", "plans", None).await;
        let react = async || {
            drop(hub.reactions().toggle(&as_bob, said.id, svc_core::reactions::ReactionKind::Approve, None).await);
        };
        tokio::join!(
            edit(said.id),
            delete(said.id),
            delete(said.id),
            edit(letter.id),
            delete(letter.id),
            finish(),
            read(),
            react()
        );
        for id in [said.id, letter.id] {
            let gone = hub.messages().get(&from_ann, id).await.unwrap();
            assert!(gone.deleted_at.is_some() && gone.body.is_empty() && gone.reactions.is_empty(), "{gone:?}");
            assert!(hub.messages().versions(&from_ann, id).await.unwrap().versions.is_empty());
        }
        let letter = hub.messages().get(&from_ann, letter.id).await.unwrap();
        assert!(["done", "failed"].contains(&letter.status.as_str()), "{letter:?}");
    }
    let root = json!({ "id": root.id });
    assert_eq!(test.look(&ann, &format!("/api/messages/{}", root["id"])).await["reply_count"], 0);
    assert_eq!(test.look(&ann, &about(&root, "replies")).await["total"], 0);
    assert_eq!(test.unread_in(&bob, "plans").await.0, 0);
    assert_eq!(test.look(&bob, "/api/messages/search?q=edited").await["total"], 0);
    assert_eq!(test.number("SELECT count(*) FROM message_versions").await, 0);
    assert_eq!(test.number("SELECT count(*) FROM reactions").await, 0);
    let copies = test.look(&bob, "/api/messages").await;
    assert_eq!(ids(&copies).len(), 1, "the copy of the root alone: {copies}");

    // Many who delete many, with their threads and mentions, wait for each other and end.
    let mut many = Vec::new();
    for number in 0..20 {
        let said = NewMessage::in_channel("plans", format!("{number} @bob"));
        let said = match many.last() {
            Some(parent) => said.replying_to(*parent),
            None => said,
        };
        many.push(hub.messages().send(&from_ann, said).await.unwrap().id);
    }
    let deletions = many.iter().chain(many.iter().rev()).map(|id| hub.messages().delete(&from_ann, *id));
    for deleted in join_all(deletions).await {
        assert!(deleted.unwrap().deleted_at.is_some());
    }
    assert_eq!(test.number("SELECT count(*) FROM messages WHERE reply_count <> 0 AND deleted_at IS NOT NULL").await, 0);
}
