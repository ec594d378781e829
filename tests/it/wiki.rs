//! Articles: creating, reading, renaming, deleting, protecting and verifying them.

use reqwest::Method;
use serde_json::{Value, json};
use svc_test_macros::both_engines;

use crate::support::people::Person;
use crate::support::server::{TestServer, faults, problem};
use crate::support::wiki::{column, path};

async fn post(test: &TestServer, person: &Person, new: Value) -> reqwest::Response {
    test.ask(person, Method::POST, "/api/wiki/articles", new).await
}

#[both_engines]
async fn an_article_is_shared_by_all_and_keeps_every_revision(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    let new = json!({ "title": "How we deploy", "body": "One.\n", "summary": "Begin" });
    let answer = post(&test, &ann, new.clone()).await;
    assert_eq!(answer.status(), 201);
    assert_eq!(answer.headers()["location"], "/api/wiki/articles/how-we-deploy");
    let article: Value = answer.json().await.unwrap();
    assert_eq!((&article["slug"], &article["revision"]), (&json!("how-we-deploy"), &json!(1)));
    assert_eq!((&article["created_by"], &article["size"]), (&json!("ann"), &json!(5)));
    assert_eq!((&article["protected"], &article["is_stale"]), (&Value::Null, &json!(false)));
    // The next article of this title has a slug of its own; one that is asked for is not changed.
    assert_eq!(test.did(&bob, Method::POST, "/api/wiki/articles", new).await["slug"], "how-we-deploy-2");
    let taken =
        problem(post(&test, &bob, json!({ "title": "x", "slug": "how-we-deploy" })).await, 409, "slug_taken").await;
    assert_eq!(taken["leads_to"], "how-we-deploy");

    test.rewrite(&bob, "how-we-deploy", "One.\nTwo.\n").await;
    let read = test.article_of(&ann, "how-we-deploy").await;
    assert_eq!((&read["body"], &read["updated_by"]), (&json!("One.\nTwo.\n"), &json!("bob")));
    let revisions = test.look(&ann, &format!("{}/revisions", path("how-we-deploy"))).await["revisions"].clone();
    assert_eq!(column(&revisions, "author"), ["bob", "ann"]);
    assert_eq!(column(&revisions, "action"), ["edited", "created"]);
    assert_eq!((&revisions[0]["size_change"], &revisions[1]["summary"]), (&json!(5), &json!("Begin")));
    let first = test.look(&ann, &format!("{}/revisions/1", path("how-we-deploy"))).await;
    assert_eq!((&first["body"], &first["number"]), (&json!("One.\n"), &json!(1)));
    let one = test.look(&ann, &format!("{}/revisions?limit=1", path("how-we-deploy"))).await;
    assert_eq!((column(&one["revisions"], "author"), &one["next_cursor"]), (vec!["bob"], &json!(2)));
    let rest = test.look(&ann, &format!("{}/revisions?cursor=2", path("how-we-deploy"))).await;
    assert_eq!((column(&rest["revisions"], "author"), &rest["next_cursor"]), (vec!["ann"], &Value::Null));

    let diff = test.look(&ann, &format!("{}/diff?from=1&to=2", path("how-we-deploy"))).await;
    assert_eq!((&diff["added"], &diff["removed"], &diff["truncated"]), (&json!(1), &json!(0), &json!(false)));
    let lines = diff["hunks"][0]["lines"].as_array().unwrap();
    assert_eq!(
        lines[1],
        json!({ "kind": "added", "old_line": null, "new_line": 2, "parts": [{ "text": "Two.", "changed": false }] })
    );
    assert_eq!(test.look(&ann, &format!("{}/diff?to=1", path("how-we-deploy"))).await["from"], Value::Null);
    for query in ["from=-1", "to=0", "from=x"] {
        let answer =
            test.request_as(&ann, Method::GET, &format!("{}/diff?{query}", path("how-we-deploy"))).send().await;
        assert_eq!(answer.unwrap().status(), 400, "{query}");
    }
    let answer = test.request_as(&ann, Method::GET, &format!("{}/diff?to=9", path("how-we-deploy"))).send().await;
    problem(answer.unwrap(), 404, "not_found").await;
    let answer = test.request_as(&ann, Method::GET, &path("nothing-here")).send().await.unwrap();
    problem(answer, 404, "not_found").await;
}

#[both_engines]
async fn bad_input_names_its_field_and_changes_nothing(test: TestServer) {
    let ann = test.person("ann").await;
    let long = "a".repeat(101);
    for slug in ["a", &long, "Deploy", "a..b", "-a", "a-", "a/b", "ä-b", ""] {
        let refused =
            problem(post(&test, &ann, json!({ "title": "x", "slug": slug })).await, 400, "validation_failed").await;
        assert_eq!(faults(&refused), ["slug"], "{slug}");
    }
    for (new, field) in [
        (json!({ "title": " ", "slug": "ok" }), "title"),
        (json!({ "title": "x".repeat(201), "slug": "ok" }), "title"),
        (json!({ "title": "x", "slug": "ok", "body": "x".repeat(256 * 1024 + 1) }), "body"),
        (json!({ "title": "x", "slug": "ok", "body": "a\u{0}b" }), "body"),
        (json!({ "title": "x", "slug": "ok", "summary": "x".repeat(501) }), "summary"),
        (json!({ "title": "x", "slug": "ok", "stale_after": "soon" }), "stale_after"),
        (json!({ "title": "x", "slug": "ok", "protected": "agents" }), "protected"),
        (json!({ "title": "x", "slug": "ok", "color": "red" }), "color"),
        (json!({ "title": "目標" }), "slug"),
    ] {
        let refused = problem(post(&test, &ann, new).await, 400, "validation_failed").await;
        assert_eq!(faults(&refused), [field], "{refused}");
    }
    let links = (0..10_000).map(|number| format!("[[page-{number}]]")).collect::<Vec<_>>().join("\n");
    let refused = post(&test, &ann, json!({ "title": "x", "slug": "ok", "body": links })).await;
    assert_eq!(faults(&problem(refused, 400, "validation_failed").await), ["body"]);
    assert_eq!(test.look(&ann, "/api/wiki/articles").await["articles"], json!([]));
    assert_eq!(test.look(&ann, "/api/wiki/map").await["wanted"], json!([]));

    test.article(&ann, "ok", &"é".repeat(128 * 1024)).await;
    let read = test.article_of(&ann, "ok").await;
    assert_eq!(read["size"], 256 * 1024);
    for (save, field) in [
        (json!({ "body": "x" }), "base_revision"),
        (json!({ "body": "x", "base_revision": 0 }), "base_revision"),
        (json!({ "body": "x", "base_revision": 9 }), "base_revision"),
        (json!({ "base_revision": 1 }), "body"),
        (json!({ "base_revision": 1, "section": "Install" }), "body"),
        (json!({ "base_revision": 1, "title": "" }), "title"),
    ] {
        let refused = problem(test.ask(&ann, Method::PUT, &path("ok"), save).await, 400, "validation_failed").await;
        assert_eq!(faults(&refused), [field], "{refused}");
    }
    let unknown = json!({ "body": "x", "base_revision": 1, "section": "Nowhere" });
    problem(test.ask(&ann, Method::PUT, &path("ok"), unknown).await, 404, "section_not_found").await;
    for query in [
        "sort=color",
        "state=lost",
        "limit=0",
        "cursor=x",
        "sort=relevance",
        "sort=title&state=stale",
        "q=x&state=deleted",
    ] {
        let answer = test.request_as(&ann, Method::GET, &format!("/api/wiki/articles?{query}")).send().await.unwrap();
        assert_eq!(answer.status(), 400, "{query}");
    }
    assert_eq!(test.article_of(&ann, "ok").await["revision"], 1);
}

#[both_engines]
async fn a_rename_keeps_the_history_and_leads_from_the_former_slug(test: TestServer) {
    let ann = test.person("ann").await;
    test.article(&ann, "first", "See [[second]] and [[third]].").await;
    test.article(&ann, "reader", "[[first]] and [[second]]").await;
    let rename = |slug: &str, to: &str| {
        let (path, to) = (format!("{}/rename", path(slug)), json!({ "slug": to }));
        let (test, ann) = (&test, &ann);
        async move { test.ask(ann, Method::POST, &path, to).await }
    };
    let renamed: Value = rename("first", "second").await.json().await.unwrap();
    assert_eq!(
        (&renamed["slug"], &renamed["revision"], &renamed["redirects"]),
        (&json!("second"), &json!(2), &json!(["first"]))
    );
    // One article links to both slugs, and the article to itself: that is one backlink.
    assert_eq!(renamed["backlink_count"], 1);
    let answer = test.request_as(&ann, Method::GET, &path("first")).send().await.unwrap();
    assert_eq!(answer.headers()["content-location"], path("second").as_str());
    let led: Value = answer.json().await.unwrap();
    assert_eq!((&led["slug"], &led["redirected_from"]), (&json!("second"), &json!("first")));
    let revisions = test.look(&ann, &format!("{}/revisions", path("first"))).await["revisions"].clone();
    assert_eq!(
        (column(&revisions, "slug"), column(&revisions, "action")),
        (vec!["second", "first"], vec!["renamed", "created"])
    );
    // A save under the former slug works, and so does one that is based on the revision before the rename.
    let saved: Value = test.save(&ann, "first", 1, "See [[third]].").await.json().await.unwrap();
    assert_eq!((&saved["slug"], &saved["revision"]), (&json!("second"), &json!(3)));

    test.article(&ann, "other", "").await;
    for (slug, to) in [("other", "second"), ("other", "first")] {
        let refused = problem(rename(slug, to).await, 409, "slug_taken").await;
        assert_eq!(refused["leads_to"], "second", "{to}");
    }
    problem(post(&test, &ann, json!({ "title": "x", "slug": "first" })).await, 409, "slug_taken").await;
    for to in ["a", "Upper", "../x"] {
        assert_eq!(faults(&problem(rename("other", to).await, 400, "validation_failed").await), ["slug"]);
    }
    // In a circle: each slug leads to the article.
    for to in ["third", "first", "second", "first"] {
        assert_eq!(rename("second", to).await.json::<Value>().await.unwrap()["slug"], to);
    }
    let article = test.article_of(&ann, "third").await;
    assert_eq!((&article["slug"], &article["redirects"]), (&json!("first"), &json!(["second", "third"])));
    assert_eq!(rename("first", "first").await.json::<Value>().await.unwrap()["revision"], article["revision"]);
    assert_eq!(
        column(&test.look(&ann, &format!("{}/backlinks", path("third"))).await["backlinks"], "slug"),
        ["reader"]
    );
}

#[both_engines]
async fn a_deleted_article_keeps_its_history_and_comes_back(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    test.article(&ann, "plan", "Old words and [[home]].").await;
    test.rewrite(&ann, "plan", "New words and [[home]].").await;
    test.article(&ann, "home", "[[plan]]").await;
    let answer =
        test.request_as(&bob, Method::DELETE, &format!("{}?summary=Outdated", path("plan"))).send().await.unwrap();
    assert_eq!(answer.status(), 204);
    let gone =
        problem(test.request_as(&ann, Method::GET, &path("plan")).send().await.unwrap(), 404, "article_deleted").await;
    assert_eq!(gone["deleted_by"], "bob");
    problem(test.save(&ann, "plan", 3, "x").await, 404, "article_deleted").await;
    for action in ["rename", "verify"] {
        let body = if action == "rename" { json!({ "slug": "plan-2" }) } else { json!({}) };
        let answer = test.ask(&ann, Method::POST, &format!("{}/{action}", path("plan")), body).await;
        problem(answer, 404, "article_deleted").await;
    }
    problem(test.request_as(&bob, Method::DELETE, &path("plan")).send().await.unwrap(), 404, "article_deleted").await;
    problem(post(&test, &ann, json!({ "title": "x", "slug": "plan" })).await, 409, "slug_taken").await;
    // It is neither listed nor found nor linked, and its slug is wanted.
    assert_eq!(column(&test.look(&ann, "/api/wiki/articles").await["articles"], "slug"), ["home"]);
    assert_eq!(test.look(&ann, "/api/wiki/articles?q=words").await["articles"], json!([]));
    assert_eq!(test.article_of(&ann, "home").await["backlink_count"], 0);
    let map = test.look(&ann, "/api/wiki/map").await;
    assert_eq!((&map["wanted"], &map["article_count"]), (&json!([{ "slug": "plan", "link_count": 1 }]), &json!(1)));
    let deleted = test.look(&ann, "/api/wiki/articles?state=deleted").await["articles"].clone();
    assert_eq!(column(&deleted, "slug"), ["plan"]);
    let revisions = test.look(&ann, &format!("{}/revisions", path("plan"))).await["revisions"].clone();
    assert_eq!(column(&revisions, "action"), ["deleted", "edited", "created"]);
    assert_eq!((&revisions[0]["summary"], &revisions[0]["author"]), (&json!("Outdated"), &json!("bob")));
    assert_eq!(test.look(&ann, &format!("{}/revisions/2", path("plan"))).await["body"], "New words and [[home]].");

    let restored = test.did(&ann, Method::POST, &format!("{}/restore", path("plan")), json!({})).await;
    assert_eq!((&restored["body"], &restored["revision"]), (&json!("New words and [[home]]."), &json!(4)));
    assert_eq!(test.article_of(&ann, "home").await["backlink_count"], 1);
    assert_eq!(column(&test.look(&ann, "/api/wiki/articles?q=words").await["articles"], "slug"), ["plan"]);
    assert_eq!(test.look(&ann, "/api/wiki/map").await["wanted"], json!([]));
    let again = test.ask(&ann, Method::POST, &format!("{}/restore", path("plan")), json!({})).await;
    problem(again, 409, "not_deleted").await;
    let back = test.did(&ann, Method::POST, &format!("{}/restore", path("plan")), json!({ "revision": 1 })).await;
    assert_eq!((&back["body"], &back["revision"]), (&json!("Old words and [[home]]."), &json!(5)));
    let missing = test.ask(&ann, Method::POST, &format!("{}/restore", path("plan")), json!({ "revision": 77 })).await;
    problem(missing, 404, "not_found").await;
}

#[both_engines]
async fn only_humans_change_a_protected_article(test: TestServer) {
    let ann = test.person("ann").await;
    let key = test.create_agent(&ann, "helper").await;
    let as_agent = |method: Method, path: String, body: Value| {
        let request = test.request_with(&key, method, &path).json(&body);
        async move { request.send().await.unwrap() }
    };
    test.article(&ann, "rules", "Be kind.").await;
    let saved = as_agent(Method::PUT, path("rules"), json!({ "base_revision": 1, "body": "Be kind. Always." })).await;
    assert_eq!(saved.status(), 200);
    let protect = json!({ "base_revision": 2, "protected": "humans" });
    problem(as_agent(Method::PUT, path("rules"), protect.clone()).await, 403, "humans_only").await;
    problem(
        as_agent(Method::POST, "/api/wiki/articles".into(), json!({ "title": "Mine", "protected": "humans" })).await,
        403,
        "humans_only",
    )
    .await;
    let article = test.did(&ann, Method::PUT, &path("rules"), protect).await;
    assert_eq!((&article["protected"], &article["revision"]), (&json!("humans"), &json!(3)));
    let save = json!({ "base_revision": 3, "body": "Be rude." });
    problem(as_agent(Method::PUT, path("rules"), save.clone()).await, 403, "humans_only").await;
    problem(
        as_agent(Method::POST, format!("{}/rename", path("rules")), json!({ "slug": "my-rules" })).await,
        403,
        "humans_only",
    )
    .await;
    problem(
        as_agent(Method::POST, format!("{}/restore", path("rules")), json!({ "revision": 1 })).await,
        403,
        "humans_only",
    )
    .await;
    problem(as_agent(Method::DELETE, path("rules"), json!({})).await, 403, "humans_only").await;
    // It can be read and verified.
    let verified: Value =
        as_agent(Method::POST, format!("{}/verify", path("rules")), json!({})).await.json().await.unwrap();
    assert_eq!(verified["verified_by"], "helper");
    test.did(&ann, Method::PUT, &path("rules"), json!({ "base_revision": 3, "protected": "none" })).await;
    let save = json!({ "base_revision": 4, "body": "Be kind to all." });
    assert_eq!(as_agent(Method::PUT, path("rules"), save).await.status(), 200);
    let revisions = test.look(&ann, &format!("{}/revisions", path("rules"))).await["revisions"].clone();
    assert_eq!(column(&revisions, "action"), ["edited", "configured", "configured", "edited", "created"]);

    // A key that only reads, and one that is limited to channels.
    let (_, reader) = test.create_key(&ann, json!({ "name": "reader", "permissions": ["read"] })).await;
    assert_eq!(test.request_with(&reader, Method::GET, &path("rules")).send().await.unwrap().status(), 200);
    let refused =
        test.request_with(&reader, Method::PUT, &path("rules")).json(&json!({ "base_revision": 5, "body": "" }));
    problem(refused.send().await.unwrap(), 403, "permission_denied").await;
    test.did(&ann, Method::POST, "/api/channels", json!({ "name": "ops" })).await;
    let limited = json!({ "name": "limited", "permissions": ["read", "write"], "allowed_channels": ["ops"] });
    let (_, limited) = test.create_key(&ann, limited).await;
    for path in ["/api/wiki/articles".to_owned(), path("rules"), "/api/wiki/map".to_owned()] {
        let refused = test.request_with(&limited, Method::GET, &path).send().await.unwrap();
        problem(refused, 403, "channel_not_allowed").await;
    }
}

#[both_engines]
async fn an_article_is_stale_until_somebody_verifies_it(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    let past = json!({ "title": "Prices", "slug": "prices", "stale_after": "2020-01-01" });
    let article = test.did(&ann, Method::POST, "/api/wiki/articles", past).await;
    assert_eq!((&article["is_stale"], &article["stale_after"]), (&json!(true), &json!("2020-01-01T00:00:00.000Z")));
    test.did(&ann, Method::POST, "/api/wiki/articles", json!({ "title": "Later", "stale_after": "2999-01-01" })).await;
    assert_eq!(column(&test.look(&ann, "/api/wiki/map").await["stale"], "slug"), ["prices"]);
    assert_eq!(column(&test.look(&ann, "/api/wiki/articles?state=stale").await["articles"], "slug"), ["prices"]);
    let verified = test.did(&bob, Method::POST, &format!("{}/verify", path("prices")), json!({ "revision": 1 })).await;
    assert_eq!(
        (&verified["is_stale"], &verified["verified_by"], &verified["verified_revision"]),
        (&json!(false), &json!("bob"), &json!(1))
    );
    assert_eq!(test.look(&ann, "/api/wiki/map").await["stale"], json!([]));
    // A new day makes it stale again, and no day never.
    let save = json!({ "base_revision": 1, "stale_after": "2021-01-01" });
    assert_eq!(test.did(&ann, Method::PUT, &path("prices"), save).await["is_stale"], false);
    test.rewrite(&ann, "prices", "Two.").await;
    let old = test.ask(&bob, Method::POST, &format!("{}/verify", path("prices")), json!({ "revision": 1 })).await;
    problem(old, 409, "edit_conflict").await;
    let verify = json!({ "stale_after": "" });
    assert_eq!(
        test.did(&bob, Method::POST, &format!("{}/verify", path("prices")), verify).await["stale_after"],
        Value::Null
    );
    let refused =
        test.ask(&bob, Method::POST, &format!("{}/verify", path("prices")), json!({ "stale_after": "x" })).await;
    assert_eq!(faults(&problem(refused, 400, "validation_failed").await), ["stale_after"]);
}
