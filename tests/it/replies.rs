//! The count of a message's answers is that of the list of them, for everybody who looks.

use reqwest::Method;
use serde_json::{Value, json};
use svc_test_macros::both_engines;

use crate::support::people::Person;
use crate::support::server::TestServer;

impl TestServer {
    /// What somebody is told of the answers to a message: its count where it is read by itself, the total of
    /// the list, and the count where it is read among others.
    async fn answers(&self, person: &Person, message: &Value) -> [i64; 3] {
        let id = &message["id"];
        let alone = self.look(person, &format!("/api/messages/{id}")).await;
        let list = self.look(person, &format!("/api/messages/{id}/replies")).await;
        assert_eq!(list["total"], json!(list["replies"].as_array().unwrap().len()));
        let place = match message["channel"].as_str() {
            Some(channel) => format!("/api/channels/{channel}/messages"),
            None => format!("/api/conversations/{}", message["conversation_id"]),
        };
        let among = self.look(person, &place).await;
        let found = among["messages"].as_array().unwrap().iter().find(|other| other["id"] == *id).unwrap();
        [&alone["reply_count"], &list["total"], &found["reply_count"]].map(|count| count.as_i64().unwrap())
    }
}

#[both_engines]
async fn the_count_is_that_of_the_list_wherever_the_answers_stand(test: TestServer) {
    let (ann, bob, eve) = (test.person("ann").await, test.person("bob").await, test.person("eve").await);
    let made = json!({ "name": "cellar", "public": false, "members": ["bob"] });
    let made = test.request_as(&ann, Method::POST, "/api/channels").json(&made).send().await.unwrap();
    assert_eq!(made.status(), 201);
    let root = test.say(&ann, json!({ "channel": "general", "body": "Who takes this?" })).await;
    assert_eq!(test.answers(&ann, &root).await, [0, 0, 0]);

    let answer = |place: Value| {
        let mut answer = place;
        answer["body"] = json!("I do.");
        answer["reply_to"] = root["id"].clone();
        answer
    };
    // Only elsewhere: what is answered nowhere else is answered all the same.
    test.say(&bob, answer(json!({ "to": "ann" }))).await;
    assert_eq!(test.answers(&ann, &root).await, [1, 1, 1]);
    assert_eq!(test.answers(&eve, &root).await, [0, 0, 0], "what eve may not see does not exist");
    test.say(&bob, answer(json!({ "channel": "general" }))).await;
    test.say(&bob, answer(json!({ "channel": "cellar" }))).await;
    test.say(&eve, answer(json!({ "to": "bob" }))).await;
    assert_eq!(test.answers(&ann, &root).await, [3, 3, 3]);
    assert_eq!(test.answers(&bob, &root).await, [4, 4, 4]);
    assert_eq!(test.answers(&eve, &root).await, [2, 2, 2]);

    // The same for what was said between two, in every list of messages.
    let letter = test.say(&ann, json!({ "to": "bob", "body": "And this?" })).await;
    test.say(&bob, json!({ "channel": "general", "body": "Nobody.", "reply_to": letter["id"] })).await;
    assert_eq!(test.answers(&ann, &letter).await, [1, 1, 1]);
    assert_eq!(test.answers(&bob, &letter).await, [1, 1, 1]);
    let dm = test.look(&ann, "/api/dm/bob/messages").await;
    assert_eq!(dm["messages"].as_array().unwrap().last().unwrap()["reply_count"], 1);
    let inbox = test.look(&bob, "/api/messages?from=ann").await;
    assert_eq!(inbox["messages"][0]["reply_count"], 1);
    let thread = test.look(&bob, &format!("/api/messages/{}/thread", letter["id"])).await;
    assert_eq!((&thread["root"]["reply_count"], &thread["total"]), (&json!(1), &json!(1)));
}

#[both_engines]
async fn answers_that_are_hidden_again_are_not_counted(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    let made = json!({ "name": "cellar", "public": false, "members": ["bob"] });
    let made = test.request_as(&ann, Method::POST, "/api/channels").json(&made).send().await.unwrap();
    assert_eq!(made.status(), 201);
    let root = test.say(&ann, json!({ "channel": "general", "body": "Who takes this?" })).await;
    test.say(&ann, json!({ "channel": "cellar", "body": "Not bob.", "reply_to": root["id"] })).await;
    assert_eq!(test.answers(&bob, &root).await, [1, 1, 1]);
    let left = test.request_as(&ann, Method::DELETE, "/api/channels/cellar/members/bob").send().await.unwrap();
    assert!(left.status().is_success());
    assert_eq!(test.answers(&bob, &root).await, [0, 0, 0]);
    assert_eq!(test.answers(&ann, &root).await, [1, 1, 1]);
}
