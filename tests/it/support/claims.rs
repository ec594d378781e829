//! Agents that work: what they claim and finish with their keys, and those who gave them the work.

use futures_util::future::join_all;
use reqwest::{Method, Response};
use serde_json::Value;
use svc_core::messages::NewMessage;
use svc_core::{Caller, Hub};

use super::people::Person;
use super::server::TestServer;

impl TestServer {
    /// Posts with a key.
    pub(crate) async fn post_with(&self, key: &str, path: &str, body: Value) -> Response {
        self.request_with(key, Method::POST, path).json(&body).send().await.unwrap()
    }

    /// Posts with a key and expects success.
    pub(crate) async fn done_with(&self, key: &str, path: &str, body: Value) -> Value {
        let answer = self.post_with(key, path, body).await;
        let status = answer.status();
        let body: Value = answer.json().await.unwrap();
        assert_eq!(status, 200, "{path}: {body}");
        body
    }

    /// Claims with a key; each message as it came.
    pub(crate) async fn claim_with(&self, key: &str, body: Value) -> Vec<Value> {
        let claimed = self.done_with(key, "/api/messages/claim", body).await;
        claimed["messages"].as_array().unwrap().clone()
    }

    pub(crate) async fn bearer(&self, key: &str) -> Caller {
        self.hub.auth().bearer(key).await.unwrap()
    }

    /// The notices that somebody got about a message that did not arrive.
    pub(crate) async fn notices(&self, person: &Person, message: &Value) -> Vec<Value> {
        let inbox = self.look(person, "/api/messages?from=system&limit=200").await;
        let about = |notice: &&Value| notice["metadata"]["non_delivery"]["message_id"] == *message;
        inbox["messages"].as_array().unwrap().iter().filter(about).cloned().collect()
    }
}

/// The path of something about a message.
pub(crate) fn about(message: &Value, what: &str) -> String {
    format!("/api/messages/{}/{what}", message["id"])
}

/// Ann, who writes, and the key of Bob's agent, which works.
pub(crate) async fn ann_and_worker(test: &TestServer) -> (Person, Person, String) {
    let (ann, bob) = (test.person("ann").await, test.person("bob").await);
    let key = test.create_agent(&bob, "worker").await;
    (ann, bob, key)
}

/// Writes so many messages to the worker, a few at a time.
pub(crate) async fn fill(hub: &Hub, from: &Caller, messages: usize) {
    for few in (0..messages).collect::<Vec<_>>().chunks(25) {
        let sends = few.iter().map(|number| hub.messages().send(from, NewMessage::to("worker", number.to_string())));
        for sent in join_all(sends).await {
            sent.unwrap();
        }
    }
}
