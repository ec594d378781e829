//! Several processes on one store: each delivery once, and none lost with the process that had it.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::json;
use svc_core::messages::NewMessage;
use svc_core::webhooks::{NewWebhook, WebhookEvent, WebhookFilter, WebhookSettings};
use svc_core::{Caller, Hub};
use svc_test_macros::both_engines;

use crate::support::hub::TestHub;
use crate::support::people::agent_of_admin;
use crate::support::receiver::{Receiver, Reply};
use crate::support::wait::until;

/// Another hub on the store that may connect to this machine.
async fn node(test: &TestHub) -> Hub {
    node_with(test, WebhookSettings::default().attempt).await
}

/// One whose attempts last this long.
async fn node_with(test: &TestHub, attempt: Duration) -> Hub {
    let mut config = test.config.clone();
    config.webhooks.attempt = attempt;
    config.webhooks.allow_http = true;
    // The clock stands still, so nothing that waits for its rate would be sent.
    config.webhooks.rate = 0;
    config.private_networks = "127.0.0.0/8".parse().unwrap();
    Hub::builder(config).clock(test.clock.clone()).open().await.unwrap()
}

async fn register(hub: &Hub, receiver: &Receiver) {
    register_for(hub, "scout", receiver).await;
}

async fn register_for(hub: &Hub, agent: &str, receiver: &Receiver) {
    agent_of_admin(hub, agent).await;
    let new = NewWebhook {
        agent: Some(agent.into()),
        url: receiver.url.clone(),
        events: vec![WebhookEvent::All],
        secret: None,
    };
    hub.webhooks().create(&Caller::root(), new).await.unwrap();
}

async fn counted(hub: &Hub, status: &'static str) -> i64 {
    let count = hub.db().read(status, |tx, status| {
        let query = tx.query("SELECT count(*) FROM webhook_deliveries WHERE status = $1").bind(*status);
        Box::pin(query.fetch_value())
    });
    count.await.unwrap()
}

#[both_engines]
async fn two_nodes_deliver_each_event_once(test: TestHub) {
    let (one, two) = (node(&test).await, node(&test).await);
    let mut receiver = Receiver::start().await;
    register(&one, &receiver).await;
    let workers = [one.start_workers(), two.start_workers()];
    for number in 0..40 {
        let hub = if number % 2 == 0 { &one } else { &two };
        hub.messages().send(&Caller::root(), NewMessage::to("scout", number.to_string())).await.unwrap();
    }
    until("all deliveries", async || (counted(&one, "delivered").await == 40).then_some(())).await;
    let mut seen = BTreeMap::<String, u32>::new();
    for received in receiver.rest() {
        *seen.entry(received.header("webhook-id").to_owned()).or_default() += 1;
    }
    assert_eq!((seen.len(), seen.values().max()), (40, Some(&1)), "{seen:?}");
    for workers in workers {
        workers.stop().await;
    }
    one.close().await;
    two.close().await;
}

#[both_engines]
async fn a_delivery_outlives_the_process_that_had_it(test: TestHub) {
    let (one, two) = (node(&test).await, node(&test).await);
    let mut receiver = Receiver::start().await;
    register(&one, &receiver).await;
    receiver.then([Reply::Never]);
    // Dropping the workers ends them as a crash does: nothing is given back.
    let doomed = one.start_workers();
    one.messages().send(&Caller::root(), NewMessage::to("scout", "Hello.")).await.unwrap();
    let first = receiver.next().await;
    drop(doomed);
    let workers = two.start_workers();
    test.clock.advance(Duration::from_secs(31));
    let again = receiver.next().await;
    assert_eq!((again.header("webhook-id"), &again.text), (first.header("webhook-id"), &first.text));
    until("the delivery", async || (counted(&two, "delivered").await == 1).then_some(())).await;
    workers.stop().await;
    one.close().await;
    two.close().await;
}

#[both_engines]
async fn a_delivery_whose_workers_all_crash_becomes_a_dead_letter(test: TestHub) {
    let hub = node(&test).await;
    let mut receiver = Receiver::start().await;
    register(&hub, &receiver).await;
    receiver.always(Reply::Never);
    hub.messages().send(&Caller::root(), NewMessage::to("scout", "Hello.")).await.unwrap();
    for _ in 0..4 {
        let doomed = hub.start_workers();
        receiver.next().await;
        drop(doomed);
        test.clock.advance(Duration::from_secs(31));
    }
    let workers = hub.start_workers();
    until("its end", async || (counted(&hub, "dead").await == 1).then_some(())).await;
    let listed = hub.webhooks().list(&Caller::root(), WebhookFilter::default()).await.unwrap();
    let root = Caller::root();
    let page = hub.webhooks().deliveries(&root, listed.webhooks[0].id, svc_core::webhooks::DeliveryFilter::default());
    assert_eq!(json!(page.await.unwrap().deliveries[0])["error"], "interrupted");
    let letters =
        hub.dead_letters().list(&Caller::root(), svc_core::dead_letters::DeadLetterFilter::default()).await.unwrap();
    assert_eq!(letters.dead_letters[0].reason, "the server stopped before it recorded the outcome");
    workers.stop().await;
    hub.close().await;
}

#[both_engines]
async fn a_node_without_a_free_place_keeps_nothing_from_another(test: TestHub) {
    // The attempts outlast the test.
    let attempt = Duration::from_mins(2);
    let (one, two) = (node_with(&test, attempt).await, node_with(&test, attempt).await);
    let (mut dead, mut quick) = (Receiver::start().await, Receiver::start().await);
    dead.always(Reply::Never);
    // Two attempts for each of them take all eight places of a node.
    let mut deaf: Vec<_> = (0..4).map(|number| format!("deaf-{number}")).collect();
    for agent in &deaf {
        register_for(&one, agent, &dead).await;
    }
    register_for(&one, "scout", &quick).await;
    deaf.push("scout".into());
    for agent in deaf.iter().flat_map(|agent| [agent, agent]) {
        one.messages().send(&Caller::root(), NewMessage::to(agent.clone(), "Hello.")).await.unwrap();
    }
    let first = one.start_workers();
    for _ in 0..8 {
        dead.next().await;
    }
    let second = two.start_workers();
    quick.next().await;
    quick.next().await;
    until("both deliveries", async || (counted(&two, "delivered").await == 2).then_some(())).await;
    // What was given back was not attempted, and does not count.
    let (attempts, given_back) = ("SELECT count(*) FROM webhook_attempts", "SELECT max(attempts) FROM queue_items");
    assert_eq!((test.number(attempts).await, test.number(given_back).await), (2, 1));
    drop((first, second));
    one.close().await;
    two.close().await;
}
