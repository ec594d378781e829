//! Searches that match very much: what is counted has an end, and so has what a question may take.

use std::time::Duration;

use futures_util::future::join_all;
use reqwest::Method;
use serde_json::json;
use svc_core::Result;
use svc_core::db::{Engine, Tx};
use svc_test_macros::both_engines;
use tokio::task::JoinHandle;

use crate::support::hub::TestHub;
use crate::support::server::{TestServer, problem};

/// A server that gives a search this many milliseconds.
struct Hasty<const MILLISECONDS: u64>(TestServer);

impl<const MILLISECONDS: u64> Hasty<MILLISECONDS> {
    const DEADLINE: Duration = Duration::from_millis(MILLISECONDS);

    async fn sqlite() -> Self {
        Self(TestServer::start(|config| config.hub.search_deadline = Self::DEADLINE).await)
    }

    async fn postgres() -> Option<Self> {
        let server = TestServer::start_on_postgres(|config| config.hub.search_deadline = Self::DEADLINE);
        server.await.map(Self)
    }
}

/// What never ends by itself.
fn endless(engine: Engine) -> &'static str {
    match engine {
        Engine::Sqlite => "WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n) SELECT max(n) FROM n",
        Engine::Postgres => "SELECT count(*) FROM generate_series(1, 100000) a, generate_series(1, 100000) b",
    }
}

/// Keeps every connection for searches busy: each of these until its time is over, two after the other.
fn occupy(test: &TestServer, count: usize) -> Vec<JoinHandle<Result<i64>>> {
    let occupy = |_| {
        let hub = test.hub.clone();
        tokio::spawn(async move {
            hub.db()
                .search((), |tx, ()| Box::pin(async move { tx.query(endless(tx.engine())).fetch_value::<i64>().await }))
                .await
        })
    };
    (0..count).map(occupy).collect()
}

/// Repeats what was said until there are more of it than a search counts.
async fn repeat(tx: &mut Tx, body: &str) -> Result<()> {
    let (numbers, column) = match tx.engine() {
        Engine::Sqlite => {
            ("WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 10050)", "")
        }
        Engine::Postgres => ("WITH numbers (n) AS (SELECT generate_series(1, 10050))", ", words"),
    };
    let text = format!(
        "{numbers} INSERT INTO messages
            (conversation_id, position, channel_id, sender_id, sender_owner_id, subject, body, priority, status, metadata,
             reply_count, depth, attachment_count, reaction_count, attempts, created_at, updated_at{column})
         SELECT m.conversation_id, n + 1, m.channel_id, m.sender_id, m.sender_owner_id, '', m.body, 5, 'pending',
                m.metadata, 0, 0, 0, 0, 0, m.created_at, m.created_at{column}
           FROM numbers, messages m WHERE m.body = $1"
    );
    tx.query(text).bind(body).execute().await?;
    Ok(())
}

#[both_engines]
async fn very_many_matches_are_counted_to_a_bound(test: TestServer) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    test.say(&ann, json!({ "channel": "general", "body": "a rare thing" })).await;
    test.say(&ann, json!({ "channel": "general", "body": "a frequent thing" })).await;
    test.hub.db().write("a frequent thing", |tx, body| Box::pin(repeat(tx, body))).await.unwrap();
    for question in ["", "?q=frequent", "?q=frequent&sort=newest", "?q=-nothing"] {
        let page = test.look(&bob, &format!("/api/messages/search{question}")).await;
        assert_eq!((&page["total"], &page["total_is_exact"]), (&json!(10_000), &json!(false)), "{question}");
        assert_eq!(page["messages"].as_array().unwrap().len(), 50);
        assert_eq!(page["partial"], false);
    }
    let rare = test.look(&bob, "/api/messages/search?q=rare").await;
    assert_eq!((&rare["total"], &rare["total_is_exact"]), (&json!(1), &json!(true)));
    // By time every page can be reached, and the last one knows that it is the last.
    let deep = test.look(&bob, "/api/messages/search?q=frequent&sort=newest&offset=10040&limit=20").await;
    assert_eq!((&deep["total"], &deep["total_is_exact"]), (&json!(10_051), &json!(true)));
    assert_eq!(deep["messages"].as_array().unwrap().len(), 11);
    let beyond = test.look(&bob, "/api/messages/search?q=frequent&offset=10000").await;
    assert_eq!(
        (&beyond["messages"], &beyond["total"], &beyond["total_is_exact"]),
        (&json!([]), &json!(10_000), &json!(false))
    );
    test.stop().await;
}

#[both_engines]
async fn a_read_that_takes_too_long_is_ended_and_others_go_on(test: TestHub) {
    let endless = test
        .hub
        .db()
        .read((), |tx, ()| Box::pin(async move { tx.query(endless(tx.engine())).fetch_value::<i64>().await }));
    let refused = endless.await.unwrap_err();
    assert_eq!((refused.code(), refused.kind()), ("timeout", svc_core::ErrorKind::Unavailable));
    for _ in 0..8 {
        let one = test.hub.db().read((), |tx, ()| {
            Box::pin(async move { tx.query("SELECT count(*) FROM participants").fetch_value::<i64>().await })
        });
        assert!(one.await.is_ok());
    }
}

#[both_engines]
async fn one_letter_is_looked_for_as_a_whole_word(test: TestServer) {
    let ann = test.person("ann").await;
    for body in ["plan b", "build it", "数据库"] {
        test.say(&ann, json!({ "channel": "general", "body": body })).await;
    }
    for (q, body) in [("b*", "plan b"), ("bu*", "build it"), ("%22plan+b%22*", "plan b"), ("%E6%95%B0*", "数据库")] {
        let page = test.look(&ann, &format!("/api/messages/search?q={q}")).await;
        assert_eq!((&page["total"], &page["messages"][0]["body"]), (&json!(1), &json!(body)), "{q}");
    }
    test.stop().await;
}

#[both_engines]
async fn a_search_that_takes_too_long_answers_with_what_it_found(test: Hasty<1>) {
    let test = test.0;
    let ann = test.person("ann").await;
    let scout = test.create_agent(&ann, "scout").await;
    test.say(&ann, json!({ "channel": "general", "body": "a frequent thing" })).await;
    test.hub.db().write("a frequent thing", |tx, body| Box::pin(repeat(tx, body))).await.unwrap();
    for question in ["?q=fr*%20th*%20thi*%20fre*", "?q=frequent&sort=newest&offset=9000", "?q=-nothing"] {
        let page = test.look(&ann, &format!("/api/messages/search{question}")).await;
        assert_eq!((&page["partial"], &page["total_is_exact"]), (&json!(true), &json!(false)), "{question}: {page}");
        assert!(page["total"].as_i64().unwrap() < 10_000, "{question}");
    }
    let told = test.tool(&scout, "search_messages", json!({ "q": "fr* th* thi* fre*" })).await;
    assert_eq!(told["partial"], true, "{told}");
    test.stop().await;
}

#[both_engines]
async fn others_read_while_searches_keep_their_connections_busy(test: Hasty<500>) {
    let test = test.0;
    let ann = test.person("ann").await;
    let busy = occupy(&test, 12);
    for path in ["/api/channels", "/api/conversations", "/api/channels/general/messages", "/api/usage"] {
        test.look(&ann, path).await;
    }
    test.say(&ann, json!({ "channel": "general", "body": "still here" })).await;
    assert!(busy.iter().any(|search| !search.is_finished()), "nobody waited for the searches");
    for search in busy {
        assert_eq!(search.await.unwrap().unwrap_err().code(), "timeout");
    }
    test.stop().await;
}

#[both_engines]
async fn an_owner_searches_one_at_a_time(test: Hasty<300>) {
    let test = test.0;
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    let scout = test.create_agent(&ann, "scout").await;
    test.say(&ann, json!({ "channel": "general", "body": "needle" })).await;
    // A second and a half of work: longer than a request takes to arrive, shorter than a wait for a connection lasts.
    let busy = occupy(&test, 10);
    let path = "/api/messages/search?q=needle";
    let searches = [
        test.request_as(&ann, Method::GET, path),
        test.request_with(&scout, Method::GET, path),
        test.request_as(&bob, Method::GET, path),
    ];
    let [own, agents, others] =
        <[_; 3]>::try_from(join_all(searches.map(reqwest::RequestBuilder::send)).await).unwrap();
    let (first, second) = match (own.unwrap(), agents.unwrap()) {
        (first, second) if first.status() == 200 => (first, second),
        (second, first) => (first, second),
    };
    assert_eq!((first.status().as_u16(), others.unwrap().status().as_u16()), (200, 200));
    assert_eq!(second.headers()["retry-after"], "1");
    problem(second, 429, "search_busy").await;
    join_all(busy).await;
    assert_eq!(test.look_with(&scout, path).await["total"], 1);
    test.stop().await;
}
