//! `svc-admin dead-letters`, against the server as it is shipped.

use std::time::Duration;

use serde_json::{Value, json};
use svc_test_macros::both_engines;

use crate::support::admin::svc_admin;
use crate::support::claims::{about, ann_and_worker};
use crate::support::receiver::{Receiver, Reply};
use crate::support::server::TestServer;

/// The ids in a list of dead letters.
async fn listed(server: &TestServer, arguments: &[&str]) -> Vec<i64> {
    let all = [&["dead-letters", "list", "-o", "json"], arguments].concat();
    let page = svc_admin(server, &all).await.json();
    let letters = page["dead_letters"].as_array().unwrap();
    letters.iter().map(|letter| letter["id"].as_i64().unwrap()).collect()
}

#[both_engines]
async fn failed_messages_are_listed_retried_and_discarded(server: TestServer) {
    let none = svc_admin(&server, &["dead-letters", "list"]).await;
    assert!(none.stdout.is_empty() && none.stderr.contains("No matching dead letters"), "{none:?}");
    let (ann, bob, key) = ann_and_worker(&server).await;
    let sent = server.say(&ann, json!({ "to": "worker", "body": "please\nlook", "subject": "the build" })).await;
    server.done_with(&key, &about(&sent, "fail"), json!({ "reason": "no access" })).await;
    server.clock.advance(Duration::from_hours(24));
    let (ann, bob) = (server.log_in(&ann.username).await, server.log_in(&bob.username).await);
    let other = server.say(&ann, json!({ "to": "worker", "body": "again" })).await;
    server.done_with(&key, &about(&other, "fail"), json!({})).await;

    let table = svc_admin(&server, &["dead-letters", "list"]).await.worked();
    for words in ["RECIPIENT", "worker", "no access", "open", &format!("message {} of ann", sent["id"])] {
        assert!(table.contains(words), "{words:?} is not in {table}");
    }
    let [second, first] = listed(&server, &[]).await[..] else { panic!("there are two") };
    assert_eq!(listed(&server, &["--owner", "BOB"]).await, [second, first]);
    assert!(listed(&server, &["--owner", "ann"]).await.is_empty(), "hers are those of her own agents");
    svc_admin(&server, &["dead-letters", "list", "--owner", "bbo"]).await.refused(1, "did you mean bob?");
    assert!(listed(&server, &["--kind", "webhook"]).await.is_empty());
    assert_eq!(listed(&server, &["--since", "2026-01-02"]).await, [second]);
    assert_eq!(listed(&server, &["--until", "2026-01-02"]).await, [first]);
    assert_eq!(listed(&server, &["--since", "2026-01-01", "--until", "2026-01-03T00:00:00Z"]).await, [second, first]);
    let inverted = ["dead-letters", "list", "--since", "2026-01-02", "--until", "2026-01-01"];
    svc_admin(&server, &inverted).await.refused(2, "--until must be later than --since");
    let page = svc_admin(&server, &["dead-letters", "list", "--limit", "1"]).await;
    assert!(page.stderr.contains("1 of 2 are shown: --offset 1"), "{page:?}");
    assert_eq!(listed(&server, &["--limit", "1", "--offset", "1"]).await, [first]);

    let id = first.to_string();
    let shown = svc_admin(&server, &["dead-letters", "show", &id]).await.worked();
    for words in ["worker", "no access", "the build", "please\nlook", "2026-01-01 00:00:00 UTC"] {
        assert!(shown.contains(words), "{words:?} is not in {shown}");
    }
    let document = svc_admin(&server, &["dead-letters", "show", &id, "-o", "json"]).await.json();
    let over_rest = server.look(&bob, "/api/dead-letters").await;
    assert_eq!(document, over_rest["dead_letters"][1], "a document is as over REST");

    let told = svc_admin(&server, &["dead-letters", "discard", &id]).await.worked();
    assert_eq!(told, format!("Dead letter {id} is discarded.\n"));
    assert_eq!(listed(&server, &["--discarded"]).await, [first]);
    assert_eq!(listed(&server, &["--not-discarded"]).await, [second]);
    assert_eq!(server.look(&bob, "/api/dead-letters?acknowledged=true").await["total"], 1);

    let told = svc_admin(&server, &["dead-letters", "retry", &second.to_string()]).await.worked();
    assert_eq!(told, format!("The message {} of ann to worker is offered again.\n", other["id"]));
    assert_eq!(server.claim_with(&key, json!({})).await[0]["id"], other["id"]);
    svc_admin(&server, &["dead-letters", "retry", &second.to_string()]).await.refused(1, "already been retried");
    let retried = svc_admin(&server, &["dead-letters", "show", &second.to_string(), "-o", "json"]).await.json();
    assert!(retried["retried_at"].is_string() && retried["acknowledged_at"] == Value::Null, "{retried}");
    for command in ["show", "retry", "discard"] {
        svc_admin(&server, &["dead-letters", command, "4711"]).await.refused(1, "There is no dead letter 4711");
    }
    svc_admin(&server, &["dead-letters", "list", "--kind", "run"]).await.refused(2, "possible values");
    svc_admin(&server, &["dead-letters", "list", "--since", "soon"]).await.refused(2, "--since");
    server.stop().await;
}

#[both_engines]
async fn a_failed_delivery_is_attempted_again(server: TestServer) {
    let ann = server.person("ann").await;
    server.create_agent(&ann, "scout").await;
    let mut receiver = Receiver::start().await;
    let hook = server.hook(&ann, "scout", &receiver.url, &["message.received"]).await;
    let id = &hook["webhook"]["id"];
    receiver.then([Reply::Status(410, "")]);
    server.say(&ann, json!({ "to": "scout", "body": "Hello." })).await;
    receiver.next().await;
    let dead = server.until_delivery(&ann, id, "dead").await;
    let [letter] = listed(&server, &["--kind", "webhook", "--owner", "ann"]).await[..] else { panic!("there is one") };
    let letter = letter.to_string();
    let shown = svc_admin(&server, &["dead-letters", "show", &letter]).await.worked();
    assert!(shown.contains(&format!("delivery {}", dead["id"])) && shown.contains("scout"), "{shown}");
    // An endpoint that is gone disables its webhook.
    svc_admin(&server, &["dead-letters", "retry", &letter]).await.refused(1, "disabled");
    svc_admin(&server, &["webhooks", "enable", &id.to_string()]).await.worked();
    let told = svc_admin(&server, &["dead-letters", "retry", &letter]).await.worked();
    assert_eq!(told, format!("The delivery {} to scout is attempted again.\n", dead["id"]));
    receiver.next().await;
    server.stop().await;
}
