//! Runs of agents as a dispatcher would begin and end them, and what owners are told.

use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};
use svc_core::Hub;
use svc_core::governance::{Cost, Refusal, RefusedFor, Reservation, RunOutcome, micros_of};
use svc_core::ids::RunId;

use super::people::Person;
use super::server::{TestServer, told};

/// A cost in dollars, without tokens.
pub(crate) fn dollars(usd: f64) -> Cost {
    Cost { usd_micros: micros_of(usd), tokens: 0 }
}

/// Why a run was refused.
pub(crate) fn refused(reservation: Reservation) -> RefusedFor {
    match reservation {
        Reservation::Refused(Refusal { reason, .. }) => reason,
        Reservation::Reserved(cost) => panic!("it may begin, for {cost:?}"),
    }
}

/// What was reserved for a run that may begin.
pub(crate) fn reserved(reservation: Reservation) -> Cost {
    match reservation {
        Reservation::Reserved(cost) => cost,
        Reservation::Refused(refusal) => panic!("it is refused: {refusal:?}"),
    }
}

/// Begins runs at once, half of them through another hub; returns how many may begin.
pub(crate) async fn begin_at_once(hubs: [&Hub; 2], agent: &str, runs: std::ops::Range<i64>) -> usize {
    let starts = runs.map(|run| {
        let hub = hubs[usize::from(run % 2 == 0)].clone();
        async move { hub.governance().reserve(agent, RunId(run)).await.unwrap() }
    });
    let outcomes = join_all(starts).await;
    outcomes.iter().filter(|outcome| matches!(outcome, Reservation::Reserved(_))).count()
}

impl TestServer {
    /// Somebody with a key that outlasts a login.
    pub(crate) async fn lasting(&self, name: &str) -> (Person, String) {
        let person = self.person(name).await;
        let (_, key) = self.create_key(&person, json!({ "name": "lasting", "permissions": ["admin"] })).await;
        (person, key)
    }

    /// Changes an agent; returns it as it is then.
    pub(crate) async fn change_agent(&self, key: &str, agent: &str, settings: Value) -> Value {
        let request = self.request_with(key, Method::PATCH, &format!("/api/agents/{agent}")).json(&settings);
        told(request.send().await.unwrap(), 200).await
    }

    pub(crate) async fn begin_run(&self, agent: &str, run: i64) -> Reservation {
        self.hub.governance().reserve(agent, RunId(run)).await.unwrap()
    }

    pub(crate) async fn end_run(&self, run: i64, usd: f64, outcome: RunOutcome) {
        self.hub.governance().settle(RunId(run), dollars(usd), outcome).await.unwrap();
    }

    /// A run that costs nothing.
    pub(crate) async fn ran(&self, agent: &str, run: i64, outcome: RunOutcome) {
        reserved(self.begin_run(agent, run).await);
        self.end_run(run, 0.0, outcome).await;
    }

    /// What the system told somebody about this, oldest first.
    pub(crate) async fn told_of(&self, key: &str, kind: &str) -> Vec<Value> {
        let inbox = self.look_with(key, "/api/messages?from=system&limit=200").await;
        let messages = inbox["messages"].as_array().unwrap().iter().rev();
        messages
            .map(|message| message["metadata"]["governance"].clone())
            .filter(|about| about["kind"] == kind)
            .collect()
    }

    /// What the audit log has of this kind, as `action agent`, oldest first.
    pub(crate) async fn audited(&self, event: &'static str) -> Vec<(String, String)> {
        let rows: Vec<(Value,)> = self
            .hub
            .db()
            .read(event, |tx, event| {
                Box::pin(
                    tx.query("SELECT details FROM audit_log WHERE event = $1 ORDER BY id").bind(*event).fetch_all(),
                )
            })
            .await
            .unwrap();
        let word = |value: &Value| value.as_str().unwrap().to_owned();
        rows.iter().map(|(details,)| (word(&details["action"]), word(&details["agent"]))).collect()
    }
}
