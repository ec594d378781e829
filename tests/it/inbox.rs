//! Inboxes in which few of very many messages are asked for.

use serde_json::{Value, json};
use svc_core::Result;
use svc_core::db::{Engine, Tx};
use svc_test_macros::both_engines;

use crate::support::server::TestServer;

/// Repeats the message of a body as one that was dealt with and read, more often than is looked through.
async fn bury(tx: &mut Tx, body: &str) -> Result<()> {
    let numbers = match tx.engine() {
        Engine::Sqlite => "WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 3000)",
        Engine::Postgres => "WITH numbers (n) AS (SELECT generate_series(1, 3000))",
    };
    let text = format!(
        "{numbers} INSERT INTO messages
            (conversation_id, position, sender_id, recipient_id, sender_owner_id, recipient_owner_id, subject, body,
             priority, status, metadata, reply_count, depth, attachment_count, reaction_count, attempts, created_at,
             updated_at)
         SELECT m.conversation_id, n + 1, m.sender_id, m.recipient_id, m.sender_owner_id, m.recipient_owner_id, '', 'old',
                5, 'done', m.metadata, 0, 0, 0, 0, 1, m.created_at, m.created_at
           FROM numbers, messages m WHERE m.body = $1"
    );
    tx.query(text).bind(body).execute().await?;
    tx.query("UPDATE messages SET status = 'done' WHERE body = $1").bind(body).execute().await?;
    tx.query(
        "UPDATE read_cursors
            SET message_id = (SELECT max(id) FROM messages), position = 3001
          WHERE conversation_id IN (SELECT conversation_id FROM messages WHERE body = $1)",
    )
    .bind(body)
    .execute()
    .await?;
    Ok(())
}

fn bodies(page: &Value) -> Vec<&str> {
    page["messages"].as_array().unwrap().iter().map(|message| message["body"].as_str().unwrap()).collect()
}

#[both_engines]
async fn few_are_found_behind_very_many(test: TestServer) {
    let (ann, bob, carl) = (test.person("ann").await, test.person("bob").await, test.person("carl").await);
    let worker = test.create_agent(&bob, "worker").await;
    for body in ["one", "two", "three"] {
        test.say(&ann, json!({ "to": "worker", "body": body, "priority": 9 })).await;
    }
    test.say(&carl, json!({ "to": "worker", "body": "finished" })).await;
    test.hub.db().write("finished", |tx, body| Box::pin(bury(tx, body))).await.unwrap();
    for narrow in [
        "status=pending",
        "from=ann",
        "min_priority=8",
        "unread=true",
        "status=pending&from=ann&min_priority=6&unread=true",
    ] {
        let own = test.look_with(&worker, &format!("/api/messages?{narrow}")).await;
        assert_eq!((bodies(&own), &own["has_more"]), (vec!["three", "two", "one"], &json!(false)), "{narrow}");
        // A human looks into the inboxes of their agents as well.
        assert_eq!(
            bodies(&test.look(&bob, &format!("/api/messages?{narrow}")).await),
            ["three", "two", "one"],
            "{narrow}"
        );
        let page = test.look_with(&worker, &format!("/api/messages?{narrow}&limit=2")).await;
        assert_eq!((bodies(&page), &page["has_more"]), (vec!["three", "two"], &json!(true)), "{narrow}");
        let last = page["messages"][1]["id"].as_i64().unwrap();
        let rest = test.look_with(&worker, &format!("/api/messages?{narrow}&before={last}")).await;
        assert_eq!((bodies(&rest), &rest["has_more"]), (vec!["one"], &json!(false)), "{narrow}");
        let newer = test.look(&bob, &format!("/api/messages?{narrow}&after={last}")).await;
        assert_eq!(bodies(&newer), ["three"], "{narrow}");
        assert_eq!(
            bodies(&test.look_with(&worker, &format!("/api/messages?{narrow}&after=0&limit=2")).await),
            ["one", "two"]
        );
    }
    // What fits is as many as is asked for, however many there are.
    let many = test.look(&bob, "/api/messages?status=done&limit=200").await;
    assert_eq!((many["messages"].as_array().unwrap().len(), &many["has_more"]), (200, &json!(true)));
    assert_eq!(bodies(&test.look_with(&worker, "/api/messages?status=failed").await), [""; 0]);
    assert_eq!(bodies(&test.look_with(&worker, "/api/messages?status=processing&unread=true").await), [""; 0]);
    test.stop().await;
}
