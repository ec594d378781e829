//! Links between articles, the map, lists and search.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use svc_test_macros::both_engines;

use crate::support::people::Person;
use crate::support::server::{TestServer, problem};
use crate::support::wiki::{column, path};

#[both_engines]
async fn links_lead_to_articles_and_to_wanted_ones(test: TestServer) {
    let ann = test.person("ann").await;
    test.article(&ann, "home", "[[deploy]] [[on-call|who]] [[home]] `[[code]]` [[Wrong]]").await;
    test.article(&ann, "guide", "[[deploy]] and [[deploy]] again").await;
    let map = test.look(&ann, "/api/wiki/map").await;
    let wanted = json!([{ "slug": "deploy", "link_count": 2 }, { "slug": "on-call", "link_count": 1 }]);
    assert_eq!(map["wanted"], wanted);
    assert_eq!((&map["hubs"], column(&map["orphans"], "slug")), (&json!([]), vec!["guide", "home"]));
    // An article that is wanted has its backlinks before it exists, and after.
    let wanting = format!("{}/backlinks", path("deploy"));
    assert_eq!(column(&test.look(&ann, &wanting).await["backlinks"], "slug"), ["home", "guide"]);
    let article = test.article(&ann, "deploy", "[[home]]").await;
    assert_eq!(article["backlink_count"], 2);
    assert_eq!(column(&test.look(&ann, &wanting).await["backlinks"], "slug"), ["home", "guide"]);
    let map = test.look(&ann, "/api/wiki/map").await;
    assert_eq!(column(&map["hubs"], "slug"), ["deploy", "home"]);
    let links = json!([
        { "from": "deploy", "to": "home" }, { "from": "guide", "to": "deploy" },
        { "from": "home", "to": "deploy" }, { "from": "home", "to": "on-call" },
    ]);
    assert_eq!(map["links"], links);
    assert_eq!(column(&test.look(&ann, "/api/wiki/articles?state=orphan").await["articles"], "slug"), ["guide"]);
    // Pages of backlinks.
    let first = test.look(&ann, &format!("{wanting}?limit=1")).await;
    assert_eq!(column(&first["backlinks"], "slug"), ["home"]);
    let next = first["next_cursor"].as_str().unwrap();
    let second = test.look(&ann, &format!("{wanting}?limit=1&cursor={next}")).await;
    assert_eq!((column(&second["backlinks"], "slug"), &second["next_cursor"]), (vec!["guide"], &Value::Null));
    let unknown = test.request_as(&ann, Method::GET, &format!("{}/backlinks", path("nobody-links"))).send().await;
    problem(unknown.unwrap(), 404, "not_found").await;
    // A link that is removed is gone.
    test.rewrite(&ann, "home", "nothing").await;
    assert_eq!(test.article_of(&ann, "deploy").await["backlink_count"], 1);
    assert_eq!(test.look(&ann, "/api/wiki/map").await["wanted"], json!([]));
}

/// The counts of links as they follow from the texts.
async fn expected(test: &TestServer, ann: &Person) -> (BTreeMap<String, i64>, BTreeMap<String, i64>) {
    let mut articles = Vec::new();
    for summary in test.look(ann, "/api/wiki/articles?limit=200").await["articles"].as_array().unwrap() {
        articles.push(test.article_of(ann, summary["slug"].as_str().unwrap()).await);
    }
    let mut leads_to = BTreeMap::new();
    for article in &articles {
        let slug = article["slug"].as_str().unwrap();
        let former = article["redirects"].as_array().unwrap().iter().map(|slug| slug.as_str().unwrap());
        leads_to.extend(former.chain([slug]).map(|name| (name.to_owned(), slug.to_owned())));
    }
    let mut backlinks: BTreeMap<_, _> =
        articles.iter().map(|article| (article["slug"].as_str().unwrap().to_owned(), 0)).collect();
    let mut wanted = BTreeMap::new();
    for article in &articles {
        let own = article["slug"].as_str().unwrap();
        let mut targets = BTreeSet::new();
        for word in article["body"].as_str().unwrap().split(' ').filter(|word| !word.is_empty()) {
            let slug = word.trim_matches(['[', ']']);
            match leads_to.get(slug) {
                Some(target) => drop(targets.insert(target.clone())),
                None => *wanted.entry(slug.to_owned()).or_insert(0) += 1,
            }
        }
        targets.remove(own);
        for target in targets {
            *backlinks.get_mut(&target).unwrap() += 1;
        }
    }
    (backlinks, wanted)
}

#[both_engines]
async fn counts_agree_with_the_texts_whatever_happens(test: TestServer) {
    let ann = test.person("ann").await;
    let name = |number: u64| format!("page-{}", number % 9);
    let mut seed = 42_u64;
    let mut random = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        seed >> 33
    };
    for _ in 0..120 {
        let (slug, action) = (name(random()), random() % 6);
        let links: BTreeSet<_> = (0..random() % 4).map(|_| name(random())).collect();
        let body = links.iter().map(|slug| format!("[[{slug}]]")).collect::<Vec<_>>().join(" ");
        let (method, path, body) = match action {
            0 => (Method::POST, "/api/wiki/articles".into(), json!({ "slug": slug, "title": "Page", "body": body })),
            1 | 2 => {
                let read = test.request_as(&ann, Method::GET, &path(&slug)).send().await.unwrap();
                let base = read.json::<Value>().await.unwrap()["revision"].as_i64().unwrap_or(1);
                (Method::PUT, path(&slug), json!({ "base_revision": base, "body": body }))
            }
            3 => (Method::POST, format!("{}/rename", path(&slug)), json!({ "slug": name(random()) })),
            4 => (Method::DELETE, path(&slug), json!({})),
            _ => (Method::POST, format!("{}/restore", path(&slug)), json!({})),
        };
        let status = test.ask(&ann, method, &path, body).await.status().as_u16();
        assert!([200, 201, 204, 404, 409].contains(&status), "{status}");
    }
    let (backlinks, wanted) = expected(&test, &ann).await;
    assert!(backlinks.len() > 1, "{backlinks:?}");
    let mut counted = BTreeMap::new();
    for slug in backlinks.keys() {
        let article = test.article_of(&ann, slug).await;
        counted.insert(slug.clone(), article["backlink_count"].as_i64().unwrap());
        let listed = test.look(&ann, &format!("{}/backlinks", path(slug))).await;
        assert_eq!(json!(listed["backlinks"].as_array().unwrap().len()), json!(counted[slug]), "{slug}");
    }
    assert_eq!(counted, backlinks);
    let map = test.look(&ann, "/api/wiki/map").await;
    let listed: BTreeMap<_, _> = map["wanted"]
        .as_array()
        .unwrap()
        .iter()
        .map(|wanted| (wanted["slug"].as_str().unwrap().to_owned(), wanted["link_count"].as_i64().unwrap()))
        .collect();
    assert_eq!(listed, wanted);
    assert_eq!(map["article_count"], backlinks.len());
}

#[both_engines]
async fn search_finds_titles_before_texts_with_the_words_of_the_hub(test: TestServer) {
    let ann = test.person("ann").await;
    for (slug, title, body) in [
        ("body-only", "Runbook", "Deploy with care. Été in Paris."),
        ("titled", "Deploy to production", "Nothing else."),
        ("linked", "Deployment", "Words about the deploy pipeline, left-pad and rollback."),
        ("unrelated", "Holidays", "See [[linked]]."),
    ] {
        test.did(&ann, Method::POST, "/api/wiki/articles", json!({ "slug": slug, "title": title, "body": body })).await;
    }
    let find = |query: &str| {
        let path = format!("/api/wiki/articles?q={query}");
        let (test, ann) = (&test, &ann);
        async move { test.look(ann, &path).await }
    };
    let found = find("deploy").await;
    assert_eq!(column(&found["articles"], "slug"), ["titled", "linked", "body-only"]);
    assert_eq!((&found["total"], &found["partial"]), (&json!(3), &json!(false)));
    assert_eq!(found["articles"][2]["snippet"], "<mark>Deploy</mark> with care. Été in Paris.");
    assert_eq!(found["articles"][0]["snippet"], "<mark>Deploy</mark> to production");
    for (query, slugs) in [
        ("deploy%20-care", vec!["titled", "linked"]),
        ("%22deploy%20pipeline%22", vec!["linked"]),
        ("deploy*", vec!["titled", "linked", "body-only"]),
        ("ete", vec!["body-only"]),
        ("left-pad", vec!["linked"]),
        ("nowhere", vec![]),
    ] {
        let mut found: Vec<_> = column(&find(query).await["articles"], "slug").into_iter().map(str::to_owned).collect();
        let mut slugs: Vec<_> = slugs.into_iter().map(str::to_owned).collect();
        if query == "deploy*" {
            found.sort_unstable();
            slugs.sort_unstable();
        }
        assert_eq!(found, slugs, "{query}");
    }
    assert_eq!(column(&find("-deploy").await["articles"], "slug"), ["unrelated"]);
    let first = find("deploy&limit=2").await;
    let next = first["next_cursor"].as_str().unwrap();
    assert_eq!(column(&find(&format!("deploy&limit=2&cursor={next}")).await["articles"], "slug"), ["body-only"]);
    // The newest text counts, and nothing else.
    test.rewrite(&ann, "titled", "About the rollback.").await;
    test.rewrite(&ann, "linked", "Empty.").await;
    assert_eq!(column(&find("rollback").await["articles"], "slug"), ["titled"]);
}

#[both_engines]
async fn lists_have_an_order_and_pages(test: TestServer) {
    let ann = test.person("ann").await;
    for (slug, title) in [("one", "b side"), ("two", "A side"), ("three", "C side"), ("four", "a side")] {
        test.did(&ann, Method::POST, "/api/wiki/articles", json!({ "slug": slug, "title": title })).await;
    }
    for (slug, body) in [("one", "[[three]] [[four]]"), ("two", "[[three]]")] {
        test.clock.advance(Duration::from_secs(1));
        test.rewrite(&ann, slug, body).await;
    }
    for (query, slugs) in [
        ("sort=title", ["two", "four", "one", "three"]),
        ("sort=updated", ["two", "one", "four", "three"]),
        ("sort=backlinks", ["three", "four", "two", "one"]),
    ] {
        let mut found = Vec::new();
        let mut path = format!("/api/wiki/articles?{query}&limit=1");
        loop {
            let page = test.look(&ann, &path).await;
            found.extend(column(&page["articles"], "slug").into_iter().map(str::to_owned));
            let Some(next) = page["next_cursor"].as_str() else { break };
            path = format!("/api/wiki/articles?{query}&limit=1&cursor={}", next.replace(' ', "%20"));
        }
        assert_eq!(found, slugs, "{query}");
    }
}
