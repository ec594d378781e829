//! Pinned messages: who pins, who sees the pins, how many there may be, and their end.

use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};
use svc_core::ids::MessageId;
use svc_core::limits;
use svc_test_macros::both_engines;

use crate::support::people::Person;
use crate::support::server::{TestServer, faults, problem};

fn pin_of(message: &Value) -> String {
    format!("/api/messages/{}/pin", message["id"])
}

/// The ids of the pinned messages in a list.
fn pinned(page: &Value) -> Vec<Value> {
    page["pins"].as_array().unwrap().iter().map(|pin| pin["message"]["id"].clone()).collect()
}

impl TestServer {
    async fn pin(&self, who: &Person, message: &Value) -> Value {
        self.did(who, Method::PUT, &pin_of(message), json!({})).await
    }

    async fn pin_refused(&self, who: &Person, message: &Value, status: u16, code: &str) {
        problem(self.ask(who, Method::PUT, &pin_of(message), json!({})).await, status, code).await;
    }
}

#[both_engines]
async fn members_pin_messages_and_everybody_who_sees_them_sees_the_pins(test: TestServer) {
    let (ann, bob, eve) = (test.person("ann").await, test.person("bob").await, test.person("eve").await);
    let scout = test.create_agent(&bob, "scout").await;
    test.open_room(&ann, "plans", true, &["scout"]).await;
    let first = test.say(&ann, json!({ "channel": "plans", "body": "Deploys are on Mondays." })).await;
    let second = test.say(&ann, json!({ "channel": "plans", "body": "The glossary." })).await;
    assert_eq!(test.look(&eve, "/api/pins?channel=plans").await, json!({ "pins": [], "has_more": false }));

    let pin = test.pin(&ann, &second).await;
    assert_eq!((&pin["message"]["body"], &pin["pinned_by"]), (&json!("The glossary."), &json!("ann")));
    assert_eq!(test.pin(&ann, &second).await, pin, "once more changes nothing");
    let by_agent = test.request_with(&scout, Method::PUT, &pin_of(&first)).send().await.unwrap();
    assert_eq!(by_agent.status(), 200);
    let page = test.look(&eve, "/api/pins?channel=%23Plans").await;
    assert_eq!(pinned(&page), [first["id"].clone(), second["id"].clone()], "the newest pin first");
    assert_eq!(page["pins"][0]["pinned_by"], "scout");
    let newest = test.look(&eve, "/api/pins?channel=plans&limit=1").await;
    assert_eq!((pinned(&newest), &newest["has_more"]), (vec![first["id"].clone()], &json!(true)));
    let before = &newest["pins"][0]["id"];
    let older = test.look(&eve, &format!("/api/pins?channel=plans&limit=1&before={before}")).await;
    assert_eq!((pinned(&older), &older["has_more"]), (vec![second["id"].clone()], &json!(false)));

    // Who only sees the channel, or owns a member, does not pin.
    test.pin_refused(&eve, &first, 403, "not_a_member").await;
    test.pin_refused(&bob, &first, 403, "not_a_member").await;
    let unpin = test.ask(&eve, Method::DELETE, &pin_of(&first), json!({})).await;
    problem(unpin, 403, "not_a_member").await;
    test.did(&eve, Method::POST, "/api/channels/plans/join", json!({})).await;
    test.did(&eve, Method::DELETE, &pin_of(&first), json!({})).await;
    test.did(&eve, Method::DELETE, &pin_of(&first), json!({})).await;
    assert_eq!(pinned(&test.look(&eve, "/api/pins?channel=plans").await), [second["id"].clone()]);

    test.did(&ann, Method::DELETE, "/api/channels/plans", json!({})).await;
    test.pin_refused(&ann, &first, 409, "channel_archived").await;
    for (kind, times) in [("message.pinned", 2), ("message.unpinned", 1)] {
        assert_eq!(test.events_of(kind).await.len(), times, "{kind}");
    }
    test.stop().await;
}

#[both_engines]
async fn the_two_of_a_direct_conversation_share_its_pins(test: TestServer) {
    let (ann, bob, eve) = (test.person("ann").await, test.person("bob").await, test.person("eve").await);
    let scout = test.create_agent(&bob, "scout").await;
    let plain = test.say(&ann, json!({ "to": "bob", "body": "My address." })).await;
    let about = test.say(&bob, json!({ "to": "ann", "body": "The draft.", "subject": "Draft" })).await;
    test.pin(&bob, &plain).await;
    test.pin(&ann, &about).await;
    let both = [about["id"].clone(), plain["id"].clone()];
    assert_eq!(pinned(&test.look(&ann, "/api/pins?with=bob").await), both, "about all subjects");
    assert_eq!(pinned(&test.look(&bob, "/api/pins?with=@Ann").await), both);
    assert!(pinned(&test.look(&eve, "/api/pins?with=ann").await).is_empty());
    test.pin_refused(&eve, &plain, 404, "not_found").await;

    // A human reads what their agent is sent, and does not pin it.
    let asked = test.say(&ann, json!({ "to": "scout", "body": "Look." })).await;
    test.pin_refused(&bob, &asked, 403, "not_in_conversation").await;
    let by_agent = test.request_with(&scout, Method::PUT, &pin_of(&asked)).send().await.unwrap();
    assert_eq!(by_agent.status(), 200);
    assert_eq!(pinned(&test.look_with(&scout, "/api/pins?with=ann").await), [asked["id"].clone()]);

    // No conversation shows what tells a person of a mention.
    test.open_room(&ann, "plans", true, &["bob"]).await;
    let said = test.say(&ann, json!({ "channel": "plans", "body": "Look, @bob" })).await;
    let inbox = test.look(&bob, "/api/messages").await;
    let mut received = inbox["messages"].as_array().unwrap().iter();
    let copy = received.find(|message| message["metadata"]["mention"]["message_id"] == said["id"]).unwrap();
    test.pin_refused(&bob, copy, 409, "mention_copy").await;
    test.stop().await;
}

#[both_engines]
async fn a_list_names_one_conversation_that_the_caller_sees(test: TestServer) {
    let (ann, eve) = (test.person("ann").await, test.person("eve").await);
    test.open_room(&ann, "secret", false, &[]).await;
    let get = async |path: &str| test.request_as(&eve, Method::GET, path).send().await.unwrap();
    for (path, field) in [
        ("/api/pins", "channel"),
        ("/api/pins?channel=general&with=ann", "with"),
        ("/api/pins?channel=general&limit=0", "limit"),
    ] {
        assert_eq!(faults(&problem(get(path).await, 400, "validation_failed").await), [field], "{path}");
    }
    for path in
        ["/api/pins?channel=secret", "/api/pins?channel=no%20name", "/api/pins?with=nobody", "/api/pins?with=%00"]
    {
        problem(get(path).await, 404, "not_found").await;
    }
    test.stop().await;
}

#[both_engines]
async fn a_deleted_message_loses_its_pin(test: TestServer) {
    let ann = test.person("ann").await;
    let said = test.say(&ann, json!({ "channel": "general", "body": "Not for long." })).await;
    test.pin(&ann, &said).await;
    test.did(&ann, Method::DELETE, &format!("/api/messages/{}", said["id"]), json!({})).await;
    assert!(pinned(&test.look(&ann, "/api/pins?channel=general").await).is_empty());
    assert_eq!(test.number("SELECT count(*) FROM pins").await, 0);
    test.pin_refused(&ann, &said, 409, "message_deleted").await;
    test.did(&ann, Method::DELETE, &pin_of(&said), json!({})).await;
    test.stop().await;
}

#[both_engines]
async fn the_number_of_pins_is_bounded_however_many_pin_at_once(test: TestServer) {
    let ann = test.person("ann").await;
    let caller = test.caller(&ann).await;
    let most = usize::try_from(limits::PINS_MAX).unwrap();
    let mut said = Vec::new();
    for number in 0..most + 10 {
        said.push(MessageId(test.say_in(&caller, "general", &format!("{number}")).await));
    }
    let (early, late) = said.split_at(most - 5);
    for id in early {
        test.hub.pins().pin(&caller, *id).await.unwrap();
    }
    let answers = join_all(late.iter().map(|id| test.hub.pins().pin(&caller, *id))).await;
    let refused: Vec<_> = answers.iter().filter_map(|answer| answer.as_ref().err()).collect();
    assert_eq!(refused.len(), 10);
    assert!(refused.iter().all(|error| error.code() == "too_many_pins"), "{refused:?}");
    assert_eq!(test.number("SELECT count(*) FROM pins").await, limits::PINS_MAX);

    // Who removes one makes room, and another conversation has its own.
    test.pin_refused(&ann, &json!({ "id": late_one(&answers, late) }), 409, "too_many_pins").await;
    test.hub.pins().unpin(&caller, said[0]).await.unwrap();
    test.pin(&ann, &json!({ "id": late_one(&answers, late) })).await;
    test.open_room(&ann, "plans", true, &[]).await;
    let elsewhere = test.say(&ann, json!({ "channel": "plans", "body": "hello" })).await;
    test.pin(&ann, &elsewhere).await;

    // The same message at once is pinned once.
    let again = test.say(&ann, json!({ "channel": "plans", "body": "all at once" })).await;
    let id = MessageId(again["id"].as_i64().unwrap());
    let answers = join_all((0..8).map(|_| test.hub.pins().pin(&caller, id))).await;
    let first = answers[0].as_ref().unwrap();
    assert!(answers.iter().all(|answer| answer.as_ref().unwrap() == first), "{answers:?}");
    test.stop().await;
}

/// The first message that was refused.
fn late_one(answers: &[svc_core::Result<svc_core::pins::Pin>], late: &[MessageId]) -> i64 {
    let refused = answers.iter().position(Result::is_err).unwrap();
    late[refused].0
}
