//! Workflow channels: states that follow from reactions, thresholds, the list by state.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use svc_test_macros::both_engines;

use crate::support::server::told;
use crate::support::server::{TestServer, problem};
use crate::support::talk::ids;

#[both_engines]
async fn the_state_follows_the_highest_reaction(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    test.set_room("general", "workflow_enabled = TRUE").await;
    let said = test.say(&ann, json!({ "channel": "general", "body": "shall we?" })).await;
    assert_eq!(said["workflow_state"], "proposed");
    for (reaction, state) in [
        ("approve", "approved"),
        ("in_progress", "in_progress"),
        ("reject", "rejected"),
        ("done", "done"),
        ("published", "published"),
        ("published", "done"),
        ("approve", "done"),
        ("done", "rejected"),
        ("reject", "in_progress"),
        ("in_progress", "proposed"),
    ] {
        test.clock.advance(Duration::from_secs(1));
        let change = told(test.react(&bob, &said, reaction).await, 200).await;
        assert_eq!(change["workflow_state"], state, "{change}");
        let seen = test.look(&ann, &format!("/api/messages/{}", said["id"])).await;
        assert_eq!((&seen["workflow_state"], &seen["reactions"]), (&change["workflow_state"], &change["reactions"]));
        assert_eq!(test.look(&ann, &format!("/api/messages/{}/reactions", said["id"])).await["workflow_state"], state);
    }
    let events = test.events_of("workflow.state_changed").await;
    let moves: Vec<_> = events
        .iter()
        .map(|event| (event["old_state"].as_str().unwrap(), event["new_state"].as_str().unwrap()))
        .collect();
    assert_eq!(
        moves,
        [
            ("proposed", "approved"),
            ("approved", "in_progress"),
            ("in_progress", "rejected"),
            ("rejected", "done"),
            ("done", "published"),
            ("published", "done"),
            ("done", "rejected"),
            ("rejected", "in_progress"),
            ("in_progress", "proposed"),
        ]
    );
    let first = &events[0];
    assert_eq!(
        (&first["message_id"], &first["channel"], &first["public"]),
        (&said["id"], &json!("general"), &json!(true))
    );
    assert_eq!((&first["by"], &first["reaction"]), (&json!("bob"), &json!("approve")));
    for field in ["channel_id", "conversation_id", "by_id", "sender_id", "sender_owner_id"] {
        assert!(first[field].is_i64(), "{field} is missing in {first}");
    }
    assert_eq!(test.events_of("reaction.changed").await.len(), 10);
    test.stop().await;
}

#[both_engines]
async fn a_channel_may_approve_by_itself_and_a_workflow_may_begin_later(test: TestServer) {
    let ann = test.person("ann").await;
    let early = test.say(&ann, json!({ "channel": "general", "body": "before" })).await;
    assert_eq!(early["workflow_state"], Value::Null);
    assert_eq!(told(test.react(&ann, &early, "done").await, 200).await["workflow_state"], Value::Null);
    test.set_room("general", "workflow_enabled = TRUE, auto_approve = TRUE").await;
    let late = test.say(&ann, json!({ "channel": "general", "body": "after" })).await;
    assert_eq!(late["workflow_state"], "approved");
    told(test.react(&ann, &late, "in_progress").await, 200).await;
    assert_eq!(told(test.react(&ann, &late, "in_progress").await, 200).await["workflow_state"], "approved");
    // One from before gets its state with the next reaction, and all reactions count.
    assert_eq!(test.look(&ann, &format!("/api/messages/{}", early["id"])).await["workflow_state"], Value::Null);
    assert_eq!(told(test.react(&ann, &early, "approve").await, 200).await["workflow_state"], "done");
    let events = test.events_of("workflow.state_changed").await;
    assert_eq!((&events[2]["old_state"], &events[2]["new_state"]), (&Value::Null, &json!("done")));
    // Turned off, nobody is told; turned on again, the state is true.
    test.set_room("general", "workflow_enabled = FALSE").await;
    assert_eq!(told(test.react(&ann, &late, "reject").await, 200).await["workflow_state"], Value::Null);
    assert_eq!(test.look(&ann, "/api/messages/by-state?state=rejected").await["total"], 0);
    assert_eq!(test.events_of("workflow.state_changed").await.len(), 3);
    test.set_room("general", "workflow_enabled = TRUE").await;
    assert_eq!(test.look(&ann, &format!("/api/messages/{}", late["id"])).await["workflow_state"], "rejected");
    // A direct message has none.
    test.person("bob").await;
    let direct = test.say(&ann, json!({ "to": "bob", "body": "between us" })).await;
    assert_eq!(told(test.react(&ann, &direct, "done").await, 200).await["workflow_state"], Value::Null);
    test.stop().await;
}

#[both_engines]
async fn an_agent_needs_trust_where_a_channel_asks_for_it_and_a_human_does_not(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    let writer = test.create_agent(&ann, "writer").await;
    test.set_room("general", "workflow_enabled = TRUE, publish_threshold = 550000, approve_threshold = 500001").await;
    let said = test.say_with(&writer, json!({ "channel": "general", "body": "shall I?" })).await;
    let refusal = problem(test.react_with(&writer, &said, "published").await, 403, "trust_too_low").await;
    assert!(
        refusal["detail"].as_str().unwrap().contains("publish is 0.5, but this channel requires 0.55"),
        "{refusal}"
    );
    assert_eq!(
        (&refusal["action"], &refusal["score"], &refusal["required"]),
        (&json!("publish"), &json!(0.5), &json!(0.55))
    );
    let refusal = problem(test.react_with(&writer, &said, "approve").await, 403, "trust_too_low").await;
    assert!(
        refusal["detail"].as_str().unwrap().contains("approve is 0.5, but this channel requires 0.500001"),
        "{refusal}"
    );
    for free in ["in_progress", "done", "reject"] {
        told(test.react_with(&writer, &said, free).await, 200).await;
        told(test.react_with(&writer, &said, free).await, 200).await;
    }
    // A human is free, and raises the agent's trust to where it may; what is there may be taken back.
    told(test.react(&bob, &said, "approve").await, 200).await;
    told(test.react_with(&writer, &said, "published").await, 200).await;
    problem(test.react_with(&writer, &said, "approve").await, 403, "trust_too_low").await;
    told(test.react(&bob, &said, "approve").await, 200).await;
    told(test.react_with(&writer, &said, "published").await, 200).await;
    problem(test.react_with(&writer, &said, "published").await, 403, "trust_too_low").await;
    told(test.react(&bob, &said, "published").await, 200).await;
    // The threshold is the channel's own, and counts while its workflow runs.
    let direct = test.say_with(&writer, json!({ "to": "ann", "body": "and here?" })).await;
    told(test.react_with(&writer, &direct, "published").await, 200).await;
    test.set_room("general", "workflow_enabled = FALSE").await;
    told(test.react_with(&writer, &said, "published").await, 200).await;
    test.stop().await;
}

#[both_engines]
async fn messages_are_listed_by_state_for_those_who_may_see_them(test: TestServer) {
    let (ann, bob, eve) = (test.person("ann").await, test.person("bob").await, test.person("eve").await);
    test.room("ann", "open", true, &[]).await;
    test.room("ann", "secret", false, &["bob"]).await;
    test.room("ann", "plain", true, &[]).await;
    for name in ["open", "secret"] {
        test.set_room(name, "workflow_enabled = TRUE").await;
    }
    let mut all = Vec::new();
    for number in 0..6 {
        let channel = if number % 2 == 0 { "open" } else { "secret" };
        let said = test.say(&ann, json!({ "channel": channel, "body": format!("number {number}") })).await;
        all.push(said);
    }
    test.say(&ann, json!({ "channel": "plain", "body": "no workflow" })).await;
    let id = |number: usize| all[number]["id"].as_i64().unwrap();
    let path = "/api/messages/by-state?state=proposed";
    let page = test.look(&bob, path).await;
    assert_eq!((ids(&page), page["total"].as_i64()), (vec![id(5), id(4), id(3), id(2), id(1), id(0)], Some(6)));
    let seen = test.look(&eve, path).await;
    assert_eq!((ids(&seen), seen["total"].as_i64()), (vec![id(4), id(2), id(0)], Some(3)));
    let page = test.look(&bob, &format!("{path}&limit=2&offset=3")).await;
    assert_eq!((ids(&page), page["total"].as_i64()), (vec![id(2), id(1)], Some(6)));
    let page = test.look(&bob, &format!("{path}&channel=secret&limit=2")).await;
    assert_eq!((ids(&page), page["total"].as_i64()), (vec![id(5), id(3)], Some(3)));
    assert_eq!(test.look(&bob, &format!("{path}&channel=plain")).await, json!({ "messages": [], "total": 0 }));
    told(test.react(&bob, &all[3], "done").await, 200).await;
    let page = test.look(&bob, "/api/messages/by-state?state=done").await;
    assert_eq!(page["messages"], json!([test.look(&bob, &format!("/api/messages/{}", id(3))).await]));
    assert_eq!(test.look(&eve, "/api/messages/by-state?state=done").await["total"], 0);
    assert_eq!(test.look(&bob, path).await["total"], 5);
    for channel in ["secret", "nothing"] {
        let hidden = test.request_as(&eve, Method::GET, &format!("{path}&channel={channel}")).send().await.unwrap();
        problem(hidden, 404, "not_found").await;
    }
    let limits = json!({ "name": "limited", "permissions": ["read"], "allowed_channels": ["general", "open"] });
    let (_, key) = test.create_key(&bob, limits).await;
    assert_eq!(test.look_with(&key, path).await["total"], 3);
    let elsewhere = test.request_with(&key, Method::GET, &format!("{path}&channel=secret")).send().await.unwrap();
    problem(elsewhere, 403, "channel_not_allowed").await;
    for (query, field) in
        [("", "state"), ("state=new", "state"), ("state=done&limit=0", "limit"), ("state=done&offset=-1", "offset")]
    {
        let answer =
            test.request_as(&bob, Method::GET, &format!("/api/messages/by-state?{query}")).send().await.unwrap();
        let refusal = problem(answer, 400, "validation_failed").await;
        assert_eq!(refusal["errors"][0]["field"], field, "{refusal}");
    }
    test.stop().await;
}
