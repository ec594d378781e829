//! Edits of messages: who may, how long, what is kept, and what follows them.

use std::time::Duration;

use futures_util::future::join_all;
use reqwest::{Method, Response};
use serde_json::{Value, json};
use svc_core::messages::MessageEdit;
use svc_test_macros::both_engines;

use crate::support::claims::{about, ann_and_worker};
use crate::support::people::Person;
use crate::support::server::{TestServer, faults, problem, told};

impl TestServer {
    async fn try_edit(&self, person: &Person, message: &Value, body: Value) -> Response {
        self.ask(person, Method::PATCH, &format!("/api/messages/{}", message["id"]), body).await
    }

    /// Edits a message as a person; returns it as it was stored.
    async fn edit(&self, person: &Person, message: &Value, body: &str) -> Value {
        told(self.try_edit(person, message, json!({ "body": body })).await, 200).await
    }

    /// The texts of a message, the oldest first.
    async fn texts(&self, person: &Person, message: &Value) -> Vec<String> {
        let list = self.look(person, &about(message, "versions")).await;
        assert_eq!(list["message_id"], message["id"]);
        let text = |version: &Value| version["body"].as_str().unwrap().to_owned();
        list["versions"].as_array().unwrap().iter().map(text).collect()
    }

    async fn found(&self, person: &Person, words: &str) -> i64 {
        self.look(person, &format!("/api/messages/search?q={words}")).await["total"].as_i64().unwrap()
    }
}

#[both_engines]
async fn the_author_edits_and_everybody_sees_what_it_was(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    let mut stream = test.stream(&bob).await;
    let sent = test.say(&ann, json!({ "channel": "general", "body": "The zeppelin lands on Mnday." })).await;
    assert_eq!((&sent["version"], &sent["edited_at"]), (&json!(1), &Value::Null));
    assert_eq!(test.found(&bob, "zeppelin").await, 1);
    test.clock.advance(Duration::from_mins(1));
    let edited = test.edit(&ann, &sent, "The balloon lands on Monday.").await;
    assert_eq!((&edited["version"], &edited["body"]), (&json!(2), &json!("The balloon lands on Monday.")));
    assert!(edited["edited_at"].is_string() && edited["created_at"] == sent["created_at"], "{edited}");
    assert_eq!(test.look(&bob, &format!("/api/messages/{}", sent["id"])).await, edited);
    let news = stream.next_of("message_edited").await.data;
    assert_eq!((&news["message_id"], &news["channel"]), (&sent["id"], &json!("general")));
    assert_eq!(news["version"], 2);
    assert_eq!(news.get("body").or(news.get("preview")), None, "a text is read from the message: {news}");

    // The search finds the words of now.
    assert_eq!((test.found(&bob, "zeppelin").await, test.found(&bob, "balloon").await), (0, 1));
    let again = test.edit(&ann, &sent, "The balloon lands on Tuesday.").await;
    assert_eq!(again["version"], 3);
    let texts = test.texts(&bob, &sent).await;
    assert_eq!(
        texts,
        ["The zeppelin lands on Mnday.", "The balloon lands on Monday.", "The balloon lands on Tuesday."]
    );
    // What is unread and where it stands has not changed.
    let page = test.look(&bob, "/api/channels/general/messages").await;
    assert_eq!(page["messages"].as_array().unwrap().last().unwrap()["body"], "The balloon lands on Tuesday.");
}

#[both_engines]
async fn only_the_author_edits_and_only_for_a_day(test: TestServer) {
    let (ann, bob) = (test.admin("ann").await, test.person("bob").await);
    let scout = test.create_agent(&bob, "scout").await;
    let sent = test.say(&bob, json!({ "channel": "general", "body": "first" })).await;
    let edit = json!({ "body": "second" });
    problem(test.try_edit(&ann, &sent, edit.clone()).await, 403, "not_author").await;
    let by_agent = test.say_with(&scout, json!({ "channel": "general", "body": "mine" })).await;
    problem(test.try_edit(&bob, &by_agent, edit.clone()).await, 403, "not_author").await;
    let path = format!("/api/messages/{}", by_agent["id"]);
    let own = test.request_with(&scout, Method::PATCH, &path).json(&edit).send().await.unwrap();
    assert_eq!(told(own, 200).await["version"], 2);

    for body in ["", "  ", &"x".repeat(64 * 1024 + 1)] {
        let refused =
            problem(test.try_edit(&bob, &sent, json!({ "body": body })).await, 400, "validation_failed").await;
        assert_eq!(faults(&refused), ["body"]);
    }
    test.clock.advance(Duration::from_hours(24));
    let bob = test.log_in("bob").await;
    assert_eq!(test.edit(&bob, &sent, "second").await["version"], 2);
    test.clock.advance(Duration::from_secs(1));
    let late = problem(test.try_edit(&bob, &sent, json!({ "body": "third" })).await, 403, "edit_window_over").await;
    assert_eq!(late["edit_window_seconds"], 86_400);
    // A repeated request is answered all the same.
    assert_eq!(test.edit(&bob, &sent, "second").await["version"], 2);
}

#[both_engines]
async fn an_edit_that_is_based_on_an_older_text_is_refused(test: TestServer) {
    let ann = test.person("ann").await;
    let sent = test.say(&ann, json!({ "channel": "general", "body": "first" })).await;
    let based = |version: u32, body: &str| json!({ "body": body, "version": version });
    told(test.try_edit(&ann, &sent, based(1, "second")).await, 200).await;
    let late = problem(test.try_edit(&ann, &sent, based(1, "third")).await, 412, "version_conflict").await;
    assert_eq!(late["version"], 2);
    let path = format!("/api/messages/{}", sent["id"]);
    let with_tag = async |tag: &str, body: &str| {
        let request = test.request_as(&ann, Method::PATCH, &path).header("if-match", tag);
        request.json(&json!({ "body": body })).send().await.unwrap()
    };
    problem(with_tag("\"1\"", "third").await, 412, "version_conflict").await;
    assert_eq!(told(with_tag("\"2\"", "third").await, 200).await["version"], 3);
    problem(with_tag("latest", "fourth").await, 400, "validation_failed").await;

    // Of many that edit the same version one wins.
    let caller = test.caller(&ann).await;
    let id = svc_core::ids::MessageId(sent["id"].as_i64().unwrap());
    let edits = (0..8).map(|number| {
        let edit = MessageEdit { version: Some(3), ..MessageEdit::of(format!("by {number}")) };
        test.hub.messages().edit(&caller, id, edit)
    });
    let outcomes = join_all(edits).await;
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1);
    assert!(
        outcomes.iter().filter_map(|outcome| outcome.as_ref().err()).all(|error| error.code() == "version_conflict")
    );
    assert_eq!(test.texts(&ann, &sent).await.len(), 4);
}

#[both_engines]
async fn an_edit_mentions_nobody_again_and_reaches_those_who_were_told(test: TestServer) {
    let (ann, bob, eve) = (test.person("ann").await, test.person("bob").await, test.person("eve").await);
    test.open_room(&ann, "plans", false, &["bob", "eve"]).await;
    let sent = test.say(&ann, json!({ "channel": "plans", "body": "@bob, look at the zepelin" })).await;
    test.edit(&ann, &sent, "@bob and @eve, look at the zeppelin").await;
    let inbox = test.look(&bob, "/api/messages").await;
    let copies = inbox["messages"].as_array().unwrap();
    assert_eq!(copies.len(), 1, "{inbox}");
    assert_eq!(copies[0]["body"], "@bob and @eve, look at the zeppelin");
    assert_eq!(copies[0]["version"], 2);
    assert!(test.look(&eve, "/api/messages").await["messages"].as_array().unwrap().is_empty());
    // Whoever was told stays among the recipients, whatever the text says now.
    let loud = test.say(&ann, json!({ "channel": "general", "body": "@bob, quick" })).await;
    test.edit(&ann, &loud, "never mind").await;
    let receipts = test.look(&ann, &about(&loud, "receipts")).await;
    assert!(receipts["receipts"].as_array().unwrap().iter().any(|one| one["participant"] == "bob"), "{receipts}");
    // The copy is not a message of its own.
    let refused = problem(test.try_edit(&ann, &copies[0], json!({ "body": "x" })).await, 409, "mention_copy").await;
    assert_eq!(refused["original"], sent["id"]);
    // Whoever has left a private channel does not read on in their copy.
    test.show_out(&ann, "plans", "bob").await;
    test.edit(&ann, &sent, "a secret").await;
    let copy = test.look(&bob, &format!("/api/messages/{}", copies[0]["id"])).await;
    assert_eq!(copy["body"], "@bob and @eve, look at the zeppelin");
}

#[both_engines]
async fn a_claimed_message_says_that_it_changed(test: TestServer) {
    let (ann, _, key) = ann_and_worker(&test).await;
    let sent = test.say(&ann, json!({ "to": "worker", "body": "Paint it red." })).await;
    test.edit(&ann, &sent, "Paint it blue.").await;
    let claimed = test.claim_with(&key, json!({})).await.remove(0);
    assert_eq!((&claimed["body"], &claimed["edited_since_claim"]), (&json!("Paint it blue."), &json!(false)));
    let mut stream = test.stream_with(&key).await;
    test.clock.advance(Duration::from_secs(1));
    test.edit(&ann, &sent, "Paint it green.").await;
    assert_eq!(stream.next_of("message_edited").await.data["claimed_by"], "worker");
    let token = json!({ "claim_token": claimed["claim_token"] });
    let renewed = test.done_with(&key, &about(&sent, "renew"), token.clone()).await;
    assert_eq!((&renewed["body"], &renewed["edited_since_claim"]), (&json!("Paint it green."), &json!(true)));
    let done = test.done_with(&key, &about(&sent, "done"), token).await;
    assert_eq!((&done["status"], &done["edited_since_claim"]), (&json!("done"), &json!(false)));
}

#[both_engines]
async fn what_the_hub_wrote_is_not_edited(test: TestServer) {
    let ann = test.person("ann").await;
    let task = json!({ "title": "A task", "body": "Do it.", "channel": "general" });
    let task = test.did(&ann, Method::POST, "/api/tasks", task).await;
    let message = json!({ "id": task["message_id"] });
    problem(test.try_edit(&ann, &message, json!({ "body": "x" })).await, 409, "not_editable").await;
}

#[both_engines]
async fn agents_edit_and_delete_their_own(test: TestServer) {
    let ann = test.person("ann").await;
    let (alpha, beta) = (test.create_agent(&ann, "alpha").await, test.create_agent(&ann, "beta").await);
    let sent = test.tool(&alpha, "send_channel_message", json!({ "channel": "general", "body": "teh plan" })).await;
    let id = &sent["id"];
    let edited = test.tool(&alpha, "edit_message", json!({ "message_id": id, "text": "the plan" })).await;
    assert_eq!((&edited["id"], &edited["version"]), (id, &json!(2)));
    let shown = test.tool(&beta, "get_message", json!({ "id": id })).await;
    assert_eq!(shown["body"], "the plan");
    assert!(shown["edited_at"].is_string(), "{shown}");
    for (tool, arguments) in
        [("edit_message", json!({ "id": id, "body": "mine" })), ("delete_message", json!({ "id": id }))]
    {
        test.tool_refuses(&beta, tool, arguments, "not_author").await;
    }
    let gone = test.tool(&alpha, "delete_message", json!({ "id": id })).await;
    assert_eq!((&gone["id"], &gone["deleted_by"]), (id, &json!("alpha")));
    let shown = test.tool(&beta, "get_message", json!({ "id": id })).await;
    assert_eq!((&shown["body"], &shown["deleted_by"]), (&json!(""), &json!("alpha")));
}
