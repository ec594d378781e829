//! Webhooks as people register and read them.

use reqwest::Method;
use serde_json::{Value, json};

use super::people::Person;
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
