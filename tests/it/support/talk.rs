//! People who talk: requests with bodies as their browser sends them, and messages through the hub.

use reqwest::{Method, Response};
use serde_json::Value;
use svc_core::{Caller, NewMessage};

use super::people::Person;
use super::server::TestServer;

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

    /// What is there.
    #[track_caller]
    pub(crate) fn seen(&self, who: &Person, path: &str) -> impl Future<Output = Value> + use<> {
        let request = self.request_as(who, Method::GET, path);
        let path = path.to_owned();
        async move {
            let answer = request.send().await.unwrap();
            let (status, text) = (answer.status(), answer.text().await.unwrap());
            assert_eq!(status, 200, "{path}: {text}");
            serde_json::from_str(&text).unwrap()
        }
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
