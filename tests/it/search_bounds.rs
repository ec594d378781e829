//! Searches that match very much: what is counted has an end, and so has what a question may take.

use serde_json::json;
use svc_core::Result;
use svc_core::db::{Engine, Tx};

use crate::support::hub::TestHub;
use crate::support::server::TestServer;

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

on_both_engines! {
    async fn very_many_matches_are_counted_to_a_bound(test: TestServer) {
        let (ann, bob) = (test.person("ann").await, test.person("bob").await);
        test.say(&ann, json!({ "channel": "general", "body": "a rare thing" })).await;
        test.say(&ann, json!({ "channel": "general", "body": "a frequent thing" })).await;
        test.hub.db().write("a frequent thing", |tx, body| Box::pin(repeat(tx, body))).await.unwrap();
        for question in ["", "?q=frequent", "?q=frequent&sort=newest", "?q=-nothing"] {
            let page = test.look(&bob, &format!("/api/messages/search{question}")).await;
            assert_eq!((&page["total"], &page["total_is_exact"]), (&json!(10_000), &json!(false)), "{question}");
            assert_eq!(page["messages"].as_array().unwrap().len(), 50);
        }
        let rare = test.look(&bob, "/api/messages/search?q=rare").await;
        assert_eq!((&rare["total"], &rare["total_is_exact"]), (&json!(1), &json!(true)));
        // By time every page can be reached, and the last one knows that it is the last.
        let deep = test.look(&bob, "/api/messages/search?q=frequent&sort=newest&offset=10040&limit=20").await;
        assert_eq!((&deep["total"], &deep["total_is_exact"]), (&json!(10_051), &json!(true)));
        assert_eq!(deep["messages"].as_array().unwrap().len(), 11);
        let beyond = test.look(&bob, "/api/messages/search?q=frequent&offset=10000").await;
        assert_eq!((&beyond["messages"], &beyond["total"], &beyond["total_is_exact"]), (&json!([]), &json!(10_000), &json!(false)));
        test.stop().await;
    }

    async fn a_read_that_takes_too_long_is_ended_and_others_go_on(test: TestHub) {
        let endless = test.hub.db().read((), |tx, ()| {
            Box::pin(async move {
                let text = match tx.engine() {
                    Engine::Sqlite => "WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n) SELECT max(n) FROM n",
                    Engine::Postgres => "SELECT count(*) FROM generate_series(1, 100000) a, generate_series(1, 100000) b",
                };
                tx.query(text).fetch_value::<i64>().await
            })
        });
        let refused = endless.await.unwrap_err();
        assert_eq!((refused.code(), refused.kind()), ("timeout", svc_core::ErrorKind::Unavailable));
        for _ in 0..8 {
            let one = test.hub.db().read((), |tx, ()| Box::pin(async move { tx.query("SELECT count(*) FROM participants").fetch_value::<i64>().await }));
            assert!(one.await.is_ok());
        }
    }
}
