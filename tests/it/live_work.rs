//! Live events about work: tasks, and messages that became dead letters.

use reqwest::Method;
use serde_json::json;
use svc_test_macros::both_engines;

use crate::support::server::TestServer;
use crate::support::sse::SseEvent;

#[both_engines]
async fn each_step_of_a_task_is_told_to_those_who_see_the_task(test: TestServer) {
    let (ann, bob, eve) = (test.person("ann").await, test.person("bob").await, test.person("eve").await);
    test.open_room(&ann, "plans", false, &["bob"]).await;
    let (mut to_bob, mut to_eve) = (test.stream(&bob).await, test.stream(&eve).await);
    let task = json!({ "title": "Draw", "body": "Draw it.", "channel": "plans" });
    let id = test.did(&ann, Method::POST, "/api/tasks", task).await["id"].clone();
    let bid = test.did(&bob, Method::POST, &format!("/api/tasks/{id}/bids"), json!({})).await["id"].clone();
    test.did(&ann, Method::POST, &format!("/api/tasks/{id}/accept"), json!({ "bid_id": bid })).await;
    test.did(&bob, Method::POST, &format!("/api/tasks/{id}/complete"), json!({ "summary": "Drawn." })).await;
    let public = json!({ "title": "Sweep", "body": "Sweep it." });
    let open = test.did(&ann, Method::POST, "/api/tasks", public).await["id"].clone();
    let closing = json!({ "status": "cancelled" });
    test.did(&ann, Method::POST, &format!("/api/tasks/{open}/complete"), closing).await;
    let end = test.say(&ann, json!({ "channel": "general", "body": "for all" })).await;

    let steps = |events: Vec<SseEvent>| -> Vec<_> {
        let told = events.into_iter().filter(|event| event.name == "task_changed");
        told.map(|event| (event.data["task_id"].clone(), event.data["action"].clone())).collect()
    };
    let own = ["posted", "bid", "assigned", "completed"].map(|action| (id.clone(), json!(action)));
    let everybodys = ["posted", "cancelled"].map(|action| (open.clone(), json!(action)));
    assert_eq!(steps(to_bob.through(&end).await), [own.as_slice(), &everybodys].concat());
    assert_eq!(steps(to_eve.through(&end).await), everybodys);
}

#[both_engines]
async fn pins_are_told_to_those_who_see_the_message(test: TestServer) {
    let (ann, bob, eve) = (test.person("ann").await, test.person("bob").await, test.person("eve").await);
    test.open_room(&ann, "plans", false, &["bob"]).await;
    let (mut to_bob, mut to_eve) = (test.stream(&bob).await, test.stream(&eve).await);
    let said = test.say(&ann, json!({ "channel": "plans", "body": "The rules." })).await;
    let path = format!("/api/messages/{}/pin", said["id"]);
    for method in [Method::PUT, Method::PUT, Method::DELETE, Method::DELETE] {
        test.did(&ann, method, &path, json!({})).await;
    }
    let end = test.say(&ann, json!({ "channel": "general", "body": "for all" })).await;
    let told = |events: Vec<SseEvent>| -> Vec<_> {
        let pins = events.into_iter().filter(|event| event.name.ends_with("pinned"));
        pins.map(|event| (event.name.clone(), event.data)).collect()
    };
    let data = json!({ "message_id": said["id"], "conversation_id": said["conversation_id"], "channel": "plans", "by": "ann" });
    let expected = ["message_pinned", "message_unpinned"].map(|name| (name.to_owned(), data.clone()));
    assert_eq!(told(to_bob.through(&end).await), expected, "each change once");
    assert!(told(to_eve.through(&end).await).is_empty());
}

#[both_engines]
async fn scheduled_messages_are_told_to_their_author_and_the_owner(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    let scout = test.create_agent(&ann, "scout").await;
    let other = test.create_agent(&ann, "other").await;
    let (mut to_ann, mut to_bob) = (test.stream(&ann).await, test.stream(&bob).await);
    let (mut to_scout, mut to_other) = (test.stream_with(&scout).await, test.stream_with(&other).await);
    let new = json!({ "channel": "general", "body": "Later.", "send_at": "2026-01-01T02:00:00Z" });
    let made = test.request_with(&scout, Method::POST, "/api/scheduled-messages").json(&new).send().await.unwrap();
    let id = made.json::<serde_json::Value>().await.unwrap()["id"].clone();
    test.did(&ann, Method::DELETE, &format!("/api/scheduled-messages/{id}"), json!({})).await;
    let end = test.say(&bob, json!({ "channel": "general", "body": "for all" })).await;
    let told = |events: Vec<SseEvent>| -> Vec<_> {
        let changes = events.into_iter().filter(|event| event.name == "scheduled_message_changed");
        changes.map(|event| event.data).collect()
    };
    let expected = [json!({ "scheduled_id": id, "status": "waiting" }), json!({ "scheduled_id": id, "status": null })];
    assert_eq!(told(to_ann.through(&end).await), expected);
    assert_eq!(told(to_scout.through(&end).await), expected);
    assert!(told(to_other.through(&end).await).is_empty());
    assert!(told(to_bob.through(&end).await).is_empty());
}

#[both_engines]
async fn dead_letters_are_told_to_the_owner_alone(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    test.create_agent(&ann, "scout").await;
    let (mut to_ann, mut to_bob) = (test.stream(&ann).await, test.stream(&bob).await);
    test.say(&bob, json!({ "to": "scout", "body": "look" })).await;
    let answer = test.request_as(&ann, Method::DELETE, "/api/agents/scout").send().await.unwrap();
    assert_eq!(answer.status(), 204);
    let end = test.say(&ann, json!({ "channel": "general", "body": "for all" })).await;
    let told = to_ann.through(&end).await;
    let added: Vec<_> = told.iter().filter(|event| event.name == "dead_letters_added").collect();
    assert_eq!(added.iter().map(|event| &event.data["count"]).collect::<Vec<_>>(), [&json!(1)]);
    assert!(to_bob.through(&end).await.iter().all(|event| event.name != "dead_letters_added"));
}
