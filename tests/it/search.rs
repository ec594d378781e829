//! Search: words and filters, what nobody else's search finds, odd questions, and both engines alike.

use std::time::Duration;

use reqwest::{Method, Response};
use serde_json::{Value, json};
use svc_core::messages::NewMessage;
use svc_core::search::SearchFilter;
use svc_core::{Caller, Hub};
use svc_test_macros::both_engines;
use url::form_urlencoded::Serializer;

use crate::support::hub::TestHub;
use crate::support::people::{Person, agent_of_admin};
use crate::support::server::{TestServer, problem};

fn path(parameters: &[(&str, &str)]) -> String {
    format!("/api/messages/search?{}", Serializer::new(String::new()).extend_pairs(parameters).finish())
}

impl TestServer {
    async fn try_search(&self, person: &Person, parameters: &[(&str, &str)]) -> Response {
        self.request_as(person, Method::GET, &path(parameters)).send().await.unwrap()
    }

    async fn search(&self, person: &Person, parameters: &[(&str, &str)]) -> Value {
        self.look(person, &path(parameters)).await
    }

    /// The bodies that a person finds, in order; they are as many as the total says.
    async fn finds(&self, person: &Person, parameters: &[(&str, &str)]) -> Vec<String> {
        bodies(&self.search(person, parameters).await)
    }

    /// Says something in the channel that everybody reads.
    async fn announce(&self, person: &Person, body: &str) -> Value {
        self.say(person, json!({ "channel": "general", "body": body })).await
    }

    /// Makes a private channel with its owner as its only member.
    async fn private_channel(&self, name: &str, owner: &Person) {
        let new = json!({ "name": name, "public": false });
        let made = self.request_as(owner, Method::POST, "/api/channels").json(&new).send().await.unwrap();
        assert_eq!(made.status(), 201, "{}", made.text().await.unwrap());
    }
}

fn bodies(page: &Value) -> Vec<String> {
    let messages = page["messages"].as_array().unwrap();
    assert_eq!(page["total"], messages.len(), "{page}");
    messages.iter().map(|message| message["body"].as_str().unwrap().to_owned()).collect()
}

const NOTHING: [&str; 0] = [];

async fn agent(hub: &Hub, name: &str) -> Caller {
    hub.auth().bearer(&agent_of_admin(hub, name).await).await.unwrap()
}

#[both_engines]
async fn words_phrases_prefixes_and_exclusions_mean_what_they_say(test: TestServer) {
    let ann = test.person("ann").await;
    for body in [
        "The build failed again",
        "failed to build",
        "Deployment of the café-bar",
        "ДОБРЫЙ день 数据库",
        "see https://example.org/Release_notes?x=1",
    ] {
        test.announce(&ann, body).await;
    }
    for (q, found) in [
        ("build failed", &["The build failed again", "failed to build"] as &[_]),
        ("BUILD again", &["The build failed again"]),
        ("\"build failed\"", &["The build failed again"]),
        ("build -again", &["failed to build"]),
        ("build -\"build failed\"", &["failed to build"]),
        ("depl*", &["Deployment of the café-bar"]),
        ("depl", &[]),
        ("\"the cafe\"", &["Deployment of the café-bar"]),
        ("CAFÉ-BAR", &["Deployment of the café-bar"]),
        ("\"of the ca\"*", &["Deployment of the café-bar"]),
        ("добрый", &["ДОБРЫЙ день 数据库"]),
        ("数据库", &["ДОБРЫЙ день 数据库"]),
        ("release notes", &["see https://example.org/Release_notes?x=1"]),
        ("example", &["see https://example.org/Release_notes?x=1"]),
        ("build deployment", &[]),
        ("-build -deploy*", &["see https://example.org/Release_notes?x=1", "ДОБРЫЙ день 数据库"]),
        ("the -the", &[]),
    ] {
        let mut hits = test.finds(&ann, &[("q", q), ("sort", "newest")]).await;
        if q == "build failed" {
            hits.reverse();
        }
        assert_eq!(hits, found, "{q}");
    }
}

#[both_engines]
async fn no_question_is_too_odd(test: TestServer) {
    let ann = test.person("ann").await;
    test.announce(&ann, "plain words").await;
    let terms = "a ".repeat(10_000);
    let operators = "AND OR NOT NEAR ( ) : ^ + & | ! <-> * ";
    for q in [
        "\"",
        "\"\"\"",
        "\"plain",
        "plain\" words",
        "*",
        "-",
        "--",
        "- - -",
        "-\"",
        "()",
        "plain*\"",
        "^plain",
        "body:plain",
        "{subject body}: plain",
        "NEAR(plain words, 2)",
        "plain AND",
        "OR plain",
        "NOT",
        "'; DROP TABLE messages; --",
        "\\",
        "'",
        "a'b\\'c:*",
        "🙂",
        "\u{0}",
        "plain\u{0}words",
        "\u{1}\u{7f}",
        "é",
        "数",
        &terms,
        operators,
        &"-x ".repeat(3_000),
        &"\"".repeat(999),
        &"x".repeat(5_000),
    ] {
        let answer = test.try_search(&ann, &[("q", q)]).await;
        assert_eq!(answer.status(), 200, "{q:?}: {}", answer.text().await.unwrap());
    }
    // What says nothing asks for nothing, and a lone quote is only a quote.
    for q in ["", "🙂", "*", "\"\"", "()", "\u{0}", "\"plain", "plain\" words", "plain\u{0}words"] {
        assert_eq!(test.finds(&ann, &[("q", q)]).await, ["plain words"], "{q:?}");
    }
    for q in ["plain AND words", "body:plain", &terms] {
        assert_eq!(test.finds(&ann, &[("q", q)]).await, NOTHING, "{q:?}");
    }
}

#[both_engines]
async fn filters_narrow_by_place_sender_and_time(test: TestServer) {
    let ann = test.person("ann").await;
    test.person("bob").await;
    let reviewer = test.create_agent(&ann, "reviewer").await;
    test.private_channel("ops", &ann).await;
    test.announce(&ann, "alpha in general by ann").await;
    test.clock.advance(Duration::from_hours(24));
    let ann = test.log_in("ann").await;
    test.say(&ann, json!({ "channel": "ops", "body": "alpha in ops by ann" })).await;
    test.clock.advance(Duration::from_hours(24));
    let (ann, bob) = (test.log_in("ann").await, test.log_in("bob").await);
    test.say_with(&reviewer, json!({ "channel": "general", "body": "alpha in general by reviewer" })).await;
    test.say(&bob, json!({ "to": "ann", "body": "alpha to ann by bob", "subject": "beta" })).await;
    let all = ["alpha to ann by bob", "alpha in general by reviewer", "alpha in ops by ann", "alpha in general by ann"];
    let at = |places: &[usize]| places.iter().map(|place| all[*place]).collect::<Vec<_>>();
    for (name, value, found) in [
        ("channel", "general", at(&[1, 3])),
        ("channel", "#General, ops", at(&[1, 2, 3])),
        ("channel", "-general", at(&[0, 2])),
        ("channel", "general,-general", at(&[])),
        ("channel", "nowhere", at(&[])),
        ("channel", "nowhere,ops", at(&[2])),
        ("channel", "-nowhere", at(&[0, 1, 2, 3])),
        ("agent", "reviewer", at(&[1])),
        ("agent", "@Ann,bob", at(&[0, 2, 3])),
        ("agent", "-ann,-bob", at(&[1])),
        ("agent", "nobody", at(&[])),
        ("agent", "-nobody", at(&[0, 1, 2, 3])),
        ("after", "2026-01-02", at(&[0, 1, 2])),
        ("after", "2026-01-02T00:00:01Z", at(&[0, 1])),
        ("before", "2026-01-02", at(&[3])),
        ("before", "2026-01-02T01:00:00+01:00", at(&[3])),
        ("before", "2026-01-02T00:00:00.001Z", at(&[2, 3])),
    ] {
        for q in ["alpha", "", "-gamma"] {
            let hits = test.finds(&ann, &[(name, value), ("q", q), ("sort", "newest")]).await;
            assert_eq!(hits, found, "{name}={value}&q={q}");
        }
    }
    assert_eq!(test.finds(&ann, &[("q", "beta")]).await, ["alpha to ann by bob"]);
    let both =
        [("q", "alpha"), ("channel", "general"), ("agent", "-ann"), ("after", "2026-01-03"), ("before", "2026-01-04")];
    assert_eq!(test.finds(&ann, &both).await, ["alpha in general by reviewer"]);
}

#[both_engines]
async fn filters_narrow_by_what_became_of_a_message_and_what_it_carries(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    test.say(&ann, json!({ "to": "bob", "body": "work one" })).await;
    let done = test.say(&ann, json!({ "to": "bob", "body": "work two" })).await;
    test.announce(&ann, "work for @bob and @nobody").await;
    let judged = test.announce(&ann, "work judged").await;
    test.execute(format!("UPDATE messages SET status = 'done' WHERE id = {}", done["id"])).await;
    assert_eq!(test.finds(&bob, &[("q", "work"), ("status", "done")]).await, ["work two"]);
    assert_eq!(test.finds(&bob, &[("status", "done,failed")]).await, ["work two"]);
    assert_eq!(test.finds(&bob, &[("q", "one two"), ("status", "pending")]).await, NOTHING);

    for person in [&ann, &bob] {
        assert_eq!(test.finds(person, &[("has", "mention")]).await, ["work for @bob and @nobody"]);
        assert_eq!(test.finds(person, &[("has", "mention"), ("q", "work")]).await, ["work for @bob and @nobody"]);
    }
    let json = if test.hub.db().engine() == svc_core::db::Engine::Sqlite { "'{}'" } else { "CAST('{}' AS jsonb)" };
    test.execute(format!(
        "INSERT INTO reactions (message_id, participant_id, reaction, metadata, created_at)
         SELECT {}, id, 'approve', {json}, 0 FROM participants WHERE handle_key = 'bob'",
        judged["id"]
    ))
    .await;
    test.execute(format!(
        "UPDATE messages SET reaction_count = 1, workflow_state = 'approved' WHERE id = {}",
        judged["id"]
    ))
    .await;
    assert_eq!(test.finds(&bob, &[("has", "reaction")]).await, ["work judged"]);
    assert_eq!(test.finds(&bob, &[("has", "reaction,mention")]).await, NOTHING);
    assert_eq!(test.finds(&bob, &[("has", "attachment")]).await, NOTHING);
    // A state is one only where a workflow runs.
    assert_eq!(test.finds(&bob, &[("state", "approved")]).await, NOTHING);
    test.execute("UPDATE channels SET workflow_enabled = TRUE").await;
    assert_eq!(test.finds(&bob, &[("state", "approved,done")]).await, ["work judged"]);
    assert_eq!(test.finds(&bob, &[("state", "proposed"), ("q", "work")]).await, NOTHING);
}

#[both_engines]
async fn what_cannot_be_meant_is_refused(test: TestServer) {
    let ann = test.person("ann").await;
    for (name, value) in [
        ("after", "2026-02-30"),
        ("before", "2026-13-01"),
        ("after", "yesterday"),
        ("before", ""),
        ("after", "2026-11-15T25:00:00Z"),
        ("status", "open"),
        ("has", "hat"),
        ("has", "attachment,hat"),
        ("state", "great"),
        ("sort", "oldest"),
        ("limit", "0"),
        ("limit", "201"),
        ("limit", "many"),
        ("offset", "-1"),
        ("channel", &"a,".repeat(101)),
        ("agent", &"a,".repeat(101)),
    ] {
        let refusal =
            problem(test.try_search(&ann, &[("q", "x"), (name, value)]).await, 400, "validation_failed").await;
        assert!(refusal.to_string().contains(name), "{name}={value}: {refusal}");
    }
}

#[both_engines]
async fn nobody_finds_or_counts_what_they_may_not_see(test: TestServer) {
    let (ann, bob, eve) = (test.person("ann").await, test.person("bob").await, test.person("eve").await);
    let reviewer = test.create_agent(&bob, "reviewer").await;
    test.private_channel("ops", &ann).await;
    test.announce(&ann, "treasure for everybody").await;
    test.say(&ann, json!({ "channel": "ops", "body": "treasure in private" })).await;
    test.say(&ann, json!({ "to": "reviewer", "body": "treasure for the reviewer" })).await;
    test.say(&ann, json!({ "to": "bob", "body": "treasure for bob" })).await;
    let (everybody, private, agent, direct) =
        ("treasure for everybody", "treasure in private", "treasure for the reviewer", "treasure for bob");
    for q in ["treasure", "trea*", "", "-x"] {
        let newest = [("q", q), ("sort", "newest")];
        assert_eq!(test.finds(&ann, &newest).await, [direct, agent, private, everybody]);
        assert_eq!(test.finds(&bob, &newest).await, [direct, agent, everybody]);
        assert_eq!(test.finds(&eve, &newest).await, [everybody]);
        let own = test.look_with(&reviewer, &path(&newest)).await;
        assert_eq!(bodies(&own), [agent, everybody]);
    }
    for hidden in [("channel", "ops"), ("agent", "-ann"), ("offset", "1")] {
        let page = test.search(&eve, &[("q", "treasure"), hidden]).await;
        assert_eq!(page["messages"], json!([]), "{page}");
    }
    let (_, limited) =
        test.create_key(&ann, json!({ "name": "k", "permissions": ["read"], "allowed_channels": ["general"] })).await;
    assert_eq!(bodies(&test.look_with(&limited, &path(&[("q", "treasure")])).await), [everybody]);
    let (_, limited) =
        test.create_key(&ann, json!({ "name": "o", "permissions": ["read"], "allowed_channels": ["ops"] })).await;
    assert_eq!(bodies(&test.look_with(&limited, &path(&[("q", "treasure")])).await), [private]);
}

#[both_engines]
async fn a_mention_is_found_where_it_was_made(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    let said = test.announce(&ann, "lantern for @bob").await;
    assert_eq!(test.look(&bob, "/api/messages").await["messages"].as_array().unwrap().len(), 1);
    for parameters in [&[("q", "lantern")] as &[_], &[("q", "-nothing")], &[], &[("has", "mention")]] {
        let page = test.search(&bob, parameters).await;
        assert_eq!(page["total"], 1, "{parameters:?}: {page}");
        assert_eq!(page["messages"][0]["id"], said["id"]);
    }
}

#[both_engines]
async fn a_hit_is_the_whole_message_with_a_marked_snippet(test: TestServer) {
    let ann = test.person("ann").await;
    let body = format!("{}<b onclick='x()'>Needle & \"thread\"</b> {}", "hay ".repeat(80), "straw ".repeat(80));
    let said = test.announce(&ann, &body).await;
    let page = test.search(&ann, &[("q", "needle thr*")]).await;
    let mut hit = page["messages"][0].clone();
    let snippet = hit.as_object_mut().unwrap().remove("snippet").unwrap();
    assert_eq!(hit, said);
    let snippet = snippet.as_str().unwrap();
    assert!(
        snippet.contains(
            "&lt;b onclick=&#39;x()&#39;&gt;<mark>Needle</mark> &amp; &quot;<mark>thread</mark>&quot;&lt;/b&gt;"
        ),
        "{snippet}"
    );
    assert!(snippet.starts_with('…') && snippet.ends_with('…'), "{snippet}");
    let bare = snippet.replace("<mark>", "").replace("</mark>", "");
    assert!(!bare.contains(['<', '>', '"', '\'']), "{snippet}");
    let page = test.search(&ann, &[]).await;
    assert!(page["messages"][0]["snippet"].as_str().unwrap().starts_with("hay hay"), "{page}");
}

#[both_engines]
async fn pages_follow_each_other_without_gap_or_repeat(test: TestServer) {
    let ann = test.person("ann").await;
    for number in 0..25 {
        test.announce(&ann, &format!("echo {} {number}", "echo ".repeat(number % 4))).await;
    }
    for sort in ["relevance", "newest"] {
        let mut seen = Vec::new();
        for offset in ["0", "10", "20"] {
            let page = test.search(&ann, &[("q", "echo"), ("sort", sort), ("limit", "10"), ("offset", offset)]).await;
            assert_eq!(page["total"], 25, "{page}");
            seen.extend(page["messages"].as_array().unwrap().iter().map(|message| message["id"].as_i64().unwrap()));
        }
        let whole = test.search(&ann, &[("q", "echo"), ("sort", sort)]).await;
        let ids: Vec<_> =
            whole["messages"].as_array().unwrap().iter().map(|message| message["id"].as_i64().unwrap()).collect();
        assert_eq!(seen, ids, "{sort}");
        assert_eq!(ids.iter().collect::<std::collections::BTreeSet<_>>().len(), 25);
        assert_eq!(sort == "newest", ids.is_sorted_by(|earlier, later| earlier > later), "{ids:?}");
    }
    for q in ["echo", ""] {
        let beyond = test.search(&ann, &[("q", q), ("offset", "100")]).await;
        assert_eq!((&beyond["messages"], &beyond["total"]), (&json!([]), &json!(25)));
    }
}

#[both_engines]
async fn words_are_found_at_once_without_any_worker(test: TestHub) {
    let (writer, reader) = (agent(&test.hub, "writer").await, agent(&test.hub, "reader").await);
    for number in 0..5 {
        say(&test.hub, &writer, &format!("pebble {number}")).await;
        assert_eq!(found(&test.hub, &reader, "pebble").await, number + 1);
    }
    // The worker and any number of searches may run at the same time; nothing is indexed twice.
    for round in 0..4_usize {
        let mut tasks = Vec::new();
        for number in 0..8 {
            let (hub, writer, reader) = (test.hub.clone(), writer.clone(), reader.clone());
            tasks.push(tokio::spawn(async move {
                let word = format!("grain{round}x{number}");
                say(&hub, &writer, &format!("{word} gravel")).await;
                assert_eq!(found(&hub, &reader, &word).await, 1);
            }));
        }
        test.run_worker("search_indexer").await;
        for task in tasks {
            task.await.unwrap();
        }
        assert_eq!(found(&test.hub, &reader, "gravel").await, (i64::try_from(round).unwrap() + 1) * 8);
    }
    test.run_worker("search_indexer").await;
    assert_eq!(found(&test.hub, &reader, "gravel").await, 32);
    assert_eq!(found(&test.hub, &Caller::root(), "gravel OR pebble").await, 0);
    assert_eq!(found(&test.hub, &Caller::root(), "").await, 37);
}

async fn say(hub: &Hub, caller: &Caller, body: &str) {
    hub.messages().send(caller, NewMessage::in_channel("general", body)).await.unwrap();
}

async fn found(hub: &Hub, caller: &Caller, q: &str) -> i64 {
    let filter = SearchFilter { q: Some(q.into()), ..SearchFilter::default() };
    hub.search().messages(caller, filter).await.unwrap().total
}

/// A few words in many combinations, with everything that tokenizers disagree about between them.
fn generated(seed: u64) -> String {
    const WORDS: [&str; 16] = [
        "alpha",
        "Beta",
        "gamma",
        "alphabet",
        "42",
        "4.2",
        "ÉTÉ",
        "e\u{301}te\u{301}",
        "naïve",
        "Straße",
        "МИР",
        "мир",
        "数据",
        "x-y",
        "ann@example.org",
        "https://example.org/alpha?beta=gamma#42",
    ];
    const BETWEEN: [&str; 8] = [" ", " ", " ", ", ", "-", "_", "\n", " 🙂 "];
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d;
    let mut next = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap() % below
    };
    let mut text = String::new();
    for _ in 0..2 + next(6) {
        text.push_str(WORDS[next(WORDS.len())]);
        text.push_str(BETWEEN[next(BETWEEN.len())]);
    }
    text
}

#[tokio::test(flavor = "multi_thread")]
async fn both_engines_find_the_same_messages() {
    let Some(postgres) = TestHub::postgres().await else { return };
    let sqlite = TestHub::sqlite().await;
    let mut pages = Vec::new();
    for hub in [&sqlite.hub, &postgres.hub] {
        let writer = agent(hub, "writer").await;
        for seed in 0..150 {
            say(hub, &writer, &generated(seed)).await;
        }
        pages.push(answers(hub, &writer).await);
    }
    let [sqlite, postgres] = &pages[..] else { unreachable!("two engines were asked") };
    assert_eq!(sqlite.len(), postgres.len());
    for (left, right) in sqlite.iter().zip(postgres) {
        assert_eq!(left, right);
    }
    assert!(sqlite.iter().filter(|(_, bodies, _)| !bodies.is_empty()).count() > 60);
}

/// For each of many questions the bodies that are found, newest first, and their snippets.
async fn answers(hub: &Hub, caller: &Caller) -> Vec<(String, Vec<String>, Vec<String>)> {
    let mut answers = Vec::new();
    for seed in 0..80_u64 {
        let words = generated(seed + 1_000);
        let first = words.split_whitespace().next().unwrap().to_owned();
        let prefix: String = first.chars().take(2).collect();
        for q in [
            first.clone(),
            format!("\"{words}\""),
            format!("{prefix}*"),
            format!("-{first} alpha"),
            format!("-{first}"),
            words,
        ] {
            let filter = SearchFilter {
                q: Some(q.clone()),
                sort: Some("newest".into()),
                limit: Some(200),
                ..SearchFilter::default()
            };
            let page = hub.search().messages(caller, filter).await.unwrap();
            assert_eq!(page.total, i64::try_from(page.messages.len()).unwrap());
            let (bodies, snippets) = page.messages.into_iter().map(|hit| (hit.message.body, hit.snippet)).unzip();
            answers.push((q, bodies, snippets));
        }
    }
    answers
}
