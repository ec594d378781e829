//! Webhooks as people register and read them, and processes that deliver.

use reqwest::Method;
use serde_json::{Value, json};
use svc_core::webhooks::{NewWebhook, WebhookEvent};
use svc_core::{Caller, Hub};

use super::hub::TestHub;
use super::people::{Person, agent_of_admin};
use super::receiver::Receiver;
use super::server::TestServer;
use super::wait::until;

impl TestServer {
    /// Registers a webhook; returns it with its secret.
    pub(crate) async fn hook(&self, owner: &Person, agent: &str, url: &str, events: &[&str]) -> Value {
        let body = json!({ "agent": agent, "url": url, "events": events });
        self.did(owner, Method::POST, "/api/webhooks", body).await
    }

    /// A webhook as its owner sees it.
    pub(crate) async fn webhook(&self, owner: &Person, id: &Value) -> Value {
        self.look(owner, &format!("/api/webhooks/{id}")).await["webhook"].clone()
    }

    /// The deliveries of a webhook, newest first.
    pub(crate) async fn deliveries(&self, owner: &Person, id: &Value, query: &str) -> Vec<Value> {
        let page = self.look(owner, &format!("/api/webhooks/{id}/deliveries{query}")).await;
        page["deliveries"].as_array().unwrap().clone()
    }

    /// Waits until the newest delivery of a webhook has this status.
    pub(crate) async fn until_delivery(&self, owner: &Person, id: &Value, status: &str) -> Value {
        until(&format!("a delivery that is {status}"), async || {
            self.deliveries(owner, id, "").await.into_iter().next().filter(|delivery| delivery["status"] == status)
        })
        .await
    }
}

/// Another hub on the store that may connect to this machine.
pub(crate) async fn node(test: &TestHub) -> Hub {
    let mut config = test.config.clone();
    config.webhooks.allow_http = true;
    // The clock stands still, so nothing that waits for its rate would be sent.
    config.webhooks.rate = 0;
    config.private_networks = "127.0.0.0/8".parse().unwrap();
    Hub::builder(config).clock(test.clock.clone()).open().await.unwrap()
}

/// Makes an agent of the first admin's with a webhook for everything.
pub(crate) async fn register(hub: &Hub, agent: &str, receiver: &Receiver) {
    agent_of_admin(hub, agent).await;
    let new = NewWebhook {
        agent: Some(agent.into()),
        url: receiver.url.clone(),
        events: vec![WebhookEvent::All],
        secret: None,
    };
    hub.webhooks().create(&Caller::root(), new).await.unwrap();
}
