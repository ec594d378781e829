//! People who talk: requests with bodies as their browser sends them, and messages through the hub.

use reqwest::{Method, Response};
use serde_json::Value;
use svc_core::Caller;
use svc_core::messages::NewMessage;

use super::people::Person;
use super::server::{TestServer, told};

impl TestServer {
    /// A request with a body.
    pub(crate) async fn ask(&self, who: &Person, method: Method, path: &str, body: Value) -> Response {
        self.request_as(who, method, path).json(&body).send().await.unwrap()
    }

    /// A request that works, and its answer, if it has one.
    #[track_caller]
    #[expect(clippy::needless_pass_by_value, reason = "a body is written where it is sent")]
    pub(crate) fn did(
        &self,
        who: &Person,
        method: Method,
        path: &str,
        body: Value,
    ) -> impl Future<Output = Value> + use<> {
        let request = self.request_as(who, method.clone(), path).json(&body);
        let path = path.to_owned();
        async move {
            let answer = request.send().await.unwrap();
            let (status, text) = (answer.status(), answer.text().await.unwrap());
            assert!(status.is_success(), "{method} {path}: {status} {text}");
            if text.is_empty() { Value::Null } else { serde_json::from_str(&text).unwrap() }
        }
    }

    /// What a person reads under a path.
    #[track_caller]
    pub(crate) fn look(&self, who: &Person, path: &str) -> impl Future<Output = Value> + use<> {
        let request = self.request_as(who, Method::GET, path);
        let path = path.to_owned();
        async move {
            let answer = request.send().await.unwrap();
            let (status, text) = (answer.status(), answer.text().await.unwrap());
            assert_eq!(status, 200, "{path}: {text}");
            serde_json::from_str(&text).unwrap()
        }
    }

    /// What is read under a path with a key.
    pub(crate) async fn look_with(&self, key: &str, path: &str) -> Value {
        let answer = self.request_with(key, Method::GET, path).send().await.unwrap();
        told(answer, 200).await
    }

    /// Sends a message as a person; returns it as it was stored.
    pub(crate) async fn say(&self, person: &Person, message: Value) -> Value {
        let answer = self.request_as(person, Method::POST, "/api/messages").json(&message).send().await.unwrap();
        told(answer, 201).await
    }

    /// The same with a key.
    pub(crate) async fn say_with(&self, key: &str, message: Value) -> Value {
        let answer = self.request_with(key, Method::POST, "/api/messages").json(&message).send().await.unwrap();
        told(answer, 201).await
    }

    /// A person as the hub knows them.
    pub(crate) async fn caller(&self, who: &Person) -> Caller {
        let (_, text) = who.cookie.split_once('=').unwrap();
        self.hub.auth().session(text).await.unwrap()
    }

    /// Says something in a channel; returns the message's id.
    pub(crate) async fn say_in(&self, who: &Caller, channel: &str, body: &str) -> i64 {
        self.hub.messages().send(who, NewMessage::in_channel(channel, body)).await.unwrap().id.0
    }

    /// Writes to somebody; returns the message's id.
    pub(crate) async fn write_to(&self, who: &Caller, handle: &str, body: &str) -> i64 {
        self.hub.messages().send(who, NewMessage::to(handle, body)).await.unwrap().id.0
    }
}

/// The ids of the messages on a page.
pub(crate) fn ids(page: &Value) -> Vec<i64> {
    page["messages"].as_array().unwrap().iter().map(|message| message["id"].as_i64().unwrap()).collect()
}

/// The names of what a page lists under this word.
pub(crate) fn names(page: &Value, list: &str) -> Vec<String> {
    page[list].as_array().unwrap().iter().map(|item| item["name"].as_str().unwrap().to_owned()).collect()
}
