//! Channels: made, changed, archived, by their owners; private means private.

use reqwest::Method;
use serde_json::{Value, json};
use svc_core::events::After;
use svc_core::messages::NewMessage;
use svc_test_macros::both_engines;

use crate::support::people::Person;
use crate::support::server::{TestServer, faults, problem};
use crate::support::talk::names;
use crate::support::wait::soon;

/// A private channel of ann's with one message in it.
async fn with_secret(test: &TestServer) -> (Person, Person) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    test.did(&ann, Method::POST, "/api/channels", json!({ "name": "secret", "topic": "Hush", "public": false })).await;
    let caller = test.caller(&ann).await;
    test.say_in(&caller, "secret", "between us").await;
    (ann, bob)
}

#[both_engines]
async fn a_channel_is_made_changed_and_archived_by_its_owner(test: TestServer) {
    let ann = test.person("ann").await;
    test.person("bob").await;
    test.create_agent(&ann, "reviewer").await;
    let body = json!({
        "name": "releases", "description": "What goes\nout", "topic": " Version 1 ",
        "members": ["@Bob", "reviewer", "bob"]
    });
    let made = test.ask(&ann, Method::POST, "/api/channels", body).await;
    assert_eq!(made.status(), 201);
    let made: Value = made.json().await.unwrap();
    assert_eq!(
        (&made["name"], &made["topic"], &made["description"]),
        (&json!("releases"), &json!("Version 1"), &json!("What goes\nout"))
    );
    assert_eq!((&made["public"], &made["owner"], &made["member_count"]), (&json!(true), &json!("ann"), &json!(3)));
    assert_eq!((&made["workflow_enabled"], &made["auto_approve"]), (&json!(false), &json!(false)));
    assert_eq!((&made["stalemate_remind_after"], &made["stalemate_escalate_after"]), (&json!("1d"), &json!("3d")));
    assert_eq!((&made["publish_threshold"], &made["approve_threshold"]), (&json!(0.0), &json!(0.0)));
    assert_eq!((&made["is_member"], &made["unread"], &made["mentions"]), (&json!(true), &json!(0), &json!(0)));
    for absent in ["archived_at", "last_message_id", "last_read_message_id"] {
        assert!(made.as_object().unwrap().contains_key(absent) && made[absent].is_null(), "{absent}");
    }
    // The name is forgiven its form when it is looked up.
    assert_eq!(test.look(&ann, "/api/channels/%23Releases").await, made);
    let members = test.look(&ann, "/api/channels/releases/members").await;
    assert_eq!(
        (names(&members, "members"), &members["total"]),
        (vec!["ann".into(), "bob".into(), "reviewer".into()], &json!(3))
    );
    assert_eq!((&members["members"][0]["is_owner"], &members["members"][0]["kind"]), (&json!(true), &json!("human")));
    assert_eq!((&members["members"][2]["is_owner"], &members["members"][2]["kind"]), (&json!(false), &json!("agent")));
    assert!(members["members"][1]["joined_at"].is_string());
    let second = test.look(&ann, "/api/channels/releases/members?limit=1&offset=1").await;
    assert_eq!((names(&second, "members"), &second["total"]), (vec!["bob".into()], &json!(3)));

    let changed =
        test.did(&ann, Method::PATCH, "/api/channels/releases", json!({ "topic": "", "public": false })).await;
    assert_eq!(
        (&changed["topic"], &changed["public"], &changed["description"]),
        (&json!(""), &json!(false), &json!("What goes\nout"))
    );
    let settings = json!({
        "workflow_enabled": true, "auto_approve": true, "stalemate_remind_after": "90s",
        "stalemate_escalate_after": "0", "publish_threshold": 0.7, "approve_threshold": 1
    });
    let set = test.did(&ann, Method::PUT, "/api/channels/releases/settings", settings.clone()).await;
    for (field, value) in settings.as_object().unwrap() {
        let same = set[field] == *value || set[field].as_f64() == value.as_f64().filter(|_| value.is_number());
        assert!(same, "{field}: {}", set[field]);
    }
    let some = test.did(&ann, Method::PUT, "/api/channels/releases/settings", json!({ "auto_approve": false })).await;
    assert_eq!(
        (&some["auto_approve"], &some["workflow_enabled"], &some["publish_threshold"]),
        (&json!(false), &json!(true), &json!(0.7))
    );

    let list = test.look(&ann, "/api/channels").await;
    assert_eq!((names(&list, "channels"), &list["total"]), (vec!["general".into(), "releases".into()], &json!(2)));
    assert_eq!(names(&test.look(&ann, "/api/channels?q=ELEA").await, "channels"), ["releases"]);
    assert_eq!(names(&test.look(&ann, "/api/channels?limit=1&offset=1").await, "channels"), ["releases"]);

    let gone = test.request_as(&ann, Method::DELETE, "/api/channels/releases").send().await.unwrap();
    assert_eq!((gone.status().as_u16(), gone.text().await.unwrap()), (204, String::new()));
    assert_eq!(names(&test.look(&ann, "/api/channels").await, "channels"), ["general"]);
    assert_eq!(names(&test.look(&ann, "/api/channels?archived=true").await, "channels"), ["releases"]);
    assert!(test.look(&ann, "/api/channels/releases").await["archived_at"].is_string());
    assert_eq!(test.request_as(&ann, Method::DELETE, "/api/channels/releases").send().await.unwrap().status(), 204);
    for (method, path, body) in [
        (Method::PATCH, "/api/channels/releases", json!({ "topic": "x" })),
        (Method::POST, "/api/channels/releases/join", json!({})),
        (Method::POST, "/api/channels/releases/members", json!({ "members": ["bob"] })),
    ] {
        problem(test.ask(&ann, method, path, body).await, 409, "channel_archived").await;
    }
    let refused = test.hub.messages().send(&test.caller(&ann).await, NewMessage::in_channel("releases", "x")).await;
    assert_eq!(refused.unwrap_err().code(), "channel_archived");
    problem(test.ask(&ann, Method::POST, "/api/channels", json!({ "name": "releases" })).await, 409, "channel_exists")
        .await;
    test.stop().await;
}

#[both_engines]
async fn what_cannot_be_a_channel_is_refused_with_every_fault(test: TestServer) {
    let ann = test.person("ann").await;
    for name in ["", "Loud", "#hash", "-a", "_a", "a b", "ä", &"a".repeat(81)] {
        let body = problem(
            test.ask(&ann, Method::POST, "/api/channels", json!({ "name": name })).await,
            400,
            "validation_failed",
        )
        .await;
        assert_eq!(faults(&body), ["name"], "{name}");
    }
    let all =
        json!({ "name": "A", "topic": "two\nlines", "description": "d".repeat(2001), "members": vec!["ann"; 101] });
    let body = problem(test.ask(&ann, Method::POST, "/api/channels", all).await, 400, "validation_failed").await;
    assert_eq!(faults(&body), ["name", "description", "topic", "members"]);
    // All members or nothing, and each of them who is nobody is named.
    let some = json!({ "name": "team", "members": ["ann", "system", "nobody", "a\u{0}b"] });
    let body = problem(test.ask(&ann, Method::POST, "/api/channels", some).await, 400, "validation_failed").await;
    assert_eq!(faults(&body), ["members[1]", "members[2]", "members[3]"]);
    problem(test.request_as(&ann, Method::GET, "/api/channels/team").send().await.unwrap(), 404, "not_found").await;
    let unknown = test.ask(&ann, Method::POST, "/api/channels", json!({ "name": "team", "owner": "bob" })).await;
    assert_eq!(faults(&problem(unknown, 400, "validation_failed").await), ["owner"]);

    test.did(&ann, Method::POST, "/api/channels", json!({ "name": "team" })).await;
    let bad = json!({
        "stalemate_remind_after": "soon", "stalemate_escalate_after": "366d",
        "publish_threshold": -0.1, "approve_threshold": 1.5
    });
    let body =
        problem(test.ask(&ann, Method::PUT, "/api/channels/team/settings", bad).await, 400, "validation_failed").await;
    assert_eq!(
        faults(&body),
        ["stalemate_remind_after", "stalemate_escalate_after", "publish_threshold", "approve_threshold"]
    );
    let typed = test.ask(&ann, Method::PUT, "/api/channels/team/settings", json!({ "workflow_enabled": "yes" })).await;
    assert_eq!(faults(&problem(typed, 400, "validation_failed").await), ["workflow_enabled"]);
    let long = format!("/api/channels?q={}", "x".repeat(81));
    problem(test.request_as(&ann, Method::GET, &long).send().await.unwrap(), 400, "validation_failed").await;
    for path in ["/api/channels/a%00b", "/api/channels/%F0%9F%99%82", "/api/channels/a%20b"] {
        problem(test.request_as(&ann, Method::GET, path).send().await.unwrap(), 404, "not_found").await;
    }
    test.stop().await;
}

#[both_engines]
async fn only_the_owner_changes_a_channel(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.admin("bob").await);
    let key = test.create_agent(&ann, "keeper").await;
    test.did(&ann, Method::POST, "/api/channels", json!({ "name": "team", "members": ["bob"] })).await;
    let changes = [
        (Method::PATCH, "/api/channels/team", json!({ "topic": "x" })),
        (Method::PUT, "/api/channels/team/settings", json!({ "auto_approve": true })),
        (Method::PUT, "/api/channels/team/owner", json!({ "owner": "bob" })),
        (Method::DELETE, "/api/channels/team", json!({})),
    ];
    for (method, path, body) in &changes {
        problem(test.ask(&bob, method.clone(), path, body.clone()).await, 403, "channel_owner_required").await;
    }
    // The channel of an agent is changed by the agent and by its human, not by other agents of theirs.
    let post = test.request_with(&key, Method::POST, "/api/channels").json(&json!({ "name": "den" }));
    assert_eq!(post.send().await.unwrap().status(), 201);
    assert_eq!(test.did(&ann, Method::PATCH, "/api/channels/den", json!({ "topic": "mine" })).await["owner"], "keeper");
    let other = test.create_agent(&ann, "other").await;
    let refused = test.request_with(&other, Method::PATCH, "/api/channels/den").json(&json!({ "topic": "x" }));
    problem(refused.send().await.unwrap(), 403, "channel_owner_required").await;

    let stranger = test.ask(&ann, Method::PUT, "/api/channels/team/owner", json!({ "owner": "keeper" })).await;
    assert_eq!(faults(&problem(stranger, 400, "validation_failed").await), ["owner"]);
    assert_eq!(
        test.did(&ann, Method::PUT, "/api/channels/team/owner", json!({ "owner": "Bob" })).await["owner"],
        "bob"
    );
    for (method, path, body) in &changes[..2] {
        problem(test.ask(&ann, method.clone(), path, body.clone()).await, 403, "channel_owner_required").await;
    }
    assert_eq!(test.did(&bob, Method::PATCH, "/api/channels/team", json!({ "topic": "now" })).await["topic"], "now");
    // The channel that every hub begins with stays.
    let admin = svc_core::Caller::root();
    assert_eq!(test.hub.channels().archive(&admin, "general").await.unwrap_err().code(), "general_channel");
    let hidden = svc_core::channels::ChannelUpdate { public: Some(false), ..Default::default() };
    assert_eq!(test.hub.channels().update(&admin, "general", hidden).await.unwrap_err().code(), "general_channel");
    test.stop().await;
}

#[both_engines]
async fn strangers_learn_nothing_of_a_private_channel(test: TestServer) {
    let (ann, bob) = with_secret(&test).await;
    let bot = test.create_agent(&bob, "spy").await;
    for (method, path, body) in [
        (Method::GET, "", json!({})),
        (Method::PATCH, "", json!({ "topic": "x" })),
        (Method::DELETE, "", json!({})),
        (Method::PUT, "/settings", json!({})),
        (Method::PUT, "/owner", json!({ "owner": "bob" })),
        (Method::GET, "/messages", json!({})),
        (Method::GET, "/members", json!({})),
        (Method::POST, "/members", json!({ "members": ["bob"] })),
        (Method::DELETE, "/members/ann", json!({})),
        (Method::DELETE, "/members/bob", json!({})),
        (Method::POST, "/join", json!({})),
        (Method::POST, "/join", json!({ "agent": "spy" })),
        (Method::POST, "/leave", json!({})),
    ] {
        let mut told = Vec::new();
        for name in ["secret", "nothing"] {
            let path = format!("/api/channels/{name}{path}");
            told.push(problem(test.ask(&bob, method.clone(), &path, body.clone()).await, 404, "not_found").await);
            problem(test.request_with(&bot, method.clone(), &path).json(&body).send().await.unwrap(), 404, "not_found")
                .await;
        }
        assert_eq!(told[0]["detail"], told[1]["detail"], "{method} {path}");
    }
    for path in [
        "/api/channels",
        "/api/channels?q=secret",
        "/api/channels?archived=true",
        "/api/conversations",
        "/api/notifications/unread",
    ] {
        let seen = test.look(&bob, path).await.to_string();
        assert!(!seen.contains("secret") && !seen.contains("between us"), "{path}: {seen}");
    }
    let conversation = test.look(&ann, "/api/conversations").await["conversations"][0]["id"].clone();
    let path = format!("/api/conversations/{conversation}");
    assert_eq!(test.look(&ann, &path).await["messages"][0]["body"], "between us");
    problem(test.request_as(&bob, Method::GET, &path).send().await.unwrap(), 404, "not_found").await;
    let mark = json!({ "kind": "channel", "name": "secret" });
    problem(test.ask(&bob, Method::POST, "/api/notifications/mark-read", mark).await, 404, "not_found").await;
    // That the name is taken cannot be hidden; nothing is said of what has taken it.
    test.open_room(&ann, "gone", false, &[]).await;
    assert_eq!(test.ask(&ann, Method::DELETE, "/api/channels/gone", json!({})).await.status(), 204);
    let mut taken = Vec::new();
    for (name, public) in [("secret", true), ("secret", false), ("gone", true), ("general", true)] {
        let new = json!({ "name": name, "public": public });
        taken.push(problem(test.ask(&bob, Method::POST, "/api/channels", new).await, 409, "channel_exists").await);
    }
    assert_eq!(taken[0]["detail"], "This name is taken: choose another.");
    assert!(taken.iter().all(|told| *told == taken[0]), "{taken:?}");
    // A key cannot be limited to it, in the words for one that there is not.
    let key = |name: &str| json!({ "name": "k", "permissions": ["read"], "allowed_channels": [name] });
    let unseen =
        problem(test.ask(&bob, Method::POST, "/api/keys", key("secret")).await, 400, "validation_failed").await;
    let missing =
        problem(test.ask(&bob, Method::POST, "/api/keys", key("nothing")).await, 400, "validation_failed").await;
    assert_eq!(unseen["errors"], missing["errors"]);
    assert_eq!(test.ask(&ann, Method::POST, "/api/keys", key("secret")).await.status(), 201);
    // An agent that is invited sees it, and so does its human.
    test.did(&ann, Method::POST, "/api/channels/secret/members", json!({ "members": ["spy"] })).await;
    assert_eq!(test.look(&bob, "/api/channels/secret").await["is_member"], false);
    assert_eq!(test.look(&bob, "/api/channels/secret/messages").await["messages"][0]["body"], "between us");
    problem(test.ask(&bob, Method::POST, "/api/channels/secret/join", json!({})).await, 404, "not_found").await;
    problem(test.ask(&bob, Method::DELETE, "/api/channels/secret", json!({})).await, 403, "channel_owner_required")
        .await;
    test.stop().await;
}

#[both_engines]
async fn a_key_for_some_channels_sees_no_others(test: TestServer) {
    let ann = test.person("ann").await;
    for name in ["one", "two"] {
        test.did(&ann, Method::POST, "/api/channels", json!({ "name": name })).await;
    }
    let limits = json!({ "name": "k", "permissions": ["write"], "allowed_channels": ["one"] });
    let (_, key) = test.create_key(&ann, limits).await;
    let get = async |path: &str| test.request_with(&key, Method::GET, path).send().await.unwrap();
    let list: Value = get("/api/channels").await.json().await.unwrap();
    assert_eq!((names(&list, "channels"), &list["total"]), (vec!["one".into()], &json!(1)));
    let unread: Value = get("/api/notifications/unread").await.json().await.unwrap();
    assert_eq!((unread.as_array().unwrap().len(), &unread[0]["name"]), (1, &json!("one")));
    let conversations: Value = get("/api/conversations").await.json().await.unwrap();
    assert_eq!(conversations["total"], 1);
    for path in [
        "/api/channels/two",
        "/api/channels/two/messages",
        "/api/channels/none",
        "/api/dm/partners",
        "/api/dm/ann/messages",
    ] {
        problem(get(path).await, 403, "channel_not_allowed").await;
    }
    assert_eq!(get("/api/channels/one/messages").await.status(), 200);
    let create = test.request_with(&key, Method::POST, "/api/channels").json(&json!({ "name": "three" }));
    problem(create.send().await.unwrap(), 403, "channel_not_allowed").await;
    // A key that may only read changes nothing.
    let (_, reader) = test.create_key(&ann, json!({ "name": "r", "permissions": ["read"] })).await;
    for (method, path, body) in [
        (Method::POST, "/api/channels", json!({ "name": "three" })),
        (Method::POST, "/api/channels/one/leave", json!({})),
        (Method::PATCH, "/api/channels/one", json!({ "topic": "x" })),
        (Method::POST, "/api/notifications/mark-read", json!({ "kind": "channel", "name": "one" })),
    ] {
        problem(test.request_with(&reader, method, path).json(&body).send().await.unwrap(), 403, "permission_denied")
            .await;
    }
    test.stop().await;
}

#[both_engines]
async fn a_request_that_is_sent_again_makes_one_channel(test: TestServer) {
    let ann = test.person("ann").await;
    let post = |key: &str, name: &str| {
        let request = test.request_as(&ann, Method::POST, "/api/channels").header("Idempotency-Key", key);
        let request = request.json(&json!({ "name": name }));
        async move { request.send().await.unwrap() }
    };
    let racers: Vec<_> = (0..8).map(|_| tokio::spawn(post("k1", "team"))).collect();
    let mut answers = Vec::new();
    for racer in racers {
        let answer = racer.await.unwrap();
        assert_eq!(answer.status(), 201);
        answers.push(answer.json::<Value>().await.unwrap());
    }
    assert!(answers.iter().all(|answer| *answer == answers[0]));
    problem(post("k1", "other").await, 409, "idempotency_conflict").await;
    problem(post("k2", "team").await, 409, "channel_exists").await;
    assert_eq!(test.look(&ann, "/api/channels/team").await["member_count"], 1);
    test.stop().await;
}

#[both_engines]
async fn every_change_is_in_the_log(test: TestServer) {
    let (ann, _) = (test.person("ann").await, test.person("bob").await);
    let mut log = test.hub.events().subscribe(After::Now).await.unwrap();
    test.did(&ann, Method::POST, "/api/channels", json!({ "name": "team", "public": false })).await;
    test.did(&ann, Method::POST, "/api/channels/team/members", json!({ "members": ["bob", "bob"] })).await;
    test.did(&ann, Method::PATCH, "/api/channels/team", json!({ "public": true })).await;
    // Nothing was changed by this.
    test.did(&ann, Method::PATCH, "/api/channels/team", json!({})).await;
    test.did(&ann, Method::DELETE, "/api/channels/team/members/bob", json!({})).await;
    test.did(&ann, Method::DELETE, "/api/channels/team", json!({})).await;
    let id = test.look(&ann, "/api/channels/team").await["id"].clone();
    let mut told = Vec::new();
    while told.len() < 6 {
        let event = soon("the log tells", log.next()).await.unwrap().unwrap();
        if event.kind.starts_with("channel.") {
            let payload: Value = serde_json::from_str(event.payload.get()).unwrap();
            assert_eq!((&payload["channel_id"], &payload["name"]), (&id, &json!("team")));
            let who = payload["by"].as_str().or(payload["handle"].as_str()).unwrap().to_owned();
            if event.kind.contains("member") {
                assert_eq!(payload["participant_id"], payload["owner_id"], "a human is their own");
            }
            told.push((event.kind.clone(), who, payload["public"].as_bool().unwrap()));
        }
    }
    let expected = [
        ("channel.created", "ann", false),
        ("channel.member_joined", "ann", false),
        ("channel.member_joined", "bob", false),
        ("channel.updated", "ann", true),
        ("channel.member_left", "bob", true),
        ("channel.archived", "ann", true),
    ];
    assert_eq!(told, expected.map(|(kind, who, public)| (kind.to_owned(), who.to_owned(), public)));
    test.stop().await;
}

#[both_engines]
async fn a_message_tells_rightly_whether_everybody_could_read_it(test: TestServer) {
    let ann = test.person("ann").await;
    test.did(&ann, Method::POST, "/api/channels", json!({ "name": "team" })).await;
    let caller = test.caller(&ann).await;
    let mut log = test.hub.events().subscribe(After::Now).await.unwrap();
    let mut racers = Vec::new();
    for turn in 0..32 {
        let (hub, caller) = (test.hub.clone(), caller.clone());
        racers.push(tokio::spawn(async move {
            if turn % 4 == 0 {
                let public = Some(turn % 8 == 0);
                let update = svc_core::channels::ChannelUpdate { public, ..Default::default() };
                hub.channels().update(&caller, "team", update).await.unwrap();
            } else {
                hub.messages().send(&caller, NewMessage::in_channel("team", "hello")).await.unwrap();
            }
        }));
    }
    for racer in racers {
        racer.await.unwrap();
    }
    let mut public = true;
    for _ in 0..32 {
        let event = soon("the log tells", log.next()).await.unwrap().unwrap();
        let payload: Value = serde_json::from_str(event.payload.get()).unwrap();
        if event.kind == "channel.updated" {
            public = payload["public"].as_bool().unwrap();
        }
        assert_eq!(payload["public"], public, "{}", event.kind);
    }
    test.stop().await;
}
