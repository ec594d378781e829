//! The session of a client of the older revisions, and its restart when the hub has forgotten it: with the client's
//! own first message, and with its subscriptions.

use std::collections::BTreeSet;
use std::sync::Mutex;

use serde_json::{Value, json};

use super::envelope::{Envelope, Reply};
use super::headers::{self, Known};
use super::refusal::Refusal;
use super::remote::{Remote, Sent};

/// The notification after the first message was answered.
const INITIALIZED: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;

/// The session, if there is one.
#[derive(Default)]
pub(crate) struct Session {
    state: Mutex<State>,
    /// Only one task restarts it at a time.
    renewal: tokio::sync::Mutex<()>,
}

#[derive(Default)]
struct State {
    known: Known,
    /// Number of times it was started.
    turn: u64,
    first: Option<Envelope>,
    /// The subscribed URIs.
    subscribed: BTreeSet<String>,
}

impl Session {
    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        // The lock is never held across a panic, and its content is consistent at every moment.
        self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// The current state, and the number of times it was started.
    pub(crate) fn known(&self) -> (Known, u64) {
        let state = self.state();
        (state.known.clone(), state.turn)
    }

    /// Starts it with the client's first message; returns the response.
    pub(crate) async fn begin(&self, remote: &Remote, first: Envelope) -> Result<Reply, Refusal> {
        let (reply, known) = open(remote, &first).await?;
        let mut state = self.state();
        *state = State { known, turn: state.turn + 1, first: Some(first), subscribed: BTreeSet::new() };
        Ok(reply)
    }

    /// Restarts it, unless another task has done so since this turn.
    pub(crate) async fn renew(&self, remote: &Remote, turn: u64) -> Result<(), Refusal> {
        let _guard = self.renewal.lock().await;
        let (first, subscribed) = {
            let state = self.state();
            if state.turn != turn {
                return Ok(());
            }
            (state.first.clone().ok_or_else(Refusal::no_session)?, state.subscribed.clone())
        };
        tracing::info!(target: "svc::mcp", "the hub has forgotten the session; restarting it");
        let (_, known) = open(remote, &first).await?;
        tell(remote, INITIALIZED.to_owned(), &known).await?;
        for uri in subscribed {
            let again = json!({"jsonrpc":"2.0","id":format!("svc-bridge:{uri}"),"method":"resources/subscribe","params":{"uri":uri}});
            tell(remote, again.to_string(), &known).await?;
        }
        let mut state = self.state();
        state.known = known;
        state.turn += 1;
        Ok(())
    }

    /// Remembers the subscription of a request.
    pub(crate) fn note(&self, message: &Envelope) {
        let Some(uri) = message.params.uri.as_ref().and_then(Value::as_str) else { return };
        if message.is("resources/subscribe") {
            self.state().subscribed.insert(uri.to_owned());
        } else if message.is("resources/unsubscribe") {
            self.state().subscribed.remove(uri);
        }
    }
}

/// Sends the first message; returns the response and the state of the session.
async fn open(remote: &Remote, first: &Envelope) -> Result<(Reply, Known), Refusal> {
    let id = first.id.clone().unwrap_or_default();
    let sent = remote.post(first.text.clone(), headers::of_message(first, &Known::default())).await?;
    let (session, mut answers) = match sent {
        Sent::Answered { session, answers } => (session, answers),
        Sent::Refused(reply) => return Ok((reply, Known::default())),
        Sent::Forgotten => return Err(Refusal::no_session()),
    };
    while let Some(reply) = answers.next().await? {
        if reply.answers(&id) {
            let version = reply.value()["result"]["protocolVersion"].as_str().map(ToOwned::to_owned);
            return Ok((reply, Known { session, version }));
        }
    }
    Err(Refusal::broken_off())
}

/// Sends a message of the bridge itself, and waits until it was accepted.
async fn tell(remote: &Remote, text: String, known: &Known) -> Result<(), Refusal> {
    if let Sent::Answered { mut answers, .. } = remote.post(text, headers::of_session(known)).await? {
        while answers.next().await?.is_some() {}
    }
    Ok(())
}
