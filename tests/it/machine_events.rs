//! What machines report: stored once, told to channels, and read again as evidence.

use std::collections::BTreeSet;

use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};
use svc_core::limits;
use svc_test_macros::both_engines;

use crate::support::admin::svc_admin;
use crate::support::machine_api::{EVENTS, event, faults, fleet, report};
use crate::support::machines::TestMachine;
use crate::support::server::told;
use crate::support::server::{TestServer, problem};

fn ids(page: &Value) -> Vec<i64> {
    page["items"].as_array().unwrap().iter().map(|item| item["id"].as_i64().unwrap()).collect()
}

#[both_engines]
async fn an_event_counts_once_whatever_is_sent_again(test: TestServer) {
    let fleet = fleet(&test, &["door-1", "door-2"]).await;
    let (door, other) = (&fleet[0], &fleet[1]);
    let first = test.report(door, &[event("a"), event("b"), event("a")]).await;
    assert_eq!((&first["accepted"], &first["duplicates"]), (&json!(2), &json!(1)));
    let statuses: Vec<_> = first["events"].as_array().unwrap().iter().map(|event| event["status"].clone()).collect();
    assert_eq!(statuses, [json!("stored"), json!("stored"), json!("duplicate")]);
    assert_eq!(first["events"][0]["id"], first["events"][2]["id"]);
    assert_eq!(first["events"][2].get("differs"), None);
    let changed = json!({ "event_id": "b", "type": "door.closed", "data": null });
    let again = told(door.ask(&test, Method::POST, EVENTS, &report(&[event("a"), changed])).await, 200).await;
    assert_eq!((&again["accepted"], &again["duplicates"]), (&json!(0), &json!(2)));
    assert_eq!(again["events"][0]["id"], first["events"][0]["id"]);
    assert_eq!((again["events"][0].get("differs"), &again["events"][1]["differs"]), (None, &json!(true)));
    // The same id of another principal is another event.
    assert_eq!(test.report(other, &[event("a")]).await["accepted"], 1);
    let page = test.evidence(door, "principal=svc:sense:door-1").await;
    assert_eq!(page["items"][1]["type"], "door.opened", "what is stored stays");
    test.stop().await;
}

#[both_engines]
async fn of_sixteen_reports_at_once_each_event_is_stored_by_one(test: TestServer) {
    let fleet = fleet(&test, &["door-1"]).await;
    let door = &fleet[0];
    let events: Vec<_> = (0..20)
        .map(|number| json!({ "event_id": format!("e{number}"), "type": "t", "data": 1, "channel": "general" }))
        .collect();
    let answers = join_all((0..16).map(|turn| {
        // Each from another place on.
        let mut events = events.clone();
        events.rotate_left(turn);
        let test = &test;
        async move { door.ask(test, Method::POST, EVENTS, &report(&events)).await }
    }))
    .await;
    let (mut accepted, mut ids, mut messages) = (0, BTreeSet::new(), BTreeSet::new());
    for answer in answers {
        assert!(answer.status().is_success(), "{}", answer.status());
        let body: Value = answer.json().await.unwrap();
        accepted += body["accepted"].as_i64().unwrap();
        for event in body["events"].as_array().unwrap() {
            ids.insert((event["event_id"].as_str().unwrap().to_owned(), event["id"].as_i64().unwrap()));
            messages.insert(event["message_id"].as_i64().unwrap());
        }
    }
    assert_eq!((accepted, ids.len(), messages.len()), (20, 20, 20));
    assert_eq!(test.number("SELECT count(*) FROM messages").await, 20);
    assert_eq!(test.number("SELECT events FROM machine_histories").await, 20);
    test.stop().await;
}

#[both_engines]
async fn a_channel_is_told_live_by_the_system_and_nobody_is_mentioned(test: TestServer) {
    let fleet = fleet(&test, &["door-1"]).await;
    let door = &fleet[0];
    let ann = test.person("ann").await;
    test.open_room(&ann, "doors", true, &[]).await;
    let mut stream = test.stream(&ann).await;
    let opened = json!({
        "event_id": "1", "type": "door.opened", "occurred_at": "2025-12-31T23:59:00+01:00", "channel": "#Doors",
        "data": { "by": "@ann", "note": "```\n@ann\n```" },
    });
    let answer = test.report(door, &[opened.clone(), event("2")]).await;
    let told_of = stream.next_of("new_message").await;
    assert_eq!(told_of.data["message_id"], answer["events"][0]["message_id"]);
    assert_eq!((&told_of.data["from"], &told_of.data["channel"]), (&json!("system"), &json!("doors")));
    assert_eq!(told_of.data["mentions_me"], false);
    assert_eq!(answer["events"][1].get("message_id"), None);
    let path = format!("/api/messages/{}", answer["events"][0]["message_id"]);
    let message = test.look(&ann, &path).await;
    let body = message["body"].as_str().unwrap();
    assert!(body.starts_with("`door.opened` reported by `svc:sense:door-1` at 2025-12-31T22:59:00.000Z"), "{body}");
    assert!(body.contains("\"by\": \"@ann\""), "{body}");
    let named = json!({ "principal_id": "svc:sense:door-1", "event_id": "1", "type": "door.opened" });
    assert_eq!(message["metadata"]["machine_event"], named);
    let unread = test.look(&ann, "/api/notifications/unread").await;
    let places = unread.as_array().unwrap();
    let room = places.iter().find(|place| place["name"] == "doors").unwrap();
    assert_eq!((&room["unread"], &room["mentions"]), (&json!(1), &json!(0)), "{unread}");
    assert!(places.iter().all(|place| place["kind"] == "channel"), "{unread}");
    // Sent again, it is told once.
    told(door.ask(&test, Method::POST, EVENTS, &report(&[opened])).await, 200).await;
    assert_eq!(test.number("SELECT count(*) FROM messages").await, 1);
    // What the hub says of an event nobody else can say.
    let forged = json!({ "channel": "doors", "body": "x", "metadata": { "machine_event": named } });
    let forged = test.ask(&ann, Method::POST, "/api/messages", forged).await;
    assert_eq!(faults(forged).await, ["metadata"]);
    test.stop().await;
}

#[both_engines]
async fn a_channel_that_cannot_be_told_is_a_fault_and_nothing_is_stored(test: TestServer) {
    let fleet = fleet(&test, &["door-1"]).await;
    let door = &fleet[0];
    let ann = test.person("ann").await;
    test.open_room(&ann, "secret", false, &[]).await;
    test.open_room(&ann, "old", true, &[]).await;
    let routed = |id: &str, channel: &str| json!({ "event_id": id, "type": "t", "data": {}, "channel": channel });
    test.report(door, &[routed("before", "old")]).await;
    assert_eq!(test.request_as(&ann, Method::DELETE, "/api/channels/old").send().await.unwrap().status(), 204);
    let events = [
        routed("1", "general"),
        routed("2", "secret"),
        routed("3", "nowhere"),
        routed("4", "old"),
        routed("5", "no channel"),
    ];
    let wrong = door.ask(&test, Method::POST, EVENTS, &report(&events)).await;
    assert_eq!(faults(wrong).await, ["events[4].channel"]);
    let wrong = door.ask(&test, Method::POST, EVENTS, &report(&events[..4])).await;
    let wrong = problem(wrong, 400, "validation_failed").await;
    let errors = wrong["errors"].as_array().unwrap();
    let fields: Vec<_> = errors.iter().map(|fault| fault["field"].as_str().unwrap()).collect();
    assert_eq!(fields, ["events[1].channel", "events[2].channel", "events[3].channel"]);
    // A private one is refused in the words of one that is not there.
    assert_eq!(errors[0]["message"], errors[1]["message"]);
    assert_eq!(test.number("SELECT count(*) FROM machine_events").await, 1);
    assert_eq!(test.number("SELECT count(*) FROM messages").await, 1);
    // What was stored before is a duplicate, although its channel is closed by now.
    let again = told(door.ask(&test, Method::POST, EVENTS, &report(&[routed("before", "old")])).await, 200).await;
    assert_eq!(again["duplicates"], 1);
    test.stop().await;
}

#[both_engines]
async fn a_follower_misses_nothing_and_reads_nothing_twice_while_machines_report(test: TestServer) {
    const ROUNDS: usize = 12;
    let names: Vec<_> = (1..=16).map(|number| format!("gate-{number}")).collect();
    let fleet = fleet(&test, &names.iter().map(String::as_str).collect::<Vec<_>>()).await;
    let reporting = join_all(fleet.iter().map(|robot| async {
        for round in 0..ROUNDS {
            let events: Vec<_> = (0..=round % 3).map(|number| event(&format!("{round}-{number}"))).collect();
            test.report(robot, &events).await;
        }
    }));
    let total = fleet.len() * (0..ROUNDS).map(|round| round % 3 + 1).sum::<usize>();
    let following = async {
        let (mut seen, mut cursor) = (Vec::new(), String::new());
        while seen.len() < total {
            let page = test.evidence(&fleet[0], &format!("limit=7{cursor}")).await;
            seen.extend(ids(&page));
            cursor = format!("&cursor={}", page["next_cursor"].as_str().unwrap());
        }
        let end = test.evidence(&fleet[0], &format!("limit=7{cursor}")).await;
        assert_eq!((ids(&end).len(), &end["has_more"]), (0, &json!(false)));
        assert_eq!(cursor, format!("&cursor={}", end["next_cursor"].as_str().unwrap()));
        seen
    };
    let (_, seen) = tokio::join!(reporting, following);
    assert!(seen.is_sorted_by(|one, next| one < next), "{seen:?}");
    let all: Vec<_> = test.evidence(&fleet[0], "limit=500").await["items"].as_array().unwrap().clone();
    assert_eq!(seen, all.iter().map(|item| item["id"].as_i64().unwrap()).collect::<Vec<_>>());
    test.stop().await;
}

#[both_engines]
async fn evidence_is_found_by_principal_and_type_with_its_traces(test: TestServer) {
    let fleet = fleet(&test, &["door-1", "tower"]).await;
    let (door, bell) = (&fleet[0], &fleet[1]);
    let empty = test.evidence(bell, "").await;
    assert_eq!((ids(&empty).len(), &empty["has_more"]), (0, &json!(false)));
    let request = test.request(Method::POST, EVENTS).header("X-Request-Id", "the-same").json(&report(&[event("1")]));
    assert_eq!(door.send(&test, request).await.status(), 201);
    let request = test.request(Method::POST, EVENTS).header("X-Request-Id", "the-same");
    let rung = json!({ "event_id": "1", "type": "bell.rung", "data": [1, null, "x"] });
    assert_eq!(bell.send(&test, request.json(&report(&[rung, event("2")]))).await.status(), 201);
    test.hub.traces().flush().await.unwrap();
    let all = test.evidence(bell, &format!("cursor={}", empty["next_cursor"].as_str().unwrap())).await;
    assert_eq!(ids(&all).len(), 3);
    let rung = &all["items"][1];
    assert_eq!(
        (&rung["principal_id"], &rung["type"], &rung["data"]),
        (&json!("svc:sense:tower"), &json!("bell.rung"), &json!([1, null, "x"]))
    );
    assert!(rung["received_at"].is_string() && rung.get("occurred_at").is_none() && rung.get("channel").is_none());
    for item in all["items"].as_array().unwrap() {
        assert_eq!(item["request_id"], "the-same");
        let traces = item["traces"].as_array().unwrap();
        assert_eq!(traces.len(), 1, "another machine's request of this id is another one: {traces:?}");
        assert_eq!(
            (&traces[0]["action"], &traces[0]["details"]["principal_id"]),
            (&json!("ingest_events"), &item["principal_id"])
        );
    }
    for (query, found) in [
        ("principal=svc:sense:door-1", 1),
        ("type=door.opened", 2),
        ("principal=svc:sense:tower&type=door.opened", 1),
        ("principal=svc:sense:nobody", 0),
        ("type=door", 0),
    ] {
        assert_eq!(ids(&test.evidence(door, query).await).len(), found, "{query}");
    }
    // Page by page, of one type.
    let first = test.evidence(door, "type=door.opened&limit=1").await;
    assert_eq!((ids(&first), &first["has_more"]), (vec![ids(&all)[0]], &json!(true)));
    let next = test
        .evidence(door, &format!("type=door.opened&limit=1&cursor={}", first["next_cursor"].as_str().unwrap()))
        .await;
    assert_eq!((ids(&next), &next["has_more"]), (vec![ids(&all)[2]], &json!(false)));
    test.stop().await;
}

#[both_engines]
async fn nobody_attaches_a_trace_to_what_another_request_brought(test: TestServer) {
    let fleet = fleet(&test, &["door-1", "tower"]).await;
    let send = async |robot: &TestMachine, id: String| {
        let request = test.request(Method::POST, EVENTS).header("X-Request-Id", "crowded").json(&report(&[event(&id)]));
        assert_eq!(robot.send(&test, request).await.status(), 201);
    };
    for number in 0..=limits::EVIDENCE_TRACES_MAX {
        send(&fleet[1], number.to_string()).await;
    }
    send(&fleet[0], "1".to_owned()).await;
    test.hub.traces().flush().await.unwrap();
    let page = test.evidence(&fleet[0], "").await;
    let items = page["items"].as_array().unwrap();
    assert_eq!(items.len(), 12);
    let mut links = BTreeSet::new();
    for item in items {
        // Whoever has the same id for all of its requests is told of each by itself.
        let traces = item["traces"].as_array().unwrap();
        assert_eq!((traces.len(), &traces[0]["request_id"]), (1, &json!("crowded")), "{item}");
        assert_eq!(traces[0]["details"]["principal_id"], item["principal_id"]);
        assert!(links.insert(traces[0]["details"]["signature_id"].to_string()), "{item}");
    }
    test.stop().await;
}

#[both_engines]
async fn old_events_are_purged_when_somebody_says_so(test: TestServer) {
    let fleet = fleet(&test, &["door-1"]).await;
    let door = &fleet[0];
    test.report(door, &[event("1"), event("2")]).await;
    test.clock.advance(std::time::Duration::from_mins(1));
    test.report(door, &[event("3")]).await;
    let page = test.evidence(door, "").await;
    let (cursor, moment) = (page["next_cursor"].as_str().unwrap(), page["items"][2]["received_at"].as_str().unwrap());
    let said = svc_admin(&test, &["machines", "purge", "--until", moment, "--yes"]).await.worked();
    assert!(said.contains("Deleted events: 2"), "{said}");
    let left = test.evidence(door, "").await;
    assert_eq!((ids(&left), &left["next_cursor"]), (vec![ids(&page)[2]], &json!(cursor)));
    assert_eq!(test.number("SELECT count(*) FROM audit_log WHERE event = 'machine_events_purged'").await, 1);
    assert_eq!(test.number("SELECT events FROM machine_histories").await, 3);
    // What is forgotten can be stored again, and comes after what was read.
    test.report(door, &[event("1")]).await;
    assert_eq!(ids(&test.evidence(door, &format!("cursor={cursor}")).await).len(), 1);
    test.stop().await;
}

#[both_engines]
async fn events_outlive_their_messages_and_their_traces(test: TestServer) {
    let fleet = fleet(&test, &["door-1"]).await;
    let door = &fleet[0];
    let routed = json!({ "event_id": "1", "type": "t", "data": {}, "channel": "general" });
    test.report(door, &[routed]).await;
    test.hub.traces().flush().await.unwrap();
    assert!(test.evidence(door, "").await["items"][0]["message_id"].is_i64());
    for text in ["DELETE FROM messages", "DELETE FROM traces"] {
        test.execute(text).await;
    }
    let page = test.evidence(door, "").await;
    let item = &page["items"][0];
    assert_eq!((item.get("message_id"), &item["channel"]), (None, &json!("general")));
    test.stop().await;
}

#[both_engines]
async fn a_report_has_room_for_many_events_and_not_for_more(test: TestServer) {
    let fleet = fleet(&test, &["door-1"]).await;
    let door = &fleet[0];
    let large =
        |number: usize, size: usize| json!({ "event_id": format!("{number}"), "type": "t", "data": "x".repeat(size) });
    let events: Vec<_> = (0..limits::MACHINE_EVENTS_MAX).map(|number| large(number, 15_000)).collect();
    let stored = test.report(door, &events).await;
    assert_eq!(stored["accepted"], 500);
    let ids: Vec<_> = stored["events"].as_array().unwrap().iter().map(|event| event["id"].as_i64().unwrap()).collect();
    assert!(ids.is_sorted_by(|one, next| one < next), "{ids:?}");
    // A page is not without bounds either, and all of them together have everything.
    let (mut read, mut cursor, mut pages) = (0, String::new(), 0);
    loop {
        let page = test.evidence(door, &format!("limit=500{cursor}")).await;
        let items = page["items"].as_array().unwrap();
        assert!((1..=limits::EVIDENCE_PAGE_BYTES / 15_000).contains(&items.len()), "{}", items.len());
        (read, pages) = (read + items.len(), pages + 1);
        cursor = format!("&cursor={}", page["next_cursor"].as_str().unwrap());
        if page["has_more"] == false {
            break;
        }
    }
    assert_eq!((read, pages), (500, 500_usize.div_ceil(limits::EVIDENCE_PAGE_BYTES / 15_002)));
    let events: Vec<_> = (500..1000).map(|number| large(number, 20_000)).collect();
    problem(door.ask(&test, Method::POST, EVENTS, &report(&events)).await, 413, "body_too_large").await;
    assert_eq!(test.number("SELECT count(*) FROM machine_events").await, 500);
    test.stop().await;
}
