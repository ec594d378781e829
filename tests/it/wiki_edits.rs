//! Edits of one article by several participants at once.

use std::collections::BTreeSet;

use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};
use svc_test_macros::both_engines;

use crate::support::server::{TestServer, faults, problem};
use crate::support::wiki::{column, path};

const TEXT: &str = "# One\n\nfirst\n\n# Two\n\nsecond\n\n# Three\n\nthird\n";

#[both_engines]
async fn nothing_is_overwritten_unseen_by_two_people_and_an_agent(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    let agent = test.create_agent(&ann, "helper").await;
    test.article(&ann, "guide", TEXT).await;
    // All three read revision 1; Ann is first.
    assert_eq!(test.save(&ann, "guide", 1, &TEXT.replace("first", "first of Ann")).await.status(), 200);

    let yours = TEXT.replace("second", "second of Bob");
    let conflict = problem(test.save(&bob, "guide", 1, &yours).await, 409, "edit_conflict").await["conflict"].clone();
    assert_eq!((&conflict["revision"], &conflict["updated_by"]), (&json!(2), &json!("ann")));
    assert_eq!(conflict["body"], TEXT.replace("first", "first of Ann"));
    assert_eq!(conflict["merge_is_clean"], true);
    let merged = TEXT.replace("first", "first of Ann").replace("second", "second of Bob");
    assert_eq!(conflict["merged"], merged.as_str());
    assert_eq!(test.article_of(&bob, "guide").await["revision"], 2, "a conflict saves nothing");
    let save = json!({ "base_revision": 1, "body": yours, "merge": true, "summary": "Bob's part" });
    let saved = test.did(&bob, Method::PUT, &path("guide"), save).await;
    assert_eq!((&saved["revision"], &saved["body"]), (&json!(3), &json!(merged)));

    // The agent changes one section that it read at revision 1.
    let section = json!({ "slug": "guide", "base_revision": 1, "section": "Three", "body": "third of the agent\n" });
    let refused = test.tool_refuses(&agent, "update_article", section.clone(), "edit_conflict").await;
    assert!(refused.to_string().contains("merge"), "{refused}");
    let mut merging = section;
    merging["merge"] = json!(true);
    test.tool(&agent, "update_article", merging).await;
    let read = test.article_of(&ann, "guide").await;
    assert_eq!(read["body"], merged.replace("third", "third of the agent").as_str());

    // The same line twice: no merge, and the request for one changes nothing.
    let save = json!({ "base_revision": 1, "body": TEXT.replace("first", "first of Bob"), "merge": true });
    let conflict = problem(test.ask(&bob, Method::PUT, &path("guide"), save).await, 409, "edit_conflict").await;
    assert_eq!(
        (&conflict["conflict"]["merge_is_clean"], &conflict["conflict"]["merged"]),
        (&json!(false), &Value::Null)
    );
    let history = test.look(&ann, &format!("{}/revisions", path("guide"))).await["revisions"].clone();
    assert_eq!(column(&history, "author"), ["helper", "bob", "ann", "ann"]);
    assert_eq!(column(&history, "action"), ["merged", "merged", "edited", "created"]);
}

#[both_engines]
async fn every_save_of_many_at_once_is_a_revision_of_its_own(test: TestServer) {
    let ann = test.person("ann").await;
    let lines: Vec<_> = (0..16).map(|number| format!("line {number}\n\nspace\n\n")).collect();
    test.article(&ann, "board", &lines.concat()).await;
    let saves = (0..16).map(|number| {
        let mut mine = lines.clone();
        mine[number] = format!("line {number} changed\n\nspace\n\n");
        let save = json!({ "base_revision": 1, "body": mine.concat(), "merge": true });
        let (test, ann) = (&test, &ann);
        async move { test.ask(ann, Method::PUT, &path("board"), save).await }
    });
    let mut numbers = BTreeSet::new();
    for answer in join_all(saves).await {
        let status = answer.status();
        let body: Value = answer.json().await.unwrap();
        // A merge may have to be tried again when others are faster; it is never lost without a word.
        if status == 200 {
            numbers.insert(body["revision"].as_i64().unwrap());
        } else {
            assert_eq!(status, 503, "{body}");
        }
    }
    let board = test.article_of(&ann, "board").await;
    let changed = board["body"].as_str().unwrap().matches("changed").count();
    assert_eq!((changed, &board["revision"]), (numbers.len(), &json!(1 + numbers.len())));
    assert!(numbers.len() >= 8, "{numbers:?}");
    // Without a merge, one of many wins.
    let saves = (0..8).map(|number| {
        let (test, ann, base) = (&test, &ann, board["revision"].as_i64().unwrap());
        async move { test.save(ann, "board", base, &format!("only {number}")).await.status().as_u16() }
    });
    let mut statuses = join_all(saves).await;
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409, 409, 409, 409, 409, 409, 409]);
}

#[both_engines]
async fn an_etag_says_which_revision_a_save_is_based_on(test: TestServer) {
    let ann = test.person("ann").await;
    test.article(&ann, "page", "one").await;
    let answer = test.request_as(&ann, Method::GET, &path("page")).send().await.unwrap();
    let etag = answer.headers()["etag"].to_str().unwrap().to_owned();
    let unchanged =
        test.request_as(&ann, Method::GET, &path("page")).header("if-none-match", &etag).send().await.unwrap();
    assert_eq!(unchanged.status(), 304);
    let put = |tag: &str, body: Value| {
        let request = test.request_as(&ann, Method::PUT, &path("page")).header("if-match", tag).json(&body);
        async move { request.send().await.unwrap() }
    };
    let saved = put(&etag, json!({ "body": "two" })).await;
    assert_eq!(saved.status(), 200);
    let newer = saved.headers()["etag"].to_str().unwrap().to_owned();
    assert_ne!(newer, etag);
    problem(put(&etag, json!({ "body": "three" })).await, 409, "edit_conflict").await;
    assert_eq!(put("\"2\"", json!({ "body": "three" })).await.status(), 200);
    for wrong in ["*", "\"x\"", "3-", "W/\"3\""] {
        let refused = problem(put(wrong, json!({ "body": "four" })).await, 400, "validation_failed").await;
        assert_eq!(faults(&refused), ["If-Match"], "{wrong}");
    }
    let both =
        problem(put("\"3\"", json!({ "body": "four", "base_revision": 2 })).await, 400, "validation_failed").await;
    assert!(faults(&both).contains(&"If-Match") || faults(&both).contains(&"base_revision"), "{both}");
    // A verification changes what is shown, so the tag changes; the revision does not.
    let before = test.request_as(&ann, Method::GET, &path("page")).send().await.unwrap();
    test.did(&ann, Method::POST, &format!("{}/verify", path("page")), json!({})).await;
    let after = test.request_as(&ann, Method::GET, &path("page")).send().await.unwrap();
    assert_ne!(before.headers()["etag"], after.headers()["etag"]);
    assert_eq!(after.json::<Value>().await.unwrap()["revision"], 3);
}

#[both_engines]
async fn a_repeated_request_saves_once(test: TestServer) {
    let ann = test.person("ann").await;
    let send = |method: Method, path: String, key: &str, body: Value| {
        let request = test.request_as(&ann, method, &path).header("idempotency-key", key).json(&body);
        async move { request.send().await.unwrap() }
    };
    let new = json!({ "title": "Page", "body": "one" });
    for _ in 0..2 {
        let created: Value =
            send(Method::POST, "/api/wiki/articles".into(), "a", new.clone()).await.json().await.unwrap();
        assert_eq!((&created["slug"], &created["revision"]), (&json!("page"), &json!(1)));
    }
    // A save of the text that is there is no conflict.
    for _ in 0..2 {
        assert_eq!(test.save(&ann, "page", 1, "two").await.status(), 200);
    }
    // A save that changes nothing makes no revision.
    assert_eq!(test.rewrite(&ann, "page", "two").await["revision"], 2);
}
