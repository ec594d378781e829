//! Marks on messages as people and agents set them, and what the log tells of them.

use reqwest::{Method, Response};
use serde_json::{Value, json};

use super::people::Person;
use super::server::TestServer;

impl TestServer {
    /// Reacts as a person.
    pub(crate) async fn react(&self, person: &Person, message: &Value, reaction: &str) -> Response {
        let path = format!("/api/messages/{}/reactions", message["id"]);
        self.request_as(person, Method::POST, &path).json(&json!({ "reaction": reaction })).send().await.unwrap()
    }

    /// The same with a key.
    pub(crate) async fn react_with(&self, key: &str, message: &Value, reaction: &str) -> Response {
        let path = format!("/api/messages/{}/reactions", message["id"]);
        self.request_with(key, Method::POST, &path).json(&json!({ "reaction": reaction })).send().await.unwrap()
    }

    /// Takes a reaction back as a person.
    pub(crate) async fn unreact(&self, person: &Person, message: &Value, reaction: &str) -> Response {
        let path = format!("/api/messages/{}/reactions?reaction={reaction}", message["id"]);
        self.request_as(person, Method::DELETE, &path).send().await.unwrap()
    }

    /// What the log tells of this kind, oldest first.
    pub(crate) async fn events_of(&self, kind: &'static str) -> Vec<Value> {
        let rows: Vec<(Value,)> = self
            .hub
            .db()
            .read(kind, |tx, kind| {
                Box::pin(tx.query("SELECT payload FROM events WHERE kind = $1 ORDER BY seq").bind(*kind).fetch_all())
            })
            .await
            .unwrap();
        rows.into_iter().map(|(payload,)| payload).collect()
    }
}
