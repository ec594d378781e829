//! The remote hub: one client, one URL, one key.

use std::time::Duration;

use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderValue, RETRY_AFTER};
use reqwest::redirect::Policy;
use reqwest::{Client, Response, StatusCode};
use svc_core::{Error, Result};
use svc_mcp::Profile;
use url::Url;

use super::address::Address;
use super::answers::Answers;
use super::envelope::Reply;
use super::headers::SESSION;
use super::refusal::Refusal;
use crate::key::Key;

/// Connection timeout.
const CONNECT: Duration = Duration::from_secs(10);
/// Read timeout: a hub sends something every 15 s, and waits for messages for 55 s at most.
const SILENCE: Duration = Duration::from_secs(90);
/// Largest part of an error response that is read.
const REFUSAL_MAX: usize = 64 * 1024;

const BOTH: HeaderValue = HeaderValue::from_static("application/json, text/event-stream");
const STREAM: HeaderValue = HeaderValue::from_static("text/event-stream");
const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// The remote hub. Clones share its connections.
#[derive(Clone)]
pub(crate) struct Remote {
    client: Client,
    endpoint: Url,
    whoami: Url,
    key: Key,
}

/// The result of sending a message.
pub(crate) enum Sent {
    /// The hub responds.
    Answered {
        /// The session of the response, if it has one.
        session: Option<String>,
        /// The messages of the response.
        answers: Answers,
    },
    /// The hub does not know the session.
    Forgotten,
    /// The hub responds with an error that is a message itself.
    Refused(Reply),
}

impl Remote {
    /// A client of the hub at this URL.
    pub(crate) fn new(address: &Address, key: &Key, profile: Option<Profile>) -> Result<Self> {
        if address.is_exposed() {
            tracing::warn!(target: "svc::mcp", %address, "the key crosses the network unencrypted: use https");
        }
        Ok(Self { client: client()?, endpoint: address.endpoint(profile), whoami: address.whoami(), key: key.clone() })
    }

    /// Whether the hub states that it does not know the key. A hub that does not respond states nothing.
    pub(crate) async fn refuses_key(&self) -> bool {
        let asked = self.client.get(self.whoami.clone()).bearer_auth(self.key.reveal()).send();
        match tokio::time::timeout(CONNECT, asked).await {
            Ok(Ok(answer)) => answer.status() == StatusCode::UNAUTHORIZED,
            Ok(Err(_)) | Err(_) => false,
        }
    }

    /// Sends a message.
    pub(crate) async fn post(&self, text: String, headers: HeaderMap) -> Result<Sent, Refusal> {
        let in_session = headers.contains_key(SESSION);
        let request = self.client.post(self.endpoint.clone()).bearer_auth(self.key.reveal()).headers(headers);
        let request = request.header(ACCEPT, BOTH).header(CONTENT_TYPE, JSON).body(text);
        judge(request.send().await, in_session).await
    }

    /// Opens a stream of messages.
    pub(crate) async fn get(&self, headers: HeaderMap) -> Result<Sent, Refusal> {
        let request = self.client.get(self.endpoint.clone()).bearer_auth(self.key.reveal()).headers(headers);
        judge(request.header(ACCEPT, STREAM).send().await, true).await
    }

    /// Ends a session.
    pub(crate) async fn delete(&self, headers: HeaderMap) {
        let request = self.client.delete(self.endpoint.clone()).bearer_auth(self.key.reveal()).headers(headers);
        // The session expires by itself if this fails.
        request.send().await.ok();
    }
}

async fn judge(response: Result<Response, reqwest::Error>, in_session: bool) -> Result<Sent, Refusal> {
    let response = response.map_err(|error| Refusal::unreachable(&error.without_url()))?;
    let status = response.status();
    if status.is_success() {
        let session = response.headers().get(SESSION).and_then(|id| id.to_str().ok()).map(ToOwned::to_owned);
        return Ok(Sent::Answered { session, answers: Answers::of(response)? });
    }
    if status == StatusCode::NOT_FOUND && in_session {
        return Ok(Sent::Forgotten);
    }
    let retry_after = response.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok()).map(ToOwned::to_owned);
    let body = beginning(response).await;
    match Reply::read(&body) {
        Some(reply) => Ok(Sent::Refused(reply)),
        None => Err(Refusal::of_status(status, retry_after.as_deref(), &body)),
    }
}

/// The beginning of a body, for an error message.
async fn beginning(mut response: Response) -> String {
    let mut body = Vec::new();
    while let Ok(Some(chunk)) = response.chunk().await {
        body.extend_from_slice(&chunk);
        if body.len() > REFUSAL_MAX {
            break;
        }
    }
    String::from_utf8_lossy(&body).into_owned()
}

#[expect(clippy::disallowed_methods, reason = "the user names the hub, which may be in their own network")]
fn client() -> Result<Client> {
    Client::builder()
        .redirect(Policy::none())
        .referer(false)
        .connect_timeout(CONNECT)
        .read_timeout(SILENCE)
        .user_agent(concat!("svc-mcp-stdio/", env!("CARGO_PKG_VERSION")))
        .build()
        .map_err(|error| Error::internal("the client for the hub cannot be made").with_source(error))
}
