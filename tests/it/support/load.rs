//! Senders that keep at it: a message whose response was lost or refused for a while is sent again with its key, until
//! it is acknowledged.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::future::join_all;
use reqwest::{Client, StatusCode};
use serde_json::{Value, json};
use tokio::task::JoinHandle;

use super::hub::TestHub;
use super::wait::{soon, until};

/// The addresses of the servers. One that does not run is missing.
#[derive(Debug, Clone, Default)]
pub(crate) struct Addresses(Arc<Mutex<Vec<Option<String>>>>);

impl Addresses {
    /// Those of servers that run.
    pub(crate) fn of(bases: impl IntoIterator<Item = String>) -> Self {
        Self(Arc::new(Mutex::new(bases.into_iter().map(Some).collect())))
    }

    /// Changes the address of a server.
    pub(crate) fn set(&self, server: usize, base: Option<String>) {
        self.0.lock().unwrap()[server] = base;
    }

    /// The address of this server, or of the next one that runs.
    pub(crate) fn get(&self, preferred: usize) -> String {
        let all = self.0.lock().unwrap();
        let found = (0..all.len()).find_map(|step| all[(preferred + step) % all.len()].clone());
        found.expect("a server runs")
    }
}

/// A client of servers on this machine.
#[expect(clippy::disallowed_methods, reason = "the test talks to its own servers on the loopback interface")]
pub(crate) fn client() -> Client {
    Client::new()
}

/// Who gets which message.
type Recipient = fn(sender: usize, step: usize) -> String;

/// Senders at work.
pub(crate) struct Load {
    shared: Arc<Shared>,
    senders: Vec<JoinHandle<BTreeMap<String, i64>>>,
}

struct Shared {
    client: Client,
    key: String,
    addresses: Addresses,
    recipient: Recipient,
    acknowledged: AtomicUsize,
    refused: Mutex<BTreeMap<String, usize>>,
    stop: AtomicBool,
}

impl Load {
    /// Starts these senders, which act with one key. Their numbers are in their messages.
    pub(crate) fn start(
        addresses: &Addresses,
        key: &str,
        senders: std::ops::Range<usize>,
        recipient: Recipient,
    ) -> Self {
        let shared = Arc::new(Shared {
            client: client(),
            key: key.to_owned(),
            addresses: addresses.clone(),
            recipient,
            acknowledged: AtomicUsize::new(0),
            refused: Mutex::default(),
            stop: AtomicBool::new(false),
        });
        let senders = senders.map(|sender| tokio::spawn(shared.clone().run(sender))).collect();
        Self { shared, senders }
    }

    /// Waits until this many more messages were acknowledged.
    pub(crate) async fn more(&self, messages: usize) {
        let enough = self.shared.acknowledged.load(Ordering::Relaxed) + messages;
        until("the load to go on", async || (self.shared.acknowledged.load(Ordering::Relaxed) >= enough).then_some(()))
            .await;
    }

    /// Waits until a message is refused with this code.
    pub(crate) async fn refused_with(&self, code: &str) {
        until(&format!("a refusal with {code}"), async || {
            self.shared.refused.lock().unwrap().contains_key(code).then_some(())
        })
        .await;
    }

    /// The numbers of refusals by their codes.
    pub(crate) fn refusals(&self) -> BTreeMap<String, usize> {
        self.shared.refused.lock().unwrap().clone()
    }

    /// Ends it; returns the ids of the messages that were acknowledged, by their texts.
    pub(crate) async fn stop(self) -> BTreeMap<String, i64> {
        self.shared.stop.store(true, Ordering::Relaxed);
        let mut acknowledged = BTreeMap::new();
        for sent in soon("the senders to end", join_all(self.senders)).await {
            acknowledged.extend(sent.unwrap());
        }
        acknowledged
    }
}

impl Shared {
    async fn run(self: Arc<Self>, sender: usize) -> BTreeMap<String, i64> {
        let mut acknowledged = BTreeMap::new();
        for step in 0_usize.. {
            if self.stop.load(Ordering::Relaxed) {
                break;
            }
            let to = (self.recipient)(sender, step);
            let body = format!("Number {step} of sender {sender} to {to}.");
            let id = self.send(sender, &to, &body).await;
            acknowledged.insert(body, id);
            self.acknowledged.fetch_add(1, Ordering::Relaxed);
        }
        acknowledged
    }

    async fn send(&self, sender: usize, to: &str, body: &str) -> i64 {
        let mut pace = tokio::time::interval(Duration::from_millis(5));
        for attempt in 0_usize.. {
            pace.tick().await;
            if let Some(id) = self.try_send(sender + attempt, to, body).await {
                return id;
            }
        }
        unreachable!("the range has no end")
    }

    /// Nothing if the server is gone, or cannot take messages at the moment.
    async fn try_send(&self, server: usize, to: &str, body: &str) -> Option<i64> {
        let request = self.client.post(format!("{}/api/messages", self.addresses.get(server))).bearer_auth(&self.key);
        let request = request.header("Idempotency-Key", body.replace(' ', "-"));
        let answer = request.json(&json!({ "to": to, "body": body })).send().await.ok()?;
        let status = answer.status();
        let sent: Value = answer.json().await.ok()?;
        if status == StatusCode::SERVICE_UNAVAILABLE {
            let code = sent["code"].as_str().unwrap().to_owned();
            *self.refused.lock().unwrap().entry(code).or_default() += 1;
            return None;
        }
        assert!(status.is_success(), "{status}: {sent}");
        sent["id"].as_i64()
    }
}

/// Checks that each of these messages is in the store once, under the id that was acknowledged.
pub(crate) async fn assert_stored_once(test: &TestHub, acknowledged: &BTreeMap<String, i64>) {
    let stored = test.hub.db().read((), |tx, ()| {
        Box::pin(tx.query("SELECT body, id FROM messages WHERE body LIKE 'Number %'").fetch_all::<(String, i64)>())
    });
    let mut found: BTreeMap<String, Vec<i64>> = BTreeMap::new();
    for (body, id) in stored.await.unwrap() {
        found.entry(body).or_default().push(id);
    }
    for (body, id) in acknowledged {
        assert_eq!(found.get(body).map(Vec::as_slice), Some([*id].as_slice()), "{body}");
    }
    assert!(found.values().all(|ids| ids.len() == 1), "no message is stored twice");
}
