//! What machines ask for over REST with signed requests: configurations of sources, their own state, events,
//! evidence.

use std::time::Duration;

use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};
use svc_core::limits;
use svc_test_macros::both_engines;

use crate::support::machine_api::{EVENTS, event, faults, fleet, report};
use crate::support::machines::{SCOPES, TestMachine, load_machines};
use crate::support::server::told;
use crate::support::server::{TestServer, problem};
const STATUS: &str = "/api/machine/runtime-status";

#[both_engines]
async fn a_configuration_has_versions_and_the_same_content_is_the_same_version(test: TestServer) {
    let fleet = fleet(&test, &["door-1", "door-2"]).await;
    let door = &fleet[0];
    let path = "/api/machine/source-configs/front.door-1";
    let first = door.ask(&test, Method::PUT, path, &json!({ "every": 5, "at": ["a", "b"] })).await;
    assert_eq!(first.headers()["etag"], "\"1\"");
    let first = told(first, 201).await;
    assert_eq!(
        (&first["source"], &first["version"], &first["changed"]),
        (&json!("front.door-1"), &json!(1), &json!(true))
    );
    assert_eq!(first["sha256"].as_str().unwrap().len(), 64);
    // In another order, with spaces, later.
    test.clock.advance(Duration::from_secs(5));
    let again = door.send_text(&test, Method::PUT, path, "{ \"at\": [\"a\", \"b\"],\n \"every\": 5 }").await;
    assert_eq!(again.headers()["etag"], "\"1\"");
    let again = told(again, 200).await;
    assert_eq!(again["changed"], false);
    assert_eq!(
        (&again["version"], &again["sha256"], &again["created_at"]),
        (&first["version"], &first["sha256"], &first["created_at"])
    );
    let second = told(door.ask(&test, Method::PUT, path, &json!({ "every": 6 })).await, 201).await;
    assert_eq!(second["version"], 2);
    // What was in force before is a new version.
    let third = told(door.ask(&test, Method::PUT, path, &json!({ "every": 5, "at": ["a", "b"] })).await, 201).await;
    assert_eq!((&third["version"], &third["sha256"]), (&json!(3), &first["sha256"]));
    // Another principal's source of this name is another one.
    let other = told(fleet[1].ask(&test, Method::PUT, path, &json!({ "every": 5 })).await, 201).await;
    assert_eq!(other["version"], 1);
    test.stop().await;
}

#[both_engines]
async fn a_configuration_is_set_only_over_the_version_that_was_expected(test: TestServer) {
    let fleet = fleet(&test, &["door-1"]).await;
    let door = &fleet[0];
    let put = async |name: &str, value: &str, number: i64| {
        let request = test.request(Method::PUT, "/api/machine/source-configs/door");
        door.send(&test, request.header(name, value).json(&json!({ "n": number }))).await
    };
    let refused = problem(put("If-Match", "\"1\"", 1).await, 412, "version_conflict").await;
    assert_eq!(refused["version"], 0);
    assert_eq!(told(put("If-None-Match", "*", 1).await, 201).await["version"], 1);
    let refused = problem(put("If-None-Match", "*", 1).await, 412, "version_conflict").await;
    assert_eq!(refused["version"], 1);
    assert_eq!(told(put("If-Match", "\"1\"", 2).await, 201).await["version"], 2);
    let refused = problem(put("If-Match", "\"1\"", 3).await, 412, "version_conflict").await;
    assert_eq!(refused["version"], 2);
    assert!(refused["detail"].as_str().unwrap().contains("version is 2"), "{refused}");
    for (name, value) in [("If-Match", "2"), ("If-Match", "*"), ("If-Match", "W/\"2\""), ("If-None-Match", "\"2\"")] {
        assert_eq!(faults(put(name, value, 4).await).await, [name]);
    }
    // Of many at once one wins.
    let outcomes = join_all((0..16).map(|number| put("If-Match", "\"2\"", 100 + number))).await;
    let statuses: Vec<_> = outcomes.iter().map(|answer| answer.status().as_u16()).collect();
    assert_eq!(statuses.iter().filter(|status| **status == 201).count(), 1, "{statuses:?}");
    assert_eq!(statuses.iter().filter(|status| **status == 412).count(), 15, "{statuses:?}");
    assert_eq!(test.number("SELECT max(version) FROM machine_source_configs").await, 3);
    test.stop().await;
}

#[both_engines]
async fn the_newest_versions_are_kept_and_sources_are_not_without_number(test: TestServer) {
    let fleet = fleet(&test, &["door-1"]).await;
    let door = &fleet[0];
    for number in 0..=limits::MACHINE_CONFIG_VERSIONS {
        let body = json!({ "n": number });
        told(door.ask(&test, Method::PUT, "/api/machine/source-configs/door", &body).await, 201).await;
    }
    assert_eq!(test.number("SELECT count(*) FROM machine_source_configs").await, limits::MACHINE_CONFIG_VERSIONS);
    assert_eq!(test.number("SELECT min(version) FROM machine_source_configs").await, 2);
    for number in 1..limits::MACHINE_SOURCES_MAX {
        let path = format!("/api/machine/source-configs/s{number}");
        told(door.ask(&test, Method::PUT, &path, &json!({})).await, 201).await;
    }
    let more = test.signed(door, Method::PUT, "/api/machine/source-configs/more", &json!({}));
    problem(test.send(more.try_clone().unwrap()).await, 409, "too_many_sources").await;
    // It has its answer, and is not kept for the day when there is room.
    let text = "DELETE FROM machine_source_configs WHERE source = 's2'";
    test.execute(text).await;
    problem(test.send(more).await, 401, "replayed_signature").await;
    assert_eq!(test.number("SELECT count(*) FROM machine_source_configs WHERE source = 'more'").await, 0);
    told(door.ask(&test, Method::PUT, "/api/machine/source-configs/more", &json!({})).await, 201).await;
    told(door.ask(&test, Method::PUT, "/api/machine/source-configs/s1", &json!({ "n": 1 })).await, 201).await;
    test.stop().await;
}

#[both_engines]
async fn a_status_tells_since_when_and_goes_stale_after_three_beats(test: TestServer) {
    let fleet = fleet(&test, &["door-1"]).await;
    let door = &fleet[0];
    let begun =
        json!({ "state": "running", "heartbeat_seconds": 10, "message": " All is well. ", "details": { "doors": 2 } });
    let status = told(door.ask(&test, Method::PUT, STATUS, &begun).await, 200).await;
    assert_eq!(
        (&status["state"], &status["message"], &status["stale"]),
        (&json!("running"), &json!("All is well."), &json!(false))
    );
    assert_eq!(status["details"], json!({ "doors": 2 }));
    let since = status["since"].clone();
    test.clock.advance(Duration::from_secs(31));
    let beat = told(door.ask(&test, Method::PUT, STATUS, &json!({ "state": "running" })).await, 200).await;
    assert_eq!((&beat["since"], &beat["beats"], &beat["heartbeat_seconds"]), (&since, &json!(2), &json!(60)));
    assert_eq!((beat.get("message"), &beat["details"], &beat["stale"]), (None, &json!({}), &json!(false)));
    test.clock.advance(Duration::from_secs(1));
    let failed = told(door.ask(&test, Method::PUT, STATUS, &json!({ "state": "failed" })).await, 200).await;
    assert_ne!(failed["since"], since);
    assert_eq!(failed["since"], failed["seen_at"]);
    test.stop().await;
}

#[both_engines]
async fn a_key_does_what_its_scopes_say_and_nothing_else(test: TestServer) {
    let fleet = SCOPES.map(|scope| TestMachine::new(&scope.replace(':', "-")).scoped(&[scope]));
    load_machines(&test.hub, &fleet.each_ref()).await;
    let requests = [
        (Method::PUT, "/api/machine/source-configs/door", Some(json!({}))),
        (Method::PUT, STATUS, Some(json!({ "state": "up" }))),
        (Method::POST, EVENTS, Some(report(&[event("1")]))),
        (Method::GET, "/api/machine/evidence", None),
    ];
    for (held, robot) in fleet.iter().enumerate() {
        for (needed, (method, path, body)) in requests.iter().enumerate() {
            let request = test.request(method.clone(), path);
            let request = if let Some(body) = body { request.json(body) } else { request };
            let answer = robot.send(&test, request).await;
            if held == needed {
                assert!(answer.status().is_success(), "{path}");
            } else {
                let refused = problem(answer, 403, "missing_scope").await;
                assert!(refused["detail"].as_str().unwrap().contains(SCOPES[needed]), "{refused}");
            }
        }
    }
    // Also when there is more to refuse.
    problem(fleet[1].ask(&test, Method::POST, EVENTS, &report(&[])).await, 403, "missing_scope").await;
    assert_eq!(test.number("SELECT count(*) FROM machine_events").await, 1);
    assert_eq!(test.number("SELECT count(*) FROM audit_log WHERE event = 'machine_refused'").await, 13);
    test.stop().await;
}

#[both_engines]
async fn what_is_signed_once_is_done_once_and_a_fault_uses_nothing_up(test: TestServer) {
    let fleet = fleet(&test, &["door-1"]).await;
    let door = &fleet[0];
    let signed = |body: &Value| test.signed(door, Method::POST, EVENTS, body);
    let good = signed(&report(&[event("1")]));
    assert_eq!(test.client.execute(good.try_clone().unwrap()).await.unwrap().status(), 201);
    problem(test.client.execute(good).await.unwrap(), 401, "replayed_signature").await;
    let wrong = signed(&report(&[json!({ "event_id": "2", "type": "t", "data": {}, "channel": "later" })]));
    for _ in 0..2 {
        let answer = test.client.execute(wrong.try_clone().unwrap()).await.unwrap();
        assert_eq!(faults(answer).await, ["events[0].channel"]);
    }
    let ann = test.person("ann").await;
    test.open_room(&ann, "later", true, &[]).await;
    assert_eq!(test.client.execute(wrong).await.unwrap().status(), 201);
    assert_eq!(test.number("SELECT count(*) FROM machine_nonces").await, 2);
    test.stop().await;
}

#[both_engines]
async fn what_is_wrong_is_told_by_its_field(test: TestServer) {
    let fleet = fleet(&test, &["door-1"]).await;
    let door = &fleet[0];
    let with = |field: &str, value: Value| {
        let mut event = event("1");
        event[field] = value;
        report(&[self::event("0"), event])
    };
    let (config, long) = ("/api/machine/source-configs/door", "x".repeat(limits::MACHINE_EVENT_DATA_MAX));
    let much = "x".repeat(limits::MACHINE_CONFIG_MAX);
    for (method, path, body, fields) in [
        (Method::POST, EVENTS, json!({}), vec!["events"]),
        (Method::POST, EVENTS, report(&[]), vec!["events"]),
        (Method::POST, EVENTS, report(&vec![event("1"); 501]), vec!["events"]),
        (Method::POST, EVENTS, json!({ "events": {} }), vec!["events"]),
        (Method::POST, EVENTS, json!({ "events": [], "more": 1 }), vec!["more"]),
        (Method::POST, EVENTS, with("event_id", json!("a b")), vec!["events[1].event_id"]),
        (Method::POST, EVENTS, with("event_id", json!("x".repeat(129))), vec!["events[1].event_id"]),
        (Method::POST, EVENTS, with("event_id", json!(7)), vec!["events[1].event_id"]),
        (Method::POST, EVENTS, with("type", json!("Door")), vec!["events[1].type"]),
        (Method::POST, EVENTS, with("occurred_at", json!("today")), vec!["events[1].occurred_at"]),
        (Method::POST, EVENTS, with("data", json!(long)), vec!["events[1].data"]),
        (Method::POST, EVENTS, with("data", json!({ "a": "\0" })), vec!["events[1].data"]),
        (Method::POST, EVENTS, with("colour", json!(1)), vec!["events[1].colour"]),
        (Method::POST, EVENTS, json!({ "events": [{ "event_id": "1", "type": "t" }] }), vec!["events[0].data"]),
        (
            Method::POST,
            EVENTS,
            report(&[json!({ "event_id": "", "type": "", "data": 1 })]),
            vec!["events[0].event_id", "events[0].type"],
        ),
        (Method::PUT, STATUS, json!({}), vec!["state"]),
        (
            Method::PUT,
            STATUS,
            json!({ "state": "Up", "heartbeat_seconds": 86_401 }),
            vec!["state", "heartbeat_seconds"],
        ),
        (Method::PUT, STATUS, json!({ "state": "up", "heartbeat_seconds": 1.5 }), vec!["heartbeat_seconds"]),
        (
            Method::PUT,
            STATUS,
            json!({ "state": "up", "message": "x".repeat(501), "details": [] }),
            vec!["message", "details"],
        ),
        (Method::PUT, STATUS, json!({ "state": "up", "mood": 1 }), vec!["mood"]),
        (Method::PUT, config, json!([1]), vec!["body"]),
        (Method::PUT, config, json!({ "a": "\0" }), vec!["config"]),
        (Method::PUT, config, json!({ "a": much }), vec!["config"]),
        (Method::PUT, "/api/machine/source-configs/Door", json!({}), vec!["source"]),
        (Method::PUT, "/api/machine/source-configs/a%2Fb", json!({}), vec!["source"]),
    ] {
        let answer = door.ask(&test, method.clone(), path, &body).await;
        assert_eq!(
            faults(answer).await,
            fields,
            "{method} {path} {}",
            &body.to_string()[..body.to_string().len().min(99)]
        );
    }
    for (query, fields) in [
        ("limit=0", vec!["limit"]),
        ("limit=501", vec!["limit"]),
        ("limit=x", vec!["limit"]),
        ("cursor=7", vec!["cursor"]),
        ("cursor=&limit=-1", vec!["cursor", "limit"]),
        ("principal=%00&type=%00", vec!["principal", "type"]),
    ] {
        assert_eq!(faults(door.look(&test, &format!("/api/machine/evidence?{query}")).await).await, fields, "{query}");
    }
    // What would come back as something else.
    for (method, path, body, field) in [
        (
            Method::POST,
            EVENTS,
            r#"{"events": [{"event_id": "1", "type": "t", "data": {"a": 1, "a": 2}}]}"#,
            "events[0].data",
        ),
        (
            Method::POST,
            EVENTS,
            r#"{"events": [{"event_id": "1", "type": "t", "data": [12345678901234567890123]}]}"#,
            "events[0].data",
        ),
        (Method::PUT, STATUS, r#"{"state": "up", "details": {"a": {"b": 1, "b": 1}}}"#, "details"),
        (Method::PUT, config, r#"{"a": 1, "a": 1}"#, "body"),
        (Method::PUT, config, r#"{"a": 0.12345678901234567890123}"#, "body"),
    ] {
        assert_eq!(faults(door.send_text(&test, method, path, body).await).await, [field], "{body}");
    }
    let answer = door.send_text(&test, Method::POST, EVENTS, "{\"events\": [").await;
    problem(answer, 400, "invalid_json").await;
    let request = test.request(Method::PUT, STATUS).header("Content-Type", "text/plain").body("{\"state\": \"up\"}");
    problem(door.send(&test, request).await, 415, "unsupported_media_type").await;
    assert_eq!(test.number("SELECT count(*) FROM machine_nonces").await, 0);
    assert_eq!(test.number("SELECT count(*) FROM machine_histories").await, 0);
    test.stop().await;
}

#[both_engines]
async fn what_machines_do_stands_in_the_log_and_a_mere_beat_does_not(test: TestServer) {
    let fleet = fleet(&test, &["door-1"]).await;
    let door = &fleet[0];
    let ann = test.person("ann").await;
    let agent = test.create_agent(&ann, "scout").await;
    let (mut to_ann, mut to_agent) = (test.stream(&ann).await, test.stream_with(&agent).await);
    let before = test.number("SELECT count(*) FROM events WHERE kind LIKE 'machine.%'").await;
    for (state, seconds) in [("up", 5), ("up", 181), ("up", 1), ("down", 1), ("down", 1)] {
        told(door.ask(&test, Method::PUT, STATUS, &json!({ "state": state })).await, 200).await;
        test.clock.advance(Duration::from_secs(seconds));
    }
    let after = test.number("SELECT count(*) FROM events WHERE kind = 'machine.status_changed'").await;
    assert_eq!(after, 3, "it came up, it came back, it went down");
    test.report(door, &[event("1"), event("2")]).await;
    told(door.ask(&test, Method::POST, EVENTS, &report(&[event("1")])).await, 200).await;
    told(door.ask(&test, Method::PUT, "/api/machine/source-configs/door", &json!({})).await, 201).await;
    told(door.ask(&test, Method::PUT, "/api/machine/source-configs/door", &json!({})).await, 200).await;
    let after = test.number("SELECT count(*) FROM events WHERE kind LIKE 'machine.%'").await;
    assert_eq!(after - before, 5);
    // People are told of it as it happens.
    let mut actions = Vec::new();
    for _ in 0..5 {
        let news = to_ann.next_of("machine_changed").await.data;
        assert_eq!(news["principal_id"], "svc:sense:door-1");
        actions.push(news["action"].clone());
    }
    assert_eq!(actions, ["status_changed", "status_changed", "status_changed", "reported", "configured"]);
    let end = test.say(&ann, json!({ "channel": "general", "body": "The end." })).await;
    assert!(to_agent.through(&end).await.iter().all(|event| event.name != "machine_changed"));
    test.stop().await;
}

#[both_engines]
async fn people_see_how_machines_are_and_those_that_are_gone_too(test: TestServer) {
    let fleet = fleet(&test, &["door-1", "door-2"]).await;
    let ann = test.person("ann").await;
    told(fleet[0].ask(&test, Method::PUT, STATUS, &json!({ "state": "up", "heartbeat_seconds": 10 })).await, 200).await;
    for number in [1, 2] {
        let body = json!({ "n": number });
        told(fleet[0].ask(&test, Method::PUT, "/api/machine/source-configs/b", &body).await, 201).await;
    }
    told(fleet[0].ask(&test, Method::PUT, "/api/machine/source-configs/a", &json!({})).await, 201).await;
    test.clock.advance(Duration::from_secs(30));
    test.report(&fleet[0], &[event("1"), event("2")]).await;
    let seen = test.look(&ann, "/api/machines").await;
    let (one, two) = (&seen["principals"][0], &seen["principals"][1]);
    assert_eq!(one["status"].get("details"), None, "a list is not the place for them");
    assert_eq!((&one["registered"], &one["events"], &one["status"]["stale"]), (&json!(true), &json!(2), &json!(false)));
    assert!(one["last_event_at"].as_str().unwrap() > one["status"]["seen_at"].as_str().unwrap(), "{one}");
    let sources: Vec<_> =
        one["sources"].as_array().unwrap().iter().map(|source| (&source["source"], &source["version"])).collect();
    assert_eq!(sources, [(&json!("a"), &json!(1)), (&json!("b"), &json!(2))]);
    assert_eq!((two.get("status"), two.get("last_event_at"), &two["events"]), (None, None, &json!(0)));
    assert_eq!(two["sources"], json!([]));
    // A moment later three beats have passed; and then the registry has it no more.
    test.clock.advance(Duration::from_millis(1));
    load_machines(&test.hub, &[&fleet[1]]).await;
    let seen = test.look(&ann, "/api/machines").await;
    let (one, two) = (&seen["principals"][0], &seen["principals"][1]);
    assert_eq!(
        (&one["principal_id"], &one["registered"], &one["enabled"]),
        (&json!("svc:sense:door-1"), &json!(false), &json!(false))
    );
    assert_eq!((&one["status"]["stale"], &one["events"], &one["active_keys"]), (&json!(true), &json!(2), &json!(0)));
    assert_eq!((&two["registered"], seen["principals"].as_array().unwrap().len()), (&json!(true), 2));
    problem(fleet[0].ask(&test, Method::PUT, STATUS, &json!({ "state": "up" })).await, 401, "unknown_machine_key")
        .await;
    test.stop().await;
}
