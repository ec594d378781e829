//! What webhooks may take: rows of one transaction, open deliveries of an owner, and what is left behind.

use svc_core::messages::NewMessage;
use svc_core::webhooks::{DeliveryFilter, NewWebhook, Webhook, WebhookEvent, WebhookFilter, WebhookUpdate};
use svc_core::{Caller, Hub};
use svc_test_macros::both_engines;

use crate::support::hub::TestHub;
use crate::support::people::agent_of_admin;
use crate::support::wait::until;

const URL: &str = "https://1.1.1.1/hook";

async fn register(hub: &Hub) -> Webhook {
    let new =
        NewWebhook { agent: Some("scout".into()), url: URL.into(), events: vec![WebhookEvent::All], secret: None };
    hub.webhooks().create(&Caller::root(), new).await.unwrap().webhook
}

/// A hub without running workers, with an agent and a webhook.
async fn begin(test: &TestHub) -> Webhook {
    agent_of_admin(&test.hub, "scout").await;
    register(&test.hub).await
}

async fn send(hub: &Hub, body: &str) {
    hub.messages().send(&Caller::root(), NewMessage::to("scout", body)).await.unwrap();
}

/// Runs a worker once, as a process that has just started does.
async fn run(hub: &Hub, name: &str) {
    let worker = hub.workers().into_iter().find(|worker| worker.name() == name).unwrap();
    worker.run_once().await.unwrap();
}

async fn change(hub: &Hub, text: impl Into<String>) {
    hub.db()
        .write(text.into(), |tx, text| Box::pin(async move { tx.query(text.clone()).execute().await }))
        .await
        .unwrap();
}

#[both_engines]
async fn an_event_for_many_webhooks_is_told_in_several_transactions(test: TestHub) {
    begin(&test).await;
    for pass in 0..10 {
        change(
            &test.hub,
            format!(
                "INSERT INTO webhooks (agent_id, url, events, enabled, enabled_after, is_ending, consecutive_failures,
                    secret, tests, tests_since, recovering_until, created_at, updated_at)
                 SELECT agent_id, url || '/{pass}-' || CAST(id AS TEXT), events, enabled, enabled_after, is_ending,
                        consecutive_failures, secret, tests, tests_since, recovering_until, created_at, updated_at
                   FROM webhooks"
            ),
        )
        .await;
    }
    send(&test.hub, "To everybody.").await;
    for expected in [500, 1000, 1024, 1024] {
        run(&test.hub, "webhook_reader").await;
        assert_eq!(test.number("SELECT count(*) FROM webhook_deliveries").await, expected);
    }
    assert_eq!(test.number("SELECT count(DISTINCT webhook_id) FROM webhook_deliveries").await, 1024);
    // All of them are webhooks of one agent, so there is one text.
    assert_eq!(test.number("SELECT count(*) FROM webhook_bodies").await, 1);
    // The next event is told from the beginning.
    send(&test.hub, "Again.").await;
    for _ in 0..3 {
        run(&test.hub, "webhook_reader").await;
    }
    assert_eq!(test.number("SELECT count(*) FROM webhook_deliveries").await, 2048);
}

#[both_engines]
async fn an_owner_has_a_bounded_number_of_open_deliveries(test: TestHub) {
    let webhook = begin(&test).await;
    send(&test.hub, "First.").await;
    run(&test.hub, "webhook_reader").await;
    for _ in 0..14 {
        change(
            &test.hub,
            "INSERT INTO webhook_deliveries
                (webhook_id, event, depth, status, item_id, attempts, created_at, updated_at)
             SELECT webhook_id, event, depth, status, item_id, attempts, created_at, updated_at FROM webhook_deliveries",
        )
        .await;
    }
    send(&test.hub, "Too much.").await;
    run(&test.hub, "webhook_reader").await;
    let page = test.hub.webhooks().deliveries(&Caller::root(), webhook.id, DeliveryFilter::default()).await.unwrap();
    let newest = &page.deliveries[0];
    assert_eq!((newest.status.as_str(), newest.error.unwrap().as_str()), ("stopped", "backlog"));
    // Nothing is kept of what is not sent.
    assert_eq!(test.number("SELECT count(*) FROM webhook_bodies").await, 1);
    let refusal = test.hub.webhooks().retry_delivery(&Caller::root(), newest.id).await.unwrap_err();
    assert_eq!(refusal.code(), "too_many_deliveries");
    // When the others have ended, it can be sent.
    change(&test.hub, "UPDATE webhook_deliveries SET status = 'delivered' WHERE status = 'open'").await;
    let retried = test.hub.webhooks().retry_delivery(&Caller::root(), newest.id).await.unwrap();
    assert_eq!(retried.status.as_str(), "pending");
    let details = test.hub.webhooks().delivery(&Caller::root(), newest.id).await.unwrap();
    assert!(details.request.body.contains("Too much."), "{details:?}");
}

#[both_engines]
async fn events_from_before_a_webhook_are_not_sent_even_in_the_same_moment(test: TestHub) {
    agent_of_admin(&test.hub, "scout").await;
    send(&test.hub, "Before.").await;
    // The clock stands still.
    register(&test.hub).await;
    send(&test.hub, "After.").await;
    run(&test.hub, "webhook_reader").await;
    assert_eq!(test.number("SELECT count(*) FROM webhook_deliveries").await, 1);
    assert_eq!(test.number("SELECT count(*) FROM webhook_bodies WHERE text LIKE '%After.%'").await, 1);
}

#[both_engines]
async fn webhooks_of_a_disabled_owner_get_nothing(test: TestHub) {
    begin(&test).await;
    send(&test.hub, "One.").await;
    run(&test.hub, "webhook_reader").await;
    change(&test.hub, "UPDATE users SET disabled_at = 1").await;
    send(&test.hub, "Two.").await;
    run(&test.hub, "webhook_reader").await;
    assert_eq!(test.number("SELECT count(*) FROM webhook_deliveries").await, 1);
    let worker = test.hub.workers().into_iter().find(|worker| worker.name() == "webhook_delivery").unwrap();
    worker.run_once().await.unwrap();
    let stopped = "SELECT count(*) FROM webhook_deliveries WHERE status = 'stopped' AND error = 'disabled'";
    until("the delivery to stop", async || (test.number(stopped).await == 1).then_some(())).await;
    assert_eq!(test.number("SELECT count(*) FROM webhook_attempts").await, 0);
}

#[both_engines]
async fn what_is_sent_goes_with_its_message(test: TestHub) {
    let webhook = begin(&test).await;
    send(&test.hub, "Secret.").await;
    run(&test.hub, "webhook_reader").await;
    change(&test.hub, "DELETE FROM messages WHERE body = 'Secret.'").await;
    assert_eq!(test.number("SELECT count(*) FROM webhook_bodies").await, 0);
    let worker = test.hub.workers().into_iter().find(|worker| worker.name() == "webhook_delivery").unwrap();
    worker.run_once().await.unwrap();
    let stopped = "SELECT count(*) FROM webhook_deliveries WHERE status = 'stopped' AND error = 'hidden'";
    until("the delivery to stop", async || (test.number(stopped).await == 1).then_some(())).await;
    let root = Caller::root();
    let page = test.hub.webhooks().deliveries(&root, webhook.id, DeliveryFilter::default()).await.unwrap();
    let refusal = test.hub.webhooks().retry_delivery(&root, page.deliveries[0].id).await.unwrap_err();
    assert_eq!(refusal.code(), "delivery_empty");
}

#[both_engines]
async fn disabling_and_deleting_leave_nothing_in_the_queue(test: TestHub) {
    let (webhook, root) = (begin(&test).await, Caller::root());
    let waiting = "SELECT count(*) FROM queue_items WHERE queue = 'webhooks' AND status IN ('pending', 'waiting')";
    for body in ["One.", "Two.", "Three."] {
        send(&test.hub, body).await;
    }
    run(&test.hub, "webhook_reader").await;
    assert_eq!(test.number(waiting).await, 3);
    let update = WebhookUpdate { enabled: Some(false), ..WebhookUpdate::default() };
    test.hub.webhooks().update(&root, webhook.id, update).await.unwrap();
    run(&test.hub, "webhook_sweep").await;
    assert_eq!(test.number(waiting).await, 0);
    let stopped = "SELECT count(*) FROM webhook_deliveries WHERE status = 'stopped' AND error = 'disabled'";
    assert_eq!(test.number(stopped).await, 3);
    // A deleted one is invisible at once, its URL is free, and its rows go later.
    test.hub.webhooks().delete(&root, webhook.id).await.unwrap();
    assert_eq!(test.hub.webhooks().list(&root, WebhookFilter::default()).await.unwrap().total, 0);
    assert_eq!(test.hub.webhooks().get(&root, webhook.id).await.unwrap_err().code(), "not_found");
    assert_eq!(test.number("SELECT count(*) FROM webhook_deliveries").await, 3);
    register(&test.hub).await;
    run(&test.hub, "webhook_sweep").await;
    for table in ["webhook_deliveries", "webhook_bodies"] {
        assert_eq!(test.number(format!("SELECT count(*) FROM {table}")).await, 0, "{table}");
    }
    assert_eq!(test.number("SELECT count(*) FROM webhooks").await, 1);
}
